//! `verger maintain run`: puts unused learnings away, stores those that could not be stored before,
//! and updates the index.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use verger_engine::{Round, Shelving, Upkeep, UpkeepError, Upkept, Waiting};
use verger_exec::Deadline;
use verger_library::{Effort, Outcome, Shelved};
use verger_memory::LearningId;

use super::Work;
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::learning::reflection_text::{is_stored, place_text, placement_json};
use crate::render::output::{Output, Ui, count};
use verger_store_local::LocalStore;

/// Long, because the person who runs the command can stop it.
const PATIENCE: Duration = Duration::from_hours(1);

/// Put away what nobody used for long, store what could not be stored, and update the index.
///
/// Decay also happens by itself once a day when a session starts. Exit code 1 means that a learning
/// is still in the log alone, because no place could take it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Only say what would be done.
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    _consent: Consent,
}

pub(crate) fn run(ui: &mut Ui, context: &Context, args: &RunArgs) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    // Held until the learnings that are only in the log are stored.
    let turn = if args.dry_run { None } else { project_learnings.turn()? };
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    known_learnings.warn(ui);
    let work = Work::find(ui, context, &project_learnings, &known_learnings)?;
    if args.dry_run {
        return would(ui, &work);
    }
    let store = context.open_store(ui)?;
    let place_of = |id: &LearningId| Some(known_learnings.find(id)?.place.backend);
    let waiting = Waiting::of(&project_learnings.index(context)?);
    let library = &project_learnings.project.library;
    let shelving = Shelving { store: &store, clock: &context.clock, library, waiting: &waiting };
    let stored = work.unstored.store(&shelving, place_of)?;
    tell_passed_over(ui, &store);
    drop(turn);
    let upkeep: Upkeep<'_, LocalStore> = Upkeep {
        home: &context.home()?,
        ground: &project_learnings.ground,
        kept: &project_learnings.project,
        settings: &project_learnings.loaded.settings,
        environment: &context.environment,
        clock: &context.clock,
        log: None,
        deadline: Deadline::after(PATIENCE),
    };
    let upkept = upkeep.run(Round::Now, Effort::Whole)?;
    let done = Done { stored, upkept };
    match ui.output() {
        Output::Json => ui.json(&done.to_json(&known_learnings))?,
        Output::Text => done.print(ui, &known_learnings)?,
    }
    if done.stored.iter().all(is_stored) { Ok(()) } else { Err(CommandError::Found) }
}

fn would(ui: &mut Ui, work: &Work) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let due: Vec<_> = work.due.iter().map(|held| held.account.learning.id.as_str()).collect();
        let unstored: Vec<_> = work.unstored.learnings().map(|one| one.id.as_str()).collect();
        return Ok(ui.json(&json!({ "would_archive": due, "would_store": unstored }))?);
    }
    for held in &work.due {
        let learning = &held.account.learning;
        ui.line(format!("would archive {}: {}", learning.id, learning.summary))?;
    }
    for learning in work.unstored.learnings() {
        ui.line(format!("would store {}: {}", learning.id, learning.summary))?;
    }
    Ok(ui.line("would bring the index up to date")?)
}

struct Done {
    stored: Vec<Shelved>,
    /// `None` if another process does the upkeep.
    upkept: Option<Upkept>,
}

impl Done {
    fn print(&self, ui: &mut Ui, known_learnings: &KnownLearnings) -> Result<(), CommandError> {
        for shelved in &self.stored {
            ui.line(format!("{}: {}", shelved.learning, place_text(Some(shelved))))?;
        }
        let Some(Upkept { archived, refreshed }) = &self.upkept else {
            return Ok(ui.line("somebody else is keeping these learnings in order")?);
        };
        for id in archived {
            let summary =
                known_learnings.find(id).map(|held| held.account.learning.summary.as_str());
            ui.line(format!("archived {id}: {}", summary.unwrap_or_default()))?;
        }
        ui.line(match refreshed.outcome {
            Outcome::Same | Outcome::Updated { learnings: 0 } => {
                "the index is up to date".to_owned()
            }
            Outcome::Updated { learnings } => {
                format!("the index is up to date, with {} more", count(learnings, "learning"))
            }
            Outcome::Rebuilt { learnings } => {
                format!("the index was made anew, of {}", count(learnings, "learning"))
            }
            Outcome::TooMuch { .. } | Outcome::Busy => {
                "somebody else brings the index up to date".to_owned()
            }
        })?;
        if !archived.is_empty() {
            ui.note("verger maintain restore ID takes one out of the archive again")?;
        }
        Ok(())
    }

    fn to_json(&self, known_learnings: &KnownLearnings) -> Value {
        let stored = self.stored.iter().map(|shelved| {
            let placement = placement_json(Some(shelved));
            json!({ "learning": shelved.learning.as_str(), "placement": placement })
        });
        let archived = self.upkept.iter().flat_map(|upkept| &upkept.archived);
        json!({
            "stored": stored.collect::<Vec<_>>(),
            "archived": archived.map(LearningId::as_str).collect::<Vec<_>>(),
            "index": self.upkept.as_ref().map(|upkept| index_json(&upkept.refreshed.outcome)),
            "problems": known_learnings.problems(),
        })
    }
}

fn index_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Same => json!({ "is": "same" }),
        Outcome::Updated { learnings } => json!({ "is": "updated", "learnings": learnings }),
        Outcome::Rebuilt { learnings } => json!({ "is": "rebuilt", "learnings": learnings }),
        Outcome::TooMuch { .. } | Outcome::Busy => json!({ "is": "behind" }),
    }
}

/// The error of an upkeep that was not completed.
impl From<UpkeepError> for CommandError {
    fn from(error: UpkeepError) -> Self {
        match error {
            UpkeepError::Lock(error) | UpkeepError::Log(error) => (*error).into(),
            UpkeepError::Archive(error) => error.into(),
            UpkeepError::Index(error) => error.into(),
            error @ (UpkeepError::Keep(_) | UpkeepError::OutOfTime | UpkeepError::Unstored(_)) => {
                Self::Failed { source: error.into(), hint: "verger doctor".to_owned() }
            }
        }
    }
}
