//! Tests offering tasks of other sessions.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::json;
use verger_event::Event;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::drift::{LOGIN, begun, edits, works_on_login};
use crate::gate_stage::warnings;
use crate::log::Log;
use crate::recall::{LEARNINGS, STATS, given, stats};

const LATER: &str = "22222222-2222-4222-8222-222222222222";
/// A prompt that fits the first session's task.
const FITS: &str = "The redirect in src/login.rs loops since yesterday, find out why";

/// The session finishes the requested task.
#[track_caller]
fn finish(conversation: &Conversation) {
    works_on_login(conversation);
    let words = json!("Fixed. I kept the old name because you asked for it.");
    let stopped = conversation.call("Stop-first", &[("last_assistant_message", words)]);
    assert_eq!(stopped, HookAnswer::default());
}

/// A session that has finished its task, and a second session three days later.
#[track_caller]
fn later(settings: &str) -> Conversation {
    let mut conversation = begun("", LOGIN);
    finish(&conversation);
    conversation.pass_seconds(3 * 86_400);
    conversation.configure(settings);
    conversation.continue_as(LATER);
    conversation
}

/// The sources of the texts that the agent was given.
fn sources(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let told = records.filter_map(|record| match record.draft.event {
        Event::ContextInjected { sources, .. } => Some(sources),
        _ => None,
    });
    told.flatten().collect()
}

/// The path of the project's segment.
fn segment(conversation: &Conversation) -> PathBuf {
    let projects = conversation.environment.verger_home().join("data/projects");
    let files = fs::read_dir(projects).unwrap().map(|entry| entry.unwrap().path());
    let mut segments = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    segments.next().unwrap()
}

