//! The format of the files in the private directory: fields that each end with a NUL. No path and
//! no id can contain a NUL.

pub(crate) fn write_field(bytes: &mut Vec<u8>, field: &[u8]) {
    bytes.extend_from_slice(field);
    bytes.push(0);
}

/// Converts the fields to lines of text. `None` if a field has a line break or isn't text.
pub(crate) fn to_text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains('\n')).then(|| text.replace('\0', "\n"))
}

/// Converts lines of text back to fields; the opposite of `to_text`.
pub(crate) fn from_text(text: &str) -> Vec<u8> {
    text.replace('\n', "\0").into_bytes()
}

/// Reads the fields of a private file one after the other.
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
