//! Sessions told in short, and what the course makes of them.

mod handoffs;
mod records;
mod wanted;

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
    /// Where the agent is within the project.
    folder: &'static str,
}

impl Story {
    fn event(&mut self, event: Event) -> Noted {
        self.event_on(event, vec![])
    }

    /// The id of the record that comes after so many others.
    fn id_after(&self, others: u64) -> EventId {
        let number = self.records + others + 1;
        EventId::new(Timestamp::from_millis(number), number.into())
    }

    fn event_on(&mut self, event: Event, evidence: Vec<EventId>) -> Noted {
        let id = self.id_after(0);
        self.records += 1;
        let origin = Origin {
            agent: "claude".parse().unwrap(),
            agent_version: None,
            session: SessionId::new("s"),
            actor: Actor::Main { agent_type: None },
            user: None,
            role: None,
            project: None,
            circumstance: Circumstance {
                cwd: Some(format!("/home/dev/app{}", self.folder)),
                ..Circumstance::default()
            },
        };
        let standing = Standing { evidence, ..Standing::default() };
        let access = Access::default();
        let at = Timestamp::from_millis(self.records);
        let draft = Draft { id, at, origin, standing, access, event };
        let noted = self.track.take(&Record { seq: self.records, draft });
        // Every story may go on from a snapshot.
        let stored = postcard::to_allocvec(&self.track).unwrap();
        assert_eq!(postcard::from_bytes::<Track>(&stored).unwrap(), self.track);
        noted
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

    /// What a program read out of the prompt that is said after so many other records.
    fn reads(&mut self, reading: &Reading, others: u64) {
        let on = self.id_after(1 + others);
        let event = Event::GateChanged {
            gate: READER.to_owned(),
            from: "asked".to_owned(),
            to: "answered".to_owned(),
            cause: reading.to_string(),
            change: Some(json!({ "is": "answered", "reading": reading })),
        };
        assert_eq!(self.event_on(event, vec![on]), Noted::Nothing);
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

fn told(records: &[TaskRecord]) -> Vec<(u32, &'static str, String)> {
    let of = |one: &TaskRecord| (one.number.0, one.ending.status(), one.details.files.join(" "));
    records.iter().map(of).collect()
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
fn ten_thousand_steps_stay_small() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    for n in 0..10_000 {
        let words: Vec<String> = (0..20).map(|word| format!("name{n}x{word}")).collect();
        story.edit(&format!("src/part{}/file{n}.rs", n % 97), "fn a()", &words.join(" "));
    }
    let stored = postcard::to_allocvec(&story.track).unwrap();
    assert!(stored.len() < 64 * 1024, "{}", stored.len());
    let again: Track = postcard::from_bytes(&stored).unwrap();
    assert_eq!(again.assess(), story.track.assess());
}

#[test]
fn what_it_does_not_read_changes_nothing_but_by_its_kind() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let calls = vec![];
    let of_gate = |gate: &str| Event::GateChanged {
        gate: gate.to_owned(),
        from: String::new(),
        to: String::new(),
        cause: "score 7".to_owned(),
        change: Some(json!({ "is": "scored" })),
    };
    assert!(Track::GATES.is_some_and(|gates| !gates.contains(&"course")));
    let is_passed = |event: &Event| matches!(event, Event::GateChanged { .. });
    story.folder = "/web";
    for event in [
        of_gate("course"),
        Event::ToolRequested(ToolCall { id: None, tool: "Read".to_owned(), input: Value::Null }),
        Event::ToolBatchEnded { calls },
        Event::SubagentStarted,
    ] {
        assert!(is_passed(&event) || !Track::reads(event.kind()), "{}", event.kind());
        let mut outlined = story.track.clone();
        let (kind, actor) = (event.kind(), Actor::Main { agent_type: None });
        outlined.pass(&Outline { seq: 0, kind, actor, cwd: Some("/home/dev/app/web".into()) });
        story.event(event);
        assert_eq!(story.track, outlined);
    }
}

#[test]
fn a_line_is_about_the_files_of_the_folder_that_it_ran_in() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. Do not touch src/billing.rs.");
    // The record of what ran is made where it led to.
    story.folder = "/src";
    let files = |noted: Noted| match noted {
        Noted::Stepped { step, .. } => step.files.join(" "),
        other => panic!("{other:?}"),
    };
    assert_eq!(files(story.runs("cd src && rm a.rs", "", "")), "src/a.rs");
    assert_eq!(files(story.runs("sed -i 's/20/10/' billing.rs", "", "")), "src/billing.rs");
    assert_eq!(story.track.assess().score.get(), 4);
    let back = ToolCall {
        id: None,
        tool: "Bash".to_owned(),
        input: json!({ "command": "git checkout -- billing.rs" }),
    };
    let bearings =
        ["/home/dev/app/src", "/home/dev/app"].map(|cwd| story.track.bearing_of(&back, Some(cwd)));
    assert_eq!(bearings, [Alignment::Aligned, Alignment::Neutral]);
    story.runs("git checkout -- billing.rs; cd ..", "", "");
    assert_eq!(story.track.assess().score.get(), 10);
    story.folder = "";
    assert_eq!(files(story.runs("rm ../b.rs", "", "")), "b.rs");
    assert_eq!(files(story.runs("rm b.rs", "", "")), "b.rs");
}

#[test]
fn a_file_that_is_written_as_it_was_is_taken_back() {
    let whole = "fn pay() {}\n\nfn refund() {}\n";
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. Do not touch src/billing.rs.");
    let changed = json!({ "file_path": "/home/dev/app/src/billing.rs", "old_string": "pay", "new_string": "paid" });
    story.call("Edit", changed, json!({ "originalFile": whole }));
    let write = |content: &str| {
        let input = json!({ "file_path": "/home/dev/app/src/billing.rs", "content": content });
        ToolCall { id: None, tool: "Write".to_owned(), input }
    };
    let bearings =
        ["fn other() {}\n", whole].map(|content| story.track.bearing_of(&write(content), None));
    assert_eq!(bearings, [Alignment::Astray, Alignment::Aligned]);
    assert_eq!(story.track.assess().score.get(), 4);
    story.call("Write", write(whole).input, json!({}));
    assert_eq!(story.track.assess().score.get(), 10);
}
