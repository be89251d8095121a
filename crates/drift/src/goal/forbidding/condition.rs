//! What is forbidden in a case that may come or not: "if the tests fail, do not touch src/b.rs".
//!
//! Whether the case has come is not known here, and so nothing is forbidden by it. What holds in every case does: "even if the
//! tests fail".

use super::super::clauses::Sentence;
use super::super::phrases::{begins, has};
use super::super::signs::DEEDS;
use super::{english, japanese, staying};

/// How far the parts of a sentence so far are said of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// They are not.
    Always,
    /// They are, up to the condition itself.
    Condition(Case),
    /// They are, and this is what is to be then.
    Consequence { of: Case, forbids: bool },
}

/// What a condition asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// That something comes.
    Event,
    /// That the agent finds it needful, which is said of a single deed: "if needed, add a helper".
    Need,
}

impl Said {
    /// The same with the next part of the sentence. `before` is what stands before that part.
    pub(super) fn then(self, clause: &Sentence, before: &str, forbids: impl Fn() -> bool) -> Self {
        let lower = clause.lower.as_str();
        let joined = |words: &[&str]| {
            let before = before.trim_end().trim_end_matches(',').to_lowercase();
            words.iter().any(|word| before.ends_with(word) || begins(lower, &[word]))
        };
        let is_over = match self {
            Self::Always | Self::Condition(_) => false,
            Self::Consequence { forbids: false, of } => {
                // Japanese has no "and" there: 直して、src/b.rs は触らないで. Whoever names nothing, 触らないで, goes on.
                of == Case::Need
                    || joined(&["but", "and"])
                    || (!lower.is_ascii() && names_something(lower))
            }
            Self::Consequence { forbids: true, .. } => joined(&["but", "ただし"]),
        };
        match (self, condition(lower)) {
            (_, Some((of, rest))) if is_said_to_do(rest) => {
                Self::Consequence { of, forbids: forbids() }
            }
            (_, Some((of, _))) => Self::Condition(of),
            _ if is_over => Self::Always,
            (Self::Always, None) => Self::Always,
            // テストが落ちたら、絶対に、…
            (Self::Condition(_), None) if !lower.is_ascii() && !is_said_to_do(lower) => self,
            (Self::Condition(of) | Self::Consequence { of, .. }, None) => {
                Self::Consequence { of, forbids: forbids() }
            }
        }
    }

    /// Whether what is said is said of a case.
    pub(super) fn is_of_a_case(self) -> bool {
        self != Self::Always
    }
}

/// A longer part of a sentence says more than a case.
const MAX_TRAILING: usize = 160;

/// Whether a part of a Japanese sentence has something of its own that it is about.
fn names_something(part: &str) -> bool {
    part.contains(|c: char| c.is_ascii_alphanumeric() || "はもをに".contains(c))
}

/// Whether a part of a sentence is the case in which the part before it holds: "don't touch src/b.rs, if the tests fail".
pub(in crate::goal) fn trails(before: &str, after: &str) -> bool {
    let is_english = after.get(..3).is_some_and(|first| first.eq_ignore_ascii_case("if "));
    let is_last = after.len() <= MAX_TRAILING && !after.contains([',', ':', '(', ';', '、']);
    if !is_last || (!is_english && after.is_ascii()) {
        return false;
    }
    let (before, after) = (before.to_lowercase(), after.to_lowercase());
    if is_english {
        return ![" - ", " – ", " — ", " but ", " and "].iter().any(|more| after.contains(more))
            // That is what comes of it.
            && !begins(&after, &["if you do"])
            && !says_what_to_do(&after)
            && (english::negation(&before).is_some() || staying::is_left_as_it_is(&before));
    }
    let rest =
        behind_condition_in_japanese(&after).map(|rest| rest.trim_matches(['は', '。', ' ']));
    rest == Some("") && japanese::is_left_alone(&before)
}

/// Whether a condition is followed by what is to be done then, without a comma: "if the tests fail tell me".
fn says_what_to_do(condition: &str) -> bool {
    const THEN: &[&str] = &[
        "tell", "ask", "let", "stop", "ping", "say", "report", "leave", "skip", "mark", "note",
        "file", "open", "revert", "use", "run", "try", "keep", "just", "please", "then", "do",
        "don't", "dont", "never",
    ];
    const SUBJECTS: &[&str] = &[
        "you", "i", "we", "they", "to", "must", "can", "could", "should", "would", "will", "may",
        "not", "don't", "people", "users", "if", "tests",
    ];
    let words: Vec<&str> = condition.split_whitespace().collect();
    let is_deed = |word: &str| THEN.contains(&word) || DEEDS.contains(&word);
    words.windows(2).any(|two| is_deed(two[1]) && !SUBJECTS.contains(&two[0]))
}

