//! Distinguishes random strings from words, names and paths.
//!
//! Only text next to the name of a secret or of a header is checked. Elsewhere a random string may
//! be a hash or an identifier.

/// The maximum length of a run of letters that counts as one word.
const LONGEST_WORD: usize = 40;
/// The maximum length of a name with a digit between letters. Such digits are common in short names
/// (`sha256sum`, `i18n`), but not in long names.
const LONGEST_NAME_WITH_DIGIT_INSIDE: usize = 12;
/// The maximum number of digits between letters in all words of a text.
const MOST_DIGITS_INSIDE: usize = 2;
const MOST_CONSONANTS: usize = 6;
/// The number of consecutive consonants that is rare in a name. Next to capitals in unusual places,
/// it is even rarer.
const MANY_CONSONANTS: usize = 5;
const FEWEST_STREWN_SIGNS: usize = 4;
/// The minimum number of letters for the check of the entropy, which decides whether letters
/// without digits are random.
const SHORTEST_RANDOM_LETTERS: usize = 14;
/// The minimum entropy of random letters, in thousandths of a bit per character.
const RANDOM_ENTROPY: u32 = 3_500;

pub(crate) fn has_digit(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit)
}

/// Whether the text consists of words, names and numbers joined by signs: `self.token`, `MyApp-v2`,
/// `/run/secrets/db`.
pub(crate) fn is_word_like(text: &[u8]) -> bool {
    let mut runs = text.split(|byte| !byte.is_ascii_alphanumeric());
    digits_inside(text) <= MOST_DIGITS_INSIDE && runs.all(is_word) && !is_strewn_with_signs(text)
}

/// Whether a text with digits has many signs that don't join words.
fn is_strewn_with_signs(text: &[u8]) -> bool {
    let signs = text.iter().filter(|byte| b"%#^!*~".contains(byte)).count();
    signs >= FEWEST_STREWN_SIGNS && !text.contains(&b' ') && has_digit(text)
}

fn is_word(run: &[u8]) -> bool {
    if run.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let digits_inside = digits_inside(run);
    let is_name =
        digits_inside == 0 || (digits_inside == 1 && run.len() <= LONGEST_NAME_WITH_DIGIT_INSIDE);
    let consonants = longest_consonants(run);
    let has_odd_humps = || {
        humps(run) * 5 >= run.len()
            || (humps(run) * 6 >= run.len() && consonants >= MANY_CONSONANTS)
    };
    let is_random =
        run.len() >= SHORTEST_RANDOM_LETTERS && has_odd_humps() && entropy(run) >= RANDOM_ENTROPY;
    is_name && run.len() <= LONGEST_WORD && consonants <= MOST_CONSONANTS && !is_random
}

/// The number of digits that are followed by a letter.
fn digits_inside(text: &[u8]) -> usize {
    text.windows(2).filter(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic()).count()
}

/// The number of capitals that follow a small letter.
fn humps(run: &[u8]) -> usize {
    run.windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count()
}

/// The maximum number of consecutive consonants. Each word of a camel-cased name counts separately.
fn longest_consonants(run: &[u8]) -> usize {
    let mut longest = 0;
    let mut current = 0;
    for (index, byte) in run.iter().enumerate() {
        let starts_word =
            byte.is_ascii_uppercase() && run.get(index + 1).is_some_and(u8::is_ascii_lowercase);
        let is_consonant = byte.is_ascii_alphabetic()
            && !matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        current = if !is_consonant {
            0
        } else if starts_word {
            1
        } else {
            current + 1
        };
        longest = longest.max(current);
    }
    longest
}

/// The Shannon entropy of the first [`LONGEST_WORD`] characters, in thousandths of a bit per
/// character.
fn entropy(run: &[u8]) -> u32 {
    let mut bits = 0.0;
    let length = f64::from(u32::try_from(run.len()).unwrap_or(u32::MAX));
    let mut counts = [0_u32; 128];
    for byte in run {
        counts[usize::from(byte & 127)] += 1;
    }
    for count in counts.into_iter().filter(|count| *count > 0) {
        let share = f64::from(count) / length;
        bits -= share * share.log2();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "entropy lies between 0 and 8 bits"
    )]
    let thousandths = (bits * 1000.0) as u32;
    thousandths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_random_strings() {
        let words = [
            "",
            "token",
            "self.token",
            "Token::Ident",
            "/run/secrets/db",
            "sha256sum",
            "id_ed25519",
            "passwordConfirmation",
            "YOUR_API_KEY",
            "base64-encoded",
            "https://login.example.test/a",
            "20240301",
            "MyApp-v2.1",
            "catchphrase",
            "XMLHttpRequest",
            "HTTPSConnectionPoolKey",
        ];
        let random = [
            "4f3a9b2c",
            "Zk3v/Q81m+Xc0p",
            "Xk7pQ2mz",
            "hQ3vB81kd02",
            "qwhzkxvbnm",
            "aBcXfGhQkLmTzPwRs",
            "fzrYBaxtgmzDLmoD",
            "e7%%#_fjpphb#-ipm6%zoe4#dnm6",
            "0b9a1c2d-1f2e-4a5b-8c7d-0123456789ab",
            "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
        ];
        let wrong: Vec<&str> = words
            .into_iter()
            .filter(|text| !is_word_like(text.as_bytes()))
            .chain(random.into_iter().filter(|text| is_word_like(text.as_bytes())))
            .collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn entropy_is_shannons() {
        assert_eq!((entropy(b"aaaa"), entropy(b"abab"), entropy(b"abcd")), (0, 1000, 2000));
    }
}
