//! What was done for a goal.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::balance::Balance;
use super::circles::Circles;
use super::files::{Files, Mark};
use super::ties::{Tie, Ties, ties};
use super::violation::violation;
use super::weight::{HALF, ON_COURSE, is_of_before, is_work, weight};
use super::{Assessment, Reason, Score};
use crate::bounded::{Recent, RecentWords, is_default, joined};
use crate::goal::{Goal, Turn};
use crate::paths::{FileKind, PathPattern, bare_name, folder, name};
use crate::recovery::Alignment;
use crate::step::{Action, CommandKind, Step};
use crate::words::{is_common_stem, words};

/// So many violations are told.
const MAX_VIOLATIONS: usize = 4;
/// What it weighs to add or to rewrite something that nobody asked for, in hundredths.
const UNASKED: u32 = 50;
/// So much of a command is told.
const MAX_COMMAND: usize = 120;
/// Shorter words of a change are no names.
const MIN_SYMBOL: usize = 5;
/// Reading elsewhere so often in a row leads nowhere.
const MANY_READS: u32 = 25;

/// How far the work was checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Checked {
    /// Not since the last change.
    #[default]
    No,
    /// It holds together.
    Builds,
    /// Its tests succeed.
    Tests,
    /// It was committed after it was checked.
    Committed,
}

/// The work for one goal, as far as the next step is measured by it.
///
/// It is part of a snapshot that is read at every call of the hook: names in its stored form are single letters, and what is
/// empty is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Work {
    /// What was done with which files.
    #[serde(rename = "f", skip_serializing_if = "Files::is_empty")]
    pub(super) files: Files,
    /// So many changes in a row were led by outputs alone.
    #[serde(rename = "l", skip_serializing_if = "is_default")]
    pub(super) led_by_outputs: u32,
    /// So many changes in a row were led by nothing but a look at the file.
    #[serde(rename = "k", skip_serializing_if = "is_default")]
    pub(super) led_by_looks: u32,
    /// Whether something was looked at that the instruction speaks of.
    #[serde(rename = "a", skip_serializing_if = "is_default")]
    pub(super) is_located: bool,
    /// Words of the names of the files that were changed for the goal.
    #[serde(rename = "n", with = "joined", skip_serializing_if = "Recent::is_empty")]
    pub(super) name_words: RecentWords<64>,
    /// Words of the names of their folders.
    #[serde(rename = "d", with = "joined", skip_serializing_if = "Recent::is_empty")]
    pub(super) folder_words: RecentWords<32>,
    /// Words that were searched for.
    #[serde(rename = "s", with = "joined", skip_serializing_if = "Recent::is_empty")]
    pub(super) searched: RecentWords<48>,
    /// Words that were changed in them.
    #[serde(rename = "w", with = "joined", skip_serializing_if = "Recent::is_empty")]
    pub(super) symbols: RecentWords<128>,
    /// Files that outputs named.
    #[serde(rename = "o", skip_serializing_if = "Recent::is_empty")]
    pub(super) named_by_output: Recent<String, 32>,
    /// Of what failures spoke.
    #[serde(rename = "e", with = "joined", skip_serializing_if = "Recent::is_empty")]
    pub(super) failure_words: RecentWords<64>,
    /// Whether it was checked.
    #[serde(rename = "c", skip_serializing_if = "is_default")]
    pub(super) checked: Checked,
    /// Changes for the goal.
    #[serde(rename = "g", skip_serializing_if = "is_default")]
    pub(super) changes: u32,
    #[serde(rename = "r", skip_serializing_if = "is_default")]
    circles: Circles,
    #[serde(rename = "b", skip_serializing_if = "is_default")]
    balance: Balance,
    #[serde(rename = "v", skip_serializing_if = "VecDeque::is_empty")]
    violations: VecDeque<Reason>,
    #[serde(rename = "x", skip_serializing_if = "is_default")]
    reads_elsewhere: u32,
    #[serde(rename = "y", skip_serializing_if = "String::is_empty")]
    last_read: String,
}

/// What belonged to the goal before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Before {
    #[serde(rename = "f", skip_serializing_if = "Recent::is_empty")]
    pub(super) files: Recent<String, 32>,
    #[serde(rename = "k", skip_serializing_if = "Recent::is_empty")]
    pub(super) kinds: Recent<FileKind, 5>,
    #[serde(rename = "e", skip_serializing_if = "is_default")]
    is_ended: bool,
    /// Words that both goals have: they do not tell one from the other.
    #[serde(rename = "w", with = "joined", skip_serializing_if = "Recent::is_empty")]
    shared: RecentWords<32>,
}

impl Before {
    /// How much it weighs to go on with it, in hundredths.
    fn weight(&self) -> u32 {
        if self.is_ended { 150 } else { 75 }
    }

