//! Decides whether a `sed` script only prints. A harmless script starts no program, and reads and
//! writes no other file.

/// Whether every command of the script is known and harmless.
pub(super) fn is_harmless(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if rest.is_empty() {
            return true;
        }
        let Some(after) = addresses(rest).and_then(command) else { return false };
        rest = after;
    }
}

/// The rest of the script after the addresses of a command.
fn addresses(text: &str) -> Option<&str> {
    let mut rest = address(text)?.trim_start_matches(' ');
    if let Some(second) = rest.strip_prefix(',') {
        let second = second.trim_start_matches([' ', '+', '~']);
        rest = address(second)?;
    }
    Some(rest.trim_start_matches([' ', '!', '{']))
}

fn address(text: &str) -> Option<&str> {
    let is_number = |c: char| c.is_ascii_digit() || c == '~';
    match text.chars().next() {
        Some('$') => Some(&text[1..]),
        Some('/') => Some(delimited(&text[1..], '/')?.trim_start_matches(['I', 'M'])),
        Some('\\') => {
            let delimiter = text[1..].chars().next().filter(char::is_ascii_punctuation)?;
            Some(delimited(&text[2..], delimiter)?.trim_start_matches(['I', 'M']))
        }
        _ => Some(text.trim_start_matches(is_number)),
    }
}

/// The rest of the script after the delimiter that ends a pattern. `None` if the delimiter is in
/// brackets, because versions of `sed` parse this differently.
fn delimited(text: &str, delimiter: char) -> Option<&str> {
    let mut in_bracket = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => {
                chars.next()?;
            }
            '[' => in_bracket = true,
            ']' => in_bracket = false,
            _ => {}
        }
        if c == delimiter {
            return (!in_bracket).then(|| &text[at + c.len_utf8()..]);
        }
    }
    None
}

/// The rest of the script after one command. `None` if the command isn't known to be harmless.
fn command(text: &str) -> Option<&str> {
    let name = text.chars().next()?;
    let rest = &text[name.len_utf8()..];
    match name {
        'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'z' | 'F' => {
            ended(rest)
        }
        'q' | 'Q' | 'l' => {
            ended(rest.trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        's' => {
            let delimiter = rest.chars().next().filter(char::is_ascii_punctuation)?;
            (delimiter != '\\').then_some(())?;
            let replacement = delimited(&rest[1..], delimiter)?;
            let flags = replaced(replacement, delimiter)?;
            let is_flag = |c: char| "gpiIM".contains(c) || c.is_ascii_digit();
            ended(flags.trim_start_matches(is_flag))
        }
        'y' => {
            let delimiter = rest.chars().next().filter(char::is_ascii_punctuation)?;
            ended(replaced(replaced(&rest[1..], delimiter)?, delimiter)?)
        }
        'b' | 't' | 'T' | ':' => {
            let label = |c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '_';
            ended(rest.trim_start_matches(label))
        }
        // The argument of these commands ends at the end of the script's line. The next line has
        // commands again.
        'a' | 'i' | 'c' | '#' => Some(rest.find('\n').map_or("", |end| &rest[end..])),
        _ => None,
    }
}

/// The rest of the script after the delimiter that ends a replacement. In a replacement, brackets
/// have no meaning.
fn replaced(text: &str, delimiter: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next()?;
            }
            _ if c == delimiter => return Some(&text[at + c.len_utf8()..]),
            _ => {}
        }
    }
    None
}

/// The rest of the script from the end of a command on. The end is a semicolon, a brace, a comment
/// or the end of the line. `None` if the command goes on.
fn ended(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches([' ', '\t']);
    (rest.is_empty() || rest.starts_with([';', '}', '\n', '#'])).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_only_print_are_harmless() {
        let cases = [
            ("1,20p", true),
            ("$p", true),
            ("$!d", true),
            ("10q", true),
            ("5,+3p;20q", true),
            ("/fn main/,/^}/p", true),
            ("/a/I{n;p}", true),
            ("s/a/b/g", true),
            ("s|a|b|2p", true),
            ("s/^[ ]*//", true),
            ("s/\\/x/y/;s/b/c/", true),
            ("/a/!d", true),
            ("\\,a,p", true),
            ("y/abc/xyz/", true),
            (":a;N;$!ba;s/\\n/ /g", true),
            ("/x/a text w file", true),
            ("", true),
            ("w out", false),
            ("1w out", false),
            ("/x/w out", false),
            ("s/a/b/w out", false),
            ("s/a/b/gw out", false),
            ("s/a/b/e", false),
            ("e rm x", false),
            ("1e", false),
            ("r /etc/passwd", false),
            ("R x", false),
            ("W x", false),
            ("p;w x", false),
            ("a text\nw x", false),
            ("s/[/]/w x/p", false),
            ("s/a/b", false),
            ("{p};e", false),
            ("s\\a\\b\\e", false),
            ("k", false),
        ];
        for (script, expected) in cases {
            assert_eq!(is_harmless(script), expected, "{script:?}");
        }
    }
}
