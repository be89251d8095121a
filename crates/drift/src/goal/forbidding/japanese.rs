//! Forbidding in Japanese.

use std::collections::BTreeSet;

use super::super::clauses::Sentence;
use super::super::constraint::{Constraint, Topic, topic_of};
use super::super::phrases::{has, quoted};
use super::object::{endings, named_part};
use super::only;
use crate::paths::{PathPattern, named_in};
use crate::words::all_words;

/// What is said of something that is not to be changed.
const UNTOUCHED: &[&str] = &[
    "触らない",
    "触れない",
    "触れず",
    "手を付けず",
    "手をつけず",
    "手を加えず",
    "触らず",
    "触るな",
    "さわらない",
    "いじらない",
    "いじらず",
    "変更しない",
    "変更せず",
    "変更なし",
    "変更は禁止",
    "変更禁止",
    "変更不可",
    "変更は不可",
    "変えない",
    "変えず",
    "変えるな",
    "編集しない",
    "編集せず",
    "編集禁止",
    "編集は禁止",
    "修正しない",
    "修正せず",
    "修正禁止",
    "書き換えない",
    "書き換えず",
    "書き換え禁止",
    "そのままに",
    "そのままで",
    "そのまま残",
    "手を付けない",
    "手をつけない",
    "手を加えない",
    "手を入れない",
    "手を入れず",
    "編集不可",
    "編集は不可",
    "更新しない",
    "改変しない",
    "改変禁止",
    "いじるな",
    "変更しては",
    "触っては",
    "編集しては",
    "対象外",
];
const NOT_DELETED: &[&str] =
    &["消さない", "消すな", "削除しない", "削除せず", "削除禁止", "削除は禁止"];
const NOT_RUN: &[&str] =
    &["実行しない", "実行せず", "実行禁止", "走らせない", "動かさない", "叩かない"];
const NOT_ADDED: &[&str] = &[
    "追加しない",
    "追加せず",
    "追加禁止",
    "追加は禁止",
    "追加も禁止",
    "追加不可",
    "追加は不可",
    "追加なし",
    "追加はng",
    "追加ng",
    "増やさない",
    "増やさず",
    "入れない",
    "入れず",
    "導入しない",
    "導入せず",
    "使わない",
    "使わず",
    "使用しない",
    "使用せず",
    "使用禁止",
    "なしで",
    "作らない",
    "作成しない",
    "作らず",
    "追加はしない",
    "導入は禁止",
    "追加はなし",
    "入れるな",
    "足さない",
    "インストールしない",
    "インストールせず",
    "インストール禁止",
    "インストールは禁止",
];
const NOT_USED: &[&str] = &["使わない", "使わず", "使用しない", "使用せず", "使用禁止"];
const NOT_DONE: &[&str] =
    &["しない", "せず", "禁止", "不要", "しては", "するな", "まだ", "やめて", "なし", "不可"];
const FORBIDDEN_ALL: &[&str] = &[
    "コードは変更しない",
    "コードはまだ変更しない",
    "コードは変えない",
    "コードは触らない",
    "コードには触らない",
    "コードは書かない",
    "まだ書かない",
    "何も変更しない",
    "何も変えない",
    "何も触らない",
    "変更はしない",
    "変更はまだしない",
    "まだ変更しない",
    "実装はまだ",
    "実装しない",
    "実装はしない",
    "修正はしない",
    "修正はまだ",
    "編集はしない",
    "調査だけ",
    "調査のみ",
    "計画だけ",
    "計画のみ",
    "設計だけ",
    "設計のみ",
    "提案だけ",
    "提案のみ",
    "読むだけ",
    "ファイルは変更しない",
    "まだ実装",
    "コードの変更はしない",
    "変更は加えない",
    "コード変更はなし",
    "コード変更なし",
    "コード変更は不要",
    "コードの修正は不要",
    "実装は不要",
    "実装不要",
    "修正は不要",
    "修正はせず",
    "変更はせず",
    "レビューだけ",
    "レビューのみ",
    "説明だけ",
    "コードはいじらない",
];

