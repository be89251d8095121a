//! `verger review run`: a program of the user reviews, and verger records its decision.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use verger_testkit::{Filter, Output};

use crate::reviewed::{By, Reviewed};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");
const RUN: [&str; 4] = ["review", "run", "--session", "1111"];
const COMPLETE: &str = r#"echo '{"decision":"complete","summary":"it is fine"}'"#;
const ISSUES: &str = r#"cat > /dev/null
cat << 'END'
I looked at it.
{"decision":"issues","summary":"one thing","message":"src/a.txt: say two\nand test it"}
END"#;
/// A shell line that reports its start and then waits for input from a pipe.
const HELD: &str = r#"echo begun > "$HOME/begun.fifo"; read word < "$HOME/word.fifo""#;

/// A session that needs a review, with a reviewer that runs the given script.
struct Scene(Reviewed);

impl Scene {
    fn new(script: &str) -> Self {
        let mut scene = Self(Reviewed::wanted());
        scene.0.write("src/a.txt", "one\n");
        scene.reviewer(script);
        scene.set_reviewer(&[scene.path("bin/reviewer").to_str().unwrap(), "--strict"]);
        scene.0.environment.add_filter(Filter::Ulids);
        scene
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.environment.root().join(path)
    }

    fn reviewer(&self, script: &str) {
        let program = self.path("bin/reviewer");
        self.0.environment.write_program(program, format!("#!/bin/sh\n{script}\n"));
    }

    fn set_reviewer(&self, command: &[&str]) {
        let config = self.0.environment.verger_home().join("config/config.toml");
        let text = format!("[review]\nreviewer = {{ command = {command:?} }}\n");
        self.0.environment.write(config, text);
    }

    /// A scene whose reviewer reports its start and waits, through two pipes.
    fn held(after: &str) -> Self {
        let scene = Self::new(&format!("{HELD}\n{after}"));
        for name in ["begun.fifo", "word.fifo"] {
            let path = scene.0.environment.home().join(name);
            assert_eq!(scene.0.environment.run("mkfifo", [path], "").code, 0);
        }
        scene
    }

    /// Waits until the reviewer has begun. Opening the pipe blocks until the reviewer opens it too.
    fn hear_that_it_began(&self) {
        assert_eq!(
            self.0.environment.read(self.0.environment.home().join("begun.fifo")),
            "begun\n"
        );
    }

    /// Lets the reviewer go on. Opening the pipe blocks until the reviewer opens it too.
    fn give_the_word(&self) {
        fs::write(self.0.environment.home().join("word.fifo"), "go\n").unwrap();
    }

    fn run(&mut self) -> Output {
        self.run_with(&[])
    }

    fn run_with(&mut self, more: &[&str]) -> Output {
        self.0.tick();
        self.0.verger(&[&RUN, more].concat())
    }

