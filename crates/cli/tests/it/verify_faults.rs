//! Faults during a verification: of the checking programs, the waiting commands, the supervisors
//! and the disk. Each fault is reported, and no process or file is left behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread;

use insta::assert_snapshot;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use verger_testkit::Output;

use crate::reviewing::{shell, verger};
use crate::verify_scene::{HELD, Scene, checks};

const LINT: &str = "[verification]\ndepth = \"standard\"\nlint = { command = [\"$BIN/lint\"] }\n\
                    tests = { command = [\"true\"] }\n";

/// A scene with this script as the linter.
#[track_caller]
fn linting(script: &str) -> Scene {
    let scene = Scene::new(LINT);
    scene.pipes(&["begun.fifo", "word.fifo", "held.fifo"]);
    scene.program("lint", script);
    scene
}

/// The linter's result in one line.
#[track_caller]
fn lint_of(told: &Value) -> String {
    let checks = told["verified"]["checks"].as_array().unwrap_or_else(|| panic!("{told:#}"));
    let lint = checks.iter().find(|check| check["kind"] == "lint").unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    format!("{}: {}", text(&lint["status"]["is"]), text(&lint["summary"]))
}

/// Waits until no process has the pipe open for writing, by reading to its end.
#[track_caller]
fn nobody_holds(scene: &Scene) {
    assert_eq!(scene.read_home("held.fifo"), "held\n");
}

/// The last verification in the session's log.
fn last_verified(scene: &Scene) -> Value {
    let trace =
        verger(&scene.conversation, &["session", "trace", scene.conversation.session(), "--jsonl"]);
    let entries = trace.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut payloads = entries.map(|entry| entry["record"]["payload"].clone());
    payloads.rfind(|payload| payload["verified"].is_object()).unwrap()
}

