//! Tests of saving and restoring copies of files that are in no repository.

use std::cell::Cell;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::{EventId, Timestamp};
use verger_exec::Deadline;
use verger_worktree::undo::{
    self, Copy, Kept, KeptWhy, LeftOut, Limits, NoUndo, Reason, Retention, SavedCopy, Saving,
    Selection,
};

use crate::undo::LIMITS;
use crate::{Ground, PATIENCE};

const DAY: u64 = 24 * 60 * 60 * 1000;

struct Copies {
    ground: Ground,
    at: Cell<u64>,
    limits: Limits,
}

impl Copies {
    fn new() -> Self {
        let ground = Ground::new();
        ground.make_directory("work");
        Self { ground, at: 1_000_000_000_000.into(), limits: LIMITS }
    }

    fn write(&self, path: &str, text: &str) {
        self.ground.write(Path::new("work").join(path), text);
    }

    fn path(&self, path: &str) -> PathBuf {
        self.ground.at("work").join(path)
    }

    fn dir(&self) -> PathBuf {
        self.ground.at("copies")
    }

    fn try_save(&self, paths: &[&str]) -> Result<SavedCopy, NoUndo> {
        self.save_within(paths, PATIENCE)
    }

    fn save_within(&self, paths: &[&str], time: Duration) -> Result<SavedCopy, NoUndo> {
        self.at.set(self.at.get() + 1000);
        let saving = Saving {
            id: EventId::new(Timestamp::from_millis(self.at.get()), 1),
            session: None,
            on: None,
            why: "a test".to_owned(),
            limits: self.limits,
            retention: Retention { points: 3, millis: 14 * DAY },
            is_protected: &|path| path.ends_with(".env"),
        };
        let paths: Vec<_> = paths.iter().map(|path| self.path(path)).collect();
        let time = Deadline::after(time);
        undo::save_copy(&self.dir(), &self.path(""), &paths, &saving, time)
    }

    #[track_caller]
    fn save(&self, paths: &[&str]) -> Copy {
        self.try_save(paths).unwrap().copy
    }

    #[track_caller]
    fn restore(&self, copy: &Copy, selection: &Selection) -> undo::Plan {
        let plan = undo::plan_copy(&self.dir(), copy, selection, &|path| path.ends_with(".env"));
        let restored = undo::restore_copy(&self.dir(), copy, &plan);
        assert_eq!(restored.written, plan.write.len(), "{:?}", restored.failed);
        plan
    }

    fn left_out(&self, path: &str, reason: Reason) -> LeftOut {
        LeftOut { path: self.path(path), reason }
    }
}