    fn start_run(&mut self) -> Child {
        self.0.tick();
        let mut command = self.0.environment.command(VERGER);
        command.args(RUN).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The directory of the only review.
    fn job(&self) -> PathBuf {
        let reviews = self.0.environment.verger_home().join("data/reviews/claude-1111");
        let mut jobs = fs::read_dir(reviews).unwrap().map(|entry| entry.unwrap().path());
        let job = jobs.next().unwrap();
        assert_eq!(jobs.next(), None);
        job
    }

    /// The number of records of this kind.
    fn count(&self, kind: &str) -> usize {
        let kinds = self.0.kinds_after(0);
        kinds.lines().filter(|line| line.starts_with(kind)).count()
    }
}

fn wait_for(path: &Path) {
    while !path.exists() {
        thread::yield_now();
    }
}

/// A script with another agent's session, as hook calls of that agent's client: a prompt that asks
/// for a review, work, and a stop. The answer to the stop is saved.
fn inner_session(answer: &str) -> String {
    let call = |event: &str, fields: &str| {
        let payload = format!(
            r#"{{"session_id":"2222","hook_event_name":"{event}","cwd":"'"$PWD"'",{fields}}}"#
        );
        format!("printf '%s' '{payload}' | '{VERGER}' hook claude {event}")
    };
    let prompt = call("UserPromptSubmit", r#""prompt":"\u0023review look at it""#);
    let stop = call("Stop", r#""last_assistant_message":"Done.","stop_hook_active":false"#);
    format!(
        "{prompt} > /dev/null; echo inner > inner.txt; {stop} > \"$HOME/{answer}\"; rm inner.txt"
    )
}

#[test]
fn an_agent_that_a_reviewer_starts_is_held_by_no_gate() {
    let mut scene = Scene::new(&format!("{}\n{COMPLETE}", inner_session("inside")));
    assert_eq!(scene.run().code, 0);
    let answer = |name: &str| scene.0.environment.read(scene.0.environment.home().join(name));
    assert_eq!(answer("inside"), "");
    // Outside of the review, the gate blocks the same session. A forged `VERGER_JOB` doesn't help.
    let job = scene.job();
    let forged = format!("export VERGER_JOB='{}'\n{}", job.display(), inner_session("outside"));
    assert_eq!(scene.0.environment.run("/bin/sh", ["-c", &forged], "").code, 0);
    assert!(answer("outside").contains("do not stop yet"), "{}", answer("outside"));
}

#[test]
fn an_approved_agent_may_stop() {
    let mut scene = Scene::new(&format!("cat > \"$HOME/brief\"; pwd; {COMPLETE}"));
    insta::assert_snapshot!(scene.run(), @r#"
    complete: it is fine
    the work is approved as long as it stays as it is
    ------- stderr -------
    verger: the review began and may take 600 s
    "#);
    insta::assert_snapshot!(scene.0.kinds_after(5), @r#"
    gate.changed             review: stays pending, reviewer started: command:$ID1
    gate.changed             review: stays pending, reviewer exited with 0
    gate.changed             review: pending -> approved, reviewer decided complete
    review.decided           complete: it is fine
    "#);
    assert_eq!(scene.0.stop(), "");
    insta::assert_snapshot!(scene.run(), @"approved already: the work did not change since");
    let brief = scene.0.environment.read(scene.0.environment.home().join("brief"));
    let (_, brief) = brief.split_once("## The prompts of the task").unwrap();
    let (brief, _) = brief.split_once("## Your answer").unwrap();
    insta::assert_snapshot!(brief, @r#"
    Prompt 1:

    ```text
    #review fix it
    ```

    ## What earlier reviews found

    There was no earlier review.

    ## The changed files

    ```text
    added    src/a.txt
    ```

    ## The difference

    ```diff
    diff --git a/src/a.txt b/src/a.txt
    new file mode 100644
    index 0000000..5626abf
    --- /dev/null
    +++ b/src/a.txt
    @@ -0,0 +1 @@
    +one
    ```
    "#);
}

#[test]
fn issues_reach_the_agent_and_a_second_review_approves() {
    let mut scene = Scene::new(ISSUES);
    insta::assert_snapshot!(scene.run(), @r#"
    issues: one thing
    src/a.txt: say two
    and test it
    make these changes, then run the review again: verger review run --session 1111
    ------- stderr -------
    verger: the review began and may take 600 s
    ------- exit code 1 -------
    "#);
    let told: Value = serde_json::from_str(&scene.0.stop()).unwrap();
    let found = "one thing\nsrc/a.txt: say two\nand test it";
    assert!(
        told["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains(found),
        "{told}"
    );
    scene.0.write("src/a.txt", "two\n");
    scene.reviewer(&format!("cat > \"$HOME/brief\"; {COMPLETE}"));
    let mut told: Value = serde_json::from_str(&scene.run_with(&["--json"]).stdout).unwrap();
    assert!(told["ran"]["took_millis"].take().is_u64());
    insta::assert_snapshot!(told, @r#"{"decision":{"message":null,"opinions":null,"outcome":"complete","summary":"it is fine"},"gate":"approved","job":"$ID1","ran":{"ending":"exited with 0","took_millis":null},"refusal":null,"session":"1111","state":"ended","taken":true}"#);
    assert_eq!(scene.0.stop(), "");
    let brief = scene.0.environment.read(scene.0.environment.home().join("brief"));
    let (_, earlier) = brief.split_once("## What earlier reviews found\n\n").unwrap();
    insta::assert_snapshot!(earlier.split("\n\n##").next().unwrap(), @r#"
    ```text
    one thing
    src/a.txt: say two
    and test it
    ```
    "#);
}

/// Tests that the log contains the reviewer, the reviewed work and the result.
#[test]
fn the_reviewer_is_recorded() {
    let mut scene = Scene::new(COMPLETE);
    assert_eq!(scene.run().code, 0);
    let trace = scene.0.verger(&["session", "trace", "1111", "--jsonl"]).success().stdout;
    let changes = trace.lines().filter_map(|line| {
        let entry: Value = serde_json::from_str(line).unwrap();
        let mut change = entry["record"]["payload"]["change"].clone();
        match change["is"].as_str()? {
            "reviewer_started" => {
                let hash = change["proof"]["run"]["sha256"].take();
                assert_eq!(hash.as_str().map(str::len), Some(64));
            }
            "run_ended" => assert!(change["ran"]["took_millis"].take().is_u64()),
            _ => return None,
        }
        Some(change.to_string())
    });
    insta::assert_snapshot!(changes.collect::<Vec<_>>().join("\n"), @r#"
    {"content":"01fdaa61264ee25c1271a3af3f5129573844d9dc40b671d674b6b44e9572ae15","is":"reviewer_started","proof":{"run":{"arguments":["--strict"],"path":"$ENV/bin/reviewer","program":"$ENV/bin/reviewer","sha256":null}},"reviewer":"command:$ID7"}
    {"is":"run_ended","ran":{"ending":"exited with 0","took_millis":null},"reviewer":"command:$ID7"}
    "#);
}

#[test]
fn whatever_goes_wrong_is_unavailable_with_the_reason() {
    let mut scene = Scene::new("");
    let mut told = |script: &str| {
        scene.reviewer(script);
        let output = scene.run();
        assert_eq!(output.code, 1, "{output}");
        // The next task needs a new review.
        assert!(output.stdout.contains("the gate is open"), "{output}");
        scene.0.stop();
        scene.0.prompt("#review again");
        output.stdout.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(told("echo starting >&2; echo 'no quota left' >&2; exit 3"), @"unavailable: the reviewer exited with 3: no quota left");
    insta::assert_snapshot!(told("echo it is fine"), @r#"unavailable: the reviewer did not decide: its answer has no JSON object with a "decision""#);
    insta::assert_snapshot!(told("echo '{\"decision\":\"issues\",\"summary\":\"x\"}'"), @"unavailable: the reviewer did not decide: its answer cannot be used: issues need a message that says what to change");
    insta::assert_snapshot!(told(r"printf '\377{}'"), @"unavailable: the reviewer did not decide: its answer is not UTF-8");
    insta::assert_snapshot!(told("exec yes"), @"unavailable: the reviewer wrote more than 1024 KiB");
    insta::assert_snapshot!(told("kill -SEGV $$"), @"unavailable: the reviewer was ended by signal 11");
    insta::assert_snapshot!(told(&format!("{COMPLETE}; exit 1")), @"unavailable: the reviewer exited with 1");
}

#[test]
fn a_program_that_cannot_be_run_is_unavailable() {
    let mut scene = Scene::new("");
    let check = |scene: &mut Scene, command: &str| {
        scene.set_reviewer(&[command]);
        let output = scene.run();
        scene.0.stop();
        scene.0.prompt("#review again");
        output
    };
    insta::assert_snapshot!(check(&mut scene, "verger-no-such-program"), @r#"
    unavailable: the reviewer could not be run: there is no program "verger-no-such-program"
    the work was not reviewed; the gate is open and the person is informed
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(check(&mut scene, "/no/such/program"), @r#"
    unavailable: the reviewer could not be run: No such file or directory (os error 2)
    the work was not reviewed; the gate is open and the person is informed
    ------- stderr -------
    verger: the review began and may take 600 s
    ------- exit code 1 -------
    "#);
    // A program that the agent can write is never used as the reviewer.
    scene.0.environment.write_program("evil", format!("#!/bin/sh\n{COMPLETE}\n"));
    insta::assert_snapshot!(check(&mut scene, "./evil"), @r#"
    unavailable: the reviewer could not be run: there is no program "./evil"
    the work was not reviewed; the gate is open and the person is informed
    ------- exit code 1 -------
    "#);
    let plain = scene.path("plain");
    fs::write(&plain, "").unwrap();
    insta::assert_snapshot!(check(&mut scene, plain.to_str().unwrap()), @r#"
    unavailable: the reviewer could not be run: Permission denied (os error 13)
    the work was not reviewed; the gate is open and the person is informed
    ------- stderr -------
    verger: the review began and may take 600 s
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_review_goes_on_without_anybody_and_is_waited_for_again() {
    let mut scene = Scene::held(COMPLETE);
    insta::assert_snapshot!(scene.run_with(&["--wait", "0"]), @r#"
    still running; run the same command again: verger review run --session 1111
    ------- stderr -------
    verger: the review began and may take 600 s
    "#);
    scene.hear_that_it_began();
    // The agent's actions during the review do not affect it.
    assert!(scene.0.stop().contains("verger review run"));
    insta::assert_snapshot!(scene.run_with(&["--wait", "0", "--json"]), @r#"{"job":"$ID1","session":"1111","state":"running"}"#);
    scene.give_the_word();
    insta::assert_snapshot!(scene.run(), @r#"
    complete: it is fine
    the work is approved as long as it stays as it is
    ------- stderr -------
    verger: a review of the work is running already
    "#);
    assert_eq!(scene.0.stop(), "");
}

#[test]
fn a_killed_command_leaves_the_review_to_the_next_one() {
    let mut scene = Scene::held(COMPLETE);
    let mut command = scene.start_run();
    scene.hear_that_it_began();
    command.kill().unwrap();
    command.wait().unwrap();
    scene.give_the_word();
    assert_eq!(scene.run().code, 0);
    assert_eq!((scene.count("review.decided"), scene.0.stop().as_str()), (1, ""));
}

#[test]
fn two_at_once_get_one_review_and_one_decision() {
    let mut scene = Scene::held(&format!("echo x >> \"$HOME/count\"; {COMPLETE}"));
    let first = scene.start_run();
    let second = scene.start_run();
    scene.hear_that_it_began();
    scene.give_the_word();
    for command in [first, second] {
        let output = command.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.starts_with("complete: it is fine\n"), "{told}");
        assert_eq!(output.status.code(), Some(0));
    }
    let count = scene.0.environment.home().join("count");
    assert_eq!(scene.0.environment.read(count), "x\n");
    assert_eq!(scene.count("review.decided"), 1);
    scene.job();
}

#[test]
fn an_unawaited_decision_is_recorded_by_a_later_hook_call() {
    let mut scene = Scene::held(ISSUES);
    assert_eq!(scene.run_with(&["--wait", "0"]).code, 0);
    scene.hear_that_it_began();
    scene.give_the_word();
    wait_for(&scene.job().join("status"));
    // A tool call doesn't record the decision, because a command may still be waiting for it. The
    // next stop does.
    assert_eq!(scene.0.tool(By::Main, "Bash", &json!({ "command": "ls" })), "");
    assert_eq!(scene.count("review.decided"), 0);
    let told = scene.0.stop();
    assert!(told.contains("src/a.txt: say two"), "{told}");
    assert_eq!(scene.count("review.decided"), 1);
}

#[test]
fn an_approval_of_what_has_changed_since_is_refused() {
    let mut scene = Scene::held(COMPLETE);
    assert_eq!(scene.run_with(&["--wait", "0"]).code, 0);
    scene.hear_that_it_began();
    scene.0.write("src/b.txt", "more\n");
    scene.give_the_word();
    insta::assert_snapshot!(scene.run(), @r#"
    complete: it is fine
    the decision was rejected: the work changed since the reviewer started: src/b.txt; run the review again: verger review run --session 1111
    ------- stderr -------
    verger: a review of the work is running already
    ------- exit code 1 -------
    "#);
    assert!(scene.0.stop().contains("was not reviewed yet"));
    // The next review reads the current work.
    scene.reviewer(COMPLETE);
    assert_eq!(scene.run().code, 0);
    assert_eq!(scene.0.stop(), "");
}

#[test]
fn a_killed_supervisor_is_told() {
    let mut scene = Scene::held(COMPLETE);
    assert_eq!(scene.run_with(&["--wait", "0"]).code, 0);
    scene.hear_that_it_began();
    let supervisor = scene.0.environment.read(scene.job().join("begun"));
    let supervisor = Pid::from_raw(supervisor.trim().parse().unwrap()).unwrap();
    kill_process(supervisor, Signal::KILL).unwrap();
    insta::assert_snapshot!(scene.run(), @r#"
    unavailable: the reviewer was lost: the process that watched it was killed
    the work was not reviewed; the gate is open and the person is informed
    ------- stderr -------
    verger: a review of the work is running already
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(scene.0.kinds_after(8), @r#"
    review.decided           unavailable: the reviewer was lost: the process that watched it was killed
    gate.changed             review: pending -> idle, released by unavailable
    gate.released            review by unavailable
    "#);
}

/// The process that recorded the review may have been killed before it started the review's job.
#[test]
fn a_review_that_is_on_record_and_not_there_is_begun_anew() {
    let mut scene = Scene::held(COMPLETE);
    assert_eq!(scene.run_with(&["--wait", "0"]).code, 0);
    scene.hear_that_it_began();
    let job = scene.job();
    fs::remove_dir_all(&job).unwrap();
    // For the hook, the review is about to begin.
    assert!(scene.0.stop().contains("was not reviewed yet"));
    scene.0.write("src/b.txt", "more\n");
    scene.reviewer(COMPLETE);
    assert_eq!(scene.run().code, 0);
    assert_eq!((scene.job(), scene.0.stop().as_str()), (job, ""));
}

#[test]
fn where_nobody_reviews_it_says_what_to_set() {
    let mut scene = Scene::new("");
    let config = scene.0.environment.verger_home().join("config/config.toml");
    fs::remove_file(config).unwrap();
    insta::assert_snapshot!(scene.run(), @r#"
    unavailable: the reviewer could not be run: no review program is set; a person can set review.reviewer = { command = ["program", "argument"] } in their config.toml (docs/reviewer-command.md)
    the work was not reviewed; the gate is open and the person is informed
    ------- exit code 1 -------
    "#);
    assert!(scene.0.stop().contains("not reviewed"));
}

#[test]
fn where_a_subagent_reviews_nothing_is_opened() {
    let mut scene = Scene::new("");
    let config = scene.0.environment.verger_home().join("config/config.toml");
    fs::remove_file(config).unwrap();
    scene.0.begin_review("a1");
    let output = scene.run();
    let (told, hint) = output.stderr.split_once('\n').unwrap();
    assert_eq!((told, output.code), ("verger: no review program is set", 2));
    assert!(hint.contains("verger:reviewer"), "{hint}");
    assert!(scene.0.stop().contains("was not reviewed yet"));
}

#[test]
fn a_reviewer_cannot_ask_for_a_review() {
    let mut scene = Scene::new(&format!("{VERGER} review run --session 1111 2>&1"));
    let output = scene.run();
    assert_eq!(output.code, 1);
    let stdout = scene.0.environment.read(scene.job().join("stdout"));
    insta::assert_snapshot!(stdout, @r#"
    verger: a reviewer cannot ask for a review
    hint: decide: write a JSON object with a "decision" to standard output
    "#);
}

#[test]
fn a_reviewers_input_and_output_are_stored_without_secrets() {
    let secret = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let mut scene = Scene::new(&format!("cat; echo {secret}; echo {secret} >&2; {COMPLETE}"));
    scene.0.write("src/a.txt", &format!("token = {secret}\n"));
    assert_eq!(scene.run().code, 0);
    for name in ["input", "stdout", "stderr"] {
        let mut text = String::new();
        fs::File::open(scene.job().join(name)).unwrap().read_to_string(&mut text).unwrap();
        assert!(!text.contains(secret) && text.contains("[redacted:"), "{name}: {text}");
    }
}

/// The agent controls the environment of its own shell, so that environment must not select the
/// reviewer.
#[test]
fn the_reviewer_is_looked_for_where_the_client_was_started() {
    let mut scene =
        Scene::new("echo '{\"decision\":\"issues\",\"summary\":\"x\",\"message\":\"y\"}'");
    scene.set_reviewer(&["reviewer"]);
    let evil = scene.path("evil/reviewer");
    scene.0.environment.write_program(evil, format!("#!/bin/sh\n{COMPLETE}\n"));
    let script = format!("PATH=\"{}:$PATH\" {VERGER} \"$@\"", scene.path("evil").display());
    let script =
        scene.0.environment.write_program(scene.path("script"), format!("#!/bin/sh\n{script}\n"));
    let agent = format!("#!/bin/sh\n{} \"$@\"\n", script.display());
    let agent = scene.0.environment.write_program(scene.path("agent/claude"), agent);
    let bin = scene.path("bin");
    scene.0.environment.find_programs_in(&bin);
    scene.0.tick();
    let output = scene.0.environment.run(agent, RUN, "");
    assert!(output.stdout.starts_with("issues: x\n"), "{output}");
}

#[test]
fn the_documented_example_reviews() {
    let page = include_str!("../../../../docs/reviewer-command.md");
    let (_, example) = page.split_once("```python\n").unwrap();
    let (example, _) = example.split_once("\n```\n").unwrap();
    let mut scene = Scene::new("");
    scene.0.environment.write_program(scene.path("bin/reviewer"), example);
    let tests = |scene: &Scene, script: &str| {
        let script = format!("#!/bin/sh\n{script}\n");
        scene.0.environment.write_program(scene.path("bin/make"), script);
    };
    let bin = scene.path("bin");
    scene.0.environment.find_programs_in(&bin);
    tests(&scene, "echo 1 of 7 failed; exit 2");
    insta::assert_snapshot!(scene.run(), @r#"
    issues: the tests fail
    1 of 7 failed
    make these changes, then run the review again: verger review run --session 1111
    ------- stderr -------
    verger: the review began and may take 600 s
    ------- exit code 1 -------
    "#);
    tests(&scene, "exit 0");
    insta::assert_snapshot!(scene.run(), @r#"
    complete: 1 files changed, the tests pass
    the work is approved as long as it stays as it is
    ------- stderr -------
    verger: the review began and may take 600 s
    "#);
}
