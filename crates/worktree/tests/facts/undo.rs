//! Tests that an undo point restores the saved files, and that saving it changes nothing.

use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use verger_event::{EventId, Timestamp};
use verger_worktree::undo::{
    self, Kept, KeptWhy, LeftOut, Limits, NoUndo, Point, Reason, Restored, Retention, Saved,
    Saving, Selection,
};
use verger_worktree::{Git, PathReason};

use crate::Ground;

pub(crate) const LIMITS: Limits = Limits { max_file_bytes: 1000, max_total_bytes: 3000 };
const DAY: u64 = 24 * 60 * 60 * 1000;
const RETENTION: Retention = Retention { points: 50, millis: 14 * DAY };

/// A repository at `work`, and functions that save and restore undo points in it.
pub(crate) struct Undoing {
    pub(crate) ground: Ground,
    at: std::cell::Cell<u64>,
}

impl Undoing {
    pub(crate) fn new() -> Self {
        let ground = Ground::new();
        ground.repository("work");
        let undoing = Self { ground, at: 1_000_000_000_000.into() };
        for name in ["a", "b", "dir/c"] {
            undoing.write(name, &format!("{name}\n"));
        }
        undoing.git(&["add", "--all"]);
        undoing.git(&["commit", "--quiet", "--message", "files"]);
        undoing
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.ground.at("work").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.ground.write(Path::new("work").join(path), text);
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        self.ground.run("work", arguments);
    }

    pub(crate) fn said(&self, arguments: &[&str]) -> String {
        self.ground.said("work", arguments)
    }

    fn later(&self, millis: u64) -> EventId {
        self.at.set(self.at.get() + millis);
        EventId::new(Timestamp::from_millis(self.at.get()), 1)
    }

    pub(crate) fn try_save(&self, cwd: impl AsRef<Path>, git: &Git) -> Result<Saved, NoUndo> {
        save(&self.ground.at(cwd), git, self.later(1000))
    }

    /// Saves a point like another process would at the same time.
    pub(crate) fn save_as(ground: &Ground, git: &Git, number: u128) -> Result<Saved, NoUndo> {
        save(&ground.at("work"), git, EventId::new(Timestamp::from_millis(1), number))
    }

    /// Saves a point. Asserts that nothing else in the repository changes.
    #[track_caller]
    pub(crate) fn save(&self) -> Point {
        let before = self.seen();
        let saved = self.try_save("work", &self.ground.git()).unwrap();
        assert_eq!(self.seen(), before);
        saved.point
    }

    /// All files and the git status, as far as a person can see them.
    pub(crate) fn seen(&self) -> (Files, String) {
        let git_dir = self.path(".git");
        let files = everything(&git_dir).into_iter().filter(|(path, _)| {
            let path = path.strip_prefix(&git_dir).unwrap();
            !path.starts_with("objects") && !path.starts_with("refs/verger")
        });
        // Without this option, git would write refreshed data to the index.
        let status = ["--no-optional-locks", "status", "--porcelain=v2", "--branch"];
        (files.collect(), self.said(&status))
    }

    #[track_caller]
    pub(crate) fn restore(&self, point: &Point, selection: &Selection) -> undo::Plan {
        let git = self.ground.git();
        let now = self.try_save("work", &git).unwrap().point;
        let work = self.ground.at("work");
        let plan = undo::plan(&work, &git, point, &now, selection, &is_protected).unwrap();
        let restored = undo::restore(&work, &git, point, &plan, &mut |_| ()).unwrap();
        let Restored { written, removed, failed } = restored;
        assert_eq!((written, removed), (plan.write.len(), plan.remove.len()), "{failed:?}");
        plan
    }

    pub(crate) fn restore_index(&self, point: &Point) {
        undo::restore_index(&self.path(""), &self.ground.git(), point).unwrap();
    }

    /// The files of the working tree, each with its path, kind, executable bit and content.
    pub(crate) fn files(&self) -> Files {
        let work = self.ground.at("work");
        let files = everything(&work).into_iter();
        files.filter(|(path, _)| !path.starts_with(work.join(".git"))).collect()
    }
}

