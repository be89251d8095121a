//! The fold of all lines: for each session and learning the strongest evidence of use, and for each
//! learning the totals.

use std::collections::{BTreeMap, HashMap};

use verger_event::{Reference, Timestamp};

use super::line::{StatsEvent, StatsLine};
use super::usage::Usage;
use crate::learning_id::LearningId;
use crate::status::{Status, StatusChange, StatusMove, status_of};

/// The fold of the lines read so far, in any order and with any repetitions.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    learnings: BTreeMap<LearningId, History>,
}

#[derive(Debug, Clone, Default)]
struct History {
    /// The events about a learning, by session. Each line without a session counts as a session of
    /// its own.
    contacts: HashMap<String, Contact>,
    changes: Vec<StatusChange>,
}

/// The events of one session about a learning.
#[derive(Debug, Clone, Copy, Default)]
struct Contact {
    surfaced: Option<Timestamp>,
    referenced: Option<(Sureness, Timestamp)>,
    was_dismissed: bool,
    was_corrected: bool,
}

/// The evidence by which a use was detected. A greater value is stronger evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sureness {
    Implicit,
    Reflection,
    Explicit,
}

impl Tally {
    /// Creates the fold of these statistics lines.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a StatsLine>) -> Self {
        let mut tally = Self::default();
        lines.into_iter().for_each(|line| tally.add(line));
        tally
    }

    /// Adds a line to the fold.
    pub fn add(&mut self, line: &StatsLine) {
        let Some(learning) = line.event.learning() else { return };
        if !self.learnings.contains_key(learning) {
            self.learnings.insert(learning.clone(), History::default());
        }
        let Some(history) = self.learnings.get_mut(learning) else { return };
        let contact = || {
            let session = line.session.as_ref();
            session.map_or_else(|| line.id.to_string(), |session| ["s ", session.as_str()].concat())
        };
        match &line.event {
            StatsEvent::Surfaced { .. } => {
                let contact = history.contacts.entry(contact()).or_default();
                contact.surfaced = contact.surfaced.max(Some(line.at));
            }
            StatsEvent::Referenced { how, .. } => {
                let contact = history.contacts.entry(contact()).or_default();
                contact.refer(Sureness::of(*how), line.at);
            }
            StatsEvent::Dismissed { .. } => {
                history.contacts.entry(contact()).or_default().was_dismissed = true;
            }
            StatsEvent::Corrected { .. } => {
                history.contacts.entry(contact()).or_default().was_corrected = true;
            }
            StatsEvent::Superseded { by, .. } => {
                history.change(line, StatusMove::Superseded { by: by.clone() });
            }
            StatsEvent::Archived { .. } => history.change(line, StatusMove::Archived),
            StatsEvent::Restored { .. } => history.change(line, StatusMove::Restored),
            StatsEvent::Reflection { .. }
            | StatsEvent::Rejected { .. }
            | StatsEvent::Skip { .. } => (),
        }
    }

    /// The usage of a learning, from all lines so far.
    pub fn usage(&self, learning: &LearningId) -> Usage {
        self.learnings.get(learning).map(History::usage).unwrap_or_default()
    }

    /// The status of a learning, from all lines so far.
    pub fn status(&self, learning: &LearningId) -> Status {
        self.learnings.get(learning).map_or(Status::Active, |history| status_of(&history.changes))
    }

    /// Every learning that occurs in a line, with its usage so far.
    pub fn usages(&self) -> impl Iterator<Item = (&LearningId, Usage)> {
        self.learnings.iter().map(|(learning, history)| (learning, history.usage()))
    }
}

impl History {
    fn change(&mut self, line: &StatsLine, moved: StatusMove) {
        let Some(learning) = line.event.learning().cloned() else { return };
        self.changes.push(StatusChange { learning, at: line.at, moved });
    }

    fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for contact in self.contacts.values() {
            usage.surfaced += u32::from(contact.surfaced.is_some());
            usage.last_surfaced = usage.last_surfaced.max(contact.surfaced);
            if let Some((sureness, at)) = contact.referenced {
                usage.count(sureness.how());
                usage.last_referenced = usage.last_referenced.max(Some(at));
            }
            usage.dismissed += u32::from(contact.was_dismissed);
            usage.corrected += u32::from(contact.was_corrected);
        }
        for change in &self.changes {
            let latest = match change.moved {
                StatusMove::Archived => &mut usage.archived,
                StatusMove::Restored => &mut usage.restored,
                StatusMove::Superseded { .. } => &mut usage.superseded,
            };
            *latest = (*latest).max(Some(change.at));
        }
        usage
    }
}

impl Contact {
    fn refer(&mut self, sureness: Sureness, at: Timestamp) {
        let (surest, latest) = self.referenced.unwrap_or((sureness, at));
        self.referenced = Some((surest.max(sureness), latest.max(at)));
    }
}

impl Sureness {
    const fn of(how: Reference) -> Self {
        match how {
            Reference::Explicit => Self::Explicit,
            Reference::Reflection => Self::Reflection,
            Reference::Implicit => Self::Implicit,
        }
    }

    const fn how(self) -> Reference {
        match self {
            Self::Explicit => Reference::Explicit,
            Self::Reflection => Reference::Reflection,
            Self::Implicit => Reference::Implicit,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_line_of_one, in_session, moment};
    use super::*;

    #[test]
    fn a_session_counts_once_and_the_surest_sign_of_a_use_counts() {
        let learning = || "learn-a".parse().unwrap();
        let surfaced = || StatsEvent::Surfaced { learning: learning(), score: None };
        let by = |how| StatsEvent::Referenced { learning: learning(), how };
        let lines = [
            in_session("one", 1, surfaced()),
            in_session("one", 2, surfaced()),
            in_session("one", 3, by(Reference::Explicit)),
            in_session("one", 4, by(Reference::Implicit)),
            in_session("two", 5, surfaced()),
            in_session("two", 6, StatsEvent::Dismissed { learning: learning() }),
            in_session("three", 7, by(Reference::Reflection)),
        ];
        let usage = Tally::of(&lines).usage(&learning());
        let expected = Usage {
            surfaced: 2,
            explicit: 1,
            reflection: 1,
            dismissed: 1,
            last_surfaced: Some(moment(5)),
            last_referenced: Some(moment(7)),
            ..Usage::default()
        };
        assert_eq!(usage, expected);
        assert_eq!(usage.referenced(), 2);
        assert_eq!(Tally::default().usage(&learning()), Usage::default());
    }

    proptest! {
        #[test]
        fn order_and_repetition_change_nothing(
            lines in proptest::collection::vec(any_line_of_one(), 0..12),
            again in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let learning = "learn-a".parse().unwrap();
            let tally = Tally::of(&lines);
            let repeated = again.iter().filter(|_| !lines.is_empty()).map(|at| at.get(&lines));
            let merged = Tally::of(repeated.chain(lines.iter().rev()));
            prop_assert_eq!(merged.usage(&learning), tally.usage(&learning));
            prop_assert_eq!(merged.status(&learning), tally.status(&learning));
        }

        #[test]
        fn usage_and_status_agree(lines in proptest::collection::vec(any_line_of_one(), 0..12)) {
            let learning = "learn-a".parse().unwrap();
            let tally = Tally::of(&lines);
            let usage = tally.usage(&learning);
            let word = match (usage.superseded, usage.is_archived()) {
                (Some(_), _) => "superseded",
                (None, true) => "archived",
                (None, false) => "active",
            };
            prop_assert_eq!(tally.status(&learning).as_str(), word);
            prop_assert_eq!(usage.is_active(), word == "active");
        }

        #[test]
        fn lines_of_different_sessions_can_be_folded_apart(
            mut lines in proptest::collection::vec(any_line_of_one(), 0..12),
            cut in 0usize..12,
        ) {
            for (number, line) in lines.iter_mut().enumerate() {
                line.session = Some(verger_event::SessionId::new(number.to_string()));
            }
            let learning = "learn-a".parse().unwrap();
            let (before, after) = lines.split_at(cut.min(lines.len()));
            let sum = Tally::of(before).usage(&learning).with(Tally::of(after).usage(&learning));
            prop_assert_eq!(sum, Tally::of(&lines).usage(&learning));
        }
    }
}
