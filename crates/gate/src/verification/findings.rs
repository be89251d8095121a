//! Parses findings from the output of a check's program, with the file and the line where possible.
//!
//! The known forms are:
//!
//! ```text
//! src/a.py:3:5: E225 missing whitespace            most programs
//! src/a.ts(3,5): error TS2322: no such type         tsc
//! error[E0425]: cannot find value `x`               rustc, with the place on the next line
//!   --> src/a.rs:3:5
//! Diff in /home/dev/project/src/a.rs:8:             rustfmt
//! [warn] src/a.js                                   prettier
//! ```
//!
//! If the output has none of these forms, its last lines are the findings.

use super::reading::Written;
use super::verified::Issue;

/// The maximum number of findings that are kept.
const MAX_FINDINGS: usize = 50;
const MAX_LAST_LINES: usize = 8;
/// The maximum number of bytes of a line with a finding. A longer line is skipped.
const MAX_LINE_BYTES: usize = 2000;

/// The findings in the output of a check's program. `check` is the name of the check.
pub fn findings(check: &str, written: Written<'_>) -> Vec<Issue> {
    let issue = |found: Finding<'_>| Issue {
        check: check.to_owned(),
        path: found.path.map(str::to_owned),
        line: found.line,
        text: found.text.trim().to_owned(),
    };
    let mut found: Vec<Issue> = vec![];
    for text in [written.stdout, written.stderr] {
        for finding in placed(text).into_iter().map(issue) {
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    if found.is_empty() {
        // A program that uses standard error writes its errors there. Lines of make don't count,
        // because make only reports there that a command failed.
        let said =
            |text: &str| text.lines().any(|line| !line.trim().is_empty() && !is_of_make(line));
        let texts = if said(written.stderr) {
            ["", written.stderr]
        } else {
            [written.stdout, written.stderr]
        };
        found.extend(texts.into_iter().flat_map(last_lines).map(issue));
    }
    found.truncate(MAX_FINDINGS);
    found
}

/// The findings of a check whose program prints the path of a file that isn't formatted on each
/// line.
pub fn named_files(check: &str, stdout: &str) -> Vec<Issue> {
    let lines = stdout.lines().map(str::trim).filter(|line| !line.is_empty());
    let issues = lines.take(MAX_FINDINGS).map(|line| Issue {
        check: check.to_owned(),
        path: Some(line.to_owned()),
        line: None,
        text: "is not formatted".to_owned(),
    });
    issues.collect()
}

fn is_of_make(line: &str) -> bool {
    line.starts_with("make: ") || line.starts_with("make[")
}

struct Finding<'a> {
    path: Option<&'a str>,
    line: Option<u64>,
    text: &'a str,
}

fn placed(text: &str) -> Vec<Finding<'_>> {
    let mut found = vec![];
    let mut said = None;
    for line in text.lines().filter(|line| line.len() <= MAX_LINE_BYTES) {
        if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let place = read_place(place).zip(said.take());
            found.extend(place.map(|((path, line, _), text)| Finding {
                path: Some(path),
                line: Some(line),
                text,
            }));
        } else if line.starts_with("error") || line.starts_with("warning") {
            said = Some(line);
        } else if let Some(rest) = line.strip_prefix("Diff in ") {
            let place = read_place(rest.trim_end_matches(':'));
            found.extend(place.map(|(path, line, _)| Finding {
                path: Some(path),
                line: Some(line),
                text: "is not formatted",
            }));
        } else if let Some(path) = line.strip_prefix("[warn] ").filter(|path| is_path(path)) {
            found.push(Finding { path: Some(path), line: None, text: "is not formatted" });
        } else {
            let place = read_bracketed(line).or_else(|| read_place(line));
            found.extend(
                place.filter(|(_, _, text)| !text.is_empty()).map(|(path, line, text)| Finding {
                    path: Some(path),
                    line: Some(line),
                    text,
                }),
            );
        }
    }
    found
}

type Place<'a> = (&'a str, u64, &'a str);

/// Parses a position and its text: `src/a.py:3:5: text`. The column and the text are optional.
fn read_place(text: &str) -> Option<Place<'_>> {
    let (path, rest) = text.split_once(':').filter(|(path, _)| is_path(path))?;
    let (line, rest) = leading_number(rest)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let rest =
        leading_number(rest).map_or(rest, |(_, rest)| rest.strip_prefix(':').unwrap_or(rest));
    Some((path, line, rest.trim()))
}

