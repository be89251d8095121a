//! The signatures with which coding agents mark their work, in lower case. They include agents
//! that verger doesn't support.

/// Names that only an agent has.
pub const PRODUCTS: &[&str] = &[
    "claude code",
    "claude opus",
    "claude sonnet",
    "claude haiku",
    "claude ai",
    "claude-code",
    "anthropic claude",
    "openai codex",
    "codex cli",
    "codex agent",
    "chatgpt",
    "gpt-4",
    "gpt-5",
    "gemini cli",
    "gemini code assist",
    "google gemini",
    "google jules",
    "github copilot",
    "copilot",
    "cursor agent",
    "cursoragent",
    "devin ai",
    "devin-ai-integration",
    "aider",
    "opencode",
    "sourcegraph amp",
    "windsurf cascade",
    "roo code",
    "kiro agent",
];

/// Names that people, places or other things may also have.
pub const NAMES: &[&str] = &[
    "ai", "amp", "claude", "cline", "codex", "cursor", "devin", "gemini", "gpt", "jules", "kiro",
    "windsurf",
];

/// Mail addresses. `*` matches any text.
pub const ADDRESSES: &[&str] = &[
    "noreply@anthropic.com",
    "claude@anthropic.com",
    "codex@openai.com",
    "noreply@openai.com",
    "*copilot@users.noreply.github.com",
    "copilot@github.com",
    "*gemini-code-assist*",
    "gemini-cli@google.com",
    "cursoragent@cursor.com",
    "*devin-ai-integration*",
    "*@aider.chat",
    "amp@ampcode.com",
    "noreply@opencode.ai",
];

/// Beginnings of links to an agent's sessions or products.
pub const LINKS: &[&str] = &[
    "claude.ai/code",
    "claude.com/claude-code",
    "chatgpt.com/codex",
    "cursor.com/agents",
    "app.devin.ai/sessions",
    "ampcode.com/threads",
    "jules.google.com/task",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_in_small_letters_and_none_stands_twice() {
        for list in [PRODUCTS, NAMES, ADDRESSES, LINKS] {
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len());
            assert!(list.iter().all(|text| *text == text.to_lowercase()));
        }
    }
}
