//! The text that a check printed: without colours, bounded, and whether it says that the check passed.

use std::borrow::Cow;

/// So many bytes are read at the beginning and at the end of an output.
const MAX_PART: usize = 32 * 1024;

/// The result of the whole run, as an output tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Passed,
    Failed,
}

/// The beginning and the end of an output, in whole lines, without escape sequences of terminals.
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
            // Parameters, then one letter that ends the sequence.
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

/// The verdict of an output; one failure outweighs every success.
pub(super) fn verdict(output: &str) -> Option<Verdict> {
    output.lines().filter_map(|line| verdict_of_line(line.trim())).max()
}

/// Beginnings of lines, separated by `|`.
const FAILED: &str = "FAIL|BUILD FAIL|[INFO] BUILD FAIL|error: |error[";
const PASSED: &str = "ok  \t|ok \t|OK|BUILD SUCCESS|[INFO] BUILD SUCCESS|All checks passed|Success: no issues|\
                      Finished |Passed!|test result: ok|No issues found";

fn verdict_of_line(line: &str) -> Option<Verdict> {
    let begins = |signs: &str| signs.split('|').any(|sign| line.starts_with(sign));
    if begins(FAILED) {
        return Some(Verdict::Failed);
    }
    let counted = counts(line).filter_map(|count| count.verdict()).max();
    counted.or_else(|| begins(PASSED).then_some(Verdict::Passed))
}

/// How many tests passed, over all summaries of an output.
pub(super) fn passed(output: &str) -> Option<u32> {
    let counts = output.lines().flat_map(counts).filter(|count| count.of == Verdict::Passed);
    counts.map(|count| count.number).reduce(u32::saturating_add)
}

/// A number of tests or errors in a summary.
struct Count {
    of: Verdict,
    number: u32,
}

impl Count {
    fn of_words(number: &str, word: &str) -> Option<Self> {
        let number: u32 = number.parse().ok()?;
        let is_one_of = |known: &[&str]| known.iter().any(|one| word.eq_ignore_ascii_case(one));
        let of = if is_one_of(&["passed", "passing", "pass"]) {
            Verdict::Passed
        } else if is_one_of(&[
            "failed", "failing", "failure", "failures", "fail", "error", "errors", "issues",
        ]) {
            Verdict::Failed
        } else {
            return None;
        };
        Some(Self { of, number })
    }

    fn verdict(&self) -> Option<Verdict> {
        match (self.of, self.number) {
            (Verdict::Failed, 1..) => Some(Verdict::Failed),
            (Verdict::Failed, 0) | (Verdict::Passed, 1..) => Some(Verdict::Passed),
            (Verdict::Passed, 0) => None,
        }
    }
}

/// The counts of a summary: `3 failed, 12 passed`, `Failures: 1`, `0 errors`.
fn counts(line: &str) -> impl Iterator<Item = Count> {
    line.split([',', ';', '|', '(']).flat_map(|phrase| {
        let words =
            phrase.split([' ', ':', '=', '.', '\t', ')']).filter(|word| !word.is_empty()).take(16);
        words.clone().zip(words.skip(1)).filter_map(|(first, second)| {
            Count::of_words(first, second).or_else(|| Count::of_words(second, first))
        })
    })
}
