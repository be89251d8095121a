//! Wraps text into lines that fit a terminal.

/// How a word that is longer than a line is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LongWord {
    /// The word continues on the next line.
    Broken,
    /// The word's line is longer than the limit, so that the word can be copied.
    Whole,
}

/// Wraps a text after `head` into lines of at most `width` characters. Lines after the first begin
/// with `indent` spaces.
pub(crate) fn wrapped(
    head: &str,
    text: &str,
    width: usize,
    indent: usize,
    long: LongWord,
) -> Vec<String> {
    let room = match long {
        LongWord::Broken => width.saturating_sub(indent).max(1),
        LongWord::Whole => usize::MAX,
    };
    let (mut lines, mut line, mut has_words) = (vec![], head.to_owned(), false);
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for piece in letters.chunks(room) {
            if has_words && line.chars().count() + 1 + piece.len() > width {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            } else if has_words {
                line.push(' ');
            }
            line.extend(piece);
            has_words = true;
        }
    }
    lines.push(line);
    lines
}

/// Wraps a text into lines of at most `width` characters without breaking words. A text that fits
/// is unchanged.
pub(crate) fn wrapped_at(text: &str, width: usize) -> Vec<String> {
    fitting("", text, Some(width))
}

/// Wraps a line that doesn't fit the terminal. Words are not broken, so that commands and paths can
/// be copied.
pub(crate) fn fitting(head: &str, text: &str, width: Option<usize>) -> Vec<String> {
    let column = head.chars().count();
    match width {
        Some(width) if column + text.chars().count() > width => {
            // The text needs at least half of the width.
            let indent = if column * 2 > width { 4 } else { column };
            wrapped(head, text, width, indent, LongWord::Whole)
        }
        Some(_) | None => vec![format!("{head}{text}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let broken = |text, width| wrapped("  ", text, width, 2, LongWord::Broken);
        assert_eq!(broken("one two three", 10), ["  one two", "  three"]);
        assert_eq!(broken("a too-long-word b", 8), ["  a", "  too-lo", "  ng-wor", "  d b"]);
        let whole = wrapped("- ", "a too-long-word b", 8, 2, LongWord::Whole);
        assert_eq!(whole, ["- a", "  too-long-word", "  b"]);
    }

    #[test]
    fn fitting_text_is_unchanged_and_the_rest_continues_below() {
        assert_eq!(fitting("do  ", "a  b", Some(8)), ["do  a  b"]);
        assert_eq!(fitting("do  ", "a b c", None), ["do  a b c"]);
        assert_eq!(fitting("do  ", "aa bb cc", Some(10)), ["do  aa bb", "    cc"]);
        assert_eq!(fitting("very long  ", "aa bb", Some(12)), ["very long  aa", "    bb"]);
    }
}
