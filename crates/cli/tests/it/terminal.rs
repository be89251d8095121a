//! Terminals without colours, narrow terminals, readers that close the pipe, and machines without
//! git.

use verger_cli::Audience;
use verger_testkit::TerminalSize;

use crate::recorded::Recorded;

/// Runs a command at a terminal 40 columns wide.
fn at_terminal(recorded: &Recorded, arguments: &str) -> String {
    let arguments: Vec<_> = arguments.split(' ').collect();
    recorded.at_terminal(&arguments, TerminalSize::NARROW).success().stdout
}

pub(crate) fn with_trust() -> Recorded {
    let recorded = Recorded::two_sessions();
    recorded.environment.write(".verger/config.toml", "[user]\nname = 'ann'\n");
    assert_eq!(recorded.verger(&["trust", "--yes"]).code, 0);
    recorded
}

#[test]
fn colours_are_for_terminals_that_show_them() {
    let mut recorded = with_trust();
    recorded.environment.set("TERM", "xterm");
    assert!(at_terminal(&recorded, "trust --list").contains("\u{1b}[32m"));
    recorded.environment.set("NO_COLOR", "1");
    assert!(!at_terminal(&recorded, "trust --list").contains('\u{1b}'));
    recorded.environment.unset("NO_COLOR");
    recorded.environment.set("TERM", "dumb");
    assert!(!at_terminal(&recorded, "trust --list").contains('\u{1b}'));
    recorded.environment.set("TERM", "xterm");
    assert!(!recorded.verger(&["trust", "--list"]).stdout.contains('\u{1b}'));
}

#[test]
fn colours_say_what_is_wrong_what_waits_and_what_is_fine() {
    let mut recorded = with_trust();
    recorded.environment.set("CLICOLOR_FORCE", "1");
    let shown = |arguments: &[&str]| recorded.verger(arguments).stdout;
    let status = shown(&["status"]);
    assert!(status.contains("\u{1b}[1mneeds you\u{1b}[0m\u{1b}[33m "), "{status}");
    assert!(shown(&["doctor"]).contains("\u{1b}[31mproblem\u{1b}[0m"));
    assert!(shown(&["log", "verify"]).starts_with("\u{1b}[32m"));
    assert!(shown(&["guard", "explain", "rm -rf src"]).starts_with("\u{1b}[31mdeny\u{1b}[0m"));
    assert!(shown(&["why", "1111:3"]).starts_with("\u{1b}[32mAllowed\u{1b}[0m: "));
    assert!(shown(&["session", "list"]).contains("\u{1b}[2m1111"));
}

#[test]
fn listings_fit_the_columns_and_a_pipe_gets_whole_paths() {
    let mut recorded = with_trust();
    let listings = [
        "status",
        "session list",
        "config show",
        "log show 1111",
        "trust --list",
        "guard rules",
        "drift --session 1111",
        "verify --plan --session 1111",
        "uninstall --dry-run",
    ];
    recorded.environment.set("COLUMNS", "60");
    let is_word = |line: &str| line.split(' ').any(|word| word.chars().count() > 20);
    for listing in listings {
        let shown = listed(&recorded, listing);
        assert!(!shown.contains('…'), "{listing}: {shown}");
        for line in shown.lines() {
            assert!(line.chars().count() <= 60 || is_word(line), "{listing}: {line}");
        }
    }
}

#[test]
fn settings_with_their_origins_fit_every_width() {
    let mut recorded = with_trust();
    let globs = "Bash:gh issue close*,Bash:br close*,Bash:tissue close*,Bash:bd close*";
    let set = ["config", "set", "review.gated_tools", globs, "--yes"];
    assert_eq!(recorded.verger(&set).code, 0);
    for columns in [40, 60, 80, 120] {
        recorded.environment.set("COLUMNS", columns.to_string());
        for line in listed(&recorded, "config show --origin").lines() {
            let is_word = !line.trim().contains(' ');
            assert!(line.chars().count() <= columns || is_word, "{columns}: {line}");
        }
    }
}

/// Commands that only show something and that anyone may run.
pub(crate) const LISTINGS: &[&str] = &[
    "completions bash",
    "config show --origin",
    "context --session 1111",
    "doctor agents",
    "doctor learnings",
    "doctor tickets",
    "drift --file a --session 1111",
    "drift --session 1111",
    "guard explain ls",
    "guard rules",
    "guard stats",
    "guard suggest",
    "learn archive --unused --dry-run",
    "learn list",
    "learn search cache",
    "learn stats",
    "log clean --before 0h --dry-run",
    "log rebuild --verify",
    "log show 1111",
    "log verify",
    "recall cache",
    "session handoff --session 1111",
    "session list",
    "session show 1111",
    "session trace 1111",
    "stats",
    "stats habits",
    "stats review",
    "stats verification",
    "status",
    "tasks",
    "tasks search bug",
    "trust --list",
    "undo list",
    "uninstall --dry-run",
    "verify --plan --session 1111",
    "why --last",
];

