//! What is recorded of tasks, and when.

use super::*;

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
