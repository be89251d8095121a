//! The way back to the course: what is said, when it is said again more strongly, and when it is over.
//!
//! A score below 5 makes an agent wait for its recovery: its next steps are compared with the first
//! step of the way back. One that goes there ends it. Three that do not make it forced: from then on
//! only a score of 5 or more, or a person, ends it. What was found is said once; said more strongly, it
//! is something else. After a person spoke, or when all was well in between, what holds an agent back is said anew before it does.

use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::score::Score;

/// Steps that do not go back before the recovery is forced.
pub const MAX_FAILURES: u8 = 3;

/// So many findings are said in one session: what was said has to be remembered by every call, and whoever was told
/// so often is not helped by being told more.
const MAX_SAID: usize = 24;

/// What was found to be off course, by a name that is the same whenever it is found.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FindingKey(pub String);

/// What is to be said to the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// How strongly.
    pub level: Level,
    /// About what.
    pub finding: FindingKey,
    /// What else is said with it for the first time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FindingKey>,
    /// Steps that did not go back so far.
    pub failures: u8,
}

/// Where an agent stands on its way back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is on course, or near enough.
    #[default]
    Normal,
    /// It is to go back.
    Waiting {
        /// Why.
        finding: FindingKey,
        /// What it was told last.
        level: Level,
        /// Steps that did not go back.
        failures: u8,
    },
    /// It did not go back, three times.
    Forced {
        /// Why.
        finding: FindingKey,
    },
}

/// Corrections of one session, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recovery {
    phase: Phase,
    /// What waits for an event that can carry it.
    pending: Option<Correction>,
    /// What was said, and how strongly.
    said: Vec<(FindingKey, Level)>,
    /// So many of these were said before the agent was held back as often as may be: they hold it no more, until a person speaks or
    /// all is well.
    #[serde(default, skip_serializing_if = "crate::bounded::is_default")]
    released: usize,
}

/// Whether a step goes back to the course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alignment {
    /// It is what the way back begins with.
    Aligned,
    /// It goes on elsewhere.
    Astray,
    /// It says nothing: something was only looked at.
    #[default]
    Neutral,
}

impl Alignment {
    /// Of two parts of one step: one that leads astray does, whatever the other does.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Astray, _) | (_, Self::Astray) => Self::Astray,
            (Self::Aligned, _) | (_, Self::Aligned) => Self::Aligned,
            (Self::Neutral, Self::Neutral) => Self::Neutral,
        }
    }
}

impl Recovery {
    /// Where the agent stands.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Whether the agent was told of all of this.
    pub fn has_said(&self, findings: &[FindingKey]) -> bool {
        let is_said = |finding: &FindingKey| self.said.iter().any(|(said, _)| said == finding);
        !findings.is_empty() && findings.iter().all(is_said)
    }

    /// What waits for an event that can carry it.
    pub fn pending(&self) -> Option<&Correction> {
        self.pending.as_ref()
    }

    /// The agent's course was scored; `findings` is what was found, the worst first.
    pub fn scored(&mut self, score: Score, findings: &[FindingKey]) {
        if !score.is_off_course() {
            self.phase = Phase::Normal;
            self.pending = None;
        }
        let Some(level) = score.level() else {
            self.pending = None;
            self.begin_anew();
            return;
        };
        if self.phase == Phase::Normal {
            // Who is held to nothing is told what the course is worth now.
            self.pending = None;
        }
        self.prepare(level, findings, 0);
        self.look_again(findings);
        // Nobody is held to what they were not told.
        let Some(finding) = self.holding(findings).cloned() else { return };
        let is_told = self.pending.is_some() || self.said.iter().any(|(said, _)| *said == finding);
        if score.is_off_course() && self.phase == Phase::Normal && is_told {
            self.phase = Phase::Waiting { finding, level, failures: 0 };
        }
    }

    /// The agent did something; `findings` is what is found by now, where that is known.
    pub fn stepped(&mut self, alignment: Alignment, findings: &[FindingKey]) {
        self.look_again(findings);
        let Phase::Waiting { finding, level, failures } = &mut self.phase else { return };
        match alignment {
            Alignment::Neutral => {}
            Alignment::Aligned => {
                self.phase = Phase::Normal;
                self.pending = None;
            }
            Alignment::Astray => {
                *failures += 1;
                *level = Level::Halt;
                let (finding, failures) = (finding.clone(), *failures);
                if failures >= MAX_FAILURES {
                    self.phase = Phase::Forced { finding: finding.clone() };
                }
                let findings = if findings.is_empty() { &[finding] } else { findings };
                self.prepare(Level::Halt, findings, failures);
            }
        }
    }

