//! Text in lines that fit a terminal.

/// What happens to a word that no line can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LongWord {
    /// It goes on in the next line.
    Broken,
    /// It is longer than its line, and can still be copied.
    Whole,
}

/// The words of a text behind `head`, in lines of at most `width` characters; those after the
/// first begin with `indent` spaces.
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

/// A line that is wrapped when it does not fit the terminal. Words stay whole: commands and paths
/// are there to be copied.
pub(crate) fn fitting(head: &str, text: &str, width: Option<usize>) -> Vec<String> {
    let column = head.chars().count();
    match width {
        Some(width) if column + text.chars().count() > width => {
            // Half the width is needed for words.
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
    fn what_fits_stays_as_it_is_and_the_rest_hangs_below() {
        assert_eq!(fitting("do  ", "a  b", Some(8)), ["do  a  b"]);
        assert_eq!(fitting("do  ", "a b c", None), ["do  a b c"]);
        assert_eq!(fitting("do  ", "aa bb cc", Some(10)), ["do  aa bb", "    cc"]);
        assert_eq!(fitting("very long  ", "aa bb", Some(12)), ["very long  aa", "    bb"]);
    }
}
