//! Finds PEM blocks of private keys: complete, cut off, or distributed over array elements or diff
//! lines.
//!
//! Only the base64 runs of the body are replaced. The text between the runs stays: line breaks,
//! quotes, commas, prefixes of diffs, and line numbers.

use std::ops::Range;

use crate::finding::SecretKind;
use crate::marker;
use crate::scan::Findings;
use crate::symbol::{Spelling, Symbol, symbols};
use crate::value::{is_literal_word, is_number};

const LONGEST_LABEL: usize = 48;
const RULE: &[u8] = b"-----";
/// The start of a PEM block. A word that comes before the block without a space ends with this
/// text.
pub(crate) const BEGIN: &[u8] = b"-----BEGIN";
const END: &[u8] = b"-----END";
/// The start of a line of the body that was already replaced.
const REPLACED: &[u8] = b"[redacted:private-key:";
/// The minimum length of a base64 run that is part of the body. The run must have capitals, small
/// letters and digits.
const LONG_RUN: usize = 16;
/// The minimum length of a base64 run that is part of the body if it follows a long run. The run
/// must have capitals, small letters and digits too.
const SHORT_RUN: usize = 8;
/// The maximum number of signs, without spaces, between two lines of the body.
const WIDEST_GAP: usize = 7;
/// Names of headers before the body. An encrypted block names its cipher there.
const HEADERS: [&[u8]; 4] = [b"Proc", b"DEK", b"Version", b"Comment"];
const WIDEST_HEADERS: usize = 120;
/// The maximum number of symbols, including spaces, between the last line of the body and the end
/// line of the block.
const WIDEST_END_GAP: usize = 32;
const SHORTEST_TIME: usize = 19;
const LONGEST_TIME: usize = 40;
/// The maximum length of a file name that `grep` prints before each line.
const LONGEST_FILE_NAME: usize = 160;

/// The start of the body, if the dashes that end at `at` begin the block of a private key.
pub(crate) fn opening(bytes: &[u8], at: usize, dashes: usize) -> Option<usize> {
    let label = bytes[at..].strip_prefix(b"BEGIN ")?;
    if dashes < RULE.len() {
        return None;
    }
    let label = &label[..label.len().min(LONGEST_LABEL)];
    let length = memchr::memmem::find(label, RULE)?;
    let is_private = label[..length].ends_with(b"PRIVATE KEY")
        || label[..length].ends_with(b"PRIVATE KEY BLOCK");
    is_private.then_some(at + b"BEGIN ".len() + length + RULE.len())
}

/// The start of the dashes of a block, if the block follows other text without a space, as in
/// `key-----BEGIN`.
pub(crate) fn before_rule(bytes: &[u8], word: &Range<usize>) -> Option<usize> {
    if !bytes[word.clone()].ends_with(BEGIN) {
        return None;
    }
    let text = &bytes[word.start..word.end - b"BEGIN".len()];
    let dashes = text.iter().rev().take_while(|byte| **byte == b'-').count();
    Some(word.start + text.len() - dashes)
}

/// The file name that `grep` prints before each line of a block. `at` is the position of the
/// opening dashes.
fn file_name(bytes: &[u8], at: usize) -> &[u8] {
    let window = &bytes[at.saturating_sub(LONGEST_FILE_NAME)..at];
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_./:+@~".contains(byte);
    let length = window.iter().rev().take_while(is_name).count();
    let name = &window[window.len() - length..];
    // The `n` of an escaped line break isn't part of the file name.
    let is_escaped = window[..window.len() - length].ends_with(b"\\");
    let name = if is_escaped { name.get(1..).unwrap_or_default() } else { name };
    let end = name.iter().rposition(|byte| !byte.is_ascii_digit() && !b"-:".contains(byte));
    &name[..end.map_or(0, |last| last + 1)]
}

