//! The facts that gates need to decide, looked up outside of the gates and within limits.

mod own_checks;
mod standing;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Home;
use verger_agent::Observed;
use verger_config::Settings;
use verger_drift::shelf::Offer;
use verger_drift::{Reading, Track};
use verger_event::{ContentHash, Event, ReleaseOfSession, SessionKey, StartTree, VergerPart};
use verger_exec::Deadline;
use verger_exec::detached::Job;
use verger_gate::drift::{NoReading, NoScore, ScoreGiven};
use verger_gate::learning::{Baseline, Changed, Extent};
use verger_gate::permission::opinion::Opinion;
use verger_gate::review::Outcome;
use verger_gate::verification::Came;
use verger_gate::{Content, Difference, Start, Touched, Work};
use verger_store::{StoreError, with_causes};
use verger_worktree::{
    self as worktree, Diff, Git, Ignore, MovedOut, NoContent, NoStartTree, TreeError,
    changed_lines, content, differing_paths, ignored_paths, is_in_other_worktree, keep_begun,
    take_start_tree, touched_content,
};

use crate::State;
use crate::client_process::NotClient;
use crate::gates::drift::program::Said;
use crate::gates::guard::opinion::OpinionFailure;
use crate::gates::habits::StagedSecrets;
use crate::gates::learning::tickets::FoundTickets;
use crate::gates::recall::Recalled;
use crate::gates::review::namesake::Namesake;
use crate::gates::review::run::{EndedRun, ReviewEnd, ReviewRun};
use crate::undo::SavedBefore;

pub use standing::WorkExtent;

pub use own_checks::AddedStubs;

/// Time limit for comparing working trees in a slow call: a stop, a task's first change, a gated
/// tool, or a reviewer's start.
pub const TREE_TIME_LIMIT: Duration = Duration::from_millis(1_500);

/// Time limit for comparing working trees in any other call.
pub const QUICK_TREE_TIME_LIMIT: Duration = Duration::from_millis(250);

/// Maximum number of paths that a refused decision names.
const MAX_NAMED_PATHS: usize = 20;

/// A fact that has to be looked up before gates can decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The working tree at the task's start.
    StartTree,
    /// The lines that were changed but not committed when the task began.
    Baseline,
    /// The changes of the work: their hash, and whether anything differs from the start.
    Content,
    /// The size of the work.
    Extent,
    /// Whether the work is committed.
    Committed,
    /// Whether another subagent has the reviewer's name.
    Namesake,
    /// Whether the session's client sent the event.
    Sender,
    /// Whether a change of settings turns the hooks off, and whether they were off before.
    HooksOff,
    /// The decision of a finished review that verger runs.
    ReviewEnd,
    /// The ticket that is being worked on.
    Tickets,
    /// How much changed since the agent was last asked for a reflection.
    Changes,
    /// Learnings that fit the agent's next action.
    Recall,
    /// Earlier tasks of the project that fit the person's prompt.
    EarlierTasks,
    /// The given learnings that the work uses.
    Uses,
    /// The opinion program's answer about a call for which no rule exists.
    Opinion,
    /// Undo points for a call that a person allowed.
    UndoPoint,
    /// Secrets in the staged changes before a commit.
    Staged,
    /// The scorer program's score of the session.
    Score,
    /// The reader program's reading of the prompt.
    Reading,
    /// Gates that released earlier agents of the project without being satisfied.
    Releases,
    /// The paths that differ from the start of the task.
    ChangedPaths,
    /// The limits in force and the tasks. They are read while the session is locked.
    Track,
}

/// A set of facts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FactSet(u32);

impl FactSet {
    /// A set of these facts.
    pub(crate) fn of<const N: usize>(facts: [Fact; N]) -> Self {
        facts.into_iter().fold(Self::default(), Self::and)
    }

    /// This set and one more fact.
    #[must_use]
    pub(crate) fn and(self, fact: Fact) -> Self {
        Self(self.0 | 1 << fact as u32)
    }

    /// This set, and one more fact if the condition is true.
    #[must_use]
    pub(crate) fn and_if(self, condition: bool, fact: Fact) -> Self {
        if condition { self.and(fact) } else { self }
    }

    /// The union of both sets.
    #[must_use]
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn contains(self, fact: Fact) -> bool {
        self.0 & 1 << fact as u32 != 0
    }

    /// Whether a fact of this set takes time to look up. Such facts are looked up while the
    /// session is not locked.
    pub(crate) fn takes_time(self) -> bool {
        self.0 & !(1 << Fact::Track as u32) != 0
    }
}

