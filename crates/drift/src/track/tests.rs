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
                cwd: Some("/home/dev/app".to_owned()),
                ..Circumstance::default()
            },
        };
        let standing = Standing { evidence, ..Standing::default() };
        let access = Access::default();
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
fn what_is_recorded_is_recorded_again_only_with_news_and_the_log_gives_it_back() {
    let mut story = Story::default();
    fixed_login(&mut story);
    let record = story.track.record_current(Ending::Complete).unwrap();
    story.record(&record);
    assert_eq!(story.track.record_current(Ending::Complete), None);
    assert_eq!(story.track.records_of_all(Ending::SessionEnded, |_| false), []);
    let Event::TaskRecorded { status, trigger, task, .. } = record.event() else { panic!() };
    assert_eq!((status.as_str(), trigger.as_str()), ("complete", "complete"));
    assert_eq!(crate::TaskDetails::of(&task), record.details);
    story.prompt("does the redirect keep the query?");
    story.runs("grep -n query src/login.rs", "Look", "12: query");
    assert_eq!(story.track.records_of_all(Ending::SessionEnded, |_| false), [], "it only looked");
}

/// The records of a session that are written from now on: number, status, files.
fn told(records: &[TaskRecord]) -> Vec<(u32, &'static str, String)> {
    let of = |one: &TaskRecord| (one.number.0, one.ending.status(), one.details.files.join(" "));
    records.iter().map(of).collect()
}

#[test]
fn work_that_goes_on_after_its_record_is_recorded_with_all_of_it() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. Do not touch src/api.");
    story.edit("src/login.rs", "fn redirect(", "fn redirect(to: &Url");
    let partial = story.track.records_of_all(Ending::SessionEnded, |_| false);
    assert_eq!(told(&partial), [(1, "partial", "src/login.rs".to_owned())]);
    story.record(&partial[0]);
    assert_eq!(story.track.records_of_all(Ending::SessionEnded, |_| false), []);
    story.prompt("go on");
    story.edit("src/session.rs", "fn redirect(", "fn redirect(to: &Url");
    let handoff = story.track.handoff(&[]).unwrap();
    assert_eq!(handoff.files, ["src/login.rs", "src/session.rs"]);
    story.stop("Fixed the redirect.");
    let record = story.track.record_current(Ending::Complete).unwrap();
    let both = "src/login.rs src/session.rs".to_owned();
    assert_eq!(told(std::slice::from_ref(&record)), [(1, "complete", both)]);
    assert_eq!(record.details.constraints, ["do not change src/api"]);
    assert_eq!(record.details.trace.len(), 2);
}

#[test]
fn work_that_was_left_unfinished_is_finished_without_another_change() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let partial = story.track.records_of_all(Ending::SessionEnded, |_| false);
    story.record(&partial[0]);
    story.prompt("does it work?");
    story.runs("cargo test login", "Run the tests", "test result: ok");
    story.stop("Yes: it is fixed, the tests pass.");
    let record = story.track.record_current(Ending::Complete);
    assert_eq!(told(record.as_slice()), [(1, "complete", "src/login.rs".to_owned())]);
}

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
fn what_is_done_and_asks_for_more_is_complete_when_the_person_does_not_go_on_with_it() {
    let asked = |words: &str| {
        let mut story = Story::default();
        story.prompt("Fix the login redirect in src/login.rs.");
        story.edit("src/login.rs", "a", "b");
        story.stop(words);
        story
    };
    for words in [
        "Fixed the redirect. Shall I also add a test?",
        "Fixed. Would you like me to go on with the logout?",
        "修正しました。テストも追加しましょうか？",
    ] {
        let story = asked(words);
        assert_eq!(story.track.closing_words(words), None, "{words}");
        let handoff = story.track.handoff(&[]).unwrap();
        assert_eq!(handoff.next, "wait for the person's answer", "{words}");
        let claims = |said: &str| said == words;
        let ended = story.track.records_of_all(Ending::SessionEnded, claims);
        assert_eq!(told(&ended), [(1, "complete", "src/login.rs".to_owned())], "{words}");
        let mut other = asked(words);
        other.prompt("Forget it. Write a changelog generator in tools/changelog.py.");
        let left = other.track.records_of_left(Ending::LeftForOther, claims);
        assert_eq!(told(&left), [(1, "complete", "src/login.rs".to_owned())], "{words}");
        let mut goes_on = asked(words);
        let noted = goes_on.prompt("yes, please");
        let Noted::Prompted { prompted, .. } = noted else { panic!("{noted:?}") };
        assert_eq!((prompted.action, prompted.task), (PromptAction::Continue, TaskNumber(1)));
        goes_on.edit("tests/login.rs", "", "fn redirects() {}");
        let ended = goes_on.track.records_of_all(Ending::SessionEnded, claims);
        let files = "src/login.rs tests/login.rs".to_owned();
        assert_eq!(told(&ended), [(1, "partial", files)], "{words}");
    }
    let mut held = asked("Fixed. Shall I also add a test?");
    let verdict = Verdict::Deny { reason: "review first".to_owned() };
    let on = EventId::new(Timestamp::from_millis(1), 1);
    held.event(Event::VerdictGiven { verdict, on, by: vec![], notice: None });
    let ended = held.track.records_of_all(Ending::SessionEnded, |_| true);
    assert_eq!(told(&ended), [(1, "partial", "src/login.rs".to_owned())], "something held it");
}

