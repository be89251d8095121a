//! Finds tasks by words.

use verger_chronicle::KeptTask;
use verger_text::{Script, in_usual_width, is_stop_word, runs, stem};

/// The maximum number of words of a query. Further words are ignored.
const MAX_WORDS: usize = 32;
/// The weight of a whole word. A word in a script without spaces is also found by its pairs of
/// characters; its weight is the share of pairs that the text has, and 0 below half.
const WHOLE: u64 = 12;
/// The weight of another form of a word, such as `redirected`.
const OTHER_FORM: u64 = 9;
/// The weight of a word at the beginning of a longer word, as in ダークモード.
const BEGINNING: u64 = 6;
/// Shorter words match only at the beginning of a word, because `rs` is also in `parser`.
const MIN_INNER: usize = 4;
/// Shorter katakana words don't match at the beginning of longer words, because many words begin
/// with them: ログ is not ログイン.
const MIN_BEGINNING: usize = 3;

/// The tasks that contain words of the query, best first. A word in a goal has more weight than in
/// a step, and a rare word has more weight than a frequent one. Tasks with all words come before
/// tasks with some.
pub(crate) fn search(tasks: Vec<KeptTask>, Question(words): &Question) -> Vec<KeptTask> {
    let weighed: Vec<Vec<u64>> = tasks
        .iter()
        .map(|task| {
            let texts = texts(task);
            words.iter().map(|word| weight(&texts, word)).collect()
        })
        .collect();
    let having = |word: usize| weighed.iter().filter(|weights| weights[word] > 0).count() as u64;
    let total = tasks.len() as u64;
    let rarity: Vec<u64> = (0..words.len())
        .map(|word| 1 + total.checked_div(having(word)).unwrap_or_default().min(16))
        .collect();
    let mut ranked: Vec<(u64, KeptTask)> = tasks
        .into_iter()
        .zip(&weighed)
        .map(|(task, weights)| {
            let sum: u64 =
                weights.iter().zip(&rarity).map(|(weight, rarity)| weight * rarity).sum();
            let found = weights.iter().filter(|weight| **weight > 0).count() as u64;
            (sum * found, task)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    // The sort is stable, so that of equal tasks the latest stays first.
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    ranked.into_iter().map(|(_, task)| task).collect()
}

/// The words of a query without stop words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Question(Vec<Word>);

/// A word of a query.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// A word of a script with spaces.
    Whole(String),
    /// Characters of a script without spaces. Other characters may be between them: 不具合修正 also
    /// matches 不具合を修正する.
    Unspaced(String),
}

impl Question {
    /// The words of a text without stop words. `None` if no word is left.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut words: Vec<Word> = vec![];
        for word in in_usual_width(text).split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            for word in cut(&word) {
                if !words.contains(&word) && words.len() < MAX_WORDS {
                    words.push(word);
                }
            }
        }
        (!words.is_empty()).then_some(Self(words))
    }
}

/// Splits a text without spaces into words. Hiragana separates them, because it is mostly grammar.
fn cut(text: &str) -> Vec<Word> {
    let unspaced = runs(text).filter(|run| run.script != Script::Spaced);
    let unspaced: Vec<&str> = unspaced.map(|run| run.letters).collect();
    let whole = |word: &str| (!is_silent(word)).then(|| Word::Whole(word.to_owned()));
    if unspaced.is_empty() {
        return whole(text).into_iter().collect();
    }
    // Latin words keep the characters between their parts, as in `src/auth.rs`.
    let latin = text.split(|c: char| !c.is_ascii());
    let latin = latin.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    let unspaced = unspaced.into_iter().filter(|run| !is_silent(run));
    unspaced.map(|run| Word::Unspaced(run.to_owned())).chain(latin.filter_map(whole)).collect()
}

/// Whether a word is ignored: English stop words, and single letters and kana.
fn is_silent(word: &str) -> bool {
    let is_small = |c: char| c.is_ascii() || ('\u{3041}'..='\u{30ff}').contains(&c);
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some(only), None) => is_small(only),
        (Some(_), Some(_)) => is_stop_word(word),
    }
}

