//! What is forbidden in a case that may come or not: "if the tests fail, do not touch src/b.rs".
//!
//! Whether the case has come is not known here, and so nothing is forbidden by it. What holds in every case does: "even if the
//! tests fail".

use super::super::clauses::Sentence;
use super::super::phrases::{begins, has};
use super::english;

/// How far the parts of a sentence so far are said of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// They are not.
    Always,
    /// They are, up to the condition itself.
    Condition,
    /// They are, and this is what is to be then.
    Consequence { forbids: bool },
}

impl Said {
    /// The same with the next part of the sentence. `before` is what stands before that part.
    pub(super) fn then(self, clause: &Sentence, before: &str, forbids: impl Fn() -> bool) -> Self {
        let joined = |words: &[&str]| {
            let before = before.trim_end().trim_end_matches(',').to_lowercase();
            words.iter().any(|word| before.ends_with(word) || begins(&clause.lower, &[word]))
        };
        let is_over = match self {
            Self::Always | Self::Condition => false,
            Self::Consequence { forbids: false } => joined(&["but", "and"]),
            Self::Consequence { forbids: true } => joined(&["but"]),
        };
        match self {
            _ if is_condition(&clause.lower) => Self::Condition,
            _ if is_over => Self::Always,
            Self::Always => Self::Always,
            Self::Condition | Self::Consequence { .. } => Self::Consequence { forbids: forbids() },
        }
    }

    /// Whether what is said is said of a case.
    pub(super) fn is_of_a_case(self) -> bool {
        self != Self::Always
    }
}

/// Whether a part of a sentence begins with a condition, or says what is not to be in a case.
fn is_condition(lower: &str) -> bool {
    let lower = FILLERS.iter().fold(lower, |rest, filler| {
        rest.strip_prefix(filler).map_or(rest, |rest| rest.trim_start_matches([' ', ',']))
    });
    let is_should = begins(lower, &["should"])
        && !["should not", "should never", "should be"].iter().any(|not| begins(lower, &[not]));
    begins(lower, CONDITIONS)
        || (begins(lower, &["unless"]) && english::is_of_a_case(lower))
        || (begins(lower, OCCASIONS) && has(lower, OUTCOMES))
        || (is_should && has(lower, OUTCOMES))
        || is_condition_in_japanese(lower)
}

const FILLERS: &[&str] =
    &["- ", "and ", "but ", "so ", "then ", "also ", "please ", "however", "now "];
const CONDITIONS: &[&str] =
    &["if", "in case", "provided", "as long as", "so long as", "assuming", "supposing"];
/// What may be said of a time that comes for certain: "when you are done".
const OCCASIONS: &[&str] = &["when", "whenever", "once", "as soon as", "in the event"];
const OUTCOMES: &[&str] = &[
    "fail", "fails", "failed", "failing", "break", "breaks", "broken", "red", "pass", "passes",
    "green", "crash", "crashes", "error", "errors",
];

/// What may come or not, in Japanese: 直したら is said of what comes for certain.
const MAY_COME: &[&str] = &[
    "落ちたら",
    "失敗したら",
    "失敗すれば",
    "壊れたら",
    "壊れれば",
    "通ったら",
    "通れば",
    "通らなかったら",
    "通らなければ",
    "エラーになったら",
    "エラーが出たら",
    "エラーなら",
    "できなければ",
    "できなかったら",
    "でなければ",
    "見つかったら",
    "見つからなければ",
    "た場合",
    "る場合",
    "ない場合",
    "の場合",
    "ないなら",
    "るなら",
    "たなら",
    "だめなら",
    "ダメなら",
    "無理なら",
];

fn is_condition_in_japanese(lower: &str) -> bool {
    // 〜なければならない says what has to be.
    const MUST: &[&str] = &["なら", "なり", "いけ", "だめ"];
    let behind = |case: &&str| Some(&lower[lower.find(case)? + case.len()..]);
    let is_case = |rest: &str| !MUST.iter().any(|must| rest.starts_with(must));
    !lower.is_ascii() && MAY_COME.iter().filter_map(behind).any(is_case)
}
