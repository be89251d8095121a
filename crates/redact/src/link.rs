//! Finds the link between a key and its value: `=`, `:`, `=>`, an argument, an element, or a pair
//! of fields.

use std::ops::Range;

use crate::symbol::{Symbol, symbols};

/// The maximum number of spaces on either side of the sign, as in aligned settings.
const MOST_BLANKS: usize = 32;
/// The maximum number of symbols between a name and the field `value`.
const WIDEST_PAIR: usize = 40;
/// The maximum length of a block in braces between a variable's name and its default value.
const WIDEST_BLOCK: usize = 160;
const LONGEST_PURPOSE: usize = 32;
const KEY_END: &[u8] = b"</key>";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The position of the value, or of its opening quote.
    pub value: usize,
    pub style: Style,
    pub key: KeyQuoting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The style of settings and shell: `key=value`.
    Assigned,
    /// The style of source code and documents: `key: value`, `key = value`.
    Spaced,
    /// The key and the value are arguments of a call: `"key", "value"`.
    Argument,
    /// The value is the content of an element: `<key>value</key>`.
    Element,
    /// The key and the value are in two fields: `name: key` and then `value: value`.
    Pair,
    /// The key and the value are in two cells of a table: `| key | value |`.
    Cell,
    /// Only blanks are between the key and the value: `key value`.
    Adjacent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyQuoting {
    Quoted,
    Bare,
}

/// A quick check whether the sign after a word can begin a link. Most signs can't.
#[inline]
pub(crate) fn may_follow(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None | Some(b')' | b'.' | b';' | b'/' | b'{' | b'}' | b'[') => false,
        Some(b'(') => matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'`' | b'\\')),
        Some(b'<') => bytes[at..].starts_with(KEY_END),
        Some(_) => true,
    }
}

/// The link from the key to its value. `None` if no value is linked.
pub(crate) fn after(bytes: &[u8], key: &Range<usize>) -> Option<Link> {
    let (at, quoting) = after_key(bytes, key);
    let sign = skip_blanks(bytes, at);
    let symbol = Symbol::at(bytes, sign)?;
    let next = Symbol::at(bytes, symbol.end).map(|next| (next.byte, next.end));
    let (style, end) = match (symbol.byte, next) {
        (b'=', Some((b'=' | b'~', _))) | (b':', Some((b':', _))) => return None,
        (b'=', Some((b'>', end))) | (b':' | b'?' | b'+', Some((b'=', end))) => (Style::Spaced, end),
        (b'=' | b':', _) => {
            let is_tight = sign == at && skip_blanks(bytes, symbol.end) == symbol.end;
            (if is_tight { Style::Assigned } else { Style::Spaced }, symbol.end)
        }
        (b'|', Some((b'|', end))) | (b'?', Some((b'?', end))) => fallback(bytes, end)?,
        (b'>', _) if opens_element(bytes, key.start) => (Style::Element, symbol.end),
        (b'>', _) if quoting == KeyQuoting::Quoted && is_attribute(bytes, key.start) => {
            (Style::Element, symbol.end)
        }
        (b'<', _) => (Style::Element, after_markup(bytes, sign)?),
        (b'|', _) => (Style::Cell, symbol.end),
        (b'{', _) => (Style::Spaced, after_braces(bytes, sign, quoting)?),
        _ => {
            if let Some(value) = paired_value(bytes, key.end) {
                return Some(Link { value, style: Style::Pair, key: quoting });
            }
            match symbol.byte {
                b',' if quoting == KeyQuoting::Quoted => (Style::Argument, symbol.end),
                b',' => (Style::Argument, quoted_argument(bytes, key, symbol.end)?),
                _ if sign > at => after_blank(bytes, sign),
                _ => return None,
            }
        }
    };
    let value = skip_blanks(bytes, past_emphasis(bytes, end));
    Some(Link { value, style, key: quoting })
}

/// The position after the quote, the bracket (`env["KEY"]`, `[key] =>`) or the emphasis that closes
/// the key.
fn after_key(bytes: &[u8], key: &Range<usize>) -> (usize, KeyQuoting) {
    let is_bracket = |at| bytes.get(at) == Some(&b']');
    match Symbol::at(bytes, key.end) {
        Some(quote) if quote.is_quote() => {
            let end = past_emphasis(bytes, quote.end);
            (if is_bracket(end) { end + 1 } else { end }, KeyQuoting::Quoted)
        }
        _ if is_bracket(key.end) && bytes[key.end..].starts_with(b"] =>") => {
            (key.end + 1, KeyQuoting::Bare)
        }
        _ => (past_emphasis(bytes, key.end), KeyQuoting::Bare),
    }
}

