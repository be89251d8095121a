//! Scans a text for secrets: passes each word, and the signs between words, to the recognizers.

use std::ops::Range;

use crate::finding::{Finding, SecretKind};
use crate::symbol::{Symbol, Word, is_word, pieces, word_end};
use crate::{jwt, key_value, marker, pem, program, provider, reviewer_token, url};

/// The minimum length of a token with a known prefix. Nearly every word is shorter than this.
const SHORTEST_TOKEN: usize = 15;

/// Finds the secrets of `text`, sorted and without overlaps. `extra_names` are additional names of
/// keys whose values are secret.
pub fn find(text: &str, extra_names: &[String]) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let mut findings = Findings { bytes, found: Vec::new() };
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'-' => dashes(&mut findings, at),
            _ if is_word(byte) => word(&mut findings, extra_names, at),
            b':' => colon(&mut findings, at),
            b'[' => marker::end(bytes, at).unwrap_or(at + 1),
            b'%' => percent(&mut findings, at),
            b'\\' | 0x1b => Symbol::at(bytes, at).map_or(at + 1, |symbol| symbol.end),
            _ => at + 1,
        };
    }
    reviewer_token::add(bytes, findings.found)
}

/// The findings of the scan so far, sorted.
pub(crate) struct Findings<'a> {
    pub bytes: &'a [u8],
    found: Vec<Finding>,
}

impl Findings<'_> {
    /// Adds a secret and returns the position where the scan continues. Escape sequences in the
    /// range aren't part of the finding.
    ///
    /// A token with a known prefix keeps its own kind in any context.
    pub(crate) fn push(&mut self, range: Range<usize>, kind: SecretKind) -> usize {
        let end = range.end;
        let kind = token(self.bytes, range.start..word_end(self.bytes, range.start))
            .filter(|(token_end, _)| *token_end == end)
            .map_or(kind, |(_, own)| own);
        let cut = pieces(self.bytes, range);
        self.found.extend(cut.into_iter().map(|range| Finding { range, kind }));
        end
    }
}

fn word(findings: &mut Findings<'_>, extra_names: &[String], start: usize) -> usize {
    let bytes = findings.bytes;
    let word = Word::at(bytes, start);
    let end = word.range.end;
    match token(bytes, start..end) {
        Some((token_end, kind)) => findings.push(start..token_end, kind),
        None => key_value::value(findings, extra_names, &word).unwrap_or(end),
    }
}

/// The end and the kind of the token at the beginning of the word. `None` if the word doesn't begin
/// with a token that is a secret in any context.
#[inline]
pub(crate) fn token(bytes: &[u8], word: Range<usize>) -> Option<(usize, SecretKind)> {
    if word.len() < SHORTEST_TOKEN {
        return None;
    }
    long_token(bytes, word)
}

/// Cold path: few words are long, so this isn't inlined into the loop over all words.
#[inline(never)]
fn long_token(bytes: &[u8], word: Range<usize>) -> Option<(usize, SecretKind)> {
    provider::token(bytes, word.clone())
        .or_else(|| jwt::token(bytes, word).map(|end| (end, SecretKind::Jwt)))
}

fn colon(findings: &mut Findings<'_>, at: usize) -> usize {
    url::user_information(findings, at).or_else(|| program::pgpass(findings, at)).unwrap_or(at + 1)
}

fn dashes(findings: &mut Findings<'_>, at: usize) -> usize {
    let run = findings.bytes[at..].iter().take_while(|byte| **byte == b'-').count();
    let end = at + run;
    match run {
        1 if program::may_be_short(findings.bytes, at) => {
            program::short_option(findings, at).unwrap_or(end)
        }
        1 => end,
        2 => program::long_option(findings, end).unwrap_or(end),
        _ => {
            pem::opening(findings.bytes, end, run).map_or(end, |body| pem::body(findings, at, body))
        }
    }
}

fn percent(findings: &mut Findings<'_>, at: usize) -> usize {
    let Some(symbol) = Symbol::at(findings.bytes, at) else { return at + 1 };
    let url_end = if symbol.byte == b':' { url::user_information(findings, at) } else { None };
    url_end.unwrap_or(symbol.end)
}
