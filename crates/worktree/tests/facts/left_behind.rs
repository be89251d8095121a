//! Tests that work of a task is reported when it was moved out of the tree.

use crate::task::Task;

const NOTHING: [&str; 0] = [];

#[test]
fn a_stash_keeps_the_work_in_mind_until_it_is_back() {
    let task = Task::begin(|_| {});
    task.write("a", "mine\n");
    task.write("new", "mine\n");
    let mine = task.hash();
    task.git(&["stash", "push", "--quiet", "--include-untracked"]);
    assert_eq!(task.changes(), ["-> a", "-> new"]);
    task.git(&["stash", "pop", "--quiet"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M a".to_owned(), "A new".to_owned()], mine));
    task.git(&["stash", "push", "--quiet"]);
    task.git(&["stash", "apply", "--quiet"]);
    assert_eq!(task.changes(), ["M a", "A new"]);
}

#[test]
fn stashes_of_before_and_of_elsewhere_do_not_count() {
    let task = Task::begin(|ground| {
        ground.run("work", &["commit", "--quiet", "--allow-empty", "--message", "newer"]);
        ground.run("work", &["worktree", "add", "--quiet", "../elsewhere", "HEAD~"]);
        ground.write("work/a", "the user's\n");
        ground.run("work", &["stash", "push", "--quiet"]);
        ground.write("work/b", "the user's too\n");
    });
    assert_eq!(task.changes(), NOTHING);
    task.ground.write("elsewhere/c", "somebody's\n");
    task.ground.run("elsewhere", &["stash", "push", "--quiet"]);
    assert_eq!(task.changes(), NOTHING);
    // The task stashed the user's own change: the file changed, but no work of the task moved out.
    task.git(&["stash", "push", "--quiet"]);
    assert_eq!(task.changes(), ["M b"]);
}

#[test]
fn a_commit_that_is_no_longer_checked_out_is_left_behind() {
    let task = Task::begin(|_| {});
    task.git(&["switch", "--quiet", "--create", "topic"]);
    task.write("a", "mine\n");
    task.commit_all("mine");
    let mine = task.hash();
    task.git(&["switch", "--quiet", "main"]);
    assert_eq!(task.changes(), ["-> a"]);
    task.git(&["merge", "--quiet", "topic"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M a".to_owned()], mine));
    task.git(&["reset", "--quiet", "--hard", "HEAD~"]);
    assert_eq!(task.changes(), ["-> a"]);
    task.git(&["branch", "--quiet", "--delete", "--force", "topic"]);
    assert_eq!(task.changes(), ["-> a"]);
}

#[test]
fn a_commit_that_was_replaced_is_not_left_behind() {
    let task = Task::begin(|_| {});
    task.write("a", "mine\n");
    task.commit_all("mine");
    task.write("a", "better\n");
    task.git(&["commit", "--quiet", "--all", "--amend", "--message", "better"]);
    assert_eq!(task.changes(), ["M a"]);
    task.write("b", "mine\n");
    task.commit_all("second");
    task.git(&["reset", "--quiet", "--soft", "HEAD~2"]);
    task.git(&["commit", "--quiet", "--message", "squashed"]);
    assert_eq!(task.changes(), ["M a", "M b"]);
}

#[test]
fn changes_undone_by_a_commit_are_not_left_behind() {
    let task = Task::begin(|_| {});
    task.write("a", "mine\n");
    task.commit_all("mine");
    task.git(&["revert", "--no-edit", "HEAD"]);
    assert_eq!(task.changes(), NOTHING);
}

#[test]
fn other_work_that_is_left_behind_is_another_content() {
    let task = Task::begin(|_| {});
    task.write("a", "one\n");
    task.git(&["stash", "push", "--quiet"]);
    let one = task.hash();
    task.git(&["stash", "pop", "--quiet"]);
    task.git(&["stash", "push", "--quiet"]);
    assert_eq!(task.hash(), one);
    task.write("a", "two\n");
    task.git(&["stash", "push", "--quiet"]);
    assert_eq!(task.changes(), ["-> a"]);
    assert_ne!(task.hash(), one);
}

#[test]
fn ignored_paths_are_not_left_behind() {
    let mut task = Task::begin(|_| {});
    task.write(".verger/notes", "x\n");
    task.write("generated", "x\n");
    task.commit_all("notes");
    task.git(&["reset", "--quiet", "--hard", "HEAD~"]);
    assert_eq!(task.changes(), ["-> generated"]);
    task.ignore = verger_worktree::Ignore::new(["generated"]);
    assert_eq!(task.changes(), NOTHING);
}
