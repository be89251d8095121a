//! The list of documents that have a term: how many documents lie between one and the next, in two
//! bytes, and what the term is worth, in one. Fixed widths make a list a third longer and half as long
//! to walk.

/// Stands for a distance that needs four bytes, which follow.
const FAR: u16 = u16::MAX;

/// A list while it grows.
#[derive(Debug, Default)]
pub(crate) struct PostingsWriter {
    bytes: Vec<u8>,
    count: u32,
    next: u32,
}

impl PostingsWriter {
    /// Documents come in order, each once.
    pub(crate) fn add(&mut self, doc: u32, impact: u8) {
        let distance = doc - self.next;
        match u16::try_from(distance) {
            Ok(near) if near != FAR => self.bytes.extend_from_slice(&near.to_le_bytes()),
            _ => {
                self.bytes.extend_from_slice(&FAR.to_le_bytes());
                self.bytes.extend_from_slice(&distance.to_le_bytes());
            }
        }
        self.bytes.push(impact);
        self.next = doc + 1;
        self.count += 1;
    }

    /// How many documents there are, and the list.
    pub(crate) fn finish(self) -> (u32, Vec<u8>) {
        (self.count, self.bytes)
    }
}

/// Walks a list.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    rest: &'a [u8],
    next: u32,
}

impl<'a> Postings<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self { rest: list, next: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, u8);

    #[inline]
    fn next(&mut self) -> Option<(u32, u8)> {
        let (distance, impact) = match *self.rest {
            [0xff, 0xff, a, b, c, d, impact, ref rest @ ..] => {
                self.rest = rest;
                (u32::from_le_bytes([a, b, c, d]), impact)
            }
            [low, high, impact, ref rest @ ..] => {
                self.rest = rest;
                (u32::from(u16::from_le_bytes([low, high])), impact)
            }
            _ => return None,
        };
        let doc = self.next.checked_add(distance)?;
        self.next = doc.checked_add(1)?;
        Some((doc, impact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written_however_far_apart_its_documents_are() {
        let docs = [0, 1, 3, 65_537, 65_538, 131_073, 196_609, 5_000_000, u32::MAX - 1];
        let postings: Vec<_> = docs.into_iter().zip(1..).collect();
        let mut writer = PostingsWriter::default();
        for (doc, impact) in &postings {
            writer.add(*doc, *impact);
        }
        let (count, list) = writer.finish();
        assert_eq!(count, 9);
        assert_eq!(Postings::new(&list).collect::<Vec<_>>(), postings);
    }
}
