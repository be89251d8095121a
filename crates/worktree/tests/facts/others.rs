//! Tests that the work of others doesn't count as the task's, and that the task's work doesn't
//! count as that of others.

use crate::Ground;
use crate::task::Task;

const NOTHING: [&str; 0] = [];

/// Creates a remote repository from which the task's clone pulls, and a branch on which others
/// work.
fn with_remote(ground: &Ground) {
    ground.run("", &["clone", "--quiet", "--bare", "work", "remote"]);
    ground.run("work", &["remote", "add", "origin", "../remote"]);
    ground.run("work", &["fetch", "--quiet", "origin"]);
    ground.run("work", &["branch", "--quiet", "--set-upstream-to=origin/main"]);
    ground.run("", &["clone", "--quiet", "remote", "colleague"]);
}

fn others_commit(ground: &Ground, path: &str, text: &str) {
    ground.run("colleague", &["pull", "--quiet", "--rebase"]);
    ground.write(format!("colleague/{path}"), text);
    ground.run("colleague", &["add", "--all"]);
    ground.run("colleague", &["commit", "--quiet", "--message", path]);
    ground.run("colleague", &["push", "--quiet"]);
}

#[test]
fn a_pull_brings_nothing_of_the_tasks() {
    let task = Task::begin(with_remote);
    others_commit(&task.ground, "theirs", "theirs\n");
    others_commit(&task.ground, "a", "theirs\n");
    task.git(&["pull", "--quiet"]);
    assert_eq!(task.changes(), NOTHING);
    task.write("b", "mine\n");
    let mine = task.hash();
    assert_eq!(task.changes(), ["M b"]);
    others_commit(&task.ground, "more", "theirs\n");
    task.git(&["pull", "--quiet"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M b".to_owned()], mine));
    task.write("theirs", "changed by me\n");
    assert_eq!(task.changes(), ["M b", "A theirs"]);
}

#[test]
fn own_commits_stay_own_through_rebase_merge_push_and_pull() {
    let task = Task::begin(with_remote);
    task.write("b", "mine\n");
    task.commit_all("mine");
    let mine = task.hash();
    others_commit(&task.ground, "theirs", "theirs\n");
    task.git(&["pull", "--quiet", "--rebase"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M b".to_owned()], mine.clone()));
    others_commit(&task.ground, "c", "theirs\n");
    task.git(&["pull", "--quiet", "--no-rebase", "--no-edit"]);
    assert_eq!(task.hash(), mine);
    task.git(&["push", "--quiet"]);
    assert_eq!(task.hash(), mine);
    others_commit(&task.ground, "on-top", "theirs\n");
    task.git(&["pull", "--quiet"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M b".to_owned()], mine));
}

#[test]
fn own_work_that_comes_back_from_elsewhere_is_still_own() {
    let task = Task::begin(with_remote);
    task.write("b", "mine\n");
    task.commit_all("mine");
    let mine = task.hash();
    task.git(&["push", "--quiet", "origin", "HEAD:topic"]);
    task.ground.run("colleague", &["fetch", "--quiet"]);
    task.ground.run("colleague", &["merge", "--quiet", "--squash", "origin/topic"]);
    task.ground.run("colleague", &["commit", "--quiet", "--message", "squashed"]);
    task.ground.run("colleague", &["push", "--quiet"]);
    task.git(&["fetch", "--quiet"]);
    task.git(&["reset", "--quiet", "--hard", "origin/main"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M b".to_owned()], mine.clone()));
    // A reference that was deleted and fetched again looks as if others had moved it.
    task.git(&["update-ref", "-d", "refs/remotes/origin/topic"]);
    task.git(&["fetch", "--quiet"]);
    task.git(&["reset", "--quiet", "--hard", "origin/topic"]);
    assert_eq!(task.hash(), mine);
}

#[test]
fn neither_date_nor_author_makes_own_work_others() {
    let task = Task::begin(with_remote);
    task.write("b", "mine\n");
    task.git(&["add", "--all"]);
    let author = "--author=Bob <bob@example.org>";
    task.ground.run_on("1999-01-01T00:00:00Z", "work", &["commit", "--quiet", author, "-mold"]);
    assert_eq!(task.changes(), ["M b"]);
    task.git(&["tag", "ancient"]);
    task.git(&["branch", "other"]);
    task.git(&["push", "--quiet", "origin", "HEAD"]);
    assert_eq!(task.changes(), ["M b"]);
    task.git(&["update-ref", "refs/remotes/origin/made-up", "HEAD"]);
    assert_eq!(task.changes(), ["M b"]);
}

#[test]
fn without_gits_notes_nothing_new_is_others() {
    for (enable, expected) in [("true", vec![]), ("false", vec!["A theirs"])] {
        let task = Task::begin(with_remote);
        task.git(&["config", "core.logAllRefUpdates", enable]);
        others_commit(&task.ground, "theirs", "theirs\n");
        if enable == "false" {
            std::fs::remove_dir_all(task.ground.at("work/.git/logs")).unwrap();
        }
        task.git(&["pull", "--quiet"]);
        assert_eq!(task.changes(), expected, "{enable}");
    }
}

#[test]
fn another_branch_of_others_is_no_change() {
    let task = Task::begin(|ground| {
        ground.run("work", &["switch", "--quiet", "--create", "theirs"]);
        ground.write("work/a", "on their branch\n");
        ground.write("work/only-there", "x\n");
        ground.run("work", &["rm", "--quiet", "c"]);
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "theirs"]);
        ground.run("work", &["switch", "--quiet", "main"]);
    });
    task.write("b", "mine\n");
    let mine = task.hash();
    task.git(&["switch", "--quiet", "theirs"]);
    assert_eq!((task.changes(), task.hash()), (vec!["M b".to_owned()], mine.clone()));
    task.git(&["switch", "--quiet", "--detach", "main"]);
    assert_eq!(task.hash(), mine);
    task.commit_all("mine");
    assert_eq!(task.hash(), mine);
    task.git(&["merge", "--quiet", "--no-edit", "theirs"]);
    assert_eq!(task.hash(), mine);
    task.git(&["switch", "--quiet", "theirs"]);
    assert_eq!(task.changes(), ["-> b"]);
}

#[test]
fn commits_fetched_from_a_path_are_not_others() {
    let task = Task::begin(|_| {});
    task.git(&["worktree", "add", "--quiet", "-b", "topic", "../elsewhere"]);
    task.ground.write("elsewhere/a", "mine\n");
    task.ground.run("elsewhere", &["commit", "--quiet", "--all", "--message", "mine"]);
    task.git(&["fetch", "--quiet", ".", "topic:theirs"]);
    task.git(&["merge", "--quiet", "--ff-only", "theirs"]);
    assert_eq!(task.changes(), ["M a"]);
    let task = Task::begin(|_| {});
    task.ground.run("", &["clone", "--quiet", "work", "clone"]);
    task.ground.write("clone/a", "mine\n");
    task.ground.run("clone", &["commit", "--quiet", "--all", "--message", "mine"]);
    task.git(&["pull", "--quiet", "../clone", "main"]);
    assert_eq!(task.changes(), ["M a"]);
}

#[test]
fn a_request_that_was_fetched_to_a_branch_is_others() {
    let task = Task::begin(with_remote);
    task.ground.run("colleague", &["switch", "--quiet", "--create", "topic"]);
    task.ground.write("colleague/topic", "x\n");
    task.ground.run("colleague", &["add", "--all"]);
    task.ground.run("colleague", &["commit", "--quiet", "--message", "topic"]);
    task.ground.run("colleague", &["push", "--quiet", "origin", "HEAD:refs/requests/1"]);
    task.git(&["fetch", "--quiet", "origin", "refs/requests/1:request"]);
    task.git(&["switch", "--quiet", "request"]);
    assert_eq!(task.changes(), NOTHING);
}
