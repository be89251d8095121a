//! What a sentence says about the work in Japanese.
//!
//! Japanese is written without spaces, and what a sentence says stands in the ending of its verbs: the rules
//! look for endings, and at the verb before them.

#[cfg(test)]
mod tests;
mod words;

use super::sentence::{OPEN_MARKS, Place, Sentence, listed};
use super::signal::Signal;
use words::{
    ADVICE, ASIDE, BECAME, CAUSES, CONDITIONS, DENIALS, DOUBTFUL, EXPLAINS, FACTS, FAILED,
    FINISHED, GOES_ON, LOOKED, LOOKING_VERBS, MISSING, NO_MATTER, NOT_SO, NOUNS_OF_MAKING, OFFERS,
    OTHERS, PROOF, SAYS, STATES, THEN, TURNED_DOWN, TURNS, VERBS_OF_AGENT, VERBS_OF_BEHAVIOUR,
    VERBS_OF_MAKING,
};

/// Whether the sentence is Japanese: it has kana or kanji.
pub(super) fn is_japanese(sentence: &Sentence) -> bool {
    let is_kana = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c);
    let is_kanji = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    sentence.text().chars().any(|c| is_kana(c) || is_kanji(c))
}

/// What the sentence says.
pub(super) fn signals(sentence: &Sentence) -> Vec<Signal> {
    let claim = claim(sentence);
    claim.into_iter().chain(against(sentence, claim)).collect()
}

/// Whether a heading says that what follows tells of what was wrong.
pub(super) fn heads_cause(sentence: &Sentence) -> bool {
    has(sentence.text(), CAUSES)
}

/// The strongest of what the sentence says for the work being done.
fn claim(sentence: &Sentence) -> Option<Signal> {
    let text = sentence.text();
    if sentence.asks() || [OTHERS, LOOKED, NOT_SO].iter().any(|list| has(text, list)) {
        return None;
    }
    // What follows a condition holds only if it is told in the past: "動かしたら直りました".
    let said = last_of(text, CONDITIONS).map_or(text, |at| &text[at..]);
    let is_free = said.len() == text.len();
    let rules = [
        (Signal::Finished, has(said, FINISHED) && (is_free || has(said, "ました"))),
        (Signal::Became, has(said, BECAME) || is_no_more(said)),
        (Signal::Deed, is_deed(said)),
        (Signal::Proof, is_free && (has(said, PROOF) || ended(said).ends_with("成功"))),
        (Signal::Described, is_free && is_described(sentence)),
    ];
    let (signal, _) = rules.into_iter().find(|(_, is_so)| *is_so)?;
    // "0: すべて成功" may tell what a word means.
    let is_label = signal == Signal::Proof && sentence.place() == Place::Item;
    Some(if is_label { Signal::Described } else { signal })
}

/// What the sentence says against the work being done, beside what it claims.
fn against(sentence: &Sentence, claim: Option<Signal>) -> Vec<Signal> {
    let text = sentence.text();
    if sentence.asks() {
        return if has(text, OFFERS) { vec![] } else { vec![Signal::Asks] };
    }
    if has(text, ASIDE) {
        return vec![];
    }
    if text.contains("原因は") && is_past(text) {
        return vec![Signal::Explained];
    }
    let has_of_work = |list| has(text, list) && !has(text, NO_MATTER);
    let is_missing = sentence.contains_any(OPEN_MARKS)
        || says_missing(text)
        || has_of_work("まだ")
        || is_under_way(text)
        || is_part(text)
        || is_up_to(text)
        || counts_a_part(text)
        || (text.contains("残る") && !text.contains("生き残る"));
    let is_failed =
        has(text, FAILED) || is_turned(text) || has_of_work("なかったので, なかったため, できず");
    let rules = [
        (Signal::Missing, is_missing),
        (Signal::Denied, is_denied(text)),
        (Signal::GoesOn, has(text, GOES_ON) || is_then(text)),
        (Signal::Failed, is_failed),
        (Signal::Doubtful, has(text, DOUBTFUL) || is_left_so(text)),
        (Signal::Advised, has(text, ADVICE)),
        (Signal::Explained, has(text, EXPLAINS)),
        (Signal::Looked, has(text, LOOKED) || (claim.is_none() && is_only_checked(text))),
        (Signal::Reported, claim.is_none() && has(text, SAYS)),
    ];
    rules.into_iter().filter(|(_, is_so)| *is_so).map(|(signal, _)| signal).collect()
}

