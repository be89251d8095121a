//! Checks whether an agent's program enforces the policies that are switched on.

use std::path::Path;

use verger_agent::{AgentSpec, Coverage, Exception, Policy};
use verger_config::Settings;
use verger_event::GuardMode;
use verger_gate::{delegation, drift, learning, review, verification};

use super::Check;
use crate::install::places::Places;
use crate::install::trusted_hooks::trusted;
use crate::render::output::count;

/// A policy that is switched on, and that an agent's program doesn't enforce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The setting that switches the policy on, with its value.
    pub(crate) setting: String,
    pub(crate) policy: Policy,
    pub(crate) coverage: Coverage,
    pub(crate) reason: String,
}

impl Gap {
    pub(crate) fn text(&self, product: &str) -> String {
        let Self { setting, policy, coverage, reason } = self;
        let name = policy.name();
        format!("{setting}, but {product} doesn't support \"{name}\" ({coverage}): {reason}")
    }
}

/// The gaps of one agent under these settings.
pub(crate) fn gaps(agent: &AgentSpec, settings: &Settings) -> Vec<Gap> {
    let text = |key: &str| {
        let listed = settings.list_of(&[key]).next();
        listed.map_or(String::new(), |listed| format!("{key} = {}", listed.value))
    };
    let has_value =
        |(key, value): (&str, &str)| settings.list_of(&[key]).any(|listed| listed.json == *value);
    let gap = |policy: Policy| {
        let key = switch(policy, settings)?;
        let covered = agent.coverage_of(policy);
        if covered.coverage != Coverage::Enforced {
            let (coverage, reason) = (covered.coverage, covered.reason);
            return Some(Gap { setting: text(key), policy, coverage, reason });
        }
        let is_all = |exception: &Exception| exception.setting.is_some_and(has_value);
        let Exception { coverage, reason, .. } = covered.exceptions.into_iter().find(is_all)?;
        Some(Gap { setting: text(key), policy, coverage, reason })
    };
    Policy::ALL.into_iter().filter_map(gap).collect()
}

/// The setting that switches a policy on, if it is on. Policies without a setting of their own have
/// none.
fn switch(policy: Policy, settings: &Settings) -> Option<&'static str> {
    let enforces = settings.guard.mode.value == GuardMode::Enforce;
    let (key, is_on) = match policy {
        Policy::Recording | Policy::PermissionRequests | Policy::Notices | Policy::Habits => {
            return None;
        }
        Policy::CommandGuard | Policy::HooksOff => ("guard.mode", enforces),
        Policy::UndoPoints => ("undo.enabled", settings.undo.enabled.value),
        Policy::ReviewStop => ("review.mode", settings.review.mode.value != review::Mode::Never),
        Policy::ReviewTools => {
            ("review.gated_tools", !settings.review.gated_tools.value.is_empty())
        }
        Policy::Learning => ("learning.mode", settings.learning.mode.value == learning::Mode::On),
        Policy::Verification => {
            let mode = settings.verification.mode.value;
            ("verification.mode", mode >= verification::Mode::Claims)
        }
        Policy::RecallAtStart | Policy::RecallOnPrompts => {
            ("recall.enabled", settings.recall.enabled.value)
        }
        Policy::Drift => ("drift.mode", settings.drift.mode.value == drift::Mode::Correct),
        Policy::Delegation => {
            ("delegation.mode", settings.delegation.mode.value != delegation::Mode::Off)
        }
    };
    is_on.then_some(key)
}

pub(crate) fn checks(agent: &AgentSpec, settings: &Settings) -> Vec<Check> {
    let product = agent.install.product;
    gaps(agent, settings).iter().map(|gap| Check::note("coverage", gap.text(product))).collect()
}

/// Whether the person let the agent run the hooks in these files, if the agent keeps a list of
/// trusted hooks.
pub(crate) fn consent<'p>(places: &Places, files: impl Iterator<Item = &'p Path>) -> Option<Check> {
    let install = &places.agent.install;
    let trust = install.trusted_hooks.as_ref()?;
    let (name, product, step) = ("consent", install.product, trust.step);
    let found = trusted(places, trust, files);
    let (listed, registered) = (found.listed, found.registered);
    if registered == 0 {
        return None;
    }
    let list = places.directory.join(trust.file);
    Some(if listed == registered {
        let are = if registered == 1 { "is" } else { "are" };
        let hooks = count(registered, "hook");
        Check::fine(name, format!("{product}: {hooks} {are} in its list of trusted hooks"))
    } else if listed == 0 {
        let what = format!("{product} runs none of verger's hooks: they are not trusted yet");
        Check::problem(name, what, step).at(list)
    } else {
        let what = format!("{product} trusts {listed} of {registered} hooks of verger");
        Check::problem(name, what, step).at(list)
    })
}

#[cfg(test)]
mod tests {
    use verger_agent::AGENTS;
    use verger_config::{Layers, resolve};

    use super::*;

    /// The gaps of all agents with these variables set.
    fn shown(variables: &[(&str, &str)]) -> String {
        let variables: Vec<_> =
            variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let (settings, problems) =
            resolve(&Layers { environment: &variables, ..Layers::default() });
        assert_eq!(problems, []);
        let of_agent = |agent: &AgentSpec| {
            let product = agent.install.product;
            gaps(agent, &settings).iter().map(|gap| gap.text(product)).collect::<Vec<_>>()
        };
        AGENTS.iter().flat_map(of_agent).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn with_the_default_settings_there_is_no_gap() {
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn a_gap_names_the_setting_the_agent_and_the_reason() {
        let variables = [
            ("VERGER_DELEGATION_MODE", "warn"),
            ("VERGER_VERIFICATION_MODE", "claims"),
            ("VERGER_GUARD_MODE", "enforce"),
        ];
        insta::assert_snapshot!(shown(&variables), @r#"
        guard.mode = "enforce", but Codex doesn't support "hooks stay on" (impossible): Codex calls no hook when its settings change, so verger learns of it too late
        delegation.mode = "warn", but Gemini CLI doesn't support "delegation (roles)" (impossible): no event tells a subagent's calls from the main agent's, so verger doesn't count calls here
        guard.mode = "enforce", but Gemini CLI doesn't support "hooks stay on" (impossible): Gemini CLI calls no hook when its settings change, so verger learns of it too late
        verification.mode = "claims", but Copilot CLI doesn't support "verification" (impossible): a claim of "done" is not seen, because a stop doesn't carry the agent's last message: use `verification.mode = "always"`
        guard.mode = "enforce", but Copilot CLI doesn't support "hooks stay on" (impossible): Copilot CLI calls no hook when its settings change, so verger learns of it too late
        "#);
    }

    #[test]
    fn a_setting_beside_which_there_is_no_blind_spot_makes_no_gap() {
        assert_eq!(shown(&[("VERGER_VERIFICATION_MODE", "always")]), "");
    }
}
