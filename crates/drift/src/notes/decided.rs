//! Finds decisions that the agent or the person states, each with its reason. A command is never a
//! decision.
//!
//! A decision is recognized only if one sentence has a verb of choosing ("I kept", "use") and a
//! reason word ("because"). A choice without a reason, or with the reason in another sentence, is
//! ignored.

use super::MAX_LINE;
use crate::phrases::{contains_any, is_listed};
use crate::record::Decision;

/// The maximum number of bytes of an agent's message that are read, counted from its end.
const MAX_MESSAGE: usize = 8 * 1024;
/// The maximum number of bytes of a prompt. A longer prompt is mostly a plan or pasted text, so it
/// is skipped.
const MAX_PROMPT: usize = 1024;
/// The maximum number of bytes of a sentence that states a decision.
const MAX_SENTENCE: usize = 600;
/// The maximum number of bytes of the choice in a decision.
const MAX_CHOICE: usize = MAX_LINE;
/// The maximum number of decisions that are taken from one message.
const MAX_FOUND: usize = 5;

/// Words between the choice and its reason in an English sentence, in which the choice comes first.
const REASONS: &[&str] = &[" because ", " since ", " so that ", " to avoid ", " due to "];
/// Words between the reason and the choice in a Japanese sentence, in which the reason comes first.
const JAPANESE_REASONS: &[&str] = &["ため", "ので", "から、"];

/// Verbs with which an agent states a choice, after "I" or at the beginning of a sentence.
const CHOSE: &str = "avoided|capped|chose|decided|deferred|did not add|did not change|did not touch|didn't add|\
    didn't change|didn't touch|disabled|dropped|enabled|held off|kept|left|limited|made|moved|\
    named|opted|picked|pinned|put|removed|reverted|scoped|set|skipped|split|stayed with|\
    stuck with|switched to|used|went with";
/// Words that may come before the verb of choosing.
const BEFORE_VERB: &str =
    "i|i've|also|deliberately|have|instead|intentionally|just|only|then|therefore";
/// Beginnings of a person's sentence that states a choice.
const CHOOSE: &str = "avoid|don't add|don't use|drop|go with|keep|leave|let's avoid|let's call|let's drop|\
    let's go with|let's keep|let's leave|let's not|let's skip|let's stick with|let's use|make|\
    prefer|skip|stick with|use|we use|we'll use|i want|i prefer";
/// Endings of a Japanese sentence with which an agent states a choice.
const CHOSE_JAPANESE: &str = "にしました|にしています|としました|としています|ことにしました|残しました|残しています|\
    維持しました|維持しています|維持|採用しました|採用しています|見送りました|揃えました|\
    避けました|変更していません|触っていません|選びました|使いました";
/// Endings of a person's Japanese sentence that states a choice.
const CHOOSE_JAPANESE: &str = "にして|にする|にしよう|にしましょう|にしてください|でいこう|を使って|を使おう|は使わない|\
    にしない|はなしで|残して|やめて|やめよう";
/// Objects that refer to the previous sentence, so that the choice has no meaning alone.
const PRONOUNS: &str = "it|that|this|them|those|these|so";

/// The decisions in the last message of an agent's turn.
pub(super) fn agents_decisions(message: &str) -> Vec<Decision> {
    let start = message.ceil_char_boundary(message.len().saturating_sub(MAX_MESSAGE));
    decisions(&message[start..], CHOSE, CHOSE_JAPANESE)
}

/// The decisions in a person's words.
pub(super) fn persons_decisions(words: &str) -> Vec<Decision> {
    if words.len() > MAX_PROMPT { vec![] } else { decisions(words, CHOOSE, CHOOSE_JAPANESE) }
}

fn decisions(text: &str, verbs: &str, japanese_ends: &str) -> Vec<Decision> {
    let text = text.replace('’', "'");
    let found = sentences(&text).filter_map(|sentence| {
        japanese(sentence, japanese_ends).or_else(|| english(sentence, verbs))
    });
    found.take(MAX_FOUND).collect()
}

/// The sentences of a text without code blocks, quotes, tables, headings and questions.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    let lines = text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.trim_start().starts_with(['>', '|', '#'])
    });
    let sentences = lines.flat_map(|line| line.split_inclusive(['。', '！', '？']));
    let sentences = sentences.flat_map(|part| part.split_inclusive(". "));
    let sentences = sentences.map(|one| one.trim().trim_start_matches(['-', '*', '•', ' ']));
    sentences.filter(|one| one.len() <= MAX_SENTENCE && !one.ends_with(['?', '？', ':', '：']))
}

fn english(sentence: &str, verbs: &str) -> Option<Decision> {
    let lower = sentence.to_ascii_lowercase();
    let reasons = REASONS.iter().filter_map(|word| Some((lower.find(word)?, word.len())));
    let (at, length) = reasons.min()?;
    // The clause with the choice begins at the last "I" before the reason, or else with the
    // sentence.
    let clause = lower[..at].rfind(" i ").map_or(0, |before| before + 1);
    let mut rest = &lower[clause..at];
    while let Some(after) = behind(rest, BEFORE_VERB) {
        rest = after;
    }
    let object = behind(rest, verbs)?.trim();
    let first = object.split([' ', ',']).next().unwrap_or_default();
    let is_unclear = is_listed(first, PRONOUNS) || contains_any(object, ": |; |. |! ");
    if is_unclear || at - clause > MAX_CHOICE {
        return None;
    }
    decision(&sentence[clause..at], &sentence[at + length..])
}

/// The text after one of these phrases and a space, if `text` begins with one.
fn behind<'a>(text: &'a str, phrases: &str) -> Option<&'a str> {
    phrases.split('|').find_map(|phrase| text.strip_prefix(phrase)?.strip_prefix(' '))
}

/// Parses a Japanese sentence, in which the reason comes before the choice.
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
