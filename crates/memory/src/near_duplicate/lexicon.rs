//! The vocabulary, ready to be looked up by stems.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::stem::stem;
use super::{japanese_vocabulary, vocabulary as words};

/// There is one: it costs a millisecond to make.
pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

/// What is known of words.
pub(super) struct Lexicon {
    groups: HashMap<String, Vec<usize>>,
    roles: HashMap<String, Role>,
    light: HashSet<String>,
    harm: HashSet<String>,
    units: HashSet<String>,
    opposites: HashSet<(String, String)>,
    listed_opposites: HashSet<(String, String)>,
    poles: Vec<(HashSet<String>, HashSet<String>)>,
    negated: HashMap<&'static str, &'static str>,
    numerals: HashMap<&'static str, &'static str>,
    counts: HashMap<&'static str, &'static str>,
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
    fn new() -> Self {
        let synonyms = words::SYNONYMS.split(", ").chain(japanese_vocabulary::SYNONYMS.split(", "));
        let members: Vec<Vec<String>> =
            synonyms.map(|group| group.split(' ').map(stem).collect()).collect();
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, group) in members.iter().enumerate() {
            for stem in group {
                groups.entry(stem.clone()).or_default().push(number);
            }
        }
        let synonyms_of = |word: &str| {
            let stem = stem(word);
            let first = groups.get(&stem).and_then(|groups| groups.first());
            first.map_or_else(|| vec![stem], |first| members[*first].clone())
        };
        let mut roles = HashMap::new();
        for (list, role) in [
            (words::WEAK, Role::Weak),
            (words::SILENT, Role::Silent),
            (words::CONTRASTS, Role::Contrast),
            (words::NEGATIONS, Role::Negation),
        ] {
            roles.extend(list.split(' ').map(|word| (stem(word), role)));
        }
        let opposites =
            words::OPPOSITES.split(", ").chain(japanese_vocabulary::OPPOSITES.split(", "));
        let listed: Vec<_> = opposites.filter_map(|pair| pair.split_once(' ')).collect();
        let wide: Vec<_> = listed
            .iter()
            .flat_map(|(one, other)| {
                let others = synonyms_of(other);
                let pairs = |one: String| {
                    let pair = |other: &String| (one.clone(), other.clone());
                    others.iter().map(pair).collect::<Vec<_>>()
                };
                synonyms_of(one).into_iter().flat_map(pairs).collect::<Vec<_>>()
            })
            .collect();
        Self {
            roles,
            light: &stems(words::LIGHT) | &stems(japanese_vocabulary::LIGHT),
            harm: stems(words::HARM),
            units: words::UNITS.split(' ').flat_map(&synonyms_of).collect(),
            opposites: both_ways(wide.into_iter()),
            listed_opposites: both_ways(listed.iter().map(|(one, other)| (stem(one), stem(other)))),
            poles: words::POLES
                .split(", ")
                .filter_map(|poles| poles.split_once(" / "))
                .map(|(one, other)| (stems(one), stems(other)))
                .collect(),
            negated: pairs(words::NEGATED),
            numerals: pairs(words::NUMERALS),
            counts: pairs(words::COUNTS),
            loans: pairs(japanese_vocabulary::LOANS),
            groups,
        }
    }

    pub(super) fn role(&self, stem: &str) -> Option<Role> {
        self.roles.get(stem).copied()
    }

    /// Whether it may stand for the other.
    pub(super) fn are_synonyms(&self, one: &str, other: &str) -> bool {
        let groups = |stem| self.groups.get(stem).map(Vec::as_slice).unwrap_or_default();
        groups(one).iter().any(|group| groups(other).contains(group))
    }

    /// Whether it has synonyms: then others are none.
    pub(super) fn is_known(&self, stem: &str) -> bool {
        self.groups.contains_key(stem)
    }

    pub(super) fn is_light(&self, stem: &str) -> bool {
        self.light.contains(stem)
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

    /// The same without synonyms.
    pub(super) fn are_listed_opposites(&self, one: &str, other: &str) -> bool {
        self.listed_opposites.contains(&(one.to_owned(), other.to_owned()))
    }

    /// Whether the stems of one sentence point in another direction than those of another.
    pub(super) fn point_apart(&self, a: &HashSet<String>, b: &HashSet<String>) -> bool {
        self.poles.iter().any(|(one, other)| {
            let side = |stems: &HashSet<String>| match (
                stems.is_disjoint(one),
                stems.is_disjoint(other),
            ) {
                (false, true) => Some(true),
                (true, false) => Some(false),
                _ => None,
            };
            side(a).zip(side(b)).is_some_and(|(a, b)| a != b)
        })
    }

    /// `unused` as `used`, which is then negated.
    pub(super) fn negated(&self, word: &str) -> Option<&'static str> {
        self.negated.get(word).copied()
    }

    /// `two` as `2`.
    pub(super) fn numeral(&self, word: &str) -> Option<&'static str> {
        self.numerals.get(word).copied()
    }

    /// `twice` as `2`.
    pub(super) fn count(&self, word: &str) -> Option<&'static str> {
        self.counts.get(word).copied()
    }

    /// What a word in katakana is loaned from.
    pub(super) fn loan(&self, katakana: &str) -> Option<&'static str> {
        self.loans.get(katakana).copied()
    }

    /// All words in katakana that are loans.
    pub(super) fn loans(&self) -> impl Iterator<Item = &'static str> {
        self.loans.keys().copied()
    }
}

fn both_ways(pairs: impl Iterator<Item = (String, String)>) -> HashSet<(String, String)> {
    pairs.flat_map(|(one, other)| [(one.clone(), other.clone()), (other, one)]).collect()
}

fn stems(list: &str) -> HashSet<String> {
    list.split(' ').map(stem).collect()
}

fn pairs(list: &'static str) -> HashMap<&'static str, &'static str> {
    list.split(", ").filter_map(|pair| pair.split_once(' ')).collect()
}
