//! Reads a segment file. Every part of the file is read separately, at its offset, and its checksum
//! is checked.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use verger_event::Timestamp;

use crate::checked::{CHECKSUM_BYTES, Fields, open, seal};
use crate::document::Attributes;
use crate::error::RecallError;
use crate::files;
use crate::postings::Postings;
use crate::term::Term;

const MAGIC: u32 = u32::from_le_bytes(*b"VRsg");
const FORMAT: u32 = 2;
pub(crate) const HEADER_BYTES: usize = 8 + 4 + 8 + 8 * 16 + CHECKSUM_BYTES;

/// The number of documents in a chunk. Documents of a chunk are scored together.
pub(crate) const CHUNK: u32 = 4096;
/// The number of documents in a block. Attributes of a block are read together, and a chunk
/// consists of whole blocks.
pub(crate) const BLOCK: u32 = 512;

/// The number of dictionary entries in a page. A page is read as a whole.
pub(crate) const PAGE_ENTRIES: usize = 128;
const ENTRY_BYTES: usize = 24;

/// The position and length of a part of the segment file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// The header of a segment file, with the positions of all parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Header {
    pub(crate) docs: u32,
    pub(crate) terms: u64,
    pub(crate) stored: Section,
    pub(crate) offsets: Section,
    pub(crate) attributes: Section,
    pub(crate) newest: Section,
    pub(crate) ids: Section,
    pub(crate) postings: Section,
    pub(crate) pages: Section,
    pub(crate) firsts: Section,
}

/// The entry for a term in the dictionary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) term: Term,
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) count: u32,
}

/// A segment that is open for reading.
#[derive(Debug)]
pub(crate) struct Segment {
    path: PathBuf,
    file: File,
    header: Header,
    /// The first term of each page of the dictionary.
    firsts: Vec<u64>,
    /// For each chunk, the time of its newest document, in milliseconds.
    newest: Vec<u64>,
}

