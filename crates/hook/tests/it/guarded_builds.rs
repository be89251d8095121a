//! Tests that a build is approved in a trusted worktree if the task has not changed the files
//! that define the build.

use std::fs::{self, File};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::{ENFORCE, begun};

/// A time long before the tests' sessions.
const BEFORE_MS: u64 = 1_700_000_000_000;
/// A time long after the tests' sessions.
const AFTER_MS: u64 = 1_900_000_000_000;

fn is_approved(conversation: &Conversation, line: &str) -> bool {
    let answer = conversation.bash(Speaker::Main, line);
    match answer.verdict.as_ref().map(|(word, _)| word.as_str()) {
        Some("allow") => true,
        None => false,
        Some(other) => panic!("{line}: {other}"),
    }
}

/// Writes a file of the project with this modification time.
#[track_caller]
fn file(conversation: &Conversation, path: &str, changed_ms: u64) {
    let full = conversation.environment.project().join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(&full, "x").unwrap();
    let file = File::options().write(true).open(&full).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_millis(changed_ms)).unwrap();
}

#[track_caller]
fn trusted() -> Conversation {
    let conversation = begun(ENFORCE);
    let root = conversation.environment.project().canonicalize().unwrap();
    let list =
        json!({ "version": 1, "trusted": [], "worktrees": [{ "root": root, "trusted_at_ms": 1 }] });
    let path = conversation.environment.verger_home().join("config/trust.json");
    conversation.environment.write(path, list.to_string());
    for path in
        ["Makefile", "crates/a/build.rs", "conftest.py", "src/main.rs", "tests/a/conftest.py"]
    {
        file(&conversation, path, BEFORE_MS);
    }
    conversation
}

#[test]
fn builds_with_unchanged_definitions_are_approved() {
    let conversation = begun(ENFORCE);
    assert!(!is_approved(&conversation, "make test"), "nobody trusts it");
    let conversation = trusted();
    for line in ["make test", "cargo test", "pytest -q", "cd crates/a && cargo test"] {
        assert!(is_approved(&conversation, line), "{line}");
    }
    assert!(!is_approved(&conversation, "cd .. && make test"), "another place");
    file(&conversation, "src/main.rs", AFTER_MS);
    assert!(is_approved(&conversation, "cargo test"), "that is the work");
}

#[test]
fn definitions_that_a_tool_wrote_are_not_approved() {
    for (path, line, other) in [
        ("Makefile", "make test", "cargo test"),
        ("./Makefile", "make test", "cargo test"),
        ("$PROJECT/crates/a/build.rs", "cargo test", "make test"),
        ("tests/a/conftest.py", "pytest", "make test"),
        ("package.json", "npm test", "cargo test"),
    ] {
        let conversation = trusted();
        let project = conversation.environment.project().display().to_string();
        let input = json!({ "file_path": path.replace("$PROJECT", &project), "content": "x" });
        assert_eq!(conversation.tool(Speaker::Main, "Write", &input), HookAnswer::default());
        assert!(!is_approved(&conversation, line), "{path} {line}");
        assert!(is_approved(&conversation, other), "{path} {other}");
    }
}

#[test]
fn definitions_changed_without_a_tool_are_not_approved() {
    for (path, line, other) in [
        ("Makefile", "make test", "cargo test"),
        ("Makefile", "cd crates/a && make test", "cargo test"),
        ("crates/a/build.rs", "cargo test", "make test"),
        ("crates/a/deep/er/build.rs", "cargo test", "make test"),
        (".cargo/config.toml", "cargo test", "make test"),
        ("tests/a/conftest.py", "pytest", "make test"),
        ("package.json", "npm test", "cargo test"),
        ("packages/web/vite.config.ts", "npm test", "cargo test"),
        ("tests/support/mod.rs", "cargo test", "make test"),
    ] {
        let conversation = trusted();
        assert!(is_approved(&conversation, line), "{line}");
        file(&conversation, path, AFTER_MS);
        assert!(!is_approved(&conversation, line), "{path} {line}");
        assert!(is_approved(&conversation, other), "{path} {other}");
    }
}
