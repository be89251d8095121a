//! Helpers: conversations with gates, and functions that read the gates' records in the log.

use std::fs;

use verger_event::Event;
use verger_testkit::{Conversation, HookAnswer, TestEnvironment};

use crate::log::Log;
use crate::stage::HOOK;

/// A session in a repository with one commit.
#[track_caller]
pub(crate) fn conversation() -> Conversation {
    Conversation::begin(TestEnvironment::with_repository(), &[HOOK])
}

/// A command that needs an approval in these tests.
pub(crate) const CLOSE: &str = "gh issue close 5";

/// Like [`conversation`], but with a task that needs a review, a changed file, and a tool that
/// needs an approval.
#[track_caller]
pub(crate) fn wanted() -> Conversation {
    let conversation = conversation();
    conversation.configure("[review]\ngated_tools = [\"Bash:gh issue close*\"]\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation
}

/// Runs `act` while a file is in place of verger's data directory.
pub(crate) fn without_store(conversation: &Conversation, act: impl FnOnce()) {
    let data = conversation.environment.verger_home().join("data");
    let kept = data.with_extension("kept");
    fs::rename(&data, &kept).unwrap();
    fs::write(&data, "in the way").unwrap();
    act();
    fs::remove_file(&data).unwrap();
    fs::rename(&kept, &data).unwrap();
}

/// The whole log, one line per record.
#[track_caller]
pub(crate) fn lines(conversation: &Conversation) -> String {
    let log = Log::of(&conversation.environment);
    assert_eq!(log.faults(), []);
    conversation.environment.normalise(&log.lines().join("\n"))
}

/// The gates' changes and answers, and the warnings, as lines without number, prompt and task.
#[track_caller]
pub(crate) fn news(conversation: &Conversation) -> Vec<String> {
    let kinds =
        ["gate.", "verdict.", "warning.", "context.", "start_tree.", "review.", "call.rewritten"];
    let lines = lines(conversation);
    let lines = lines.lines().filter_map(|line| {
        let mut words = line.splitn(7, ' ');
        let (actor, kind) = (words.nth(1)?, words.next()?);
        let details = words.nth(3).unwrap_or_default();
        let is_news = kinds.iter().any(|known| kind.starts_with(known));
        is_news.then(|| format!("{actor} {kind} {details}").trim_end().to_owned())
    });
    lines.collect()
}

/// The warnings for the person.
#[track_caller]
pub(crate) fn warnings(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let warnings = records.filter_map(|record| match record.draft.event {
        Event::Warned { area, message } => {
            Some(conversation.environment.normalise(&format!("{area}: {message}")))
        }
        _ => None,
    });
    warnings.collect()
}
