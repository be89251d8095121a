//! Tests the guard of tool calls in the hook: its answers to the client, and its records.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use verger_event::{Event, GuardMode, Sent, ToolCall, Triage};
use verger_gate::permission::release;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{conversation, without_store};
use crate::log::Log;

const DESTRUCTIVE: &str = "git reset --hard";
pub(crate) const ENFORCE: &str = "[guard]\nmode = \"enforce\"\n";

#[track_caller]
pub(crate) fn begun(configuration: &str) -> Conversation {
    let conversation = conversation();
    conversation.configure(configuration);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

/// The guard's records of the calls so far.
#[track_caller]
pub(crate) fn judged(conversation: &Conversation) -> Vec<(Triage, String, GuardMode, Sent)> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let judged = records.filter_map(|record| match record.draft.event {
        Event::GuardJudged { triage, rule, mode, sent, .. } => Some((triage, rule, mode, sent)),
        _ => None,
    });
    judged.collect()
}

pub(crate) fn kept(
    triage: Triage,
    rule: &str,
    mode: &str,
    sent: Sent,
) -> (Triage, String, GuardMode, Sent) {
    (triage, rule.to_owned(), mode.parse().unwrap(), sent)
}

fn word(answer: &HookAnswer) -> &str {
    answer.verdict.as_ref().map_or("", |(word, _)| word)
}

#[track_caller]
fn in_mode(conversation: &Conversation, mode: &str, line: &str) -> HookAnswer {
    conversation.call(
        "PreToolUse-Bash",
        &[
            ("permission_mode", json!(mode)),
            ("tool_use_id", json!(conversation.next_tool_use())),
            ("tool_input", json!({ "command": line })),
        ],
    )
}

#[test]
fn by_default_it_keeps_what_it_would_have_said_and_says_nothing() {
    let conversation = begun("");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    assert_eq!(conversation.bash(Speaker::Main, "ls"), HookAnswer::default());
    assert_eq!(conversation.bash(Speaker::Main, "some-program"), HookAnswer::default());
    assert_eq!(
        judged(&conversation),
        [
            kept(Triage::Deny, "git-reset-hard", "observe", Sent::Silence),
            kept(Triage::Allow, "list-files", "observe", Sent::Silence),
        ]
    );
}

