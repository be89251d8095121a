//! Measures the cost of a start tree, of computing a task's changes, and of an undo point, compared
//! with `git status` in the same repository.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use verger_event::{EventId, Timestamp};
use verger_worktree::undo::{self, Limits, Retention, Saving};
use verger_worktree::{Git, Ignore, StartTree, content, create_repository, take_start_tree};

use crate::bench::Bench;
use crate::bench::calls::{Outcome, Place, Plan};
use crate::bench::figures::Figure;
use crate::bench::hook::{WARM_UP, compared};
use crate::failure::Failure;

const FILES: usize = 10_000;
const CHANGED: usize = 200;
/// The divisor of the usual number of rounds. A call here takes as long as some dozens of calls
/// elsewhere.
const ROUNDS_SHARE: usize = 6;
const TIME_LIMIT: Duration = Duration::from_mins(1);

pub(crate) fn tree(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let place = Place::new(&bench.folder)?;
    let repository = place.path().join("repository");
    make_repository(&repository)?;
    let git = git();
    let taken = place.path().join("taken");
    let start = take_start_tree(&repository, &taken, &git).map_err(not_measured)?;
    change(&repository)?;
    let rounds = bench.args.rounds.div_ceil(ROUNDS_SHARE);
    let mut plan = Plan::default();
    for round in 0..rounds + WARM_UP {
        // A private directory is new in each round, so that nothing is cached in it.
        let fresh = place.path().join(format!("fresh-{round}"));
        copy_start(&taken, &fresh)?;
        let started = place.path().join(format!("started-{round}"));
        let lanes = [
            Lane::Status,
            Lane::Start(&started),
            Lane::Content(&fresh),
            Lane::Content(&taken),
            Lane::Undo,
        ];
        for turn in 0..lanes.len() {
            let lane = &lanes[(round + turn) % lanes.len()];
            lane.plan(&mut plan, round >= WARM_UP, &place, &repository, &start)?;
        }
    }
    let outcome = plan.run(&bench.programs.launcher, place.path())?;
    Ok(figures(&outcome))
}

fn figures(outcome: &Outcome) -> Vec<Figure> {
    let status = outcome.times("git status");
    let compare = |names, most, lane| {
        compared(names, most, [(lane, &outcome.times(lane)), ("git status", &status)])
    };
    [
        compare(["tree/start cpu", "tree/start wall"], 2.0, "start tree"),
        compare(["tree/content cpu", "tree/content wall"], 2.5, "content"),
        compare(["tree/content again cpu", "tree/content again wall"], 2.5, "content again"),
        compare(["tree/undo point cpu", "tree/undo point wall"], 5.0, "undo point"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

enum Lane<'a> {
    Status,
    /// Takes a start tree in this private directory, which is new.
    Start(&'a Path),
    /// Computes the content of a task, with the cache in this private directory.
    Content(&'a Path),
    /// Saves a new undo point in each round.
    Undo,
}

impl Lane<'_> {
    fn plan(
        &self,
        plan: &mut Plan,
        is_warm: bool,
        place: &Place,
        repository: &Path,
        start: &StartTree,
    ) -> Result<(), Failure> {
        let myself = std::env::current_exe()
            .map_err(|source| Failure::Start { command: "verger-chores".to_owned(), source })?;
        let directory = repository.to_string_lossy();
        let private = match self {
            // `git status` and undo points don't use a private directory.
            Self::Status | Self::Undo => repository,
            Self::Start(private) | Self::Content(private) => private,
        };
        let private = private.to_string_lossy();
        let status = ["-C", &directory, "status", "--porcelain"];
        let take = ["bench-tree", &directory, &private];
        let look = ["bench-tree", &directory, &private, &start.id];
        let save = ["bench-tree", &directory, &private, "--undo"];
        let (lane, program, arguments) = match self {
            Self::Status => ("git status", Path::new("git"), &status[..]),
            Self::Start(_) => ("start tree", myself.as_path(), &take[..]),
            Self::Content(private) if private.ends_with("taken") => {
                ("content again", myself.as_path(), &look[..])
            }
            Self::Content(_) => ("content", myself.as_path(), &look[..]),
            Self::Undo => ("undo point", myself.as_path(), &save[..]),
        };
        let lane = if is_warm { lane } else { "warm-up" };
        plan.call(lane, &place.home(), Path::new("/dev/null"), program, arguments);
        plan.go();
        Ok(())
    }
}

/// Creates many small files in many directories. The files must be older than git's index.
/// Otherwise git would have to read all of them again.
fn make_repository(repository: &Path) -> Result<(), Failure> {
    let old = FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    for number in 0..FILES {
        let path = file(repository, number);
        let parent = path.parent().unwrap_or(repository);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text(number)))
            .and_then(|()| File::options().write(true).open(&path)?.set_times(old))
            .map_err(|source| Failure::Write { path, source })?;
    }
    create_repository(repository, &git()).map_err(not_measured)
}

fn file(repository: &Path, number: usize) -> PathBuf {
    let (crate_, module) = (number / 100, number / 20 % 5);
    repository.join(format!("crate-{crate_}/module-{module}/file-{number}.rs"))
}

fn text(number: usize) -> String {
    format!("let value_{number} = 0;\n").repeat(20 + number * 7 % 180)
}

fn change(repository: &Path) -> Result<(), Failure> {
    for number in (0..FILES).step_by(FILES / CHANGED) {
        let path = file(repository, number);
        let changed = text(number) + "// changed\n";
        fs::write(&path, changed).map_err(|source| Failure::Write { path, source })?;
    }
    Ok(())
}

fn copy_start(from: &Path, to: &Path) -> Result<(), Failure> {
    let copy = || {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with("start-") {
                fs::copy(entry.path(), to.join(entry.file_name()))?;
            }
        }
        Ok(())
    };
    copy().map_err(|source| Failure::Write { path: to.to_owned(), source })
}

