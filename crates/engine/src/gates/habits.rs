//! The guard of habits, such as `git add -A`: it advises against a call, rewrites it or denies
//! it.
//!
//! If a lookup fails, the call runs unchanged and the person gets a warning.

mod staged;
mod surroundings;

use serde_json::Value;
use verger_agent::{ADDRESSES, AgentSpec, LINKS, NAMES, PRODUCTS, Rewrites, guard_client};
use verger_config::Settings;
use verger_event::{Actor, Event, Grounds, Verdict};
use verger_gate::habits::{
    self, Caller, Commit, Edit, Found, GUARD, Habit, Outcome, Policy, Remedy, Scene, Signatures,
    Told, message,
};
use verger_gate::permission::Ground;
use verger_shell::Script;

use crate::Environment;
use crate::decision::{Decision, Injection, Rewriting, with_settings};
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use surroundings::FoundSurroundings;

pub(crate) use staged::{StagedSecrets, look_at_commits};

/// The key that applies in addition to a habit's own.
const BRANCHES: &str = "habits.protected_branches";

const SIGNATURES: Signatures<'static> =
    Signatures { products: PRODUCTS, names: NAMES, addresses: ADDRESSES, links: LINKS };

/// The guard of habits with its settings.
pub(crate) struct HabitGuard<'a> {
    policy: Policy,
    settings: &'a Settings,
    spec: &'static AgentSpec,
    environment: &'a Environment,
}

/// The habits found in a call.
#[derive(Default)]
pub(crate) struct Shown {
    found: Vec<(Found, Outcome)>,
    /// The command line that replaces the agent's.
    line: Option<String>,
    /// The call's whole input with the replaced command line.
    input: Option<Value>,
    /// Commits whose staged changes have to be searched.
    commits: Vec<Commit>,
}

impl Shown {
    /// The command line that replaces the agent's.
    pub(crate) fn line(&self) -> Option<&str> {
        self.line.as_deref()
    }

    pub(crate) fn commits(&self) -> &[Commit] {
        &self.commits
    }
}

impl<'a> Gate<'a> for HabitGuard<'a> {
    type State = Told;
    type Trigger = Shown;

    fn new(setup: Setup<'a>) -> Self {
        let Setup { settings, spec, environment, .. } = setup;
        Self { policy: habit_policy(settings), settings, spec, environment }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<Shown> {
        let (Event::ToolRequested(call), Some(script)) = (event.event(), event.script) else {
            return None;
        };
        if self.policy.is_off() {
            return None;
        }
        let caller = match event.observed.actor {
            Actor::Main { .. } => Caller::Main,
            Actor::Subagent { .. } => Caller::Subagent,
        };
        let cwd = event.observed.circumstance.cwd.as_deref();
        let mut shown = self.shown_by(script, cwd, caller);
        if shown.found.is_empty() && shown.commits.is_empty() {
            return None;
        }
        let rewritten = shown.line.as_ref().map(|line| call.with_line(line));
        shown.input = rewritten.map(|call| (self.spec.input)(&call));
        Some(shown)
    }

    fn facts(&self, shown: &Shown, _before: &Before<'_>) -> Option<FactSet> {
        Some(FactSet::default().and_if(!shown.commits.is_empty(), Fact::Staged))
    }

    fn decide(&self, trigger: &Shown, context: &Context<'_>, decision: &mut Decision) {
        let secrets = self.secrets(context.facts.staged.as_ref());
        let mut rewriting = trigger.input.clone().map(|input| Rewriting {
            by: GUARD,
            rules: vec![],
            changes: vec![],
            input,
            grounds: Grounds::default(),
            told: vec![],
        });
        for (found, outcome) in trigger.found.iter().chain(&secrets) {
            let rule = found.habit.to_string();
            let grounds = self.grounds(found);
            let lacks = context.before.habits.lacks(&context.draft.origin.actor, &rule);
            let text = message::told(found, *outcome);
            let injected = lacks
                .then(|| Injection::new(vec![GUARD.to_owned()], text.clone(), grounds.clone()));
            match (outcome, &mut rewriting) {
                (Outcome::Denied | Outcome::NotRewritten, _) => {
                    decision.opinion(GUARD, Verdict::Deny { reason: text }, grounds);
                    decision.notices.push(message::denied_notice(found));
                }
                (Outcome::Rewritten, Some(rewriting)) => {
                    rewriting.rules.push(rule);
                    rewriting.changes.push(found.what.clone());
                    rewriting.told.extend(injected);
                    rewriting.grounds = self.with_key(rewriting.grounds.clone(), found.habit);
                }
                (Outcome::Rewritten | Outcome::Advised, _) => decision.injections.extend(injected),
            }
        }
        decision.rewriting = rewriting.filter(|rewriting| !rewriting.rules.is_empty());
    }
}

