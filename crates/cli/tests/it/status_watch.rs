//! `verger status --watch`: the screen follows the log and ends with Ctrl-C.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;
use verger_testkit::{Conversation, Speaker, TerminalSize, TestEnvironment};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

fn conversation() -> Conversation {
    Conversation::begin(TestEnvironment::with_repository(), &[VERGER, "hook"])
}

#[test]
fn the_screen_shows_a_live_session_and_its_next_call() {
    let conversation = conversation();
    assert!(conversation.prompt("fix the parser").is_silence());
    let mut command = conversation.environment.command(VERGER);
    command.args(["status", "--watch"]).envs(conversation.next_moment());
    let mut terminal = conversation.environment.start_on_terminal(command, TerminalSize::USUAL);
    terminal.wait_for("works on: fix the parser");
    assert!(conversation.bash(Speaker::Main, "make test").is_silence());
    terminal.wait_for("runs Bash make test");
    terminal.send("\x03");
    let output = terminal.finish();
    assert_eq!(output.code, 0, "{output}");
    assert!(
        output.stdout.ends_with("\x1b[?25h\x1b[?1049l"),
        "the screen is not restored: {output}"
    );
}

#[test]
fn lines_wrap_at_the_new_width_of_a_terminal_that_changed_its_size() {
    let conversation = conversation();
    assert!(conversation.prompt("fix the parser, then write a test for it").is_silence());
    let mut command = conversation.environment.command(VERGER);
    command.args(["status", "--watch"]).envs(conversation.next_moment());
    let mut terminal = conversation.environment.start_on_terminal(command, TerminalSize::USUAL);
    terminal.wait_for("works on: fix the parser, then write a test for it");
    terminal.resize(TerminalSize::NARROW);
    // The rest of the line hangs below its beginning.
    terminal.wait_for("works on: fix the parser,\n           then write a test for it");
    terminal.send("\x03");
    assert_eq!(terminal.finish().code, 0);
}

#[test]
fn programs_get_an_object_per_change() {
    let conversation = conversation();
    let mut command = conversation.environment.command(VERGER);
    command.args(["status", "--watch", "--json"]).envs(conversation.next_moment());
    let mut watch = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut events = || {
        let object: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        object["live_sessions"][0]["events"].as_u64().unwrap()
    };
    let before = events();
    assert!(conversation.prompt("fix the parser").is_silence());
    assert!(events() > before);
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[test]
fn without_a_terminal_it_says_how_programs_watch() {
    let conversation = conversation();
    let output = conversation.environment.run(VERGER, ["status", "--watch"], "");
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "verger: --watch needs a terminal to draw on\nhint: verger status --watch --json\n"
    );
}
