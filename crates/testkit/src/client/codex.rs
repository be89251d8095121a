//! Codex: `codex exec`.

use std::ffi::OsString;
use std::path::Path;

use serde_json::json;
use verger_upstream::{Reply, Request};

use super::install::platform_packages;
use crate::environment::TestEnvironment;
use crate::upstream::Upstream;

/// The versions that the tests run with: the oldest supported one and a recent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodexVersion {
    V0_166_0,
    V0_169_0,
}

impl CodexVersion {
    pub const ALL: [Self; 2] = [Self::V0_166_0, Self::V0_169_0];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0_166_0 => "0.166.0",
            Self::V0_169_0 => "0.169.0",
        }
    }
}

/// A model that the program knows and that calls each tool by itself. Newer ones write programs
/// that do; an unknown one has no `apply_patch`.
const MODEL: &str = "gpt-5.5";
/// The name of the model service in the configuration.
const PROVIDER: &str = "scripted";
/// The variable that the key is taken from.
const KEY: &str = "SCRIPTED_API_KEY";

pub(super) fn program_in(packages: &Path) -> Option<Vec<OsString>> {
    let platforms = platform_packages(&packages.join("@openai"), "codex-").into_iter();
    let targets = platforms.filter_map(|package| package.join("vendor").read_dir().ok());
    let mut programs = targets.flatten().flatten().map(|target| target.path().join("bin/codex"));
    let program = programs.find(|program| program.is_file())?;
    Some(vec![program.into_os_string()])
}

/// The arguments that turn the sandbox off.
pub(super) const ALLOW_ALL: &[&str] = &["--sandbox", "danger-full-access"];

/// The arguments of a run, up to the prompt. The configuration is in them and not in the home's
/// `config.toml`, so that what a test writes there stays as it is.
pub(super) fn arguments(environment: &TestEnvironment, upstream: &Upstream) -> Vec<String> {
    let url = upstream.url();
    let project = environment.project();
    let settings = [
        // Otherwise each run tries for five seconds to send its analytics.
        "analytics.enabled=false".to_owned(),
        format!("model=\"{MODEL}\""),
        format!("model_provider=\"{PROVIDER}\""),
        format!(
            "model_providers.{PROVIDER}={{name=\"{PROVIDER}\",base_url=\"{url}/v1\",env_key=\"{KEY}\",wire_api=\"responses\"}}"
        ),
        format!("projects={{\"{}\"={{trust_level=\"trusted\"}}}}", project.display()),
    ];
    let words = ["exec", "--json", "--skip-git-repo-check"];
    let mut arguments: Vec<String> = words.map(str::to_owned).into();
    for setting in settings {
        arguments.extend(["-c".to_owned(), setting]);
    }
    arguments
}

pub(super) fn variables() -> Vec<(&'static str, String)> {
    vec![(KEY, "sk-fake-0000000000000000".to_owned())]
}

/// The tool that starts a subagent. It works without having been looked up first.
pub(super) const SPAWN_AGENT: &str = "multi_agent_v1.spawn_agent";

/// The call that waits for the subagent that was started last.
pub(super) fn wait_for_agent(request: &Request) -> Reply {
    let id = request.text_between("\"agent_id\":\"", "\"").expect("a subagent was started");
    Reply::tool_use("multi_agent_v1.wait_agent", json!({ "targets": [id] }))
}

/// The input of `apply_patch` that adds a file.
pub(super) fn patch_that_adds(path: &Path, text: &str) -> String {
    let mut input = format!("*** Begin Patch\n*** Add File: {}\n", path.display());
    for line in text.lines() {
        input.extend(["+", line, "\n"]);
    }
    input.push_str("*** End Patch\n");
    input
}
