//! What is noted of a task while it is worked on: enough to hand it over, and to record it when it ends.
//!
//! Everything in it is bounded. What is dropped first is what was only looked at.

mod decided;
mod place;

use serde::{Deserialize, Serialize};
use verger_event::{EventId, ToolCall};

use crate::bounded::Recent;
use crate::goal::asks;
use crate::paths::{FileKind, name};
use crate::record::{Decision, Ending, TaskDetails, TaskRecord};
use crate::recovery::Alignment;
use crate::step::{Action, Command, CommandKind, Step};
use crate::tasks::TaskNumber;
pub(crate) use decided::decisions_in;
use place::place;

/// So much of what was asked for is kept.
const MAX_QUERY: usize = 500;
/// So much of what the agent said: what it did stands at the beginning, what it asks at the end.
const MAX_SAID: usize = 300;
/// So many lines of what was done.
const MAX_TRACE: usize = 32;
/// So much of one line.
const MAX_LINE: usize = 160;
const MAX_DECISIONS: usize = 10;
pub(crate) const MAX_FILES: usize = 32;
const MAX_TAGS: usize = 12;

/// A task that is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notes {
    pub(crate) number: TaskNumber,
    pub(crate) parent: Option<TaskNumber>,
    pub(crate) query: String,
    pub(crate) trace: Vec<Trace>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) files: Recent<String, MAX_FILES>,
    pub(crate) commit: Option<String>,
    pub(crate) check: Option<Check>,
    said: Said,
    recorded: Recorded,
    steps: u32,
    /// Steps that changed something.
    changes: u32,
    astray: u32,
}

/// What the agent said when it ended a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Said {
    #[default]
    Nothing,
    /// And nothing happened since.
    Last(String),
    /// And then the work went on.
    Before(String),
}

/// What the last record of it says. What was done later is news.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Recorded {
    #[default]
    Not,
    /// It was left after so many changes.
    Unfinished { changes: u32 },
    /// It was finished with so many changes.
    Finished { changes: u32 },
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trace {
    did: Did,
    what: String,
    place: Option<String>,
    times: u32,
    failed: bool,
    on: EventId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Did {
    Searched,
    Read,
    Delegated,
    Ran,
    Wrote,
    Changed,
    /// It was changed, and is as it was before.
    TookBack,
    Finished,
}

/// The last check of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) command: String,
    pub(crate) failed: bool,
    /// Whether something was changed after it.
    pub(crate) is_old: bool,
}

impl Notes {
    pub(crate) fn new(number: TaskNumber, parent: Option<TaskNumber>, query: &str) -> Self {
        Self {
            number,
            parent,
            query: query.trim().chars().take(MAX_QUERY).collect(),
            trace: vec![],
            decisions: vec![],
            files: Recent::default(),
            commit: None,
            check: None,
            said: Said::Nothing,
            recorded: Recorded::Not,
            steps: 0,
            changes: 0,
            astray: 0,
        }
    }

    /// Whether there is something that others may want to know of and that no record has.
    pub(crate) fn has_news(&self, ending: Ending) -> bool {
        match self.recorded {
            // What was taken back was work, too: whoever comes after need not try it again.
            Recorded::Not => self.changes > 0,
            Recorded::Unfinished { changes } => {
                ending == Ending::Complete || self.changes > changes
            }
            Recorded::Finished { changes } => self.changes > changes,
        }
    }

    /// A record of it was written.
    pub(crate) fn was_recorded(&mut self, is_complete: bool) {
        let changes = self.changes;
        self.recorded = if is_complete {
            Recorded::Finished { changes }
        } else {
            Recorded::Unfinished { changes }
        };
    }

    /// Whether anything was done that is not finished.
    pub(crate) fn is_under_way(&self) -> bool {
        self.steps > 0 && !self.is_finished()
    }

    /// Whether it was finished, and nobody went on with it.
    pub(crate) fn is_finished(&self) -> bool {
        self.said_last().is_some() && self.recorded == Recorded::Finished { changes: self.changes }
    }

    /// Whether the agent waits for an answer.
    pub(crate) fn is_asking(&self) -> bool {
        self.said_last().is_some_and(asks)
    }

    /// What the agent said, if nothing happened since.
    pub(crate) fn said_last(&self) -> Option<&str> {
        match &self.said {
            Said::Last(words) => Some(words),
            Said::Nothing | Said::Before(_) => None,
        }
    }

    /// What the agent said, and whether the work went on since.
    pub(crate) fn told(&self) -> Option<String> {
        let (when, words) = match &self.said {
            Said::Nothing => return None,
            Said::Last(words) => ("last", words),
            Said::Before(words) => ("before it went on", words),
        };
        let line = first_line(words);
        (!line.is_empty()).then(|| format!("the agent said {when}: {line}"))
    }

    /// What the agent said last was not the end.
    pub(crate) fn goes_on(&mut self) {
        if let Said::Last(words) = &mut self.said {
            self.said = Said::Before(std::mem::take(words));
        }
    }

