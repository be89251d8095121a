//! Later words of the person that lift a limit.

use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern};

/// Words for each action, in small letters. Opening a pull request includes pushing, and pushing includes committing.
const COMMIT: &str = "commit|コミット";
const PUSH: &str = "push|ship|プッシュ|merge|マージ";
const OPEN: &str = "pr|prs|mr|pull request|pull requests|プルリク";
const ADD: &str = "install|dependency|dependencies|インストール|依存";
const DELETE: &str = "delete|remove|drop|削除|消して";
const STASH: &str = "stash|スタッシュ";
const TEST: &str = "test|tests|テスト";
const CHANGE: &str = "\
    change|edit|fix|implement|update|apply|write|add|modify|refactor|address|rename|remove|touch|\
    修正|実装|変更|追加|直して|触って";
/// Words of a person who wants a change taken back.
const UNDO: &str = "revert|undo|restore|put back|元に戻|戻して";
const NEGATIONS: &str = "don't|don’t|dont|not|never|without|can't|cannot|no need|no new|しない|ないで|するな|禁止|不要|なくて";

impl Limit {
    /// Whether later words of the person ask for the same action, or for a change of the same path, which lifts it.
    pub fn is_lifted_by(&self, words: &str) -> bool {
        let parts = words.split(['\n', '!', '。', '！', ';', ',', '、']);
        // A dot ends a sentence only before a space: paths have dots, too.
        let mut parts = parts.flat_map(|part| part.split_inclusive(". ")).map(str::trim_end);
        parts.any(|part| {
            let part = part.trim_end_matches('.');
            !part.ends_with(['?', '？']) && self.is_named_in(part)
        })
    }

    fn is_named_in(&self, part: &str) -> bool {
        let lower = part.to_lowercase();
        if NEGATIONS.split('|').any(|word| has_word(&lower, word)) {
            return false;
        }
        let has = |lists: &[&str]| {
            let mut words = lists.iter().flat_map(|list| list.split('|'));
            words.any(|word| has_word(&lower, word) && !has_word(&lower, &format!("no {word}")))
        };
        let paths = || paths::named_in(part, None).into_iter();
        let names = |pattern: &PathPattern| {
            let is_inside = |path: &str| PathPattern::new(path).covers(pattern.as_str());
            paths().any(|path| pattern.covers(&path) || is_inside(&path))
        };
        let action = match self {
            Self::NoChanges => return has(&[CHANGE, COMMIT]),
            Self::NotPath(pattern) => return names(pattern) && has(&[CHANGE]) && !has(&[UNDO]),
            Self::OnlyPaths(patterns) => {
                return paths().any(|path| !patterns.iter().any(|pattern| pattern.covers(&path)));
            }
            Self::NotAction(action) => action,
        };
        match action {
            LimitedAction::Commit { branch: Some(branch) }
            | LimitedAction::Push { branch: Some(branch) }
            | LimitedAction::OpenPullRequest { base: Some(branch) } => {
                has_word(&lower, &branch.to_lowercase()) && has(&[COMMIT, PUSH, OPEN])
            }
            LimitedAction::Commit { branch: None } => has(&[COMMIT, PUSH, OPEN]),
            LimitedAction::Push { branch: None } => has(&[PUSH, OPEN]),
            LimitedAction::OpenPullRequest { base: None } => has(&[OPEN]),
            LimitedAction::AddDependency => has(&[ADD]),
            LimitedAction::Delete { path } => has(&[DELETE]) || path.as_ref().is_some_and(names),
            LimitedAction::Stash => has(&[STASH]),
            LimitedAction::RunTests => has(&[TEST]),
            LimitedAction::Run(command) => {
                command.split(' ').next().is_some_and(|program| has_word(&lower, program))
            }
        }
    }
}

/// The text behind the clause with the last negation.
pub(super) fn behind_last_negation(words: &str) -> &str {
    let lower = words.to_ascii_lowercase();
    let last = NEGATIONS.split('|').filter_map(|word| lower.rfind(word)).max();
    let rest = last.map_or("", |at| &words[at..]);
    rest.split_once(['.', '!', '\n', '。', '！', ';', ',']).map_or("", |(_, rest)| rest)
}

/// Whether a text has this word, with no other letter of the alphabet around it.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].ends_with(is_letter);
        let after = text[at + word.len()..].starts_with(is_letter);
        !word.is_ascii() || !(before || after)
    })
}