#[test]
fn switched_off_it_keeps_nothing() {
    let conversation = begun("[guard]\nmode = \"off\"\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    assert_eq!(judged(&conversation), []);
}

#[test]
fn enforced_it_says_what_it_thinks() {
    let conversation = begun(ENFORCE);
    insta::assert_snapshot!(conversation.bash(Speaker::Main, DESTRUCTIVE), @r#"
    deny: verger: this did not run: it throws away changes that are not committed (rule git-reset-hard). Instead: `git stash` keeps the changes; `git restore --staged` only unstages files. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, say so: a person can let it run.
    notice: verger denied a call of the agent: it throws away changes that are not committed (rule git-reset-hard). `verger why --last` explains it; to let it run once: verger guard allow-once
    "#);
    insta::assert_snapshot!(conversation.bash(Speaker::Main, "ls -la"), @"allow: verger: it only reads (rule list-files)");
    assert_eq!(conversation.bash(Speaker::Main, "some-program"), HookAnswer::default());
    let subagent = Speaker::Subagent { id: "a1", agent_type: "general" };
    assert_eq!(word(&conversation.bash(subagent, DESTRUCTIVE)), "deny");
    assert_eq!(
        judged(&conversation),
        [
            kept(Triage::Deny, "git-reset-hard", "enforce", Sent::Deny),
            kept(Triage::Allow, "list-files", "enforce", Sent::Allow),
            kept(Triage::Deny, "git-reset-hard", "enforce", Sent::Deny),
        ]
    );
}

#[test]
fn a_risky_call_is_asked_about_where_people_are_asked_and_denied_elsewhere() {
    let conversation = begun(ENFORCE);
    let risky = "echo x > .git/hooks/pre-commit";
    for (mode, expected) in [
        ("default", "ask"),
        ("acceptEdits", "ask"),
        ("plan", "ask"),
        ("bypassPermissions", "deny"),
        ("auto", "deny"),
        ("a-new-mode", "deny"),
    ] {
        assert_eq!(word(&in_mode(&conversation, mode, risky)), expected, "{mode}");
    }
    for mode in ["default", "bypassPermissions"] {
        assert_eq!(word(&in_mode(&conversation, mode, DESTRUCTIVE)), "deny", "{mode}");
        assert_eq!(word(&in_mode(&conversation, mode, "some-program")), "", "{mode}");
    }
}

#[track_caller]
pub(crate) fn asked(conversation: &Conversation, mode: &str, line: &str) -> Value {
    let payload = json!({
        "session_id": conversation.session(), "cwd": conversation.environment.project(),
        "permission_mode": mode, "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": { "command": line },
    });
    let mut command = conversation.environment.command(crate::stage::HOOK);
    command.args(["claude", "PermissionRequest"]);
    let output = conversation.environment.run_command(command, payload.to_string()).success();
    serde_json::from_str(&output.stdout).unwrap_or_default()
}

#[test]
fn a_permission_dialog_is_answered_or_left_to_the_person() {
    let conversation = begun(ENFORCE);
    let behavior = |mode, line| {
        asked(&conversation, mode, line)["hookSpecificOutput"]["decision"]["behavior"].take()
    };
    assert_eq!(behavior("default", "ls"), "allow");
    assert_eq!(behavior("default", DESTRUCTIVE), "deny");
    assert_eq!(behavior("default", "some-program"), Value::Null);
    assert_eq!(behavior("default", "echo x > .git/hooks/pre-commit"), Value::Null);
    assert_eq!(behavior("bypassPermissions", "echo x > .git/hooks/pre-commit"), "deny");
}

#[track_caller]
fn tool(conversation: &Conversation, tool: &str, key: &str, path: &str) -> HookAnswer {
    let project = conversation.environment.project();
    let path = path.replace("$PROJECT", &project.display().to_string());
    let path =
        path.replace("$VERGER", &conversation.environment.verger_home().display().to_string());
    conversation.tool(Speaker::Main, tool, &json!({ key: path, "content": "x", "new_source": "x" }))
}

#[test]
fn verger_and_its_registration_are_not_an_agents_to_change_however_the_guard_is_set() {
    for mode in ["off", "observe", "enforce"] {
        let conversation = begun(&format!("[guard]\nmode = \"{mode}\"\n"));
        let project = conversation.environment.project();
        symlink(conversation.environment.home().join(".claude"), project.join("notes")).unwrap();
        for (name, key, path) in [
            ("Write", "file_path", "~/.claude/settings.json"),
            ("Edit", "file_path", ".claude/settings.local.json"),
            ("MultiEdit", "file_path", "$PROJECT/.verger/config.toml"),
            ("NotebookEdit", "notebook_path", "$VERGER/config/trust.json"),
            ("Write", "file_path", "$VERGER/data/log/x.jsonl"),
            ("Write", "file_path", "$PROJECT/src/../.claude/settings.json"),
            ("Write", "file_path", "notes/settings.json"),
        ] {
            assert_eq!(word(&tool(&conversation, name, key, path)), "deny", "{mode} {path}");
        }
        for line in [
            "echo '{}' > ~/.claude/settings.json",
            "cd x; printf y >> ../.verger/config.toml",
            "echo '{}' > notes/settings.json",
            "cd notes && rm settings.json",
            "cp a.json notes/settings.local.json",
            "cd .verger && echo > config.toml",
            "bash -c 'cd .claude; rm settings.json'",
            "cd $VERGER_HOME/config && echo x > config.toml",
            "rm -rf .git .verger",
            "rm -rf ~/.claude",
            "rm -rf \"$VERGER_HOME\"",
            "mv .claude x",
            "rm -rf notes/",
            "ln -s .claude q",
        ] {
            assert_eq!(word(&conversation.bash(Speaker::Main, line)), "deny", "{mode} {line}");
        }
        for (name, key, path) in [
            ("Write", "file_path", "src/main.rs"),
            ("Read", "file_path", "~/.claude/settings.json"),
            ("Write", "file_path", ".verger/knowledge/x.md"),
        ] {
            assert_eq!(tool(&conversation, name, key, path), HookAnswer::default(), "{path}");
        }
        for line in ["cd .verger && cat config.toml", "cp -r .claude /tmp/x", "git add .verger"] {
            assert_ne!(word(&conversation.bash(Speaker::Main, line)), "deny", "{mode} {line}");
        }
    }
}

#[test]
fn the_log_names_the_rule_that_denies_in_every_mode() {
    let conversation = begun("");
    assert_eq!(word(&conversation.bash(Speaker::Main, "rm -rf .git .verger")), "deny");
    let expected = kept(Triage::Deny, "write-own-files", "observe", Sent::Deny);
    assert_eq!(judged(&conversation), [expected]);
}

#[test]
fn credentials_and_what_git_runs_are_a_persons_to_look_at() {
    let conversation = begun(ENFORCE);
    for (name, path) in [
        ("Read", ".env"),
        ("Write", ".env.local"),
        ("Read", "~/.ssh/id_ed25519"),
        ("Write", ".git/hooks/pre-commit"),
        ("Edit", ".git/config"),
    ] {
        assert_eq!(word(&tool(&conversation, name, "file_path", path)), "ask", "{name} {path}");
    }
    for (name, path) in [("Read", ".env.example"), ("Read", ".git/config"), ("Write", "a.rs")] {
        let answer = tool(&conversation, name, "file_path", path);
        assert_eq!(answer, HookAnswer::default(), "{name} {path}");
    }
    assert_eq!(word(&tool(&conversation, "Grep", "path", "~/.aws")), "ask");
    assert_eq!(word(&tool(&conversation, "Grep", "glob", "**/.env*")), "ask");
}

#[test]
fn a_link_makes_no_line_harmless() {
    let conversation = begun(ENFORCE);
    let (project, home) = (conversation.environment.project(), conversation.environment.home());
    std::fs::create_dir_all(home.join(".ssh")).unwrap();
    symlink(home.join(".ssh"), project.join("docs")).unwrap();
    symlink("../.env", project.join("docs.md")).unwrap();
    symlink(&project, project.join("here")).unwrap();
    for (line, expected) in [
        ("cat docs/config", "ask"),
        ("cd docs && head id_rsa", "ask"),
        ("cat docs.md", "ask"),
        ("ls docs", ""),
        ("grep -r x docs", ""),
        ("rm -rf docs/", "deny"),
        ("cat here/README.md", "allow"),
        ("cat README.md", "allow"),
    ] {
        assert_eq!(word(&conversation.bash(Speaker::Main, line)), expected, "{line}");
    }
}

#[test]
fn it_works_without_records() {
    let conversation = begun(&format!("[record]\nenabled = false\n{ENFORCE}"));
    assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "deny");
    assert_eq!(word(&conversation.bash(Speaker::Main, "ls")), "allow");
    assert_eq!(word(&tool(&conversation, "Write", "file_path", ".claude/settings.json")), "deny");
}

#[test]
fn its_answer_stands_when_nothing_can_be_recorded() {
    let conversation = begun(ENFORCE);
    without_store(&conversation, || {
        assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "deny");
        assert_eq!(word(&conversation.bash(Speaker::Main, "ls")), "allow");
        assert_eq!(conversation.bash(Speaker::Main, "some-program"), HookAnswer::default());
    });
    let conversation = begun("");
    without_store(&conversation, || {
        assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    });
}

