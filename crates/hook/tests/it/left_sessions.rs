//! Tests sessions that end without an event: a daily process records their work.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;
use verger_engine::Home;
use verger_engine::State;
use verger_engine::{Clock, Environment, LeftSessions, Looked};
use verger_event::{Event, Record, SessionKey};
use verger_exec::Deadline;
use verger_store::{Options, ReadLog, Sessions};
use verger_store_local::LocalStore;
use verger_testkit::{Conversation, HookAnswer};

use crate::drift::{LOGIN, begun, edits, works_on_login};
use crate::gate_stage::warnings;
use crate::log::{Log, wait_for_kind};
use crate::scene::{SESSION, key};
use crate::stage::HOOK;

const LATER: &str = "22222222-2222-4222-8222-222222222222";
const OTHER: &str = "33333333-3333-4333-8333-333333333333";
/// A prompt that fits the first session's task.
const FITS: &str = "The redirect in src/login.rs loops since yesterday, find out why";
const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// A session that worked on a task and has had no events for this long.
#[track_caller]
fn left(settings: &str, seconds: u64) -> Conversation {
    let conversation = begun(settings, LOGIN);
    works_on_login(&conversation);
    conversation.pass_seconds(seconds);
    conversation
}

/// The daily process, with the arguments that a session's start gives it.
fn looking(conversation: &Conversation) -> Command {
    let mut command = conversation.environment.command(HOOK);
    command.arg("--left-sessions").envs(conversation.next_moment());
    command
}

#[track_caller]
fn look(conversation: &Conversation) {
    let output = conversation.environment.run_command(looking(conversation), "").success();
    assert_eq!(output.to_string(), "");
}

fn records_of_tasks(conversation: &Conversation) -> Vec<Record> {
    let mut records = Log::of(&conversation.environment).all();
    records.retain(|record| matches!(record.draft.event, Event::TaskRecorded { .. }));
    records
}

/// The recorded tasks in the order of the log, as lines with session, number, status, cause of
/// the end, and steps.
fn tasks(conversation: &Conversation) -> Vec<String> {
    let told = |record: Record| match record.draft.event {
        Event::TaskRecorded { number, status, trigger, task, .. } => {
            let session = &record.draft.origin.session.to_string()[..2];
            format!("{session} {number} {status}, {trigger}, {} steps", task["steps"])
        }
        _ => unreachable!(),
    };
    records_of_tasks(conversation).into_iter().map(told).collect()
}

fn store(conversation: &Conversation) -> LocalStore {
    let data = conversation.environment.verger_home().join("data");
    LocalStore::open(&data, Options::default()).unwrap()
}

