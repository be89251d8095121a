//! The table of usage: a file with one row for each learning, sorted, with a checksum for each row.
//! The table is derived. A lookup searches in the file without reading all of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use verger_memory::LearningId;
use verger_memory::stats::{LearningKey, USAGE_BYTES, Usage};

use crate::marks::{Marks, put, take};
use crate::shared_file::opened;

/// The first bytes of the file, with the version of its format. A table with another version is
/// rebuilt.
const MAGIC: &[u8; 8] = b"vgusage1";
const KEY_BYTES: usize = 16;
const SUM_BYTES: usize = 4;
const ROW_BYTES: usize = KEY_BYTES + USAGE_BYTES + SUM_BYTES;
/// The size limit for the marks at the start of the file. It is enough for a few files with long
/// paths.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// A table that is open for lookups.
#[derive(Debug)]
pub(super) struct UsageFile {
    file: File,
    rows_at: u64,
    rows: u64,
    /// The positions in the logs up to which the table counts lines.
    pub(super) marks: Marks,
}

impl UsageFile {
    /// Opens the table at `path`. `None` if the table is missing or damaged.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let file = opened(path, OpenOptions::new().read(true)).ok()?;
        let len = file.metadata().ok()?.len();
        let mut start = [0; MAGIC.len() + 4];
        file.read_exact_at(&mut start, 0).ok()?;
        let head_len = u32::from_le_bytes(*start.strip_prefix(MAGIC)?.first_chunk()?);
        let head_len = usize::try_from(head_len).ok().filter(|len| *len <= MAX_HEAD_BYTES)?;
        let mut head = vec![0; head_len];
        file.read_exact_at(&mut head, start.len() as u64).ok()?;
        let (sum, mut fields) = head.split_first_chunk()?;
        if u32::from_le_bytes(*sum) != crc32fast::hash(fields) {
            return None;
        }
        let marks = Marks::read(take(&mut fields)?)?;
        let rows = u64::from_le_bytes(*fields.first_chunk()?);
        let rows_at = (start.len() + head_len) as u64;
        (len == rows_at + rows * ROW_BYTES as u64).then_some(Self { file, rows_at, rows, marks })
    }

    /// The usage of a learning in the table. `None` if the row to read is damaged.
    pub(super) fn get(&self, learning: &LearningId) -> Option<Usage> {
        let key = LearningKey::of(learning);
        let (mut from, mut to) = (0, self.rows);
        while from < to {
            let middle = from.midpoint(to);
            let (at, usage) = self.row(middle)?;
            match at.cmp(&key) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return Some(usage),
            }
        }
        Some(Usage::default())
    }

    fn row(&self, number: u64) -> Option<(LearningKey, Usage)> {
        let mut row = [0; ROW_BYTES];
        self.file.read_exact_at(&mut row, self.rows_at + number * ROW_BYTES as u64).ok()?;
        let (content, sum) = row.split_last_chunk::<SUM_BYTES>()?;
        let (key, usage) = content.split_first_chunk()?;
        let is_whole = u32::from_le_bytes(*sum) == crc32fast::hash(content);
        is_whole.then_some((LearningKey(*key), Usage::from_bytes(usage.first_chunk()?)))
    }

    /// Writes a new table, which replaces the table at `path`.
    pub(super) fn write<'a>(
        path: &Path,
        marks: &Marks,
        usages: impl Iterator<Item = (&'a LearningId, Usage)>,
    ) -> io::Result<()> {
        let mut rows: Vec<_> =
            usages.map(|(learning, usage)| (LearningKey::of(learning), usage)).collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        let mut fields = vec![];
        put(&mut fields, &marks.write());
        fields.extend((rows.len() as u64).to_le_bytes());
        let sum = crc32fast::hash(&fields).to_le_bytes();
        let head_len = u32::try_from(sum.len() + fields.len()).map_err(io::Error::other)?;
        let mut bytes = [&MAGIC[..], &head_len.to_le_bytes(), &sum, &fields].concat();
        for (LearningKey(key), usage) in rows {
            let row = [&key[..], &usage.to_bytes()].concat();
            bytes.extend(&row);
            bytes.extend(crc32fast::hash(&row).to_le_bytes());
        }
        let new = path.with_extension(format!("{}.new", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&new)?.write_all(&bytes)?;
        fs::rename(new, path)
    }
}

#[cfg(test)]
mod tests {
    use verger_event::Timestamp;

    use super::*;

    fn id(number: u32) -> LearningId {
        format!("learn-{number}").parse().unwrap()
    }

    fn usage(number: u32) -> Usage {
        let at = Timestamp::from_millis(u64::from(number));
        Usage { surfaced: number + 1, last_surfaced: Some(at), ..Usage::default() }
    }

    #[test]
    fn written_usage_is_found_and_damage_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage");
        assert!(UsageFile::open(&path).is_none());
        let ids: Vec<_> = (0..8).map(id).collect();
        let marks = Marks::default();
        UsageFile::write(&path, &marks, ids.iter().zip((0..8).map(usage))).unwrap();
        let table = UsageFile::open(&path).unwrap();
        for number in 0..8 {
            assert_eq!(table.get(&id(number)), Some(usage(number)));
        }
        assert_eq!(table.get(&id(8)), Some(Usage::default()));
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, bytes).unwrap();
            if let Some(table) = UsageFile::open(&path) {
                for number in 0..8 {
                    let found = table.get(&id(number));
                    assert!(found.is_none_or(|found| found == usage(number)), "byte {at}");
                }
            }
        }
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            assert!(UsageFile::open(&path).is_none(), "{len}");
        }
    }
}
