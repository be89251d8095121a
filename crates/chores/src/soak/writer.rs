//! A writer process: appends to a session until it is killed, and reports its progress on a pipe.

use std::cell::{Cell, RefCell};
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rustix::process::{Signal, getpid, kill_process};
use verger_engine::State;
use verger_event::{Event, SessionKey, ToolCall};
use verger_store::{Options, Receipt, Sessions, Turn};
use verger_store_local::{LocalStore, Point, Probe};

use crate::bench::sample;
use crate::failure::Failure;
use crate::soak::progress::{self, Step};
use crate::soak::seeded::Seeded;

/// The distance between the first record numbers of two writers. Their numbers don't overlap.
pub(crate) const NUMBERS_PER_WRITER: usize = 1_000_000;
const MAX_PAUSE_US: u64 = 300;
const DURABLE_EVERY: usize = 8;

/// Appends to a session and reports on standard output
#[derive(Args)]
pub(crate) struct WriterArgs {
    /// The log
    #[arg(long)]
    pub(crate) data: PathBuf,
    #[arg(long)]
    pub(crate) session: String,
    /// Which of the writers this is
    #[arg(long)]
    pub(crate) writer: usize,
    #[arg(long)]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) payload: Payload,
    /// How many records; without it, until something stops it
    #[arg(long)]
    pub(crate) records: Option<usize>,
    #[arg(long, default_value_t = 200)]
    pub(crate) lock_wait_ms: u64,
    /// Where to wait a moment, so that a kill can hit
    #[arg(long)]
    pub(crate) pauses: bool,
    /// Whether some records must outlive the session
    #[arg(long)]
    pub(crate) durable: bool,
    /// The point to die at
    #[arg(long)]
    pub(crate) die_at: Option<DeathPoint>,
    /// How often that point is passed before
    #[arg(long, default_value_t = 0)]
    pub(crate) passes: usize,
    /// Keep the first turn open until standard input ends
    #[arg(long)]
    pub(crate) hold: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Payload {
    /// About 300 bytes.
    Small,
    /// Nearly as much as a line holds, and now and then more.
    Large,
}

/// The points of a turn, as they are named on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeathPoint {
    Locked,
    Folded,
    BeforeWrite,
    Written,
    SpillRemoved,
    Settled,
    SnapshotWritten,
    SnapshotReplaced,
}

impl From<Point> for DeathPoint {
    fn from(point: Point) -> Self {
        match point {
            Point::Locked => Self::Locked,
            Point::Folded => Self::Folded,
            Point::BeforeWrite => Self::BeforeWrite,
            Point::Written => Self::Written,
            Point::SpillRemoved => Self::SpillRemoved,
            Point::Settled => Self::Settled,
            Point::SnapshotWritten => Self::SnapshotWritten,
            Point::SnapshotReplaced => Self::SnapshotReplaced,
        }
    }
}

/// A probe that reports every point of a turn. At a point, it may pause or kill the process.
struct Watched {
    writer: usize,
    pauses: Option<RefCell<Seeded>>,
    die_at: Option<DeathPoint>,
    passes_left: Cell<usize>,
}

impl Probe for Watched {
    fn reached(&self, point: Point) {
        progress::report(self.writer, Step::Inside, None);
        if self.die_at == Some(point.into()) {
            match self.passes_left.get().checked_sub(1) {
                Some(left) => self.passes_left.set(left),
                None => die(),
            }
        }
        if let Some(seeded) = &self.pauses {
            let pause = Duration::from_micros(seeded.borrow_mut().below(MAX_PAUSE_US));
            let start = Instant::now();
            while start.elapsed() < pause {
                std::hint::spin_loop();
            }
        }
    }
}

fn die() {
    // Killing the own process can't fail.
    kill_process(getpid(), Signal::KILL).unwrap_or_default();
}

pub(crate) fn write(args: &WriterArgs) -> Result<(), Failure> {
    let mut seeded = Seeded::new(args.seed);
    let probe = Watched {
        writer: args.writer,
        pauses: args.pauses.then(|| RefCell::new(seeded.clone())),
        die_at: args.die_at,
        passes_left: Cell::new(args.passes),
    };
    let lock_wait = Duration::from_millis(args.lock_wait_ms);
    let options = Options { lock_wait, ..Options::default() };
    let store = LocalStore::with_probe(&args.data, options, probe)?;
    let key = sample::key(&args.session).ok_or(Failure::NoSuchAgent)?;
    let first = args.writer * NUMBERS_PER_WRITER;
    for number in (first..).take(args.records.unwrap_or(NUMBERS_PER_WRITER)) {
        let is_durable = args.durable && number % DURABLE_EVERY == 0;
        let draft =
            sample::draft(&key, number, event(number, is_durable, args.payload, &mut seeded));
        let id = draft.id.to_string();
        let turn = store.open::<State>(&key)?;
        if args.hold && number == first {
            wait_for_end_of_input()?;
        }
        match turn.commit(vec![draft]) {
            Ok(Receipt::Logged { .. }) => progress::report(args.writer, Step::Logged, Some(&id)),
            Ok(Receipt::Spilled) => progress::report(args.writer, Step::Spilled, Some(&id)),
            Err(error) => {
                progress::report(args.writer, Step::Refused, Some(&id));
                return Err(error.into());
            }
        }
    }
    Ok(())
}

fn wait_for_end_of_input() -> Result<(), Failure> {
    let mut rest = Vec::new();
    std::io::stdin().lock().read_to_end(&mut rest).map_err(Failure::Pipe)?;
    Ok(())
}

fn event(number: usize, is_durable: bool, payload: Payload, seeded: &mut Seeded) -> Event {
    if is_durable {
        return Event::ObservationRecorded {
            text: format!("the parser keeps token {number}"),
            author: None,
        };
    }
    let bytes = match payload {
        Payload::Small => 300,
        Payload::Large if seeded.is_one_in(4) => 66_000 + seeded.index(40_000),
        Payload::Large => 60_000 + seeded.index(4_600),
    };
    let text = "some words of a file ".repeat(1 + bytes / 21);
    Event::ToolRequested(ToolCall::write("a", text).with_id(format!("toolu_{number}")))
}

/// The command-line arguments that start this program as a writer.
pub(crate) fn arguments(args: &WriterArgs) -> Vec<String> {
    let name = |value: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
        value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    let mut list = vec![
        "soak-writer".to_owned(),
        format!("--data={}", args.data.display()),
        format!("--session={}", args.session),
        format!("--writer={}", args.writer),
        format!("--seed={}", args.seed),
        format!("--payload={}", name(&|| args.payload.to_possible_value())),
        format!("--lock-wait-ms={}", args.lock_wait_ms),
        format!("--passes={}", args.passes),
    ];
    list.extend(args.records.map(|records| format!("--records={records}")));
    list.extend(
        args.die_at.map(|point| format!("--die-at={}", name(&|| point.to_possible_value()))),
    );
    for (is_set, flag) in
        [(args.pauses, "--pauses"), (args.durable, "--durable"), (args.hold, "--hold")]
    {
        list.extend(is_set.then(|| flag.to_owned()));
    }
    list
}

/// The arguments for a writer of small records that neither pauses nor kills itself.
pub(crate) fn plain(data: PathBuf, key: &SessionKey) -> WriterArgs {
    WriterArgs {
        data,
        session: key.session.to_string(),
        writer: 1,
        seed: 0,
        payload: Payload::Small,
        records: None,
        lock_wait_ms: 200,
        pauses: false,
        durable: false,
        die_at: None,
        passes: 0,
        hold: false,
    }
}
