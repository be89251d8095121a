//! What a prompt says about the task that is worked on: that it goes on, or that it does not.
//!
//! By signs in its words, and by whether it is about the same things. Where nothing speaks for other
//! work, it is a follow-up.

use std::collections::BTreeSet;

use super::words::topic_of;
use super::{PromptAction, State};

/// How much of a prompt is looked at for signs.
const MAX_BYTES: usize = 4 * 1024;

/// A new topic, said as such, whatever it is about.
const LEAVES: &str = "different topic, another topic, something else, forget that, forget it, forget about, \
    this can wait, that can wait, in a different file, let's move on, moving on to, switch \
    to, 別件, 話は変わ, それはやめて, ところで";

/// The next thing, unless it is about the same.
const NEXT: &str = "next, now, 次に, 次は, 次、";

/// It has to be done first.
const FIRST: &str = "first, before that, before you, before we, before it, before going, before continuing, \
    beforehand, hold on, その前に, 先に, まず, 見る前に, 事前に";

/// "First" in these is no order of work.
const NOT_FIRST: &str =
    "first one, first part, first half, first line, first page, first name, first of";

/// It is to be done beside the task.
const BESIDE: &str = "in the meantime, meanwhile, in parallel, at the same time, alongside, while you're at \
    it, while we're at it, while you are at it, while we're here, while you're there, on the \
    side, 並行して, その間に, ついでに, それとは別に, 合わせて, あわせて";

/// Something is added.
const ALSO: &str = "also, plus, one more, もお願い, も追加, も更新, も直, も書, あと、, それと";

/// What stands beside nearly every task.
const SIDE: &str = "test, tests, changelog, readme, docs, doc, documentation, lint, version, package, \
    dependency, dependencies, log, md, yml, wiki, storybook, rule, help text, metric, テスト, \
    ドキュメント";

/// What was said before is meant.
const POINTS_BACK: &str = "it, its, them, those, these, that, this, they, there, それ, これ, その";

/// An answer.
const ANSWERS: &str = "yes, no, ok, okay, sure, fine, thanks, thank, thx, great, perfect, good, nice, cool, \
    alright, right, of course, go on, go ahead, continue, keep, proceed, do it, both, \
    neither, please do, hmm, better, 👍, はい, いいえ, うん, ありがとう, 了解, お願い, 続け, いや, それで, 問題, わかり, \
    じゃあ, では";

/// Work.
const DEEDS: &str = "add, write, create, implement, fix, make, remove, delete, rename, convert, replace, \
    migrate, upgrade, refactor, generate, set up, move, port, build, find, profile, \
    benchmark, explain, help, turn, switch, change, show, draw, clone, prepare, look, \
    stabilise, stabilize, して, 見て, 直して, ください, ほしい";

const ASKS: &str =
    "what, why, how, where, which, who, does, do, did, is, are, can, could, should, any";

/// A prompt, as far as it tells of tasks.
pub(super) struct Prompt {
    /// In small letters, words and signs between single spaces.
    text: String,
    count: usize,
    is_japanese: bool,
    is_question: bool,
    pub(super) words: BTreeSet<String>,
}

impl Prompt {
    pub(super) fn read(prompt: &str) -> Self {
        let start = &prompt[..prompt.floor_char_boundary(MAX_BYTES)];
        let is_of_word = |letter: char| letter.is_alphanumeric() || "'’👍、".contains(letter);
        let lower = start.to_lowercase().replace('’', "'");
        let words: Vec<&str> =
            lower.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty()).collect();
        Self {
            text: format!(" {} ", words.join(" ")),
            count: words.len(),
            is_japanese: start.chars().any(|letter| ('\u{3040}'..='\u{30ff}').contains(&letter)),
            is_question: asks(start)
                || words.first().is_some_and(|first| listed(ASKS).any(|ask| ask == *first)),
            words: topic_of(prompt),
        }
    }

    /// What it does to a task about `topic`.
    pub(super) fn action(&self, topic: &BTreeSet<String>, state: State) -> PromptAction {
        let is_open = state != State::Complete;
        let is_about_it = self.words.intersection(topic).next().is_some();
        let is_other_work = !is_about_it && self.words.len() >= 2 && self.has(DEEDS);
        if self.has(LEAVES) || (self.begins(NEXT) && is_other_work) {
            return PromptAction::NewTask;
        }
        if is_open && self.has(FIRST) && !self.has(NOT_FIRST) {
            return PromptAction::Subtask;
        }
        if self.has(BESIDE) {
            return PromptAction::ParallelTask;
        }
        if self.has(ALSO) {
            let is_beside = self.has(SIDE);
            return if is_beside { PromptAction::ParallelTask } else { PromptAction::Continue };
        }
        let is_answer = self.is_short() || (self.begins(ANSWERS) && self.count <= 12);
        let points_back = self.has(POINTS_BACK) && (self.is_question || is_open);
        let goes_on = is_about_it
            || (state == State::Asked && !(is_other_work && self.words.len() >= 4))
            || ((is_answer || points_back || (is_open && (self.is_question || self.count <= 9)))
                && !is_other_work);
        if goes_on { PromptAction::Continue } else { PromptAction::NewTask }
    }

    fn is_short(&self) -> bool {
        if self.is_japanese { self.text.chars().count() <= 16 } else { self.count <= 5 }
    }

    fn has(&self, signs: &str) -> bool {
        listed(signs).any(|sign| self.text.contains(&spaced(sign)))
    }

    fn begins(&self, signs: &str) -> bool {
        listed(signs).any(|sign| self.text.starts_with(&format!(" {}", spaced(sign).trim_start())))
    }
}

/// The signs of a list: they stand between commas.
fn listed(signs: &str) -> impl Iterator<Item = &str> {
    signs.split(',').map(str::trim)
}

/// A sign in Latin letters is a whole word; Japanese has no spaces.
fn spaced(sign: &str) -> String {
    if sign.is_ascii() { format!(" {sign} ") } else { sign.to_owned() }
}

/// Whether the text ends with a question.
pub(super) fn asks(text: &str) -> bool {
    let end = text.trim_end();
    let last = &end[end.ceil_char_boundary(end.len().saturating_sub(120))..];
    last.contains(['?', '？'])
        || ["ですか", "ますか", "でしょうか", "ましょうか"].iter().any(|ask| last.contains(ask))
}
