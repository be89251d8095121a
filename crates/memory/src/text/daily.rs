//! The form of a learning in a daily log of Total Recall, among other entries.
//!
//! ```text
//! [14:45] **Pitfall** (grove:learn-def456): Correct async error handling
//! > [supersedes grove:learn-abc123]
//! > The correct approach is...
//!
//! Tags: #rust #async | Confidence: High | Ticket: bd-7
//! ```
//!
//! Total Recall defines this form, which has no place for some fields of a learning. When an entry
//! is read, a missing field gets the value that most learnings have. The time is in the id, if
//! verger made the id.

use verger_event::Timestamp;

use super::quoting;
use super::reading::{Document, parse as parse_entries};
use crate::learning::Learning;
use crate::learning_id::LearningId;
use crate::moment;

/// The text by which verger's entries in a daily log are recognized.
const OURS: &str = "(grove:";
const SUPERSEDES: &str = "[supersedes grove:";
/// Characters that a tag in a daily log can't contain.
const NOT_IN_A_TAG: &[char] = &['#', ',', '|'];

/// Formats a learning as an entry of the daily log, in whole lines. `clock` is the time of day, as
/// `14:32`.
pub fn render(learning: &Learning, clock: &str) -> String {
    let category = capitalised(learning.category.as_str());
    let summary = quoting::whole(&learning.summary);
    let mut text = format!("[{clock}] **{category}** {OURS}{}): {summary}\n", learning.id);
    for id in &learning.supersedes {
        text.push_str("> ");
        text.push_str(SUPERSEDES);
        text.push_str(id.as_str());
        text.push_str("]\n");
    }
    for line in learning.detail.split('\n') {
        let (quote, line) = quoting::line(line, "");
        text.push_str(quote);
        text.push_str(&line);
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&fields(learning));
    text.push('\n');
    text
}

fn fields(learning: &Learning) -> String {
    let is_apart = |c: char| c.is_whitespace() || c.is_control() || NOT_IN_A_TAG.contains(&c);
    let tags: Vec<_> =
        learning.tags.iter().map(|tag| format!("#{}", tag.replace(is_apart, "-"))).collect();
    let mut fields = Vec::new();
    if !tags.is_empty() {
        fields.push(format!("Tags: {}", tags.join(" ")));
    }
    fields.push(format!("Confidence: {}", capitalised(learning.confidence.as_str())));
    if let Some(ticket) = &learning.provenance.ticket {
        fields.push(format!("Ticket: {}", quoting::item(ticket)));
    }
    fields.join(" | ")
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_ascii_uppercase() + rest
}

/// Reads verger's entries from the text of a daily log. `day` is the beginning of that day.
pub fn parse(text: &str, day: Timestamp) -> Document {
    let lines: Vec<_> = text.split('\n').collect();
    let line = |number: usize| lines.get(number - 1).copied().unwrap_or_default();
    let is_ours = |number: usize| line(number).contains(OURS);
    // A conflict mark of git doesn't belong to an entry, so it begins no entry.
    let is_heading = |number: usize| line(number).starts_with(['[', '#']);
    let mut document = parse_entries(text, day);
    document.problems.retain(|problem| is_ours(problem.line) || !is_heading(problem.line));
    document.learnings.retain(|placed| is_ours(placed.line));
    for placed in &mut document.learnings {
        let learning = &mut placed.learning;
        let clock = line(placed.line).get(1..6).and_then(|clock| moment::read(&epoch(clock)));
        let of_day = clock.map_or(0, Timestamp::as_millis);
        let logged = Timestamp::from_millis(day.as_millis().saturating_add(of_day));
        learning.created = learning.id.made_at().unwrap_or(logged);
        let (supersedes, detail) = supersessions(&learning.detail);
        learning.detail = detail.to_owned();
        learning.supersedes = supersedes;
    }
    document
}

fn epoch(clock: &str) -> String {
    format!("1970-01-01T{clock}")
}

