//! How verger is registered with Gemini CLI: by hooks in its settings.

use crate::install_spec::{
    DirectoryVariable, HookFormat, HookList, InstallSpec, RulesFile, SettingNames, Switch,
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
        // Not `tools.allowed`: with an entry for one shell command, version 0.61.0 denies all
        // others, in every mode.
        allowed: None,
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
    consent: None,
    project_consent: Some(
        "Gemini CLI runs a project's hooks only in folders that you trust; it asks when it starts \
         there.",
    ),
    trust: None,
    rules_file: Some(RulesFile { path: "policies/verger.toml", rules }),
};

/// One rule in the middle of the user's priorities, so that the user's own rules can override it.
fn rules(commands: &[&str]) -> String {
    let prefixes = commands.join("\",\n    \"verger ");
    format!(
        "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [\n    \"verger {prefixes}\",\n]\n\
         decision = \"allow\"\npriority = 100\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rule_has_all_commands() {
        assert_eq!(
            rules(&["status", "learn search"]),
            r#"[[rule]]
toolName = "run_shell_command"
commandPrefix = [
    "verger status",
    "verger learn search",
]
decision = "allow"
priority = 100
"#
        );
    }
}
