//! Later words of the person that lift a limit.

use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern};

/// Words for each action, in small letters. Opening a pull request includes pushing, and pushing includes committing.
const COMMIT: &str = "commit|コミット";
const PUSH: &str = "push|ship|プッシュ|merge|マージ|release";
const OPEN: &str = "pr|prs|mr|pull|プルリク";
const ADD: &str = "install|dependency|dependencies|package|インストール|依存|追加";
const DELETE: &str = "delete|remove|drop|削除|消して";
const STASH: &str = "stash|スタッシュ";
const TEST: &str = "test|tests|テスト";
const CHANGE: &str = "\
    change|edit|fix|implement|update|apply|write|add|modify|refactor|address|rename|remove|\
    修正|実装|変更|追加|直して";
const NEGATIONS: &str = "don't|don’t|dont|not|never|without|しない|ないで|するな|禁止";

impl Limit {
    /// Whether later words of the person name the same action or path without a negation, which lifts it.
    pub fn is_lifted_by(&self, words: &str) -> bool {
        let is_end = |c: char| matches!(c, '\n' | '!' | '。' | '！' | ';' | ',' | '、');
        let ends_sentence = |text: &str| text.ends_with(['.', '?', '？']);
        words.split(is_end).any(|part| {
            // A dot ends a sentence only before a space: paths have dots, too.
            part.split_inclusive(". ").any(|part| {
                let is_question = part.trim_end().ends_with(['?', '？']);
                let part = if ends_sentence(part) { part.trim_end_matches('.') } else { part };
                !is_question && self.is_named_in(&part.to_lowercase(), part)
            })
        })
    }

    fn is_named_in(&self, lower: &str, part: &str) -> bool {
        if NEGATIONS.split('|').any(|word| has_word(lower, word)) {
            return false;
        }
        let has = |lists: &[&str]| {
            let is_denied = |word: &str| has_word(lower, &format!("no {word}"));
            lists
                .iter()
                .flat_map(|list| list.split('|'))
                .any(|word| has_word(lower, word) && !is_denied(word))
        };
        let names = |pattern: &PathPattern| {
            let mut named = paths::named_in(part, None).into_iter();
            named.any(|path| {
                pattern.covers(&path) || PathPattern::new(&path).covers(pattern.as_str())
            })
        };
        match self {
            Self::NoChanges => has(&[CHANGE, COMMIT]),
            Self::NotPath(pattern) => names(pattern),
            Self::OnlyPaths(patterns) => {
                let is_other = |path: &String| !patterns.iter().any(|pattern| pattern.covers(path));
                paths::named_in(part, None).iter().any(is_other)
            }
            Self::NotAction(action) => match action {
                LimitedAction::Commit { branch: Some(branch) }
                | LimitedAction::Push { branch: Some(branch) }
                | LimitedAction::OpenPullRequest { base: Some(branch) } => {
                    has_word(lower, &branch.to_lowercase()) && has(&[COMMIT, PUSH, OPEN])
                }
                LimitedAction::Commit { branch: None } => has(&[COMMIT, PUSH, OPEN]),
                LimitedAction::Push { branch: None } => has(&[PUSH, OPEN]),
                LimitedAction::OpenPullRequest { base: None } => has(&[OPEN]),
                LimitedAction::AddDependency => has(&[ADD]),
                LimitedAction::Delete { path } => {
                    has(&[DELETE]) || path.as_ref().is_some_and(names)
                }
                LimitedAction::Stash => has(&[STASH]),
                LimitedAction::RunTests => has(&[TEST]),
                LimitedAction::Run(command) => {
                    command.split(' ').next().is_some_and(|program| has_word(lower, program))
                }
            },
        }
    }
}

/// Whether a text has this word, with no other letter of the alphabet around it.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_ascii() || !(before.is_some_and(is_letter) || after.is_some_and(is_letter))
    })
}
