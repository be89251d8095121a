//! For any sequence of file and git operations: the hash changes exactly when the task's own
//! content does, and work that left the tree is reported.
//!
//! Other people change only their own files, which keeps the model simple: the task's content is
//! the difference between its files on disk and the start.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use proptest::collection::vec;
use proptest::prelude::*;
use verger_event::ContentHash;
use verger_worktree::MovedOut;

use crate::Ground;
use crate::task::Task;

/// The paths of the task's own files. The first three exist at the start.
const OWN: [&str; 5] = ["a", "b", "dir/d", "new", "dir/new"];

#[derive(Debug, Clone, Copy)]
enum Act {
    Write(usize, u8),
    Delete(usize),
    ToggleMode(usize),
    Touch(usize),
    StageAll,
    Stage(usize),
    Unstage,
    Commit,
    Amend,
    Stash,
    Pop,
    SwitchToOthers,
    SwitchBack,
    MergeOthers,
    OthersCommit(u8),
    PullMerging,
    PullRebasing,
    Push,
    Uncommit,
    DropCommit,
}

fn act() -> impl Strategy<Value = Act> {
    let own = 0..OWN.len();
    prop_oneof![
        6 => (own.clone(), 0..3_u8).prop_map(|(at, text)| Act::Write(at, text)),
        1 => own.clone().prop_map(Act::Delete),
        1 => own.clone().prop_map(Act::ToggleMode),
        1 => own.clone().prop_map(Act::Touch),
        1 => Just(Act::StageAll),
        1 => own.prop_map(Act::Stage),
        1 => Just(Act::Unstage),
        4 => Just(Act::Commit),
        1 => Just(Act::Amend),
        2 => Just(Act::Stash),
        2 => Just(Act::Pop),
        2 => Just(Act::SwitchToOthers),
        2 => Just(Act::SwitchBack),
        1 => Just(Act::MergeOthers),
        2 => (0..3_u8).prop_map(Act::OthersCommit),
        2 => Just(Act::PullMerging),
        2 => Just(Act::PullRebasing),
        1 => Just(Act::Push),
        1 => Just(Act::Uncommit),
        1 => Just(Act::DropCommit),
    ]
}

impl Act {
    /// Whether the action can move changes out of the tree into commits or stashes.
    fn moves(self) -> bool {
        matches!(self, Self::Stash | Self::SwitchToOthers | Self::SwitchBack | Self::DropCommit)
    }

    /// Whether the action leaves the task's files unchanged. A pull that git refuses may still
    /// restore a staged file.
    fn keeps_files(self) -> bool {
        matches!(
            self,
            Self::Touch(_)
                | Self::StageAll
                | Self::Stage(_)
                | Self::Unstage
                | Self::Commit
                | Self::Amend
                | Self::OthersCommit(_)
                | Self::Push
                | Self::Uncommit
        )
    }
}

/// For each file, its text and whether it is executable. `None` if the file doesn't exist.
type Files = BTreeMap<&'static str, Option<(String, bool)>>;

struct Story {
    task: Task,
    start: Files,
    known: BTreeMap<ContentHash, (Files, MovedOut)>,
}

impl Story {
    fn begin(text_of_a: &str) -> Self {
        let task = Task::begin(|ground| {
            ground.write("work/theirs", "start\n");
            ground.run("work", &["add", "--all"]);
            ground.run("work", &["commit", "--quiet", "--message", "theirs"]);
            ground.run("", &["clone", "--quiet", "--bare", "work", "remote"]);
            ground.run("", &["clone", "--quiet", "remote", "colleague"]);
            ground.run("work", &["remote", "add", "origin", "../remote"]);
            ground.run("work", &["fetch", "--quiet", "origin"]);
            ground.run("work", &["branch", "--quiet", "--set-upstream-to=origin/main"]);
            ground.run("work", &["switch", "--quiet", "--create", "others"]);
            ground.write("work/on-their-branch", "x\n");
            ground.run("work", &["add", "--all"]);
            ground.run("work", &["commit", "--quiet", "--message", "on their branch"]);
            ground.run("work", &["switch", "--quiet", "main"]);
            ground.write("work/a", text_of_a);
        });
        let start = files(&task.ground);
        Self { task, start, known: BTreeMap::new() }
    }

    fn own(&self) -> Files {
        let now = files(&self.task.ground).into_iter();
        now.filter(|(path, file)| self.start[path] != *file).collect()
    }

