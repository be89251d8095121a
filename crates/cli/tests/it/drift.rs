//! `verger drift`, and the answers of `verger why` about drift.

use std::fs;

use serde_json::{Value, json};
use verger_drift::{READER, Reading};
use verger_event::{Event, Grounds, Opinion, ToolCall, Verdict};
use verger_gate::asking::{Asked, asked};
use verger_gate::drift;
use verger_testkit::{DriftScript, TaskEnding};

use crate::recorded::Recorded;

/// The lines of output about the request of [`drift`].
const ASKED_FOR: &str = "\
goal        Fix the login redirect in src/login.rs. Do not touch web/.
task        1
scope       src/login.rs
scope       web/
limit       do not change web/
";

fn drift(script: &mut DriftScript) {
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    script.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    for file in ["colours", "fonts", "grid", "menu"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

/// Two sessions. One is corrected, goes back and finishes. The other is only observed, and
/// continues.
fn two_sessions() -> Recorded {
    let mut recorded = Recorded::nothing();
    let mut told = recorded.script("1111", 0).corrected();
    drift(&mut told);
    told.edit("src/login.rs", "to.path()", "to.as_str()");
    told.run("cargo test login", "test result: ok").stop("Fixed.").record(TaskEnding::Complete);
    told.end();
    recorded.play(&mut told);
    let mut observed = recorded.script("2222", 10);
    drift(&mut observed);
    observed.prompt("continue");
    recorded.play(&mut observed);
    recorded
}

/// The output for a session with the request of [`drift`], without the lines of [`ASKED_FOR`].
#[track_caller]
fn shown(recorded: &Recorded, arguments: &[&str]) -> String {
    let all = recorded.verger(&[&["drift"], arguments].concat()).success().to_string();
    assert_eq!(all.matches(ASKED_FOR).count(), 1, "{all}");
    all.replace(ASKED_FOR, "")
}

#[test]
fn a_session_that_was_corrected_and_went_back_is_told() {
    let recorded = two_sessions();
    insta::assert_snapshot!(shown(&recorded, &["--session", "1111"]), @"
    session     1111
    drift       a limit was broken, score 2; the agent was told before
    steps       8
    1 h ago     prompt for new task 1
    59 min ago  score 5, steps 1 to 3; the agent was told
      because   `web/theme/colours.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css` to the content before this task
      then      the next score was 3
    59 min ago  the agent was told: correct
      words     verger: you did something that the person forbade.
                - `web/theme/colours.css`: the person said: do not change web/
                Next: restore `web/theme/colours.css` to the content before this task. If you think that the person has changed their mind, ask before you go on.
      then      the next score was 3
      see       verger why M7G83EXF
    59 min ago  score 3, step 4; the agent was told
      because   `web/theme/fonts.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css` to the content before this task
      then      the next score was 2
    59 min ago  the agent was told: intervene
      words     verger: you did it again after you were told that the person forbade it.
                - `web/theme/fonts.css`: the person said: do not change web/
                Do this first, before anything else: restore `web/theme/colours.css`, `web/theme/fonts.css` to the content before this task. If you need it, ask the person.
      then      the next score was 2
      see       verger why M7G83EXJ
    59 min ago  score 2, step 5; the agent was told
      because   `web/theme/grid.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css` to the content before this task
      then      the next score was 2
    59 min ago  the agent was told: halt
      words     verger: stop. You did this three times although the person forbade it.
                - `web/theme/grid.css`: the person said: do not change web/
                It is denied from now on. Tell the person what you did, and ask how to go on.
      then      the next score was 2
      see       verger why M7G83EXN
    59 min ago  score 2, step 6; the agent was told before
      because   `web/theme/menu.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css` to the content before this task
    59 min ago  task 1 was completed
    59 min ago  the session ended
    ");
}

#[test]
fn without_a_name_the_live_session_is_meant_and_what_was_only_observed_is_said() {
    let recorded = two_sessions();
    insta::assert_snapshot!(shown(&recorded, &[]), @"
    session     2222
    drift       not scored since your last prompt; before that: a limit was broken, score 5
    steps       6
    50 min ago  prompt for new task 1
    49 min ago  score 5, steps 1 to 3; recorded only, the agent was not told
      because   `web/theme/colours.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css` to the content before this task
      then      the next score was 5
    49 min ago  score 5, step 4; recorded only, the agent was not told
      because   `web/theme/fonts.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css` to the content before this task
      then      the next score was 5
    49 min ago  score 5, step 5; recorded only, the agent was not told
      because   `web/theme/grid.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css` to the content before this task
      then      the next score was 5
    49 min ago  score 5, step 6; recorded only, the agent was not told
      because   `web/theme/menu.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css` to the content before this task
      then      the person sent a prompt
    49 min ago  prompt about task 1
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--json"]), @r#"{"added":[],"earlier":0,"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","moments":[{"at_ms":1794768563000,"id":"01M7G8NTSR00000001M7G8NRVA","is":"prompted","what":{"action":"new_task","task":1}},{"at_ms":1794768567000,"id":"01M7G8NYPR00000001M7G8NRVE","is":"scored","what":{"first_step":1,"followed":{"by":"scored_again","score":5},"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","kind":"limit","last_step":3,"level":"correct","reasons":["`web/theme/colours.css`: the person said: do not change web/"],"score":5,"telling":"observed","way_back":"restore `web/theme/colours.css` to the content before this task"}},{"at_ms":1794768569000,"id":"01M7G8P0N800000001M7G8NRVG","is":"scored","what":{"first_step":4,"followed":{"by":"scored_again","score":5},"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","kind":"limit","last_step":4,"level":"correct","reasons":["`web/theme/fonts.css`: the person said: do not change web/"],"score":5,"telling":"observed","way_back":"restore `web/theme/colours.css`, `web/theme/fonts.css` to the content before this task"}},{"at_ms":1794768571000,"id":"01M7G8P2KR00000001M7G8NRVJ","is":"scored","what":{"first_step":5,"followed":{"by":"scored_again","score":5},"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","kind":"limit","last_step":5,"level":"correct","reasons":["`web/theme/grid.css`: the person said: do not change web/"],"score":5,"telling":"observed","way_back":"restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css` to the content before this task"}},{"at_ms":1794768573000,"id":"01M7G8P4J800000001M7G8NRVM","is":"scored","what":{"first_step":6,"followed":{"by":"person_spoke"},"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","kind":"limit","last_step":6,"level":"correct","reasons":["`web/theme/menu.css`: the person said: do not change web/"],"score":5,"telling":"observed","way_back":"restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css` to the content before this task"}},{"at_ms":1794768574000,"id":"01M7G8P5HG00000001M7G8NRVN","is":"prompted","what":{"action":"continue","task":1}}],"position":{"followed":{"by":"person_spoke"},"kind":"limit","score":5,"telling":"observed","text":"not scored since your last prompt; before that: a limit was broken, score 5"},"read_as":null,"session":"2222","steps":6,"task":{"began_ms":1794768563000,"constraints":["do not change web/"],"escalations":0,"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","keywords":[],"kind":"main","last_ms":1794768574000,"mode":"normal","number":1,"parent":null,"scope":["src/login.rs","web/"],"status":"active","waits_for_recovery":false}}"#);
}

#[test]
fn limits_read_by_a_program_are_shown_and_explained() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("3333", 0);
    let reading = Reading {
        goal: Some("Keep the query when the sign-in page redirects".to_owned()),
        paths: vec!["web/session".to_owned()],
        constraints: vec!["Do not touch src/billing.".to_owned()],
        ..Reading::default()
    };
    let prompt = "Fix the login redirect in src/login.rs. Do not touch web/.";
    script.start().read_prompt(prompt, &reading);
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    session     3333
    drift       not scored yet
    goal        Fix the login redirect in src/login.rs. Do not touch web/.
    read as     Keep the query when the sign-in page redirects
    task        1
    scope       src/login.rs
    scope       web/
    scope       web/session
    limit       do not change web/
    limit       do not change src/billing (read by drift.reader)
    steps       0
    59 min ago  prompt for new task 1
    59 min ago  drift.reader answered
      read      Keep the query when the sign-in page redirects; where: web/session; forbidden: Do not touch src/billing.
      see       verger why M7G83EXB
    drift is measured after 3 batches of tool calls, and when the agent stops
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--json"]), @r#"{"added":[],"earlier":0,"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","moments":[{"at_ms":1794767964000,"id":"01M7G83HV000000001M7G83EXB","is":"prompted","what":{"action":"new_task","task":1}},{"at_ms":1794767964000,"id":"01M7G83HV000000001M7G83EXB","is":"read","what":{"constraints":["Do not touch src/billing."],"goal":"Keep the query when the sign-in page redirects","paths":["web/session"]}}],"position":null,"read_as":"Keep the query when the sign-in page redirects","session":"3333","steps":0,"task":{"began_ms":1794767964000,"constraints":["do not change web/","do not change src/billing (read by drift.reader)"],"escalations":0,"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","keywords":[],"kind":"main","last_ms":1794767964000,"mode":"normal","number":1,"parent":null,"scope":["src/login.rs","web/","web/session"],"status":"active","waits_for_recovery":false}}"#);
    let why = recorded.verger(&["why", "3333:3"]).success().to_string();
    let (told, _) = why.split_once("recording ").unwrap();
    insta::assert_snapshot!(told, @"
    Allowed: no enabled check acts on this event.

    event         prompt.submitted at 3333:3
    id            01M7G83HV000000001M7G83EXB
    when          2026-11-15 18:39:24
    session       3333 of claude
    directory     $ENV/home/project
    who           a person
    what          Fix the login redirect in src/login.rs. Do not touch web/.
    gate          drift-reader: asked -> answered
      cause       Keep the query when the sign-in page redirects; where: web/session; forbidden: Do not touch src/billing.
    answer        none
    ");
}

#[test]
fn of_a_long_session_the_latest_moments_are_shown() {
    let recorded = two_sessions();
    insta::assert_snapshot!(shown(&recorded, &["--limit", "1"]), @"
    session     2222
    drift       not scored since your last prompt; before that: a limit was broken, score 5
    steps       6
    earlier     5 moments: verger drift --session 2222 --limit 0
    49 min ago  prompt about task 1
    ");
}

#[test]
fn ids_are_short_and_accepted_in_this_form() {
    const LONG: &str = "f0357e9b-fb48-41a1-afb7-88e26c9c25cd";
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script(LONG, 0).corrected();
    drift(&mut script);
    script.record(TaskEnding::Complete).end();
    recorded.play(&mut script);
    let of_session = recorded.verger(&["drift", "--limit", "8"]).success().stdout;
    let of_file = recorded.verger(&["drift", "--file", "src/login.rs"]).success().stdout;
    let shown = format!("{of_session}{of_file}");
    assert!(shown.contains("session     f0357e9b") && !shown.contains(LONG), "{shown}");
    let commands = shown.lines().filter_map(|line| Some(line.split_once("verger ")?.1));
    let commands: Vec<Vec<_>> = commands
        .filter(|line| ["why", "drift", "tasks"].iter().any(|name| line.starts_with(name)))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(commands.len(), 5, "{shown}");
    let explained = commands.iter().map(|command| recorded.verger(command).success().stdout);
    let explained: Vec<_> = explained.collect();
    assert!(explained.iter().any(|text| text.contains("verger drift --session f0357e9b\n")));
    let json = recorded.verger(&["drift", "--json"]).success().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["session"], LONG);
}

#[test]
fn what_happened_to_a_file_is_told_across_sessions() {
    let recorded = two_sessions();
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "src/login.rs"]), @"
    file        src/login.rs
    session     1111, task 1
      for       Fix the login redirect in src/login.rs. Do not touch web/.
    59 min ago  read
    59 min ago  changed
    59 min ago  changed
    session     2222, task 1
      for       Fix the login redirect in src/login.rs. Do not touch web/.
    49 min ago  read
    49 min ago  changed
    task        59 min ago, complete: Fix the login redirect in src/login.rs. Do not touch web/.
      see       verger tasks show M7G83EXV
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "./web/theme/menu.css"]), @"
    file        web/theme/menu.css
    session     1111, task 1
      for       Fix the login redirect in src/login.rs. Do not touch web/.
    59 min ago  changed
      broke     the person said: do not change web/
    session     2222, task 1
      for       Fix the login redirect in src/login.rs. Do not touch web/.
    49 min ago  changed
      broke     the person said: do not change web/
    task        59 min ago, complete: Fix the login redirect in src/login.rs. Do not touch web/.
      see       verger tasks show M7G83EXV
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "src/other.rs"]), @"
    no recorded step of this project touched src/other.rs, and no task names it
    verger session list lists the recorded sessions
    ");
    let one =
        recorded.verger(&["drift", "--file", "web/theme/grid.css", "--session", "1111", "--json"]);
    insta::assert_snapshot!(one, @r#"{"asked":"web/theme/grid.css","earlier":0,"file":"web/theme/grid.css","steps":[{"action":"edit","at_ms":1794767972000,"breaks":"do not change web/","command":null,"correction":"verger: stop. You did this three times although the person forbade it.\n- `web/theme/grid.css`: the person said: do not change web/\nIt is denied from now on. Tell the person what you did, and ask how to go on.","correction_level":"halt","drift_type":"critical","failed":false,"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","id":"01M7G83SN000000001M7G83EXK","score":2,"session":"1111","step":5,"task":1,"user":"dev"}],"tasks":[{"agent":"claude","at_ms":1794767980000,"commit":null,"details":{"breaches":4,"cites":["01M7G83HV000000001M7G83EXB","01M7G83JT800000001M7G83EXC","01M7G83KSG00000001M7G83EXD","01M7G83PQ800000001M7G83EXG","01M7G83SN000000001M7G83EXK","01M7G83WJR00000001M7G83EXP","01M7G83YH800000001M7G83EXR","01M7G83ZGG00000001M7G83EXS"],"constraints":["do not change web/"],"files":["web/theme/colours.css","web/theme/fonts.css","web/theme/grid.css","web/theme/menu.css","src/login.rs"],"steps":8,"tags":["web","theme","css","rs"],"trace":["Read src/login.rs","Changed src/login.rs:47","Changed web/theme/colours.css:47","Changed web/theme/fonts.css:47","Changed web/theme/grid.css:47","Changed web/theme/menu.css:47","Changed src/login.rs:47","Ran cargo test login"]},"goal":"Fix the login redirect in src/login.rs. Do not touch web/.","id":"01M7G841F000000001M7G83EXV","number":1,"parent":null,"query":"Fix the login redirect in src/login.rs. Do not touch web/.","session":"1111","status":"complete","trigger":"complete","user":"dev"}]}"#);
}

