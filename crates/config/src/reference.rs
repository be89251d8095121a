//! The table of keys for documentation, and resolved settings as a list.

use crate::keys::{KEYS, Settings};
use crate::layers::Origin;
use crate::rule::Class;

/// One key as documentation shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyReference {
    /// For example `record.enabled`.
    pub path: String,
    /// What a value looks like, for example `true or false`.
    pub expected: String,
    /// As it would stand in a file; empty for an optional value that is not set.
    pub default: String,
    pub class: Class,
    /// For a tighten-only key, what stricter means.
    pub stricter: Option<&'static str>,
    pub doc: &'static str,
    /// For example `VERGER_RECORD_ENABLED`.
    pub variable: String,
}

/// Every key, in the order of the table.
pub fn reference() -> impl Iterator<Item = KeyReference> {
    let defaults = Settings::default();
    KEYS.iter().map(move |key| KeyReference {
        path: key.path(),
        expected: (key.expected)(),
        default: (key.render)(&defaults),
        class: key.class,
        stricter: key.stricter,
        doc: key.doc.trim_ascii(),
        variable: key.variable(),
    })
}

/// One resolved setting as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSetting<'a> {
    pub path: String,
    /// As it would stand in a file; empty for an optional value that is not set.
    pub value: String,
    pub class: Class,
    pub origin: &'a Origin,
    pub joined: &'a [Origin],
}

impl ListedSetting<'_> {
    /// Whether this file gave the value or a part of it.
    pub fn comes_from(&self, file: &str) -> bool {
        self.joined.iter().chain([self.origin]).any(|origin| match origin {
            Origin::User { file: known, .. } | Origin::Project { file: known, .. } => {
                **known == *file
            }
            Origin::Default | Origin::Environment { .. } => false,
        })
    }
}

impl Settings {
    /// Every setting, in the order of the table.
    pub fn list(&self) -> impl Iterator<Item = ListedSetting<'_>> {
        KEYS.iter().map(|key| {
            let (origin, joined) = (key.origins)(self);
            let value = (key.render)(self);
            ListedSetting { path: key.path(), value, class: key.class, origin, joined }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_says_all_there_is_to_know_about_a_key() {
        let rows: Vec<String> = reference()
            .map(|key| {
                let stricter = key.stricter.map(|stricter| format!(" ({stricter})"));
                format!(
                    "{} | {} | {} | {} | {}{} | {}",
                    key.path,
                    key.variable,
                    key.expected,
                    key.default,
                    key.class,
                    stricter.unwrap_or_default(),
                    key.doc,
                )
            })
            .collect();
        insta::assert_snapshot!(rows.join("\n"), @r#"
        record.enabled | VERGER_RECORD_ENABLED | true or false | true | tighten-only (true is stricter) | Record what agents do.
        record.role | VERGER_RECORD_ROLE | a string of 1 to 256 bytes without control characters |  | free | The role written into every record, for example "reviewer".
        record.readers | VERGER_RECORD_READERS | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (entries can be left out, not added) | Who else may read the records; when empty, their owner alone.
        user.name | VERGER_USER_NAME | a string of 1 to 256 bytes without control characters |  | needs trust | The name written into every record; when absent, git's identity.
        redact.key_names | VERGER_REDACT_KEY_NAMES | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (layers add up) | Further key names whose values are secret.
        store.lock_wait_ms | VERGER_STORE_LOCK_WAIT_MS | an integer from 0 to 2000 | 200 | free | How long a hook waits for a session's lock, in milliseconds.
        "#);
    }
}
