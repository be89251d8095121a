//! Parses limits in Japanese: `src/api は触らないで`, `main にコミットしないで`, `a.rs だけ変更して`.

use super::object::{Verb, limit_on, path};
use super::{Limit, SaidLimit};
use crate::paths::PathPattern;
use crate::phrases::contains_any;

/// Nouns that form verbs with する.
const NOUNS: &[(&str, Verb)] = &[
    ("変更|編集|修正|更新|改変", Verb::Change),
    ("削除", Verb::Delete),
    ("コミット|commit", Verb::Commit),
    ("プッシュ|push", Verb::Push),
    ("作成", Verb::Open),
    ("追加|インストール", Verb::Add),
    ("スタッシュ|stash", Verb::Stash),
    ("実行|使用|利用", Verb::Run),
];
/// Endings after a noun that forbid the action.
const NOT_DONE: &str = "しないで|しないこと|しないように|するな|は禁止|禁止";
/// Endings after a noun that ask for the action.
const DONE: &str = "してください|して|すること";
/// Forms of verbs without する that forbid an action.
const FORBIDDEN: &[(&str, Verb)] = &[
    ("触らないで|触らないこと|触るな|さわらないで|さわるな", Verb::Change),
    ("いじらないで|いじらないこと|いじるな|書き換えないで|書き換えるな", Verb::Change),
    ("変えないで|変えないこと|変えるな", Verb::Change),
    ("消さないで|消さないこと|消すな", Verb::Delete),
    ("作らないで|作るな|出さないで|出すな", Verb::Open),
    ("増やさないで|増やすな|入れないで|入れるな", Verb::Add),
    ("使わないで|使わないこと|使うな|走らせないで|回さないで|叩かないで", Verb::Run),
];
/// Forms of verbs without する that ask for an action.
const ASKED: &[(&str, Verb)] = &[("触って|いじって|変えて|書き換えて|直して", Verb::Change)];

const POLITE: &str = "ください|下さい|ほしい|欲しい|お願いします|お願い|です|ね|よ|！|!|〜|ー";
const LEAD_INS: &str =
    "まだ|とりあえず|一旦|今は|今回は|あと|また|そして|でも|ただし|ただ|なお|もう";
const ADVERBS: &str = "絶対に|絶対|決して|まだ";
const NEVER: &str = "絶対に|絶対|決して";
/// Words that make a sentence a condition. Such a sentence is skipped.
const CONDITIONS: &str = "たら|れば|場合|とき|時は|時に|なら|まで|前に|後に|限り|勝手に|基本";
/// Words that make a clause the reason for the next clause.
const REASONS: &str = "ので|から";
const PARTICLES: &str = "には|へは|は|を|に|も|へ|が";
/// Nouns that may follow a path without changing its meaning.
const FILE_NOUNS: &str =
    "のファイル|ファイル|フォルダー|フォルダ|ディレクトリ|配下|以下|の中身|の中|の";

/// The limits in a block of Japanese text.
pub(super) fn limits_in(block: &str, root: Option<&str>) -> Vec<SaidLimit> {
    let mut found = vec![];
    for sentence in block.split_inclusive(['。', '！', '？', '?', '!']) {
        let is_question =
            sentence.ends_with(['？', '?']) || sentence.trim_end_matches('。').ends_with('か');
        if is_question || contains_any(sentence, CONDITIONS) {
            continue;
        }
        let clauses = sentence.trim_end_matches(['。', '！', '!']);
        for clause in clauses.split(['、', ',', '，', '（', '）', '(', ')']) {
            if contains_any(clause, REASONS) {
                break;
            }
            found.extend(in_clause(clause.trim(), root).unwrap_or_default());
        }
    }
    found
}

/// The text without one of the endings in `ends`. `None` if the text has none of them.
fn without_end<'a>(text: &'a str, ends: &str) -> Option<&'a str> {
    ends.split('|').find_map(|end| text.strip_suffix(end)).map(str::trim_end)
}

fn without_begin<'a>(text: &'a str, begins: &str) -> Option<&'a str> {
    begins.split('|').find_map(|begin| text.strip_prefix(begin)).map(str::trim_start)
}

fn in_clause(clause: &str, root: Option<&str>) -> Option<Vec<SaidLimit>> {
    let mut rest = clause;
    while let Some(shorter) = without_end(rest, POLITE) {
        rest = shorter;
    }
    while let Some(shorter) = without_begin(rest, LEAD_INS) {
        rest = shorter;
    }
    let never = without_begin(rest, NEVER);
    let rest = never.unwrap_or(rest);
    let limits = match Clause::of(rest, DONE, ASKED) {
        Some(Clause { object, verb: Verb::Change }) => {
            let only = without_end(object, "だけを|だけ|のみを|のみ")?;
            vec![Limit::OnlyPaths(paths_in(only, root)?)]
        }
        Some(_) => return None,
        None => Clause::of(rest, NOT_DONE, FORBIDDEN)?.limits(root)?,
    };
    let said = if never.is_some() { SaidLimit::never } else { SaidLimit::plain };
    Some(limits.into_iter().map(said).collect())
}

/// A verb at the end of a clause, and the text before the verb.
struct Clause<'a> {
    object: &'a str,
    verb: Verb,
}

impl<'a> Clause<'a> {
    /// Parses a clause that ends with one of `verbs`, or with a noun and one of `endings`.
    fn of(clause: &'a str, endings: &str, verbs: &[(&str, Verb)]) -> Option<Self> {
        Self::before(clause, verbs).or_else(|| {
            let rest = without_end(clause, endings)?;
            Self::before(without_end(rest, PARTICLES).unwrap_or(rest), NOUNS)
        })
    }

    fn before(text: &'a str, verbs: &[(&str, Verb)]) -> Option<Self> {
        verbs
            .iter()
            .find_map(|(ends, verb)| Some(Self { object: without_end(text, ends)?, verb: *verb }))
    }

    fn limits(&self, root: Option<&str>) -> Option<Vec<Limit>> {
        let object = without_end(self.object, ADVERBS).unwrap_or(self.object);
        let object = without_end(object, PARTICLES).unwrap_or(object);
        if let Some(kept) = without_end(object, "以外|以外のファイル") {
            return Some(vec![Limit::OnlyPaths(paths_in(kept, root)?)]);
        }
        // Two nouns with one verb, as in "コミットもプッシュもしないで".
        if let Some(Self { object: "", verb }) = Self::before(object, NOUNS) {
            return Some(vec![limit_on(verb, "", root)?, limit_on(self.verb, "", root)?]);
        }
        let object = without_begin(object, "新しい|新規の").unwrap_or(object);
        let limit = |part| limit_on(self.verb, without_file_nouns(part), root);
        object.split(['と', 'や', '・']).map(limit).collect()
    }
}

/// The paths of an object. `None` if a part of the object isn't a path.
fn paths_in(object: &str, root: Option<&str>) -> Option<Vec<PathPattern>> {
    object.split(['と', 'や', '・']).map(|part| path(without_file_nouns(part), root)).collect()
}

fn without_file_nouns(part: &str) -> &str {
    let mut part = part.trim();
    while let Some(shorter) = without_end(part, FILE_NOUNS).filter(|shorter| !shorter.is_empty()) {
        part = shorter;
    }
    part
}
