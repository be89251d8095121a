//! Signs in a prompt of what it does to the work before it.
//!
//! They are read once; what becomes of the goal and what becomes of the task both follow from them.

use super::clauses::Sentence;
use super::ending::ends_something;
use super::phrases;
use crate::paths::named_in;

/// What shows in a prompt, whatever it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent signs, weighed together in one place"
)]
pub(super) struct Signs {
    /// A part of it ends something, and another goes on.
    pub(super) ends: bool,
    /// It wants the same by other means.
    pub(super) swaps: bool,
    /// Behind what it ends it says what to take for it.
    pub(super) offers_another: bool,
    /// It says that it is about something else.
    pub(super) leaves: bool,
    /// It says what comes next, and that is no more of the same.
    pub(super) comes_next: bool,
    /// Something has to be done first.
    pub(super) comes_first: bool,
    /// Something is to be done at the same time.
    pub(super) is_beside: bool,
    /// Something is added.
    pub(super) adds: bool,
    /// It names what stands beside nearly every task.
    pub(super) names_side_work: bool,
    /// It has a word for what was spoken of before.
    pub(super) refers: bool,
    /// It begins with one.
    pub(super) points_back: bool,
    /// It wants something done to what was spoken of, and says no more.
    pub(super) is_about_a_pronoun: bool,
    /// What is wanted stands in a text that it names.
    pub(super) follows_a_text: bool,
    /// It names a piece of work that is described elsewhere: an issue, a ticket.
    pub(super) names_an_issue: bool,
    /// It asks in a few words for what is missing of something that was spoken of.
    pub(super) asks_further: bool,
    /// It says how something is to be in one case.
    pub(super) is_of_a_case: bool,
    /// It begins as an answer does.
    pub(super) answers: bool,
    /// It is said by the way.
    pub(super) is_aside: bool,
    /// It only passes on what something printed.
    pub(super) passes_on: bool,
    /// It asks something.
    pub(super) asks: bool,
    /// It names something to do.
    pub(super) wants_work: bool,
    /// It says that what was only spoken of is to be done.
    pub(super) lets_work: bool,
    /// It is too short to say much.
    pub(super) is_short: bool,
    /// So many words.
    pub(super) count: usize,
    /// So many sentences.
    pub(super) sentences: usize,
}

impl Signs {
    pub(super) fn of(prose: &str, sentences: &[Sentence], ends: bool) -> Self {
        let any = |signs: &[&str]| sentences.iter().any(|one| phrases::has(&one.lower, signs));
        let clauses: Vec<Sentence> = sentences.iter().flat_map(Sentence::clauses).collect();
        let first = clauses.first();
        let begins = |signs: &[&str]| first.is_some_and(|one| phrases::begins(&one.lower, signs));
        let is_of_word = |letter: char| letter.is_alphanumeric() || "'’".contains(letter);
        let count = prose.split(|c| !is_of_word(c)).filter(|word| !word.is_empty()).count();
        let is_japanese = prose.chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c));
        // "The search returns duplicates" tells of something by its name, as an answer rarely does.
        let most = if begins(&["the", "our"]) { 4 } else { 5 };
        let is_short = if is_japanese { prose.trim().chars().count() <= 14 } else { count <= most };
        // What is put in the place of something ends it only for the work, and only where both are said together.
        let is_swapped = sentences.iter().any(|one| {
            let clauses = one.clauses();
            clauses.iter().any(|one| swaps(&one.lower))
                && (clauses.iter().any(|one| ends_something(&one.lower)) || sentences.len() == 1)
        });
        let is_about_a_pronoun =
            sentences.len() == 1 && first.is_some_and(|one| is_about_a_pronoun(&one.lower));
        Self {
            ends,
            swaps: is_swapped,
            offers_another: sentences.windows(2).any(|two| {
                let is_ended = two[0].clauses().iter().any(|one| ends_something(&one.lower));
                is_ended && is_taken_instead(&two[1].lower)
            }),
            leaves: any(LEAVES),
            comes_next: clauses.iter().any(|one| {
                phrases::begins(&one.lower, NEXT) && !phrases::has(&one.lower, POINTS_BACK)
            }),
            comes_first: any(FIRST) && !any(NOT_FIRST),
            is_beside: any(BESIDE),
            adds: any(ALSO) || clauses.iter().any(|one| adds_with_mo(&one.lower)),
            names_side_work: any(SIDE),
            refers: any(REFERS),
            points_back: begins(REFERS)
                || any(AGAIN)
                || any(IS_TOO)
                || begins(YOU_DID)
                || is_about_a_pronoun
                || is_about_what_was_spoken_of(&clauses)
                || sentences.last().is_some_and(|one| is_said_of_the_work(&one.lower)),
            is_about_a_pronoun,
            follows_a_text: any(FOLLOWS),
            names_an_issue: without_issues(prose) != prose,
            asks_further: begins(FURTHER) && asks(prose),
            is_of_a_case: any(IN_CASE),
            answers: begins(ANSWERS),
            is_aside: any(ASIDE),
            passes_on: any(PASSES_ON),
            asks: asks(prose) || begins(ASKS),
            wants_work: any(DEEDS),
            lets_work: any(WORK),
            is_short,
            count,
            sentences: sentences.len(),
        }
    }
}

