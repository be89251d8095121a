//! Tests with any sequence of file and git operations: every saved undo point restores byte for
//! byte, in any order, and saving it changes nothing else.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use proptest::collection::vec;
use proptest::prelude::*;
use verger_worktree::undo::{Point, Selection};

use crate::undo::{Files, Undoing};

/// The paths that operations use. The first three are committed at the start. `a` is a file or a
/// directory by turns.
const PATHS: [&str; 6] = ["a", "b", "dir/c", "new", "dir/new", "a/below"];

#[derive(Debug, Clone, Copy)]
enum Act {
    Write(usize, u8),
    Delete(usize),
    ToggleMode(usize),
    Link(usize, usize),
    StageAll,
    Stage(usize),
    Unstage,
    Commit,
    Stash,
    Pop,
    Switch,
    Merge,
    Reset,
    Uncommit,
    Clean,
    Save,
    Restore(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let path = 0..PATHS.len();
    prop_oneof![
        6 => (path.clone(), 0..3_u8).prop_map(|(at, text)| Act::Write(at, text)),
        2 => path.clone().prop_map(Act::Delete),
        1 => path.clone().prop_map(Act::ToggleMode),
        1 => (path.clone(), path.clone()).prop_map(|(at, to)| Act::Link(at, to)),
        1 => Just(Act::StageAll),
        2 => path.prop_map(Act::Stage),
        1 => Just(Act::Unstage),
        2 => Just(Act::Commit),
        1 => Just(Act::Stash),
        1 => Just(Act::Pop),
        2 => Just(Act::Switch),
        2 => Just(Act::Merge),
        1 => Just(Act::Reset),
        1 => Just(Act::Uncommit),
        1 => Just(Act::Clean),
        5 => Just(Act::Save),
        2 => (0..8_usize).prop_map(Act::Restore),
    ]
}

/// A saved point, with the files and the index at the time of saving.
struct Kept {
    point: Point,
    files: Files,
    index: String,
}

struct Play {
    undoing: Undoing,
    saved: Vec<Kept>,
}

impl Play {
    fn new() -> Self {
        let undoing = Undoing::new();
        undoing.git(&["branch", "other"]);
        Self { undoing, saved: vec![] }
    }

    /// Performs an operation. Skips it if it is impossible at the moment.
    fn act(&mut self, act: Act) {
        let git = |arguments: &[&str]| self.undoing.ground.try_run("work", arguments);
        match act {
            Act::Write(at, text) => {
                self.make_room(at);
                self.undoing.write(PATHS[at], &format!("{} {text}\r\n", PATHS[at]));
            }
            Act::Delete(at) => drop(fs::remove_file(self.undoing.path(PATHS[at]))),
            Act::ToggleMode(at) => {
                let path = self.undoing.path(PATHS[at]);
                if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
                    let mode = fs::metadata(&path).unwrap().permissions().mode() ^ 0o111;
                    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
                }
            }
            Act::Link(at, to) => {
                self.make_room(at);
                symlink(PATHS[to], self.undoing.path(PATHS[at])).unwrap();
            }
            Act::StageAll => _ = git(&["add", "--all"]),
            Act::Stage(at) => _ = git(&["add", "--", PATHS[at]]),
            Act::Unstage => _ = git(&["reset", "--quiet"]),
            Act::Commit => _ = git(&["commit", "--quiet", "--all", "--message", "work"]),
            Act::Stash => _ = git(&["stash", "--quiet", "--include-untracked"]),
            Act::Pop => _ = git(&["stash", "pop", "--quiet"]),
            Act::Switch => _ = git(&["switch", "--quiet", "other"]) || git(&["switch", "main"]),
            Act::Merge => _ = git(&["merge", "--quiet", "--no-edit", "other"]),
            Act::Reset => _ = git(&["reset", "--quiet", "--hard"]),
            Act::Uncommit => _ = git(&["reset", "--quiet", "HEAD~1"]),
            Act::Clean => _ = git(&["clean", "--quiet", "-fd"]),
            Act::Save => {
                let (files, index) = (self.undoing.files(), self.index());
                self.saved.push(Kept { point: self.undoing.save(), files, index });
            }
            Act::Restore(number) => self.restore(number),
        }
    }

    /// Removes everything that is in the way of a new file: at the path, above it and below it.
    fn make_room(&self, at: usize) {
        let path = self.undoing.path(PATHS[at]);
        let parent = path.parent().unwrap();
        if fs::symlink_metadata(parent).is_ok_and(|found| !found.is_dir()) {
            fs::remove_file(parent).unwrap();
        }
        fs::create_dir_all(parent).unwrap();
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&path).unwrap(),
            Ok(_) => fs::remove_file(&path).unwrap(),
            Err(_) => {}
        }
    }

    fn restore(&self, number: usize) {
        let Some(kept) = self.saved.get(number % self.saved.len().max(1)) else { return };
        let Kept { point, files, index } = kept;
        self.undoing.restore(point, &Selection { exact: true, ..Selection::default() });
        self.undoing.restore_index(point);
        assert_eq!((&self.undoing.files(), &self.index()), (files, index));
    }

    /// The entries of the index, including the versions of an unfinished merge.
    fn index(&self) -> String {
        self.undoing.said(&["ls-files", "--stage"])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_point_comes_back(acts in vec(act(), 1..24), order in any::<u64>()) {
        let mut play = Play::new();
        for act in acts {
            play.act(act);
        }
        let count = play.saved.len();
        for number in 0..count {
            play.restore((number ^ usize::try_from(order % 8).unwrap()) % count);
        }
    }
}
