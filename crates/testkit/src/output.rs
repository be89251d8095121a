//! A program's output, and filters that replace the parts of it that differ between runs.

use std::fmt::{self, Display, Formatter};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// The result of a program that ended by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a test that ignores what a program did tests nothing"]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    /// The exit code, or 128 plus the signal that ended the program.
    pub code: i32,
}

impl Output {
    pub fn is_success(&self) -> bool {
        self.code == 0
    }

    /// Fails the test, with all output of the program, if its exit code isn't 0.
    #[track_caller]
    pub fn success(self) -> Self {
        assert!(self.is_success(), "the program failed:\n{self}");
        self
    }

    /// The output with `filters` applied to stdout and stderr, in order.
    pub fn filtered(self, filters: &[Filter]) -> Self {
        let apply = |text: String| filters.iter().fold(text, |text, filter| filter.apply(&text));
        Self { stdout: apply(self.stdout), stderr: apply(self.stderr), code: self.code }
    }
}

/// The exit code of a program, or 128 plus the signal that ended it.
pub(crate) fn exit_code(status: ExitStatus) -> i32 {
    const SIGNAL_BASE: i32 = 128;
    let code = status.code().or_else(|| status.signal().map(|signal| SIGNAL_BASE + signal));
    code.expect("an ended process has a code or a signal")
}

/// Formats the output for snapshots: stdout, then stderr unless empty, then an exit code unless 0.
impl Display for Output {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.stdout)?;
        if !self.stderr.is_empty() {
            write!(formatter, "------- stderr -------\n{}", self.stderr)?;
        }
        if self.code != 0 {
            write!(formatter, "------- exit code {} -------", self.code)?;
        }
        Ok(())
    }
}

/// A replacement that makes text the same in every run.
#[derive(Clone, Debug)]
pub enum Filter {
    /// Each distinct ULID becomes `$ID1`, `$ID2`, … in order of appearance.
    Ulids,
    /// Thirteen digits that are a separate word become `$TIME`. Until 2286, times in milliseconds
    /// have this length.
    Milliseconds,
    /// A literal text is replaced by another.
    Literal { from: String, to: String },
}

impl Filter {
    /// The filter that replaces a path.
    pub fn path(path: &Path, name: &str) -> Self {
        Self::Literal { from: path.to_string_lossy().into_owned(), to: name.to_owned() }
    }

    pub fn apply(&self, text: &str) -> String {
        match self {
            Self::Literal { from, to } => text.replace(from, to),
            Self::Milliseconds => {
                replace_words(text, |word| is_milliseconds(word).then(|| "$TIME".to_owned()))
            }
            Self::Ulids => {
                let mut seen: Vec<String> = Vec::new();
                replace_words(text, |word| {
                    is_ulid(word).then(|| {
                        let known = seen.iter().position(|id| id == word);
                        let index = known.unwrap_or_else(|| {
                            seen.push(word.to_owned());
                            seen.len() - 1
                        });
                        format!("$ID{}", index + 1)
                    })
                })
            }
        }
    }
}

fn is_milliseconds(word: &str) -> bool {
    word.len() == 13 && word.starts_with('1') && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ulid(word: &str) -> bool {
    const CROCKFORD: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    word.len() == 26
        && word.starts_with(|first| ('0'..='7').contains(&first))
        && word.bytes().all(|byte| CROCKFORD.contains(&byte))
}

/// Replaces complete runs of letters and digits.
fn replace_words(text: &str, mut replacement: impl FnMut(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric()) {
        let (before, from_word) = rest.split_at(start);
        let end = from_word
            .find(|letter: char| !letter.is_ascii_alphanumeric())
            .unwrap_or(from_word.len());
        let (word, after) = from_word.split_at(end);
        result.push_str(before);
        match replacement(word) {
            Some(replaced) => result.push_str(&replaced),
            None => result.push_str(word),
        }
        rest = after;
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_distinct_ulid_keeps_its_own_number() {
        let text =
            "a 01K3Z9QF0V8T2M4N6P8R0S2T4V b 01K3Z9QF0V8T2M4N6P8R0S2T5W 01K3Z9QF0V8T2M4N6P8R0S2T4V";
        assert_eq!(Filter::Ulids.apply(text), "a $ID1 b $ID2 $ID1");
    }

    #[test]
    fn only_thirteen_digits_on_their_own_are_a_time() {
        let text = r#"{"at":1794776570914,"n":17947765709141,"s":"x1794776570914"}"#;
        assert_eq!(
            Filter::Milliseconds.apply(text),
            r#"{"at":$TIME,"n":17947765709141,"s":"x1794776570914"}"#
        );
    }
}
