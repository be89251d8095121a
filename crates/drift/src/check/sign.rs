//! Lines of an output that name a failing test or an error.

/// So many bytes of a line are compared.
const MAX_LINE: usize = 400;

/// One line's part in a failure.
pub(super) enum Sign<'a> {
    /// A failing test.
    Test(String),
    /// An error.
    Error(String),
    /// The file in which the error before is.
    Location(&'a str),
}

/// Reads an output line by line.
#[derive(Debug, Default)]
pub(super) struct SignReader {
    /// After a heading such as `Failures:`: tests stand behind numbers.
    in_numbered: bool,
    before: Before,
}

/// The kind of the line before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    /// `failures:` of Rust's test harness: names of tests follow, indented by four blanks.
    Names,
    /// `thread 'a' panicked at`: the message follows.
    Panic,
    /// An error: the file in which it is may follow.
    Error,
}

impl SignReader {
    pub(super) fn read<'a>(&mut self, line: &'a str) -> Option<Sign<'a>> {
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
            return Some(Sign::Test(text.to_owned()));
        }
        self.in_numbered |= is_heading(text);
        if let Some(name) = test_name(text).or_else(|| self.numbered(text)) {
            return Some(Sign::Test(name.to_owned()));
        }
        if let Some(path) = text.strip_prefix("--> ") {
            return (before == Before::Error).then_some(Sign::Location(path));
        }
        if text.starts_with("thread '") && text.contains(" panicked at ") {
            self.before = Before::Panic;
            return None;
        }
        let error = text.strip_prefix("E  ").unwrap_or(text).trim_start();
        let is_compared = text.starts_with("left: ") || text.starts_with("right: ");
        if before != Before::Panic && !is_compared && !is_error(error) {
            return None;
        }
        self.before = Before::Error;
        Some(Sign::Error(error[..error.floor_char_boundary(MAX_LINE)].to_owned()))
    }

    /// `1) Cart adds an item`, after a heading.
    fn numbered<'a>(&self, text: &'a str) -> Option<&'a str> {
        let (number, name) = text.split_once(") ")?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let is_test = self.in_numbered || name.starts_with("test ") || name.starts_with('[');
        (is_number && is_test).then(|| name.trim_end_matches(['─', '━', ' ']))
    }
}

/// A heading of rspec, mocha or `PHPUnit`.
fn is_heading(text: &str) -> bool {
    let is_count = || {
        text.strip_suffix(" failing").is_some_and(|count| count.bytes().all(|b| b.is_ascii_digit()))
    };
    text == "Failures:"
        || text.starts_with("There was 1 ")
        || text.starts_with("There were ")
        || is_count()
}

/// Beginnings of lines behind which the name of a failing test stands, separated by `|`.
const BEFORE_NAME: &str = "--- FAIL: |FAILED |FAIL: |ERROR: test|✕ |✗ |✖ |× |✘ |● |(fail) |not ok |FAIL [|FAIL  |\
                           [  FAILED  ] |Failed |rspec ./";

/// The name of the test that a line says has failed.
fn test_name(text: &str) -> Option<&str> {
    // Rust and Deno: `test a ... FAILED`, `a --- FAILED`; Gradle: `CartTest > adds() FAILED`;
    // pytest: `a.py::b FAILED [ 50%]`.
    if let Some((before, after)) = text.rsplit_once(" FAILED")
        && (after.is_empty() || after.trim_start().starts_with(['[', '(']))
    {
        let before = before.strip_prefix("test ").unwrap_or(before);
        let name = before.trim_end_matches(['.', '-', ' ']);
        return is_name(name).then_some(name);
    }
    // Rust: `---- tests::a stdout ----`.
    if let Some(name) =
        text.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
    {
        return Some(name);
    }
    let (sign, rest) =
        BEFORE_NAME.split('|').find_map(|sign| Some((sign, text.strip_prefix(sign)?)))?;
    let name = match sign {
        "FAILED " | "ERROR: test" => rest.split(" - ").next()?,
        // nextest: `FAIL [   0.010s] (1/2) crate tests::a`
        "FAIL [" => rest.split_once("] ")?.1,
        // vitest: `FAIL  a.test.ts > adds`; a file alone is no test.
        "FAIL  " => rest.contains(" > ").then_some(rest)?,
        // dotnet: `Failed Cart.Adds [12 ms]`
        "Failed " => rest.ends_with("s]").then_some(rest)?,
        "rspec ./" => rest.split_once(" # ")?.1,
        _ => rest,
    };
    let name = without_duration(name.trim());
    is_name(name).then_some(name)
}