/// The searched texts of a task, each with its weight.
fn texts(task: &KeptTask) -> Vec<(u64, String)> {
    let details = &task.details;
    let decisions: Vec<String> = details.decisions.iter().map(ToString::to_string).collect();
    let texts = [
        (8, task.goal.clone()),
        (6, task.query.clone()),
        (5, details.files.join("\n")),
        (4, decisions.join("\n")),
        (3, details.tags.join("\n")),
        (2, details.constraints.join("\n")),
        (1, details.trace.join("\n")),
    ];
    texts.into_iter().map(|(weight, text)| (weight, in_usual_width(&text).to_lowercase())).collect()
}

fn weight(texts: &[(u64, String)], word: &Word) -> u64 {
    texts.iter().map(|(weight, text)| weight * share(text, word)).sum()
}

/// How well a text matches a word, as a weight.
fn share(text: &str, word: &Word) -> u64 {
    match word {
        Word::Whole(word) if has(text, word) => WHOLE,
        Word::Whole(word) => u64::from(has_form(text, word)) * OTHER_FORM,
        Word::Unspaced(word) if word.chars().count() < MIN_INNER => {
            // ログ must not match ログイン, but it matches the end of アクセスログ.
            let is_kana = |c: char| ('\u{30a1}'..='\u{30fc}').contains(&c);
            let goes_on = |at: usize| text[at + word.len()..].starts_with(is_kana);
            let may_begin = word.chars().count() >= MIN_BEGINNING;
            let found = text.match_indices(word.as_str()).map(|(at, _)| {
                if !word.ends_with(is_kana) || !goes_on(at) {
                    WHOLE
                } else if may_begin && !text[..at].ends_with(is_kana) {
                    BEGINNING
                } else {
                    0
                }
            });
            found.max().unwrap_or_default()
        }
        Word::Unspaced(word) if text.contains(word.as_str()) => WHOLE,
        Word::Unspaced(word) => {
            let ends = word.char_indices().map(|(at, _)| at).skip(2).chain([word.len()]);
            let pairs: Vec<&str> =
                word.char_indices().zip(ends).map(|((at, _), end)| &word[at..end]).collect();
            let found = pairs.iter().filter(|pair| text.contains(**pair)).count();
            // With less than half of the pairs, the text contains another word.
            if 2 * found < pairs.len() { 0 } else { WHOLE * found as u64 / pairs.len() as u64 }
        }
    }
}

/// Whether a text has another word with the same stem.
fn has_form(text: &str, word: &str) -> bool {
    let is_word = |word: &str| {
        word.len() >= MIN_INNER && word.bytes().all(|letter| letter.is_ascii_lowercase())
    };
    if !is_word(word) {
        return false;
    }
    let sought = stem(word);
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| is_word(word));
    words.filter(|other| other[..1] == word[..1]).any(|other| stem(other) == sought)
}

fn has(text: &str, word: &str) -> bool {
    let is_long = word.len() >= MIN_INNER || !word.is_ascii();
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| is_long || begins(at))
}

#[cfg(test)]
mod tests {
    use verger_chronicle::TaskDetails;
    use verger_event::{EventId, Timestamp};

    use super::*;

    fn task(goal: &str, files: &[&str], trace: &[&str]) -> KeptTask {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        KeptTask {
            id: EventId::new(Timestamp::from_millis(1), 1),
            at: Timestamp::from_millis(1),
            agent: "claude".to_owned(),
            session: "s".to_owned(),
            user: None,
            number: 1,
            parent: None,
            status: "complete".to_owned(),
            trigger: "complete".to_owned(),
            query: goal.to_owned(),
            goal: goal.to_owned(),
            commit: None,
            details: TaskDetails {
                files: owned(files),
                trace: owned(trace),
                ..TaskDetails::default()
            },
            earlier: vec![],
        }
    }

