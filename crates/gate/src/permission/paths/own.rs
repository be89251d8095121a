//! Recognises protected files, which an agent must not change: verger's own files, agents'
//! settings, and files that git runs by itself.

use super::Ground;
use crate::permission::name_pattern;

/// The name of the rule against writes to protected files. Every mode of the guard applies this
/// rule.
pub const OWN_FILES: &str = "write-own-files";

/// Names of protected files in any project. In a command, a variable may come before such a name.
const NAMES: &[&str] = &[
    ".verger/config.toml",
    ".verger/guard.toml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".claude.json",
    "$claude_config_dir/settings.json",
    "$claude_config_dir/settings.local.json",
    "$codex_home/config.toml",
    "$codex_home/hooks.json",
];

/// Protected directories of verger or of agents, with all files in them.
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
    "$verger_home",
    "$xdg_config_home/verger",
    "$xdg_data_home/verger",
    "$claude_config_dir/hooks",
    "$claude_config_dir/plugins",
    "$codex_home/hooks",
];

/// Directories for protected files. `.github` isn't listed, because it also has many other files.
const HOLDERS: &[&str] = &[
    ".verger",
    ".verger/work",
    ".claude",
    ".codex",
    ".gemini",
    ".copilot",
    "$claude_config_dir",
    "$codex_home",
];

pub(super) fn is_own(path: &str, ground: &Ground<'_>) -> bool {
    let is_at_or_below =
        |path: &str, wanted: &str| matches!(meets(path, wanted), Some(Meets::There | Meets::Below));
    let is_named = |tail: &str| {
        NAMES.iter().any(|name| meets(tail, name) == Some(Meets::There))
            || FOLDERS
                .iter()
                .filter(|folder| !folder.starts_with(".github") || !tail.contains('*'))
                .any(|folder| is_at_or_below(tail, folder))
    };
    ground.own.iter().any(|own| is_at_or_below(path, own)) || tails(path).any(is_named)
}

/// Whether the path is a directory for protected files.
pub(super) fn holds_own(path: &str) -> bool {
    let is_holder = |tail| HOLDERS.iter().any(|holder| meets(tail, holder) == Some(Meets::There));
    tails(path).any(is_holder)
}

/// Whether the path is a directory above protected files. A whole home or project doesn't count,
/// because each has its own class.
pub(super) fn is_above_own(path: &str, ground: &Ground<'_>) -> bool {
    let is_above = |own: &String| meets(path, own) == Some(Meets::Above);
    let whole = [ground.home, ground.root].into_iter().flatten();
    let is_whole = |whole: &str| {
        matches!(meets(path, whole), Some(Meets::There | Meets::Above)) || path == "/"
    };
    holds_own(path)
        || (path != "/" && ground.own.iter().any(is_above) && !whole.into_iter().any(is_whole))
}

/// The position of a path relative to a protected path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meets {
    There,
    Below,
    Above,
}

/// Compares two paths component by component, ignoring case. A pattern in `path` equals every name
/// that it matches. `None` if neither path contains the other.
fn meets(path: &str, wanted: &str) -> Option<Meets> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    for wanted in wanted.split('/').filter(|part| !part.is_empty()) {
        match parts.next() {
            None => return Some(Meets::Above),
            Some(part) if fits(part, wanted) => {}
            Some(_) => return None,
        }
    }
    Some(if parts.next().is_none() { Meets::There } else { Meets::Below })
}

fn fits(part: &str, wanted: &str) -> bool {
    if part.eq_ignore_ascii_case(wanted) {
        return true;
    }
    if let Some(variable) = wanted.strip_prefix('$') {
        let inner = part.strip_prefix("${").and_then(|part| part.strip_suffix('}'));
        let name = inner.and_then(|inner| inner.split(':').next());
        return name.is_some_and(|name| name.eq_ignore_ascii_case(variable));
    }
    // A star doesn't match a name that begins with a dot.
    part.contains(['*', '?', '['])
        && part.starts_with('.') == wanted.starts_with('.')
        && name_pattern::fits(&part.to_ascii_lowercase(), &wanted.to_ascii_lowercase())
}

/// The ends of a path that begin with a dot or a variable, as the names of protected files do. Few
/// paths have such an end.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    let starts = path.match_indices(['.', '$']);
    let starts = starts.filter(|(at, _)| *at == 0 || path[..*at].ends_with('/'));
    starts.map(|(at, _)| &path[at..])
}

/// A quick check whether a word may name a protected file or a directory above one. It may also
/// return `true` for other words.
pub(in crate::permission) fn may_lead_to_own(text: &str, ground: &Ground<'_>) -> bool {
    let bytes = text.as_bytes();
    let is_option = bytes.first() == Some(&b'-');
    let is_marked = |at: usize| match bytes[at] {
        b'.' if is_option || at == 0 || b"/=:,{".contains(&bytes[at - 1]) => is_mark(&bytes[at..]),
        b'$' => {
            let name = &bytes[at + 1..];
            let name = name.strip_prefix(b"{").unwrap_or(name);
            VARIABLES.iter().any(|variable| begins(name, variable.as_bytes()))
        }
        _ => false,
    };
    (0..bytes.len()).any(is_marked) || may_be_listed(text, ground)
}

/// The beginnings of names of protected files, and of the directories above them in a home.
const MARKS: &[&str] = &[
    ".verger",
    ".claude",
    ".codex",
    ".gemini",
    ".copilot",
    ".github/hooks",
    ".config",
    ".local",
    // These two may begin any path.
    "..",
    "./",
];

const VARIABLES: &[&str] =
    &["VERGER_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"];

fn is_mark(rest: &[u8]) -> bool {
    let mut name = rest.iter().take_while(|byte| **byte != b'/');
    MARKS.iter().any(|mark| begins(rest, mark.as_bytes())) || name.any(|byte| b"*?[".contains(byte))
}

fn begins(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Whether the path in the word is the beginning of a protected path, or a protected path is the
/// beginning of this path.
fn may_be_listed(text: &str, ground: &Ground<'_>) -> bool {
    let Some(at) = text.find(['/', '~']) else { return text.contains("$HOME") };
    let (before, path) = text.split_at(at);
    let is_home = path.starts_with('~') || before.ends_with("$HOME") || before.ends_with("${HOME}");
    let (base, rest) = match ground.home {
        Some(home) if is_home => (home, path.trim_start_matches('~')),
        _ => ("", path),
    };
    // A slash at the end of a name doesn't mean the root directory.
    if !before.is_empty() && rest.len() < 2 {
        return false;
    }
    let end = rest.find(['*', '?', '[', '{']).unwrap_or(rest.len());
    let rest = &rest.as_bytes()[..end];
    let is_near = |own: &String| {
        let own = own.as_bytes();
        begins(own, base.as_bytes())
            && (begins(&own[base.len()..], rest) || begins(rest, &own[base.len()..]))
    };
    ground.own.iter().any(is_near) || (before.is_empty() && path.contains("//"))
}

/// Whether the path is a hook or a setting of git, in a repository, submodule or linked worktree,
/// or a file that tells git where these are.
pub(super) fn is_run_by_git(path: &str) -> bool {
    let mut inside = path.split('/').skip_while(|part| *part != ".git").skip(1);
    matches!(
        (inside.next(), inside.next()),
        (Some("hooks" | "config" | "config.worktree" | "commondir" | "modules" | "worktrees"), _)
            | (Some("info"), Some("attributes"))
    ) || path.ends_with("/.git")
}
