//! Tests guard rules of the user and of a project in the hook.

use verger_event::{Event, Sent, Triage};
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::{ENFORCE, begun, judged, kept};
use crate::log::Log;

fn rule(name: &str, verdict: &str, command: &str, more: &str) -> String {
    format!(
        "[[rule]]\nname = \"{name}\"\nverdict = \"{verdict}\"\ncommand = \"{command}\"\n\
         match = [\"{command}\"]\n{more}\n"
    )
}

fn write_rules(conversation: &Conversation, rules: &str) {
    let file = conversation.environment.verger_home().join("config/guard.toml");
    conversation.environment.write(file, rules);
}

fn said(conversation: &Conversation, line: &str) -> String {
    conversation.bash(Speaker::Main, line).verdict.map(|(word, _)| word).unwrap_or_default()
}

#[test]
fn a_users_rules_count_and_a_projects_only_tighten() {
    let conversation = begun(ENFORCE);
    write_rules(
        &conversation,
        &[
            rule("frob-it", "allow", "frob", "operands = \"files\""),
            rule("no-blob", "deny", "blob", ""),
            rule("drop-work", "allow", "git reset", "options = \"--hard\""),
        ]
        .concat(),
    );
    let project =
        [rule("no-frob-x", "deny", "frob", "with = \"x\""), rule("a", "allow", "quux", "")];
    conversation.environment.write(".verger/guard.toml", project.concat());
    for (line, expected) in [
        ("frob y", "allow"),
        ("frob x", "deny"),
        ("blob", "deny"),
        ("quux", ""),
        ("git reset --hard", "allow"),
        ("rm -rf ~", "deny"),
    ] {
        assert_eq!(said(&conversation, line), expected, "{line}");
    }
}

#[test]
fn a_rule_with_a_typo_is_told_when_a_session_starts_and_the_floor_holds() {
    let conversation = begun(ENFORCE);
    let rules = [rule("a", "allow", "rm", "optoins = \"*\""), rule("b", "deny", "blob", "")];
    write_rules(&conversation, &rules.concat());
    assert_eq!(said(&conversation, "rm -rf /"), "deny");
    assert_eq!(said(&conversation, "blob"), "deny");
    assert_eq!(conversation.call("SessionStart-startup", &[]), HookAnswer::default());
    let warned: Vec<_> = Log::of(&conversation.environment)
        .all()
        .into_iter()
        .filter_map(|record| match record.draft.event {
            Event::Warned { area, message } => Some(format!("{area}: {message}")),
            _ => None,
        })
        .collect();
    let warned = conversation.environment.normalise(&warned.join("\n"));
    insta::assert_snapshot!(warned, @r#"guard rules: $ENV/home/.verger/config/guard.toml:6:1: rule "a" is ignored: unknown key "optoins"; did you mean "options"?"#);
}

#[test]
fn ten_thousand_rules_are_judged_by_in_time() {
    let conversation = begun(ENFORCE);
    let rules: Vec<_> =
        (0..10_000).map(|n| rule(&format!("r{n}"), "deny", &format!("tool{n}"), "")).collect();
    write_rules(&conversation, &rules.concat());
    assert_eq!(said(&conversation, "tool9999 && ls"), "deny");
    assert_eq!(judged(&conversation), [kept(Triage::Deny, "r9999", "enforce", Sent::Deny)]);
}
