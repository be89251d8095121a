//! `verger verify` with real programs that check real work.

use insta::assert_snapshot;
use serde_json::{Value, json};
use verger_testkit::Speaker;

use crate::reviewing::{review, shell, verger};
use crate::verify_scene::{HELD, Scene, checks};

const LINT: &str = "[verification]\ndepth = \"standard\"\nlint = { command = [\"$BIN/lint\"] }\n\
                    tests = { command = [\"true\"] }\n";
const TESTS: &str = "[verification]\ndepth = \"deep\"\ntests = { command = [\"$BIN/tests\"] }\n";

#[test]
fn a_plan_says_what_would_run_and_why_and_runs_nothing() {
    let scene = Scene::new(LINT);
    scene.environment().write("Cargo.toml", "[package]\n");
    scene.environment().write("package.json", r#"{"scripts": {"lint": "eslint --fix ."}}"#);
    assert_snapshot!(scene.verify(&["--plan", "--depth", "deep"]), @"
    deep verification of ~/project: 8 checks
      git state       built into verger
      open tasks      built into verger
      stub markers    built into verger
      lint            $ENV/bin/lint (from setting verification.lint; the program was not found)
      format (cargo)  cargo fmt --all --check (by Cargo.toml)
      types           skipped: no command was found for this check; verification.types sets one
      tests           true (from setting verification.tests)
      review          built into verger
    required: tests, no_regressions, open_tasks; each command may take 900 s
    this project is not trusted: agents must ask before running these; `verger trust` allows them
    ");
    let mut told: Value = scene.verified(&["--plan"]);
    // The plan's name depends on the paths of this test, so only its length is compared.
    assert_eq!(told["plan"].take().as_str().map(str::len), Some(32));
    assert_snapshot!(told, @r#"{"checks":[{"kind":"git_state","name":"git state","way":{"is":"own"}},{"kind":"open_tasks","name":"open tasks","way":{"is":"own"}},{"kind":"stub_markers","name":"stub markers","way":{"is":"own"}},{"kind":"lint","name":"lint","way":{"argv":["$ENV/bin/lint"],"is":"command","is_there":false,"origin":{"is":"set","key":"verification.lint"},"reading":"exit_code"}},{"kind":"format","name":"format (cargo)","way":{"argv":["cargo","fmt","--all","--check"],"is":"command","is_there":true,"origin":{"file":"Cargo.toml","is":"detected"},"reading":"exit_code"}},{"kind":"types","name":"types","way":{"is":"skipped","why":"no command was found for this check; verification.types sets one"}},{"kind":"tests","name":"tests","way":{"argv":["true"],"is":"command","is_there":true,"origin":{"is":"set","key":"verification.tests"},"reading":"exit_code"}},{"kind":"review","name":"review","way":{"is":"own"}}],"depth":"standard","is_trusted":false,"plan":null,"problems":[],"required":["tests","no_regressions","open_tasks"],"root":"$ENV/home/project","session":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd","timeout_seconds":900}"#);
    assert_eq!(scene.log(), "");
}

#[test]
fn a_green_verification_is_recorded_and_not_repeated() {
    let scene = Scene::new(LINT);
    scene.program("lint", "echo ran >> \"$HOME/count\"");
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
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ");
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
    no command was run: the work did not change since it was verified
    ");
    // A verification at a lower depth reuses the same result.
    assert_snapshot!(scene.verify(&["--depth", "quick", "--quiet"]), @"green: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue");
    assert_eq!(scene.read_home("count"), "ran\n");
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    ");
    scene.conversation.write("a.txt", "two\n");
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\nran\n");
    // Another plan requires a new run, and so does `--force`.
    scene.configure(&format!("{LINT}require = [\"tests\", \"open_tasks\"]\n"));
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\nran\nran\n");
    assert_eq!(scene.verify(&["--force"]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\nran\nran\nran\n");
}

#[test]
fn work_that_comes_back_to_what_was_green_is_not_run_again() {
    let scene = Scene::new(&LINT.replace("depth", "mode = \"always\"\ndepth"));
    scene.program("lint", "echo ran >> \"$HOME/count\"");
    assert_eq!(scene.verify(&[]).code, 0);
    scene.conversation.write("a.txt", "two\n");
    assert_eq!(scene.verify(&[]).code, 0);
    scene.conversation.write("a.txt", "one\n");
    assert_eq!(scene.verified(&[])["state"], "known");
    assert!(scene.conversation.stop().is_silence());
    assert_eq!(scene.read_home("count"), "ran\nran\n");
}

#[test]
fn tests_that_are_red_are_not_made_well_by_a_look_that_runs_fewer() {
    let tests = TESTS
        .replace("depth = \"deep\"", "mode = \"always\"\nquick_tests = { command = [\"true\"] }");
    let scene = Scene::new(&tests);
    scene.program("tests", "echo a.txt:1: wrong; exit 1");
    assert_eq!(scene.verify(&["--depth", "deep"]).code, 1);
    let command = format!("verger verify --session {} --depth deep", scene.conversation.session());
    for _ in 0..2 {
        let told = scene.conversation.stop().to_string();
        assert!(told.contains(&command), "{told}");
        assert!(told.contains("a.txt:1: wrong (tests)"), "{told}");
        assert_eq!(scene.verify(&["--depth", "quick"]).code, 0);
    }
    let output = scene.verify(&[]);
    let why =
        "depth deep instead of standard: the last deep verification of this work was not green";
    assert!(output.code == 1 && output.stderr.contains(why), "{output}");
    scene.program("tests", "exit 0");
    assert_eq!(scene.verify(&["--depth", "deep"]).code, 0);
    assert!(scene.conversation.stop().is_silence());
}

#[test]
fn a_red_verification_lists_steps_and_is_repeated() {
    let scene = Scene::new(LINT);
    scene.program("lint", "echo ran >> \"$HOME/count\"; echo a.txt:1:2: too short; exit 3");
    assert_snapshot!(scene.verify(&[]), @"
    red: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, 1 issue
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      failed        lint: exited with 3
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      a.txt:1: too short (lint)
    next 1: Fix what lint found; `$ENV/bin/lint` shows all of it.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`.
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ------- exit code 1 -------
    ");
    assert_snapshot!(scene.verify(&["--quiet"]), @"
    red: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, 1 issue
      failed        lint: exited with 3
      a.txt:1: too short (lint)
    next 1: Fix what lint found; `$ENV/bin/lint` shows all of it.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`.
    ------- exit code 1 -------
    ");
    assert_eq!(scene.read_home("count"), "ran\nran\n");
    scene.program("lint", "exit 0");
    assert_eq!(scene.verify(&[]).code, 0);
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is red
    verification.recorded standard is red: 3 checks passed, 1 issue
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is red
    verification.recorded standard is red: 3 checks passed, 1 issue
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one large snapshot")]
fn a_result_is_told_to_programs_in_full() {
    let scene = Scene::new(LINT);
    scene.program("lint", "echo a.txt:1:2: too short; exit 3");
    let mut told = scene.verified(&[]);
    assert_eq!(told["verified"]["plan"].take().as_str().map(str::len), Some(32));
    for check in told["verified"]["checks"].as_array_mut().unwrap() {
        assert!(check["took_millis"].take().is_u64());
    }
    assert_snapshot!(format!("{told:#}"), @r#"
    {
      "recorded": true,
      "session": "f0357e9b-fb48-41a1-afb7-88e26c9c25cd",
      "state": "ended",
      "verified": {
        "checks": [
          {
            "kind": "git_state",
            "name": "git state",
            "status": {
              "is": "failed"
            },
            "summary": "1 file is not committed",
            "took_millis": null
          },
          {
            "kind": "open_tasks",
            "name": "open tasks",
            "status": {
              "is": "passed"
            },
            "summary": "",
            "took_millis": null
          },
          {
            "kind": "stub_markers",
            "name": "stub markers",
            "status": {
              "is": "passed"
            },
            "summary": "",
            "took_millis": null
          },
          {
            "command": "$ENV/bin/lint",
            "kind": "lint",
            "name": "lint",
            "status": {
              "is": "failed"
            },
            "summary": "exited with 3",
            "took_millis": null
          },
          {
            "kind": "format",
            "name": "format",
            "status": {
              "is": "skipped",
              "why": "no command was found for this check; verification.format sets one"
            },
            "summary": "no command was found for this check; verification.format sets one",
            "took_millis": null
          },
          {
            "kind": "types",
            "name": "types",
            "status": {
              "is": "skipped",
              "why": "no command was found for this check; verification.types sets one"
            },
            "summary": "no command was found for this check; verification.types sets one",
            "took_millis": null
          },
          {
            "command": "true",
            "kind": "tests",
            "name": "tests",
            "status": {
              "is": "passed"
            },
            "summary": "",
            "took_millis": null
          },
          {
            "kind": "review",
            "name": "review",
            "status": {
              "is": "skipped",
              "why": "this work needs no review"
            },
            "summary": "this work needs no review",
            "took_millis": null
          }
        ],
        "content": "13b253c977b28d6a039a88ada8e76e830b86afb14115bb7b2469e38825e82bc8",
        "depth": "standard",
        "failing_tests": {
          "are": "named",
          "names": []
        },
        "issues": [
          {
            "check": "lint",
            "line": 1,
            "path": "a.txt",
            "text": "too short"
          }
        ],
        "more_issues": 0,
        "next_steps": [
          "Fix what lint found; `$ENV/bin/lint` shows all of it.",
          "Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`."
        ],
        "plan": null,
        "run": "$ID1",
        "status": "red"
      }
    }
    "#);
    scene.program("lint", "exit 0");
    let [first, again] = [(), ()].map(|()| scene.verified(&[]));
    assert_eq!((&first["state"], &again["state"]), (&json!("ended"), &json!("known")));
    assert_eq!(first["verified"]["plan"], again["verified"]["plan"]);
    assert_eq!(checks(&first), checks(&again));
}

#[test]
fn an_incomplete_check_is_neither_green_nor_red() {
    let scene = Scene::new(LINT);
    assert_snapshot!(scene.verify(&[]), @r#"
    incomplete: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, no issue
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      could not run lint: there is no program "$ENV/bin/lint"; install it, or set another command for this check
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
    next 1: Make it possible to run lint: there is no program "$ENV/bin/lint"; install it, or set another command for this check.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`.
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ------- exit code 5 -------
    "#);
    let told = scene.verified(&["--depth", "deep"]);
    assert_eq!(told["verified"]["status"], "incomplete");
}

/// Checks that can change while the work stays the same are repeated without running commands.
#[test]
fn open_items_of_the_list_count_until_they_are_done() {
    let scene = Scene::new(LINT);
    scene.program("lint", "echo ran >> \"$HOME/count\"");
    let item = |event: &str| {
        let fields = [("task_id", json!("7")), ("task_subject", json!("Write the tests"))];
        assert!(scene.conversation.call(event, &fields).is_silence());
    };
    item("TaskCreated");
    assert_snapshot!(scene.verify(&[]), @"
    red: standard verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, 1 issue
      failed        git state: 1 file is not committed (not required)
      failed        open tasks: 1 item is open
      passed        stub markers
      passed        lint
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      not done: #7 Write the tests (open tasks)
    next 1: Finish the open items of your list, or remove those that no longer apply.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth standard`.
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ------- exit code 1 -------
    ");
    item("TaskCompleted");
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
    no command was run: the work did not change since it was verified
    ");
    assert_eq!(scene.read_home("count"), "ran\n");
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is red
    verification.recorded standard is red: 3 checks passed, 1 issue
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    ");
}

#[test]
fn unfinished_lines_count_where_the_task_added_them() {
    let scene = Scene::without_work(
        "verification.mode = \"claims\"\nverification.tests = { command = [\"true\"] }\n",
    );
    scene.environment().write("mine.rs", "// TODO: mine\n");
    assert!(scene.conversation.prompt("write it").is_silence());
    scene.conversation.write("a.rs", "fn a() {\n    todo!()\n}\n");
    scene.conversation.write("mine.rs", "// TODO: mine\n// FIXME: the agent's\n");
    assert_snapshot!(scene.verify(&["--depth", "quick"]), @"
    red: quick verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 2 checks passed, 2 issues
      failed        git state: 2 files are not committed (not required)
      passed        open tasks
      failed        stub markers: 2 lines that were added are unfinished
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      a.rs:2: unfinished: todo!() (stub markers)
      mine.rs:2: unfinished: // FIXME: the agent's (stub markers)
    next 1: Finish the unfinished code in the added lines.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick`.
    ------- stderr -------
    verger: quick verification begins; each command may take 900 s
    ------- exit code 1 -------
    ");
    scene.conversation.write("a.rs", "fn a() {}\n");
    scene.conversation.write("mine.rs", "// TODO: mine\n");
    assert_eq!(scene.verify(&["--depth", "quick"]).code, 0);
}

#[test]
fn risky_work_is_looked_at_deeper_than_is_set() {
    let scene = Scene::new("verification.tests = { command = [\"true\"] }\n");
    let depth = |scene: &Scene| scene.verified(&[])["verified"]["depth"].clone();
    assert_eq!(depth(&scene), "quick");
    for number in 0..11 {
        scene.conversation.write(&format!("{number}.txt"), "one\n");
    }
    assert_eq!(depth(&scene), "standard");
    assert_snapshot!(scene.verify(&["--plan"]).stderr, @"verger: depth standard instead of quick: 12 files changed");
    assert_eq!(scene.verified(&["--depth", "quick"])["verified"]["depth"], "standard");
}

#[test]
fn work_is_committed_where_that_is_required() {
    let scene = Scene::without_work(
        "verification.require = [\"committed\"]\nverification.tests = { command = [\"true\"] }\n",
    );
    scene.environment().write("mine.txt", "the user's own\n");
    assert!(scene.conversation.prompt("write it").is_silence());
    scene.conversation.write("a.txt", "one\n");
    assert_snapshot!(scene.verify(&["--depth", "quick"]), @"
    red: quick verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, 1 issue
      failed        git state: 1 file is not committed
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
      a.txt: is not committed (git state)
    next 1: Commit the work.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick`.
    ------- stderr -------
    verger: quick verification begins; each command may take 900 s
    ------- exit code 1 -------
    ");
    scene.conversation.run("git add a.txt && git commit --quiet --no-gpg-sign -m work");
    assert_snapshot!(scene.verify(&["--depth", "quick"]), @"
    green: quick verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 4 checks passed, no issue
      passed        git state
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: this work needs no review
    no command was run: the work did not change since it was verified
    ");
}

#[test]
fn a_review_counts_where_one_is_wanted() {
    let scene = Scene::new(&format!("{TESTS}require = [\"tests\", \"review\"]\n"));
    scene.program("tests", "echo ran >> \"$HOME/count\"");
    assert_snapshot!(scene.verify(&[]), @r#"
    red: deep verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 3 checks passed, 1 issue
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      failed        review: not approved
      the reviewer did not approve the current work (review)
    next 1: Have the work reviewed: a person has to set review.reviewer first.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth deep`.
    ------- stderr -------
    verger: deep verification begins; each command may take 900 s
    ------- exit code 1 -------
    "#);
    review(&scene.conversation, "r1", "complete 'it is fine'");
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\n", "the tests were not run for that");
}

#[test]
fn tests_are_compared_with_the_last_green_verification_of_the_project() {
    let scene = Scene::new(
        "[verification]\ndepth = \"deep\"\ntests = { command = [\"$BIN/run\", \"pytest\"] }\n\
         require = [\"no_regressions\"]\n",
    );
    let pytest = |failing: &[&str]| {
        let lines: Vec<_> =
            failing.iter().map(|name| format!("FAILED t.py::{name} - no\n")).collect();
        let text = format!("{}{} failed, 1 passed in 0.1s", lines.concat(), failing.len());
        scene.program("pytest", &format!("cat << 'END'\n{text}\nEND\nexit {}", failing.len()));
    };
    scene.program("run", "exec \"${0%/*}/$1\"");
    pytest(&["old"]);
    // Without an earlier green verification, every failing test counts as new.
    assert_snapshot!(scene.verify(&[]), @r#"
    red: deep verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 2 checks passed, 2 issues
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      failed        tests: 1 test failed
      skipped       review: this work needs no review
      1 test fails that did not in the last green verification (tests)
      test failed: t.py::old (tests)
    next 1: Make these tests pass, which did not fail in the last green verification: t.py::old.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth deep`.
    ------- stderr -------
    verger: deep verification begins; each command may take 900 s
    ------- exit code 1 -------
    "#);
    pytest(&[]);
    assert_eq!(scene.verify(&[]).code, 0);
    scene.conversation.write("a.txt", "two\n");
    pytest(&["new"]);
    assert_snapshot!(scene.verify(&[]), @r#"
    red: deep verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 2 checks passed, 2 issues
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      failed        tests: 1 test failed
      skipped       review: this work needs no review
      1 test fails that did not in the last green verification (tests)
      test failed: t.py::new (tests)
    next 1: Make these tests pass, which did not fail in the last green verification: t.py::new.
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth deep`.
    ------- stderr -------
    verger: deep verification begins; each command may take 900 s
    ------- exit code 1 -------
    "#);
    scene.program("pytest", "echo 'no summary'; exit 2");
    assert_snapshot!(scene.verify(&[]), @r#"
    incomplete: deep verification of session f0357e9b-fb48-41a1-afb7-88e26c9c25cd, 2 checks passed, 2 issues
      failed        git state: 1 file is not committed (not required)
      passed        open tasks
      passed        stub markers
      skipped       lint: no command was found for this check; verification.lint sets one
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      failed        tests: exited with 2
      skipped       review: this work needs no review
      new test failures cannot be detected: pytest ended before it counted its tests (tests)
      no summary (tests)
      which tests failed is not known: pytest ended before it counted its tests
    next 1: Make all tests pass: verger cannot tell which of them passed before (pytest ended before it counted its tests).
    next 2: Then run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth deep`.
    ------- stderr -------
    verger: deep verification begins; each command may take 900 s
    ------- exit code 5 -------
    "#);
}

#[test]
fn without_a_session_what_is_not_committed_is_checked_and_nothing_is_kept() {
    let scene = Scene::without_work(LINT);
    let end = [("reason", json!("other"))];
    assert!(scene.conversation.call("SessionEnd-other", &end).is_silence());
    scene.program("lint", "echo ran >> \"$HOME/count\"");
    scene.environment().write("a.rs", "// TODO\n");
    assert_snapshot!(verger(&scene.conversation, &["verify"]), @"
    red: standard verification, 2 checks passed, 1 issue
      failed        git state: 1 file is not committed (not required)
      skipped       open tasks: no session is known
      failed        stub markers: 1 line that was added is unfinished
      passed        lint
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: no session is known
      a.rs:1: unfinished: // TODO (stub markers)
    next 1: Finish the unfinished code in the added lines.
    next 2: Then run `verger verify --depth standard`.
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ------- exit code 1 -------
    ");
    scene.environment().write("a.rs", "\n");
    assert_eq!(verger(&scene.conversation, &["verify"]).code, 0);
    assert_eq!(verger(&scene.conversation, &["verify"]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\nran\nran\n");
    assert_eq!(scene.log(), "");
    let scene = Scene::without_work(LINT);
    scene.program("lint", "exit 0");
    std::fs::remove_dir_all(scene.environment().project().join(".git")).unwrap();
    assert!(scene.conversation.call("SessionEnd-other", &end).is_silence());
    assert_snapshot!(verger(&scene.conversation, &["verify"]), @"
    green: standard verification, 2 checks passed, no issue
      skipped       git state: this directory is not under version control
      skipped       open tasks: no session is known
      skipped       stub markers: without version control the added lines are unknown
      passed        lint
      skipped       format: no command was found for this check; verification.format sets one
      skipped       types: no command was found for this check; verification.types sets one
      passed        tests
      skipped       review: no session is known
    ------- stderr -------
    verger: standard verification begins; each command may take 900 s
    ");
}

#[test]
fn commands_of_a_project_count_when_the_user_trusts_them() {
    let scene = Scene::new("verification.depth = \"standard\"\n");
    scene.program("lint", "echo ran >> \"$HOME/count\"");
    let file = LINT.replace("$BIN", scene.environment().root().join("bin").to_str().unwrap());
    scene.environment().write(".verger/config.toml", file);
    assert_snapshot!(scene.verify(&["--plan"]), @r#"
    standard verification of ~/project: 8 checks
      git state     built into verger
      open tasks    built into verger
      stub markers  built into verger
      lint          missing: verification.lint is set by this project, which is not trusted; only a person can run `verger trust`
      format        skipped: no command was found for this check; verification.format sets one
      types         skipped: no command was found for this check; verification.types sets one
      tests         missing: verification.tests is set by this project, which is not trusted; only a person can run `verger trust`
      review        built into verger
    required: tests, no_regressions, open_tasks; each command may take 900 s
    this project is not trusted: agents must ask before running these; `verger trust` allows them
    ------- stderr -------
    verger: $ENV/home/project/.verger/config.toml:3:1: "verification.lint" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
    verger: $ENV/home/project/.verger/config.toml:4:1: "verification.tests" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
    "#);
    assert_eq!(scene.verify(&[]).code, 5, "they did not run");
    assert!(!scene.environment().home().join("count").exists());
    assert_eq!(verger(&scene.conversation, &["trust", "--yes"]).code, 0);
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.read_home("count"), "ran\n");
}

/// Commands run the project's code, so an agent needs permission if the worktree is not trusted.
#[test]
fn an_agent_may_verify_where_the_worktree_is_trusted() {
    let scene = Scene::new(LINT);
    let said = |line: &str| scene.conversation.bash(Speaker::Main, line).word().to_owned();
    let own = format!("verger verify --session {}", scene.conversation.session());
    assert_eq!([said(&own), said("verger verify")], ["silence", "silence"]);
    assert_eq!(said("verger verify --plan"), "allow");
    assert_eq!(verger(&scene.conversation, &["trust", "--yes"]).code, 0);
    assert_eq!([said(&own), said("verger verify")], ["allow", "allow"]);
    assert_eq!(said(&format!("{own} --depth deep --quiet")), "allow");
    for line in [
        "verger verify --session 1111",
        "verger verify --session ''",
        &format!("{own} --session 1111"),
        &format!("{own}; ls"),
        &format!("PATH=/tmp {own}"),
    ] {
        assert_eq!(said(line), "silence", "{line}");
    }
}

/// A check may change its environment and get a terminal, but it never counts as a person.
#[test]
fn a_check_may_not_run_commands_for_people() {
    let scene = Scene::new(LINT);
    let lines = [
        "verger config set verification.mode off --yes",
        "env -u VERGER_JOB -u VERGER_DEPTH verger trust --yes",
        "script -qec 'verger release verify' /dev/null",
        "env -i PATH=\"$PATH\" HOME=\"$HOME\" script -qec 'verger trust' /dev/null",
        "env -u VERGER_JOB -u VERGER_DEPTH verger verify",
        "env -u VERGER_JOB -u VERGER_DEPTH verger review run",
    ];
    let script = lines.map(|line| format!("{line}; echo $? >> \"$HOME/codes\"")).join("\n");
    scene.program("lint", &format!("exec > \"$HOME/said\" 2>&1\n{script}"));
    assert_eq!(scene.verify(&[]).code, 0);
    assert_eq!(scene.read_home("codes"), "4\n".repeat(6), "{}", scene.read_home("said"));
    let said = scene.read_home("said");
    assert!(said.contains("and a check or a review of verger (process "), "{said}");
}

/// The agent controls the environment of its shell, and which shell is above a command.
#[test]
fn for_an_agent_whose_client_is_not_above_nothing_runs() {
    let scene = Scene::new(LINT);
    scene.program("lint", "exit 0");
    let verify = format!("verger verify --session {}", scene.conversation.session());
    for line in [
        format!("CLAUDECODE=1 {verify}"),
        format!("CLAUDECODE=1 bash -c 'env -u CLAUDECODE {verify}; exit $?'"),
    ] {
        let output = shell(&scene.conversation, &line);
        insta::allow_duplicates!(assert_snapshot!(output, @r#"
        ------- stderr -------
        verger: `verger verify` was called for Claude Code, but Claude Code did not start this process
        hint: run `verger verify` as a command of its own, not in the background: its work continues even if the shell ends it
        ------- exit code 4 -------
        "#));
    }
    assert_eq!(shell(&scene.conversation, &format!("CLAUDECODE=1 {verify} --plan")).code, 0);
    assert_eq!(scene.log(), "");
}

#[test]
fn a_check_that_verifies_is_refused() {
    let scene = Scene::new(LINT);
    let verger = env!("CARGO_BIN_EXE_verger");
    scene.program("lint", &format!("'{verger}' verify 2>&1 | tee \"$HOME/told\"; exit 1"));
    let told = scene.verified(&[]);
    assert_eq!(told["verified"]["status"], "red");
    assert_snapshot!(scene.read_home("told"), @r#"
    verger: a check or a review cannot run `verger verify`
    hint: remove `verger verify` from the checks; `verger verify --plan` shows the commands
    "#);
}

#[test]
fn in_a_sandbox_it_says_what_to_do() {
    let scene = Scene::new(LINT);
    scene.program("lint", "echo ran >> \"$HOME/count\"");
    let sandboxed = |line: &str| {
        let mut command = scene.environment().sandboxed(line);
        command.envs(scene.conversation.next_moment());
        scene.environment().run_command(command, "")
    };
    let line = format!("verger verify --session {}", scene.conversation.session());
    assert_snapshot!(sandboxed(&line), @r#"
    ------- stderr -------
    verger: cannot save a verification: verger's data cannot be written from here
    hint: run `verger verify` outside of the sandbox; if you cannot, tell the person, who can run it in a terminal, or let it run outside (docs/verify-command.md)
    ------- exit code 3 -------
    "#);
    assert_eq!(sandboxed(&format!("{line} --plan")).code, 0);
    assert_eq!(scene.log(), "");
}

#[test]
fn a_deeper_one_waits_for_what_is_under_way_and_goes_on() {
    let config = format!("{LINT}tests = {{ command = [\"$BIN/tests\"] }}\n");
    let scene = Scene::new(&config);
    scene.pipes(&["begun.fifo", "word.fifo"]);
    scene.program("lint", HELD);
    scene.program("tests", "exit 0");
    assert_eq!(scene.verify(&["--wait", "0"]).code, 5);
    scene.hear_that_it_began();
    let deep = scene.start(&["--depth", "deep"]);
    scene.give_the_word();
    // The deeper verification runs the linter again, because it is another run.
    scene.hear_that_it_began();
    scene.give_the_word();
    let output = deep.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_snapshot!(scene.log(), @"
    gate.changed verification: stays idle, standard verification started
    gate.changed verification: stays idle, standard verification is green
    verification.recorded standard is green: 4 checks passed, no issue
    gate.changed verification: stays idle, deep verification started
    gate.changed verification: stays idle, deep verification is green
    verification.recorded deep is green: 4 checks passed, no issue
    ");
}
