//! `verger status --watch`: live sessions, the last event of each, and the items that need a
//! person, kept up to date.
//!
//! One thread follows the log, another waits for signals. The screen is drawn again after new
//! records, when the terminal changes its size, and from time to time because ages grow. Otherwise
//! the program waits without work.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::iterator::Signals;
use verger_engine::Home;
use verger_event::{Event, Record};
use verger_store::{FollowLog, Following, StoreError};
use verger_store_local::LocalStore;

use super::Status;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::table::Table;
use crate::sessions::event_picker::each_record;
use crate::sessions::event_summary::summary;
use crate::sessions::picker::choose;

/// The minimum time between two drawings.
const MIN_INTERVAL: Duration = Duration::from_millis(500);
/// How long ages stay on the screen before they are drawn again: while they count seconds, and
/// later.
const SECONDS_AGE: Duration = Duration::from_secs(5);
const MINUTES_AGE: Duration = Duration::from_mins(1);
/// The maximum duration of one wait for records. Nothing is drawn when it ends.
const FOLLOW_WAIT: Duration = Duration::from_mins(10);

enum Wake {
    Records(Vec<Record>),
    Resized,
    End,
    Failed(StoreError),
}

pub(super) fn watch(
    ui: &mut Ui,
    context: &Context,
    home: &Home,
    store: &LocalStore,
) -> Result<(), CommandError> {
    let is_screen = ui.output() == Output::Text;
    if is_screen && !io::stdout().is_terminal() {
        return Err(CommandError::Usage {
            message: "--watch needs a terminal to draw on".to_owned(),
            hint: "verger status --watch --json".to_owned(),
        });
    }
    let (sender, wakes) = mpsc::channel();
    let followed = LocalStore::open(&home.data, context.settings(home).store_options())?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGWINCH])?;
    let to_main = sender.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            let wake = if signal == SIGWINCH { Wake::Resized } else { Wake::End };
            if to_main.send(wake).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || follow(&followed, &sender));
    if !is_screen {
        return draw_until_end(ui, context, store, &wakes);
    }
    ui.begin_screen()?;
    let result = draw_until_end(ui, context, store, &wakes);
    ui.end_screen()?;
    result
}

/// Sends new records until the receiver is dropped.
fn follow(store: &LocalStore, wakes: &Sender<Wake>) {
    let mut following = match store.follow() {
        Ok(following) => following,
        Err(error) => return drop(wakes.send(Wake::Failed(error))),
    };
    loop {
        let wake = match following.next(FOLLOW_WAIT) {
            Ok(records) if records.is_empty() => continue,
            Ok(records) => Wake::Records(records),
            Err(error) => Wake::Failed(error),
        };
        let is_failure = matches!(wake, Wake::Failed(_));
        if wakes.send(wake).is_err() || is_failure {
            return;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the time between drawings is real time")]
fn draw_until_end(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    wakes: &Receiver<Wake>,
) -> Result<(), CommandError> {
    let mut doing = LastEvents::default();
    loop {
        let drawn = Instant::now();
        let status = Status::gather(ui, context, store)?;
        doing.read_missing(&status, store);
        match ui.output() {
            Output::Json => {
                ui.json(&status.to_json())?;
                ui.flush()?;
            }
            Output::Text => ui.screen(&status.screen(context, &doing, ui.columns()))?,
        }
        let mut until = drawn + status.next_drawing();
        let mut has_records = false;
        loop {
            match wakes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(Wake::Failed(error)) => return Err(error.into()),
                Ok(Wake::Records(records)) => {
                    for record in &records {
                        doing.note(record);
                    }
                    has_records = true;
                }
                Ok(Wake::Resized) => {}
                // Programs get an object for new records only, not because ages have changed.
                Err(RecvTimeoutError::Timeout) if ui.output() == Output::Text || has_records => {
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {
                    until = Instant::now() + MINUTES_AGE;
                    continue;
                }
            }
            until = until.min(drawn + MIN_INTERVAL);
        }
    }
}

/// The last event of each session, by the session's id, in a few words.
#[derive(Debug, Default)]
struct LastEvents(BTreeMap<String, String>);

impl LastEvents {
    fn note(&mut self, record: &Record) {
        if let Some(text) = text_of(&record.draft.event) {
            self.0.insert(record.draft.origin.session.to_string(), text);
        }
    }

    /// Reads the logs of live sessions that are shown for the first time.
    fn read_missing(&mut self, status: &Status, store: &LocalStore) {
        for live in status.live().take(super::MAX_LIVE) {
            let session = &live.row.session;
            if self.0.contains_key(session) {
                continue;
            }
            self.0.insert(session.clone(), String::new());
            if let Ok(segment) = choose(store, session) {
                // A log that can't be read shows no event; `verger doctor` names it.
                drop(each_record(store, &segment, &mut |record| self.note(&record)));
            }
        }
    }

    fn of(&self, session: &str) -> Option<String> {
        self.0.get(session).filter(|text| !text.is_empty()).cloned()
    }
}

/// Describes an event of the agent or the person. `None` for verger's own records, which aren't the
/// agent's work.
fn text_of(event: &Event) -> Option<String> {
    let verb = match event {
        Event::ToolRequested(_) => "runs",
        Event::ToolSucceeded { .. } => "ran",
        Event::ToolFailed { .. } => "failed:",
        Event::PermissionAsked { .. } => "asks to run",
        Event::PromptSubmitted { .. } => "works on:",
        Event::StopRequested(_) => "stopped:",
        Event::Notified { .. } => "waits for you:",
        Event::SessionEnded { .. } => "ended:",
        _ => return None,
    };
    Some(format!("{verb} {}", summary(event)))
}

impl Status {
    /// The time until ages have to be drawn again.
    fn next_drawing(&self) -> Duration {
        let ages = self.live().filter_map(|live| live.state.session.last_at);
        let age = ages.map(|at| self.now.millis_since(at)).min();
        match age {
            Some(age) if age < MINUTES_AGE.as_millis().try_into().unwrap_or(u64::MAX) => {
                SECONDS_AGE
            }
            _ => MINUTES_AGE,
        }
    }

    fn screen(
        &self,
        context: &Context,
        doing: &LastEvents,
        width: Option<usize>,
    ) -> Vec<Vec<(Tone, String)>> {
        let mut table = Table::default();
        let mut row = |tone: Tone, name: &str, text: &str| {
            table.toned_row(tone, name, context.with_tilde(text));
        };
        self.live_rows(&mut row, &|session| doing.of(session));
        self.needs_rows(&mut row);
        let head = format!("verger: {} (Ctrl-C ends)", count(self.live().count(), "live session"));
        let mut lines = vec![vec![(Tone::Strong, head)], vec![]];
        lines.extend(table.pieces(width, str::to_owned));
        lines
    }
}
