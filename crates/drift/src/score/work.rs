//! What was done for a goal.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::balance::Balance;
use super::circles::Circles;
use super::detours::{Detours, Did, TakenBack};
use super::files::{Files, Mark};
use super::list::List;
use super::plan::Plan;
use super::ran::ran;
use super::ties::{Tie, Ties, ties};
use super::touched::Touched;
use super::violation::{self, Violation, remember, violations};
use super::weight::{Change, HALF, ON_COURSE, is_work};
use super::{Assessment, Reason, Score};
use crate::bounded::{Recent, RecentWords};
use crate::goal::{Breadth, Goal, Scope, Turn};
use crate::paths::{FileKind, PathPattern, bare_name, folder, lies_in};
use crate::recovery::Alignment;
use crate::step::{Action, Agenda, Command, CommandKind, Exchange, Step, Tally};
use crate::words::{is_common_stem, words};

/// What it weighs to add or to rewrite something that nobody asked for, in hundredths.
const UNASKED: u32 = 50;
/// And what it weighs where much is made, which may need it.
const NEEDED: u32 = 25;
/// Something new is at least in so many files, with its test and where it is called.
const MIN_GROWN: usize = 3;
/// Who made so many files makes more.
const MANY_MADE: usize = 3;
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
    /// What was to stand there was put in, word for word.
    Put,
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
pub(super) struct Work {
    /// What was done with which files.
    pub(super) files: Files,
    /// So many changes in a row were led by nothing but a look at the file.
    pub(super) led_by_looks: u32,
    /// Whether something was looked at that the instruction speaks of.
    pub(super) is_located: bool,
    /// Words of the names of the files that were changed for the goal.
    pub(super) name_words: RecentWords<64>,
    /// Words that were searched for.
    pub(super) searched: RecentWords<48>,
    /// Words that were changed in them.
    pub(super) symbols: RecentWords<128>,
    /// Words of the instruction that changes had.
    pub(super) met_words: RecentWords<64>,
    /// Names that files could have, in what was changed for the goal.
    pub(super) mentioned: RecentWords<64>,
    /// Files that outputs named.
    pub(super) named_by_output: Recent<String, 32>,
    /// Of what failures spoke.
    pub(super) failure_words: RecentWords<64>,
    /// What the person said to follow.
    pub(super) plan: Plan,
    /// Whether it was checked.
    pub(super) checked: Checked,
    /// Changes since nothing seemed to be missing, but of tests and documents.
    pub(super) since_done: u32,
    /// The agent's own list, if it has one.
    pub(super) list: Option<List>,
    /// Changes for the goal.
    pub(super) changes: u32,
    circles: Circles,
    balance: Balance,
    violations: VecDeque<Violation>,
    detours: Detours,
    reads_elsewhere: u32,
    last_read: String,
}

/// What belonged to the goal before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Before {
    pub(super) files: Recent<String, 32>,
    pub(super) kinds: Recent<FileKind, 5>,
    is_ended: bool,
    /// Words that both goals have: they do not tell one from the other.
    shared: RecentWords<32>,
}

impl Before {
    /// How much it weighs to go on with it in this file, in hundredths. What is wanted instead may be wanted in the same
    /// place: what has a word of what was ended weighs more.
    fn weight(&self, file: &str, is_of_ended: bool) -> u32 {
        match (self.is_ended && self.has(file), is_of_ended) {
            (true, true) => 150,
            (true, false) => 100,
            (false, _) => 75,
        }
    }

    /// Whether it was ended, and this takes back what was done for it.
    fn is_taken_back(&self, step: &Step, file: &str) -> bool {
        self.is_ended && step.takes_away && self.has(file)
    }

