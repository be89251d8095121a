//! Cuts context to the length that a client passes to the model unchanged.

use std::borrow::Cow;

/// The text, cut to leave room for a last line that says how much is missing.
pub(crate) fn within_limit(text: &str, limit_chars: usize) -> Cow<'_, str> {
    const ROOM_FOR_LAST_LINE: usize = 100;
    // No text has more UTF-16 units than bytes.
    if text.len() <= limit_chars {
        return Cow::Borrowed(text);
    }
    let all = text.encode_utf16().count();
    if all <= limit_chars {
        return Cow::Borrowed(text);
    }
    let mut kept = 0;
    let mut end = 0;
    for (at, char) in text.char_indices() {
        if kept + char.len_utf16() > limit_chars - ROOM_FOR_LAST_LINE {
            end = at;
            break;
        }
        kept += char.len_utf16();
    }
    let missing = all - kept;
    Cow::Owned(format!(
        "{}\n[verger: {missing} of {all} characters are left out here]",
        &text[..end]
    ))
}
