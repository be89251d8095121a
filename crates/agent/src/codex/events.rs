//! The table of Codex's events: the events they are decoded to, the answers they can carry, and
//! whether verger registers a hook for them.

use crate::event_table::{ALLOW, CONTEXT, DENY, DOCUMENTED_NOTICE, captured};
use crate::spec::HookEvent;

pub(super) const EVENTS: &[HookEvent] = &[
    captured("SessionStart", &["session.started"], &[CONTEXT, DOCUMENTED_NOTICE]).registered(
        "once per session, resume, clear and compaction",
        "begins the record of a session",
    ),
    captured("SessionEnd", &["session.ended"], &[])
        .registered("once per session", "records how the session ended")
        .within(2),
    captured("UserPromptSubmit", &["prompt.submitted"], &[DENY, CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per prompt", "a person's prompt begins a task"),
    captured("PreToolUse", &["tool.requested"], &[DENY, CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per tool call", "shows each tool call before it runs"),
    captured("PermissionRequest", &["permission.asked"], &[ALLOW, DENY, DOCUMENTED_NOTICE])
        .registered("once per permission dialog", "shows which calls a person is asked about"),
    captured(
        "PostToolUse",
        &["tool.succeeded", "tool.failed", "tool.ended"],
        &[CONTEXT, DOCUMENTED_NOTICE],
    )
    .registered("once per tool call", "shows the result of a call"),
    captured("Stop", &["stop.requested"], &[DENY, DOCUMENTED_NOTICE])
        .registered("once per turn", "comes when the agent wants to stop"),
    captured("SubagentStart", &["subagent.started"], &[CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per subagent", "distinguishes a subagent's calls from the main agent's"),
    captured("SubagentStop", &["subagent_stop.requested"], &[DENY, DOCUMENTED_NOTICE])
        .registered("once per subagent", "shows the result of a subagent"),
    captured("PreCompact", &["compaction.started"], &[DOCUMENTED_NOTICE])
        .registered("once per compaction", "the conversation is about to be compacted"),
    captured("PostCompact", &["compaction.ended"], &[DOCUMENTED_NOTICE])
        .registered("once per compaction", "the conversation was compacted"),
    captured("Interrupt", &[], &[]).left("no decision needs it"),
    captured("PreModelRequest", &[], &[])
        .left("starts a process for every request to the model, which waits for it"),
    captured("PostModelRequest", &[], &[]).left("starts a process for every request to the model"),
];
