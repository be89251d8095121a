//! Whether an agent calls verger: registered once, in working order, and seen to call.

use std::path::PathBuf;

use verger_agent::AgentSpec;
use verger_event::Timestamp;
use verger_store_local::SessionRow;

use super::Check;
use crate::install::inspect::{Installation, Plugin, Program, SettingsState};
use crate::moment::age;

/// How an agent comes to call verger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Registered {
    ByPlugin,
    /// By hooks in these files.
    BySettings(Vec<PathBuf>),
    No,
}

impl Registered {
    pub(crate) fn of(installation: &Installation) -> Self {
        let files: Vec<_> =
            installation.settings_with_hooks().map(|(file, _)| file.path.clone()).collect();
        match (&installation.plugin, files.is_empty()) {
            (Plugin::On { .. }, _) => Self::ByPlugin,
            (Plugin::Off | Plugin::Incomplete { .. }, false) => Self::BySettings(files),
            (Plugin::Off | Plugin::Incomplete { .. }, true) => Self::No,
        }
    }
}

/// What the log tells of an agent's program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sightings {
    /// When its last event was recorded.
    pub(crate) last: Option<Timestamp>,
    /// The version it had then, where it told it.
    pub(crate) version: Option<String>,
}

impl Sightings {
    pub(crate) fn of(agent: &AgentSpec, rows: &[SessionRow]) -> Self {
        let of_agent = || rows.iter().filter(|row| row.agent == agent.name);
        let last = of_agent().filter_map(|row| u64::try_from(row.last_ms?).ok()).max();
        let by_time = |row: &&SessionRow| row.last_ms;
        let told = of_agent().filter(|row| row.agent_version.is_some()).max_by_key(by_time);
        Self {
            last: last.map(Timestamp::from_millis),
            version: told.and_then(|row| row.agent_version.clone()),
        }
    }
}

/// Everything about one agent's registration that can be told without reading its sessions.
pub(crate) fn checks(
    agent: &AgentSpec,
    installation: &Installation,
    sightings: &Sightings,
    (installed, now): (Option<Timestamp>, Timestamp),
) -> Vec<Check> {
    let registered = Registered::of(installation);
    let mut checks: Vec<_> = unreadable_settings(installation).collect();
    if checks.is_empty() || registered != Registered::No {
        checks.push(registration(agent, installation, &registered));
    }
    if registered == Registered::No {
        return checks;
    }
    checks.push(program(installation));
    if registered == Registered::ByPlugin {
        checks.push(plugin_files(installation));
    }
    checks.extend(obstacles(installation));
    checks.push(once(installation));
    checks.push(seen(agent, sightings, (installed, now)));
    checks
}

fn registration(agent: &AgentSpec, installation: &Installation, registered: &Registered) -> Check {
    let (name, product) = ("registration", agent.install.product);
    match (registered, &installation.plugin) {
        (Registered::ByPlugin, _) => Check::fine(name, format!("{product} has verger's plugin")),
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
            Check::problem(name, format!("{product} does not know verger"), "verger init")
        }
    }
}

fn unreadable_settings(installation: &Installation) -> impl Iterator<Item = Check> {
    installation.settings.iter().filter_map(|file| match &file.state {
        SettingsState::Unreadable { problem } => {
            let what = format!("settings of the agent cannot be read: {problem}");
            Some(Check::problem("agent settings", what, "correct the file").at(&file.path))
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
        Program::Present { path, version } if version != crate::VERSION => {
            let what = format!("it has version {version}, and verger has {}", crate::VERSION);
            Check::problem(name, what, "verger init").at(path)
        }
        Program::Present { path, version } => {
            Check::fine(name, format!("{}, version {version}", path.display()))
        }
    }
}

fn plugin_files(installation: &Installation) -> Check {
    let name = "plugin files";
    match &installation.stale_plugin_files[..] {
        [] => Check::fine(name, "of this version"),
        stale => Check::problem(
            name,
            format!("missing or of another version: {}", stale.join(", ")),
            "verger init",
        ),
    }
}

fn obstacles(installation: &Installation) -> impl Iterator<Item = Check> {
    let obstacle =
        |what| Check::problem("hooks allowed", what, "change that, or ask who looks after it");
    installation.obstacles().into_iter().map(obstacle)
}

fn once(installation: &Installation) -> Check {
    let name = "one registration";
    if installation.is_doubled() {
        let files: Vec<_> = installation
            .settings_with_hooks()
            .map(|(file, _)| file.path.display().to_string())
            .collect();
        let what = format!("events are reported more than once; hooks are in {}", files.join(", "));
        return Check::problem(name, what, "verger uninstall, then verger init");
    }
    Check::fine(name, "every event is reported once")
}

/// That a hook is registered does not mean that it runs.
fn seen(
    agent: &AgentSpec,
    sightings: &Sightings,
    (installed, now): (Option<Timestamp>, Timestamp),
) -> Check {
    let (name, product) = ("seen firing", agent.install.product);
    let is_since = |last: &Timestamp| installed.is_none_or(|installed| *last >= installed);
    match sightings.last.filter(is_since) {
        Some(last) => Check::fine(name, format!("{product} called verger last {}", age(last, now))),
        None => Check::problem(
            name,
            format!("{product} has not called verger since it was registered"),
            format!(
                "start {product} in a project and send a prompt; sessions that ran before are \
                     not recorded"
            ),
        ),
    }
}
