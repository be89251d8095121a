//! Tests of the diff of a task's changes for a reviewer.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use verger_worktree::{Diff, diff};

use crate::task::{Task, assert_untouched, everything};

/// The diff of a task. Asserts that the repository stays unchanged.
#[track_caller]
fn shown(task: &Task, max_bytes: u64) -> Diff {
    let files = task.content().files;
    let before = everything(&task.ground.at("work"));
    let private = task.ground.at("private");
    let made = diff(&task.start, &private, &files, &task.ground.git(), max_bytes).unwrap();
    assert_untouched(&task.ground.at("work"), &before);
    made
}

/// The lines of a diff, without the lines that contain object ids.
fn lines(diff: &Diff) -> Vec<&str> {
    diff.text.lines().filter(|line| !line.starts_with("index ")).collect()
}

const MUCH: u64 = 1_000_000;

#[test]
fn every_kind_of_change_is_shown_however_it_is_recorded() {
    let task = Task::begin(|ground| ground.write("work/untouched", "the user's\n"));
    task.write("a", "changed\n");
    task.commit_all("by the agent");
    task.remove("b");
    task.write("new file", "one\ntwo\n");
    symlink("a", task.ground.at("work/link")).unwrap();
    let diff = shown(&task, MUCH);
    let expected = [
        "diff --git a/a b/a",
        "--- a/a",
        "+++ b/a",
        "@@ -1 +1 @@",
        "-a",
        "+changed",
        "diff --git a/b b/b",
        "deleted file mode 100644",
        "--- a/b",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-b",
        "diff --git a/link b/link",
        "new file mode 120000",
        "--- /dev/null",
        "+++ b/link",
        "@@ -0,0 +1 @@",
        "+a",
        "\\ No newline at end of file",
        "diff --git a/new file b/new file",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/new file\t",
        "@@ -0,0 +1,2 @@",
        "+one",
        "+two",
    ];
    assert_eq!(lines(&diff), expected);
    assert_eq!(Diff { text: String::new(), ..diff }, Diff::default());
}

#[test]
fn files_changed_before_the_task_are_named() {
    let task = Task::begin(|ground| ground.write("work/a", "the user's\n"));
    task.write("a", "the agent's\n");
    let diff = shown(&task, MUCH);
    assert_eq!(diff.begun_before, ["a"].map(std::path::PathBuf::from));
    assert_eq!(lines(&diff)[4..], ["-a", "+the agent's"]);
}

#[test]
fn a_long_difference_is_cut_and_large_files_are_left_out() {
    let task = Task::begin(|_| {});
    task.write("a", &"line\n".repeat(1000));
    task.write("large", &"x".repeat(1024 * 1024 + 1));
    let diff = shown(&task, 1000);
    assert_eq!(diff.not_shown, ["large"].map(std::path::PathBuf::from));
    assert!(diff.is_cut && diff.text.len() <= 1000 && diff.text.ends_with("+line\n"), "{diff:?}");
    assert!(!shown(&task, MUCH).is_cut);
}

#[test]
fn no_program_of_the_repository_runs() {
    let task = Task::begin(|ground| {
        ground.write("work/.gitattributes", "* diff=spy filter=spy\n");
        let program = format!("touch {} && cat", ground.at("ran").display());
        for key in ["diff.external", "diff.spy.command", "diff.spy.textconv", "filter.spy.clean"] {
            ground.run("work", &["config", key, &program]);
        }
    });
    task.write("a", "changed\n");
    assert_eq!(lines(&shown(&task, MUCH)).last(), Some(&"+changed"));
    assert!(!task.ground.at("ran").exists());
}

#[test]
fn a_branch_without_commits_starts_from_nothing() {
    let task = Task::begin(|ground| {
        fs::remove_dir_all(ground.at("work")).unwrap();
        let work = ground.make_directory("work");
        ground.run(&work, &["init", "--quiet"]);
    });
    task.write("a", "one\n");
    assert_eq!(lines(&shown(&task, MUCH)).last(), Some(&"+one"));
}

#[test]
fn a_directory_with_odd_characters_is_no_trouble() {
    let task = Task::begin(|ground| {
        let odd = ground.at("o:d\"d");
        fs::rename(ground.at("work"), &odd).unwrap();
        symlink(&odd, ground.at("work")).unwrap();
    });
    task.write("a", "changed\n");
    fs::set_permissions(task.ground.at("work/b"), fs::Permissions::from_mode(0o755)).unwrap();
    let diff = shown(&task, MUCH);
    assert_eq!(
        lines(&diff)[5..],
        ["+changed", "diff --git a/b b/b", "old mode 100644", "new mode 100755"]
    );
}
