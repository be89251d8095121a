//! A guard rule as TOML in the form of a rule file, and as JSON for programs.

use serde_json::{Value, json};
use verger_gate::permission::{Operands, Rule, Ruling};

/// A rule and its origin.
pub(crate) struct WrittenRule<'a> {
    pub(crate) rule: Rule<'a>,
    pub(crate) matches: Vec<&'a str>,
    pub(crate) not_matches: Vec<&'a str>,
    pub(crate) from: From,
}

/// The origin of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    BuiltIn,
    User,
    Project,
}

impl From {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built in",
            Self::User => "yours",
            Self::Project => "project",
        }
    }
}

impl<'a> WrittenRule<'a> {
    pub(crate) fn built_in(rule: Rule<'a>) -> Self {
        let (matches, not_matches) = (rule.matches.to_vec(), rule.not_matches.to_vec());
        Self { rule, matches, not_matches, from: From::BuiltIn }
    }

    /// The rule's text fields that are not empty, each with its key, in the order of a rule file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let Rule { name, command, with, options, operands, defined_in, why, instead, .. } =
            self.rule;
        let operands = match operands {
            Operands::None => String::new(),
            other => other.to_string(),
        };
        let texts = [
            ("name", name.to_owned()),
            ("verdict", self.rule.ruling.word().to_owned()),
            ("command", command.to_owned()),
            ("with", with.to_owned()),
            ("options", options.to_owned()),
            ("operands", operands),
            ("defined_in", defined_in.to_owned()),
            ("why", why.to_owned()),
            ("instead", instead.to_owned()),
        ];
        texts.into_iter().filter(|(_, text)| !text.is_empty())
    }

    /// The rule in the form of a guard.toml.
    pub(crate) fn to_toml(&self) -> String {
        let mut lines = vec!["[[rule]]".to_owned()];
        lines.extend(self.texts().map(|(key, text)| format!("{key} = {}", quoted(&text))));
        for (key, examples) in [("match", &self.matches), ("not_match", &self.not_matches)] {
            if !examples.is_empty() {
                let examples: Vec<_> = examples.iter().map(|line| quoted(line)).collect();
                lines.push(format!("{key} = [{}]", examples.join(", ")));
            }
        }
        lines.join("\n") + "\n"
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut value: Value =
            self.texts().map(|(key, text)| (key.to_owned(), json!(text))).collect();
        value["from"] = json!(self.from.word());
        value["floor"] = json!(self.rule.ruling == Ruling::Floor);
        value["match"] = json!(self.matches);
        value["not_match"] = json!(self.not_matches);
        value
    }
}

/// A TOML string on one line.
fn quoted(text: &str) -> String {
    // JSON escapes every character that TOML requires to be escaped, except for U+007F.
    Value::String(text.to_owned()).to_string().replace('\u{7f}', "\\u007F")
}

#[cfg(test)]
mod tests {
    use verger_config::{RuleKey, Source, read_rules};

    use super::*;

    #[test]
    fn a_rule_that_was_written_is_read_again() {
        let rule = Rule::deny("a-b", "x", "--force|-f \u{7f}", "it says \"no\"\n\tto\\it");
        let examples = ["x -f 'a\"b'", "x --force é\u{1}"];
        let written = WrittenRule {
            rule,
            matches: examples.to_vec(),
            not_matches: vec!["x"],
            from: From::User,
        };
        let text = written.to_toml();
        let (tables, problems) = read_rules(Source { file: "g", bytes: text.as_bytes() });
        assert_eq!(problems, []);
        assert_eq!(tables[0].name, "a-b");
        assert_eq!(tables[0].text(RuleKey::With), rule.with);
        assert_eq!(tables[0].text(RuleKey::Why), rule.why);
        assert_eq!(tables[0].matches, examples);
        assert_eq!(tables[0].not_matches, ["x"]);
    }
}