/// A text without the names of issues.
pub(super) fn without_issues(text: &str) -> String {
    let mut before = "";
    let mut kept = String::with_capacity(text.len());
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if is_an_issue(word, before) {
            kept.push_str(&piece[word.len()..]);
        } else {
            kept.push_str(piece);
        }
        before = word;
    }
    kept
}

/// Whether a word, behind the one before it, is the name of an issue: `#12`, "issue 7", `ABC-123`. A small number alone may be of a
/// list that the agent made.
fn is_an_issue(word: &str, before: &str) -> bool {
    const KINDS: &[&str] =
        &["issue", "ticket", "bug", "story", "pr", "request", "issues", "tickets"];
    let word = word.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '#'));
    let before = before.trim_end_matches([':', ',']).to_lowercase();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = word.strip_prefix('#').unwrap_or(word);
    if digits(number) {
        return KINDS.contains(&before.as_str()) || (word.starts_with('#') && number.len() > 1);
    }
    let is_key = |(key, number): (&str, &str)| {
        key.len() > 1 && key.bytes().all(|b| b.is_ascii_uppercase()) && digits(number)
    };
    word.split_once('-').is_some_and(is_key)
        || word.rsplit_once('/').is_some_and(|(at, number)| {
            digits(number)
                && ["/issues", "/pull", "/browse"].iter().any(|place| at.ends_with(place))
        })
}

/// Whether a Japanese clause wants something for one thing more: "ログも出して", but not "でも" or "もう".
fn adds_with_mo(clause: &str) -> bool {
    let wants = ["して", "出して", "お願い", "ください", "といて", "おいて"];
    let ends = wants.iter().any(|want| clause.trim_end().ends_with(want));
    let stands_behind_a_thing = clause.match_indices('も').any(|(at, _)| {
        let before = clause[..at].chars().next_back();
        let after = clause[at + 'も'.len_utf8()..].chars().next();
        before.is_some_and(|c| c == 'に' || !('\u{3041}'..='\u{309f}').contains(&c))
            && after.is_some_and(|c| !"うしのっと".contains(c))
    });
    ends && stands_behind_a_thing
}

/// Whether what is to be done is to be done to what was spoken of: "turn it off", "put them next to it".
fn is_about_a_pronoun(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let is_pronoun = |word: &&str| matches!(*word, "it" | "them" | "that" | "those" | "these");
    let second = words.get(1).filter(|word| is_pronoun(word));
    let is_idle = matches!(words.get(2), Some(&("possible" | "so" | "easier" | "easy" | "clear")));
    (second.is_some() && !is_idle) || words.last().is_some_and(is_pronoun)
}

