//! Learnings are kept in order without anybody asking for it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use verger_event::{EventId, Reference, SessionId, Timestamp};
use verger_memory::stats::{StatsEvent, StatsLine, render};
use verger_testkit::{Conversation, HookAnswer, TestEnvironment};

use crate::recall::{STATS, given, stats};
use crate::stage::HOOK;

const PROMPT: &str = "The retry of save writes the row twice, make it idempotent";

/// Of which the first and the last are older than ninety days.
const LEARNINGS: &str = "\
# Learnings

## Retry of `save` doubles the row {#learn-old}

> The idempotency key is made per attempt. Make it once, before the retry loop.

- category: pitfall | tags: retry, idempotency | created: 2026-08-15

## Save writes the row after the retry {#learn-new}

> An idempotent save of the row begins with a look at the key, and every retry does so again.

- category: pitfall | tags: retry, idempotency | created: 2026-08-18

## A retry of save is idempotent by the row's key {#learn-immune}

> The row is written twice when the key is made in the loop of the retry.

- category: pitfall | tags: retry, idempotency | created: 2026-08-15
";

const FILE: &str = ".verger/learnings.md";

fn conversation() -> Conversation {
    Conversation::begin(TestEnvironment::with_repository(), &[HOOK])
}

fn start(conversation: &Conversation) -> HookAnswer {
    conversation.call("SessionStart-resume", &[])
}

fn write(conversation: &Conversation, learnings: &str) {
    let project = conversation.environment.project();
    conversation.environment.write(project.join(FILE), learnings);
}

/// Twenty sessions that were given a learning and used it.
fn uses(learning: &str) -> String {
    let lines = (0..40).map(|number| {
        let learning = learning.parse().unwrap();
        let at = Timestamp::from_millis(1_786_800_000_000 + number);
        StatsLine {
            id: EventId::new(at, number.into()),
            at,
            session: Some(SessionId::new(format!("s-{}", number / 2))),
            tickets: vec![],
            event: match number % 2 {
                0 => StatsEvent::Surfaced { learning, score: None },
                _ => StatsEvent::Referenced { learning, how: Reference::Explicit },
            },
        }
    });
    render(&lines.collect::<Vec<_>>())
}

/// The lines of the statistics that are no uses.
fn archived(conversation: &Conversation) -> Vec<String> {
    stats(conversation, STATS).into_iter().filter(|line| line.starts_with("archived")).collect()
}

#[test]
fn what_nobody_used_for_ninety_days_is_put_away_once_a_day_and_its_text_stays() {
    let mut conversation = conversation();
    write(&conversation, LEARNINGS);
    let project = conversation.environment.project();
    conversation.environment.write(project.join(".verger/stats.log"), uses("learn-immune"));
    assert_eq!(start(&conversation), HookAnswer::default());
    assert_eq!(archived(&conversation), ["archived learn-old"]);
    let log = conversation.environment.read(project.join(".verger/stats.log"));
    assert!(log.contains(r#""learn-old","reason":"not used for 90 days""#), "{log}");
    assert_eq!(conversation.environment.read(project.join(FILE)), LEARNINGS);
    let answer = conversation.prompt(PROMPT);
    let mut found = given(&answer);
    found.sort_unstable();
    assert_eq!(found, ["learn-immune", "learn-new"]);

    conversation.continue_as("1b6b4ad8-5e21-4d51-a4fc-5e37cb2c8d7d");
    let older = LEARNINGS.replace("2026-08-18", "2026-08-15");
    write(&conversation, &older);
    assert_eq!(start(&conversation), HookAnswer::default());
    assert_eq!(archived(&conversation), ["archived learn-old"], "it was done on this day");
    conversation.pass_seconds(24 * 60 * 60);
    assert_eq!(start(&conversation), HookAnswer::default());
    assert_eq!(archived(&conversation), ["archived learn-old", "archived learn-new"]);
    conversation.pass_seconds(24 * 60 * 60);
    assert_eq!(start(&conversation), HookAnswer::default());
    assert_eq!(archived(&conversation).len(), 2, "once is enough");
}

#[test]
fn what_an_agent_cannot_wait_for_is_done_by_a_process_of_its_own() {
    let mut conversation = conversation();
    let fact = |number| {
        format!(
            "\n## Fact number {number} {{#learn-{number}}}\n\n> The module number{number} has a \
             detail that takes a line to tell.\n\n- category: domain | created: 2026-11-01\n"
        )
    };
    let learnings: String =
        [LEARNINGS.to_owned()].into_iter().chain((0..10_000).map(fact)).collect();
    write(&conversation, &learnings);
    assert_eq!(start(&conversation), HookAnswer::default());
    wait_for(&conversation, "looked-through");
    conversation.continue_as("1b6b4ad8-5e21-4d51-a4fc-5e37cb2c8d7d");
    assert_eq!(given(&conversation.prompt(PROMPT)), ["learn-new"]);
    assert_eq!(archived(&conversation), ["archived learn-immune", "archived learn-old"]);
}

/// Waits until a process that nobody waits for has left a file beside the index.
#[track_caller]
fn wait_for(conversation: &Conversation, name: &str) {
    let recall = conversation.environment.verger_home().join("data/recall");
    let end = Instant::now() + Duration::from_secs(45);
    while !files(&recall).iter().any(|path| path.ends_with(name)) {
        assert!(Instant::now() < end, "there is no {name}");
        std::thread::yield_now();
    }
}

fn files(recall: &PathBuf) -> Vec<PathBuf> {
    let projects = fs::read_dir(recall).into_iter().flatten();
    let files = projects.flat_map(|project| fs::read_dir(project.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}
