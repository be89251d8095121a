//! Tracks the limits in force in a session, and which of them are broken.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bounded::Recent;
use crate::limit::{Breach, Holds, Limit, LimitedAction, SaidLimit};
use crate::person::is_go_on;
use crate::score::{LimitBroken, ReadBy};
use crate::step::{Effect, Step};
use crate::tasks::PromptAction;

/// The maximum number of limits in force. The oldest is dropped first.
const MAX_LIMITS: usize = 24;
/// The maximum number of stored paths of a broken limit.
const MAX_PATHS: usize = 8;

/// The maximum number of stored files that the session created.
const MAX_MADE: usize = 32;

/// Files that the session created.
pub(crate) type Made = Recent<String, MAX_MADE>;

/// All limits in force in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeldLimits(Vec<HeldLimit>);

/// A limit in force, with its duration and its breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct HeldLimit {
    limit: Limit,
    by: ReadBy,
    holds: Holds,
    breaks: Breaks,
}

/// The breaks of a limit since the person's last prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Breaks {
    /// The number of breaks. A further break counts only after the agent was told of the last one.
    times: u8,
    /// The value of `times` when the agent was last told.
    told: u8,
    is_broken: bool,
    /// The path or the command of the last break.
    what: String,
    /// The paths that must be restored.
    paths: Vec<String>,
    /// The items of `paths` that were changed after the agent was told. They count as a new break
    /// only when the session is scored, because the change may restore a path.
    changed_again: Vec<String>,
}

impl HeldLimits {
    /// Handles a prompt: removes the limits that the prompt ends or lifts, and restarts the count
    /// of breaks.
    pub(crate) fn prompted(&mut self, words: &str, action: PromptAction) {
        let is_go_on = is_go_on(words);
        self.0.retain(|held| {
            let is_over = match held.holds {
                Holds::Prompt => !is_go_on,
                Holds::Task => action == PromptAction::NewTask,
                Holds::Session => false,
            };
            !is_over && !held.limit.is_lifted_by(words)
        });
        for held in &mut self.0 {
            held.breaks = Breaks::default();
        }
    }

    /// The limits that are broken.
    fn breaks(&self) -> impl Iterator<Item = &HeldLimit> {
        self.0.iter().filter(|held| held.breaks.is_broken)
    }

    fn breaks_mut(&mut self) -> impl Iterator<Item = &mut Breaks> {
        self.0.iter_mut().map(|held| &mut held.breaks).filter(|breaks| breaks.is_broken)
    }

    /// Adds the limits that were recognized in the person's words.
    pub(crate) fn add(&mut self, said: Vec<SaidLimit>, by: ReadBy) {
        for SaidLimit { limit, holds } in said {
            if let Some(held) = self.0.iter_mut().find(|held| held.limit == limit) {
                held.holds = held.holds.max(holds);
                continue;
            }
            if self.0.len() >= MAX_LIMITS {
                self.0.remove(0);
            }
            self.0.push(HeldLimit { limit, by, holds, breaks: Breaks::default() });
        }
    }

    /// The limits that a step breaks. `made` are the files that the session created. The session
    /// may delete these files.
    pub(crate) fn broken_by(&self, step: &Step, made: &Made) -> impl Iterator<Item = &Limit> {
        let broken = self.0.iter().filter(|held| held.breach(step, made).is_some());
        broken.map(|held| &held.limit)
    }

    /// Applies a step. Returns the first limit that the step breaks.
    pub(crate) fn stepped(&mut self, step: &Step, made: &Made) -> Option<Limit> {
        let mut first = None;
        for held in &mut self.0 {
            if let Some(Breach { what, paths }) = held.breach(step, made) {
                first.get_or_insert_with(|| held.limit.clone());
                held.breaks.add(what, paths);
            }
        }
        first
    }

