//! Tests that changes still count if git was told to hide them.

use std::fs;
use std::path::{Path, PathBuf};

use verger_worktree::diff;

use crate::task::Task;

const NOTHING: [&str; 0] = [];

#[test]
fn files_outside_a_sparse_checkout_are_not_deleted() {
    let task = Task::begin(|_| {});
    task.git(&["sparse-checkout", "set", "--no-cone", "/a", "/b"]);
    assert_eq!(task.changes(), NOTHING);
    task.write("a", "mine\n");
    task.remove("b");
    assert_eq!(task.changes(), ["M a", "D b"]);
    task.write("c", "mine\n");
    assert_eq!(task.changes(), ["M a", "D b", "M c"]);
}

#[test]
fn another_place_for_the_working_tree_is_not_looked_at() {
    let task = Task::begin(|ground| ground.run("", &["clone", "--quiet", "work", "copy"]));
    let copy = task.ground.at("copy");
    task.git(&["config", "core.worktree", copy.to_str().unwrap()]);
    task.write("a", "mine\n");
    assert_eq!(task.changes(), ["M a"]);
}

#[test]
fn rules_of_what_is_ignored_are_content() {
    let task = Task::begin(|ground| ground.write("work/.git/info/exclude", "*.log\n"));
    task.write("a", "mine\n");
    let mine = task.hash();
    task.write("new", "mine\n");
    task.write(".git/info/exclude", "*.log\nnew\n");
    assert_eq!(task.changes(), ["M .git/info/exclude", "M a"]);
    assert_ne!(task.hash(), mine);
    let (git, private) = (task.ground.git(), task.ground.at("private"));
    let shown = diff(&task.start, &private, &task.content().files, &git, 9999).unwrap();
    assert_eq!(shown.not_shown, [Path::new(".git/info/exclude")]);
    assert_eq!(shown.begun_before, [""; 0].map(PathBuf::from));
    task.write(".git/info/exclude", "*.log\n");
    task.remove("new");
    assert_eq!(task.hash(), mine);
    task.ground.write("elsewhere", "new\n");
    let elsewhere = task.ground.at("elsewhere");
    task.git(&["config", "core.excludesFile", elsewhere.to_str().unwrap()]);
    assert_ne!(task.hash(), mine);
    task.git(&["config", "core.excludesFile", "~/.config/git/ignore"]);
    assert_eq!(task.hash(), mine, "where it is without the setting");
    task.ground.write("home/.config/git/ignore", "new\n");
    assert_ne!(task.hash(), mine);
    fs::remove_file(task.ground.at("home/.config/git/ignore")).unwrap();
    assert_eq!(task.hash(), mine);
}
