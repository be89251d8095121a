//! Tests the notice about paths that a call names and that its undo point doesn't contain.

use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::begun;
use crate::undo_faults::plain;
use crate::undo_points::{git, kept};

/// Runs a command line. Returns the paths in the notice, or an empty text if there is no notice.
#[track_caller]
pub(crate) fn told(conversation: &Conversation, line: &str) -> String {
    let HookAnswer { verdict, notice, .. } = conversation.bash(Speaker::Main, line);
    assert_eq!(verdict, None, "{line}");
    let Some(notice) = notice else { return String::new() };
    let begin =
        "verger saved files before a call of the agent, but not all files that it may destroy: ";
    let rest = notice.strip_prefix(begin).unwrap_or(&notice);
    rest.split(". Those could not").next().unwrap().to_owned()
}

#[test]
fn paths_missing_in_a_repositorys_undo_point_are_reported() {
    let conversation = begun("[undo]\nmax_file_mib = 1\n");
    conversation.environment.write("data/db", vec![b'x'; 2 * 1024 * 1024]);
    conversation.environment.write("data/small", "small\n");
    conversation.environment.write(".env", "TOKEN=x\n");
    conversation.environment.write(".gitignore", "*.sqlite\n");
    conversation.environment.write("a.sqlite", "rows\n");
    conversation.environment.write("kept", "kept\n");
    git(&conversation, &["init", "--quiet", "outer/nest"]);
    for (line, expected) in [
        ("rm -rf data", "data/db (too large: 2097152 bytes)"),
        ("shred .env", ".env (may hold credentials)"),
        ("rm -rf .env data", ".env (may hold credentials), data/db (too large: 2097152 bytes)"),
        ("rm -rf ./a.sqlite", "a.sqlite (git ignores it)"),
        ("rm -rf outer", "outer/nest (a repository of its own)"),
        ("rm -rf d*", "data/db (too large: 2097152 bytes)"),
        ("rm -rf data/small kept", ""),
        ("cat .env", ""),
        ("git clean -fd", { ".env (may hold credentials), data/db (too large: 2097152 bytes)" }),
        ("git clean -fd data", "data/db (too large: 2097152 bytes)"),
        ("git reset --hard", ""),
        ("git checkout .", ""),
    ] {
        assert_eq!(told(&conversation, line), expected, "{line}");
        assert!(!kept(&conversation).is_empty(), "{line}");
    }
}

/// A changed file that is too large for the undo point is named in the notice, even if the call
/// doesn't name it.
#[test]
fn changes_that_a_point_lacks_are_told_whatever_the_call_names() {
    let conversation = begun("[undo]\nmax_file_mib = 1\n");
    conversation.environment.write("db", vec![b'x'; 2 * 1024 * 1024]);
    git(&conversation, &["add", "db"]);
    git(&conversation, &["commit", "--quiet", "--message", "db"]);
    conversation.environment.write("db", vec![b'y'; 2 * 1024 * 1024]);
    conversation.environment.write("new", vec![b'x'; 2 * 1024 * 1024]);
    conversation.environment.write("small", "small\n");
    for (line, expected) in [
        ("git reset --hard", "db (too large: 2097152 bytes)"),
        ("git checkout .", "db (too large: 2097152 bytes)"),
        ("git checkout small", ""),
        ("git clean -fd", "new (too large: 2097152 bytes)"),
    ] {
        assert_eq!(told(&conversation, line), expected, "{line}");
    }
}

#[test]
fn an_ask_names_what_its_point_lacks_and_a_call_that_runs_tells_the_agent() {
    let answers = ["enforce", "observe"].map(|mode| {
        let conversation = begun(&format!("[guard]\nmode = \"{mode}\"\n"));
        conversation.environment.write(".env", "TOKEN=x\n");
        conversation.bash(Speaker::Main, "echo x > .env")
    });
    let [HookAnswer { verdict, context, notice, .. }, observed] = answers;
    assert_eq!((context, notice), (None, None));
    let (word, reason) = verdict.unwrap();
    assert_eq!(word, "ask");
    let lacking = "could not be restored: .env (may hold credentials).";
    assert!(reason.ends_with(lacking), "{reason}");
    assert_eq!(observed.verdict, None);
    let told = observed.context.unwrap();
    assert!(told.contains("be restored: .env (may hold credentials)."), "{told}");
    assert!(observed.notice.unwrap().contains(".env (may hold credentials)"));
}

/// If a directory is removed, its ignored files, such as build output and data, can't be
/// restored.
#[test]
fn ignored_files_in_removed_directories_are_reported() {
    let conversation = begun("");
    conversation.environment.write(".gitignore", "/data/\nlogs/\n*.tmp\n");
    for name in ["data/a/one", "data/two", "src/logs/x", "src/a.rs", "src/b.tmp", "docs/c.md"] {
        conversation.environment.write(name, "text\n");
    }
    for (line, expected) in [
        ("rm -rf data", "data (git ignores it)"),
        ("rm -rf ./data/", "data (git ignores it)"),
        ("rm -rf data/a", "data/a (git ignores it)"),
        ("rm -rf data/*", "data/a (git ignores it), data/two (git ignores it)"),
        ("cd data && rm -rf *", "data/a (git ignores it), data/two (git ignores it)"),
        ("rm -rf d*", "data (git ignores it)"),
        ("rm -rf src", "src/b.tmp (git ignores it), src/logs (git ignores it)"),
        ("rm -rf src docs data", {
            "data (git ignores it), src/b.tmp (git ignores it), src/logs (git ignores it)"
        }),
        ("find src -delete", "src/b.tmp (git ignores it), src/logs (git ignores it)"),
        ("git clean -fdx", {
            "data (git ignores it), src/b.tmp (git ignores it), src/logs (git ignores it)"
        }),
        ("git clean -fX src", "src/b.tmp (git ignores it), src/logs (git ignores it)"),
        ("cd src && git clean -ffdx", "src/b.tmp (git ignores it), src/logs (git ignores it)"),
        ("rm -rf docs", ""),
        ("git clean -fd", ""),
        ("git checkout src", ""),
        ("git reset --hard", ""),
    ] {
        assert_eq!(told(&conversation, line), expected, "{line}");
    }
}

#[test]
fn without_a_repository_what_only_running_tells_is_told() {
    let conversation = plain("");
    for name in ["d/f", "g", "a1", "a2"] {
        conversation.environment.write(name, "text\n");
    }
    for (line, expected) in [
        ("rm -rf g $D/d", "$D/d (its value is not known before the command runs)"),
        ("rm -rf g `cat list`", "`cat list` (its value is not known before the command runs)"),
        ("rm -rf g a?", ""),
        ("rm -rf ./g [a]1", ""),
    ] {
        assert_eq!(told(&conversation, line), expected, "{line}");
    }
}
