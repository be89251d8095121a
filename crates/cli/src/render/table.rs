//! A table with names and values in two columns.

use std::io;

use crate::render::output::Ui;
use crate::render::wrap::fitting;

/// The rows are collected first, so that all values begin in the same column.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<(String, String)>);

impl Table {
    pub(crate) fn row(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The lines of a text stay in the value's column, so that none looks like a row of the table.
    pub(crate) fn text_rows(&mut self, name: impl Into<String>, text: &str) {
        let mut lines = text.lines();
        self.row(name, lines.next().unwrap_or_default());
        for line in lines {
            self.row("", line);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn print(&self, ui: &mut Ui) -> io::Result<()> {
        self.lines_within(Ui::width()).iter().try_for_each(|line| ui.line(line))
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_within(None)
    }

    pub(crate) fn lines_within(&self, width: Option<usize>) -> Vec<String> {
        let column = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let lines =
            |(name, value): &(String, String)| fitting(&format!("{name:<column$}  "), value, width);
        self.0.iter().flat_map(lines).map(|line| line.trim_end().to_owned()).collect()
    }
}
