//! What a text is about: its words without those that say nothing.

use std::collections::BTreeSet;

/// How much of a text is read.
const MAX_BYTES: usize = 16 * 1024;

/// Words that are in every text.
const COMMON: &str = "the a an to of in on for and or with from by at is are be it this that as not no do don please \
    can you could would i we my our your me us its they them there then than too also only just now still need needs \
    want let lets has have had was were will been but because so if when what why how where which who does did about \
    into out all any some one first before after next new more make made add added use uses used using write wrote \
    fix fixed fixes update updated run runs ran get gets set sets put take look looks show shows see check file files \
    code test tests work works good great fine ok okay yes thanks thank done go ahead back continue keep going sure \
    other others rest both part page should must same small over src lib app";

const COMMON_JAPANESE: &str =
    "完了 修正 追加 対応 確認 変更 作成 実装 更新 必要 テスト 場合 以下 今回 全部 残り 原因 処理";

/// The words of a text that say what it is about, shortened to their stems.
pub(super) fn topic_of(text: &str) -> BTreeSet<String> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let mut found = BTreeSet::new();
    let mut word = String::new();
    let mut kind = Letter::Other;
    for letter in text.chars().chain([' ']) {
        let next = Letter::of(letter);
        // `parseDuration` is two words.
        let is_hump = kind == Letter::Latin
            && letter.is_ascii_uppercase()
            && word.chars().last().is_some_and(|last| last.is_ascii_lowercase());
        if next != kind || is_hump {
            found.extend(meaning(&word, kind));
            word.clear();
        }
        if next != Letter::Other {
            word.push(letter);
        }
        kind = next;
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Letter {
    Latin,
    Katakana,
    Kanji,
    Other,
}

impl Letter {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Self::Latin,
            '\u{30a0}'..='\u{30ff}' => Self::Katakana,
            '\u{4e00}'..='\u{9fff}' => Self::Kanji,
            _ => Self::Other,
        }
    }
}

fn meaning(word: &str, kind: Letter) -> Option<String> {
    let length = word.chars().count();
    match kind {
        Letter::Latin => {
            let word = word.to_ascii_lowercase();
            let is_number = word.starts_with(|first: char| first.is_ascii_digit());
            let is_common = COMMON.split_ascii_whitespace().any(|common| common == word);
            (length >= 3 && !is_number && !is_common).then(|| stem(&word).to_owned())
        }
        Letter::Katakana | Letter::Kanji => {
            let least = if kind == Letter::Kanji { 2 } else { 3 };
            let is_common = COMMON_JAPANESE.split(' ').any(|common| common == word);
            (length >= least && !is_common).then(|| word.to_owned())
        }
        Letter::Other => None,
    }
}

/// The word without its ending.
fn stem(word: &str) -> &str {
    let endings = ["ing", "ies", "ed", "es", "s"];
    let cut =
        endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= 3));
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_is_about_are_its_uncommon_words() {
        for (text, expected) in [
            ("Please fix the login bug", &["bug", "login"][..]),
            ("parseDuration accepts `1h30m` now", &["accept", "duration", "parse"]),
            ("ユーザー検索のエンドポイントを追加して", &["エンドポイント", "ユーザー", "検索"]),
            ("", &[]),
        ] {
            let found: Vec<_> = topic_of(text).into_iter().collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
