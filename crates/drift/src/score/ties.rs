//! What a change has to do with the goal and with the work for it.

use std::collections::BTreeSet;

use super::files::Mark;
use super::work::Work;
use crate::goal::Goal;
use crate::paths::{PathPattern, bare_name, folder, name};
use crate::step::Step;
use crate::words::{all_words, path_words};

/// A text with more words than this is long.
const LONG: usize = 20;

/// How a change is bound to the goal; several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tie {
    /// The instruction names the file.
    Named,
    /// It names a folder that the file lies in.
    InNamed,
    /// What is changed is what the instruction is about.
    ChangedWords,
    /// So it is, in words that the names of the files that were changed for it do not have.
    FreshWords,
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
    /// What is changed is what was changed for the goal elsewhere: a caller, an import.
    Symbols,
    /// It tests, documents or belongs to a file that was changed for the goal.
    Sibling,
    /// Its name has words of files that were changed for the goal.
    KnownWords,
    /// It lies in a folder with a name like those.
    KnownFolder,
    /// What is changed was searched for.
    Searched,
    /// It was looked at before anything was changed.
    LookedAt,
    /// What is changed is what a failure was about.
    Failure,
    /// It lies beside what was changed for the goal.
    Neighbour,
}

/// The ties of one change.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ties(BTreeSet<Tie>);

impl Ties {
    /// Whether one of them holds.
    pub(super) fn has_any(&self, wanted: &[Tie]) -> bool {
        wanted.iter().any(|tie| self.0.contains(tie))
    }

    /// Whether it holds.
    pub(super) fn has(&self, wanted: Tie) -> bool {
        self.0.contains(&wanted)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it alone holds.
    pub(super) fn is_only(&self, wanted: Tie) -> bool {
        self.0.len() == 1 && self.has(wanted)
    }

    /// Whether there is any, but that it was looked at.
    pub(super) fn bind(&self) -> bool {
        self.0.iter().any(|tie| *tie != Tie::LookedAt)
    }
}

/// The ties of a change of one file.
pub(super) fn ties(goal: &Goal, work: &Work, step: &Step, file: &str) -> Ties {
    let mut ties = BTreeSet::new();
    let mut tie = |tie: Tie, holds: bool| {
        if holds {
            ties.insert(tie);
        }
    };
    let path_words = path_words(file);
    let name_words = self::path_words(name(file));
    let own = folder(file);
    // Where the instruction names one file of a folder, the folder's name says nothing of the others.
    let is_beside_named = goal.scope.paths.iter().any(|path| path.names_a_file_in(own));
    let meets = |words: &BTreeSet<String>| words.iter().any(|word| goal.keywords.contains(word));
    let covering = || goal.scope.paths.iter().filter(|path| path.covers(file));
    let is_named =
        covering().any(PathPattern::names_a_file) || covering().any(|path| path.as_str() == file);
    tie(Tie::Named, is_named);
    tie(Tie::InNamed, covering().next().is_some());
    // In a long text one word of the instruction is found by chance.
    let met = step.changed.iter().filter(|word| goal.keywords.contains(*word)).count();
    let is_long = step.changed.len() > LONG;
    tie(Tie::ChangedWords, met > usize::from(is_long));
    tie(Tie::AroundWords, met > 0);
    // Within one module every file speaks of what the module is named after.
    let is_fresh = |word: &&String| {
        goal.keywords.contains(*word)
            && !work.name_words.has(word.as_str())
            && !work.folder_words.has(word.as_str())
            && !path_words.contains(*word)
    };
    let fresh = step.changed.iter().filter(is_fresh).count();
    tie(Tie::FreshWords, fresh > usize::from(is_long));
    tie(
        Tie::PathWords,
        meets(if is_beside_named || covering().next().is_some() {
            &name_words
        } else {
            &path_words
        }),
    );
    let is_weak =
        |words: &BTreeSet<String>| words.iter().any(|word| goal.weak_keywords.contains(word));
    tie(Tie::WeakPath, is_weak(&name_words));
    tie(Tie::WeakWords, is_weak(&step.changed));
    tie(Tie::AroundWords, meets(&step.around));
    tie(Tie::Output, work.named_by_output.iter().any(|named| is_same(named, file)));
    tie(Tie::Known, work.files.has(file, Mark::Known));
    tie(
        Tie::Symbols,
        step.changed.iter().chain(&step.around).any(|word| work.symbols.has(word.as_str())),
    );
    tie(Tie::HalfKnown, work.files.has(file, Mark::HalfKnown));
    let bare = subject(file);
    let is_strayed = |stray: &str| stray == file || (!bare.is_empty() && subject(stray) == bare);
    tie(Tie::Strayed, work.files.with(Mark::Strayed).any(is_strayed));
    tie(
        Tie::Sibling,
        !bare.is_empty() && work.files.with(Mark::Known).any(|known| subject(known) == bare),
    );
    tie(Tie::KnownWords, name_words.iter().any(|word| work.name_words.has(word.as_str())));
    let last_folder = all_words(name(own));
    tie(Tie::KnownFolder, last_folder.iter().any(|word| work.folder_words.has(word.as_str())));
    let searched = |word: &String| work.searched.has(word.as_str());
    tie(Tie::Searched, step.changed.iter().chain(&step.around).any(searched));
    tie(Tie::LookedAt, work.files.has(file, Mark::LookedAt));
    tie(Tie::Failure, step.changed.iter().any(|word| work.failure_words.has(word.as_str())));
    tie(
        Tie::Neighbour,
        !own.is_empty() && work.files.with(Mark::Known).any(|known| folder(known) == own),
    );
    Ties(ties)
}

/// Whether an output that names one file may mean the other.
fn is_same(named: &str, file: &str) -> bool {
    named == file
        || file.ends_with(&format!("/{named}"))
        || (name(named) == name(file) && !named.contains('/'))
}

/// What a file is about, whether it is the thing or its test.
fn subject(file: &str) -> String {
    let bare = bare_name(file).to_ascii_lowercase();
    let bare = bare.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_spec");
    let bare = bare.trim_end_matches("tests").trim_end_matches("test").trim_end_matches("spec");
    if matches!(bare, "index" | "mod" | "lib" | "main" | "init" | "__init__" | "") {
        String::new()
    } else {
        bare.to_owned()
    }
}
