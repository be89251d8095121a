//! Tests habits in the hook: which habits are found, and the answers.

use std::fs;

use serde_json::json;
use verger_event::{Event, Verdict};
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::{conversation, news, warnings, without_store};
use crate::log::Log;

const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general" };
const OTHER: Speaker<'_> = Speaker::Subagent { id: "a2", agent_type: "general" };

#[track_caller]
pub(crate) fn begun(settings: &str) -> Conversation {
    let conversation = conversation();
    conversation.configure(format!("[habits]\n{settings}\n"));
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

#[track_caller]
pub(crate) fn git(environment: &TestEnvironment, words: &[&str]) {
    let output = environment.run("git", words, "");
    assert!(output.is_success(), "git {words:?}: {output}");
}

/// The answer to each command line, as one word.
#[track_caller]
fn said(conversation: &Conversation, speaker: Speaker<'_>, lines: &[&str]) -> Vec<&'static str> {
    let word = |answer: HookAnswer| match (answer.word(), &answer.rewritten, &answer.context) {
        ("deny", None, None) => "deny",
        ("silence", Some(_), Some(_)) => "changed and told",
        ("silence", Some(_), None) => "changed",
        ("silence", None, Some(_)) => "told",
        ("silence", None, None) => "-",
        _ => panic!("{answer}"),
    };
    lines.iter().map(|line| word(conversation.bash(speaker, line))).collect()
}

#[test]
fn denials_name_the_reason_and_an_alternative() {
    let conversation = begun("add_all = \"deny\"");
    insta::assert_snapshot!(conversation.bash(Speaker::Main, "git add -A && git commit -m x"), @r#"
    deny: verger: this did not run: it stages every change in the working tree (rule add-all). Instead: name the files of the change, as in `git add PATH`, and commit without `-a`. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, tell the person.
    notice: verger denied a call of the agent: it stages every change in the working tree (rule add-all). `verger why --last` explains it and names the setting.
    "#);
    assert_eq!(said(&conversation, SUBAGENT, &["git add .", "git add README.md"]), ["deny", "-"]);
    insta::assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main verdict.given deny by habits
    A1:general verdict.given deny by habits
    "#);
}

#[test]
fn advice_is_given_once_to_each_agent_and_for_each_habit() {
    let conversation = begun("add_all = \"advise\"\nforce_push = \"advise\"");
    insta::assert_snapshot!(conversation.bash(Speaker::Main, "git add -A"), @"context: verger: it stages every change in the working tree (rule add-all). From now on: name the files of the change, as in `git add PATH`, and commit without `-a`. You are told this once.");
    let lines = ["git add -A", "git add .", "git push -f origin main", "git push -f origin main"];
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["-", "-", "told", "-"]);
    assert_eq!(said(&conversation, SUBAGENT, &lines[..2]), ["told", "-"]);
    assert_eq!(said(&conversation, OTHER, &lines[..2]), ["told", "-"]);
    assert_eq!(conversation.prompt("more"), HookAnswer::default());
    assert_eq!(said(&conversation, Speaker::Main, &lines[..2]), ["-", "-"]);
}

#[test]
fn off_nothing_is_said_kept_or_asked() {
    let mut environment = TestEnvironment::with_repository();
    let programs = environment.root().join("programs");
    let real = environment.run("sh", ["-c", "command -v git"], "").success().stdout;
    let script =
        format!("#!/bin/sh\necho \"$@\" >> \"$HOME/asked\"\nexec {} \"$@\"\n", real.trim());
    environment.write_program(programs.join("git"), script);
    environment.find_programs_in(&programs);
    let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    let asked = || fs::read_to_string(conversation.environment.home().join("asked")).unwrap();
    let looks = || asked().lines().filter(|line| line.contains("--unified=0")).count();
    let lines = [
        "git add -A && git commit -m 'x\n\nCo-Authored-By: Claude <noreply@anthropic.com>'",
        "git push -f origin main",
        "gh pr create",
        "gh pr merge",
        "grep -r x .",
    ];
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["-"; 5]);
    assert_eq!(said(&conversation, SUBAGENT, &["cargo test", "make"]), ["-"; 2]);
    assert_eq!(looks(), 0, "{}", asked());
    conversation.configure("[habits]\nstaged_secrets = \"deny\"\n");
    assert_eq!(said(&conversation, Speaker::Main, &["git status", "git add x"]), ["-"; 2]);
    assert_eq!(looks(), 0, "{}", asked());
    assert_eq!(said(&conversation, Speaker::Main, &["git commit -m x"]), ["-"]);
    assert_eq!(looks(), 1, "{}", asked());
    assert_eq!(news(&conversation), ["main start_tree.taken a tree"]);
}

#[test]
fn every_habit_is_denied_where_its_setting_says_so() {
    let environment = TestEnvironment::with_repository();
    environment.write("x.pem", "AKIAIOSFODNN7ABCDEFG\n");
    git(&environment, &["add", "x.pem"]);
    let mut environment = environment;
    let programs = environment.root().join("programs");
    environment.write_program(programs.join("rg"), "#!/bin/sh\n");
    environment.find_programs_in(&programs);
    let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
    let signed = "git commit --amend -m 'x\n\nCo-Authored-By: Claude <noreply@anthropic.com>'";
    for (key, line) in [
        ("add_all", "git add -A"),
        ("attribution", signed),
        ("staged_secrets", "git commit -m x"),
        ("force_push", "git push --force"),
        ("draft_pr", "gh pr create --fill"),
        ("merge", "git merge topic"),
        ("search_tools", "grep -rn x ."),
        ("subagent_builds", "cargo test --workspace"),
    ] {
        conversation.configure(format!("[habits]\n{key} = \"deny\"\n"));
        let answer = conversation.bash(SUBAGENT, line);
        assert_eq!(answer.word(), "deny", "{key} {answer}");
        let rule = format!("(rule {})", key.replace('_', "-"));
        assert!(answer.reason().contains(&rule), "{answer}");
        assert!(answer.notice.unwrap().contains(&rule));
        assert_eq!(answer.rewritten, None);
        let main = if key == "subagent_builds" { "silence" } else { "deny" };
        assert_eq!(conversation.bash(Speaker::Main, line).word(), main, "{key}");
        conversation.configure("");
        assert_eq!(conversation.bash(SUBAGENT, line), HookAnswer::default(), "{key}");
    }
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn a_project_may_turn_them_on_and_neither_it_nor_the_environment_may_turn_them_off() {
    let on = "[habits]\nadd_all = \"deny\"\n";
    let off = "[habits]\nadd_all = \"off\"\nprotected_branches = []\n";
    for (user, project) in [("", on), (on, off)] {
        let mut environment = TestEnvironment::with_repository();
        environment.write(".verger/config.toml", project);
        environment.set("VERGER_HABITS_ADD_ALL", "advise");
        let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
        conversation.configure(user);
        let denied = said(&conversation, Speaker::Main, &["git add -A"]);
        assert_eq!(denied, ["deny"], "{user:?} {project:?}");
    }
}

#[test]
fn the_branch_that_is_checked_out_is_looked_up() {
    let conversation = begun("force_push = \"deny\"\nmerge = \"deny\"");
    let environment = &conversation.environment;
    let lines =
        ["git push -f", "git merge topic", "git push -f origin HEAD", "git push origin HEAD:main"];
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["deny", "deny", "deny", "-"]);
    git(environment, &["checkout", "--quiet", "-b", "topic"]);
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["-", "-", "-", "deny"]);
    git(environment, &["worktree", "add", "--quiet", "../stable", "main"]);
    let there = [
        "git -C ../stable push -f",
        "cd ../stable && git merge topic",
        "cd /nowhere && git push -f",
    ];
    assert_eq!(said(&conversation, Speaker::Main, &there), ["deny", "deny", "-"]);
    git(environment, &["checkout", "--quiet", "--detach"]);
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["-", "-", "-", "deny"]);
    git(environment, &["checkout", "--quiet", "--orphan", "release/1"]);
    assert_eq!(said(&conversation, Speaker::Main, &lines[..1]), ["deny"]);
    let settings = "force_push = \"deny\"\nprotected_branches = [\"topic\"]";
    conversation.configure(format!("[habits]\n{settings}\n"));
    assert_eq!(said(&conversation, Speaker::Main, &lines[..1]), ["-"]);
    assert_eq!(said(&conversation, Speaker::Main, &["git push -f origin topic"]), ["deny"]);
}

