//! Parses and judges a command line within a time limit.
//!
//! The line's length and the number of rules bound the time for judging. For nearly all lines,
//! this bound is far below the limit. They are judged directly, because starting a thread costs
//! more. Any other line is judged on a thread, which is abandoned if it takes too long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::Home;
use verger_gate::permission::{Ground, Judgement, Rules, Unjudged, is_soon_judged, judge};
use verger_shell::Script;
use verger_worktree::Surroundings;

use super::links::{Link, links, may_lead_away};
use super::own_paths::own_paths;
use crate::Environment;
use crate::gates::guard::rules::{LoadedRules, load_guard_rules};

/// Time limit for parsing and judging together.
pub(crate) const LIMIT: Duration = Duration::from_millis(250);

/// Maximum number of bytes of a line that is parsed. A longer line is reported as too long.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The guard for command lines in one directory, with everything that a judgement depends on.
#[derive(Clone)]
pub struct LineGuard {
    pub(super) ground: Arc<OwnedGround>,
    rules: Arc<LoadedRules>,
    lifted: Arc<Vec<String>>,
}

/// The guard's answer about a line.
pub struct Answered {
    /// The judgement, before the conditions of an approval are checked.
    pub judgement: Judgement,
    /// The parsed line.
    pub script: Option<Script>,
    /// Whether a person may release the call once.
    pub release: Release,
}

/// Whether a person may release a call that the guard is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// A person may release it.
    Possible,
    /// The call can't be released.
    No,
}

/// The directories and files that a judgement depends on.
#[derive(Debug, Default)]
pub(super) struct OwnedGround {
    pub(super) cwd: Option<String>,
    pub(super) home: Option<String>,
    pub(super) root: Option<String>,
    pub(super) own: Vec<String>,
}

impl OwnedGround {
    pub(super) fn of(
        home: Option<&Home>,
        cwd: Option<&str>,
        environment: &Environment,
        surroundings: &Surroundings,
    ) -> Self {
        Self {
            cwd: cwd.map(str::to_owned),
            home: environment.text("HOME"),
            root: surroundings.root().map(|root| root.display().to_string()),
            own: own_paths(home, environment, surroundings),
        }
    }

    pub(super) fn borrowed(&self) -> Ground<'_> {
        Ground {
            cwd: self.cwd.as_deref(),
            home: self.home.as_deref(),
            root: self.root.as_deref(),
            own: &self.own,
            links: &[],
        }
    }
}

impl LineGuard {
    /// The guard for an agent that works in `cwd`, with the rules that apply there.
    pub fn new(
        home: Option<&Home>,
        cwd: Option<&str>,
        environment: &Environment,
        surroundings: &Surroundings,
        lifted: Vec<String>,
    ) -> Self {
        let rules = home.map(|home| load_guard_rules(home, surroundings));
        Self {
            ground: Arc::new(OwnedGround::of(home, cwd, environment, surroundings)),
            rules: Arc::new(rules.unwrap_or_default()),
            lifted: Arc::new(lifted),
        }
    }

    /// The rules from files, in addition to the built-in ones.
    pub fn rules(&self) -> &LoadedRules {
        &self.rules
    }

    /// Names of the built-in floor rules that the user has turned off.
    pub fn lifted(&self) -> &[String] {
        &self.lifted
    }

    /// Judges a line. If judging panics or takes too long, the line counts as unjudged.
    pub fn judge(&self, line: &str) -> Answered {
        if line.len() > MAX_LINE_BYTES {
            return unjudged(line, Unjudged::TooLong);
        }
        let (user, project) = (self.rules.user(), self.rules.project());
        let rules = Rules { user: &user, project: &project, lifted: &self.lifted };
        if !is_soon_judged(line, &rules) {
            return self.judge_within_limit(line).unwrap_or_else(|why| long_unjudged(line, why));
        }
        let answered = unless_broken(line, || {
            let script = verger_shell::read(line);
            // Links outside of the project may be on a disk that doesn't respond, so their lookup
            // has no time bound.
            (!may_lead_away(&script, &self.ground)).then(|| self.answer(script, &[], &rules))
        });
        let answered = answered.map_or_else(|| self.judge_within_limit(line), Ok);
        answered.unwrap_or_else(|why| unjudged(line, why))
    }

