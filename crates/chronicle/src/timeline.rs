//! The timeline: the moments of a session that people look at, such as prompts, findings and
//! corrections.

use verger_drift::{Level, PromptAction, Reading};
use verger_event::{EventId, Record, Timestamp};

use crate::chronicle::Chronicle;
use crate::line::{Line, Scored};
use crate::position::{Followed, Telling};

/// The moments of a session. Steps are left out.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    chronicle: Chronicle,
    moments: Vec<Moment>,
}

/// A moment of a session, such as a prompt or a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The id of the record that made the moment.
    pub id: EventId,
    /// The time of the moment.
    pub at: Timestamp,
    /// The kind of the moment.
    pub what: MomentKind,
}

/// The kinds of moments in a session's timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MomentKind {
    /// The person sent a prompt.
    Prompted {
        /// The effect of the prompt on the tasks.
        action: PromptAction,
        /// The current task after the prompt.
        task: u64,
    },
    /// The reader program's interpretation of the prompt.
    Read(Box<Reading>),
    /// The session was scored.
    Scored {
        /// The score and its reasons.
        scored: Box<Scored>,
        /// The event that followed the score, if the score requires a correction.
        followed: Option<Followed>,
    },
    /// A correction was given to the agent.
    Corrected {
        /// The level of the correction, if known.
        level: Option<Level>,
        /// The text of the correction.
        text: String,
        /// The event that followed the correction.
        followed: Option<Followed>,
    },
    /// Paths that broke a limit were restored to their content at the task's start.
    Restored {
        /// The paths that were restored.
        paths: Vec<String>,
    },
    /// An action that broke a limit three times was denied.
    Denied {
        /// A text that describes the denied tool call.
        what: String,
    },
    /// An action that breaks a limit was allowed, because it had been denied the maximum number of
    /// times.
    Released {
        /// A text that describes the tool call.
        what: String,
    },
    /// A task ended.
    Ended {
        /// The number of the ended task in its session.
        task: u64,
        /// The status in the task's record: `complete`, `partial`, `abandoned` or `unverified`.
        ending: String,
    },
    /// A handoff was written. It has the facts that the agent needs after its conversation is
    /// compacted or its session has ended.
    HandedOver {
        /// The reason for writing the handoff.
        trigger: String,
    },
    /// The session ended. The agent may resume it later.
    SessionEnded,
}

impl Timeline {
    /// Applies a record, which may add a moment.
    pub fn take(&mut self, record: &Record) {
        let (id, at) = (record.draft.id, record.draft.at);
        for line in self.chronicle.take(record) {
            let what = match line {
                Line::Prompted { action, task } => {
                    self.follow(Followed::PersonSpoke);
                    MomentKind::Prompted { action, task }
                }
                Line::Read(reading) => MomentKind::Read(reading),
                Line::Scored(scored) => {
                    self.follow(Followed::ScoredAgain { score: scored.score });
                    MomentKind::Scored { scored, followed: None }
                }
                Line::Corrected(given) => {
                    self.told();
                    MomentKind::Corrected { level: given.level, text: given.text, followed: None }
                }
                Line::Restored { paths } => {
                    self.follow(Followed::Restored);
                    MomentKind::Restored { paths }
                }
                Line::Denied { what } => {
                    self.follow(Followed::Denied);
                    MomentKind::Denied { what }
                }
                Line::Released { what } => MomentKind::Released { what },
                Line::Recorded { task, ending, .. } => MomentKind::Ended { task, ending },
                Line::HandedOver { trigger, .. } => MomentKind::HandedOver { trigger },
                Line::Left { but: None } => MomentKind::SessionEnded,
                Line::Task(_) | Line::Left { but: Some(_) } | Line::Step(_) => continue,
            };
            self.moments.push(Moment { id, at, what });
        }
    }

    /// Notes an event as the one that followed the last finding or correction, unless that has one
    /// already.
    fn follow(&mut self, by: Followed) {
        for moment in self.moments.iter_mut().rev() {
            match &mut moment.what {
                MomentKind::Corrected { followed: followed @ None, .. } => *followed = Some(by),
                MomentKind::Scored { scored, followed: followed @ None } => {
                    if scored.level.is_some() {
                        *followed = Some(by);
                    }
                    if scored.telling == Telling::Waits {
                        scored.telling = Telling::Missed;
                    }
                    return;
                }
                MomentKind::Scored { .. }
                | MomentKind::Corrected { .. }
                | MomentKind::Prompted { .. } => return,
                MomentKind::Read(_)
                | MomentKind::Restored { .. }
                | MomentKind::Denied { .. }
                | MomentKind::Released { .. }
                | MomentKind::Ended { .. }
                | MomentKind::HandedOver { .. }
                | MomentKind::SessionEnded => {}
            }
        }
    }

    /// Marks the pending correction as given to the agent.
    fn told(&mut self) {
        let scored = self.moments.iter_mut().rev().find_map(|moment| match &mut moment.what {
            MomentKind::Scored { scored, .. } => Some(scored),
            _ => None,
        });
        if let Some(scored) = scored
            && scored.telling == Telling::Waits
        {
            scored.telling = Telling::Told;
        }
    }

    /// The chronicle after all records so far.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// The moments so far, in order.
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }
}

#[cfg(test)]
mod tests;
