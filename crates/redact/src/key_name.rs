//! Decides from the name of a key whether its value is a secret.
//!
//! A name is split into words. `AWS_SECRET_ACCESS_KEY`, `clientSecret` and `db.password` end with a
//! word that marks a secret; `token_count` and `passwordFile` don't.

use crate::SecretKind;
use crate::pem;
use crate::symbol::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyClass {
    /// The name of a password. People choose passwords, so a value with a digit is enough.
    Password,
    /// The name of a generated secret. The value must look random.
    Generated(SecretKind),
    /// A name that is a weak sign of a secret. The value must be long and random.
    Doubtful(SecretKind),
    Authorization,
    Cookie,
    /// A name that the caller listed.
    Named,
}

impl KeyClass {
    pub(crate) fn kind(self) -> SecretKind {
        match self {
            Self::Password => SecretKind::Password,
            Self::Generated(kind) | Self::Doubtful(kind) => kind,
            Self::Authorization => SecretKind::Authorization,
            Self::Cookie => SecretKind::Cookie,
            Self::Named => SecretKind::Named,
        }
    }
}

const LONGEST_NAME: usize = 64;
const LONGEST_SUFFIX: usize = 11;

/// Words that may follow the word that marks a secret, as in `PASSWORD_PROD`.
const SUFFIXES: &[&[u8]] = &[
    b"prod",
    b"production",
    b"dev",
    b"development",
    b"staging",
    b"stage",
    b"test",
    b"live",
    b"old",
    b"new",
    b"raw",
    b"plain",
    b"text",
    b"str",
    b"string",
    b"value",
    b"base",
    b"primary",
    b"secondary",
    b"current",
    b"previous",
    b"default",
    b"backup",
    b"hex",
    b"base64",
    b"b64",
];
/// Words before `key` that make the key a secret, because it gives access.
const OPENING_KEYS: &[&[u8]] = &[
    b"api",
    b"access",
    b"secret",
    b"private",
    b"auth",
    b"signing",
    b"encryption",
    b"account",
    b"master",
    b"shared",
    b"service",
    b"deploy",
    b"license",
    b"licence",
    b"ssh",
    b"hmac",
    b"jwt",
    b"webhook",
    b"session",
    b"cookie",
    b"storage",
    b"crypto",
    b"app",
    b"application",
    b"admin",
];
/// Words before `key` that make the key harmless, because it only names or identifies something.
const NAMING_KEYS: &[&[u8]] = &[
    b"public",
    b"pub",
    b"verify",
    b"verifying",
    b"cache",
    b"primary",
    b"foreign",
    b"sort",
    b"partition",
    b"row",
    b"hash",
    b"map",
    b"object",
    b"message",
    b"group",
    b"query",
    b"state",
    b"parent",
    b"index",
    b"idempotency",
    b"dedupe",
    b"routing",
    b"lookup",
    b"composite",
    b"unique",
];
/// Names for passwords that programs write without a separator.
const JOINED_PASSWORDS: &[&[u8]] = &[
    b"storepass",
    b"keypass",
    b"srcstorepass",
    b"deststorepass",
    b"requirepass",
    b"sshpass",
    b"dbpass",
    b"userpass",
    b"rootpass",
    b"adminpass",
    b"bindpw",
    b"rootpw",
];
/// Words before `token` that make the token a position in a list, as in `next_token`.
const PLACE_TOKENS: &[&[u8]] =
    &[b"next", b"page", b"continuation", b"prev", b"previous", b"sync", b"start", b"last"];

/// A quick check that rejects nearly every word that isn't the name of a secret.
#[inline]
pub(crate) fn is_worth_reading(bytes: &[u8], word: &Word) -> bool {
    let text = &bytes[word.range.clone()];
    let Some(&end) = text.last_chunk() else { return false };
    TELLING.has(end)
        || (word.is_compound
            && (text.len() <= LONGEST_NAME && ends_with_suffix(text) || text.ends_with(pem::BEGIN)))
}

fn ends_with_suffix(text: &[u8]) -> bool {
    let has_digits = text.iter().rev().take(2).any(u8::is_ascii_digit);
    (has_digits || may_end_with_suffix(text))
        && without_suffixes(text).last_chunk().is_some_and(|&end| TELLING.has(end))
}

/// A quick check that rejects nearly every name, so that most names aren't searched for a suffix.
fn may_end_with_suffix(text: &[u8]) -> bool {
    text.iter().rev().take(2).any(|byte| matches!(byte, b'_' | b'-'))
        || text.last_chunk().is_some_and(|&end| SUFFIX_ENDS.has(end))
}

/// A set of word endings, each the last three letters of a word in any case.
struct Endings([u64; 512]);

