//! The counts and the faults that one part of the soak reports.

use std::fmt::{Display, Write as _};

use serde_json::{Value, json};

/// The maximum number of faults that are reported. More would add no information.
const MAX_FAULTS: usize = 20;

pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    /// A description of the part of the soak, in one sentence.
    what: String,
    facts: Vec<(String, String)>,
    pub(crate) faults: Vec<String>,
}

impl Outcome {
    pub(crate) fn new(name: &'static str, what: impl Into<String>) -> Self {
        Self { name, what: what.into(), facts: Vec::new(), faults: Vec::new() }
    }

    pub(crate) fn fact(&mut self, label: &str, value: impl Display) {
        self.facts.push((label.to_owned(), format!("{value}")));
    }

    pub(crate) fn fault(&mut self, fault: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    pub(crate) fn expect(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        if !holds {
            self.fault(fault());
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.what);
        for (label, value) in &self.facts {
            // Writing to a String cannot fail.
            writeln!(text, "  {label:<44} {value}").unwrap_or_default();
        }
        for fault in &self.faults {
            writeln!(text, "  FAULT {fault}").unwrap_or_default();
        }
        text
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "facts": self.facts, "faults": self.faults })
    }

    /// Adds the counts and faults that another process printed as JSON. `None` if the text can't be
    /// parsed.
    pub(crate) fn take_json(&mut self, text: &str) -> Option<()> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        self.facts.extend(serde_json::from_value::<Vec<_>>(value["facts"].take()).ok()?);
        self.faults.extend(serde_json::from_value::<Vec<_>>(value["faults"].take()).ok()?);
        Some(())
    }
}

pub(crate) fn markdown(outcomes: &[Outcome], seed: u64) -> String {
    let mut text = format!(
        "# What faults cost\n\nWritten by `cargo xtask soak --report` (seed {seed}). Lost means: reported as written, and not in the log \
         nor in spill afterwards.\n"
    );
    for outcome in outcomes {
        write!(text, "\n## {}\n\n{}\n\n| | |\n|---|---|\n", outcome.name, outcome.what)
            .unwrap_or_default();
        for (label, value) in &outcome.facts {
            writeln!(text, "| {label} | {value} |").unwrap_or_default();
        }
        writeln!(text, "| **faults** | **{}** |", outcome.faults.len()).unwrap_or_default();
        for fault in &outcome.faults {
            writeln!(text, "\n- {fault}").unwrap_or_default();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_another_process_are_added() {
        let mut theirs = Outcome::new("a", "");
        theirs.fact("lost", 0);
        theirs.expect(false, || "torn line".to_owned());
        let mut ours = Outcome::new("b", "");
        ours.take_json(&theirs.to_json().to_string()).unwrap();
        assert_eq!((ours.facts, ours.faults), (theirs.facts, theirs.faults));
    }
}