    /// Something that was asked for first or beside it is finished.
    pub(crate) fn has_part(&mut self, query: &str, on: EventId) {
        let what = first_line(query);
        self.trace(Trace { did: Did::Finished, what, place: None, times: 1, failed: false, on });
    }

    /// The agent did something.
    pub(crate) fn took(
        &mut self,
        (step, call): (&Step, &ToolCall),
        response: &serde_json::Value,
        (bearing, on): (Alignment, EventId),
    ) {
        self.goes_on();
        self.steps = self.steps.saturating_add(1);
        if bearing == Alignment::Astray {
            self.astray = self.astray.saturating_add(1);
        }
        let changes = step.changed_files();
        let had_no_effect = step.failed && step.action.changes_files();
        if !changes.is_empty() && !had_no_effect {
            self.changes = self.changes.saturating_add(1);
            self.files.note_all(changes);
            if let Some(check) = &mut self.check {
                check.is_old = true;
            }
        }
        self.take_commands(step, call, bearing);
        if let Some(line) = traced(step, call, response, on) {
            self.trace(line);
        }
    }

    /// Forgets what was changed and is as it was before: `undone`, and what git brought back that no commit has. What was put aside
    /// comes again.
    pub(crate) fn took_back(&mut self, step: &Step, undone: &[String]) {
        let puts_aside = |one: &Command| one.words.get(1).is_some_and(|word| word == "stash");
        if step.failed || step.commands.iter().any(puts_aside) {
            return;
        }
        let is_restored = |file: &String| self.commit.is_none() && step.restores(file);
        let is_back = |file: &String| undone.contains(file) || is_restored(file);
        for line in &mut self.trace {
            if matches!(line.did, Did::Changed | Did::Wrote) && is_back(&line.what) {
                line.did = Did::TookBack;
            }
        }
        self.files.retain(|file| !is_back(file));
    }

    /// The agent ended its turn with these words.
    pub(crate) fn said(&mut self, words: &str) {
        self.said = Said::Last(ends_of(words.trim()));
        for decision in decisions_in(words) {
            self.decide(decision);
        }
    }

    fn take_commands(&mut self, step: &Step, call: &ToolCall, bearing: Alignment) {
        let kinds = || step.commands.iter().map(|command| command.kind);
        let Some(line) = &step.command else { return };
        let line: String = line.chars().take(MAX_LINE).collect();
        if kinds().any(|kind| matches!(kind, CommandKind::Tests | CommandKind::Checks)) {
            self.check = Some(Check { command: line.clone(), failed: step.failed, is_old: false });
        }
        if step.failed {
            return;
        }
        if kinds().any(|kind| kind == CommandKind::Commits) {
            self.changes = self.changes.saturating_add(1);
            self.commit = step.outlook.commit.clone().or_else(|| self.commit.take());
        }
        // What leads off course is nothing to hold on to.
        if step.is_key_decision() && bearing != Alignment::Astray {
            let why = call.input.get("description").and_then(|why| why.as_str());
            let reason = why.unwrap_or_default().chars().take(MAX_LINE).collect();
            self.decide(Decision { choice: line, reason });
        }
    }

    fn decide(&mut self, decision: Decision) {
        if self.decisions.iter().any(|known| known.choice == decision.choice) {
            return;
        }
        if self.decisions.len() >= MAX_DECISIONS {
            self.decisions.remove(0);
        }
        self.decisions.push(decision);
    }

    fn trace(&mut self, line: Trace) {
        let is_same = |known: &Trace| known.did == line.did && known.what == line.what;
        let known = match line.did {
            // A file is read and searched once, however often.
            Did::Read | Did::Searched => self.trace.iter_mut().find(|known| is_same(known)),
            _ => self.trace.last_mut().filter(|known| is_same(known)),
        };
        if let Some(known) = known {
            known.times = known.times.saturating_add(1);
            known.failed = line.failed;
            known.place = line.place.or_else(|| known.place.take());
            return;
        }
        if self.trace.len() >= MAX_TRACE {
            let only_looked = |known: &Trace| matches!(known.did, Did::Searched | Did::Read);
            let least = self.trace.iter().position(only_looked).unwrap_or(0);
            self.trace.remove(least);
        }
        self.trace.push(line);
    }

    /// What is kept of it, where `goal` is what it became and the decisions are those that hold.
    pub(crate) fn record(
        &self,
        goal: &str,
        (constraints, decisions): (Vec<String>, Vec<Decision>),
        ending: Ending,
    ) -> TaskRecord {
        let lines = self.trace.iter().map(Trace::told);
        TaskRecord {
            number: self.number,
            parent: self.parent,
            ending,
            query: self.query.clone(),
            goal: if goal.is_empty() { first_line(&self.query) } else { goal.to_owned() },
            commit: self.commit.clone(),
            details: TaskDetails {
                trace: lines.collect(),
                decisions,
                constraints,
                files: self.files.iter().cloned().collect(),
                tags: self.tags(),
                steps: self.steps,
                astray: self.astray,
                cites: self.trace.iter().map(|line| line.on).collect(),
            },
        }
    }

