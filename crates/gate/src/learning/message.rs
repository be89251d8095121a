//! Builds the learning gate's messages to the agent and to the person.
//!
//! The texts are the files in `templates/learning`.

use verger_event::tamed;

use super::change::ReleasedBy;
use super::offers::{Offer, OfferKind};
use super::policy::SkipIs;
use super::step::{Ask, Hold};
use super::want::Want;
use crate::template::fill;

macro_rules! templates {
    ($($name:ident = $file:literal;)*) => {
        $(const $name: &str = include_str!(concat!("../../templates/learning/", $file));)*
    };
}

templates! {
    AGAIN = "again.md";
    BLOCK = "block.md";
    NOTICE_HELD = "notice-held.md";
    NOTICE_PASSED = "notice-passed.md";
    OFFERS = "offers.md";
    REFUSAL = "refusal.md";
    SKIP_AGENTS = "skip-agents.md";
    SKIP_PERSONS = "skip-persons.md";
    SKIP_SMALL = "skip-small.md";
    START = "start.md";
}

/// The maximum number of offers in a message. The newest offers are shown.
const MAX_SHOWN_OFFERS: usize = 10;

/// The position of this gate's text in a message that combines the texts of several gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The gate's text comes first.
    First,
    /// Another gate's text comes before it.
    AfterOthers,
}

/// The values for the commands that a message names to the agent.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The session's id, as it is written in commands.
    pub session_id: &'a str,
    /// Whether agents may skip a reflection, or only people.
    pub skip: SkipIs,
    /// A short example of a reflection that the gate accepts.
    pub example: &'a str,
}

/// The message to the main agent about a refused stop. From the second refusal in a row on, the
/// text is one line.
pub fn refuse_stop(hold: &Hold, place: Place, offers: &[&Offer], asked: &Asked<'_>) -> String {
    let Asked { session_id, skip, example } = *asked;
    let lead = match place {
        Place::First => "do not stop yet",
        Place::AfterOthers => "before you stop, do this too",
    };
    if hold.number > 1 {
        let lead = match place {
            Place::First => "verger: still blocked",
            Place::AfterOthers => "verger: before you stop, do this too",
        };
        return refuse_again(lead, hold, asked);
    }
    let skip = match (skip, hold.ask) {
        (SkipIs::Persons, _) => fill(SKIP_PERSONS, &[]),
        (SkipIs::Agents, Ask::Reflect) => fill(SKIP_AGENTS, &[("session_id", session_id)]),
        (SkipIs::Agents, Ask::ReflectOrSkip { changed }) => {
            let changed = changed.to_string();
            fill(SKIP_SMALL, &[("changed", &changed), ("session_id", session_id)])
        }
    };
    let refusal = hold.want.refusal.as_deref().map(|why| fill(REFUSAL, &[("why", &tamed(why))]));
    let more = [skip, refusal.unwrap_or_default(), offers_text(offers)];
    let more: Vec<_> = more.into_iter().filter(|part| !part.is_empty()).collect();
    fill(
        BLOCK,
        &[
            ("lead", lead),
            ("why", &tamed(&hold.want.words())),
            ("session_id", session_id),
            ("example", example),
            ("more", &more.join("\n")),
        ],
    )
}

fn refuse_again(lead: &str, hold: &Hold, asked: &Asked<'_>) -> String {
    let Asked { session_id, skip, .. } = *asked;
    let refusal = hold.want.refusal.as_deref();
    let refusal = refusal.map(|why| format!(" (the last reflection was rejected: {})", tamed(why)));
    let skip = match skip {
        SkipIs::Agents => format!(
            "; if there is nothing to write down: `verger skip --gate learning --session {session_id} --reason \"why\"`"
        ),
        SkipIs::Persons => String::new(),
    };
    fill(
        AGAIN,
        &[
            ("lead", lead),
            ("why", &tamed(&hold.want.words())),
            ("refusal", &refusal.unwrap_or_default()),
            ("session_id", session_id),
            ("skip", &skip),
        ],
    )
}

fn offers_text(offers: &[&Offer]) -> String {
    if offers.is_empty() {
        return String::new();
    }
    let shown = &offers[offers.len().saturating_sub(MAX_SHOWN_OFFERS)..];
    let line = |Offer { kind, by, text }: &&Offer| {
        let kind = match kind {
            OfferKind::Note => "note",
            OfferKind::Finding => "found by a reviewer",
            OfferKind::Report => "reported",
        };
        match by {
            Some(by) => format!("- {kind} by {by}: {text}"),
            None => format!("- {kind}: {text}"),
        }
    };
    let lines: Vec<_> = shown.iter().map(line).collect();
    fill(OFFERS, &[("offers", &lines.join("\n"))])
}

/// The message about a missing reflection to an agent that begins to work in the session.
pub fn owed(want: &Want, asked: &Asked<'_>) -> String {
    let Asked { session_id, skip, example } = *asked;
    let skip = match skip {
        SkipIs::Agents => fill(SKIP_AGENTS, &[("session_id", session_id)]),
        SkipIs::Persons => fill(SKIP_PERSONS, &[]),
    };
    fill(
        START,
        &[
            ("why", &tamed(&want.words())),
            ("session_id", session_id),
            ("example", example),
            ("skip", &skip),
        ],
    )
}

/// The person's notice that a stop was refused.
pub fn notice_held(hold: &Hold, max_blocks: u32, session_id: &str) -> String {
    fill(
        NOTICE_HELD,
        &[
            ("why", &tamed(&hold.want.words())),
            ("number", &hold.number.to_string()),
            ("max", &max_blocks.to_string()),
            ("session_id", session_id),
        ],
    )
}

/// The person's notice that the agent stopped without a reflection.
pub fn notice_passed(want: &Want, by: ReleasedBy, session_id: &str) -> String {
    let why = match by {
        ReleasedBy::Breaker => "the gate released it after several refusals without progress",
        ReleasedBy::Limit => "too many stops in a row had been refused",
    };
    let want = tamed(&want.words());
    fill(NOTICE_PASSED, &[("want", &want), ("why", why), ("session_id", session_id)])
}
