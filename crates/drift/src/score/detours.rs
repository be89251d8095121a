//! Changes that led away, until they are taken back.
//!
//! A file is as it was when git brought it back, when it was made here and is gone again, when it lies again where it lay, when every
//! edit of it was answered by one that exchanges the same texts the other way round, or when it is written as it was before the
//! first of them. What was committed is brought back from another commit than the last, or by reverting its own.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::recovery::Alignment;
use crate::step::{
    Action, Command, Committed, Effect, Exchange, New, Paths, Source, Step, Text, Tree,
};

/// So many are remembered.
const MAX_DETOURS: usize = 16;

/// The changes of files that led away, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Detours(VecDeque<Detour>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Detour {
    file: String,
    did: Did,
    /// A mark of the file before it.
    original: Option<u64>,
    kept: Kept,
    /// So many commits came after its own.
    since: u8,
    aside: Aside,
    /// Whether the step that is noted made it.
    #[serde(skip)]
    is_fresh: bool,
}

/// Whether a change is there, or can come again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Aside {
    /// It is there.
    #[default]
    No,
    /// It is in the stash.
    Stashed,
    /// The last commit reverts it.
    Reverted,
}

/// What becomes of a change.
enum Fate {
    Stays,
    Gone,
    Aside(Aside),
    Returns,
}

/// How far git knows of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    /// It does not.
    #[default]
    Here,
    /// It is in the next commit.
    Staged,
    /// It is in the last commit, which is named so where that is known.
    Last(String),
    /// It is in a commit before that.
    Before(String),
}

/// What was done to a file, as far as that says how it is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Did {
    /// One text was exchanged for another.
    Edited(Exchange),
    /// It lies elsewhere, or lay there.
    Moved(Exchange),
    /// It was not there before.
    Made,
    /// Anything else.
    Changed,
}

/// What a step takes back.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TakenBack {
    /// Whether it leads back.
    pub(super) bearing: Alignment,
    /// The files and folders of which it takes something back, or may.
    pub(super) touched: Vec<String>,
    /// Those of them of which nothing is left that led away.
    pub(super) whole: Vec<String>,
    /// Those of these that are as they were before the work.
    pub(super) undone: Vec<String>,
    /// The file in which it goes on from a change that led away.
    moved: Option<String>,
}

impl TakenBack {
    /// Whether what it does to a file is that.
    pub(super) fn is_about(&self, file: &str) -> bool {
        self.touched.iter().any(|touched| touched == file)
    }

    /// Whether a detour that is noted already has what it does to a file.
    pub(super) fn goes_on(&self, file: &str) -> bool {
        self.moved.as_deref() == Some(file)
    }
}

impl Detours {
    /// Notes a change that led away, and says whether it is the first of its file.
    pub(super) fn note(&mut self, file: &str, did: Did) -> bool {
        // What the file was before the first of them it is when all are taken back.
        let first = self.0.iter().find(|detour| detour.file == file);
        let (is_first, original) = (first.is_none(), first.and_then(|first| first.original));
        if self.0.len() >= MAX_DETOURS
            && let Some(oldest) = self.0.pop_front()
            && let Some(next) = self.0.iter_mut().find(|detour| detour.file == oldest.file)
        {
            // Edits alone do not take back what is not known any more.
            next.did = Did::Changed;
        }
        self.0.push_back(Detour {
            file: file.to_owned(),
            did,
            original,
            kept: Kept::Here,
            since: 0,
            aside: Aside::No,
            is_fresh: true,
        });
        is_first
    }

    /// Notes what a file was before the first of them.
    pub(super) fn was(&mut self, file: &str, original: u64) {
        for detour in self.0.iter_mut().filter(|detour| detour.file == file) {
            detour.original = Some(original);
        }
    }

