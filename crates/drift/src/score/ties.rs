//! What a change has to do with the goal and with the work for it.

use std::collections::BTreeSet;

use super::files::Mark;
use super::touched::Touched;
use super::work::Work;
use crate::goal::{Goal, is_put_in};
use crate::paths::{bare_name, folder, lies_in};
use crate::step::{Step, as_name};

/// So many files show what most paths have.
const MIN_SEEN: usize = 5;
/// A text with more words than this is long.
const LONG: usize = 20;

/// How a change is bound to the goal; several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// The instruction names the file.
    Named,
    /// It names a folder that the file lies in.
    InNamed,
    /// What is to stand there is put in, word for word.
    Result,
    /// What is changed is what the instruction is about.
    ChangedWords,
    /// A document that the person said to follow names the file or its folder.
    Planned,
    /// It is about what such a document says.
    PlannedWords,
    /// What is changed and what stands around it has several words of the instruction.
    SeveralWords,
    /// It has a word of the instruction that no change had yet: another part of what is wanted.
    NextWords,
    /// The path is.
    PathWords,
    /// The name has a common word of the instruction.
    WeakPath,
    /// What is changed has one.
    WeakWords,
    /// What stands around the change is.
    AroundWords,
    /// An output named the file.
    Output,
    /// It was changed for the goal before.
    Known,
    /// It was changed before for what seemed to belong to the goal.
    HalfKnown,
    /// It, or what it tests, was changed although it has little to do with the goal.
    Strayed,
    /// It lies beside what was, where nothing was changed for the goal.
    BesideStrayed,
    /// What is changed is what was changed for the goal elsewhere: a caller, an import.
    ChangedSymbols,
    /// What stands around the change is, or what is changed.
    Symbols,
    /// The work for the goal names it, or it names what was changed for the goal.
    Mentioned,
    /// It lies beside what was changed for the goal.
    Beside,
    /// It tests, documents or belongs to a file that was changed for the goal.
    Sibling,
    /// Its name has words of files that were changed for the goal.
    KnownWords,
    /// What is changed was searched for.
    Searched,
    /// It was looked at before anything was changed.
    LookedAt,
    /// What is changed is what a failure was about.
    Failure,
    /// What is left on the agent's own list speaks of it.
    OnList,
    /// The list speaks of something else.
    OffList,
    /// The instruction names folders, and it lies in none of them.
    Outside,
}

/// The ties of one change, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ties(u32);

impl Ties {
    fn of(ties: &[Tie]) -> Self {
        Self(ties.iter().fold(0, |bits, tie| bits | 1 << *tie as u32))
    }

    fn add(&mut self, tie: Tie) {
        self.0 |= Self::of(&[tie]).0;
    }

    fn without(self, others: &[Tie]) -> Self {
        Self(self.0 & !Self::of(others).0)
    }

    /// Whether one of them holds.
    pub(super) fn has_any(self, wanted: &[Tie]) -> bool {
        self.0 & Self::of(wanted).0 != 0
    }

    /// Whether it holds.
    pub(super) fn has(self, wanted: Tie) -> bool {
        self.has_any(&[wanted])
    }

    /// Whether there is none.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether it alone holds, beside what is said of the place.
    pub(super) fn is_only(self, wanted: Tie) -> bool {
        self.without(&[Tie::OnList, Tie::OffList, Tie::Outside]) == Self::of(&[wanted])
    }

    /// Whether one of them leads to the change, and not only to its file or to a common word.
    pub(super) fn lead(self) -> bool {
        use Tie::{Beside, BesideStrayed, LookedAt, OffList, Outside, Strayed, WeakWords};
        let others = [WeakWords, LookedAt, Strayed, BesideStrayed, Beside, OffList, Outside];
        !self.without(&others).is_empty()
    }

    /// Whether there is any, but that it was looked at, or changed before without one.
    pub(super) fn bind(self) -> bool {
        use Tie::{Beside, BesideStrayed, LookedAt, OffList, OnList, Outside, Strayed};
        let others = [LookedAt, Beside, Strayed, BesideStrayed, OnList, OffList, Outside];
        !self.without(&others).is_empty()
    }
}