/// Whether it is said in Japanese what is to be done.
fn is_said_to_do(part: &str) -> bool {
    const ENDS: &[&str] =
        &["て", "で", "ください", "下さい", "こと", "する", "します", "ない", "禁止", "お願い"];
    ENDS.iter().any(|end| part.trim_end().ends_with(end))
}

/// The condition that a part of a sentence begins with, or that it says what is not to be under, and what it says behind
/// that if it is in Japanese.
fn condition(lower: &str) -> Option<(Case, &str)> {
    let lower = FILLERS.iter().fold(lower, |rest, filler| {
        rest.strip_prefix(filler).map_or(rest, |rest| rest.trim_start_matches([' ', ',']))
    });
    let is_should = begins(lower, &["should"])
        && !["should not", "should never", "should be"].iter().any(|not| begins(lower, &[not]));
    let is_english = (begins(lower, CONDITIONS) && !is_on_the_agent(lower))
        || (begins(lower, &["unless"]) && english::is_of_a_case(lower))
        || (begins(lower, OCCASIONS) && has(lower, OUTCOMES))
        || (is_should && has(lower, OUTCOMES));
    if is_english {
        return Some((if begins(lower, NEEDS) { Case::Need } else { Case::Event }, ""));
    }
    behind_condition_in_japanese(lower).map(|rest| (Case::Event, rest))
}

/// Whether the agent may do something if it does not do something else: "provided that you don't touch src/b.rs".
fn is_on_the_agent(lower: &str) -> bool {
    let behind = LIMITS.iter().find_map(|limit| lower.strip_prefix(limit)).map(str::trim_start);
    let behind = behind.map(|rest| rest.strip_prefix("that ").unwrap_or(rest));
    let deed = behind.and_then(|rest| rest.strip_prefix("you "));
    deed.is_some_and(|deed| begins(deed, english::NOT))
}

const LIMITS: &[&str] = &["provided", "as long as", "so long as"];
const NEEDS: &[&str] =
    &["if needed", "if necessary", "if need be", "if required", "if you need", "if you like"];
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
    // バグなら
    "なら",
];

/// What stands behind a condition in Japanese.
fn behind_condition_in_japanese(lower: &str) -> Option<&str> {
    if lower.is_ascii() {
        return None;
    }
    let behind = |case: &&str| {
        let at = lower.find(case)?;
        let (before, rest) = (&lower[..at], &lower[at + case.len()..]);
        let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
        let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
        let is_no_case = begins(MUST)
            || (case.ends_with("場合") && (begins(EVEN) || ends(KNOWN)))
            || (case.starts_with("ない") && is_word_of_the_person(before))
            || (case.ends_with("なら") && (is_of_a_file(before) || begins(&["な", "ず"])))
            || (*case == "なら" && (before.is_empty() || ends(NO_CASE)));
        (!is_no_case).then_some(rest)
    };
    MAY_COME.iter().find_map(behind)
}

/// "Then", and all but something.
const NO_CASE: &[&str] = &["それ", "そう", "以外", "さよう"];
/// 〜なければならない says what has to be,
const MUST: &[&str] = &["なら", "なり", "いけ", "だめ"];
/// and 場合でも that the case does not matter.
const EVEN: &[&str] = &["でも", "にも", "であっても", "であれ", "も", "においても"];
/// The case that is there: 今回の場合.
const KNOWN: &[&str] = &["今回", "本件", "このプロジェクト", "このリポジトリ"];

/// Whether what there is not is the person's word: 許可がない場合.
fn is_word_of_the_person(before: &str) -> bool {
    const WORDS: &[&str] = &["許可", "指示", "承認", "了承", "同意"];
    let before = before.trim_end_matches(['が', 'の', 'は']);
    WORDS.iter().any(|word| before.ends_with(word))
}

/// Whether it is a deed to a file, which the agent is about to do: src/a.rs を修正するなら.
fn is_of_a_file(before: &str) -> bool {
    let object = before.rsplit_once('を').map(|(object, _)| object.trim_end_matches(['`', ' ']));
    object.is_some_and(|object| object.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '/'))
}
