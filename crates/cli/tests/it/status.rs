//! `verger status`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use verger_event::Event;
use verger_event::VergerPart;

use crate::recorded::Recorded;
use crate::reviewed::{By, Reviewed};

#[test]
fn before_anything_it_says_what_to_do_first() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    verger        0.1.0, files in ~/.verger/data
    live          no session
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    needs you     no coding agent was found; verger supports Claude Code, Codex, Gemini CLI and Copilot CLI
      do          install one of them, then verger init
    "#);
    insta::assert_snapshot!(recorded.verger(&["status", "--json"]), @r#"{"agents":[],"capabilities":[{"does":"records what agents do in the log","name":"recording","on":true,"settings":[{"class":"tighten-only","key":"record.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"removes secrets before anything is written","name":"redaction","on":true,"settings":[]},{"does":"blocks an agent's stop until its work was reviewed","name":"review","on":true,"settings":[{"class":"tighten-only","key":"review.mode","origins":[{"layer":"default"}],"value":"prompt"},{"class":"tighten-only","key":"review.gated_tools","origins":[{"layer":"default"}],"value":[]}]},{"does":"allows, asks about or denies an agent's calls; only records in mode observe","name":"guard","on":true,"settings":[{"class":"tighten-only","key":"guard.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"saves what a call may destroy, so that it can be brought back","name":"undo","on":true,"settings":[{"class":"tighten-only","key":"undo.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"asks an agent to write down what a closed ticket taught it","name":"learning","on":true,"settings":[{"class":"tighten-only","key":"learning.mode","origins":[{"layer":"default"}],"value":"on"}]},{"does":"records claims of \"done\" without a green check; in modes claims and always it blocks the agent's stop","name":"verification","on":true,"settings":[{"class":"tighten-only","key":"verification.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops a lead agent from doing the work of its subagents","name":"delegation","on":false,"settings":[{"class":"tighten-only","key":"delegation.mode","origins":[{"layer":"default"}],"value":"off"}]},{"does":"records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct","name":"drift","on":true,"settings":[{"class":"tighten-only","key":"drift.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops calls that a project does not want, such as `git add -A`","name":"habits","on":false,"settings":[{"class":"tighten-only","key":"habits.add_all","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.attribution","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.staged_secrets","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.force_push","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.draft_pr","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.merge","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.search_tools","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.subagent_builds","origins":[{"layer":"default"}],"value":"off"}]}],"config":"$ENV/home/.verger/config/config.toml","data":"$ENV/home/.verger/data","let_go":[],"live_sessions":[],"needs":[{"check":"registration","finding":"problem","fixable":false,"help":"install one of them, then verger init","what":"no coding agent was found; verger supports Claude Code, Codex, Gemini CLI and Copilot CLI","where":null}],"undo_points":null,"version":"0.1.0"}"#);
}

#[test]
fn after_init_it_waits_to_see_the_agent() {
    let mut recorded = Recorded::nothing();
    recorded.init(&[]);
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    verger        0.1.0, files in ~/.verger/data
    agent         Claude Code: plugin; version not known; never seen
    live          no session
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    needs you     Claude Code has not called verger since it was registered
      do          start Claude Code in a project and send a prompt; sessions that ran before are not recorded
    "#);
}

#[test]
fn with_several_agents_each_live_session_names_its_own() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let cwd = recorded.environment.project();
    let payload =
        serde_json::json!({ "session_id": "2222", "cwd": cwd, "source": "startup" }).to_string();
    let codex = recorded.verger_with_input(&["hook", "codex", "SessionStart"], payload);
    assert_eq!(codex.success().to_string(), "");
    let status = recorded.verger(&["status"]).stdout;
    let live: Vec<_> = status.lines().filter(|line| line.starts_with("live")).collect();
    insta::assert_snapshot!(live.join("\n"), @"
    live          2222 of Codex in ~/project: no task yet, last event 0 s ago
    live          1111 of Claude Code in ~/project: no task yet, last event 1 s ago
    ");
}

