//! Tests of a task's content. It is everything that differs from the start, whether committed,
//! staged or neither.

use verger_worktree::{differing_paths, take_commit_tree};

use crate::task::Task;

const NOTHING: [&str; 0] = [];

#[test]
fn a_task_that_changes_nothing_has_no_content() {
    let task = Task::begin(|_| {});
    let untouched = task.hash();
    assert_eq!(task.changes(), NOTHING);
    task.write("a", "other\n");
    task.write("a", "a\n");
    assert_eq!((task.changes(), task.hash()), (vec![], untouched));
}

#[test]
fn added_changed_and_deleted_files_are_told_apart() {
    let task = Task::begin(|_| {});
    task.write("a", "changed\n");
    task.write("new/file", "new\n");
    task.remove("b");
    assert_eq!(task.changes(), ["M a", "D b", "A new/file"]);
}

#[test]
fn earlier_changes_of_the_user_are_not_the_tasks() {
    let task = Task::begin(|ground| {
        ground.write("work/a", "the user's\n");
        ground.write("work/untracked", "the user's\n");
        ground.write("work/staged", "the user's\n");
        ground.run("work", &["add", "staged"]);
        ground.run("work", &["rm", "--quiet", "c"]);
    });
    assert_eq!(task.changes(), NOTHING);
    task.write("a", "the agent's\n");
    task.write("c", "back\n");
    task.remove("untracked");
    assert_eq!(task.changes(), ["M a", "A c", "D untracked"]);
}

#[test]
fn undoing_what_the_user_had_changed_is_a_change() {
    let task = Task::begin(|ground| ground.write("work/a", "the user's\n"));
    task.git(&["checkout", "--quiet", "--", "a"]);
    assert_eq!(task.changes(), ["M a"]);
    task.write("b", "b2\n");
    let undone = task.hash();
    task.git(&["commit", "--quiet", "--all", "--message", "other"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M a".to_owned(), "M b".to_owned()], undone));
}

#[test]
fn staging_and_committing_change_nothing() {
    let task = Task::begin(|_| {});
    task.write("a", "changed\n");
    task.write("new", "new\n");
    task.remove("b");
    let hash = task.hash();
    task.git(&["add", "--intent-to-add", "new"]);
    assert_eq!(task.hash(), hash);
    task.git(&["add", "a"]);
    assert_eq!(task.hash(), hash);
    task.git(&["add", "--all"]);
    assert_eq!(task.hash(), hash);
    task.git(&["reset", "--quiet"]);
    assert_eq!(task.hash(), hash);
    task.commit_all("work");
    assert_eq!(task.hash(), hash);
    task.git(&["commit", "--quiet", "--amend", "--message", "better"]);
    assert_eq!(task.hash(), hash);
    assert_eq!(task.changes(), ["M a", "D b", "A new"]);
}

#[test]
fn a_content_that_is_the_same_again_has_the_same_hash() {
    let task = Task::begin(|_| {});
    task.write("a", "one\n");
    let one = task.hash();
    task.write("a", "two\n");
    let two = task.hash();
    assert_ne!(one, two);
    task.write("b", "two\n");
    task.write("a", "one\n");
    assert!(![one.clone(), two].contains(&task.hash()));
    task.write("b", "b\n");
    assert_eq!(task.hash(), one);
}

#[test]
fn differing_paths_of_two_contents_are_named() {
    let task = Task::begin(|_| {});
    let private = task.ground.at("private");
    task.write("a", "one\n");
    task.write("b", "one\n");
    let then = task.hash();
    task.write("a", "two\n");
    task.write("new", "new\n");
    task.write("b", "b\n");
    let now = task.content();
    let names = ["a", "b", "new"].map(Into::into);
    assert_eq!(differing_paths(&private, &then, &now), Some(names.to_vec()));
    assert_eq!(differing_paths(&private, &now.hash, &now), Some(vec![]));
    std::fs::remove_file(private.join(format!("content-{then}"))).unwrap();
    assert_eq!(differing_paths(&private, &then, &now), None);
}

#[test]
fn since_a_commit_everything_that_is_not_in_it_counts() {
    let mut task = Task::begin(|ground| {
        ground.write("work/a", "the user's\n");
        ground.write("work/untracked", "the user's\n");
    });
    let (cwd, private) = (task.ground.at("work"), task.ground.at("private"));
    task.start = take_commit_tree(&cwd, &private, &task.ground.git()).unwrap();
    assert_eq!(task.changes(), ["M a", "A untracked"]);
    task.commit_all("all of it");
    assert_eq!(task.changes(), ["M a", "A untracked"], "it is since that commit");
    task.start = take_commit_tree(&cwd, &private, &task.ground.git()).unwrap();
    assert_eq!(task.changes(), NOTHING);
}
