//! Builds the review gate's messages to the agent, to the reviewer, and to the person.
//!
//! The texts are the files in `templates/review`. A message to an agent names its next step, but
//! never the command that opens the gate. Only messages to the person name that command.

use super::change::{Refusal, ReleasedBy};
use super::decision::Outcome;
use super::step::{Hold, HoldReason};
use super::want::Findings;
use crate::block_template::{Template, Values};
use crate::template::fill;
use verger_event::{ContentHash, tamed};

macro_rules! templates {
    ($($name:ident = $file:literal;)*) => {
        $(const $name: &str = include_str!(concat!("../../templates/review/", $file));)*
    };
}

templates! {
    AGAIN = "again.md";
    AFTER_OTHERS = "after-others.md";
    ASK_FOR_DECISION = "ask-for-decision.md";
    BRIEF_REVIEWER = "brief-reviewer.md";
    DENY_TOOL = "deny-tool.md";
    DENY_TOOL_SUBAGENT = "deny-tool-subagent.md";
    NOTICE_DENIED = "notice-denied.md";
    NOTICE_HELD = "notice-held.md";
    NOTICE_PASSED = "notice-passed.md";
    NO_TOKEN = "no-token.md";
    REFUSE_DECISION = "refuse-decision.md";
    REVIEWER_COMMAND = "reviewer-command.md";
    REVIEWER_MISSING = "reviewer-missing.md";
    REVIEWER_SUBAGENT = "reviewer-subagent.md";
}

/// The method by which an agent can get a review in this session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reviewer<'a> {
    /// The agent must start a subagent of this type.
    Subagent {
        /// The name of the subagent's type.
        agent_type: &'a str,
    },
    /// verger runs the program that the user configured.
    Command,
    /// No review is possible, because verger can't identify a reviewing subagent, and no program is
    /// configured.
    Missing,
}

impl Reviewer<'_> {
    /// The instructions for the agent to get a review.
    pub fn next_step(self, session_id: &str) -> String {
        match self {
            Self::Subagent { agent_type } => fill(REVIEWER_SUBAGENT, &[("agent_type", agent_type)]),
            Self::Command => fill(REVIEWER_COMMAND, &[("session_id", session_id)]),
            Self::Missing => fill(REVIEWER_MISSING, &[("session_id", session_id)]),
        }
    }
}

impl HoldReason {
    /// The reason in words. The words follow "and", or begin a list of open points.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unreviewed => "this work was not reviewed yet",
            Self::Issues => "the last review found issues",
            Self::Unavailable => "the last review could not be made",
            Self::ChangedSince => "the work changed after it was approved",
            Self::NotForThisCall => "the existing approval does not cover this call",
        }
    }
}

/// The reviewer's findings as text for the agent. Empty if there are none.
pub fn findings_text(findings: Option<&Findings>) -> String {
    let Some(Findings { outcome, summary, message, .. }) = findings else { return String::new() };
    match (outcome, message) {
        (Outcome::Issues, Some(message)) => {
            format!("The reviewer found: {summary}\n{}\n", message.trim_end())
        }
        (Outcome::Issues, None) => format!("The reviewer found: {summary}\n"),
        (Outcome::Unavailable, _) => format!("The last attempt failed: {summary}\n"),
        (Outcome::Complete, _) => String::new(),
    }
}

/// The message to the main agent about a refused stop. From the second refusal in a row on, the
/// text is one line.
pub fn refuse_stop(
    template: &Template,
    hold: &Hold,
    reviewer: Reviewer<'_>,
    session_id: &str,
    changes: &str,
) -> String {
    if hold.repeats() {
        return refuse_again(hold, reviewer, session_id);
    }
    template.render(&Values {
        session_id,
        task: &format!("a review, wanted by {}", hold.want.trigger),
        changes,
        reviewer: &reviewer.next_step(session_id),
        why: hold.reason.words(),
        findings: &findings_text(hold.want.findings.as_ref()),
    })
}