impl Segment {
    pub(crate) fn open(path: &Path) -> Result<Self, RecallError> {
        let file = files::open(path)?;
        let mut bytes = [0; HEADER_BYTES];
        read_exact(&file, path, &mut bytes, 0)?;
        let header = parse_header(path, &bytes)?;
        let mut segment =
            Self { path: path.to_owned(), file, header, firsts: vec![], newest: vec![] };
        segment.firsts = segment.numbers(segment.header.firsts)?;
        segment.newest = segment.numbers(segment.header.newest)?;
        Ok(segment)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn docs(&self) -> u32 {
        self.header.docs
    }

    pub(crate) fn damaged(&self, what: &'static str) -> RecallError {
        RecallError::damaged(&self.path, what)
    }

    /// Finds the entry for `term` in the dictionary. `None` if the segment doesn't have the term.
    /// `page` caches the last page, so that lookups in the order of terms read no page twice.
    pub(crate) fn entry(&self, term: Term, page: &mut Page) -> Result<Option<Entry>, RecallError> {
        let Some(number) = self.firsts.partition_point(|first| *first <= term.0).checked_sub(1)
        else {
            return Ok(None);
        };
        if page.number != Some(number) {
            page.entries = self.page_bytes(number)?;
            page.number = Some(number);
        }
        let entries = page.entries.as_chunks::<ENTRY_BYTES>().0;
        let found = entries.binary_search_by_key(&term, |entry| Entry::decode(entry).term);
        Ok(found.ok().map(|at| Entry::decode(&entries[at])))
    }

    pub(crate) fn pages(&self) -> usize {
        self.firsts.len()
    }

    pub(crate) fn page(&self, number: usize) -> Result<Vec<Entry>, RecallError> {
        let bytes = self.page_bytes(number)?;
        Ok(bytes.as_chunks().0.iter().map(Entry::decode).collect())
    }

    fn page_bytes(&self, number: usize) -> Result<Vec<u8>, RecallError> {
        let before = (number * PAGE_ENTRIES) as u64;
        let entries = self.header.terms.saturating_sub(before).min(PAGE_ENTRIES as u64);
        let bytes_before = number * (PAGE_ENTRIES * ENTRY_BYTES + CHECKSUM_BYTES);
        let length = usize_of(entries) * ENTRY_BYTES + CHECKSUM_BYTES;
        let mut bytes = self.read(self.header.pages, bytes_before as u64, length)?;
        let page = open(number as u64, &bytes).map(<[u8]>::len);
        bytes.truncate(page.ok_or_else(|| self.damaged("a page of the dictionary"))?);
        Ok(bytes)
    }

    /// Reads the posting list of a dictionary entry, including its checksum.
    pub(crate) fn postings(&self, entry: &Entry) -> Result<Vec<u8>, RecallError> {
        let length = usize_of(u64::from(entry.length));
        let mut bytes = self.read(self.header.postings, entry.offset, length)?;
        let list = open(entry.term.0, &bytes).map(<[u8]>::len);
        bytes.truncate(list.ok_or_else(|| self.damaged("a list of postings"))?);
        Ok(bytes)
    }

    /// Reads the attributes of the documents in a block.
    pub(crate) fn attributes(&self, block: u32) -> Result<AttributesBlock, RecallError> {
        let docs = self.header.docs.saturating_sub(block * BLOCK).min(BLOCK);
        let offset = u64::from(block) * (u64::from(BLOCK) * 8 + CHECKSUM_BYTES as u64);
        let length = docs as usize * 8 + CHECKSUM_BYTES;
        let mut bytes = self.read(self.header.attributes, offset, length)?;
        let whole = open(u64::from(block), &bytes).map(<[u8]>::len);
        bytes.truncate(whole.ok_or_else(|| self.damaged("the attributes"))?);
        Ok(AttributesBlock(bytes))
    }

    /// The time when the newest document of a chunk was written.
    pub(crate) fn newest(&self, chunk: u32) -> Timestamp {
        Timestamp::from_millis(self.newest.get(chunk as usize).copied().unwrap_or(u64::MAX))
    }

    pub(crate) fn record(&self, doc: u32) -> Result<Record, RecallError> {
        let damaged = || self.damaged("a stored document");
        let places = self.read(self.header.offsets, u64::from(doc) * 8, 16)?;
        let mut places = Fields(&places);
        let (Some(start), Some(end)) = (places.u64(), places.u64()) else { return Err(damaged()) };
        let length = end.checked_sub(start).ok_or_else(damaged)?;
        let offset = start.checked_sub(self.header.stored.offset).ok_or_else(damaged)?;
        let sealed = self.read(self.header.stored, offset, usize_of(length))?;
        let record = open(u64::from(doc), &sealed).and_then(Record::decode);
        record.ok_or_else(damaged)
    }

    /// Checks the checksum of the table of the records' offsets. Reading a single record checks
    /// only that record.
    pub(crate) fn verify_offsets(&self) -> Result<(), RecallError> {
        self.numbers(self.header.offsets).map(drop)
    }

    /// Reads the ids of all documents, in the order of the documents.
    pub(crate) fn ids(&self) -> Result<Vec<String>, RecallError> {
        let damaged = || self.damaged("the ids");
        let sealed = self.read(self.header.ids, 0, usize_of(self.header.ids.length))?;
        let mut fields = Fields(open(u64::from(self.header.docs), &sealed).ok_or_else(damaged)?);
        let ids = std::iter::from_fn(|| fields.bytes());
        ids.map(|id| String::from_utf8(id.to_owned()).map_err(|_| damaged())).collect()
    }

    /// Finds the documents that have one of these terms, and returns their sorted numbers. The
    /// terms must be sorted.
    pub(crate) fn docs_of(&self, terms: &[Term]) -> Result<Vec<u32>, RecallError> {
        let mut page = Page::default();
        let mut docs = vec![];
        for term in terms {
            if let Some(entry) = self.entry(*term, &mut page)? {
                docs.extend(Postings::new(&self.postings(&entry)?).map(|(doc, _)| doc));
            }
        }
        docs.sort_unstable();
        Ok(docs)
    }

    fn numbers(&self, section: Section) -> Result<Vec<u64>, RecallError> {
        let sealed = self.read(section, 0, usize_of(section.length))?;
        let count = section.length.saturating_sub(CHECKSUM_BYTES as u64) / 8;
        let bytes = open(count, &sealed).ok_or_else(|| self.damaged("a list of numbers"))?;
        let mut fields = Fields(bytes);
        Ok(std::iter::from_fn(|| fields.u64()).collect())
    }

    fn read(&self, section: Section, offset: u64, length: usize) -> Result<Vec<u8>, RecallError> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > section.length) {
            return Err(self.damaged("a part lies outside of its section"));
        }
        let mut bytes = vec![0; length];
        read_exact(&self.file, &self.path, &mut bytes, section.offset + offset)?;
        Ok(bytes)
    }
}