#[test]
fn a_part_of_the_tree_is_not_the_whole() {
    let conversation = begun("add_all = \"deny\"\nsubagent_builds = \"deny\"");
    let environment = &conversation.environment;
    environment.write("crates/a/Cargo.toml", "");
    environment.write("vendor/lib/x", "");
    git(environment, &["init", "--quiet", "vendor/lib"]);
    for (line, expected) in [
        ("git add .", "deny"),
        ("git add ./crates/..", "deny"),
        ("cd crates && git add .", "-"),
        ("git -C crates add .", "-"),
        ("git -C crates add ..", "deny"),
        ("git -C vendor/lib add .", "deny"),
        ("cargo test", "deny"),
        ("cd crates/a && cargo test", "-"),
    ] {
        assert_eq!(said(&conversation, SUBAGENT, &[line]), [expected], "{line}");
    }
}

#[test]
fn programs_that_are_not_there_are_not_advised() {
    let mut environment = TestEnvironment::with_repository();
    let programs = environment.root().join("programs");
    for program in ["git", "sh"] {
        let real = environment.run("sh", ["-c", &format!("command -v {program}")], "").success();
        environment.write_program(
            programs.join(program),
            format!("#!/bin/sh\nexec {} \"$@\"\n", real.stdout.trim()),
        );
    }
    environment.set("PATH", programs.as_os_str());
    let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
    conversation.configure("[habits]\nsearch_tools = \"deny\"\n");
    let lines = ["grep -r x .", "find . -name x"];
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["-", "-"]);
    conversation.environment.write_program(programs.join("rg"), "#!/bin/sh\n");
    assert_eq!(said(&conversation, Speaker::Main, &lines), ["deny", "-"]);
    conversation.environment.write_program(programs.join("fdfind"), "#!/bin/sh\n");
    let answer = conversation.bash(Speaker::Main, lines[1]);
    assert!(answer.reason().contains("`fdfind PATTERN [PATH]`"), "{answer}");
}

