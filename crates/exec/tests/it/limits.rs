//! Tests of the input and environment that a program gets, and of its limits.

use std::io::ErrorKind;
use std::time::Duration;

use verger_exec::{Deadline, Output, Program, RunError};
use verger_testkit::TestEnvironment;

const PATIENCE: Duration = Duration::from_secs(30);

fn shell(environment: &TestEnvironment, script: &str) -> Program {
    let variables = [("PATH", "/usr/bin:/bin"), ("ONLY", "this")];
    Program::new("sh", variables).args(["-c", script]).current_dir(environment.project())
}

#[track_caller]
fn run(program: Program) -> Output {
    program.run(Deadline::after(PATIENCE)).unwrap()
}

#[test]
fn a_program_gets_what_it_is_given_and_nothing_else() {
    let environment = TestEnvironment::new();
    let script =
        "cat; pwd; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort; echo trouble >&2; exit 7";
    let output = run(shell(&environment, script).input("in\n"));
    let expected =
        format!("in\n{}\nONLY=this\nPATH=/usr/bin:/bin\n", environment.project().display());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "trouble\n");
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn without_input_there_is_nothing_to_read_and_unread_input_is_no_failure() {
    let environment = TestEnvironment::new();
    assert_eq!(run(shell(&environment, "cat")).stdout, b"");
    let large = vec![b'x'; 1024 * 1024];
    assert_eq!(run(shell(&environment, "exec true").input(large)).status.code(), Some(0));
}

#[test]
fn output_is_bounded() {
    let environment = TestEnvironment::new();
    let output = run(shell(&environment, "exec yes"));
    assert_eq!((output.stdout.len(), output.status.success()), (64 * 1024, false));
    let output = run(shell(&environment, "exec yes").first_output(100_000));
    assert_eq!((output.stdout.len(), output.status.success()), (100_000, false));
}

#[test]
fn whole_output_is_never_cut_off() {
    let environment = TestEnvironment::new();
    let script = "head -c 200000 /dev/zero";
    let output = run(shell(&environment, script).whole_output(200_000));
    assert_eq!((output.stdout.len(), output.status.success()), (200_000, true));
    let result = shell(&environment, script).whole_output(199_999).run(Deadline::after(PATIENCE));
    assert!(matches!(result, Err(RunError::TooMuchOutput { bytes: 199_999 })), "{result:?}");
}

#[test]
fn time_is_bounded() {
    let environment = TestEnvironment::new();
    for script in ["exec sleep 600", "exec >&- 2>&-; exec sleep 600"] {
        let limit = Deadline::after(Duration::from_millis(50));
        let result = shell(&environment, script).run(limit);
        assert!(matches!(result, Err(RunError::TimedOut)), "{script}: {result:?}");
    }
}

#[test]
fn a_name_is_looked_up_in_absolute_directories_and_stays_the_name() {
    let environment = TestEnvironment::new();
    let run = |path: &str| {
        let program = Program::new("sh", [("PATH", path)]).args(["-c", "echo $0"]);
        program.current_dir(environment.home()).run(Deadline::after(PATIENCE))
    };
    environment.write(environment.home().join("bin/sh"), "not for us");
    let output = run(&format!("bin:{}:/usr/bin:/bin", environment.home().join("bin").display()));
    assert_eq!(output.unwrap().stdout, b"sh\n");
    environment.write_program(environment.home().join("bin/sh"), "#!/bin/sh\necho another\n");
    let output = run("bin:/usr/bin:/bin");
    assert_eq!(output.unwrap().stdout, b"sh\n");
    assert!(matches!(run("bin"), Err(RunError::Start(_))));
}

#[test]
fn a_program_that_is_not_there_is_told_apart() {
    let missing = Program::new("verger-no-such-program", [("PATH", "/usr/bin:/bin")]);
    let result = missing.run(Deadline::after(PATIENCE));
    assert!(
        matches!(&result, Err(RunError::Start(error)) if error.kind() == ErrorKind::NotFound),
        "{result:?}"
    );
}

#[test]
fn an_answer_is_awaited_with_open_input_and_ends_the_program() {
    let environment = TestEnvironment::new();
    let ask = |script: &str| {
        let program = shell(&environment, script).input("question\n");
        program.ask(|line| line.starts_with("answer"), Deadline::after(PATIENCE))
    };
    let answers = "read asked; echo noise; echo \"answer $asked\"; exec cat";
    assert_eq!(ask(answers).unwrap(), "answer question");
    assert!(matches!(ask("echo noise"), Err(RunError::Read(_))));
}
