//! The moments of a session that a person wants to see: prompts, findings, corrections, and what followed.

use verger_drift::{Level, PromptAction, Reading};
use verger_event::{EventId, Record, Timestamp};

use crate::chronicle::Chronicle;
use crate::line::{Line, Scored};
use crate::position::{Followed, Telling};

/// The story of a session without its steps.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    chronicle: Chronicle,
    moments: Vec<Moment>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The record that tells it.
    pub id: EventId,
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: MomentKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MomentKind {
    /// The person spoke.
    Prompted {
        /// What it does to the tasks.
        action: PromptAction,
        /// The current task from now on.
        task: u64,
    },
    /// The reader program's answer.
    Read(Box<Reading>),
    /// The session was scored.
    Scored {
        /// The score and its reasons.
        scored: Box<Scored>,
        /// The next thing after it, where it asks for a correction.
        followed: Option<Followed>,
    },
    /// The agent was told.
    Corrected {
        /// How strongly, where that is known.
        level: Option<Level>,
        /// The words.
        text: String,
        /// What came after it.
        followed: Option<Followed>,
    },
    /// Paths that broke a limit have their content from the start of the task again.
    Restored {
        /// The paths.
        paths: Vec<String>,
    },
    /// An action that broke a limit three times was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// It was denied as often as allowed, and ran.
    Released {
        /// The call.
        what: String,
    },
    /// A task ended.
    Ended {
        /// Which.
        task: u64,
        /// What became of it: `complete`, `partial` or `abandoned`.
        ending: String,
    },
    /// What the agent must not lose was written down.
    HandedOver {
        /// What was about to cut its memory.
        trigger: String,
    },
    /// The session ended; it may go on later.
    SessionEnded,
}

impl Timeline {
    /// Takes one record into account.
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

    /// The first thing that comes after a finding or a correction is what followed it.
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

    /// The pending correction was told.
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

    /// The session as it stands at the end.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// In order.
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }
}

#[cfg(test)]
mod tests;
