//! Scores the detection on the independent set, whose author had seen neither the detection nor the
//! corpus.

use serde_json::Value;
use verger_redact::{find, replace};

use crate::corpus::{KEY, Ordinary, Outcome, Score, ordinary_lines, survives};

const SECRETS: &str = include_str!("../../corpus/independent-secrets.jsonl");
const ORDINARY: &str = include_str!("../../corpus/independent-ordinary.txt");

struct Case {
    kind: String,
    context: String,
    text: String,
    secrets: Vec<String>,
}

pub(crate) fn score() -> Score {
    let mut score = Score::default();
    for line in SECRETS.lines() {
        let case = case(line).unwrap_or_else(|| panic!("not a case: {line}"));
        let survived = |text: &str| case.secrets.iter().any(|secret| survives(secret, text));
        assert!(survived(&case.text), "the secret is not in {}", case.text);
        let findings = find(&case.text, &[]);
        let redacted = replace(&case.text, &findings, &KEY);
        if is_document(&case.text) && !is_document(&redacted) {
            score.broken.push(redacted.clone());
        }
        let in_a_secret = |found: &str| case.secrets.iter().any(|secret| secret.contains(found));
        let outcome = if survived(&redacted) {
            Outcome::Missed
        } else if findings.iter().all(|finding| in_a_secret(&case.text[finding.range.clone()])) {
            Outcome::Exact
        } else {
            Outcome::Caught
        };
        score.add(&case.kind, &case.context, outcome);
        if outcome == Outcome::Missed {
            score.missed.push((case.kind, case.context, redacted));
        }
    }
    score
}

pub(crate) fn ordinary() -> Ordinary {
    ordinary_lines(ORDINARY)
}

fn is_document(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok()
}

/// Parses one line of the independent set. Secrets are between `«` and `»`.
fn case(line: &str) -> Option<Case> {
    let fields: Value = serde_json::from_str(line).ok()?;
    let field = |name: &str| fields.get(name)?.as_str().map(str::to_owned);
    let marked = field("text")?;
    let secrets =
        marked.split('«').skip(1).map(|rest| rest.split_once('»').map(|(secret, _)| secret));
    Some(Case {
        kind: field("kind")?,
        context: field("context")?,
        text: marked.replace(['«', '»'], ""),
        secrets: secrets.map(|secret| secret.map(str::to_owned)).collect::<Option<_>>()?,
    })
}
