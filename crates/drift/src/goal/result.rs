//! What an instruction wants to stand there, word for word.
//!
//! "Bump the limit to 2Gi", "typo: 'recieved' → 'received'" and 「今すぐ購入」に変えて are done when a change put
//! that in. Where more is wanted, nothing is read: only a whole task can be done.

use std::ops::Range;

use super::phrases;
use crate::words::spelled;

/// Whoever says more wants more.
const MAX_CHARS: usize = 160;
/// So many words of it are kept.
const MAX_WORDS: usize = 8;

/// Something that is written down as it is meant.
#[derive(Debug)]
struct Literal {
    at: Range<usize>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A text in quotation marks.
    Text,
    /// A name in backticks.
    Name,
    /// A number, a size, a colour.
    Value,
}

/// The words of what is to stand there, as they are spelled; none where that is not all that is wanted.
pub(super) fn result(prose: &str) -> Vec<String> {
    if prose.trim().chars().nth(MAX_CHARS).is_some() {
        return Vec::new();
    }
    let lower = prose.trim().to_lowercase();
    if phrases::has(&lower, MORE) {
        return Vec::new();
    }
    let literals = literals(&lower);
    let is_typo = phrases::has(&lower, TYPO);
    let is_meant = |one: &&Literal| {
        (is_typo && one.kind == Kind::Text)
            || is_put(&lower[..one.at.start], &lower[one.at.end..], &lower)
    };
    let is_open = |one: &Literal| {
        let is_old = is_old(&lower[..one.at.start], &lower[one.at.end..]);
        one.kind == Kind::Value && !is_typo && !is_meant(&one) && !is_old
    };
    if literals.iter().any(is_open) {
        return Vec::new();
    }
    let meant = literals.iter().filter(is_meant).flat_map(|one| spelled(&lower[one.at.clone()]));
    meant.filter(|word| is_telling(word)).take(MAX_WORDS).collect()
}

/// Whether a change that exchanges these words put that in.
pub(crate) fn is_put_in<'a>(
    result: &[String],
    mut exchanged: impl Iterator<Item = &'a String>,
) -> bool {
    exchanged.any(|word| result.iter().any(|wanted| is_same(wanted, word)))
}

/// `30s` may be written `30` or `30_000`.
fn is_same(wanted: &str, word: &str) -> bool {
    let number = |text: &str| -> String {
        let end = text.find(|c: char| !c.is_ascii_digit() && !"._".contains(c));
        text[..end.unwrap_or(text.len())].replace('_', "")
    };
    if wanted == word {
        return true;
    }
    let (wanted, word) = (number(wanted), number(word));
    !wanted.is_empty() && word.strip_prefix(&wanted).is_some_and(|rest| matches!(rest, "" | "000"))
}

/// Words that many texts have tell nothing.
fn is_telling(word: &str) -> bool {
    word.len() > 2 || word.contains(|c: char| c.is_ascii_digit())
}

fn literals(text: &str) -> Vec<Literal> {
    const MARKS: [(char, char); 6] =
        [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('\'', '\''), ('`', '`')];
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(c) = text[from..].chars().next() {
        let rest = &text[from + c.len_utf8()..];
        let begins = !text[..from].ends_with(|c: char| c.is_ascii_alphanumeric());
        let close = MARKS.iter().find(|(open, _)| *open == c && begins).map(|(_, close)| *close);
        if let Some(len) = close.and_then(|close| rest.find(close)) {
            let start = from + c.len_utf8();
            let kind = if c == '`' { Kind::Name } else { Kind::Text };
            found.push(Literal { at: start..start + len, kind });
            from = start + len + close.map_or(0, char::len_utf8);
            continue;
        }
        let word = &text[from..];
        let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || "#._%".contains(c)));
        let word = &word[..end.unwrap_or(word.len())];
        if begins && (word.contains(|c: char| c.is_ascii_digit()) || is_colour(word)) {
            let len = word.trim_end_matches('.').len();
            found.push(Literal { at: from..from + len, kind: Kind::Value });
        }
        from += word.len().max(c.len_utf8());
    }
    found
}