#[test]
fn a_second_report_of_a_call_is_answered_like_the_first() {
    let conversation = begun(ENFORCE);
    let changes =
        [("tool_use_id", json!("toolu_twice")), ("tool_input", json!({ "command": DESTRUCTIVE }))];
    let first = conversation.call("PreToolUse-Bash", &changes);
    assert_eq!(word(&first), "deny");
    assert_eq!(conversation.call("PreToolUse-Bash", &changes), first);
    assert_eq!(judged(&conversation).len(), 1);
}

#[test]
fn a_call_that_a_person_let_run_runs_once() {
    let conversation = begun(ENFORCE);
    let release_call = |line: &str| {
        let call = ToolCall::shell(line);
        let log = Log::of(&conversation.environment);
        let record = log.all().into_iter().next_back().unwrap();
        log.append(&record, release::released(&call, record.draft.at));
    };
    assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "deny");
    release_call(DESTRUCTIVE);
    assert_eq!(word(&conversation.bash(Speaker::Main, "git reset --hard HEAD~1")), "deny");
    assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "allow");
    assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "deny");
    release_call("rm -rf /");
    assert_eq!(word(&conversation.bash(Speaker::Main, "rm -rf /")), "deny", "the floor");
    release_call(DESTRUCTIVE);
    conversation.pass_seconds(601);
    assert_eq!(word(&conversation.bash(Speaker::Main, DESTRUCTIVE)), "deny", "too late");
}