    pub(super) fn of(work: &Work, turn: Turn, shared: impl IntoIterator<Item = String>) -> Self {
        // What strayed from it was done for it all the same.
        let changed = [Mark::Strayed, Mark::HalfKnown, Mark::Known];
        let files = || changed.into_iter().flat_map(|mark| work.files.with(mark));
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

    /// Whether a file was changed for it.
    pub(super) fn has(&self, file: &str) -> bool {
        self.files.iter().any(|known| known == file)
    }

    /// Whether a file was changed for it, or one beside it.
    pub(super) fn is_near(&self, file: &str) -> bool {
        let own = folder(file);
        self.files.iter().any(|known| known == file || (!own.is_empty() && folder(known) == own))
    }
}

/// What a line that checks the work found.
enum Run {
    Succeeded(Checked),
    Failed,
}

impl Run {
    /// Nothing where a line checks nothing, or where nobody sees what came of it.
    fn of(step: &Step) -> Option<Self> {
        let checks = step.commands.iter().filter_map(|one| match one.kind {
            CommandKind::Tests => Some((Checked::Tests, one)),
            CommandKind::Checks => Some((Checked::Builds, one)),
            // A runner that nobody knows, by what it counts.
            CommandKind::Other if step.outlook.tally.is_some() && !one.looks() => {
                Some((Checked::Tests, one))
            }
            _ => None,
        });
        let (checked, command) = checks.max_by_key(|(checked, _)| *checked)?;
        match step.outlook.tally {
            _ if step.failed => Some(Self::Failed),
            Some(Tally::Failed) => Some(Self::Failed),
            None if command.is_piped => None,
            Some(Tally::Passed) | None => Some(Self::Succeeded(checked)),
        }
    }
}

/// What a step did.
pub(super) struct Led {
    /// Where it leads.
    pub(super) bearing: Alignment,
    /// Files of which it took back all that was changed.
    pub(super) undone: Vec<String>,
    /// The file with which it began to lead away.
    pub(super) strayed: Option<String>,
}

impl Work {
    /// Notes what a file was before it began to lead away.
    pub(super) fn was(&mut self, file: &str, original: u64) {
        self.detours.was(file, original);
    }

    /// Whether nothing of what was asked for seems to be missing: it was checked, and every file that the instruction names
    /// was at least looked at. Of several folders that it names the work is in all or in none.
    pub(super) fn is_done(&self, goal: &Goal) -> bool {
        let seen = |path: &PathPattern| self.files.with(Mark::Seen).any(|file| path.covers(file));
        let is_checked = match self.checked {
            Checked::No => false,
            // What only builds may be half of it.
            Checked::Builds => self.has_most(goal) && self.is_ended_by_checks(goal),
            Checked::Put => true,
            Checked::Tests | Checked::Committed => self.is_ended_by_checks(goal),
        };
        let is_met = |path: &PathPattern| path.may_be_words() || seen(path);
        let is_all = || self.is_even(goal) && goal.scope.paths.iter().all(is_met);
        self.changes > 0 && (self.is_listed_done() || (is_checked && is_all()))
    }

    /// Whether it was committed after it was checked, or all that the agent had on its list is done.
    pub(super) fn is_settled(&self) -> bool {
        self.checked == Checked::Committed || self.is_listed_done()
    }

    /// Whether a check that succeeds says that it ends. It does between the steps of much work, too: where
    /// the instruction wants much, where the agent has more on its list, and where it makes one file after the other.
    fn is_ended_by_checks(&self, goal: &Goal) -> bool {
        let has_grown = match goal.scope.breadth {
            Breadth::Narrow => true,
            Breadth::Growing => self.files.with(Mark::Known).count() >= MIN_GROWN,
            Breadth::Long | Breadth::Broad => false,
        };
        let makes_more = || {
            let made = self.files.with_both(Mark::Known, Mark::Made);
            let mut sources = made.filter(|file| FileKind::of(file) == FileKind::Source);
            sources.nth(MANY_MADE - 1).is_some()
        };
        has_grown && self.list.is_none() && !makes_more()
    }

    /// Whether the changes had two thirds of the words of the instruction.
    fn has_most(&self, goal: &Goal) -> bool {
        let is_met = |word: &&String| self.met_words.has(word.as_str());
        3 * goal.keywords.iter().filter(is_met).count() >= 2 * goal.keywords.len()
    }

