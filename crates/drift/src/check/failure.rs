//! Extracts from a check's output why it failed: the failing tests, or else the errors.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::normal::normalised;
use super::sign::{Sign, SignReader};
use crate::mark::mark;
use crate::phrases::{contains_any, shortened};

/// The maximum number of characters of a failure's label.
const MAX_LABEL: usize = 160;

/// The failing tests and errors of a check, as hashes. So two runs can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// A hash of the names of the failing tests. `None` if the output names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tests: Option<u64>,
    /// A hash of all normalised errors. `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) errors: Option<u64>,
    /// The first failing test or error, to display.
    pub(crate) label: String,
}

impl Failure {
    /// Parses the cleaned output of a check. `None` if no line names a failing test or an error, or
    /// if the cause is outside of the project, because edits don't change such a cause.
    pub(super) fn of_output(output: &str) -> Option<Self> {
        if contains_any(output, OUTSIDE) {
            return None;
        }
        let mut names: Vec<&str> = vec![];
        let mut errors: Vec<String> = vec![];
        let mut reader = SignReader::default();
        for line in output.lines() {
            match reader.read(line) {
                Some(Sign::Test(name)) => names.push(name),
                Some(Sign::Error(error)) => errors.push(error.to_owned()),
                Some(Sign::Location(path)) => {
                    if let Some(error) = errors.last_mut() {
                        error.push(' ');
                        error.push_str(path);
                    }
                }
                None => {}
            }
        }
        let first = names.first().copied().or(errors.first().map(String::as_str))?;
        let label = shortened(first, MAX_LABEL);
        let names: BTreeSet<String> = names.iter().map(|name| normalised(name)).collect();
        // Errors aren't deduplicated. Some runners print the same error once for each position in
        // the code.
        let mut errors: Vec<String> = errors.iter().map(|error| normalised(error)).collect();
        errors.sort();
        Some(Self {
            tests: (!names.is_empty()).then(|| mark_of(&names)),
            errors: (!errors.is_empty()).then(|| mark_of(&errors)),
            label,
        })
    }

    /// Whether a later failure has the same failing tests, or the same errors if no test is named.
    /// Equal tests with different errors are a different failure, because the agent made progress.
    /// If only one of the two outputs has errors, the errors aren't compared.
    pub(crate) fn is_same(&self, later: &Self) -> bool {
        let errors_fit = self.errors == later.errors
            || self.tests.is_some() && (self.errors.is_none() || later.errors.is_none());
        self.tests == later.tests && errors_fit
    }

    /// This failure with the errors of a later run, if that run has any.
    #[must_use]
    pub(crate) fn seen_again(self, later: &Self) -> Self {
        Self { errors: later.errors.or(self.errors), ..self }
    }
}

/// Messages of failures whose cause is outside of the project, separated by `|`.
const OUTSIDE: &str = "command not found|Failed to spawn|no such host|Could not resolve host|peration not permitted|\
                       onnection refused|ECONNREFUSED|Network is unreachable|No space left on device";

fn mark_of<'a>(lines: impl IntoIterator<Item = &'a String>) -> u64 {
    mark(lines.into_iter().flat_map(|line| line.bytes().chain([b'\n'])))
}
