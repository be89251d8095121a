//! Merges segments, and selects the segments to merge.

use std::path::Path;

use crate::error::RecallError;
use crate::manifest::Listed;
use crate::marks::Marks;
use crate::postings::Postings;
use crate::segment::{BLOCK, Entry, Record, Segment};
use crate::segment_builder::{SegmentBuilder, header_sum};

/// The factor of size from which on a segment isn't merged with the next newer one.
const GROWTH: u32 = 4;

/// A segment to merge, with its manifest entry and its removed documents.
pub(crate) struct Part<'a> {
    pub(crate) segment: &'a Segment,
    pub(crate) listed: &'a Listed,
    /// The numbers of the removed documents in the segment, sorted.
    pub(crate) removed: &'a [u32],
}

/// Merges the parts into one segment. Removed documents are left out. Impacts are copied, not
/// computed again.
pub(crate) fn merge(path: &Path, number: u64, parts: &[Part<'_>]) -> Result<Listed, RecallError> {
    let mut builder = SegmentBuilder::new(path)?;
    let mut renumbered = vec![];
    for part in parts {
        renumbered.push(copy_documents(&mut builder, part)?);
    }
    for (part, numbers) in parts.iter().zip(&renumbered) {
        copy_postings(&mut builder, part, numbers)?;
    }
    let docs = builder.next();
    let sum = header_sum(&builder.finish()?);
    Ok(Listed { number, docs, sum, marks: Marks::default() })
}

/// Copies the documents of a part. Returns the new number of each document, or `None` for a removed
/// one.
fn copy_documents(
    builder: &mut SegmentBuilder,
    part: &Part<'_>,
) -> Result<Vec<Option<u32>>, RecallError> {
    let mut numbers = vec![];
    let docs = part.segment.docs();
    for start in (0..docs).step_by(BLOCK as usize) {
        for (doc, mut attributes) in (start..).zip(part.segment.attributes(start / BLOCK)?.iter()) {
            if part.removed.binary_search(&doc).is_ok() {
                numbers.push(None);
                continue;
            }
            attributes.mark = part.listed.marks.get(doc).unwrap_or(attributes.mark);
            let Record { id, sequence, payload } = part.segment.record(doc)?;
            numbers.push(Some(builder.add(&id, attributes, &sequence, &payload)?));
        }
    }
    Ok(numbers)
}

fn copy_postings(
    builder: &mut SegmentBuilder,
    part: &Part<'_>,
    numbers: &[Option<u32>],
) -> Result<(), RecallError> {
    for page in 0..part.segment.pages() {
        for entry in part.segment.page(page)? {
            copy_list(builder, part.segment, &entry, numbers)?;
        }
    }
    Ok(())
}

fn copy_list(
    builder: &mut SegmentBuilder,
    segment: &Segment,
    entry: &Entry,
    numbers: &[Option<u32>],
) -> Result<(), RecallError> {
    let list = segment.postings(entry)?;
    let term = builder.vocabulary.number(entry.term);
    for (doc, impact) in Postings::new(&list) {
        let number = numbers.get(doc as usize);
        let number = number.ok_or_else(|| segment.damaged("a list names no document"))?;
        if let Some(number) = number {
            builder.post(term, *number, impact);
        }
    }
    Ok(())
}

/// The number of segments to merge, counted from the newest. `sizes` are the sizes of all segments,
/// oldest first. Segments are added until the next one is at least [`GROWTH`] times as large as
/// their sum, or until the sum would exceed `most` documents.
pub(crate) fn tail_to_merge(sizes: &[u32], most: u32) -> usize {
    let mut merged = 0u32;
    let mut count = 0;
    for size in sizes.iter().rev() {
        let sum = merged.saturating_add(*size);
        if count > 0 && (*size >= merged.saturating_mul(GROWTH) || sum > most) {
            break;
        }
        merged = sum;
        count += 1;
    }
    count
}
