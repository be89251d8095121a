//! Claude Code.
//!
//! The table holds effects seen with the real program, and the documented effect of
//! `systemMessage`, which does no harm where it isn't shown. Three things are left out on purpose:
//!
//! - Context on `Stop` and `SubagentStop`: the program goes on working when it gets one, so that
//!   it would be a refusal in disguise.
//! - Refusals of `TaskCompleted`, which only an exit code can express, and of `PostToolUse`, when
//!   the tool has run already: the model would be shown the hook's command line.
//! - Everything on `WorktreeCreate`: what is printed there is taken for the path of the worktree.

mod decode;
mod encode;
mod events;
mod headless;
mod install;
mod namesake;
mod salvage;
mod tools;
mod wire;

use crate::spec::AgentSpec;

pub use encode::CONTEXT_LIMIT_CHARS;
pub(crate) use headless::HEADLESS;
pub(crate) use tools::TOOLS;

/// The specification of Claude Code.
pub const CLAUDE: AgentSpec = AgentSpec {
    name: "claude",
    tested_versions: &["2.1.197", "2.1.326"],
    events: events::EVENTS,
    install: install::INSTALL,
    judge: &["--print", "--setting-sources", "", "--tools", "", "--strict-mcp-config"],
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &["CLAUDE_CODE_SESSION_ID"],
    // From the plugin: the program puts the plugin's name before the agent's own.
    reviewer: Some("verger:reviewer"),
    version,
    decode: decode::decode,
    salvage: salvage::salvage,
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

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
