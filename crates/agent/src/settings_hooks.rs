//! Renders the hooks that verger registers in an agent's settings file, and recognizes them.

use serde_json::{Value, json};
use verger_event::{Answer, Verdict};

use crate::guard_table::guard_client;
use crate::install_spec::{HookCommand, HookList};
use crate::plugin_hooks::{ENFORCE_WORD, Guarding};
use crate::spec::{AgentSpec, HookEvent};

/// The sessions for which hooks in a settings file are registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookScope {
    /// All sessions of the user.
    User,
    /// Sessions in one project. The hooks do nothing while verger is registered for all of the
    /// user's sessions.
    Project,
}

/// The beginning of verger's search for its program, the same in every version.
const SEARCH: &str = "d=${VERGER_HOME:+$VERGER_HOME/data}";

impl AgentSpec {
    /// The hook for an event in a settings file.
    pub fn settings_hook(
        &self,
        (event, limit): (&HookEvent, Option<u32>),
        guarding: Guarding,
        scope: HookScope,
    ) -> Value {
        let guarding = self.guarding(event.name, guarding);
        let command = self.hook_command(event.name, guarding, scope);
        let hook = json!({ "type": "command", self.install.hook_format.command: command });
        self.limited(hook, limit, guarding)
    }

    /// The entry of the list of an event's hooks that holds this hook.
    pub fn hook_entry(&self, hook: &Value) -> Value {
        match self.install.hook_format.list {
            HookList::Groups => json!({ "hooks": [hook] }),
            HookList::Flat => hook.clone(),
        }
    }

    /// The command line of a hook. It has no path of one user in it. It searches where
    /// `verger init` puts the program, then on the `PATH`. If verger is not installed, or its
    /// program cannot run, it does nothing, unless the guard enforces: then it refuses the call.
    pub fn hook_command(&self, event: &str, guarding: Guarding, scope: HookScope) -> String {
        let name = self.name;
        let (missing, word) = match guarding {
            Guarding::Watching => ("exit 0".to_owned(), String::new()),
            Guarding::Enforcing => {
                let refusal = self.refusal(event);
                (format!("{{ printf '%s\\n' '{refusal}'; exit 0; }}"), format!(" {ENFORCE_WORD}"))
            }
        };
        let covered = match scope {
            HookScope::User => String::new(),
            HookScope::Project => format!("[ -d \"$d/{}\" ] && exit 0; ", self.install.user_folder),
        };
        format!(
            "{SEARCH}; d=${{d:-${{XDG_DATA_HOME:-$HOME/.local/share}}/verger}}; \
             {covered}h=$d/bin/verger-hook; \
             [ -x \"$h\" ] || h=$(command -v verger-hook) || {missing}; \
             v() {{ \"$h\" \"$@\" || {missing}; }}; v {name} {event}{word}"
        )
    }

    /// The denial for the client if the guard enforces and the hook program is missing. It has no
    /// single quotes in it. The plugin's launcher prints the same.
    fn refusal(&self, event: &str) -> String {
        let reason = "verger: this did not run: verger guards this agent, and its hook program is \
            missing. Tell the person.";
        let notice = "The hook program of verger is missing, so every tool call is denied while \
            the guard is enforced. Run `verger doctor --fix` where verger is installed. In a \
            container: install verger in it, or run `verger config set guard.mode observe` \
            outside of it.";
        let answer = Answer {
            verdict: Verdict::Deny { reason: reason.to_owned() },
            notice: Some(notice.to_owned()),
            ..Answer::default()
        };
        (self.encode)(event, &answer).unwrap_or_default()
    }

    /// Whether a settings hook for the named event is verger's, from any version: its command must
    /// end in the agent and the event, and optionally the word that the guard enforces. Any other
    /// command is not verger's.
    pub fn is_our_hook(&self, event: &str, hook: HookCommand<'_>) -> bool {
        let mut words: Vec<&str> = hook.command.split_whitespace().collect();
        words.extend(hook.arguments);
        if words.last() == Some(&ENFORCE_WORD) {
            words.pop();
        }
        let is_one_command = !hook.command.contains([';', '|', '&', '<', '>', '`', '\n']);
        hook.mentions_verger()
            && words.ends_with(&[self.name, event])
            && (is_one_command || hook.command.starts_with(SEARCH))
    }

    /// The registration of an event. It matters only for events that the guard judges.
    pub(crate) fn guarding(&self, event: &str, guarding: Guarding) -> Guarding {
        let is_guarded = guard_client(self.name).is_some_and(|client| client.guards(event));
        if is_guarded { guarding } else { Guarding::Watching }
    }

    /// The hook with its time limit, and with the setting by which a failing hook stops the call.
    pub(crate) fn limited(&self, mut hook: Value, limit: Option<u32>, guarding: Guarding) -> Value {
        let format = self.install.hook_format;
        if let Some(seconds) = limit {
            hook[format.timeout] = (seconds * format.per_second).into();
        }
        if let (Guarding::Enforcing, Some(fail_closed)) = (guarding, self.install.fail_closed) {
            hook[fail_closed.key] = fail_closed.value.into();
        }
        hook
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AGENTS, CLAUDE};

    #[track_caller]
    fn check(command: &str, arguments: &[&str], expected: bool) {
        let found = CLAUDE.is_our_hook("Stop", HookCommand { command, arguments });
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn our_hooks_are_known_however_they_were_written() {
        check("~/.local/bin/verger-hook claude Stop", &[], true);
        check("verger-hook  claude Stop ", &[], true);
        check("'/home/dev/my bin/verger-hook' claude Stop", &[], true);
        check("/opt/verger-hook", &["claude", "Stop", "enforce"], true);
        check("/opt/verger-hook", &["claude", "Stop"], true);
        check("timeout 5 verger-hook claude Stop", &[], true);
        check("verger-hook claude PreToolUse", &[], false);
        check("verger-hook codex Stop", &[], false);
        check("verger-hook claude Stop && notify-send done", &[], false);
        check("notify-send done; verger-hook claude Stop", &[], false);
        check("tee -a log | verger-hook claude Stop", &[], false);
        check("other-hook claude Stop", &[], false);
        check("/opt/verger-hook", &[], false);
        check("", &[], false);
    }

    #[test]
    fn every_agents_hooks_are_recognized() {
        for agent in AGENTS {
            for (event, _) in agent.registered_events() {
                for guarding in [Guarding::Watching, Guarding::Enforcing] {
                    for scope in [HookScope::User, HookScope::Project] {
                        let command = &agent.hook_command(event.name, guarding, scope);
                        let hook = HookCommand { command, arguments: &[] };
                        assert!(agent.is_our_hook(event.name, hook), "{command}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_missing_hook_program_refuses_without_single_quotes() {
        for agent in AGENTS {
            let client = guard_client(agent.name).unwrap();
            for row in client.rows {
                let refusal = agent.refusal(row.event);
                assert!(!refusal.is_empty() && !refusal.contains('\''), "{refusal}");
            }
        }
    }

    #[test]
    fn the_launcher_refuses_in_the_same_words() {
        let launcher = include_str!("../../../plugin/hooks/launch");
        for event in ["PreToolUse", "PermissionRequest"] {
            assert!(launcher.contains(&CLAUDE.refusal(event)), "{}", CLAUDE.refusal(event));
        }
    }
}
