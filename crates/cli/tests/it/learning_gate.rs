//! The learning gate in the output of commands: `skip`, `status`, `context` and `why`.

use verger_testkit::{Output, TerminalSize};

use crate::recorded::Recorded;

const SKIP: &[&str] = &["skip", "--gate", "learning", "--session", "1111"];

/// The session "1111", which closed a ticket and whose stop was refused.
fn owing() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.event("1111", "UserPromptSubmit", r#""prompt_id":"p1","prompt":"do bd-1""#);
    let call = r#""prompt_id":"p1","tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"bd close bd-1"}"#;
    recorded.event("1111", "PreToolUse", call);
    recorded.event("1111", "PostToolUse", &format!(r#"{call},"tool_response":{{"stdout":""}}"#));
    let refused = recorded.answered("1111", "Stop", r#""prompt_id":"p1""#);
    assert!(refused.contains("verger reflect --session 1111"), "{refused}");
    recorded
}

/// Runs `verger` as a program that an agent started.
fn by_agent(recorded: &Recorded, arguments: &[&str]) -> Output {
    let program = format!("#!/bin/sh\n{} \"$@\"\n", env!("CARGO_BIN_EXE_verger"));
    let agent = recorded.environment.write_program("bin/claude", program);
    recorded.environment.run(agent, arguments.iter().copied(), "")
}

fn keep_skipping(recorded: &Recorded) {
    let file = recorded.environment.verger_home().join("config/config.toml");
    recorded.environment.write(file, "learning.auto_skip_decider = 'never'\n");
}

#[test]
fn an_agent_says_itself_that_there_is_nothing_to_write_down() {
    let mut recorded = owing();
    let before = recorded.kinds_after(0).lines().count();
    let skip = [SKIP, &["--reason", "a typo"]].concat();
    insta::assert_snapshot!(by_agent(&recorded, &skip), @r#"
    released: the learning gate of session 1111, which was blocked
    the agent may stop now; verger status shows the state of its gates
    "#);
    insta::assert_snapshot!(recorded.kinds_after(before), @r#"
    gate.changed             learning: blocked -> skipped, skipped by agent
    gate.released            learning by agent
    "#);
    insta::assert_snapshot!(recorded.environment.read(".verger/stats.log"), @r#"{"at":1794767966000,"by":"agent","event":"skip","files":["bin/claude"],"id":"01M7G83KSG00000000000000FM","lines":2,"reason":"a typo","session":"1111","tickets":["bd-1"],"v":1}"#);
    insta::assert_snapshot!(by_agent(&recorded, &[SKIP, &["--json"]].concat()), @r#"{"gate":"learning","released":false,"session":"1111","was":"skipped"}"#);
    recorded.event("1111", "Stop", r#""prompt_id":"p1""#);
}

#[test]
fn where_the_user_keeps_skipping_it_is_a_persons() {
    let recorded = owing();
    keep_skipping(&recorded);
    let before = recorded.kinds_after(0);
    let refused = by_agent(&recorded, SKIP);
    assert_eq!(refused.code, 4, "{refused}");
    assert!(refused.stderr.contains("Claude Code"), "{refused}");
    let script = ["--wait", env!("CARGO_BIN_EXE_verger")].into_iter().chain(SKIP.iter().copied());
    insta::assert_snapshot!(recorded.environment.run("setsid", script, ""), @r#"
    ------- stderr -------
    verger: only a person at a terminal may run `verger skip --gate learning`
    hint: run it in a terminal
    ------- exit code 4 -------
    "#);
    assert_eq!(recorded.kinds_after(0), before);
    insta::assert_snapshot!(recorded.at_terminal(SKIP, TerminalSize::USUAL), @r#"
    released: the learning gate of session 1111, which was blocked
    the agent may stop now; verger status shows the state of its gates
    "#);
}

#[test]
fn a_persons_skip_is_kept_as_one() {
    let recorded = owing();
    let output = recorded.at_terminal(SKIP, TerminalSize::USUAL);
    assert_eq!(output.code, 0, "{output}");
    let last = recorded.kinds_after(0);
    assert!(last.ends_with("gate.released            learning by person"), "{last}");
}

#[test]
fn a_person_releases_it_like_any_other_gate() {
    let recorded = owing();
    let release = ["release", "learning", "--session", "1111"];
    let refused = by_agent(&recorded, &release);
    assert_eq!(refused.code, 4, "{refused}");
    insta::assert_snapshot!(recorded.at_terminal(&release, TerminalSize::USUAL), @"
    released: the learning gate of session 1111, which was blocked
    the agent may stop now; verger status shows the state of its gates
    ");
    let last = recorded.kinds_after(0);
    assert!(last.ends_with("gate.released            learning by person"), "{last}");
}

#[test]
fn how_the_gate_stands_is_shown() {
    let recorded = owing();
    let shown = recorded.verger(&["status"]).success().stdout;
    let rows: Vec<_> = shown.lines().filter(|line| line.contains("learning")).collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
      learning    reflection required: beads bd-1 was closed, 1 stop refused
      release     verger release learning --session 1111
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    "#);
    let json = recorded.verger(&["status", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["live_sessions"][0]["learning"], @r#"{"changed":null,"closed":[{"id":"bd-1","system":"beads"}],"learnings_surfaced":[],"offers":[],"refusal":null,"release":"verger release learning --session 1111","since_ms":1794767964000,"state":"blocked","stops_refused":1,"system":null,"ticket":null}"#);
    let shown = recorded.verger(&["context", "--session", "1111"]).success().stdout;
    let row = shown.lines().find(|line| line.starts_with("learning gate")).unwrap();
    insta::assert_snapshot!(row, @"learning gate  blocked: reflection required: beads bd-1 was closed, 1 stop refused");
}

#[test]
fn why_a_stop_was_refused_is_told() {
    let recorded = owing();
    insta::assert_snapshot!(recorded.verger(&["why", "--last", "--session", "1111"]), @r#"
    Held: beads bd-1 was closed; refusal 1 of 3.

    event        stop.requested at 1111:10
    id           01M7G83KSG00000000000000FM
    when         2026-11-15 18:39:26
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what
    gate         learning: pending -> blocked
      cause      stop refused, number 1
    answer       deny: verger: do not stop yet: beads bd-1 was closed, and you have not written down what you learned from this work.
                 Run this one command, with your own learnings in place of the example. Keep the here-document quoted.

                 verger reflect --session 1111 <<'END'
                 {"candidates":[{"category":"pitfall","criteria":["behavior_changing","stable_fact"],"detail":"The idempotency key is made inside the retry loop, so every attempt has another one. Make it once, before the loop, and pass it to save().","files":["src/orders/service.ts"],"scope":"project","summary":"Retrying OrderService.save doubles the row","symbols":["OrderService.save"],"tags":["retry","orders"]}]}
                 END

                 Write down what the next session should know and cannot see in the code: one to five candidates.
                 category: pattern, pitfall, convention, dependency, process, domain or debugging. scope: project, team, personal or ephemeral. criteria: behavior_changing, decision_rationale, stable_fact or explicit_request. summary: 10 to 200 characters; detail: 20 to 2000, and not the summary again; 1 to 10 tags. Optional: files, symbols, supersedes; `used` names learnings that helped you.
                 Little changed (nothing), so you decide, and you are asked only once. If you learned nothing, run this instead: verger skip --gate learning --session 1111 --reason "why there is nothing to learn"
    told person  verger: the agent wanted to stop; it must first write down what it learned (beads bd-1 was closed; refusal 1 of 3). To let it stop without a reflection, run in your own terminal: verger release learning --session 1111
    learning     said so
      rule       beads bd-1 was closed
      fact       refusal = 1 of 3
      fact       changed = nothing
      setting    learning.mode = "on" (default)
      setting    learning.auto_skip_lines = 5 (default)
      setting    learning.auto_skip_decider = "agent" (default)
      setting    gates.max_blocks = 3 (default)
      setting    gates.cooldown_seconds = 300 (default)
    "#);
}
