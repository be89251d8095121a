//! Tests of undo points of unusual repositories and files, and of deliberately hostile ones.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use verger_worktree::undo::{self, Kept, KeptWhy, LeftOut, NoUndo, Point, Reason, Selection};
use verger_worktree::{Git, TreeError};

use crate::undo::{Undoing, exact, is_protected};

fn left_out(path: &str, reason: Reason) -> LeftOut {
    LeftOut { path: path.into(), reason }
}

#[test]
fn submodules_and_repositories_inside_are_named_and_not_entered() {
    let undoing = Undoing::new();
    undoing.ground.repository("library");
    undoing.git(&["submodule", "--quiet", "add", "../library", "sub"]);
    undoing.git(&["commit", "--quiet", "--message", "submodule"]);
    undoing.write("sub/inside", "worked on\n");
    undoing.ground.repository("work/nested");
    undoing.write("nested/inside", "worked on\n");
    undoing.write("a", "worked on\n");
    let before = undoing.files();
    let point = undoing.save();
    let expected = ["nested", "sub"].map(|path| left_out(path, Reason::Repository));
    assert_eq!(point.left_out, expected);
    undoing.git(&["checkout", "--quiet", "a"]);
    undoing.restore(&point, &exact());
    assert_eq!(undoing.files(), before);
}

#[test]
fn staged_protected_files_are_not_in_the_point() {
    let undoing = Undoing::new();
    undoing.write(".env", "PASSWORD=1\n");
    undoing.write("a", "staged\n");
    undoing.git(&["add", ".env", "a"]);
    undoing.write(".env", "PASSWORD=2\n");
    let point = undoing.save();
    assert_eq!(point.left_out, [left_out(".env", Reason::Protected)]);
    for commit in [&point.commit, point.index.as_ref().unwrap()] {
        let names = undoing.said(&["ls-tree", "-r", "--name-only", commit]);
        assert_eq!(names, "a\nb\ndir/c\n");
    }
    undoing.git(&["reset", "--quiet", "--hard"]);
    undoing.write(".env", "PASSWORD=3\n");
    undoing.restore(&point, &exact());
    assert_eq!(fs::read_to_string(undoing.path(".env")).unwrap(), "PASSWORD=3\n");
}

#[test]
fn hashes_of_the_other_kind_are_known() {
    let undoing = Undoing::new();
    undoing.ground.make_directory("long");
    undoing.ground.run("long", &["init", "--quiet", "--object-format=sha256"]);
    undoing.ground.write("long/a", "1\n");
    undoing.ground.run("long", &["add", "."]);
    let git = undoing.ground.git();
    let first = undoing.try_save("long", &git).unwrap().point;
    undoing.ground.run("long", &["commit", "--quiet", "--message", "a"]);
    undoing.ground.write("long/a", "2\n");
    let second = undoing.try_save("long", &git).unwrap().point;
    let long = undoing.ground.at("long");
    for (point, expected) in [(first, "1\n"), (second, "2\n")] {
        undoing.ground.write("long/a", "ruined\n");
        let now = undoing.try_save("long", &git).unwrap().point;
        let selection = Selection::default();
        let plan = undo::plan(&long, &git, &point, &now, &selection, &is_protected).unwrap();
        undo::restore(&long, &git, &point, &plan, &mut |_| ()).unwrap();
        undo::restore_index(&long, &git, &point).unwrap();
        assert_eq!(fs::read_to_string(long.join("a")).unwrap(), expected);
        assert_eq!(undoing.ground.said("long", &["ls-files"]), "a\n");
    }
}

#[test]
fn a_repository_may_have_any_name() {
    let undoing = Undoing::new();
    let git = undoing.ground.git();
    for name in [&b"new\nline"[..], b"not \xff text", b"100%", b" ", b"-C", b"quo\"te"] {
        let name = PathBuf::from(OsStr::from_bytes(name));
        fs::create_dir(undoing.ground.at(&name)).unwrap();
        undoing.ground.run(&name, &["init", "--quiet"]);
        fs::write(undoing.ground.at(&name).join("file"), "kept").unwrap();
        let point = undoing.try_save(&name, &git).unwrap().point;
        assert_eq!(point.root, undoing.ground.at(&name));
        let again = undoing.try_save(&name, &git).unwrap();
        assert!(again.is_reused, "{name:?}");
        assert_eq!(
            undoing.ground.said(&name, &["show", &format!("{}:file", point.commit)]),
            "kept"
        );
    }
}