#[test]
fn calls_that_cannot_be_checked_pass() {
    let conversation = begun("add_all = \"deny\"\nattribution = \"rewrite\"");
    without_store(&conversation, || {
        assert_eq!(said(&conversation, Speaker::Main, &["git add -A"]), ["-"]);
    });
    let long = format!("git commit -m '{}\n\nCo-Authored-By: Claude'", "x".repeat(100_000));
    assert_eq!(said(&conversation, Speaker::Main, &[&long, "", "$X add -A", "git"]), ["-"; 4]);
    let mut payload = json!({
        "session_id": "s", "tool_name": "Bash", "permission_mode": "default",
        "cwd": conversation.environment.project(),
        "tool_input": { "command": "git add -A && echo X" }, "tool_use_id": "t",
    })
    .to_string()
    .into_bytes();
    let at = payload.windows(6).position(|six| six == b"echo X").unwrap();
    payload[at + 5] = 0xff;
    assert_eq!(conversation.send("PreToolUse", payload), HookAnswer::default());
    let elsewhere = [("cwd", json!("/nowhere")), ("tool_input", json!({ "command": "git add ." }))];
    assert_eq!(conversation.call("PreToolUse-Bash", &elsewhere), HookAnswer::default());
    assert_eq!(said(&conversation, Speaker::Main, &["git add -A"]), ["deny"], "and goes on");
}

#[test]
fn other_guards_are_joined() {
    let settings =
        "[guard]\nmode = \"enforce\"\n[habits]\nforce_push = \"deny\"\nadd_all = \"advise\"\n";
    let conversation = conversation();
    conversation.configure(settings);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    let answer = conversation.bash(Speaker::Main, "git add -A && git push --force origin main");
    assert_eq!(answer.word(), "deny");
    for rule in ["(rule git-push-force)", "(rule force-push)"] {
        assert!(answer.reason().contains(rule), "{answer}");
    }
    let records = Log::of(&conversation.environment).all();
    let opinions = records.iter().find_map(|record| match &record.draft.event {
        Event::VerdictGiven { by, .. } => Some(by.clone()),
        _ => None,
    });
    let said: Vec<_> = opinions
        .unwrap()
        .into_iter()
        .map(|opinion| {
            assert!(matches!(opinion.verdict, Verdict::Deny { .. }));
            (opinion.by, opinion.grounds.rule().unwrap().to_owned())
        })
        .collect();
    let expected = [("guard", "git-push-force"), ("habits", "force-push")];
    assert_eq!(said, expected.map(|(by, rule)| (by.into(), rule.to_owned())));
}