fn is_colour(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|rest| matches!(rest.len(), 3 | 6 | 8))
}

/// Whether what stands between these is put there.
fn is_put(before: &str, after: &str, all: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "'\"“「『`(（".contains(c));
    let ends = |ends: &[&str]| ends.iter().any(|end| before.ends_with(end));
    ends(PUTS) || (ends(&[" to"]) && phrases::has(all, SETS)) || is_put_in_japanese(after)
}

fn is_put_in_japanese(after: &str) -> bool {
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || "'\"”」』`)）".contains(c));
    // 2026年に, 50件に
    let units = after.char_indices().take(3).find(|(_, c)| matches!(c, 'に' | 'へ'));
    units.is_some_and(|(at, c)| {
        let deed = &after[at + c.len_utf8()..];
        PUTS_JA.iter().any(|put| deed.starts_with(put))
    })
}

/// Whether it is what stood there before.
fn is_old(before: &str, after: &str) -> bool {
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || "'\"”」』`)）".contains(c));
    before.trim_end().ends_with(" from")
        || phrases::begins(after, &["to", "->"])
        || ["→", "⇒", "=>", "から", "ではなく", "じゃなく"].iter().any(|old| after.starts_with(old))
}

/// What stands behind is to be there.
const PUTS: &[&str] = &["→", "->", "=>", "⇒", "should be", "should say", "should read", "must be"];
/// Somebody who does this to something sets it.
const SETS: &[&str] = &[
    "bump", "set", "change", "raise", "increase", "lower", "reduce", "decrease", "update", "turn",
    "switch",
];
const PUTS_JA: &[&str] =
    &["し", "変", "直", "修正", "上げ", "下げ", "設定", "更新", "増や", "減ら"];
const TYPO: &[&str] = &["typo", "misspelled", "misspelt", "spelling", "誤字", "タイポ", "誤記"];
/// More is wanted than one thing.
const MORE: &[&str] = &[
    "and",
    "also",
    "then",
    "plus",
    "as well",
    "everywhere",
    "all",
    "every",
    "each",
    "どちらも",
    "両方",
    "それと",
    "あと",
    "また",
    "さらに",
    "ついで",
    "全",
    "すべて",
    "各",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_stand_there_is_read_word_for_word() {
        let cases = [
            (
                "typo in `brewlog --help`: \"fermentaion\" → \"fermentation\"",
                "fermentaion fermentation",
            ),
            ("fix the typo in the welcome mail subject: 'Welcom to Acme'", "welcom acme"),
            ("bump memory limit of the geocoder to 2Gi in the helm chart", "2gi"),
            ("bump the default request timeout from 10s to 30s", "30s"),
            ("the login button should say 'Sign in'", "sign"),
            ("Please bump the RDS instance in staging to db.t4g.large", "db.t4g.large"),
            ("予約確定ボタンの色、青じゃなくてブランドの緑(#2f8f5b)にしてください", "2f8f5b"),
            ("購入ボタンの文言を「カートに入れる」から「今すぐ購入」に変えて", "今すぐ購入"),
            ("フッターの著作権表示を2026年にして", "2026"),
            // More than that is wanted, or something else.
            ("Bump the RDS instance to db.r6g.large and give it 200 GB", ""),
            (
                "change the interval from 100ms to 1s when idle, 100ms only for 30s after a press",
                "",
            ),
            ("POST /uploads gives 413 above 1 MB, the limit should be 25 MB", ""),
            ("add a `timeout` parameter to Client.fetch, default 30s", ""),
            ("upgrade to node 20", ""),
            ("Rename `Customer` to `Account` everywhere", ""),
        ];
        for (prompt, expected) in cases {
            assert_eq!(result(prompt).join(" "), expected, "{prompt}");
        }
    }
}
