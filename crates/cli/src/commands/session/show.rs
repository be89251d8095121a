//! `verger session show`: the current state of a session, and its files.

use clap::Args;
use serde_json::{Value, json};
use verger_engine::State;
use verger_event::{Life, ProjectId, SessionKey, TaskState, Timestamp};
use verger_gate::{Start, Work};
use verger_store::{ReadLog, SegmentName};
use verger_store_local::SegmentFiles;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::table::Table;
use crate::render::time::local_time;
use crate::review::text::standing;
use crate::sessions::picker::choose;
use crate::verify::text as verification_text;

/// Show a session's current state and where its files are.
///
/// The state is computed twice: from the snapshot, and from all events. Exit code 1 means that the
/// two differ.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session: its id, or the beginning of it.
    session: String,
}

pub(super) fn show(ui: &mut Ui, context: &Context, args: &ShowArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let (SegmentName::Session(stem) | SegmentName::Project(stem)) = choose(&store, &args.session)?;
    let folded = Folded {
        key: store.key_of(&stem)?,
        stem: stem.clone(),
        live: store.folded(&stem)?,
        replayed: store.replay(&stem)?,
        files: store.files_of(&stem)?,
    };
    match ui.output() {
        Output::Text => folded.table(context.clock.now()).print(ui)?,
        Output::Json => ui.json(&folded.to_json())?,
    }
    if folded.agrees() { Ok(()) } else { Err(CommandError::Found) }
}

struct Folded {
    key: Option<SessionKey>,
    stem: String,
    /// The state folded from the snapshot on, as a hook does it.
    live: State,
    /// The state folded from the first record on.
    replayed: State,
    files: SegmentFiles,
}

impl Folded {
    fn agrees(&self) -> bool {
        self.live == self.replayed
    }

    fn to_json(&self) -> Value {
        let files = &self.files;
        json!({
            "agent": self.key.as_ref().map(|key| key.agent.as_str()),
            "session": self.key.as_ref().map(|key| key.session.as_str()),
            "name": self.stem,
            "state": self.live,
            "agrees_with_replay": self.agrees(),
            "replayed": (!self.agrees()).then_some(&self.replayed),
            "segment": { "path": files.segment, "bytes": files.bytes },
            "spill": {
                "path": files.spill,
                "records": files.spilled_records,
                "bytes": files.spilled_bytes,
            },
            "snapshot": files.snapshot.as_ref().map(|snapshot| json!({
                "path": snapshot.path, "offset": snapshot.offset, "seq": snapshot.seq,
            })),
        })
    }

    fn table(&self, now: Timestamp) -> Table {
        let state = &self.live.session;
        let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
        let mut table = Table::default();
        let session = self.key.as_ref().map_or(self.stem.as_str(), |key| key.session.as_str());
        table.row("session", session);
        let agent = self.key.as_ref().map(|key| key.agent.as_str());
        let version = state.agent_version.as_deref().unwrap_or_default();
        table.row("agent", format!("{} {version}", or_dash(agent)));
        table.row("life", life(&state.life));
        table.row("task", task(state.task));
        table.row("user", or_dash(state.user.as_deref()));
        table.row("project", or_dash(state.project.as_ref().map(ProjectId::as_str)));
        table.row("directory", or_dash(state.cwd.as_deref()));
        table.row("first event", state.first_at.map_or_else(|| "-".to_owned(), local_time));
        table.row("last event", state.last_at.map_or_else(|| "-".to_owned(), local_time));
        table.row("events", state.events.to_string());
        for (id, since) in &state.subagents {
            table.row("subagent", format!("{id} since {}", local_time(*since)));
        }
        let review = &self.live.review;
        let standing = standing(review, now).map(|text| format!(": {text}")).unwrap_or_default();
        table.row("review gate", format!("{}{standing}", review.phase.name()));
        let gate = &self.live.verification;
        let standing = verification_text::standing(gate, now);
        let standing = standing.map(|text| format!(": {text}")).unwrap_or_default();
        table.row("verification gate", format!("{}{standing}", gate.phase.name()));
        table.row("work", work(&self.live.work));
        if let Some(last) = &state.warnings.last {
            let count = count(state.warnings.count, "warning");
            let at = local_time(last.at);
            table.row(
                "warnings",
                format!("{count}; the last at {at}: {}: {}", last.area, last.message),
            );
        }
        self.file_rows(&mut table);
        table
    }

    fn file_rows(&self, table: &mut Table) {
        let files = &self.files;
        let bytes = count(files.bytes, "byte");
        table.row("segment", format!("{} ({bytes})", files.segment.display()));
        if files.spilled_records > 0 {
            let records = count(files.spilled_records, "record");
            table.row("spill", format!("{} ({records} to merge)", files.spill.display()));
        }
        table.row(
            "snapshot",
            match &files.snapshot {
                None => "none yet".to_owned(),
                Some(snapshot) => format!(
                    "{} (up to record {}, byte {})",
                    snapshot.path.display(),
                    snapshot.seq,
                    snapshot.offset
                ),
            },
        );
        if self.agrees() {
            table.toned_row(Tone::Good, "replay", "agrees");
        } else {
            let differs = "differs from the state in the snapshot: verger log rebuild repairs it";
            table.toned_row(Tone::Bad, "replay", differs);
        }
    }
}

fn life(life: &Life) -> String {
    match life {
        Life::Unseen => "no event of the session was recorded".to_owned(),
        Life::Running => "running, or ended without an end event".to_owned(),
        Life::Ended { reason } => format!("ended ({reason})"),
    }
}

fn work(work: &Work) -> String {
    let touched = format!("tools named {}", count(work.touched.files.len(), "file"));
    match &work.start {
        Start::NotTaken => "no tool that can change a file was called".to_owned(),
        Start::Tree(_) => format!("{touched}; changes are compared with the files at the start"),
        Start::NoTree { reason, .. } => {
            format!("{touched}; the files at the start are unknown: {reason}")
        }
        Start::Unknown { reason, .. } => {
            format!("{touched}; what changed since the start is unknown: {reason}")
        }
    }
}

fn task(task: TaskState) -> String {
    match task {
        TaskState::None => "none yet".to_owned(),
        TaskState::Open(task) => format!("open, since prompt {}", task.0),
        TaskState::Done(task) => format!("done, begun by prompt {}", task.0),
    }
}
