//! Changes an index. Only one writer can change an index at a time. Readers aren't affected.

use std::path::{Path, PathBuf};

use crate::analysis::Analysis;
use crate::change::{Change, Fate, Fates};
use crate::document::{Attributes, Document};
use crate::error::RecallError;
use crate::files::{self, Lock};
use crate::manifest::{Listed, Manifest};
use crate::marks::Marks;
use crate::merging::{Part, merge, tail_to_merge};
use crate::recall::Recall;
use crate::segment::Segment;
use crate::segment_builder::{SegmentBuilder, header_sum};
use crate::term::{Space, Term};

/// Exclusive write access to an index. It holds the index's lock.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    _lock: Lock,
}

impl Writer {
    /// Waits until no other writer uses the index in `dir`, and locks it. Creates the folder if it
    /// is missing.
    pub fn wait(dir: &Path) -> Result<Self, RecallError> {
        files::make_dir(dir)?;
        Ok(Self { dir: dir.to_owned(), _lock: Lock::wait(dir)? })
    }

    /// Locks the index in `dir` without waiting. `None` if another writer uses the index.
    pub fn at_once(dir: &Path) -> Result<Option<Self>, RecallError> {
        files::make_dir(dir)?;
        Ok(Lock::at_once(dir)?.map(|lock| Self { dir: dir.to_owned(), _lock: lock }))
    }

    /// The source that the index was derived from. `None` if there is no readable index.
    pub fn source(&self) -> Option<Vec<u8>> {
        Some(Manifest::load(&self.dir).ok()??.source)
    }

    /// Replaces the index by a new one with these documents.
    pub fn rebuild(&self, source: &[u8], documents: &[Document]) -> Result<(), RecallError> {
        let mut manifest = Manifest { source: source.to_owned(), segments: vec![] };
        let puts = Fates::default();
        let puts = documents.iter().fold(puts, Fates::put);
        self.append(&mut manifest, &puts.documents())?;
        self.commit(&manifest)
    }

    /// Applies changes to the index. Merges segments only up to `most` documents, so that a caller
    /// with little time can leave large merges to a later call.
    pub fn update(&self, source: &[u8], changes: &[Change], most: u32) -> Result<(), RecallError> {
        let (mut manifest, segments) =
            Recall::open(&self.dir)?.map(Recall::into_parts).unwrap_or_default();
        source.clone_into(&mut manifest.source);
        let fates = Fates::of(changes);
        self.remove(&mut manifest, &segments, &fates)?;
        self.append(&mut manifest, &fates.documents())?;
        self.merge_tail(&mut manifest, most)?;
        self.commit(&manifest)
    }

    /// Applies the changes to existing segments: stores new marks, and rewrites the segments that
    /// have removed documents.
    fn remove(
        &self,
        manifest: &mut Manifest,
        segments: &[Segment],
        fates: &Fates<'_>,
    ) -> Result<(), RecallError> {
        let mut kept = vec![];
        for (segment, mut listed) in segments.iter().zip(manifest.segments.drain(..)) {
            let mut removed = vec![];
            for (doc, id) in (0..).zip(segment.ids()?) {
                match fates.of_old(&id) {
                    Fate::Stays => {}
                    Fate::Goes => removed.push(doc),
                    Fate::Marked(mark) => listed.marks.set(doc, mark),
                }
            }
            if removed.is_empty() {
                kept.push(listed);
            } else if removed.len() < segment.docs() as usize {
                let part = Part { segment, listed: &listed, removed: &removed };
                let number = self.next_number()?;
                kept.push(merge(&files::segment_path(&self.dir, number), number, &[part])?);
            }
        }
        manifest.segments = kept;
        Ok(())
    }

    fn append(
        &self,
        manifest: &mut Manifest,
        documents: &[(&Document, u8)],
    ) -> Result<(), RecallError> {
        if documents.is_empty() {
            return Ok(());
        }
        let number = self.next_number()?;
        let mut builder = SegmentBuilder::new(&files::segment_path(&self.dir, number))?;
        let plain: Vec<_> = documents.iter().map(|(document, _)| *document).collect();
        let mut analysis = Analysis::new(&plain, &mut builder.vocabulary);
        for (place, (document, mark)) in documents.iter().enumerate() {
            let attributes = Attributes { mark: *mark, ..Attributes::of(document) };
            let analysed = analysis.analyse(place, &mut builder.vocabulary);
            let doc =
                builder.add(&document.id, attributes, &analysed.sequence, &document.payload)?;
            let id = builder.vocabulary.number(Term::new(Space::Id, document.id.as_bytes()));
            builder.post(id, doc, 1);
            for (term, impact) in &analysed.impacts {
                builder.post(*term, doc, *impact);
            }
        }
        let docs = builder.next();
        let sum = header_sum(&builder.finish()?);
        manifest.segments.push(Listed { number, docs, sum, marks: Marks::default() });
        Ok(())
    }

    fn merge_tail(&self, manifest: &mut Manifest, most: u32) -> Result<(), RecallError> {
        let sizes: Vec<_> = manifest.segments.iter().map(|listed| listed.docs).collect();
        let count = tail_to_merge(&sizes, most);
        if count < 2 {
            return Ok(());
        }
        let tail = manifest.segments.split_off(manifest.segments.len() - count);
        let open = |listed: &Listed| Segment::open(&files::segment_path(&self.dir, listed.number));
        let segments = tail.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let parts = segments.iter().zip(&tail);
        let parts: Vec<_> =
            parts.map(|(segment, listed)| Part { segment, listed, removed: &[] }).collect();
        let number = self.next_number()?;
        manifest.segments.push(merge(&files::segment_path(&self.dir, number), number, &parts)?);
        Ok(())
    }

    /// The number for a new segment. It is greater than the numbers of all segment files in the
    /// folder, including those that a killed writer left.
    fn next_number(&self) -> Result<u64, RecallError> {
        Ok(files::segment_numbers(&self.dir)?.into_iter().max().map_or(1, |last| last + 1))
    }

    fn commit(&self, manifest: &Manifest) -> Result<(), RecallError> {
        manifest.save(&self.dir)?;
        for number in files::segment_numbers(&self.dir)? {
            if manifest.segments.iter().all(|listed| listed.number != number) {
                let path = files::segment_path(&self.dir, number);
                std::fs::remove_file(&path).map_err(RecallError::io("remove", &path))?;
            }
        }
        Ok(())
    }
}