/// The stored record of a document, which a search returns.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) id: String,
    /// The footprints of the document's words, in encoded form.
    pub(crate) sequence: Vec<u8>,
    pub(crate) payload: Vec<u8>,
}

impl Record {
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        let sequence = fields.bytes()?.to_owned();
        let id = String::from_utf8(fields.bytes()?.to_owned()).ok()?;
        Some(Self { id, sequence, payload: fields.bytes()?.to_owned() })
    }
}

/// The encoded attributes of a block of documents. They are decoded on demand, because a search
/// needs only a few.
#[derive(Debug)]
pub(crate) struct AttributesBlock(Vec<u8>);

impl AttributesBlock {
    pub(crate) fn get(&self, place: u32) -> Option<Attributes> {
        self.0.as_chunks().0.get(place as usize).copied().map(Self::decode)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Attributes> {
        self.0.as_chunks().0.iter().copied().map(Self::decode)
    }

    fn decode(bytes: [u8; 8]) -> Attributes {
        Attributes::decode(u64::from_le_bytes(bytes))
    }
}

/// The page of the dictionary that was read last, as a cache.
#[derive(Debug, Default)]
pub(crate) struct Page {
    number: Option<usize>,
    entries: Vec<u8>,
}

impl Entry {
    pub(crate) fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.term.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.offset.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.length.to_le_bytes());
        bytes[20..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [term, offset, last] = [0, 8, 16].map(|at| {
            let mut number = [0; 8];
            number.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(number)
        });
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
        let length = last as u32;
        let count = u32::try_from(last >> 32).unwrap_or(u32::MAX);
        Self { term: Term(term), offset, length, count }
    }
}

pub(crate) fn header_bytes(header: &Header) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES);
    bytes.extend_from_slice(&MAGIC.to_le_bytes());
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&header.docs.to_le_bytes());
    bytes.extend_from_slice(&header.terms.to_le_bytes());
    for section in sections(header) {
        bytes.extend_from_slice(&section.offset.to_le_bytes());
        bytes.extend_from_slice(&section.length.to_le_bytes());
    }
    seal(0, &mut bytes);
    bytes
}

fn sections(header: &Header) -> [Section; 8] {
    let Header { stored, offsets, attributes, newest, ids, postings, pages, firsts, .. } = *header;
    [stored, offsets, attributes, newest, ids, postings, pages, firsts]
}

fn parse_header(path: &Path, sealed: &[u8]) -> Result<Header, RecallError> {
    let damaged = || RecallError::damaged(path, "its header");
    let mut start = Fields(sealed);
    if start.u32() != Some(MAGIC) {
        return Err(RecallError::damaged(path, "it is not a segment of an index"));
    }
    let found = start.u32().ok_or_else(damaged)?;
    if found != FORMAT {
        return Err(RecallError::OtherFormat { path: path.to_owned(), found, known: FORMAT });
    }
    let mut fields = Fields(open(0, sealed).ok_or_else(damaged)?);
    let mut parse = || {
        fields.u64()?;
        let (docs, terms) = (fields.u32()?, fields.u64()?);
        let mut section = || Some(Section { offset: fields.u64()?, length: fields.u64()? });
        Some(Header {
            docs,
            terms,
            stored: section()?,
            offsets: section()?,
            attributes: section()?,
            newest: section()?,
            ids: section()?,
            postings: section()?,
            pages: section()?,
            firsts: section()?,
        })
    };
    parse().ok_or_else(damaged)
}

fn read_exact(file: &File, path: &Path, bytes: &mut [u8], at: u64) -> Result<(), RecallError> {
    file.read_exact_at(bytes, at).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => RecallError::damaged(path, "it ends too early"),
        _ => RecallError::io("read", path)(error),
    })
}

/// Converts a length from a file. If the length doesn't fit, returns the maximum, with which the
/// read then fails.
fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
