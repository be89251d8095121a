//! What ties a key to its value: `=`, `:`, `=>`, an argument, an element, a pair of fields.

use std::ops::Range;

use crate::symbol::{Symbol, symbols};

/// Blanks that may stand on either side of the sign, as in aligned settings.
const MOST_BLANKS: usize = 32;
/// Symbols between a name and the field `value` that goes with it.
const WIDEST_PAIR: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where the value starts, its opening quote included.
    pub value: usize,
    pub style: Style,
    pub key: KeyQuoting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `key=value`
    Assigned,
    /// `key: value`, `key = value`
    Spaced,
    /// `"key", "value"`
    Argument,
    /// `<key>value</key>`
    Element,
    /// `name: key` and then `value: value`
    Pair,
    /// `key value`
    Adjacent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyQuoting {
    Quoted,
    Bare,
}

/// Whether the sign after a word can start a link; most cannot.
pub(crate) fn may_follow(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None | Some(b'(' | b')' | b'.' | b';' | b'/' | b'{' | b'}' | b'<' | b'[') => false,
        Some(_) => true,
    }
}

/// The link after the key, if there is one.
pub(crate) fn after(bytes: &[u8], key: &Range<usize>) -> Option<Link> {
    let mut at = key.end;
    let mut quoting = KeyQuoting::Bare;
    let mut symbol = Symbol::at(bytes, at)?;
    if symbol.is_quote() {
        quoting = KeyQuoting::Quoted;
        at = symbol.end;
        if bytes.get(at) == Some(&b']') {
            at += 1;
        }
    }
    let sign = skip_blanks(bytes, at);
    symbol = Symbol::at(bytes, sign)?;
    let next = Symbol::at(bytes, symbol.end).map(|next| (next.byte, next.end));
    let (style, end) = match (symbol.byte, next) {
        (b'=', Some((b'=' | b'~', _))) | (b':', Some((b':', _))) => return None,
        (b'=', Some((b'>', end))) | (b':', Some((b'=', end))) => (Style::Spaced, end),
        (b'=' | b':', _) => {
            let is_tight = sign == at && skip_blanks(bytes, symbol.end) == symbol.end;
            (if is_tight { Style::Assigned } else { Style::Spaced }, symbol.end)
        }
        (b'>', _) if opens_element(bytes, key.start) => (Style::Element, symbol.end),
        (b'|', _) => (Style::Adjacent, symbol.end),
        _ => {
            if let Some(value) = paired_value(bytes, key.end) {
                return Some(Link { value, style: Style::Pair, key: quoting });
            }
            match symbol.byte {
                b',' if quoting == KeyQuoting::Quoted => (Style::Argument, symbol.end),
                _ if sign > at => (Style::Adjacent, after_verb(bytes, sign)),
                _ => return None,
            }
        }
    };
    Some(Link { value: skip_blanks(bytes, end), style, key: quoting })
}

/// In `the password is …`: past the verb.
fn after_verb(bytes: &[u8], at: usize) -> usize {
    let verbs: [&[u8]; 3] = [b"is ", b"is: ", b"was "];
    let verb = verbs.iter().find(|verb| bytes[at..].starts_with(verb));
    verb.map_or(at, |verb| at + verb.len())
}

pub(crate) fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    for (_, symbol) in symbols(bytes, at).take(MOST_BLANKS) {
        if !symbol.is_space() {
            break;
        }
        end = symbol.end;
    }
    end
}

fn opens_element(bytes: &[u8], key: usize) -> bool {
    [&b"<"[..], b"003c", b"003C", b"%3C", b"&lt;"].iter().any(|sign| bytes[..key].ends_with(sign))
}

/// The value in `"name": "KEY", "value": "…"` and its like, from the end of the key on.
fn paired_value(bytes: &[u8], key_end: usize) -> Option<usize> {
    let mut at = key_end;
    for (start, symbol) in symbols(bytes, key_end).take(WIDEST_PAIR) {
        let is_between =
            symbol.is_quote() || symbol.is_space() || symbol.is_line_break() || symbol.byte == b',';
        if !is_between {
            at = start;
            break;
        }
    }
    let word = bytes.get(at..at + b"value".len())?;
    if !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    at += word.len();
    if let Some(quote) = Symbol::at(bytes, at).filter(|symbol| symbol.is_quote()) {
        at = quote.end;
    }
    let sign = Symbol::at(bytes, skip_blanks(bytes, at))?;
    matches!(sign.byte, b':' | b'=').then(|| skip_blanks(bytes, sign.end))
}
