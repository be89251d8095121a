//! Checks whether an agent calls verger: it must be registered exactly once, be in working order,
//! and have recorded calls.

use std::collections::BTreeSet;
use std::path::PathBuf;

use verger_agent::{AGENTS, AgentSpec, HookEvent};
use verger_engine::State;
use verger_event::Timestamp;
use verger_store_local::{Index, IndexError, LocalStore};

use super::{Check, Finding, Repair};
use crate::install::found::Found;
use crate::install::hook_program;
use crate::install::inspect::{
    Beside, Installation, Owner, Plugin, Program, SettingsFile, SettingsState, inspect,
};
use crate::install::products;
use crate::install::receipt::Receipt;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::count;
use crate::render::time::age;

const NAME: &str = "registration";
const SETTINGS: &str = "agent settings";

/// The way in which an agent calls verger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Registered {
    ByPlugin,
    /// Hooks in these files.
    BySettings(Vec<PathBuf>),
    No,
}

impl Registered {
    pub(crate) fn of(installation: &Installation) -> Self {
        let files: Vec<_> =
            installation.settings_with_hooks().map(|(file, _)| file.path.clone()).collect();
        match (&installation.plugin, files.is_empty()) {
            (Plugin::On | Plugin::Elsewhere { .. }, _) => Self::ByPlugin,
            (Plugin::Off | Plugin::Incomplete { .. }, false) => Self::BySettings(files),
            (Plugin::Off | Plugin::Incomplete { .. }, true) => Self::No,
        }
    }
}

/// The log's records about an agent's program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Sightings {
    /// The time of the agent's last event.
    last: Option<Timestamp>,
    /// The program's version at that time, if the program reported it.
    version: Option<String>,
}

impl Sightings {
    fn of(agent: &AgentSpec, store: &LocalStore) -> Result<Self, IndexError> {
        let (latest, versioned) =
            Index::current::<State, _>(store, |index| index.latest_of_agent(agent.name))?;
        let last = latest.and_then(|row| u64::try_from(row.last_ms?).ok());
        Ok(Self {
            last: last.map(Timestamp::from_millis),
            version: versioned.and_then(|row| row.agent_version),
        })
    }
}

/// An agent's registration, and the log's records about the agent.
pub(crate) struct AgentCheckup {
    pub(crate) agent: &'static AgentSpec,
    pub(crate) installation: Installation,
    pub(crate) registered: Registered,
    /// `None` if the log cannot be read.
    sightings: Option<Sightings>,
    /// The time of the registration, according to verger's own receipt.
    pub(crate) installed: Option<Timestamp>,
    now: Timestamp,
}

