//! A table with names and values in two columns.

use std::io;

use crate::render::output::{Tone, Ui};
use crate::render::wrap::fitting;

#[derive(Debug)]
struct Row {
    name: String,
    value: String,
    /// The tones of the name and of the value.
    tones: (Tone, Tone),
}

/// Collects the rows first, so that all values begin in the same column.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    pub(crate) fn row(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.toned_row(Tone::Plain, name, value);
    }

    /// A row whose value is shown in a tone.
    pub(crate) fn toned_row(
        &mut self,
        tone: Tone,
        name: impl Into<String>,
        value: impl Into<String>,
    ) {
        let name = name.into();
        // Indented names belong to the row above and are not headings.
        let of_name = if name.starts_with(' ') { Tone::Plain } else { Tone::Strong };
        self.0.push(Row { name, value: value.into(), tones: (of_name, tone) });
    }

    /// A row with a time in place of the name.
    pub(crate) fn timed_row(&mut self, at: impl Into<String>, value: impl Into<String>) {
        let tones = (Tone::Faint, Tone::Plain);
        self.0.push(Row { name: at.into(), value: value.into(), tones });
    }

    /// Adds a text of several lines. All lines stay in the value's column, so that none looks like
    /// a row of the table.
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
        self.print_with(ui, str::to_owned)
    }

    /// Like `print`, but changes the values first. For example, replaces the home directory by `~`.
    pub(crate) fn print_with(
        &self,
        ui: &mut Ui,
        change: impl Fn(&str) -> String,
    ) -> io::Result<()> {
        self.pieces(ui.columns(), change).iter().try_for_each(|line| ui.toned_line(line))
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let line =
            |line: &Vec<(Tone, String)>| line.iter().map(|(_, text)| text.as_str()).collect();
        self.pieces(None, str::to_owned).iter().map(line).collect()
    }

    /// The lines within a width, each as pieces with their tones.
    pub(crate) fn pieces(
        &self,
        width: Option<usize>,
        change: impl Fn(&str) -> String,
    ) -> Vec<Vec<(Tone, String)>> {
        let column = self.0.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
        let lines = |Row { name, value, tones: (of_name, tone) }: &Row| {
            let fitted = fitting(&format!("{name:<column$}  "), &change(value), width);
            let mut lines: Vec<_> =
                fitted.iter().map(|line| vec![(*tone, line.trim_end().to_owned())]).collect();
            if let Some(rest) = fitted.first().and_then(|line| line.strip_prefix(name.as_str())) {
                lines[0] = vec![(*of_name, name.clone()), (*tone, rest.trim_end().to_owned())];
            }
            lines
        };
        self.0.iter().flat_map(lines).collect()
    }
}
