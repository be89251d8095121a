//! Rules for every command, checked for all commands of the command line's definition.

use verger_testkit::TerminalSize;

use crate::demo::Installed;
use crate::household::Household;
use crate::recorded::Recorded;
use crate::terminal::{LISTINGS, with_trust};

#[test]
fn every_command_takes_json_and_quiet_and_says_what_it_is_for() {
    for (path, command) in verger_cli::leaves() {
        let has = |name: &str| command.get_arguments().any(|argument| argument.get_id() == name);
        assert!(has("json") && has("quiet"), "{path}");
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.is_empty() && !about.ends_with('.'), "{path}: {about:?}");
        assert!(about.chars().count() <= MAX_ABOUT_CHARS, "{path}: {about:?} is too long");
        for argument in command.get_arguments() {
            let is_said =
                argument.get_help().is_some() || !argument.get_possible_values().is_empty();
            assert!(is_said, "{path}: {} says nothing", argument.get_id());
        }
    }
}

/// The maximum length of a description. Together with its command's name, it fits a line of 80
/// columns.
const MAX_ABOUT_CHARS: usize = 60;

#[test]
fn the_help_lists_the_commands_for_people_in_groups() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["-h"]), @"
    Keeps coding agents honest, on course, safe, learning and in step

    Usage: verger [OPTIONS] <COMMAND>

    Set up:
      init       Record and check your coding agents from now on
      uninstall  Take verger out of your agents and remove its programs
      doctor     Check that verger works, and repair what is broken
      config     Show settings and where they come from, and change them
      trust      Trust a project: agents may build and test in it
      demo       Watch verger at work, in a temporary project

    See:
      status     See live sessions, their gates and what needs you
      session    List recorded sessions and look into one
      why        Explain why verger blocked, asked or stayed silent
      drift      See whether an agent breaks your limits or goes in circles
      tasks      List the tasks of this project, the latest first
      stats      Count how reviews, verification and habits went
      log        Show, check, rebuild and clean the recorded events

    Act:
      verify     Check whether work is done: format, lint, types, tests
      release    Let an agent pass a gate that holds it
      undo       Bring back files that an agent changed or deleted
      guard      See which commands the guard allows or denies, and why

    Learn:
      learn      Find, read, archive and measure what agents learned

    Options:
          --json     Print JSON for programs
      -q, --quiet    Print what was asked for and errors, nothing else
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version
    ");
}

#[test]
fn every_command_is_in_a_group_of_the_help_or_hidden() {
    let recorded = Recorded::nothing();
    let help = recorded.verger(&["--help"]).success().stdout;
    let mut hidden = vec![];
    for command in verger_cli::command_line().get_subcommands() {
        let (name, about) = (command.get_name(), command.get_about().unwrap());
        let is_listed = help.contains(&format!("\n  {name:<9}  {about}\n"));
        assert_ne!(is_listed, command.is_hide_set(), "{name}");
        assert!(about.to_string().chars().count() <= MAX_ABOUT_CHARS, "{name}: {about}");
        if command.is_hide_set() {
            hidden.push(name.to_owned());
        }
    }
    hidden.sort_unstable();
    insta::assert_snapshot!(hidden.join(" "), @"completions context decide hook observe recall recall-eval ref reflect review skip");
}

#[test]
fn every_command_shows_help_within_a_narrow_terminal() {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("NO_COLOR", "1");
    for (path, _) in verger_cli::leaves() {
        let arguments: Vec<_> = path.split(' ').chain(["--help"]).collect();
        let help = recorded.verger(&arguments).success();
        assert!(help.stdout.contains("\nUsage: verger "), "{path}: {help}");
        let narrow = recorded.at_terminal(&arguments, TerminalSize::NARROW);
        let lines = || narrow.stdout.lines().map(str::trim_end);
        assert!(lines().count() > 5 && lines().all(is_narrow), "{path}: {narrow}");
        assert_eq!(narrow.code, 0, "{path}: {narrow}");
    }
}