/// Whether a Japanese sentence tells the one who did the work what is wrong with it, or asks about a case of it:
/// "まだ504になってないよ", "終了している時は？".
fn is_said_of_the_work(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(['。', '！', '!', '…', ' ']);
    let asks_of_a_case = ["は？", "は?", "も？", "も?"].iter().any(|last| sentence.ends_with(last));
    let complains = ["よ", "けど", "けれど", "のに"].iter().any(|last| end.ends_with(last))
        && !end.ends_with("しよ")
        && !phrases::has(end, &["たい", "ほしい", "欲しい"]);
    asks_of_a_case || complains
}

/// The places that the person only points to: "look at infra/rds for how it is set up".
pub(super) fn shown(sentences: &[Sentence], root: Option<&str>) -> Vec<String> {
    let clauses = sentences.iter().flat_map(Sentence::clauses);
    let shown = clauses.filter(|one| phrases::has(&one.lower, SHOWS));
    shown.flat_map(|one| named_in(&one.text, root)).collect()
}

/// Whether a text ends with a question.
pub(crate) fn asks(text: &str) -> bool {
    let end = text.trim_end();
    let last = &end[end.ceil_char_boundary(end.len().saturating_sub(120))..];
    last.contains(['?', '？'])
        || ["ですか", "ますか", "でしょうか", "ましょうか"].iter().any(|ask| last.contains(ask))
}

/// Whether a prompt speaks of an "it" before it names anything that could be meant: "hm, i'd rather have it on the admin port".
fn is_about_what_was_spoken_of(clauses: &[Sentence]) -> bool {
    for clause in clauses.iter().take(MAX_BEFORE_IT) {
        if ["それ", "これ"].iter().any(|it| clause.lower.starts_with(it)) {
            return true;
        }
        let words: Vec<&str> = clause.lower.split_whitespace().collect();
        let at = words.iter().position(|word| matches!(*word, "it" | "them"));
        // The word before it is what is done to it.
        let before = &words[..at.map_or(words.len(), |at| at.saturating_sub(1))];
        let is_named =
            before.iter().any(|word| !is_small(word) && !crate::words::words(word).is_empty());
        let is_idle = |at: usize| words.get(at + 1).is_some_and(|next| IDLE.contains(next));
        match at {
            _ if is_named => return false,
            Some(at) if at > 0 && PUTS_OFF.contains(&words[at - 1]) => return false,
            Some(at) if at > 0 && !is_idle(at) && !OPENS.contains(&words[at - 1]) => return true,
            _ => {}
        }
    }
    false
}

/// So far into a prompt an "it" is looked for.
const MAX_BEFORE_IT: usize = 4;
/// An "it" before these is nothing.
const IDLE: &[&str] = &[
    "is", "was", "would", "should", "could", "can", "will", "seems", "looks", "turns", "takes",
    "does", "has", "possible", "so", "easier", "easy", "clear", "that",
];
/// Behind these an "it" begins a sentence of its own.
const OPENS: &[&str] = &[
    "that", "if", "when", "because", "since", "so", "and", "but", "as", "where", "while", "though",
    "then", "think", "or",
];

/// Who does this to it has no more to say of it.
const PUTS_OFF: &[&str] = &[
    "leave", "forget", "drop", "skip", "park", "stop", "pause", "keep", "undo", "revert", "scrap",
    "hold", "finish", "commit", "ship", "merge", "push", "close", "leaving", "left",
];

/// Whether a word names nothing: fillers, and what is done.
fn is_small(word: &str) -> bool {
    const SMALL: &[&str] = &[
        "hm",
        "hmm",
        "thinking",
        "thought",
        "reflection",
        "rather",
        "second",
        "actually",
        "please",
        "pls",
        "nice",
        "perfect",
        "great",
        "cool",
        "good",
        "looks",
        "works",
        "thanks",
        "sorry",
        "wait",
        "oh",
    ];
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    SMALL.contains(&bare) || DEEDS.contains(&bare)
}