/// Files with the same name in several folders, changed by sessions that began in several
/// directories.
fn scattered() -> Recorded {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.start().prompt("Fix the login redirect in src/login.rs");
    for file in ["src/login.rs", "web/theme.css", "web/a/index.ts", "web/b/index.ts", "data.rs"] {
        script.edit(file, "red", "blue");
    }
    script.record(TaskEnding::Complete).end();
    recorded.play(&mut script);
    fs::create_dir(recorded.environment.project().join("src")).unwrap();
    let mut below = recorded.script("2222", 10).within("src");
    below.start().prompt("Tidy login.rs").edit("login.rs", "a", "b").edit("../web/c.css", "a", "b");
    recorded.play(&mut below);
    recorded
}

/// The output of `verger drift --file` before the first line about a session.
fn on_file(recorded: &Recorded, directory: &str, file: &str) -> String {
    let mut command = recorded.environment.command(env!("CARGO_BIN_EXE_verger"));
    command.current_dir(recorded.environment.project().join(directory));
    command.args(["drift", "--file", file]);
    let output = recorded.environment.run_command(command, "").to_string();
    let lines = output.lines().take_while(|line| !line.starts_with("session"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_is_found_by_any_of_its_names() {
    let recorded = scattered();
    let project = recorded.environment.project();
    let link = recorded.environment.root().join("link");
    std::os::unix::fs::symlink(&project, &link).unwrap();
    let within =
        |root: &std::path::Path, file: &str| root.join(file).to_string_lossy().into_owned();
    for (directory, file, expected) in [
        ("", "./src/login.rs", "src/login.rs"),
        ("", "web/../src/login.rs", "src/login.rs"),
        ("", &within(&project, "src/login.rs"), "src/login.rs"),
        ("", &within(&link, "src/login.rs"), "src/login.rs"),
        ("src", "login.rs", "src/login.rs"),
        ("src", "../web/theme.css", "web/theme.css"),
        ("src", "src/login.rs", "src/login.rs"),
        ("", "web/c.css", "web/c.css"),
    ] {
        let found = on_file(&recorded, directory, file);
        let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(found, format!("file {expected}"), "{file} in {directory:?}");
    }
    let both = recorded.verger(&["drift", "--file", "src/login.rs"]).success().stdout;
    assert_eq!(both.matches("session ").count(), 2, "{both}");
}

#[test]
fn a_file_of_a_task_is_found_when_its_session_is_gone() {
    let mut recorded = scattered();
    recorded.pass_days(400);
    assert_eq!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]).code, 0);
    for (directory, file) in [("", "web/theme.css"), ("src", "../web/theme.css")] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(on_file(&recorded, directory, file), @"
            file   web/theme.css
            task   400 days ago, complete: Fix the login redirect in src/login.rs
              see  verger tasks show M7G83EXG
            ");
        }
    }
}

