//! Gemini CLI: `gemini --prompt`.

use std::ffi::OsString;
use std::path::Path;

use serde_json::json;

use crate::environment::TestEnvironment;
use crate::upstream::Upstream;

pub(super) fn program_in(packages: &Path) -> Option<Vec<OsString>> {
    let program = packages.join("@google/gemini-cli/bundle/gemini.js");
    program.is_file().then(|| vec!["node".into(), program.into_os_string()])
}

/// The arguments of a run, without the prompt.
pub(super) fn arguments() -> Vec<String> {
    ["--output-format", "json"].map(str::to_owned).into()
}

/// The arguments that allow all tools.
pub(super) const ALLOW_ALL: &[&str] = &["--yolo"];

/// The program reads the project's hooks only if the folder is trusted.
pub(super) fn variables(upstream: &Upstream) -> Vec<(&'static str, String)> {
    vec![
        ("GOOGLE_GEMINI_BASE_URL", upstream.url()),
        ("GEMINI_API_KEY", "fake-0000000000000000".to_owned()),
        ("GEMINI_CLI_NO_RELAUNCH", "true".to_owned()),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
    ]
}

/// Adds the kind of login to the user's settings, which the program wants to know even if there is
/// a key. It takes it from nowhere else: it reads the system's settings only from directories that
/// nobody but root may write to, up to the topmost.
pub(super) fn choose_login(environment: &TestEnvironment) {
    let path = environment.home().join(".gemini/settings.json");
    let text = path.exists().then(|| environment.read(&path));
    let mut settings = text.map_or_else(|| json!({}), |text| serde_json::from_str(&text).unwrap());
    settings["security"]["auth"]["selectedType"] = json!("gemini-api-key");
    environment.write(path, settings.to_string());
}