impl Endings {
    const fn of<const COUNT: usize>(endings: [&[u8; 3]; COUNT]) -> Self {
        let mut bits = [0; 512];
        let mut index = 0;
        while index < COUNT {
            let place = Self::place(*endings[index]);
            bits[place >> 6] |= 1 << (place & 63);
            index += 1;
        }
        Self(bits)
    }

    #[inline]
    const fn has(&self, end: [u8; 3]) -> bool {
        let place = Self::place(end);
        self.0[place >> 6] >> (place & 63) & 1 == 1
    }

    /// The index of three letters in the set. The low five bits of a letter are the same in both
    /// cases.
    const fn place(end: [u8; 3]) -> usize {
        let [first, second, third] = end;
        (first as usize & 31) << 10 | (second as usize & 31) << 5 | (third as usize & 31)
    }
}

/// The last letters of the words that mark a secret, and of `bearer`, `echo` and `identified`.
const TELLING: Endings = Endings::of([
    b"ord", b"swd", b"pwd", b"ret", b"ken", b"key", b"uth", b"als", b"ial", b"eds", b"psk", b"pat",
    b"kie", b"ase", b"ode", b"ass", b"ion", b"rer", b"dpw", b"tpw", b"cho", b"ied",
]);
/// The last letters of [`SUFFIXES`].
const SUFFIX_ENDS: Endings = Endings::of([
    b"rod", b"ion", b"dev", b"ent", b"ing", b"age", b"est", b"ive", b"old", b"new", b"raw", b"ain",
    b"ext", b"str", b"lue", b"ase", b"ary", b"ous", b"ult", b"kup", b"hex",
]);

/// The class of the key with this name. `None` if the name doesn't mark a secret.
pub(crate) fn classify(word: &[u8]) -> Option<KeyClass> {
    if word.len() > LONGEST_NAME {
        return None;
    }
    let stem = without_suffixes(word);
    // The most frequent names that mark a secret. They need not be split into words.
    match stem {
        b"password" | b"Password" | b"PASSWORD" => return Some(KeyClass::Password),
        b"token" | b"Token" | b"TOKEN" => return Some(KeyClass::Generated(SecretKind::Token)),
        b"secret" | b"Secret" | b"SECRET" => return Some(KeyClass::Generated(SecretKind::Secret)),
        _ if !may_tell(stem) => return None,
        _ => {}
    }
    let mut buffer = [0; 2 * LONGEST_NAME];
    let mut words = split(stem, &mut buffer).rsplit(|byte| *byte == b'_').filter(|w| !w.is_empty());
    tells(words.next()?, words.next())
}

/// Whether the caller listed this name, in any case and with any separators.
pub(crate) fn is_named(word: &[u8], names: &[String]) -> bool {
    let is_same = |name: &String| letters(name.as_bytes()).eq(letters(word));
    word.len() <= LONGEST_NAME && names.iter().any(is_same)
}

/// The letters of a name in lower case, without separators.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    let kept = name.iter().filter(|byte| !matches!(byte, b'_' | b'-' | b'.'));
    kept.map(u8::to_ascii_lowercase)
}

/// A quick check whether the name may end with a word that marks a secret. Only the last letters
/// are compared.
fn may_tell(stem: &[u8]) -> bool {
    let Some(end) = stem.last_chunk::<3>() else { return false };
    match &end.map(|byte| byte | 0x20) {
        b"ase" => ends_with(stem, b"passphrase"),
        b"ode" => ends_with(stem, b"passcode"),
        b"ass" => ends_with(stem, b"pass"),
        b"ion" => ends_with(stem, b"authorization"),
        b"rer" | b"cho" | b"ied" => false,
        end => TELLING.has(*end),
    }
}

fn ends_with(word: &[u8], end: &[u8]) -> bool {
    word.len().checked_sub(end.len()).is_some_and(|at| word[at..].eq_ignore_ascii_case(end))
}

/// The name without suffixes: `PASSWORD_PROD_2` becomes `PASSWORD`.
fn without_suffixes(word: &[u8]) -> &[u8] {
    let mut stem = word;
    loop {
        let digits = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        stem = &stem[..stem.len() - digits];
        if !may_end_with_suffix(stem) {
            return stem;
        }
        let tail =
            stem.iter().rev().take(LONGEST_SUFFIX + 1).position(|byte| matches!(byte, b'_' | b'-'));
        match tail {
            Some(length) if is_suffix(&stem[stem.len() - length..]) => {
                stem = &stem[..stem.len() - length - 1];
            }
            _ => return stem,
        }
    }
}

fn is_suffix(word: &[u8]) -> bool {
    word.len() <= 1 || SUFFIXES.iter().any(|suffix| word.eq_ignore_ascii_case(suffix))
}