fn refuse_again(hold: &Hold, reviewer: Reviewer<'_>, session_id: &str) -> String {
    let why = match &hold.want.findings {
        Some(Findings { summary, .. }) => format!("{}: {}", hold.reason.words(), tamed(summary)),
        None => hold.reason.words().to_owned(),
    };
    let next = match reviewer {
        Reviewer::Subagent { agent_type } => {
            format!("start the subagent `{agent_type}` with your Agent (Task) tool")
        }
        Reviewer::Command | Reviewer::Missing => {
            format!("run `verger review run --session {session_id}`")
        }
    };
    fill(AGAIN, &[("why", &why), ("reviewer", &next)])
}

/// The message about a refused stop, if it follows the text of another gate.
pub fn after_others(reason: &str) -> String {
    fill(AFTER_OTHERS, &[("reason", reason)])
}

/// The message to the main agent about the denial of a gated tool.
pub fn deny_tool(hold: &Hold, reviewer: Reviewer<'_>, session_id: &str) -> String {
    fill(
        DENY_TOOL,
        &[
            ("pattern", pattern(hold)),
            ("why", hold.reason.words()),
            ("findings", &findings_text(hold.want.findings.as_ref())),
            ("reviewer", &reviewer.next_step(session_id)),
        ],
    )
}

/// The message to a subagent about the denial of a gated tool.
pub fn deny_tool_of_subagent(hold: &Hold) -> String {
    fill(DENY_TOOL_SUBAGENT, &[("pattern", pattern(hold)), ("why", hold.reason.words())])
}

fn pattern(hold: &Hold) -> &str {
    hold.want.call.as_ref().map_or("this tool", |call| &call.pattern)
}

/// The brief for a reviewing subagent that starts. It contains the token, so the log must not store
/// it as it is.
pub fn brief_reviewer(session_id: &str, content: &ContentHash, token: &str) -> String {
    let content = content.short();
    fill(BRIEF_REVIEWER, &[("session_id", session_id), ("content", content), ("token", token)])
}

/// The message to a subagent that gets no token, because verger can't distinguish it from the
/// reviewer.
pub fn no_token(why: &str) -> String {
    fill(NO_TOKEN, &[("why", why)])
}

/// The message to a reviewer that wants to stop without a decision.
pub fn ask_for_decision(session_id: &str) -> String {
    fill(ASK_FOR_DECISION, &[("session_id", session_id)])
}

/// The message about a rejected decision: the reason and the next step.
pub fn refuse_decision(why: &Refusal, reviewer: Reviewer<'_>, session_id: &str) -> String {
    let next = match why {
        Refusal::NotTheReviewer
        | Refusal::UnknownToken
        | Refusal::NoToken
        | Refusal::TokenUsed
        | Refusal::NotAttested => {
            let step = reviewer.next_step(session_id);
            format!("Only the reviewer can decide. To get a review: {step}")
        }
        Refusal::OtherSession => format!("Pass this session's id: --session {session_id}."),
        Refusal::NotPlain => "Run it again as one plain command: the words in quotes, no pipes, \
             variables or substitutions; a long message by `--message -` and one quoted \
             here-document."
            .to_owned(),
        Refusal::Bad { .. } => ask_for_decision(session_id),
        Refusal::ContentChanged { .. } => {
            "Look at the work as it is now: it needs a new review.".to_owned()
        }
    };
    fill(REFUSE_DECISION, &[("why", &why.to_string()), ("next", &next)])
}

/// The person's notice that a stop was refused.
pub fn notice_held(hold: &Hold, max_blocks: u32, session_id: &str) -> String {
    fill(
        NOTICE_HELD,
        &[
            ("trigger", &format!("wanted by {}", hold.want.trigger)),
            ("number", &hold.number.to_string()),
            ("max", &max_blocks.to_string()),
            ("session_id", session_id),
        ],
    )
}

/// The person's notice that a call of a gated tool was denied.
pub fn notice_denied(hold: &Hold, session_id: &str) -> String {
    fill(NOTICE_DENIED, &[("pattern", pattern(hold)), ("session_id", session_id)])
}

/// The person's notice that an action passed although the content may differ from the approved
/// content.
pub fn notice_unknown(what: &str, session_id: &str) -> String {
    let why = "verger could not tell whether the work is still the approved one";
    fill(NOTICE_PASSED, &[("what", what), ("why", why), ("session_id", session_id)])
}

