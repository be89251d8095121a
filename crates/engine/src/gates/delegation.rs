//! The delegation gate: keeps a lead agent from doing the work of its subagents itself.

use std::path::{Path, PathBuf};

use verger_config::Settings;
use verger_event::{Actor, Event, Grounds, Subject, Verdict};
use verger_gate::OwnCommand;
use verger_gate::delegation::{
    self, Advice, Delegation, GATE, Mode, PathPattern, Places, Policy, Role, RoleSource, Say, Step,
    Target, Tiers, Use, step,
};
use verger_worktree::root_without_git;

use crate::Environment;
use crate::decision::{Decision, with_settings};
use crate::gate::{Context, EventView, Gate, Setup};
use crate::real_path::real_paths;

/// The environment variable with the agent's role.
const ROLE_VARIABLE: &str = "AGENT_ROLE";

/// Maximum number of bytes of a path in the call's record.
const MAX_PATH_BYTES: usize = 300;

/// The delegation gate with its settings.
pub(crate) struct DelegationGate<'a> {
    policy: Policy,
    setup: Setup<'a>,
}

/// A use of a work tool.
pub(crate) struct WorkUse {
    /// The role from the settings, the environment or a file of the project.
    role: Option<(Role, RoleSource)>,
    target: Target,
    /// The tool and its target, for people.
    what: String,
}

impl<'a> Gate<'a> for DelegationGate<'a> {
    type State = Delegation;
    type Trigger = WorkUse;

    fn new(setup: Setup<'a>) -> Self {
        Self { policy: delegation_policy(setup.settings), setup }
    }

    /// Matches a call of a work tool by the main agent. Read-only calls and verger's commands for
    /// agents are no work.
    fn trigger(&self, event: &EventView<'_>) -> Option<WorkUse> {
        let Event::ToolRequested(call) = event.event() else { return None };
        let is_agents_command = matches!(
            event.own_command,
            OwnCommand::Agents { .. } | OwnCommand::AgentsTrusted { .. } | OwnCommand::Decide(_)
        );
        // A subagent counts as a worker, even if the environment gives it another role.
        let is_main = matches!(event.observed.actor, Actor::Main { .. });
        if self.policy.mode == Mode::Off
            // Without a mark, the calls of subagents would count as the lead agent's.
            || !self.setup.spec.shows_subagents()
            || !is_main
            || event.is_approved
            || is_agents_command
            || !self.policy.counts(call)
        {
            return None;
        }
        let cwd = event.observed.circumstance.cwd.as_deref().map(Path::new);
        let ground = Ground::of(cwd, self.setup.environment);
        let (target, what) = match call.subject() {
            Subject::Written(paths) => self.written(&paths, &ground),
            Subject::Read(path) | Subject::Searched { path: Some(path), .. } => {
                (Target::Other, path)
            }
            Subject::Hidden => (Target::Source, ""),
            // The command line is in the call's record already.
            Subject::Line(_) | Subject::Searched { .. } | Subject::Other => (Target::Other, ""),
        };
        let what = &what[..what.floor_char_boundary(MAX_PATH_BYTES)];
        let what = format!("{} {what}", call.tool).trim_end().to_owned();
        Some(WorkUse { role: self.role(&ground), target, what })
    }

    /// A call that another gate denies doesn't count.
    fn decide(&self, trigger: &WorkUse, context: &Context<'_>, decision: &mut Decision) {
        let WorkUse { role, target, what } = trigger;
        let state = &context.before.delegation;
        let marked = state.is_marked().then_some((Role::Conductor, RoleSource::Marker));
        let Some((role, source)) = role.or(marked).filter(|_| !decision.denies()) else { return };
        let used = Use { role, source, target: *target };
        let now = context.clock.now();
        let Step { say, change } = step(state, used, &self.policy, now);
        let event =
            change.map(|change| delegation::event(state, &change, what.clone(), &self.policy, now));
        decision.events.extend(event);
        let advice = Advice { role, policy: &self.policy };
        let Some(reason) = delegation::reason(say, advice) else { return };
        let grounds = self.grounds(say, used, what);
        if self.policy.mode == Mode::Enforce && !matches!(say, Say::Remind { .. }) {
            decision.opinion(GATE, Verdict::Deny { reason }, grounds);
            decision.notices.push(delegation::notice_denied(advice));
        } else {
            decision.inject(GATE, reason, grounds);
        }
    }
}

