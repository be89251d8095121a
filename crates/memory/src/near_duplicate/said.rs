//! What a sentence is about: its words in their order, and what turns them round.

use super::japanese;
use super::lexicon::{Lexicon, Role};
use super::stem::stem;

/// What weighs as much as an ordinary word. Weak ones weigh half of it, names half more.
pub(super) const ORDINARY: u32 = 4;
const WEAK: u32 = ORDINARY / 2;
const NAME: u32 = ORDINARY + ORDINARY / 2;

/// Which side of them a word stands on makes a difference.
const CONNECTORS: &[&str] = &["before", "after", "over", "than", "instead"];

/// A sentence, read.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says whether the sentence has such a word")]
pub(super) struct Said {
    pub(super) words: Vec<Word>,
    pub(super) negations: usize,
    pub(super) has_harm: bool,
    pub(super) has_contrast: bool,
    pub(super) has_only: bool,
    /// Connectors, and how many words stand before each.
    pub(super) connectors: Vec<(&'static str, usize)>,
    has_prefer: bool,
    has_over: bool,
}

/// A word that a sentence is about.
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) weight: u32,
    /// As it was written, in lower case.
    pub(super) written: String,
    pub(super) stem: String,
    /// The name of its group, by which words are compared.
    pub(super) group: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// A path, a flag, an identifier.
    Name,
    Number,
    Unit,
    Kanji,
    Katakana,
}

impl Said {
    pub(super) fn read(text: &str, lexicon: &Lexicon) -> Self {
        let mut said = Self::default();
        japanese::note_turns(text, &mut said);
        let is_end = |c: char| c.is_whitespace() || "。、「」()（）,;\"`’“”—".contains(c);
        for chunk in text.split(is_end) {
            let mut rest = chunk;
            while let Some(first) = rest.chars().next() {
                let is_cjk = japanese::is_cjk(first);
                let end = rest.find(|c| japanese::is_cjk(c) != is_cjk).unwrap_or(rest.len());
                let (run, behind) = rest.split_at(end);
                if is_cjk {
                    japanese::read(run, lexicon, &mut said);
                } else {
                    said.read_word(run, lexicon);
                }
                rest = behind;
            }
        }
        if said.has_prefer && said.has_over {
            said.negations += 1;
        }
        said
    }

    /// A word with whatever stands around and inside of it.
    fn read_word(&mut self, raw: &str, lexicon: &Lexicon) {
        let has_dot = raw.starts_with('.')
            && raw[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let around: &[char] = &[',', ':', '!', '?', '[', ']', '{', '}', '<', '>', '\'', '…', '*'];
        let raw = raw.trim_matches(around).trim_end_matches('.').trim_end_matches(around);
        let raw = if has_dot { raw } else { raw.trim_start_matches('.') };
        let lower = raw.to_lowercase();
        let lower = lower.strip_suffix("'s").unwrap_or(&lower);
        if lower.is_empty() {
        } else if is_flag(lower) || (is_name(raw) && number_and_unit(lower, lexicon).is_none()) {
            self.push(Kind::Name, NAME, lower, lower.to_owned(), lower.to_owned());
        } else if let Some((number, unit)) = number_and_unit(lower, lexicon) {
            self.push_number(number);
            if !unit.is_empty() {
                self.push(Kind::Unit, ORDINARY, unit, stem(unit), lexicon.group(&stem(unit)));
            }
        } else if let Some(parts) = parts(lower) {
            parts.for_each(|part| self.read_word(part, lexicon));
        } else {
            self.read_plain(lower, lexicon);
        }
    }

    fn read_plain(&mut self, word: &str, lexicon: &Lexicon) {
        if word.ends_with("n't") || word == "cannot" {
            self.negations += 1;
            return;
        }
        if let Some(number) = lexicon.numeral(word) {
            return self.push_number(number);
        }
        if let Some(connector) = CONNECTORS.iter().find(|connector| **connector == word) {
            self.connectors.push((connector, self.words.len()));
        }
        let stem = stem(word);
        self.has_over |= word == "over";
        self.has_prefer |= stem == "prefer";
        self.has_only |= word == "only";
        self.has_harm |= lexicon.is_harm(&stem);
        let role = lexicon.role(&stem);
        match role {
            Some(Role::Negation) => self.negations += 1,
            Some(Role::Contrast) => self.has_contrast = true,
            Some(Role::Silent) => (),
            Some(Role::Weak) | None => {
                let group = lexicon.group(&stem);
                let is_unit = lexicon.is_unit(&stem) || lexicon.is_unit(&group);
                let kind = if is_unit { Kind::Unit } else { Kind::Plain };
                let is_weak = role.is_some() && !is_unit;
                if stem == "request" && self.words.last().is_some_and(Word::is_pull_or_merge) {
                    self.words.pop();
                    return self.push(Kind::Plain, ORDINARY, "pr", "pr".into(), "pr".into());
                }
                self.push(kind, if is_weak { WEAK } else { ORDINARY }, word, stem, group);
            }
        }
    }

    fn push_number(&mut self, number: &str) {
        self.push(Kind::Number, ORDINARY, number, number.to_owned(), number.to_owned());
    }

    fn push(&mut self, kind: Kind, weight: u32, written: &str, stem: String, group: String) {
        self.words.push(Word { kind, weight, written: written.to_owned(), stem, group });
    }

    /// A word of another script.
    pub(super) fn push_character_word(&mut self, kind: Kind, is_weak: bool, word: &str) {
        let weight = if is_weak { WEAK } else { ORDINARY };
        self.push(kind, weight, word, word.to_owned(), word.to_owned());
    }

    /// An English word that was written in another script.
    pub(super) fn push_loan(&mut self, word: &str, lexicon: &Lexicon) {
        let stem = stem(word);
        let group = lexicon.group(&stem);
        self.push(Kind::Plain, ORDINARY, word, stem, group);
    }
}

impl Word {
    fn is_pull_or_merge(&self) -> bool {
        self.written == "pull" || self.written == "merge"
    }