/// Whether a text can be the name of a test. Runners print others in the same place.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.contains(char::is_alphabetic)
        && !text.starts_with("(failures=")
        && !text.starts_with("(errors=")
        && text != "Test suite failed to run"
        && !text.starts_with("> Task ")
}

/// The name before `(0.01s)` or `12ms`.
fn without_duration(name: &str) -> &str {
    let Some((before, last)) = name.rsplit_once(' ') else { return name };
    let last = last.trim_start_matches('(').trim_end_matches(')');
    let is_duration = last.ends_with('s') && last.starts_with(|c: char| c.is_ascii_digit());
    if is_duration { before.trim_end() } else { name }
}

/// Parts of lines that sum up errors that other lines name, separated by `|`.
const SUMMARIES: &str = "error: could not compile|error: aborting due to|error: test failed|error: doctest failed|\
                         error: recipe|error: script|error: command failed|error: process|error: task|exit code|\
                         exit status|coverage";
/// Beginnings of errors.
const ERRORS: &str = "error: |error[|fatal error: |panic: |[error] ";

/// Whether a line is an error.
fn is_error(text: &str) -> bool {
    let lower: String = text.chars().take(48).flat_map(char::to_lowercase).collect();
    if SUMMARIES.split('|').any(|summary| lower.contains(summary)) {
        return false;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    ERRORS.split('|').any(|start| lower.starts_with(start))
        || is_exception(first) && first != text
        || is_rule(first)
        || is_located(text, first)
        || is_eslint(text)
}

/// `TypeError:`, `java.lang.IllegalStateException:`
fn is_exception(first: &str) -> bool {
    let name = first.strip_suffix(':').unwrap_or_default();
    (name.ends_with("Error") || name.ends_with("Exception"))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
}

/// `F401` of ruff.
fn is_rule(first: &str) -> bool {
    let digits = first.trim_start_matches(|c: char| c.is_ascii_uppercase());
    (1..=4).contains(&(first.len() - digits.len()))
        && (3..=4).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `a.go:1:2: undefined: x`, `a.py:1: error: ...`, `a.ts(1,2): error TS1: ...`, `a.ts:1:2 - error TS1: ...`
fn is_located(text: &str, first: &str) -> bool {
    let is_path = |path: &str| {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        (1..=6).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let at = first.find([':', '(']);
    let has_position = at.is_some_and(|at| is_path(&first[..at]) && is_number(&first[at + 1..]));
    let rest = &text[first.len()..];
    let kind =
        rest.split_whitespace().next().unwrap_or_default().trim_end_matches(':').to_lowercase();
    let is_less = kind.ends_with("warning") || matches!(kind.as_str(), "note" | "info" | "help");
    // Lines of files as `grep -n` prints them have a tab or several blanks here.
    let is_message = first.ends_with(':') && rest.starts_with(' ') && !rest.starts_with("  ");
    has_position && !is_less && (is_message || rest.starts_with(" - error"))
}

/// `12:5  error  'a' is not defined  no-undef`
fn is_eslint(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_position = |word: &str| {
        word.split_once(':').is_some_and(|(line, column)| {
            [line, column].iter().all(|part| part.parse::<u32>().is_ok())
        })
    };
    words.next().is_some_and(is_position) && words.next() == Some("error")
}
