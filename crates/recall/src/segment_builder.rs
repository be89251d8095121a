//! Writes a segment.
//!
//! A segment is one file: a header, the stored parts of the documents, their attributes, their ids,
//! the postings of the terms, and the pages of the dictionary. The file never changes afterwards.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::checked::{checksum, put_bytes, seal};
use crate::document::Attributes;
use crate::error::RecallError;
use crate::files;
use crate::postings::{Gathered, encode};
use crate::segment::{
    BLOCK, CHUNK, Entry, HEADER_BYTES, Header, PAGE_ENTRIES, Section, header_bytes,
};
use crate::vocabulary::{TermNumber, Vocabulary};

/// A segment that is being written.
pub(crate) struct SegmentBuilder {
    path: PathBuf,
    file: BufWriter<File>,
    position: u64,
    header: Header,
    offsets: Vec<u64>,
    attributes: Vec<Attributes>,
    ids: Vec<u8>,
    /// The bytes of the part that is being built and not written yet.
    part: Vec<u8>,
    postings: Gathered,
    pub(crate) vocabulary: Vocabulary,
}

impl SegmentBuilder {
    pub(crate) fn new(path: &Path) -> Result<Self, RecallError> {
        let mut file = BufWriter::with_capacity(1 << 16, files::create(path)?);
        file.write_all(&[0; HEADER_BYTES]).map_err(RecallError::io("write", path))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            position: HEADER_BYTES as u64,
            header: Header::default(),
            offsets: vec![],
            attributes: vec![],
            ids: vec![],
            part: vec![],
            postings: Gathered::default(),
            vocabulary: Vocabulary::default(),
        })
    }

    /// The number that the next document will get.
    pub(crate) fn next(&self) -> u32 {
        self.header.docs
    }

    pub(crate) fn add(
        &mut self,
        id: &str,
        attributes: Attributes,
        sequence: &[u8],
        payload: &[u8],
    ) -> Result<u32, RecallError> {
        let too_large = || RecallError::TooLarge { id: id.to_owned() };
        let doc = self.header.docs;
        self.header.docs = doc.checked_add(1).ok_or_else(too_large)?;
        self.offsets.push(self.position);
        self.attributes.push(attributes);
        let fits = put_bytes(&mut self.ids, id.as_bytes())
            && put_bytes(&mut self.part, sequence)
            && put_bytes(&mut self.part, id.as_bytes())
            && put_bytes(&mut self.part, payload);
        if !fits {
            return Err(too_large());
        }
        self.write_part(u64::from(doc))?;
        Ok(doc)
    }

    /// Adds the impact of a term in a document. For each term, the documents must come in order.
    pub(crate) fn post(&mut self, term: TermNumber, doc: u32, impact: u8) {
        self.postings.add(term, doc, impact);
    }

    /// Writes the remaining parts and the header. Returns the header, whose checksum identifies the
    /// segment in the manifest.
    pub(crate) fn finish(mut self) -> Result<Header, RecallError> {
        self.header.stored = self.section_from(HEADER_BYTES as u64);
        self.offsets.push(self.position);
        let offsets = std::mem::take(&mut self.offsets);
        self.header.offsets = self.write_numbers(&offsets)?;
        self.write_attributes()?;
        let start = self.position;
        self.part = std::mem::take(&mut self.ids);
        self.write_part(u64::from(self.header.docs))?;
        self.header.ids = self.section_from(start);
        let entries = self.write_postings()?;
        self.write_dictionary(&entries)?;
        self.file.flush().map_err(RecallError::io("write", &self.path))?;
        let header = header_bytes(&self.header);
        let written = self.file.get_ref().write_all_at(&header, 0);
        written.map_err(RecallError::io("write", &self.path))?;
        Ok(self.header)
    }

    fn write_attributes(&mut self) -> Result<(), RecallError> {
        let start = self.position;
        let attributes = std::mem::take(&mut self.attributes);
        for (number, block) in attributes.chunks(BLOCK as usize).enumerate() {
            self.part.extend(block.iter().flat_map(|one| one.encode().to_le_bytes()));
            self.write_part(number as u64)?;
        }
        self.header.attributes = self.section_from(start);
        let newest = |chunk: &[Attributes]| chunk.iter().map(|one| one.at.as_millis()).max();
        let newest: Vec<_> = attributes.chunks(CHUNK as usize).filter_map(newest).collect();
        self.header.newest = self.write_numbers(&newest)?;
        Ok(())
    }

    fn write_postings(&mut self) -> Result<Vec<Entry>, RecallError> {
        let start = self.position;
        let lists = std::mem::take(&mut self.postings).into_lists(&self.vocabulary.sorted());
        let mut entries = vec![];
        for (term, list) in lists.iter() {
            let offset = self.position - start;
            encode(list, &mut self.part);
            let length = self.write_part(term.0)?;
            let too_long = |_| RecallError::damaged(&self.path, "a list of postings is too long");
            let length = u32::try_from(length).map_err(too_long)?;
            let count = u32::try_from(list.len()).map_err(too_long)?;
            entries.push(Entry { term, offset, length, count });
        }
        self.header.postings = self.section_from(start);
        Ok(entries)
    }

    fn write_dictionary(&mut self, entries: &[Entry]) -> Result<(), RecallError> {
        let start = self.position;
        let mut firsts = vec![];
        for (number, page) in entries.chunks(PAGE_ENTRIES).enumerate() {
            firsts.push(page[0].term.0);
            self.part.extend(page.iter().flat_map(Entry::encode));
            self.write_part(number as u64)?;
        }
        self.header.pages = self.section_from(start);
        self.header.terms = entries.len() as u64;
        self.header.firsts = self.write_numbers(&firsts)?;
        Ok(())
    }

    fn write_numbers(&mut self, numbers: &[u64]) -> Result<Section, RecallError> {
        let start = self.position;
        self.part.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.write_part(numbers.len() as u64)?;
        Ok(self.section_from(start))
    }

    fn section_from(&self, start: u64) -> Section {
        Section { offset: start, length: self.position - start }
    }

    /// Writes the current part with its checksum, and returns its length.
    fn write_part(&mut self, salt: u64) -> Result<usize, RecallError> {
        seal(salt, &mut self.part);
        self.file.write_all(&self.part).map_err(RecallError::io("write", &self.path))?;
        let length = self.part.len();
        self.position += length as u64;
        self.part.clear();
        Ok(length)
    }
}

/// The checksum of a header, which identifies its segment.
pub(crate) fn header_sum(header: &Header) -> u64 {
    checksum(0, &header_bytes(header))
}