    /// Takes out what a step takes back, one command after the other. An edit that goes on from what another one left moves it.
    pub(super) fn take_back(&mut self, step: &Step) -> TakenBack {
        // The same edit may have been made in several places: each is taken back by one of its own.
        let moved = self.0.iter_mut().rev().find_map(|detour| detour.moved_by(step));
        let was_aside: Vec<String> = self.files(|aside| aside != Aside::No).cloned().collect();
        let mut taken = TakenBack { moved, ..TakenBack::default() };
        self.0.retain(|detour| {
            let is_back = detour.aside == Aside::No && detour.is_taken_back_by_text(step);
            if is_back {
                taken.bearing = Alignment::Aligned;
                taken.touched.push(detour.file.clone());
            }
            !is_back
        });
        let mut again: Vec<String> = vec![];
        for (at, command) in step.commands.iter().enumerate() {
            let effect = unpatched(&step.commands[..at], &command.effect);
            let effect = effect.as_ref().unwrap_or(&command.effect);
            let old = std::mem::take(&mut taken.touched);
            let returned = self.run(command, effect, step, &mut taken);
            // What is changed after it was brought back is not back, nor what comes again.
            let new = &taken.touched;
            let is_again = |file: &&String| command.changes.contains(file) && !new.contains(file);
            again.extend(old.iter().filter(is_again).cloned());
            let is_kept = |file: &String| !is_again(&file) && !returned.contains(file);
            let kept: Vec<String> = old.iter().filter(|file| is_kept(file)).cloned().collect();
            taken.touched.splice(..0, kept);
        }
        taken.touched.extend(passing(step));
        for detour in self.0.iter().filter(|detour| detour.aside == Aside::No) {
            let is_known = again.contains(&detour.file) || taken.is_about(&detour.file);
            if !is_known && detour.may_be_taken_back_by(step) {
                taken.touched.push(detour.file.clone());
            }
        }
        let is_left = |file: &String| self.has_live(file);
        taken.whole = taken.touched.iter().filter(|file| !is_left(file)).cloned().collect();
        let has_come = was_aside.iter().any(is_left);
        taken.bearing = match taken.bearing {
            _ if has_come => Alignment::Astray,
            Alignment::Aligned if taken.touched.is_empty() => Alignment::Neutral,
            bearing => bearing,
        };
        taken
    }

    /// One command of a step; says of which files something comes again.
    fn run(
        &mut self,
        command: &Command,
        effect: &Effect,
        step: &Step,
        taken: &mut TakenBack,
    ) -> Vec<String> {
        let commit = step.outlook.commit.as_deref().unwrap_or_default();
        let moves: Vec<Did> =
            self.0.iter().filter(|one| !one.is_there(command)).map(|one| one.did).collect();
        let mut returned = vec![];
        self.0.retain_mut(|detour| {
            detour.exchanged_by(command);
            let is_removed_copy = matches!(detour.did, Did::Moved(there) if there.puts(&detour.file))
                && command.removes(&detour.file)
                && moves.iter().filter(|did| **did == detour.did).count() <= 1;
            let fate = match detour.fate(command, effect) {
                Fate::Stays if is_removed_copy => Fate::Gone,
                fate => fate,
            };
            match fate {
                Fate::Gone if detour.aside != Aside::No => return false,
                Fate::Gone | Fate::Aside(_) => {
                    taken.bearing = Alignment::Aligned;
                    taken.touched.extend(detour.moved_paths(step));
                    taken.touched.push(detour.file.clone());
                }
                Fate::Returns => returned.push(detour.file.clone()),
                Fate::Stays => {}
            }
            match fate {
                Fate::Gone => return false,
                Fate::Aside(aside) => detour.aside = aside,
                Fate::Returns => detour.aside = Aside::No,
                Fate::Stays => detour.keep(effect, commit),
            }
            true
        });
        returned
    }

    fn files(&self, is_so: impl Fn(Aside) -> bool) -> impl Iterator<Item = &String> {
        self.0.iter().filter(move |detour| is_so(detour.aside)).map(|detour| &detour.file)
    }

    /// Whether something of a file leads away now.
    pub(super) fn has_live(&self, file: &str) -> bool {
        self.files(|aside| aside == Aside::No).any(|known| known == file)
    }

    /// Whether something of a file may come again.
    pub(super) fn has_aside(&self, file: &str) -> bool {
        self.files(|aside| aside != Aside::No).any(|known| known == file)
    }

    /// Notes how far git knows of what a step changed: by what came after it in the line.
    pub(super) fn keep(&mut self, step: &Step) {
        let commit = step.outlook.commit.as_deref().unwrap_or_default();
        for detour in self.0.iter_mut().filter(|detour| detour.is_fresh) {
            detour.is_fresh = false;
            let changed = step.commands.iter().rposition(|one| one.changes.contains(&detour.file));
            for command in step.commands.iter().skip(changed.map_or(0, |at| at + 1)) {
                detour.keep(&command.effect, commit);
            }
        }
    }

