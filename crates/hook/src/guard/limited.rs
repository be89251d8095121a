//! Reading and judging a line, within a limit of time.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use verger_agent::AgentSpec;
use verger_gate::permission::{Ground, Judgement, Rules, judge};
use verger_shell::Script;
use verger_store_local::Home;
use verger_worktree::Surroundings;

use super::own_paths::own_paths;
use crate::Environment;
use crate::guard_rules::{LoadedRules, load_guard_rules};

/// For both together.
pub(crate) const LIMIT: Duration = Duration::from_millis(250);

/// Of a longer line nothing is read but that it is too long.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The guard for lines in one directory, with everything that its judgement depends on.
#[derive(Clone)]
pub struct LineGuard {
    pub(super) ground: Arc<OwnedGround>,
    rules: Arc<LoadedRules>,
    lifted: Arc<Vec<String>>,
}

/// What is answered.
pub struct Answered {
    /// What the line comes to, before its conditions are looked up.
    pub judgement: Judgement,
    /// The line as it was read.
    pub script: Option<Script>,
    /// Whether a person may let it run once.
    pub release: Release,
}

/// Whether a person may let a call run that the guard is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// A person may.
    Possible,
    /// Nobody may.
    No,
}

/// Where the agent works.
#[derive(Debug, Default)]
pub(super) struct OwnedGround {
    pub(super) cwd: Option<String>,
    pub(super) home: Option<String>,
    pub(super) root: Option<String>,
    pub(super) own: Vec<String>,
}

impl OwnedGround {
    pub(super) fn of(
        spec: &AgentSpec,
        home: Option<&Home>,
        cwd: Option<&str>,
        environment: &Environment,
        surroundings: &Surroundings,
    ) -> Self {
        Self {
            cwd: cwd.map(str::to_owned),
            home: environment.text("HOME"),
            root: surroundings.root().map(|root| root.display().to_string()),
            own: own_paths(spec, home, environment, surroundings),
        }
    }

    pub(super) fn borrowed(&self) -> Ground<'_> {
        Ground {
            cwd: self.cwd.as_deref(),
            home: self.home.as_deref(),
            root: self.root.as_deref(),
            own: &self.own,
        }
    }
}

impl LineGuard {
    /// The guard for an agent that works in `cwd`, with the rules that count there.
    pub fn new(
        spec: &AgentSpec,
        home: Option<&Home>,
        cwd: Option<&str>,
        environment: &Environment,
        surroundings: &Surroundings,
        lifted: Vec<String>,
    ) -> Self {
        let rules = home.map(|home| load_guard_rules(home, surroundings));
        Self {
            ground: Arc::new(OwnedGround::of(spec, home, cwd, environment, surroundings)),
            rules: Arc::new(rules.unwrap_or_default()),
            lifted: Arc::new(lifted),
        }
    }

    /// The rules beside the built-in ones.
    pub fn rules(&self) -> &LoadedRules {
        &self.rules
    }

    /// Names of rules of the floor that the user lifts.
    pub fn lifted(&self) -> &[String] {
        &self.lifted
    }

    /// What a line comes to. A thread that takes too long, or breaks, is left behind: it ends with the
    /// process.
    pub fn judge(&self, line: &str) -> Answered {
        let unjudged = |why| Answered {
            judgement: Judgement::of_unjudged(line, why),
            script: None,
            release: Release::Possible,
        };
        if line.len() > MAX_LINE_BYTES {
            return unjudged("it is too long to be read");
        }
        let (sender, receiver) = mpsc::channel();
        let (guard, owned) = (self.clone(), line.to_owned());
        let thread = thread::Builder::new().spawn(move || {
            // Nobody may be waiting any more.
            drop(sender.send(guard.answer(&owned)));
        });
        if thread.is_err() {
            return unjudged("the system is out of threads");
        }
        receiver.recv_timeout(LIMIT).unwrap_or_else(|error| match error {
            mpsc::RecvTimeoutError::Timeout => unjudged("it took too long to be judged"),
            mpsc::RecvTimeoutError::Disconnected => {
                unjudged("judging it failed, which is a bug in verger")
            }
        })
    }

    fn answer(&self, line: &str) -> Answered {
        let script = verger_shell::read(line);
        let (user, project) = (self.rules.user(), self.rules.project());
        let rules = Rules { user: &user, project: &project, lifted: &self.lifted };
        let judgement = judge(&script, &self.ground.borrowed(), &rules);
        let release =
            if judgement.may_be_released(&rules) { Release::Possible } else { Release::No };
        Answered { judgement, script: Some(script), release }
    }
}
