//! Tests that the checked-out branch and commit, read from git's files, are those that git reports.

use verger_worktree::{Head, head};

use crate::Ground;

/// The branch and commit that git reports.
fn asked(ground: &Ground, directory: &str) -> Head {
    let said = |arguments: &[&str]| {
        let said = ground.said(directory, arguments);
        Some(said.trim_end().to_owned()).filter(|said| !said.is_empty())
    };
    Head {
        branch: said(&["symbolic-ref", "--quiet", "--short", "HEAD"]),
        commit: said(&["rev-parse", "--quiet", "--verify", "HEAD"]),
    }
}

#[track_caller]
fn check(ground: &Ground, directory: &str, branch: Option<&str>) {
    let found = head(&ground.at(directory));
    assert_eq!(found, asked(ground, directory), "{directory}");
    assert_eq!(found.branch.as_deref(), branch, "{directory}");
}

#[test]
fn the_files_tell_what_git_tells() {
    let ground = Ground::new();
    ground.repository("plain");
    check(&ground, "plain", Some("main"));
    ground.make_directory("plain/deep/er");
    check(&ground, "plain/deep/er", Some("main"));
    ground.run("plain", &["switch", "--quiet", "--create", "feat/retry-jitter"]);
    check(&ground, "plain", Some("feat/retry-jitter"));
    ground.run("plain", &["pack-refs", "--all"]);
    check(&ground, "plain", Some("feat/retry-jitter"));
    ground.run("plain", &["worktree", "add", "--quiet", "-b", "other", "../linked"]);
    check(&ground, "linked", Some("other"));
    ground.run("plain", &["switch", "--quiet", "--detach"]);
    check(&ground, "plain", None);

    ground.make_directory("unborn");
    ground.run("unborn", &["init", "--quiet"]);
    check(&ground, "unborn", Some("main"));
    if ground.try_run(".", &["init", "--quiet", "--object-format=sha256", "long"]) {
        ground.run("long", &["commit", "--quiet", "--allow-empty", "--message", "x"]);
        check(&ground, "long", Some("main"));
    }
}

#[test]
fn unreadable_git_files_give_an_unknown_head() {
    let ground = Ground::new();
    ground.make_directory("nothing");
    ground.write("a-file/.git", "somewhere else\n");
    ground.write("gone/.git", "gitdir: /nowhere\n");
    ground.write("strange/.git/HEAD", "deadbeef\n");
    ground.write("table/.git/HEAD", "ref: refs/heads/.invalid\n");
    ground.make_directory("folder/.git/HEAD");
    for directory in ["nothing", "a-file", "gone", "strange", "table", "folder"] {
        assert_eq!(head(&ground.at(directory)), Head::default(), "{directory}");
    }
}