    /// Whether the project itself is made here: nothing was there before, and what says how it is built is new.
    pub(super) fn is_from_nothing(&self) -> bool {
        let known = self.files.with(Mark::Known).count();
        known == self.files.with_both(Mark::Known, Mark::Made).count()
            && self.files.with(Mark::Made).any(|file| FileKind::of(file) == FileKind::Build)
    }

    /// Whether nobody said where the work is: neither the instruction nor a document that it says to follow.
    fn is_open(&self, goal: &Goal) -> bool {
        goal.leaves_open_where() && !self.plan.is_read()
    }

    /// Whether all folders that the instruction names were changed, or none.
    fn is_even(&self, goal: &Goal) -> bool {
        let changed =
            |path: &PathPattern| self.files.with(Mark::Known).any(|file| path.covers(file));
        let mut folders = goal.scope.paths.iter().filter(|path| !path.names_a_file()).map(changed);
        folders.next().is_none_or(|first| folders.all(|other| other == first))
    }

    /// The same work goes on after a person spoke.
    pub(super) fn go_on(&mut self) {
        self.circles.ended();
        self.balance = Balance::default();
        self.violations.clear();
        self.detours.clear();
        self.checked = Checked::No;
        // What is left of it may be what they speak of; of what was done something may be missing after all.
        self.list = self.list.take().filter(|list| list.left() > 0);
        self.since_done = 0;
        self.reads_elsewhere = 0;
    }

    /// Takes in a step, and says where it leads.
    pub(super) fn note(&mut self, step: &Step, goal: &Goal, before: &Before) -> Led {
        let had_no_effect = step.failed && step.action.changes_files();
        let whole_step = step;
        let step = &*ran(whole_step);
        let back = if had_no_effect { TakenBack::default() } else { self.take_back(step) };
        let is_back = |file: &str| back.is_about(file);
        let broken =
            if had_no_effect { vec![] } else { violations(goal, step, &self.files, is_back) };
        let is_forbidden = !broken.is_empty();
        let mut bearing = back.bearing;
        let mut strayed = None;
        if !had_no_effect {
            for file in step.changed_files().iter().filter(|file| !is_back(file)) {
                let deeds = self.deeds(step, file);
                let leads = self.note_change(step, goal, before, file);
                let is_broken = broken.iter().any(|one| one.is_about(file));
                if deeds == [Did::Made] {
                    self.files.note(file, Mark::Made);
                }
                let leads_away = is_broken || leads == Alignment::Astray;
                if leads_away && !back.goes_on(file) {
                    for did in deeds {
                        if self.detours.note(file, did) {
                            strayed = Some(file.clone());
                        }
                    }
                } else if !leads_away {
                    self.files.note(file, Mark::Stays);
                }
                bearing = bearing.and(leads);
            }
        }
        self.detours.keep(step);
        if bearing == Alignment::Aligned && !is_forbidden {
            self.violations.retain_mut(Violation::fades);
        }
        for broken in broken {
            remember(&mut self.violations, broken);
        }
        let step = whole_step;
        match step.action {
            Action::Bash => self.note_commands(step, goal),
            Action::Read | Action::Glob | Action::Grep => self.note_look(step, goal),
            Action::Edit | Action::Write | Action::Task | Action::Other => {}
        }
        if let Some(agenda) = &step.agenda {
            self.note_agenda(agenda, goal);
        }
        let turns = |file: &String| self.circles.worst().is_some_and(|(worst, _)| worst == file);
        if is_forbidden || step.changed_files().iter().any(turns) {
            bearing = Alignment::Astray;
        }
        // A list of what was changed leads nowhere.
        let lists = step.commands.iter().any(|one| one.kind == CommandKind::Lists);
        if step.failed || !(lists || self.looks_elsewhere(step, goal)) {
            self.named_by_output.note_all(&step.outlook.files);
        }
        if step.failed {
            self.failure_words.note_all(&step.outlook.words);
        }
        Led { bearing, undone: back.undone, strayed }
    }

    /// Whether it is a search, while the work goes on, for something that the instruction does not speak of.
    fn looks_elsewhere(&self, step: &Step, goal: &Goal) -> bool {
        let is_wanted = |word: &String| goal.keywords.contains(word);
        self.changes > 0 && step.action.looks() && !step.around.iter().any(is_wanted)
    }