    /// A person spoke: what was done until then is theirs to judge.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Detour {
    /// The file, if a step goes on from the text that the change put there, which then counts as one with it.
    fn moved_by(&mut self, step: &Step) -> Option<String> {
        let Did::Edited(before) = &mut self.did else { return None };
        let Text::Exchanged(next) = step.text else { return None };
        *before = before.then(next).filter(|_| step.changed_files() == [self.file.as_str()])?;
        Some(self.file.clone())
    }

    /// A command exchanges in all places.
    fn exchanged_by(&mut self, command: &Command) {
        let Did::Edited(before) = &mut self.did else { return };
        if let Effect::Exchanges(exchanges) = &command.effect
            && command.changes.contains(&self.file)
        {
            let after = exchanges.iter().fold(*before, |before, next| {
                before.then(*next).filter(|both| both.is_nothing()).unwrap_or(before)
            });
            *before = after;
        }
    }

    /// By the text that a tool puts there.
    fn is_taken_back_by_text(&self, step: &Step) -> bool {
        let is_rewritten =
            self.original.is_some_and(|original| step.text == Text::Written(original))
                && step.changed_files() == [self.file.as_str()];
        is_rewritten || matches!(self.did, Did::Edited(exchange) if exchange.is_nothing())
    }

    /// Whether it is there once a command ran that may bring files back.
    fn is_there(&self, command: &Command) -> bool {
        !matches!(self.did, Did::Moved(_)) || command.effect.restores(&self.file)
    }

    fn fate(&self, command: &Command, effect: &Effect) -> Fate {
        match (self.aside, effect) {
            (Aside::Stashed, Effect::Unstashes)
            | (Aside::Reverted, Effect::Resets(Source::Back(1), Tree::Follows)) => {
                return Fate::Returns;
            }
            (Aside::Reverted, Effect::Reverts(commit)) if is_last(commit) => return Fate::Returns,
            (Aside::Stashed, Effect::DropsStash)
            | (Aside::Reverted, Effect::Commits(_) | Effect::Reverts(_)) => return Fate::Gone,
            (Aside::Stashed | Aside::Reverted, _) => return Fate::Stays,
            (Aside::No, _) => {}
        }
        let is_as_it_was = match self.did {
            Did::Made => command.removes(&self.file),
            Did::Edited(exchange) => exchange.is_nothing(),
            Did::Moved(there) => {
                moves(effect).any(|(from, to)| Exchange::of_texts(from, to).is_reverse_of(there))
            }
            Did::Changed => false,
        };
        match effect {
            _ if is_as_it_was => Fate::Gone,
            Effect::Stashes(paths, new) if self.is_brought_back(paths, Source::Head, *new) => {
                Fate::Aside(Aside::Stashed)
            }
            Effect::Restores(paths, source, new) if self.is_brought_back(paths, *source, *new) => {
                Fate::Gone
            }
            Effect::Resets(source, Tree::Follows)
                if self.is_brought_back(&Paths::All, *source, New::Staged) =>
            {
                Fate::Gone
            }
            Effect::Cleans(paths)
                if self.did == Did::Made && self.kept == Kept::Here && paths.has(&self.file) =>
            {
                Fate::Gone
            }
            Effect::Reverts(commit) => match &self.kept {
                Kept::Last(_) if is_last(commit) => Fate::Aside(Aside::Reverted),
                Kept::Last(own) | Kept::Before(own) if is_same(own, commit) => {
                    Fate::Aside(Aside::Reverted)
                }
                _ => Fate::Stays,
            },
            _ => Fate::Stays,
        }
    }

    /// Whether a file is as it was when git brings these back. It leaves alone what it does not know; who names a file that it does
    /// not know is told so, and nothing is done.
    fn is_brought_back(&self, paths: &Paths, source: Source, new: New) -> bool {
        let is_new = self.did == Did::Made;
        let is_so = match (&self.kept, source) {
            (Kept::Here, _) => !is_new || new == New::All || paths.names(&self.file),
            (Kept::Staged, _) => !is_new || new != New::Stay,
            (_, Source::Back(back)) => {
                let is_before = match self.kept {
                    Kept::Last(_) => true,
                    _ => self.since > 0 && back > self.since,
                };
                is_before && (!is_new || new != New::Stay)
            }
            (_, Source::Head | Source::Other) => false,
        };
        is_so && paths.has(&self.file)
    }

