//! The report of a replay, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::replay::labels::Labels;
use crate::replay::run::Counts;

pub(crate) struct Report<'a> {
    pub(crate) counts: &'a Counts,
    pub(crate) labels: &'a Labels,
    pub(crate) is_trusted: bool,
}

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let Counts { files, sessions, failures, drift, offers, claims, guard, costs } = self.counts;
        let trusted = if self.is_trusted { "trusted" } else { "not trusted" };
        let mut text = format!(
            "{sessions} sessions of {} projects, {} events, {} prompts; projects {trusted}\n\n",
            files.len(),
            costs.calls(),
            offers.prompts,
        );
        let parts = [
            failures.text(),
            drift.text(self.labels),
            offers.text(),
            claims.text(self.labels),
            guard.text(),
            costs.text(),
        ];
        // Writing to a String cannot fail.
        write!(text, "{}", parts.join("\n")).unwrap_or_default();
        text
    }

    pub(crate) fn json(&self) -> Value {
        let Counts { files, sessions, failures, drift, offers, claims, guard, costs } = self.counts;
        json!({
            "files": files,
            "sessions": sessions,
            "events": costs.calls(),
            "trusted": self.is_trusted,
            "failures": failures.json(),
            "drift": drift.json(self.labels),
            "offers": offers.json(),
            "claims": claims.json(self.labels),
            "guard": guard.json(),
            "costs": costs.json(),
        })
    }
}

/// The beginning of a text, on one line.
pub(crate) fn one_line(text: &str) -> String {
    const MOST: usize = 300;
    let flat = text.replace('\n', "\\n");
    if flat.chars().count() <= MOST {
        return flat;
    }
    flat.chars().take(MOST).chain(['…']).collect()
}
