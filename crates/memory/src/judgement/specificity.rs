//! Checks whether a candidate is vague: a sentence that could be about any project, and so doesn't
//! help in this one.
//!
//! A text is concrete if its summary or detail has one of these: a digit, something from code (a
//! path, a flag, an identifier, anything in backticks), a quotation, or a proper name, which is a
//! word with a capital letter that doesn't begin a sentence. Without any of them the summary must
//! have three words that aren't general. Files, symbols and tags don't count, because they can be
//! added to any sentence.
//!
//! The rule checks forms, not meaning. It accepts a sentence without content if it has a name or a
//! number, and a sentence of rare words that teaches nothing. If a true sentence is rejected, the
//! message says what to add.

use std::collections::HashSet;

use verger_text::identifiers;

use crate::candidate::Candidate;

/// General words, which say nothing about a project.
const GENERAL: &str = "\
    a an the this that these those it its they them their there here we us our you your i my me he \
    is are was were be been being am do does did done doing has have had having can could may might \
    must shall should will would need needs needed require requires required of in on at to for from \
    by with without into as about and or but so then than thus because since if when while where \
    which who what how why also too well very really quite more most much many some any all every \
    each other others another same own new old first next last time times one two way ways thing things \
    something everything anything nothing lot lots not no never always often sometimes usually \
    only just even still already again later early sooner before after during over up out down \
    good better best bad worse great nice clean clear simple easy hard right wrong proper properly \
    correct correctly important importance essential crucial critical key useful helpful valuable \
    careful carefully attention aware mind remember keep make makes making made sure ensure take \
    takes taking get gets getting give gives use uses used using help helps helped work works worked \
    working run runs go goes going put find finds found look looks looking see try tried know knows \
    knowing known learn learned learnt learning lesson lessons understand understanding understood \
    understands think thinking thought read reading write writing written code codebase coding \
    project projects repository repo file files function functions module modules system systems \
    software application app program development developer developers develop engineering team \
    test tests testing tested bug bugs issue issues problem problems error errors fix fixes fixed \
    fixing change changes changed changing update updates improve improves improved improvement \
    quality readable readability maintainable maintainability maintain robust reliable efficient \
    performance structure structures structured architecture design pattern patterns approach \
    practice practices principle principles standard standards convention conventions consistent \
    consistency consistently document documentation docs documented comment comments naming name \
    names meaningful descriptive requirement requirements task tasks step steps process processes \
    workflow approach solution solutions implementation implement implementing implemented feature \
    features start starting started end finish finished complete completed review reviews reviewing \
    plan planning communication communicate follow follows following followed avoid avoids prevent \
    prevents catch save saves saved lead leads result results cause causes caused matter matters \
    help future session sessions experience knowledge insight insights information details detail \
    existing different various several general generally specific context overall whole part parts \
    together effective effectively successful successfully success quickly slowly fast slow check \
    checks checking checked verify handle handling handled edge cases case deal logic small large \
    short long break breaks breaking it's don't doesn't isn't i've we've let lets want wants possible \
    thorough thoroughly appropriate appropriately ask questions question assumptions assume";

const GENERAL_JAPANESE: &[&str] = &[
    "コードベース",
    "コード",
    "プロジェクト",
    "テスト",
    "ファイル",
    "システム",
    "バグ",
    "エラー",
    "問題",
    "重要",
    "大切",
    "大事",
    "必要",
    "確認",
    "理解",
    "学習",
    "学",
    "注意",
    "品質",
    "設計",
    "構造",
    "実装",
    "機能",
    "修正",
    "変更",
    "改善",
    "開発",
    "作業",
    "方法",
    "場合",
    "今後",
    "次回",
    "情報",
    "内容",
    "全体",
    "仕組",
    "動作",
    "書",
    "読",
    "見",
    "思",
    "知",
    "使",
    "行",
    "作",
    "良",
    "正",
    "丁寧",
    "慎重",
    "適切",
    "常",
    "必",
    "事前",
    "早",
    "レビュー",
    "ドキュメント",
    "チーム",
    "ルール",
    "パターン",
    "プロセス",
];

/// The minimum number of special words in a summary, if neither the summary nor the detail has
/// anything concrete.
const ENOUGH_WORDS: usize = 3;

pub(super) fn is_vague(candidate: &Candidate) -> bool {
    let Candidate { summary, detail, .. } = candidate;
    !has_anchor(summary) && !has_anchor(detail) && special_words(summary) < ENOUGH_WORDS
}

/// Whether the text has something concrete: a digit, a quotation, something from code, or a proper
/// name.
fn has_anchor(text: &str) -> bool {
    text.contains(|c: char| c.is_numeric())
        || identifiers(text).next().is_some()
        || has_quotation(text)
        || has_proper_name(text)
}

/// Pairs of characters that open and close a quotation. Apostrophes don't count.
const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('«', '»')];

fn has_quotation(text: &str) -> bool {
    QUOTES.iter().any(|(open, close)| {
        let quoted = text.split_once(*open).and_then(|(_, rest)| rest.split_once(*close));
        quoted.is_some_and(|(quoted, _)| !quoted.trim().is_empty())
    })
}