/// What a clause forbids.
pub(super) fn forbidden(clause: &Sentence, root: Option<&str>) -> Vec<Constraint> {
    let paths = named_in(&clause.text, root);
    let request = as_request(&clause.lower).filter(|_| !paths.is_empty());
    let lower = request.as_deref().unwrap_or(&clause.lower);
    if is_told_of_another(lower) {
        return Vec::new();
    }
    if let Some(found) = only_these(lower, &paths) {
        return vec![found];
    }
    if has(lower, &["標準ライブラリだけ", "標準ライブラリのみ"]) {
        return vec![Constraint::NoNewDependencies];
    }
    if let Some(nothing) =
        says_of_all(lower).filter(|_| paths.is_empty() && endings(lower).next().is_none())
    {
        return vec![nothing];
    }
    if let Some(object) = frozen(lower) {
        return frozen_of(object, &paths);
    }
    let is_left_alone = says(lower, UNTOUCHED);
    let is_not_added = says(lower, NOT_ADDED);
    let mut found = Vec::new();
    if is_not_done(lower, &["コミット", "commit"]) {
        found.push(Constraint::NoCommits);
    }
    if is_not_done(lower, &["プッシュ", "push"]) {
        found.push(Constraint::NoPushes);
    }
    if says(lower, NOT_DELETED) {
        let object = before(lower, NOT_DELETED);
        return if is_everything(object) { vec![Constraint::NoDeletions] } else { found };
    }
    if says(lower, NOT_RUN) {
        let object = before(lower, NOT_RUN);
        let quoted = quoted(&clause.text).next();
        let command = quoted.or(latin_before(object)).map(str::to_owned);
        return command.map(Constraint::NotRun).into_iter().collect();
    }
    if is_not_added
        && has(
            lower,
            &["依存", "ライブラリ", "パッケージ", "gem", "crate", "モジュール", "プラグイン"],
        )
    {
        found.push(Constraint::NoNewDependencies);
    }
    if is_not_added && !is_left_alone && has(lower, &["ファイル"]) {
        found.push(Constraint::NoNewFiles { outside: None });
    }
    if (is_left_alone || lower.contains("上げない") || lower.contains("上げず"))
        && lower.contains("バージョン")
    {
        found.push(Constraint::NoVersionBumps);
    }
    if has(
        lower,
        &[
            "整形しない",
            "フォーマットしない",
            "整形は不要",
            "フォーマットはしない",
            "フォーマット禁止",
            "整形せず",
        ],
    ) {
        found.push(Constraint::NoReformatting);
    }
    if is_not_added && has(lower, &["マイグレーション", "スキーマ"]) {
        found.push(Constraint::NotTopic(Topic::Schema));
    }
    if is_not_added && found.is_empty() {
        let mut names: Vec<&str> = quoted(&clause.text).collect();
        if names.is_empty() && says(lower, NOT_USED) {
            names.extend(
                latin_before(before(lower, NOT_USED)).filter(|name| !name.contains(['.', '/'])),
            );
        }
        found.extend(names.into_iter().map(|word| Constraint::NotUse(word.to_owned())));
    }
    if !found.is_empty() || !is_left_alone {
        return found;
    }
    left_alone(lower, paths)
}

/// What a clause says is to stay as it is.
fn left_alone(lower: &str, paths: Vec<String>) -> Vec<Constraint> {
    // Of テストは変更せずに src/a.rs を直して only what stands before is meant.
    let lower = behind_deed(before(lower, UNTOUCHED));
    let is_touched = lower.trim_end().ends_with('に') || lower.trim_end().ends_with("には");
    let is_before = |path: &String| {
        let path = path.to_lowercase();
        // Of src/a.rs を src/b.rs に触れずに直して the first is to be changed.
        let is_changed =
            |rest: &str| is_touched && rest.trim_start_matches(['`', ' ']).starts_with('を');
        lower.split_once(path.as_str()).is_some_and(|(_, rest)| !is_changed(rest))
    };
    let paths: Vec<String> = paths.into_iter().filter(is_before).collect();
    let is_of_place = |path: &String| {
        let rest = lower.split_once(path.to_lowercase().as_str()).map_or("", |(_, rest)| rest);
        let rest = rest.trim_start_matches(['`', ' ', '/']);
        let within = ["以下", "配下", "内", "の中"].iter().find_map(|at| rest.strip_prefix(at));
        within.unwrap_or(rest).starts_with('の')
    };
    if !paths.is_empty() && is_aspect(lower) && paths.iter().all(is_of_place) {
        return Vec::new();
    }
    let named = named_part(lower).filter(|_| paths.is_empty()).map(PathPattern::new);
    let endings = endings(lower).filter(|_| paths.is_empty());
    let places: Vec<PathPattern> =
        paths.iter().map(|path| PathPattern::new(path)).chain(named).chain(endings).collect();
    if !places.is_empty() {
        return places.into_iter().map(Constraint::NotPath).collect();
    }
    topics(lower)
}

