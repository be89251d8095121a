//! Tests that `init` and `uninstall` give files of the forms that people have back, byte for byte.

use verger_agent::{AGENTS, by_name};

use super::*;
use crate::install::found::look;

/// Files as the clients and people write them.
const CLAUDE_FILES: &[&str] = &[
    "",
    "{}\n",
    "{\n}\n",
    "{ \"model\": \"opus\" }\n",
    r#"{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Bash(git diff:*)"],
    "deny": []
  },
  "hooks": {}
}
"#,
    r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          { "type": "command", "command": "jq -r '.tool_input.file_path' | xargs prettier --write", "timeout": 30 }
        ]
      }
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "notify-send 'fertig ☕'"}]}]
  },
  "enabledPlugins": { "formatter@team": true },
  "statusLine": { "type": "command", "command": "~/.claude/statusline.sh", "padding": { "left": [0, 1, [2, {}]] } }
}
"#,
    r#"{"permissions":{"allow":["Bash(verger status:*)"]},"hooks":{"Stop":[]},"env":{"A":"ü\u00e9"}}"#,
];

const CODEX_FILES: &[&str] = &[
    "",
    "{}",
    "{\n  \"hooks\": {}\n}\n",
    r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"python3 /home/dev/.codex/stop.py"}]}]}}"#,
    r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "^Bash$",
        "hooks": [
          {
            "type": "command",
            "command": "python3 ~/.codex/hooks/pre_tool_use_policy.py",
            "statusMessage": "Checking Bash command",
            "timeout": 30
          },
          { "type": "command", "command": "true", "async": true }
        ]
      },
      { "matcher": "apply_patch|Edit|Write", "hooks": [] }
    ],
    "SessionStart": [
      {
        "matcher": "startup|resume",
        "hooks": [{ "type": "command", "command": "cat ~/.codex/notes.md", "additionalContextLimit": 500 }]
      }
    ]
  }
}
"#,
    r#"{
  "description": "Häkchen für alle — ☕",
  "hooks": {
    "Stop": [
      {"hooks": [
        {"type": "command", "command": "say 'done'"}
      ]}
    ],
    "Interrupt": [ ],
    "PostToolUse": []
  },
  "x": { "y": [1, 2, [3, { "z": null }]], "w": {} }
}
"#,
    r#"{ "hooks": { "SessionEnd": [ { "hooks": [ { "type": "command", "command": "verger-hook codex SessionEnd | tee -a log" } ] } ] } }
"#,
];

const GEMINI_FILES: &[&str] = &[
    "",
    "{}\n",
    "{\n  \"security\": {\n    \"auth\": {\n      \"selectedType\": \"gemini-api-key\"\n    }\n  }\n}",
    r#"{
  "general": { "preferredEditor": "vim", "vimMode": true },
  "ui": { "theme": "GitHub", "hideBanner": false },
  "mcpServers": {
    "memory": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      "env": { "MEMORY_FILE": "/home/dev/mémoire.json", "DEPTH": "3" },
      "trust": false
    },
    "docs": { "httpUrl": "http://127.0.0.1:3000/mcp", "headers": {} }
  },
  "tools": { "allowed": ["run_shell_command(git status)"], "sandbox": false },
  "hooksConfig": { "enabled": true }
}
"#,
    r#"{
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "write_file|replace",
        "sequential": true,
        "hooks": [
          { "name": "secrets", "type": "command", "command": "$GEMINI_PROJECT_DIR/.gemini/hooks/block-secrets.sh", "timeout": 5000 }
        ]
      }
    ],
    "AfterAgent": [{ "hooks": [] }],
    "SessionEnd": []
  },
  "context": { "fileName": ["GEMINI.md", "AGENTS.md"] }
}
"#,
    r#"{"hooks":{"AfterModel":[{"hooks":[{"type":"command","command":"tee"}]}]},"telemetry":{"enabled":false,"x":[[],[[]]]}}"#,
    "{\n\n\n  \"model\": {\"name\": \"gemini-2.5-pro\"}\n\n\n}\n\n",
];

const COPILOT_FILES: &[&str] = &[
    "",
    "{}\n",
    "{\"version\":1,\"hooks\":{}}",
    "{\n  \"version\": 1\n}\n",
    r#"{
  "version": 1,
  "hooks": {
    "preToolUse": [
      {
        "type": "command",
        "bash": "./scripts/security-check.sh",
        "powershell": "./scripts/security-check.ps1",
        "cwd": "scripts",
        "timeoutSec": 15
      }
    ],
    "sessionStart": [
      { "type": "command", "bash": "echo \"Session début: $(date)\" >> logs/session.log" }
    ]
  }
}
"#,
    r#"{
  "hooks": {
    "agentStop": [],
    "PreToolUse": [{"type": "command", "bash": "true", "env": {"A": "b"}}],
    "postToolUse": [ {"type":"command","bash":"a"}, {"type":"command","bash":"b"} ]
  },
  "version": 1,
  "owner": { "team": ["ä", { "on": [ ] }] }
}
"#,
    r#"{"version":1,"hooks":{"notification":[{"type":"command","bash":"verger-hook copilot notification; true"}]}}
"#,
];

/// The ways in which editors write the same file.
fn writings(file: &str) -> [String; 6] {
    [
        file.to_owned(),
        file.trim_end().to_owned(),
        file.replace("  ", "\t"),
        file.replace("  ", "    ") + "\n",
        file.replace('\n', "\r\n"),
        format!("\u{feff}{file}"),
    ]
}

fn text_of(text: &JsonText) -> String {
    String::from_utf8(text.to_bytes()).unwrap()
}

