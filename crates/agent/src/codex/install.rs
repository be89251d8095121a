//! How verger is registered with Codex: by its file of hooks.
//!
//! The program runs a hook only after a person trusted it: it keeps the hash of each trusted hook
//! in its own settings. verger never writes that hash unless the person asks for it.

use super::trust::TRUST;
use crate::install_spec::{
    DirectoryVariable, HookFormat, HookList, InstallSpec, RulesFile, SettingNames, TrustedHooks,
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
    trusted_hooks: Some(TrustedHooks {
        file: "config.toml",
        path: &["hooks", "state"],
        key: trusted_key,
        step: "start codex, type /hooks and trust verger's hooks",
    }),
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

/// The key of a hook in the list of trusted hooks.
fn trusted_key(file: &str, event: &str, group: usize, hook: usize) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    format!("{file}:{name}:{group}:{hook}")
}

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
    fn a_trusted_hook_is_named_by_its_place() {
        let key = trusted_key("/home/dev/.codex/hooks.json", "PreToolUse", 0, 2);
        assert_eq!(key, "/home/dev/.codex/hooks.json:pre_tool_use:0:2");
        assert_eq!(trusted_key("f", "Stop", 1, 0), "f:stop:1:0");
    }

    #[test]
    fn each_command_has_a_rule() {
        assert_eq!(
            rules(&["status", "learn search"]),
            "prefix_rule(pattern=[\"verger\", \"status\"], decision=\"allow\")\n\
             prefix_rule(pattern=[\"verger\", \"learn\", \"search\"], decision=\"allow\")\n"
        );
    }
}
