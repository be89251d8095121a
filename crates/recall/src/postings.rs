//! The list of documents that have a term: the distance to the one before, and what the term is worth.

use crate::checked::{Fields, put_varint};

/// A list while it grows.
#[derive(Debug, Default)]
pub(crate) struct PostingsWriter {
    bytes: Vec<u8>,
    count: u32,
    next: u32,
}

impl PostingsWriter {
    pub(crate) fn add(&mut self, doc: u32, impact: u8) {
        put_varint(&mut self.bytes, doc - self.next);
        self.bytes.push(impact);
        self.next = doc + 1;
        self.count += 1;
    }

    pub(crate) fn finish(self) -> (u32, Vec<u8>) {
        (self.count, self.bytes)
    }
}

/// Walks a list.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    fields: Fields<'a>,
    next: u32,
}

impl<'a> Postings<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { fields: Fields(bytes), next: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, u8);

    fn next(&mut self) -> Option<(u32, u8)> {
        let doc = self.next.checked_add(self.fields.varint()?)?;
        let impact = self.fields.u8()?;
        self.next = doc.checked_add(1)?;
        Some((doc, impact))
    }
}
