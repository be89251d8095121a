//! Whom a "not" is said to: the agent, or something that the sentence tells of.
//!
//! "Do not push" forbids the agent something. "Clients do not push to main" describes clients, and what has to be done
//! about them may be anything.

use super::super::phrases::{begins, has};
use super::super::signs::DEEDS;
use super::english::negation;

/// Who is spoken to, or speaks for both.
const US: &[&str] = &["you", "we", "i", "i'd", "i'll", "let's", "please", "pls", "your"];
/// What stands before an imperative and is no subject of it.
const LEADING: &str = "and or so but then also just however though anyway ok okay well now still again note \
    important remember careful finally lastly always simply really ever generally to be sure try better until for in on at as with \
    this during from when while if once after before unless given until here otherwise instead by btw nb ps fyi \
    obviously definitely absolutely under do";
/// Behind these something is told of: the words after them are about it.
const TELLING: &[&str] = &[
    "that",
    "which",
    "who",
    "whose",
    "where",
    "why",
    "whether",
    "because",
    "since",
    "sure",
    "ensure",
    "ensures",
    "check",
    "verify",
    "guarantee",
    "how",
    "as if",
    "means",
];
/// Behind these it is told what happens, even if "we" do it.
const OF_A_CASE: &[&str] = &["where", "why", "whether"];
/// Who does this to a text writes it.
const WRITES: &[&str] =
    &["add", "write", "put", "insert", "append", "create", "document", "log", "print", "show"];
const TEXTS: &[&str] = &[
    "rule",
    "comment",
    "note",
    "line",
    "sentence",
    "warning",
    "message",
    "entry",
    "hint",
    "paragraph",
    "text",
    "section",
];
const CHECKS: &[&str] = &["test", "tests", "assertion", "check", "guard", "lint", "step"];
/// An "and" or a "so" right before begins an imperative of its own.
const JOINING: &[&str] = &["and", "so", "but", "then", "or", "also", "please", "just", "though"];

/// Whether a "not" behind these words, in small letters, forbids the agent something.
pub(super) fn is_the_agent(before: &str) -> bool {
    let words: Vec<&str> = before
        .split(|c: char| c.is_whitespace() || ",:!\"“”()".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let Some(last) = words.last() else { return true };
    // "Why don't we commit it?" asks.
    if matches!(*last, "why" | "whether" | "how" | "who") {
        return false;
    }
    let is_of_a_case =
        words.iter().any(|word| OF_A_CASE.contains(word)) || has(before, &["in which"]);
    if (is_of_a_case && !JOINING.contains(last)) || is_written_down(before) {
        return false;
    }
    if US.contains(last) || (JOINING.contains(last) && !words.contains(&"sure")) {
        return true;
    }
    let told = words.iter().rposition(|word| TELLING.contains(word)).map(|at| &words[at + 1..]);
    let subject = told.unwrap_or(&words);
    if subject.iter().any(|word| US.contains(word)) {
        return true;
    }
    let is_leading = |word: &&str| LEADING.split_whitespace().any(|leading| leading == *word);
    if told.is_some() {
        return subject.iter().all(is_leading);
    }
    // "For this change do not push", "fix src/a.rs do not push": no subject comes before it.
    let begins_otherwise = words.first().is_some_and(is_leading);
    begins_otherwise || begins(before.trim_start(), DEEDS) || has(before, &["request", "rule"])
}

/// Whether what comes behind is to be written down, or checked by what is to be written: "add a rule to AGENTS.md: ",
/// "write a test that checks ".
pub(in crate::goal) fn is_written_down(before: &str) -> bool {
    let lower = before.trim_start().to_lowercase();
    let lower = lower.strip_prefix("please ").unwrap_or(&lower);
    let is_text = has(lower, TEXTS) && (lower.contains(": ") || lower.trim_end().ends_with(':'));
    let is_check = (has(lower, TEXTS) || has(lower, CHECKS))
        && has(lower, &["that", "which", "saying", "checks", "asserts", "verifies", "ensures"]);
    begins(lower, WRITES) && (is_text || is_check)
}

/// Whether it is a text that is to be written and says what not to do.
pub(in crate::goal) fn is_of_a_text(before: &str) -> bool {
    before.split_once(": ").is_some_and(|(leads, said)| {
        is_written_down(&format!("{leads}: ")) && negation(&said.to_lowercase()).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_of_its_own_is_not_the_agent() {
        let cases = [
            ("", true),
            ("please ", true),
            ("for now ", true),
            ("this time ", true),
            ("we ", true),
            ("fix src/a.rs ", true),
            ("the tests are fine so ", true),
            ("make sure you ", true),
            ("make sure to ", true),
            ("i would like you ", true),
            ("clients ", false),
            ("the parser ", false),
            ("it ", false),
            ("make sure clients ", false),
            ("ensure that users ", false),
            ("fix the bug where clients ", false),
            ("some of our users still ", false),
        ];
        let wrong: Vec<_> = cases.iter().filter(|(text, is)| is_the_agent(text) != *is).collect();
        assert_eq!(wrong, Vec::<&(&str, bool)>::new());
    }
}