/// The facts that were looked up.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) start_tree: Option<StartTree>,
    /// The session's [`Track`] before the event, if a gate needs it.
    pub(crate) track: Option<Box<Track>>,
    /// The scorer program's answer.
    pub(crate) score: Option<Said<ScoreGiven, NoScore>>,
    /// The reader program's answer.
    pub(crate) reading: Option<Said<Reading, NoReading>>,
    /// The paths that differ from the start of the task, absolute.
    pub(crate) changed_paths: Option<Vec<String>>,
    pub(crate) content: Option<Content>,
    pub(crate) extent: Option<WorkExtent>,
    /// Whether the work is committed.
    pub(crate) committed: Option<Came>,
    pub(crate) namesake: Option<Namesake>,
    /// Why a change of settings turns the hooks off.
    pub(crate) hooks_off: Option<String>,
    /// Sessions that ran without hooks.
    pub(crate) unseen_sessions: Vec<String>,
    /// Why the event is not from the session's client.
    pub(crate) not_client: Option<NotClient>,
    pub(crate) review_end: Option<EndedRun>,
    pub(crate) tickets: Option<FoundTickets>,
    pub(crate) changed: Option<ChangedWork>,
    pub(crate) recalled: Option<Recalled>,
    /// Tasks of other sessions that fit the prompt.
    pub(crate) offers: Vec<Offer>,
    /// Releases of unsatisfied gates that no session has shown at its start yet.
    pub(crate) releases: Vec<ReleaseOfSession>,
    /// Learnings that the work uses.
    pub(crate) used: Vec<String>,
    pub(crate) opinion: Option<Result<Opinion, OpinionFailure>>,
    /// The undo points for a call that a person allowed.
    pub(crate) saved: Option<SavedBefore>,
    pub(crate) staged: Option<StagedSecrets>,
    /// The lost parts of the session's records.
    pub(crate) loss: Option<String>,
    /// Warnings for the person about facts that could not be found.
    pub(crate) warnings: Vec<Event>,
}

impl Facts {
    /// A session whose track can't be read gets no score.
    pub(crate) fn take_track(&mut self, read: Result<Box<Track>, StoreError>) {
        match read {
            Ok(track) => self.track = Some(track),
            Err(error) => {
                let message = format!("cannot {}; `verger doctor` shows more", with_causes(&error));
                self.warnings.push(Event::Warned { area: VergerPart::Drift.into(), message });
            }
        }
    }
}

/// Looks up facts for one session.
pub struct FactFinder {
    git: Git,
    private_dir: PathBuf,
    reviews: PathBuf,
    ignore: Ignore,
}

/// The work of a task, compared with its start.
#[derive(Debug)]
pub struct Amount {
    /// The content of the work, in the form that gates use.
    pub content: Content,
    /// The full comparison. `None` if no tool call that may change files was requested yet.
    pub found: Option<worktree::Content>,
}

/// The work since the agent was last asked for a reflection.
#[derive(Debug)]
pub struct ChangedWork {
    /// How much changed.
    pub changed: Changed,
    /// The changed files, as paths below the project's root.
    pub files: Vec<String>,
}

impl Default for ChangedWork {
    /// An unknown change.
    fn default() -> Self {
        Self { changed: Changed::Unknown, files: vec![] }
    }
}

impl ChangedWork {
    /// The change in the form that the learning gate uses.
    pub fn extent(&self) -> Extent<'_> {
        Extent { changed: self.changed, files: &self.files }
    }

    /// The files that tools touched. Used if there is no start tree to compare with.
    fn touched(baseline: &Baseline) -> Self {
        let Touched { files, more } = baseline.touched();
        let changed = match (files.len() as u64).saturating_add(*more) {
            0 => Changed::Nothing,
            files => Changed::Files(files),
        };
        let root = match baseline.start() {
            Start::NoTree { root: Some(root), .. } => Path::new(root),
            _ => Path::new("/"),
        };
        let below = |file: &String| {
            let path = Path::new(file).strip_prefix(root).unwrap_or(Path::new(file));
            path.display().to_string()
        };
        Self { changed, files: files.iter().map(below).collect() }
    }
}

