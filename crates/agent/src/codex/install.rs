//! How verger is registered with Codex: by its file of hooks.
//!
//! The program runs a hook only after a person trusted it: it keeps the hash of each trusted hook
//! in its own settings. verger never writes that hash unless the person asks for it.

use crate::install_spec::{DirectoryVariable, HookFormat, HookList, InstallSpec, SettingNames};

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
        "Codex runs no hook before you trust it: start codex, type /hooks and trust verger's \
         hooks. Until then it says nothing and calls nothing. After a change of the hooks, trust \
         them again.",
    ),
};
