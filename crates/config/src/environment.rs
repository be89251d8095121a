//! Reads environment variables as a layer of settings. The variable of a key is
//! `VERGER_SECTION_KEY`.

use std::ffi::{OsStr, OsString};

use crate::keys::{KEYS, Key, Settings};
use crate::layers::Origin;
use crate::nearest::nearest;
use crate::problem::{Place, ProblemKind};
use crate::resolve::Report;
use crate::rule::{Offer, Standing};
use crate::value::Given;

const PREFIX: &str = "VERGER_";

/// Variables with verger's prefix that are not settings. An entry that ends in `_` matches all
/// names that begin with it.
pub const RESERVED_VARIABLES: &[&str] = &[
    "VERGER_AGENTS_DIR",
    "VERGER_ASKED",
    "VERGER_DEPTH",
    "VERGER_HOME",
    "VERGER_JOB",
    "VERGER_NEWEST_AGENTS_DIR",
    "VERGER_SESSION",
    "VERGER_TEST_",
];

/// Whether [`resolve`](crate::resolve()) may read this variable.
pub fn is_relevant_variable(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

pub(crate) fn apply(
    environment: &[(OsString, OsString)],
    settings: &mut Settings,
    report: &mut Report<'_>,
) {
    for (name, value) in environment {
        if !is_relevant_variable(name) {
            continue;
        }
        let variable = name.to_string_lossy();
        if is_reserved(&variable) {
            continue;
        }
        let place = || Place::Variable { variable: shown(&variable) };
        let Some(key) = KEYS.iter().find(|key| is_variable_of(key, &variable)) else {
            report.add(place(), || ProblemKind::UnknownVariable {
                nearest: nearest(&variable, KEYS.iter().map(Key::variable)),
            });
            continue;
        };
        if let Err(kind) = take(key, settings, value, &variable) {
            report.add(place(), || kind);
        }
    }
}

fn take(
    key: &Key,
    settings: &mut Settings,
    value: &OsStr,
    variable: &str,
) -> Result<(), ProblemKind> {
    let path = key.path();
    let Some(value) = value.to_str() else {
        let expected = (key.expected)();
        let found = "text that is not UTF-8".to_owned();
        return Err(ProblemKind::BadValue { key: path, expected, found, nearest: None });
    };
    let offer = Offer {
        given: Given::Variable(value),
        origin: Origin::Environment { variable: variable.to_owned() },
        standing: Standing::Environment,
    };
    (key.take)(settings, offer, &path)
}

fn is_reserved(variable: &str) -> bool {
    RESERVED_VARIABLES.iter().any(|reserved| {
        if reserved.ends_with('_') { variable.starts_with(reserved) } else { variable == *reserved }
    })
}

/// Whether `variable` is the name of the key's variable. It compares without building that name,
/// because every hook call does this for every key.
fn is_variable_of(key: &Key, variable: &str) -> bool {
    let upper = |part: &str, expected: &str| {
        part.len() == expected.len()
            && part.bytes().zip(expected.bytes()).all(|(a, b)| a == b.to_ascii_uppercase())
    };
    let rest = &variable[PREFIX.len()..];
    rest.split_at_checked(key.section.len()).is_some_and(|(section, name)| {
        upper(section, key.section)
            && name.strip_prefix('_').is_some_and(|name| upper(name, key.name))
    })
}

/// The name of a variable for a message, escaped, and cut to a length that fits into a line.
fn shown(variable: &str) -> String {
    const SHOWN: usize = 96;
    let escaped = variable.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if variable.chars().nth(SHOWN).is_some() { format!("{escaped}...") } else { escaped }
}
