//! Claude Code.
//!
//! The table holds what was seen with the real program, and what its documentation says of
//! `systemMessage`, which is harmless where it is not shown. Three things it leaves out on purpose:
//!
//! - Context on `Stop` and `SubagentStop`: the program goes on working when it gets one, so that
//!   it would be a refusal in disguise.
//! - Refusals of `TaskCompleted`, which only an exit code can express, and of `PostToolUse`, when
//!   the tool has run already: the model would be shown the hook's command line.
//! - Everything on `WorktreeCreate`: what is printed there is taken for the path of the worktree.

mod decode;
mod encode;
mod salvage;
mod wire;

use crate::spec::{AgentSpec, Capture, Carried, HookEvent, Part, Proof};

pub use encode::CONTEXT_LIMIT_CHARS;

/// Claude Code, as the hook programs see it.
pub const CLAUDE: AgentSpec = AgentSpec {
    name: "claude",
    tested_versions: &["2.1.197", "2.1.325"],
    events: EVENTS,
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &["CLAUDE_CODE_SESSION_ID"],
    version,
    decode: decode::decode,
    salvage: salvage::salvage,
    encode: encode::encode,
};

const ALLOW: Carried = Carried { part: Part::Allow, proof: Proof::Seen };
const ASK: Carried = Carried { part: Part::Ask, proof: Proof::Seen };
const DENY: Carried = Carried { part: Part::Deny, proof: Proof::Seen };
const CONTEXT: Carried = Carried { part: Part::Context, proof: Proof::Seen };
const NOTICE: Carried = Carried { part: Part::Notice, proof: Proof::Seen };
const DOCUMENTED_NOTICE: Carried = Carried { part: Part::Notice, proof: Proof::Documented };

const EVENTS: &[HookEvent] = &[
    captured("SessionStart", &["session.started"], &[CONTEXT, DOCUMENTED_NOTICE]),
    captured("SessionEnd", &["session.ended"], &[DOCUMENTED_NOTICE]),
    captured("Setup", &["setup.ran"], &[]),
    captured("UserPromptSubmit", &["prompt.submitted"], &[DENY, CONTEXT, NOTICE]),
    captured("UserPromptExpansion", &["prompt.expanded"], &[DOCUMENTED_NOTICE]),
    captured("PreToolUse", &["tool.requested"], &[ALLOW, ASK, DENY, CONTEXT, DOCUMENTED_NOTICE]),
    captured("PermissionRequest", &["permission.asked"], &[ALLOW, DENY, DOCUMENTED_NOTICE]),
    opaque("PermissionDenied", &["permission.denied"], &[DOCUMENTED_NOTICE]),
    captured("PostToolUse", &["tool.succeeded"], &[CONTEXT, DOCUMENTED_NOTICE]),
    captured("PostToolUseFailure", &["tool.failed"], &[DOCUMENTED_NOTICE]),
    captured("PostToolBatch", &["tool_batch.ended"], &[CONTEXT, DOCUMENTED_NOTICE]),
    captured("Stop", &["stop.requested"], &[DENY, NOTICE]),
    captured("StopFailure", &["stop.failed"], &[]),
    captured("SubagentStart", &["subagent.started"], &[CONTEXT, DOCUMENTED_NOTICE]),
    captured(
        "SubagentStop",
        &["subagent_stop.requested", "compaction_fork.ended"],
        &[DENY, DOCUMENTED_NOTICE],
    ),
    captured("PreCompact", &["compaction.started"], &[CONTEXT]),
    captured("PostCompact", &["compaction.ended"], &[DOCUMENTED_NOTICE]),
    captured("TaskCreated", &["todo.created"], &[DENY, DOCUMENTED_NOTICE]),
    captured("TaskCompleted", &["todo.completed"], &[DOCUMENTED_NOTICE]),
    opaque("TeammateIdle", &["teammate.idle"], &[]),
    opaque("Elicitation", &["elicitation.asked"], &[]),
    opaque("ElicitationResult", &["elicitation.answered"], &[]),
    captured("Notification", &["notification.shown"], &[DOCUMENTED_NOTICE]),
    captured("ConfigChange", &["config.changed"], &[]),
    captured("InstructionsLoaded", &["instructions.loaded"], &[]),
    captured("CwdChanged", &["directory.changed"], &[]),
    captured("FileChanged", &["file.changed"], &[]),
    captured("MessageDisplay", &["message.shown"], &[]),
    opaque("WorktreeCreate", &["worktree.created"], &[]),
    opaque("WorktreeRemove", &["worktree.removed"], &[]),
];

const fn captured(
    name: &'static str,
    kinds: &'static [&'static str],
    carries: &'static [Carried],
) -> HookEvent {
    HookEvent { name, kinds, capture: Capture::Captured, carries }
}

const fn opaque(
    name: &'static str,
    kinds: &'static [&'static str],
    carries: &'static [Carried],
) -> HookEvent {
    HookEvent { name, kinds, capture: Capture::Opaque, carries }
}

/// `AI_AGENT` is `claude-code_2-1-325_harness` in the hooks of every version tested.
fn version(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let agent = variable("AI_AGENT")?;
    let (version, _) = agent.strip_prefix("claude-code_")?.split_once('_')?;
    let is_version =
        version.len() <= 32 && version.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    is_version.then(|| version.replace('-', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(agent: Option<&str>, expected: Option<&str>) {
        let variable = |name: &str| (name == "AI_AGENT").then(|| agent.map(str::to_owned))?;
        assert_eq!(version(&variable).as_deref(), expected);
    }

    #[test]
    fn the_version_is_told_by_the_environment() {
        check(Some("claude-code_2-1-325_harness"), Some("2.1.325"));
        check(Some("claude-code_2-1-197_harness"), Some("2.1.197"));
        check(Some("claude-code"), None);
        check(Some("claude-code_sk-ant-x_harness"), None);
        check(Some("another_1-2-3_harness"), None);
        check(None, None);
    }
}
