//! The vocabulary, ready to be looked up.

use std::collections::{HashMap, HashSet};

use super::stem::stem;
use super::vocabulary as words;

/// What is known of words, by their stems.
pub(super) struct Lexicon {
    groups: HashMap<String, String>,
    roles: HashMap<String, Role>,
    harm: HashSet<String>,
    units: HashSet<String>,
    opposites: HashSet<(String, String)>,
    numerals: HashMap<&'static str, &'static str>,
    loans: HashMap<&'static str, &'static str>,
}

/// What a word does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Silent,
    Weak,
    Negation,
    Contrast,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        let mut groups = HashMap::new();
        for group in words::SYNONYMS.split(", ") {
            let mut members = group.split(' ').map(stem);
            if let Some(name) = members.next() {
                for member in members {
                    groups.entry(member).or_insert_with(|| name.clone());
                }
                groups.insert(name.clone(), name);
            }
        }
        let mut roles = HashMap::new();
        for (list, role) in [
            (words::WEAK, Role::Weak),
            (words::SILENT, Role::Silent),
            (words::CONTRASTS, Role::Contrast),
            (words::NEGATIONS, Role::Negation),
        ] {
            roles.extend(list.split(' ').map(|word| (stem(word), role)));
        }
        let mut lexicon = Self {
            groups,
            roles,
            harm: words::HARM.split(' ').map(stem).collect(),
            units: words::UNITS.split(' ').map(stem).collect(),
            opposites: HashSet::new(),
            numerals: pairs(words::NUMERALS).collect(),
            loans: pairs(words::LOAN_WORDS).collect(),
        };
        for (one, other) in pairs(words::OPPOSITES) {
            let (one, other) = (lexicon.group(&stem(one)), lexicon.group(&stem(other)));
            lexicon.opposites.insert((one.clone(), other.clone()));
            lexicon.opposites.insert((other, one));
        }
        lexicon
    }

    /// The name of a stem's group, or the stem.
    pub(super) fn group(&self, stem: &str) -> String {
        self.groups.get(stem).map_or(stem, String::as_str).to_owned()
    }

    pub(super) fn role(&self, stem: &str) -> Option<Role> {
        self.roles.get(stem).copied()
    }

    pub(super) fn is_harm(&self, stem: &str) -> bool {
        self.harm.contains(stem)
    }

    pub(super) fn is_unit(&self, stem: &str) -> bool {
        self.units.contains(stem)
    }

    pub(super) fn are_opposite(&self, one: &str, other: &str) -> bool {
        self.opposites.contains(&(one.to_owned(), other.to_owned()))
    }

    /// `two` as `2`.
    pub(super) fn numeral(&self, word: &str) -> Option<&'static str> {
        self.numerals.get(word).copied()
    }

    /// What a word in katakana is loaned from.
    pub(super) fn loan(&self, katakana: &str) -> Option<&'static str> {
        self.loans.get(katakana).copied()
    }
}

fn pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split(", ").filter_map(|pair| pair.split_once(' '))
}