impl HabitGuard<'_> {
    fn shown_by(&self, script: &Script, cwd: Option<&str>, caller: Caller) -> Shown {
        let surroundings = FoundSurroundings::new(cwd, self.environment);
        let home = self.environment.text("HOME");
        let root = surroundings.root();
        let ground =
            Ground { cwd, home: home.as_deref(), root: root.as_deref(), ..Ground::default() };
        let scene = Scene {
            script,
            ground: &ground,
            caller,
            signatures: &SIGNATURES,
            surroundings: &surroundings,
        };
        let mut found = self.judged(habits::look(&scene, &self.policy), self.can_rewrite());
        let mut line = rewritten(script, &found);
        if line.is_none() && found.iter().any(|(_, outcome)| *outcome == Outcome::Rewritten) {
            // If the edits can't be combined, none of them is applied.
            found = self.judged(found.into_iter().map(|(found, _)| unsure(found)).collect(), true);
            line = None;
        }
        let looks_at_commits = self.policy.is_on(Habit::StagedSecrets);
        let commits = if looks_at_commits { habits::commits(&scene) } else { vec![] };
        Shown { found, line, input: None, commits }
    }

    fn judged(&self, found: Vec<Found>, can_rewrite: bool) -> Vec<(Found, Outcome)> {
        let judged = found.into_iter().filter_map(|found| {
            let outcome = self.policy.outcome(found.habit, &found.remedy, can_rewrite)?;
            Some((found, outcome))
        });
        judged.collect()
    }

    /// Whether the client accepts a rewritten line without treating it as approved.
    fn can_rewrite(&self) -> bool {
        guard_client(self.spec.name).is_some_and(|client| client.rewrites == Rewrites::Alone)
    }

    /// The outcome of searching the staged changes for secrets.
    fn secrets(&self, staged: Option<&StagedSecrets>) -> Option<(Found, Outcome)> {
        let found = staged?.found()?;
        let outcome = self.policy.outcome(found.habit, &found.remedy, false)?;
        Some((found, outcome))
    }

    fn grounds(&self, found: &Found) -> Grounds {
        let grounds = Grounds::of_rule(found.habit.to_string()).fact("why", &found.why);
        let grounds = match found.what.as_str() {
            "" => grounds,
            what => grounds.fact("what", what),
        };
        self.with_key(grounds, found.habit)
    }

    fn with_key(&self, grounds: Grounds, habit: Habit) -> Grounds {
        let mut keys = vec![habit.about().key];
        if matches!(habit, Habit::ForcePush | Habit::Merge) {
            keys.push(BRANCHES);
        }
        with_settings(grounds, self.settings, &keys)
    }
}

/// The command line with all edits applied. It is parsed again to check that nothing else
/// changed.
fn rewritten(script: &Script, found: &[(Found, Outcome)]) -> Option<String> {
    let edits = found.iter().filter_map(|(found, outcome)| match (&found.remedy, outcome) {
        (Remedy::Edits(edits), Outcome::Rewritten) => Some(edits),
        _ => None,
    });
    let edits: Vec<Edit> = edits.flatten().cloned().collect();
    if edits.is_empty() { None } else { habits::rewritten(script, &edits) }
}

fn unsure(found: Found) -> Found {
    let remedy = match found.remedy {
        Remedy::None => Remedy::None,
        Remedy::Edits(_) | Remedy::Unsure => Remedy::Unsure,
    };
    Found { remedy, ..found }
}