    pub(super) fn of(work: &Work, turn: Turn, shared: impl IntoIterator<Item = String>) -> Self {
        let files = || work.files.with(Mark::Known);
        Self {
            kinds: files().map(FileKind::of).collect(),
            files: files().map(str::to_owned).collect(),
            is_ended: turn == Turn::Replaces,
            shared: shared.into_iter().collect(),
        }
    }

    /// Whether one of the words is wanted now and was not before.
    pub(super) fn is_new(&self, goal: &Goal, words: &BTreeSet<String>) -> bool {
        words.iter().any(|word| goal.keywords.contains(word) && !self.shared.has(word.as_str()))
    }

    /// Whether a file was changed for it, or one beside it.
    pub(super) fn is_near(&self, file: &str) -> bool {
        let own = folder(file);
        self.files.iter().any(|known| known == file || (!own.is_empty() && folder(known) == own))
    }
}

impl Work {
    /// Whether nothing of what was asked for seems to be missing: its tests succeed, and every file that the
    /// instruction names was at least looked at.
    pub(super) fn is_done(&self, goal: &Goal) -> bool {
        let seen = |path: &PathPattern| self.files.with(Mark::Seen).any(|file| path.covers(file));
        self.checked >= Checked::Tests && self.changes > 0 && goal.scope.paths.iter().all(seen)
    }

    /// The same work goes on after a person spoke.
    pub(super) fn go_on(&mut self) {
        self.circles.ended();
        self.balance = Balance::default();
        self.violations.clear();
        self.checked = Checked::No;
        self.reads_elsewhere = 0;
    }

    /// Takes in a step, and says where it leads.
    pub(super) fn note(&mut self, step: &Step, goal: &Goal, before: &Before) -> Alignment {
        let had_no_effect = step.failed && step.action.changes_files();
        let is_new = |file: &str| !self.files.has(file, Mark::Seen);
        let reason = violation(goal, step, is_new).filter(|_| !had_no_effect);
        let is_forbidden = reason.is_some();
        if let Some(reason) = reason {
            if self.violations.len() >= MAX_VIOLATIONS {
                self.violations.pop_front();
            }
            self.violations.push_back(reason);
        }
        let mut bearing = Alignment::Neutral;
        if !had_no_effect {
            for file in step.changed_files() {
                bearing = bearing.and(self.note_change(step, goal, before, file));
            }
        }
        match step.action {
            Action::Bash => self.note_commands(step, goal),
            Action::Read | Action::Glob | Action::Grep => self.note_look(step, goal),
            Action::Edit | Action::Write | Action::Task | Action::Other => {}
        }
        let turns = |file: &String| self.circles.worst().is_some_and(|(worst, _)| worst == file);
        if is_forbidden || step.changed_files().iter().any(turns) {
            bearing = Alignment::Astray;
        }
        self.named_by_output.add_all(step.outlook.files.iter().cloned());
        if step.failed {
            self.failure_words.add_all(step.outlook.words.iter().cloned());
        }
        bearing
    }

    fn note_change(&mut self, step: &Step, goal: &Goal, before: &Before, file: &str) -> Alignment {
        let ties = ties(goal, self, step, file);
        let kind = FileKind::of(file);
        // Where the work begins is for the agent to find out, as long as it has not found it.
        let may_begin = self.changes == 0 && is_work(kind) && (!self.is_located || ties.bind());
        let (weight, reason) = self.judged(step, goal, before, file, &ties, may_begin);
        let begins = may_begin && !matches!(reason, Some(Reason::OldGoal { .. }));
        if weight == 0 && ties.has_any(&[Tie::ChangedWords, Tie::Named]) && kind == FileKind::Source
        {
            self.checked = Checked::No;
        }
        self.balance.push(weight, reason);
        self.files.note(file, Mark::Seen);
        self.circles.changed(file);
        let is_led = ties.has(Tie::Output)
            && !ties.has_any(&[Tie::ChangedWords, Tie::PathWords, Tie::Named]);
        if is_led {
            self.led_by_outputs = self.led_by_outputs.saturating_add(1);
        } else if weight == 0 {
            self.led_by_outputs = 0;
        }
        if ties.is_only(Tie::LookedAt) {
            self.led_by_looks = self.led_by_looks.saturating_add(1);
        } else if weight == 0 {
            self.led_by_looks = 0;
        }
        if weight <= HALF || begins {
            self.changes = self.changes.saturating_add(1);
            self.reads_elsewhere = 0;
        }
        if weight <= ON_COURSE || begins {
            self.learn(step, goal, file, &ties);
        } else if weight <= HALF {
            self.files.note(file, Mark::HalfKnown);
        } else {
            self.files.note(file, Mark::Strayed);
        }
        match weight {
            0..=ON_COURSE => Alignment::Aligned,
            _ if weight > HALF && !begins => Alignment::Astray,
            _ => Alignment::Neutral,
        }
    }

