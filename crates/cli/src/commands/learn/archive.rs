//! `verger learn archive` and `restore`. Both add a line to the statistics and never change a
//! learning.

use clap::Args;
use serde_json::{Value, json};
use verger_memory::stats::{StatsEvent, StatsLine};
use verger_memory::{LearningId, Status};

use super::unused::{archive_unused, show_unused};
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::invocation::text_input::TextInput;
use crate::learning::ids::{learning_ids, not_kept};
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};

const MAX_REASON_CHARS: usize = 500;

/// Take learnings out of use, by id or all unused ones.
///
/// Archived learnings are not found and not given to sessions. Their text is kept, and `verger
/// learn restore` brings them back. With `--unused`, verger archives learnings that were not used
/// for long, stores learnings that could not be stored before, and updates the index. Unused
/// learnings are also archived once a day when a session starts. Exit code 1 means that a learning
/// could not be archived or stored; the others were.
#[derive(Debug, Args)]
pub(crate) struct ArchiveArgs {
    /// Their ids or the last 8 characters of them, as `verger learn list` shows them.
    #[arg(required_unless_present = "unused", value_name = "ID")]
    ids: Vec<String>,

    /// Archive all learnings that were not used for long.
    #[arg(long, conflicts_with_all = ["ids", "reason"])]
    unused: bool,

    /// With --unused: show what would be archived now and within a week; change nothing.
    #[arg(long, requires = "unused", conflicts_with = "ids")]
    dry_run: bool,

    /// The reason, kept in the statistics.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    _consent: Consent,
}

/// Bring archived learnings back into use.
///
/// They are found and given to sessions again, and their time without use starts again at zero.
/// Exit code 1 means that a learning does not exist or was superseded, which cannot be undone; the
/// others are restored.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The ids, or their last 8 characters: `verger learn list --status archived`.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// The reason, kept in the statistics.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    _consent: Consent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Archive,
    Restore,
}

pub(super) fn archive(
    ui: &mut Ui,
    context: &Context,
    args: &ArchiveArgs,
) -> Result<(), CommandError> {
    match (args.unused, args.dry_run) {
        (_, true) => show_unused(ui, context),
        (true, false) => archive_unused(ui, context),
        (false, false) => moved(ui, context, &args.ids, args.reason.as_deref(), Move::Archive),
    }
}

pub(super) fn restore(
    ui: &mut Ui,
    context: &Context,
    args: &RestoreArgs,
) -> Result<(), CommandError> {
    moved(ui, context, &args.ids, args.reason.as_deref(), Move::Restore)
}

fn moved(
    ui: &mut Ui,
    context: &Context,
    ids: &[String],
    reason: Option<&str>,
    movement: Move,
) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    let input = TextInput { what: "the reason", max_chars: MAX_REASON_CHARS };
    let reason = reason.map(|text| input.checked(text)).transpose()?;
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    known_learnings.warn(ui);
    let ids = learning_ids(ids, known_learnings.ids())?;
    let outcomes: Vec<_> =
        ids.into_iter().map(|id| (movement.outcome(&known_learnings, &id), id)).collect();
    let changed = outcomes.iter().filter(|(outcome, _)| *outcome == Outcome::Done);
    let line = |id: &LearningId| StatsLine {
        id: context.clock.next_id(),
        at: context.clock.now(),
        session: None,
        tickets: vec![],
        event: movement.event(id, reason.clone()),
    };
    let lines: Vec<_> = changed.map(|(_, id)| line(id)).collect();
    project_learnings.project.count(&lines)?;
    if let Err(error) = project_learnings.refresh(context) {
        ui.warn(&error.to_string());
    }
    report(ui, movement, &outcomes)
}

/// The result for one learning.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Done,
    /// The learning already had this state.
    Already,
    Replaced {
        by: LearningId,
    },
    Unknown,
}

impl Move {
    fn outcome(self, known_learnings: &KnownLearnings, id: &LearningId) -> Outcome {
        match (self, known_learnings.find(id).map(|held| &held.account.status)) {
            (_, None) => Outcome::Unknown,
            (_, Some(Status::Superseded { by })) => Outcome::Replaced { by: by.clone() },
            (Self::Archive, Some(Status::Active)) | (Self::Restore, Some(Status::Archived)) => {
                Outcome::Done
            }
            (Self::Archive, Some(Status::Archived)) | (Self::Restore, Some(Status::Active)) => {
                Outcome::Already
            }
        }
    }

    fn event(self, id: &LearningId, reason: Option<String>) -> StatsEvent {
        let (learning, reason) = (id.clone(), reason.unwrap_or_else(|| "by hand".to_owned()));
        match self {
            Self::Archive => StatsEvent::Archived { learning, reason },
            Self::Restore => StatsEvent::Restored { learning, reason },
        }
    }

    /// The learning's state after the move.
    fn word(self) -> &'static str {
        match self {
            Self::Archive => "archived",
            Self::Restore => "restored",
        }
    }
}

impl Outcome {
    fn is_wrong(&self) -> bool {
        matches!(self, Self::Replaced { .. } | Self::Unknown)
    }

    fn text(&self, movement: Move, id: &LearningId) -> String {
        match (self, movement) {
            (Self::Done, _) => format!("{}: {id}", movement.word()),
            (Self::Already, Move::Archive) => format!("{id} is archived already"),
            (Self::Already, Move::Restore) => format!("{id} is in use already"),
            (Self::Replaced { by }, _) => {
                format!("{id} was replaced by {by} and cannot be archived or restored")
            }
            (Self::Unknown, _) => not_kept(id),
        }
    }

    fn to_json(&self, id: &LearningId) -> Value {
        let (word, by) = match self {
            Self::Done => ("done", None),
            Self::Already => ("already", None),
            Self::Replaced { by } => ("superseded", Some(by.as_str())),
            Self::Unknown => ("unknown", None),
        };
        json!({ "learning": id.as_str(), "is": word, "by": by })
    }
}

fn report(
    ui: &mut Ui,
    movement: Move,
    outcomes: &[(Outcome, LearningId)],
) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let outcomes: Vec<_> = outcomes.iter().map(|(outcome, id)| outcome.to_json(id)).collect();
        ui.json(&json!({ movement.word(): outcomes }))?;
    } else {
        for (outcome, id) in outcomes {
            ui.line(outcome.text(movement, id))?;
        }
    }
    let is_wrong = outcomes.iter().any(|(outcome, _)| outcome.is_wrong());
    if is_wrong { Err(CommandError::Found) } else { Ok(()) }
}
