//! Tests of finding the lines that a commit would add.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use verger_worktree::{Added, NotAdded, PathReason, Taken, TreeError, added_lines};

use crate::Ground;
use crate::task::{assert_untouched, everything};

const MUCH: u64 = 1_000_000;

/// A repository with the committed files `a`, and `b` in a directory.
fn ground() -> Ground {
    let ground = Ground::new();
    ground.repository("work");
    ground.write("work/a", "one\ntwo\n");
    ground.write("work/src/b", "b\n");
    ground.run("work", &["add", "a", "src"]);
    ground.run("work", &["commit", "--quiet", "--message", "files"]);
    ground
}

fn all(untracked: bool) -> Taken {
    Taken { paths: vec![], untracked }
}

fn some(paths: &[&str], untracked: bool) -> Taken {
    Taken { paths: paths.iter().map(ToString::to_string).collect(), untracked }
}

/// The lines that a commit would add, one item per line. Asserts that the repository stays
/// unchanged.
#[track_caller]
fn added(ground: &Ground, directory: &str, taken: &[Taken]) -> Vec<String> {
    let before = everything(&ground.at("work"));
    let added = added_lines(&ground.at(directory), taken, &ground.git(), MUCH).unwrap();
    assert_untouched(&ground.at("work"), &before);
    assert!(!added.is_cut);
    lines(&added)
}

fn lines(added: &Added) -> Vec<String> {
    let files = added.files.iter();
    let lines = files.flat_map(|file| {
        let lines = file.text.lines().zip(&file.numbers).filter(|(_, number)| **number > 0);
        lines.map(|(line, number)| format!("{}:{number}: {line}", file.path))
    });
    lines.collect()
}