/// The position after the stars in `**key**: value`.
fn past_emphasis(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"**")) { at + 2 } else { at }
}

/// The link to a fallback value in `env.KEY || "…"` and `KEY ||= "…"`. `sign_end` is the end of the
/// sign.
fn fallback(bytes: &[u8], sign_end: usize) -> Option<(Style, usize)> {
    if bytes.get(sign_end) == Some(&b'=') {
        return Some((Style::Spaced, sign_end + 1));
    }
    let value = skip_blanks(bytes, sign_end);
    let is_quoted = Symbol::at(bytes, value).is_some_and(Symbol::is_quote);
    is_quoted.then_some((Style::Spaced, value))
}

/// The position of the literal after a constant: `header(AUTHORIZATION, "…")`. `None` if the
/// constant is an item of a list of names.
fn quoted_argument(bytes: &[u8], key: &Range<usize>, comma_end: usize) -> Option<usize> {
    let value = skip_blanks(bytes, comma_end);
    let is_constant = !bytes[key.clone()].iter().any(u8::is_ascii_lowercase);
    let is_quoted = Symbol::at(bytes, value).is_some_and(Symbol::is_quote);
    (is_constant && is_quoted).then_some(value)
}

/// The position after the element that opens the value in `<key>Name</key><string>…`, or after the
/// signs in `NAME <<< "…"`.
fn after_markup(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at..].starts_with(b"<<<") {
        return Some(at + 3);
    }
    let rest = bytes[at..].strip_prefix(KEY_END)?;
    let gap = symbols(bytes, bytes.len() - rest.len())
        .take(WIDEST_PAIR)
        .find(|(_, symbol)| !symbol.is_space() && !symbol.is_line_break());
    let (start, _) = gap?;
    bytes[start..].starts_with(b"<string>").then_some(start + b"<string>".len())
}

/// The position after the sign in `Name { get; set; } = "…"` and
/// `variable "name" { default = "…" }`.
fn after_braces(bytes: &[u8], at: usize, quoting: KeyQuoting) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + WIDEST_BLOCK)];
    let sign = match quoting {
        KeyQuoting::Bare if rest.starts_with(b"{ get;") => {
            let close = memchr::memchr(b'}', rest)?;
            skip_blanks(bytes, at + close + 1)
        }
        KeyQuoting::Quoted => {
            let block = &rest[..memchr::memchr(b'}', rest).unwrap_or(rest.len())];
            let default = memchr::memmem::find(block, b"default")?;
            skip_blanks(bytes, at + default + b"default".len())
        }
        KeyQuoting::Bare => return None,
    };
    (bytes.get(sign) == Some(&b'=')).then_some(sign + 1)
}

/// The style and the position of the value after a space, as in `the password is …`, `password for
/// staging is "…"` and `var token string = …`.
fn after_blank(bytes: &[u8], at: usize) -> (Style, usize) {
    const VERBS: [&[u8]; 4] = [b"is ", b"is: ", b"was ", b"BY "];
    const TYPES: [&[u8]; 3] = [b"string = ", b"String = ", b"*string = "];
    let rest = &bytes[at..];
    if let Some(skipped) = TYPES.iter().find(|text| rest.starts_with(text)) {
        return (Style::Spaced, at + skipped.len());
    }
    if rest.starts_with(b"-Value ") {
        return (Style::Pair, at + b"-Value ".len());
    }
    let start = at + purpose(rest);
    let verb = VERBS.iter().find(|verb| bytes[start..].starts_with(verb));
    let Some(verb) = verb else { return (Style::Adjacent, at) };
    let end = skip_blanks(bytes, start + verb.len());
    let is_quoted = Symbol::at(bytes, end).is_some_and(Symbol::is_quote);
    (if is_quoted { Style::Spaced } else { Style::Adjacent }, end)
}

/// The length of a purpose such as `for staging ` at the start of the text.
fn purpose(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"for ") else { return 0 };
    let length = rest
        .iter()
        .take(LONGEST_PURPOSE)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
        .count();
    if rest.get(length) == Some(&b' ') { b"for ".len() + length + 1 } else { 0 }
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

/// Whether the key is the value of an attribute that names an element: `<string name="key">`.
fn is_attribute(bytes: &[u8], key: usize) -> bool {
    const ATTRIBUTES: [&[u8]; 4] = [b"name=\"", b"key=\"", b"name=\\\"", b"key=\\\""];
    ATTRIBUTES.iter().any(|attribute| bytes[..key].ends_with(attribute))
}

/// The position of the value in a pair of fields such as `"name": "KEY", "value": "…"`. The search
/// begins at the end of the key.
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
