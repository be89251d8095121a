//! Tests of counting the lines that a task changed.

use std::os::unix::fs::symlink;
use std::path::Path;

use verger_worktree::{begun_lines, changed_lines, keep_begun};

use crate::task::{Task, assert_untouched, everything};

/// The number of lines that the task changed. Asserts that the repository stays unchanged.
#[track_caller]
fn lines(task: &Task) -> u64 {
    let files = task.content().files;
    let before = everything(&task.ground.at("work"));
    let private = task.ground.at("private");
    let counted = changed_lines(&task.start, &private, &files, &task.ground.git()).unwrap();
    assert_untouched(&task.ground.at("work"), &before);
    counted
}

/// `count` lines that each begin with a word.
fn text(word: &str, count: usize) -> String {
    let lines: Vec<_> = (0..count).map(|number| format!("{word} {number}\n")).collect();
    lines.concat()
}

#[test]
fn commits_and_untracked_files_are_counted_with_the_rest() {
    let task = Task::begin(|_| {});
    assert_eq!(lines(&task), 0);
    task.write("a", "changed\n");
    assert_eq!(lines(&task), 2, "one line removed and one added");
    task.commit_all("by the agent");
    assert_eq!(lines(&task), 2);
    task.write("new", &text("new", 10));
    assert_eq!(lines(&task), 12);
    task.remove("b");
    task.git(&["add", "new"]);
    assert_eq!(lines(&task), 13);
    symlink("a", task.ground.at("work/link")).unwrap();
    task.write("picture", "\0\0\n\n\n");
    assert_eq!(lines(&task), 15, "what is no text counts as one line");
}

#[test]
fn a_file_that_was_moved_is_no_change_of_its_lines() {
    let task = Task::begin(|ground| {
        ground.write("work/long", &text("line", 100));
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "long"]);
    });
    task.git(&["mv", "long", "longer"]);
    assert_eq!(lines(&task), 0);
}

#[test]
fn lines_begun_by_the_user_are_not_counted_as_the_agents() {
    let begin = || {
        Task::begin(|ground| {
            ground.write("work/a", &text("the user's", 100));
            ground.write("work/untracked", &text("the user's", 50));
            ground.write("work/untouched", &text("the user's", 50));
        })
    };
    let change = |task: &Task| {
        task.write("a", &text("the user's", 99));
        task.write("untracked", &(text("the user's", 50) + "the agent's\n"));
    };
    let task = begin();
    keep_begun(&task.start, &task.ground.at("private")).unwrap();
    assert_eq!(lines(&task), 0);
    change(&task);
    assert_eq!(lines(&task), 2);
    task.commit_all("all of it");
    assert_eq!(lines(&task), 2);
    task.remove("untracked");
    assert_eq!(lines(&task), 51);
    let rough = begin();
    change(&rough);
    assert_eq!(lines(&rough), 2, "a line for each file of which nothing was kept");
}

#[test]
fn a_line_that_was_there_is_known_where_the_lines_were_kept() {
    let task = Task::begin(|ground| {
        ground.write("work/a", "the user's\r\n");
        ground.write("work/new", "\0 is no text\n");
    });
    let private = task.ground.at("private");
    let had = |file: &str, line: &str| {
        begun_lines(&task.start, &private).unwrap().had(Path::new(file), line)
    };
    assert_eq!(had("a", "the user's"), None, "nothing was kept");
    keep_begun(&task.start, &private).unwrap();
    task.write("a", "the user's\nthe agent's\n");
    for (file, line, expected) in [
        ("a", "the user's", Some(true)),
        ("a", "the agent's", Some(false)),
        ("b", "any line", Some(false)),
        ("new", "any line", None),
    ] {
        assert_eq!(had(file, line), expected, "{file}: {line}");
    }
    std::fs::remove_dir_all(&private).unwrap();
    assert!(begun_lines(&task.start, &private).is_none());
}

#[test]
fn used_files_stay_however_many_tasks_begin() {
    let task = Task::begin(|ground| ground.write("work/a", "begun\n"));
    let private = task.ground.at("private");
    keep_begun(&task.start, &private).unwrap();
    task.write("a", "begun\nand more\n");
    for number in 0..20 {
        task.write("b", &format!("{number}\n"));
        let start =
            verger_worktree::take_start_tree(&task.ground.at("work"), &private, &task.ground.git());
        start.unwrap();
        assert_eq!(lines(&task), 3, "{number}");
    }
}
