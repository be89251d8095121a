//! How verger is registered with Claude Code.
//!
//! In all tested versions, a plugin in a local directory is active from the first session if two
//! things exist: `extraKnownMarketplaces` and `enabledPlugins` in the settings, and an entry in
//! the list of known marketplaces. The program then creates the list of installed plugins, a copy
//! of the plugin and the plugin's data directory. It runs the hooks from the local directory, not
//! from the copy.

use serde_json::json;

use super::namesake;
use crate::install_spec::{HookCommand, InstallSpec, SettingNames};
use crate::plugin_hooks::{ENFORCE_WORD, Guarding};

pub(super) const INSTALL: InstallSpec = InstallSpec {
    product: "Claude Code",
    program: "claude",
    directory_env: "CLAUDE_CONFIG_DIR",
    directory: ".claude",
    user_settings: "settings.json",
    project_settings: ".claude/settings.json",
    local_settings: ".claude/settings.local.json",
    managed_settings: &[
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ],
    project_env: "CLAUDE_PROJECT_DIR",
    user_agents: "agents",
    project_agents: ".claude/agents",
    worktrees: ".claude/worktrees",
    known_marketplaces: "plugins/known_marketplaces.json",
    installed_plugins: "plugins/installed_plugins.json",
    settings: SettingNames {
        hooks: "hooks",
        marketplaces: "extraKnownMarketplaces",
        enabled_plugins: "enabledPlugins",
        allowed: &["permissions", "allow"],
        variables: "env",
        hooks_off: "disableAllHooks",
        managed_hooks_only: "allowManagedHooksOnly",
        marketplaces_limited: "strictKnownMarketplaces",
        installed_plugins: "plugins",
    },
    plugin_leftovers: &["plugins/cache/verger", "plugins/data/verger-verger"],
    marketplace_folder: "marketplace",
    marketplace: "verger",
    plugin: "verger@verger",
    settings_hook,
    fail_closed: ("onFailure", "block"),
    fails_open: &["2.1.197"],
    is_our_hook,
    may_be_namesake: namesake::may_be_namesake,
    permission,
};

/// The beginning of the shell code that finds verger's hook program. It is the same in every
/// version of verger, so that old hooks are recognized.
const SEARCH: &str = "d=${VERGER_HOME:+$VERGER_HOME/data}";

/// The shell command of a settings hook. It looks for the hook program where `verger init`
/// installs it, then in `PATH`. It does nothing if the plugin is installed for all projects, so
/// that no event is reported twice.
fn settings_hook(event: &str, guarding: Guarding) -> String {
    let (missing, word) = match guarding {
        Guarding::Watching => ("exit 0".to_owned(), String::new()),
        Guarding::Enforcing => {
            let refusal = refusal(event);
            (format!("{{ printf '%s\\n' '{refusal}'; exit 0; }}"), format!(" {ENFORCE_WORD}"))
        }
    };
    format!(
        "{SEARCH}; d=${{d:-${{XDG_DATA_HOME:-$HOME/.local/share}}/verger}}; \
         [ -d \"$d/marketplace\" ] && exit 0; h=$d/bin/verger-hook; \
         [ -x \"$h\" ] || h=$(command -v verger-hook) || {missing}; exec \"$h\" claude {event}{word}"
    )
}

/// The output that denies a call if the guard enforces and the hook program is missing. It
/// contains no shell quotes. The plugin's launcher prints the same text.
fn refusal(event: &str) -> String {
    let reason = "verger: this did not run: verger guards this agent, and its hook program is \
        missing. Tell the person.";
    let decision = match event {
        "PermissionRequest" => json!({
            "hookEventName": event, "decision": { "behavior": "deny", "message": reason },
        }),
        _ => json!({
            "hookEventName": event, "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }),
    };
    let notice = "The hook program of verger is missing, so every tool call is denied while the \
                  guard is enforced. Run `verger doctor --fix` where verger is installed. In a \
                  container: install verger in it, or run `verger config set guard.mode observe` \
                  outside of it.";
    json!({ "hookSpecificOutput": decision, "systemMessage": notice }).to_string()
}

/// Whether a hook is verger's: its command must end with the agent and the event, optionally
/// followed by the word that makes the guard enforce.
fn is_our_hook(event: &str, hook: HookCommand<'_>) -> bool {
    let mut words: Vec<&str> = hook.command.split_whitespace().collect();
    words.extend(hook.arguments);
    if words.last() == Some(&ENFORCE_WORD) {
        words.pop();
    }
    let is_one_command = !hook.command.contains([';', '|', '&', '<', '>', '`', '\n']);
    hook.mentions_verger()
        && words.ends_with(&["claude", event])
        && (is_one_command || hook.command.starts_with(SEARCH))
}

fn permission(command: &str) -> String {
    format!("Bash(verger {command}:*)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, arguments: &[&str], expected: bool) {
        assert_eq!(is_our_hook("Stop", HookCommand { command, arguments }), expected, "{command}");
    }

    #[test]
    fn our_hooks_are_known_however_they_were_written() {
        check("~/.local/bin/verger-hook claude Stop", &[], true);
        check("verger-hook  claude Stop ", &[], true);
        check("'/home/dev/my bin/verger-hook' claude Stop", &[], true);
        check(&settings_hook("Stop", Guarding::Watching), &[], true);
        check(&settings_hook("Stop", Guarding::Enforcing), &[], true);
        check("/opt/verger-hook", &["claude", "Stop", "enforce"], true);
        check("/opt/verger-hook", &["claude", "Stop"], true);
        check("timeout 5 verger-hook claude Stop", &[], true);
        check("verger-hook claude PreToolUse", &[], false);
        check("verger-hook claude Stop && notify-send done", &[], false);
        check("notify-send done; verger-hook claude Stop", &[], false);
        check("tee -a log | verger-hook claude Stop", &[], false);
        check("other-hook claude Stop", &[], false);
        check("/opt/verger-hook", &[], false);
        check("", &[], false);
    }

    #[test]
    fn the_launcher_refuses_in_the_same_words() {
        let launcher = include_str!("../../../../plugin/hooks/launch");
        for event in ["PreToolUse", "PermissionRequest"] {
            assert!(!refusal(event).contains('\''));
            assert!(launcher.contains(&refusal(event)), "{}", refusal(event));
        }
    }
}