#[test]
fn a_file_that_is_named_in_part_is_found_if_it_is_the_only_one() {
    let recorded = scattered();
    insta::assert_snapshot!(on_file(&recorded, "", "theme.css"), @"
    showing web/theme.css, the only file that matches theme.css
    file        web/theme.css
    ");
    insta::assert_snapshot!(on_file(&recorded, "", "index.ts"), @"
    ------- stderr -------
    verger: the names of 2 files that steps touched end with index.ts
    hint: name one with --file: web/a/index.ts, web/b/index.ts
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(on_file(&recorded, "", "web"), @"
    ------- stderr -------
    verger: web is a folder, and steps touched 4 files in it
    hint: name one with --file: web/a/index.ts, web/b/index.ts, web/c.css, web/theme.css
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(on_file(&recorded, "", "src/logn.rs"), @"
    no recorded step of this project touched src/logn.rs, and no task names it
    similar names: src/login.rs
    ");
    insta::assert_snapshot!(on_file(&recorded, "", "a.rs"), @"
    no recorded step of this project touched a.rs, and no task names it
    verger session list lists the recorded sessions
    ");
    insta::assert_snapshot!(on_file(&recorded, "", " "), @"
    ------- stderr -------
    verger: no file is named
    hint: name one of this project, as in verger drift --file src/main.rs
    ------- exit code 2 -------
    ");
    let one = recorded.verger(&["drift", "--file", "theme.css", "--json"]).success().stdout;
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!((&one["asked"], &one["file"]), (&json!("theme.css"), &json!("web/theme.css")));
}

/// The head of the output: the line about the agent's position.
fn head(recorded: &Recorded) -> String {
    let shown = recorded.verger(&["drift"]).success().stdout;
    shown.lines().nth(1).unwrap().to_owned()
}

#[test]
fn the_head_says_where_the_agent_stands_now() {
    let mut heads = vec![];
    for is_told in [false, true] {
        let mut recorded = Recorded::nothing();
        let mut script = recorded.script("1111", 0);
        if is_told {
            script = script.corrected();
        }
        script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
        recorded.play(&mut script);
        heads.push(head(&recorded));
        script.read("src/login.rs").edit("src/login.rs", "fn redirect(a)", "fn redirect(b)");
        script.edit("src/login.rs", "redirect(a)", "redirect(b)");
        recorded.play(&mut script);
        heads.push(head(&recorded));
        for file in ["colours", "fonts", "grid"] {
            script.edit(&format!("web/theme/{file}.css"), "red", "blue");
        }
        recorded.play(&mut script);
        heads.push(head(&recorded));
        for file in ["menu", "table", "tree"] {
            script.edit(&format!("web/theme/{file}.css"), "red", "blue");
            recorded.play(&mut script);
            heads.push(head(&recorded));
        }
        script.edit("src/login.rs", "redirect(c)", "redirect(d)").stop("Fixed.");
        recorded.play(&mut script);
        heads.push(head(&recorded));
        script.prompt("What about the login?");
        recorded.play(&mut script);
        heads.push(head(&recorded));
        let scope = recorded.verger(&["drift", "--json"]).success().stdout;
        let scope: Value = serde_json::from_str(&scope).unwrap();
        assert_eq!(scope["task"]["scope"], json!(["src/login.rs", "web/"]));
        assert_eq!(scope["task"]["constraints"], json!(["do not change web/"]));
    }
    insta::assert_snapshot!(heads.join("\n"), @"
    drift       not scored yet
    drift       limits kept, score 10
    drift       a limit was broken, score 5; recorded only, the agent was not told
    drift       a limit was broken, score 5; recorded only, the agent was not told
    drift       a limit was broken, score 5; recorded only, the agent was not told
    drift       a limit was broken, score 5; recorded only, the agent was not told
    drift       a limit was broken, score 5; recorded only, the agent was not told
    drift       not scored since your last prompt; before that: a limit was broken, score 5
    drift       not scored yet
    drift       limits kept, score 10
    drift       a limit was broken, score 5; the agent was told
    drift       a limit was broken, score 3; the agent was told
    drift       a limit was broken, score 2; the agent was told
    drift       a limit was broken, score 2; the agent was told before
    drift       a limit was broken, score 2; the agent was told before
    drift       not scored since your last prompt; before that: a limit was broken, score 2
    ");
}

#[test]
fn an_agent_that_goes_in_circles_is_said_to_go_in_circles() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0).corrected();
    script.start().prompt("Fix the login redirect in src/login.rs.").read("src/login.rs");
    let mut heads = vec![];
    for n in 0..11 {
        script.edit("src/login.rs", &format!("redirect({n})"), &format!("redirect({n}, to)"));
        script.fail("cargo test login", "test login::redirects ... FAILED");
        recorded.play(&mut script);
        heads.push(head(&recorded));
    }
    heads.dedup();
    insta::assert_snapshot!(heads.join("\n"), @"
    drift       no score: your prompts set no limit, and no check keeps failing
    drift    no score: your prompts set no limit, and no check keeps failing
    drift       going in circles, score 6; the agent was told
    drift       going in circles, score 6; the agent was told before
    ");
}

#[test]
fn the_status_of_a_live_session_names_a_broken_limit() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 55).corrected();
    drift(&mut script);
    recorded.play(&mut script);
    let of_drift = |recorded: &Recorded| {
        let status = recorded.verger(&["status"]).success().stdout;
        let lines = status.lines().skip_while(|line| !line.starts_with("live")).skip(1);
        lines.take_while(|line| line.starts_with("  ")).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(of_drift(&recorded), @"
    drift       a limit was broken, score 2; the agent was told before
    see         verger drift --session 1111
    ");
    script.prompt("Never mind the styles.");
    recorded.play(&mut script);
    assert_eq!(of_drift(&recorded), "", "the person spoke");
    let json = recorded.verger(&["status", "--json"]).success().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["live_sessions"][0]["drift"], @r#"{"followed":{"by":"person_spoke"},"kind":"limit","score":2,"telling":"told_before","text":"not scored since your last prompt; before that: a limit was broken, score 2"}"#);
}

#[test]
fn a_program_that_fails_is_named_until_it_answers() {
    let mut recorded = Recorded::nothing();
    let configure = |recorded: &Recorded, text: &str| {
        let environment = &recorded.environment;
        environment.write(environment.verger_home().join("config/config.toml"), text);
    };
    let set =
        "[drift]\nreader = { command = [\"read-prompt\"] }\nscorer = { command = [\"score\"] }\n";
    configure(&recorded, set);
    let mut script = recorded.script("1111", 55);
    let of_programs = |recorded: &Recorded| {
        let status = recorded.verger(&["status"]).success().stdout;
        let doctor = recorded.verger(&["doctor"]).to_string();
        let needs = status.lines().skip_while(|line| !line.starts_with("needs you"));
        let found = doctor.lines().filter(|line| line.contains("drift."));
        let lines = needs.chain(found).map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines
            .map(|words| words.join(" "))
            .filter(|line| line.contains("drift.") || line.contains("program"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    script.start().prompt("Fix the login redirect in src/login.rs.");
    for _ in 0..3 {
        script.event(asked(drift::SCORER, Asked::Failed, "it ended with exit status: 1"));
    }
    script.event(asked(READER, Asked::Failed, "there is no program \"read-prompt\""));
    recorded.play(&mut script);
    insta::assert_snapshot!(of_programs(&recorded), @r#"
    needs you the program of drift.reader failed once in 1 session of the last 7 days, so verger's own rules decided; the last failure, 4 min ago: there is no program "read-prompt"
    do verger config show drift.reader
    needs you the program of drift.scorer failed 3 times in 1 session of the last 7 days, so verger's own rules decided; the last failure, 4 min ago: it ended with exit status: 1
    do verger config show drift.scorer
    problem drift.reader the program of drift.reader failed once in 1 session of the last 7 days, so verger's own rules decided; the last failure, 4 min ago: there is no program "read-prompt"
    verger config show drift.reader
    problem drift.scorer the program of drift.scorer failed 3 times in 1 session of the last 7 days, so verger's own rules decided; the last failure, 4 min ago: it ended with exit status: 1
    verger config show drift.scorer
    "#);
    configure(&recorded, "");
    assert_eq!(of_programs(&recorded), "", "they are not set any more");
    configure(&recorded, set);
    script.event(asked(drift::SCORER, Asked::Answered, "fine"));
    recorded.play(&mut script);
    assert_eq!(of_programs(&recorded).matches("drift.scorer").count(), 0);
    assert_ne!(of_programs(&recorded), "", "the other has not answered yet");
    let mut later = recorded.script("2222", 57);
    later.start().prompt("Fix the logout.");
    later.event(asked(READER, Asked::Answered, "nothing"));
    recorded.play(&mut later);
    assert_eq!(of_programs(&recorded), "", "it answered in another session");
    later.event(asked(READER, Asked::Failed, "it ended with exit status: 1"));
    recorded.play(&mut later);
    assert!(of_programs(&recorded).contains("failed once in 1 session"));
}

/// The same test through the hook.
#[test]
fn drift_recorded_by_the_hook_is_shown() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let prompt =
        r#""prompt_id":"p1","prompt":"Fix the login redirect in src/login.rs. Do not touch web/.""#;
    recorded.event("1111", "UserPromptSubmit", prompt);
    let project = recorded.environment.project();
    for (n, file) in
        ["src/login.rs", "web/a.css", "web/b.css", "web/c.css", "web/d.css", "web/e.css"]
            .into_iter()
            .enumerate()
    {
        let input = json!({
            "file_path": project.join(file),
            "old_string": "fn redirect(to: &str)",
            "new_string": format!("colour{n}"),
        });
        let fields = format!(
            r#""prompt_id":"p1","tool_use_id":"t{n}","tool_name":"Edit","tool_input":{input},"tool_response":{{}}"#
        );
        recorded.event("1111", "PostToolUse", &fields);
    }
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    session     1111
    drift       a limit was broken, score 5; recorded only, the agent was not told
    goal        Fix the login redirect in src/login.rs. Do not touch web/.
    task        1
    scope       src/login.rs
    scope       web/
    limit       do not change web/
    steps       6
    6 s ago     prompt for new task 1
    3 s ago     score 5, steps 1 to 3; recorded only, the agent was not told
      because   `web/b.css`: the person said: do not change web/
      way back  restore `web/a.css`, `web/b.css` to the content before this task
      then      the next score was 5
    2 s ago     score 5, step 4; recorded only, the agent was not told
      because   `web/c.css`: the person said: do not change web/
      way back  restore `web/a.css`, `web/b.css`, `web/c.css` to the content before this task
      then      the next score was 5
    1 s ago     score 5, step 5; recorded only, the agent was not told
      because   `web/d.css`: the person said: do not change web/
      way back  restore `web/a.css`, `web/b.css`, `web/c.css`, `web/d.css` to the content before this task
      then      the next score was 5
    0 s ago     score 5, step 6; recorded only, the agent was not told
      because   `web/e.css`: the person said: do not change web/
      way back  restore `web/a.css`, `web/b.css`, `web/c.css`, `web/d.css`, `web/e.css` to the content before this task
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "web/e.css"]), @"
    file     web/e.css
    session  1111, task 1
      for    Fix the login redirect in src/login.rs. Do not touch web/.
    0 s ago  changed
      broke  the person said: do not change web/
    ");
    recorded.event("1111", "SessionEnd", r#""reason":"other""#);
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"0 s ago  partial  000000W6  Fix the login redirect in src/login.rs. Do not touch web/. (6 files)");
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 1 session with 15 records: no difference");
}

#[test]
fn nothing_to_show_says_what_to_do() {
    let mut recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    ------- stderr -------
    verger: no session of this project was recorded
    hint: verger status says whether the hook is registered with your agent
    ------- exit code 2 -------
    ");
    let mut script = recorded.script("1111", 0);
    script.start().stop("Hello.");
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    session  1111
    drift    no score: your prompts set no limit, and no check keeps failing
    goal     no prompt was recorded
    steps    0
    drift is measured after 3 batches of tool calls, and when the agent stops
    ");
    fs::create_dir_all(recorded.environment.verger_home().join("config")).unwrap();
    let file = recorded.environment.verger_home().join("config/config.toml");
    fs::write(file, "[drift]\nmode = \"off\"\n").unwrap();
    let off = recorded.verger(&["drift"]).success().stdout;
    insta::assert_snapshot!(off.lines().last().unwrap(), @r#"drift is not measured: drift.mode is "off"; verger config set drift.mode observe turns it on"#);
    insta::assert_snapshot!(recorded.verger(&["drift", "--session", "9999"]), @r#"
    ------- stderr -------
    verger: no session begins with "9999"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
}

#[test]
fn an_empty_name_is_no_session() {
    let recorded = two_sessions();
    for command in [&["drift"][..], &["session", "handoff"]] {
        let output = recorded.verger(&[command, &["--session", ""]].concat()).to_string();
        assert_eq!(
            output.trim_end(),
            "------- stderr -------\nverger: no session was given\n\
             hint: verger session list shows all sessions; the beginning of an id is enough\n\
             ------- exit code 2 -------",
            "{command:?}"
        );
    }
}

#[test]
fn damaged_and_foreign_records_cost_nothing_but_themselves() {
    let recorded = two_sessions();
    let path = recorded.segment("2222");
    let text = fs::read_to_string(&path).unwrap();
    let damaged = text.replacen("web/theme/menu.css", "web/theme/mxnu.css", 1);
    fs::write(&path, format!("{damaged}{{\"v\":99}}\nnot a record\n")).unwrap();
    let shown = recorded.verger(&["drift", "--json"]).success();
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    // The damaged step is the sixth.
    assert_eq!(shown["steps"], 5);
    let said = recorded.verger(&["drift", "--limit", "1"]).stderr;
    let unread = "verger: 3 lines of this session cannot be read; verger log verify says why\n";
    assert_eq!(said, unread);
    assert_eq!(recorded.verger(&["drift", "--file", "src/login.rs"]).code, 0);
    assert_eq!(recorded.verger(&["tasks"]).code, 0);
    assert_eq!(recorded.verger(&["session", "handoff"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 2 sessions with 32 records: no difference");
}

#[test]
fn a_huge_prompt_is_shown_as_a_goal_of_a_few_lines() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.prompt(&format!("Fix src/login.rs. {}", "Look at the log: ".repeat(65_000)));
    recorded.play(&mut script);
    for arguments in [&["drift"][..], &["tasks"], &["session", "handoff"], &["drift", "--json"]] {
        let shown = recorded.verger(arguments).success().stdout;
        assert!(shown.len() < 4_000, "{arguments:?}: {}", shown.len());
    }
}

/// The name that `verger why` accepts for the nth record of this kind.
fn numbered(recorded: &Recorded, kind: &str, nth: usize) -> String {
    let trace = recorded.verger(&["session", "trace", "1111", "--jsonl"]).success().stdout;
    let numbers: Vec<_> = trace
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|entry| entry["record"]["kind"] == kind)
        .filter(|entry| kind != "gate.changed" || entry["record"]["payload"]["gate"] == "drift")
        .map(|entry| format!("1111:{}", entry["record"]["seq"]))
        .collect();
    numbers[nth].clone()
}

#[test]
fn why_explains_a_correction() {
    let recorded = two_sessions();
    let correction = numbered(&recorded, "context.injected", 0);
    insta::assert_snapshot!(recorded.verger(&["why", &correction]), @"
    Told the agent: verger: you did something that the person forbade.

    event       tool.succeeded at 1111:5
    id          01M7G83KSG00000001M7G83EXD
    when        2026-11-15 18:39:26
    session     1111 of claude
    directory   $ENV/home/project
    who         the agent
    what        edit $ENV/home/project/web/theme/colours.css
    gate        drift: normal -> drifted
      cause     score 5: `web/theme/colours.css`: the person said: do not change web/
    told agent  verger: you did something that the person forbade.
                - `web/theme/colours.css`: the person said: do not change web/
                Next: restore `web/theme/colours.css` to the content before this task. If you think that the person has changed their mind, ask before you go on.
      from      drift
      grounds   not recorded
    finding     score 5, steps 1 to 3; the agent was told
      goal      Fix the login redirect in src/login.rs. Do not touch web/.
      because   `web/theme/colours.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css` to the content before this task
      then      the next score was 3
      see       verger drift --session 1111
    ");
    let score = numbered(&recorded, "gate.changed", 0);
    let of_score = recorded.verger(&["why", &score]).success().stdout;
    assert_eq!(of_score, recorded.verger(&["why", &correction]).success().stdout);
    let explained = recorded.verger(&["why", &correction, "--json"]).success().stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    assert_eq!(explained["drift"]["scored"]["score"], 5);
    let followed = json!({ "by": "scored_again", "score": 3 });
    assert_eq!(explained["drift"]["scored"]["followed"], followed);
}

/// A score at the end of a turn is only recorded. It is not the reason for a later denial.
#[test]
fn why_explains_a_release_by_the_score_that_the_agent_was_told_of() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0).corrected();
    drift(&mut script);
    script.read("src/login.rs").stop("I go on.");
    let call = ToolCall::edit("web/theme/d.css", "", "");
    script.event(Event::ToolRequested(ToolCall { tool: "Edit".into(), ..call }));
    let change = drift::Change::Released { what: "Edit web/theme/d.css".into() };
    script.event(Event::GateChanged {
        gate: drift::GATE.into(),
        from: "forced".into(),
        to: "released".into(),
        cause: change.cause(),
        change: serde_json::to_value(&change).ok(),
    });
    recorded.play(&mut script);
    let shown = recorded.verger(&["drift", "--limit", "1"]).success().stdout;
    let released = shown.split("verger why ").last().unwrap().trim();
    let why = recorded.verger(&["why", released]).success().stdout;
    let finding = why.lines().skip_while(|line| !line.starts_with("finding"));
    insta::assert_snapshot!(finding.collect::<Vec<_>>().join("\n"), @"
    finding     score 2, step 6; the agent was told before
      goal      Fix the login redirect in src/login.rs. Do not touch web/.
      because   `web/theme/menu.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css` to the content before this task
      see       verger drift --session 1111
    ");
    assert_eq!(
        head(&recorded),
        "drift       a limit was broken, score 2; the agent repeated it until the limit of denials, \
         then it was allowed"
    );
}

#[test]
fn why_explains_a_change_that_was_denied() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0).corrected();
    drift(&mut script);
    for file in ["a", "b", "c"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    let call = ToolCall::edit("web/theme/d.css", "", "");
    script.event(Event::ToolRequested(ToolCall { tool: "Edit".into(), ..call }));
    recorded.play(&mut script);
    let about = script.records();
    recorded.own_event("1111", about, |on| {
        let verdict = Verdict::Deny { reason: "Go back first.".into() };
        Event::VerdictGiven {
            verdict: verdict.clone(),
            on,
            by: vec![Opinion { by: drift::GATE.into(), verdict, grounds: Grounds::default() }],
            notice: None,
        }
    });
    let denied = numbered(&recorded, "verdict.given", 0);
    insta::assert_snapshot!(recorded.verger(&["why", &denied]), @"
    Denied: `Edit web/theme/d.css`: Go back first.

    event       tool.requested at 1111:22
    id          01M7G844CR00000001M7G83EXY
    when        2026-11-15 18:39:43
    session     1111 of claude
    directory   $ENV/home/project
    who         the agent
    what        Edit web/theme/d.css
    answer      deny: Go back first.
    drift       said so
      grounds   not recorded
    finding     score 2, step 9; the agent was told before
      goal      Fix the login redirect in src/login.rs. Do not touch web/.
      because   `web/theme/c.css`: the person said: do not change web/
      way back  restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css`, `web/theme/a.css`, `web/theme/b.css`, `web/theme/c.css` to the content before this task
      see       verger drift --session 1111
    ");
}
