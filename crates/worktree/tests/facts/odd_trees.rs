//! Tests of the content of working trees with every kind of file that git allows.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;

use verger_worktree::{Content, Ignore, StartTree, content, take_start_tree};

use crate::Ground;
use crate::task::Task;

const NOTHING: [&str; 0] = [];

fn start(ground: &Ground, cwd: &str) -> StartTree {
    take_start_tree(&ground.at(cwd), &ground.at("private"), &ground.git()).unwrap()
}

fn now(ground: &Ground, start: &StartTree) -> Content {
    content(start, &ground.at("private"), &Ignore::default(), &ground.git()).unwrap()
}

#[test]
fn a_branch_without_commits_starts_from_nothing() {
    for form in ["sha1", "sha256"] {
        let task = Task::begin(|ground| {
            fs::remove_dir_all(ground.at("work")).unwrap();
            let form = format!("--object-format={form}");
            ground.run("", &["init", "--quiet", &form, "work"]);
            ground.write("work/the-users", "x\n");
        });
        assert_eq!((task.start.head.clone(), task.changes()), (None, vec![]), "{form}");
        task.write("new", "new\n");
        let hash = task.hash();
        task.commit_all("first");
        assert_eq!((task.changes(), task.hash()), (vec!["A new".to_owned()], hash), "{form}");
        task.git(&["update-index", "--assume-unchanged", "the-users"]);
        task.write("the-users", "changed\n");
        assert_eq!(task.changes(), ["A new", "M the-users"], "{form}");
    }
}

#[test]
fn a_linked_worktree_has_its_own_content() {
    let ground = Ground::new();
    ground.repository("main");
    ground.write("main/a", "a\n");
    ground.run("main", &["add", "--all"]);
    ground.run("main", &["commit", "--quiet", "--message", "a"]);
    ground.run("main", &["worktree", "add", "--quiet", "../linked"]);
    let tree = start(&ground, "linked");
    ground.write("main/b", "elsewhere\n");
    ground.write("linked/a", "changed\n");
    let before = now(&ground, &tree);
    assert_eq!(before.files.len(), 1);
    ground.run("linked", &["commit", "--quiet", "--all", "--message", "mine"]);
    assert_eq!(now(&ground, &tree), before);
    ground.run("linked", &["switch", "--quiet", "--detach", "HEAD~"]);
    assert_ne!(now(&ground, &tree).moved_out, before.moved_out);
}

/// A large file is compared by its size, times and inode, because reading it would take too long.
#[test]
fn a_large_file_is_the_same_for_as_long_as_nobody_writes_to_it() {
    let task = Task::begin(|ground| {
        File::create(ground.at("work/large")).unwrap().set_len(1 << 30).unwrap();
        ground.write("work/small", "small\n");
    });
    assert_eq!(task.changes(), NOTHING);
    task.write("small", "small\n");
    assert_eq!(task.changes(), NOTHING);
    fs::remove_file(task.ground.at("private/hashes")).unwrap();
    assert_eq!(task.changes(), NOTHING);
    let large = File::options().write(true).open(task.ground.at("work/large")).unwrap();
    large.write_all_at(b"x", 12345).unwrap();
    assert_eq!(task.changes(), ["M large"]);
    let hash = task.hash();
    assert_eq!(task.hash(), hash);
    large.write_all_at(b"y", 12345).unwrap();
    assert_ne!(task.hash(), hash);
}

/// Untracked files beyond the first thousands are also compared by their metadata.
#[test]
fn of_many_untracked_files_each_change_is_seen() {
    let task = Task::begin(|ground| {
        for number in 0..2_500 {
            ground.write(format!("work/many/{number:04}"), "text\n");
        }
    });
    assert_eq!(task.changes(), NOTHING);
    fs::remove_file(task.ground.at("private/hashes")).unwrap();
    task.write("many/0000", "changed\n");
    task.write("many/2499", "changed\n");
    task.write("new", "new\n");
    assert_eq!(task.changes(), ["M many/0000", "M many/2499", "A new"]);
    task.commit_all("some");
    assert!(task.changes().iter().any(|change| change == "A new"));
}

