//! Reading and judging a line, within a limit of time.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use verger_gate::permission::{Ground, Judgement, Rules, judge};
use verger_shell::Script;

use crate::guard_rules::LoadedRules;

/// For both together.
pub(crate) const LIMIT: Duration = Duration::from_millis(250);

/// Of a longer line nothing is read but that it is too long.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// What is asked, with everything that the answer depends on.
pub(super) struct Question {
    pub(super) line: String,
    pub(super) ground: OwnedGround,
    pub(super) rules: LoadedRules,
    pub(super) lifted: Vec<String>,
}

/// What is answered.
pub(super) struct Answered {
    pub(super) judgement: Judgement,
    /// The line as it was read.
    pub(super) script: Option<Script>,
    /// Whether a person may let it run once.
    pub(super) release: Release,
}

/// Whether a person may let a call run that the guard is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Release {
    Possible,
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
    pub(super) fn borrowed(&self) -> Ground<'_> {
        Ground {
            cwd: self.cwd.as_deref(),
            home: self.home.as_deref(),
            root: self.root.as_deref(),
            own: &self.own,
        }
    }
}

/// A thread that takes too long, or breaks, is left behind: it ends with the process.
pub(super) fn judge_within_limit(question: Question) -> Answered {
    let line = question.line.clone();
    let unjudged = |why| Answered {
        judgement: Judgement::of_unjudged(&line, why),
        script: None,
        release: Release::Possible,
    };
    if line.len() > MAX_LINE_BYTES {
        return unjudged("it is too long to be read");
    }
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || {
        // Nobody may be waiting any more.
        drop(sender.send(answer(&question)));
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

fn answer(Question { line, ground, rules, lifted }: &Question) -> Answered {
    let script = verger_shell::read(line);
    let (user, project) = (rules.user(), rules.project());
    let rules = Rules { user: &user, project: &project, lifted };
    let judgement = judge(&script, &ground.borrowed(), &rules);
    let release = if judgement.may_be_released(&rules) { Release::Possible } else { Release::No };
    Answered { judgement, script: Some(script), release }
}
