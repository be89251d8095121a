//! Tests of a task's content without git, which consists of the files that tools wrote.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use verger_event::ContentHash;
use verger_worktree::{
    ChangeKind, Content, Ignore, MovedOut, TreeError, differing_paths, touched_content,
};

use crate::Ground;

fn look(ground: &Ground, paths: &[&str]) -> Content {
    let ignore = Ignore::new(["*.log"]);
    touched_content(&ground.at("work"), paths, &ground.at("private"), &ignore).unwrap()
}

fn names(content: &Content) -> Vec<(&Path, ChangeKind)> {
    content.files.iter().map(|file| (file.path.as_path(), file.kind)).collect()
}

#[test]
fn files_count_by_their_bytes_once_each() {
    let ground = Ground::new();
    ground.write("work/a", "a\n");
    ground.write("outside", "x\n");
    ground.make_directory("work/dir");
    symlink("a", ground.at("work/link")).unwrap();
    let (full, outside) = (ground.at("work/a"), ground.at("outside"));
    let paths = [
        "a",
        full.to_str().unwrap(),
        "gone",
        "dir",
        "link",
        "noise.log",
        ".verger/notes",
        outside.to_str().unwrap(),
    ];
    let content = look(&ground, &paths);
    let expected = [
        (outside.as_path(), ChangeKind::Changed),
        (Path::new("a"), ChangeKind::Changed),
        (Path::new("gone"), ChangeKind::Deleted),
        (Path::new("link"), ChangeKind::Changed),
    ];
    assert_eq!((names(&content), &content.moved_out), (expected.to_vec(), &MovedOut::Nothing));
    assert_eq!(look(&ground, &paths), content);
    ground.write("work/a", "b\n");
    let changed = look(&ground, &paths);
    assert_ne!(changed.hash, content.hash);
    let differing = differing_paths(&ground.at("private"), &content.hash, &changed);
    assert_eq!(differing, Some(vec![PathBuf::from("a")]));
    ground.write("work/a", "a\n");
    assert_eq!(look(&ground, &paths).hash, content.hash);
}

#[test]
fn nothing_touched_is_no_content() {
    let ground = Ground::new();
    let content = look(&ground, &["noise.log"]);
    assert_eq!((content.files, content.hash), (vec![], ContentHash::of_nothing()));
}

#[test]
fn a_large_file_counts_by_its_look() {
    let ground = Ground::new();
    ground.write("work/large", "");
    let file = fs::File::options().write(true).open(ground.at("work/large")).unwrap();
    file.set_len(21 * 1024 * 1024).unwrap();
    let before = look(&ground, &["large"]);
    assert_eq!(look(&ground, &["large"]), before);
    file.set_len(22 * 1024 * 1024).unwrap();
    assert_ne!(look(&ground, &["large"]).hash, before.hash);
}

#[test]
fn a_list_without_end_is_refused() {
    let ground = Ground::new();
    let paths = (0_u64..).map(|number| number.to_string());
    let result = touched_content(&ground.at(""), paths, &ground.at("private"), &Ignore::default());
    assert!(matches!(result, Err(TreeError::TooMuch)), "{result:?}");
}
