//! How much a change weighs against the course.

use super::files::Mark;
use super::ties::{Tie, Ties};
use super::touched::Touched;
use super::work::{Before, Checked, Work};
use crate::goal::{Breadth, Goal};
use crate::paths::{FileKind, is_changelog};
use crate::step::{Action, Step};
use crate::words::is_common_stem;

/// A change that weighs at most so much is work for the goal.
pub(super) const ON_COURSE: u32 = 20;
/// One that weighs at most so much may be.
pub(super) const HALF: u32 = 35;
/// One that has nothing to do with it.
const WHOLE: i32 = 100;

/// An instruction with fewer words says little of where the work is.
const THIN: usize = 3;
/// A change that exchanges at most so many words is small.
const MAX_SMALL: usize = 6;

/// A change of one file, and what it is measured by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) goal: &'a Goal,
    pub(super) work: &'a Work,
    pub(super) before: &'a Before,
    pub(super) step: &'a Step,
    pub(super) file: &'a Touched<'a>,
    pub(super) ties: Ties,
    /// Whether nothing of what was asked for seems to be missing.
    pub(super) is_done: bool,
}

/// What a change of which nothing is known weighs: while the work goes on, and when it seems to be done.
const UNKNOWN: (i32, i32) = (45, 85);

impl Change<'_> {
    /// How much it weighs, in hundredths.
    ///
    /// Each fact speaks for or against it by so much, and the sum decides: no fact alone does, since a word is met by chance and
    /// what a failure names may be a side issue. The first number holds while the work goes on, the second when it seems to be
    /// done: then what is like the work is no reason to go on, and every further change is less likely to be meant. They
    /// are odds: most were found with the labelled traces by a logistic regression that was drawn towards what a person would say,
    /// and rounded; later ones by hand, by how many of the changes that have the fact were off course.
    pub(super) fn weight(self) -> u32 {
        use Tie::{
            AroundWords, Beside, BesideStrayed, ChangedSymbols, ChangedWords, Failure, HalfKnown,
            InNamed, Known, KnownWords, LookedAt, Mentioned, Named, NextWords, OffList, OnList,
            Output, Outside, PathWords, Planned, PlannedWords, Result, Searched, SeveralWords,
            Sibling, Strayed, WeakPath, WeakWords,
        };
        let Self {
            goal,
            work,
            before,
            step,
            file: &Touched { path: file, kind, .. },
            ties,
            is_done,
        } = self;
        let is_new = !work.files.has(file, Mark::Seen);
        let is_long = goal.scope.breadth >= Breadth::Long;
        let is_broad = goal.scope.breadth == Breadth::Broad;
        let speaks = ties.has_any(&[ChangedWords, AroundWords, PathWords, WeakPath, WeakWords]);
        let is_small = goal.scope.breadth == Breadth::Narrow && !goal.scope.wishes.cause;
        let is_checked = work.checked >= Checked::Tests && work.changes > 0;
        let facts = [
            (ties.has(Named), -45, -5),
            (ties.has(InNamed), -35, -5),
            (ties.has(Planned), -45, -45),
            (ties.has(PlannedWords), -35, -35),
            (ties.has(Result), -20, -60),
            (ties.has(ChangedWords), -20, -15),
            (ties.has(SeveralWords), -40, -5),
            (ties.has(NextWords), -10, -25),
            (ties.has(PathWords), -30, -5),
            (ties.has(WeakPath), -15, 0),
            (ties.has(WeakWords), -15, -5),
            (ties.has(AroundWords), -30, -5),
            (ties.has(Output), -25, -20),
            (ties.has(Known), -25, -15),
            (ties.has(Known) && !work.is_settled(), 0, -35),
            (is_done && self.is_dense(), 0, -40),
            (ties.has(HalfKnown), -5, -5),
            (ties.has(ChangedSymbols), -15, -5),
            (ties.has(Mentioned), -25, -5),
            (ties.has(Beside) && is_long, -20, 0),
            (ties.has(Sibling), -5, 0),
            (ties.has(KnownWords), -10, 0),
            (ties.has(Searched), -30, -15),
            (ties.has(LookedAt), -35, -15),
            (ties.has(Failure), -10, -15),
            (ties.has(OnList), -15, 0),
            (ties.has(OffList) && !is_broad, 10, 5),
            (ties.has(OffList) && !is_broad && !speaks, 20, 0),
            (
                ties.has(Failure)
                    && !ties.has(Output)
                    && !speaks
                    && !goal.scope.wishes.cause
                    && !is_broad,
                10,
                0,
            ),
            (ties.has(Outside) && !is_broad, 20, 10),
            (self.is_wanted() || is_changelog(file), -65, -50),
            (is_broad && is_work(kind), -70, -30),
            (
                is_broad
                    && is_work(kind)
                    && !ties.lead()
                    && !ties.has_any(&[Beside, LookedAt, OnList]),
                30,
                0,
            ),
            (!is_done && is_work(kind) && work.is_from_nothing(), -35, 0),
            (self.grows(), -20, -10),
            (goal.scope.wishes.cause, -15, -5),
            (is_small && !ties.has_any(&[Output, Failure]), 5, 0),
            (is_thin(goal), -15, 0),
            (step.takes_away, -10, -15),
            (kind == FileKind::Test, -10, -35),
            (kind == FileKind::Build, 10, 0),
            (kind == FileKind::Document, 5, -45),
            (kind == FileKind::Tooling, 20, -15),
            (kind == FileKind::Tooling && !is_broad, 20, 0),
            (is_new && step.action == Action::Write, 10, 25),
            (!ties.lead(), 20, 5),
            (ties.has(Strayed), 40, 15),
            (ties.has(BesideStrayed), 40, 15),
            (work.led_by_looks > 0 && !ties.lead(), 15, 0),
            (is_checked && !is_long && !self.grows(), 35, 0),
            (work.checked == Checked::Committed && !is_broad && !goal.scope.wishes.cause, 15, 0),
            (work.checked == Checked::Committed && !is_broad, 0, 35),
            (self.is_more_of_it(), 0, -45),
            (work.is_listed_done() && self.rounds_off(), 0, 45),
            (work.since_done > 0 && !self.rounds_off(), 0, 35),
            (work.since_done > 1 && !self.rounds_off(), 0, 35),
            (before.is_near(file), 35, 10),
            (self.is_of_ended(), 35, 10),
        ];
        let of_now = |(working, done): (i32, i32)| if is_done { done } else { working };
        let speaking = facts.into_iter().filter(|(holds, ..)| *holds);
        let sum: i32 = speaking.map(|(_, working, done)| of_now((working, done))).sum();
        (of_now(UNKNOWN) + sum).clamp(0, WHOLE).unsigned_abs()
    }

    /// Whether it is no larger than what was put in: a limit, a label may have to change in several places.
    fn is_more_of_it(self) -> bool {
        self.work.checked == Checked::Put && (1..=MAX_SMALL).contains(&self.step.exchanged.len())
    }

    /// Whether the instruction asks for files of its kind. Where the project itself is made all of them are.
    pub(super) fn is_wanted(self) -> bool {
        let is_of_project = || self.file.kind != FileKind::Source && self.work.is_from_nothing();
        // Tests are wanted of the work, and not of what led away from it.
        let is_of_work = !self.ties.has_any(&[Tie::Strayed, Tie::BesideStrayed]);
        (is_wanted(self.file.kind, self.goal) && is_of_work) || is_of_project()
    }

    /// Whether it may be a further part of something new, by any word of it.
    fn grows(self) -> bool {
        use Tie::{ChangedWords, PathWords, WeakPath, WeakWords};
        matches!(self.goal.scope.breadth, Breadth::Growing | Breadth::Long)
            && self.ties.has_any(&[ChangedWords, PathWords, WeakPath, WeakWords])
    }

    /// Whether a third of the words that it exchanges are of the instruction.
    fn is_dense(self) -> bool {
        let telling = |word: &&String| !is_common_stem(word);
        let of_goal = |word: &&String| self.goal.keywords.contains(*word);
        let met = self.step.changed.iter().filter(of_goal).count();
        met > 0 && 3 * met >= self.step.changed.iter().filter(telling).count()
    }

    /// Whether it may come after the work without being more than that.
    pub(super) fn rounds_off(self) -> bool {
        matches!(self.file.kind, FileKind::Test | FileKind::Document) || self.is_more_of_it()
    }

    /// Whether it belongs to what was asked for before and not to what is wanted now.
    pub(super) fn is_of_before(self) -> bool {
        use Tie::{AroundWords, ChangedWords, InNamed, Known, Named, Output, PathWords, Symbols};
        let Self { goal, work, before, step, file: touched, ties, .. } = self;
        let &Touched { path: file, kind, .. } = touched;
        let is_kind_of_before = kind != FileKind::Source
            && before.kinds.has(&kind)
            && !is_wanted(kind, goal)
            && work.changes == 0
            && !ties.has_any(&[Named, PathWords])
            && !(ties.has(InNamed) && kind != FileKind::Test);
        let is_beside =
            || before.is_near(file) && !ties.has_any(&[ChangedWords, PathWords, AroundWords]);
        let goes_on = || before.has(file) || is_beside() || self.is_of_ended();
        let is_in_new_words =
            || before.is_new(goal, &step.changed) || before.is_new(goal, &touched.words);
        let is_of_now = ties.has_any(&[Named, InNamed, Output, Known, Symbols])
            || (ties.has_any(&[ChangedWords, PathWords]) && is_in_new_words());
        // What is no longer wanted may be taken out again.
        is_kind_of_before || (!is_of_now && !step.takes_away && goes_on())
    }

    /// Whether it has a word of what was ended.
    pub(super) fn is_of_ended(self) -> bool {
        let is_ended = |word: &String| self.goal.ended.contains(word);
        if self.goal.ended.is_empty() {
            return false;
        }
        self.step.changed.iter().any(is_ended) || self.file.words.iter().any(is_ended)
    }
}

/// Whether an instruction says little of where the work is.
fn is_thin(goal: &Goal) -> bool {
    goal.keywords.len() + goal.scope.paths.len() < THIN
}

/// Whether files of this kind are what tasks are about, and not what they are done with.
pub(super) fn is_work(kind: FileKind) -> bool {
    matches!(kind, FileKind::Source | FileKind::Test | FileKind::Document)
}

/// Whether the instruction asks for files of this kind.
fn is_wanted(kind: FileKind, goal: &Goal) -> bool {
    let wishes = goal.scope.wishes;
    match kind {
        FileKind::Test => wishes.tests,
        FileKind::Document => wishes.documents,
        FileKind::Build => wishes.dependencies,
        FileKind::Tooling => wishes.tooling,
        FileKind::Source => false,
    }
}