impl AgentCheckup {
    pub(crate) fn of_all(
        context: &Context,
        agents: &[&'static AgentSpec],
        store: Option<&LocalStore>,
    ) -> Result<Vec<Self>, CommandError> {
        agents.iter().map(|agent| Self::of(context, agent, store)).collect()
    }

    fn of(
        context: &Context,
        agent: &'static AgentSpec,
        store: Option<&LocalStore>,
    ) -> Result<Self, CommandError> {
        let places = context.places(agent)?;
        let installation = inspect(&places, &context.environment);
        Ok(Self {
            agent,
            registered: Registered::of(&installation),
            installation,
            sightings: store.map(|store| Sightings::of(agent, store)).transpose()?,
            installed: Receipt::read(&places.own).written_at(agent),
            now: context.clock.now(),
        })
    }

    /// All checks of the registration that need no records of the agent's sessions.
    pub(crate) fn checks(&self) -> Vec<Check> {
        let Self { agent, installation, registered, .. } = self;
        let mut checks: Vec<_> = unreadable_settings(installation).collect();
        let again = Repair::Init { agent: agent.name };
        if checks.is_empty() && self.has_lost_hooks() {
            checks.push(lost_hooks(agent).mended_by(self.installed.map(|_| again.clone())));
        } else if checks.is_empty() || *registered != Registered::No {
            checks.push(registration(agent, installation, registered));
        }
        // A plugin of another home makes the agent call that home. So its calls say nothing about
        // this home.
        if *registered == Registered::No || matches!(installation.plugin, Plugin::Elsewhere { .. })
        {
            return checks;
        }
        // Without verger's own receipt, another program may have made the registration.
        let is_for_user = *registered == Registered::ByPlugin || installation.has_user_hooks();
        let repair = self.installed.filter(|_| is_for_user).map(|_| again);
        checks.push(program(installation).mended_by(self.installed.map(|_| Repair::HookProgram)));
        if *registered == Registered::ByPlugin {
            checks.extend(untold_senders());
            checks.push(plugin_files(installation).mended_by(repair.clone()));
        } else {
            checks.extend(incomplete_hooks(agent, installation, repair.as_ref()));
        }
        checks.extend(obstacles(agent, installation));
        checks.push(once(installation, registered, repair));
        let seen = |sightings| seen(agent, sightings, self.installed, self.now);
        checks.extend(self.sightings.as_ref().map(seen));
        checks
    }

    /// The version that the agent's program reported with its last call, if it reported one.
    pub(crate) fn version(&self) -> Option<&str> {
        self.sightings.as_ref()?.version.as_deref()
    }

    /// When the agent's last event was recorded.
    pub(crate) fn last_seen(&self) -> Option<Timestamp> {
        self.sightings.as_ref()?.last
    }

    /// Whether the agent's hooks for all projects are gone. Plugins have checks of their own.
    fn has_lost_hooks(&self) -> bool {
        self.agent.install.plugin.is_none() && self.installation.has_lost_user_hooks()
    }

    /// Whether verger is registered with the agent, at least in part.
    fn is_begun(&self) -> bool {
        self.registered != Registered::No
            || self.installation.plugin != Plugin::Off
            || self.has_lost_hooks()
    }
}

/// Joins the checks of several agents. Each check names its agent, unless the result is the same
/// for all agents. A missing registration is only a note if verger is registered with another
/// agent.
pub(crate) fn joined(agents: Vec<(&AgentCheckup, Vec<Check>)>) -> Vec<Check> {
    let is_used = agents.iter().any(|(agent, _)| agent.registered != Registered::No);
    let lists: Vec<_> = agents.iter().map(|(_, checks)| checks.clone()).collect();
    let mut joined = vec![];
    for (checkup, checks) in agents {
        let AgentSpec { name, install, .. } = checkup.agent;
        for check in checks {
            let is_common = lists.iter().all(|list| list.contains(&check));
            let check = match check.finding {
                Finding::Problem(problem)
                    if is_used && check.name == NAME && !checkup.is_begun() =>
                {
                    let remedy = format!("verger init --agent {name} registers it");
                    Check::note(NAME, format!("{}; {remedy}", problem.what))
                }
                // An agent that is not used with verger may have any settings.
                Finding::Problem(problem)
                    if is_used && check.name == SETTINGS && checkup.installed.is_none() =>
                {
                    Check::note(SETTINGS, problem.text())
                }
                _ if is_common => check,
                _ => check.about(install.product),
            };
            if !joined.contains(&check) {
                joined.push(check);
            }
        }
    }
    joined
}

/// The finding if this machine has no agent that verger supports.
pub(crate) fn no_agent() -> Check {
    let all: Vec<_> = AGENTS.iter().collect();
    Check::problem(
        NAME,
        format!("no coding agent was found; verger supports {}", products(&all)),
        "install one of them, then verger init",
    )
}

/// Reports that this system can't determine which process sent an event. Only Linux can.
fn untold_senders() -> Option<Check> {
    let what = "this system doesn't report which process sent an event, so verger cannot detect a forged review \
                (SECURITY.md)";
    (!cfg!(target_os = "linux")).then(|| Check::note("reviews", what))
}

fn registration(agent: &AgentSpec, installation: &Installation, registered: &Registered) -> Check {
    let (name, product) = (NAME, agent.install.product);
    match (registered, &installation.plugin) {
        (_, Plugin::Elsewhere { marketplace }) => Check::problem(
            name,
            format!("{product} uses the plugin of another verger home"),
            "set VERGER_HOME to its value at verger init, or run verger init to use this one",
        )
        .at(marketplace),
        (Registered::ByPlugin, _) => Check::fine(name, format!("{product} has verger's plugin")),
        (Registered::No, _) if installation.is_switched_off() => Check::problem(
            name,
            format!("verger's plugin is switched off in {product}: nothing is recorded"),
            "verger init switches it on again; verger uninstall removes it",
        ),
        (_, Plugin::Incomplete { missing }) => Check::problem(
            name,
            format!("verger's plugin in {product} is incomplete; missing: {}", missing.join(", ")),
            "verger init",
        ),
        (Registered::BySettings(files), _) => {
            let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
            Check::fine(name, format!("{product} has verger's hooks in {}", files.join(", ")))
        }
        (Registered::No, _) => {
            Check::problem(name, format!("verger is not registered with {product}"), "verger init")
        }
    }
}

fn lost_hooks(agent: &AgentSpec) -> Check {
    let AgentSpec { install, .. } = agent;
    Check::problem(
        NAME,
        format!("verger's hooks are no longer in {} of {}", install.user_settings, install.product),
        "verger init registers it again; verger uninstall removes the rest of it",
    )
}

/// The settings in which hooks are missing or not those of this version.
fn incomplete_hooks(
    agent: &AgentSpec,
    installation: &Installation,
    repair: Option<&Repair>,
) -> Vec<Check> {
    let check = |(file, found): (&SettingsFile, &Found)| {
        let (help, repair) = match file.owner {
            Owner::User => ("verger init", repair.cloned()),
            Owner::Local => ("verger init --local", None),
            Owner::Project => ("verger init --project", None),
            Owner::Administrator => return None,
        };
        let events = agent.registered_events().map(|(event, _)| event.name);
        let missing = events.filter(|event| !found.hooks.iter().any(|there| there == event));
        let outdated = found.outdated.iter().map(String::as_str);
        let stale: Vec<_> = missing.chain(outdated).collect();
        let what = format!("missing or of another version: {}", stale.join(", "));
        let check = Check::problem("hooks", what, help).at(&file.path).mended_by(repair);
        (!stale.is_empty()).then_some(check)
    };
    installation.settings_with_hooks().filter_map(check).collect()
}

fn unreadable_settings(installation: &Installation) -> impl Iterator<Item = Check> {
    installation.settings.iter().filter_map(|file| match &file.state {
        SettingsState::Unreadable { problem } => {
            let what = format!("settings of the agent cannot be read: {problem}");
            Some(Check::problem(SETTINGS, what, "correct the file").at(&file.path))
        }
        SettingsState::Absent | SettingsState::Read(_) => None,
    })
}

fn program(installation: &Installation) -> Check {
    let name = "hook program";
    match &installation.program {
        Program::Missing => Check::problem(
            name,
            "the hook program that agents start is not installed",
            "verger init",
        ),
        Program::Broken { path, problem } => {
            let what = format!("the hook program does not work: cannot {problem}");
            Check::problem(name, what, "verger init").at(path)
        }
        Program::Present { path, version, .. } if version != crate::VERSION => {
            let what = format!(
                "the hook program has version {version}, but verger has {}",
                crate::VERSION
            );
            Check::problem(name, what, "verger init").at(path)
        }
        Program::Present { path, verger: Beside::Missing, .. } => Check::problem(
            name,
            "the copy of verger that the hook program runs for agents in a sandbox is missing",
            "verger init",
        )
        .at(hook_program::verger_beside(path)),
        Program::Present { path, version, verger: Beside::Runnable } => {
            Check::fine(name, format!("{}, version {version}", path.display()))
        }
    }
}

fn plugin_files(installation: &Installation) -> Check {
    let name = "plugin files";
    match &installation.stale_plugin_files[..] {
        [] => Check::fine(name, "all have verger's version"),
        stale => Check::problem(
            name,
            format!("missing or of another version: {}", stale.join(", ")),
            "verger init",
        ),
    }
}

fn obstacles(agent: &AgentSpec, installation: &Installation) -> impl Iterator<Item = Check> {
    let obstacle = |what| {
        Check::problem("hooks allowed", what, "change that setting, or ask your administrator")
    };
    installation.obstacles(agent).into_iter().map(obstacle)
}

fn once(installation: &Installation, registered: &Registered, repair: Option<Repair>) -> Check {
    let name = "one registration";
    if !installation.is_doubled() {
        return Check::fine(name, "every event is reported once");
    }
    let hooked = || installation.settings_with_hooks();
    let files: Vec<_> = hooked().map(|(file, _)| file.path.display().to_string()).collect();
    let files = files.join(", ");
    let is_shared = hooked().any(|(file, _)| file.owner == Owner::Project);
    match registered {
        Registered::ByPlugin if is_shared => Check::problem(
            name,
            format!(
                "some events are recorded twice: the plugin is on, and there are hooks in {files}"
            ),
            "to use only this project's hooks: verger uninstall; to use only the plugin: \
             verger uninstall --project, then verger init",
        ),
        Registered::ByPlugin => Check::problem(
            name,
            format!(
                "some events are recorded twice: the plugin is on, and there are hooks in {files}"
            ),
            "verger init",
        )
        .mended_by(repair),
        Registered::BySettings(_) if installation.has_user_hooks() => {
            let is_mended = installation.lacks_user_folder() || !is_shared;
            let help = if is_mended {
                "verger init"
            } else {
                "verger uninstall --project, then verger init"
            };
            Check::problem(
                name,
                format!("some events are recorded twice: hooks are in {files}"),
                help,
            )
            .mended_by(repair.filter(|_| is_mended))
        }
        Registered::BySettings(_) | Registered::No => Check::problem(
            name,
            format!("some events are recorded twice: hooks are in {files}"),
            "verger uninstall, then verger init",
        ),
    }
}

/// Which of the registered events were recorded recently. `seen` has the recorded kinds.
pub(crate) fn events(agent: &AgentSpec, seen: &BTreeSet<String>) -> Check {
    let (came, missed): (Vec<_>, Vec<_>) = agent
        .registered_events()
        .map(|(event, _)| event)
        .partition(|event| event.kinds.iter().any(|kind| seen.contains(*kind)));
    let names = |events: &[&HookEvent]| {
        events.iter().map(|event| event.name).collect::<Vec<_>>().join(", ")
    };
    let registered = count(came.len() + missed.len(), "registered event");
    let what = match &came[..] {
        [] => format!("none of {registered} was seen in 7 days"),
        came => format!("{} of {registered} seen in 7 days: {}", came.len(), names(came)),
    };
    Check::fine("events", what)
}

/// Checks whether the hook has run: a registered hook may still not run.
fn seen(
    agent: &AgentSpec,
    sightings: &Sightings,
    installed: Option<Timestamp>,
    now: Timestamp,
) -> Check {
    let (name, product) = ("seen firing", agent.install.product);
    // A registration time in the future is ignored, because the clock was wrong then.
    let installed = installed.filter(|installed| *installed <= now);
    let is_since = |last: &Timestamp| installed.is_none_or(|installed| *last >= installed);
    match sightings.last.filter(is_since) {
        Some(last) => Check::fine(name, format!("{product} last called verger {}", age(last, now))),
        None => Check::problem(
            name,
            format!("{product} has not called verger since it was registered"),
            match agent.install.consent {
                Some(step) => step.to_owned(),
                None => format!(
                    "start {product} in a project and send a prompt; sessions that ran before are \
                     not recorded"
                ),
            },
        ),
    }
}

#[cfg(test)]
mod tests {
    use verger_agent::CLAUDE;

    use super::*;

    #[test]
    fn a_clock_that_was_set_back_hides_no_call() {
        let at = Timestamp::from_millis;
        let is_fine = |last, installed, now| {
            let sightings = Sightings { last: Some(at(last)), version: None };
            let check = seen(&CLAUDE, &sightings, Some(at(installed)), at(now));
            check.as_problem().is_none()
        };
        assert!(is_fine(2_000, 1_000, 3_000));
        assert!(!is_fine(1_000, 2_000, 3_000));
        assert!(is_fine(1_000, 9_000, 3_000));
    }
}
