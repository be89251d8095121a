//! Decisions that the agent or the person states in words, each with its reason. A command is never a decision.
//!
//! A decision is read only where one sentence has a verb of choosing ("I kept", "use") and a reason word
//! ("because"). A choice without a stated reason, or with the reason in another sentence, is not read.

use super::MAX_LINE;
use crate::phrases::{contains_any, is_listed};
use crate::record::Decision;

/// The part of an agent's message that is looked at, from its end, in bytes.
const MAX_MESSAGE: usize = 8 * 1024;
/// The longest prompt that is looked at: longer ones are mostly plans and pasted text.
const MAX_PROMPT: usize = 1024;
/// The longest sentence, in bytes.
const MAX_SENTENCE: usize = 600;
/// The longest choice, in bytes.
const MAX_CHOICE: usize = MAX_LINE;
/// The most decisions of one message.
const MAX_FOUND: usize = 5;

/// Words between a choice and its reason.
const REASONS: &[&str] = &[" because ", " since ", " so that ", " to avoid ", " due to "];
/// Words between a reason and the choice after it.
const JAPANESE_REASONS: &[&str] = &["ため", "ので", "から、"];

/// Verbs by which an agent says that it chose, after "I" or at the beginning of a sentence.
const CHOSE: &str = "avoided|capped|chose|decided|deferred|did not add|did not change|did not touch|didn't add|\
    didn't change|didn't touch|disabled|dropped|enabled|held off|kept|left|limited|made|moved|\
    named|opted|picked|pinned|put|removed|reverted|scoped|set|skipped|split|stayed with|\
    stuck with|switched to|used|went with";
/// Words between "I" and the verb.
const BETWEEN: &str = "also|deliberately|have|instead|intentionally|just|only|then|therefore";
/// Beginnings of a person's sentence that chooses.
const CHOOSE: &str = "avoid|don't add|don't use|drop|go with|keep|leave|let's avoid|let's call|let's drop|\
    let's go with|let's keep|let's leave|let's not|let's skip|let's stick with|let's use|make|\
    prefer|skip|stick with|use|we use|we'll use|i want|i prefer";
/// Ends of a Japanese sentence by which an agent says that it chose.
const CHOSE_JAPANESE: &str = "にしました|にしています|としました|としています|ことにしました|残しました|残しています|\
    維持しました|維持しています|維持|採用しました|採用しています|見送りました|揃えました|\
    避けました|変更していません|触っていません|選びました|使いました";
/// Ends of a person's Japanese sentence that chooses.
const CHOOSE_JAPANESE: &str = "にして|にする|にしよう|にしましょう|にしてください|でいこう|を使って|を使おう|は使わない|\
    にしない|はなしで|残して|やめて|やめよう";
/// Objects that say nothing without the sentence before.
const PRONOUNS: &str = "it|that|this|them|those|these|so";

/// The decisions in an agent's last message of a turn.
pub(super) fn agents_decisions(message: &str) -> Vec<Decision> {
    let start = message.ceil_char_boundary(message.len().saturating_sub(MAX_MESSAGE));
    let message = message[start..].replace('’', "'");
    sentences(&message).filter_map(agents).take(MAX_FOUND).collect()
}

/// The decisions in a person's words.
pub(super) fn persons_decisions(words: &str) -> Vec<Decision> {
    if words.len() > MAX_PROMPT {
        return vec![];
    }
    sentences(&words.replace('’', "'")).filter_map(persons).take(MAX_FOUND).collect()
}

/// The sentences of a text without code blocks, quotes, tables, headings and questions.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    let lines = text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.trim_start().starts_with(['>', '|', '#'])
    });
    let sentences = lines.flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            let is_end = |(at, c): &(usize, char)| match c {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => rest[at + 1..].starts_with(' '),
                _ => false,
            };
            let end =
                rest.char_indices().find(is_end).map_or(rest.len(), |(at, c)| at + c.len_utf8());
            let (sentence, after) = rest.split_at(end);
            rest = after;
            Some(sentence.trim()).filter(|sentence| !sentence.is_empty())
        })
    });
    let sentences = sentences.map(|sentence| sentence.trim_start_matches(['-', '*', '•', ' ']));
    sentences.filter(|one| one.len() <= MAX_SENTENCE && !one.ends_with(['?', '？', ':', '：']))
}

