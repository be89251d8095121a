//! Names and values in two columns.

use std::io;

use crate::ui::Ui;

/// Collected first, so that all values begin in the same column.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<(String, String)>);

impl Table {
    pub(crate) fn row(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    pub(crate) fn print(&self, ui: &mut Ui) -> io::Result<()> {
        self.lines().iter().try_for_each(|line| ui.line(line))
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let width = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let line =
            |(name, value): &(_, _)| format!("{name:<width$}  {value}").trim_end().to_owned();
        self.0.iter().map(line).collect()
    }
}
