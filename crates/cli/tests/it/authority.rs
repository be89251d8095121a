//! Tests who may run commands, from outside: a person at a terminal, a script and an agent.

use verger_testkit::{Output, TerminalSize, TestEnvironment};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

/// A project with a file that can be trusted.
fn project() -> TestEnvironment {
    let environment = TestEnvironment::with_repository();
    environment.write(".verger/config.toml", "[user]\nname = \"Ada\"\n");
    environment
}

fn is_trusted(environment: &TestEnvironment) -> bool {
    environment.verger_home().join("config/trust.json").exists()
}

fn on_terminal(environment: &TestEnvironment, program: &str, arguments: &[&str]) -> Output {
    let mut command = environment.command(program);
    command.args(arguments);
    environment.run_on_terminal(command, TerminalSize::USUAL)
}

#[test]
fn a_person_at_a_terminal_may() {
    let environment = project();
    let output = on_terminal(&environment, VERGER, &["trust", "--yes"]);
    assert_eq!(output.code, 0, "{output}");
    assert!(is_trusted(&environment));
}

#[test]
fn a_script_that_stands_for_a_person_says_so() {
    let environment = project();
    // The command runs in its own session. Otherwise it would have the terminal of the person who
    // runs the tests.
    let run = |arguments: &[&str]| {
        environment.run("setsid", ["--wait", VERGER].iter().chain(arguments), "")
    };
    insta::assert_snapshot!(run(&["trust"]), @"
    ------- stderr -------
    verger: `verger trust` needs a terminal
    hint: add --yes to `verger trust` in a script
    ------- exit code 4 -------
    ");
    assert!(!is_trusted(&environment));
    assert_eq!(run(&["trust", "--yes"]).code, 0);
    assert!(is_trusted(&environment));
}

#[test]
fn a_process_below_an_agents_program_counts_as_the_agent() {
    let environment = project();
    let agent = environment.write_program("bin/claude", format!("#!/bin/sh\n{VERGER} \"$@\"\n"));
    let output = on_terminal(&environment, agent.to_str().unwrap(), &["trust", "--yes"]);
    assert_eq!(output.code, 4, "{output}");
    assert!(!is_trusted(&environment));
    // Everyone may run commands that change nothing.
    let output = on_terminal(&environment, agent.to_str().unwrap(), &["session", "list"]);
    assert_eq!(output.code, 0, "{output}");
}

#[test]
fn other_process_numbers_do_not_hide_the_agent() {
    let environment = project();
    let unshare = ["--user", "--map-root-user", "--pid", "--fork"];
    // Some systems don't allow namespaces for every user. There, agents can't make them either.
    if environment.run("unshare", unshare.iter().chain(&["true"]), "").code != 0 {
        return;
    }
    let script = format!("#!/bin/sh\nunshare {} {VERGER} \"$@\"\n", unshare.join(" "));
    let agent = environment.write_program("bin/claude", script);
    let output = on_terminal(&environment, agent.to_str().unwrap(), &["trust", "--yes"]);
    assert_eq!(output.code, 4, "{output}");
    assert!(!is_trusted(&environment));
}