#[test]
fn a_question_after_a_part_is_about_the_whole() {
    let mut story = Story::default();
    story.prompt("Set up the proxy in vite.config.ts");
    story.edit("vite.config.ts", "a", "b");
    story.prompt("First I need to install deps");
    story.runs("npm ci", "Install", "added 412 packages");
    story.edit("package.json", "a", "b");
    let reply = "The dependencies are installed. Shall I go on with the proxy?";
    story.stop(reply);
    assert_eq!(story.track.closing_words(reply), Some("The dependencies are installed."));
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

/// A read as the client answers it.
fn reads(story: &mut Story, file: &str, content: &str) {
    let path = format!("/home/dev/app/{file}");
    let response = json!({ "type": "text", "file": { "filePath": path, "content": content } });
    story.call("Read", json!({ "file_path": path }), response);
}

const PLAN: &str = "# Rate limits\n\n1. Add a token bucket to gateway/bucket.go\n2. Answer 429 \
                    with Retry-After in `gateway/middleware/`\n3. Show the quota on the billing page";

/// Works through the plan: named files, a named folder, and what it only speaks of.
fn works_by_plan(story: &mut Story) {
    story.edit("gateway/bucket.go", "", "type Bucket struct { tokens int }");
    story.runs("go test ./...", "Run the tests", "ok");
    story.edit("gateway/middleware/answer.go", "return nil", "return status(429)");
    story.runs("go test ./...", "Run the tests", "ok");
    story.edit("web/pages/Billing.tsx", "<Invoices/>", "<Invoices/><Quota/>");
    story.edit("web/pages/billing.css", ".invoices", ".invoices .quota");
}

#[test]
fn what_a_plan_says_that_is_to_be_followed_was_asked_for() {
    for (prompt, file) in [
        ("Do what docs/plan.md says", "docs/plan.md"),
        ("Implement the steps in TODO.md", "TODO.md"),
        ("Follow PLAN.md", "PLAN.md"),
        ("計画書のとおりに進めてください", "docs/計画書.md"),
    ] {
        let mut story = Story::default();
        story.prompt(prompt);
        reads(&mut story, file, PLAN);
        works_by_plan(&mut story);
        let assessment = story.track.assess();
        assert_eq!((assessment.score.get(), assessment.reasons), (10, vec![]), "{prompt}");
        for place in ["chart", "labels", "legend"] {
            story.edit(&format!("deploy/{place}.tpl"), "replicas: 2", "replicas: 5");
        }
        assert!(story.track.assess().score.get() < 8, "{prompt}: what it does not speak of");
    }
    for (first, then) in [
        ("Read docs/plan.md and tell me what you think of it", "OK, implement it."),
        ("What is missing in docs/limits.md?", "Then do what docs/limits.md says."),
        ("docs/plan.md を読んで感想を教えて", "では実装してください"),
    ] {
        let mut story = Story::default();
        story.prompt(first);
        let file = if first.contains("plan") { "docs/plan.md" } else { "docs/limits.md" };
        reads(&mut story, file, PLAN);
        story.stop("It is complete, as far as I see.");
        story.prompt(then);
        works_by_plan(&mut story);
        let assessment = story.track.assess();
        assert_eq!((assessment.score.get(), assessment.reasons), (10, vec![]), "{then}");
    }
    let mut printed = Story::default();
    printed.prompt("Follow PLAN.md");
    printed.runs("cat PLAN.md", "Read the plan", PLAN);
    works_by_plan(&mut printed);
    assert_eq!(printed.track.assess().score.get(), 10);
}

#[test]
fn what_other_documents_and_sources_say_was_not_asked_for() {
    for (prompt, file) in [
        ("Fix the typo in README.md", "README.md"),
        ("Fix the login redirect in src/login.rs", "docs/plan.md"),
        ("Follow src/login.rs for the style of the redirect", "src/login.rs"),
    ] {
        let mut story = Story::default();
        story.prompt(prompt);
        reads(&mut story, file, PLAN);
        story.edit(prompt.rsplit(' ').next().unwrap(), "teh redirect", "the redirect");
        works_by_plan(&mut story);
        assert!(story.track.assess().score.get() < 8, "{prompt}");
    }
}

#[test]
fn what_was_forbidden_failed_or_led_astray_is_no_decision() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. Do not push.");
    story.edit("src/login.rs", "fn redirect(", "fn redirect(to: &Url");
    story.runs("cargo add url", "Parse the target", "Adding url v2.5.0 to dependencies");
    story.runs("git commit -am 'login: url'", "Keep it", "[main 1a2b3c4] login: url");
    story.runs("git push", "Share it", "main -> main");
    story.fails("npm install left-pad", "permission denied");
    let decisions = |story: &Story| story.track.handoff(&[]).unwrap().decisions;
    assert_eq!(
        decisions(&story),
        ["cargo add url: Parse the target", "git commit -am 'login: url': Keep it"]
    );
    story.prompt("No new dependencies, please: take it out again.");
    assert_eq!(decisions(&story), ["git commit -am 'login: url': Keep it"]);
    let record = story.track.record_current(Ending::Complete).unwrap();
    let choices: Vec<_> = record.details.decisions.iter().map(|one| one.choice.as_str()).collect();
    assert_eq!(choices, ["git commit -am 'login: url'"]);
}

