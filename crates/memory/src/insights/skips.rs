//! Skipped reflections, indexed by ticket and file to compare them with later learnings.

use std::collections::HashMap;

use verger_event::Timestamp;

use crate::learning::Learning;
use crate::stats::{StatsEvent, StatsLine};
use crate::words::SkippedBy;

/// A later learning about the same files is compared with a skip for 30 days.
const SKIP_MILLIS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Reflections that were skipped, by tickets and by files.
#[derive(Default)]
pub(super) struct Skips<'a> {
    of_tickets: HashMap<&'a str, Vec<(Timestamp, SkippedBy)>>,
    of_files: HashMap<&'a str, Vec<(Timestamp, SkippedBy)>>,
}

impl<'a> Skips<'a> {
    pub(super) fn of(lines: &'a [StatsLine]) -> Self {
        let mut skips = Self::default();
        for line in lines {
            let StatsEvent::Skip { by, files, .. } = &line.event else { continue };
            for ticket in &line.tickets {
                skips.of_tickets.entry(ticket).or_default().push((line.at, *by));
            }
            for file in files {
                skips.of_files.entry(file).or_default().push((line.at, *by));
            }
        }
        skips
    }

    /// Returns the agents, persons or rules that skipped reflections on work that this later
    /// learning is about.
    pub(super) fn missing(&self, learning: &Learning) -> Vec<SkippedBy> {
        let made = learning.created;
        let tickets = learning.provenance.ticket.iter();
        let of_tickets =
            tickets.filter_map(|ticket| self.of_tickets.get(ticket.as_str())).flatten();
        let files = learning.files.iter();
        let of_files = files.filter_map(|file| self.of_files.get(file.as_str())).flatten();
        let is_recent = |skip: &&(Timestamp, _)| made.millis_since(skip.0) <= SKIP_MILLIS;
        let all = of_tickets.chain(of_files.filter(is_recent));
        all.filter(|(at, _)| *at < made).map(|(_, by)| *by).collect()
    }
}
