//! Agents' commands in a client's sandbox, in which verger's data can't be written. Tests the
//! commands' output there, and the effect of the hook, which runs outside. An agent must not gain
//! anything else that way.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;
use serde_json::{Value, json};
use verger_memory::EXAMPLE;
use verger_testkit::{Conversation, HookAnswer, Output, Speaker};

use crate::reviewing::{conversation, decision, records, reviewer, verger};

/// The result of a line that an agent ran in its sandbox: the command's output and the hook's
/// answer.
struct Ran {
    output: Output,
    answer: HookAnswer,
}

/// Requests a line, runs it in the sandbox, and reports its end.
#[track_caller]
fn run(conversation: &Conversation, by: Speaker<'_>, line: &str) -> Ran {
    let id = ask(conversation, by, line);
    let output = sandboxed(conversation, line);
    let answer = end(conversation, by, line, (&id, &output));
    Ran { output, answer }
}

/// Requests a line, which the hook allows. Returns the id of its call.
#[track_caller]
fn ask(conversation: &Conversation, by: Speaker<'_>, line: &str) -> String {
    let id = conversation.next_tool_use();
    assert_eq!(conversation.bash(by, line).word(), "allow", "{line}");
    id
}

#[track_caller]
fn sandboxed(conversation: &Conversation, line: &str) -> Output {
    let mut command = conversation.environment.sandboxed(line);
    command.env("CLAUDE_CODE_SESSION_ID", conversation.session());
    command.envs(conversation.next_moment());
    conversation.environment.run_command(command, "")
}

/// Makes the client report how a line ended.
#[track_caller]
fn end(
    conversation: &Conversation,
    by: Speaker<'_>,
    line: &str,
    (id, output): (&str, &Output),
) -> HookAnswer {
    let input = json!({ "command": line, "description": "x" });
    let Output { stdout, stderr, code } = output;
    let (name, told) = match code {
        0 => {
            let response = json!({ "stdout": stdout, "stderr": stderr, "interrupted": false });
            ("PostToolUse-Bash", ("tool_response", response))
        }
        code => {
            let error = format!("Exit code {code}\n{stdout}\n{stderr}");
            ("PostToolUseFailure-Bash", ("error", json!(error)))
        }
    };
    let changes = [("tool_input", input), ("tool_use_id", json!(id)), told];
    conversation.call_of(by, name, &changes)
}

/// A session that closed a ticket and whose stop was refused.
#[track_caller]
fn owing() -> Conversation {
    let conversation = conversation();
    conversation.configure("learning.auto_skip = false\n");
    assert_eq!(conversation.prompt("do bd-1"), HookAnswer::default());
    let (line, id) = ("bd close bd-1", conversation.next_tool_use());
    assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default());
    let closed = Output { stdout: String::new(), stderr: String::new(), code: 0 };
    assert!(end(&conversation, Speaker::Main, line, (&id, &closed)).is_silence());
    assert_eq!(conversation.stop().word(), "block");
    conversation
}

const KEPT: &[&str] =
    &["observation.", "reflection.", "gate.released", "learning.", "review.decided"];

fn reflect(text: &str) -> String {
    format!("verger reflect <<'EOF'\n{text}\nEOF")
}

