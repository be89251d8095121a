//! Text as runs of letters of one script.

/// Letters of one script without anything between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// The letters.
    pub letters: &'a str,
    /// What they are written in.
    pub script: Script,
}

/// What matters of a script is how its words are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters and digits of scripts that put spaces between words.
    Spaced,
    /// Of Chinese characters.
    Han,
    /// Of Katakana.
    Katakana,
    /// Of Hangul.
    Hangul,
    /// Whatever stands between words.
    Gap,
}

/// Calls `found` for every run of letters in the text.
pub fn runs<'a>(text: &'a str, mut found: impl FnMut(Run<'a>)) {
    let mut rest = text;
    loop {
        rest = &rest[length(rest.as_bytes(), Class::Gap)..];
        let word = length(rest.as_bytes(), Class::Word);
        let (letters, behind) = rest.split_at(word);
        match behind.as_bytes().first() {
            // Most texts are nothing but this.
            None | Some(0..=b'&' | b'('..=0x7f) if word > 0 => {
                rest = behind;
                found(Run { letters, script: Script::Spaced });
            }
            None => return,
            Some(_) => {
                let (run, behind) = any_run(rest);
                rest = behind;
                run.into_iter().for_each(&mut found);
            }
        }
    }
}

/// The run in front, if it is one of letters, and what is behind it.
fn any_run(text: &str) -> (Option<Run<'_>>, &str) {
    let script = text.chars().next().map_or(Script::Gap, script_of);
    let length = text.find(|next| script_of(next) != script).unwrap_or(text.len());
    let (letters, behind) = text.split_at(length);
    match script {
        Script::Gap => (None, behind),
        Script::Spaced => {
            let (letters, behind) = without_contraction(letters, behind);
            (Some(Run { letters, script }), behind)
        }
        Script::Han | Script::Katakana | Script::Hangul => (Some(Run { letters, script }), behind),
    }
}

/// What a byte is when nothing else is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Gap,
    /// A part of a character beyond ASCII.
    Part,
}

/// Looked up, since every byte of every text is asked for it.
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

/// How many bytes of this class are in front.
fn length(bytes: &[u8], class: Class) -> usize {
    let is_other = |byte: &u8| CLASSES[usize::from(*byte)] != class;
    bytes.iter().position(is_other).unwrap_or(bytes.len())
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
