//! What an instruction does to the goal before it.

use serde::{Deserialize, Serialize};

use super::clauses::Sentence;
use super::{Goal, Instruction, phrases};
use crate::words::words;

/// What a prompt does to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// There was none.
    First,
    /// It says more about the same work.
    Refines,
    /// It is about other work.
    Replaces,
    /// It seems to be about other work, though nothing says that the work before is over.
    SeemsNew,
    /// It says only to go on.
    GoesOn,
}

/// Signs in an instruction of what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent signs, weighed together in one place"
)]
pub(super) struct Marks {
    ends: bool,
    turns_away: bool,
    comes_next: bool,
    points_back: bool,
    pub(super) asks_for_work: bool,
    sentences: usize,
    goes_on: bool,
}

impl Marks {
    pub(super) fn of(sentences: &[Sentence]) -> Self {
        let any = |phrases: &[&str]| sentences.iter().any(|one| phrases::has(&one.lower, phrases));
        let begins = |starts: &[&str]| {
            sentences.iter().flat_map(Sentence::clauses).any(|one| {
                starts.iter().any(|start| {
                    one.lower
                        .strip_prefix(start)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
                })
            })
        };
        let (ending, going_on) = ending(sentences);
        Self {
            ends: !ending.is_empty(),
            turns_away: any(TURNS_AWAY),
            comes_next: turns_next(sentences),
            points_back: points_back(sentences) || begins(FOLLOWS) || any(BESIDE),
            asks_for_work: any(WORK),
            sentences: sentences.len(),
            goes_on: !going_on.is_empty(),
        }
    }
}

/// Whether a part of it says what comes now, and that is no more of the same: "now show it in red".
fn turns_next(sentences: &[Sentence]) -> bool {
    sentences.iter().flat_map(Sentence::clauses).any(|one| {
        let is_next = NEXT.iter().any(|start| {
            one.lower
                .strip_prefix(start)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        });
        is_next && !phrases::has(&one.lower, POINTS_BACK)
    })
}

/// Whether it begins with a word for what was spoken of before: later ones may be for what it says itself.
fn points_back(sentences: &[Sentence]) -> bool {
    let first = sentences.iter().flat_map(Sentence::clauses).next();
    first.is_some_and(|one| phrases::has(&one.lower, POINTS_BACK) && words(&one.text).len() <= 3)
}

/// Whether a sentence ends work that was asked for.
pub(super) fn ends_something(lower: &str) -> bool {
    phrases::has(lower, ENDS)
        || STOPS.iter().any(|start| {
            lower
                .strip_prefix(start)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':']))
        })
}

/// The parts that end something, and the others. "Keep the rest as it was, undo that" ends what its first part
/// is about.
pub(super) fn ending(sentences: &[Sentence]) -> (Vec<Sentence>, Vec<Sentence>) {
    let (mut ending, mut going_on) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let mut before: Option<Sentence> = None;
        for clause in sentence.clauses() {
            if !ends_something(&clause.lower) {
                going_on.extend(before.replace(clause));
                continue;
            }
            let points_back = phrases::has(&clause.lower, &["it", "that", "this"])
                && words(&clause.text).len() <= 1;
            match before.take() {
                Some(before) if points_back => ending.push(before),
                before => going_on.extend(before),
            }
            ending.push(clause);
        }
        going_on.extend(before);
    }
    (ending, going_on)
}

pub(super) fn turn(goal: &Goal, instruction: &Instruction) -> Turn {
    if goal.is_empty() {
        return Turn::First;
    }
    let Marks { ends, turns_away, comes_next, points_back, sentences, goes_on, .. } =
        instruction.marks;
    let says = instruction.keywords.len();
    let names = instruction.scope.paths.len();
    let shared = instruction.keywords.intersection(&goal.keywords).count();
    if says == 0 && names == 0 && instruction.ended.is_empty() {
        return Turn::GoesOn;
    }
    if (ends && goes_on && says > 0) || (turns_away && says > 0) || (comes_next && says >= 2) {
        return Turn::Replaces;
    }
    let is_new =
        says >= 3 && shared == 0 && !points_back && instruction.constraints.len() < sentences;
    if is_new { Turn::SeemsNew } else { Turn::Refines }
}

