//! The marks of documents that changed since their segment was written. The manifest stores them in
//! the order of the documents, five bytes each. There may be as many marks as documents, but a
//! search reads only a few of them.

const BYTES: usize = 5;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks(Vec<u8>);

impl Marks {
    /// Checks the length of encoded marks. `None` if the bytes can't be marks.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        bytes.len().is_multiple_of(BYTES).then(|| Self(bytes.to_owned()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn get(&self, doc: u32) -> Option<u8> {
        let at = self.find(doc).ok()?;
        let [.., mark] = self.all()[at];
        Some(mark)
    }

    pub(crate) fn set(&mut self, doc: u32, mark: u8) {
        let [a, b, c, d] = doc.to_le_bytes();
        let (at, old) = match self.find(doc) {
            Ok(at) => (at * BYTES, BYTES),
            Err(at) => (at * BYTES, 0),
        };
        self.0.splice(at..at + old, [a, b, c, d, mark]);
    }

    fn find(&self, doc: u32) -> Result<usize, usize> {
        self.all()
            .binary_search_by_key(&doc, |[a, b, c, d, _]| u32::from_le_bytes([*a, *b, *c, *d]))
    }

    fn all(&self) -> &[[u8; BYTES]] {
        self.0.as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_mark_of_a_document_is_found_in_any_order() {
        let mut marks = Marks::default();
        for (doc, mark) in [(700, 1), (3, 2), (70_000, 3), (3, 4), (256, 5)] {
            marks.set(doc, mark);
        }
        let read = Marks::read(marks.as_bytes()).unwrap();
        assert_eq!(read, marks);
        let found = [3, 4, 256, 700, 70_000].map(|doc| read.get(doc));
        assert_eq!(found, [Some(4), None, Some(5), Some(1), Some(3)]);
        assert_eq!(Marks::read(&marks.as_bytes()[1..]), None);
    }
}
