//! How much a change weighs against the course.

use super::ties::{Tie, Ties};
use super::work::{Before, Checked, Work};
use crate::goal::{Breadth, Goal};
use crate::paths::{FileKind, is_changelog};
use crate::step::Step;
use crate::words::path_words;

/// A change that weighs at most so much is work for the goal.
pub(super) const ON_COURSE: u32 = 10;
/// One that weighs at most so much may be.
pub(super) const HALF: u32 = 30;
/// One that has nothing to do with it.
const WHOLE: u32 = 100;
/// What it costs to go on with something that has little to do with it.
const STRAYED: u32 = 70;
/// So often in a row may an output alone lead to a change: after that it is the side issue that leads.
const MANY_LED: u32 = 3;

/// How much a change weighs, in hundredths.
pub(super) fn weight(goal: &Goal, work: &Work, file: &str, ties: &Ties) -> u32 {
    let kind = FileKind::of(file);
    let weight = if work.is_done(goal) {
        after_done(goal, work, file, kind, ties)
    } else {
        while_working(goal, work, file, kind, ties)
    };
    let weight = if ties.has(Tie::Strayed) && weight > HALF { weight.max(STRAYED) } else { weight };
    let is_wide = goal.scope.breadth == Breadth::Broad && is_work(kind);
    if is_wide { weight * 3 / 10 } else { weight }
}

/// The work is not done yet: what is bound to it in any way may be part of it.
fn while_working(goal: &Goal, work: &Work, file: &str, kind: FileKind, ties: &Ties) -> u32 {
    use Tie::{
        AroundWords, ChangedWords, Failure, HalfKnown, InNamed, Known, KnownFolder, KnownWords,
        LookedAt, Named, Neighbour, Output, PathWords, Searched, Sibling, Symbols, WeakPath,
        WeakWords,
    };
    let seeks_cause = goal.scope.wishes.cause;
    if ties.has_any(&[Named, InNamed, ChangedWords, PathWords, Known]) || is_wanted(kind, goal) {
        0
    } else if ties.has_any(&[Symbols, Sibling, HalfKnown]) || is_changelog(file) {
        10
    } else if ties.has(Output) {
        if seeks_cause || work.led_by_outputs < MANY_LED { 0 } else { 50 }
    } else if ties.has_any(&[AroundWords, KnownWords, Searched])
        || (is_work(kind) && ties.has(WeakPath))
    {
        25
    } else if is_work(kind) && ties.has(LookedAt) {
        match (seeks_cause, work.led_by_looks) {
            (true, 0 | 1) => ON_COURSE,
            (false, 0) => HALF,
            _ => 60,
        }
    } else if ties.has_any(&[Failure, KnownFolder]) || (is_work(kind) && ties.has(WeakWords)) {
        40
    } else if ties.has(Neighbour)
        || matches!(kind, FileKind::Test | FileKind::Build | FileKind::Document)
    {
        50
    } else {
        WHOLE
    }
}

/// The work is done and checked: only what the instruction is about goes on with it, and what rounds it off.
fn after_done(goal: &Goal, work: &Work, file: &str, kind: FileKind, ties: &Ties) -> u32 {
    use Tie::{
        AroundWords, ChangedWords, FreshWords, InNamed, Known, KnownWords, LookedAt, Named, Output,
        PathWords, Sibling, Symbols,
    };
    let is_committed = work.checked == Checked::Committed;
    let rounds_off = matches!(kind, FileKind::Test | FileKind::Document)
        && ties.has_any(&[Sibling, PathWords, KnownWords, Symbols]);
    let is_cause = goal.scope.wishes.cause && ties.has(LookedAt);
    if ties.has_any(&[FreshWords, Output])
        || is_wanted(kind, goal)
        || rounds_off
        || is_changelog(file)
    {
        0
    } else if ties.has_any(&[Named, ChangedWords, AroundWords]) || is_cause {
        if is_committed { 60 } else { HALF }
    } else if ties.has_any(&[PathWords, InNamed]) {
        60
    } else if kind == FileKind::Document {
        50
    } else if ties.has_any(&[Known, Symbols]) {
        80
    } else {
        WHOLE
    }
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

/// Whether a change belongs to what was asked for before and not to what is wanted now.
pub(super) fn is_of_before(
    goal: &Goal,
    work: &Work,
    before: &Before,
    step: &Step,
    file: &str,
    ties: &Ties,
) -> bool {
    use Tie::{ChangedWords, InNamed, Known, Named, Output, PathWords, Symbols};
    let kind = FileKind::of(file);
    let is_kind_of_before = kind != FileKind::Source
        && before.kinds.has(&kind)
        && !is_wanted(kind, goal)
        && work.changes == 0
        && !ties.has_any(&[Named, PathWords])
        && !(ties.has(InNamed) && kind != FileKind::Test);
    let is_ended = |word: &String| goal.ended.contains(word);
    let path_words = path_words(file);
    let goes_on = before.is_near(file)
        || path_words.iter().any(is_ended)
        || step.changed.iter().any(is_ended);
    let is_in_new_words = before.is_new(goal, &step.changed) || before.is_new(goal, &path_words);
    let is_of_now = ties.has_any(&[Named, InNamed, Output, Known, Symbols])
        || (ties.has_any(&[ChangedWords, PathWords]) && is_in_new_words);
    // What is no longer wanted may be taken out again.
    is_kind_of_before || (goes_on && !is_of_now && !step.takes_away)
}
