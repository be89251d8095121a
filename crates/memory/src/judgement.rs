//! Decides which candidates become learnings.
//!
//! The form is checked first, and all its problems are reported at once. Then a vague candidate is
//! rejected, and so is one that repeats a known learning. If a candidate claims that a person asked
//! for it, a prompt of the session must show the request. Otherwise the claim doesn't count. The
//! confidence follows from whether the text supports the other criteria. One good candidate is
//! enough for a reflection; if all candidates are rejected, the reflection fails.

mod form;
mod plausibility;
mod request;
mod specificity;

use verger_event::Timestamp;

use crate::candidate::{Reason, Rejected};
use crate::learning::{Learning, Provenance};
use crate::learning_id::LearningId;
use crate::near_duplicate::{NearDuplicates, say_the_same};
use crate::reflection::Offered;
use crate::words::Criterion;
use form::Sound;

/// The result of judging a reflection's candidates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The accepted learnings. If there are none, the reflection failed.
    pub learnings: Vec<Learning>,
    /// The rejected candidates.
    pub rejected: Vec<TurnedAway>,
    /// Remarks on fields that were interpreted differently from how they were written.
    pub remarks: Vec<Remark>,
}

/// A rejected candidate and its position in the reflection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedAway {
    /// The position of the candidate in the reflection, from 1.
    pub candidate: usize,
    /// The record of the rejection, with the reasons.
    pub rejected: Rejected,
}

/// A remark on a field of an accepted candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The position of the candidate in the reflection, from 1.
    pub candidate: usize,
    /// The name of the candidate's field.
    pub field: String,
    /// The text that says how the field was interpreted.
    pub says: String,
}

/// A learning in use, with which candidates are compared.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The id of the learning.
    pub id: &'a LearningId,
    /// The summary of the learning.
    pub summary: &'a str,
}

/// The session in which candidates are judged. Accepted learnings get its provenance.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The provenance for accepted learnings: the session, its ticket and the commit.
    pub provenance: &'a Provenance,
    /// The person's prompts in the session.
    pub prompts: &'a [String],
    /// The time at which the candidates are judged.
    pub now: Timestamp,
}

/// Judges a reflection's candidates against the learnings in use.
pub fn judge(
    offers: Vec<Offered>,
    known: &[Known<'_>],
    origin: Origin<'_>,
    next_id: &mut dyn FnMut() -> LearningId,
) -> Judgement {
    let mut judgement = Judgement::default();
    let mut sound = Vec::new();
    for (index, offered) in offers.into_iter().enumerate() {
        let candidate = index + 1;
        let (summary, tags) = (offered.candidate.summary.clone(), offered.candidate.tags.clone());
        let mut remark = |field: &str, says: String| {
            judgement.remarks.push(Remark { candidate, field: field.to_owned(), says });
        };
        match checked(offered, origin.prompts, &mut remark) {
            Ok(checked) => sound.push((candidate, checked)),
            Err(reasons) => {
                judgement.turn_away(candidate, Rejected::of(&summary, &tags, reasons));
            }
        }
    }
    let known_as = find_known(&sound, known);
    for ((candidate, sound), known_as) in sound.into_iter().zip(known_as) {
        let twin =
            judgement.learnings.iter().find(|kept| say_the_same(&kept.summary, &sound.summary));
        let says = match (known_as, twin) {
            (Some(known), _) => known_already(&known),
            (None, Some(twin)) => {
                format!("says the same as \"{}\" in this reflection: leave one out", twin.summary)
            }
            (None, None) => {
                judgement.remark_on_strangers(candidate, &sound, known);
                judgement.learnings.push(sound.into_learning(next_id(), origin));
                continue;
            }
        };
        let reasons = vec![Reason { field: "summary".to_owned(), says }];
        judgement.turn_away(candidate, Rejected::of(&sound.summary, &sound.tags, reasons));
    }
    judgement
}

/// Checks one candidate: its form, whether it is vague, and whether a claimed request was made.
fn checked(
    offered: Offered,
    prompts: &[String],
    remark: &mut dyn FnMut(&str, String),
) -> Result<Sound, Vec<Reason>> {
    let Offered { candidate, unreadable } = offered;
    let is_vague = specificity::is_vague(&candidate);
    let mut sound = form::check(candidate, unreadable, remark)?;
    let mut reasons = vec![];
    let mut fault = |field: &str, says: &str| {
        reasons.push(Reason { field: field.to_owned(), says: says.to_owned() });
    };
    if is_vague {
        fault("summary", VAGUE);
    }
    let claims_request = sound.criteria.contains(&Criterion::ExplicitRequest);
    if claims_request && !request::is_asked_for(&sound, prompts) {
        sound.criteria.retain(|criterion| *criterion != Criterion::ExplicitRequest);
        if sound.criteria.is_empty() {
            fault("criteria", request::NOT_ASKED);
        } else {
            remark("criteria", request::NOT_ASKED.to_owned());
        }
    }
    if reasons.is_empty() { Ok(sound) } else { Err(reasons) }
}

const VAGUE: &str = "is vague: name a file, a command, an identifier, a value, a tool or the text of an error here or \
    in the detail";

fn find_known<'a>(sound: &[(usize, Sound)], known: &[Known<'a>]) -> Vec<Option<Known<'a>>> {
    let summaries: Vec<_> = sound.iter().map(|(_, sound)| sound.summary.as_str()).collect();
    let mut offered = NearDuplicates::of(&summaries);
    let mut found = vec![None; sound.len()];
    for known in known {
        for index in offered.like(known.summary) {
            if !sound[index].1.supersedes.contains(known.id) {
                found[index].get_or_insert(*known);
            }
        }
    }
    found
}

fn known_already(known: &Known<'_>) -> String {
    let Known { id, summary } = known;
    format!(
        "says the same as {id} (\"{summary}\"): name that learning in `used`, or write what is new, or put \
         {id} in `supersedes` if the new learning replaces it"
    )
}

impl Judgement {
    fn turn_away(&mut self, candidate: usize, rejected: Rejected) {
        self.rejected.push(TurnedAway { candidate, rejected });
        self.rejected.sort_by_key(|turned| turned.candidate);
    }

    fn remark_on_strangers(&mut self, candidate: usize, sound: &Sound, known: &[Known<'_>]) {
        for id in &sound.supersedes {
            if !known.iter().any(|known| known.id == id) {
                let says = format!("{id} is not an active learning here; kept as written");
                self.remarks.push(Remark { candidate, field: "supersedes".to_owned(), says });
            }
        }
    }
}

impl Sound {
    fn into_learning(self, id: LearningId, origin: Origin<'_>) -> Learning {
        let confidence = plausibility::confidence(&self);
        Learning {
            id,
            category: self.category,
            summary: self.summary,
            detail: self.detail,
            scope: self.scope,
            confidence,
            criteria: self.criteria,
            tags: self.tags,
            files: self.files,
            symbols: self.symbols,
            supersedes: self.supersedes,
            created: origin.now,
            provenance: origin.provenance.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
