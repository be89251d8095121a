//! Claude Code.
//!
//! The event table lists effects that were seen with the real program. It also lists the
//! documented effect of `systemMessage`, which does no harm if the program doesn't show it. Three
//! effects are left out on purpose:
//!
//! - Context on `Stop` and `SubagentStop`: the program continues working when it gets context, so
//!   the context would act as a refusal. A refused `Stop` is sent as context for that reason: the
//!   model then gets the reason once, and without the hook's command line.
//! - Denying `TaskCompleted` and `PostToolUse`: only an exit code can deny `TaskCompleted`, and
//!   after `PostToolUse` the tool has run already. The model would also see the hook's command
//!   line.
//! - All effects on `WorktreeCreate`: the program uses the hook's output as the path of the
//!   worktree.

mod decode;
mod encode;
mod events;
mod headless;
mod install;
mod namesake;
mod salvage;
mod tools;
mod wire;

use verger_event::SessionId;

use crate::capabilities::{BlindSpot, Coverage, Policy, blind};
use crate::spec::AgentSpec;

pub use encode::CONTEXT_LIMIT_CHARS;
pub(crate) use headless::HEADLESS;
pub(crate) use tools::TOOLS;

/// The variable with the session's id, in hooks and tools.
const SESSION_ENV: &str = "CLAUDE_CODE_SESSION_ID";

/// The specification of Claude Code.
pub const CLAUDE: AgentSpec = AgentSpec {
    name: "claude",
    tested_versions: &["2.1.197", "2.1.326"],
    events: events::EVENTS,
    install: install::INSTALL,
    judge: &["--print", "--setting-sources", "", "--tools", "", "--strict-mcp-config"],
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &[SESSION_ENV],
    // The name of the plugin's subagent. The program adds the plugin's name before it.
    reviewer: Some("verger:reviewer"),
    gates_need_a_tool_call: false,
    blind_spots: BLIND_SPOTS,
    version,
    is_foreign: is_copilot,
    decode: decode::decode,
    salvage: salvage::salvage,
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

const BLIND_SPOTS: &[BlindSpot] = &[
    blind(
        Policy::Recording,
        Coverage::Impossible,
        "after a person interrupted a tool or refused its call, the program calls no hook for it",
    ),
    BlindSpot {
        versions: &["2.1.326"],
        ..blind(
            Policy::Recording,
            Coverage::Impossible,
            "a headless turn that an error of the model ended is not reported",
        )
    },
    BlindSpot {
        versions: &["2.1.197"],
        ..blind(
            Policy::PermissionRequests,
            Coverage::Impossible,
            "a headless run calls no hook before it refuses a call",
        )
    },
    blind(
        Policy::HooksOff,
        Coverage::Observed,
        "a blocked change stays in the file, and the next session reads it; an administrator's \
         settings can't be blocked",
    ),
    blind(
        Policy::Learning,
        Coverage::Observed,
        "newer models get no tool for the list of tasks, so a finished item is not seen",
    ),
];

/// In the hooks of every tested version, `AI_AGENT` has the form `claude-code_2-1-325_harness`.
fn version(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let agent = variable("AI_AGENT")?;
    let (version, _) = agent.strip_prefix("claude-code_")?.split_once('_')?;
    let is_version =
        version.len() <= 32 && version.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    is_version.then(|| version.replace('-', "."))
}

/// Whether Copilot CLI made the hook call: it also runs the Claude Code hooks of a project. Its
/// events come through its own registration. Claude Code sets its session's id for hooks, also when
/// it was started by Copilot CLI.
fn is_copilot(variable: &dyn Fn(&str) -> Option<String>, session: &SessionId) -> bool {
    variable("COPILOT_CLI").as_deref() == Some("1")
        && variable(SESSION_ENV).as_deref() != Some(session.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_call_of_copilot_is_foreign() {
        let session = SessionId::new("s");
        for (copilot, claude, expected) in [
            (None, Some("s"), false),
            (None, None, false),
            (Some("1"), None, true),
            (Some("1"), Some("t"), true),
            (Some("1"), Some("s"), false),
            (Some(""), None, false),
        ] {
            let variable = |name: &str| match name {
                "COPILOT_CLI" => copilot.map(str::to_owned),
                SESSION_ENV => claude.map(str::to_owned),
                _ => None,
            };
            assert_eq!(is_copilot(&variable, &session), expected, "{copilot:?} {claude:?}");
        }
    }

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