    /// A version, such as `v2` or `3.12`.
    pub(super) fn is_version(&self) -> bool {
        let digits = self.group.trim_start_matches('v');
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
        is_number && (digits.len() < self.group.len() || digits.contains('.'))
    }
}

fn is_flag(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    let dashes = word.len() - name.len();
    (1..=2).contains(&dashes) && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether it looks like something from code: a path, an assignment, an identifier.
fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let has_pair = |is: fn(char, char) -> bool| letters.windows(2).any(|pair| is(pair[0], pair[1]));
    let is_mixed = |a: char, b: char| {
        (a.is_ascii_digit() && b.is_ascii_alphabetic())
            || (a.is_ascii_alphabetic() && b.is_ascii_digit())
    };
    let has_sign = word.contains(['_', '=', '@', '$', '\\', '#', '.']) || word.contains("::");
    let slashes = word.trim_matches('/').matches('/').count();
    let is_long_path = slashes > 1
        || (slashes == 1 && word.contains(|c: char| !c.is_ascii_alphabetic() && c != '/'));
    let is_camel =
        letters.len() > 3 && has_pair(|a, b| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let has_letter = letters.iter().any(|c| c.is_alphabetic());
    has_letter && (has_sign || is_long_path || is_camel || has_pair(is_mixed))
}

/// `10mb` as a number and its unit, `3.12` as a number without one.
fn number_and_unit<'a>(word: &'a str, lexicon: &Lexicon) -> Option<(&'a str, &'a str)> {
    let end = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
    let (number, unit) = word.split_at(end);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || ".,:%+".contains(c));
    let is_unit = unit.is_empty()
        || ["s", "m", "h", "d", "k"].contains(&unit)
        || lexicon.is_unit(&stem(unit));
    (is_number && is_unit).then(|| (number.trim_end_matches(['.', ',', ':', '+']), unit))
}

/// The words of `services/api` and `start-up`.
fn parts(word: &str) -> Option<impl Iterator<Item = &str>> {
    word.contains(['/', '-']).then(|| word.split(['/', '-']).filter(|part| !part.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary as words;
    use super::*;

    fn read(text: &str) -> Vec<(String, Kind)> {
        let said = Said::read(text, &Lexicon::new());
        said.words.into_iter().map(|word| (word.group, word.kind)).collect()
    }

    #[test]
    fn words_are_told_from_names_and_numbers() {
        use Kind::{Kanji, Katakana, Name, Number, Plain, Unit};
        let table: &[(&str, &[(&str, Kind)])] = &[
            ("The `users.email` column.", &[("users.email", Name), ("column", Plain)]),
            (
                "wait 10MB, then 3.12 or 120+",
                &[("wait", Plain), ("10", Number), ("mb", Unit), ("3.12", Number), ("120", Number)],
            ),
            ("--max-depth and -x", &[("--max-depth", Name), ("-x", Name)]),
            (
                "services/api src/a.rs a/b/c",
                &[("servic", Plain), ("api", Plain), ("src/a.rs", Name), ("a/b/c", Name)],
            ),
            ("OrderService S3 .proto", &[("orderservice", Name), ("s3", Name), (".proto", Name)]),
            ("Pull requests", &[("pr", Plain)]),
            (
                "本番のサーバーでfeature flagを",
                &[("本番", Kanji), ("server", Plain), ("featur", Plain), ("flag", Plain)],
            ),
            ("シードスクリプト", &[("シードスクリプト", Katakana)]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> =
                expected.iter().map(|(word, kind)| ((*word).to_owned(), *kind)).collect();
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn negations_are_counted() {
        let count = |text: &str| Said::read(text, &Lexicon::new()).negations;
        for (text, expected) in [
            ("Tests don't and cannot", 2),
            ("Never, without", 2),
            ("Prefer a over b", 1),
            ("しなければならない", 0),
            ("使わないこと。してはいけない", 2),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn the_vocabulary_is_in_lower_case() {
        let lists = [words::SILENT, words::WEAK, words::SYNONYMS, words::OPPOSITES, words::HARM];
        assert_eq!(lists.map(str::to_lowercase), lists.map(str::to_owned));
    }
}