impl DelegationGate<'_> {
    fn role(&self, ground: &Ground) -> Option<(Role, RoleSource)> {
        let settings = &self.setup.settings.delegation;
        if let Some(role) = settings.role.value {
            return Some((role, RoleSource::Settings));
        }
        if let Some(role) =
            self.setup.environment.text(ROLE_VARIABLE).as_deref().and_then(Role::named)
        {
            return Some((role, RoleSource::Environment));
        }
        let marker = ground.root.as_ref()?.join(settings.marker.value.as_ref()?);
        marker.symlink_metadata().is_ok().then_some((Role::Conductor, RoleSource::Marker))
    }

    /// The first path that is a source file. If none is, the first path.
    fn written<'c>(&self, paths: &[&'c str], ground: &Ground) -> (Target, &'c str) {
        let targets = paths.iter().map(|path| (self.target(path, ground), *path));
        let first = targets.clone().next();
        let source = targets.into_iter().find(|(target, _)| *target == Target::Source);
        source.or(first).unwrap_or((Target::Source, ""))
    }

    fn target(&self, path: &str, ground: &Ground) -> Target {
        let (Some(cwd), Some(root)) = (&ground.cwd, &ground.root) else { return Target::Source };
        let home = ground.home.as_deref().map(Path::to_string_lossy);
        let root = root.to_string_lossy();
        let pattern = |text: &str| PathPattern::new(text, &root, home.as_deref());
        let install = &self.setup.spec.install;
        let settings = &self.setup.settings.delegation;
        let allowed = settings.allow_paths.value.iter().map(String::as_str);
        // The files in the agent's own directory (plans, notes, settings) are no work.
        let at_home = format!("~/{}", install.directory);
        let allowed = allowed.chain([install.directory, &at_home]);
        let places = Places {
            allowed: allowed.map(pattern).collect(),
            documents: settings.doc_paths.value.iter().map(|text| pattern(text)).collect(),
            never: install.worktrees.map(pattern).into_iter().collect(),
        };
        let paths: Vec<_> = real_paths(&cwd.join(path))
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        places.target(&paths)
    }

    fn grounds(&self, say: Say, used: Use, what: &str) -> Grounds {
        let rule = match say {
            Say::Nothing | Say::Remind { .. } => "an agent that should delegate used a work tool",
            Say::TooMany { .. } => "an agent that should delegate used work tools too often",
            Say::Sources => "a section leader changed source files",
        };
        let mut grounds = Grounds::of_rule(rule)
            .fact("role", format!("{} ({})", used.role, used.source))
            .fact("call", what);
        if let Say::Remind { number } | Say::TooMany { number } = say {
            grounds = grounds.fact("use", format!("{number} of {}", self.policy.deny_at));
        }
        let mut keys = vec!["delegation.mode", "delegation.tiers"];
        match used.source {
            RoleSource::Settings => keys.push("delegation.role"),
            RoleSource::Marker => keys.push("delegation.marker"),
            RoleSource::Environment => {}
        }
        if say != Say::Sources {
            keys.extend([
                "delegation.remind_at",
                "delegation.deny_at",
                "delegation.window_seconds",
            ]);
        }
        with_settings(grounds, self.setup.settings, &keys)
    }
}

/// The directories for resolving a call's paths.
struct Ground {
    cwd: Option<PathBuf>,
    root: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl Ground {
    fn of(cwd: Option<&Path>, environment: &Environment) -> Self {
        let cwd = cwd.and_then(|cwd| cwd.canonicalize().ok());
        let home = environment.get("HOME").map(PathBuf::from);
        let root = cwd.as_deref().map(|cwd| root_without_git(cwd, home.as_deref()));
        let home = home.map(|home| home.canonicalize().unwrap_or(home));
        Self { cwd, root, home }
    }
}

/// The gate's policy from the settings.
pub(crate) fn delegation_policy(settings: &Settings) -> Policy {
    let settings = &settings.delegation;
    Policy {
        mode: settings.mode.value,
        tiers: if settings.tiers.value >= 3 { Tiers::Three } else { Tiers::Two },
        remind_at: settings.remind_at.value,
        deny_at: settings.deny_at.value,
        window_millis: settings.window_seconds.value.saturating_mul(1000),
        work_tools: settings.work_tools.value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_is_as_it_says_itself() {
        assert_eq!(delegation_policy(&Settings::default()), Policy::default());
    }

    #[test]
    fn every_setting_counts() {
        let file = b"
            [delegation]
            mode = 'warn'
            tiers = 3
            remind_at = 1
            deny_at = 2
            window_seconds = 60
            work_tools = ['Edit']
        ";
        let user = Some(verger_config::Source { file: "config.toml", bytes: file });
        let layers = verger_config::Layers { user, ..verger_config::Layers::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        let expected = Policy {
            mode: Mode::Warn,
            tiers: Tiers::Three,
            remind_at: 1,
            deny_at: 2,
            window_millis: 60_000,
            work_tools: vec!["Edit".to_owned()],
        };
        assert_eq!((delegation_policy(&settings), problems), (expected, vec![]));
    }
}
