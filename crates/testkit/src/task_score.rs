//! How the tasks of labelled sessions are told apart.

use serde::Deserialize;
use verger_drift::{PromptAction, ReplyAction, Tasks};

use crate::batch::batch;
use crate::guard_corpus::Part;
use crate::guard_score::Share;

/// What a person and an agent said to each other, with what that does to the tasks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Its position.
    pub id: String,
    /// `en`, `ja` or `mixed`.
    pub lang: String,
    /// In their order.
    pub turns: Vec<SessionTurn>,
}

/// Something that was said, or that all before it was put away.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum SessionTurn {
    /// The person cleared the session.
    Cleared {
        /// Always.
        clear: bool,
    },
    /// A prompt, and perhaps the agent's last message.
    Turn {
        /// As it was typed.
        prompt: String,
        /// What it does.
        action: PromptAction,
        /// What the agent said last.
        reply: Option<String>,
        /// What that does.
        reply_action: Option<ReplyAction>,
    },
}

/// A prompt, its label, and what it is taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredPrompt {
    /// The session.
    pub session: String,
    /// As it was typed.
    pub prompt: String,
    /// What it does.
    pub labelled: PromptAction,
    /// What it is taken for.
    pub found: PromptAction,
}

/// All prompts of a part, in the order of the file, with what they are taken for.
pub fn score_prompts(part: Part) -> Vec<ScoredPrompt> {
    let lines = match part {
        Part::Tune => include_str!("../../drift/tests/corpus/turns-tune.jsonl"),
        Part::HeldOut => include_str!("../../drift/tests/corpus/turns-heldout.jsonl"),
    };
    lines.lines().flat_map(|line| replay(serde_json::from_str(line).unwrap())).collect()
}

fn replay(session: Session) -> Vec<ScoredPrompt> {
    let (mut tasks, mut scored) = (Tasks::default(), Vec::new());
    for turn in session.turns {
        let SessionTurn::Turn { prompt, action, reply, reply_action } = turn else {
            tasks.cleared();
            continue;
        };
        let found = tasks.prompted(&prompt).action;
        scored.push(ScoredPrompt { session: session.id.clone(), prompt, labelled: action, found });
        if let Some(reply) = reply {
            tasks.replied(&reply, reply_action.is_some());
        }
    }
    scored
}

impl ScoredPrompt {
    /// Which sessions were written together with its own.
    pub fn batch(&self) -> &str {
        batch(&self.session)
    }

    /// Whether it is taken for what it is.
    pub fn is_right(&self) -> bool {
        self.labelled == self.found
    }

    /// So many of them are.
    pub fn share<'a>(scored: impl IntoIterator<Item = &'a Self>) -> Share {
        let mut share = Share { some: 0, of: 0 };
        for one in scored {
            share.some += usize::from(one.is_right());
            share.of += 1;
        }
        share
    }
}
