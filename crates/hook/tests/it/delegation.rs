//! Tests the delegation gate in the hook: which agents and calls it counts, and its answers.

use std::os::unix::fs::symlink;

use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::{conversation, news, warnings};

const ENFORCE: &str = "[delegation]\nmode = \"enforce\"\n";
const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general" };

#[track_caller]
fn begun(settings: &str, role: Option<&str>) -> Conversation {
    let mut conversation = conversation();
    if let Some(role) = role {
        conversation.environment.set("AGENT_ROLE", role);
    }
    conversation.configure(settings);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

#[track_caller]
fn edit(conversation: &Conversation, speaker: Speaker<'_>, path: &str) -> HookAnswer {
    let path = conversation.environment.project().join(path);
    let input = json!({ "file_path": path, "old_string": "a", "new_string": "b" });
    conversation.tool(speaker, "Edit", &input)
}

/// The answers to several calls, as one word each.
#[track_caller]
fn said(answers: impl IntoIterator<Item = HookAnswer>) -> String {
    let word = |answer: HookAnswer| match (answer.verdict, answer.context) {
        (Some((word, _)), _) => word,
        (None, Some(_)) => "told".to_owned(),
        (None, None) => "-".to_owned(),
    };
    answers.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn edits(conversation: &Conversation, path: &str, times: usize) -> String {
    said((0..times).map(|_| edit(conversation, Speaker::Main, path)))
}

#[test]
fn the_fifth_edit_of_a_conductor_is_denied_and_its_subagents_are_not() {
    let conversation = begun(ENFORCE, Some("conductor"));
    assert_eq!(edits(&conversation, "src/a.rs", 2), "- -");
    insta::assert_snapshot!(edit(&conversation, Speaker::Main, "src/a.rs"), @"context: verger: you are the conductor here: you plan and delegate, and others do the work. This is use 3 of a work tool in 10 minutes; use 5 is denied. Give the rest to a subagent that you start: describe the work, its files, and how to check that it is done. Delegating resets the count.");
    assert_eq!(edits(&conversation, "src/a.rs", 1), "told");
    insta::assert_snapshot!(edit(&conversation, Speaker::Main, "src/a.rs"), @r#"
    deny: verger: this did not run: you are the conductor here, and this is use 5 of a work tool in 10 minutes without delegating. Give the work to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.
    notice: verger denied a tool call of the conductor, who should delegate. `verger why --last` explains it and names the settings.
    "#);
    assert_eq!(edits(&conversation, "src/a.rs", 2), "deny deny");
    assert_eq!(conversation.start_subagent("a1", "general"), HookAnswer::default());
    let by_subagent = (0..6).map(|_| edit(&conversation, SUBAGENT, "src/a.rs"));
    assert_eq!(said(by_subagent), "- - - - - -");
    assert_eq!(edits(&conversation, "src/a.rs", 5), "- - told told deny");
    conversation.pass_seconds(600);
    assert_eq!(edits(&conversation, "src/a.rs", 1), "-");
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn counted_calls_are_in_the_log() {
    let conversation = begun("[delegation]\nmode = \"enforce\"\ndeny_at = 2\n", Some("conductor"));
    assert_eq!(edits(&conversation, "src/a.rs", 2), "- deny");
    insta::assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main gate.changed delegation 0 of 2 -> 1 of 2: Edit $ENV/home/project/src/a.rs
    main verdict.given deny by delegation
    "#);
}

#[test]
fn a_role_is_said_by_settings_then_the_environment_then_the_marker() {
    let at_once = "[delegation]\nmode = \"enforce\"\ndeny_at = 1\nmarker = \".conductor\"\n";
    for (role, variable, marker, expected) in [
        (None, None, false, "-"),
        (None, None, true, "deny"),
        (None, Some("conductor"), false, "deny"),
        (None, Some("Section-Leader"), false, "deny"),
        (None, Some("musician"), true, "-"),
        (None, Some("something else"), true, "deny"),
        (None, Some("something else"), false, "-"),
        (Some("conductor"), Some("musician"), false, "deny"),
        (Some("musician"), Some("conductor"), true, "-"),
    ] {
        let role = role.map(|role| format!("role = \"{role}\"\n")).unwrap_or_default();
        let conversation = begun(&format!("{at_once}{role}"), variable);
        if marker {
            conversation.environment.write(".conductor", "");
        }
        let case = format!("{role} {variable:?} {marker}");
        assert_eq!(edits(&conversation, "src/a.rs", 1), expected, "{case}");
        assert_eq!(said([edit(&conversation, SUBAGENT, "src/a.rs")]), "-", "{case}");
    }
}

#[test]
fn a_conductor_stays_one_when_the_marker_is_removed() {
    let settings = "[delegation]\nmode = \"enforce\"\ndeny_at = 2\nmarker = \".conductor\"\n";
    let conversation = begun(settings, None);
    conversation.environment.write(".conductor", "");
    conversation.run("rm .conductor");
    assert_eq!(edits(&conversation, "src/a.rs", 1), "deny");
}

#[test]
fn looking_building_and_the_agents_own_commands_do_not_count() {
    let conversation = begun("[delegation]\nmode = \"enforce\"\ndeny_at = 1\n", Some("conductor"));
    for line in ["git status", "grep -rn main src", "verger status", "ls | wc -l"] {
        assert_ne!(said([conversation.bash(Speaker::Main, line)]), "deny", "{line}");
    }
    for line in ["sed -i s/a/b/ src/a.rs", "echo x > src/a.rs", "some-program"] {
        assert_eq!(said([conversation.bash(Speaker::Main, line)]), "deny", "{line}");
    }
    let read = json!({ "file_path": "/etc/hostname" });
    assert_eq!(said([conversation.tool(Speaker::Main, "Read", &read)]), "-");
}

#[test]
fn only_files_that_are_really_there_are_free() {
    let settings =
        "[delegation]\nmode = \"enforce\"\ndeny_at = 1\nallow_paths = [\"notes\", \"memory\"]\n";
    let conversation = begun(settings, Some("conductor"));
    let environment = &conversation.environment;
    environment.write("src/a.rs", "");
    environment.write("notes/today", "");
    symlink("../src", environment.project().join("notes/link")).unwrap();
    for (path, expected) in [
        ("notes/today", "-"),
        ("notes/new/file", "-"),
        ("./src/../notes/today", "-"),
        (".claude/agents/worker.md", "-"),
        ("../.claude/plans/plan.md", "-"),
        (".claude/worktrees/x/src/a.rs", "deny"),
        ("src/memory_leak.rs", "deny"),
        ("notes.rs", "deny"),
        ("notes/../src/a.rs", "deny"),
        ("notes/link/a.rs", "deny"),
        ("README.md", "deny"),
        ("/elsewhere/notes/x", "deny"),
    ] {
        assert_eq!(edits(&conversation, path, 1), expected, "{path}");
    }
    let hidden = json!({ "file": "notes/today" });
    assert_eq!(said([conversation.tool(Speaker::Main, "Edit", &hidden)]), "deny");
}

#[test]
fn a_section_leader_writes_plans_and_documents() {
    let settings = "[delegation]\nmode = \"enforce\"\ntiers = 3\n";
    let conversation = begun(settings, Some("section_leader"));
    for path in ["docs/a.html", "plans/b", "README.md", "src/notes.md"] {
        assert_eq!(edits(&conversation, path, 2), "- -", "{path}");
    }
    insta::assert_snapshot!(edit(&conversation, Speaker::Main, "src/a.rs"), @r#"
    deny: verger: this did not run: you are a section leader here: you write plans and documents, but no source files. Give the work to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.
    notice: verger denied a tool call of the section leader, who should delegate. `verger why --last` explains it and names the settings.
    "#);
    let lines = (0..5).map(|_| conversation.bash(Speaker::Main, "some-program"));
    assert_eq!(said(lines), "- - told told deny");
}

#[test]
fn calls_that_another_guard_denies_do_not_count() {
    let settings = "[delegation]\nmode = \"enforce\"\nremind_at = 2\n[guard]\nmode = \"enforce\"\n";
    let conversation = begun(settings, Some("conductor"));
    let lines = (0..3).map(|_| conversation.bash(Speaker::Main, "git reset --hard"));
    assert_eq!(said(lines), "deny deny deny");
    assert_eq!(edits(&conversation, "src/a.rs", 2), "- told");
}

#[test]
fn warned_an_agent_hears_of_it_and_goes_on() {
    let conversation = begun("[delegation]\nmode = \"warn\"\n", Some("conductor"));
    assert_eq!(edits(&conversation, "src/a.rs", 6), "- - told told told told");
}

#[test]
fn a_project_may_turn_it_on_and_neither_it_nor_the_environment_may_turn_it_off() {
    let on = "[delegation]\nmode = \"enforce\"\ndeny_at = 1\nrole = \"conductor\"\n";
    let off = "[delegation]\nmode = \"off\"\nrole = \"musician\"\nallow_paths = [\"src\"]\n";
    for (user, project) in [("", on), (on, off)] {
        let mut environment = TestEnvironment::with_repository();
        environment.write(".verger/config.toml", project);
        environment.set("VERGER_DELEGATION_MODE", "off");
        environment.set("VERGER_DELEGATION_ROLE", "musician");
        environment.set("AGENT_ROLE", "musician");
        let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
        conversation.configure(user);
        assert_eq!(edits(&conversation, "src/a.rs", 1), "deny", "{user:?} {project:?}");
    }
}

#[test]
fn off_it_keeps_and_says_nothing() {
    let conversation = begun("", Some("conductor"));
    assert_eq!(edits(&conversation, "src/a.rs", 7), "- - - - - - -");
    assert_eq!(news(&conversation), ["main start_tree.taken a tree"]);
}