/// Whether it says what to take for what was spoken of: "use a notification instead", 代わりに通知にして.
fn is_taken_instead(lower: &str) -> bool {
    const TAKES: &[&str] = &["use", "take", "try", "make", "show", "put", "go with"];
    const TAKEN: &[&str] = &["にして", "を使", "に変え", "に変更"];
    let is_short = lower.chars().count() <= MAX_INSTEAD;
    is_short
        && ((lower.trim_end().ends_with("instead") && phrases::has(lower, TAKES))
            || (lower.starts_with("代わりに") && phrases::has(lower, TAKEN)))
}

/// Who says more wants more than another thing.
const MAX_INSTEAD: usize = 50;

/// Whether it puts one thing in the place of another.
fn swaps(lower: &str) -> bool {
    (phrases::has(lower, &["instead"]) && phrases::has(lower, &["use", "with", "take", "try"]))
        || phrases::has(
            lower,
            &["instead of", "rather than", "の代わりに", "のかわりに", "ではなく", "じゃなくて"],
        )
        || is_taken_instead(lower)
        || (phrases::has(lower, &["はやめて", "をやめて"])
            && phrases::has(lower, &["にして", "に変え", "に変更"]))
}

/// What is named is to be looked at.
const SHOWS: &[&str] = &[
    "for how",
    "to see how",
    "for reference",
    "as a reference",
    "as reference",
    "for an example",
    "as an example",
    "for inspiration",
    "を参考に",
    "が参考に",
    "を参照",
];
/// A new topic, said as such, whatever it is about.
const LEAVES: &[&str] = &[
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
    "change of plan",
    "change of plans",
    "new priority",
    "switching gears",
    "switch gears",
    "先にこっち",
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
    "another topic",
    "forget that",
    "forget it",
    "forget about",
    "this can wait",
    "that can wait",
    "in a different file",
    "let's move on",
    "moving on to",
    "switch to",
    "それはやめて",
    "ところで",
];
/// The next thing.
const NEXT: &[&str] = &["now", "next", "ok now", "okay now", "then", "今度", "次", "次に", "次は"];
/// It has to be done first.
const FIRST: &[&str] = &[
    "first",
    "before that",
    "before you",
    "before we",
    "before it",
    "before going",
    "before continuing",
    "beforehand",
    "hold on",
    "その前に",
    "先に",
    "まず",
    "見る前に",
    "事前に",
];
/// "First" in these is no order of work.
const NOT_FIRST: &[&str] = &[
    "first one",
    "first part",
    "first half",
    "first line",
    "first page",
    "first name",
    "first of",
];
/// It is to be done beside the task.
const BESIDE: &[&str] = &[
    "in the meantime",
    "meanwhile",
    "in parallel",
    "at the same time",
    "alongside",
    "while you're at it",
    "while we're at it",
    "while you are at it",
    "while we're here",
    "while you're there",
    "on the side",
    "並行して",
    "その間に",
    "てる間に",
    "ている間に",
    "while that runs",
    "while it runs",
    "while that is running",
    "while that's running",
    "while you wait",
    "while you are waiting",
    "while you're waiting",
    "ついでに",
    "それとは別に",
    "合わせて",
    "あわせて",
];
/// It is said by the way.
const ASIDE: &[&str] = &[
    "btw",
    "by the way",
    "before you continue",
    "before you go on",
    "then continue",
    "then go on",
    "otherwise",
    "も含めて",
    "でいいです",
];
/// What a person only passes on.
const PASSES_ON: &[&str] =
    &["the log says", "it says", "i get", "gives me", "error:", "traceback", "エラー:", "と出"];