/// What somebody froze, and nobody's account or screen that is: `api` は凍結中なので, but not 凍結中のアカウント.
fn frozen(lower: &str) -> Option<&str> {
    const SAID: &[&str] = &["中です", "中な", "中だ", "中のため", "されて", "して", "済み", "です"];
    let (object, rest) = lower.split_once("凍結")?;
    let is_said = matches!(rest, "" | "中") || SAID.iter().any(|said| rest.starts_with(said));
    is_said.then_some(object)
}

fn frozen_of(object: &str, paths: &[String]) -> Vec<Constraint> {
    let is_before = |path: &&String| object.contains(path.to_lowercase().as_str());
    let places = paths.iter().filter(is_before).map(|path| PathPattern::new(path));
    let places = places.chain(named_part(object).map(PathPattern::new));
    let topics = named_topics(object).into_iter().map(Constraint::NotTopic);
    places.map(Constraint::NotPath).chain(topics).collect()
}

/// Whether it says of the place that was spoken of that nothing is to be changed there.
pub(super) fn forbids_there(lower: &str) -> bool {
    const THERE: &[&str] = &[
        "そこは",
        "そこに",
        "そこを",
        "そこの",
        "その中",
        "その配下",
        "そのモジュール",
        "そのパッケージ",
        "そのディレクトリ",
        "そのフォルダ",
        "そのファイル",
    ];
    has(lower, THERE) && says(lower, UNTOUCHED)
}

/// What stands behind what is to be done meanwhile: src/b.rs of src/a.rs を直すときは src/b.rs は.
fn behind_deed(lower: &str) -> &str {
    const MEANWHILE: &[&str] =
        &["なら", "とき", "時", "際", "のに", "ために", "場合", "ついでに", "たら", "うえで"];
    let Some((_, deed)) = lower.split_once('を') else { return lower };
    let behind = MEANWHILE.iter().filter_map(|word| deed.split_once(word)).map(|(_, rest)| rest);
    let behind = behind.min_by_key(|rest| rest.len()).unwrap_or_default();
    let rest = behind.trim_start_matches(['は', 'に', 'も', 'で', ' ', '、']);
    if rest.is_empty() { lower } else { rest }
}

/// "src/b.rs は変更しないように" as "変更しないで", where nobody else is seen to: ユーザーが変更しないように.
fn as_request(lower: &str) -> Option<String> {
    const ASKS: &[&str] = &["して", "お願い", "気をつけて", "注意"];
    let (said, end) = lower.split_once("ように")?;
    let asks = end.is_empty() || ASKS.iter().any(|asks| end.starts_with(asks));
    let is_of_another = said.contains('が') || (said.contains('は') && said.contains('を'));
    let is_left = UNTOUCHED.iter().any(|phrase| said.ends_with(phrase));
    (asks && is_left && !is_of_another).then(|| format!("{said}で"))
}

/// Whether something is said to stay as it is, or not to be done.
pub(super) fn is_left_alone(lower: &str) -> bool {
    says(lower, UNTOUCHED)
        || says(lower, NOT_ADDED)
        || says(lower, NOT_DONE)
        || has(lower, &["そのまま"])
}

/// Whether it says so of those that are there already, whatever was spoken of: 既存のものは編集しないで.
pub(super) fn leaves_what_is_there(lower: &str) -> bool {
    has(lower, &["既存のもの", "既存分", "既存のやつ"]) && says(lower, UNTOUCHED)
}

/// Whether it says that, and not of what.
pub(super) fn is_bare(lower: &str) -> bool {
    let rest = UNTOUCHED.iter().find_map(|phrase| lower.strip_prefix(phrase));
    rest.is_some_and(|rest| matches!(rest, "" | "で" | "でください" | "こと" | "ファイル"))
}

/// What the words of a text stand for that people forbid.
pub(super) fn named_topics(lower: &str) -> Vec<Topic> {
    TOPICS.iter().filter(|topic| has(lower, &[topic])).filter_map(|topic| topic_of(topic)).collect()
}

