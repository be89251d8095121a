//! `verger learn list`: lists the stored learnings.

use std::cmp::Reverse;

use clap::Args;
use serde_json::{Value, json};
use verger_event::Timestamp;
use verger_library::Suspects;
use verger_memory::stats::Account;
use verger_memory::{Decay, Status};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::filter::LearningFilter;
use crate::learning::known::{KnownLearning, KnownLearnings, usage_text};
use crate::learning::project::ProjectLearnings;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui};
use crate::render::short_ids::ShortIds;
use crate::render::time::{age, local_date};

/// List what agents learned here, the newest first.
///
/// Lists the learnings of this project and your own. With `--stale`: learnings that will be
/// archived within a week unless they are used, learnings that can be archived now, and suspect
/// ones, because the code that they name changed. A learning that cannot be read is reported with
/// its line; the rest is listed.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only learnings that were not used for long, or whose code changed since.
    #[arg(long)]
    stale: bool,

    #[command(flatten)]
    filter: LearningFilter,

    /// How many; 0 for all.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
}

pub(super) fn list(ui: &mut Ui, context: &Context, args: &ListArgs) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    let known_learnings = if args.filter.wants_archived() {
        KnownLearnings::read_with_archives(
            &project_learnings.project,
            &project_learnings.with_archives(context),
        )
    } else {
        KnownLearnings::read(&project_learnings.project)
    };
    let now = context.clock.now();
    let listed = known_learnings.held.iter().filter(|held| args.filter.accepts(&held.account));
    let suspects = Suspects::read(&project_learnings.index(context)?);
    let listed = listed.map(|held| Listed::of(held, &project_learnings, &suspects, now));
    let mut listed: Vec<_> = listed.filter(|listed| !args.stale || listed.is_stale()).collect();
    listed.sort_by_key(|listed| {
        let learning = &listed.held.account.learning;
        Reverse((learning.created, &learning.id))
    });
    let total = listed.len();
    if args.limit > 0 {
        listed.truncate(args.limit);
    }
    if ui.output() == Output::Json {
        let learnings: Vec<_> = listed.iter().map(Listed::to_json).collect();
        let problems = known_learnings.problems();
        let answer = json!({ "learnings": learnings, "total": total, "problems": problems });
        return Ok(ui.json(&answer)?);
    }
    known_learnings.warn(ui);
    if listed.is_empty() {
        let (what, next) = args.nothing(&known_learnings);
        ui.line(what)?;
        return Ok(ui.note(next)?);
    }
    let short = ShortIds::of_records(listed.iter().map(|one| &one.held.account.learning.id));
    let mut listing = Listing::default();
    for one in &listed {
        let learning = &one.held.account.learning;
        let tone = if one.is_stale() { Tone::Warn } else { Tone::Plain };
        listing.row([
            Cell::faint(short.of(learning.id.as_str())),
            Cell::text(learning.category.as_str()),
            Cell::text(learning.scope.as_str()),
            Cell::toned(tone, one.text(now)),
        ]);
    }
    listing.print(ui)?;
    if listed.len() < total {
        ui.line(format!("{} more: --limit 0 lists all", total - listed.len()))?;
    }
    Ok(())
}

impl ListArgs {
    /// The message for an empty list, and a hint.
    fn nothing(&self, known_learnings: &KnownLearnings) -> (&'static str, &'static str) {
        if known_learnings.held.is_empty() && known_learnings.faults().is_empty() {
            let next = "verger doctor tickets shows when agents are asked for a learning";
            return ("no learning is kept here yet", next);
        }
        if self.stale {
            return (
                "no learning is suspect or due to be archived",
                "verger learn list shows all learnings in use",
            );
        }
        ("no learning matches", "verger learn list --status all shows all learnings")
    }
}

/// A learning and its status at a moment.
pub(super) struct Listed<'a> {
    held: &'a KnownLearning,
    /// How the learning's age affects it while it is in use.
    decay: Decay,
    /// The reason why a learning in use may no longer be true.
    suspect: Option<&'a str>,
}

impl<'a> Listed<'a> {
    pub(super) fn of(
        held: &'a KnownLearning,
        project_learnings: &ProjectLearnings,
        suspects: &'a Suspects,
        now: Timestamp,
    ) -> Self {
        let decay = project_learnings.decay(&held.account, now);
        let suspect = suspects.reason(&held.account.learning.id);
        Self { held, decay, suspect: suspect.filter(|_| held.account.is_active()) }
    }

    fn is_stale(&self) -> bool {
        let fades = matches!(self.decay, Decay::Soon { .. } | Decay::Due { .. });
        self.held.account.is_active() && (fades || self.suspect.is_some())
    }

    pub(super) fn to_json(&self) -> Value {
        let mut value = self.held.to_json();
        let (word, until) = match self.decay {
            Decay::Immune => ("immune", None),
            Decay::Later { until } => ("later", Some(until)),
            Decay::Soon { until } => ("soon", Some(until)),
            Decay::Due { until } => ("due", Some(until)),
        };
        if self.held.account.is_active() {
            value["decay"] = json!({ "is": word, "until_ms": until.map(Timestamp::as_millis) });
            value["suspect"] = json!(self.suspect);
        }
        value
    }

    fn text(&self, now: Timestamp) -> String {
        let Account { learning, usage, .. } = &self.held.account;
        format!(
            "{}, {}{}: {}",
            age(learning.created, now),
            usage_text(usage),
            self.standing(),
            learning.summary,
        )
    }

    /// The learning's status as text to append. Empty for a learning that is in normal use.
    pub(super) fn standing(&self) -> String {
        let suspect = self.suspect.map(|reason| format!(", suspect ({reason})"));
        let standing = match (&self.held.account.status, self.decay) {
            (Status::Archived, _) => ", archived".to_owned(),
            (Status::Superseded { by }, _) => format!(", superseded by {by}"),
            (Status::Active, Decay::Due { until }) => {
                format!(", due to be archived since {}", local_date(until))
            }
            (Status::Active, Decay::Soon { until }) => {
                format!(", will be archived after {} unless used", local_date(until))
            }
            (Status::Active, Decay::Immune | Decay::Later { .. }) => String::new(),
        };
        standing + &suspect.unwrap_or_default()
    }
}