    /// Takes out what a step takes back.
    fn take_back(&mut self, step: &Step) -> TakenBack {
        let mut back = self.detours.take_back(step);
        let folders = step.changed_files().iter().filter(|path| self.is_made_folder(step, path));
        back.touched.extend(folders.cloned());
        if violation::take_back(&mut self.violations, step, &back.whole, &self.detours)
            && back.bearing == Alignment::Neutral
        {
            back.bearing = Alignment::Aligned;
        }
        self.balance.take_back(&back.whole);
        for file in &back.whole {
            self.files.forget(file, Mark::Strayed);
        }
        let is_undone = |file: &&String| step.restores(file) || !self.files.has(file, Mark::Stays);
        back.undone = back.whole.iter().filter(is_undone).cloned().collect();
        back
    }

    /// Whether a step removes a folder in which nothing is known that was not made here.
    fn is_made_folder(&self, step: &Step, path: &str) -> bool {
        let inside = || self.files.with(Mark::Seen).filter(|file| lies_in(file, path));
        step.removes(path)
            && inside().next().is_some()
            && inside().all(|file| file != path && self.files.has(file, Mark::Made))
    }

    /// What a step does to a file.
    fn deeds(&self, step: &Step, file: &str) -> Vec<Did> {
        if let Some((from, to)) = step.moves().find(|(from, to)| from == file || to == file) {
            return vec![Did::Moved(Exchange::of_texts(from, to))];
        }
        // A line may write over what it did not look at; what an output spoke of was there.
        let was_there = self.files.has(file, Mark::Seen)
            || (step.action == Action::Bash && self.named_by_output.has(file));
        let is_new = step.makes(file) && !was_there;
        if is_new || self.files.has(file, Mark::Made) {
            return vec![Did::Made];
        }
        let exchanges: Vec<Did> = step.exchanges(file).map(Did::Edited).collect();
        if exchanges.is_empty() { vec![Did::Changed] } else { exchanges }
    }

    fn note_change(&mut self, step: &Step, goal: &Goal, before: &Before, file: &str) -> Alignment {
        let touched = Touched::of(file);
        let kind = touched.kind;
        let ties = ties(goal, self, step, &touched);
        // Where the work begins is for the agent to find out, as long as it has not found it.
        let may_begin = self.changes == 0 && is_work(kind) && (!self.is_located || ties.bind());
        let has_next = ties.has(Tie::NextWords) && ties.has(Tie::SeveralWords);
        let is_in_next = ties.has(Tie::InNamed) && !self.is_even(goal);
        let is_planned = ties.has_any(&[Tie::Planned, Tie::PlannedWords]) && !ties.has(Tie::Known);
        if (has_next || is_in_next || is_planned) && kind == FileKind::Source {
            // Another part of what is wanted begins.
            self.checked = Checked::No;
            self.since_done = 0;
        }
        let is_done = self.is_done(goal);
        let change = Change { goal, work: self, before, step, file: &touched, ties, is_done };
        let (weight, reason) = self.judged(change, may_begin);
        let rounds_off = change.rounds_off();
        let is_wanted = change.is_wanted();
        // One word in common where all else leads elsewhere is no way back.
        let returns = !ties.has_any(&[Tie::Outside, Tie::Strayed, Tie::BesideStrayed]);
        let begins = may_begin && !matches!(reason, Some(Reason::OldGoal { .. }));
        if is_done && !rounds_off && (!ties.has(Tie::Known) || self.is_settled()) {
            self.since_done = self.since_done.saturating_add(1);
        }
        self.balance.push(weight, reason);
        if weight == 0 && returns {
            self.balance.back_at_work();
        }
        self.files.note(file, Mark::Seen);
        self.circles.changed(file);
        if ties.is_only(Tie::LookedAt) {
            self.led_by_looks = self.led_by_looks.saturating_add(1);
        } else if weight == 0 {
            self.led_by_looks = 0;
        }
        if weight <= HALF || begins {
            self.changes = self.changes.saturating_add(1);
            self.reads_elsewhere = 0;
            let said = step.changed.union(&step.around).chain(&touched.words);
            let met = said.filter(|word| goal.keywords.contains(*word));
            self.met_words.note_all(met);
        }
        let is_first_hand = ties.has_any(&[
            Tie::Named,
            Tie::InNamed,
            Tie::Planned,
            Tie::PlannedWords,
            Tie::Result,
            Tie::ChangedWords,
            Tie::SeveralWords,
            Tie::PathWords,
            Tie::AroundWords,
            Tie::Known,
            Tie::LookedAt,
        ]) || goal.scope.wishes.cause
            || is_wanted
            || goal.scope.breadth == Breadth::Broad
            || self.is_open(goal)
            || goal.is_told_in_no_words_of_code();
        if (weight <= ON_COURSE && is_first_hand) || begins {
            self.files.note(file, Mark::Known);
            self.name_words.add_all(words(bare_name(file)));
            self.learn(step, goal, kind, ties);
            // What a build file asks for has to be made to work.
            if ties.has(Tie::Result) && kind != FileKind::Build {
                self.checked = self.checked.max(Checked::Put);
            }
        } else if weight <= HALF {
            self.files.note(file, Mark::HalfKnown);
            if is_first_hand {
                self.learn(step, goal, kind, ties);
            }
        } else {
            self.files.note(file, Mark::Strayed);
        }
        match weight {
            0..=ON_COURSE => Alignment::Aligned,
            _ if weight > HALF && !begins => Alignment::Astray,
            _ => Alignment::Neutral,
        }
    }

