//! Decides whether later words of the person lift a limit.

use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern};

/// Words that ask for a commit or a push, in lower case. Opening a pull request includes pushing,
/// and pushing includes committing. So the words for the larger action are in both lists.
const COMMIT: &str =
    "commit|コミット|push|ship|プッシュ|merge|マージ|pr|prs|pull request|pull requests|プルリク";
const PUSH: &str = "push|ship|プッシュ|merge|マージ|pr|prs|pull request|pull requests|プルリク";
const OPEN: &str = "pr|prs|pull request|pull requests|プルリク";
const ADD: &str = "install|dependency|dependencies|インストール|依存";
const DELETE: &str = "delete|remove|drop|削除|消して";
const STASH: &str = "stash|スタッシュ";
const TEST: &str = "test|tests|テスト";
const CHANGE: &str = "\
    change|edit|fix|implement|update|apply|write|add|modify|refactor|address|rename|remove|touch|\
    修正|実装|変更|追加|直して|触って";
/// Words that ask to undo a change.
const UNDO: &str = "revert|undo|restore|put back|元に戻|戻して";
const NEGATIONS: &str = "don't|don’t|dont|not|never|without|can't|cannot|no need|no new|しない|ないで|するな|禁止|不要|なくて";

impl Limit {
    /// Whether later words of the person lift the limit, because they ask for the forbidden action
    /// or for a change of the protected path.
    pub fn is_lifted_by(&self, words: &str) -> bool {
        let parts = words.split(['\n', '!', '。', '！', ';', ',', '、']);
        // A full stop ends a sentence only before a space, because paths have full stops too.
        let mut parts = parts.flat_map(|part| part.split_inclusive(". ")).map(str::trim_end);
        parts.any(|part| {
            let part = part.trim_end_matches('.');
            !part.ends_with(['?', '？']) && self.is_named_in(part)
        })
    }

    fn is_named_in(&self, part: &str) -> bool {
        let lower = part.to_lowercase();
        let is_asked =
            |word: &str| has_word(&lower, word) && !has_word(&lower, &format!("no {word}"));
        let has = |words: &str| words.split('|').any(is_asked);
        let has_branch = |branch: &Option<String>| {
            branch.as_ref().is_none_or(|branch| has_word(&lower, &branch.to_lowercase()))
        };
        let paths = paths::named_in(part, None);
        let names = |pattern: &PathPattern| {
            let is_it = |path: &String| {
                pattern.covers(path) || PathPattern::new(path).covers(pattern.as_str())
            };
            paths.iter().any(is_it)
        };
        if has(NEGATIONS) {
            return false;
        }
        let action = match self {
            Self::NoChanges => return has(CHANGE) || has(COMMIT),
            Self::NotPath(pattern) => return names(pattern) && has(CHANGE) && !has(UNDO),
            Self::OnlyPaths(patterns) => {
                return paths.iter().any(|path| !patterns.iter().any(|it| it.covers(path)));
            }
            Self::NotAction(action) => action,
        };
        match action {
            LimitedAction::Commit { branch } => has_branch(branch) && has(COMMIT),
            LimitedAction::Push { branch } => has_branch(branch) && has(PUSH),
            LimitedAction::OpenPullRequest { base } => has_branch(base) && has(OPEN),
            LimitedAction::AddDependency => has(ADD),
            LimitedAction::Delete { path } => has(DELETE) || path.as_ref().is_some_and(names),
            LimitedAction::Stash => has(STASH),
            LimitedAction::RunTests => has(TEST),
            LimitedAction::Run(command) => command.split(' ').next().is_some_and(has),
        }
    }
}

/// The text after the clause with the last negation.
pub(super) fn behind_last_negation(words: &str) -> &str {
    let lower = words.to_ascii_lowercase();
    let last = NEGATIONS.split('|').filter_map(|word| lower.rfind(word)).max();
    let rest = last.map_or("", |at| &words[at..]);
    rest.split_once(['.', '!', '\n', '。', '！', ';', ',']).map_or("", |(_, rest)| rest)
}

/// Whether a text has this word, with no ASCII letter next to it.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].ends_with(is_letter);
        let after = text[at + word.len()..].starts_with(is_letter);
        !word.is_ascii() || !(before || after)
    })
}
