//! Finds keys and tokens with a prefix that identifies their provider.

use std::ops::Range;

use crate::SecretKind;
use crate::randomness::has_digit;

/// The characters and the length of the part after the prefix of a token.
#[derive(Clone, Copy)]
enum Body {
    /// At least this many letters and digits.
    Alphanumeric(usize),
    /// At least this many letters, digits, `-` and `_`.
    Word(usize),
    /// Exactly this many capitals and digits.
    Capitals(usize),
}

const ASSISTANTS: &[(&str, Body, SecretKind)] = &[
    ("sk-ant-", Body::Word(16), SecretKind::AnthropicKey),
    ("sk-proj-", Body::Word(16), SecretKind::OpenAiKey),
    ("sk-svcacct-", Body::Word(16), SecretKind::OpenAiKey),
    ("sk-", Body::Alphanumeric(20), SecretKind::OpenAiKey),
];
const PAYMENTS: &[(&str, Body, SecretKind)] = &[
    ("sk_live_", Body::Alphanumeric(16), SecretKind::Key),
    ("sk_test_", Body::Alphanumeric(16), SecretKind::Key),
    ("rk_live_", Body::Alphanumeric(16), SecretKind::Key),
    ("rk_test_", Body::Alphanumeric(16), SecretKind::Key),
];
const GIT: &[(&str, Body, SecretKind)] = &[
    ("ghp_", Body::Alphanumeric(20), SecretKind::GitHubToken),
    ("gho_", Body::Alphanumeric(20), SecretKind::GitHubToken),
    ("ghu_", Body::Alphanumeric(20), SecretKind::GitHubToken),
    ("ghs_", Body::Alphanumeric(20), SecretKind::GitHubToken),
    ("ghr_", Body::Alphanumeric(20), SecretKind::GitHubToken),
    ("github_pat_", Body::Word(20), SecretKind::GitHubToken),
    ("glpat-", Body::Word(16), SecretKind::GitLabToken),
    ("glrt-", Body::Word(16), SecretKind::GitLabToken),
];
const CLOUD: &[(&str, Body, SecretKind)] = &[
    ("AKIA", Body::Capitals(16), SecretKind::AwsAccessKeyId),
    ("ASIA", Body::Capitals(16), SecretKind::AwsAccessKeyId),
    ("AIza", Body::Word(30), SecretKind::GoogleApiKey),
];
const PACKAGES: &[(&str, Body, SecretKind)] = &[
    ("npm_", Body::Alphanumeric(30), SecretKind::NpmToken),
    ("pypi-", Body::Word(40), SecretKind::PyPiToken),
];
const MODELS: &[(&str, Body, SecretKind)] =
    &[("hf_", Body::Alphanumeric(30), SecretKind::HuggingFaceToken)];

/// The prefix of Vault's tokens. A dot ends a word, so the prefix is before the word that is
/// examined.
const VAULT: &[u8] = b"hvs.";
const SHORTEST_VAULT_TOKEN: usize = 20;
/// The number of characters that are searched for a digit. A random token nearly always has one
/// among them.
const DIGIT_WITHIN: usize = 128;
/// The divisor of the number of letters that gives the minimum number of capitals, and of small
/// letters. Half of the letters of a random string are capitals, in a name far less than a quarter.
const MOST_CAPITALS_OF_A_NAME: usize = 4;

/// The end and the kind of the token at the start of the word. `None` if no token starts there.
pub(crate) fn token(bytes: &[u8], word: Range<usize>) -> Option<(usize, SecretKind)> {
    let text = &bytes[word.clone()];
    let candidates = match text.get(..4)? {
        [b's', b'k', b'-', _] => ASSISTANTS,
        [b's' | b'r', b'k', b'_', _] => PAYMENTS,
        [b'g', b'h' | b'i' | b'l', _, _] => GIT,
        [b'A', _, _, _] => CLOUD,
        b"npm_" | b"pypi" => PACKAGES,
        [b'h', b'f', b'_', _] => MODELS,
        [b'x', b'o', b'x', _] | b"xapp" => return slack(text).map(|kind| (word.end, kind)),
        _ if bytes[..word.start].ends_with(VAULT) => return vault(bytes, word),
        _ => return None,
    };
    candidates.iter().find_map(|(prefix, body, kind)| {
        let rest = text.strip_prefix(prefix.as_bytes())?;
        let length = body.length(rest)?;
        Some((word.start + prefix.len() + length, *kind))
    })
}

#[cold]
fn vault(bytes: &[u8], word: Range<usize>) -> Option<(usize, SecretKind)> {
    let length = Body::Word(SHORTEST_VAULT_TOKEN).length(&bytes[word.clone()])?;
    Some((word.start + length, SecretKind::Token))
}

impl Body {
    fn length(self, rest: &[u8]) -> Option<usize> {
        let alphanumeric = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let is_random = |text: &[u8]| has_digit(text) || has_random_case(text);
        let start = &rest[..rest.len().min(DIGIT_WITHIN)];
        match self {
            Self::Alphanumeric(least) => {
                let is_token =
                    alphanumeric >= least && is_random(&start[..alphanumeric.min(start.len())]);
                is_token.then_some(alphanumeric)
            }
            Self::Word(least) => (rest.len() >= least && is_random(start)).then_some(rest.len()),
            Self::Capitals(count) => {
                let capitals = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
                    .count();
                (capitals == count && alphanumeric == count).then_some(count)
            }
        }
    }
}

/// Whether the mix of capitals and small letters looks random. This check replaces the search for a
/// digit, because one in thirty tokens of twenty random characters has no digit.
fn has_random_case(text: &[u8]) -> bool {
    let share = text.len() / MOST_CAPITALS_OF_A_NAME;
    let count = |class: fn(&u8) -> bool| text.iter().filter(|byte| class(byte)).count();
    count(u8::is_ascii_uppercase) > share && count(u8::is_ascii_lowercase) > share
}

fn slack(text: &[u8]) -> Option<SecretKind> {
    let shaped = text.get(4) == Some(&b'-') && text.len() >= 15 && text[3].is_ascii_lowercase();
    (shaped && has_digit(&text[5..text.len().min(DIGIT_WITHIN)])).then_some(SecretKind::SlackToken)
}