fn save(cwd: &Path, git: &Git, id: EventId) -> Result<Saved, NoUndo> {
    let saving = Saving {
        id,
        session: Some("session".to_owned()),
        on: None,
        why: "a test".to_owned(),
        limits: LIMITS,
        retention: RETENTION,
        is_protected: &is_protected,
    };
    undo::save(cwd, git, &saving)
}

pub(crate) fn is_protected(path: &Path) -> bool {
    path.ends_with(".env") || path.ends_with("own/settings")
}

/// Files as pairs of the path and a text with the kind and content.
pub(crate) type Files = Vec<(PathBuf, String)>;

fn everything(directory: &Path) -> Files {
    let mut found = vec![];
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                directories.push(path);
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found
                    .push((path, format!("link {}", target.as_os_str().as_bytes().escape_ascii())));
            } else {
                let mode = metadata.permissions().mode() & 0o100;
                let bytes = if metadata.is_file() { fs::read(&path) } else { Ok(vec![]) };
                let bytes = bytes.unwrap_or_default();
                found.push((path, format!("{mode:o} {}", bytes.escape_ascii())));
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn exact() -> Selection {
    Selection { exact: true, ..Selection::default() }
}

#[test]
fn files_destroyed_by_a_hard_reset_are_restored() {
    let undoing = Undoing::new();
    undoing.write("a", "staged\n");
    undoing.git(&["add", "a"]);
    undoing.write("a", "worked on\n");
    undoing.write("new/file", "untracked\n");
    fs::remove_file(undoing.path("b")).unwrap();
    fs::set_permissions(undoing.path("dir/c"), Permissions::from_mode(0o755)).unwrap();
    symlink("dir", undoing.path("link")).unwrap();
    let (before, status) = (undoing.files(), undoing.said(&["status", "--porcelain"]));
    let point = undoing.save();
    undoing.git(&["reset", "--quiet", "--hard"]);
    undoing.git(&["clean", "--quiet", "-fd"]);
    undoing.restore(&point, &exact());
    assert_eq!(undoing.files(), before);
    undoing.restore_index(&point);
    assert_eq!(undoing.said(&["status", "--porcelain"]), status);
}

#[test]
fn files_made_since_stay_unless_asked_otherwise() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    let point = undoing.save();
    undoing.write("a", "ruined\n");
    undoing.write("since", "since\n");
    let plan = undoing.restore(&point, &Selection::default());
    let kept = vec![Kept { path: "since".into(), why: KeptWhy::MadeSince }];
    assert_eq!((plan.write, plan.remove, plan.keep), (vec!["a".into()], vec![], kept));
    assert_eq!(fs::read_to_string(undoing.path("a")).unwrap(), "worked on\n");
    assert!(undoing.path("since").exists());
    undoing.restore(&point, &exact());
    assert!(!undoing.path("since").exists());
}

#[test]
fn a_part_of_a_point_comes_back_alone() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    undoing.write("dir/c", "worked on\n");
    let point = undoing.save();
    undoing.git(&["checkout", "--quiet", "."]);
    undoing.restore(&point, &Selection { paths: vec!["dir".into()], exact: false });
    let read = |path: &str| fs::read_to_string(undoing.path(path)).unwrap();
    assert_eq!((read("a"), read("dir/c")), ("a\n".to_owned(), "worked on\n".to_owned()));
}

#[test]
fn files_in_place_of_saved_ones_are_replaced() {
    let undoing = Undoing::new();
    undoing.write("was-file", "file\n");
    undoing.write("was-dir/file", "in it\n");
    symlink("dir", undoing.path("was-link")).unwrap();
    let before = undoing.files();
    let point = undoing.save();
    for path in ["was-file", "was-link"] {
        fs::remove_file(undoing.path(path)).unwrap();
    }
    fs::remove_dir_all(undoing.path("was-dir")).unwrap();
    fs::remove_dir_all(undoing.path("dir")).unwrap();
    undoing.write("was-file/deep/inside", "x\n");
    undoing.write("was-link/c", "x\n");
    undoing.write("was-dir", "x\n");
    // The link leads out of the tree, so writing through it would write outside.
    fs::create_dir(undoing.ground.at("outside")).unwrap();
    symlink("../outside", undoing.path("dir")).unwrap();
    undoing.restore(&point, &Selection::default());
    assert_eq!(undoing.files(), before);
    assert_eq!(fs::read_dir(undoing.ground.at("outside")).unwrap().count(), 0);
}

