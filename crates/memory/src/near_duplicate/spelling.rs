//! How a text is written: its scripts and gaps, and what looks like code.

pub(super) fn is_gap(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '"' | '`')
        || matches!(c, '。' | '、' | '「' | '」' | '“' | '”' | '—')
        || c.is_whitespace()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Spaced,
    Kanji,
    Katakana,
    Hiragana,
}

impl Script {
    pub(super) fn of(c: char) -> Self {
        match c {
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '々' | '〆' => Self::Kanji,
            '\u{30a0}'..='\u{30ff}' if c != '・' => Self::Katakana,
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            _ => Self::Spaced,
        }
    }
}

/// In lower case and half width.
pub(super) fn lower_case(text: &str) -> String {
    let narrow = |c: char| match u32::from(c) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(c),
        0x2019 => '\'',
        _ => c,
    };
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().map(narrow).collect::<String>().to_lowercase()
}

/// Without what stands around it. A dot in front belongs to a file or an ending.
pub(super) fn bare(raw: &str) -> &str {
    let around: &[char] = &[':', '!', '?', '<', '>', '\'', '…', '*'];
    let word = raw.trim_matches(around).trim_end_matches(['.', ':', '/']).trim_matches(around);
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.contains(char::is_alphanumeric) || word == "%" { word } else { "" }
}

pub(super) fn is_flag(word: &str) -> bool {
    let rest = word.trim_start_matches('-');
    rest.len() < word.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether it looks like something from code: a path, an identifier, anything with a digit.
pub(super) fn is_name(word: &str) -> bool {
    word.contains(['_', '@', '$', '\\', '#', '.'])
        || word.contains("::")
        || word.contains(|c: char| c.is_ascii_digit())
        || word.starts_with(['/', '~'])
        || word.matches('/').count() > 1
}

pub(super) fn is_version(name: &str) -> bool {
    name.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
