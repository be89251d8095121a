//! The manifest: the list of the index's segments, the source that the index was derived from, and
//! the marks of documents that changed since their segment was written. The manifest is small and
//! replaced as a whole.

use std::path::Path;

use crate::checked::{Fields, open, put_bytes, seal};
use crate::error::RecallError;
use crate::files;
use crate::marks::Marks;

const MAGIC: u32 = u32::from_le_bytes(*b"VRmf");
/// The version of the index's format. Increment it also when documents would be indexed
/// differently, so that an old index is rebuilt.
const FORMAT: u32 = 5;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The source that the index was derived from, as the caller describes it.
    pub(crate) source: Vec<u8>,
    pub(crate) segments: Vec<Listed>,
}

/// A segment as the manifest lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) number: u64,
    pub(crate) docs: u32,
    /// The checksum of the segment's header.
    pub(crate) sum: u64,
    /// The marks of documents whose mark changed since the segment was written.
    pub(crate) marks: Marks,
}

impl Manifest {
    /// Loads the manifest. `None` if there is no index.
    pub(crate) fn load(dir: &Path) -> Result<Option<Self>, RecallError> {
        let path = files::manifest_path(dir);
        let Some(content) = files::read_if_there(&path)? else { return Ok(None) };
        let mut start = Fields(&content);
        if start.u32() != Some(MAGIC) {
            return Err(RecallError::damaged(&path, "it is not the manifest of an index"));
        }
        match start.u32() {
            Some(FORMAT) => {}
            Some(found) => return Err(RecallError::OtherFormat { path, found, known: FORMAT }),
            None => return Err(RecallError::damaged(&path, "it ends too early")),
        }
        let whole = open(0, &content).and_then(Self::decode);
        whole.map(Some).ok_or_else(|| RecallError::damaged(&path, "its checksum"))
    }

    pub(crate) fn save(&self, dir: &Path) -> Result<(), RecallError> {
        let path = files::manifest_path(dir);
        let mut content = self.encode().ok_or_else(|| RecallError::damaged(&path, "its size"))?;
        seal(0, &mut content);
        files::replace(&path, &content)
    }

    fn encode(&self) -> Option<Vec<u8>> {
        let mut content = vec![];
        content.extend_from_slice(&MAGIC.to_le_bytes());
        content.extend_from_slice(&FORMAT.to_le_bytes());
        put_bytes(&mut content, &self.source).then_some(())?;
        for segment in &self.segments {
            content.extend_from_slice(&segment.number.to_le_bytes());
            content.extend_from_slice(&segment.docs.to_le_bytes());
            content.extend_from_slice(&segment.sum.to_le_bytes());
            put_bytes(&mut content, segment.marks.as_bytes()).then_some(())?;
        }
        Some(content)
    }

    fn decode(content: &[u8]) -> Option<Self> {
        let mut fields = Fields(content);
        fields.u64()?;
        let source = fields.bytes()?.to_owned();
        let mut segments = vec![];
        while !fields.0.is_empty() {
            let (number, docs, sum) = (fields.u64()?, fields.u32()?, fields.u64()?);
            let marks = Marks::read(fields.bytes()?)?;
            segments.push(Listed { number, docs, sum, marks });
        }
        Some(Self { source, segments })
    }
}