const ENDS: &[&str] = &[
    "forget",
    "never mind",
    "nevermind",
    "scratch that",
    "on hold",
    "hold off",
    "put aside",
    "park",
    "cancel",
    "drop the",
    "drop that",
    "enough",
    "leave it there",
    "leave it at that",
    "leave that",
    "for later",
    "postpone",
    "postponed",
    "abandon",
    "undo it",
    "undo that",
    "revert that",
    "revert it",
    "roll that back",
    "no longer needed",
    "not needed anymore",
    "don't need that",
    "skip the rest",
    "can wait",
    "off the table",
    "call it done",
    "we're done with",
    "done with that",
    "that's it for",
    "hold the",
    "pause the",
    "pause that",
    "stop working",
    "stop the",
    "stop that",
    "stop with",
    "stop here",
    "もういい",
    "もう十分",
    "十分です",
    "やめて",
    "やめます",
    "中止",
    "保留",
    "後回し",
    "あと回し",
    "忘れて",
    "戻して",
    "元に戻",
    "不要になり",
    "不要です",
    "取り消",
    "キャンセル",
    "ストップ",
    "そこまで",
    "終わりに",
    "いったん止",
    "一旦止",
    "中断",
    "また今度",
    "また後で",
    "止めて",
    "なしで、",
    "なかったことに",
];
const STOPS: &[&str] = &["stop", "halt", "pause"];
const TURNS_AWAY: &[&str] = &[
    "something else",
    "something different",
    "different task",
    "different topic",
    "another task",
    "new task",
    "unrelated",
    "switch to the",
    "moving on",
    "move on",
    "let's move",
    "what i actually need",
    "more important",
    "more urgent",
    "urgent",
    "first priority",
    "next task",
    "next up",
    "other topic",
    "次は",
    "次に",
    "別件",
    "それより",
    "話は変わ",
    "別の作業",
    "別の件",
    "今度は",
    "優先",
    "急ぎ",
    "切り替え",
];
const NEXT: &[&str] = &["now", "next", "ok now", "okay now", "then", "今度", "次"];
const POINTS_BACK: &[&str] = &[
    "it",
    "that",
    "this",
    "them",
    "those",
    "these",
    "too",
    "also",
    "as well",
    "again",
    "still",
    "same",
    "the rest",
    "instead",
    "それ",
    "これ",
    "その",
    "この",
    "ついで",
    "あと",
    "また",
    "やっぱ",
    "さっき",
    "今の",
    "同じ",
    "同様",
    "追加で",
    "引き続き",
    "続け",
    "そこ",
    "上記",
];
/// Work that comes beside or before the rest of it, and what a person only passes on.
const BESIDE: &[&str] = &[
    "in the meantime",
    "meanwhile",
    "btw",
    "by the way",
    "on the side",
    "while you're at it",
    "while you are at it",
    "before you continue",
    "before you go on",
    "then continue",
    "then go on",
    "first",
    "otherwise",
    "the log says",
    "it says",
    "i get",
    "gives me",
    "error:",
    "traceback",
    "並行して",
    "あわせて",
    "合わせて",
    "先に",
    "ついでに",
    "も含めて",
    "でいいです",
    "その前に",
    "エラー:",
    "と出",
];
const FOLLOWS: &[&str] = &[
    "also",
    "and",
    "plus",
    "oh",
    "actually",
    "instead",
    "no",
    "wait",
    "ok",
    "okay",
    "yes",
    "but",
    "use",
    "keep",
    "please also",
    "perfect",
    "great",
    "good",
    "nice",
    "thanks",
    "looks good",
    "それと",
    "はい",
    "いいえ",
    "いや",
];
const WORK: &[&str] = &[
    "go ahead",
    "do it",
    "implement",
    "apply",
    "fix it",
    "make the change",
    "make the changes",
    "proceed",
    "do the",
    "do that",
    "go for it",
    "write it",
    "start",
    "build it",
    "ship it",
    "sounds good",
    "実装して",
    "進めて",
    "直して",
    "修正して",
    "お願い",
    "やって",
    "変更して",
    "適用",
    "書いて",
];
