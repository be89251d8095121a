//! What a person agrees to: "yes" to an agent's question asks for what the question proposes.

use serde_json::Value;

use super::{Constraint, Goal, Instruction, asks, phrases};

/// A longer answer says itself what is wanted.
const MAX_ANSWER: usize = 60;
/// So much of a message is looked at for what it proposes: its end.
const MAX_PROPOSAL: usize = 400;

const YES: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "sure",
    "ok",
    "okay",
    "go ahead",
    "go for it",
    "do it",
    "do that",
    "please do",
    "of course",
    "fine",
    "sounds good",
    "please",
    "agreed",
    "absolutely",
    "はい",
    "ええ",
    "うん",
    "お願い",
    "いいよ",
    "いいです",
    "どうぞ",
    "了解",
    "そうして",
    "👍",
];
const YET: &[&str] = &[
    "no",
    "not",
    "don't",
    "dont",
    "but",
    "except",
    "only",
    "instead",
    "rather",
    "without",
    "ただ",
    "でも",
    "しないで",
    "ないで",
    "だけ",
    "以外",
];
/// A question that speaks of them is about dependencies.
const DEPENDENCIES: &[&str] = &[
    "dependency",
    "dependencies",
    "crate",
    "package",
    "library",
    "install",
    "add it",
    "add them",
    "依存",
    "ライブラリ",
    "パッケージ",
];

/// What a person agrees to, who answers so short to a message that ends with a question.
pub(crate) fn agreed<'a>(answer: &str, message: &'a str) -> Option<&'a str> {
    let lower = answer.trim().to_lowercase();
    let is_yes = lower.chars().count() <= MAX_ANSWER
        && phrases::begins(&lower, YES)
        && !phrases::has(&lower, YET);
    (is_yes && asks(message)).then(|| {
        let message = message.trim_end();
        let end = message.ceil_char_boundary(message.len().saturating_sub(MAX_PROPOSAL));
        &message[end..]
    })
}

/// The questions that a person answered, each with the answer, in the form in which a client tells of them.
pub(crate) fn answered(response: &Value) -> impl Iterator<Item = String> {
    let answers = response.get("answers").and_then(Value::as_object).into_iter().flatten();
    answers.filter_map(|(question, answer)| {
        let answer = answer.as_str()?;
        let is_no = phrases::begins(&answer.to_lowercase(), &["no", "don't", "いいえ", "やめ"]);
        (!is_no).then(|| format!("{question}\n{answer}"))
    })
}

impl Goal {
    /// A person agrees to what an agent proposes: it is wanted, and what was forbidden of it is not any more.
    pub(crate) fn agree(&mut self, proposal: &str, root: Option<&str>) {
        let Some(proposed) = Instruction::read(proposal, root) else { return };
        let lower = proposal.to_lowercase();
        let is_lifted = |one: &Constraint| {
            one.is_asked_for(&proposed.scope)
                || (*one == Constraint::NoNewDependencies && phrases::has(&lower, DEPENDENCIES))
        };
        self.constraints.retain(|one| !is_lifted(one));
        self.keywords.extend(proposed.keywords);
        self.weak_keywords.extend(proposed.weak_keywords);
        self.scope.widen(proposed.scope);
        self.bound();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_yes_to_a_question_agrees() {
        let asked = "The cause is in src/b.rs. Shall I change it?";
        let cases = [
            ("yes please", asked, true),
            ("OK", asked, true),
            ("go ahead.", asked, true),
            ("はい、お願いします", "src/b.rs を変更しましょうか", true),
            ("yes", "I changed src/a.rs.", false),
            ("no", asked, false),
            ("yes, but not src/b.rs", asked, false),
            ("What about the tests?", asked, false),
            ("", asked, false),
        ];
        for (answer, message, expected) in cases {
            assert_eq!(agreed(answer, message).is_some(), expected, "{answer}");
        }
    }
}