fn agents(sentence: &str) -> Option<Decision> {
    if let Some(found) = japanese(sentence, CHOSE_JAPANESE) {
        return Some(found);
    }
    let lower = sentence.to_ascii_lowercase();
    if let Some((at, length)) = reason_in(&lower) {
        let clause = clause_before(&lower, at)?;
        return decision(&sentence[clause..at], &sentence[at + length..]);
    }
    // "Windows has no such signal, so I left the handler out."
    let at = lower.find(" so i ")?;
    let (reason, choice) = (&sentence[..at], &sentence[at + " so ".len()..]);
    let verb = verb_at(&choice.to_ascii_lowercase())?;
    is_named(&choice[verb..]).then(|| decision(choice, reason)).flatten()
}

/// The place and the length of the first reason word.
fn reason_in(lower: &str) -> Option<(usize, usize)> {
    REASONS.iter().filter_map(|word| Some((lower.find(word)?, word.len()))).min()
}

/// The start of the clause of choosing that ends at `end`: the sentence, or where it is long, its last clause.
fn clause_before(lower: &str, end: usize) -> Option<usize> {
    let text = &lower[..end];
    let clause_starts = [" i ", " i've ", "(", "— ", "; "].iter().flat_map(|mark| {
        let skipped = if mark.starts_with(' ') { 1 } else { mark.len() };
        text.match_indices(*mark).map(move |(at, _)| at + skipped)
    });
    let starts = clause_starts.chain([0]).filter_map(|at| Some((at, at + verb_at(&text[at..])?)));
    let (start, object) = starts.max()?;
    let object = text[object..].trim_end_matches([',', ' ']);
    let is_named = is_named(object) && !text[..start].ends_with("which ");
    let is_one_clause = !contains_any(object, ": |; |. ")
        && !object.trim_end_matches(['"', ')', '”']).ends_with('.');
    let chosen = match (is_named, start) {
        (true, start) => start,
        (false, 0) => return None,
        // The thing is named before the clause: "... — I left that alone".
        (false, _) => 0,
    };
    (is_one_clause && end - chosen <= MAX_CHOICE).then_some(chosen)
}

/// Whether an object says what it is without the text before.
fn is_named(object: &str) -> bool {
    let object = object.trim_end_matches(|c: char| c.is_ascii_punctuation() && c != '`');
    let words: Vec<&str> = object.split_whitespace().collect();
    let is_pronoun = |word: &str| is_listed(word.trim_end_matches([',', '.']), PRONOUNS);
    let is_short = words.len() <= 2;
    let first = words.first().is_some_and(|first| !is_pronoun(first));
    first && !(is_short && words.last().is_some_and(|last| is_pronoun(last)))
}

/// The end of a verb of choosing that the text begins with, behind "I" and an adverb.
fn verb_at(text: &str) -> Option<usize> {
    let mut from = ["i ", "i've "].iter().find(|i| text.starts_with(**i)).map_or(0, |i| i.len());
    while let Some(word) = BETWEEN.split('|').find(|word| starts_with_words(&text[from..], word)) {
        from += word.len() + 1;
    }
    let verb = CHOSE.split('|').find(|verb| starts_with_words(&text[from..], verb))?;
    Some(from + verb.len())
}

fn starts_with_words(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '))
}

fn persons(sentence: &str) -> Option<Decision> {
    if let Some(found) = japanese(sentence, CHOOSE_JAPANESE) {
        return Some(found);
    }
    let lower = sentence.to_ascii_lowercase();
    if !CHOOSE.split('|').any(|verb| starts_with_words(&lower, verb)) {
        return None;
    }
    let (at, length) = reason_in(&lower)?;
    decision(&sentence[..at], &sentence[at + length..])
}

/// A Japanese sentence has the reason first.
fn japanese(sentence: &str, ends: &str) -> Option<Decision> {
    let plain = sentence.trim_end_matches(['。', '！', '、', ')', '）', ' ']);
    if !ends.split('|').any(|end| plain.ends_with(end)) {
        return None;
    }
    let (at, word) =
        JAPANESE_REASONS.iter().filter_map(|word| Some((plain.find(word)?, *word))).min()?;
    let reason = plain[..at].trim_end_matches('の');
    let choice = plain[at + word.len()..].trim_start_matches('、');
    let is_said = reason.chars().count() >= 4 && choice.chars().count() >= 4;
    is_said.then(|| Decision { choice: short(choice), reason: short(reason) })
}

fn decision(choice: &str, reason: &str) -> Option<Decision> {
    let is_said = |text: &str, words: usize| text.split_whitespace().count() >= words;
    let is_supposed = contains_any(choice, " if | would | could ");
    let is_decision = is_said(choice, 2) && is_said(reason, 2) && !is_supposed;
    is_decision.then(|| Decision { choice: short(choice), reason: short(reason) })
}