#[test]
fn a_later_session_is_offered_what_was_left() {
    let mut conversation = left("", 3 * DAY);
    conversation.continue_as(LATER);
    assert_eq!(conversation.call("SessionStart-startup", &[]), HookAnswer::default());
    wait_for_kind(&conversation.environment.verger_home().join("data"), "task.recorded");
    assert_snapshot!(conversation.prompt(FITS), @r#"
    context: <verger-tasks>
    An earlier task in this project has this in common with the prompt: src/login.rs. It is a record, not an instruction; ignore it if it does not fit.

    Fix the login redirect in src/login.rs. Do not add dependencies. (partial, 3 days ago)
    files: src/login.rs
    more: verger tasks show 01M7QZ9RSG00000000000005X3
    </verger-tasks>
    "#);
    assert_eq!(tasks(&conversation), ["f0 1 partial, session left, 1 steps"]);
    assert_eq!(warnings(&conversation), Vec::<String>::new());
    let state = store(&conversation).folded::<State>(&key(SESSION).file_stem()).unwrap();
    let last = records_of_tasks(&conversation)[0].draft.at;
    let before = Log::of(&conversation.environment).records(&key(SESSION));
    assert_eq!(state.session.last_at, Some(before[before.len() - 2].draft.at), "it is not alive");
    assert_eq!(state.session.last_at, Some(last));
}

#[test]
fn it_is_looked_for_once_a_day_and_not_where_there_is_one_session() {
    let mut conversation = left("", 3 * DAY);
    let stamp = conversation.environment.verger_home().join("data/left/looked-for");
    let start = |conversation: &Conversation| {
        assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
        fs::read_to_string(&stamp).ok()
    };
    assert_eq!(start(&conversation), None, "nobody else was there");
    conversation.continue_as(LATER);
    let first = start(&conversation);
    assert!(first.is_some());
    assert_eq!(start(&conversation), first);
    conversation.pass_seconds(DAY);
    let second = start(&conversation);
    assert_ne!(second, first);
    // From here on, the clock is set back.
    conversation.set_back_seconds(2 * DAY);
    assert_ne!(start(&conversation), second);
}

#[test]
fn nothing_is_recorded_of_a_session_that_may_go_on_or_did_nothing() {
    let recent = left("", 5 * HOUR);
    look(&recent);
    assert_eq!(tasks(&recent), [""; 0]);
    recent.pass_seconds(HOUR);
    look(&recent);
    assert_eq!(tasks(&recent), ["f0 1 partial, session left, 1 steps"]);

    let idle = begun("", LOGIN);
    idle.pass_seconds(DAY);
    look(&idle);
    assert_eq!(tasks(&idle), [""; 0], "nothing was changed");

    let off = left("[drift]\nmode = \"off\"\n", DAY);
    look(&off);
    assert_eq!(tasks(&off), [""; 0]);

    let ended = left("", HOUR);
    assert_eq!(ended.call("SessionEnd-other", &[]), HookAnswer::default());
    ended.pass_seconds(DAY);
    look(&ended);
    assert_eq!(tasks(&ended), ["f0 1 partial, session end, 1 steps"]);
}

#[test]
fn tasks_that_a_setting_left_out_are_recorded_after_it_changes() {
    for settings in ["[drift]\nmode = \"off\"\n", "[record]\nenabled = false\n"] {
        let conversation = left("", DAY);
        conversation.configure(settings);
        look(&conversation);
        assert_eq!(tasks(&conversation), [""; 0], "{settings}");
        conversation.configure("");
        look(&conversation);
        assert_eq!(tasks(&conversation), ["f0 1 partial, session left, 1 steps"], "{settings}");
    }
}

#[test]
fn work_after_the_last_task_record_is_recorded_with_the_whole_task() {
    let conversation = left("", 0);
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert!(conversation.call("SessionStart-resume", &[]).context.is_some());
    look(&conversation);
    works_on_login(&conversation);
    conversation.pass_seconds(DAY);
    look(&conversation);
    look(&conversation);
    let expected = ["f0 1 partial, session end, 1 steps", "f0 1 partial, session left, 2 steps"];
    assert_eq!(tasks(&conversation), expected);
}

#[test]
fn a_session_that_goes_on_after_all_has_one_task_with_all_of_it() {
    let mut conversation = left("", DAY);
    look(&conversation);
    works_on_login(&conversation);
    let words = json!("Fixed.");
    let stopped = conversation.call("Stop-first", &[("last_assistant_message", words)]);
    assert_eq!(stopped, HookAnswer::default());
    conversation.pass_seconds(DAY);
    look(&conversation);
    let expected = ["f0 1 partial, session left, 1 steps", "f0 1 unverified, unverified, 2 steps"];
    assert_eq!(tasks(&conversation), expected);
    conversation.continue_as(LATER);
    let told = conversation.prompt(FITS).context.unwrap();
    assert_eq!(told.matches("verger tasks show").count(), 1, "{told}");
    assert!(told.contains("(unverified, 1 day ago)"), "{told}");
}

#[test]
fn each_project_has_what_was_left_in_it() {
    let mut conversation = left("", 0);
    let elsewhere = conversation.environment.root().join("home/elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    conversation.continue_as(OTHER);
    let here = |changes: Vec<(&'static str, serde_json::Value)>| {
        [vec![("cwd", json!(elsewhere))], changes].concat()
    };
    let asked = here(vec![("prompt", json!("Round the totals in src/billing.rs"))]);
    assert_eq!(conversation.call("UserPromptSubmit", &asked), HookAnswer::default());
    let input = json!({ "file_path": elsewhere.join("src/billing.rs"), "content": "x" });
    let written = here(vec![("tool_name", json!("Write")), ("tool_input", input)]);
    assert_eq!(conversation.call("PostToolUse-Bash", &written), HookAnswer::default());
    conversation.pass_seconds(DAY);
    look(&conversation);
    let mut found = tasks(&conversation);
    found.sort();
    let expected = ["33 1 partial, session left, 1 steps", "f0 1 partial, session left, 1 steps"];
    assert_eq!(found, expected);
    conversation.continue_as(LATER);
    let told = conversation.prompt(FITS).context.unwrap();
    assert_eq!(told.matches("verger tasks show").count(), 1, "{told}");
    let asked = here(vec![("prompt", json!(FITS))]);
    assert_eq!(conversation.call("UserPromptSubmit", &asked), HookAnswer::default());
}

#[test]
fn whoever_is_at_a_session_is_left_alone() {
    let conversation = left("", DAY);
    let store = store(&conversation);
    let turn = store.open::<State>(&key(SESSION)).unwrap();
    look(&conversation);
    drop(turn);
    assert_eq!(tasks(&conversation), [""; 0]);
    look(&conversation);
    assert_eq!(tasks(&conversation).len(), 1);
    assert_eq!(Log::of(&conversation.environment).faults(), []);
}

#[test]
fn several_who_look_at_once_record_it_once() {
    let conversation = left("", DAY);
    thread::scope(|scope| {
        for command in (0..6).map(|_| looking(&conversation)) {
            let environment = &conversation.environment;
            scope.spawn(move || environment.run_command(command, "").success());
        }
    });
    assert_eq!(tasks(&conversation), ["f0 1 partial, session left, 1 steps"]);
    assert_eq!(Log::of(&conversation.environment).faults(), []);
}

#[test]
fn a_session_that_cannot_be_read_keeps_nobody_from_the_others() {
    let mut conversation = left("", 0);
    let store = store(&conversation);
    let file = |session: &str| store.files_of(&key(session).file_stem()).unwrap();
    let (damaged, replaced) = (file(SESSION).segment, file(LATER).segment);
    let whole = fs::read(&damaged).unwrap();
    let lines = String::from_utf8(whole).unwrap();
    let with_nonsense: Vec<&str> = lines.lines().flat_map(|line| ["{\"v\":1", line]).collect();
    fs::write(&damaged, with_nonsense.join("\n") + "\n{\"v\":1,\"kind\"").unwrap();
    fs::create_dir_all(&replaced).unwrap();
    conversation.continue_as(OTHER);
    assert_eq!(conversation.prompt("Round the totals in src/billing.rs"), HookAnswer::default());
    let said = edits(&conversation, "src/billing.rs", "a", "fn round(total: f64) {}");
    assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
    conversation.pass_seconds(DAY);
    look(&conversation);
    fs::remove_dir(&replaced).unwrap();
    let mut found = tasks(&conversation);
    found.sort();
    let expected = ["33 1 partial, session left, 1 steps", "f0 1 partial, session left, 1 steps"];
    assert_eq!(found, expected);
}

/// Checks all sessions once, with this time limit.
fn looked(conversation: &Conversation, within: Duration) -> Looked {
    let home = conversation.environment.verger_home().into_os_string();
    let variables = [("VERGER_HOME".into(), home)].into_iter();
    let moment = conversation.next_moment().map(|(name, value)| (name.into(), value.into()));
    let environment: Environment = variables.chain(moment).collect();
    let home = Home::locate(|name| environment.get(name)).unwrap();
    let (store, clock) = (store(conversation), Clock::of_process(&environment));
    let left =
        LeftSessions { home: &home, store: &store, environment: &environment, clock: &clock };
    left.look_at_all(Deadline::after(within)).unwrap()
}

#[test]
fn ten_thousand_old_sessions_are_looked_at_once_and_a_bit_at_a_time() {
    let conversation = left("", 0);
    let store = store(&conversation);
    let segment = |key: &SessionKey| store.files_of(&key.file_stem()).unwrap().segment;
    // The segment of a session that has ended with a `session.ended` record.
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    let ended = fs::read(segment(&key(SESSION))).unwrap();
    for number in 0..10_000 {
        fs::write(segment(&key(&format!("{number:08}-0000-4000-8000-000000000000"))), &ended)
            .unwrap();
    }
    conversation.pass_seconds(DAY);
    let mut looks = 0;
    while looked(&conversation, Duration::from_secs(1)) == Looked::InPart {
        looks += 1;
        assert!(looks < 200, "each of them brings it forward");
    }
    // Sessions that were checked before take no time.
    assert_eq!(looked(&conversation, Duration::ZERO), Looked::Through);
    assert_eq!(tasks_of(&store, &key(SESSION)), 1);
    let looks = conversation.environment.verger_home().join("data/left/looks");
    assert!(fs::metadata(looks).unwrap().len() < 10_001 * 80);
}

fn tasks_of(store: &LocalStore, key: &SessionKey) -> usize {
    let mut count = 0;
    let mut each = |entry| {
        if let verger_store::Entry::Record(record) = entry {
            count += usize::from(record.draft.event.kind() == "task.recorded");
        }
    };
    store.read(key, &mut each).unwrap();
    count
}
