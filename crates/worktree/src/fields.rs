//! The format of the private files: fields that each end with a NUL, which no path and no id can
//! contain.

pub(crate) fn write_field(bytes: &mut Vec<u8>, field: &[u8]) {
    bytes.extend_from_slice(field);
    bytes.push(0);
}

/// The fields as lines of text. `None` if a field has a line break or isn't text.
pub(crate) fn to_text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains('\n')).then(|| text.replace('\0', "\n"))
}

/// The opposite of `to_text`: turns lines back into fields.
pub(crate) fn from_text(text: &str) -> Vec<u8> {
    text.replace('\n', "\0").into_bytes()
}

/// Reads one field after the other.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.next()?).ok()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == 0)?;
        let (field, rest) = (&self.rest[..end], &self.rest[end + 1..]);
        self.rest = rest;
        Some(field)
    }
}
