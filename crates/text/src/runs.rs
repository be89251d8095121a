//! Splits text into runs of letters of one script.

/// Consecutive letters of one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// The letters of the run, as they are in the text.
    pub letters: &'a str,
    /// The script of the letters; never [`Script::Hiragana`] or [`Script::Gap`].
    pub script: Script,
}

/// Scripts, grouped by how words are separated in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters and digits of scripts that put spaces between words.
    Spaced,
    /// Chinese characters.
    Han,
    /// Katakana.
    Katakana,
    /// Hiragana: mostly inflection and particles.
    Hiragana,
    /// Hangul.
    Hangul,
    /// White space, punctuation and symbols.
    Gap,
}

impl Script {
    /// Returns the script of a character.
    pub fn of(character: char) -> Self {
        match character {
            '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => Self::Spaced,
            '\0'..='\u{7f}' => Self::Gap,
            '\u{3041}'..='\u{309f}' => Self::Hiragana,
            '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{ff66}'..='\u{ff9f}' => Self::Katakana,
            '\u{3005}'..='\u{3007}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => Self::Han,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
                Self::Hangul
            }
            _ if character.is_alphanumeric() => Self::Spaced,
            _ => Self::Gap,
        }
    }
}

/// Returns the runs of letters in a text, in order. Hiragana and gaps are skipped. The endings of
/// possessives and contractions, such as `'s`, `n't` and `'ll`, are dropped.
pub fn runs(text: &str) -> Runs<'_> {
    Runs { rest: text }
}

/// The iterator that [`runs`] returns.
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        loop {
            self.rest = &self.rest[length(self.rest.as_bytes(), Class::Gap)..];
            let word = length(self.rest.as_bytes(), Class::Word);
            let (letters, behind) = self.rest.split_at(word);
            match behind.as_bytes().first() {
                // Fast path: an ASCII word without an apostrophe after it.
                None | Some(0..=b'&' | b'('..=0x7f) if word > 0 => {
                    self.rest = behind;
                    return Some(Run { letters, script: Script::Spaced });
                }
                None => return None,
                Some(_) => {
                    let (run, behind) = any_run(self.rest);
                    self.rest = behind;
                    if run.is_some() {
                        return run;
                    }
                }
            }
        }
    }
}

/// The run at the start of the text, and the text after it. `None` for the run if the text starts
/// with hiragana or a gap.
fn any_run(text: &str) -> (Option<Run<'_>>, &str) {
    let script = text.chars().next().map_or(Script::Gap, Script::of);
    let length = text.find(|next| Script::of(next) != script).unwrap_or(text.len());
    let (letters, behind) = text.split_at(length);
    match script {
        Script::Gap | Script::Hiragana => (None, behind),
        Script::Spaced => {
            let (letters, behind) = without_contraction(letters, behind);
            (Some(Run { letters, script }), behind)
        }
        Script::Han | Script::Katakana | Script::Hangul => (Some(Run { letters, script }), behind),
    }
}

/// The kind of a byte: part of an ASCII word, of a gap, or of a character outside ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Gap,
    /// A byte of a character outside ASCII.
    Part,
}

/// The class of each possible byte value. This is a table for speed, because every byte of every
/// text is looked up.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Part; 256];
    let mut byte = 0u8;
    while byte.is_ascii() {
        let is_word = byte.is_ascii_alphanumeric() || byte == b'_';
        classes[byte as usize] = if is_word { Class::Word } else { Class::Gap };
        byte += 1;
    }
    classes
};

/// The number of bytes at the start of `bytes` that have this class.
fn length(bytes: &[u8], class: Class) -> usize {
    let is_other = |byte: &u8| CLASSES[usize::from(*byte)] != class;
    bytes.iter().position(is_other).unwrap_or(bytes.len())
}

/// The word without an ending such as `'s`, `n't` or `'ll`, and the text after it.
fn without_contraction<'a>(word: &'a str, rest: &'a str) -> (&'a str, &'a str) {
    let Some(ending) = rest.strip_prefix(['\'', '\u{2019}']) else { return (word, rest) };
    let length = ending.find(|next: char| !next.is_alphanumeric()).unwrap_or(ending.len());
    match ending.split_at(length) {
        ("t", behind) => (word.strip_suffix('n').unwrap_or(word), behind),
        (ending, behind) if ending.len() <= 2 => (word, behind),
        _ => (word, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_the_script_changes() {
        let found: Vec<_> = runs("設定ファイル_configを読む, don't!")
            .map(|run| (run.letters, run.script))
            .collect();
        let expected = [
            ("設定", Script::Han),
            ("ファイル", Script::Katakana),
            ("_config", Script::Spaced),
            ("読", Script::Han),
            ("do", Script::Spaced),
        ];
        assert_eq!(found, expected);
        assert_eq!(runs(" 、これは …").next(), None);
    }
}