#[test]
fn named_files_are_restored_with_their_mode() {
    let copies = Copies::new();
    copies.write("notes", "mine\n");
    copies.write("dir/script", "run\n");
    copies.write("dir/deep/er", "deep\n");
    copies.write("elsewhere", "not named\n");
    fs::set_permissions(copies.path("dir/script"), Permissions::from_mode(0o750)).unwrap();
    symlink("script", copies.path("dir/link")).unwrap();
    let copy = copies.save(&["notes", "dir", "missing"]);
    let names = ["notes", "dir/deep/er", "dir/link", "dir/script"].map(|path| copies.path(path));
    assert_eq!(copy.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>(), names);
    fs::remove_dir_all(copies.path("dir")).unwrap();
    copies.write("notes", "ruined\n");
    copies.write("elsewhere", "changed\n");
    let plan = copies.restore(&copy, &Selection::default());
    assert_eq!((plan.write, plan.remove, plan.keep), (names.to_vec(), vec![], vec![]));
    let read = |path: &str| fs::read_to_string(copies.path(path)).unwrap();
    assert_eq!((&*read("notes"), &*read("dir/link")), ("mine\n", "run\n"));
    assert_eq!((&*read("dir/deep/er"), &*read("elsewhere")), ("deep\n", "changed\n"));
    let mode = fs::metadata(copies.path("dir/script")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    let nothing = copies.restore(&copy, &Selection::default());
    assert!(nothing.is_empty());
}

#[test]
fn a_part_comes_back_alone() {
    let copies = Copies::new();
    copies.write("a/1", "1\n");
    copies.write("b/2", "2\n");
    let copy = copies.save(&["a", "b"]);
    fs::remove_dir_all(copies.path("a")).unwrap();
    fs::remove_dir_all(copies.path("b")).unwrap();
    let plan = copies.restore(&copy, &Selection { paths: vec![copies.path("b")], exact: false });
    assert_eq!(plan.write, [copies.path("b/2")]);
    assert!(!copies.path("a").exists());
}

#[test]
fn left_out_files_are_named() {
    let copies = Copies::new();
    copies.write("dir/.env", "PASSWORD=x\n");
    copies.write("dir/large", &"x".repeat(1001));
    copies.write("dir/small", "kept\n");
    copies.ground.repository("work/dir/nested");
    for name in ["n1", "n2", "n3", "n4"] {
        copies.write(name, &"n".repeat(900));
    }
    let copy = copies.save(&["dir", "n1", "n2", "n3", "n4", "/proc/self/status"]);
    let expected = [
        copies.left_out("dir/nested", Reason::Repository),
        LeftOut { path: "/proc/self/status".into(), reason: Reason::Elsewhere },
        copies.left_out("dir/.env", Reason::Protected),
        copies.left_out("dir/large", Reason::TooLarge { bytes: 1001 }),
        copies.left_out("n4", Reason::NoRoom { bytes: 900 }),
    ];
    let left_out: Vec<_> = copy
        .left_out
        .into_iter()
        .map(|mut left| {
            let name = left.path.to_string_lossy().into_owned();
            if name.starts_with("/proc/") {
                left.path = "/proc/self/status".into();
            }
            left
        })
        .collect();
    assert_eq!(left_out, expected);
}

#[test]
fn where_nothing_can_be_copied_it_says_why() {
    let copies = Copies::new();
    copies.write(".env", "PASSWORD=x\n");
    copies.ground.make_directory("work/empty");
    copies.write("file", "file\n");
    for (paths, expected) in [
        (&["missing", "empty"][..], "copy the files that the call names: none of them exists"),
        (
            &[".env"],
            "copy the files that the call names: $WORK/.env is left out (may hold credentials)",
        ),
        (&[], "copy the files that the call names: none of them exists"),
    ] {
        let error = copies.try_save(paths).unwrap_err().to_string();
        let work = copies.path("").display().to_string();
        assert_eq!(error.replace(work.trim_end_matches('/'), "$WORK"), expected);
    }
    let error = copies.save_within(&["file"], Duration::ZERO).unwrap_err().to_string();
    assert!(error.ends_with("file is left out (no time left to read it)"), "{error}");
    assert_eq!(undo::copies(&copies.dir()).unwrap(), []);
    assert!(!fs::read_dir(copies.dir()).is_ok_and(|mut entries| entries.next().is_some()));
}

#[test]
fn the_same_files_are_copied_once_and_old_copies_go() {
    let mut copies = Copies::new();
    copies.write("a", "1\n");
    let first = copies.save(&["a"]);
    let again = copies.try_save(&["a"]).unwrap();
    assert_eq!((&again.copy, again.is_reused), (&first, true));
    let save = |copies: &Copies, text: &str| {
        copies.write("a", text);
        copies.save(&["a"])
    };
    let [_, third, fourth] = ["2", "3", "4"].map(|text| save(&copies, text));
    assert_eq!(undo::copies(&copies.dir()).unwrap().len(), 3);
    // The limit for all copies together is set to the size of one copy.
    copies.limits.max_total_bytes = 3;
    let fifth = save(&copies, "55");
    assert_eq!(undo::copies(&copies.dir()).unwrap(), [fifth, fourth]);
    copies.at.set(copies.at.get() + 15 * DAY);
    let last = save(&copies, "6");
    assert_eq!(undo::copies(&copies.dir()).unwrap(), [last]);
    assert_eq!(third.root, copies.path(""));
}

#[test]
fn a_link_that_was_put_in_the_way_is_not_followed() {
    let copies = Copies::new();
    copies.write("dir/a", "mine\n");
    copies.write("dir/.env-not", "mine\n");
    let copy = copies.save(&["dir"]);
    fs::rename(copies.path("dir"), copies.path("moved")).unwrap();
    fs::create_dir(copies.ground.at("outside")).unwrap();
    symlink(copies.ground.at("outside"), copies.path("dir")).unwrap();
    let plan = undo::plan_copy(&copies.dir(), &copy, &Selection::default(), &|_| false);
    let restored = undo::restore_copy(&copies.dir(), &copy, &plan);
    assert_eq!((restored.written, restored.failed.len()), (0, 2));
    assert_eq!(fs::read_dir(copies.ground.at("outside")).unwrap().count(), 0);
    let plan = undo::plan_copy(&copies.dir(), &copy, &Selection::default(), &|_| true);
    let kept = |path| Kept { path: copies.path(path), why: KeptWhy::Protected };
    assert_eq!((plan.write, plan.keep), (vec![], vec![kept("dir/.env-not"), kept("dir/a")]));
}

#[test]
fn other_files_are_skipped_and_copies_are_private() {
    let copies = Copies::new();
    copies.ground.write("copies/01BX5ZZKBKACTAV9WEVGEMMVRZ/about.json", "{}");
    copies.ground.write("copies/file", "");
    copies.write("a", "1\n");
    let copy = copies.save(&["a"]);
    assert_eq!(undo::copies(&copies.dir()).unwrap(), std::slice::from_ref(&copy));
    let directory = copy.directory(&copies.dir());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&directory), mode(&directory.join("0"))), (0o700, 0o600));
}