#[test]
fn an_unfinished_merge_counts_by_the_files() {
    let task = Task::begin(|ground| {
        ground.run("work", &["switch", "--quiet", "--create", "theirs"]);
        ground.write("work/a", "theirs\n");
        ground.run("work", &["rm", "--quiet", "b"]);
        ground.run("work", &["commit", "--quiet", "--all", "--message", "theirs"]);
        ground.run("work", &["switch", "--quiet", "main"]);
    });
    task.write("a", "mine\n");
    task.write("b", "mine\n");
    task.commit_all("mine");
    assert!(!task.ground.try_run("work", &["merge", "theirs"]));
    assert_eq!(task.changes(), ["M a", "M b"]);
    task.remove("b");
    assert_eq!(task.changes(), ["M a", "D b"]);
    task.write("a", "both\n");
    let resolved = task.hash();
    task.git(&["add", "--all"]);
    assert_eq!(task.hash(), resolved);
    task.git(&["commit", "--quiet", "--message", "merged"]);
    assert_eq!(task.hash(), resolved);
}

#[test]
fn links_modes_and_kinds_of_files_are_content() {
    let task = Task::begin(|ground| symlink("a", ground.at("work/link")).unwrap());
    let work = task.ground.at("work");
    fs::set_permissions(work.join("a"), Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(work.join("link")).unwrap();
    symlink("b", work.join("link")).unwrap();
    fs::remove_file(work.join("b")).unwrap();
    symlink("c", work.join("b")).unwrap();
    assert_eq!(task.changes(), ["M a", "M b", "M link"]);
    let hash = task.hash();
    fs::set_permissions(work.join("a"), Permissions::from_mode(0o700)).unwrap();
    assert_eq!(task.hash(), hash);
    task.commit_all("all");
    assert_eq!(task.hash(), hash);
}

#[test]
fn a_file_may_become_a_directory_and_a_directory_a_link() {
    let task = Task::begin(|_| {});
    let work = task.ground.at("work");
    task.remove("a");
    task.write("a/inside", "x\n");
    fs::remove_dir_all(work.join("dir")).unwrap();
    symlink("a", work.join("dir")).unwrap();
    let expected = ["D a", "A a/inside", "A dir", "D dir/d"];
    assert_eq!(task.changes(), expected);
    let hash = task.hash();
    task.commit_all("all");
    assert_eq!((task.changes(), task.hash()), (expected.map(str::to_owned).to_vec(), hash));
}

#[test]
fn any_name_will_do() {
    let task = Task::begin(|_| {});
    let work = task.ground.at("work");
    for name in
        [&b"not \xff text"[..], b"two\nlines", b" space ", b"\"quoted\"", b"-dash", b":(top)x"]
    {
        fs::write(work.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let hash = task.hash();
    assert_eq!(task.content().files.len(), 6);
    task.commit_all("names");
    assert_eq!(task.hash(), hash);
}

#[test]
fn pipes_sockets_and_closed_files_are_no_trouble() {
    let task = Task::begin(|_| {});
    let work = task.ground.at("work");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        work.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let _socket = UnixListener::bind(work.join("socket")).unwrap();
    assert_eq!(task.changes(), NOTHING);
    task.remove("a");
    fs::rename(work.join("pipe"), work.join("a")).unwrap();
    assert_eq!(task.changes(), ["D a"]);
    task.write("closed", "x\n");
    fs::set_permissions(work.join("closed"), Permissions::from_mode(0o000)).unwrap();
    let content = task.try_content().unwrap();
    fs::set_permissions(work.join("closed"), Permissions::from_mode(0o644)).unwrap();
    assert_eq!(content.files.len(), 2);
}

#[test]
fn repositories_inside_the_repository_are_their_own() {
    let task = Task::begin(|ground| {
        ground.repository("library");
        ground.run("work", &["submodule", "--quiet", "add", "../library", "library"]);
        ground.run("work", &["commit", "--quiet", "--message", "library"]);
    });
    task.git(&["init", "--quiet", "empty"]);
    task.write("empty/x", "x\n");
    task.ground.repository("work/nested");
    task.write("nested/x", "x\n");
    assert_eq!(task.changes(), NOTHING);
    task.write("library/dirty", "x\n");
    assert_eq!(task.changes(), NOTHING);
    task.ground.run("work/library", &["commit", "--quiet", "--allow-empty", "--message", "newer"]);
    assert_eq!(task.changes(), ["M library"]);
    let hash = task.hash();
    task.git(&["add", "library"]);
    assert_eq!(task.hash(), hash);
}

#[test]
fn a_sparse_checkout_lacks_nothing() {
    for options in [&["--no-cone"][..], &["--cone", "--sparse-index"]] {
        let task = Task::begin(|ground| {
            ground.run("work", &[&["sparse-checkout", "set"], options, &["dir"]].concat());
        });
        assert_eq!(task.changes(), NOTHING);
        task.write("dir/d", "changed\n");
        let hash = task.hash();
        assert_eq!(task.changes(), ["M dir/d"]);
        task.git(&["sparse-checkout", "disable"]);
        assert_eq!((task.changes(), task.hash()), (vec!["M dir/d".to_owned()], hash));
    }
}

#[test]
fn no_mark_hides_a_change() {
    for version in ["2", "4"] {
        for mark in ["--assume-unchanged", "--skip-worktree"] {
            for split in ["--no-split-index", "--split-index"] {
                let task = Task::begin(|ground| {
                    ground.run("work", &["update-index", "--index-version", version]);
                    ground.run("work", &["update-index", split]);
                });
                task.git(&["update-index", mark, "dir/d", "b"]);
                assert_eq!(task.changes(), NOTHING);
                task.write("dir/d", "changed\n");
                task.remove("b");
                assert_eq!(task.changes(), ["D b", "M dir/d"], "{version} {mark} {split}");
                let hash = task.hash();
                task.git(&["update-index", &mark.replace("--", "--no-"), "dir/d"]);
                assert_eq!(task.hash(), hash, "{version} {mark} {split}");
            }
        }
    }
}

#[test]
fn existing_files_do_not_disappear_when_they_are_ignored() {
    let task = Task::begin(|ground| {
        ground.write("work/notes", "the user's\n");
        ground.write("work/.git/info/exclude", "always-ignored\n");
        ground.write("work/always-ignored", "x\n");
    });
    task.write("always-ignored", "y\n");
    assert_eq!(task.changes(), NOTHING);
    task.write(".git/info/exclude", "notes\n*.tmp\n");
    task.write("made.tmp", "x\n");
    let rules = "M .git/info/exclude";
    assert_eq!(task.changes(), [rules, "A always-ignored"]);
    task.write("notes", "the agent's\n");
    assert_eq!(task.changes(), [rules, "A always-ignored", "M notes"]);
    task.remove("notes");
    assert_eq!(task.changes(), [rules, "A always-ignored", "D notes"]);
}

#[test]
fn ends_of_lines_are_converted_as_git_does() {
    let task = Task::begin(|ground| {
        ground.write("work/kept", "a\r\nb\r\n");
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "kept"]);
        ground.write("work/.gitattributes", "* text=auto\n");
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "attributes"]);
    });
    task.write("a", "a\r\nchanged\r\n");
    task.write("kept", "a\r\nchanged\r\n");
    let hash = task.hash();
    task.commit_all("ends");
    assert_eq!((task.changes(), task.hash()), (vec!["M a".to_owned(), "M kept".to_owned()], hash));
}

