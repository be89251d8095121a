//! A list with one row per item, such as a session or a task, and columns of text.

use std::io;

use crate::render::output::{Tone, Ui};
use crate::render::wrap::wrapped_at;

/// The minimum width of the last column. In a narrower column, the text begins on a line of its
/// own.
const MIN_LAST: usize = 20;

/// The indentation of cells below the first.
const BELOW: usize = 4;

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    tone: Tone,
    is_path: bool,
    wraps: bool,
}

impl Cell {
    /// A text that wraps at spaces if it is the last of its row.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::toned(Tone::Plain, text)
    }

    pub(crate) fn toned(tone: Tone, text: impl Into<String>) -> Self {
        Self { text: text.into(), tone, is_path: false, wraps: false }
    }

    /// An id or a time.
    pub(crate) fn faint(text: impl Into<String>) -> Self {
        Self::toned(Tone::Faint, text)
    }

    /// A path. Its middle is cut out if a row is too long for the terminal.
    pub(crate) fn path(text: impl Into<String>) -> Self {
        Self { is_path: true, ..Self::text(text) }
    }

    /// A text that wraps at spaces within its column, in the middle of a row too.
    pub(crate) fn wrapping(text: impl Into<String>) -> Self {
        Self { wraps: true, ..Self::text(text) }
    }

    fn chars(&self) -> usize {
        self.text.chars().count()
    }

    /// The characters that the cell needs at least. A cell that wraps is as narrow as its longest word.
    fn min_chars(&self, is_last: bool) -> usize {
        if !self.wraps && !is_last {
            return self.chars();
        }
        let longest = self.text.split_whitespace().map(|word| word.chars().count()).max();
        longest.unwrap_or_default().max(MIN_LAST.min(self.chars()))
    }
}

/// Collects the rows first, so that every column begins at the same position.
#[derive(Debug, Default)]
pub(crate) struct Listing(Vec<Vec<Cell>>);

impl Listing {
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.0.push(cells.into_iter().collect());
    }

    pub(crate) fn print(&self, ui: &mut Ui) -> io::Result<()> {
        let lines = self.lines(ui.columns(), ui.is_terminal());
        lines.iter().try_for_each(|line| ui.toned_line(line))
    }

    /// The lines as pieces with their tones. Paths are shortened only if `may_cut` is set.
    fn lines(&self, width: Option<usize>, may_cut: bool) -> Vec<Vec<(Tone, String)>> {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or_default();
        let wraps = |row: &Vec<Cell>| row.iter().rev().skip(1).any(|cell| cell.wraps);
        if let (Some(width), true) = (width, self.0.iter().any(wraps)) {
            return match self.fitted_widths(columns, width) {
                Some(widths) => self.0.iter().flat_map(|row| columns_lines(row, &widths)).collect(),
                None => self.0.iter().flat_map(|row| block_lines(row, width)).collect(),
            };
        }
        let widths: Vec<usize> = (0..columns.saturating_sub(1))
            .map(|at| self.0.iter().filter_map(|row| row.get(at)).map(Cell::chars).max())
            .map(Option::unwrap_or_default)
            .collect();
        self.0.iter().flat_map(|row| row_lines(row, &widths, width, may_cut)).collect()
    }

    /// The widths of the columns within a width, with two spaces between them. `None` if the cells need
    /// more. The columns on the right get their whole width first.
    fn fitted_widths(&self, columns: usize, width: usize) -> Option<Vec<usize>> {
        let widest = |chars: &dyn Fn(&Cell, bool) -> usize, at: usize| {
            let cells = self.0.iter().filter_map(|row| Some((row.get(at)?, at + 1 == row.len())));
            cells.map(|(cell, is_last)| chars(cell, is_last)).max().unwrap_or_default()
        };
        let mut widths: Vec<_> = (0..columns).map(|at| widest(&Cell::min_chars, at)).collect();
        let gaps = 2 * columns.saturating_sub(1);
        let mut spare = width.checked_sub(widths.iter().sum::<usize>() + gaps)?;
        for (at, column) in widths.iter_mut().enumerate().rev() {
            let wanted = widest(&|cell, _| cell.chars(), at) - *column;
            *column += wanted.min(spare);
            spare -= wanted.min(spare);
        }
        Some(widths)
    }
}

/// The lines of a row whose cells wrap within their columns.
fn columns_lines(row: &[Cell], widths: &[usize]) -> Vec<Vec<(Tone, String)>> {
    let cells: Vec<_> = row
        .iter()
        .zip(widths)
        .map(|(cell, &width)| (cell.tone, wrapped_at(&cell.text, width), width))
        .collect();
    let height = cells.iter().map(|(_, lines, _)| lines.len()).max().unwrap_or_default();
    let line = |at: usize| {
        let piece = |(tone, lines, width): &(Tone, Vec<String>, usize)| {
            let text = lines.get(at).map_or("", String::as_str);
            (*tone, format!("{text:<width$}  "))
        };
        let mut line: Vec<_> = cells.iter().map(piece).collect();
        while line.pop_if(|(_, text)| text.trim_end().is_empty()).is_some() {}
        trim_end(&mut line);
        line
    };
    (0..height).map(line).collect()
}

/// The lines of a row whose cells are below each other.
fn block_lines(row: &[Cell], width: usize) -> Vec<Vec<(Tone, String)>> {
    let lines = |(at, cell): (usize, &Cell)| {
        let indent = if at == 0 { 0 } else { BELOW };
        let lines = wrapped_at(&cell.text, width.saturating_sub(indent)).into_iter();
        let line = |text| vec![(Tone::Plain, " ".repeat(indent)), (cell.tone, text)];
        lines.map(line).collect::<Vec<_>>()
    };
    row.iter().enumerate().flat_map(lines).collect()
}

