//! Finds the lines of a check's output that name a failing test or an error.

use crate::phrases::{begins_with_any, contains_any};

/// The maximum number of bytes of an output line that are compared.
const MAX_LINE: usize = 400;

/// The information about a failure in one output line.
pub(super) enum Sign<'a> {
    /// The name of a failing test.
    Test(&'a str),
    /// The text of an error.
    Error(&'a str),
    /// The file in which the error of the previous line occurred.
    Location(&'a str),
}

/// Finds failing tests and errors in an output, line by line.
#[derive(Debug, Default)]
pub(super) struct SignReader {
    before: Before,
}

/// The kind of the previous output line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    /// `failures:` of Rust's test harness. The next lines are names of tests, indented by four
    /// spaces.
    Names,
    /// `thread 'a' panicked at`. The next line is the message.
    Panic,
    /// An error. The next line may name the file with the error.
    Error,
}

impl SignReader {
    pub(super) fn read<'a>(&mut self, line: &'a str) -> Option<Sign<'a>> {
        let line = without_task(line);
        let text = line.trim();
        if text.is_empty() {
            return None;
        }
        let before = std::mem::take(&mut self.before);
        if text == "failures:" {
            self.before = Before::Names;
            return None;
        }
        if before == Before::Names && line.starts_with("    ") && !text.contains(' ') {
            self.before = Before::Names;
            return Some(Sign::Test(text));
        }
        if let Some(name) = test_name(text) {
            return Some(Sign::Test(name));
        }
        if let Some(path) = text.strip_prefix("--> ") {
            return (before == Before::Error).then_some(Sign::Location(path));
        }
        if text.starts_with("thread '") && text.contains(" panicked at ") {
            self.before = Before::Panic;
            return None;
        }
        let error = text.strip_prefix("E  ").unwrap_or(text).trim_start();
        let is_compared = begins_with_any(text, "left: |right: ");
        if before != Before::Panic && !is_compared && !is_error(error) {
            return None;
        }
        self.before = Before::Error;
        Some(Sign::Error(&error[..error.floor_char_boundary(MAX_LINE)]))
    }
}

/// Removes the name of the task that printed the line: `[lint:go] a.go:1:2: undefined: b`.
fn without_task(line: &str) -> &str {
    let task = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let is_task = |name: &str| name.contains(':') && !name.contains(char::is_whitespace);
    task.filter(|(name, _)| is_task(name)).map_or(line, |(_, rest)| rest)
}

/// Beginnings of lines that are followed by the name of a failing test.
const BEFORE_NAME: &str = "--- FAIL: |FAILED |FAIL: |ERROR: test|✕ |✗ |✖ |× |✘ |● |(fail) |not ok |FAIL [|FAIL  |\
                           [  FAILED  ] |Failed |rspec ./";
/// Texts that runners print in the place of a test's name.
const NO_NAMES: &str = "(failures=|(errors=|Test suite failed to run|> Task ";

/// The name of the failing test in an output line. `None` if the line names none.
fn test_name(text: &str) -> Option<&str> {
    // Rust and Deno: `test a ... FAILED`, `a --- FAILED`; Gradle: `CartTest > adds() FAILED`;
    // pytest: `a.py::b FAILED [ 50%]`.
    if let Some((before, after)) = text.rsplit_once(" FAILED")
        && (after.is_empty() || after.trim_start().starts_with(['[', '(']))
    {
        let before = before.strip_prefix("test ").unwrap_or(before);
        return Some(before.trim_end_matches(['.', '-', ' '])).filter(|name| is_name(name));
    }
    // Rust: `---- tests::a stdout ----`.
    if let Some(rest) = text.strip_prefix("---- ")
        && let Some(name) = rest.strip_suffix(" stdout ----")
    {
        return Some(name);
    }
    let sign = BEFORE_NAME.split('|').find(|sign| text.starts_with(sign))?;
    let rest = &text[sign.len()..];
    let name = match sign {
        "FAILED " | "ERROR: test" => rest.split(" - ").next()?,
        // nextest: `FAIL [   0.010s] (1/2) crate tests::a`.
        "FAIL [" => rest.split_once("] ")?.1,
        // vitest: `FAIL  a.test.ts > adds`. A file name alone isn't a test.
        "FAIL  " => rest.contains(" > ").then_some(rest)?,
        // dotnet: `Failed Cart.Adds [12 ms]`.
        "Failed " => rest.ends_with("s]").then_some(rest)?,
        "rspec ./" => rest.split_once(" # ")?.1,
        _ => rest,
    };
    Some(without_duration(name.trim())).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    text.contains(char::is_alphabetic) && !begins_with_any(text, NO_NAMES)
}

/// The test's name without a duration such as `(0.01s)` or `12ms` at its end.
fn without_duration(name: &str) -> &str {
    let Some((before, last)) = name.rsplit_once(' ') else { return name };
    let last = last.trim_matches(['(', ')']);
    let is_duration = last.ends_with('s') && last.starts_with(|c: char| c.is_ascii_digit());
    if is_duration { before.trim_end() } else { name }
}

/// Parts of output lines that only summarize the errors of other lines.
const SUMMARIES: &str = "error: could not compile|error: aborting due to|error: test failed|error: doctest failed|\
                         error: recipe|error: script|error: command failed|error: process|error: task|exit code|\
                         exit status|coverage";
/// Beginnings of output lines that report an error.
const ERRORS: &str = "error: |error[|fatal error: |panic: |[error] ";

/// Whether an output line reports an error.
fn is_error(text: &str) -> bool {
    let lower: String = text.chars().take(48).flat_map(char::to_lowercase).collect();
    let (first, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let is_any = begins_with_any(&lower, ERRORS)
        || is_exception(first) && !rest.is_empty()
        || is_rule(first)
        || is_located(first, rest);
    is_any && !contains_any(&lower, SUMMARIES)
}

/// Whether a word is the name of an exception, such as `TypeError:` or
/// `java.lang.IllegalStateException:`.
fn is_exception(first: &str) -> bool {
    let name = first.strip_suffix(':').unwrap_or_default();
    (name.ends_with("Error") || name.ends_with("Exception"))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
}

/// Whether a word is the number of a linter's rule, such as `F401` of ruff.
fn is_rule(first: &str) -> bool {
    let digits = first.trim_start_matches(|c: char| c.is_ascii_uppercase());
    (1..=4).contains(&(first.len() - digits.len()))
        && (3..=4).contains(&digits.len())
        && is_number(digits)
}

/// Whether an output line is an error with its position, such as `a.go:1:2: undefined: x`, `a.py:1:
/// error: ...`, `a.ts(1,2): error TS1: ...`, `a.ts:1:2 - error TS1: ...`, or `12:5  error  'a' is
/// not defined` of eslint.
fn is_located(first: &str, rest: &str) -> bool {
    let Some((path, position)) = first.split_once([':', '(']) else { return false };
    let kind = rest.split_whitespace().next().unwrap_or_default();
    if is_number(path) && is_number(position) {
        return kind == "error";
    }
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_path =
        (1..=6).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    let kind = kind.trim_end_matches(':').to_lowercase();
    let is_less = kind.ends_with("warning") || matches!(kind.as_str(), "note" | "info" | "help");
    // In the output of `grep -n`, a line of source code has a tab or several spaces after the
    // position.
    let is_message = first.ends_with(':') && rest.starts_with(' ') && !rest.starts_with("  ");
    let is_error = !is_less && (is_message || rest.starts_with(" - error"));
    is_path && position.starts_with(|c: char| c.is_ascii_digit()) && is_error
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