#[test]
fn left_out_files_are_named_and_never_overwritten() {
    let undoing = Undoing::new();
    undoing.write(".env", "PASSWORD=x\n");
    undoing.write("b", &"b".repeat(1001));
    for name in ["n1", "n2", "n3", "n4"] {
        undoing.write(name, &"n".repeat(900));
    }
    undoing.ground.repository("work/nested");
    let point = undoing.save();
    let left_out = |path: &str, reason| LeftOut { path: path.into(), reason };
    let expected = [
        left_out("b", Reason::TooLarge { bytes: 1001 }),
        left_out(".env", Reason::Protected),
        left_out("n4", Reason::NoRoom { bytes: 900 }),
        left_out("nested", Reason::Repository),
    ];
    assert_eq!(point.left_out, expected);
    let objects = undoing.said(&["ls-tree", "-r", "--name-only", &point.commit]);
    assert_eq!(objects, "a\ndir/c\nn1\nn2\nn3\n");
    undoing.write("a", &"a".repeat(1001));
    undoing.write("b", "small now\n");
    let before = undoing.files();
    let plan = undoing.restore(&point, &Selection::default());
    let kept = |path: &str, why| Kept { path: path.into(), why };
    assert_eq!(plan.keep, [kept("a", KeptWhy::NotSaved), kept("b", KeptWhy::LeftOut)]);
    assert_eq!(undoing.files(), before);
}

#[test]
fn an_ignored_file_is_not_overwritten() {
    let undoing = Undoing::new();
    undoing.write("later-ignored", "then\n");
    undoing.write("dir/c", "then\n");
    let point = undoing.save();
    undoing.write(".git/info/exclude", "later-ignored\ndir\n");
    undoing.write("later-ignored", "now\n");
    undoing.git(&["rm", "--quiet", "--cached", "dir/c"]);
    fs::remove_dir_all(undoing.path("dir")).unwrap();
    undoing.write("dir", "a file that is ignored\n");
    let git = undoing.ground.git();
    let now = undoing.try_save("work", &git).unwrap().point;
    let work = undoing.path("");
    let selection = Selection::default();
    let plan = undo::plan(&work, &git, &point, &now, &selection, &is_protected).unwrap();
    assert_eq!(plan.keep, [Kept { path: "later-ignored".into(), why: KeptWhy::NotSaved }]);
    let restored = undo::restore(&work, &git, &point, &plan, &mut |_| ()).unwrap();
    let failed: Vec<_> = restored.failed.into_iter().map(|(path, _)| path).collect();
    assert_eq!((restored.written, failed), (0, vec![PathBuf::from("dir/c")]));
    let read = |path: &str| fs::read_to_string(undoing.path(path)).unwrap();
    assert_eq!((&*read("later-ignored"), &*read("dir")), ("now\n", "a file that is ignored\n"));
}

#[test]
fn an_unfinished_merge_comes_back() {
    let undoing = Undoing::new();
    undoing.git(&["switch", "--quiet", "--create", "theirs"]);
    undoing.write("a", "theirs\n");
    fs::remove_file(undoing.path("b")).unwrap();
    undoing.git(&["commit", "--quiet", "--all", "--message", "theirs"]);
    undoing.git(&["switch", "--quiet", "main"]);
    undoing.write("a", "ours\n");
    undoing.write("b", "ours\n");
    undoing.git(&["commit", "--quiet", "--all", "--message", "ours"]);
    assert!(!undoing.ground.try_run("work", &["merge", "theirs"]));
    undoing.write("a", "half resolved\n");
    let (before, stages) = (undoing.files(), undoing.said(&["ls-files", "--stage"]));
    let point = undoing.save();
    undoing.git(&["reset", "--quiet", "--hard"]);
    undoing.restore(&point, &exact());
    undoing.restore_index(&point);
    assert_eq!((undoing.files(), undoing.said(&["ls-files", "--stage"])), (before, stages));
}

