//! The output of a scene: for people in lines that fit their terminal, for programs as JSON.

use std::io;
use std::path::Path;

use serde_json::{Value, json};
use verger_event::Actor;
use verger_store::Entry;

use super::look::{Finding, Layout, Seen};
use super::scene::{Scene, Shows, Speaker};
use crate::render::output::{Tone, Ui};
use crate::render::wrap::{LongWord, wrapped};
use crate::sessions::entry_text::{EntryText, entry_text};

/// The width without a terminal.
const USUAL_WIDTH: usize = 80;
/// The maximum width. Longer lines are hard to read.
const LONGEST_LINE: usize = 100;
const INDENT: &str = "   ";
/// The width of the labels, including the blank after the longest label.
const LABEL_WIDTH: usize = 9;

/// The results of a scene.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) recorded: Vec<Line>,
    pub(super) seen: Vec<Seen>,
}

impl Shown {
    pub(super) fn is_as_promised(&self) -> bool {
        self.seen.iter().all(|seen| seen.finding != Finding::Broken)
    }
}

/// An entry of the log, in words.
#[derive(Debug)]
pub(super) struct Line {
    number: String,
    kind: String,
    /// The kind of subagent, if a subagent caused the entry.
    subagent: Option<String>,
    summary: String,
}

impl Line {
    /// Paths in the project are shown without the temporary directory.
    pub(super) fn of(entry: &Entry, project: &Path) -> Self {
        match entry_text(entry) {
            EntryText::Event { number, kind, actor, summary, .. } => {
                let subagent = match actor {
                    Actor::Main { .. } => None,
                    Actor::Subagent { agent_type, .. } => Some(agent_type),
                };
                let summary = summary.replace(&format!("{}/", project.display()), "");
                Self { number, kind, subagent, summary }
            }
            EntryText::Unread(summary) => {
                Self { number: "-".to_owned(), kind: "unread".to_owned(), subagent: None, summary }
            }
        }
    }

    fn text(&self) -> String {
        let Self { number, kind, summary, .. } = self;
        let who = self.subagent.as_ref().map(|who| format!("[{who}] ")).unwrap_or_default();
        format!("   {number:>3}  {kind:<16} {who}{summary}").trim_end().to_owned()
    }

    fn json(&self) -> Value {
        let Self { number, kind, subagent, summary } = self;
        json!({ "number": number, "kind": kind, "subagent": subagent, "summary": summary })
    }
}

/// The width of the demo's output.
pub(super) fn width(ui: &Ui) -> usize {
    ui.columns().unwrap_or(USUAL_WIDTH).min(LONGEST_LINE)
}

/// Wraps a text into lines that fit. Words that are too long are broken.
pub(super) fn told_within(ui: &Ui, text: &str, indent: &str) -> Vec<String> {
    wrapped(indent, text, width(ui), indent.len(), LongWord::Broken)
}

/// Prints the title. This happens before the scene runs, because the scene may take a moment.
pub(super) fn tell_beginning(ui: &mut Ui, number: usize, scene: &Scene) -> io::Result<()> {
    ui.note("")?;
    for line in told_within(ui, &format!("{number}. {}", scene.title), "") {
        ui.toned_line(&[(Tone::Strong, &line)])?;
    }
    if !scene.story.is_empty() {
        for line in told_within(ui, scene.story, INDENT) {
            ui.note(line)?;
        }
    }
    ui.flush()
}

pub(super) fn tell_outcome(ui: &mut Ui, scene: &Scene, shown: &Shown) -> io::Result<()> {
    if scene.shows == Shows::Records {
        for line in &shown.recorded {
            ui.line(fitted(&line.text(), width(ui)))?;
        }
    }
    for seen in &shown.seen {
        tell(ui, seen)?;
    }
    ui.flush()
}

/// Prints the label in its column, and the text beside it.
fn tell(ui: &mut Ui, seen: &Seen) -> io::Result<()> {
    let label = match seen.speaker {
        Speaker::Table => INDENT.to_owned(),
        speaker => format!("{INDENT}{:LABEL_WIDTH$}", speaker.label()),
    };
    let blank = " ".repeat(label.len());
    let room = width(ui).saturating_sub(label.len()).max(1);
    let lines = match seen.layout {
        Layout::Wrapped => wrapped("", &seen.text, room, 0, LongWord::Broken),
        Layout::OneLine => vec![fitted(&seen.text, room)],
    };
    for (index, line) in lines.iter().enumerate() {
        let label = if index == 0 { &label } else { &blank };
        ui.toned_line(&[(Tone::Faint, label), (seen.tone, line)])?;
    }
    Ok(())
}

pub(super) fn scene_json(scene: &Scene, shown: &Shown) -> Value {
    let seen = shown.seen.iter().map(|seen| {
        let finding = match seen.finding {
            Finding::Promised => "promised",
            Finding::Broken => "broken",
            Finding::Detail => "detail",
        };
        json!({ "speaker": seen.speaker.label(), "text": seen.text, "finding": finding })
    });
    json!({
        "title": scene.title,
        "story": scene.story,
        "recorded": shown.recorded.iter().map(Line::json).collect::<Value>(),
        "seen": seen.collect::<Value>(),
    })
}

/// A text shortened to one line of at most `width` characters.
fn fitted(text: &str, width: usize) -> String {
    let text = text.replace('\n', " ");
    if text.chars().count() <= width {
        return text;
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_says_so() {
        assert_eq!(fitted("abcdef", 6), "abcdef");
        assert_eq!(fitted("abc\ndefg", 6), "abc d…");
    }
}