    fn judged(&self, change: Change<'_>, may_begin: bool) -> (u32, Option<Reason>) {
        let file = change.file.path;
        let what = || file.to_owned();
        let is_open = self.is_open(change.goal);
        // Who does not say where may mean the same place again, unless they ended what was wanted there.
        if change.is_of_before() && (change.before.is_ended || !is_open) {
            let weight = change.before.weight(file, change.is_of_ended());
            return (weight, Some(Reason::OldGoal { what: what() }));
        }
        if change.before.is_taken_back(change.step, file) {
            return (0, None);
        }
        // What the agent does shows where the work is: nothing else says it.
        if is_open {
            return (0, None);
        }
        let weight = if may_begin { change.weight() / 3 } else { change.weight() };
        let reason = || {
            let what = what();
            if change.is_done { Reason::AfterDone { what } } else { Reason::OutsideScope { what } }
        };
        (weight, (weight > ON_COURSE).then(reason))
    }

    /// What is changed in the file belongs to the work.
    fn learn(&mut self, step: &Step, goal: &Goal, kind: FileKind, ties: Ties) {
        self.mentioned.note_all(&step.names);
        let is_understood = !ties.is_empty() || goal.is_told_in_no_words_of_code();
        if kind != FileKind::Document && is_understood {
            let is_a_name =
                |word: &&String| word.chars().count() >= MIN_SYMBOL && !is_common_stem(word);
            self.symbols.note_all(step.changed.iter().filter(is_a_name));
        }
    }