fn has(text: &str, list: &str) -> bool {
    listed(list).any(|piece| text.contains(piece))
}

fn last_of(text: &str, list: &str) -> Option<usize> {
    listed(list).filter_map(|piece| text.rfind(piece)).max()
}

fn ends_with_any(text: &str, list: &str) -> bool {
    listed(list).any(|piece| text.ends_with(piece))
}

/// A sentence without the marks at its end, and without what stands there in brackets.
fn ended(text: &str) -> &str {
    let is_mark = |c: char| !c.is_alphanumeric() && c != 'ー';
    let end = text.trim_end_matches(is_mark);
    match end.rfind(['（', '(']) {
        Some(at) if at > 0 && !end[at..].contains(['）', ')']) => {
            end[..at].trim_end_matches(is_mark)
        }
        _ => end,
    }
}

/// A verb of making: in the past ("追加しました", "直した"), left so ("書いてあります"), lasting
/// ("追加しています"), or before another one ("追加し、確認しました").
fn is_deed(text: &str) -> bool {
    let is_of_making = |before: &str| {
        before.strip_suffix('し').is_some_and(|noun| ends_with_any(noun, NOUNS_OF_MAKING))
            || ends_with_any(before, VERBS_OF_MAKING)
    };
    let mut past = ["ました", "てあります", "てあり、", "てある", "ております"]
        .iter()
        .flat_map(|ending| text.match_indices(ending));
    let mut lasting = ["ています", "ている"].iter().flat_map(|ending| text.match_indices(ending));
    let is_joined = || {
        let is_over = has(text, "ました, ています, た。, あります");
        let is_made = |(at, joint): (usize, &str)| {
            let verb = &text[..at + joint.len() - "、".len()];
            ends_with_any(verb, VERBS_OF_MAKING)
                || verb.strip_suffix('し').is_some_and(|noun| ends_with_any(noun, NOUNS_OF_MAKING))
                || (is_past(text) && verb.contains('を') && !only_looks(verb))
        };
        is_over
            && ["し、", "え、", "け、", "れ、", "め、"]
                .iter()
                .flat_map(|joint| text.match_indices(joint))
                .any(is_made)
    };
    past.any(|(at, _)| !only_looks(&text[..at]))
        || is_plain_past(text)
        || lasting.any(|(at, _)| is_of_making(&text[..at]))
        || is_joined()
}

/// "直した。": the past without ます.
fn is_plain_past(text: &str) -> bool {
    ended(text).strip_suffix(['た', 'だ']).is_some_and(|stem| {
        ends_with_any(stem, "し, っ, え, め, け, せ, れ, い, ん")
            && !stem.ends_with("まし")
            && !only_looks(stem)
    })
}

/// "もうマイナスになりません": it was so, and is not any more.
fn is_no_more(text: &str) -> bool {
    text.find("もう").is_some_and(|at| ended(&text[at..]).ends_with("ません"))
}

/// "次に画面を作ります", "終わったので、画面に移ります": what comes next, and not what came then.
fn is_then(text: &str) -> bool {
    let is_over =
        text.find("たので、").is_some_and(|at| has(&text[..at], "終わっ, 済ん, 完了し, でき"));
    (has(text, THEN) && !is_past(text))
        || (is_over && ended(text).ends_with("ます") && !has(text, "報告, 知らせ, 共有し"))
}

/// Whether the sentence tells of what was.
fn is_past(text: &str) -> bool {
    let end = ended(text);
    end.ends_with("ました") || end.ends_with("でした") || is_plain_past(text)
}

/// Whether the verb that ends here only looks at something.
fn only_looks(before: &str) -> bool {
    ends_with_any(before, LOOKING_VERBS)
}

/// An item that ends in a noun of making ("ボタンを追加"), a check mark, or how something is.
fn is_described(sentence: &Sentence) -> bool {
    sentence.contains_any(&["✅", "✔", "☑", "[x]", "🎉"])
        || ends_with_any(ended(sentence.text()), NOUNS_OF_MAKING)
        || has(sentence.text(), STATES)
        || behaves(sentence.text())
}

/// "画面に表示されます", "一覧から選べます", "押すと閉じます": what something does, and not what the agent means to do.
fn behaves(text: &str) -> bool {
    let end = ended(text);
    let stem = end.strip_suffix("ます").or_else(|| end.strip_suffix("ません"));
    stem.is_some_and(|stem| {
        let is_of_agent = ends_with_any(stem, VERBS_OF_AGENT);
        let is_done_by_itself = ends_with_any(stem, VERBS_OF_BEHAVIOUR) && !is_of_agent;
        !has(text, FACTS)
            && (is_done_by_itself || has(text, "ると, すと, くと, むと, うと, ときは, 場合は"))
    })
}