    #[track_caller]
    fn check(question: &str, expected: &[&str]) {
        let tasks = vec![
            task("Fix the login redirect", &["src/login.rs"], &["Ran cargo test"]),
            task("Write the docs", &["docs/login.md"], &["Changed docs/login.md"]),
            task("Speed up the parser", &["src/parser.rs"], &["Read src/login.rs"]),
            task("ログインの不具合を直す", &["src/auth.rs"], &[]),
        ];
        let question = Question::of(question).unwrap();
        let found: Vec<_> = search(tasks, &question).into_iter().map(|task| task.goal).collect();
        assert_eq!(found, expected, "{question:?}");
    }

    #[test]
    fn the_best_fitting_tasks_come_first() {
        let (login, docs) = ("Fix the login redirect", "Write the docs");
        check("login", &[login, docs, "Speed up the parser"]);
        check("LOGIN docs", &[docs, login, "Speed up the parser"]);
        check("src/parser.rs", &["Speed up the parser"]);
        check("ログイン", &["ログインの不具合を直す"]);
        check("\"redirect\"?", &[login]);
        check("kubernetes", &[]);
        check("the docs of a login", &[docs, login, "Speed up the parser"]);
        check("up", &["Speed up the parser"]);
        check("in go", &[]);
        check("不具合 の", &["ログインの不具合を直す"]);
    }

    #[test]
    fn japanese_is_found_by_its_words_although_nothing_separates_them() {
        let login = "ログイン画面の不具合を修正する";
        let cases: [(&str, &[&str]); 12] = [
            ("ログインの不具合", &[login]),
            ("不具合修正", &[login]),
            ("ログイン画面", &[login]),
            ("画面のログインを直したやつ", &[login]),
            ("前回やったログインの修正", &[login]),
            ("請求書PDF", &["請求書の PDF を出力する"]),
            ("PDFの請求書", &["請求書の PDF を出力する"]),
            ("ログの出力", &["ログを標準出力に出す", "請求書の PDF を出力する"]),
            ("src/auth.rsの修正", &[login]),
            ("やりとり", &["メールのやりとりを保存する"]),
            ("在庫", &[]),
            ("ロケット", &[]),
        ];
        for (question, expected) in cases {
            let tasks = vec![
                task("請求書の PDF を出力する", &["src/invoice.ts"], &[]),
                task(login, &["src/auth.rs"], &[]),
                task("ログを標準出力に出す", &["src/log.ts"], &[]),
                task("メールのやりとりを保存する", &["src/mail.ts"], &[]),
            ];
            let asked = Question::of(question).unwrap();
            let found: Vec<_> = search(tasks, &asked).into_iter().map(|task| task.goal).collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn words_are_found_in_their_other_forms() {
        let login = "Fix the login redirect";
        for question in ["redirects", "redirected", "redirecting", "ｒｅｄｉｒｅｃｔ", "Redirects?"]
        {
            check(question, &[login]);
        }
        check("logins", &[login, "Write the docs", "Speed up the parser"]);
        check("ＬＯＧＩＮ", &[login, "Write the docs", "Speed up the parser"]);
        check("ﾛｸﾞｲﾝ", &["ログインの不具合を直す"]);
        let dark = || vec![task("ダークモードを足す", &[], &[]), task("ログインを直す", &[], &[])];
        for (question, expected) in [
            ("ダーク", vec!["ダークモードを足す"]),
            ("ﾀﾞｰｸﾓｰﾄﾞ", vec!["ダークモードを足す"]),
            ("モード", vec!["ダークモードを足す"]),
            ("ーモー", vec![]),
            ("ログ", vec![]),
        ] {
            let found = search(dark(), &Question::of(question).unwrap());
            let found: Vec<_> = found.iter().map(|task| task.goal.as_str()).collect();
            assert_eq!(found, expected, "{question}");
        }
        let tasks = vec![task("Retry what failed", &[], &[]), task("ﾛｸﾞを消す", &[], &[])];
        let found = |question: &str| search(tasks.clone(), &Question::of(question).unwrap());
        assert_eq!(found("retries"), tasks[..1]);
        assert_eq!(found("ログ"), tasks[1..]);
    }

    #[test]
    fn words_that_say_nothing_are_no_question() {
        for text in ["", "...", "the", "what was in it?", "の", "a b", "--"] {
            assert_eq!(Question::of(text), None, "{text}");
        }
    }
}