#[test]
fn what_is_left_for_other_work_is_recorded_as_such() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs.");
    story.edit("src/login.rs", "a", "b");
    let noted = story.prompt("Forget that. Write a changelog generator in tools/changelog.py.");
    let Noted::Prompted { prompted, .. } = noted else { panic!("{noted:?}") };
    assert_eq!((prompted.action, prompted.task), (PromptAction::NewTask, TaskNumber(2)));
    let left = story.track.records_of_left(Ending::LeftForOther, |_| false);
    let told: Vec<_> = left.iter().map(|one| (one.number, one.goal.as_str())).collect();
    assert_eq!(told, [(TaskNumber(1), "Fix the login redirect in src/login.rs.")]);
    assert_eq!(left[0].ending.status(), "abandoned");
    story.record(&left[0]);
    assert_eq!(story.track.records_of_left(Ending::LeftForOther, |_| false), []);
    assert_eq!(
        story.track.records_of_all(Ending::SessionEnded, |_| false),
        [],
        "nothing was done yet"
    );
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

#[test]
fn what_a_program_read_counts_for_its_prompt_alone() {
    let login = "Fix the login redirect in src/login.rs. No new dependencies.";
    let logout = "And the logout, please.";
    let reading = Reading {
        goal: Some("Fix the logout in web/".to_owned()),
        paths: vec!["web/".to_owned()],
        task: Some(PromptAction::Subtask),
        ..Reading::default()
    };
    let prompted = |others: u64| {
        let mut story = Story::default();
        story.prompt(login);
        story.reads(&reading, others);
        let noted = story.prompt(logout);
        let Noted::Prompted { prompted, reading, .. } = noted else { panic!("{noted:?}") };
        let goal = story.track.goal();
        let paths: Vec<_> = goal.scope.paths.iter().map(|path| path.as_str().to_owned()).collect();
        let told = (prompted.action, prompted.parent.is_some(), reading.is_some(), paths.join(" "));
        assert_eq!(goal.text, login, "told in the person's words");
        assert_eq!(story.track.handoff(&[]).unwrap().constraints, ["no new dependencies"]);
        (told, goal.refined.text.clone(), story.track.read)
    };
    let told = (PromptAction::Subtask, true, true, "web/ src/login.rs".to_owned());
    assert_eq!(prompted(0), (told, reading.goal.clone(), None));
    let told = (PromptAction::Continue, false, false, "src/login.rs".to_owned());
    assert_eq!(prompted(1), (told, None, None), "it was about another prompt");
}