    /// Kept apart, like the next ones: most of what is scored are edits, and the less room what they run takes up, the
    /// fewer pages of the program a call touches.
    #[inline(never)]
    fn note_commands(&mut self, step: &Step, goal: &Goal) {
        if !step.failed && step.commands.iter().any(Command::generates) {
            // It says what it made; what it changed was there to be seen.
            for file in &step.outlook.files {
                if !self.files.has(file, Mark::Seen) {
                    self.files.note(file, Mark::Made);
                }
            }
        }
        match Run::of(step) {
            Some(Run::Failed) => {
                // What fails after more was made than was wanted is more of that.
                if self.since_done == 0 || !self.is_settled() {
                    self.checked = Checked::No;
                    self.list = self.list.take().filter(|list| list.left() > 0);
                }
                self.circles.failed(&step.outlook);
            }
            Some(Run::Succeeded(checked)) => {
                if self.changes > 0 {
                    self.checked = self.checked.max(checked);
                }
                self.circles.ended();
            }
            // Whatever it is, it was run to see whether it succeeds.
            None if step.failed => self.circles.failed(&step.outlook),
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
        let is_wanted = goal.scope.wishes.dependencies || self.is_open(goal);
        if is_unasked && !is_wanted && !step.around.iter().any(is_tied) {
            let what =
                step.command.iter().flat_map(|line| line.chars()).take(MAX_COMMAND).collect();
            let weight = if Self::may_need(step, goal) { NEEDED } else { UNASKED };
            self.balance.push(weight, Some(Reason::OutsideScope { what }));
        }
    }

    /// Whether a step adds only dependencies, to something large that is made.
    fn may_need(step: &Step, goal: &Goal) -> bool {
        use CommandKind::{InstallsTool, Reformats, Upgrades};
        let is_more = |one: &Command| matches!(one.kind, Upgrades | InstallsTool | Reformats);
        let Scope { breadth, wishes, .. } = &goal.scope;
        *breadth >= Breadth::Long
            && !(wishes.cause || wishes.answer)
            && !step.commands.iter().any(is_more)
    }

    /// What is noted when nothing is missing any more is nobody's wish.
    #[inline(never)]
    fn note_agenda(&mut self, agenda: &Agenda, goal: &Goal) {
        let before = self.list.as_ref();
        let Some(mut list) = List::after(before, agenda) else {
            self.list = None;
            return;
        };
        if before.is_some_and(|before| before.is_outgrown_by(agenda, goal)) && self.changes > 0 {
            list.end();
        }
        let has_less = list.left() <= before.map_or(0, List::left);
        if has_less || !self.is_done(goal) || goal.scope.breadth >= Breadth::Long {
            self.list = Some(list);
        }
    }

    /// Whether all that the agent had on its list is done.
    pub(super) fn is_listed_done(&self) -> bool {
        self.left() == Some(0)
    }

    /// So many things are left on the agent's own list.
    fn left(&self) -> Option<u32> {
        self.list.as_ref().map(List::left)
    }

    #[inline(never)]
    fn note_look(&mut self, step: &Step, goal: &Goal) {
        // Before the work begins a search is for it; later only one for what the work is about.
        let is_of_work = |word: &String| {
            goal.keywords.contains(word)
                || goal.weak_keywords.contains(word)
                || self.failure_words.has(word.as_str())
        };
        let is_meant = self.changes == 0 || step.around.iter().any(is_of_work);
        if step.action == Action::Grep && is_meant && !self.is_done(goal) {
            self.searched.note_all(step.around.iter().filter(|word| !is_common_stem(word)));
        }
        let Some(file) = step.files.first() else { return };
        if self.changes == 0 && step.action == Action::Read {
            self.files.note(file, Mark::LookedAt);
        }
        if step.action == Action::Read && !self.files.has(file, Mark::Seen) {
            self.circles.learned();
        }
        self.files.note(file, Mark::Seen);
        let ties = ties(goal, self, step, &Touched::of(file));
        self.is_located |= ties.has_any(&[Tie::Named, Tie::InNamed, Tie::PathWords, Tie::WeakPath]);
        let is_near = ties.bind();
        if is_near || goal.scope.wishes.answer || self.is_open(goal) {
            self.reads_elsewhere = 0;
        } else {
            self.reads_elsewhere = self.reads_elsewhere.saturating_add(1);
            self.last_read.clone_from(file);
        }
    }

    /// What it is worth now.
    pub(super) fn assess(&self) -> Assessment {
        let mut score = self.balance.score();
        let mut reasons: Vec<Reason> = vec![];
        let counting = || self.violations.iter().filter(|one| one.counts());
        for Violation { reason, .. } in counting() {
            if !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        match counting().count() {
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
        let told: Vec<String> = reasons.iter().map(|one| one.what().to_owned()).collect();
        for reason in self.balance.reasons() {
            let is_told = told.iter().any(|what| what == reason.what());
            if !is_told && !reasons.contains(reason) {
                reasons.push(reason.clone());
            }
        }
        Assessment { score, reasons }
    }
}
