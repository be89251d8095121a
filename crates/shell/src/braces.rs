//! Brace expansion: `a{b,c}` is `ab` and `ac`.

/// The maximum number of words that one word with braces expands to.
const MAX_WORDS: usize = 32;
/// The maximum length of a word in bytes. Longer words are not expanded.
const MAX_LENGTH: usize = 256;
const MAX_ROUNDS: usize = 8;

/// A quick check whether the word may expand to several words.
pub(crate) fn may_expand(word: &str) -> bool {
    word.contains('{') && (word.contains(',') || word.contains(".."))
}

/// The expanded words. `None` if the word has no braces to expand, or expands to too many words.
pub(crate) fn expanded(word: &str) -> Option<Vec<String>> {
    if word.len() > MAX_LENGTH || !word.contains('{') {
        return None;
    }
    let mut words = vec![word.to_owned()];
    // Each round expands the first braces of every word. Later rounds expand braces inside other
    // braces.
    for _ in 0..MAX_ROUNDS {
        let mut is_done = true;
        let mut next = Vec::new();
        for word in words {
            match alternatives(&word) {
                None => next.push(word),
                Some(alternatives) => {
                    is_done = false;
                    next.extend(alternatives);
                }
            }
            if next.len() > MAX_WORDS {
                return None;
            }
        }
        words = next;
        if is_done {
            return (words.len() > 1).then_some(words);
        }
    }
    None
}

/// Expands the first braces that contain a comma or a range. `None` if the word has no such braces.
fn alternatives(word: &str) -> Option<Vec<String>> {
    let opens = word.match_indices('{').map(|(at, _)| at).filter(|at| !word[..*at].ends_with('$'));
    opens.take(MAX_ROUNDS).find_map(|open| {
        let inner = &word[open + 1..];
        let (parts, end) = parts(inner)?;
        let parts = match parts.as_slice() {
            [one] => range(one)?,
            _ => parts.iter().map(|part| (*part).to_owned()).collect(),
        };
        let (before, after) = (&word[..open], &inner[end + 1..]);
        Some(parts.iter().map(|part| format!("{before}{part}{after}")).collect())
    })
}

/// The parts between commas up to the closing brace, and the position of that brace.
fn parts(inner: &str) -> Option<(Vec<&str>, usize)> {
    let mut parts = Vec::new();
    let (mut open, mut first) = (0, 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open > 0 => open -= 1,
            b'}' => {
                parts.push(&inner[first..at]);
                return Some((parts, at));
            }
            b',' if open == 0 => {
                parts.push(&inner[first..at]);
                first = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The items of a range such as `1..3` or `a..c`.
fn range(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    if let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) {
        let count = usize::try_from(first.abs_diff(last)).ok()?;
        let numbers = first.min(last)..=first.max(last);
        return (count < MAX_WORDS).then(|| numbers.map(|number| number.to_string()).collect());
    }
    let (first, last) = (only_letter(first)?, only_letter(last)?);
    Some((first.min(last)..=first.max(last)).map(String::from).collect())
}

fn only_letter(text: &str) -> Option<char> {
    let c = text.chars().next()?;
    (text.len() == 1 && c.is_ascii_alphabetic()).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_words() {
        let cases: &[(&str, &[&str])] = &[
            ("{rm,-rf,/}", &["rm", "-rf", "/"]),
            ("a{b,c}d", &["abd", "acd"]),
            ("{a,b}{1,2}", &["a1", "a2", "b1", "b2"]),
            ("{a,{b,c}}", &["a", "b", "c"]),
            ("x{1..3}", &["x1", "x2", "x3"]),
            ("{a..c}", &["a", "b", "c"]),
            ("{,x}", &["", "x"]),
            ("a{}b", &[]),
            ("{x}", &[]),
            ("${x,y}", &[]),
            ("{a,b", &[]),
            ("{1..900}", &[]),
        ];
        for (word, expected) in cases {
            assert_eq!(expanded(word).unwrap_or_default(), *expected, "{word}");
        }
    }
}