/// Whether it is said, and not only as a condition: 削除しないと.
fn says(lower: &str, phrases: &[&str]) -> bool {
    let is_said = |(at, phrase): (usize, &str)| !is_condition(&lower[at + phrase.len()..]);
    phrases.iter().any(|phrase| lower.match_indices(phrase).any(is_said))
}

/// Whether what was said is only the condition of what follows.
fn is_condition(rest: &str) -> bool {
    const CONDITIONS: &[&str] =
        &["と", "場合", "なら", "ので", "限り", "ため", "から", "ように", "ことが"];
    CONDITIONS.iter().any(|condition| rest.starts_with(condition))
}

/// What something is for others, or how it does what it does, which is in no place of its own.
const ASPECTS: &[&str] = &[
    "公開",
    "動作",
    "挙動",
    "仕様",
    "見た目",
    "振る舞い",
    "インターフェース",
    "シグネチャ",
    "レスポンス",
    "出力は",
    "出力結果",
    "出力形式",
    "互換性",
];

fn is_aspect(lower: &str) -> bool {
    ASPECTS.iter().any(|aspect| lower.contains(aspect))
}

const TOPICS: &[&str] = &[
    "テスト",
    "スキーマ",
    "マイグレーション",
    "スタイル",
    "css",
    "ドキュメント",
    "ci",
    "プロダクションコード",
    "プロダクトコード",
    "本番コード",
];

fn topics(lower: &str) -> Vec<Constraint> {
    let known: Vec<Constraint> = named_topics(lower)
        .into_iter()
        .map(|topic| {
            if lower.contains("既存") {
                Constraint::NotExisting(topic)
            } else {
                Constraint::NotTopic(topic)
            }
        })
        .collect();
    if !known.is_empty() {
        return known;
    }
    if is_aspect(lower) {
        return Vec::new();
    }
    let object = lower.rsplit_once('は').map_or(lower, |(object, _)| object);
    let object = object.rsplit(['が', 'て', 'で', 'し']).next().unwrap_or(object);
    if is_everything(object) {
        return vec![no_edits_of(object)];
    }
    named(object).map(Constraint::NotTopic).into_iter().collect()
}

/// What a term names, if code has an English word for it.
pub(super) fn named(term: &str) -> Option<Topic> {
    let term = term.trim().trim_end_matches(['は', 'に', 'を', 'も', 'の', ' ']);
    let is_in_code = all_words(term).iter().any(|word| word.is_ascii());
    is_in_code.then(|| Topic::Named(BTreeSet::from([term.to_owned()])))
}

/// Whether nothing is named that could be spared.
fn is_everything(object: &str) -> bool {
    let object = object.trim().trim_end_matches(['は', 'も', 'を']);
    let bare = object.trim_start_matches(['何', 'も', 'ま', 'だ', 'の', '全', 'て']);
    matches!(bare, "" | "コード" | "ソースコード" | "ファイル" | "ソース")
}

/// What stands before the first of the phrases.
fn before<'a>(lower: &'a str, phrases: &[&str]) -> &'a str {
    let end = phrases.iter().filter_map(|phrase| lower.find(phrase)).min().unwrap_or(lower.len());
    &lower[..end]
}

