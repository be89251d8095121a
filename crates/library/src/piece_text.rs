//! Parses the learnings in a part of a file, which may also contain other text.

use std::borrow::Cow;

use verger_memory::text::{Document, Problem};

use crate::backend::Entries;
use crate::shared_file::Piece;

/// The maximum number of unreadable lines that are reported. A file with more is probably of
/// another kind.
const MAX_NAMED_LINES: usize = 20;

/// Parses the readable entries of a part of a file. Their line numbers count from the start of the
/// file.
pub(crate) fn entries(piece: &Piece, parse: impl FnOnce(&str) -> Document) -> Entries {
    let (text, mut problems) = text(&piece.bytes);
    let document = parse(&text);
    problems.extend(document.problems);
    Problem::sort(&mut problems);
    let mut learnings = document.learnings;
    let before = piece.first_line - 1;
    for line in learnings
        .iter_mut()
        .map(|placed| &mut placed.line)
        .chain(problems.iter_mut().map(|problem| &mut problem.line))
    {
        *line += before;
    }
    Entries { learnings, problems, mark: piece.mark }
}

/// Converts bytes to text. Also reports the lines that aren't valid UTF-8.
pub(crate) fn text(bytes: &[u8]) -> (Cow<'_, str>, Vec<Problem>) {
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Borrowed(_)) && memchr::memchr(0, bytes).is_none() {
        return (text, Vec::new());
    }
    let is_bad = |line: &[u8]| memchr::memchr(0, line).is_some() || str::from_utf8(line).is_err();
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let mut bad_lines: Vec<_> =
        lines.filter(|(_, line)| is_bad(line)).map(|(number, _)| number).collect();
    let not_named = bad_lines.len().saturating_sub(MAX_NAMED_LINES);
    bad_lines.truncate(MAX_NAMED_LINES);
    let mut problems: Vec<_> = bad_lines
        .into_iter()
        .map(|line| Problem { line, says: "this line has bytes that are not text".to_owned() })
        .collect();
    if let Some(last) = problems.last_mut()
        && not_named > 0
    {
        last.says = format!("this line and {not_named} more have bytes that are not text");
    }
    (text, problems)
}
