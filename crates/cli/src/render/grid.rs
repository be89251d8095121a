//! A table with names in the first column and right-aligned values in the others.

use std::io;

use crate::render::output::{Tone, Ui};

/// Collects the rows first, so that every column is as wide as its widest value.
#[derive(Debug)]
pub(crate) struct Grid(Vec<Vec<String>>);

impl Grid {
    pub(crate) fn new<'a>(corner: &str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let columns = columns.into_iter().map(str::to_owned);
        Self(vec![[corner.to_owned()].into_iter().chain(columns).collect()])
    }

    pub(crate) fn row(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        self.0.push([name.to_owned()].into_iter().chain(values).collect());
    }

    /// Adds a row of counts. The row is left out if all counts are zero.
    pub(crate) fn figures(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let values: Vec<_> = values.into_iter().collect();
        if values.iter().any(|value| !["0", "-"].contains(&value.as_str())) {
            self.row(name, values);
        }
    }

    pub(crate) fn print(&self, ui: &mut Ui) -> io::Result<()> {
        for (number, line) in self.lines().iter().enumerate() {
            let tone = if number == 0 { Tone::Strong } else { Tone::Plain };
            ui.toned_line(&[(tone, line)])?;
        }
        Ok(())
    }

    fn lines(&self) -> Vec<String> {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column| {
            let cells = self.0.iter().filter_map(|row| row.get(column));
            cells.map(|cell: &String| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let cell = |(column, (cell, &width)): (usize, (&String, &usize))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        };
        let line = |row: &Vec<String>| {
            let cells: Vec<_> = row.iter().zip(&widths).enumerate().map(cell).collect();
            cells.join("  ").trim_end().to_owned()
        };
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_value() {
        let mut grid = Grid::new("", ["a", "blunt"]);
        grid.row("stops", ["10".to_owned(), "2".to_owned()]);
        grid.row("é", ["-".to_owned(), "100 %".to_owned()]);
        grid.figures("none", ["0".to_owned(), "-".to_owned()]);
        assert_eq!(grid.lines(), ["        a  blunt", "stops  10      2", "é       -  100 %"]);
    }
}
