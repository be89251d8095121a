use serde_json::{Value, json};
use verger_event::{
    Access, Actor, Circumstance, Continuation, Draft, Event, EventId, Interruption, Origin,
    PromptOrigin, Record, SessionId, Standing, StopRequest, Timestamp, ToolCall, ToolUseId,
    Verdict,
};

use super::*;
use crate::{Decision, PromptAction};

/// A session that is told in short.
#[derive(Default)]
struct Story {
    track: Track,
    records: u64,
}

impl Story {
    fn event(&mut self, event: Event) -> Noted {
        self.records += 1;
        let id = EventId::new(Timestamp::from_millis(self.records), self.records.into());
        let origin = Origin {
            agent: "claude".parse().unwrap(),
            agent_version: None,
            session: SessionId::new("s"),
            actor: Actor::Main { agent_type: None },
            user: None,
            role: None,
            project: None,
            circumstance: Circumstance {
                cwd: Some("/home/dev/app".to_owned()),
                ..Circumstance::default()
            },
        };
        let (standing, access) = (Standing::default(), Access::default());
        let at = Timestamp::from_millis(self.records);
        self.track.take(&Record {
            seq: self.records,
            draft: Draft { id, at, origin, standing, access, event },
        })
    }

    fn prompt(&mut self, prompt: &str) -> Noted {
        let prompt = prompt.to_owned();
        self.event(Event::PromptSubmitted { origin: PromptOrigin::Person, prompt })
    }

    fn call(&mut self, tool: &str, input: Value, response: Value) -> Noted {
        let id = Some(ToolUseId::new(format!("t{}", self.records)));
        let call = ToolCall { id, tool: tool.to_owned(), input };
        self.event(Event::ToolSucceeded { call, response, duration_ms: None })
    }

    fn edit(&mut self, file: &str, old: &str, new: &str) -> Noted {
        let file = format!("/home/dev/app/{file}");
        let input = json!({ "file_path": file, "old_string": old, "new_string": new });
        self.call("Edit", input, json!({ "structuredPatch": [{ "newStart": 47 }] }))
    }

    fn fails(&mut self, command: &str, error: &str) -> Noted {
        let input = json!({ "command": command });
        let call = ToolCall { id: None, tool: "Bash".to_owned(), input };
        let (error, interruption) = (error.to_owned(), Interruption::None);
        self.event(Event::ToolFailed { call, error, interruption, duration_ms: None })
    }

    fn runs(&mut self, command: &str, why: &str, output: &str) -> Noted {
        let input = json!({ "command": command, "description": why });
        self.call("Bash", input, json!({ "stdout": output, "stderr": "" }))
    }

    fn stop(&mut self, words: &str) {
        self.event(Event::StopRequested(StopRequest {
            continuation: Continuation::First,
            last_message: Some(words.to_owned()),
            background: vec![],
            crons: vec![],
        }));
    }

    fn record(&mut self, record: &TaskRecord) {
        self.event(record.event());
    }
}

fn fixed_login(story: &mut Story) {
    story.prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    let file = json!({ "file_path": "/home/dev/app/src/login.rs" });
    story.call("Read", file, Value::Null);
    story.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    story.fails("cargo test login", "test redirect_home ... FAILED");
    story.edit("src/login.rs", "to.path()", "to.as_str()");
    story.runs("cargo test login", "Run the tests", "test result: ok");
    story.runs(
        "git commit -am 'login: redirect'",
        "Keep the fix",
        "[main 1a2b3c4] login: redirect",
    );
    story.stop("Fixed. I kept the old route because the mobile app still uses it.");
}

#[test]
fn a_task_is_recorded_with_what_was_done_where_and_why() {
    let mut story = Story::default();
    fixed_login(&mut story);
    let record = story.track.record_current(Ending::Complete).unwrap();
    let decision = |choice: &str, reason: &str| Decision {
        choice: choice.to_owned(),
        reason: reason.to_owned(),
    };
    let details = TaskDetailsOf {
        trace: vec![
            "Read src/login.rs",
            "Changed src/login.rs:47 in redirect",
            "Ran cargo test login: failed",
            "Changed src/login.rs:47",
            "Ran cargo test login",
            "Ran git commit -am 'login: redirect'",
        ],
        decisions: vec![
            decision("git commit -am 'login: redirect'", "Keep the fix"),
            decision("I kept the old route", "the mobile app still uses it"),
        ],
        constraints: vec!["no new dependencies"],
        files: vec!["src/login.rs"],
        tags: vec!["rs"],
    };
    assert_eq!(TaskDetailsOf::of(&record), details);
    assert_eq!(
        (record.number, record.parent, record.commit.as_deref(), record.goal.as_str()),
        (
            TaskNumber(1),
            None,
            Some("1a2b3c4"),
            "Fix the login redirect in src/login.rs. No new dependencies."
        )
    );
    assert_eq!((record.details.steps, record.details.astray), (6, 0));
    assert_eq!(record.details.cites.len(), record.details.trace.len());
}

