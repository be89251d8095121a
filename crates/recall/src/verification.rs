//! Reads a whole segment and checks that it is as it was written.

use crate::error::RecallError;
use crate::postings::Postings;
use crate::segment::{BLOCK, Segment};

/// Checks a segment. Fails at the first damaged part.
pub(crate) fn verify(segment: &Segment) -> Result<(), RecallError> {
    segment.verify_offsets()?;
    if segment.ids()?.len() != segment.docs() as usize {
        return Err(segment.damaged("the number of its ids"));
    }
    for block in 0..segment.docs().div_ceil(BLOCK) {
        segment.attributes(block)?;
    }
    for doc in 0..segment.docs() {
        segment.record(doc)?;
    }
    for page in 0..segment.pages() {
        for entry in segment.page(page)? {
            let bytes = segment.postings(&entry)?;
            let last = Postings::new(&bytes).last();
            if last.is_none_or(|(doc, _)| doc >= segment.docs()) {
                return Err(segment.damaged("a list names no document"));
            }
        }
    }
    Ok(())
}