    /// Where a file was and is, if a step moves it back.
    fn moved_paths(&self, step: &Step) -> impl Iterator<Item = String> {
        let back = match self.did {
            Did::Moved(there) => {
                step.moves().find(|(from, to)| Exchange::of_texts(from, to).is_reverse_of(there))
            }
            _ => None,
        };
        back.into_iter().flat_map(|(from, to)| [from.clone(), to.clone()])
    }

    /// What only takes out something of it may be on the way back, by other edits than the first; and what exchanges the same where
    /// nobody knows whether it is in the same place.
    fn may_be_taken_back_by(&self, step: &Step) -> bool {
        if !step.changed_files().contains(&self.file) {
            return false;
        }
        let takes_out = step.action == Action::Edit && step.takes_away;
        let may_undo = |other: Exchange| match self.did {
            Did::Edited(exchange) => exchange.may_be_undone_by(other),
            Did::Moved(_) | Did::Made | Did::Changed => false,
        };
        takes_out || step.exchanges(&self.file).any(may_undo)
    }

    fn keep(&mut self, effect: &Effect, commit: &str) {
        if let (Effect::Commits(_) | Effect::Reverts(_), Kept::Last(_) | Kept::Before(_)) =
            (effect, &self.kept)
            && *effect != Effect::Commits(Committed::Amended)
        {
            self.since = self.since.saturating_add(1);
        }
        let kept = std::mem::take(&mut self.kept);
        let is_staged = kept == Kept::Staged;
        self.kept = match (effect, kept) {
            (Effect::Stages(paths), Kept::Here) if paths.has(&self.file) => Kept::Staged,
            (Effect::Resets(Source::Back(_), Tree::Stays), Kept::Last(_)) => Kept::Here,
            (Effect::Resets(Source::Back(back), tree), Kept::Before(own)) => {
                let left = self.since.saturating_sub(*back);
                let is_out = *back > self.since && *tree == Tree::Stays;
                self.since = left;
                match left {
                    _ if is_out => Kept::Here,
                    0 => Kept::Last(own),
                    _ => Kept::Before(own),
                }
            }
            (Effect::Commits(new), kept @ (Kept::Here | Kept::Staged)) => {
                let is_in = match new {
                    Committed::Staged | Committed::Amended => is_staged,
                    Committed::Changed => is_staged || self.did != Did::Made,
                    Committed::Only(paths) => paths.has(&self.file),
                    Committed::Others => false,
                };
                if is_in { Kept::Last(commit.to_owned()) } else { kept }
            }
            (Effect::Commits(Committed::Amended), Kept::Last(_)) => Kept::Last(commit.to_owned()),
            (Effect::Commits(_) | Effect::Reverts(_), Kept::Last(own)) => Kept::Before(own),
            (_, kept) => kept,
        };
    }
}

/// Whether a word names the last commit.
fn is_last(commit: &str) -> bool {
    matches!(commit, "HEAD" | "@")
}

fn moves(effect: &Effect) -> impl Iterator<Item = &(String, String)> {
    let moves = match effect {
        Effect::Moves(moves) => &moves[..],
        _ => &[],
    };
    moves.iter()
}

/// What a patch brings back that a command before it in the line wrote.
fn unpatched(before: &[Command], effect: &Effect) -> Option<Effect> {
    let Effect::Unpatches(patches) = effect else { return None };
    let [patch] = &patches[..] else { return None };
    before.iter().rev().find(|one| one.changes.contains(patch)).and_then(|one| match &one.effect {
        Effect::Shows(paths, source) => Some(Effect::Restores(paths.clone(), *source, New::Stay)),
        _ => None,
    })
}

/// The files that a line writes and removes again.
fn passing(step: &Step) -> impl Iterator<Item = String> {
    let written =
        step.commands.iter().enumerate().filter(|(_, one)| matches!(one.effect, Effect::Shows(..)));
    written.flat_map(move |(at, one)| {
        let is_gone = move |file: &&String| step.commands[at..].iter().any(|one| one.removes(file));
        one.changes.iter().filter(is_gone).cloned()
    })
}

/// Whether two names of a commit, one of them in short, are of the same.
fn is_same(own: &str, named: &str) -> bool {
    !own.is_empty() && named.len() >= 4 && (own.starts_with(named) || named.starts_with(own))
}
