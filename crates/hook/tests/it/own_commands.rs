//! Tests verger's own commands on an agent's command line. Commands for agents are allowed if
//! they are alone on the line, commands for people are denied in every spelling, and lines that
//! only mention them get no answer.

use insta::assert_snapshot;
use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{conversation, lines, news};

#[track_caller]
fn begun() -> Conversation {
    let conversation = conversation();
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

fn verdict(word: &str, reason: String) -> HookAnswer {
    HookAnswer { verdict: Some((word.to_owned(), reason)), ..HookAnswer::default() }
}

/// Checks that every command line gets the expected answer.
#[track_caller]
fn check(lines: &[&str], expected: &HookAnswer) {
    let conversation = begun();
    let answers = lines.iter().map(|line| (*line, conversation.bash(Speaker::Main, line)));
    let wrong: Vec<_> = answers.filter(|(_, answer)| answer != expected).collect();
    assert!(wrong.is_empty(), "not {expected}: {wrong:#?}");
}

const RELEASE: &str = "it lets work pass a gate, which only a person may do";
const GROUND: &str = "it changes verger's settings or data, which only a person may do";
const CLIENT: &str = "only the agent's program itself starts it";

fn denial(command: &str, whose: &str) -> HookAnswer {
    verdict(
        "deny",
        format!(
            "verger: agents may not run `{command}`: {whose}. Do not try another spelling; this is recorded. If you think it is needed, tell the person why and go on with your work."
        ),
    )
}

#[test]
fn an_agents_own_command_is_allowed_when_it_stands_alone() {
    let status = verdict("allow", "`verger status` is for agents".to_owned());
    check(
        &[
            "verger status",
            "verger  status",
            "  verger status\n",
            "verger --json status",
            "verger status 2>&1",
            "verger status --quiet --json",
            "'verger' \"status\"",
            "verger status <<'EOF'\nnobody reads this\nEOF",
            "echo nobody reads this | verger status",
            "printf 'nor %s\\n' this | verger status",
        ],
        &status,
    );
    let why = verdict("allow", "`verger why` is for agents".to_owned());
    check(&["verger why --last", "verger why f0357e9b:12 --json", "verger why init"], &why);
}

#[test]
fn beside_anything_else_nothing_is_said_of_it() {
    check(
        &[
            "verger status | head -5",
            "verger status; rm -rf build",
            "verger status && ls",
            "cd /x && verger status",
            "verger status\nls",
            "verger status &",
            "verger status > file",
            "verger status < file",
            "cat file | verger status",
            "echo $(ls) | verger status",
            "verger status <<EOF\n$(ls)\nEOF",
            "echo \"$(verger status)\"",
            "verger why \"$x\"",
            "verger why $(ls)",
            "verger why *",
            "A=b verger status",
            "PATH=/tmp:$PATH verger status",
            "env A=b verger status",
            "sudo verger status",
            "/tmp/verger status",
            "./verger status",
            "bash -c 'verger status'",
            "(verger status)",
            "{ verger status; }",
            "! verger status",
            "time verger status",
            "if verger status; then ls; fi",
            "f() { verger status; }; f",
            "alias verger=rm; verger status",
            "verger() { rm -rf build; }; verger status",
        ],
        &HookAnswer::default(),
    );
}

#[test]
fn commands_for_everyone_get_no_answer() {
    check(
        &[
            "verger",
            "verger --version",
            "verger --help",
            "verger session list",
            "verger session trace 1",
            "verger doctor",
            "verger config show --origin",
            "verger log clean --dry-run",
            "verger log show 1 --jsonl",
            "verger learn archive --unused --dry-run",
            "verger learn show learn-a",
            "verger doctor agents",
            "verger guard rules --check",
            "verger init --dry-run",
            "verger trust --list",
            "verger frobnicate",
        ],
        &HookAnswer::default(),
    );
}

/// Each command line runs `verger release review`, or would run it if nothing denied it.
const RELEASES: &[&str] = &[
    "verger release review",
    "verger  release  review --session 1",
    "verger --json release review",
    "VERGER release review",
    "/usr/local/bin/verger release review",
    "~/.cargo/bin/verger release review",
    "./target/debug/verger release review",
    "\"$HOME/bin/verger\" release review",
    "$(which verger) release review",
    "v=verger; $v release review",
    "ver''ger rel\"ease\" review",
    "\\verger release review",
    "verger \\\n  release review",
    "cd /x && verger release review",
    "true; verger release review || true",
    "yes | verger release review",
    "verger release review < /dev/tty",
    "verger release review > /dev/null 2>&1 &",
    "VERGER_HOME=/x verger release review",
    "env -i HOME=$HOME verger release review",
    "sudo -u me verger release review",
    "nohup setsid verger release review",
    "timeout 5 verger release review",
    "bash -c 'verger release review'",
    "bash -lc \"verger release review\"",
    "sh -c 'exec verger release review'",
    "zsh -ic 'verger release review'",
    "eval 'verger release review'",
    "echo 'verger release review' | sh",
    "sh <<'EOF'\nverger release review\nEOF",
    "bash <<< 'verger release review'",
    "xargs verger release review < /dev/null",
    "find . -maxdepth 0 -exec verger release review \\;",
    "script -qc 'verger release review' /dev/null",
    "script -q /dev/null verger release review",
    "script -qefc \"verger release review\" /dev/null <<< y",
    "expect -c 'spawn verger release review; expect eof'",
    "expect <<'EOF'\nspawn verger release review\nexpect eof\nEOF",
    "unbuffer verger release review",
    "tmux new-session -d 'verger release review'",
    "tmux send-keys 'verger release review' Enter",
    "screen -dm verger release review",
    "python3 -c \"import pty; pty.spawn(['verger', 'release', 'review'])\"",
    "python3 - <<'EOF'\nimport pty\npty.spawn([\"verger\", \"release\", \"review\"])\nEOF",
    "python -c 'import os; os.system(\"verger release review\")'",
    "node -e \"require('child_process').execSync('verger release review')\"",
    "perl -e 'system(\"verger release review\")'",
    "ruby -e 'exec \"verger\", \"release\", \"review\"'",
    "awk 'BEGIN { system(\"verger release review\") }'",
    "echo 'verger release review' > x.sh; sh x.sh",
    "printf 'verger release review' > x && chmod +x x && ./x",
    "x=$(verger release review)",
    "echo `verger release review`",
    "for i in 1 2; do verger release review; done",
    "f() { verger release review; }; f",
    "trap 'verger release review' EXIT",
    "verger release --help",
    "verger help release",
];

#[test]
fn a_release_is_denied_in_every_spelling() {
    check(RELEASES, &denial("verger release", RELEASE));
}

#[test]
fn a_skip_of_anything_but_a_reflection_is_denied() {
    check(
        &[
            "verger skip",
            "verger skip --gate review",
            "verger skip --gate=verify --session 1",
            "verger skip --gate learning --gate review",
            "bash -c 'verger skip --gate review'",
            "sh <<'EOF'\nverger skip --gate review\nEOF",
            "python3 -c \"import pty; pty.spawn(['verger', 'skip', '--gate', 'review'])\"",
        ],
        &denial("verger skip", RELEASE),
    );
}

#[test]
fn commands_that_change_vergers_setup_are_denied() {
    for (command, spellings) in [
        ("verger init", &["verger init --yes", "echo y | verger init", "verger init --local"][..]),
        ("verger uninstall", &["verger uninstall --purge --yes", "bash -c 'verger uninstall'"]),
        ("verger config set", &["verger config set review.mode never", "verger config  set a b"]),
        ("verger config unset", &["verger config unset review.mode"]),
        (
            "verger log clean",
            &["verger log clean --before 0d", "verger log clean --yes", "verger log --json clean"],
        ),
        (
            "verger learn archive",
            &["verger learn archive learn-a", "verger learn archive --unused --yes"],
        ),
        ("verger learn restore", &["verger learn restore learn-a", "verger learn -q restore a"]),
        ("verger trust", &["verger trust", "verger trust --revoke", "cd x; verger trust --yes"]),
        ("verger doctor", &["verger doctor --fix"]),
        // The command is known only when the line runs.
        (
            "verger",
            &["verger $x", "verger \"$@\"", "verger $(echo init)", "echo init | xargs verger"],
        ),
    ] {
        check(spellings, &denial(command, GROUND));
    }
}

#[test]
fn programs_that_only_the_client_starts_are_denied() {
    check(
        &[
            "verger-hook claude SubagentStart plugin < payload.json",
            "echo '{}' | verger-hook claude Stop",
            "/usr/local/bin/verger-hook claude Stop",
            "~/.local/share/verger/bin/verger-hook claude UserPromptSubmit",
            "bash -lc 'verger-hook claude SubagentStart plugin'",
            "env A=b verger-hook claude Stop",
            "python3 -c \"import subprocess; subprocess.run(['verger-hook', 'claude', 'Stop'])\"",
            "cat x | xargs verger-hook",
        ],
        &denial("verger-hook", CLIENT),
    );
    check(
        &["verger hook claude Stop", "echo '{}' | verger hook claude Stop"],
        &denial("verger hook", CLIENT),
    );
}

#[test]
fn lines_that_only_mention_commands_get_no_answer() {
    check(
        &[
            "echo verger release review",
            "echo 'ask the person to run: verger release review'",
            "grep -rn 'verger release' docs",
            "rg 'verger-hook' ~/.claude/settings.json",
            "git commit -m 'docs: verger init and verger release review'",
            "git commit -m \"$(cat <<'EOF'\nverger init\n\nit's about verger-hook\nEOF\n)\"",
            "git log --grep 'verger uninstall'",
            "cat > notes.md <<'EOF'\nverger release review\nEOF",
            "printf 'verger init\\n' >> README.md",
            "sed -i 's/verger init/verger init --local/' README.md",
            "ls ~/.config/verger release",
            "cd verger && cargo test init",
            "cargo build -p verger-hook",
            "which verger verger-hook",
            "command -v verger-hook",
            "man verger",
            "verger-demo release",
            "# verger release review",
            "ls # verger init",
            "x='verger release review'",
            "bash -c 'echo verger init'",
            "python3 -c 'print(\"verger is a person\")'",
        ],
        &HookAnswer::default(),
    );
}

#[test]
fn other_tools_may_have_such_words_in_their_input() {
    let conversation = begun();
    let input = json!({ "file_path": "/x", "content": "verger release review" });
    assert_eq!(conversation.tool(Speaker::Main, "Write", &input), HookAnswer::default());
    let input = json!({ "command": "verger release review" });
    let answer = conversation.tool(Speaker::Main, "mcp__shell__run", &input);
    assert_eq!(answer, HookAnswer::default());
}

#[test]
fn it_is_the_same_for_subagents_and_in_every_permission_mode() {
    let conversation = begun();
    let subagent = Speaker::Subagent { id: "a1", agent_type: "verger:reviewer" };
    let denied = denial("verger release", RELEASE);
    assert_eq!(conversation.bash(subagent, "verger release review"), denied);
    let modes = ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"];
    for (number, mode) in modes.into_iter().enumerate() {
        let changes = [
            ("permission_mode", json!(mode)),
            ("tool_use_id", json!(format!("mode-{number}"))),
            ("tool_input", json!({ "command": "verger release review" })),
        ];
        assert_eq!(conversation.call("PreToolUse-Bash", &changes), denied, "{mode}");
    }
}

#[test]
fn a_guard_and_a_gate_speak_together() {
    let conversation = begun();
    conversation.configure("[review]\ngated_tools = [\"Bash:gh issue close*\"]\n");
    let line = "verger release review; gh issue close 5";
    assert_snapshot!(conversation.bash(Speaker::Main, line), @r#"
    deny: verger: agents may not run `verger release`: it lets work pass a gate, which only a person may do. Do not try another spelling; this is recorded. If you think it is needed, tell the person why and go on with your work.
    verger blocked this call: `Bash:gh issue close*` needs an approved review first, and this work was not reviewed yet.
    Next step: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    When it is approved, make the same call again. A person can release this gate; you cannot.
    notice: verger: `Bash:gh issue close*` is blocked until a review approves the work. To allow it without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    // If one gate allows and another denies, the call is denied.
    conversation.configure("[review]\ngated_tools = [\"Bash:verger status*\"]\n");
    assert_eq!(conversation.bash(Speaker::Main, "verger status").word(), "deny");
    assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main gate.changed review idle -> pending: gated call denied: Bash:gh issue close*
    main verdict.given deny by authority, review
    main gate.changed review pending -> pending: gated call denied: Bash:verger status*
    main verdict.given deny by authority, review
    "#);
}

#[test]
fn the_log_keeps_what_was_denied_and_why() {
    let conversation = begun();
    assert_eq!(conversation.bash(Speaker::Main, "bash -lc 'verger release review'").word(), "deny");
    assert_snapshot!(lines(&conversation), @r#"
    1 main session.started - - - Startup
    2 main prompt.submitted P1 T1 - "go"
    3 main start_tree.taken P1 T1 - a tree
    4 main tool.requested P1 T1 - C1 Bash {"command":"bash -lc 'verger release review'","description":"x"}
    5 main verdict.given P1 T1 - deny by authority
    "#);
}
