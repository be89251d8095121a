//! Encodes an answer in Claude Code's format.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use verger_event::{Answer, Verdict};

use super::CLAUDE;
use crate::context_text::within_limit;
use crate::spec::{HookEvent, Part};

/// Maximum length of context that the program passes to the model unchanged, in UTF-16 units.
/// Longer context is replaced by a preview of 2 KB.
pub const CONTEXT_LIMIT_CHARS: usize = 10_000;

/// The output for a call of `event_name`: one line of JSON or, before a compaction, plain text.
///
/// If the event table doesn't list a part for the event, the part is left out. Context over
/// [`CONTEXT_LIMIT_CHARS`] is cut, and its last line says so.
pub(super) fn encode(event_name: &str, answer: &Answer) -> Option<String> {
    let event = CLAUDE.event(event_name)?;
    let context = event.carried(Part::Context, answer.context.as_deref());
    if event.name == "PreCompact" {
        return context.map(plain_text);
    }
    let specific = Specific {
        additional_context: context.map(|text| within_limit(text, CONTEXT_LIMIT_CHARS)),
        updated_input: rewritten(event, answer),
        ..Specific::default()
    };
    let reply = Reply {
        system_message: event.carried(Part::Notice, answer.notice.as_deref()),
        ..Reply::new(event.name, opinion(event, &answer.verdict), specific)
    };
    if reply == Reply::default() {
        return None;
    }
    // Serializing a struct of texts can't fail. If it did, the empty output would mean no
    // opinion.
    serde_json::to_string(&reply).ok()
}

/// The rewritten input. A denied call doesn't run, so it gets none.
fn rewritten<'a>(event: &HookEvent, answer: &'a Answer) -> Option<&'a Value> {
    let is_denied = matches!(answer.verdict, Verdict::Deny { .. });
    answer.rewritten.as_ref().filter(|_| !is_denied && event.proof(Part::Rewrite).is_some())
}

/// A verdict in the program's words, if the event supports it.
struct Opinion<'a> {
    word: &'static str,
    reason: &'a str,
}

fn opinion<'a>(event: &HookEvent, verdict: &'a Verdict) -> Option<Opinion<'a>> {
    let (part, word, reason) = match verdict {
        Verdict::NoOpinion => return None,
        Verdict::Allow { reason } => (Part::Allow, "allow", reason),
        Verdict::Ask { reason } => (Part::Ask, "ask", reason),
        Verdict::Deny { reason } => (Part::Deny, "deny", reason),
    };
    event.proof(part).map(|_| Opinion { word, reason })
}

#[derive(Serialize, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
}

/// Fields that only some events support. The program discards all of them if the event's name is
/// wrong.
#[derive(Serialize, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Permission<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<Cow<'a, str>>,
    /// If there is no decision, the program's own rules decide about the new input.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Value>,
}

#[derive(Serialize, PartialEq)]
struct Permission<'a> {
    behavior: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> Reply<'a> {
    fn new(
        hook_event_name: &'static str,
        opinion: Option<Opinion<'a>>,
        said: Specific<'a>,
    ) -> Self {
        let specific = |form: Specific<'a>| Self {
            hook_specific_output: Some(Specific { hook_event_name, ..form }),
            ..Self::default()
        };
        match (hook_event_name, opinion) {
            ("PreToolUse", Some(Opinion { word, reason })) => specific(Specific {
                permission_decision: Some(word),
                permission_decision_reason: Some(reason),
                ..said
            }),
            ("PermissionRequest", Some(Opinion { word, reason })) => specific(Specific {
                decision: Some(Permission {
                    behavior: word,
                    message: (word == "deny").then_some(reason),
                }),
                ..Specific::default()
            }),
            // The program continues working when it gets context, and sends the model only this
            // text. Versions since 2.1.325 send the reason of a block twice, the second time with
            // the hook's command line.
            ("Stop", Some(Opinion { reason, .. })) => specific(Specific {
                additional_context: Some(within_limit(reason, CONTEXT_LIMIT_CHARS)),
                ..Specific::default()
            }),
            // A block has no context. If a prompt is blocked, the model doesn't see the context,
            // and the other events that can be blocked support no context.
            (_, Some(Opinion { reason, .. })) => {
                Self { decision: Some("block"), reason: Some(reason), ..Self::default() }
            }
            (_, None) if said != Specific::default() => specific(said),
            (_, None) => Self::default(),
        }
    }
}

/// Plain-text output. The program would parse text that starts with `{` as a JSON answer, so such
/// text gets a prefix.
fn plain_text(text: &str) -> String {
    if text.trim_start().starts_with('{') {
        within_limit(&format!("verger:\n{text}"), CONTEXT_LIMIT_CHARS).into_owned()
    } else {
        within_limit(text, CONTEXT_LIMIT_CHARS).into_owned()
    }
}