/// Something is added.
const ALSO: &[&str] = &[
    "also",
    "plus",
    "one more",
    "もお願い",
    "も追加",
    "も更新",
    "も直",
    "も書いて",
    "も書いといて",
    "あと、",
    "それと",
];
/// What stands beside nearly every task.
const SIDE: &[&str] = &[
    "test",
    "tests",
    "changelog",
    "readme",
    "docs",
    "doc",
    "documentation",
    "lint",
    "version",
    "package",
    "dependency",
    "dependencies",
    "log",
    "md",
    "yml",
    "wiki",
    "storybook",
    "rule",
    "help text",
    "metric",
    "テスト",
    "ドキュメント",
];
/// What was said before is meant, or more of the same.
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
/// What was made is not as it should be.
const IS_TOO: &[&str] = &["is too", "are too", "looks too", "is still", "are still"];
/// The agent did something that it should not have.
const YOU_DID: &[&str] = &[
    "you lost",
    "you broke",
    "you forgot",
    "you missed",
    "you removed",
    "you dropped",
    "you left",
    "you changed",
    "you added",
    "you skipped",
];
/// In one case.
const IN_CASE: &[&str] = &["のときは", "の時は", "の場合は", "ときだけ", "場合だけ"];
/// The same once more.
const AGAIN: &[&str] =
    &["try again", "once more", "one more time", "もう一回", "もう一度", "再度", "やり直して"];
/// What was said before is meant.
const REFERS: &[&str] = &[
    "it", "its", "them", "those", "these", "that", "this", "they", "there", "それ", "これ", "その",
];
/// A question that goes on with what was spoken of.
const FURTHER: &[&str] = &[
    "what about",
    "how about",
    "what happens",
    "what would happen",
    "and",
    "or",
    "but",
    "what if",
    "so",
    "あと",
    "では",
    "じゃあ",
];
/// An answer.
const ANSWERS: &[&str] = &[
    "yes",
    "no",
    "ok",
    "okay",
    "sure",
    "fine",
    "thanks",
    "thank",
    "thx",
    "great",
    "perfect",
    "good",
    "nice",
    "cool",
    "alright",
    "right",
    "of course",
    "go on",
    "go ahead",
    "continue",
    "keep",
    "proceed",
    "do it",
    "both",
    "neither",
    "please do",
    "hmm",
    "better",
    "looks good",
    "looks great",
    "lgtm",
    "shorter",
    "longer",
    "simpler",
    "smaller",
    "bigger",
    "faster",
    "👍",
    "はい",
    "いいえ",
    "うん",
    "ありがとう",
    "了解",
    "お願い",
    "続け",
    "いや",
    "それで",
    "問題",
    "わかり",
    "じゃあ",
    "では",
];
/// What is to be done stands elsewhere.
pub(super) const FOLLOWS: &[&str] = &[
    "implement",
    "follow",
    "according to",
    "described in",
    "as described",
    "specified in",
    "outlined in",
    "execute",
    "work through",
    "carry out",
    "do what",
    "continue with",
    "start with",
    "per",
    "read",
    "see",
    "do",
    "finish",
    "complete",
    "work on",
    "の通り",
    "のとおり",
    "に従って",
    "に沿って",
    "を実装",
    "を進めて",
    "を読んで",
    "をやって",
];
/// Something to do.
pub(super) const DEEDS: &[&str] = &[
    "add",
    "write",
    "create",
    "implement",
    "fix",
    "make",
    "remove",
    "delete",
    "rename",
    "convert",
    "replace",
    "migrate",
    "upgrade",
    "refactor",
    "generate",
    "set up",
    "move",
    "port",
    "build",
    "find",
    "profile",
    "benchmark",
    "explain",
    "help",
    "turn",
    "switch",
    "change",
    "show",
    "draw",
    "clone",
    "prepare",
    "look",
    "stabilise",
    "stabilize",
    "して",
    "見て",
    "直して",
    "ください",
    "ほしい",
];
/// What was only spoken of is to be done.
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
/// A question.
const ASKS: &[&str] = &[
    "what", "why", "how", "where", "which", "who", "does", "do", "did", "is", "are", "can",
    "could", "should", "any",
];
