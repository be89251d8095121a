//! The commands with which people see and open the verification gate: `status`, `session show`,
//! `why`, `session trace` and `release verify`.

use verger_testkit::{Output, TerminalSize};

use crate::recorded::Recorded;
use crate::reviewed::Reviewed;

/// A session with the gate on. Its agent claimed that it is done, and the stop was refused.
fn held() -> Reviewed {
    let mut held = Reviewed::prompted("fix it");
    let config = held.environment.verger_home().join("config/config.toml");
    held.environment.write(config, "[verification]\nmode = \"claims\"\n");
    held.write("parser.rs", "fn parse() {}\n");
    let told = held.stop();
    assert!(told.contains("verger verify --session 1111 --depth quick"), "{told}");
    held
}

fn by_person(recorded: &Recorded, arguments: &[&str]) -> Output {
    recorded.at_terminal(&[&["release"], arguments].concat(), TerminalSize::USUAL)
}

/// The rows of a table about the gate.
fn rows(output: &Output) -> String {
    let is_of_gate = |line: &&str| line.contains("verif") || line.contains("release  ");
    output.stdout.lines().filter(is_of_gate).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_person_sees_that_an_agent_is_held_and_how_to_let_it_go() {
    let held = held();
    let status = held.at_terminal(&["status"], TerminalSize::USUAL);
    insta::assert_snapshot!(rows(&status), @r#"
      verification  quick verification required (the agent said "done"), 1 stop
      release       verger release verify --session 1111
    verification    on, verification.mode = "claims"
    "#);
    insta::assert_snapshot!(rows(&held.verger(&["session", "show", "1111"])), @r#"verification gate  blocked: quick verification required (the agent said "done"), 1 stop refused"#);
    insta::assert_snapshot!(held.verger(&["why", "--last", "--session", "1111"]), @r#"
    Held: this work was not verified yet; refusal 1 of 3.

    event         stop.requested at 1111:5
    id            01M7G83JT800000000000000CG
    when          2026-11-15 18:39:25
    session       1111 of claude
    directory     $ENV/home/project
    who           the agent
    what          Done.
    gate          verification: idle -> blocked
      cause       stop refused, number 1
    answer        deny: verger: do not stop yet: this work was not verified yet. You are asked because you said "done".
                  What is left, in order:
                  1. Tell the person: this project is not trusted, so only they can allow its checks. They run `verger trust` in $ENV/home/project, in their own terminal. If they don't answer, stop again: the work is then recorded as unverified.
                  2. Run `verger verify --session 1111 --depth quick`. It runs the checks of this project, changes nothing, and may take a while; if it says that it is still running, run the same command again. Fix what it finds and run it again.
                  3. When it passes, stop again. If the work changes afterwards, it has to be verified again.
                  A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    told person   verger: the agent wanted to stop; this work was not verified yet (the agent said "done"). This project is not trusted, so the agent may not run its checks on its own. Run `verger trust` in $ENV/home/project to allow them; otherwise its next stop is allowed and recorded as unverified.
    verification  said so
      rule        this work was not verified yet
      fact        asked because = the agent said "done"
      fact        depth = quick
      fact        content = 9f0963edd9a1a5efb01158cd98ff46d85f060afe9d269d6ddfddb3b0eaa5c265
      fact        refusal = 1 of 3
      setting     verification.mode = "claims" ($ENV/home/.verger/config/config.toml:2)
      setting     verification.depth = "quick" (default)
      setting     gates.max_blocks = 3 (default)
      setting     gates.cooldown_seconds = 300 (default)
    "#);
    insta::assert_snapshot!(held.kinds_after(4), @r#"
    stop.requested           Done.
    gate.changed             verification: idle -> blocked, stop refused, number 1
    verdict.given            deny: verger: do not stop yet: this work was not verified yet. You are asked because you said "done"…
    "#);
}

#[test]
fn a_person_opens_the_gate() {
    let mut held = held();
    insta::assert_snapshot!(by_person(&held, &["verify", "--reason", "it is late"]), @r#"
    released: the verification gate of session 1111, which was blocked
    the agent may stop now; verger status shows the state of its gates
    "#);
    assert_eq!(held.stop(), "", "the agent may go");
    let after = held.verger(&["status", "--json"]).success().stdout;
    assert!(after.contains(r#""state":"released""#), "{after}");
    let held = Reviewed::prompted("fix it");
    insta::assert_snapshot!(by_person(&held, &["verify"]), @"nothing to release: the verification gate of session 1111 is idle");
}

#[test]
fn agents_and_scripts_are_refused() {
    let held = held();
    let verger = env!("CARGO_BIN_EXE_verger");
    let skip = ["release", "verify"];
    let script = ["--wait", verger].into_iter().chain(skip);
    let by_script = held.environment.run("setsid", script, "");
    assert_eq!(by_script.code, 4, "{by_script}");
    let program = format!("#!/bin/sh\n{verger} \"$@\"\n");
    let agent = held.environment.write_program("bin/claude", program);
    let mut command = held.environment.command(&agent);
    command.args(skip);
    let by_agent = held.environment.run_on_terminal(command, TerminalSize::USUAL);
    assert_eq!(by_agent.code, 4, "{by_agent}");
    let mut command = held.environment.command(agent);
    command.args(["status", "--json"]);
    let seen = held.environment.run_command(command, "").success().stdout;
    assert!(!seen.contains("verger release"), "an agent is not told how: {seen}");
}