#[test]
fn nothing_is_approved_that_asks_to_leave_the_clients_sandbox() {
    let conversation = begun(ENFORCE);
    let answer = |line: &str, leaves: Value| {
        let input = json!({ "command": line, "dangerouslyDisableSandbox": leaves });
        let answer = conversation.tool(Speaker::Main, "Bash", &input);
        word(&answer).to_owned()
    };
    assert_eq!(answer("ls", json!(false)), "allow");
    assert_eq!(answer("ls", json!(null)), "allow");
    assert_eq!(answer("ls", json!(true)), "");
    assert_eq!(answer("ls", json!("true")), "");
    assert_eq!(answer(DESTRUCTIVE, json!(true)), "deny");
}

#[test]
fn git_that_would_start_something_is_not_approved() {
    let conversation = begun(ENFORCE);
    assert_eq!(word(&conversation.bash(Speaker::Main, "git status")), "allow");
    let config = conversation.environment.project().join(".git/config");
    let plain = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{plain}[core]\nfsmonitor = ./run.sh\n")).unwrap();
    assert_eq!(conversation.bash(Speaker::Main, "git status"), HookAnswer::default());
}

#[test]
fn the_registration_says_how_to_fail_where_the_configuration_cannot_be_read() {
    for (configuration, registered, expected) in [
        ("[guard]\nmode = \"enforce\"\n", "", "deny"),
        ("[guard]\nmode = \"observe\"\n", "enforce", ""),
        ("[guard]\nmode = \"off\"\n", "enforce", ""),
        ("", "enforce", ""),
        ("[guard\nmode = \"obs", "enforce", "deny"),
        ("[guard\nmode = \"obs", "", ""),
        ("[guard]\nmode = \"sometimes\"\n", "enforce", "deny"),
    ] {
        let conversation = conversation();
        conversation.configure(configuration);
        for payload in [DESTRUCTIVE, "\u{0}"] {
            let payload = match payload {
                "\u{0}" => "not json".to_owned(),
                line => json!({
                    "session_id": "s", "tool_name": "Bash", "permission_mode": "default",
                    "tool_input": { "command": line },
                })
                .to_string(),
            };
            let mut command = conversation.environment.command(crate::stage::HOOK);
            command.args(["claude", "PreToolUse", "plugin", registered]);
            let output = conversation.environment.run_command(command, payload).success();
            let answer: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
            let told = answer["hookSpecificOutput"]["permissionDecision"].as_str();
            assert_eq!(told.unwrap_or_default(), expected, "{configuration} {registered}");
        }
    }
}