fn git() -> Git {
    Git::new("git", std::env::vars_os(), TIME_LIMIT)
}

fn not_measured(error: impl std::fmt::Display) -> Failure {
    Failure::NotMeasured { line: error.to_string() }
}

/// The work of a measured process
#[derive(clap::Args)]
pub(crate) struct TreeArgs {
    repository: PathBuf,
    private: PathBuf,
    /// The start to compare with; without it one is taken
    start: Option<String>,
    /// Change a file, and save an undo point instead
    #[arg(long)]
    undo: bool,
}

pub(crate) fn tree_work(args: &TreeArgs) -> Result<(), Failure> {
    if args.undo {
        return save_point(&args.repository);
    }
    let Some(id) = &args.start else {
        let start = take_start_tree(&args.repository, &args.private, &git());
        println!("{}", start.map_err(not_measured)?.id);
        return Ok(());
    };
    let root = args.repository.to_string_lossy().into_owned();
    let start = StartTree { root, head: None, id: id.clone() };
    let found = content(&start, &args.private, &Ignore::default(), &git());
    let files = found.map_err(not_measured)?.files.len();
    println!("{files} files");
    if files == CHANGED { Ok(()) } else { Err(not_measured(format!("{files} files changed"))) }
}

/// Changes one file and saves an undo point. The file is one of those that already differ from the
/// commit.
fn save_point(repository: &Path) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(not_measured)?;
    let millis = u64::try_from(now.as_millis()).map_err(not_measured)?;
    let id = EventId::new(Timestamp::from_millis(millis), u128::from(std::process::id()));
    let path = file(repository, 0);
    let text = text(0) + &format!("// changed by {id}\n");
    fs::write(&path, text).map_err(|source| Failure::Write { path, source })?;
    let saving = Saving {
        id,
        session: None,
        on: None,
        why: "a measurement".to_owned(),
        limits: Limits { max_file_bytes: 20 << 20, max_total_bytes: 500 << 20 },
        retention: Retention { points: 50, millis: u64::MAX },
        is_protected: &|_| false,
    };
    let saved = undo::save(repository, &git(), &saving).map_err(not_measured)?;
    println!("{}", saved.point.id);
    if saved.is_reused { Err(not_measured("nothing was saved")) } else { Ok(()) }
}
