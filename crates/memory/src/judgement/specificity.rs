//! Empty generalities: sentences that fit any project and so help in none.
//!
//! Only what says nothing at all is turned away. A text says something as soon as it names a thing
//! of code (a path, a flag, an identifier, a number, anything in backticks) or has a word that is
//! not in everybody's mouth. Tags do not count: they cost nothing.

use std::collections::HashSet;

use verger_text::identifiers;

use crate::candidate::Candidate;

/// Words of which any number says nothing about any project.
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

/// So many words that are not general say something. Hardly any: a good learning that is turned
/// away is lost, an empty one fades.
const ENOUGH_WORDS: usize = 1;

pub(super) fn says_nothing(candidate: &Candidate) -> bool {
    let text = candidate.whole_text();
    !names_code(&text) && special_words(&text) < ENOUGH_WORDS
}

/// Whether something in it is from code rather than from prose.
fn names_code(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) || identifiers(text).next().is_some()
}

/// How many different words are not in everybody's mouth.
fn special_words(text: &str) -> usize {
    let general: HashSet<&str> = GENERAL.split(' ').collect();
    let lower = text.to_lowercase();
    let is_end = |c: char| !c.is_alphanumeric() && c != '\'';
    let words = lower.split(is_end).filter(|word| word.chars().count() > 2 && word.is_ascii());
    let special: HashSet<&str> = words.filter(|word| !general.contains(word)).collect();
    special.len() + special_japanese(&lower)
}

/// What is left of the words in kanji and katakana, in twos.
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

    fn is_empty(summary: &str, detail: &str) -> bool {
        let (summary, detail) = (summary.to_owned(), detail.to_owned());
        let tags = vec!["naming".to_owned(), "PaymentGateway".to_owned()];
        says_nothing(&Candidate { summary, detail, tags, ..Candidate::default() })
    }

    #[test]
    fn what_fits_any_project_says_nothing() {
        for (summary, detail) in [
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
                "Read the documentation first",
                "Reading the docs before making changes saves time and avoids errors.",
            ),
            (
                "Follow the existing conventions",
                "Consistency with the existing code is important for the project.",
            ),
            (
                "Handle errors properly",
                "Make sure that all errors and edge cases are handled correctly.",
            ),
            (
                "コードベースの構造を理解した",
                "変更する前にコードを読んで理解することが重要である。",
            ),
            ("テストは大切である", "常にテストを書いて品質を確認することが必要です。"),
        ] {
            assert!(is_empty(summary, detail), "{summary}");
        }
    }

    #[test]
    fn whatever_names_something_is_let_pass() {
        for (summary, detail) in [
            ("Always write good tests", "Tests of the scheduler need a fake clock."),
            ("Handle errors properly", "`save()` swallows them."),
            ("Read the documentation first", "The limit is 5 MB."),
            ("Follow the conventions", "Handlers live in src/http."),
            ("Use tabs for indentation", "Makefiles break with spaces."),
            ("金額は整数の円で保存する", "小数にすると丸め誤差が出る。"),
            ("テストは大切である", "スケジューラのテストでは時計を固定する。"),
        ] {
            assert!(!is_empty(summary, detail), "{summary}");
        }
    }
}