/// Why the content of the work is unknown.
#[derive(Debug, thiserror::Error)]
pub enum UnknownContent {
    /// Git was too slow when the task began.
    #[error("compare the work with the start of the task, which was not recorded: {0}")]
    NoStart(String),
    /// The record of the task's start cannot be read.
    #[error("read the start of the task")]
    Start(#[source] serde_json::Error),
    /// The agent works in another working tree than the task began in.
    #[error("compare the work in {root}: the agent now works in another working tree, {cwd}")]
    OtherWorktree { root: String, cwd: String },
    /// The working tree could not be compared with the start tree.
    #[error(transparent)]
    Tree(#[from] NoContent),
    /// The touched files could not be read.
    #[error(transparent)]
    Files(#[from] TreeError),
}

impl FactFinder {
    /// A finder for a session. `environment` is passed on to git.
    pub fn new(
        home: &Home,
        key: &SessionKey,
        settings: &Settings,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        Self {
            git: Git::new("git", environment, TREE_TIME_LIMIT),
            private_dir: home.trees(&key.file_stem()),
            reviews: home.reviews(&key.file_stem()),
            ignore: Ignore::new(settings.review.ignore.value.iter()),
        }
    }

    /// Looks up the wanted facts. `tree_time` limits comparing working trees in slow calls.
    pub(crate) fn gather(
        self,
        wanted: FactSet,
        (state, observed): (&State, &Observed),
        tree_time: Deadline<'static>,
    ) -> Facts {
        let takes_long = [Fact::StartTree, Fact::Content, Fact::Changes];
        let quick = Deadline::after(QUICK_TREE_TIME_LIMIT);
        let is_long = takes_long.into_iter().any(|fact| wanted.contains(fact))
            && tree_time.left() > QUICK_TREE_TIME_LIMIT;
        let end = if is_long { tree_time } else { quick };
        Self { git: self.git.until(end), ..self }.look(wanted, state, observed)
    }

    fn look(&self, wanted: FactSet, state: &State, observed: &Observed) -> Facts {
        let mut facts = Facts::default();
        let asks = |fact| wanted.contains(fact);
        let ended = asks(Fact::ReviewEnd).then(|| self.ended_run(state)).flatten();
        if asks(Fact::StartTree) {
            let begun = asks(Fact::Baseline).then_some(&self.private_dir);
            let cwd = observed.circumstance.cwd.as_deref();
            let start = self.start_tree(cwd, begun.map(PathBuf::as_path));
            if let StartTree::Unknown { reason } = &start {
                let unknown = UnknownContent::NoStart(reason.clone());
                facts.warnings.push(warning(VergerPart::ReviewGate, &unknown));
            }
            facts.start_tree = Some(start);
        }
        if asks(Fact::Changes) {
            match self.changed(&state.learning.baseline) {
                Ok(changed) => facts.changed = Some(changed),
                Err(unknown) => facts.warnings.push(warning(VergerPart::LearningGate, &unknown)),
            }
        }
        if asks(Fact::ChangedPaths) {
            facts.changed_paths = self.changed_paths(state);
        }
        if asks(Fact::Content) || ended.is_some() {
            match self.amount_here(state, observed) {
                Ok(amount) => {
                    facts.review_end = ended.map(|(id, reviewed, end)| {
                        let changed_paths = self.differing_paths(reviewed, &amount);
                        EndedRun { id: id.to_owned(), end, changed_paths }
                    });
                    self.look_at_work(&mut facts, wanted, state, &amount);
                    facts.content = Some(amount.content);
                }
                Err(unknown) => {
                    // The current content is unknown, so an approval can't be matched with it. A
                    // review that doesn't approve is used anyway.
                    facts.review_end = ended
                        .filter(|(_, _, end)| end.decision.outcome != Outcome::Complete)
                        .map(|(id, _, end)| EndedRun {
                            id: id.to_owned(),
                            end,
                            changed_paths: vec![],
                        });
                    facts.content = Some(Content::unknown());
                    let is_verified = asks(Fact::Extent);
                    let area = if is_verified {
                        VergerPart::VerificationGate
                    } else {
                        VergerPart::ReviewGate
                    };
                    facts.warnings.push(warning(area, &unknown));
                }
            }
        }
        facts
    }

    /// The absolute paths that differ from the task's start. `None` if they are unknown; then no
    /// path counts as restored.
    fn changed_paths(&self, state: &State) -> Option<Vec<String>> {
        let found = self.amount(&state.work, state.session.cwd.as_deref()).ok()?.found?;
        let root = work_directory(&state.work, state.session.cwd.as_deref());
        // The comparison with the start leaves out ignored files, so the finding's ignored paths
        // count as changed.
        let waiting: Vec<PathBuf> =
            state.drift.finding()?.paths.iter().map(|path| root.join(path)).collect();
        let ignored = ignored_paths(&root, &waiting, &self.git).ok()?;
        let changed = found.files.iter().map(|file| root.join(&file.path)).chain(ignored);
        Some(changed.map(|path| path.display().to_string()).collect())
    }

    /// Looks up the facts that a verification needs in addition to the content.
    fn look_at_work(&self, facts: &mut Facts, wanted: FactSet, state: &State, amount: &Amount) {
        let is_changed = amount.content.difference != Difference::None;
        let asks = |fact| is_changed && wanted.contains(fact);
        if asks(Fact::Extent) {
            match self.extent(&state.work, amount) {
                Ok(extent) => facts.extent = Some(extent),
                Err(unknown) => {
                    facts.warnings.push(warning(VergerPart::VerificationGate, &unknown));
                }
            }
        }
        if asks(Fact::Committed) {
            let directory = work_directory(&state.work, state.session.cwd.as_deref());
            match self.committed(&directory, amount) {
                Ok(came) => facts.committed = Some(came),
                Err(unknown) => {
                    facts.warnings.push(warning(VergerPart::VerificationGate, &unknown));
                }
            }
        }
    }

    /// The id of the review that verger runs, the content under review, and the review's result.
    /// `None` while the review runs.
    fn ended_run<'s>(&self, state: &'s State) -> Option<(&'s str, &'s ContentHash, ReviewEnd)> {
        let ReviewRun { id, reviewing } = ReviewRun::under_way(&state.review)?;
        let now = Deadline::after(Duration::ZERO);
        // A zero time limit: this only checks whether the review has finished.
        let end = ReviewEnd::wait(&Job::at(self.reviews.join(id)), now, |_| ()).ok()??;
        Some((id, &reviewing.content, end))
    }

    /// Takes the start tree of a task. The lines that were changed before the task are stored in
    /// `begun`.
    fn start_tree(&self, cwd: Option<&str>, begun: Option<&Path>) -> StartTree {
        let Some(cwd) = cwd.map(Path::new).filter(|cwd| cwd.is_absolute()) else {
            return StartTree::Touched {
                reason: "the agent did not report its working directory".into(),
            };
        };
        let tree = take_start_tree(cwd, &self.private_dir, &self.git).inspect(|tree| {
            // Without these lines the line count is less exact, so a failure is ignored.
            drop(begun.map(|begun| keep_begun(tree, begun)));
        });
        start_of(tree)
    }

    /// The work since a session's baseline.
    pub fn changed(&self, baseline: &Baseline) -> Result<ChangedWork, UnknownContent> {
        let Some(tree) = tree_of(baseline.start()) else {
            return Ok(ChangedWork::touched(baseline));
        };
        let tree = tree?;
        let found = content(&tree, &self.private_dir, &Ignore::default(), &self.git)?;
        let changed = match (&found.files[..], &found.moved_out) {
            ([], MovedOut::Nothing) => Changed::Nothing,
            (files, MovedOut::Nothing) => {
                Changed::Lines(changed_lines(&tree, &self.private_dir, files, &self.git)?)
            }
            (files, MovedOut::Files(moved)) => Changed::Files((files.len() + moved.len()) as u64),
        };
        let files = found.files.iter().map(|file| file.path.display().to_string()).collect();
        Ok(ChangedWork { changed, files })
    }

    /// Like [`amount`](Self::amount), but fails if nothing changed and the agent now works in
    /// another working tree. That tree is not compared, so "nothing changed" could be wrong.
    fn amount_here(&self, state: &State, observed: &Observed) -> Result<Amount, UnknownContent> {
        let amount = self.amount(&state.work, state.session.cwd.as_deref())?;
        if let (Some(Ok(tree)), Some(cwd)) =
            (tree_of(&state.work.start), observed.circumstance.cwd.as_deref())
            && amount.content.difference == Difference::None
            && is_in_other_worktree(Path::new(&tree.root), Path::new(cwd))
        {
            return Err(UnknownContent::OtherWorktree { root: tree.root, cwd: cwd.to_owned() });
        }
        Ok(amount)
    }

    /// The work of the current task, compared with its start.
    pub fn amount(&self, work: &Work, cwd: Option<&str>) -> Result<Amount, UnknownContent> {
        if let Some(tree) = tree_of(&work.start) {
            return Ok(content(&tree?, &self.private_dir, &self.ignore, &self.git)?.into());
        }
        if work.start == Start::NotTaken {
            return Ok(Amount::nothing());
        }
        let (root, files) = (work_directory(work, cwd), &work.touched.files);
        Ok(touched_content(&root, files, &self.private_dir, &self.ignore)?.into())
    }

    /// The diff from the task's start to the work, cut at `max_bytes`. `None` without version
    /// control.
    pub fn diff(
        &self,
        work: &Work,
        amount: &Amount,
        max_bytes: u64,
    ) -> Option<Result<Diff, UnknownContent>> {
        if work.start == Start::NotTaken {
            return Some(Ok(Diff::default()));
        }
        let files = amount.found.as_ref().map(|found| found.files.as_slice()).unwrap_or_default();
        Some(tree_of(&work.start)?.and_then(|tree| {
            Ok(worktree::diff(&tree, &self.private_dir, files, &self.git, max_bytes)?)
        }))
    }

    /// The files that differ between the work and the earlier content `then`, as far as they are
    /// known.
    pub fn differing_paths(&self, then: &ContentHash, now: &Amount) -> Vec<String> {
        let found = now.found.as_ref();
        let paths = found.and_then(|found| differing_paths(&self.private_dir, then, found));
        let paths = paths.unwrap_or_default();
        paths.iter().take(MAX_NAMED_PATHS).map(|path| path.display().to_string()).collect()
    }
}

/// The start tree for the log. If git timed out, the start is unknown. The files that tools named
/// are no replacement, because commands change files without naming them.
fn start_of(tree: Result<worktree::StartTree, NoStartTree>) -> StartTree {
    match tree {
        Ok(tree) => match serde_json::to_value(tree) {
            Ok(tree) => StartTree::Tree(tree),
            Err(error) => StartTree::Unknown { reason: error.to_string() },
        },
        Err(none @ NoStartTree::Unread(TreeError::TimedOut | TreeError::TooMuch)) => {
            StartTree::Unknown { reason: with_causes(&none) }
        }
        Err(none) => StartTree::Touched { reason: with_causes(&none) },
    }
}

fn warning(part: VergerPart, unknown: &UnknownContent) -> Event {
    let causes = with_causes(unknown);
    let message = match unknown {
        UnknownContent::Tree(NoContent::StartGone) => causes,
        _ => format!("cannot {causes}"),
    };
    Event::Warned { area: part.into(), message }
}

/// The directory of the work: the root of the start tree's repository, or the agent's working
/// directory.
pub fn work_directory(work: &Work, cwd: Option<&str>) -> PathBuf {
    match (tree_of(&work.start), &work.start) {
        (Some(Ok(tree)), _) => tree.root.into(),
        (_, Start::NoTree { root: Some(root), .. } | Start::Unknown { root: Some(root), .. }) => {
            root.into()
        }
        _ => cwd.unwrap_or("/").into(),
    }
}

/// The start tree. `None` if the start was recorded without a tree.
fn tree_of(start: &Start) -> Option<Result<worktree::StartTree, UnknownContent>> {
    match start {
        Start::Tree(tree) => {
            Some(serde_json::from_value(tree.clone()).map_err(UnknownContent::Start))
        }
        Start::Unknown { reason, .. } => Some(Err(UnknownContent::NoStart(reason.clone()))),
        Start::NotTaken | Start::NoTree { .. } => None,
    }
}

impl Amount {
    fn nothing() -> Self {
        Self { content: Content::nothing(), found: None }
    }
}

impl From<worktree::Content> for Amount {
    fn from(found: worktree::Content) -> Self {
        let difference = match (found.files.len(), &found.moved_out) {
            (0, MovedOut::Nothing) => Difference::None,
            (0, MovedOut::Files(_)) => Difference::MovedOut,
            (files, _) => Difference::Files(files),
        };
        Self { content: Content { hash: found.hash.clone(), difference }, found: Some(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stays_where_it_began_wherever_the_agent_goes() {
        let tree = serde_json::json!({ "root": "/repository", "head": null, "id": "1" });
        let none = |root: Option<&str>| Start::NoTree {
            reason: "no repository".to_owned(),
            root: root.map(str::to_owned),
        };
        for (start, expected) in [
            (Start::Tree(tree), "/repository"),
            (none(Some("/directory")), "/directory"),
            (none(None), "/now"),
            (Start::NotTaken, "/now"),
        ] {
            let work = Work { start, ..Work::default() };
            assert_eq!(work_directory(&work, Some("/now")), Path::new(expected));
        }
    }
}