/// Parses a position in brackets and its text: `src/a.ts(3,5): text`.
fn read_bracketed(text: &str) -> Option<Place<'_>> {
    let (path, rest) = text.split_once('(').filter(|(path, _)| is_path(path))?;
    let (line, rest) = leading_number(rest)?;
    let (_, text) = rest.split_once("): ")?;
    Some((path, line, text.trim()))
}

fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Whether a text looks like a path: one word with an extension, and no URL.
fn is_path(text: &str) -> bool {
    let has_kind = text.rsplit_once('.').is_some_and(|(name, kind)| {
        !name.is_empty()
            && !kind.is_empty()
            && kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_word = !text.contains([' ', '\t', '"', '\'', '=', '(', '<', '>']);
    is_word && has_kind && !text.contains("//")
}

fn last_lines(text: &str) -> Vec<Finding<'_>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && line.len() <= MAX_LINE_BYTES);
    let mut last: Vec<_> = lines.rev().take(MAX_LAST_LINES).collect();
    last.reverse();
    last.into_iter().map(|text| Finding { path: None, line: None, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stdout: &str, stderr: &str, expected: &[&str]) {
        let found = findings("lint", Written { stdout, stderr });
        let lines: Vec<_> = found.iter().map(Issue::line).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn forms_that_name_a_place_are_read() {
        check(
            "src/a.py:3:5: E225 missing\nFound 1 error.\n",
            "",
            &["src/a.py:3: E225 missing (lint)"],
        );
        check("a.py:3: error: no type\n", "", &["a.py:3: error: no type (lint)"]);
        check("src/a.ts(3,5): error TS1: no\n", "", &["src/a.ts:3: error TS1: no (lint)"]);
        check("", "# pkg\n./a.go:7:2: unused\n", &["./a.go:7: unused (lint)"]);
        check("Diff in /p/src/a.rs:8:\n-x\n+y\n", "", &["/p/src/a.rs:8: is not formatted (lint)"]);
        let prettier = "Checking formatting...\n[warn] src/a.js\n[warn] Code style issues found.\n";
        check(prettier, "", &["src/a.js: is not formatted (lint)"]);
    }

    #[test]
    fn an_error_of_the_compiler_has_its_place_below_it() {
        let stderr = "    Checking sample v0.1.0\nerror[E0425]: cannot find value `x`\n --> src/a.rs:4:5\n  \
            |\n4 |     x\n  |     ^ not found\n\nwarning: unused\n   --> src/a.rs:9:1\n\nerror: could not \
            compile `sample` (lib) due to 1 previous error\n";
        let expected = [
            "src/a.rs:4: error[E0425]: cannot find value `x` (lint)",
            "src/a.rs:9: warning: unused (lint)",
        ];
        check("", stderr, &expected);
    }

    #[test]
    fn without_a_place_the_last_lines_speak() {
        let make = "make: *** [Makefile:2: test] Error 1";
        let expected =
            ["FAIL total: expected 3, got 1 (lint)", "make: *** [Makefile:2: test] Error 1 (lint)"];
        check("FAIL total: expected 3, got 1\n", make, &expected);
        check(
            "all is well\n",
            "make: *** [lint] Error 1\n\n",
            &["all is well (lint)", "make: *** [lint] Error 1 (lint)"],
        );
        let many = (0..20).map(|number| format!("line {number}")).collect::<Vec<_>>().join("\n");
        let expected: Vec<_> = (12..20).map(|number| format!("line {number} (lint)")).collect();
        check(&many, " \n", &expected.iter().map(String::as_str).collect::<Vec<_>>());
        check("", "", &[]);
        check(
            "at https://x.y:80: no\nnote: 12:30:15: late\n",
            "",
            &["at https://x.y:80: no (lint)", "note: 12:30:15: late (lint)"],
        );
    }

    #[test]
    fn files_that_are_listed_are_not_formatted() {
        let lines: Vec<_> =
            named_files("format", "a.go\n\n b/c.go\n").iter().map(Issue::line).collect();
        assert_eq!(lines, ["a.go: is not formatted (format)", "b/c.go: is not formatted (format)"]);
    }
}