fn process_in(file: &Path) -> Pid {
    let text = fs::read_to_string(file).unwrap();
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

#[test]
fn a_check_that_hangs_is_ended_in_its_time() {
    let scene = linting("(echo held; exec sleep 600) > \"$HOME/held.fifo\" & exec sleep 600");
    scene.configure(&format!("{LINT}timeout_seconds = 1\n"));
    let reading = thread::scope(|scope| {
        let reading = scope.spawn(|| nobody_holds(&scene));
        let told = scene.verified(&[]);
        assert_eq!(lint_of(&told), "timed_out: did not end within 1 s");
        assert_eq!(told["verified"]["status"], "incomplete");
        reading.join()
    });
    reading.unwrap();
}

#[test]
fn a_check_that_writes_without_end_is_ended_and_little_of_it_is_kept() {
    let scene = linting("exec yes 'a.txt:1: too long'");
    let told = scene.verified(&[]);
    let why = "the command wrote more than 16 MiB and was stopped; make it print less";
    assert_eq!(lint_of(&told), format!("could_not_run: {why}"));
    let kept = |scene: &Scene| {
        let du = scene.environment().run("du", ["-sk", scene.job().to_str().unwrap()], "");
        du.stdout.split('\t').next().unwrap().parse::<u64>().unwrap()
    };
    assert!(kept(&scene) < 200, "{} KiB", kept(&scene));
    // A program may write any amount to its standard error. It is read and discarded.
    let scene = linting("head -c 1000000000 /dev/zero >&2; exit 1");
    let line = format!(
        "ulimit -v 900000; exec verger verify --json --session {}",
        scene.conversation.session()
    );
    let told: Value = serde_json::from_str(&shell(&scene.conversation, &line).stdout).unwrap();
    assert_eq!(lint_of(&told), "failed: exited with 1");
    assert!(kept(&scene) < 200, "{} KiB", kept(&scene));
}

#[test]
fn processes_of_a_check_end_with_the_verification() {
    let stay = "sh -c 'echo held >&3; echo go > \"$HOME/word.fifo\"; exec sleep 600'";
    for child in [
        format!("{stay} > /dev/null &"),
        // The process leaves its group and session, and its parent has exited.
        format!("(setsid {stay} > /dev/null 2>&1 < /dev/null &)"),
        // The process keeps the check's output streams open.
        format!("(setsid {stay} &)"),
    ] {
        let script = format!(
            "exec 3> \"$HOME/held.fifo\"\n{child}\nexec 3>&-\nread word < \"$HOME/word.fifo\""
        );
        let scene = linting(&script);
        thread::scope(|scope| {
            let reading = scope.spawn(|| nobody_holds(&scene));
            assert_eq!(lint_of(&scene.verified(&[])), "passed: ", "{script}");
            reading.join().unwrap();
        });
    }
}

#[test]
fn a_check_that_cannot_be_run_is_told_with_what_helps() {
    let scene = linting("exit 0");
    let bin = scene.environment().root().join("bin");
    let tried = |program: &str| {
        scene.configure(&LINT.replace("$BIN/lint", program));
        lint_of(&scene.verified(&["--force"])).replace("$ENV/bin", "$BIN")
    };
    let advice = "install it, or set another command for this check";
    for program in ["no-such-program", "./no/such/program", "$BIN/missing"] {
        let told = format!("could_not_run: there is no program {program:?}; {advice}");
        assert_eq!(tried(&program.replace("$BIN", bin.to_str().unwrap())), told);
    }
    scene.environment().write("plain", "exit 0\n");
    let told = "could_not_run: the program cannot be started: Permission denied (os error 13)";
    assert_eq!(tried("./plain"), told);
    scene.environment().write_program("odd", "#!/no/such/interpreter\n");
    let told =
        "could_not_run: the program cannot be started: No such file or directory (os error 2)";
    assert_eq!(tried("./odd"), told);
    scene.environment().write_program("own", "#!/bin/sh\n");
    assert_eq!(tried("./own"), "passed: ");
}

#[test]
fn a_check_that_is_killed_has_failed() {
    let scene = linting("echo 'I was here'; kill -KILL $$");
    let told = scene.verified(&[]);
    assert_eq!(lint_of(&told), "failed: was ended by signal 9");
    assert_eq!(told["verified"]["issues"][0]["text"], "I was here");
}

#[test]
fn a_check_that_changes_the_work_leaves_nothing_green() {
    let scene = linting("echo two > a.txt; echo new > b.txt");
    assert_snapshot!(scene.verify(&[]), @"
    incomplete: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      passed        lint
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      passed        no regressions: no test fails; there is no earlier green verification to compare with
      changed while the checks ran: a.txt
      changed while the checks ran: b.txt
    next 1: Look at the files that changed while the checks ran, and keep or undo the changes. Replace a command that writes files with one that only checks.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`.
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ------- exit code 5 -------
    ");
    // The files that the check created are now part of the work, and nothing changes any more.
    assert_eq!(scene.verify(&[]).code, 0);
    // Without version control, the work consists of the files that the agent's tools named.
    let scene = Scene::without_work(LINT);
    fs::remove_dir_all(scene.environment().project().join(".git")).unwrap();
    assert!(scene.conversation.prompt("write it").is_silence());
    scene.conversation.write("a.txt", "one\n");
    scene.program("lint", "echo two > a.txt; echo new > b.txt");
    assert_eq!(scene.verified(&[])["verified"]["tree_changed"], json!(["a.txt"]));
}

/// Records of checks in the log have limited size and contain no secrets.
#[test]
fn whatever_a_check_says_fits_a_record_and_holds_no_secret() {
    let secret = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let long = "x".repeat(1500);
    let script = format!(
        "i=0; while [ $i -lt 400 ]; do i=$((i + 1)); echo \"src/$i.rs:1: \\\"{secret}\\\" {long}\"; \
         done; exit 1"
    );
    let scene = linting(&script);
    let told = scene.verified(&[]);
    assert_eq!(told["verified"]["issues"].as_array().unwrap().len(), 50);
    assert_eq!(told["recorded"], true);
    let data = scene.environment().verger_home().join("data");
    assert_eq!(scene.conversation.files_with(&data, secret), [""; 0]);
    assert_eq!(verger(&scene.conversation, &["log", "verify"]).code, 0);
}

#[test]
fn a_command_that_is_killed_leaves_the_checks_to_the_next_one() {
    let scene = linting(&format!("{HELD}; echo ran >> \"$HOME/count\""));
    let mut command = scene.start(&[]);
    scene.hear_that_it_began();
    command.kill().unwrap();
    command.wait().unwrap();
    let without_time = |output: &Output| {
        let text = output.to_string();
        let (before, after) = text.split_once("8, for ").unwrap();
        format!("{before}8{}", after.trim_start_matches(|letter: char| letter.is_ascii_digit()))
    };
    assert_snapshot!(without_time(&scene.verify(&["--wait", "0"])), @"
    still running (lint, 4 of 8 s); run the same command again: verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard
    ------- stderr -------
    verger: standard verification is already running
    ------- exit code 5 -------
    ");
    assert_snapshot!(without_time(&scene.verify(&["--wait", "0", "--json"])), @r#"
    {"at":"lint, 4 of 8 s","run":"$ID1","session":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd","state":"running"}
    ------- exit code 5 -------
    "#);
    scene.give_the_word();
    assert_eq!(scene.verified(&[])["verified"]["status"], "green");
    assert_eq!(scene.read_home("count"), "ran\n");
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    ");
}

/// The result is stored even if no process waits for it, and the next command gets it at once.
#[test]
fn an_unawaited_result_is_stored_and_reported_later() {
    let scene = linting(&format!("{HELD}; echo a.txt:1: no; exit 1"));
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    scene.hear_that_it_began();
    let status = scene.job().join("status");
    scene.give_the_word();
    while !status.exists() {
        thread::yield_now();
    }
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is red
    verification.recorded standard is red: 3 checks passed, 1 issue
    ");
    let told = scene.verified(&[]);
    assert_eq!((&told["state"], lint_of(&told)), (&json!("ended"), "failed: exited with 1".into()));
    // A result is reported only once. So a red verification runs again.
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    scene.hear_that_it_began();
}

#[test]
fn two_at_once_get_one_run() {
    let scene = linting(&format!("{HELD}; echo ran >> \"$HOME/count\""));
    let commands = [scene.start(&["--json"]), scene.start(&["--json"])];
    scene.hear_that_it_began();
    scene.give_the_word();
    let told = commands.map(|command| {
        let output = command.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["verified"].clone()
    });
    // The second command may start after the run has ended, and then gets the known result.
    assert_eq!(told[0]["checks"].as_array().unwrap().len(), 8);
    assert_eq!(told[0]["content"], told[1]["content"]);
    assert_eq!(scene.read_home("count"), "ran\n");
}

#[test]
fn a_killed_watcher_is_told_and_the_next_one_begins_anew() {
    let script = format!("(echo held; {HELD}; exec sleep 600) > \"$HOME/held.fifo\"");
    let scene = linting(&script);
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    thread::scope(|scope| {
        let reading = scope.spawn(|| nobody_holds(&scene));
        scene.hear_that_it_began();
        kill_process(process_in(&scene.job().join("begun")), Signal::KILL).unwrap();
        scene.program("lint", "exit 0");
        assert_snapshot!(scene.verify(&[]), @"
        green: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue
          failed        git state: 1 file is not committed (not required)
          passed        open tasks
          passed        stub markers
          passed        lint
          skipped       format: no command was found for this check; verification.format sets one
          skipped       types: no command was found for this check; verification.types sets one
          passed        tests
          skipped       review: this work needs no review
          passed        no regressions: no test fails; there is no earlier green verification to compare with
        ------- stderr -------
        verger: the last verification was lost: the process that supervised it was killed
        verger: standard verification begins; each command may take 900 s
        ");
        // The supervisor killed the programs that the runner had started.
        reading.join().unwrap();
    });
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, the result of the verification was lost
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    ");
}

#[test]
fn a_watcher_that_is_killed_while_somebody_waits_is_told() {
    let scene = linting(HELD);
    let command = scene.start(&[]);
    scene.hear_that_it_began();
    kill_process(process_in(&scene.job().join("begun")), Signal::KILL).unwrap();
    let output = command.wait_with_output().unwrap();
    let told = scene.environment().normalise(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(5));
    assert_snapshot!(told, @"
    incomplete: the verification was lost: the process that supervised it was killed
    run the verification again: verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard
    ");
    scene.program("lint", "exit 0");
    assert_eq!(scene.verify(&[]).code, 0);
}

/// The process that runs the checks is killed, as the system does when memory is low.
#[test]
fn a_killed_runner_is_told() {
    let scene = linting(&format!("echo $PPID > \"$HOME/runner\"; {HELD}"));
    let command = scene.start(&[]);
    scene.hear_that_it_began();
    kill_process(process_in(&scene.environment().home().join("runner")), Signal::KILL).unwrap();
    let output = command.wait_with_output().unwrap();
    let told = scene.environment().normalise(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(5));
    assert_snapshot!(told, @"
    incomplete: the verification was lost: its process was ended by signal 9
    run the verification again: verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard
    ");
}

#[test]
fn a_run_that_is_forced_ends_the_one_that_is_under_way() {
    let scene = linting(&format!("(echo held; {HELD}) > \"$HOME/held.fifo\""));
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    thread::scope(|scope| {
        let reading = scope.spawn(|| nobody_holds(&scene));
        scene.hear_that_it_began();
        scene.program("lint", "exit 0");
        assert_snapshot!(scene.verify(&["--force"]), @"
        green: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue
          failed        git state: 1 file is not committed (not required)
          passed        open tasks
          passed        stub markers
          passed        lint
          skipped       format: no command was found for this check; verification.format sets one
          skipped       types: no command was found for this check; verification.types sets one
          passed        tests
          skipped       review: this work needs no review
          passed        no regressions: no test fails; there is no earlier green verification to compare with
        ------- stderr -------
        verger: ended the verification that was running
        verger: standard verification begins; each command may take 900 s
        ");
        reading.join().unwrap();
    });
}

#[test]
fn a_waiting_command_gets_the_run_that_another_restarted() {
    let scene = linting(HELD);
    let waiting = scene.start(&[]);
    scene.hear_that_it_began();
    let forced = scene.start(&["--force"]);
    scene.hear_that_it_began();
    scene.give_the_word();
    for command in [waiting, forced] {
        let output = command.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("green: standard verification"), "{said}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_waiting_command_reports_a_lost_run() {
    let scene = linting(HELD);
    let waiting = scene.start(&[]);
    scene.hear_that_it_began();
    fs::remove_dir_all(scene.environment().verger_home().join("data/verifications")).unwrap();
    let output = waiting.wait_with_output().unwrap();
    scene.give_the_word();
    let told = scene.environment().normalise(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(5));
    assert_snapshot!(told, @"
    incomplete: the verification was lost: its job directory is missing
    run the verification again: verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard
    ");
}

/// Each session has its own work in the same files. Results are not shared between sessions.
#[test]
fn two_sessions_in_one_repository_do_not_mix() {
    let mut scene = linting(HELD);
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    scene.hear_that_it_began();
    let (first, first_job) = (scene.conversation.session().to_owned(), scene.job());
    scene.conversation.continue_as("0a57e9bb-0000-4000-8000-000000000002");
    assert!(scene.conversation.prompt("write that").is_silence());
    scene.conversation.write("b.txt", "two\n");
    scene.program("lint", "exit 0");
    let second = scene.verified(&[]);
    assert_eq!(second["verified"]["status"], "green");
    assert_ne!(scene.job(), first_job);
    scene.conversation.continue_as(&first);
    let mut waiting = scene.start(&[]);
    let mut said = BufReader::new(waiting.stderr.take().unwrap()).lines();
    let told = "verger: standard verification is already running, and the work changed since it began; \
                --force starts a new one";
    assert_eq!(said.next().unwrap().unwrap(), told);
    scene.give_the_word();
    assert_eq!(waiting.wait_with_output().unwrap().status.code(), Some(5));
    // The second session wrote a file while the first session's work was checked.
    let first = last_verified(&scene);
    assert_eq!(first["verified"]["status"], "incomplete");
    assert_eq!(first["verified"]["tree_changed"], json!(["b.txt"]));
    assert_ne!(first["verified"]["content"], second["verified"]["content"]);
    assert_eq!(checks(&first), checks(&second));
    // The current work is verified again.
    assert_eq!(scene.verified(&[])["verified"]["status"], "green");
}

/// Runs shell lines with verger's data on a small separate disk.
#[track_caller]
fn on_a_small_disk(scene: &Scene, lines: &str) -> Output {
    let data = scene.environment().verger_home().join("data");
    let script = format!(
        "set -e; data='{}'; cp -a \"$data\" \"$data.kept\"
         mount -t tmpfs -o size=2m,mode=0700 tmpfs \"$data\"; cp -a \"$data.kept/.\" \"$data\"; set +e
         fill() {{ head -c 4m /dev/zero > \"$data/ballast\" 2> /dev/null; }}
         verify() {{ verger verify --session {} \"$@\" 2>&1; echo \"exit code $?\"; }}
         {lines}",
        data.display(),
        scene.conversation.session()
    );
    let mut command = scene.environment().command("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]);
    command.envs(scene.conversation.next_moment());
    scene.environment().run_command(command, "")
}

#[test]
fn a_full_disk_is_told_and_verifying_goes_on_when_there_is_room() {
    let scene = linting("exit 0");
    let told = on_a_small_disk(&scene, "fill; verify; rm \"$data/ballast\"; verify --quiet").stdout;
    let lines: Vec<_> = told.lines().collect();
    let [why, hint, full, green, roomy] = lines[..] else { panic!("{told}") };
    assert!(why.ends_with("No space left on device (os error 28)"), "{why}");
    assert!(hint.starts_with("hint: "), "{hint}");
    assert!(green.starts_with("green: standard verification of session "), "{green}");
    assert_eq!([full, roomy], ["exit code 3", "exit code 0"]);
}

#[test]
fn a_disk_that_is_full_by_the_end_loses_the_result_and_says_so() {
    let fills = "head -c 4m /dev/zero > \"$HOME/.verger/data/ballast\"; exit 0";
    let scene = linting(&format!("[ -e \"$HOME/again\" ] && exit 0; {fills}"));
    let lines = "verify; rm \"$data/ballast\"; touch \"$HOME/again\"; verify; verger log verify";
    assert_snapshot!(on_a_small_disk(&scene, lines), @"
    verger: standard verification begins; each command may take 900 s
    verger: skipped: cannot write $ENV/home/.verger/data/sessions/claude-f0357e9b-fb48-41a1-afb7-88e26c9c25cd.json.1: No space left on device (os error 28)
    incomplete: the verification was lost: the process that supervised it was killed
    run the verification again: verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard
    exit code 5
    verger: standard verification begins; each command may take 900 s
    green: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      passed        lint
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      passed        no regressions: no test fails; there is no earlier green verification to compare with
    exit code 0
    2 segments, 10 records, 0 faults
    ");
}
