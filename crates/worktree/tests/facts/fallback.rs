//! Tests of projects without a first commit: the path identifies the project, and the reason is
//! reported.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use verger_worktree::{Git, IdBasis, PathReason, Vcs, project_facts};

use crate::{Ground, PATIENCE};

/// Asserts the reason why `cwd` has no first commit, and that the project's id is the same as
/// without git.
#[track_caller]
fn check(ground: &Ground, cwd: &str, reason: PathReason) {
    let facts = ground.facts(cwd);
    let without_git = Git::new(ground.at("no-such-program"), ground.environment(), PATIENCE);
    let expected = project_facts(&ground.at(cwd), &without_git);
    assert_eq!((facts.basis, facts.id), (IdBasis::Path(reason), expected.id));
    assert_eq!(facts.root, expected.root);
}

#[test]
fn a_shallow_clone_goes_by_its_path() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.run("origin", &["commit", "--quiet", "--allow-empty", "--message", "second"]);
    let url = format!("file://{}", ground.at("origin").display());
    ground.run("", &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    check(&ground, "shallow", PathReason::Shallow);
    assert_eq!(ground.facts("shallow").vcs, Vcs::Git { top_level: ground.at("shallow") });
}

#[test]
fn a_repository_without_commits_goes_by_its_path() {
    let ground = Ground::new();
    ground.make_directory("empty/deep");
    ground.run("empty", &["init", "--quiet"]);
    check(&ground, "empty", PathReason::NoCommits);
    assert_eq!(ground.facts("empty/deep").id, ground.facts("empty").id);
}

#[test]
fn without_a_repository_the_nearest_ground_is_the_project() {
    let ground = Ground::new();
    ground.make_directory("plain/.verger");
    ground.make_directory("plain/deep");
    ground.make_directory("bare-ground");
    check(&ground, "plain/deep", PathReason::NoRepository);
    assert_eq!(ground.facts("plain/deep").root, ground.at("plain"));
    assert_eq!(ground.facts("bare-ground").root, ground.at("bare-ground"));
    assert_eq!(ground.facts("bare-ground").vcs, Vcs::None);
}

#[test]
fn where_there_is_no_work_tree_the_path_counts() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.run("", &["clone", "--quiet", "--bare", "origin", "bare"]);
    check(&ground, "bare", PathReason::NoWorkTree);
    check(&ground, "origin/.git", PathReason::NoWorkTree);
}

#[test]
fn a_broken_repository_goes_by_its_path() {
    let ground = Ground::new();
    ground.make_directory("hollow/.git");
    ground.write("dangling/.git", "gitdir: /no/such/directory\n");
    ground.write("garbage/.git", "\0\0\0");
    ground.repository("headless");
    ground.write("headless/.git/refs/heads/main", "0123456789012345678901234567890123456789\n");
    ground.repository("elsewhere");
    ground.make_directory("other");
    ground.run("elsewhere", &["config", "core.worktree", ground.at("other").to_str().unwrap()]);
    for cwd in ["hollow", "dangling", "garbage", "headless", "elsewhere"] {
        check(&ground, cwd, PathReason::Broken);
    }
}

#[test]
fn a_directory_that_is_none_still_has_an_id() {
    let ground = Ground::new();
    ground.write("file", "");
    for cwd in ["no/such/directory", "file", "file/below"] {
        check(&ground, cwd, PathReason::NoDirectory);
    }
    for cwd in ["", "no-such-relative-directory"] {
        let facts = project_facts(Path::new(cwd), &ground.git());
        assert_eq!(facts.basis, IdBasis::Path(PathReason::NoDirectory), "{cwd:?}");
    }
}

#[test]
fn a_directory_that_may_not_be_read_goes_by_its_path() {
    let ground = Ground::new();
    let closed = ground.make_directory("closed");
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    let facts = ground.facts("closed");
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    // Root can read the closed directory and finds no repository in it.
    let IdBasis::Path(reason) = facts.basis else { panic!("{facts:?}") };
    assert_ne!(reason, PathReason::GitMissing);
    assert_eq!((facts.id, facts.root), (ground.facts("closed").id, closed));
}

#[test]
fn failures_of_git_have_different_reasons() {
    let ground = Ground::new();
    ground.repository("origin");
    let moment = Duration::from_millis(50);
    for (behaviour, limit, reason) in [
        ("slow", moment, PathReason::TimedOut),
        ("mute", moment, PathReason::TimedOut),
        ("slow", Duration::ZERO, PathReason::TimedOut),
        ("loud", PATIENCE, PathReason::Broken),
        ("unsafe", PATIENCE, PathReason::NotSafe),
        ("crash", PATIENCE, PathReason::Broken),
        ("nothing", Duration::MAX, PathReason::Broken),
    ] {
        let git = ground.fake_git(behaviour, limit);
        let facts = project_facts(&ground.at("origin"), &git);
        assert_eq!(facts.basis, IdBasis::Path(reason), "{behaviour}");
        assert_eq!((facts.root, facts.vcs), (ground.at("origin"), Vcs::None), "{behaviour}");
    }
    let missing = Git::new("no-such-git", ground.environment(), PATIENCE);
    let facts = project_facts(&ground.at("origin"), &missing);
    assert_eq!(facts.basis, IdBasis::Path(PathReason::GitMissing));
}