    /// Notes that the agent was told of all broken limits.
    pub(crate) fn told(&mut self) {
        for breaks in self.breaks_mut() {
            breaks.told = breaks.times;
        }
    }

    /// The paths that must be restored, and aren't known to be restored yet.
    pub(crate) fn changed_paths(&self) -> impl Iterator<Item = &str> {
        self.breaks().flat_map(|held| &held.breaks.paths).map(String::as_str)
    }

    /// Notes that these paths again have the content that they had at the start of the task.
    pub(crate) fn restored(&mut self, paths: &[String]) {
        for breaks in self.breaks_mut().filter(|breaks| !breaks.paths.is_empty()) {
            breaks.paths.retain(|path| !paths.contains(path));
            breaks.changed_again.retain(|path| !paths.contains(path));
            breaks.is_broken = !breaks.paths.is_empty();
        }
    }

    /// Prepares a score: paths that were changed again, and not restored, count as a new break.
    pub(crate) fn settle(&mut self) {
        for breaks in self.breaks_mut().filter(|breaks| !breaks.changed_again.is_empty()) {
            breaks.changed_again.clear();
            breaks.count();
        }
    }

    /// The broken limits. The limit that was broken most often comes first.
    pub(crate) fn broken(&self) -> Vec<LimitBroken> {
        let mut broken: Vec<LimitBroken> = self.breaks().map(HeldLimit::as_broken).collect();
        broken.sort_by_key(|broken| std::cmp::Reverse(broken.times));
        broken
    }

    /// All limits in force, each with the reader that recognized it.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Limit, ReadBy)> {
        self.0.iter().map(|held| (&held.limit, held.by))
    }
}

impl HeldLimit {
    fn breach(&self, step: &Step, made: &Made) -> Option<Breach> {
        // The session may delete a file that it created, and a folder with such a file. It may not
        // delete the folder if the limit forbids deleting, because the folder may contain other
        // files.
        let is_delete = matches!(self.limit, Limit::NotAction(LimitedAction::Delete { .. }));
        let is_made = |path: &String| {
            let is_in = |file: &String| !is_delete && Path::new(file).starts_with(path);
            made.iter().any(|file| file == path || is_in(file))
        };
        let is_own = |effect: &Effect| matches!(effect, Effect::Deleted(path) if is_made(path));
        if !step.effects.iter().any(is_own) {
            return self.limit.broken_by(step);
        }
        let mut step = step.clone();
        step.effects.retain(|effect| !is_own(effect));
        self.limit.broken_by(&step)
    }

    fn as_broken(&self) -> LimitBroken {
        let Breaks { what, paths, times, .. } = self.breaks.clone();
        LimitBroken { limit: self.limit.clone(), by: self.by, what, paths, times }
    }
}

impl Breaks {
    fn count(&mut self) {
        if self.times == self.told {
            self.times = self.times.saturating_add(1);
        }
    }

