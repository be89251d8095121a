//! What is handed over when an agent's memory is cut.

use super::*;

#[test]
fn a_finished_task_is_handed_over_with_what_was_done() {
    let mut story = Story::default();
    fixed_login(&mut story);
    let record = story.track.record_current(Ending::Complete).unwrap();
    story.record(&record);
    assert!(!story.track.is_under_way());
    let handoff = story.track.handoff(&["An old item".to_owned()]).unwrap();
    let expected = Handoff {
        goal: "Fix the login redirect in src/login.rs. No new dependencies.".to_owned(),
        constraints: vec!["no new dependencies".to_owned()],
        progress: vec![
            "Changed src/login.rs:47 in redirect".to_owned(),
            "Ran cargo test login: failed".to_owned(),
            "Changed src/login.rs:47".to_owned(),
            "Ran cargo test login".to_owned(),
            "Ran git commit -am 'login: redirect'".to_owned(),
        ],
        decisions: vec![
            "git commit -am 'login: redirect': Keep the fix".to_owned(),
            "I kept the old route: the mobile app still uses it".to_owned(),
        ],
        files: vec!["src/login.rs".to_owned()],
        state: vec![
            "the task is finished".to_owned(),
            "`cargo test login` passed, and nothing was changed since".to_owned(),
            "the agent said last: Fixed. I kept the old route because the mobile app still uses it."
                .to_owned(),
        ],
        next: "nothing: wait for what the person says".to_owned(),
    };
    assert_eq!(handoff, expected);
    story.prompt("the redirect drops the query, please keep it");
    story.edit("src/login.rs", "to.path()", "to.query()");
    let handoff = story.track.handoff(&[]).unwrap();
    assert_eq!(handoff.next, "run `cargo test login` again");
    assert!(story.track.is_under_way());
}

#[test]
fn what_was_finished_beside_a_task_is_handed_over_with_it() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    story.prompt("Also update the tests in tests/login.rs");
    story.edit("tests/login.rs", "assert!(a)", "assert!(b)");
    story.stop("The tests are updated.");
    let record = story.track.record_current(Ending::Complete).unwrap();
    assert_eq!((record.number, record.parent), (TaskNumber(2), Some(TaskNumber(1))));
    story.record(&record);
    let handoff = story.track.handoff(&[]).unwrap();
    assert_eq!(
        handoff.progress,
        ["Changed src/login.rs:47", "Finished: Also update the tests in tests/login.rs"]
    );
    let rest = story.track.records_of_all(Ending::SessionEnded, |_| false);
    assert_eq!(told(&rest), [(1, "partial", "src/login.rs".to_owned())]);
}

#[test]
fn what_waits_for_a_part_is_handed_over_with_it() {
    let mut story = Story::default();
    story.prompt("Set up the proxy in vite.config.ts");
    story.edit("vite.config.ts", "a", "b");
    story.stop("The server block is there. I kept the port because others use it.");
    story.prompt("First I need to install deps");
    story.edit("package.json", "a", "b");
    let expected = Handoff {
        goal: "Set up the proxy in vite.config.ts\nthen: First I need to install deps".to_owned(),
        progress: vec![
            "Changed vite.config.ts:47".to_owned(),
            "Changed package.json:47".to_owned(),
        ],
        decisions: vec!["I kept the port: others use it".to_owned()],
        files: vec!["vite.config.ts".to_owned(), "package.json".to_owned()],
        next: "go on with the goal, or say that it is done".to_owned(),
        ..Handoff::default()
    };
    assert_eq!(story.track.handoff(&[]), Some(expected));
}

#[test]
fn what_a_person_added_is_handed_over() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    story.stop("The redirect works for paths.");
    for words in ["go on", "the redirect must keep the query\nand the hash", "yes", "続けて"] {
        story.prompt(words);
    }
    story.edit("src/login.rs", "b", "c");
    let handoff = story.track.handoff(&[]).unwrap();
    assert_eq!(
        handoff.goal,
        "Fix the login redirect in src/login.rs.\nthen: the redirect must keep the query and the hash"
    );
    assert_eq!(handoff.state, ["the agent said before it went on: The redirect works for paths."]);
}

#[test]
fn what_was_cleared_is_not_handed_over() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let text = "## Goal".to_owned();
    story.event(Event::HandoffWritten { trigger: "the session ended".to_owned(), text });
    let (source, model) = (StartSource::Clear, None);
    story.event(Event::SessionStarted { source, model, transcript: None });
    assert_eq!((story.track.handoff_written(), story.track.handoff(&[])), (None, None));
}

#[test]
fn what_an_agent_must_not_lose_is_handed_over() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. Do not touch src/api.");
    story.edit("src/login.rs", "fn redirect(", "fn redirect(to: &Url");
    story.fails("cargo test login", "test redirect_home ... FAILED");
    let handoff = story.track.handoff(&[]).unwrap();
    let expected = Handoff {
        goal: "Fix the login redirect in src/login.rs. Do not touch src/api.".to_owned(),
        constraints: vec!["do not change src/api".to_owned()],
        progress: vec![
            "Changed src/login.rs:47 in redirect".to_owned(),
            "Ran cargo test login: failed".to_owned(),
        ],
        decisions: vec![],
        files: vec!["src/login.rs".to_owned()],
        state: vec!["`cargo test login` failed".to_owned()],
        next: "make `cargo test login` pass".to_owned(),
    };
    assert_eq!(handoff, expected);
    let todos = ["Write a test".to_owned()];
    let next = story.track.handoff(&todos).unwrap().next;
    assert_eq!(next, "the open item: Write a test");
    assert_eq!(Track::default().handoff(&[]), None);
}

#[test]
fn a_handoff_waits_until_it_is_given_back() {
    let mut story = Story::default();
    let text = "## Goal".to_owned();
    story.event(Event::HandoffWritten { trigger: "compaction".to_owned(), text });
    assert_eq!(story.track.handoff_written(), Some("## Goal"));
    story.event(Event::ContextInjected {
        moment: "session.started".to_owned(),
        on: None,
        sources: vec![HANDOFF.to_owned()],
        text: String::new(),
        grounds: verger_event::Grounds::default(),
        scores: std::collections::BTreeMap::default(),
        corrections: vec![],
    });
    assert_eq!(story.track.handoff_written(), None);
}