/// A word for what is left, unless it only tells when: "足りない場合は".
fn says_missing(text: &str) -> bool {
    let is_bound = |(at, piece): (usize, &str)| {
        let clause = text[at + piece.len()..].split('、').next().unwrap_or_default();
        has(clause, "場合, とき, 際は, なら")
    };
    listed(MISSING).flat_map(|piece| text.match_indices(piece)).any(|found| !is_bound(found))
        || (has(text, "以外の, 以外は") && is_past(text))
}

/// "手順1〜3を", "フェーズ1が": one of several, unless it was all that was asked for.
fn is_part(text: &str) -> bool {
    let is_numbered = |(at, part): (usize, &str)| {
        text[at + part.len()..].trim_start().starts_with(char::is_numeric)
    };
    !has(text, "お願い, 依頼")
        && listed("手順, ステップ, フェーズ, 段階")
            .flat_map(|part| text.match_indices(part))
            .any(is_numbered)
}

/// "第4章まで書きました": so far, unless it says from where, too.
fn is_up_to(text: &str) -> bool {
    let begins = |after: &str, verb: &str| {
        verb.chars().next().is_some_and(|c| c != '入' && after.starts_with(c))
    };
    text.match_indices("まで").any(|(at, up_to)| {
        let after = text[at + up_to.len()..].trim_start_matches(['は', 'を', 'の']);
        let is_made = listed(NOUNS_OF_MAKING).any(|noun| after.starts_with(noun))
            || listed(VERBS_OF_MAKING).any(|verb| begins(after, verb));
        let is_of_time = ends_with_any(&text[..at], "これ, それ, 今, いま");
        let is_look = has(after, NO_MATTER);
        (is_made || (text[at..].starts_with("までは") && !is_look))
            && !text[..at].contains("から")
            && !is_of_time
    })
}

/// "6 つのうち 5 つ", "40 件中 27 件": not "318 件中 318 件".
fn counts_a_part(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c == ',';
    listed("のうち, 件中, 本中").flat_map(|of| text.match_indices(of)).any(|(at, of)| {
        let before = text[..at].trim_end_matches(|c| !is_digit(c));
        let whole = before.rsplit(|c| !is_digit(c)).next().unwrap_or_default();
        let after = text[at + of.len()..].trim_start_matches(|c| !is_digit(c));
        let part = after.split(|c| !is_digit(c)).next().unwrap_or_default();
        whole.is_empty() || whole != part
    })
}

/// "仮値のまま。": not "そのまま", which is well.
fn is_left_so(text: &str) -> bool {
    let stays = |(at, _)| !text[..at].ends_with('そ');
    ["のままです", "のまま。", "のままなので", "のままで、"]
        .iter()
        .flat_map(|stay| text.match_indices(stay))
        .any(stays)
}

/// "作成中です", "対応中".
fn is_under_way(text: &str) -> bool {
    let end = ended(text);
    let end = end.strip_suffix("です").unwrap_or(end);
    end.ends_with('中') && !ends_with_any(end, "途中, の中")
}

/// A verb that is denied, unless it only looks, it is well that it is not so, or it was so before.
fn is_denied(text: &str) -> bool {
    listed(DENIALS).flat_map(|ending| text.match_indices(ending)).any(|(at, ending)| {
        let is_past = ending == "ていません" && text[at + ending.len()..].starts_with("でした");
        let verb = ending.chars().next().map_or(0, char::len_utf8);
        !is_past && !has(&text[..at + verb], NO_MATTER)
    })
}

/// "しましたが、動きません": what comes after the turn says no.
fn is_turned(text: &str) -> bool {
    let begins = listed("ただ, しかし, 一方").any(|turn| text.starts_with(turn)).then_some(0);
    begins.or(last_of(text, TURNS)).is_some_and(|at| {
        let is_look = ends_with_any(&text[..at], "確認し, 確認しまし");
        !is_look && has(&text[at..], TURNED_DOWN) && !has(&text[at..], NO_MATTER)
    })
}

/// "差分を確認しました": what was looked at, and not that it is so.
fn is_only_checked(text: &str) -> bool {
    text.contains("確認しました") && !has(text, "ことを確認, ことも確認, とを確認")
}