/// Adds the base64 runs of the body that starts at `start`. Returns the position where the scan
/// continues.
///
/// `opening` is the start of the block.
pub(crate) fn body(findings: &mut Findings<'_>, opening: usize, start: usize) -> usize {
    let bytes = findings.bytes;
    let name = file_name(bytes, opening);
    let mut at = start;
    let mut done = start;
    let mut gap = 0;
    let mut allowed_gap = WIDEST_GAP;
    while let Some(symbol) = Symbol::at(bytes, at) {
        if bytes[at..].starts_with(RULE) {
            break;
        }
        if let Some(end) = marker::end(bytes, at) {
            if !bytes[at..end].starts_with(REPLACED) {
                break;
            }
            (at, done, gap) = (end, end, 0);
            continue;
        }
        if symbol.spelling != Spelling::Plain || !is_base64(symbol.byte) {
            gap += usize::from(!symbol.is_space() && !symbol.is_line_break());
            at = if symbol.is_line_break() {
                after_label(bytes, symbol.end, name)
            } else {
                symbol.end
            };
        } else {
            let run = base64_run(bytes, at);
            let text = &bytes[run.clone()];
            at = run.end;
            if is_body_line(text, done > start) || (done > start && is_last_line(bytes, &run, name))
            {
                done = findings.push(run, SecretKind::PrivateKey);
                (gap, allowed_gap) = (0, WIDEST_GAP);
                continue;
            }
            if HEADERS.iter().any(|header| text.starts_with(header)) {
                allowed_gap = WIDEST_HEADERS;
            }
            gap += text.len();
        }
        if gap > allowed_gap {
            break;
        }
    }
    done
}

/// Whether the base64 run is the last line of the body. The last line may be short and have only
/// one kind of letter, but the end of the block must follow it.
fn is_last_line(bytes: &[u8], run: &Range<usize>, name: &[u8]) -> bool {
    let text = &bytes[run.clone()];
    let line_break = symbols(bytes, run.end).take(2).find(|(_, symbol)| symbol.is_line_break());
    let gap = line_break.map_or(run.end, |(_, symbol)| after_label(bytes, symbol.end, name));
    let is_followed_by_end = symbols(bytes, gap)
        .take(WIDEST_END_GAP)
        .take_while(|(_, symbol)| !symbol.byte.is_ascii_alphabetic())
        .any(|(at, _)| bytes[at..].starts_with(END));
    is_followed_by_end && !is_number(text) && !is_literal_word(text)
}

/// The position after the file name or the time at the beginning of a line.
fn after_label(bytes: &[u8], line: usize, name: &[u8]) -> usize {
    if !name.is_empty() && bytes[line..].starts_with(name) {
        line + name.len()
    } else {
        after_time(bytes, line)
    }
}

/// The position after the time that a log puts before a line, such as `2024-03-16T05:52:47.420Z `.
fn after_time(bytes: &[u8], line: usize) -> usize {
    let rest = &bytes[line..bytes.len().min(line + LONGEST_TIME)];
    let length =
        rest.iter().take_while(|byte| byte.is_ascii_digit() || b"-:.,+TZ".contains(byte)).count();
    let has_date = length >= SHORTEST_TIME && rest[4] == b'-' && rest[7] == b'-';
    if has_date && rest.get(length) == Some(&b' ') { line + length } else { line }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The base64 run that starts at `at`, without the `+` that a diff puts before an added line.
fn base64_run(bytes: &[u8], at: usize) -> Range<usize> {
    let length = bytes[at..].iter().take_while(|byte| is_base64(**byte)).count();
    let signs = bytes[at..at + length].iter().take_while(|byte| **byte == b'+').count();
    let start = if signs == 1 && length > 1 { at + 1 } else { at };
    start..at + length
}

fn is_body_line(text: &[u8], follows_body: bool) -> bool {
    let least = if follows_body { SHORT_RUN } else { LONG_RUN };
    let has = |class: fn(&u8) -> bool| text.iter().any(class);
    text.len() >= least
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(|byte| !byte.is_ascii_alphabetic())
}
