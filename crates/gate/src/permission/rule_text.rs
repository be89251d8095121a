//! Checks the texts of a rule that comes from a file.

use super::operands::Operands;
use super::paths::CLASSES;
use super::rule::{Rule, Ruling};

/// A fault in a text of a rule: the text is invalid, or has no effect in rules with this verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleFault {
    /// A list of alternatives has an empty alternative.
    #[error("one side of a `|` is empty")]
    EmptyAlternative(Part),
    /// A path class doesn't exist.
    #[error("unknown class of paths <{name}>; known classes: {}", CLASSES.join(", "))]
    UnknownClass {
        /// The name of the class as written.
        name: String,
    },
    /// A word among the options doesn't begin with a dash.
    #[error("{word:?} is not an option")]
    NoOption {
        /// The word as it is written in the rule.
        word: String,
    },
    /// The text has no effect in rules with this verdict.
    #[error("it only has an effect in rules with {1}")]
    NotLookedAt(Part, &'static str),
}

/// The text of a rule that has a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The program and subcommands of the rule.
    Command,
    /// The parts that a command must have.
    With,
    /// The options that the rule knows.
    Options,
    /// The operands that the rule accepts.
    Operands,
    /// The files that define what the command does.
    DefinedIn,
}

impl RuleFault {
    /// The text of the rule that has the fault.
    pub fn part(&self) -> Part {
        match self {
            Self::EmptyAlternative(part) | Self::NotLookedAt(part, _) => *part,
            Self::UnknownClass { .. } => Part::With,
            Self::NoOption { .. } => Part::Options,
        }
    }
}

/// The verdicts that rules in a file may have, by name. Only built-in rules have the verdict
/// `Floor`.
const RULINGS: [(&str, Ruling); 4] = [
    ("allow", Ruling::Allow),
    ("build", Ruling::Build),
    ("risky", Ruling::Risky),
    ("deny", Ruling::Deny),
];

impl Ruling {
    /// The verdicts that a rule in a file may have.
    pub fn words() -> impl Iterator<Item = &'static str> {
        RULINGS.into_iter().map(|(word, _)| word)
    }

    /// The verdict with this name.
    pub fn parse(word: &str) -> Option<Self> {
        RULINGS.into_iter().find(|(known, _)| *known == word).map(|(_, ruling)| ruling)
    }

    /// The name of the verdict. `Floor` has the same name as `Deny`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Build => "build",
            Self::Risky => "risky",
            Self::Deny | Self::Floor => "deny",
        }
    }

    /// Whether the verdict approves commands.
    pub fn approves(self) -> bool {
        matches!(self, Self::Allow | Self::Build)
    }
}

impl Rule<'_> {
    /// The first fault of the rule's texts; `None` if they are valid.
    pub fn fault(&self) -> Option<RuleFault> {
        let empty = |text: &str| {
            let mut words =
                text.split_whitespace().map(|word| word.strip_prefix('!').unwrap_or(word));
            words.any(|word| word.split('|').any(str::is_empty) && !word.starts_with('~'))
        };
        let looked_at = |part, text: &str, is_so: bool, of| {
            (!is_so && !text.is_empty()).then_some(RuleFault::NotLookedAt(part, of))
        };
        let approves = self.ruling.approves();
        let approving = "the verdict allow or build";
        None.or_else(|| empty(self.command).then_some(RuleFault::EmptyAlternative(Part::Command)))
            .or_else(|| empty(self.with).then_some(RuleFault::EmptyAlternative(Part::With)))
            .or_else(|| looked_at(Part::With, self.with, !approves, "the verdict risky or deny"))
            .or_else(|| looked_at(Part::Options, self.options, approves, approving))
            .or_else(|| {
                (!approves && self.operands != Operands::None)
                    .then_some(RuleFault::NotLookedAt(Part::Operands, approving))
            })
            .or_else(|| {
                let is_build = self.ruling == Ruling::Build;
                looked_at(Part::DefinedIn, self.defined_in, is_build, "the verdict build")
            })
            .or_else(|| self.unknown_class())
            .or_else(|| self.no_option())
    }

    fn unknown_class(&self) -> Option<RuleFault> {
        let atoms = self
            .with
            .split_whitespace()
            .flat_map(|word| word.strip_prefix('!').unwrap_or(word).split('|'));
        let mut classes =
            atoms.filter_map(|atom| atom.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')));
        let name = classes.find(|class| !CLASSES.contains(class))?;
        Some(RuleFault::UnknownClass { name: name.to_owned() })
    }

    fn no_option(&self) -> Option<RuleFault> {
        let mut words = self.options.split_whitespace();
        let word = words.find(|word| self.options != "*" && !word.starts_with('-'))?;
        Some(RuleFault::NoOption { word: word.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::built_in;

    #[test]
    fn the_texts_of_built_in_rules_are_all_right() {
        let faults: Vec<_> =
            built_in().filter_map(|rule| Some((rule.name.to_owned(), rule.fault()?))).collect();
        assert_eq!(faults, []);
    }

    #[test]
    fn invalid_texts_are_named() {
        let deny = Rule::deny("a", "x", "", "");
        let allow = Rule::allow("a", "x", "", Operands::Words);
        for (rule, expected) in [
            (Rule { with: "-f !<home>|-r ~drop+table", ..deny }, None),
            (Rule { options: "-n= --all", ..allow }, None),
            (Rule { options: "*", ..allow }, None),
            (
                Rule { command: "x a||b", ..deny },
                Some((Part::Command, "one side of a `|` is empty")),
            ),
            (Rule { with: "-f|", ..deny }, Some((Part::With, "one side of a `|` is empty"))),
            (
                Rule { with: "-f", ..allow },
                Some((Part::With, "it only has an effect in rules with the verdict risky or deny")),
            ),
            (
                Rule { options: "-f", ..deny },
                Some((
                    Part::Options,
                    "it only has an effect in rules with the verdict allow or build",
                )),
            ),
            (
                Rule { operands: Operands::Files, ..deny },
                Some((
                    Part::Operands,
                    "it only has an effect in rules with the verdict allow or build",
                )),
            ),
            (
                Rule { defined_in: "Makefile", ..allow },
                Some((Part::DefinedIn, "it only has an effect in rules with the verdict build")),
            ),
            (
                Rule { options: "-n all", ..allow },
                Some((Part::Options, "\"all\" is not an option")),
            ),
        ] {
            let fault = rule.fault().map(|fault| (fault.part(), fault.to_string()));
            let expected = expected.map(|(part, text)| (part, text.to_owned()));
            assert_eq!(fault, expected, "{rule:?}");
        }
        let unknown = Rule { with: "-r !<hom>", ..deny }.fault();
        assert_eq!(unknown, Some(RuleFault::UnknownClass { name: "hom".to_owned() }));
    }

    #[test]
    fn words_and_rulings_are_one_to_one() {
        for word in Ruling::words() {
            assert_eq!(Ruling::parse(word).map(Ruling::word), Some(word));
        }
        assert_eq!(Ruling::parse("floor"), None);
    }
}