#[test]
fn pipes_sockets_and_what_is_closed_hold_nobody_up() {
    let undoing = Undoing::new();
    let made = undoing.ground.shell("work", "mkfifo pipe && rm a && mkfifo a");
    assert!(made);
    let socket = UnixListener::bind(undoing.path("socket")).unwrap();
    undoing.write("b", "worked on\n");
    let point = undoing.save();
    drop(socket);
    let names = undoing.said(&["ls-tree", "-r", "--name-only", &point.commit]);
    assert_eq!((&*names, point.left_out), ("b\ndir/c\n", vec![]));
}

#[test]
fn a_link_in_a_circle_comes_back_in_place_of_a_directory() {
    let undoing = Undoing::new();
    undoing.write("new/deep/staged", "staged\n");
    undoing.git(&["add", "new"]);
    for directory in ["dir", "new"] {
        fs::remove_dir_all(undoing.path(directory)).unwrap();
        symlink(directory, undoing.path(directory)).unwrap();
    }
    let (before, index) = (undoing.files(), undoing.said(&["ls-files", "--stage"]));
    let point = undoing.save();
    let names = undoing.said(&["ls-tree", "-r", "--name-only", &point.commit]);
    assert_eq!(names, "a\nb\ndir\nnew\n");
    undoing.git(&["reset", "--quiet", "--hard"]);
    undoing.restore(&point, &exact());
    undoing.restore_index(&point);
    assert_eq!((undoing.files(), undoing.said(&["ls-files", "--stage"])), (before, index));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let undoing = Undoing::new();
    undoing.write("closed", "closed\n");
    fs::set_permissions(undoing.path("closed"), Permissions::from_mode(0o000)).unwrap();
    let point = undoing.save();
    // Root can read even this file.
    if fs::read(undoing.path("closed")).is_err() {
        assert_eq!(point.left_out, [left_out("closed", Reason::Unreadable)]);
    } else {
        assert_eq!(point.left_out, []);
    }
}

#[test]
fn wherever_head_is_and_whoever_holds_the_index_it_is_saved() {
    let undoing = Undoing::new();
    undoing.git(&["switch", "--quiet", "--detach"]);
    undoing.git(&["worktree", "add", "--quiet", "--detach", "../second"]);
    undoing.ground.run("second", &["worktree", "add", "--quiet", "--detach", "../third"]);
    undoing.ground.write("third/a", "third\n");
    let git = undoing.ground.git();
    let third = undoing.try_save("third", &git).unwrap().point;
    assert_eq!((third.root, third.branch), (undoing.ground.at("third"), None));
    undoing.write("a", "worked on\n");
    undoing.write("b", "staged\n");
    undoing.git(&["add", "b"]);
    undoing.write(".git/index.lock", "");
    let point = undoing.save();
    assert_eq!(point.branch, None);
    fs::remove_file(undoing.path(".git/index.lock")).unwrap();
    undoing.git(&["reset", "--quiet", "b"]);
    undoing.write(".git/index.lock", "");
    undoing.write("a", "ruined\n");
    undoing.restore(&point, &Selection::default());
    let error = undo::restore_index(&undoing.path(""), &git, &point).unwrap_err();
    assert!(matches!(error, NoUndo::Tree(TreeError::Refused { .. })), "{error:?}");
    assert_eq!(fs::read_to_string(undoing.path("a")).unwrap(), "worked on\n");
}

