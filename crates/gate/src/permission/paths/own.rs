//! Files that are not the agent's: verger's, agents' settings, and what git runs by itself.

use super::{Ground, is_below};

/// The rule against writes to files that are not the agent's. It holds in every mode of the guard.
pub const OWN_FILES: &str = "write-own-files";

pub(super) fn is_own(path: &str, ground: &Ground<'_>) -> bool {
    let is_listed = ground.own.iter().any(|own| {
        let start = path.get(..own.len());
        start.is_some_and(|start| {
            start.eq_ignore_ascii_case(own) && is_below(&path[own.len()..], "")
        })
    });
    is_listed || is_own_name(path)
}

/// Names that are verger's or an agent's in any project.
fn is_own_name(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".verger/config.toml",
        ".verger/guard.toml",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".claude.json",
    ];
    const FOLDERS: &[&str] = &[
        ".verger/work/stages",
        ".verger/work/runs",
        ".verger/work/signals",
        ".claude/hooks",
        ".github/hooks",
        ".copilot/hooks",
        ".gemini/hooks",
        ".codex/hooks",
        ".claude/plugins",
    ];
    let path = path.to_ascii_lowercase();
    // All of these begin so, and hardly any other path has it.
    let parts = path.match_indices('.').filter(|(at, _)| *at == 0 || path[..*at].ends_with('/'));
    parts
        .map(|(at, _)| &path[at..])
        .any(|rest| NAMES.contains(&rest) || FOLDERS.iter().any(|folder| is_below(rest, folder)))
}

/// Hooks and settings, those of submodules and linked worktrees too, and what says where they are.
pub(super) fn is_run_by_git(path: &str) -> bool {
    let mut inside = path.split('/').skip_while(|part| *part != ".git").skip(1);
    matches!(
        (inside.next(), inside.next()),
        (Some("hooks" | "config" | "config.worktree" | "commondir" | "modules" | "worktrees"), _)
            | (Some("info"), Some("attributes"))
    ) || path.ends_with("/.git")
}