#[test]
fn a_branch_without_commits_is_saved() {
    let undoing = Undoing::new();
    undoing.ground.make_directory("fresh");
    undoing.ground.run("fresh", &["init", "--quiet"]);
    undoing.ground.write("fresh/staged", "1\n");
    undoing.ground.run("fresh", &["add", "."]);
    undoing.ground.write("fresh/staged", "2\n");
    undoing.ground.write("fresh/new", "new\n");
    let point = undoing.try_save("fresh", &undoing.ground.git()).unwrap().point;
    assert_eq!((&point.head, point.index.is_some()), (&None, true));
    let show = |what: &str| undoing.ground.said("fresh", &["show", what]);
    assert_eq!(show(&format!("{}:staged", point.commit)), "2\n");
    assert_eq!(show(&format!("{}:new", point.commit)), "new\n");
    assert_eq!(show(&format!("{}:staged", point.index.unwrap())), "1\n");
}

#[test]
fn any_name_is_saved() {
    let undoing = Undoing::new();
    for name in [&b"new\nline"[..], b"\xff\xfe", b"back\\slash", b"quo\"te", b"con", b"git~1", b" "]
    {
        fs::write(undoing.path(std::ffi::OsStr::from_bytes(name)), name).unwrap();
    }
    let before = undoing.files();
    let point = undoing.save();
    undoing.git(&["clean", "--quiet", "-fd"]);
    assert_ne!(undoing.files(), before);
    undoing.restore(&point, &Selection::default());
    assert_eq!(undoing.files(), before);
}

#[test]
fn conversions_and_filters_change_nothing() {
    let undoing = Undoing::new();
    undoing.git(&["config", "core.autocrlf", "true"]);
    undoing.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    undoing.git(&["config", "filter.shout.smudge", "tr A-Z a-z"]);
    undoing.write(".gitattributes", "*.loud filter=shout\n");
    undoing.write("x.loud", "Quiet\r\n");
    undoing.write("clean.loud", "quiet\r\n");
    undoing.git(&["add", "clean.loud"]);
    undoing.git(&["commit", "--quiet", "--message", "clean"]);
    undoing.write("a", "one\r\ntwo\n");
    let before = undoing.files();
    let point = undoing.save();
    for path in ["a", "x.loud", "clean.loud"] {
        fs::remove_file(undoing.path(path)).unwrap();
    }
    undoing.restore(&point, &Selection::default());
    assert_eq!(undoing.files(), before);
}

#[test]
fn a_sparse_checkout_and_marked_files_keep_what_they_have() {
    let undoing = Undoing::new();
    undoing.git(&["sparse-checkout", "set", "--no-cone", "/a", "/b"]);
    assert!(!undoing.path("dir/c").exists());
    undoing.git(&["update-index", "--assume-unchanged", "b"]);
    undoing.write("b", "changed unseen\n");
    let before = undoing.files();
    let point = undoing.save();
    undoing.write("b", "ruined\n");
    undoing.restore(&point, &exact());
    assert_eq!(undoing.files(), before);
}

#[test]
fn every_working_tree_has_its_own_points() {
    let undoing = Undoing::new();
    undoing.git(&["worktree", "add", "--quiet", "../other"]);
    undoing.ground.write("other/a", "other\n");
    let git = undoing.ground.git();
    let other = undoing.try_save("other", &git).unwrap().point;
    undoing.write("a", "other\n");
    let here = undoing.save();
    let all = undo::points(&undoing.path(""), &git).unwrap();
    assert_eq!(all, [here.clone(), other.clone()]);
    assert_eq!(other.root, undoing.ground.at("other"));
    // The point of a removed working tree can be restored into another working tree.
    undoing.git(&["worktree", "remove", "--force", "../other"]);
    undoing.git(&["checkout", "--quiet", "a"]);
    undoing.restore(&other, &Selection::default());
    assert_eq!(fs::read_to_string(undoing.path("a")).unwrap(), "other\n");
}

