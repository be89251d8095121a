//! Parts of a text that come from code: identifiers, paths, flags.

/// Returns the identifiers, paths and flags of a text, in order. Their spelling is kept, but the
/// punctuation around them is removed.
///
/// A word between backticks always counts; any other word counts if [`is_identifier`] says so.
///
/// ```
/// let text = "Run `cargo` with --locked (see src/main.rs), or call retry_all().";
/// let found: Vec<&str> = verger_text::identifiers(text).collect();
/// assert_eq!(found, ["cargo", "--locked", "src/main.rs", "retry_all"]);
/// ```
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || !c.is_ascii() || ",;\"'".contains(c);
    text.split('`').enumerate().flat_map(move |(number, part)| {
        let is_quoted = number % 2 == 1;
        let words = part.split(is_end).filter(move |word| is_quoted || is_identifier(word));
        words.map(bare).filter(|word| word.contains(|c: char| c.is_ascii_alphabetic()))
    })
}

/// Returns whether a word without white space looks like code: `snake_case`, `camelCase`,
/// `CAPITALS`, `a::b`, `a.b`, `src/http`, `--flag`, `call()`, or letters with digits.
pub fn is_identifier(word: &str) -> bool {
    let is_call = word.contains("()");
    let word = bare(word);
    let inner = word.trim_matches(['.', '/']);
    let pairs = || word.as_bytes().windows(2);
    let has_letter = word.contains(|c: char| c.is_ascii_alphabetic());
    let is_capitals = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    has_letter
        && (is_call
            || is_capitals
            || word.starts_with(['-', '.', '/', '~'])
            || inner.contains(['_', '=', '$', '@', '#', '\\', '.', '/'])
            || inner.contains("::")
            || inner.contains(|c: char| c.is_ascii_digit())
            || pairs().any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()))
}

/// Splits an identifier into its parts. It is split at underscores, at the humps of `camelCase`,
/// and before the last capital of `HTTPServer`.
///
/// ```
/// assert_eq!(verger_text::identifier_parts("__parseHTTPBody_v2").collect::<Vec<_>>(), ["parse", "HTTP", "Body", "v2"]);
/// ```
pub fn identifier_parts(identifier: &str) -> impl Iterator<Item = &str> {
    let mut rest = identifier;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('_');
        let (part, behind) = rest.split_at(end_of_part(rest));
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}

fn end_of_part(text: &str) -> usize {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let ends = |index: &usize| {
        let (before, here, next) = (at(index - 1), at(*index), at(index + 1));
        here == b'_'
            || (here.is_ascii_uppercase()
                && (before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && next.is_ascii_lowercase())))
    };
    (1..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// The word without the punctuation around it and without the arguments of a call.
fn bare(word: &str) -> &str {
    let is_outside = |kept: &'static str| move |c: char| !c.is_alphanumeric() && !kept.contains(c);
    let word = word.trim_start_matches(is_outside("-_#$@./~"));
    let word = word.split(['(', '[', '{']).next().unwrap_or(word);
    word.trim_end_matches(is_outside("_#$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_code_are_told_from_prose() {
        let cases = [
            ("snake_case camelCase CAPITALS a::b a.b", "snake_case camelCase CAPITALS a::b a.b"),
            ("src/http ~/x .env /etc -v --all", "src/http ~/x .env /etc -v --all"),
            ("call() (call(x)) sha256 KEY=1 user@host #12", "call sha256 KEY=1 user@host"),
            ("Plain prose, with a (bracket) - and 5 dots... I A", ""),
            ("(`git push`) `x`.", "git push x"),
            ("「src/auth.rs」のretry_policyを直す", "src/auth.rs retry_policy"),
            ("src/http/, main.rs: done.", "src/http main.rs"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(identifiers(text).collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
