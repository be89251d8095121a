//! Command patterns, as written in the configuration: `gh issue close*`.

use std::str::FromStr;

use thiserror::Error;

use crate::glob::Glob;
use crate::mention;
use crate::script::{Command, Script, Unread, Word};

/// A program and the words after it. A command matches even if it has options between these words.
/// `*` matches any text within a word. At the end of the pattern, `*` matches any further words.
/// Without it, only options may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPattern {
    program: String,
    words: Vec<Glob>,
    ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Open,
    Closed,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatternError {
    #[error("the pattern is empty: write a program and its first words, like `gh issue close*`")]
    Empty,
    #[error("`{0}` is not the name of a program: write it without a path and without `*`")]
    Program(String),
    #[error("`{0}` has no meaning in a pattern: write one command, without quotes and operators")]
    Character(char),
}

impl FromStr for CommandPattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        Self::parse(pattern)
    }
}

impl CommandPattern {
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        if let Some(c) = pattern.chars().find(|c| "\"'\\`$|&;<>()".contains(*c) || c.is_control()) {
            return Err(PatternError::Character(c));
        }
        let mut words = pattern.split_whitespace();
        let program = words.next().ok_or(PatternError::Empty)?.to_owned();
        if program.contains(['/', '*']) || program.starts_with('-') {
            return Err(PatternError::Program(program));
        }
        let mut words: Vec<Glob> = words.map(Glob::new).collect();
        let ending = match words.last() {
            Some(last) if last.is_open() => Ending::Open,
            _ => Ending::Closed,
        };
        // A lone `*` at the end also matches if no word follows.
        words.pop_if(|last| last.stem().is_empty() && last.matches(""));
        Ok(Self { program, words, ending })
    }

    /// Whether the script runs a matching command on this machine, or may run one in an unread
    /// part.
    pub fn matches(&self, script: &Script) -> bool {
        let mut commands = script.commands.iter().enumerate();
        commands.any(|(at, command)| self.matches_command(command) && !script.runs_elsewhere(at))
            || script.unread.iter().any(Unread::may_be_any)
            || script.unread_mentions(&self.program)
            || (script.runs_something_dynamic() && self.names().all(|name| script.says(name)))
    }

    /// Whether the command matches the pattern. A word of the command that is not literal matches
    /// anything.
    pub fn matches_command(&self, command: &Command) -> bool {
        if let Some(code) = &command.code
            && mention::occur_in_order(code, self.names())
        {
            return true;
        }
        command.runs(&self.program) && self.matches_words(&command.argv[1..])
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let words = self.words.iter().map(Glob::stem).filter(|stem| !stem.is_empty());
        std::iter::once(self.program.as_str()).chain(words)
    }

    /// Whether the words match. An option may or may not take the next word as its value, so both
    /// cases are followed in parallel.
    fn matches_words(&self, words: &[Word]) -> bool {
        let all = self.words.len();
        let mut readings = vec![Reading { matched: 0, next: Next::Word }];
        for word in words {
            if self.ending == Ending::Open && readings.iter().any(|r| r.matched == all) {
                return true;
            }
            let mut after: Vec<Reading> = Vec::new();
            for reading in readings {
                for follow in self.follow(reading, word) {
                    if !after.contains(&follow) {
                        after.push(follow);
                    }
                }
            }
            readings = after;
        }
        readings.iter().any(|reading| reading.matched == all)
    }

    fn follow(&self, reading: Reading, word: &Word) -> Vec<Reading> {
        let Reading { matched, next } = reading;
        let at = |matched| Reading { matched, next: Next::Word };
        if next == Next::Value && !matches!(word, Word::Spread(_)) {
            return vec![at(matched)];
        }
        match word {
            Word::Spread(_) => (matched..=self.words.len()).map(at).collect(),
            Word::Dynamic(_) => (matched..=self.words.len().min(matched + 1)).map(at).collect(),
            Word::Literal(text) => {
                let mut follows = Vec::new();
                if self.words.get(matched).is_some_and(|glob| glob.matches(text)) {
                    follows.push(at(matched + 1));
                }
                match option(&self.program, text) {
                    Some(OptionKind::Alone) => follows.push(at(matched)),
                    Some(OptionKind::WithValue) => {
                        follows.push(Reading { matched, next: Next::Value });
                    }
                    Some(OptionKind::Unknown) => {
                        follows.push(at(matched));
                        follows.push(Reading { matched, next: Next::Value });
                    }
                    None => {}
                }
                follows
            }
        }
    }
}

/// One case of the match: the number of matched words of the pattern, and the meaning of the next
/// word of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    matched: usize,
    next: Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OptionKind {
    Alone,
    WithValue,
    Unknown,
}

fn option(program: &str, text: &str) -> Option<OptionKind> {
    if text.starts_with('+') && program == "cargo" {
        return Some(OptionKind::Alone);
    }
    let body = text.strip_prefix('-')?;
    let known = VALUE_OPTIONS.iter().find(|(name, _)| *name == program);
    if known.is_some_and(|(_, options)| options.contains(&text)) {
        return Some(OptionKind::WithValue);
    }
    let is_whole = body.is_empty() || text == "--" || (body.starts_with('-') && body.contains('='));
    Some(if is_whole { OptionKind::Alone } else { OptionKind::Unknown })
}

/// For each program, its options that may come before a subcommand and take the next word.
const VALUE_OPTIONS: &[(&str, &[&str])] = &[
    ("gh", &["-R", "--repo", "--hostname"]),
    (
        "git",
        &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"],
    ),
    ("bd", &["--db", "--actor"]),
    ("tissue", &["--store"]),
    (
        "docker",
        &[
            "-c",
            "--context",
            "-H",
            "--host",
            "-l",
            "--log-level",
            "--config",
            "--tlscacert",
            "--tlscert",
            "--tlskey",
        ],
    ),
    (
        "kubectl",
        &[
            "-n",
            "--namespace",
            "--context",
            "--cluster",
            "-s",
            "--server",
            "--user",
            "--kubeconfig",
            "--token",
            "--as",
            "--as-group",
            "--request-timeout",
        ],
    ),
    ("cargo", &["-C", "-Z", "--config", "--color", "--manifest-path"]),
    ("npm", &["-C", "--prefix", "-w", "--workspace", "--registry", "--loglevel", "--userconfig"]),
];