/// The guard's policy from the settings.
pub(crate) fn habit_policy(settings: &Settings) -> Policy {
    let settings = &settings.habits;
    let modes = Habit::ALL.map(|habit| match habit {
        Habit::AddAll => settings.add_all.value.0,
        Habit::Attribution => settings.attribution.value,
        Habit::StagedSecrets => settings.staged_secrets.value.0,
        Habit::ForcePush => settings.force_push.value.0,
        Habit::DraftPr => settings.draft_pr.value,
        Habit::Merge => settings.merge.value.0,
        Habit::SearchTools => settings.search_tools.value.0,
        Habit::SubagentBuilds => settings.subagent_builds.value.0,
    });
    Policy { modes, protected: settings.protected_branches.value.clone() }
}

/// A habit found in a command line, for commands that explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHabit {
    /// The habit's name.
    pub rule: String,
    /// Why the habit is unwanted.
    pub why: String,
    /// The advice for doing it differently.
    pub instead: String,
    /// The outcome if an agent ran the command line.
    pub outcome: Outcome,
    /// The command line that would run instead.
    pub line: Option<String>,
}

/// The enabled habits that a command line shows if the main agent runs it in a directory. Staged
/// changes are not searched.
pub fn habits_of_line(
    script: &Script,
    spec: &'static AgentSpec,
    settings: &Settings,
    cwd: Option<&str>,
    environment: &Environment,
) -> Vec<LineHabit> {
    let guard = HabitGuard { policy: habit_policy(settings), settings, spec, environment };
    if guard.policy.is_off() {
        return vec![];
    }
    let Shown { found, line, .. } = guard.shown_by(script, cwd, Caller::Main);
    let is_denied = |outcome: &Outcome| matches!(outcome, Outcome::Denied | Outcome::NotRewritten);
    let line = line.filter(|_| !found.iter().any(|(_, outcome)| is_denied(outcome)));
    let shown = found.into_iter().map(|(found, outcome)| LineHabit {
        rule: found.habit.to_string(),
        why: found.why,
        instead: found.instead,
        outcome,
        line: line.clone().filter(|_| outcome == Outcome::Rewritten),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use verger_gate::habits::Mode;

    use super::*;

    #[test]
    fn without_a_word_from_the_user_nothing_is_on() {
        assert_eq!(habit_policy(&Settings::default()), Policy::default());
        assert!(habit_policy(&Settings::default()).is_off());
    }

    #[test]
    fn every_setting_counts() {
        for (at, habit) in Habit::ALL.into_iter().enumerate() {
            let name = habit.about().key.strip_prefix("habits.").unwrap();
            let file = format!("[habits]\n{name} = 'deny'\nprotected_branches = ['x']\n");
            let user = verger_config::Source { file: "config.toml", bytes: file.as_bytes() };
            let layers = verger_config::Layers { user: Some(user), ..Default::default() };
            let (settings, problems) = verger_config::resolve(&layers);
            let mut modes = [Mode::Off; Habit::COUNT];
            modes[at] = Mode::Deny;
            let expected = Policy { modes, protected: vec!["x".to_owned()] };
            assert_eq!((habit_policy(&settings), problems), (expected, vec![]), "{habit}");
        }
    }

    #[test]
    fn real_agents_are_known_by_how_they_sign() {
        for (line, expected) in [
            ("Co-Authored-By: Claude <noreply@anthropic.com>", true),
            ("Co-Authored-By: Claude Opus 4.8 (1M context) <noreply@anthropic.com>", true),
            ("🤖 Generated with [Claude Code](https://claude.com/claude-code)", true),
            ("Claude-Session: https://claude.ai/code/session_01", true),
            ("Co-authored-by: Codex <noreply@openai.com>", true),
            (
                "Co-authored-by: gemini-code-assist[bot] <1+gemini-code-assist[bot]@users.noreply.github.com>",
                true,
            ),
            ("Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>", true),
            ("Co-authored-by: Cursor <cursoragent@cursor.com>", true),
            ("Co-authored-by: aider (gpt-5) <noreply@aider.chat>", true),
            ("Co-authored-by: dependabot[bot] <support@github.com>", false),
            ("Co-Authored-By: Claude Dupont <claude@example.invalid>", false),
            ("Co-Authored-By: Devin Smith <devin@example.invalid>", false),
            ("Generated with protoc-gen-go v1.2", false),
        ] {
            assert_eq!(SIGNATURES.is_signed(line), expected, "{line}");
        }
    }
}