    /// Performs an action. If git refuses it, nothing changes.
    fn perform(&self, act: Act) {
        let full = |at: usize| self.task.ground.at("work").join(OWN[at]);
        let try_git = |arguments: &[&str]| self.task.ground.try_run("work", arguments);
        match act {
            Act::Write(at, text) => self.task.write(OWN[at], &format!("text {text}\n")),
            Act::Delete(at) => drop(fs::remove_file(full(at))),
            Act::ToggleMode(at) => toggle_mode(&full(at)),
            Act::Touch(at) => touch(&full(at)),
            Act::StageAll => self.task.git(&["add", "--all"]),
            Act::Stage(at) => drop(try_git(&["add", OWN[at]])),
            Act::Unstage => self.task.git(&["reset", "--quiet"]),
            Act::Commit => {
                self.task.git(&["add", "--all"]);
                try_git(&["commit", "--quiet", "--message", "work"]);
            }
            // Only the task's own commits are amended.
            Act::Amend if self.is_on_own_commit() => {
                self.task.git(&["add", "--all"]);
                try_git(&["commit", "--quiet", "--amend", "--allow-empty", "--message", "amended"]);
            }
            Act::Stash => drop(try_git(&["stash", "push", "--quiet", "--include-untracked"])),
            Act::Pop => {
                if !try_git(&["stash", "pop", "--quiet"]) {
                    try_git(&["checkout", "--quiet", "--force"]);
                    try_git(&["reset", "--quiet", "--hard"]);
                    try_git(&["clean", "--quiet", "--force", "-d"]);
                }
            }
            Act::SwitchToOthers => drop(try_git(&["switch", "--quiet", "others"])),
            Act::SwitchBack => drop(try_git(&["switch", "--quiet", "main"])),
            Act::MergeOthers => self.or_undo(&["merge", "--quiet", "--no-edit", "others"]),
            Act::OthersCommit(number) => self.others_commit(number),
            Act::PullMerging => {
                self.or_undo(&["pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"]);
            }
            Act::PullRebasing if !self.has_their_branch() => {
                if !try_git(&["pull", "--quiet", "--rebase", "origin", "main"]) {
                    try_git(&["rebase", "--abort"]);
                }
            }
            Act::Push => drop(try_git(&["push", "--quiet", "origin", "HEAD:pushed", "--force"])),
            Act::Uncommit if self.is_on_own_commit() => {
                self.task.git(&["reset", "--quiet", "--soft", "HEAD~"]);
            }
            // A commit is dropped only in a clean tree, because uncommitted work would be lost.
            Act::DropCommit if self.is_on_own_commit() && self.is_clean() => {
                self.task.git(&["reset", "--quiet", "--hard", "HEAD~"]);
            }
            Act::Amend | Act::Uncommit | Act::DropCommit | Act::PullRebasing => {}
        }
    }

    fn or_undo(&self, arguments: &[&str]) {
        if !self.task.ground.try_run("work", arguments) {
            self.task.ground.try_run("work", &["merge", "--abort"]);
        }
    }

    fn others_commit(&self, number: u8) {
        let ground = &self.task.ground;
        ground.run("colleague", &["pull", "--quiet", "--rebase"]);
        ground.write(format!("colleague/theirs-{number}"), "theirs\n");
        let count = fs::read_to_string(ground.at("colleague/theirs")).unwrap() + "more\n";
        ground.write("colleague/theirs", &count);
        ground.run("colleague", &["add", "--all"]);
        ground.run("colleague", &["commit", "--quiet", "--message", "theirs"]);
        ground.run("colleague", &["push", "--quiet"]);
    }

    fn is_on_own_commit(&self) -> bool {
        let subject = self.task.ground.said("work", &["log", "-1", "--format=%s"]);
        ["work", "amended"].contains(&subject.trim())
    }

    fn is_clean(&self) -> bool {
        self.task.ground.said("work", &["status", "--porcelain"]).is_empty()
    }

    /// Whether the branch of others was merged. A rebase would rewrite its commits, which then
    /// count as the task's.
    fn has_their_branch(&self) -> bool {
        self.task.ground.try_run("work", &["merge-base", "--is-ancestor", "others", "HEAD"])
    }

    /// Compares the content that the crate reports with the model.
    fn check(&mut self, act: Act, before: &Files) -> Result<(), TestCaseError> {
        let (own, content) = (self.own(), self.task.content());
        let found: Vec<_> = content.files.iter().map(|file| file.path.clone()).collect();
        let expected: Vec<_> = own.keys().map(PathBuf::from).collect();
        let mut sorted = expected.clone();
        sorted.sort();
        prop_assert_eq!(&found, &sorted, "after {:?}", act);
        let now = (own.clone(), content.moved_out.clone());
        let same_hash = self.known.entry(content.hash.clone()).or_insert_with(|| now.clone());
        prop_assert_eq!(&*same_hash, &now, "one hash for two contents, after {:?}", act);
        if content.moved_out == MovedOut::Nothing {
            let hashes = self.known.values().filter(|known| **known == now).count();
            prop_assert_eq!(hashes, 1, "two hashes for one content, after {:?}", act);
        }
        if act.keeps_files() {
            prop_assert_eq!(&own, before, "{:?} is thought to keep the files", act);
        }
        if act.moves() {
            let moved = match content.moved_out {
                MovedOut::Nothing => vec![],
                MovedOut::Files(paths) => paths,
            };
            for (path, file) in before.iter().filter(|(path, _)| !own.contains_key(*path)) {
                // If a person had changed a file before the task, undoing that change makes no new
                // content.
                let is_undone = *path == "a" && *file == Some(("a\n".to_owned(), false));
                prop_assert!(
                    is_undone || moved.contains(&PathBuf::from(path)),
                    "{} left the tree unseen by {:?}: {:?}",
                    path,
                    act,
                    moved
                );
            }
        }
        Ok(())
    }
}

fn files(ground: &Ground) -> Files {
    let read = |path: &'static str| {
        let full = ground.at("work").join(path);
        let text = fs::read_to_string(&full).ok()?;
        let mode = fs::metadata(&full).unwrap().permissions().mode();
        Some((text, mode & 0o100 != 0))
    };
    OWN.into_iter().map(|path| (path, read(path))).collect()
}

fn toggle_mode(path: &PathBuf) {
    if let Ok(found) = fs::metadata(path) {
        fs::set_permissions(path, Permissions::from_mode(found.permissions().mode() ^ 0o111))
            .unwrap();
    }
}

/// Sets a file's time far into the past, so that its hash is cached.
fn touch(path: &PathBuf) {
    if let Ok(file) = File::options().append(true).open(path) {
        let time = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10) })]

    #[test]
    fn the_hash_changes_with_the_tasks_content_and_only_then(
        users_text in prop_oneof![Just("a\n"), Just("the user's\n")],
        acts in vec(act(), 1..16),
    ) {
        let mut story = Story::begin(users_text);
        let mut before = story.own();
        for act in acts {
            story.perform(act);
            story.check(act, &before)?;
            before = story.own();
        }
    }
}
