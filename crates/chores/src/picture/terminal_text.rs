//! Parses text with terminal escape sequences into spans of one style.

/// A part of a line of text in one style.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The column of the span's first character.
    pub(crate) column: usize,
    pub(crate) style: Style,
    pub(crate) text: String,
}

/// The styles that verger uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Faint,
    Red,
    Green,
}

impl Style {
    fn of_code(code: &str) -> Self {
        match code {
            "1" => Self::Bold,
            "2" => Self::Faint,
            "31" => Self::Red,
            "32" => Self::Green,
            _ => Self::Plain,
        }
    }
}

/// Parses text into the spans of each line. Spans have no blanks at their ends.
pub(crate) fn lines(text: &str) -> Vec<Vec<Span>> {
    let mut style = Style::Plain;
    text.lines().map(|line| spans(line, &mut style)).collect()
}

fn spans(line: &str, style: &mut Style) -> Vec<Span> {
    let mut spans = vec![];
    let mut column = 0;
    for (index, part) in line.split("\x1b[").enumerate() {
        let text = match part.split_once('m') {
            Some((code, text)) if index > 0 => {
                *style = Style::of_code(code);
                text
            }
            _ => part,
        };
        let shown = text.trim_start();
        let blanks = text.chars().count() - shown.chars().count();
        let shown = shown.trim_end().to_owned();
        if !shown.is_empty() {
            spans.push(Span { column: column + blanks, style: *style, text: shown });
        }
        column += text.chars().count();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_styles_and_take_no_column() {
        let span = |column, style, text: &str| Span { column, style, text: text.to_owned() };
        let text = "\x1b[1m1. Title\x1b[0m\n\n\x1b[2m   agent  \x1b[0m\x1b[31m[m] … no\x1b[0m ok\n";
        let expected = [
            vec![span(0, Style::Bold, "1. Title")],
            vec![],
            vec![
                span(3, Style::Faint, "agent"),
                span(10, Style::Red, "[m] … no"),
                span(19, Style::Plain, "ok"),
            ],
        ];
        assert_eq!(lines(text), expected);
    }
}
