//! Reads the output of a check: removes colours, limits the length, and decides whether the check
//! passed.

use std::borrow::Cow;

use crate::phrases::{begins_with_any, is_listed};

/// The maximum number of bytes that are read at the beginning and at the end of an output.
const MAX_PART: usize = 32 * 1024;

/// The result of a check according to one line of its output, or according to all lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Passed,
    Failed,
}

/// The beginning and the end of an output, in whole lines, without terminal escape sequences.
pub(super) fn cleaned(output: &str) -> Cow<'_, str> {
    let text = bounded(output);
    if !text.contains('\x1b') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\x1b' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            // The parameters of the escape sequence, then the one letter that ends it.
            chars.by_ref().find(|c| matches!(c, '\x40'..='\x7e') || *c == '\n');
        }
    }
    plain.into()
}

fn bounded(output: &str) -> Cow<'_, str> {
    if output.len() <= 2 * MAX_PART {
        return output.into();
    }
    let head = &output[..output.floor_char_boundary(MAX_PART)];
    let tail = &output[output.ceil_char_boundary(output.len() - MAX_PART)..];
    let head = head.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let tail = tail.split_once('\n').map_or("", |(_, lines)| lines);
    format!("{head}\n{tail}").into()
}

/// Beginnings of output lines that report a failure or a success.
const FAILED: &str = "FAIL|BUILD FAIL|[INFO] BUILD FAIL|error: |error[";
const PASSED: &str = "ok  \t|ok \t|OK|BUILD SUCCESS|[INFO] BUILD SUCCESS|All checks passed|Success: no issues|\
                      Finished |Passed!|test result: ok|No issues found";
/// Words next to a number in a test summary, such as `3 failed, 12 passed`.
const COUNTED_PASSED: &str = "passed|passing|pass";
const COUNTED_FAILED: &str = "failed|failing|failure|failures|fail|error|errors|issues";

/// The verdict of an output. A single failure outweighs every success. `None` if no line reports a
/// result.
pub(super) fn verdict(output: &str) -> Option<Verdict> {
    output.lines().filter_map(|line| verdict_of_line(line.trim())).max()
}

fn verdict_of_line(line: &str) -> Option<Verdict> {
    if begins_with_any(line, FAILED) {
        return Some(Verdict::Failed);
    }
    let counted = counts(line).filter_map(|count| match (count.of, count.number) {
        (Verdict::Failed, 1..) => Some(Verdict::Failed),
        (Verdict::Failed, 0) | (Verdict::Passed, 1..) => Some(Verdict::Passed),
        (Verdict::Passed, 0) => None,
    });
    counted.max().or_else(|| begins_with_any(line, PASSED).then_some(Verdict::Passed))
}

/// A number of tests or errors in a summary.
struct Count {
    of: Verdict,
    number: u32,
}

/// The counts in a summary such as `3 failed, 12 passed`, `Failures: 1` or `0 errors`.
fn counts(line: &str) -> impl Iterator<Item = Count> {
    line.split([',', ';', '|', '(']).flat_map(|phrase| {
        let words =
            phrase.split([' ', ':', '=', '.', '\t', ')']).filter(|word| !word.is_empty()).take(16);
        let pairs = words.clone().zip(words.skip(1));
        pairs.filter_map(|(first, second)| count(first, second).or_else(|| count(second, first)))
    })
}

fn count(number: &str, word: &str) -> Option<Count> {
    let number: u32 = number.parse().ok()?;
    let word = word.to_ascii_lowercase();
    let is_passed = is_listed(&word, COUNTED_PASSED);
    let of = if is_passed { Verdict::Passed } else { Verdict::Failed };
    (is_passed || is_listed(&word, COUNTED_FAILED)).then_some(Count { of, number })
}
