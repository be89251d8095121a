//! The table of Claude Code's events: the events that they are decoded to, the supported answers,
//! and whether verger registers a hook for them.

use crate::event_table::{
    ALLOW, ASK, CONTEXT, DENY, DOCUMENTED_NOTICE, NOTICE, REWRITE, captured, opaque,
};
use crate::spec::HookEvent;

/// At the end of a session, the program kills hooks after one to three seconds unless they have
/// their own time limit.
const SESSION_END_SECONDS: u32 = 5;

pub(super) const EVENTS: &[HookEvent] = &[
    captured("SessionStart", &["session.started"], &[CONTEXT, DOCUMENTED_NOTICE]).registered(
        "once per session, resume, clear and compaction",
        "begins the record of a session",
    ),
    captured("SessionEnd", &["session.ended"], &[DOCUMENTED_NOTICE])
        .registered("once per session", "records how the session ended")
        .within(SESSION_END_SECONDS),
    captured("Setup", &["setup.ran"], &[])
        .left("sent only with `--init`; verger decides nothing on it"),
    captured("UserPromptSubmit", &["prompt.submitted"], &[DENY, CONTEXT, NOTICE])
        .registered("once per prompt", "a person's prompt begins a task"),
    captured("UserPromptExpansion", &["prompt.expanded"], &[DOCUMENTED_NOTICE])
        .left("`UserPromptSubmit` follows with the same prompt"),
    captured(
        "PreToolUse",
        &["tool.requested"],
        &[ALLOW, ASK, DENY, CONTEXT, REWRITE, DOCUMENTED_NOTICE],
    )
    .registered("once per tool call", "shows each tool call before it runs"),
    captured("PermissionRequest", &["permission.asked"], &[ALLOW, DENY, DOCUMENTED_NOTICE])
        .registered("once per permission dialog", "shows which calls a person is asked about"),
    captured("PermissionDenied", &["permission.denied"], &[DOCUMENTED_NOTICE])
        .left("`PostToolBatch` shows refused calls"),
    captured("PostToolUse", &["tool.succeeded"], &[CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per successful tool call", "shows the result of a successful call"),
    captured("PostToolUseFailure", &["tool.failed"], &[CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per failed tool call", "the only event that reports a failed command"),
    captured("PostToolBatch", &["tool_batch.ended"], &[CONTEXT, DOCUMENTED_NOTICE]).registered(
        "once per message with tool calls",
        "the only event that also shows refused and invalid calls",
    ),
    captured("Stop", &["stop.requested"], &[DENY, NOTICE])
        .registered("once per turn", "sent when the agent wants to stop"),
    captured("StopFailure", &["stop.failed"], &[]).registered(
        "once per turn that an API error ended",
        "replaces `Stop` when an API error ended the turn",
    ),
    captured("SubagentStart", &["subagent.started"], &[CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per subagent", "distinguishes a subagent's calls from the main agent's"),
    captured(
        "SubagentStop",
        &["subagent_stop.requested", "compaction_fork.ended"],
        &[DENY, DOCUMENTED_NOTICE],
    )
    .registered("once per subagent and compaction", "shows the result of a subagent"),
    captured("PreCompact", &["compaction.started"], &[CONTEXT])
        .registered("once per compaction", "the conversation is about to be compacted"),
    captured("PostCompact", &["compaction.ended"], &[DOCUMENTED_NOTICE])
        .registered("once per compaction", "has the summary that replaces the conversation"),
    captured("TaskCreated", &["todo.created"], &[DENY, DOCUMENTED_NOTICE])
        .registered("once per entry of the agent's list", "shows a new item of the agent's list"),
    captured("TaskCompleted", &["todo.completed"], &[DOCUMENTED_NOTICE]).registered(
        "once per entry of the agent's list",
        "shows a finished item of the agent's list",
    ),
    opaque("TeammateIdle", &["teammate.idle"], &[]).left("never seen from the real program"),
    opaque("Elicitation", &["elicitation.asked"], &[]).left("never seen from the real program"),
    opaque("ElicitationResult", &["elicitation.answered"], &[])
        .left("never seen from the real program"),
    captured("Notification", &["notification.shown"], &[DOCUMENTED_NOTICE]).registered(
        "whenever the agent waits for a person",
        "shows how long an agent waited for a person",
    ),
    captured("ConfigChange", &["config.changed"], &[DENY]).registered(
        "once per change of a settings file",
        "a change that turns verger's hooks off is blocked",
    ),
    captured("InstructionsLoaded", &["instructions.loaded"], &[])
        .left("verger decides nothing on it, and it is sent once per instructions file"),
    captured("CwdChanged", &["directory.changed"], &[])
        .left("every other event carries the working directory"),
    captured("FileChanged", &["file.changed"], &[])
        .left("needs a list of files to watch, and verger decides nothing on it"),
    captured("DirectoryAdded", &[], &[]).left("verger decides nothing on it"),
    captured("PreModelSwitch", &[], &[])
        .left("verger decides nothing on it, and it comes twice per switch"),
    captured("PostModelSwitch", &[], &[]).left("verger decides nothing on it"),
    captured("MessageDisplay", &["message.shown"], &[])
        .left("would start a process for every piece of every message"),
    opaque("WorktreeCreate", &["worktree.created"], &[])
        .left("a hook here replaces the program's own way of making worktrees"),
    opaque("WorktreeRemove", &["worktree.removed"], &[])
        .left("a hook here replaces the program's own way of removing worktrees"),
];