/// The Latin words that a particle ends: `cargo test` of "cargo test は".
fn latin_before(object: &str) -> Option<&str> {
    let object = object.trim_end_matches([' ', 'は', 'を', 'も']).trim_end_matches("の");
    let start = object.char_indices().rev().take_while(|(_, c)| c.is_ascii()).last()?.0;
    Some(object[start..].trim()).filter(|words| {
        words.len() >= 3
            && words.split(' ').count() <= 3
            && words.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

/// Whether one of the deeds is not to be done: "コミットやプッシュはしないで", but not "コミットがまだ表示されない".
fn is_not_done(lower: &str, deeds: &[&str]) -> bool {
    const BETWEEN: &[&str] = &[
        "コミット",
        "commit",
        "プッシュ",
        "push",
        "タグ付け",
        "タグ",
        "merge",
        "マージ",
        "絶対に",
        "まだ",
        "勝手に",
        "一切",
        "など",
        "とか",
        "作成",
        "git",
        "は",
        "も",
        "を",
        "や",
        "と",
        "の",
        "・",
        " ",
        "まで",
    ];
    const BY_THE_PERSON: &[&str] = &["私が", "こちらで", "自分で", "僕が", "俺が", "わたしが"];
    let ends = |at: usize| {
        let mut rest = &lower[at..];
        if says_first(rest, NOT_DONE) {
            return true;
        }
        while let Some(next) = BETWEEN.iter().find_map(|small| rest.strip_prefix(small)) {
            rest = next;
            if says_first(rest, NOT_DONE) || rest.is_empty() && lower[at..].ends_with("まだ") {
                return true;
            }
        }
        BY_THE_PERSON.iter().any(|person| rest.starts_with(person))
    };
    deeds.iter().any(|deed| lower.match_indices(deed).any(|(at, _)| ends(at + deed.len())))
}

/// Whether a text begins with one of the phrases, and not only as a condition.
fn says_first(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        text.starts_with(phrase)
            && !phrase.starts_with("まだ")
            && !is_condition(&text[phrase.len()..])
    })
}

/// What it means that none of it is to be changed: code alone, or anything.
fn no_edits_of(said: &str) -> Constraint {
    if has(said, &["コード", "ソース", "実装"]) {
        Constraint::NotTopic(Topic::Code)
    } else {
        Constraint::NoEdits
    }
}

/// What it forbids of the whole work, if it does. "APIの変更はしない" is about a part.
fn says_of_all(lower: &str) -> Option<Constraint> {
    let is_whole = |before: &str| {
        before.chars().next_back().is_none_or(|c| {
            c.is_whitespace() || (c != 'の' && ('\u{3041}'..='\u{309f}').contains(&c))
        })
    };
    let says = |phrase: &str| lower.match_indices(phrase).any(|(at, _)| is_whole(&lower[..at]));
    let found =
        || FORBIDDEN_ALL.iter().filter(|phrase| says(phrase)).map(|phrase| no_edits_of(phrase));
    // コードはまだ変更しない has まだ変更しない in it.
    let of_code = found().find(|one| *one != Constraint::NoEdits);
    let is_to_be_read = lower
        .strip_prefix("読み取り専用")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('で'));
    of_code.or_else(|| found().next()).or(is_to_be_read.then_some(Constraint::NoEdits))
}

/// Whether it tells what something else does not do: "クライアントは main に push しない". What is asked of the agent names
/// only what it is about, or ends as a request does.
fn is_told_of_another(lower: &str) -> bool {
    const NOW: &[&str] = &[
        "今回",
        "今",
        "まず",
        "当面",
        "今日",
        "一旦",
        "いったん",
        "とりあえず",
        "基本",
        "原則",
        "で",
        "に",
    ];
    const PLAIN: &[&str] = &["ない", "ません"];
    let end = lower.trim_end().trim_end_matches("仕様です").trim_end_matches("仕様");
    if !PLAIN.iter().any(|plain| end.ends_with(plain)) {
        return false;
    }
    let is_of_a_case = has(end, &["ときは", "時は", "場合は"]);
    let has_subject = end.match_indices(['は', 'が']).any(|(at, mark)| {
        let (subject, rest) = (&end[..at], &end[at + mark.len()..]);
        let rest = rest.replace("手を", "");
        !subject.is_empty()
            && !NOW.iter().any(|now| subject.ends_with(now))
            && rest.contains(['を', 'に', 'へ'])
    });
    is_of_a_case || has_subject
}

fn only_these(lower: &str, paths: &[String]) -> Option<Constraint> {
    let after = |path: &String| {
        let path = path.to_lowercase();
        let at = lower.find(&path)? + path.len();
        Some(lower[at..].trim_start_matches(['`', ' ', '/']))
    };
    let is_only = |rest: &str| {
        [
            "だけ",
            "のみ",
            "以外",
            "の中だけ",
            "配下だけ",
            "以下だけ",
            "配下のみ",
            "の中のみ",
            "以下のみ",
            "の範囲",
            "より外",
            "の外",
        ]
        .iter()
        .any(|only| rest.starts_with(only))
    };
    let changes =
        ["変更", "編集", "修正", "触", "いじ", "対象", "変え", "書き換え", "直し", "更新"]
            .iter()
            .any(|verb| lower.contains(verb));
    let found = paths.iter().filter_map(after).any(is_only);
    (found && changes).then(|| only(paths, lower))
}
