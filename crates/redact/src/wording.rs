//! Distinguishes a password that consists of words from a description of a password.
//!
//! `violet-pickle-wagon-walnut` is a password. `current-password`, `your_password_here` and
//! `Passwort` are descriptions, whatever name is next to them.

const LONGEST: usize = 64;
const SHORTEST_WORD: usize = 3;
const SHORTEST_LONE_WORD: usize = 6;

/// Words for secrets. A text that contains one of them, even inside a longer word, describes a
/// secret.
const SUBJECTS: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"passphrase",
    b"passcode",
    b"secret",
    b"token",
    b"redacted",
    b"changeme",
    b"placeholder",
    b"example",
    b"required",
    b"optional",
    b"invalid",
    b"missing",
    b"credential",
    b"passwort",
    b"kennwort",
    b"wachtwoord",
    b"contrase",
    b"parola",
    b"salasana",
    b"lozinka",
    b"losenord",
    b"undefined",
    b"boolean",
    b"varchar",
    b"encrypted",
];
/// Words of descriptions. A text that has one of them as a whole word describes a secret.
const DESCRIPTIONS: &[&[u8]] = &[
    b"your",
    b"the",
    b"user",
    b"username",
    b"name",
    b"here",
    b"value",
    b"string",
    b"text",
    b"field",
    b"label",
    b"input",
    b"default",
    b"none",
    b"null",
    b"config",
    b"type",
    b"object",
    b"number",
    b"include",
    b"plain",
    b"private",
    b"strict",
    b"hidden",
    b"key",
    b"api",
    b"login",
    b"auth",
    b"hash",
    b"hashed",
    b"enter",
    b"insert",
    b"replace",
    b"change",
    b"todo",
    b"xxx",
    b"foo",
    b"bar",
    b"dummy",
    b"fake",
    b"sample",
    b"mock",
    b"prompt",
    b"file",
    b"path",
    b"url",
    b"error",
    b"confirm",
    b"reset",
    b"forgot",
    b"current",
    b"new",
    b"old",
    b"expired",
    b"wrong",
    b"empty",
    b"env",
    b"vault",
    b"account",
    b"set",
    b"get",
    b"not",
    b"with",
    b"from",
    b"for",
    b"and",
    b"min",
    b"max",
    b"length",
    b"policy",
    b"manager",
    b"form",
    b"button",
    b"icon",
    b"message",
    b"test",
    b"pass",
    b"same",
    b"origin",
    b"code",
    b"basic",
    b"bearer",
    b"client",
    b"service",
    b"server",
    b"database",
    b"admin",
];

/// Whether the text describes a secret, or is a placeholder for a secret.
pub(crate) fn is_description(text: &[u8]) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let mut buffer = [0; LONGEST];
    let small = &mut buffer[..text.len()];
    small.copy_from_slice(text);
    small.make_ascii_lowercase();
    SUBJECTS.iter().any(|subject| memchr::memmem::find(small, subject).is_some())
        || runs(small).any(|run| DESCRIPTIONS.contains(&run))
}

/// Whether the text is a passphrase: at least `least` words, joined by one sign, that aren't a
/// description. Digits or a sign may follow the words.
pub(crate) fn is_passphrase(text: &[u8], least: usize) -> bool {
    let end = text.iter().rposition(u8::is_ascii_alphabetic).map_or(0, |last| last + 1);
    let words = &text[..end];
    let Some(&joint) = words.iter().find(|byte| !byte.is_ascii_alphabetic()) else { return false };
    let is_word = |word: &[u8]| {
        word.len() >= SHORTEST_WORD
            && word[0].is_ascii_alphabetic()
            && word[1..].iter().all(u8::is_ascii_lowercase)
    };
    matches!(joint, b'-' | b'_')
        && text.len() <= LONGEST
        && words.split(|byte| *byte == joint).all(is_word)
        && words.split(|byte| *byte == joint).count() >= least
        && !is_description(text)
}

/// Whether the text is one word in small letters that isn't a description.
pub(crate) fn is_plain_word(text: &[u8]) -> bool {
    text.len() >= SHORTEST_LONE_WORD
        && text.iter().all(u8::is_ascii_lowercase)
        && !is_description(text)
        && !DESCRIPTIONS.iter().any(|word| {
            word.len() > SHORTEST_WORD && (text.starts_with(word) || text.ends_with(word))
        })
}

fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passphrase_is_told_from_a_description() {
        let phrases = ["violet-pickle-wagon-walnut", "saddle_breeze_velvet!", "Amber-Lion-Door42"];
        let others = [
            "current-password",
            "your-value-goes-here",
            "login_form_field",
            "mot_de_passe",
            "violet",
            "violet-pickle_wagon-walnut",
            "a-b-c",
            "config.violet.pickle",
            "/run/violet/pickle",
        ];
        let wrong: Vec<&str> = phrases
            .into_iter()
            .filter(|text| !is_passphrase(text.as_bytes(), 3))
            .chain(others.into_iter().filter(|text| is_passphrase(text.as_bytes(), 3)))
            .collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn a_plain_word_is_told_from_a_label() {
        let found =
            ["letmein", "wachtwoord", "Passwort", "required", "userdata", "hello", "hunter"]
                .map(|text| is_plain_word(text.as_bytes()));
        assert_eq!(found, [true, false, false, false, false, false, true]);
    }
}
