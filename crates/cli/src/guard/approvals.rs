//! Commands that a person approved: the agent asked for permission, and then the command ran.

use std::collections::HashMap;

use verger_event::{Event, EventId, Record, Triage};

/// The approvals of one session.
#[derive(Debug, Default)]
pub(crate) struct Approvals {
    open: HashMap<EventId, String>,
    approved: Vec<String>,
}

impl Approvals {
    pub(crate) fn add(&mut self, record: &Record) {
        match &record.draft.event {
            Event::PermissionAsked { call, .. } => {
                if let Some(line) = call.shell_line() {
                    self.open.insert(record.draft.id, line.to_owned());
                }
            }
            Event::GuardJudged { on, triage, .. } if *triage != Triage::Unknown => {
                self.open.remove(on);
            }
            Event::ToolSucceeded { call, .. } => {
                let line = call.shell_line();
                let asked = self.open.iter().find(|(_, open)| Some(open.as_str()) == line);
                if let Some(id) = asked.map(|(id, _)| *id) {
                    self.approved.extend(self.open.remove(&id));
                }
            }
            _ => {}
        }
    }

    pub(crate) fn into_lines(self) -> Vec<String> {
        self.approved
    }
}
