//! `verger learn archive --unused`: archives learnings that have not been used for long, stores
//! learnings that only the log contains, and updates the index.

use std::time::Duration;

use serde_json::{Value, json};
use verger_engine::{Round, Shelving, Unstored, Upkeep, UpkeepError, Upkept, Waiting};
use verger_exec::Deadline;
use verger_library::{Effort, Outcome, Shelved};
use verger_memory::{Decay, Learning, LearningId};
use verger_store_local::LocalStore;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::known::{KnownLearning, KnownLearnings};
use crate::learning::project::ProjectLearnings;
use crate::learning::reflection_text::{is_stored, place_text, placement_json};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Step;
use crate::render::table::Table;
use crate::render::time::local_date;

/// The time limit. It is long, because the person who runs the command can interrupt it.
const PATIENCE: Duration = Duration::from_hours(1);

/// The work to do.
struct Work {
    /// Learnings to archive now.
    due: Vec<KnownLearning>,
    /// Learnings that will be archived within a week, unless they are used.
    soon: Vec<KnownLearning>,
    /// Learnings that only the log contains.
    unstored: Unstored,
}

impl Work {
    fn find(
        ui: &Ui,
        context: &Context,
        project_learnings: &ProjectLearnings,
        known_learnings: &KnownLearnings,
    ) -> Result<Self, CommandError> {
        let store = context.open_store(ui)?;
        let unstored = Unstored::read(&store, None, context.project_id().as_ref())?;
        tell_passed_over(ui, &store);
        let now = context.clock.now();
        let (mut due, mut soon) = (vec![], vec![]);
        for held in known_learnings.held.iter().filter(|held| held.account.is_active()) {
            match project_learnings.decay(&held.account, now) {
                Decay::Due { .. } => due.push(held.clone()),
                Decay::Soon { .. } => soon.push(held.clone()),
                Decay::Immune | Decay::Later { .. } => {}
            }
        }
        Ok(Self { due, soon, unstored })
    }
}

/// The changes that `archive --unused` would make, and the learnings that will be archived within a
/// week.
pub(super) fn show_unused(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    let work = Work::find(ui, context, &project_learnings, &known_learnings)?;
    if ui.output() == Output::Json {
        let all =
            |held: &[KnownLearning]| held.iter().map(KnownLearning::to_json).collect::<Value>();
        let unstored: Vec<_> = work.unstored.learnings().map(Learning::to_json).collect();
        return Ok(ui.json(&json!({
            "due": all(&work.due),
            "soon": all(&work.soon),
            "unstored": unstored,
            "problems": known_learnings.problems(),
        }))?);
    }
    known_learnings.warn(ui);
    let mut table = Table::default();
    let now = context.clock.now();
    for held in work.due.iter().chain(&work.soon) {
        let learning = &held.account.learning;
        let when = match project_learnings.decay(&held.account, now) {
            Decay::Due { until } => format!("due to be archived since {}", local_date(until)),
            Decay::Soon { until } => {
                format!("will be archived after {} unless used", local_date(until))
            }
            Decay::Immune | Decay::Later { .. } => String::new(),
        };
        table.row(learning.id.as_str(), format!("{when}: {}", learning.summary));
    }
    for learning in work.unstored.learnings() {
        table.row(
            learning.id.as_str(),
            format!("not stored yet, only in the log: {}", learning.summary),
        );
    }
    if table.is_empty() {
        return Ok(ui.line("nothing to do")?);
    }
    table.print(ui)?;
    if work.due.is_empty() && work.unstored.is_empty() {
        return Ok(ui.note("verger ref ID keeps one that is still useful")?);
    }
    Ok(ui.note(
        "verger learn archive --unused archives and stores them; verger ref ID keeps one that is still useful",
    )?)
}

/// Archives unused learnings, stores learnings that only the log contains, and updates the index.
pub(super) fn archive_unused(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    // This lock is held until the learnings that only the log contains are stored.
    let turn = project_learnings.turn()?;
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    known_learnings.warn(ui);
    let work = Work::find(ui, context, &project_learnings, &known_learnings)?;
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
    let step = Step::new(ui, "archiving unused learnings and updating the index");
    let upkept = upkeep.run(Round::Now, Effort::Whole)?;
    drop(step);
    let done = Done { stored, upkept };
    match ui.output() {
        Output::Json => ui.json(&done.to_json(&known_learnings))?,
        Output::Text => done.print(ui, &known_learnings)?,
    }
    if done.stored.iter().all(is_stored) { Ok(()) } else { Err(CommandError::Found) }
}

struct Done {
    stored: Vec<Shelved>,
    /// `None` if another process is doing the upkeep.
    upkept: Option<Upkept>,
}

impl Done {
    fn print(&self, ui: &mut Ui, known_learnings: &KnownLearnings) -> Result<(), CommandError> {
        for shelved in &self.stored {
            ui.line(format!("{}: {}", shelved.learning, place_text(Some(shelved))))?;
        }
        let Some(Upkept { archived, refreshed }) = &self.upkept else {
            return Ok(ui.line("another process is maintaining these learnings")?);
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
                format!("the index was updated with {} more", count(learnings, "learning"))
            }
            Outcome::Rebuilt { learnings } => {
                format!("the index was rebuilt, with {}", count(learnings, "learning"))
            }
            Outcome::TooMuch { .. } | Outcome::Busy => {
                "another process is updating the index".to_owned()
            }
        })?;
        if !archived.is_empty() {
            ui.note("verger learn restore ID takes one out of the archive again")?;
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
