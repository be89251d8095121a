//! How verger is registered with Codex: by its file of hooks.
//!
//! The program runs a hook only after a person trusted it: it keeps the hash of each trusted hook
//! in its own settings. verger never writes that hash unless the person asks for it.

use super::trust::TRUST;
use crate::install_spec::{
    DirectoryVariable, HookFormat, HookList, InstallSpec, RulesFile, SettingNames,
};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Codex",
    program: "codex",
    directory_env: DirectoryVariable { name: "CODEX_HOME", folder: None },
    directory: ".codex",
    user_settings: "hooks.json",
    project_settings: ".codex/hooks.json",
    local_settings: None,
    managed_settings: &[],
    project_env: None,
    worktrees: None,
    settings: SettingNames {
        hooks: "hooks",
        allowed: None,
        variables: None,
        hooks_off: None,
        managed_hooks_only: None,
    },
    hook_format: HookFormat {
        list: HookList::Groups,
        command: "command",
        timeout: "timeout",
        per_second: 1,
        version: None,
    },
    user_folder: "registered-codex",
    plugin: None,
    fail_closed: None,
    consent: Some(
        "Codex runs no hook before you trust it, and does not tell you: start codex, type /hooks and \
         trust verger's hooks, or run verger init --trust-hooks. Do it again after each change of the \
         hooks.",
    ),
    project_consent: Some(
        "Codex runs a project's hooks only in a directory that you trust, and only after you trust \
         the hooks themselves: start codex there, type /hooks and trust verger's hooks. Do it again \
         after each change of the hooks.",
    ),
    trust: Some(TRUST),
    rules_file: Some(RulesFile { path: "rules/verger.rules", rules }),
};

/// The program runs an allowed command outside of its sandbox. A command with other commands in the
/// same line is not allowed.
fn rules(commands: &[&str]) -> String {
    let rule = |command: &&str| {
        let words = command.replace(' ', "\", \"");
        format!("prefix_rule(pattern=[\"verger\", \"{words}\"], decision=\"allow\")\n")
    };
    commands.iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_rule() {
        assert_eq!(
            rules(&["status", "learn search"]),
            "prefix_rule(pattern=[\"verger\", \"status\"], decision=\"allow\")\n\
             prefix_rule(pattern=[\"verger\", \"learn\", \"search\"], decision=\"allow\")\n"
        );
    }
}
