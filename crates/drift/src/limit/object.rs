//! Parses the verb and the object of a limit, for English and Japanese.

use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern};
use crate::phrases::is_listed;

/// A verb of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// To change files. The verb alone, without an object, is not a limit.
    Change,
    /// To change files. Without an object, the verb means all files.
    Edit,
    Delete,
    Commit,
    Push,
    Open,
    Add,
    Stash,
    Run,
    /// To run a command. The verb is also used for many things that aren't commands.
    Use,
}

impl Verb {
    /// Whether two verbs of a list have the same object, as in "commit or push to main".
    pub(super) fn shares_object_with(self, other: Self) -> bool {
        let is_git = |verb| matches!(verb, Self::Commit | Self::Push);
        let is_of_files = |verb| matches!(verb, Self::Change | Self::Edit | Self::Delete);
        is_git(self) && is_git(other) || is_of_files(self) && is_of_files(other)
    }
}

/// Objects that mean all files.
const ALL_FILES: &str = "anything|file|files|code|codebase|何|ファイル";
/// Objects of commits, pushes and stashes that name no branch. The empty word stands for no object.
const ALL_WORK: &str =
    "|it|this|that|anything|changes|file|files|code|remote|origin|何|変更|git|リモート";
const REQUESTS: &str =
    "pr|prs|mr|mrs|pull request|pull requests|merge request|merge requests|プルリク|プルリクエスト";
const PACKAGES: &str = "dependency|dependencies|deps|package|packages|library|libraries|\
    依存|依存関係|依存パッケージ|依存ライブラリ|パッケージ|ライブラリ";
const TESTS: &str = "test|tests|test suite|テスト|テストスイート";
/// Checks that people name together with tests, as in `tests/linters`.
const CHECKS: &str =
    "test|tests|formatters|formatter|format|linters|linter|lint|builds|build|network|ci";
/// Usual names of branches. Any other name counts as a branch only if it contains `/`, `-` or `.`.
const BRANCHES: &str = "main|master|develop|development|dev|trunk|release|staging|prod|production";
/// Programs that people name without backticks.
const PROGRAMS: &str = "\
    bun|bundle|cargo|composer|curl|deno|docker|docker-compose|dotnet|eslint|gh|git|glab|go|\
    gradle|helm|jest|just|kubectl|make|mise|mvn|npm|npx|pip|pnpm|poetry|prettier|pytest|\
    python|rm|rsync|ruff|ssh|sudo|terraform|tsc|uv|vitest|wget|wrangler|yarn";

/// The limit for a verb with this object. `None` if the object can't be parsed.
pub(super) fn limit_on(verb: Verb, object: &str, root: Option<&str>) -> Option<Limit> {
    let name = object.to_lowercase();
    let branch = || if is_listed(&name, ALL_WORK) { Some(None) } else { branch(object).map(Some) };
    let action = match verb {
        Verb::Edit if object.is_empty() => return Some(Limit::NoChanges),
        Verb::Change | Verb::Edit if is_listed(&name, ALL_FILES) => return Some(Limit::NoChanges),
        Verb::Change | Verb::Edit => return path(object, root).map(Limit::NotPath),
        Verb::Delete if is_listed(&name, ALL_FILES) => LimitedAction::Delete { path: None },
        Verb::Delete => LimitedAction::Delete { path: Some(path(object, root)?) },
        Verb::Commit => LimitedAction::Commit { branch: branch()? },
        Verb::Push => LimitedAction::Push { branch: branch()? },
        Verb::Open if name == "changes" => return Some(Limit::NoChanges),
        Verb::Open => return pull_request(&name),
        Verb::Add if is_listed(&name, PACKAGES) => LimitedAction::AddDependency,
        Verb::Stash if is_listed(&name, ALL_WORK) => LimitedAction::Stash,
        Verb::Run if is_tests(&name) => LimitedAction::RunTests,
        Verb::Run | Verb::Use => LimitedAction::Run(command(verb, object)?),
        Verb::Add | Verb::Stash => return None,
    };
    Some(Limit::NotAction(action))
}

/// The path that an object names. `src/a.rs:20` isn't a path here, because it means only a part of
/// the file.
pub(super) fn path(object: &str, root: Option<&str>) -> Option<PathPattern> {
    let object = object.trim_end_matches(" files").trim_end_matches(" file");
    let folder = object.strip_suffix(" folder").or_else(|| object.strip_suffix(" directory"));
    let path = match (folder, code(object)) {
        (Some(folder), _) => paths::of_code(&format!("{folder}/"), root),
        (None, Some(code)) => paths::of_code(code, root),
        (None, None) => paths::of_word(object, root),
    };
    path.filter(|_| !object.contains(':')).map(|path| PathPattern::new(&path))
}

/// The text between backticks, if the whole object is in backticks.
fn code(object: &str) -> Option<&str> {
    object.strip_prefix('`')?.strip_suffix('`')
}

fn branch(object: &str) -> Option<String> {
    let object = object.trim_end_matches("branch").trim_end_matches("ブランチ").trim();
    let name = code(object).unwrap_or(object).trim_start_matches("origin/");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c));
    let is_file = paths::of_word(name, None).is_some();
    let is_usual = is_listed(name, BRANCHES) || name.contains(['/', '-', '.']);
    (is_name && is_usual && !is_file).then(|| name.to_owned())
}

fn pull_request(object: &str) -> Option<Limit> {
    let (request, base) = match object.split_once(" against ") {
        Some((request, base)) => (request, Some(branch(base)?)),
        None => (object, None),
    };
    let action = LimitedAction::OpenPullRequest { base };
    is_listed(request, REQUESTS).then_some(Limit::NotAction(action))
}

/// Whether an object names the project's tests, alone or with other checks as in `tests/linters`.
fn is_tests(object: &str) -> bool {
    let is_check = |part| is_listed(part, CHECKS);
    is_listed(object, TESTS)
        || object.split('/').all(is_check) && object.split('/').any(|part| is_listed(part, TESTS))
}

/// The command that an object names: text in backticks, a well-known program, a program with its
/// subcommand, or a name with `cli`.
fn command(verb: Verb, object: &str) -> Option<String> {
    if let Some(code) = code(object) {
        return (verb == Verb::Run).then(|| code.replace(super::text::IN_CODE, " "));
    }
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(is_sign);
    let is_program = |word: &str| is_listed(word, PROGRAMS);
    let words: Vec<&str> = object.split(' ').collect();
    match words.as_slice() {
        [name, "cli" | "CLI"] if is_word(name) => Some((*name).to_owned()),
        [name] | [name, "command" | "commands"] if is_program(name) => Some((*name).to_owned()),
        [name, does] if verb == Verb::Run && is_program(name) && is_word(does) => {
            Some(object.to_owned())
        }
        _ => None,
    }
}