#[test]
fn staged_lines_and_taken_changes_are_added() {
    let ground = ground();
    ground.write("work/a", "zero\none\ntwo\nthree\n");
    ground.run("work", &["add", "a"]);
    ground.write("work/a", "zero\none\ntwo\nthree\nfour\n");
    ground.write("work/src/b", "changed\n");
    ground.write("work/src/new", "new\n");
    ground.write("work/.gitignore", "ignored\n");
    ground.write("work/ignored", "ignored\n");
    let staged = ["a:1: zero", "a:4: three"];
    assert_eq!(added(&ground, "work", &[]), staged);
    assert_eq!(added(&ground, "work/src", &[]), staged, "from anywhere");
    let with = |more: &[&'static str]| [&staged[..], more].concat();
    assert_eq!(added(&ground, "work", &[all(false)]), with(&["a:5: four", "src/b:1: changed"]));
    assert_eq!(
        added(&ground, "work", &[all(true)]),
        with(&["a:5: four", "src/b:1: changed", ".gitignore:1: ignored", "src/new:1: new"])
    );
    assert_eq!(added(&ground, "work", &[some(&["a"], true)]), with(&["a:5: four"]));
    assert_eq!(
        added(&ground, "work/src", &[some(&["."], true)]),
        with(&["src/b:1: changed", "src/new:1: new"])
    );
    assert_eq!(
        added(&ground, "work/src", &[some(&["../a", "no such file"], true)]),
        with(&["a:5: four"])
    );
    assert_eq!(added(&ground, "work", &[some(&["*/new"], true)]), with(&["src/new:1: new"]));
}

#[test]
fn binary_files_are_skipped_and_text_that_is_not_utf_8_is_not() {
    let ground = ground();
    fs::write(ground.at("work/picture"), b"\x89PNG\0\n\0secret").unwrap();
    fs::write(ground.at("work/latin"), b"caf\xe9\n").unwrap();
    symlink("a", ground.at("work/link")).unwrap();
    let new = ["latin:1: caf\u{fffd}"];
    assert_eq!(added(&ground, "work", &[all(true)]), new);
    ground.run("work", &["add", "picture", "latin", "link"]);
    assert_eq!(added(&ground, "work", &[]), ["latin:1: caf\u{fffd}", "link:1: a"]);
}

#[test]
fn a_repository_without_commits_and_one_without_a_branch_are_like_any_other() {
    let ground = Ground::new();
    ground.make_directory("work");
    ground.run("work", &["init", "--quiet"]);
    assert_eq!(added(&ground, "work", &[all(true)]), [""; 0]);
    ground.write("work/a", "first\n");
    ground.run("work", &["add", "a"]);
    assert_eq!(added(&ground, "work", &[]), ["a:1: first"]);
    ground.run("work", &["commit", "--quiet", "--message", "one"]);
    ground.run("work", &["checkout", "--quiet", "--detach"]);
    ground.write("work/a", "first\nsecond\n");
    assert_eq!(added(&ground, "work", &[all(false)]), ["a:2: second"]);
}

#[test]
fn a_commit_in_a_submodule_is_the_submodules() {
    let ground = ground();
    ground.repository("library");
    let library = ground.at("library").display().to_string();
    ground.run("work", &["submodule", "--quiet", "add", &library, "inner"]);
    ground.run("work", &["commit", "--quiet", "--message", "with it"]);
    ground.write("work/inner/x", "inside\n");
    ground.run("work/inner", &["add", "x"]);
    assert_eq!(added(&ground, "work/inner", &[]), ["x:1: inside"]);
    assert_eq!(added(&ground, "work", &[all(true)]), [""; 0]);
}

#[test]
fn only_so_much_is_looked_at() {
    let ground = ground();
    ground.write("work/huge", &"a line of some length\n".repeat(100_000));
    ground.run("work", &["add", "huge"]);
    ground.write("work/later", "later\n");
    let added = added_lines(&ground.at("work"), &[all(true)], &ground.git(), 10_000).unwrap();
    assert!(added.is_cut);
    assert_eq!(added.files.len(), 1, "of the others nothing");
    assert!((300..500).contains(&lines(&added).len()), "{}", lines(&added).len());
}

#[test]
fn where_there_is_nothing_to_commit_that_is_said() {
    let ground = Ground::new();
    ground.make_directory("empty");
    let failed =
        |directory: &str| added_lines(&ground.at(directory), &[], &ground.git(), MUCH).unwrap_err();
    assert!(matches!(failed("empty"), NotAdded::NoRepository(PathReason::NoRepository)));
    assert!(matches!(failed("gone"), NotAdded::NoRepository(PathReason::NoDirectory)));
    let without = verger_worktree::Git::new("/no/such/git", ground.environment(), crate::PATIENCE);
    let none = added_lines(&ground.at("empty"), &[], &without, MUCH).unwrap_err();
    assert!(matches!(none, NotAdded::NoRepository(PathReason::GitMissing)), "{none:?}");
    let slow = ground.fake_git("slow", Duration::from_millis(100));
    let late = added_lines(&ground.at("empty"), &[], &slow, MUCH).unwrap_err();
    assert!(matches!(late, NotAdded::Tree(TreeError::TimedOut)), "{late:?}");
}

#[test]
fn no_filter_and_no_setting_of_the_repository_is_run() {
    let ground = ground();
    let config = ground.at("work/.git/config");
    let plain = fs::read_to_string(&config).unwrap();
    let mark = ground.at("ran").display().to_string();
    fs::write(
        &config,
        format!(
            "{plain}[filter \"x\"]\nclean = touch {mark}; cat\n[diff \"x\"]\ntextconv = touch {mark}; cat\n\
             [diff]\nexternal = touch {mark}\n[core]\nfsmonitor = touch {mark}\n"
        ),
    )
    .unwrap();
    ground.write("work/.gitattributes", "* filter=x diff=x\n");
    ground.write("work/a", "changed\n");
    assert_eq!(added(&ground, "work", &[some(&["a"], false)]), ["a:1: changed"]);
    assert!(!ground.at("ran").exists());
}
