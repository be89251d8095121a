//! Judges the conditions of shells (`[` and `[[`), and the builtin `set`, which changes their
//! options.

use verger_shell::Word;

/// Whether a condition runs no code. `-v` and `-R` evaluate a subscript. `[[` evaluates the
/// operands of `-eq` and similar operators as arithmetic; `[` doesn't.
pub(super) fn is_harmless(words: &[Word], is_arithmetic: bool) -> bool {
    let is_one_word =
        |word: &Word| !matches!(word, Word::Spread(text) if text.contains(['$', '`']));
    let is_evaluating = |word: &Word| matches!(word.text(), "-v" | "-R");
    let compares =
        |word: &Word| matches!(word.text(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge");
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sure = |word: &Word| is_number(word.text()) || word.literal().is_some_and(is_digits);
    let around = words.windows(3).filter(|three| compares(&three[1]));
    words.iter().all(|word| is_one_word(word) || is_number(word.text()))
        && !words.iter().any(is_evaluating)
        && (!is_arithmetic
            || around.into_iter().all(|three| is_sure(&three[0]) && is_sure(&three[2])))
}

/// Whether the value of the text is always a number, as for `$?`, `$#` and `${#name}`.
fn is_number(text: &str) -> bool {
    matches!(text, "$?" | "$#" | "$$" | "$!")
        || text
            .strip_prefix("${#")
            .and_then(|rest| rest.strip_suffix('}'))
            .is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Whether the words only set options that make a shell stop at errors: `set -euo pipefail`.
pub(super) fn are_switches(words: &[Word]) -> bool {
    let is_switch = |text: &str| {
        let letters = text.strip_prefix(['-', '+']).unwrap_or_default();
        !letters.is_empty() && letters.chars().all(|c| "euofEm".contains(c))
    };
    let mut takes_name = false;
    let all = words.iter().all(|word| {
        let Some(text) = word.literal() else { return false };
        let is_name = matches!(text, "pipefail" | "errexit" | "nounset" | "errtrace" | "noglob");
        let is_right = if takes_name { is_name } else { is_switch(text) };
        takes_name = !takes_name && text.ends_with('o');
        is_right
    });
    // An `-o` at the end, without a name, prints all options.
    all && !takes_name && !words.is_empty()
}
