//! Reads and searches an index.

use std::collections::HashSet;
use std::path::Path;

use crate::document::Attributes;
use crate::error::RecallError;
use crate::files;
use crate::manifest::{Listed, Manifest};
use crate::query::Query;
use crate::search::{Hit, Search};
use crate::segment::{BLOCK, Record, Segment};
use crate::segment_builder::header_sum;
use crate::term::{Space, Term};
use crate::verification::verify;

/// The maximum number of attempts to open an index. Another attempt is needed if a writer removes
/// segments after the manifest was read and before the segments were opened.
const ATTEMPTS: usize = 4;

/// An index that is open for reading, as it was when it was opened. Writers don't affect it.
#[derive(Debug)]
pub struct Recall {
    manifest: Manifest,
    segments: Vec<Segment>,
}

/// The id and the payload that the index stores for a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The id of the document.
    pub id: String,
    /// The payload of the document.
    pub payload: Vec<u8>,
}

impl Recall {
    /// Opens the index in `dir`. `None` if there is no index.
    pub fn open(dir: &Path) -> Result<Option<Self>, RecallError> {
        let mut attempt = 1;
        loop {
            let Some(manifest) = Manifest::load(dir)? else { return Ok(None) };
            match open_segments(dir, &manifest) {
                Err(error) if error.is_missing_file() && attempt < ATTEMPTS => attempt += 1,
                other => return Ok(Some(Self { segments: other?, manifest })),
            }
        }
    }

    /// The source that the index was derived from, as the caller described it.
    pub fn source(&self) -> &[u8] {
        &self.manifest.source
    }

    /// The number of documents in the index.
    pub fn documents(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.docs())).sum()
    }

    /// Reads all files and compares checksums. A search detects damage only in the parts that it
    /// reads.
    pub fn verify(&self) -> Result<(), RecallError> {
        self.segments.iter().try_for_each(verify)
    }

    /// Finds the best documents for which `accept` returns true, the best first.
    pub fn search(
        &self,
        query: &Query<'_>,
        limit: usize,
        accept: &dyn Fn(&Attributes) -> bool,
    ) -> Result<Vec<Hit>, RecallError> {
        Search { query, limit, accept }.run(&self.segments, &self.manifest.segments)
    }

    /// The id and the payload of the document that a hit refers to. The hit must be from this
    /// index.
    pub fn stored(&self, hit: &Hit) -> Result<Stored, RecallError> {
        let Record { id, payload, .. } = self.segments[hit.segment].record(hit.doc)?;
        Ok(Stored { id, payload })
    }

    /// Finds the documents with these ids that the index has, with their attributes.
    pub fn find<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<Vec<(Attributes, Stored)>, RecallError> {
        let ids: HashSet<_> = ids.into_iter().collect();
        let mut terms: Vec<_> = ids.iter().map(|id| Term::new(Space::Id, id.as_bytes())).collect();
        terms.sort_unstable();
        let mut found = vec![];
        for (segment, listed) in self.segments.iter().zip(&self.manifest.segments) {
            for doc in segment.docs_of(&terms)? {
                let Record { id, payload, .. } = segment.record(doc)?;
                if !ids.contains(id.as_str()) {
                    continue;
                }
                let attributes = segment.attributes(doc / BLOCK)?.get(doc % BLOCK);
                let mut attributes = attributes.ok_or_else(|| segment.damaged("the attributes"))?;
                attributes.mark = listed.marks.get(doc).unwrap_or(attributes.mark);
                found.push((attributes, Stored { id, payload }));
            }
        }
        Ok(found)
    }

    pub(crate) fn into_parts(self) -> (Manifest, Vec<Segment>) {
        (self.manifest, self.segments)
    }
}

fn open_segments(dir: &Path, manifest: &Manifest) -> Result<Vec<Segment>, RecallError> {
    let open = |listed: &Listed| {
        let path = files::segment_path(dir, listed.number);
        let segment = Segment::open(&path)?;
        if header_sum(segment.header()) == listed.sum {
            Ok(segment)
        } else {
            Err(RecallError::damaged(&path, "it is not the one that the manifest lists"))
        }
    };
    manifest.segments.iter().map(open).collect()
}
