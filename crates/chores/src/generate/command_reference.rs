//! Generates the page that lists every command with its purpose, its arguments and its audience.

use clap::{Arg, Command};
use verger_cli::{AUTHORITY, Audience, Authority, GROUPS};

const INTRODUCTION: &str = "\
# Commands

<!-- Written by `cargo xtask generate` from crates/cli. -->

Every command takes `--json` (the whole answer for programs) and `--quiet` (what was asked for and errors, nothing
else). Data goes to standard output, everything else to standard error. Colours are for terminals; `NO_COLOR` and
`TERM=dumb` turn them off.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | something wrong was found, or a question was answered with no |
| 2 | the arguments do not fit |
| 3 | verger's files or the system failed |
| 4 | only a person may do this |
";

/// Options that every command has. They are not listed for each command.
const EVERYWHERE: &[&str] = &["json", "quiet", "help", "version"];

pub(crate) fn render() -> String {
    let leaves = verger_cli::leaves();
    let mut page = INTRODUCTION.to_owned();
    for (heading, names) in GROUPS {
        page.push_str(&overview(heading, &leaves, |first| names.contains(&first)));
    }
    let is_listed = |first: &str| GROUPS.iter().any(|(_, names)| names.contains(&first));
    page.push_str(&overview("For agents and programs", &leaves, |first| !is_listed(first)));
    page.extend(leaves.iter().map(|(path, command)| entry(path, command)));
    page
}

/// A table of those commands whose first word is in the group.
fn overview(
    heading: &str,
    leaves: &[(String, Command)],
    is_meant: impl Fn(&str) -> bool,
) -> String {
    let meant = leaves.iter().filter(|(path, _)| is_meant(path.split(' ').next().unwrap_or(path)));
    let rows = meant.map(|(path, command)| {
        let anchor = format!("verger-{}", path.replace(' ', "-"));
        format!("| [`{path}`](#{anchor}) | {} | {} |\n", about(command), who(path))
    });
    let rows: String = rows.collect();
    format!("\n{heading}:\n\n| command | | who may run it |\n|---|---|---|\n{rows}")
}

fn entry(path: &str, command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string);
    let about = with_full_stop(&about.unwrap_or_default());
    let mut entry = format!("\n## verger {path}\n\n```text\n{usage}\n```\n\n{about}\n");
    let rows: Vec<_> =
        command.get_arguments().filter(|argument| is_shown(argument)).map(row).collect();
    if !rows.is_empty() {
        entry.push_str("\n| argument | |\n|---|---|\n");
        entry.extend(rows);
    }
    entry
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// Restores the full stop of a description's first paragraph, which clap removes.
fn with_full_stop(text: &str) -> String {
    let (first, rest) = text.split_at(text.find("\n\n").unwrap_or(text.len()));
    format!("{}.{rest}", first.trim_end_matches('.'))
}

fn is_shown(argument: &Arg) -> bool {
    !argument.is_hide_set() && !EVERYWHERE.contains(&argument.get_id().as_str())
}

fn row(argument: &Arg) -> String {
    let mut names = vec![];
    names.extend(argument.get_short().map(|short| format!("-{short}")));
    names.extend(argument.get_long().map(|long| format!("--{long}")));
    let value = argument.get_value_names().unwrap_or_default().join(" ");
    let takes_value = argument.get_num_args().is_none_or(|number| number.takes_values());
    let name = match (names.is_empty(), takes_value) {
        (true, _) => value,
        (false, true) => format!("{} {value}", names.join(", ")),
        (false, false) => names.join(", "),
    };
    let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let values = argument.get_possible_values();
    if takes_value && !values.is_empty() {
        let values: Vec<_> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        help = format!("{help} {}", values.join(", "));
    }
    let defaults = argument.get_default_values();
    if takes_value && let [default] = defaults {
        help = format!("{help} (default: `{}`)", default.to_string_lossy());
    }
    format!("| `{name}` | {} |\n", help.trim().replace('|', "\\|"))
}

/// The audience that may run a command, and the flags of the command that need another audience.
fn who(path: &str) -> String {
    let lines = AUTHORITY.iter().filter(|line| line.command == path);
    let (with_flags, plain): (Vec<&Authority>, Vec<&Authority>) =
        lines.partition(|line| line.flag.is_some());
    let plain = plain.iter().map(|line| audience(line.audience).to_owned());
    let with_flags = with_flags.iter().map(|line| {
        let flag = line.flag.unwrap_or_default().replace('_', "-");
        format!("(`--{flag}`: {})", audience(line.audience))
    });
    plain.chain(with_flags).collect::<Vec<_>>().join(" ")
}

fn audience(audience: Audience) -> &'static str {
    match audience {
        Audience::Agent => "agents and people",
        Audience::AgentTrusted => "people, and agents where the worktree is trusted",
        Audience::Anyone => "anyone",
        Audience::Client => "an agent's client",
        Audience::Release => "a person at a terminal",
        Audience::Ground => "a person; in scripts with `--yes`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_listed_with_who_may_run_it() {
        let page = render();
        for (path, _) in verger_cli::leaves() {
            assert!(page.contains(&format!("\n## verger {path}\n")), "{path}");
            assert!(!who(&path).is_empty(), "{path}");
        }
    }

    #[test]
    fn a_row_says_how_an_argument_is_written() {
        let flag =
            Arg::new("dry").long("dry-run").action(clap::ArgAction::SetTrue).help("Only show");
        let option =
            Arg::new("limit").short('n').long("limit").value_name("LIMIT").help("How many");
        let rows =
            [flag, option.default_value("20"), Arg::new("key").value_name("KEY").help("A|B")];
        let command = rows.iter().cloned().fold(Command::new("x"), Command::arg);
        let mut command = command;
        command.build();
        let rows: String = rows
            .iter()
            .map(|argument| {
                let built =
                    command.get_arguments().find(|built| built.get_id() == argument.get_id());
                row(built.unwrap())
            })
            .collect();
        assert_eq!(
            rows,
            "| `--dry-run` | Only show |\n| `-n, --limit LIMIT` | How many (default: `20`) |\n\
             | `KEY` | A\\|B |\n"
        );
    }
}
