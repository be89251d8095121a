//! Programs that a test controls on a terminal.

use verger_testkit::{Output, TerminalSize, TestEnvironment};

use crate::failure_of;

fn shell(environment: &TestEnvironment, script: &str) -> std::process::Command {
    let mut command = environment.command("sh");
    command.args(["-c", script]);
    command
}

#[test]
fn all_three_streams_are_a_terminal_of_the_given_size() {
    let environment = TestEnvironment::new();
    let script = "for stream in 0 1 2; do [ -t $stream ] && echo $stream; done; stty size; echo $TERM; exit 3";
    let output = environment.run_on_terminal(shell(&environment, script), TerminalSize::NARROW);
    let stdout = "0\n1\n2\n24 40\nxterm-256color\n".to_owned();
    assert_eq!(output, Output { stdout, stderr: String::new(), code: 3 });
}

#[test]
fn the_terminal_controls_the_program() {
    let environment = TestEnvironment::new();
    let script = "exec < /dev/null > /dev/null 2>&1; echo by the side door > /dev/tty";
    let output = environment.run_on_terminal(shell(&environment, script), TerminalSize::USUAL);
    assert_eq!(output.success().stdout, "by the side door\n");
}

#[test]
fn a_person_answers_and_interrupts() {
    let environment = TestEnvironment::new();
    let script = "printf 'name? '; read name; echo \"hello $name\"; exec sleep 1000";
    let mut terminal =
        environment.start_on_terminal(shell(&environment, script), TerminalSize::USUAL);
    terminal.wait_for("name?");
    terminal.send("Ada\r");
    terminal.wait_for("hello Ada");
    assert_eq!(terminal.screen(), "name? Ada\nhello Ada");
    terminal.send("\u{3}");
    assert_eq!(terminal.finish().code, 128 + 2);
}

#[test]
fn a_key_that_comes_too_early_is_pressed_again() {
    let environment = TestEnvironment::new();
    // Input that is typed before the program reads is lost.
    let script = "echo proceed?; IFS= read -r lost; echo listening; IFS= read -r heard; echo heard; read end";
    let mut terminal =
        environment.start_on_terminal(shell(&environment, script), TerminalSize::USUAL);
    terminal.wait_for("proceed?");
    terminal.press_until("\r", "heard");
    terminal.send("\r");
    assert_eq!(terminal.finish().code, 0);
}

#[test]
fn the_screen_is_what_was_drawn_and_the_output_how() {
    let environment = TestEnvironment::new();
    let script = r"printf 'working\r\033[Kdone \033[32m%s\033[0m\n' $HOME; read end";
    let mut terminal =
        environment.start_on_terminal(shell(&environment, script), TerminalSize::USUAL);
    terminal.wait_for("$ENV/home");
    assert_eq!(terminal.screen(), "done $ENV/home");
    terminal.send("\r");
    let output = terminal.finish().success();
    assert_eq!(output.stdout, "working\r\u{1b}[Kdone \u{1b}[32m$ENV/home\u{1b}[0m\n\n");
}

#[test]
fn a_process_left_behind_does_not_hold_the_test_up() {
    let environment = TestEnvironment::new();
    let script = "mkfifo ready; setsid --fork sh -c 'echo > ready; exec sleep 1000'; read started < ready; echo gone";
    let output = environment.run_on_terminal(shell(&environment, script), TerminalSize::USUAL);
    assert_eq!(output.success().stdout, "gone\n");
}

#[test]
fn missing_output_fails_the_test_with_the_screen() {
    let environment = TestEnvironment::new();
    let mut terminal =
        environment.start_on_terminal(shell(&environment, "echo no"), TerminalSize::USUAL);
    let failure = failure_of(|| terminal.wait_for("yes"));
    let (_, told) = failure.split_once(" did not show ").unwrap();
    assert_eq!(told, "\"yes\" (it has ended):\nno");
}