    fn judged(
        &self,
        step: &Step,
        goal: &Goal,
        before: &Before,
        file: &str,
        ties: &Ties,
        may_begin: bool,
    ) -> (u32, Option<Reason>) {
        let what = file.to_owned();
        if is_of_before(goal, self, before, step, file, ties) {
            return (before.weight(), Some(Reason::OldGoal { what }));
        }
        let weight = weight(goal, self, file, ties);
        let weight = if may_begin { weight / 3 } else { weight };
        let reason = if self.is_done(goal) {
            Reason::AfterDone { what }
        } else {
            Reason::OutsideScope { what }
        };
        (weight, (weight > 0).then_some(reason))
    }

    /// The file belongs to the work, and so does what is changed in it.
    fn learn(&mut self, step: &Step, goal: &Goal, file: &str, ties: &Ties) {
        self.files.note(file, Mark::Known);
        self.name_words.add_all(words(bare_name(file)));
        self.folder_words.add_all(words(name(folder(file))));
        let is_understood = !ties.is_empty() || goal.is_told_in_no_words_of_code();
        if FileKind::of(file) != FileKind::Document && is_understood {
            let is_a_name =
                |word: &&String| word.chars().count() >= MIN_SYMBOL && !is_common_stem(word);
            self.symbols.add_all(step.changed.iter().filter(is_a_name).cloned());
        }
    }

    fn note_commands(&mut self, step: &Step, goal: &Goal) {
        let checks = step.commands.iter().filter_map(|one| match one.kind {
            CommandKind::Tests => Some(Checked::Tests),
            CommandKind::Checks => Some(Checked::Builds),
            _ => None,
        });
        match checks.max() {
            Some(_) if step.failed => {
                self.checked = Checked::No;
                self.circles.failed(step.outlook.mark);
            }
            Some(checked) => {
                if self.changes > 0 {
                    self.checked = self.checked.max(checked);
                }
                self.circles.ended();
            }
            // Whatever it is, it was run to see whether it succeeds.
            None if step.failed => self.circles.failed(step.outlook.mark),
            None => {}
        }
        let commits = step.commands.iter().any(|one| one.kind == CommandKind::Commits);
        if commits && !step.failed && self.checked > Checked::No {
            self.checked = Checked::Committed;
        }
        let is_unasked = step.commands.iter().any(|one| {
            matches!(
                one.kind,
                CommandKind::AddsDependency
                    | CommandKind::Upgrades
                    | CommandKind::InstallsTool
                    | CommandKind::Reformats
            )
        });
        let is_tied =
            |word: &String| goal.keywords.contains(word) || self.failure_words.has(word.as_str());
        if is_unasked && !goal.scope.wishes.dependencies && !step.around.iter().any(is_tied) {
            let what =
                step.command.iter().flat_map(|line| line.chars()).take(MAX_COMMAND).collect();
            self.balance.push(UNASKED, Some(Reason::OutsideScope { what }));
        }
    }

    fn note_look(&mut self, step: &Step, goal: &Goal) {
        if step.action == Action::Grep && !self.is_done(goal) {
            self.searched.add_all(step.around.iter().filter(|word| !is_common_stem(word)).cloned());
        }
        let Some(file) = step.files.first() else { return };
        if self.changes == 0 && step.action == Action::Read {
            self.files.note(file, Mark::LookedAt);
        }
        if step.action == Action::Read && !self.files.has(file, Mark::Seen) {
            self.circles.learned();
        }
        self.files.note(file, Mark::Seen);
        let ties = ties(goal, self, step, file);
        self.is_located |= ties.has_any(&[Tie::Named, Tie::InNamed, Tie::PathWords, Tie::WeakPath]);
        let is_near = ties.bind();
        if is_near || goal.scope.wishes.answer || goal.keywords.is_empty() {
            self.reads_elsewhere = 0;
        } else {
            self.reads_elsewhere = self.reads_elsewhere.saturating_add(1);
            self.last_read.clone_from(file);
        }
    }

    /// What it is worth now.
    pub(super) fn assess(&self) -> Assessment {
        let mut score = self.balance.score();
        let mut reasons: Vec<Reason> = self.violations.iter().cloned().collect();
        match reasons.len() {
            0 => {}
            1 => score = score.min(Score::new(4)),
            _ => score = score.min(Score::new(3)),
        }
        if let Some((file, changes)) = self.circles.worst() {
            score = score.min(Score::new(11 - i64::from(changes)));
            reasons.push(Reason::Circles { what: file.to_owned(), changes });
        }
        if self.reads_elsewhere >= MANY_READS {
            score = score.min(Score::CORRECTED);
            let what = self.last_read.clone();
            reasons.push(Reason::ReadsElsewhere { what, reads: self.reads_elsewhere });
        }
        for reason in self.balance.reasons() {
            if !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        Assessment { score, reasons }
    }
}
