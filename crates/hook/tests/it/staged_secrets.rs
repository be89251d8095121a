//! Tests secrets in a commit's changes: they are found before the commit, and only their kind and
//! location are named.

use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::warnings;
use crate::habits::{begun, git};

const SECRET: &str = "ghp_Zx8vQ2nT5bLk9WcR3mYp7HdJs4GfUa1EoNi6";

#[track_caller]
fn word(conversation: &Conversation, line: &str) -> String {
    conversation.bash(Speaker::Main, line).word().to_owned()
}

#[test]
fn a_staged_secret_stops_the_commit_and_is_nowhere_told() {
    let conversation = begun("staged_secrets = \"deny\"");
    let environment = &conversation.environment;
    environment.write("src/config.rs", format!("// one\nconst TOKEN: &str = \"{SECRET}\";\n"));
    environment.write("key.pem", "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx8vQ2nT5bLk9WcR3mYp7HdJs4GfUa1EoNi6Zx8vQ2nT5bLk9\n-----END RSA PRIVATE KEY-----\n");
    git(environment, &["add", "src", "key.pem"]);
    insta::assert_snapshot!(conversation.bash(Speaker::Main, "git commit -m 'Add the settings'"), @r#"
    deny: verger: this did not run: the commit would contain a possible secret: private-key in key.pem:2, github-token in src/config.rs:2 (rule staged-secrets). Instead: remove it, and read it from the environment or from a file that git ignores. If it is a real secret, tell the person: it has to be replaced. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, tell the person.
    notice: verger denied a call of the agent: the commit would contain a possible secret: private-key in key.pem:2, github-token in src/config.rs:2 (rule staged-secrets). `verger why --last` explains it and names the setting.
    "#);
    let found = conversation.files_with(&environment.verger_home(), SECRET);
    assert_eq!(found, Vec::<String>::new());
    git(environment, &["rm", "--quiet", "--cached", "src/config.rs", "key.pem"]);
    assert_eq!(conversation.bash(Speaker::Main, "git commit -m x"), HookAnswer::default());
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn everything_that_the_line_would_commit_is_looked_at() {
    let conversation = begun("staged_secrets = \"deny\"");
    let environment = &conversation.environment;
    environment.write("README.md", format!("# Project\n\ntoken = \"{SECRET}\"\n"));
    environment.write("new.txt", format!("{SECRET}\n"));
    environment.write("clean.txt", "nothing\n");
    environment.write("sub/deep.txt", format!("{SECRET}\n"));
    for (line, expected) in [
        ("git commit -m x", "silence"),
        ("git commit -am x", "deny"),
        ("git commit -m x README.md", "deny"),
        ("git commit -m x clean.txt", "silence"),
        ("git add clean.txt && git commit -m x", "silence"),
        ("git add new.txt && git commit -m x", "deny"),
        ("git add . ; git commit -m x", "deny"),
        ("git add -u && git commit -m x", "deny"),
        ("git add -A && bash -c 'git commit -m x'", "deny"),
        ("cd sub && git add deep.txt && git commit -m x", "deny"),
        ("git -C sub add . && git -C sub commit -m x", "deny"),
        ("git commit -m x && git add new.txt", "silence"),
        ("git add new.txt", "silence"),
        ("git stash && echo commit", "silence"),
    ] {
        assert_eq!(word(&conversation, line), expected, "{line}");
    }
}

#[test]
fn names_that_the_user_calls_secret_are() {
    let conversation = begun("staged_secrets = \"deny\"");
    conversation.environment.write("a.txt", "house_number = \"Zx8vQ2nT5bLk9WcR\"\n");
    git(&conversation.environment, &["add", "a.txt"]);
    assert_eq!(word(&conversation, "git commit -m x"), "silence");
    conversation.configure(
        "[habits]\nstaged_secrets = \"deny\"\n[redact]\nkey_names = [\"house_number\"]\n",
    );
    assert_eq!(word(&conversation, "git commit -m x"), "deny");
}

#[test]
fn advice_lets_the_commit_go_on() {
    let conversation = begun("staged_secrets = \"advise\"");
    conversation.environment.write("a.txt", SECRET);
    git(&conversation.environment, &["add", "a.txt"]);
    let answer = conversation.bash(Speaker::Main, "git commit -m x");
    assert_eq!(answer.verdict, None);
    assert!(answer.context.unwrap().contains("github-token in a.txt:1"));
    assert_eq!(conversation.bash(Speaker::Main, "git commit -m x"), HookAnswer::default());
}

#[test]
fn many_secrets_are_counted_and_some_are_named() {
    let conversation = begun("staged_secrets = \"deny\"");
    for number in 1..=8 {
        conversation.environment.write(format!("{number}.txt"), SECRET);
    }
    let answer = conversation.bash(Speaker::Main, "git add . && git commit -m x");
    assert!(answer.reason().contains("github-token in 5.txt:1, and 3 more (rule"), "{answer}");
}

#[test]
fn where_it_cannot_be_seen_the_commit_goes_on_and_the_person_is_warned() {
    let conversation = begun("staged_secrets = \"deny\"");
    let environment = &conversation.environment;
    // Files that are binary, not UTF-8, empty, or too large to be searched.
    environment.write("picture", b"\x89PNG\0\0\n");
    environment.write("latin", b"caf\xe9\n");
    environment.write("huge.txt", "a line of some length that says nothing\n".repeat(120_000));
    git(environment, &["add", "picture", "latin", "huge.txt"]);
    assert_eq!(word(&conversation, "git commit -m x"), "silence");
    insta::assert_snapshot!(warnings(&conversation).join("\n"), @"habits: the commit in $ENV/home/project is larger than 4 MiB: only its beginning was checked for secrets");
    assert_eq!(word(&conversation, "cd /nowhere && git commit -m x"), "silence");
    assert_eq!(word(&conversation, "git -C /tmp commit -m x"), "silence");
    assert_eq!(warnings(&conversation).len(), 1);
}

#[test]
fn a_repository_without_commits_and_a_submodule_are_looked_at_too() {
    let environment = TestEnvironment::new();
    git(&environment, &["init", "--quiet"]);
    environment.write("a.txt", SECRET);
    git(&environment, &["add", "a.txt"]);
    environment.write("inner/b.txt", SECRET);
    git(&environment, &["init", "--quiet", "inner"]);
    git(&environment, &["-C", "inner", "add", "b.txt"]);
    let conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
    conversation.configure("[habits]\nstaged_secrets = \"deny\"\n");
    assert_eq!(word(&conversation, "git commit -m x"), "deny");
    let inner = conversation.bash(Speaker::Main, "git -C inner commit -m x");
    assert!(inner.reason().contains("github-token in b.txt:1"), "{inner}");
}

#[test]
fn git_that_takes_too_long_or_is_not_there_holds_nobody_up() {
    let mut environment = TestEnvironment::with_repository();
    let programs = environment.root().join("programs");
    let real = environment.run("sh", ["-c", "command -v git"], "").success().stdout;
    let slow = format!(
        "#!/bin/sh\ncase \"$*\" in *--unified=0*) exec sleep 60;; esac\nexec {} \"$@\"\n",
        real.trim()
    );
    environment.write_program(programs.join("git"), slow);
    environment.find_programs_in(&programs);
    let mut conversation = Conversation::begin(environment, &[crate::stage::HOOK]);
    conversation.configure("[habits]\nstaged_secrets = \"deny\"\n");
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    assert_eq!(word(&conversation, "git commit -m x"), "silence");
    assert_eq!(
        warnings(&conversation),
        [
            "habits: a commit was not checked for secrets: cannot compare the working tree within its time"
        ]
    );
    conversation.environment.set("PATH", "/nowhere");
    assert_eq!(word(&conversation, "git commit -m x"), "silence");
}
