//! Chooses the backend for a project's learnings, and records the reason.

use std::path::{Path, PathBuf};

use verger_memory::BackendSource;

use crate::backend::BackendKind;
use crate::switch::Switch;

/// The user's configuration of backends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendsWanted {
    pub order: Vec<BackendSource>,
    /// The backend that the configuration names, if it names one.
    pub named: Option<BackendKind>,
    pub total_recall: Switch,
    pub markdown: Switch,
}

impl Default for BackendsWanted {
    fn default() -> Self {
        let order =
            vec![BackendSource::Config, BackendSource::TotalRecall, BackendSource::Markdown];
        Self { order, named: None, total_recall: Switch::On, markdown: Switch::On }
    }
}

/// The decision about one backend: whether it is used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendFound {
    pub kind: BackendKind,
    pub why: BackendWhy,
}

/// The reason why a backend is used or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackendWhy {
    /// The backend is used, because the configuration names it.
    Configured,
    /// The backend is used, because the project has this file with the backend's rules.
    Rules(PathBuf),
    /// The backend is used, because it is built in and always available.
    BuiltIn,
    /// The backend is used for reading. It is used for writing only if the other backend, which
    /// comes first, fails.
    Behind(BackendKind),
    /// The backend is not used, because the configuration switches it off.
    SwitchedOff,
    /// The backend is not used, because the project does not have it.
    NotFound,
}

impl BackendFound {
    /// Whether learnings are read from the backend.
    pub fn is_read(&self) -> bool {
        !matches!(self.why, BackendWhy::SwitchedOff | BackendWhy::NotFound)
    }
}

/// Decides about all backends, in order. The first backend that is read is also used for writing.
/// `rules` is the file with Total Recall's rules, if the project has one.
pub fn choose(wanted: &BackendsWanted, rules: Option<&Path>) -> Vec<BackendFound> {
    let mut found: Vec<BackendFound> = Vec::new();
    let mut add = |kind: BackendKind, why: BackendWhy| {
        if found.iter().any(|known| known.kind == kind) {
            return;
        }
        let new = BackendFound { kind, why };
        let first = found.iter().find(|known| known.is_read()).map(|known| known.kind);
        let why = match first {
            Some(first) if new.is_read() => BackendWhy::Behind(first),
            _ => new.why,
        };
        found.push(BackendFound { kind, why });
    };
    for source in &wanted.order {
        match source {
            BackendSource::Config => {
                if let Some(kind) = wanted.named {
                    add(kind, BackendWhy::Configured);
                }
            }
            BackendSource::TotalRecall => add(
                BackendKind::TotalRecall,
                match (wanted.total_recall, rules) {
                    (Switch::Off, _) => BackendWhy::SwitchedOff,
                    (Switch::On, Some(rules)) => BackendWhy::Rules(rules.to_owned()),
                    (Switch::On, None) => BackendWhy::NotFound,
                },
            ),
            BackendSource::Markdown => add(
                BackendKind::Markdown,
                match wanted.markdown {
                    Switch::Off => BackendWhy::SwitchedOff,
                    Switch::On => BackendWhy::BuiltIn,
                },
            ),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use BackendKind::{Markdown, TotalRecall};
    use BackendSource as From;

    const RULES: &str = "/p/rules/total-recall.md";

    #[track_caller]
    fn check(wanted: &BackendsWanted, rules: Option<&str>, expected: &[(BackendKind, BackendWhy)]) {
        let found: Vec<_> = choose(wanted, rules.map(Path::new))
            .into_iter()
            .map(|found| (found.kind, found.why))
            .collect();
        assert_eq!(found, expected, "{wanted:?} {rules:?}");
    }

    #[test]
    fn the_first_that_is_there_is_written_to_and_the_others_are_read() {
        let usual = BackendsWanted::default();
        let by_rules = || BackendWhy::Rules(RULES.into());
        check(
            &usual,
            None,
            &[(TotalRecall, BackendWhy::NotFound), (Markdown, BackendWhy::BuiltIn)],
        );
        check(
            &usual,
            Some(RULES),
            &[(TotalRecall, by_rules()), (Markdown, BackendWhy::Behind(TotalRecall))],
        );
        let off = BackendsWanted { total_recall: Switch::Off, ..usual.clone() };
        check(
            &off,
            Some(RULES),
            &[(TotalRecall, BackendWhy::SwitchedOff), (Markdown, BackendWhy::BuiltIn)],
        );
        let only = BackendsWanted { markdown: Switch::Off, ..usual.clone() };
        check(
            &only,
            Some(RULES),
            &[(TotalRecall, by_rules()), (Markdown, BackendWhy::SwitchedOff)],
        );
        let order = vec![From::Markdown, From::TotalRecall, From::Config];
        let turned = BackendsWanted { order, ..usual };
        check(
            &turned,
            Some(RULES),
            &[(Markdown, BackendWhy::BuiltIn), (TotalRecall, BackendWhy::Behind(Markdown))],
        );
    }

    #[test]
    fn the_one_that_is_named_counts_as_far_in_front_as_it_stands() {
        let named = BackendsWanted { named: Some(Markdown), ..BackendsWanted::default() };
        check(
            &named,
            Some(RULES),
            &[(Markdown, BackendWhy::Configured), (TotalRecall, BackendWhy::Behind(Markdown))],
        );
        let named = BackendsWanted { named: Some(TotalRecall), ..BackendsWanted::default() };
        check(
            &named,
            None,
            &[(TotalRecall, BackendWhy::Configured), (Markdown, BackendWhy::Behind(TotalRecall))],
        );
        let order = vec![From::TotalRecall, From::Config, From::Markdown];
        let last = BackendsWanted { order, named: Some(Markdown), ..BackendsWanted::default() };
        check(
            &last,
            None,
            &[(TotalRecall, BackendWhy::NotFound), (Markdown, BackendWhy::Configured)],
        );
    }
}
