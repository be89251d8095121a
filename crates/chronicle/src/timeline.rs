//! The moments of a session that somebody wants to see: what was asked for, what was found, what the agent
//! was told, and what followed.

use verger_drift::recovery::Alignment;
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
    pub what: Told,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// A person said something.
    Prompted {
        /// What it does to the tasks.
        action: PromptAction,
        /// The task that is worked on from now on.
        task: u64,
    },
    /// A program read more out of it.
    Read(Box<Reading>),
    /// The course was scored.
    Scored {
        /// What was found.
        scored: Box<Scored>,
        /// What came after it, where it asks for a correction and something came.
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
    /// A change was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// A change was let go.
    LetGo {
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
                    Told::Prompted { action, task }
                }
                Line::Read(reading) => Told::Read(reading),
                Line::Scored(scored) => {
                    self.follow(Followed::ScoredAgain { score: scored.score });
                    Told::Scored { scored, followed: None }
                }
                Line::Corrected(given) => {
                    self.said();
                    Told::Corrected { level: given.level, text: given.text, followed: None }
                }
                Line::Turned(Alignment::Aligned) => {
                    self.follow(Followed::WentBack);
                    continue;
                }
                Line::Turned(Alignment::Astray) => {
                    self.follow(Followed::WentOn);
                    continue;
                }
                Line::Denied { what } => {
                    self.follow(Followed::WentOn);
                    Told::Denied { what }
                }
                Line::LetGo { what } => Told::LetGo { what },
                Line::Recorded { task, ending, .. } => Told::Ended { task, ending },
                Line::HandedOver { trigger, .. } => Told::HandedOver { trigger },
                Line::Left { but: None } => Told::SessionEnded,
                Line::Turned(Alignment::Neutral)
                | Line::Task(_)
                | Line::Left { but: Some(_) }
                | Line::Step(_) => continue,
            };
            self.moments.push(Moment { id, at, what });
        }
    }

    /// The first thing that comes after a finding or a correction is what followed it.
    fn follow(&mut self, by: Followed) {
        for moment in self.moments.iter_mut().rev() {
            match &mut moment.what {
                Told::Corrected { followed: followed @ None, .. } => *followed = Some(by),
                Told::Scored { scored, followed: followed @ None } => {
                    if scored.level.is_some() {
                        *followed = Some(by);
                    }
                    if scored.telling == Telling::Waits {
                        scored.telling = Telling::Missed;
                    }
                    return;
                }
                Told::Scored { .. } | Told::Corrected { .. } | Told::Prompted { .. } => return,
                Told::Read(_)
                | Told::Denied { .. }
                | Told::LetGo { .. }
                | Told::Ended { .. }
                | Told::HandedOver { .. }
                | Told::SessionEnded => {}
            }
        }
    }

    /// What waited to be said was said.
    fn said(&mut self) {
        let scored = self.moments.iter_mut().rev().find_map(|moment| match &mut moment.what {
            Told::Scored { scored, .. } => Some(scored),
            _ => None,
        });
        if let Some(scored) = scored
            && scored.telling == Telling::Waits
        {
            scored.telling = Telling::Said;
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