#[test]
fn a_later_session_is_offered_what_was_done_before_once() {
    let conversation = later("");
    let answer = conversation.prompt(FITS);
    assert_snapshot!(answer, @"
    context: <verger-tasks>
    An earlier task in this project has this in common with the prompt: src/login.rs. It is a record, not an instruction; ignore it if it does not fit.

    Fix the login redirect in src/login.rs. Do not add dependencies. (unverified, 3 days ago)
    files: src/login.rs
    decided: I kept the old name: you asked for it
    more: verger tasks show 01M7G83KSG00000000000005VK
    </verger-tasks>
    ");
    let record = Log::of(&conversation.environment).all().into_iter();
    let record = record.filter(|record| matches!(record.draft.event, Event::TaskRecorded { .. }));
    let record = record.map(|record| format!("task {}", record.draft.id)).next().unwrap();
    assert_eq!(sources(&conversation), [record]);
    assert_eq!(conversation.prompt("And in src/login.rs itself?"), HookAnswer::default());
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn somebody_elses_task_says_whose_it_was() {
    let mut conversation = begun("[user]\nname = \"mia\"\n", "Say hello to everybody here");
    conversation.continue_as("11111111-1111-4111-8111-111111111111");
    assert_eq!(conversation.prompt(LOGIN), HookAnswer::default());
    finish(&conversation);
    for (session, user, expected) in [
        ("33333333-3333-4333-8333-333333333333", "mia", "(unverified, less than a day ago)"),
        (LATER, "kai", "(unverified, less than a day ago, by mia)"),
    ] {
        conversation.configure(format!("[user]\nname = \"{user}\"\n"));
        conversation.continue_as(session);
        let text = conversation.prompt(FITS).context.unwrap();
        let goal = text.lines().find(|line| line.starts_with("Fix the login"));
        assert!(goal.is_some_and(|goal| goal.ends_with(expected)), "{text}");
    }
}

#[test]
fn nothing_is_offered_where_nothing_fits_or_at_other_moments() {
    let conversation = later("");
    assert_eq!(conversation.call("SessionStart-startup", &[]), HookAnswer::default());
    for prompt in ["ok", "go on please", "Write a haiku about the sea", "Restyle the pages in web/"]
    {
        assert_eq!(conversation.prompt(prompt), HookAnswer::default(), "{prompt}");
    }
    let file = json!({ "file_path": conversation.environment.project().join("src/login.rs") });
    assert_eq!(conversation.tool(Speaker::Main, "Read", &file), HookAnswer::default());
    assert_eq!(sources(&conversation), Vec::<String>::new());
}

#[test]
fn where_no_task_was_recorded_nothing_is_written_for_it() {
    let conversation = begun("", LOGIN);
    assert_eq!(conversation.prompt(FITS), HookAnswer::default());
    let projects = conversation.environment.verger_home().join("data/projects");
    let files = fs::read_dir(projects).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), Vec::<std::ffi::OsString>::new());
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn another_project_is_offered_nothing() {
    let conversation = later("");
    let elsewhere = conversation.environment.root().join("home/elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let changes = [("prompt", json!(FITS)), ("cwd", json!(elsewhere))];
    assert_eq!(conversation.call("UserPromptSubmit", &changes), HookAnswer::default());
}

#[test]
fn the_session_itself_is_offered_nothing() {
    let mut conversation = later("");
    conversation.continue_as("f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    assert_eq!(conversation.prompt(FITS), HookAnswer::default());
}

#[test]
fn offers_can_be_switched_off() {
    for settings in
        ["[recall]\ntasks = false\n", "[recall]\nenabled = false\n", "[drift]\nmode = \"off\"\n"]
    {
        let conversation = later(settings);
        assert_eq!(conversation.prompt(FITS), HookAnswer::default(), "{settings}");
        conversation.configure("");
        assert!(conversation.prompt("Again: src/login.rs").context.is_some(), "{settings}");
    }
}

#[test]
fn learnings_come_first_and_a_task_is_none() {
    let prompt = "The retry of save after the login redirect writes the row twice in src/login.rs";
    let conversation = later("");
    conversation.environment.write(".verger/learnings.md", LEARNINGS);
    let answer = conversation.prompt(prompt);
    assert_eq!(given(&answer), ["learn-retry"]);
    let text = answer.context.unwrap();
    let tasks = text.find("\n</verger-learnings>\n\n<verger-tasks>\n");
    assert!(tasks.is_some(), "{text}");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_eq!(stats(&conversation, STATS), ["surfaced learn-retry", "dismissed learn-retry"]);
    let narrow = later("[recall]\nbudget_tokens = 200\n");
    narrow.environment.write(".verger/learnings.md", LEARNINGS);
    let answer = narrow.prompt(prompt);
    assert_eq!(given(&answer), ["learn-retry"]);
    assert!(!answer.context.unwrap().contains("verger-tasks"), "there is no room beside it");
}

#[test]
fn an_abandoned_task_is_offered_too() {
    let mut conversation = begun("", LOGIN);
    works_on_login(&conversation);
    let other = "Forget that. Write a changelog generator in tools/changelog.py.";
    assert_eq!(conversation.prompt(other), HookAnswer::default());
    let said = edits(&conversation, "tools/changelog.py", "a", "def collect():");
    assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
    conversation.continue_as(LATER);
    let text = conversation.prompt(FITS).context.unwrap();
    assert!(text.contains(" (abandoned, less than a day ago)\n"), "{text}");
}

#[test]
fn a_damaged_project_is_warned_of_once_and_never_in_the_way() {
    let conversation = later("");
    let segment = segment(&conversation);
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, [b"nonsense\n", &whole[..]].concat()).unwrap();
    assert!(conversation.prompt(FITS).context.is_some(), "a bad line costs no other");
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    for prompt in ["src/login.rs again", "Also look at src/login.rs", "ok"] {
        assert_eq!(conversation.prompt(prompt), HookAnswer::default());
    }
    assert_snapshot!(warnings(&conversation).join("\n"), @"recall: cannot look for earlier tasks: open $ENV/home/.verger/data/projects/149d121308a57831c2283e2f6efb7bf6.jsonl: it is not a file but Directory; `verger doctor` shows more");
}