    /// Where it was: folders, and what the files are.
    fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = vec![];
        let mut tag = |word: &str| {
            let word = word.to_lowercase();
            if tags.len() < MAX_TAGS && word.len() > 1 && !tags.contains(&word) {
                tags.push(word);
            }
        };
        for file in self.files.iter() {
            let mut parts: Vec<&str> = file.split('/').collect();
            parts.pop();
            parts
                .iter()
                .filter(|part| !matches!(**part, "src" | "lib" | ""))
                .for_each(|part| tag(part));
            if let Some((_, ending)) = name(file).rsplit_once('.') {
                tag(ending);
            }
            match FileKind::of(file) {
                FileKind::Test => tag("test"),
                FileKind::Document => tag("documentation"),
                FileKind::Build => tag("build"),
                _ => {}
            }
        }
        tags
    }

    /// What was done, a line each.
    pub(crate) fn progress(&self) -> impl DoubleEndedIterator<Item = String> {
        let is_done = |line: &&Trace| !matches!(line.did, Did::Searched | Did::Read);
        self.trace.iter().filter(is_done).map(Trace::told)
    }
}

impl Trace {
    fn told(&self) -> String {
        let verb = match self.did {
            Did::Searched => "Searched for",
            Did::Read => "Read",
            Did::Delegated => "Delegated:",
            Did::Ran => "Ran",
            Did::Wrote => "Wrote",
            Did::Changed => "Changed",
            Did::TookBack => "Changed and took back",
            Did::Finished => "Finished:",
        };
        let place = self.place.as_deref().unwrap_or_default();
        let times = if self.times > 1 { format!(", {} times", self.times) } else { String::new() };
        let failed = if self.failed { ": failed" } else { "" };
        format!("{verb} {}{place}{times}{failed}", self.what)
    }
}

fn traced(
    step: &Step,
    call: &ToolCall,
    response: &serde_json::Value,
    on: EventId,
) -> Option<Trace> {
    let text = |key: &str| call.input.get(key).and_then(|value| value.as_str());
    let (did, what) = match step.action {
        Action::Edit => (Did::Changed, step.files.first()?.clone()),
        Action::Write => (Did::Wrote, step.files.first()?.clone()),
        Action::Read => (Did::Read, step.files.first()?.clone()),
        Action::Grep | Action::Glob => (Did::Searched, text("pattern")?.to_owned()),
        Action::Task => (Did::Delegated, text("description").or(text("prompt"))?.to_owned()),
        Action::Bash => {
            let is_plain = |kind| matches!(kind, CommandKind::Other | CommandKind::Lists);
            let is_telling = step.commands.iter().any(|one| !is_plain(one.kind));
            (Did::Ran, step.command.clone().filter(|_| is_telling)?)
        }
        Action::Other => return None,
    };
    let what = first_line(&what);
    let place = match did {
        Did::Read | Did::Changed => place(step, call, response),
        _ => None,
    };
    Some(Trace { did, what, place, times: 1, failed: step.failed, on })
}

/// A text up to the questions that it ends with.
pub(crate) fn before_question(text: &str) -> &str {
    let sentences = text.split_inclusive(['.', '!', '?', '。', '？', '\n']).rev();
    let asked = sentences.take_while(|one| one.trim().is_empty() || asks(one));
    &text[..text.len() - asked.map(str::len).sum::<usize>()]
}

/// The beginning and the end of a text.
fn ends_of(text: &str) -> String {
    let (head, tail) =
        match (text.char_indices().nth(MAX_SAID), text.char_indices().nth_back(MAX_SAID)) {
            (Some((head, _)), Some((tail, _))) if head < tail => (head, tail),
            _ => return text.to_owned(),
        };
    format!("{}\n…\n{}", &text[..head], &text[tail..])
}

/// A text on one line, not too long.
pub(crate) fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_LINE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_ends_where_it_begins_to_ask() {
        let cases = [
            ("Installed. Shall I go on with the proxy?", "Installed."),
            (
                "Why did it fail? It was the path. Fixed.",
                "Why did it fail? It was the path. Fixed.",
            ),
            ("修正しました。テストも追加しましょうか。", "修正しました。"),
            ("Done.\n\nNext?\nOr not?\n", "Done."),
            ("Shall I?", ""),
            ("", ""),
        ];
        for (reply, expected) in cases {
            assert_eq!(before_question(reply).trim(), expected, "{reply}");
        }
    }

    #[test]
    fn of_a_long_reply_both_ends_are_kept() {
        let long = format!("Done. {} Shall I go on?", "é".repeat(900));
        let kept = ends_of(&long);
        assert!(kept.starts_with("Done. é") && kept.ends_with("é Shall I go on?"), "{kept}");
        assert_eq!(kept.chars().count(), 2 * MAX_SAID + 4);
        assert_eq!(ends_of("Done."), "Done.");
    }
}
