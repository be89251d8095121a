//! Helpers: conversations with the verification gate.

use serde_json::json;
use verger_config::Settings;
use verger_engine::FactFinder;
use verger_engine::Home;
use verger_engine::State;
use verger_event::{Event, EventId, SessionKey};
use verger_gate::verification::{
    CheckStatus, Depth, FailingTests, Input, Issue, Policy, Status, Verification, Verified, events,
    step,
};
use verger_store::{Options, ReadLog, Sessions, Turn};
use verger_store_local::LocalStore;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::conversation;
use crate::log::Log;

pub(crate) const DONE: &str = "The parser is fixed and all tests pass.";
pub(crate) const QUESTION: &str = "Shall I fix the parser too?";

/// A session with this configuration, whose task has one changed file.
#[track_caller]
pub(crate) fn changed(configuration: &str) -> Conversation {
    let conversation = conversation();
    conversation.configure(configuration);
    trust(&conversation);
    assert_eq!(conversation.prompt("fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation
}

/// Trusts the project, so that the agent may run its checks.
fn trust(conversation: &Conversation) {
    let root = conversation.environment.project().canonicalize().unwrap();
    let list =
        json!({ "version": 1, "trusted": [], "worktrees": [{ "root": root, "trusted_at_ms": 1 }] });
    let path = conversation.environment.verger_home().join("config/trust.json");
    conversation.environment.write(path, list.to_string());
}

/// Like [`changed`], with the verification gate on.
#[track_caller]
pub(crate) fn claiming() -> Conversation {
    changed("[verification]\nmode = \"claims\"\n")
}

/// Checks that the hook doesn't answer.
#[track_caller]
pub(crate) fn quiet(answer: &HookAnswer) {
    assert_eq!(*answer, HookAnswer::default());
}

/// Reports that the main agent wants to stop. `message` is its last message.
#[track_caller]
pub(crate) fn say(conversation: &Conversation, message: &str) -> HookAnswer {
    conversation.call("Stop-first", &[("last_assistant_message", json!(message))])
}

/// Reports the end of a command line, without its request.
#[track_caller]
pub(crate) fn ended(conversation: &Conversation, speaker: Speaker<'_>, line: &str, ending: &str) {
    let id = conversation.next_tool_use();
    let input = json!({ "command": line, "description": "x" });
    let changes = [("tool_input", input), ("tool_use_id", json!(id))];
    assert_eq!(conversation.call_of(speaker, ending, &changes), HookAnswer::default(), "{line}");
}

#[track_caller]
pub(crate) fn failed(conversation: &Conversation, line: &str) {
    ended(conversation, Speaker::Main, line, "PostToolUseFailure-Bash");
}

#[track_caller]
pub(crate) fn succeeded(conversation: &Conversation, line: &str) {
    ended(conversation, Speaker::Main, line, "PostToolUse-Bash");
}

/// The gate's state, folded from the session's records.
#[track_caller]
pub(crate) fn gate(conversation: &Conversation) -> Verification {
    let (store, key) = opened(conversation);
    store.folded::<State>(&key.file_stem()).unwrap().verification
}

fn opened(conversation: &Conversation) -> (LocalStore, SessionKey) {
    let data = conversation.environment.verger_home().join("data");
    let store = LocalStore::open(&data, Options::default()).unwrap();
    (store, Log::of(&conversation.environment).sessions().remove(0))
}

/// Records a verification of the current work, as `verger verify` does.
#[track_caller]
pub(crate) fn verify(conversation: &Conversation, depth: Depth, status: Status) {
    verify_with(conversation, depth, status, |verified| verified);
}

#[track_caller]
pub(crate) fn verify_with(
    conversation: &Conversation,
    depth: Depth,
    status: Status,
    change: impl FnOnce(Verified) -> Verified,
) {
    let (store, key) = opened(conversation);
    let environment = &conversation.environment;
    let variables: Vec<_> = environment
        .command("git")
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let home = Home::locate(|name| {
        (name == "VERGER_HOME").then(|| environment.verger_home().into_os_string())
    });
    let facts = FactFinder::new(&home.unwrap(), &key, &Settings::default(), variables);
    let state = store.folded::<State>(&key.file_stem()).unwrap();
    let amount = facts.amount(&state.work, state.session.cwd.as_deref()).unwrap();
    let verified = Verified {
        run: "run-1".to_owned(),
        depth,
        content: amount.content.hash,
        status,
        lasting: None,
        plan: None,
        checks: vec![],
        issues: vec![],
        more_issues: 0,
        next_steps: vec![],
        failing_tests: FailingTests::none(),
        ran_tests: None,
        tree_changed: vec![],
        no_regressions: None,
    };
    record(conversation, &Input::Ended(&change(verified)));
}

/// Records an input of the verification gate, as a command would.
#[track_caller]
pub(crate) fn record(conversation: &Conversation, input: &Input<'_>) {
    let (store, key) = opened(conversation);
    let last = Log::of(&conversation.environment).records(&key).pop().unwrap();
    let turn = store.open::<State>(&key).unwrap();
    let before = turn.state().verification.clone();
    let at = last.draft.at;
    let step = step(&before, input, &Policy::default(), at);
    let first = 900_000 + 10 * u128::from(last.seq);
    let drafts = events(&before, &step, at).into_iter().zip(1..).map(|(event, number)| {
        let mut draft = last.draft.clone();
        draft.id = EventId::new(at, first + number);
        draft.event = event;
        draft
    });
    turn.commit(drafts.collect()).unwrap();
}

/// A verification with one issue.
pub(crate) fn with_issue(verified: Verified) -> Verified {
    let check = verger_gate::verification::Check {
        name: "lint".to_owned(),
        kind: verger_gate::verification::CheckKind::Lint,
        command: Some("cargo clippy".to_owned()),
        status: CheckStatus::Failed,
        took_millis: 1,
        summary: "1 finding".to_owned(),
    };
    let issue = Issue {
        check: "lint".to_owned(),
        path: Some("parser.rs".to_owned()),
        line: Some(1),
        text: "this function is never used".to_owned(),
    };
    let next_steps = vec![
        "Fix what lint found; `cargo clippy` shows all of it.".to_owned(),
        "Then run `verger verify`.".to_owned(),
    ];
    Verified { checks: vec![check], issues: vec![issue], next_steps, ..verified }
}

/// The gate's phase after each of its changes.
#[track_caller]
pub(crate) fn phases(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let changes = records.filter_map(|record| match record.draft.event {
        Event::GateChanged { gate, to, cause, .. } if gate == "verification" => {
            Some(format!("{to}: {cause}"))
        }
        _ => None,
    });
    changes.collect()
}
