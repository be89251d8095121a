//! `verger doctor agents`.

use serde_json::{Value, json};

use crate::recorded::Recorded;

/// A home in which no agent's program is on the `PATH`.
fn without_agents() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("PATH", "/usr/bin:/bin");
    recorded
}

/// The findings of a check of `verger doctor`.
fn checks(recorded: &Recorded, name: &str) -> Vec<Value> {
    let output = recorded.verger(&["doctor", "--json"]);
    let text = recorded.environment.normalise(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    checks.filter(|check| check["check"] == name).cloned().collect()
}

#[test]
fn every_agent_is_shown_with_its_coverage_and_what_the_guard_tells_it() {
    let recorded = without_agents();
    insta::assert_snapshot!(recorded.verger(&["doctor", "agents"]));
}

#[test]
fn in_a_narrow_terminal_each_agent_has_its_own_table() {
    let mut recorded = without_agents();
    recorded.environment.set("COLUMNS", "70");
    let output = recorded.verger(&["doctor", "agents"]).success().stdout;
    let begin: Vec<_> = output.lines().skip_while(|line| *line != "Codex").take(6).collect();
    insta::assert_snapshot!(begin.join("\n"), @"
    Codex
      recording            enforced*
      guard of commands    enforced*
      permission requests  enforced*
      undo points          enforced*
      review gate (stop)   enforced*
    ");
}

#[test]
fn programs_learn_the_coverage_of_each_policy() {
    let recorded = without_agents();
    let output = recorded.verger(&["doctor", "agents", "--json"]).success();
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["found"], json!([]));
    let gemini = &json["agents"][2];
    let delegation = &gemini["coverage"][12];
    insta::assert_snapshot!(json!([gemini["name"], gemini["tested_versions"], delegation]), @r#"["gemini",[{"date":"2026-11-18","version":"0.61.0"}],{"coverage":"impossible","exceptions":[],"policy":"delegation (roles)","reason":"no event tells a subagent's calls from the main agent's, so verger doesn't count calls here","tested":true}]"#);
}

#[test]
fn an_agent_here_is_shown_with_its_version_and_the_gaps_of_its_coverage() {
    let mut recorded = without_agents();
    let programs = recorded.environment.root().join("agents");
    for (program, version) in [("gemini", "0.61.0"), ("codex", "codex-cli 9.9.9")] {
        let text = format!("#!/bin/sh\necho {version}\n");
        recorded.environment.write_program(programs.join(program), text);
    }
    let path = format!("{}:/usr/bin:/bin", programs.display());
    recorded.environment.set("PATH", path);
    let config = recorded.environment.verger_home().join("config/config.toml");
    recorded.environment.write(config, "[delegation]\nmode = \"warn\"\n");
    let hooks = r#"{"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "verger-hook gemini AfterAgent"}]}]}}"#;
    recorded.environment.write(recorded.environment.home().join(".gemini/settings.json"), hooks);
    let output = recorded.verger(&["doctor", "agents"]).success().stdout;
    let found: Vec<_> = output.lines().take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
    Codex       version 9.9.9, not tested; not registered: verger init --agent codex
    Gemini CLI  version 0.61.0, tested; registered in ~/.gemini/settings.json; delegation.mode = "warn", but Gemini CLI doesn't support "delegation (roles)" (impossible): no event tells a subagent's calls from the main agent's, so verger doesn't count calls here
    "#);
    let what = concat!(
        r#"delegation.mode = "warn", but Gemini CLI doesn't support "delegation (roles)" "#,
        "(impossible): no event tells a subagent's calls from the main agent's, so verger doesn't ",
        "count calls here"
    );
    let expected = [json!({ "check": "coverage", "finding": "note", "what": what })];
    assert_eq!(checks(&recorded, "coverage"), expected);
}

#[test]
fn hooks_that_the_person_did_not_trust_are_a_problem() {
    let recorded = without_agents();
    let environment = &recorded.environment;
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "verger-hook codex Stop"}]}]}}"#;
    let file = environment.write(environment.home().join(".codex/hooks.json"), hooks);
    let found = checks(&recorded, "consent");
    insta::assert_snapshot!(json!(found), @r#"[{"check":"consent","finding":"problem","fixable":false,"help":"start codex, type /hooks and trust verger's hooks","what":"Codex runs none of verger's hooks: they are not trusted yet","where":"$ENV/home/.codex/config.toml"}]"#);
    let entry = format!("[hooks.state.\"{}:stop:0:0\"]\ntrusted_hash = \"x\"\n", file.display());
    environment.write(environment.home().join(".codex/config.toml"), entry);
    let what = "Codex: 1 hook is in its list of trusted hooks";
    let expected = [json!({ "check": "consent", "finding": "fine", "what": what })];
    assert_eq!(checks(&recorded, "consent"), expected);
}

#[test]
fn a_repair_and_a_look_at_the_agents_do_not_go_together() {
    let recorded = Recorded::nothing();
    for arguments in [&["doctor", "--fix", "agents"][..], &["doctor", "agents", "--fix"]] {
        assert_eq!(recorded.verger(arguments).code, 2, "{arguments:?}");
    }
}