fn changed(
    agent: &AgentSpec,
    text: &JsonText,
    wanted: &Wanted,
    base: Option<&JsonText>,
) -> JsonText {
    reconcile(agent, FileKind::Settings, text, wanted, base).unwrap()
}

/// Everything that `init` may want in the file.
fn registrations(agent: &AgentSpec) -> Vec<Wanted> {
    let commands = &["status", "why"];
    let mut registrations = vec![];
    for guarding in [Guarding::Watching, Guarding::Enforcing] {
        for scope in [HookScope::User, HookScope::Project] {
            registrations.push(Wanted::settings_hooks(agent, guarding, scope, commands));
        }
    }
    let plugin = agent.install.plugin.as_ref();
    registrations.extend(plugin.map(|plugin| Wanted::plugin(agent, plugin, "/m", commands)));
    registrations
}

#[test]
fn every_file_comes_back_byte_for_byte() {
    for (name, files) in [
        ("claude", CLAUDE_FILES),
        ("codex", CODEX_FILES),
        ("gemini", GEMINI_FILES),
        ("copilot", COPILOT_FILES),
    ] {
        let agent = by_name(name).unwrap();
        let mut tried = 0;
        for file in files.iter().flat_map(|file| writings(file)) {
            let text = JsonText::parse(file.as_bytes()).unwrap();
            for wanted in registrations(agent) {
                let with = changed(agent, &text, &wanted, None);
                assert_eq!(changed(agent, &with, &wanted, Some(&text)), with, "{name} {file}");
                let found = look(agent, &with).unwrap();
                assert_eq!(found.hooks.len(), wanted.hooks.len(), "{name} {file}");
                assert!(found.outdated.is_empty() && found.repeated.is_empty(), "{name} {file}");
                let without = changed(agent, &with, &Wanted::nothing(), Some(&text));
                // An empty file had no object in it. `uninstall` then restores the file itself.
                let expected = if text.is_empty() { text_of(&without) } else { file.clone() };
                assert_eq!(text_of(&without), expected, "{name}");
                assert!(!text.is_empty() || without.is_empty(), "{name} {file}");
            }
            tried += 1;
        }
        assert!(tried > 20, "{name}");
    }
}

#[test]
fn hooks_that_a_person_adds_to_ours_stay() {
    for agent in AGENTS {
        let command = agent.install.hook_format.command;
        let (event, _) = agent.registered_events().next().unwrap();
        let wanted = registrations(agent).remove(0);
        let text = JsonText::parse(b"{}").unwrap();
        let mut with = changed(agent, &text, &wanted, None);
        let mut list = keys(&[agent.install.settings.hooks, event.name]);
        if agent.install.hook_format.list == HookList::Groups {
            list.extend([Step::Element(0), Step::Key("hooks".to_owned())]);
        }
        with.push(&list, &json!({ "type": "command", command: "mine" })).unwrap();
        let without = changed(agent, &with, &Wanted::nothing(), Some(&text));
        let mine = json!([{ "type": "command", command: "mine" }]);
        let kept = match agent.install.hook_format.list {
            HookList::Groups => json!([{ "hooks": mine }]),
            HookList::Flat => mine,
        };
        let expected = match agent.install.hook_format.version {
            Some((key, number)) => json!({ key: number, "hooks": { event.name: kept } }),
            None => json!({ "hooks": { event.name: kept } }),
        };
        assert_eq!(without.value(&[]).unwrap(), Some(expected), "{}", agent.name);
    }
}

#[test]
fn hooks_of_an_earlier_version_are_replaced() {
    for agent in AGENTS {
        let (event, _) = agent.registered_events().next().unwrap();
        let old = format!("/opt/verger-hook {} {}", agent.name, event.name);
        let hook = json!({ "type": "command", agent.install.hook_format.command: old });
        let hooks =
            json!({ "hooks": { event.name: [agent.hook_entry(&hook), agent.hook_entry(&hook)] } });
        let text = JsonText::parse(hooks.to_string().as_bytes()).unwrap();
        let before = look(agent, &text).unwrap();
        assert_eq!((&before.outdated, &before.repeated), (&before.hooks, &before.hooks));
        let wanted = registrations(agent).remove(0);
        let found = look(agent, &changed(agent, &text, &wanted, None)).unwrap();
        assert_eq!(
            (found.hooks.len(), found.outdated, found.repeated),
            (wanted.hooks.len(), vec![], vec![])
        );
    }
}

#[test]
fn a_file_that_is_not_json_is_refused_with_the_line() {
    let refused = |file: &str| JsonText::parse(file.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        refused("{\n  // my theme\n  \"ui\": {}\n}\n"),
        "it is not JSON: line 2, column 3: a comment, which JSON does not have"
    );
    assert_eq!(
        refused("{\n  \"ui\": {},\n}\n"),
        "it is not JSON: line 3, column 1: a comma before the end, which JSON does not have"
    );
    let agent = by_name("gemini").unwrap();
    let wanted = registrations(agent).remove(0);
    for (file, problem) in [
        ("{\n  \"hooks\": []\n}", "line 2: hooks is an array, but must be an object"),
        (
            "{\"hooks\":\n{\"BeforeTool\": {}}}",
            "line 2: hooks.BeforeTool is an object, but must be an array",
        ),
    ] {
        let text = JsonText::parse(file.as_bytes()).unwrap();
        let error = reconcile(agent, FileKind::Settings, &text, &wanted, None).unwrap_err();
        assert_eq!(error.to_string(), problem);
    }
}
