//! How verger is registered with Copilot CLI: by a file of its own among the program's hooks.

use crate::install_spec::{
    DirectoryVariable, HookFormat, HookList, InstallSpec, SettingNames, Switch,
};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Copilot CLI",
    program: "copilot",
    directory_env: DirectoryVariable { name: "COPILOT_HOME", folder: None },
    directory: ".copilot",
    user_settings: "hooks/verger.json",
    project_settings: ".github/hooks/verger.json",
    local_settings: None,
    managed_settings: &[],
    project_env: None,
    worktrees: None,
    settings: SettingNames {
        hooks: "hooks",
        allowed: None,
        variables: None,
        hooks_off: Some(Switch { path: &["disableAllHooks"], off: true }),
        managed_hooks_only: None,
    },
    hook_format: HookFormat {
        list: HookList::Flat,
        command: "bash",
        timeout: "timeoutSec",
        per_second: 1,
        version: Some(("version", 1)),
    },
    user_folder: "registered-copilot",
    plugin: None,
    fail_closed: None,
    trusted_hooks: None,
    consent: None,
    project_consent: Some(
        "Copilot CLI runs a project's hooks only in folders that you trust; it asks when it starts \
         there.",
    ),
    trust: None,
    rules_file: None,
};