    /// Judges on a thread. If the thread takes too long or panics, it is abandoned until the
    /// process ends.
    fn judge_within_limit(&self, line: &str) -> Result<Answered, Unjudged> {
        let (sender, receiver) = mpsc::channel();
        let (guard, owned) = (self.clone(), line.to_owned());
        let thread = thread::Builder::new().spawn(move || {
            let (user, project) = (guard.rules.user(), guard.rules.project());
            let rules = Rules { user: &user, project: &project, lifted: &guard.lifted };
            let script = verger_shell::read(&owned);
            let links = links(&script, &guard.ground);
            // Sending fails if the receiver has timed out.
            drop(sender.send(guard.answer(script, &links, &rules)));
        });
        if thread.is_err() {
            return Err(Unjudged::NoThread);
        }
        receiver.recv_timeout(LIMIT).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => Unjudged::TooSlow,
            mpsc::RecvTimeoutError::Disconnected => Unjudged::Broken,
        })
    }

    fn answer(&self, script: Script, links: &[Link], rules: &Rules<'_>) -> Answered {
        let ground = self.ground.borrowed();
        let mut judgement = judge(&script, &ground, rules);
        if !links.is_empty() {
            let real = judge(&script, &Ground { links, ..ground }, rules);
            judgement = judgement.or_stricter(real);
        }
        let release =
            if judgement.may_be_released(rules) { Release::Possible } else { Release::No };
        Answered { judgement, script: Some(script), release }
    }
}

/// The result of `judge`. If it panics, the line counts as unjudged.
fn unless_broken(line: &str, judge: impl FnOnce() -> Option<Answered>) -> Option<Answered> {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| Some(unjudged(line, Unjudged::Broken)))
}

fn unjudged(line: &str, why: Unjudged) -> Answered {
    let judgement = Judgement::of_unjudged(line, why);
    Answered { judgement, script: None, release: Release::Possible }
}

/// The answer for a long line that was not judged. After a timeout, the line isn't parsed again.
fn long_unjudged(line: &str, why: Unjudged) -> Answered {
    match why {
        Unjudged::TooSlow => {
            let script = Some(Script::of_unread(line));
            Answered { script, ..unjudged(line, Unjudged::TooHard) }
        }
        why => unjudged(line, why),
    }
}

#[cfg(test)]
mod tests {
    use verger_event::Triage;
    use verger_shell::CommandPattern;

    use super::*;

    fn guard() -> LineGuard {
        let environment = Environment::default();
        let surroundings = environment.surroundings(None);
        LineGuard::new(None, Some("/home/dev/app"), &environment, &surroundings, vec![])
    }

    #[test]
    fn a_line_is_judged_alike_with_a_thread_and_without() {
        let (guard, rules) = (guard(), Rules::default());
        for line in ["", "ls -la", "rm -rf ~", "cd x && git push -f | cat", "$x -rf ~", "((", "é"]
        {
            assert!(is_soon_judged(line, &rules), "{line}");
            let (at_once, later) = (guard.judge(line), guard.judge_within_limit(line).unwrap());
            assert_eq!(at_once.judgement, later.judgement, "{line}");
            assert_eq!(at_once.release, later.release, "{line}");
        }
    }

    #[test]
    fn a_line_that_makes_the_judge_panic_is_unjudged() {
        let triage = |line: &str| {
            let answered = unless_broken(line, || panic!());
            let Answered { judgement, script, release } = answered.unwrap();
            assert_eq!(judgement.decided.rule, "not-judged");
            assert_eq!((script, release), (None, Release::Possible));
            judgement.triage
        };
        assert_eq!((triage("ls"), triage("ls; rm x")), (Triage::Unknown, Triage::Risky));
    }

    #[test]
    fn a_line_that_is_too_long_is_not_read() {
        let judgement = guard().judge(&"ls;".repeat(MAX_LINE_BYTES)).judgement;
        assert_eq!(judgement.decided.why, "it is too long to be read");
    }

    #[test]
    fn a_long_line_that_took_all_the_time_is_read_by_nobody_else() {
        let line = "ls";
        for (why, script, triage) in [
            (Unjudged::TooSlow, Some(Script::of_unread(line)), Triage::Risky),
            (Unjudged::NoThread, None, Triage::Unknown),
            (Unjudged::Broken, None, Triage::Unknown),
        ] {
            let Answered { script: read, judgement, .. } = long_unjudged(line, why);
            assert_eq!((read, judgement.triage), (script, triage), "{why:?}");
            assert_eq!(unjudged(line, why).script, None, "{why:?}");
        }
        let pattern = CommandPattern::parse("gh issue close*").unwrap();
        assert!(pattern.matches(&Script::of_unread(line)));
    }
}
