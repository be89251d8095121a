//! The sessions within a number of days, of one project or of all projects.

use clap::Args;
use verger_engine::State;
use verger_event::Timestamp;
use verger_store::SegmentName;
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::sessions::picker::choose;

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// Which sessions count.
#[derive(Debug, Args)]
pub(crate) struct RecentArgs {
    /// How many days back to count.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=36_500))]
    pub(crate) days: u64,

    /// Only this project.
    #[arg(long, conflicts_with = "session")]
    here: bool,

    /// Only this session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

impl RecentArgs {
    /// The beginning of the time span.
    pub(crate) fn since(&self, context: &Context) -> Timestamp {
        let now = context.clock.now().as_millis();
        Timestamp::from_millis(now.saturating_sub(self.days * DAY_MILLIS))
    }

    /// The segments of the sessions.
    pub(crate) fn segments(
        &self,
        context: &Context,
        store: &LocalStore,
    ) -> Result<Vec<SegmentName>, CommandError> {
        if let Some(session) = &self.session {
            return Ok(vec![choose(store, session)?]);
        }
        let since = self.since(context);
        let here = if self.here { context.project_id().map(|id| id.to_string()) } else { None };
        let is_meant = |row: &SessionRow| {
            row.last_ms.is_some() && (!self.here || (here.is_some() && row.project == here))
        };
        let rows =
            Index::current::<State, _>(store, |index| index.sessions_since(since, usize::MAX))?;
        Ok(rows.into_iter().filter(is_meant).map(|row| row.segment()).collect())
    }
}