#[test]
fn the_same_content_is_saved_once() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    let git = undoing.ground.git();
    let save = || undoing.try_save("work", &git).unwrap();
    let first = save();
    let again = save();
    assert_eq!((&again.point, again.is_reused), (&first.point, true));
    undoing.git(&["add", "a"]);
    let staged = save();
    assert_eq!((staged.is_reused, staged.point == first.point), (false, false));
    undoing.later(2 * DAY);
    assert!(!save().is_reused);
}

#[test]
fn old_points_go() {
    let undoing = Undoing::new();
    let git = undoing.ground.git();
    let save = |text: &str| {
        undoing.write("a", text);
        undoing.save()
    };
    let [_, second, third] = ["1", "2", "3"].map(save);
    let few = Retention { points: 2, ..RETENTION };
    let now = Timestamp::from_millis(undoing.at.get());
    let prune = |retention, now| undo::prune(&undoing.path(""), &git, retention, now).unwrap();
    assert_eq!(prune(few, now).len(), 1);
    assert_eq!(undo::points(&undoing.path(""), &git).unwrap(), [third, second]);
    assert_eq!(prune(few, now), []);
    let forgotten = save("forgotten");
    undo::forget(&undoing.path(""), &git, &forgotten).unwrap();
    assert_eq!(undo::points(&undoing.path(""), &git).unwrap().len(), 2);
    undoing.later(15 * DAY);
    let last = save("4");
    assert_eq!(undo::points(&undoing.path(""), &git).unwrap(), [last]);
}

#[test]
fn there_is_nothing_to_save_without_a_working_tree() {
    let undoing = Undoing::new();
    undoing.ground.make_directory("plain");
    undoing.ground.run("", &["init", "--quiet", "--bare", "bare"]);
    for (cwd, expected) in [
        ("plain", PathReason::NoRepository),
        ("bare", PathReason::NoWorkTree),
        ("work/.git", PathReason::NoWorkTree),
    ] {
        let error = undoing.try_save(cwd, &undoing.ground.git()).unwrap_err();
        assert!(matches!(error, NoUndo::NotARepository(reason) if reason == expected), "{error:?}");
    }
}

#[test]
fn a_point_that_cannot_be_written_leaves_nothing() {
    let undoing = Undoing::new();
    undoing.write("a", "worked on\n");
    let before = undoing.seen();
    // Even root can't create a file in place of this directory.
    fs::rename(undoing.path(".git/objects/pack"), undoing.path(".git/pack")).unwrap();
    undoing.write(".git/objects/pack", "in the way");
    let error = undoing.try_save("work", &undoing.ground.git()).unwrap_err();
    fs::remove_file(undoing.path(".git/objects/pack")).unwrap();
    fs::rename(undoing.path(".git/pack"), undoing.path(".git/objects/pack")).unwrap();
    assert!(error.to_string().starts_with("save the working tree: git says"), "{error}");
    assert_eq!(undoing.seen(), before);
    assert_eq!(undo::points(&undoing.path(""), &undoing.ground.git()).unwrap(), []);
}

#[test]
fn foreign_references_beside_the_points_are_ignored() {
    let undoing = Undoing::new();
    undoing.git(&["update-ref", "refs/verger/undo/foreign", "HEAD"]);
    undoing.git(&["update-ref", "refs/verger/undo/01BX5ZZKBKACTAV9WEVGEMMVRZ", "HEAD"]);
    assert_eq!(undo::points(&undoing.path(""), &undoing.ground.git()).unwrap(), []);
    undoing.write("a", "worked on\n");
    let point = undoing.save();
    assert_eq!(undo::points(&undoing.path(""), &undoing.ground.git()).unwrap(), [point]);
}