#[test]
fn a_tree_that_somebody_forged_writes_nowhere_else() {
    let undoing = Undoing::new();
    let point = undoing.save();
    let made = undoing.ground.shell(
        "work",
        r#"set -e
        blob=$(echo evil | git hash-object -w --stdin)
        raw=$(echo "$blob" | sed 's/../\\x&/g')
        tree() { printf "100644 $1\0$raw" | git hash-object -t tree -w --literally --stdin; }
        in=$(tree hooks)
        { printf "100755 ../out\0$raw"; printf "100644 /out\0$raw";
          printf "40000 .git\0$(echo "$in" | sed 's/../\\x&/g')"; } > "$TMPDIR/tree"
        root=$(git hash-object -t tree -w --literally "$TMPDIR/tree")
        git cat-file commit refs/verger/undo/"$POINT" | sed "1s/.*/tree $root/" |
            git hash-object -t commit -w --literally --stdin > "$TMPDIR/commit"
        git update-ref refs/verger/undo/"$POINT" "$(cat "$TMPDIR/commit")""#
            .replace("$POINT", &point.id.to_string())
            .replace("$TMPDIR", &undoing.ground.at("home").display().to_string())
            .as_str(),
    );
    assert!(made);
    let git = undoing.ground.git();
    let forged = undo::points(&undoing.path(""), &git).unwrap().pop().unwrap();
    assert_eq!((forged.id, forged.commit == point.commit), (point.id, false));
    undoing.write("b", "worked on\n");
    let before = (undoing.seen(), undoing.files());
    let plan = undoing.restore(&forged, &Selection::default());
    let protected: Vec<_> =
        plan.keep.iter().filter(|kept| kept.why == KeptWhy::Protected).collect();
    assert_eq!((plan.write, protected.len()), (vec![], 3), "{:?}", plan.keep);
    assert_eq!((undoing.seen(), undoing.files()), before);
    assert!(!undoing.ground.at("out").exists());
}

#[test]
fn protected_files_are_never_written_by_a_restore() {
    let undoing = Undoing::new();
    undoing.write("own/settings", "mine\n");
    undoing.git(&["add", "."]);
    undoing.git(&["commit", "--quiet", "--message", "settings"]);
    let point = undoing.save();
    undoing.write("own/settings", "changed\n");
    let plan = undoing.restore(&point, &exact());
    assert_eq!(plan.keep, [Kept { path: "own/settings".into(), why: KeptWhy::Protected }]);
    assert_eq!(fs::read_to_string(undoing.path("own/settings")).unwrap(), "changed\n");
}

#[test]
fn two_at_once_both_save() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    let (ground, git) = (&undoing.ground, undoing.ground.git());
    let saved: Vec<Point> = thread::scope(|scope| {
        let savers: Vec<_> = (0..6)
            .map(|number| {
                let git = &git;
                scope.spawn(move || Undoing::save_as(ground, git, number).unwrap().point)
            })
            .collect();
        savers.into_iter().map(|saver| saver.join().unwrap()).collect()
    });
    let points = undo::points(&undoing.path(""), &git).unwrap();
    for point in saved {
        assert!(points.contains(&point), "{point:?}");
        let kept = undoing.said(&["show", &format!("{}:a", point.commit)]);
        assert_eq!(kept, "worked on\n");
    }
}

#[test]
fn a_save_that_takes_too_long_fails_and_leaves_nothing() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    let before = undoing.seen();
    let git = Git::new("git", undoing.ground.environment(), Duration::ZERO);
    let error = undoing.try_save("work", &git).unwrap_err();
    assert!(matches!(error, NoUndo::Tree(TreeError::TimedOut)), "{error:?}");
    assert_eq!(undoing.seen(), before);
    assert_eq!(undo::points(&undoing.path(""), &undoing.ground.git()).unwrap(), []);
}

#[test]
fn a_thousand_files_that_are_left_out_are_counted() {
    let undoing = Undoing::new();
    for number in 0..520 {
        undoing.write(&format!("large/{number}"), &"x".repeat(1001));
    }
    let point = undoing.save();
    assert_eq!((point.left_out.len(), point.more_left_out), (500, 20));
}

#[test]
fn files_ignored_at_the_point_do_not_count_as_made_since() {
    let undoing = Undoing::new();
    undoing.write(".gitignore", "*.log\n/built/\n");
    undoing.write("dir/.gitignore", "here\n!kept.log\n");
    for path in ["old.log", "built/x", "dir/here", "dir/deep.log"] {
        undoing.write(path, "there before\n");
    }
    let point = undoing.save();
    fs::remove_file(undoing.path(".gitignore")).unwrap();
    fs::remove_file(undoing.path("dir/.gitignore")).unwrap();
    for path in ["here", "new", "dir/kept.log"] {
        undoing.write(path, "made since\n");
    }
    let plan = undoing.restore(&point, &exact());
    let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
    assert_eq!(plan.write, paths(&[".gitignore", "dir/.gitignore"]));
    assert_eq!(plan.remove, paths(&["dir/kept.log", "here", "new"]));
    let kept = paths(&["built/x", "dir/deep.log", "dir/here", "old.log"]);
    let kept = kept.into_iter().map(|path| Kept { path, why: KeptWhy::IgnoredThen });
    assert_eq!(plan.keep, kept.collect::<Vec<_>>());
}
