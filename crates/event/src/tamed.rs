//! Text from outside, made harmless for whoever is shown it.

/// The text on one line, in the order it is read: what steers a terminal or hides text is replaced.
///
/// Much of what is shown was written by agents and by what they read: it must not steer anything,
/// nor look like lines of ours, nor show a line in another order than it has.
pub fn tamed(text: &str) -> String {
    text.chars().map(tame).collect()
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
    use super::tamed;

    #[test]
    fn nothing_steers_hides_or_breaks_the_line() {
        assert_eq!(tamed("a\nb\x1b[1m\u{202e}c\u{feff}日本"), "a b [1m\u{fffd}c\u{fffd}日本");
        assert_eq!(tamed("a\u{2028}b\u{2029}c"), "a b c");
        assert_eq!(tamed("say \u{e0068}\u{e0069}\u{61c}!"), "say \u{fffd}\u{fffd}\u{fffd}!");
    }
}
