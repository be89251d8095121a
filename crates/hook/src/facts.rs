//! What gates have to know before they can decide, looked up outside of them and within limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::Observed;
use verger_config::Settings;
use verger_event::{ContentHash, Event, SessionKey, StartTree};
use verger_gate::{Content, Difference, Start, State, Work};
use verger_store::with_causes;
use verger_store_local::Home;
use verger_worktree::{
    self as worktree, Git, Ignore, MovedOut, NoContent, TreeError, content, differing_paths,
    take_start_tree, touched_content,
};

use crate::namesake::Namesake;

/// For looking at a whole working tree, however many questions to git that takes.
pub(crate) const TREE_TIME_LIMIT: Duration = Duration::from_secs(2);

/// How many paths are named when a decision is refused.
const MAX_NAMED_PATHS: usize = 20;

/// What has to be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Questions {
    /// Where the task starts from.
    pub(crate) start_tree: bool,
    /// What the work amounts to.
    pub(crate) content: bool,
    /// Whether something else has the reviewer's name.
    pub(crate) namesake: bool,
}

impl Questions {
    pub(crate) fn is_any(self) -> bool {
        self.start_tree || self.content || self.namesake
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) start_tree: Option<StartTree>,
    pub(crate) content: Option<Content>,
    pub(crate) namesake: Option<Namesake>,
    /// What could not be found, for the person.
    pub(crate) warnings: Vec<Event>,
}

/// Looks things up for one session.
pub struct FactFinder {
    git: Git,
    private_dir: PathBuf,
    ignore: Ignore,
}

/// What the work of a task amounts to.
#[derive(Debug)]
pub struct Amount {
    /// As gates see it.
    pub content: Content,
    /// In full; nothing when no tool that may change a file was requested yet.
    pub found: Option<worktree::Content>,
}

/// Why it is not known what the work amounts to.
#[derive(Debug, thiserror::Error)]
pub enum UnknownContent {
    /// The start of the task cannot be read.
    #[error("read where the task started from")]
    Start(#[source] serde_json::Error),
    /// The working tree could not be compared with it.
    #[error(transparent)]
    Tree(#[from] NoContent),
    /// The touched files could not be read.
    #[error(transparent)]
    Files(#[from] TreeError),
}

impl FactFinder {
    /// For a session; `environment` is what git gets.
    pub fn new(
        home: &Home,
        key: &SessionKey,
        settings: &Settings,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        Self {
            git: Git::new("git", environment, TREE_TIME_LIMIT),
            private_dir: home.trees(&key.file_stem()),
            ignore: Ignore::new(settings.review.ignore.value.iter()),
        }
    }

    pub(crate) fn gather(&self, questions: Questions, state: &State, observed: &Observed) -> Facts {
        let mut facts = Facts::default();
        if questions.start_tree {
            facts.start_tree = Some(self.start_tree(observed.circumstance.cwd.as_deref()));
        }
        if questions.content {
            match self.amount(&state.work, state.session.cwd.as_deref()) {
                Ok(amount) => facts.content = Some(amount.content),
                Err(unknown) => {
                    facts.content = Some(Content::unknown());
                    facts.warnings.push(Event::Warned {
                        area: "review gate".to_owned(),
                        message: with_causes(&unknown),
                    });
                }
            }
        }
        facts
    }

    fn start_tree(&self, cwd: Option<&str>) -> StartTree {
        let Some(cwd) = cwd.map(Path::new).filter(|cwd| cwd.is_absolute()) else {
            return StartTree::Touched { reason: "the agent does not say where it works".into() };
        };
        let tree = take_start_tree(cwd, &self.private_dir, &self.git)
            .map_err(|none| with_causes(&none))
            .and_then(|tree| serde_json::to_value(tree).map_err(|error| error.to_string()));
        match tree {
            Ok(tree) => StartTree::Tree(tree),
            Err(reason) => StartTree::Touched { reason },
        }
    }

    /// What the work of the task in hand amounts to now.
    pub fn amount(&self, work: &Work, cwd: Option<&str>) -> Result<Amount, UnknownContent> {
        match &work.start {
            Start::NotTaken => Ok(Amount::nothing()),
            Start::Tree(tree) => {
                let tree = serde_json::from_value(tree.clone()).map_err(UnknownContent::Start)?;
                Ok(content(&tree, &self.private_dir, &self.ignore, &self.git)?.into())
            }
            Start::NoTree { .. } => {
                let root = Path::new(cwd.unwrap_or("/"));
                let files = &work.touched.files;
                Ok(touched_content(root, files, &self.private_dir, &self.ignore)?.into())
            }
        }
    }

    /// The files at which the work now differs from what it was, as far as that is known.
    pub fn differing_paths(&self, then: &ContentHash, now: &Amount) -> Vec<String> {
        let found = now.found.as_ref();
        let paths = found.and_then(|found| differing_paths(&self.private_dir, then, found));
        let paths = paths.unwrap_or_default();
        paths.iter().take(MAX_NAMED_PATHS).map(|path| path.display().to_string()).collect()
    }
}

impl Amount {
    fn nothing() -> Self {
        Self { content: Content::nothing(), found: None }
    }
}

impl From<worktree::Content> for Amount {
    fn from(found: worktree::Content) -> Self {
        let (difference, hash) = match (found.files.len(), &found.moved_out) {
            (0, MovedOut::Nothing) => (Difference::None, found.hash.clone()),
            // What is elsewhere is not nothing.
            (0, MovedOut::Files(_)) => (Difference::MovedOut, ContentHash::new("moved out")),
            (files, _) => (Difference::Files(files), found.hash.clone()),
        };
        Self { content: Content { hash, difference }, found: Some(found) }
    }
}