/// The texts of a record, to be compared whole.
#[derive(Debug, PartialEq)]
struct TaskDetailsOf<'a> {
    trace: Vec<&'a str>,
    decisions: Vec<Decision>,
    constraints: Vec<&'a str>,
    files: Vec<&'a str>,
    tags: Vec<&'a str>,
}

impl<'a> TaskDetailsOf<'a> {
    fn of(record: &'a TaskRecord) -> Self {
        let texts = |list: &'a [String]| list.iter().map(String::as_str).collect();
        let details = &record.details;
        Self {
            trace: texts(&details.trace),
            decisions: details.decisions.clone(),
            constraints: texts(&details.constraints),
            files: texts(&details.files),
            tags: texts(&details.tags),
        }
    }
}

#[test]
fn what_is_recorded_is_noted_no_more_and_the_log_gives_it_back() {
    let mut story = Story::default();
    fixed_login(&mut story);
    let record = story.track.record_current(Ending::Complete).unwrap();
    story.record(&record);
    assert_eq!(story.track.record_current(Ending::Complete), None);
    let Event::TaskRecorded { status, trigger, task, .. } = record.event() else { panic!() };
    assert_eq!((status.as_str(), trigger.as_str()), ("complete", "complete"));
    assert_eq!(crate::TaskDetails::of(&task), record.details);
}

#[test]
fn what_is_left_for_other_work_is_recorded_as_such() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let noted = story.prompt("Forget that. Write a changelog generator in tools/changelog.py.");
    let Noted::Prompted { prompted, .. } = noted else { panic!("{noted:?}") };
    assert_eq!((prompted.action, prompted.task), (PromptAction::NewTask, TaskNumber(2)));
    let left = story.track.records_of_left(Ending::LeftForOther);
    let told: Vec<_> = left.iter().map(|one| (one.number, one.goal.as_str())).collect();
    assert_eq!(told, [(TaskNumber(1), "Fix the login redirect in src/login.rs.")]);
    assert_eq!(left[0].ending.status(), "abandoned");
    story.record(&left[0]);
    assert_eq!(story.track.records_of_left(Ending::LeftForOther), []);
    assert_eq!(story.track.records_of_all(Ending::SessionEnded), [], "nothing was done yet");
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
fn a_call_that_is_seen_twice_counts_once_and_our_own_words_are_no_prompt() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    let call = |input: Value| ToolCall {
        id: Some(ToolUseId::new("t".to_owned())),
        tool: "Edit".to_owned(),
        input,
    };
    let once = || Event::ToolSucceeded {
        call: call(json!({ "file_path": "/home/dev/app/src/login.rs" })),
        response: Value::Null,
        duration_ms: None,
    };
    assert!(matches!(story.event(once()), Noted::Stepped { .. }));
    assert_eq!(story.event(once()), Noted::Nothing);
    let reason = "review first".to_owned();
    let verdict = Verdict::Deny { reason: reason.clone() };
    let on = EventId::new(Timestamp::from_millis(1), 1);
    story.event(Event::VerdictGiven { verdict, on, by: vec![], notice: None });
    assert_eq!(story.prompt(&reason), Noted::Nothing);
    assert_eq!(story.prompt("<system-reminder>x</system-reminder>"), Noted::Nothing);
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

#[test]
fn ten_thousand_steps_stay_small() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    for n in 0..10_000 {
        let words: Vec<String> = (0..20).map(|word| format!("name{n}x{word}")).collect();
        story.edit(&format!("src/part{}/file{n}.rs", n % 97), "fn a()", &words.join(" "));
    }
    let stored = serde_json::to_string(&story.track).unwrap();
    assert!(stored.len() < 64 * 1024, "{}", stored.len());
    let again: Track = serde_json::from_str(&stored).unwrap();
    assert_eq!(again.assess(), story.track.assess());
}

#[test]
fn what_it_does_not_read_changes_nothing_but_by_its_kind() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let calls = vec![];
    for event in [
        Event::ToolRequested(ToolCall { id: None, tool: "Read".to_owned(), input: Value::Null }),
        Event::ToolBatchEnded { calls },
        Event::SubagentStarted,
    ] {
        assert!(!Track::reads(event.kind()), "{}", event.kind());
        let mut outlined = story.track.clone();
        let (kind, actor) = (event.kind().to_owned(), Actor::Main { agent_type: None });
        outlined.pass(&Outline { seq: 0, kind, actor, cwd: Some("/home/dev/shop".to_owned()) });
        story.event(event);
        assert_eq!(story.track, outlined);
    }
}
