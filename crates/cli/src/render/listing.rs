//! A list with one row per item, such as a session or a task, and columns of text.

use std::io;

use crate::render::output::{Tone, Ui};
use crate::render::wrap::wrapped_at;

/// The minimum width of the last column. In a narrower column, the text begins on a line of its
/// own.
const MIN_LAST: usize = 20;

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    tone: Tone,
    is_path: bool,
}

impl Cell {
    /// A text that wraps at spaces if it is the last of its row.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::toned(Tone::Plain, text)
    }

    pub(crate) fn toned(tone: Tone, text: impl Into<String>) -> Self {
        Self { text: text.into(), tone, is_path: false }
    }

    /// An id or a time.
    pub(crate) fn faint(text: impl Into<String>) -> Self {
        Self::toned(Tone::Faint, text)
    }

    /// A path. Its middle is cut out if a row is too long for the terminal.
    pub(crate) fn path(text: impl Into<String>) -> Self {
        Self { is_path: true, ..Self::text(text) }
    }

    fn chars(&self) -> usize {
        self.text.chars().count()
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
        let widths: Vec<usize> = (0..columns.saturating_sub(1))
            .map(|at| self.0.iter().filter_map(|row| row.get(at)).map(Cell::chars).max())
            .map(Option::unwrap_or_default)
            .collect();
        self.0.iter().flat_map(|row| row_lines(row, &widths, width, may_cut)).collect()
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
        Some(width) if room < MIN_LAST.min(last.chars()) => (4, width.saturating_sub(4)),
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
        if let Some((_, text)) = line.last_mut() {
            text.truncate(text.trim_end().len());
        }
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