#[test]
fn a_note_is_recorded_by_the_hook_once() {
    let conversation = owing();
    let line = "verger observe 'the lexer eats the BOM' --author lexer";
    let id = ask(&conversation, Speaker::Main, line);
    let output = sandboxed(&conversation, line);
    assert_snapshot!(output, @"
    left to verger's hook, for session f0357e9b: verger's data cannot be written from here
    if this was one plain command, the hook runs it after the call and tells you the result
    ");
    assert_eq!(records(&conversation, KEPT), [""; 0], "the sandbox does not hold");
    let answer = end(&conversation, Speaker::Main, line, (&id, &output));
    assert_snapshot!(answer, @r#"
    context: verger: the hook ran this outside of the sandbox:
    noted, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    the agent is shown this note when a reflection is due
    "#);
    let again = end(&conversation, Speaker::Main, line, (&id, &output));
    assert!(again.is_silence(), "a second registration reports it too: {again}");
    assert_snapshot!(records(&conversation, KEPT).join("\n"), @"observation.recorded the lexer eats the BOM");
    assert_snapshot!(verger(&conversation, &["log", "verify"]), @"2 segments, 20 records, 0 faults");
}

#[test]
fn a_reflection_opens_the_gate() {
    let conversation = owing();
    let ran = run(&conversation, Speaker::Main, &reflect(EXAMPLE));
    assert_snapshot!(ran.output, @"
    left to verger's hook, for session f0357e9b: verger's data cannot be written from here
    if this was one plain command, the hook runs it after the call and tells you the result
    ");
    assert_snapshot!(ran.answer, @r#"
    context: verger: the hook ran this outside of the sandbox:
    accepted 1 of 1 candidate, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
      learn-01M7G83NR000000000000007VK, in .verger/learnings.md: Retrying OrderService.save doubles the row
      used: no learning learn-01M7G83FEM0000000000000007 is kept here
    the agent may stop now; verger status shows the state of its gates
    "#);
    assert!(conversation.stop().is_silence());
    let kept = conversation.environment.read(".verger/learnings.md");
    assert_eq!(kept.matches("\n## ").count(), 1, "{kept}");
}

#[test]
fn a_reflection_that_does_not_pass_is_refused_in_the_sandbox_and_recorded_all_the_same() {
    let conversation = owing();
    let vague = json!({ "candidates": [{ "category": "pitfall", "summary": "be careful" }] });
    let ran = run(&conversation, Speaker::Main, &reflect(&vague.to_string()));
    assert_snapshot!(ran.output, @r#"
    reflection rejected, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd: none of 1 candidate passes
      candidate 1 is rejected: be careful
        detail is missing: write 20 to 2000 characters
        tags has 0 entries: give 1 to 10
        criteria has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request
    correct the candidates and reflect again; verger reflect --example shows one that passes
    ------- stderr -------
    verger: left to verger's hook: verger's data cannot be written from here
    ------- exit code 1 -------
    "#);
    assert_snapshot!(ran.answer, @r#"
    context: verger: the hook ran this outside of the sandbox, with exit code 1:
    reflection rejected, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd: none of 1 candidate passes
      candidate 1 is rejected: be careful
        detail is missing: write 20 to 2000 characters
        tags has 0 entries: give 1 to 10
        criteria has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request
    correct the candidates and reflect again; verger reflect --example shows one that passes
    "#);
    let ran = run(&conversation, Speaker::Main, &reflect("{"));
    assert_snapshot!(ran.output, @r#"
    reflection rejected, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd: line 1, column 1 is not JSON: EOF while parsing an object
    verger reflect --example shows a reflection; --schema prints its JSON Schema
    ------- stderr -------
    verger: left to verger's hook: verger's data cannot be written from here
    ------- exit code 1 -------
    "#);
    let stopped = conversation.stop();
    assert!(stopped.reason().contains("was rejected"), "{stopped}");
}

#[test]
fn a_skip_is_the_agents_and_recorded_as_its_own() {
    let conversation = owing();
    let ran = run(&conversation, Speaker::Main, "verger skip --gate learning --reason 'a typo'");
    assert_snapshot!(ran.output, @"
    left to verger's hook, for session f0357e9b: verger's data cannot be written from here
    if this was one plain command, the hook runs it after the call and tells you the result
    ");
    assert_snapshot!(ran.answer, @"
    context: verger: the hook ran this outside of the sandbox:
    released: the learning gate of session f0357e9b, which was blocked
    the agent may stop now; verger status shows the state of its gates
    ");
    assert_snapshot!(records(&conversation, KEPT).join("\n"), @"gate.released learning by agent");
    assert!(conversation.stop().is_silence());
    let ran = run(&conversation, Speaker::Main, "verger skip --gate learning --json");
    assert_snapshot!(ran.output, @r#"{"gate":"learning","released":false,"session":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd","was":"skipped"}"#);
    assert!(ran.answer.is_silence(), "there was nothing to do");
}

#[test]
fn a_learning_that_helped_is_counted() {
    let conversation = owing();
    drop(run(&conversation, Speaker::Main, &reflect(EXAMPLE)));
    let kept = conversation.environment.read(".verger/learnings.md");
    let at = kept.find("learn-").unwrap();
    let learning: String =
        kept[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let ran = run(&conversation, Speaker::Main, &format!("verger ref {learning} --json"));
    assert_snapshot!(ran.output, @r#"{"kept":"left to verger's hook","session":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd"}"#);
    assert_snapshot!(ran.answer, @r#"
    context: verger: the hook ran this outside of the sandbox:
    {"referenced":["learn-01M7G83NR000000000000007VK"],"session":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd","unknown":[]}
    "#);
    let ran = run(&conversation, Speaker::Main, &format!("verger ref {learning} learn-gone"));
    assert_snapshot!(ran.output, @r#"
    no learning learn-gone is kept here; verger learn list shows the learnings in use
    ------- stderr -------
    verger: left to verger's hook: verger's data cannot be written from here
    ------- exit code 1 -------
    "#);
    assert_snapshot!(records(&conversation, &["learning.seen"]).join("\n"), @r#"
    learning.seen learn-01M7G83NR000000000000007VK used
    learning.seen learn-01M7G83NR000000000000007VK used
    "#);
}

#[test]
fn a_reviewer_decides_with_its_token_and_nobody_else_does() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    let token = conversation.start_reviewer("r1");
    let line = decision(&conversation, "complete 'read all of it'", "vrt_stolen");
    let refused = conversation.bash(reviewer("r1"), &line);
    assert_eq!(refused.word(), "deny", "{refused}");
    let forged = end(&conversation, reviewer("r1"), &line, ("t9", &left()));
    assert_snapshot!(forged, @r#"
    context: verger: the hook ran this outside of the sandbox, with exit code 1:
    verger rejected this decision: this token belongs to no reviewer of this task.
    Only the reviewer can decide. To get a review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    "#);
    let line = decision(&conversation, "complete 'read all of it'", &token);
    let ran = run(&conversation, reviewer("r1"), &line);
    assert_snapshot!(ran.output, @"
    left to verger's hook, for session f0357e9b: verger's data cannot be written from here
    if this was one plain command, the hook runs it after the call and tells you the result
    ");
    assert_snapshot!(ran.answer, @r#"
    context: verger: the hook ran this outside of the sandbox:
    decision recorded: complete, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    the agent may stop as long as the work stays as it is
    "#);
    assert_snapshot!(records(&conversation, KEPT).join("\n"), @"review.decided complete: read all of it");
    assert!(conversation.stop().is_silence());
}

#[test]
fn a_review_by_a_program_is_not_started_in_the_sandbox_and_not_by_the_hook() {
    let conversation = conversation();
    conversation.configure("review.reviewer = { command = [\"touch\", \"reviewed\"] }\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    let ran = run(&conversation, Speaker::Main, "verger review run");
    assert_snapshot!(ran.output, @r#"
    ------- stderr -------
    verger: cannot record a review: verger's data cannot be written from here
    hint: run `verger review run` outside of the sandbox; if you cannot, tell the person, who can run it in a terminal, or let it run outside
    ------- exit code 3 -------
    "#);
    assert!(ran.answer.is_silence());
    assert!(!conversation.environment.project().join("reviewed").exists());
}

#[test]
fn an_invalid_command_fails_in_the_sandbox_too() {
    let conversation = owing();
    let ran = run(&conversation, Speaker::Main, "verger observe ''");
    assert_snapshot!(ran.output, @r#"
    ------- stderr -------
    verger: the note is empty
    hint: give the note in at most 2000 characters
    ------- exit code 2 -------
    "#);
    assert!(ran.answer.is_silence());
    let ran = run(&conversation, Speaker::Main, "verger observe x --session 99");
    assert_snapshot!(ran.output, @r#"
    ------- stderr -------
    verger: no session begins with "99"
    hint: verger session list shows all sessions; the latest is f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    ------- exit code 2 -------
    "#);
    assert_eq!(records(&conversation, KEPT), [""; 0]);
}

/// The output of a command that left its work to the hook. An agent could also print this.
fn left() -> Output {
    let stdout = "left to verger's hook, for session x\n".to_owned();
    Output { stdout, stderr: String::new(), code: 0 }
}

/// Makes the client report that the line left its work to the hook, even if the line was never
/// requested or allowed.
#[track_caller]
fn forge(conversation: &Conversation, line: &str) -> HookAnswer {
    let id = conversation.next_tool_use();
    drop(conversation.bash(Speaker::Main, line).to_string());
    end(conversation, Speaker::Main, line, (&id, &left()))
}

#[test]
fn an_agent_that_forges_the_words_gains_nothing() {
    let conversation = owing();
    let other = "00000000-0000-4000-8000-000000000009";
    let silent = [
        "cat notes.txt",
        "verger init --yes",
        "verger config set learning.mode off",
        "verger trust --yes",
        "verger log clean --yes",
        "verger doctor --fix --yes",
        "verger release review",
        "verger skip --gate learning --gate review",
        "verger learn archive --unused --yes",
        "verger uninstall --yes",
        "verger hook claude Stop",
        "verger review run",
        "verger status",
    ];
    for line in silent {
        assert!(forge(&conversation, line).is_silence(), "{line}");
    }
    let told = [
        "/tmp/verger observe x".to_owned(),
        "./verger observe x".to_owned(),
        "PATH=. verger observe x".to_owned(),
        "VERGER_HOME=/tmp/x verger observe x".to_owned(),
        "verger observe x; touch gained".to_owned(),
        "verger observe \"$(touch gained)\"".to_owned(),
        "verger reflect < /etc/passwd".to_owned(),
        format!("verger observe x --session {other}"),
    ];
    for line in told {
        let answer = forge(&conversation, &line);
        let context = answer.context.unwrap_or_default();
        assert!(context.starts_with("verger: not recorded: "), "{line}: {context}");
    }
    // The hook passes these arguments on unchanged, and the command itself refuses them.
    let refused = [
        ("verger observe x --config /tmp/x", "unexpected argument '--config'"),
        ("verger observe x '; touch gained'", "unexpected argument"),
        ("verger observe x --yes", "unexpected argument '--yes'"),
    ];
    for (line, why) in refused {
        let context = forge(&conversation, line).context.unwrap_or_default();
        assert!(context.contains(", with exit code 2:") && context.contains(why), "{context}");
    }
    // A reflection that names another session still applies to this one.
    let elsewhere = json!({ "session": other, "candidates": [] }).to_string();
    let context = forge(&conversation, &reflect(&elsewhere)).context.unwrap_or_default();
    assert!(context.contains(conversation.session()), "{context}");
    assert!(!conversation.environment.project().join("gained").exists());
    assert_eq!(records(&conversation, &["observation.", "gate.released"]), [""; 0]);
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_command_that_did_it_itself_is_not_done_again_whatever_is_printed() {
    let conversation = owing();
    let line = "verger observe 'left to verger'\\''s hook'";
    let id = ask(&conversation, Speaker::Main, line);
    let mut command = conversation.environment.command("bash");
    command.args(["-c", &format!("{line} --session {}", conversation.session())]);
    command.env("CLAUDECODE", "1").envs(conversation.next_moment());
    assert!(conversation.environment.run_command(command, "").is_success());
    let answer = end(&conversation, Speaker::Main, line, (&id, &left()));
    assert_snapshot!(answer, @"context: verger: the log already has this record; nothing was recorded again.");
    assert_eq!(records(&conversation, KEPT).len(), 1);
}

#[test]
fn where_the_user_keeps_skipping_no_sandbox_changes_that() {
    let conversation = owing();
    conversation.configure("learning.auto_skip_decider = 'never'\n");
    let line = "verger skip --gate learning";
    let id = conversation.next_tool_use();
    assert_eq!(conversation.bash(Speaker::Main, line).word(), "deny");
    assert_eq!(sandboxed(&conversation, line).code, 4);
    assert!(end(&conversation, Speaker::Main, line, (&id, &left())).is_silence());
    assert_eq!(records(&conversation, KEPT), [""; 0]);
}

/// Runs a line as the files' owner without root's capabilities, in a data directory with this mode.
#[track_caller]
fn without_rights(conversation: &Conversation, mode: u32, line: &str) -> Output {
    let environment = &conversation.environment;
    let data = environment.verger_home().join("data");
    fs::set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    let mut command = environment.command("bwrap");
    command.args(["--dev-bind", "/", "/", "--unshare-user", "--uid", "1000", "--gid", "1000"]);
    command.args(["--cap-drop", "ALL", "--", "bash", "-c", line]).env("CLAUDECODE", "1");
    command.env("CLAUDE_CODE_SESSION_ID", conversation.session());
    let output = environment.run_command(command, "");
    fs::set_permissions(&data, Permissions::from_mode(0o700)).unwrap();
    output
}

#[test]
fn where_rights_are_missing_it_is_the_same() {
    let conversation = owing();
    let line = "verger observe 'rights are missing'";
    let id = ask(&conversation, Speaker::Main, line);
    let output = without_rights(&conversation, 0o500, line);
    assert!(output.is_success() && output.stdout.starts_with("left to verger's hook"), "{output}");
    let output = without_rights(&conversation, 0o000, line);
    assert_snapshot!(output, @r#"
    ------- stderr -------
    verger: left to verger's hook: verger's data cannot be written from here
    verger: cannot open $ENV/home/.verger/data: Permission denied (os error 13)
    hint: ls -ld $ENV/home/.verger/data
    ------- exit code 3 -------
    "#);
    assert_snapshot!(end(&conversation, Speaker::Main, line, (&id, &output)), @r#"
    context: verger: the hook ran this outside of the sandbox:
    noted, for session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    the agent is shown this note when a reflection is due
    "#);
    let other = without_rights(&conversation, 0o000, "verger session list");
    assert!(
        other.code == 3 && !other.stderr.contains("hook"),
        "what keeps nothing is not left: {other}"
    );
}

#[test]
fn a_person_is_told_that_nothing_can_be_written() {
    let conversation = owing();
    let mut command = conversation.environment.sandboxed("verger observe x");
    command.env_remove("CLAUDECODE").env("CLAUDE_CODE_SESSION_ID", conversation.session());
    let output = conversation.environment.run_command(command, "");
    assert_eq!(output.code, 3, "{output}");
    assert!(output.stderr.contains("Read-only file system"), "{output}");
}

#[test]
fn an_ordinary_call_that_shows_the_words_is_nothing() {
    let conversation = owing();
    let responses: [Value; 3] =
        [json!("left to verger's hook"), json!({ "stdout": 7 }), json!(["left to verger's hook"])];
    for response in responses {
        let id = conversation.next_tool_use();
        let input = json!({ "command": "grep -r verger docs", "description": "x" });
        let changes =
            [("tool_input", input), ("tool_use_id", json!(id)), ("tool_response", response)];
        assert!(conversation.call("PostToolUse-Bash", &changes).is_silence());
    }
}
