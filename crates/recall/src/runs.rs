//! Text as runs of letters of one script.

/// Letters of one script without anything between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run<'a> {
    pub(crate) letters: &'a str,
    pub(crate) script: Script,
}

/// What matters of a script is how its words are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Letters and digits of scripts that put spaces between words.
    Spaced,
    Han,
    Katakana,
    Hangul,
    /// Whatever stands between words.
    Gap,
}

/// Calls `found` for every run of letters in the text.
pub(crate) fn runs<'a>(text: &'a str, mut found: impl FnMut(Run<'a>)) {
    let mut rest = text;
    loop {
        rest = &rest[gap(rest.as_bytes())..];
        let Some(first) = rest.chars().next() else { return };
        let script = script_of(first);
        let length = ascii_word(rest.as_bytes())
            .unwrap_or_else(|| rest.find(|next| script_of(next) != script).unwrap_or(rest.len()));
        let (mut letters, behind) = rest.split_at(length);
        rest = behind;
        match script {
            Script::Gap => continue,
            Script::Spaced => (letters, rest) = without_contraction(letters, rest),
            Script::Han | Script::Katakana | Script::Hangul => {}
        }
        found(Run { letters, script });
    }
}

/// How many bytes of ASCII that belong to no word are in front.
fn gap(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii() || is_word(*byte)).unwrap_or(bytes.len())
}

/// The length of the word of ASCII in front, if nothing but ASCII ends it.
fn ascii_word(bytes: &[u8]) -> Option<usize> {
    let length = bytes.iter().position(|byte| !is_word(*byte)).unwrap_or(bytes.len());
    let is_ended = bytes.get(length).is_none_or(u8::is_ascii);
    (length > 0 && is_ended).then_some(length)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A word and what is behind it, without `'s`, `n't`, `'ll` and their like, which say nothing.
fn without_contraction<'a>(word: &'a str, rest: &'a str) -> (&'a str, &'a str) {
    let Some(ending) = rest.strip_prefix(['\'', '\u{2019}']) else { return (word, rest) };
    let length = ending.find(|next: char| !next.is_alphanumeric()).unwrap_or(ending.len());
    match ending.split_at(length) {
        ("t", behind) => (word.strip_suffix('n').unwrap_or(word), behind),
        (ending, behind) if ending.len() <= 2 => (word, behind),
        _ => (word, rest),
    }
}

fn script_of(character: char) -> Script {
    match character {
        '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => Script::Spaced,
        '\0'..='\u{7f}' | '\u{3041}'..='\u{309f}' => Script::Gap,
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => {
            Script::Katakana
        }
        '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
        '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Han,
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
            Script::Hangul
        }
        _ if character.is_alphanumeric() => Script::Spaced,
        _ => Script::Gap,
    }
}