/// Splits a learning's detail into the ids of replaced learnings and the rest of the text. The
/// first lines of the detail name these ids, with or without a reason.
fn supersessions(detail: &str) -> (Vec<LearningId>, &str) {
    let (mut ids, mut rest) = (Vec::new(), detail);
    while let Some(marked) = rest.strip_prefix(SUPERSEDES) {
        let (line, below) = marked.split_once('\n').unwrap_or((marked, ""));
        let word = line.split([' ', ']']).next().unwrap_or_default();
        let Ok(id) = word.parse() else { break };
        ids.push(id);
        rest = below;
    }
    (ids, rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::learning::Provenance;
    use crate::samples::{any_text, bare, full};
    use crate::text::Placed;
    use crate::words::{Category, Confidence};

    const GOLDEN: &str = include_str!("../../fixtures/daily-log.md");
    /// The day 2026-11-15.
    const DAY: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn example(id: &str, summary: &str, detail: &str) -> Learning {
        Learning {
            id: id.parse().unwrap(),
            category: Category::Pitfall,
            confidence: Confidence::High,
            summary: summary.to_owned(),
            detail: detail.to_owned(),
            tags: ["rust", "async", "error-handling"].map(str::to_owned).into(),
            created: Timestamp::from_millis(DAY.as_millis() + (14 * 60 + 32) * 60_000),
            provenance: Provenance {
                ticket: Some("grove-abc123".to_owned()),
                ..Provenance::default()
            },
            ..bare()
        }
    }

    fn examples() -> [Learning; 2] {
        let first = example(
            "learn-abc123",
            "Using unwrap() in async context",
            "When an async task panics due to unwrap(), the entire runtime is at\n\
             risk. Use `?` with proper error context instead.",
        );
        let second = Learning {
            supersedes: vec![first.id.clone()],
            ..example("learn-def456", "Correct async error handling", "The correct approach is...")
        };
        [first, second]
    }

    fn learnings(text: &str) -> Vec<Learning> {
        let document = parse(text, DAY);
        assert_eq!(document.problems, []);
        document.learnings.into_iter().map(|placed| placed.learning).collect()
    }

    #[test]
    fn the_form_is_the_given_one() {
        let written = examples().map(|learning| render(&learning, "14:32")).join("\n");
        assert_eq!(format!("## Learnings\n\n{written}"), GOLDEN);
        assert_eq!(learnings(GOLDEN), examples());
    }

    #[test]
    fn the_time_is_in_the_id_and_tags_are_single_words() {
        let odd = ["two words", "#c, d|e", "日本"].map(str::to_owned);
        let written = Learning { tags: odd.into(), ..full() };
        let read = learnings(&render(&written, "23:59"));
        let [read] = &read[..] else { panic!("{read:?}") };
        assert_eq!(read.created, written.created);
        assert_eq!(read.tags, ["two-words", "-c--d-e", "日本"]);
        assert_eq!((&read.detail, &read.supersedes), (&written.detail, &written.supersedes));
    }

    #[test]
    fn foreign_entries_are_skipped_and_our_bad_entries_are_reported() {
        let log = "# 2026-11-15\n\n## Decisions\n[10:15] **Decision**: use Postgres\n> because\n\n\
            ## Learnings\n\n[10:16] **Mood** (grove:learn-a): odd category\n> text\n\n\
            <<<<<<< HEAD\n[10:17] **Domain** (grove:learn-b): good\n\
            > [supersedes grove:learn-a — previous advice was incomplete]\n> text\n=======\n\
            >>>>>>> b\n[10:18] **Domain** (other:learn-c): theirs\n> text\n";
        let document = parse(log, DAY);
        let lines: Vec<_> = document.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [9, 12, 16, 17]);
        let [Placed { line: 13, learning }] = &document.learnings[..] else {
            panic!("{document:?}")
        };
        assert_eq!((learning.summary.as_str(), learning.detail.as_str()), ("good", "text"));
        assert_eq!(learning.supersedes, ["learn-a".parse().unwrap()]);
    }

    proptest! {
        #[test]
        fn a_detail_is_read_back_whatever_it_is(detail in any_text(), more in any_text()) {
            let learning = example("learn-a", "Summary", &format!("Text {detail}\n{more}"));
            prop_assert_eq!(&learnings(&render(&learning, "14:32"))[..], &[learning.clone()][..]);
        }
    }
}