#[test]
fn a_program_cannot_go_on_with_what_has_not_begun() {
    let mut story = Story::default();
    let reading = Reading { task: Some(PromptAction::Subtask), ..Reading::default() };
    story.reads(&reading, 0);
    let noted = story.prompt("Fix the login redirect in src/login.rs.");
    let Noted::Prompted { prompted, .. } = noted else { panic!("{noted:?}") };
    assert_eq!(
        prompted,
        Prompted { action: PromptAction::NewTask, task: TaskNumber(1), parent: None }
    );
}

#[test]
fn a_program_is_told_what_was_said_and_what_rules_make_of_it() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    let prompt = "<system-reminder>x</system-reminder>Also rename `to_url` in src/url.rs.";
    let request = story.track.reading_request(prompt, None).unwrap();
    assert_eq!(
        serde_json::to_value(&request).unwrap(),
        json!({
            "prompt": "Also rename `to_url` in src/url.rs.",
            "goal": "Fix the login redirect in src/login.rs. No new dependencies.",
            "rules": {
                "goal": "Fix the login redirect in src/login.rs. No new dependencies.",
                "paths": ["src/login.rs", "src/url.rs"],
                "symbols": ["to_url"],
                "constraints": ["no new dependencies"],
                "keywords": ["login", "redire", "renam", "url"],
                "task": "continue",
            },
        })
    );
    let only_machines = "<system-reminder>x</system-reminder>";
    assert_eq!(story.track.reading_request(only_machines, None), None);
    let huge = Track::default().reading_request(&"login ".repeat(200_000), None).unwrap();
    assert!(serde_json::to_string(&huge).unwrap().len() < 16 * 1024);
}

/// What the course is worth after an edit of what was forbidden, or a line that was.
fn worth_after(ask: impl FnOnce(&mut Story), line: Option<&str>) -> u8 {
    let mut story = Story::default();
    story.prompt(
        "Fix the login redirect in src/login.rs. Do not touch src/billing.rs. No new dependencies.",
    );
    story.edit("src/login.rs", "redirect(to)", "redirect(url)");
    ask(&mut story);
    match line {
        Some(line) => story.runs(line, "", ""),
        None => story.edit("src/billing.rs", "pay(login)", "paid(login)"),
    };
    story.track.assess().score.get()
}

#[test]
fn what_a_person_agrees_to_is_wanted() {
    let says = |message: &'static str, answer: &'static str| {
        move |story: &mut Story| {
            story.stop(message);
            story.prompt(answer);
        }
    };
    let cause = "The cause is in src/billing.rs. Shall I change it?";
    let needs = "It needs the url crate. May I add it?";
    let asks = |answer: &'static str| {
        move |story: &mut Story| {
            let answers = json!({ "answers": { "Change src/billing.rs, too?": answer } });
            story.call("AskUserQuestion", json!({}), answers);
        }
    };
    let add = Some("cargo add url");
    assert_eq!(
        [
            worth_after(|_| (), None),
            worth_after(says(cause, "yes please"), None),
            worth_after(says(cause, "no, leave it"), None),
            worth_after(
                says("src/billing.rs が原因です。変更しましょうか？", "はい、お願いします"),
                None
            ),
            worth_after(asks("Yes"), None),
            worth_after(asks("No, keep it"), None),
            worth_after(|_| (), add),
            worth_after(says(needs, "yes"), add),
            worth_after(says(needs, "What for?"), add),
        ],
        [4, 10, 4, 10, 10, 4, 4, 10, 4]
    );
}

#[test]
fn a_plan_that_a_person_accepted_was_asked_for() {
    let elsewhere = |plan: Option<&str>| {
        let mut story = Story::default();
        story.prompt("Fix the login redirect.");
        story.edit("src/login.rs", "redirect(to)", "redirect(url)");
        if let Some(plan) = plan {
            story.call("ExitPlanMode", json!({ "plan": plan }), json!({}));
        }
        for file in ["web/menu.ts", "ops/deploy.yml", "web/icons.ts"] {
            story.edit(file, "margin", "padding");
        }
        story.track.assess().score.get()
    };
    let plan = "1. src/login.rs\n2. web/menu.ts and web/icons.ts\n3. ops/deploy.yml";
    assert_eq!((elsewhere(None), elsewhere(Some(plan))), (6, 10));
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
        ["fn other() {}\n", whole].map(|content| story.track.bearing_of(&write(content)));
    assert_eq!(bearings, [Alignment::Astray, Alignment::Aligned]);
    assert_eq!(story.track.assess().score.get(), 4);
    story.call("Write", write(whole).input, json!({}));
    assert_eq!(story.track.assess().score.get(), 10);
}