/// The ties of a change of one file.
pub(super) fn ties(goal: &Goal, work: &Work, step: &Step, touched: &Touched<'_>) -> Ties {
    let mut ties = Ties::default();
    let mut tie = |tie: Tie, holds: bool| {
        if holds {
            ties.add(tie);
        }
    };
    let Touched { path: file, words: path_words, name_words, .. } = touched;
    let own = folder(file);
    // Where the instruction names one file of a folder, the folder's name says nothing of the others.
    let is_beside_named = || goal.scope.paths.iter().any(|path| path.names_a_file_in(own));
    let (mut is_named, mut is_in_named) = (false, false);
    for path in goal.scope.paths.iter().filter(|path| path.covers(file)) {
        is_in_named = true;
        is_named |= path.names_a_file() || path.as_str() == *file;
    }
    tie(Tie::Named, is_named);
    tie(Tie::InNamed, is_in_named);
    tie(Tie::Result, is_put_in(&goal.scope.result, step.exchanged.iter()));
    tie(Tie::Planned, work.plan.names(file));
    tie(Tie::PlannedWords, work.plan.is_about(step, path_words));
    // In a long text one word of the instruction is found by chance.
    let met = step.changed.iter().filter(|word| goal.keywords.contains(*word)).count();
    let is_long = step.changed.len() > LONG;
    tie(Tie::ChangedWords, met > usize::from(is_long));
    tie(Tie::AroundWords, met > 0);
    let met_around = step.around.iter().filter(|word| goal.keywords.contains(*word)).count();
    tie(Tie::SeveralWords, met + met_around > 1 + usize::from(is_long));
    let is_next =
        |word: &&String| goal.keywords.contains(*word) && !work.met_words.has(word.as_str());
    let next = step.changed.union(path_words).filter(is_next).count();
    tie(Tie::NextWords, next > usize::from(is_long));
    // Names of files are short for what they are about: `tok` is where things are tokenized.
    let is_short_for = |word: &String| {
        let is_meant = |keyword: &String| keyword.starts_with(word.as_str());
        goal.keywords.contains(word) || (word.len() >= 3 && goal.keywords.iter().any(is_meant))
    };
    let telling = if is_in_named || is_beside_named() { name_words } else { path_words };
    // What most paths have, as the name of a language, tells none of them from the others.
    let seen = || work.files.with(Mark::Seen);
    let is_of_all = |word: &String| {
        let all = seen().count();
        all >= MIN_SEEN && 10 * seen().filter(|path| has_word(path, word)).count() >= 7 * all
    };
    tie(Tie::PathWords, telling.iter().any(|word| is_short_for(word) && !is_of_all(word)));
    let is_weak =
        |words: &BTreeSet<String>| words.iter().any(|word| goal.weak_keywords.contains(word));
    tie(Tie::WeakPath, is_weak(name_words));
    tie(Tie::WeakWords, is_weak(&step.changed));
    tie(Tie::AroundWords, met_around > 0);
    // `DependencyStore` in the text of a failure is the file that is named after it.
    let is_in_failure =
        name_words.len() > 1 && name_words.iter().all(|word| work.failure_words.has(word.as_str()));
    let is_output = work.named_by_output.iter().any(|named| is_same(named, file));
    tie(Tie::Output, is_output || is_in_failure);
    tie(Tie::Known, work.files.has(file, Mark::Known));
    tie(Tie::HalfKnown, work.files.has(file, Mark::HalfKnown));
    let is_symbol = |word: &String| work.symbols.has(word.as_str());
    let has_changed_symbols = step.changed.iter().any(is_symbol);
    tie(Tie::ChangedSymbols, has_changed_symbols);
    tie(Tie::Symbols, has_changed_symbols || step.around.iter().any(is_symbol));
    let is_strayed = |stray: &str| stray == *file || touched.shares_subject(stray);
    tie(Tie::Strayed, work.files.with(Mark::Strayed).any(is_strayed));
    let own_name = as_name(bare_name(file));
    let mentions = |known: &str| step.names.contains(&as_name(bare_name(known)));
    tie(
        Tie::Mentioned,
        work.mentioned.has(own_name.as_str())
            || (!step.names.is_empty()
                && work.files.with(Mark::Known).any(|known| known != *file && mentions(known))),
    );
    let is_beside =
        !own.is_empty() && work.files.with(Mark::Known).any(|known| folder(known) == own);
    let is_known = |place: &str| work.files.with(Mark::Known).any(|known| lies_in(known, place));
    let is_near = |stray: &str| {
        let place = folder(stray);
        !place.is_empty() && lies_in(file, place) && !is_known(place)
    };
    tie(Tie::BesideStrayed, work.files.with(Mark::Strayed).any(is_near));
    tie(Tie::Beside, is_beside);
    let is_sibling = |known: &str| touched.shares_subject(known);
    tie(Tie::Sibling, work.files.with(Mark::Known).any(is_sibling));
    tie(Tie::KnownWords, name_words.iter().any(|word| work.name_words.has(word.as_str())));
    let searched = |word: &String| work.searched.has(word.as_str());
    tie(Tie::Searched, step.changed.iter().chain(&step.around).chain(name_words).any(searched));
    tie(Tie::LookedAt, work.files.has(file, Mark::LookedAt));
    tie(Tie::Failure, step.changed.iter().any(|word| work.failure_words.has(word.as_str())));
    let said = || step.changed.iter().chain(&step.around).chain(path_words);
    if let Some(is_on_list) = work.list.as_ref().and_then(|list| list.speaks_of(said())) {
        tie(if is_on_list { Tie::OnList } else { Tie::OffList }, true);
    }
    let names_folders =
        || goal.scope.paths.iter().any(|path| !path.names_a_file() && !path.may_be_words());
    tie(Tie::Outside, !is_in_named && names_folders());
    ties
}

/// Whether an output that names one file may mean the other.
fn is_same(named: &str, file: &str) -> bool {
    named == file || file.strip_suffix(named).is_some_and(|before| before.ends_with('/'))
}

/// Whether a path has a word somewhere, which is in small letters.
fn has_word(path: &str, word: &str) -> bool {
    let word = word.as_bytes();
    word.is_empty() || path.as_bytes().windows(word.len()).any(|at| at.eq_ignore_ascii_case(word))
}
