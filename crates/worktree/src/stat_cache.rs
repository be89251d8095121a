//! A cache of file hashes, keyed by the files' metadata, so that an unchanged file is not read
//! again.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use crate::fields::{Fields, write_field};
use crate::private::{Scratch, read_private};
use crate::tree_error::TreeError;

const MAX_CACHE_BYTES: u64 = 32 * 1024 * 1024;

/// The minimum age of a file whose hash is cached. Within one tick of the file system's clock, a
/// younger file may be written again and keep its metadata. Some file systems have a resolution of
/// two seconds.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// A cache of one kind of hashes. `known` has the entries of earlier calls, `seen` those of this
/// call.
pub(crate) struct StatCache<'a> {
    scratch: &'a Scratch,
    name: &'static str,
    /// All other data that the hashes depend on. Cached hashes with another context aren't used.
    context: Vec<u8>,
    known: Entries,
    seen: Entries,
}

/// For each path, the file's metadata and the hash that the file had with it.
type Entries = BTreeMap<Vec<u8>, (String, String)>;

impl<'a> StatCache<'a> {
    pub(crate) fn load(
        scratch: &'a Scratch,
        private_dir: &Path,
        name: &'static str,
        context: &[u8],
    ) -> Self {
        let bytes = read_private(private_dir, name, MAX_CACHE_BYTES).unwrap_or_default();
        let known = entries(&bytes, context).unwrap_or_default();
        Self { scratch, name, context: context.to_owned(), known, seen: Entries::new() }
    }

    /// The cached hash of a file. `None` if the file's metadata has changed.
    pub(crate) fn get(&mut self, path: &[u8], found: &Metadata) -> Option<String> {
        let (look, hash) = self.known.remove(path)?;
        (look == look_of(found)).then_some(())?;
        self.seen.insert(path.to_owned(), (look, hash.clone()));
        Some(hash)
    }

    /// Adds the hash of a file. `found` must be the file's metadata from before the file was read.
    pub(crate) fn put(&mut self, path: &[u8], found: &Metadata, hash: &str) {
        if self.is_settled(found) {
            self.seen.insert(path.to_owned(), (look_of(found), hash.to_owned()));
        }
    }

    /// Saves the entries that this call used, and no others.
    pub(crate) fn save(self) -> Result<(), TreeError> {
        let mut bytes = Vec::new();
        write_field(&mut bytes, &self.context);
        for (path, (look, hash)) in &self.seen {
            for field in [path, look.as_bytes(), hash.as_bytes()] {
                write_field(&mut bytes, field);
            }
        }
        self.scratch.publish(self.name, &bytes)
    }

    fn is_settled(&self, found: &Metadata) -> bool {
        let Ok(now) = self.scratch.made().duration_since(UNIX_EPOCH) else { return false };
        let seconds = now.saturating_sub(SETTLED_AFTER).as_secs();
        let is_before = |time: i64| time < 0 || time.unsigned_abs() < seconds;
        is_before(found.mtime()) && is_before(found.ctime())
    }
}

fn entries(bytes: &[u8], context: &[u8]) -> Option<Entries> {
    let mut fields = Fields::of(bytes);
    (fields.next()? == context).then_some(())?;
    let mut entries = Entries::new();
    while let Some(path) = fields.next() {
        let (look, hash) = (fields.text()?.to_owned(), fields.text()?.to_owned());
        entries.insert(path.to_owned(), (look, hash));
    }
    Some(entries)
}

/// The metadata of a file as text. If a file changes, this text changes too.
pub(crate) fn look_of(found: &Metadata) -> String {
    format!(
        "{} {} {:o} {} {}.{} {}.{}",
        found.dev(),
        found.ino(),
        found.mode(),
        found.size(),
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec(),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LATER: Duration = Duration::from_secs(10);

    #[test]
    fn a_hash_is_kept_for_as_long_as_nothing_changes() {
        let directory = tempfile::tempdir().unwrap();
        let (private, file) = (directory.path().join("private"), directory.path().join("file"));
        let look = || fs::metadata(&file).unwrap();
        let scratch = Scratch::new(&private).unwrap().later(LATER);
        let load = |context: &[u8]| StatCache::load(&scratch, &private, "cache", context);
        fs::write(&file, "one").unwrap();
        let mut cache = load(b"context");
        assert_eq!(cache.get(b"file", &look()), None);
        cache.put(b"file", &look(), "hash of one");
        cache.save().unwrap();
        assert_eq!(load(b"other context").get(b"file", &look()), None);
        let mut cache = load(b"context");
        assert_eq!(cache.get(b"file", &look()).as_deref(), Some("hash of one"));
        cache.save().unwrap();
        fs::write(&file, "two").unwrap();
        let mut cache = load(b"context");
        assert_eq!(cache.get(b"file", &look()), None);
        cache.save().unwrap();
        // Entries that no call used aren't saved.
        assert_eq!(load(b"context").known, Entries::new());
    }

    #[test]
    fn a_file_that_was_just_written_is_hashed_again() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "one").unwrap();
        let found = fs::metadata(&file).unwrap();
        let scratch = Scratch::new(&directory.path().join("private")).unwrap();
        let mut cache = StatCache::load(&scratch, directory.path(), "cache", b"");
        cache.put(b"file", &found, "hash");
        assert_eq!(cache.seen, Entries::new());
    }

    #[test]
    fn a_damaged_cache_is_none() {
        for bytes in [&b""[..], b"context", b"context\0file\0look", b"context\0a\0\xff\0b\0"] {
            assert_eq!(entries(bytes, b"context").unwrap_or_default(), Entries::new());
        }
    }
}