#[test]
fn no_program_of_the_repository_is_run() {
    let task = Task::begin(|ground| {
        let ran = ground.at("ran").display().to_string();
        ground.write("work/.gitattributes", "* filter=spy\nb filter=other.spy\n");
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "attributes"]);
        for (name, value) in [
            ("filter.spy.clean", format!("touch {ran}; cat")),
            ("filter.spy.required", "true".to_owned()),
            ("filter.other.spy.process", format!("touch {ran}")),
            ("core.fsmonitor", format!("touch {ran}")),
        ] {
            ground.run("work", &["config", name, &value]);
        }
        let hook = ground.at("work/.git/hooks/post-index-change");
        ground.write(&hook, &format!("#!/bin/sh\ntouch {ran}\n"));
        fs::set_permissions(&hook, Permissions::from_mode(0o755)).unwrap();
    });
    task.write("a", "changed\n");
    task.write("b", "changed\n");
    assert_eq!(task.changes(), ["M a", "M b"]);
    assert!(!task.ground.at("ran").exists());
}

#[test]
fn references_in_another_form_only_make_more_the_tasks() {
    let task = Task::begin(|ground| {
        fs::remove_dir_all(ground.at("work")).unwrap();
        ground.run("", &["init", "--quiet", "--ref-format=reftable", "work"]);
        ground.write("work/a", "a\n");
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "a"]);
        ground.run("work", &["branch", "old"]);
        ground.run("work", &["commit", "--quiet", "--allow-empty", "--message", "b"]);
    });
    task.write("a", "changed\n");
    let hash = task.hash();
    task.commit_all("mine");
    assert_eq!((task.changes(), task.hash()), (vec!["M a".to_owned()], hash));
    task.git(&["switch", "--quiet", "old"]);
    assert_eq!(task.changes(), NOTHING);
}
