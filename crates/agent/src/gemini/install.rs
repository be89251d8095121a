//! How verger is registered with Gemini CLI: by hooks in its settings.

use crate::install_spec::{
    AllowedTools, DirectoryVariable, HookFormat, HookList, InstallSpec, SettingNames, Switch,
};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Gemini CLI",
    program: "gemini",
    directory_env: DirectoryVariable { name: "GEMINI_CLI_HOME", folder: Some(".gemini") },
    directory: ".gemini",
    user_settings: "settings.json",
    project_settings: ".gemini/settings.json",
    local_settings: None,
    managed_settings: &[
        "/etc/gemini-cli/settings.json",
        "/Library/Application Support/GeminiCli/settings.json",
    ],
    project_env: Some("GEMINI_PROJECT_DIR"),
    worktrees: None,
    settings: SettingNames {
        hooks: "hooks",
        allowed: Some(AllowedTools { path: &["tools", "allowed"], entry: permission }),
        variables: None,
        hooks_off: Some(Switch { path: &["hooksConfig", "enabled"], off: false }),
        managed_hooks_only: None,
    },
    hook_format: HookFormat {
        list: HookList::Groups,
        command: "command",
        timeout: "timeout",
        per_second: 1_000,
        version: None,
    },
    user_folder: "registered-gemini",
    plugin: None,
    fail_closed: None,
    trusted_hooks: None,
    consent: Some(
        "Gemini CLI runs a project's hooks only in folders that you trust; it asks when it starts \
         there.",
    ),
};

fn permission(command: &str) -> String {
    format!("run_shell_command(verger {command})")
}
