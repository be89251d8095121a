//! Separates Python code from its strings and comments. A call that appears only in a string or
//! comment doesn't run.

/// Calls that run a text as code. If the code has such a call, calls in strings count too.
const EVALUATES: &[&str] = &[
    "exec",
    "eval",
    "compile",
    "__import__",
    "getattr",
    "globals",
    "locals",
    "vars",
    "builtins",
    "__builtins__",
    "__dict__",
    "importlib",
    "runpy",
    "loads",
];

/// Two views of a Python program, each with the length of the source.
pub(super) struct Parts {
    /// The code with comments replaced by blanks.
    pub(super) texts: String,
    /// The code with comments and string contents replaced by blanks. Code in formatted strings
    /// stays. `None` if the program runs texts as code.
    pub(super) calls: Option<String>,
}

/// Computes both views of the code.
pub(super) fn parts(code: &str) -> Parts {
    let bytes = code.as_bytes();
    let mut seen = bytes.to_vec();
    let mut texts = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => {
                let end = bytes[at..].iter().position(|byte| *byte == b'\n');
                let end = end.map_or(bytes.len(), |length| at + length);
                seen[at..end].fill(b' ');
                texts[at..end].fill(b' ');
                at = end;
            }
            b'\'' | b'"' => {
                let (start, end) = string(bytes, at);
                if !is_formatted(&bytes[..at]) {
                    seen[start..end].fill(b' ');
                }
                at = end + (start - at);
            }
            _ => at += 1,
        }
    }
    // Whole characters were replaced, so the result is still UTF-8.
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_else(|_| code.to_owned());
    let (texts, seen) = (text(texts), text(seen));
    let calls = (!evaluates_texts(&seen)).then_some(seen);
    Parts { texts, calls }
}

fn evaluates_texts(seen: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric() && c != '_';
    let evaluates = |name: &str| {
        seen.match_indices(name).any(|(at, _)| {
            let is_method =
                seen[..at].ends_with('.') && matches!(name, "compile" | "exec" | "eval");
            let is_word = seen[..at].ends_with(is_part) || at == 0;
            let is_end = seen[at + name.len()..].starts_with(is_part);
            let is_json = name == "loads" && seen[..at].ends_with("json.");
            is_word && is_end && !is_method && !is_json
        })
    };
    EVALUATES.iter().any(|name| evaluates(name))
}

/// The start and the end of the content of the string that begins at `at`. A triple-quoted string
/// that is not closed ends with the code.
fn string(bytes: &[u8], at: usize) -> (usize, usize) {
    let quote = bytes[at];
    let is_triple = bytes[at..].starts_with(&[quote; 3]);
    let start = at + if is_triple { 3 } else { 1 };
    let mut end = start;
    while end < bytes.len() {
        let is_closed =
            if is_triple { bytes[end..].starts_with(&[quote; 3]) } else { bytes[end] == quote };
        // A string that isn't triple-quoted ends at the end of its line.
        if is_closed || (!is_triple && bytes[end] == b'\n') {
            break;
        }
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (start, end.min(bytes.len()))
}

fn is_formatted(before: &[u8]) -> bool {
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic());
    letters.take(2).any(|letter| matches!(letter, b'f' | b'F' | b't' | b'T'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_not_a_call() {
        for (code, expected) in [
            ("x = 'os.system'  # rm", Some("x = '         '      ")),
            ("x = \"\"\"a\n'b\"\"\"; y()", Some("x = \"\"\"    \"\"\"; y()")),
            ("a('it\\'s', \"b\")", Some("a('     ', \" \")")),
            ("f'{os.system(1)}'", Some("f'{os.system(1)}'")),
            ("x = 'open\ny()", Some("x = '    \ny()")),
            ("re.compile('x'); json.loads('1')", Some("re.compile(' '); json.loads(' ')")),
            ("exec('x')", None),
            ("getattr(os, 'sys' + 'tem')('x')", None),
            ("__import__('os').system('x')", None),
            ("pickle.loads(b'x')", None),
        ] {
            assert_eq!(parts(code).calls.as_deref(), expected, "{code}");
        }
        assert_eq!(parts("#'é\nx('a')").texts, "    \nx('a')");
    }
}
