//! Copilot CLI: `copilot --prompt`, with a model service of the user's own.

use std::ffi::OsString;
use std::path::Path;

use super::install::platform_packages;
use crate::upstream::Upstream;

pub(super) fn program_in(packages: &Path) -> Option<Vec<OsString>> {
    let platforms = platform_packages(&packages.join("@github"), "copilot-").into_iter();
    let mut programs = platforms.map(|package| package.join("copilot"));
    let program = programs.find(|program| program.is_file())?;
    Some(vec![program.into_os_string()])
}

/// The arguments of a run, without the prompt.
pub(super) fn arguments() -> Vec<String> {
    ["--trust-folder", "--no-auto-update", "--output-format", "json"].map(str::to_owned).into()
}

/// The arguments that allow all tools.
pub(super) const ALLOW_ALL: &[&str] = &["--allow-all-tools"];

pub(super) fn variables(upstream: &Upstream) -> Vec<(&'static str, String)> {
    vec![
        ("COPILOT_OFFLINE", "true".to_owned()),
        ("COPILOT_AUTO_UPDATE", "false".to_owned()),
        ("COPILOT_PROVIDER_TYPE", "anthropic".to_owned()),
        ("COPILOT_PROVIDER_BASE_URL", upstream.url()),
        ("COPILOT_PROVIDER_API_KEY", "sk-fake-0000000000000000".to_owned()),
        ("COPILOT_MODEL", "claude-sonnet-4.5".to_owned()),
    ]
}