/// Commands that change something, need something that the test lacks, fail if there is a problem,
/// or write for other programs.
const NO_LISTINGS: &[&str] = &[
    "decide",
    "demo",
    "doctor",
    "init",
    "observe",
    "ref",
    "reflect",
    "review run",
    "skip",
    "learn show",
    "recall-eval",
    "tasks show",
    "undo show",
];

#[test]
fn every_command_that_anyone_may_run_is_a_listing() {
    for line in verger_cli::AUTHORITY {
        if matches!(line.audience, Audience::Anyone | Audience::Agent | Audience::AgentTrusted) {
            let mut known = LISTINGS.iter().chain(NO_LISTINGS);
            assert!(
                known.any(|known| known.starts_with(line.command)),
                "{} is in no list",
                line.command
            );
        }
    }
}

#[test]
fn listings_work_at_a_narrow_terminal() {
    let recorded = with_trust();
    for listing in LISTINGS {
        assert_ne!(at_terminal(&recorded, listing), "", "{listing}");
    }
}

#[test]
fn words_that_do_not_fit_a_narrow_terminal_hang_below() {
    let recorded = Recorded::nothing();
    let screen = at_terminal(&recorded, "status");
    insta::assert_snapshot!(screen, @r#"
    verger        0.1.0, files in
                  ~/.verger/data
    live          no session
    recording     on, record.enabled = true
                  (default): records what
                  agents do in the log
    redaction     on, always: removes
                  secrets before anything is
                  written
    review        on, review.mode = "prompt"
                  (default),
                  review.gated_tools = []
                  (default): blocks an
                  agent's stop until its
                  work was reviewed
    guard         on, guard.mode = "observe"
                  (default): allows, asks
                  about or denies an agent's
                  calls; only records in
                  mode observe
    undo          on, undo.enabled = true
                  (default): saves what a
                  call may destroy, so that
                  it can be brought back
    learning      on, learning.mode = "on"
                  (default): asks an agent
                  to write down what a
                  closed ticket taught it
    verification  on, verification.mode =
                  "observe" (default):
                  records claims of "done"
                  without a green check; in
                  modes claims and always it
                  blocks the agent's stop
    delegation    off, delegation.mode =
                  "off" (default): stops a
                  lead agent from doing the
                  work of its subagents
    drift         on, drift.mode = "observe"
                  (default): records when an
                  agent breaks your limits
                  or goes in circles;
                  corrects the agent only in
                  mode correct
    habits        off, habits.* (default):
                  stops calls that a project
                  does not want, such as
                  `git add -A`
    needs you     no coding agent was found;
                  verger supports Claude
                  Code, Codex, Gemini CLI
                  and Copilot CLI
      do          install one of them, then
                  verger init
    "#);
}

#[test]
fn a_reader_that_goes_away_is_no_error_for_any_listing() {
    let recorded = with_trust();
    for listing in LISTINGS {
        for json in ["", "--json"] {
            // The reader exits before the first byte is written.
            let script = format!(
                "exec 3> >(exec true); wait $!; '{}' {listing} {json} >&3; echo $?",
                env!("CARGO_BIN_EXE_verger")
            );
            let output = recorded.environment.run("bash", ["-c", script.as_str()], "");
            assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("0\n", ""), "{listing}");
        }
    }
}

#[test]
fn without_git_every_listing_works() {
    let mut recorded = with_trust();
    let with_git: Vec<_> = LISTINGS.iter().map(|listing| listed(&recorded, listing)).collect();
    recorded.environment.set("PATH", "/nowhere");
    let without: Vec<_> = LISTINGS.iter().map(|listing| listed(&recorded, listing)).collect();
    assert_eq!(with_git, without);
}

fn listed(recorded: &Recorded, listing: &str) -> String {
    let arguments: Vec<_> = listing.split(' ').collect();
    recorded.verger(&arguments).success().stdout
}

#[test]
fn a_home_that_cannot_be_used_is_named() {
    let mut recorded = Recorded::nothing();
    let file = recorded.environment.write("no-directory", "");
    recorded.environment.set("VERGER_HOME", file.join("verger"));
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @r#"
    ------- stderr -------
    verger: cannot open $ENV/home/project/no-directory/verger/data: Not a directory (os error 20)
    hint: ls -ld $ENV/home/project/no-directory/verger/data
    ------- exit code 3 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.role", "x", "--yes"]), @r#"
    ------- stderr -------
    verger: cannot make the directory $ENV/home/project/no-directory/verger/config: Not a directory (os error 20)
    hint: ls -ld $ENV/home/project/no-directory/verger/config
    ------- exit code 3 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "record.role", "--json"]), @r#"{"problems":[],"settings":[{"class":"free","key":"record.role","origins":[{"layer":"default"}],"value":null}]}"#);
}

#[test]
fn a_half_written_configuration_stops_no_listing() {
    let recorded = with_trust();
    let file = recorded.environment.verger_home().join("config/config.toml");
    recorded.environment.write(file, "[record]\nrole = \"rev");
    for listing in LISTINGS {
        assert_ne!(listed(&recorded, listing), "", "{listing}");
    }
    insta::assert_snapshot!(recorded.verger(&["config", "show", "record.role"]), @r#"
    record.role  -
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml:2:12: syntax error: invalid basic string, expected `"`
    "#);
}
