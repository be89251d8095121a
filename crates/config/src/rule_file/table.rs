//! A rule as it is written in a rule file: its keys and their values.

use std::borrow::Cow;
use std::sync::Arc;

use super::plain::Written;
use crate::nearest::nearest;
use crate::problem::{Place, Problem, ProblemKind};

/// Maximum number of bytes of a rule's name.
const MAX_RULE_NAME_BYTES: usize = 64;

/// A key of a rule whose value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKey {
    Verdict,
    Command,
    With,
    Options,
    Operands,
    DefinedIn,
    Why,
    Instead,
}

impl RuleKey {
    pub const ALL: [Self; 8] = [
        Self::Verdict,
        Self::Command,
        Self::With,
        Self::Options,
        Self::Operands,
        Self::DefinedIn,
        Self::Why,
        Self::Instead,
    ];

    /// The name of the key in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Command => "command",
            Self::With => "with",
            Self::Options => "options",
            Self::Operands => "operands",
            Self::DefinedIn => "defined_in",
            Self::Why => "why",
            Self::Instead => "instead",
        }
    }
}

/// The text of a rule's key, with its position in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stated {
    text: String,
    line: u32,
    column: u32,
}

/// A rule as it is written in a rule file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleTable {
    pub name: String,
    /// The number of the line with the rule's header.
    pub line: u32,
    texts: [Option<Stated>; RuleKey::ALL.len()],
    /// Example commands that the rule must match.
    pub matches: Vec<String>,
    /// Example commands that the rule must not match.
    pub not_matches: Vec<String>,
}

impl RuleTable {
    pub(super) fn at(line: u32) -> Self {
        Self { line, ..Self::default() }
    }

    /// The text of a key of this rule. Empty if the key is missing.
    pub fn text(&self, key: RuleKey) -> &str {
        self.texts[key as usize].as_ref().map_or("", |stated| &stated.text)
    }

    /// The problem that reports that this rule is ignored because of `fault`.
    pub(super) fn left_out(&self, fault: ProblemKind) -> ProblemKind {
        ProblemKind::RuleLeftOut { rule: self.name.clone(), fault: Box::new(fault) }
    }

    /// Creates a problem with the text of a key, or with the whole rule if `key` is `None`. For the
    /// code that interprets rules.
    pub fn problem(&self, file: &Arc<str>, key: Option<RuleKey>, fault: ProblemKind) -> Problem {
        let stated = key.and_then(|key| self.texts[key as usize].as_ref());
        let (line, column) = stated.map_or((self.line, 1), |stated| (stated.line, stated.column));
        let place = Place::Position { file: Arc::clone(file), line, column };
        Problem { place, kind: self.left_out(fault) }
    }
}

const LISTS_AND_NAME: [&str; 3] = ["name", "match", "not_match"];

/// Stores the value of a key in the rule. It is an error to set a key twice.
pub(super) fn put(
    table: &mut RuleTable,
    set: &mut Vec<(&'static str, u32)>,
    name: &str,
    value: Written<'_>,
    (line, column): (u32, u32),
) -> Result<(), ProblemKind> {
    let keys = || LISTS_AND_NAME.into_iter().chain(RuleKey::ALL.map(RuleKey::name));
    let Some(key) = keys().find(|key| *key == name) else {
        let nearest = nearest(name, keys()).map(str::to_owned);
        return Err(ProblemKind::UnknownKey { key: name.to_owned(), nearest });
    };
    if let Some((_, first_line)) = set.iter().find(|(known, _)| *known == key) {
        return Err(ProblemKind::DuplicateKey { key: key.to_owned(), first_line: *first_line });
    }
    set.push((key, line));
    let bad = |expected: &str, found: String| ProblemKind::BadValue {
        key: key.to_owned(),
        expected: expected.to_owned(),
        found,
        nearest: None,
    };
    let (text, list) = match value {
        Written::Text(text) => (Ok(text), Err("a string".to_owned())),
        Written::List(list) => (Err("an array".to_owned()), Ok(list)),
        Written::Other(found) => (Err(found.clone()), Err(found)),
        Written::OtherInList(found) => (Err("an array".to_owned()), Err(found)),
    };
    let text = || text.map(Cow::into_owned).map_err(|found| bad("a text", found));
    let lines = || {
        let list = list.map_err(|found| bad("a list of commands", found))?;
        Ok(list.into_iter().map(Cow::into_owned).collect())
    };
    match key {
        "name" => {
            table.name = text()?;
            if !is_name(&table.name) {
                table.name.clear();
                let expected = "1 to 64 lower-case letters, digits and dashes";
                return Err(bad(expected, "another text".to_owned()));
            }
        }
        "match" => table.matches = lines()?,
        "not_match" => table.not_matches = lines()?,
        _ => {
            let Some(place) = RuleKey::ALL.into_iter().find(|known| known.name() == key) else {
                return Ok(());
            };
            table.texts[place as usize] = Some(Stated { text: text()?, line, column });
        }
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= MAX_RULE_NAME_BYTES && name.bytes().all(is_letter)
}