/// Whether a line fits a narrow terminal, or is allowed to exceed it. Long words such as paths are
/// not broken, and neither is the usage line.
fn is_narrow(line: &str) -> bool {
    let columns = usize::from(TerminalSize::NARROW.columns);
    let is_word = line.trim_start().rsplit(' ').any(|word| word.chars().count() > columns / 2);
    line.chars().count() <= columns || is_word || line.starts_with("Usage: ")
}

#[test]
fn every_command_says_what_is_wrong_without_a_home() {
    let mut recorded = Recorded::nothing();
    for name in ["HOME", "VERGER_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        recorded.environment.unset(name);
    }
    for (path, command) in verger_cli::leaves() {
        if NEEDS_NO_HOME.contains(&path.as_str()) {
            continue;
        }
        let mut arguments: Vec<_> = path.split(' ').collect();
        arguments.extend(needs(&command));
        // At a terminal, because releases are refused without one before anything else is checked.
        let output = recorded.at_terminal(&arguments, TerminalSize::USUAL);
        let told = (output.stdout.lines().next().map(str::trim_end), output.code);
        assert_eq!(told, (Some(NO_HOME), 3), "{path}");
    }
}

/// Commands that print no object, with the reason.
const NO_JSON: &[(&str, &str)] = &[("hook", "it speaks the protocol of the agent's client")];

#[test]
fn every_command_prints_one_json_object() {
    let recorded = with_trust();
    for listing in LISTINGS {
        let arguments: Vec<_> = listing.split(' ').chain(["--json"]).collect();
        let output = recorded.verger(&arguments);
        assert!(is_one_object(&output.stdout), "{listing}: {output}");
    }
    for (path, command) in verger_cli::leaves() {
        if NO_JSON.iter().any(|(name, _)| *name == path) {
            continue;
        }
        let mut arguments: Vec<_> = path.split(' ').collect();
        arguments.extend(needs(&command));
        arguments.push("--json");
        let output = match path.as_str() {
            // These two need a hook program, which is not in the directory of the program under test.
            "demo" => Installed::new().run(&arguments),
            "init" => Household::new().init(&["--json"]),
            _ => recorded.verger(&arguments),
        };
        // If the command failed completely, the error is one JSON object.
        let told = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
        assert!(is_one_object(told), "{path}: {output}");
    }
}

fn is_one_object(text: &str) -> bool {
    let value = serde_json::from_str(text).unwrap_or(serde_json::Value::Null);
    value.is_object() && text.lines().count() == 1
}

const NO_HOME: &str =
    "verger: cannot find verger's home directory: neither VERGER_HOME nor HOME is an absolute path";

/// Commands that need no home. The hook never blocks the agent, the table and the shell script are
/// fixed, the demo has its own home, and the evaluation only uses its arguments.
const NEEDS_NO_HOME: &[&str] = &["doctor agents", "completions", "demo", "hook", "recall-eval"];

/// Values for the arguments that a command requires.
fn needs(command: &clap::Command) -> Vec<&'static str> {
    let positionals = command.get_positionals().filter(|argument| argument.is_required_set());
    let mut needed: Vec<_> = positionals
        .map(|argument| match argument.get_id().as_str() {
            "key" => "record.role",
            "ids" | "id" => "learn-a",
            "decision" => "complete",
            "gate" => "review",
            _ => "x",
        })
        .collect();
    for argument in command.get_arguments() {
        match argument.get_id().as_str() {
            "yes" => needed.push("--yes"),
            "last" => needed.push("--last"),
            "unused" => needed.push("--unused"),
            "stdin" => needed.push("--stdin"),
            "gate" if !argument.is_positional() => needed.extend(["--gate", "learning"]),
            "before" if argument.is_required_set() => needed.extend(["--before", "30d"]),
            _ => {}
        }
    }
    needed
}