/// Whether a word that doesn't begin a sentence has a capital letter.
fn has_proper_name(text: &str) -> bool {
    let mut begins_sentence = true;
    let mut before = ' ';
    let letters = text.char_indices();
    for (at, letter) in letters {
        let begins_word = !before.is_ascii_alphanumeric() && before != '\'' && before != '’';
        let is_name = || {
            let rest = text.get(at + letter.len_utf8()..).unwrap_or_default();
            rest.starts_with(|c: char| c.is_ascii_alphanumeric())
        };
        if begins_word && letter.is_ascii_uppercase() && !begins_sentence && is_name() {
            return true;
        }
        if letter.is_alphanumeric() {
            begins_sentence = false;
        } else if ".!?:;\n。！？".contains(letter) {
            begins_sentence = true;
        }
        before = letter;
    }
    false
}

/// The number of different words that aren't in the list of general words.
fn special_words(text: &str) -> usize {
    let general: HashSet<&str> = GENERAL.split(' ').collect();
    let lower = text.to_lowercase();
    let is_end = |c: char| !c.is_alphanumeric() && c != '\'';
    let words = lower.split(is_end).filter(|word| word.chars().count() > 2 && word.is_ascii());
    let special: HashSet<&str> = words.filter(|word| !general.contains(word)).collect();
    special.len() + special_japanese(&lower)
}

/// The number of pairs of kanji or katakana outside of general words.
fn special_japanese(text: &str) -> usize {
    let mut rest = text.to_owned();
    for general in GENERAL_JAPANESE {
        rest = rest.replace(general, " ");
    }
    let is_letter =
        |c: char| !c.is_ascii() && c.is_alphanumeric() && !('\u{3040}'..='\u{309f}').contains(&c);
    let words: HashSet<&str> =
        rest.split(|c| !is_letter(c)).filter(|word| word.chars().nth(1).is_some()).collect();
    words.iter().map(|word| word.chars().count().div_ceil(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_concrete(summary: &str, detail: &str) -> bool {
        let (summary, detail) = (summary.to_owned(), detail.to_owned());
        let tags = vec!["naming".to_owned(), "PaymentGateway".to_owned()];
        let files = vec!["src/lib.rs".to_owned()];
        !is_vague(&Candidate { summary, detail, tags, files, ..Candidate::default() })
    }

    #[test]
    fn a_text_that_fits_any_project_is_vague() {
        for (summary, detail) in [
            (
                "I learned about the codebase today",
                "It was interesting to see how everything fits together.",
            ),
            ("Testing is important", "We should always write tests before shipping."),
            (
                "I learned about the codebase",
                "It is important to understand how the code works before changing it.",
            ),
            (
                "Always write good tests",
                "Tests help to find bugs early and improve the quality of the code.",
            ),
            (
                "Naming matters for readability",
                "Use meaningful names so that others understand the code better.",
            ),
            (
                "Clean code is easier to maintain",
                "Refactoring regularly keeps technical debt low and makes everybody happier.",
            ),
            (
                "Good communication matters",
                "Asking the user for clarification early avoids misunderstandings.",
            ),
            (
                "Debugging takes patience",
                "Sometimes the root cause isn't obvious and one has to dig deeper.",
            ),
            (
                "Successfully completed the task",
                "The work was finished without major problems and the user is satisfied.",
            ),
            (
                "Security should never be an afterthought",
                "Validate input and sanitize output everywhere: It's worth the time.",
            ),
            (
                "The codebase is well organized",
                "Files are grouped logically, and I'm sure that navigation is easy.",
            ),
            (
                "Version control is essential",
                "Commit often with descriptive messages so that history stays readable.",
            ),
            (
                "コードベースの構造を理解した",
                "変更する前にコードを読んで理解することが重要である。",
            ),
            ("テストは大切である", "常にテストを書いて品質を確認することが必要です。"),
            ("今日はコードベースについて学んだ", "全体の構造がよく分かって、とても勉強になった。"),
        ] {
            assert!(!is_concrete(summary, detail), "{summary}");
        }
    }

    #[test]
    fn a_text_that_names_something_is_concrete() {
        for (summary, detail) in [
            ("Handle errors properly", "`save()` swallows them."),
            ("Read the documentation first", "The limit is 5 MB."),
            ("Follow the conventions", "Handlers live in src/http."),
            ("Use --locked in all builds", "Other versions get in without it."),
            ("Retries double the row", "The build says \"database is locked\" when it happens."),
            ("The billing job takes a lock", "It is held in Redis, because two jobs may start."),
            ("金額は整数の円で保存する", "小数にすると「丸め誤差」が出る。"),
            ("エラーはSentryへ送られる", "送信は非同期で行われるので順序は保証されない。"),
            ("並列では速くならない", "接続は２本までに制限されている。"),
        ] {
            assert!(is_concrete(summary, detail), "{summary}");
        }
    }

    #[test]
    fn three_special_words_of_a_summary_are_enough() {
        let detail = "It helps to know this before making a change.";
        assert!(is_concrete("The rate limiter must come after the auth middleware", detail));
        assert!(!is_concrete("The limiter must be before the middleware", detail));
        assert!(is_concrete("The limiter must be before the middleware", "It reads `user_id`."));
    }
}