/// The person's notice that an action passed without an approval.
pub fn notice_passed(
    what: &str,
    by: ReleasedBy,
    findings: Option<&Findings>,
    session_id: &str,
) -> String {
    let why = match by {
        ReleasedBy::Breaker => "the gate released it after several refusals without progress",
        ReleasedBy::Limit => "too many stops in a row had been refused",
        ReleasedBy::Unavailable => "no review could be made",
        ReleasedBy::Person => "a person released the gate",
    };
    let why = match findings {
        Some(Findings { summary, .. }) => format!("{why}; the reviewer said: {summary}"),
        None => why.to_owned(),
    };
    fill(NOTICE_PASSED, &[("what", what), ("why", &why), ("session_id", session_id)])
}

#[cfg(test)]
mod tests {
    use verger_event::Timestamp;

    use super::super::want::{Trigger, Want};
    use super::*;

    fn hold(found: Option<&str>) -> Hold {
        let at = Timestamp::from_millis(0);
        let findings = found.map(|message| Findings {
            outcome: Outcome::Issues,
            summary: "the empty file is not handled".to_owned(),
            message: Some(message.to_owned()),
            at,
        });
        let reason = if findings.is_some() { HoldReason::Issues } else { HoldReason::Unreviewed };
        Hold { reason, want: Want { findings, ..Want::new(Trigger::Always, at) }, number: 1 }
    }

    #[test]
    fn the_built_in_templates_say_what_is_left() {
        let subagent = Reviewer::Subagent { agent_type: "verger:reviewer" };
        let again = Hold { number: 2, ..hold(Some("return an error")) };
        let told = |hold: &Hold, reviewer| {
            refuse_stop(&Template::built_in(), hold, reviewer, "s-1", "3 files")
        };
        insta::assert_snapshot!(told(&again, subagent), @"verger: still blocked: the last review found issues: the empty file is not handled. Next: start the subagent `verger:reviewer` with your Agent (Task) tool, then stop again. A person can release this gate; you cannot.");
        let again = Hold { number: 3, ..hold(None) };
        insta::assert_snapshot!(told(&again, Reviewer::Command), @"verger: still blocked: this work was not reviewed yet. Next: run `verger review run --session s-1`, then stop again. A person can release this gate; you cannot.");
        let told = |id: &str, hold: &Hold, reviewer: Reviewer<'_>| {
            let template = Template::all_built_in().find(|template| template.id == id).unwrap();
            refuse_stop(&template, hold, reviewer, "s-1", "3 files")
        };
        insta::assert_snapshot!(told("default", &hold(None), subagent), @r#"
        verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
        Changed so far: 3 files
        What is left, in order:
        1. Finish the task and check your work yourself.
        2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
        3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
        You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
        "#);
        let found = hold(Some("src/parse.rs:12: return an error"));
        insta::assert_snapshot!(told("default", &found, Reviewer::Command), @"
        verger: do not stop yet: the last review found issues. An independent review has to approve this work first.
        The reviewer found: the empty file is not handled
        src/parse.rs:12: return an error
        Changed so far: 3 files
        What is left, in order:
        1. Finish the task and check your work yourself.
        2. Get the review: run `verger review run --session s-1`. It starts the reviewer that the user configured and prints its decision; if it says that the review still runs, run the same command again. Fix what it finds and run it again.
        3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
        You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
        ");
        insta::assert_snapshot!(told("short", &found, subagent), @"
        verger: review first: the last review found issues.
        The reviewer found: the empty file is not handled
        src/parse.rs:12: return an error
        Next: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once. Then stop again. A person can release this gate; you cannot.
        ");
        insta::assert_snapshot!(told("short", &hold(None), Reviewer::Missing), @"
        verger: review first: this work was not reviewed yet.
        Next: run `verger review run --session s-1`. verger cannot recognise a reviewer subagent in this session (its plugin is not active here), so only a reviewer that verger runs itself counts. Then stop again. A person can release this gate; you cannot.
        ");
    }
}
