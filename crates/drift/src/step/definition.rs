//! What a text defines: the function or type that a change is about.

use crate::words::{DOLLAR, LINE_END, OF_NAME, WIDE, class};

/// So much of a changed text is looked at for the function that it is in.
const MAX_TEXT: usize = 4 * 1024;
/// So many words of a line stand before the name of what it defines: `pub(crate) async unsafe fn`.
const MAX_BEFORE: usize = 5;
/// Longer names are none.
const MAX_NAME: usize = 60;

/// The first function or type that a text defines.
pub(super) fn defined(text: &str) -> Option<String> {
    let mut rest = &text[..text.floor_char_boundary(MAX_TEXT)];
    loop {
        let (mut before, mut is_name_next) = (0, false);
        while let Some(word) = next_of_line(&mut rest) {
            if is_name_next {
                if word.len() <= MAX_NAME && !word.starts_with(|c: char| c.is_ascii_digit()) {
                    return Some(word.to_owned());
                }
                break;
            }
            before += 1;
            is_name_next = is_defining(word);
            if before == MAX_BEFORE && !is_name_next {
                break;
            }
        }
        rest = rest.split_once('\n')?.1;
    }
}

/// The next word or name of a line of code, where more lines may follow.
fn next_of_line<'a>(rest: &mut &'a str) -> Option<&'a str> {
    // Most of a line is ASCII, and is told by its bytes.
    let is_begin = |b: &u8| class(*b) & (OF_NAME | DOLLAR | WIDE | LINE_END) != 0;
    let begin = rest.bytes().position(|b| is_begin(&b))?;
    *rest = &rest[begin..];
    let plain = rest.bytes().position(|b| class(b) & (OF_NAME | DOLLAR) == 0);
    let mut len = plain.unwrap_or(rest.len());
    if !rest.as_bytes().get(len).is_none_or(u8::is_ascii) {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        *rest = rest.trim_start_matches(|c| c != '\n' && !is_of_word(c));
        len = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    }
    let (word, after) = rest.split_at(len);
    *rest = after;
    Some(word).filter(|word| !word.is_empty())
}

/// Whether it stands before the name of a function or type.
pub(super) fn is_defining(word: &str) -> bool {
    matches!(
        word,
        "fn" | "def"
            | "function"
            | "func"
            | "class"
            | "struct"
            | "enum"
            | "trait"
            | "interface"
            | "impl"
            | "sub"
            | "module"
            | "type"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_defines_stands_behind_a_word_that_says_so() {
        let cases = [
            ("let x = 1;", None),
            ("pub(crate) async fn parse(a: u8) {", Some("parse")),
            ("let x;\n  class Parser(Base):", Some("Parser")),
            ("→fn größe(x)", Some("größe")),
            ("éfn a; type $b", Some("$b")),
            ("12.fn x", Some("x")),
            ("a b c d e fn x", None),
        ];
        for (text, expected) in cases {
            assert_eq!(defined(text).as_deref(), expected, "{text}");
        }
    }
}
