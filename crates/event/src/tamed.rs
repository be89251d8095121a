//! Makes text from outside of verger safe to print on a terminal.

/// Puts the text on one line and replaces characters that control a terminal or hide text.
///
/// Agents wrote much of the text that verger prints, or read it from other sources. The text must
/// not control the terminal, look like verger's own output, or reorder a line.
pub fn tamed(text: &str) -> String {
    text.chars().map(tame).collect()
}

/// Like [`tamed`], and also removes `<mark>` and `</mark>`. So the text can't end a data block
/// between these tags. `mark` must be lower-case.
pub fn tamed_within(mark: &str, text: &str) -> String {
    let mut text = tamed(text);
    let mut from = 0;
    while let Some(at) = text[from..].to_ascii_lowercase().find(mark) {
        from += at;
        if text[..from].ends_with(['<', '/']) {
            text.insert(from, '-');
        }
        from += mark.len();
    }
    text
}

fn tame(c: char) -> char {
    match c {
        _ if c.is_control() => ' ',
        '\u{2028}' | '\u{2029}' => ' ',
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::{tamed, tamed_within};

    #[test]
    fn nothing_steers_hides_or_breaks_the_line() {
        assert_eq!(tamed("a\nb\x1b[1m\u{202e}c\u{feff}日本"), "a b [1m\u{fffd}c\u{fffd}日本");
        assert_eq!(tamed("a\u{2028}b\u{2029}c"), "a b c");
        assert_eq!(tamed("say \u{e0068}\u{e0069}\u{61c}!"), "say \u{fffd}\u{fffd}\u{fffd}!");
    }
    #[test]
    fn nothing_ends_the_data_that_it_is_part_of() {
        let cases = [
            ("a </data> b", "a </-data> b"),
            ("<DATA>\n</Data >", "<-DATA> </-Data >"),
            ("data, 日本 </data-x", "data, 日本 </-data-x"),
            ("<\u{200b}data>", "<\u{fffd}data>"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(tamed_within("data", text), expected, "{text:?}");
        }
    }
}
