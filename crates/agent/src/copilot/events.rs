//! The table of Copilot CLI's events: the events they are decoded to, the answers they can carry,
//! and whether verger registers a hook for them.

use crate::event_table::{ALLOW, ASK, CONTEXT, DENY, captured, opaque};
use crate::spec::HookEvent;

pub(super) const EVENTS: &[HookEvent] = &[
    captured("sessionStart", &["session.started"], &[CONTEXT])
        .registered("once per session and resume", "begins the record of a session"),
    captured("sessionEnd", &["session.ended"], &[])
        .registered("once per session", "records how the session ended"),
    captured("userPromptSubmitted", &["prompt.submitted"], &[DENY, CONTEXT])
        .registered("once per prompt and blocked stop", "a person's prompt begins a task"),
    captured("preToolUse", &["tool.requested"], &[ALLOW, ASK, DENY, CONTEXT])
        .registered("once per tool call", "shows each tool call before it runs"),
    captured("permissionRequest", &["permission.asked"], &[ALLOW, DENY])
        .registered("once per call that needs a permission", "shows which calls are asked about"),
    captured("postToolUse", &["tool.succeeded", "tool.failed", "tool.ended"], &[CONTEXT])
        .registered("once per tool call", "shows the result of a call"),
    captured("postToolUseFailure", &["tool.failed"], &[])
        .registered("once per call that the tool refused", "shows the error of a call"),
    captured("agentStop", &["stop.requested"], &[DENY])
        .registered("once per turn", "comes when the agent wants to stop"),
    captured("subagentStart", &["subagent.started"], &[])
        .registered("once per subagent", "distinguishes a subagent's calls from the main agent's"),
    captured("subagentStop", &["subagent_stop.requested"], &[DENY])
        .registered("once per subagent", "shows the result of a subagent"),
    captured("errorOccurred", &[], &[])
        .left("comes for every failed request to the model, also for one that is sent again"),
    captured("preCompact", &["compaction.started"], &[])
        .registered("once per compaction", "the conversation is about to be compacted"),
    captured("notification", &["notification.shown"], &[]).registered(
        "whenever the agent waits for a person",
        "shows how long an agent waited for a person",
    ),
    captured("preMcpToolCall", &[], &[]).left("`preToolUse` comes with the same call"),
    opaque("userPromptTransformed", &[], &[]).left("never seen from the real program"),
    opaque("postResult", &[], &[]).left("never seen from the real program"),
    opaque("prePRDescription", &[], &[]).left("never seen from the real program"),
];