#[test]
fn live_sessions_are_shown_with_their_tasks() {
    let mut recorded = Recorded::nothing();
    recorded.init(&[]);
    recorded.environment.set("AI_AGENT", "claude-code_2-1-197_agent");
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.event("1111", "UserPromptSubmit", r#""prompt_id":"p1","prompt":"fix it""#);
    recorded.event("1111", "SubagentStart", r#""agent_id":"a","agent_type":"x""#);
    recorded.event("2222", "SessionStart", r#""source":"startup""#);
    recorded.event("3333", "SessionEnd", r#""reason":"other""#);
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    verger        0.1.0, files in ~/.verger/data
    agent         Claude Code: plugin; version 2.1.197, tested; last event 0 s ago
    live          2222 in ~/project: no task yet, last event 1 s ago
    live          1111 in ~/project: task open, last event 2 s ago, 1 subagent
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    needs you     nothing
    "#);
    insta::assert_snapshot!(recorded.verger(&["status", "--json"]), @r#"{"agents":[{"agent":"claude","last_event_ms":1794767967000,"registered":"plugin","settings":[],"tested":true,"version":"2.1.197"}],"capabilities":[{"does":"records what agents do in the log","name":"recording","on":true,"settings":[{"class":"tighten-only","key":"record.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"removes secrets before anything is written","name":"redaction","on":true,"settings":[]},{"does":"blocks an agent's stop until its work was reviewed","name":"review","on":true,"settings":[{"class":"tighten-only","key":"review.mode","origins":[{"layer":"default"}],"value":"prompt"},{"class":"tighten-only","key":"review.gated_tools","origins":[{"layer":"default"}],"value":[]}]},{"does":"allows, asks about or denies an agent's calls; only records in mode observe","name":"guard","on":true,"settings":[{"class":"tighten-only","key":"guard.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"saves what a call may destroy, so that it can be brought back","name":"undo","on":true,"settings":[{"class":"tighten-only","key":"undo.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"asks an agent to write down what a closed ticket taught it","name":"learning","on":true,"settings":[{"class":"tighten-only","key":"learning.mode","origins":[{"layer":"default"}],"value":"on"}]},{"does":"records claims of \"done\" without a green check; in modes claims and always it blocks the agent's stop","name":"verification","on":true,"settings":[{"class":"tighten-only","key":"verification.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops a lead agent from doing the work of its subagents","name":"delegation","on":false,"settings":[{"class":"tighten-only","key":"delegation.mode","origins":[{"layer":"default"}],"value":"off"}]},{"does":"records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct","name":"drift","on":true,"settings":[{"class":"tighten-only","key":"drift.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops calls that a project does not want, such as `git add -A`","name":"habits","on":false,"settings":[{"class":"tighten-only","key":"habits.add_all","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.attribution","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.staged_secrets","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.force_push","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.draft_pr","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.merge","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.search_tools","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.subagent_builds","origins":[{"layer":"default"}],"value":"off"}]}],"config":"$ENV/home/.verger/config/config.toml","data":"$ENV/home/.verger/data","let_go":[],"live_sessions":[{"agent":"claude","cwd":"$ENV/home/project","drift":null,"events":1,"first_ms":1794767966000,"last_ms":1794767966000,"learning":{"changed":null,"closed":[],"learnings_surfaced":[],"offers":[],"refusal":null,"release":null,"since_ms":null,"state":"idle","stops_refused":0,"system":null,"ticket":null},"project":"149d121308a57831c2283e2f6efb7bf6","review":{"approval":null,"call":null,"findings":null,"release":null,"reviewers":[],"since_ms":null,"state":"idle","stops_refused":0,"wanted_by":null},"session":"2222","subagents":[],"task":"none","verification":{"asked":null,"failures":[],"last":null,"last_green":null,"release":null,"since_ms":null,"started":null,"state":"idle","stops_refused":0},"warnings":0},{"agent":"claude","cwd":"$ENV/home/project","drift":null,"events":3,"first_ms":1794767963000,"last_ms":1794767965000,"learning":{"changed":null,"closed":[],"learnings_surfaced":[],"offers":[],"refusal":null,"release":null,"since_ms":null,"state":"idle","stops_refused":0,"system":null,"ticket":null},"project":"149d121308a57831c2283e2f6efb7bf6","review":{"approval":null,"call":null,"findings":null,"release":null,"reviewers":[],"since_ms":null,"state":"idle","stops_refused":0,"wanted_by":null},"session":"1111","subagents":["a"],"task":{"open":"01M7G83HV0000000000000009C"},"verification":{"asked":null,"failures":[],"last":null,"last_green":null,"release":null,"since_ms":null,"started":null,"state":"idle","stops_refused":0},"warnings":0}],"needs":[],"undo_points":null,"version":"0.1.0"}"#);
}

#[test]
fn hooks_in_settings_are_told_apart_from_the_plugin() {
    let mut recorded = Recorded::nothing();
    recorded.init(&["--local"]);
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let output = recorded.verger(&["status"]).success().stdout;
    insta::assert_snapshot!(output.lines().nth(1).unwrap(), @"agent         Claude Code: hooks in settings; version not known; last event 0 s ago");
}

#[test]
fn items_for_a_person_come_with_a_remedy() {
    let mut recorded = Recorded::nothing();
    recorded.init(&[]);
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.own_event("1111", 1, |_| Event::Warned {
        area: VergerPart::Store.into(),
        message: "write the log: No space left on device".into(),
    });
    let config = recorded.environment.verger_home().join("config");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[record]\nenabeld = true\n").unwrap();
    let settings = recorded.environment.home().join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    let text = text.replacen('{', "{ \"disableAllHooks\": true,", 1);
    fs::write(&settings, text).unwrap();
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    verger        0.1.0, files in ~/.verger/data
    agent         Claude Code: plugin; version not known; last event 0 s ago
    live          1111 in ~/project: no task yet, last event 0 s ago, 1 warning
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    needs you     ~/.claude/settings.json switches all hooks off (disableAllHooks)
      do          change that setting, or ask your administrator
    needs you     1 warning in 1 session of the last 7 days; the last, 0 s ago: store: write the log: No space left on device
      do          verger session show 1111
    needs you     ~/.verger/config/config.toml:2:1: unknown key "record.enabeld"; did you mean "record.enabled"?
      do          verger config show
    "#);
    // A week later, the warning and the session are no longer shown.
    recorded.environment.set("VERGER_TEST_NOW_MS", "1795999999000");
    let later = recorded.verger(&["status"]).stdout;
    assert_eq!((later.contains("warning"), later.contains("1111")), (false, false));
}

#[test]
fn records_that_wait_for_a_dead_session_need_a_person() {
    let mut recorded = Recorded::nothing();
    recorded.init(&[]);
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let segment = recorded.segment("1111");
    let spill = segment.with_extension("spill");
    fs::create_dir(&spill).unwrap();
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(spill.join("01M7G83FWG0000000000000034-0.jsonl"), &text).unwrap();
    fs::write(&segment, "").unwrap();
    let needs = |recorded: &Recorded| {
        let output = recorded.verger(&["status", "--json"]).success().stdout;
        output[output.find("\"needs\"").unwrap()..].to_owned()
    };
    assert!(!needs(&recorded).contains("merged"));
    recorded.environment.set("VERGER_TEST_NOW_MS", "1795067961000");
    insta::assert_snapshot!(needs(&recorded), @r#""needs":[{"check":"spill","finding":"problem","fixable":true,"help":"verger log rebuild","what":"1 record of 1 session are not merged into the log yet","where":null}],"undo_points":null,"version":"0.1.0"}"#);
    assert_eq!(recorded.verger(&["log", "rebuild"]).code, 0);
    assert!(!needs(&recorded).contains("merged"));
}

#[test]
fn settings_that_cannot_be_read_are_named() {
    let mut recorded = Recorded::nothing();
    recorded.init(&[]);
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    fs::write(recorded.environment.home().join(".claude/settings.json"), "{ nope").unwrap();
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    verger        0.1.0, files in ~/.verger/data
    agent         Claude Code: not registered; version not known; last event 0 s ago
    live          1111 in ~/project: no task yet, last event 0 s ago
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    needs you     ~/.claude/settings.json: settings of the agent cannot be read: it is not JSON: line 1, column 3: key must be a string
      do          correct the file
    "#);
}

#[test]
fn an_unusable_home_is_an_error() {
    let recorded = Recorded::two_sessions();
    let data = recorded.environment.verger_home().join("data");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o777)).unwrap();
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/.verger/data: other users may write to it (chmod 700 makes it private)
    hint: chmod 700 $ENV/home/.verger/data
    ------- exit code 3 -------
    "#);
}

#[test]
fn a_home_that_is_no_directory_is_an_error_for_all_that_read_the_log() {
    let mut recorded = Recorded::nothing();
    let file = recorded.environment.write("file", "");
    recorded.environment.set("VERGER_HOME", file.join("below"));
    for arguments in
        [&["status"][..], &["why", "--last"], &["why", "1111:1"], &["session", "show", "1111"]]
    {
        let output = recorded.verger(arguments);
        assert_eq!((output.stdout.as_str(), output.code), ("", 3), "{arguments:?}");
    }
    insta::assert_snapshot!(recorded.verger(&["status"]), @r#"
    ------- stderr -------
    verger: cannot open $ENV/home/project/file/below/data: Not a directory (os error 20)
    hint: ls -ld $ENV/home/project/file/below/data
    ------- exit code 3 -------
    "#);
}

#[test]
fn many_live_sessions_do_not_fill_the_screen() {
    let mut recorded = Recorded::nothing();
    for n in 0..12 {
        recorded.event(&format!("{n}000"), "SessionStart", r#""source":"startup""#);
    }
    let output = recorded.verger(&["status"]).success().stdout;
    let live: Vec<_> = output.lines().filter(|line| line.starts_with("live")).collect();
    insta::assert_snapshot!(live[9..].join("\n"), @r#"
    live          2000 in ~/project: no task yet, last event 9 s ago
    live          2 more: verger session list
    "#);
}

#[test]
fn it_works_without_git_and_outside_of_any_project() {
    let mut recorded = Recorded::two_sessions();
    recorded.environment.set("PATH", "");
    fs::remove_dir_all(recorded.environment.project().join(".git")).unwrap();
    assert_eq!(recorded.verger(&["status"]).code, 0);
}

/// The part of `verger status` about the live session.
fn live(recorded: &Recorded) -> String {
    let status = recorded.verger(&["status"]).success().stdout;
    let lines = status.lines().skip_while(|line| !line.starts_with("live"));
    lines.take_while(|line| !line.starts_with("recording")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_live_session_is_shown_with_its_review() {
    let (reviewed, _) = Reviewed::begun();
    insta::assert_snapshot!(live(&reviewed), @r#"
    live          1111 in ~/project: task open, last event 0 s ago, 1 subagent
      review      wanted by a prompt with #review, 1 stop refused; review by subagent:a1 began 0 s ago
      release     verger release review --session 1111
    "#);
    let json = reviewed.verger(&["status", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["live_sessions"][0]["review"], @r##"{"approval":null,"call":null,"findings":null,"release":"verger release review --session 1111","reviewers":[{"content":"nothing","reviewer":"subagent:a1","since_ms":1794767966000}],"since_ms":1794767963000,"state":"blocked","stops_refused":1,"wanted_by":{"by":"prompt","word":"#review"}}"##);
    let after = |words: &[&str]| {
        let (mut reviewed, token) = Reviewed::begun();
        let words = [words, &["--token", &token]].concat();
        assert_eq!(reviewed.decide(By::Reviewer("a1"), &words).code, 0);
        live(&reviewed)
    };
    insta::assert_snapshot!(after(&["issues", "one thing", "--message", "fix a.rs"]), @r#"
    live          1111 in ~/project: task open, last event 0 s ago, 1 subagent
      review      wanted by a prompt with #review; the last review found issues: one thing
      release     verger release review --session 1111
    "#);
    insta::assert_snapshot!(after(&["complete", "all of it"]), @r#"
    live          1111 in ~/project: task open, last event 0 s ago, 1 subagent
      review      approved by subagent:a1 0 s ago
    "#);
    insta::assert_snapshot!(after(&["unavailable", "no quota"]), @r#"
    live          1111 in ~/project: task open, last event 0 s ago, 1 subagent
      review      released 0 s ago, not reviewed: the review could not be made
    "#);
}

#[test]
fn how_to_open_a_gate_is_for_people() {
    let (mut reviewed, _) = Reviewed::begun();
    reviewed.environment.set("CLAUDECODE", "1");
    assert!(!live(&reviewed).contains("verger release"));
    let json = reviewed.verger(&["status", "--json"]).success().stdout;
    assert!(json.contains(r#""release":null"#) && !json.contains("verger release"), "{json}");
}