    /// An agent goes back from what is found by now.
    fn look_again(&mut self, findings: &[FindingKey]) {
        let holding = self.holding(findings).cloned();
        let Phase::Waiting { finding, .. } = &mut self.phase else { return };
        if findings.is_empty() || findings.contains(finding) {
            return;
        }
        match holding {
            Some(worst) => *finding = worst,
            None => self.end(),
        }
    }

    /// The worst of what is found that an agent may be held to.
    fn holding<'a>(&self, findings: &'a [FindingKey]) -> Option<&'a FindingKey> {
        let released = &self.said[..self.released.min(self.said.len())];
        findings.iter().find(|finding| !released.iter().any(|(said, _)| said == *finding))
    }

    /// A person says something: what was found before is theirs to judge. An agent that leaves the course after that
    /// goes against these words, and is told so.
    pub fn prompted(&mut self) {
        self.end();
        self.begin_anew();
    }

    /// What was over and is done once more is another finding. What was only beside the way need not be said again.
    fn begin_anew(&mut self) {
        self.released = 0;
        for (_, level) in &mut self.said {
            *level = (*level).min(Level::Correct);
        }
    }

    /// The agent was held back as often as may be: it is not held to the same once more.
    pub fn let_go(&mut self) {
        self.end();
        self.released = self.said.len();
    }

    fn end(&mut self) {
        self.phase = Phase::Normal;
        self.pending = None;
    }

    /// What is to be said now, where something can carry it. It is said once.
    pub fn deliver(&mut self) -> Option<Correction> {
        let correction = self.pending.take()?;
        for finding in [&correction.finding].into_iter().chain(&correction.also) {
            let before = self.said.iter_mut().find(|(said, _)| said == finding);
            match before {
                Some((_, level)) => *level = correction.level,
                None => self.said.push((finding.clone(), correction.level)),
            }
        }
        Some(correction)
    }

    /// What was not said so strongly is. What waits to be said more strongly is said so with what comes to it.
    fn prepare(&mut self, level: Level, findings: &[FindingKey], failures: u8) {
        let mut room = MAX_SAID.saturating_sub(self.said.len());
        let mut new = vec![];
        for finding in findings {
            match self.said.iter().find(|(said, _)| said == finding) {
                Some((_, said)) if level > *said => new.push(finding.clone()),
                None if room > 0 => {
                    room -= 1;
                    new.push(finding.clone());
                }
                _ => {}
            }
        }
        // What is not found any more is not said any more.
        self.pending.take_if(|pending| !findings.contains(&pending.finding));
        if let Some(pending) = &mut self.pending
            && pending.level > level
        {
            pending.also = new;
            pending.also.retain(|finding| *finding != pending.finding);
            return;
        }
        let mut new = new.into_iter();
        if let Some(finding) = new.next() {
            self.pending = Some(Correction { level, finding, also: new.collect(), failures });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> FindingKey {
        FindingKey(name.to_owned())
    }

    fn said(recovery: &mut Recovery) -> Option<(Level, u8)> {
        recovery.deliver().map(|correction| (correction.level, correction.failures))
    }

    #[test]
    fn what_is_near_the_course_is_said_once() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(9), &[key("a")]);
        assert_eq!(said(&mut recovery), None);
        recovery.scored(Score::new(7), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Nudge, 0)));
        recovery.scored(Score::new(7), &[key("a")]);
        assert_eq!(said(&mut recovery), None);
        recovery.scored(Score::new(6), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Correct, 0)));
        recovery.scored(Score::new(6), &[key("b")]);
        assert_eq!(said(&mut recovery), Some((Level::Correct, 0)));
        assert_eq!(recovery.phase(), &Phase::Normal);
    }

    #[test]
    fn a_step_that_goes_back_ends_it() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(4), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
        recovery.stepped(Alignment::Neutral, &[]);
        let waiting = Phase::Waiting { finding: key("a"), level: Level::Intervene, failures: 0 };
        assert_eq!(recovery.phase(), &waiting);
        recovery.stepped(Alignment::Aligned, &[]);
        assert_eq!((said(&mut recovery), recovery.phase()), (None, &Phase::Normal));
    }

    #[test]
    fn steps_that_do_not_go_back_make_it_stronger_and_then_forced() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(3), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
        recovery.stepped(Alignment::Astray, &[]);
        assert_eq!(said(&mut recovery), Some((Level::Halt, 1)));
        recovery.stepped(Alignment::Astray, &[]);
        assert_eq!(said(&mut recovery), None, "it was said as strongly as can be");
        recovery.stepped(Alignment::Astray, &[]);
        assert_eq!(recovery.phase(), &Phase::Forced { finding: key("a") });
        recovery.stepped(Alignment::Aligned, &[]);
        assert_eq!(recovery.phase(), &Phase::Forced { finding: key("a") });
        recovery.scored(Score::new(5), &[key("a")]);
        assert_eq!((said(&mut recovery), recovery.phase()), (None, &Phase::Normal));
    }

    #[test]
    fn what_was_not_said_in_time_is_not_said_after_the_recovery() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(6), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Correct, 0)));
        recovery.scored(Score::new(3), &[key("a")]);
        recovery.scored(Score::new(6), &[key("a")]);
        assert_eq!((said(&mut recovery), recovery.phase()), (None, &Phase::Normal));
    }

    #[test]
    fn what_was_said_is_never_forgotten() {
        let mut recovery = Recovery::default();
        let mut told = |finding: usize| {
            recovery.scored(Score::new(7), &[key(&finding.to_string())]);
            recovery.deliver().is_some()
        };
        let first: Vec<bool> = (0..MAX_SAID + 2).map(&mut told).collect();
        let again: Vec<bool> = (0..MAX_SAID + 2).map(&mut told).collect();
        let expected: Vec<bool> = (0..MAX_SAID + 2).map(|finding| finding < MAX_SAID).collect();
        assert_eq!((first, again), (expected, vec![false; MAX_SAID + 2]));
    }

    #[test]
    fn a_person_ends_it() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(1), &[key("a")]);
        recovery.prompted();
        assert_eq!((said(&mut recovery), recovery.phase()), (None, &Phase::Normal));
    }

    #[test]
    fn what_was_over_and_is_done_again_is_said_anew() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(4), &[key("forbidden")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
        recovery.stepped(Alignment::Aligned, &[]);
        recovery.scored(Score::new(4), &[key("forbidden")]);
        assert_eq!(said(&mut recovery), None, "it was not over");
        recovery.scored(Score::new(10), &[]);
        recovery.scored(Score::new(4), &[key("forbidden")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
    }

    #[test]
    fn what_is_done_against_a_persons_next_words_is_said_anew() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(6), &[key("beside")]);
        assert_eq!(said(&mut recovery), Some((Level::Correct, 0)));
        recovery.scored(Score::new(4), &[key("forbidden")]);
        recovery.stepped(Alignment::Astray, &[]);
        assert_eq!(said(&mut recovery), Some((Level::Halt, 1)));
        recovery.prompted();
        recovery.scored(Score::new(6), &[key("beside")]);
        assert_eq!(said(&mut recovery), None);
        recovery.scored(Score::new(4), &[key("forbidden")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
        recovery.scored(Score::new(4), &[key("forbidden")]);
        assert_eq!(said(&mut recovery), None);
    }

    #[test]
    fn what_comes_to_a_finding_is_named_once_and_as_strongly_as_that() {
        let named = |recovery: &mut Recovery| {
            recovery.deliver().map(|it| (it.level, [vec![it.finding], it.also].concat()))
        };
        let (first, both) = ([key("a")], [key("a"), key("b")]);
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(4), &first);
        assert_eq!(named(&mut recovery), Some((Level::Intervene, first.to_vec())));
        recovery.stepped(Alignment::Astray, &both);
        assert_eq!(named(&mut recovery), Some((Level::Halt, both.to_vec())));
        recovery.scored(Score::new(3), &both);
        assert_eq!(named(&mut recovery), None, "both were named");
        recovery.scored(Score::new(3), &both[1..]);
        assert_eq!(named(&mut recovery), None, "so was the one that is left");
        recovery.stepped(Alignment::Astray, &[key("b"), key("c")]);
        assert_eq!(named(&mut recovery), Some((Level::Halt, vec![key("c")])));
    }

    #[test]
    fn what_waits_to_be_said_more_strongly_takes_along_what_is_found_with_it() {
        let mut recovery = Recovery::default();
        recovery.scored(Score::new(4), &[key("a")]);
        assert_eq!(said(&mut recovery), Some((Level::Intervene, 0)));
        recovery.stepped(Alignment::Astray, &[]);
        recovery.scored(Score::new(3), &[key("a"), key("b")]);
        let expected =
            Correction { level: Level::Halt, finding: key("a"), also: vec![key("b")], failures: 1 };
        assert_eq!(recovery.deliver(), Some(expected));
    }
}