/// Writes the name in lower case with `_` between its words.
fn split<'a>(word: &[u8], buffer: &'a mut [u8; 2 * LONGEST_NAME]) -> &'a [u8] {
    let mut length = 0;
    for (index, byte) in word.iter().enumerate() {
        let previous = index.checked_sub(1).map_or(b'_', |index| word[index]);
        let next = word.get(index + 1).copied().unwrap_or(b'_');
        let starts_word = byte.is_ascii_uppercase()
            && (previous.is_ascii_lowercase()
                || (previous.is_ascii_uppercase() && next.is_ascii_lowercase()));
        if starts_word {
            buffer[length] = b'_';
            length += 1;
        }
        buffer[length] =
            if matches!(byte, b'-' | b'.' | b' ') { b'_' } else { byte.to_ascii_lowercase() };
        length += 1;
    }
    &buffer[..length]
}

fn tells(last: &[u8], before: Option<&[u8]>) -> Option<KeyClass> {
    let ends = |words: &[&[u8]]| words.iter().any(|word| last.ends_with(word));
    let preceded = |words: &[&[u8]]| before.is_some_and(|word| words.contains(&word));
    if ends(&[b"password", b"passwd", b"passphrase", b"passcode", b"pwd"])
        || last == b"psk"
        || (last == b"pass" && before.is_some())
        || JOINED_PASSWORDS.contains(&last)
    {
        return Some(KeyClass::Password);
    }
    if ends(&[b"token"]) {
        return (!preceded(PLACE_TOKENS)).then_some(KeyClass::Generated(SecretKind::Token));
    }
    if ends(&[b"secret"]) {
        return Some(KeyClass::Generated(SecretKind::Secret));
    }
    if ends(&[b"apikey", b"accesskey", b"secretkey", b"privatekey", b"authkey"])
        || (last == b"key" && preceded(OPENING_KEYS))
    {
        return Some(KeyClass::Generated(SecretKind::Key));
    }
    match last {
        b"key" if before.is_some() && !preceded(NAMING_KEYS) => {
            Some(KeyClass::Doubtful(SecretKind::Key))
        }
        b"pat" if before.is_some() => Some(KeyClass::Doubtful(SecretKind::Token)),
        b"credentials" | b"credential" | b"creds" | b"auth" => {
            Some(KeyClass::Doubtful(SecretKind::Credential))
        }
        b"authorization" => Some(KeyClass::Authorization),
        b"cookie" => Some(KeyClass::Cookie),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_by_its_last_words() {
        let token = Some(KeyClass::Generated(SecretKind::Token));
        let key = Some(KeyClass::Generated(SecretKind::Key));
        let secret = Some(KeyClass::Generated(SecretKind::Secret));
        let password = Some(KeyClass::Password);
        let cases = [
            ("password", password),
            ("DB_PASSWORD", password),
            ("PGPASSWORD", password),
            ("rootPasswd", password),
            ("PASSWORD_PROD", password),
            ("password2", password),
            ("password_file", None),
            ("PASSWORD_MIN_LENGTH", None),
            ("token", token),
            ("accessToken", token),
            ("x-auth-token", token),
            ("tokens", None),
            ("max_tokens", None),
            ("token_count", None),
            ("nextPageToken", None),
            ("clientSecret", secret),
            ("secretName", None),
            ("AWS_SECRET_ACCESS_KEY", key),
            ("SECRET_KEY_BASE", key),
            ("APIKey", key),
            ("x-api-key", key),
            ("service.api.key", key),
            ("monkey", None),
            ("key", None),
            ("cache_key", None),
            ("publicKey", None),
            ("deployment_key", Some(KeyClass::Doubtful(SecretKind::Key))),
            ("authorization", Some(KeyClass::Authorization)),
            ("HTTP_AUTHORIZATION", Some(KeyClass::Authorization)),
            ("author", None),
            ("Set-Cookie", Some(KeyClass::Cookie)),
        ];
        let found = cases.map(|(name, _)| (name, classify(name.as_bytes())));
        assert_eq!(found, cases);
    }

    #[test]
    fn the_quick_look_dismisses_no_name_that_tells() {
        let names = SUFFIXES.iter().map(|suffix| [b"db_password_", *suffix].concat());
        let more = ["PASSPHRASE", "authorization", "token-2", "secret_a", "API_KEY", "credentials"];
        let dismissed: Vec<Vec<u8>> = names
            .chain(more.map(|name| name.as_bytes().to_vec()))
            .filter(|name| !is_worth_reading(name, &Word::at(name, 0)) || classify(name).is_none())
            .collect();
        assert_eq!(dismissed, Vec::<Vec<u8>>::new());
    }

    #[test]
    fn a_name_of_the_caller_is_known_in_any_spelling() {
        let names = ["door-code".to_owned()];
        let found = ["doorCode", "DOOR_CODE", "door.code", "doorcodes"]
            .map(|name| is_named(name.as_bytes(), &names));
        assert_eq!(found, [true, true, true, false]);
    }
}
