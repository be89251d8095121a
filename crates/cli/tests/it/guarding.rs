//! The guard's mode is part of the hook registration. A change of the mode updates the
//! registration.

use std::fs;

use serde_json::{Value, json};
use verger_testkit::Output;

use crate::household::Household;

#[track_caller]
fn done(output: Output) {
    drop(output.success());
}

fn mode(household: &Household, mode: &str) -> Output {
    household.verger(&["config", "set", "guard.mode", mode, "--yes"])
}

/// The plugin's hook for an event.
fn plugin_hook(household: &Household, event: &str) -> Value {
    let path = household.data().join("marketplace/plugin/hooks/hooks.json");
    let hooks: Value = serde_json::from_str(&household.environment.read(path)).unwrap();
    hooks["hooks"][event][0]["hooks"][0].clone()
}

fn local_hook(household: &Household, event: &str) -> Value {
    let text = household.environment.read(household.local_settings());
    let settings: Value = serde_json::from_str(&text).unwrap();
    settings["hooks"][event][0]["hooks"][0].clone()
}

#[test]
fn the_plugin_is_registered_as_the_guard_is_set_and_back_again() {
    let household = Household::new();
    done(household.init(&[]));
    let watching = plugin_hook(&household, "PreToolUse");
    assert_eq!(watching["args"], json!(["claude", "PreToolUse", "plugin"]));
    insta::assert_snapshot!(mode(&household, "enforce"), @r#"
    updated verger's hooks in $ENV/home/.local/share/verger/marketplace
    sessions that already run keep the earlier hooks until they restart
    guard.mode is set in $ENV/home/.config/verger/config.toml
    effective value: "enforce", from $ENV/home/.config/verger/config.toml:2
    "#);
    let enforcing = plugin_hook(&household, "PreToolUse");
    assert_eq!(enforcing["args"], json!(["claude", "PreToolUse", "plugin", "enforce"]));
    assert_eq!(enforcing["onFailure"], "block");
    let asked = plugin_hook(&household, "PermissionRequest");
    assert_eq!(asked["args"][3], "enforce");
    assert_eq!(plugin_hook(&household, "Stop").get("onFailure"), None);
    done(household.init(&[]));
    assert_eq!(plugin_hook(&household, "PreToolUse"), enforcing, "init keeps it");
    done(mode(&household, "observe"));
    assert_eq!(plugin_hook(&household, "PreToolUse"), watching);
    done(mode(&household, "enforce"));
    done(household.verger(&["config", "unset", "guard.mode", "--yes"]));
    assert_eq!(plugin_hook(&household, "PreToolUse"), watching);
}

#[test]
fn hooks_that_only_this_user_has_follow_too_and_shared_ones_do_not() {
    let household = Household::new();
    done(household.init(&["--local"]));
    let watching = local_hook(&household, "PreToolUse");
    done(mode(&household, "enforce"));
    let enforcing = local_hook(&household, "PreToolUse");
    assert_eq!(enforcing["onFailure"], "block");
    assert!(enforcing["command"].as_str().unwrap().ends_with(" claude PreToolUse enforce"));
    done(mode(&household, "off"));
    assert_eq!(local_hook(&household, "PreToolUse"), watching);
    done(household.uninstall(&[]));
    done(mode(&household, "enforce"));
    done(household.init(&["--project"]));
    let shared = household.environment.read(household.project_settings());
    assert!(!shared.contains("onFailure") && !shared.contains("enforce"), "{shared}");
}

#[test]
fn without_its_program_an_enforcing_hook_refuses_and_any_other_is_silent() {
    let household = Household::new();
    done(household.init(&[]));
    done(mode(&household, "enforce"));
    fs::remove_file(household.data().join("bin/verger-hook")).unwrap();
    let launch = household.data().join("marketplace/plugin/hooks/launch");
    let run = |words: &[&str]| household.environment.run(&launch, words, "{}").success();
    insta::assert_snapshot!(run(&["claude", "PreToolUse", "plugin", "enforce"]), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"verger: this did not run: verger guards this agent, and its hook program is missing. Tell the person."},"systemMessage":"The hook program of verger is missing, so every tool call is denied while the guard is enforced. Run `verger doctor --fix` where verger is installed. In a container: install verger in it, or run `verger config set guard.mode observe` outside of it."}"#);
    insta::assert_snapshot!(run(&["claude", "PermissionRequest", "plugin", "enforce"]), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"verger: this did not run: verger guards this agent, and its hook program is missing. Tell the person."}},"systemMessage":"The hook program of verger is missing, so every tool call is denied while the guard is enforced. Run `verger doctor --fix` where verger is installed. In a container: install verger in it, or run `verger config set guard.mode observe` outside of it."}"#);
    assert_eq!(run(&["claude", "PreToolUse", "plugin"]).to_string(), "");
    assert_eq!(run(&["claude", "Stop", "plugin", "enforce"]).to_string(), "");
}

#[test]
fn a_hook_in_settings_refuses_in_the_same_words() {
    let household = Household::new();
    done(household.init(&["--local"]));
    done(mode(&household, "enforce"));
    fs::remove_file(household.data().join("bin/verger-hook")).unwrap();
    let hook = local_hook(&household, "PreToolUse");
    let line = hook["command"].as_str().unwrap();
    let answer = household.environment.run("sh", ["-c", line], "{}").success().stdout;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(answer["systemMessage"].as_str().unwrap().contains("verger doctor --fix"));
}

#[test]
fn doctor_says_when_the_registration_is_another_and_mends_it() {
    let household = Household::new();
    done(household.init(&[]));
    let config = household.environment.home().join(".config/verger/config.toml");
    household.environment.write(config, "[guard]\nmode = \"enforce\"\n");
    let guard = |arguments: &[&str]| {
        let output = household.verger(arguments).stdout;
        let lines = output.lines().filter(|line| line.contains("guard"));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(guard(&["doctor"]), @"problem  guard             guard.mode is enforce, but the registered hooks let a call run when the hook fails");
    insta::assert_snapshot!(guard(&["doctor", "--fix", "--yes"]), @r#"
    fixed    registered again, to match guard.mode
    fine     guard             guard.mode is enforce, and a call is denied if the hook fails (onFailure); Claude Code 2.1.197 ignores onFailure: there, a call runs if the program that starts the hook is missing or killed
    "#);
    assert_eq!(plugin_hook(&household, "PreToolUse")["onFailure"], "block");
    fs::remove_file(household.data().join("bin/verger-hook")).unwrap();
    insta::assert_snapshot!(guard(&["doctor"]), @r#"
    fine     guard             guard.mode is enforce, and a call is denied if the hook fails (onFailure); Claude Code 2.1.197 ignores onFailure: there, a call runs if the program that starts the hook is missing or killed
    problem  guard             every tool call of the agent is denied: guard.mode is enforce, and the hook program is missing
                               verger doctor --fix; in a container: install verger in it, or run outside of it: verger config set guard.mode observe, or turn the plugin off in the agent
    "#);
}
