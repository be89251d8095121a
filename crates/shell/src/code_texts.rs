//! Finds the texts that a program in another language, such as Python, may pass to a shell.

/// The maximum number of extracted texts.
const MAX_TEXTS: usize = 256;
/// Words before a command that has no quotes: `spawn rm -r x` in expect, `exec` in Tcl.
const BARE: &[&str] = &["spawn", "exec", "shell"];

/// Extracts the string literals of a program. The strings of a list are also joined to one text:
/// `['rm', '-r', 'x']` gives `rm -r x`.
pub fn texts_in_code(code: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut list: Vec<String> = Vec::new();
    let mut rest = code;
    let mut unclosed = Vec::new();
    while let Some((between, string, after)) = next_string(rest, &mut unclosed) {
        rest = after;
        match joint(between) {
            Joint::Item => list.push(string),
            Joint::Same => match list.pop() {
                Some(begun) => list.push(begun + &string),
                None => list.push(string),
            },
            Joint::None => {
                flush(&mut list, &mut texts);
                list.push(string);
            }
        }
        if texts.len() >= MAX_TEXTS {
            break;
        }
    }
    flush(&mut list, &mut texts);
    let bare = code
        .split(['\n', ';'])
        .map(str::trim)
        .filter(|line| line.split_whitespace().next().is_some_and(|word| BARE.contains(&word)));
    texts.extend(bare.filter_map(|line| line.split_once(' ')).map(|(_, text)| text.to_owned()));
    texts
}

/// The connection of a string to the string before it.
enum Joint {
    /// The string follows a comma: it is the next item of a list.
    Item,
    /// The string continues the string before it: `'a' + 'b'`.
    Same,
    None,
}

fn joint(between: &str) -> Joint {
    match between.trim() {
        "," | "=>" => Joint::Item,
        "" | "+" | "." | ".." => Joint::Same,
        _ => Joint::None,
    }
}

fn flush(list: &mut Vec<String>, texts: &mut Vec<String>) {
    if list.len() > 1 {
        let quoted = |item: &String| {
            let is_plain =
                !item.is_empty() && !item.contains(|c: char| c.is_whitespace() || c == '\'');
            if is_plain { item.clone() } else { format!("'{}'", item.replace('\'', r"'\''")) }
        };
        texts.push(list.iter().map(quoted).collect::<Vec<_>>().join(" "));
    }
    let is_alone = list.len() == 1;
    texts.extend(list.drain(..).filter(|item| is_alone || item.contains(char::is_whitespace)));
}

/// Returns the code before the next string, the string, and the code after it.
///
/// A closing delimiter that was not found once is not searched for again, because no later string
/// can end with it either. Otherwise code with many opening delimiters would take quadratic time.
fn next_string<'a>(
    code: &'a str,
    unclosed: &mut Vec<&'a str>,
) -> Option<(&'a str, String, &'a str)> {
    let start = code.find(['\'', '"', '`', 'q', '%'])?;
    let mut at = start;
    loop {
        let rest = &code[at..];
        if let Some((opening, closing)) = delimiters(&code[..at], rest)
            && !unclosed.contains(&closing)
        {
            match until(&rest[opening..], closing) {
                Some((string, length)) => {
                    return Some((&code[..at], string, &rest[opening + length..]));
                }
                None => unclosed.push(closing),
            }
        }
        at += 1 + code[at + 1..].find(['\'', '"', '`', 'q', '%'])?;
    }
}

/// The length of a string's opening delimiter, and the closing delimiter.
fn delimiters<'a>(before: &str, rest: &'a str) -> Option<(usize, &'a str)> {
    let quote = &rest[..1];
    if !matches!(quote, "q" | "%") {
        let is_triple = rest.len() >= 6 && rest.starts_with(&quote.repeat(3));
        return Some(if is_triple { (3, &rest[..3]) } else { (1, quote) });
    }
    // Quoting operators of Perl and Ruby: `qx(...)`, `q{...}`, `%x(...)`, `%w[...]`.
    if before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    // At most two letters are read. Otherwise a long run of such letters would be scanned again
    // from each letter of the run.
    let letters = rest.bytes().skip(1).take(2).take_while(|byte| b"qxwWQ".contains(byte)).count();
    let opening = 1 + letters;
    let closing = match rest.as_bytes().get(opening)? {
        b'(' => ")",
        b'{' => "}",
        b'[' => "]",
        b'<' => ">",
        b'/' | b'|' | b'!' => &rest[opening..=opening],
        _ => return None,
    };
    Some((opening + 1, closing))
}

/// The string up to its closing delimiter, and its length with the delimiter.
fn until(text: &str, closing: &str) -> Option<(String, usize)> {
    let end = {
        let mut at = 0;
        loop {
            let found = text[at..].find(['\\', closing.chars().next()?])? + at;
            if text[found..].starts_with(closing) {
                break found;
            }
            let skipped = text[found..].chars().take(2).map(char::len_utf8).sum::<usize>();
            at = if text[found..].starts_with('\\') { found + skipped } else { found + 1 };
        }
    };
    let mut string = String::with_capacity(end);
    let mut chars = text[..end].chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => string.push('\n'),
            ('\\', Some('t')) => string.push('\t'),
            ('\\', Some(escaped)) => string.push(escaped),
            _ => string.push(c),
        }
    }
    Some((string, end + closing.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_texts() {
        let cases: &[(&str, &[&str])] = &[
            ("os.system('rm -rf /')", &["rm -rf /"]),
            ("run(['rm', '-rf', \"/\"])", &["rm -rf /"]),
            ("run(['sh', '-c', 'rm -rf /'])", &["sh -c 'rm -rf /'", "rm -rf /"]),
            ("system(\"rm -rf \" + '/')", &["rm -rf /"]),
            ("x = '''rm\n-rf'''; y", &["rm\n-rf"]),
            ("`rm -rf /`", &["rm -rf /"]),
            ("qx(rm -rf /); q{a}; %x[b]", &["rm -rf /", "a", "b"]),
            ("exec qw(rm -rf /)", &["rm -rf /", "qw(rm -rf /)"]),
            ("eq 'a'; 5 % 'b'", &["a", "b"]),
            ("print \"it\\'s \\\"x\\\"\\n\"", &["it's \"x\"\n"]),
            ("spawn rm -rf /", &["rm -rf /"]),
            ("BEGIN{system(\"rm -rf /\")}", &["rm -rf /"]),
            ("'unclosed", &[]),
            ("'unclosed \"a\"; `b`; \"c", &["a", "b"]),
            ("'unclosed \\\"a\" q{b", &["a"]),
            ("", &[]),
        ];
        for (code, expected) in cases {
            assert_eq!(texts_in_code(code), *expected, "{code}");
        }
    }
}
