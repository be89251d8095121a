//! Tests that the reason is reported if there is no start tree or content.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use verger_worktree::{NoContent, NoStartTree, PathReason, TreeError, take_start_tree};

use crate::task::Task;
use crate::{Ground, PATIENCE};

#[test]
fn without_a_working_tree_there_is_no_start() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.run("", &["clone", "--quiet", "--bare", "origin", "bare"]);
    ground.make_directory("plain");
    for (cwd, expected) in [
        ("plain", PathReason::NoRepository),
        ("bare", PathReason::NoWorkTree),
        ("origin/.git", PathReason::NoWorkTree),
        ("missing", PathReason::NoDirectory),
    ] {
        let result = take_start_tree(&ground.at(cwd), &ground.at("private"), &ground.git());
        let Err(NoStartTree::NotARepository(reason)) = result else { panic!("{cwd}: {result:?}") };
        assert_eq!(reason, expected, "{cwd}");
    }
    assert!(!ground.at("private").exists());
}

#[test]
fn failures_of_git_have_different_reasons() {
    let ground = Ground::new();
    ground.repository("work");
    let moment = Duration::from_millis(50);
    for (behaviour, limit, expected) in [
        ("slow", moment, "TimedOut"),
        ("unsafe", PATIENCE, "NotARepository(NotSafe)"),
        ("crash", PATIENCE, "NotARepository(Broken)"),
        ("loud", PATIENCE, "NotARepository(Broken)"),
    ] {
        let git = ground.fake_git(behaviour, limit);
        let result = take_start_tree(&ground.at("work"), &ground.at("private"), &git);
        let told = format!("{:?}", result.unwrap_err());
        assert!(told.contains(expected), "{behaviour}: {told}");
    }
}

#[test]
fn a_start_that_is_gone_or_was_changed_is_no_start() {
    let task = Task::begin(|_| {});
    let private = task.ground.at("private");
    let file = private.join(format!("start-{}", task.start.id));
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, [&bytes[..], b"more\0"].concat()).unwrap();
    assert!(matches!(task.try_content(), Err(NoContent::StartGone)));
    fs::write(&file, bytes).unwrap();
    assert!(task.try_content().is_ok());
    fs::remove_dir_all(&private).unwrap();
    assert!(matches!(task.try_content(), Err(NoContent::StartGone)));
}

#[test]
fn a_repository_that_is_gone_is_told() {
    let task = Task::begin(|_| {});
    fs::rename(task.ground.at("work"), task.ground.at("elsewhere")).unwrap();
    let result = task.try_content();
    assert!(matches!(result, Err(NoContent::Unread(TreeError::Refused { .. }))), "{result:?}");
}

#[test]
fn stored_files_are_private_and_calls_leave_nothing_behind() {
    let task = Task::begin(|_| {});
    task.write("a", "changed\n");
    let content = task.content();
    let private = task.ground.at("private");
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(private.clone()), 0o700);
    let mut names: Vec<_> = fs::read_dir(&private)
        .unwrap()
        .map(|entry| entry.unwrap())
        .inspect(|entry| assert_eq!(mode(entry.path()), 0o600, "{:?}", entry.path()))
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    let start = format!("start-{}", task.start.id);
    assert_eq!(names, [format!("content-{}", content.hash), "hashes".to_owned(), start]);
}

#[test]
fn calls_at_the_same_time_agree() {
    let task = Task::begin(|_| {});
    for number in 0..50 {
        task.write(&format!("new/{number}"), "x\n");
    }
    let hash = task.hash();
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..6).map(|_| scope.spawn(|| task.try_content().unwrap())).collect();
        for call in calls {
            assert_eq!(call.join().unwrap().hash, hash);
        }
    });
    // Another process may lock the user's index. The content doesn't depend on that lock.
    task.write(".git/index.lock", "");
    assert_eq!(task.hash(), hash);
}