    fn add(&mut self, what: String, paths: Vec<String>) {
        let is_known = self.is_broken && !paths.is_empty();
        if is_known && paths.iter().all(|path| self.paths.contains(path)) {
            let new: Vec<String> =
                paths.into_iter().filter(|path| !self.changed_again.contains(path)).collect();
            self.changed_again.extend(new);
            return;
        }
        self.count();
        self.is_broken = true;
        self.what = what;
        for path in paths {
            if self.paths.len() < MAX_PATHS && !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::PathPattern;
    use crate::step::Action;

    fn said(limit: Limit, holds: Holds) -> SaidLimit {
        SaidLimit { limit, holds }
    }

    fn limited(said: Vec<SaidLimit>) -> HeldLimits {
        let mut limits = HeldLimits::default();
        limits.add(said, ReadBy::Rules);
        limits
    }

    fn push() -> Limit {
        Limit::NotAction(LimitedAction::Push { branch: None })
    }

    fn step(effect: Effect) -> Step {
        let command = Some("git push".to_owned());
        Step { action: Action::Bash, command, effects: vec![effect], ..Step::default() }
    }

    fn made(file: &str) -> Made {
        let mut made = Made::default();
        made.add(file.to_owned());
        made
    }

    fn times(limits: &HeldLimits) -> Vec<u8> {
        limits.broken().iter().map(|broken| broken.times).collect()
    }

    #[test]
    fn a_limit_counts_as_broken_again_only_after_the_agent_was_told() {
        let mut limits = limited(vec![said(push(), Holds::Task)]);
        assert_eq!(times(&limits), [0; 0]);
        let mut seen = vec![];
        for is_told in [false, true, true, true] {
            if is_told {
                limits.told();
            }
            limits.stepped(&step(Effect::Pushed(vec![])), &Made::default());
            limits.stepped(&step(Effect::Pushed(vec![])), &Made::default());
            seen.extend(times(&limits));
        }
        assert_eq!(seen, [1, 2, 3, 4]);
        limits.prompted("go on", PromptAction::Continue);
        assert_eq!(times(&limits), [0; 0], "the person spoke");
        assert_eq!(limits.all().count(), 1, "and the limit still holds");
    }

    #[test]
    fn limits_end_with_the_prompt_the_task_or_the_session() {
        let all = || {
            let never = Limit::NotAction(LimitedAction::Stash);
            vec![
                said(Limit::NoChanges, Holds::Prompt),
                said(push(), Holds::Task),
                said(never, Holds::Session),
            ]
        };
        for (words, action, left) in [
            ("continue", PromptAction::Continue, 3),
            ("fix what you found", PromptAction::Continue, 2),
            ("something else", PromptAction::NewTask, 1),
        ] {
            let mut limits = limited(all());
            limits.prompted(words, action);
            assert_eq!(limits.all().count(), left, "{words}");
        }
    }

    #[test]
    fn paths_that_are_restored_are_no_longer_broken() {
        let limit = Limit::NotPath(PathPattern::new("src"));
        let mut limits = limited(vec![said(limit, Holds::Task)]);
        limits.stepped(&step(Effect::Changed("src/a.rs".to_owned())), &Made::default());
        limits.stepped(&step(Effect::Changed("src/b.rs".to_owned())), &Made::default());
        assert_eq!(limits.changed_paths().collect::<Vec<_>>(), ["src/a.rs", "src/b.rs"]);
        limits.restored(&["src/a.rs".to_owned()]);
        assert_eq!(limits.broken().len(), 1);
        limits.restored(&["src/b.rs".to_owned()]);
        assert_eq!(limits.broken(), []);
    }

    #[test]
    fn a_path_that_is_changed_again_counts_unless_that_restores_it() {
        let limit = Limit::NotPath(PathPattern::new("src"));
        let mut limits = limited(vec![said(limit, Holds::Task)]);
        let change = step(Effect::Changed("src/a.rs".to_owned()));
        limits.stepped(&change, &Made::default());
        limits.told();
        limits.stepped(&change, &Made::default());
        let mut restored = limits.clone();
        limits.settle();
        assert_eq!(times(&limits), [2]);
        restored.restored(&["src/a.rs".to_owned()]);
        restored.settle();
        assert_eq!(times(&restored), [0; 0]);
    }

    #[test]
    fn files_that_the_session_made_may_be_deleted() {
        let limit = Limit::NotAction(LimitedAction::Delete { path: None });
        let mut limits = limited(vec![said(limit, Holds::Task)]);
        let deleted = step(Effect::Deleted("a.tmp".to_owned()));
        let made = made("a.tmp");
        assert_eq!(limits.stepped(&deleted, &made), None);
        assert!(limits.stepped(&deleted, &Made::default()).is_some());
        let folder = step(Effect::Deleted("src".to_owned()));
        assert!(
            limits.stepped(&folder, &self::made("src/new.rs")).is_some(),
            "others may be in it"
        );
    }
}