/// Removes the spaces at the end of a line.
fn trim_end(line: &mut [(Tone, String)]) {
    if let Some((_, text)) = line.last_mut() {
        text.truncate(text.trim_end().len());
    }
}

fn row_lines(
    row: &[Cell],
    widths: &[usize],
    width: Option<usize>,
    may_cut: bool,
) -> Vec<Vec<(Tone, String)>> {
    let Some((last, before)) = row.split_last() else { return vec![vec![]] };
    let mut line: Vec<_> = before
        .iter()
        .zip(widths)
        .map(|(cell, &width)| (cell.tone, format!("{:<width$}  ", cell.text)))
        .collect();
    let column: usize = line.iter().map(|(_, text)| text.chars().count()).sum();
    // A last column that is too narrow begins on a line of its own.
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(column));
    let (indent, room) = match width {
        Some(width) if room < MIN_LAST.min(last.chars()) => (BELOW, width.saturating_sub(BELOW)),
        _ => (column, room),
    };
    let text = if last.is_path && may_cut {
        cut_in_the_middle(&last.text, room)
    } else {
        last.text.clone()
    };
    let mut texts = wrapped_at(&text, room).into_iter();
    let mut lines = vec![];
    if indent == column {
        line.extend(texts.next().map(|text| (last.tone, text)));
    }
    lines.push(line);
    lines.extend(texts.map(|text| vec![(Tone::Plain, " ".repeat(indent)), (last.tone, text)]));
    for line in &mut lines {
        trim_end(line);
    }
    lines
}

/// The text with its middle replaced by `…` if it has more than `most` characters.
fn cut_in_the_middle(text: &str, most: usize) -> String {
    let chars: Vec<_> = text.chars().collect();
    if chars.len() <= most || most < 3 {
        return text.to_owned();
    }
    // More of the end is kept, because the end of a path is more specific than its beginning.
    let first = (most - 1) / 3;
    let last = most - 1 - first;
    chars[..first].iter().chain(['…'].iter()).chain(&chars[chars.len() - last..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: Option<usize>, may_cut: bool) -> Vec<String> {
        let mut listing = Listing::default();
        let path = "/srv/dev/some/where/below/here";
        listing.row([Cell::faint("1 h ago"), Cell::text("ended"), Cell::path(path)]);
        let words = "one two three four five six";
        listing.row([Cell::faint("2 days ago"), Cell::text("open"), Cell::text(words)]);
        let lines = listing.lines(width, may_cut);
        lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect()).collect()
    }

    #[test]
    fn columns_begin_in_the_same_place() {
        insta::assert_snapshot!(shown(None, false).join("\n"), @"
        1 h ago     ended  /srv/dev/some/where/below/here
        2 days ago  open   one two three four five six
        ");
    }

    #[test]
    fn words_wrap_and_paths_are_cut_only_on_a_terminal() {
        insta::assert_snapshot!(shown(Some(41), true).join("\n"), @"
        1 h ago     ended  /srv/de…ere/below/here
        2 days ago  open   one two three four
                           five six
        ");
        insta::assert_snapshot!(shown(Some(41), false).join("\n"), @"
        1 h ago     ended  /srv/dev/some/where/below/here
        2 days ago  open   one two three four
                           five six
        ");
    }

    #[test]
    fn a_last_column_without_room_begins_below() {
        insta::assert_snapshot!(shown(Some(30), true).join("\n"), @"
        1 h ago     ended
            /srv/dev…/where/below/here
        2 days ago  open
            one two three four five
            six
        ");
    }

    fn settings(width: Option<usize>) -> String {
        let mut listing = Listing::default();
        for (key, value, origin) in [
            ("gated_tools", "[\"Bash:gh issue close*\", \"Bash:br close*\"]", "default"),
            ("mode", "\"prompt\"", "/srv/dev/config.toml:2 + /srv/dev/project/config.toml:7"),
        ] {
            listing.row([Cell::text(key), Cell::wrapping(value), Cell::faint(origin)]);
        }
        let lines = listing.lines(width, true);
        let lines = lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect());
        lines.collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn cells_wrap_within_their_columns_and_else_below_each_other() {
        insta::assert_snapshot!(settings(None), @r#"
        gated_tools  ["Bash:gh issue close*", "Bash:br close*"]  default
        mode         "prompt"                                    /srv/dev/config.toml:2 + /srv/dev/project/config.toml:7
        "#);
        insta::assert_snapshot!(settings(Some(80)), @r#"
        gated_tools  ["Bash:gh issue       default
                     close*", "Bash:br
                     close*"]
        mode         "prompt"              /srv/dev/config.toml:2 +
                                           /srv/dev/project/config.toml:7
        "#);
        insta::assert_snapshot!(settings(Some(40)), @r#"
        gated_tools
            ["Bash:gh issue close*", "Bash:br
            close*"]
            default
        mode
            "prompt"
            /srv/dev/config.toml:2 +
            /srv/dev/project/config.toml:7
        "#);
        assert!(settings(Some(80)).lines().all(|line| line.chars().count() <= 80));
        assert!(settings(Some(40)).lines().all(|line| line.chars().count() <= 40));
    }

    #[test]
    fn a_text_is_cut_in_the_middle() {
        for (most, expected) in [
            (20, "/home/dev/some/where"),
            (10, "/ho…/where"),
            (3, "…re"),
            (2, "/home/dev/some/where"),
        ] {
            assert_eq!(cut_in_the_middle("/home/dev/some/where", most), expected);
        }
    }
}
