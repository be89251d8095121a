//! A project with learnings, in files as verger writes them.

use verger_event::{EventId, SessionId, Timestamp};
use verger_memory::stats::{StatsEvent, StatsLine, render as stats_text};
use verger_memory::text::render;
use verger_memory::{Category, Confidence, Criterion, Learning, LearningId, Provenance, Scope};

use crate::recorded::Recorded;

/// The start time of a [`Recorded`].
const START_MS: u64 = 1_794_767_961_000;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The time this number of days before the first event of a [`Recorded`].
pub(crate) fn days_ago(days: u64) -> Timestamp {
    Timestamp::from_millis(START_MS - days * DAY_MS)
}

/// The id `learn-NAME`.
pub(crate) fn id(name: &str) -> LearningId {
    format!("learn-{name}").parse().unwrap()
}

/// A learning of the project, created this number of days ago.
pub(crate) fn learning(name: &str, days: u64, summary: &str) -> Learning {
    Learning {
        id: id(name),
        category: Category::Pitfall,
        summary: summary.to_owned(),
        detail: format!("Details of this learning: {summary}."),
        scope: Scope::Project,
        confidence: Confidence::High,
        criteria: vec![Criterion::StableFact],
        tags: vec!["sample".to_owned()],
        files: vec![],
        symbols: vec![],
        supersedes: vec![],
        created: days_ago(days),
        provenance: Provenance::default(),
    }
}

/// The learning with personal scope.
pub(crate) fn personal(learning: Learning) -> Learning {
    Learning { scope: Scope::Personal, ..learning }
}

/// The learning, replacing the one with this name.
pub(crate) fn in_place_of(name: &str, learning: Learning) -> Learning {
    Learning { supersedes: vec![id(name)], ..learning }
}

/// A line of statistics about an event in a session this number of days ago.
pub(crate) fn line(days: u64, session: &str, event: StatsEvent) -> StatsLine {
    // The id is derived from the content, so all lines of a test have different ids.
    let random = format!("{days} {session} {event:?}")
        .bytes()
        .fold(7_u128, |sum, byte| sum.wrapping_mul(31).wrapping_add(u128::from(byte)));
    let at = days_ago(days);
    StatsLine {
        id: EventId::new(at, random),
        at,
        session: Some(SessionId::new(session)),
        tickets: vec![],
        event,
    }
}

pub(crate) fn surfaced(name: &str) -> StatsEvent {
    StatsEvent::Surfaced { learning: id(name), score: None }
}

pub(crate) fn referenced(name: &str) -> StatsEvent {
    StatsEvent::Referenced { learning: id(name), how: verger_event::Reference::Explicit }
}

pub(crate) fn archived(name: &str) -> StatsEvent {
    StatsEvent::Archived { learning: id(name), reason: "nobody used it".to_owned() }
}

/// A project that stores its learnings with Total Recall: `learn-empty` in a log of the last days,
/// and `learn-long` in the archive.
pub(crate) fn with_an_archive() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    let entry = |name: &str| {
        format!(
            "# Log\n\n## Learnings\n\n[10:00] **Pitfall** (grove:learn-{name}): The importer drops \
             {name} lines\n> It takes them for the end.\n\nTags: #importer | Confidence: High\n"
        )
    };
    recorded.environment.write("rules/total-recall.md", "# Total Recall\n");
    recorded.environment.write("memory/daily/2026-11-14.md", entry("empty"));
    recorded.environment.write("memory/archive/2026-01-02.md", entry("long"));
    recorded
}

/// A project with these learnings and statistics, without a session.
pub(crate) fn learned(learnings: &[Learning], lines: &[StatsLine]) -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    let (personal, shared): (Vec<_>, Vec<_>) =
        learnings.iter().partition(|learning| learning.scope == Scope::Personal);
    let text = |learnings: &[&Learning]| -> String {
        learnings.iter().flat_map(|learning| ["\n".to_owned(), render(learning)]).collect()
    };
    let environment = &recorded.environment;
    let heading = "# Learnings\n";
    environment.write(".verger/learnings.md", format!("{heading}{}", text(&shared)));
    environment.write(
        environment.verger_home().join("data/personal-learnings.md"),
        format!("{heading}{}", text(&personal)),
    );
    environment.write(".verger/stats.log", stats_text(lines));
    environment
        .write(".verger/.gitattributes", "learnings.md merge=union\nstats.log merge=union\n");
    recorded
}