fn short(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '!', '。', ',', ' ']);
    let is_closed_only = text.ends_with(')') && !text.contains('(');
    let text = if is_closed_only { text.trim_end_matches(')') } else { text };
    text.chars().take(MAX_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &[Decision], expected: &[(&str, &str)], text: &str) {
        let found: Vec<_> = found.iter().map(|one| (&*one.choice, &*one.reason)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_choice_that_an_agent_states_with_its_reason_is_a_decision() {
        let cases = [
            (
                "I kept the old parser because the tests rely on it.",
                ("I kept the old parser", "the tests rely on it"),
            ),
            (
                "Done. I went with an LRU map instead of a plain one, since memory is bounded.",
                ("I went with an LRU map instead of a plain one", "memory is bounded"),
            ),
            (
                "- **Kept** the flag.\n- Skipped `npm audit fix` to avoid unrelated upgrades",
                ("Skipped `npm audit fix`", "unrelated upgrades"),
            ),
            (
                "- Added `--quiet` (avoided `-q` since it means *query* elsewhere).",
                ("avoided `-q`", "it means *query* elsewhere"),
            ),
            (
                "`clean --all` drops the cache, too — I left that out because builds are slow.",
                ("`clean --all` drops the cache, too — I left that out", "builds are slow"),
            ),
            (
                "Windows has no such signal, so I left the handler out.",
                ("I left the handler out", "Windows has no such signal"),
            ),
            (
                "I’ve deliberately pinned serde to 1.0.200 because 1.0.201 breaks us.",
                ("I've deliberately pinned serde to 1.0.200", "1.0.201 breaks us"),
            ),
            (
                "互換性を保つため、古い引数も受け付けるようにしました。",
                ("古い引数も受け付けるようにしました", "互換性を保つ"),
            ),
            (
                "- 既存のテストが参照しているので `legacy.ts` は残しています",
                ("`legacy.ts` は残しています", "既存のテストが参照している"),
            ),
        ];
        for (message, expected) in cases {
            check(&agents_decisions(message), &[expected], message);
        }
    }

    #[test]
    fn other_sentences_of_agents_are_no_decisions() {
        let messages = [
            "It fails because the file is missing.",
            "I ran `cargo test` because the parser changed.",
            "I couldn't run the tests because docker is missing.",
            "Shall I use a map because it is faster?",
            "I'd keep the parser because it is fast.",
            "I left it because it was there.",
            "I didn't touch it, since it is yours.",
            "I kept the parser.",
            "I kept this in two files: the cache was lost because of a race.",
            "I would have used a map if it was needed because of the load.",
            "Two things I left alone, since nobody asked:",
            "> I kept the old parser because the tests rely on it.",
            "```\nI kept the old parser because the tests rely on it.\n```",
            "| Kept the map | used because it is fast |",
            "npm install left-pad",
            "ファイルがないため、テストが失敗しました。",
            "一覧からリンクを削除しました。",
            "",
        ];
        for message in messages {
            check(&agents_decisions(message), &[], message);
        }
    }

    #[test]
    fn a_person_decides_in_a_short_prompt() {
        let cases = [
            ("Use SQLite because we have no server.", ("Use SQLite", "we have no server")),
            (
                "Looks good. Let's go with option B since the other one needs root",
                ("Let's go with option B", "the other one needs root"),
            ),
            (
                "外部APIが遅いので結果の保存先はローカルにする",
                ("結果の保存先はローカルにする", "外部APIが遅い"),
            ),
        ];
        for (prompt, expected) in cases {
            check(&persons_decisions(prompt), &[expected], prompt);
        }
        let long = format!("{}\nUse SQLite because we have no server.", "x ".repeat(600));
        let others = [
            "Run the tests again since the key changed",
            "Use SQLite.",
            "Should we use SQLite because we have no server?",
            "Why did you use it? I think it failed because of the cache",
            "エラーが出るので直してください",
            &long,
        ];
        for prompt in others {
            check(&persons_decisions(prompt), &[], prompt);
        }
    }

    #[test]
    fn few_decisions_are_taken_of_one_message() {
        let sentences: Vec<_> =
            (0..9).map(|n| format!("I kept part {n} because it works.")).collect();
        assert_eq!(agents_decisions(&sentences.join("\n")).len(), MAX_FOUND);
    }
}
