//! What may stand on a command line beside options, for a command to be approved.

use std::fmt;

use verger_shell::Word;

use super::paths::{Ground, is_of_class};

/// What a rule that approves says of the words that are no options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// None may stand there.
    None,
    /// Any words, which name no files.
    Words,
    /// As many words at most.
    AtMost(usize),
    /// Files that are read.
    Files,
    /// A pattern, then files that are read.
    PatternThenFiles,
    /// A command, which is judged by itself.
    Command,
    /// A script of `sed`, then files.
    SedScript,
    /// A program of `awk`, then files.
    AwkProgram,
}

/// Words for them, as they stand in a file; `at-most-2` beside them.
const WORDS: [(&str, Operands); 7] = [
    ("none", Operands::None),
    ("words", Operands::Words),
    ("files", Operands::Files),
    ("pattern-then-files", Operands::PatternThenFiles),
    ("command", Operands::Command),
    ("sed-script", Operands::SedScript),
    ("awk-program", Operands::AwkProgram),
];

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::AtMost(most) = self {
            return write!(f, "at-most-{most}");
        }
        let word = WORDS.iter().find(|(_, operands)| operands == self);
        f.write_str(word.map_or("none", |(word, _)| word))
    }
}

impl Operands {
    /// What may stand in a file.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.into_iter().map(|(word, _)| word).chain(["at-most-1"])
    }

    /// What the word says.
    pub fn parse(word: &str) -> Option<Self> {
        if let Some(most) = word.strip_prefix("at-most-") {
            return most.parse().ok().map(Self::AtMost);
        }
        WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, operands)| operands)
    }

    /// Whether these words are such operands.
    pub(super) fn fit(self, words: &[&Word], ground: &Ground<'_>) -> bool {
        let files = |words: &[&Word]| words.iter().all(|word| is_harmless_file(word, ground));
        match self {
            Self::None => words.is_empty(),
            Self::Words => words.iter().all(|word| is_known(word)),
            Self::AtMost(most) => words.len() <= most && words.iter().all(|word| is_known(word)),
            Self::Files => files(words),
            Self::PatternThenFiles => {
                words.split_first().is_none_or(|(pattern, rest)| is_known(pattern) && files(rest))
            }
            Self::Command => true,
            Self::SedScript => words.split_first().is_some_and(|(script, rest)| {
                script.literal().is_some_and(is_harmless_sed) && files(rest)
            }),
            Self::AwkProgram => words.split_first().is_some_and(|(program, rest)| {
                program.literal().is_some_and(is_harmless_awk) && files(rest)
            }),
        }
    }
}

/// Whether the word's text is known, or a glob.
fn is_known(word: &Word) -> bool {
    !is_of_class("hidden", word, &Ground::default())
}

/// A file that may be read without asking: no credentials, and its name is known.
pub(super) fn is_harmless_file(word: &Word, ground: &Ground<'_>) -> bool {
    let text = word.text();
    let endless = matches!(text, "/dev/zero" | "/dev/random" | "/dev/urandom" | "/dev/mem");
    is_known(word) && !endless && !is_of_class("secret", word, ground) && !may_be_secret(word)
}

/// A glob that may stand for credentials.
fn may_be_secret(word: &Word) -> bool {
    let text = word.text();
    word.literal().is_none()
        && (text.contains(".env") || text.contains("id_") || text.starts_with(".*"))
}

/// Only prints lines, by number or pattern, or replaces without a flag that runs or writes.
fn is_harmless_sed(script: &str) -> bool {
    let addressed = script.trim_end_matches(['p', 'q', 'd', '=']);
    let is_address = |text: &str| text.chars().all(|c| c.is_ascii_digit() || ",$ ;~+p".contains(c));
    is_address(addressed)
}

/// Prints fields: it starts no program and writes to no file.
fn is_harmless_awk(program: &str) -> bool {
    !["system", "getline", "|", ">", "@", "printf -"].iter().any(|word| program.contains(word))
}
