//! Checks of verger's environment: programs on the `PATH`, settings, trust.

use std::path::{Path, PathBuf};

use verger_agent::AgentSpec;
use verger_config::ProjectTrust;
use verger_engine::Home;
use verger_engine::{
    ConfigFiles, Environment, LoadedSettings, find_namesake, read_trust, template_problems,
};

use super::Check;
use crate::config::capability::{Standing, standings};
use crate::install::program_version::program_version;

/// A program that a shell would find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    path: PathBuf,
    version: Option<String>,
}

impl Found {
    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }
}

/// The path of a program on the `PATH`.
pub(crate) fn on_path(program: &str, environment: &Environment) -> Option<PathBuf> {
    std::env::split_paths(&environment.get("PATH")?)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(program))
        .find(|path| path.is_file())
}

/// Looks for a program on the `PATH` and asks its version.
pub(crate) fn find(program: &str, environment: &Environment) -> Option<Found> {
    let path = on_path(program, environment)?;
    let text = program_version(&path, environment).ok();
    Some(Found { path, version: text.as_deref().and_then(version_in) })
}

/// The first word that begins with a digit. Some programs print their name before the version,
/// others after it.
fn version_in(text: &str) -> Option<String> {
    text.split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .map(str::to_owned)
}

/// Whether the plugin's reviewer is the only agent with its name in this project.
pub(crate) fn reviewer(agent: &AgentSpec, environment: &Environment, cwd: Option<&Path>) -> Check {
    let name = "reviewer";
    match find_namesake(agent, environment, cwd) {
        None => Check::fine(name, "no other agent has the reviewer's name"),
        Some(namesake) => Check::problem(
            name,
            format!("{namesake}: no review by a subagent counts here"),
            "rename or remove that agent, then start the session again",
        ),
    }
}

/// Whether the `verger` on the `PATH`, which agents and people run, is this program.
pub(crate) fn own_program(found: Option<&Found>, this: Option<&Path>) -> Check {
    let name = "verger on PATH";
    let directory = this.and_then(Path::parent).map(|path| path.display().to_string());
    match found {
        None => Check::problem(
            name,
            "verger is not on the PATH, so agents cannot run it",
            match directory {
                Some(directory) => format!("add {directory} to the PATH in your shell's profile"),
                None => "add its directory to the PATH in your shell's profile".to_owned(),
            },
        ),
        Some(Found { path, version }) if version.as_deref() != Some(crate::VERSION) => {
            let version = version.as_deref().unwrap_or("unknown");
            let what = format!(
                "verger on the PATH has version {version}, but this verger has {}",
                crate::VERSION
            );
            Check::problem(name, what, "type -a verger shows every verger on the PATH").at(path)
        }
        Some(Found { path, version: _ }) => {
            Check::fine(name, format!("{}, version {}", path.display(), crate::VERSION))
        }
    }
}

/// Whether verger was tested with the installed agent, and with the agent in the log.
pub(crate) fn agent_versions(
    agent: &AgentSpec,
    found: Option<&Found>,
    seen: Option<&str>,
) -> Vec<Check> {
    let installed = found.and_then(|found| found.version.as_deref()).map(|v| ("installed", v));
    let seen = seen.map(|version| ("seen", version));
    let (name, product) = ("agent version", agent.install.product);
    let check = |(how, version): (&str, &str)| {
        if agent.tested_versions.contains(&version) {
            return Check::fine(name, format!("{product} {version} ({how}) was tested"));
        }
        let tested = agent.tested_versions.join(", ");
        let what = format!("{product} {version} ({how}) was not tested; tested: {tested}");
        Check::note(name, what)
    };
    let mut checks: Vec<_> = installed.into_iter().chain(seen).map(check).collect();
    if checks.is_empty() {
        checks.push(Check::note(
            name,
            format!("{product} is not on the PATH, and no recorded event has its version"),
        ));
    }
    checks
}

pub(crate) fn settings(home: &Home, loaded: &LoadedSettings) -> Vec<Check> {
    let problem = |problem: &String| Check::problem("settings", problem, "verger config show");
    let template =
        |problem: &String| Check::problem("template", problem, "verger config show review");
    let mut checks: Vec<_> = loaded.problems.iter().map(problem).collect();
    checks.extend(template_problems(home, &loaded.settings.review).iter().map(template));
    if checks.is_empty() {
        checks.push(Check::fine("settings", "nothing wrong"));
    }
    let off = standings(&loaded.settings).into_iter().filter(Standing::is_turned_off);
    checks.extend(off.map(|standing| Check::note(standing.capability.name, standing.text())));
    checks
}

/// Whether projects can be trusted, and whether all of the project's settings take effect.
pub(crate) fn trust(home: &Home, files: &ConfigFiles) -> Check {
    let name = "trust";
    if let Err(error) = read_trust(home) {
        return Check::failed(name, error);
    }
    match &files.project {
        None => Check::fine(name, "no project configuration here"),
        Some(project) => {
            let path = project.file.path.display();
            match project.trust {
                ProjectTrust::Trusted => Check::fine(name, format!("{path} is trusted")),
                ProjectTrust::Untrusted => Check::note(
                    name,
                    format!("{path} is not trusted: its keys that need trust have no effect"),
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_among_other_words() {
        assert_eq!(version_in("2.1.197 (Claude Code)\n").as_deref(), Some("2.1.197"));
        assert_eq!(version_in("verger 0.1.0\n").as_deref(), Some("0.1.0"));
        assert_eq!(version_in("nothing\n"), None);
    }
}
