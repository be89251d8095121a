//! Formats a learning as an entry of `learnings.md`.

use verger_event::SessionId;

use super::keys::Key;
use super::quoting;
use crate::learning::Learning;
use crate::learning_id::LearningId;
use crate::moment;

/// The maximum number of consecutive equal lines that two additions may share. With more, git would
/// merge the additions into one.
const COMMON_LINES: usize = 3;

/// The fields that verger writes first in every entry.
pub(super) const WRITTEN_FIRST: &[Key] = &[Key::Category, Key::Scope, Key::Confidence];

/// Formats a learning as an entry, in whole lines. The entry must be appended after an empty line.
pub fn render(learning: &Learning) -> String {
    let summary = quoting::whole(&learning.summary);
    let mark = mark(learning.id.as_str());
    let mut text = format!("## {summary} {{#{}}}\n\n", learning.id);
    let mut common_lines = 1;
    for line in learning.detail.split('\n') {
        if common_lines == COMMON_LINES {
            text.push_str("> ");
            text.push_str(&mark);
            text.push('\n');
            common_lines = 0;
        }
        let (quote, line) = quoting::line(line, &mark);
        text.push_str(quote);
        text.push_str(&line);
        text.push('\n');
        common_lines += 1;
    }
    if common_lines < COMMON_LINES {
        text.push('\n');
    }
    text.push_str(&fields(learning));
    text.push('\n');
    text
}

/// A comment line with the id. Between the lines of an entry, it keeps equal parts of two entries
/// different.
pub(super) fn mark(id: &str) -> String {
    format!("<!-- {id} -->")
}

fn fields(learning: &Learning) -> String {
    let provenance = &learning.provenance;
    let criteria: Vec<_> = learning.criteria.iter().map(|criterion| criterion.as_str()).collect();
    let supersedes: Vec<_> = learning.supersedes.iter().map(LearningId::as_str).collect();
    let events: Vec<_> = provenance.events.iter().map(ToString::to_string).collect();
    let session = provenance.session.as_ref().map(SessionId::as_str);
    let mut fields = String::from("-");
    let mut set = |key: Key, value: &str| {
        if !value.is_empty() {
            let separator = if fields.len() > 1 { " |" } else { "" };
            for part in [separator, " ", key.name(), ": ", value] {
                fields.push_str(part);
            }
        }
    };
    set(Key::Category, learning.category.as_str());
    set(Key::Scope, learning.scope.as_str());
    set(Key::Confidence, learning.confidence.as_str());
    set(Key::Criteria, &quoting::list(&criteria));
    set(Key::Tags, &quoting::list(&learning.tags));
    set(Key::Files, &quoting::list(&learning.files));
    set(Key::Symbols, &quoting::list(&learning.symbols));
    set(Key::Supersedes, &quoting::list(&supersedes));
    set(Key::Created, &moment::written(learning.created));
    set(Key::Ticket, &provenance.ticket.as_deref().map(quoting::item).unwrap_or_default());
    set(Key::Session, &session.map(quoting::item).unwrap_or_default());
    set(Key::Commit, &provenance.commit.as_deref().map(quoting::item).unwrap_or_default());
    set(Key::Events, &quoting::list(&events));
    set(Key::Id, learning.id.as_str());
    fields
}
