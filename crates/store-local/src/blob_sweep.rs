//! Removes blobs that no line of the log refers to any more.
//!
//! The sweep searches the bytes of the log for blob names, not its decoded records. So a damaged
//! line, or one of an unknown version, still keeps its blob.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::UNIX_EPOCH;

use verger_event::Timestamp;
use verger_store::StoreError;

use crate::dir::Dir;
use crate::failure::failed;
use crate::probe::Probe;
use crate::snapshot_name::is_beside;
use crate::store::{LocalStore, is_bucket};

/// The minimum age of a removed blob. A blob is written before the line that refers to it, and no
/// hook call takes this long in between.
const KEPT_MILLIS: u64 = 60 * 60 * 1000;
const NAME_BYTES: usize = 64;
/// The suffix of a blob's file that was renamed before its removal.
const ASIDE: &str = ".aside";
const TEMPORARY: &str = ".new";
const LOCK: &str = ".lock";
const SPILL: &str = ".spill";

/// A count of blobs, and their total size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Blobs {
    /// The number of these blobs.
    pub count: u64,
    /// The total size of these blobs in bytes.
    pub bytes: u64,
}

impl Blobs {
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl<P: Probe> LocalStore<P> {
    /// Finds the blobs that no line would refer to if the sessions `leaving` were removed.
    pub fn unnamed_blobs(
        &self,
        leaving: &BTreeSet<String>,
        now: Timestamp,
    ) -> Result<Blobs, StoreError> {
        let mut blobs = Blobs::default();
        self.unnamed(leaving, now)?.values().for_each(|bytes| blobs.add(*bytes));
        Ok(blobs)
    }

    /// Removes the blobs that no line of the log refers to.
    pub fn remove_unnamed_blobs(&self, now: Timestamp) -> Result<Blobs, StoreError> {
        self.tidy_blob_directories(now)?;
        let mut removed = Blobs::default();
        for (name, bytes) in self.unnamed(&BTreeSet::new(), now)? {
            if self.remove_blob(&name, now)? == Removal::Gone {
                removed.add(bytes);
            }
        }
        Ok(removed)
    }

    /// The names and sizes of blobs that no line refers to. Fails if a file of the log can't be
    /// read, because its lines might refer to any blob.
    fn unnamed(
        &self,
        leaving: &BTreeSet<String>,
        now: Timestamp,
    ) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut unnamed = BTreeMap::new();
        for dir in self.buckets("blobs")? {
            for name in dir.names()?.into_iter().filter(|name| is_blob_name(name)) {
                if let Some(Seen { age: Age::Old, bytes }) = look(&dir, &name, now)? {
                    unnamed.insert(name, bytes);
                }
            }
        }
        if unnamed.is_empty() {
            return Ok(unnamed);
        }
        let mut places = self.buckets("log")?;
        places.extend(self.root.existing_subdir("projects")?);
        for dir in &places {
            for name in dir.names()? {
                let stem = name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(SPILL));
                let is_leaving = stem.is_some_and(|stem| leaving.contains(stem));
                // A snapshot isn't part of the log, so a blob's name in it doesn't count.
                if !is_leaving && !name.ends_with(LOCK) && !is_beside(&name) {
                    keep_named_in(dir, &name, &mut unnamed)?;
                }
            }
        }
        Ok(unnamed)
    }

    fn buckets(&self, name: &str) -> Result<Vec<Dir>, StoreError> {
        let Some(parent) = self.root.existing_subdir(name)? else { return Ok(vec![]) };
        let names = parent.names()?.into_iter().filter(|name| is_bucket(name));
        names.filter_map(|name| parent.existing_subdir(&name).transpose()).collect()
    }

    /// Renames the blob before removing it. A hook that uses an existing blob first renews the time
    /// of the blob's file. If the hook does so before the rename, this function sees the new time
    /// and puts the blob back. If it does so later, the hook finds no blob and writes a new one.
    fn remove_blob(&self, name: &str, now: Timestamp) -> Result<Removal, StoreError> {
        let dir = self.root.subdir("blobs")?.subdir(&name[..2])?;
        let aside = format!("{name}{ASIDE}");
        dir.rename(name, &aside)?;
        match look(&dir, &aside, now)? {
            Some(Seen { age: Age::Young, .. }) => {
                put_back(&dir, name)?;
                Ok(Removal::WantedAgain)
            }
            Some(_) | None => dir.remove(&aside).map(|()| Removal::Gone),
        }
    }

    /// Cleans up after killed processes: puts back renamed blobs, and removes old temporary files.
    fn tidy_blob_directories(&self, now: Timestamp) -> Result<(), StoreError> {
        for dir in self.buckets("blobs")? {
            for name in dir.names()? {
                if let Some(name) = name.strip_suffix(ASIDE) {
                    put_back(&dir, name)?;
                } else if name.ends_with(TEMPORARY)
                    && let Some(Seen { age: Age::Old, .. }) = look(&dir, &name, now)?
                {
                    dir.remove(&name)?;
                }
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removal {
    Gone,
    WantedAgain,
}

struct Seen {
    age: Age,
    bytes: u64,
}

enum Age {
    Old,
    Young,
}

fn look(dir: &Dir, name: &str, now: Timestamp) -> Result<Option<Seen>, StoreError> {
    let Some(file) = dir.read(name)? else { return Ok(None) };
    let metadata = file.metadata().map_err(failed("look at", dir.path_of(name)))?;
    let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let modified = modified.and_then(|since| u64::try_from(since.as_millis()).ok());
    // A file whose time is unknown or in the future counts as young, so it is not removed.
    let is_old = modified.is_some_and(|at| now.as_millis().saturating_sub(at) >= KEPT_MILLIS);
    let age = if is_old { Age::Old } else { Age::Young };
    Ok(Some(Seen { age, bytes: metadata.len() }))
}

/// Puts back a renamed blob. If another process has written the blob again meanwhile, removes the
/// renamed one.
fn put_back(dir: &Dir, name: &str) -> Result<(), StoreError> {
    let aside = format!("{name}{ASIDE}");
    match dir.rename_unless_there(&aside, name) {
        Err(StoreError::Io { source, .. })
            if source.kind() == std::io::ErrorKind::AlreadyExists =>
        {
            dir.remove(&aside)
        }
        Err(StoreError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(())
        }
        other => other,
    }
}

fn is_blob_name(name: &str) -> bool {
    name.len() == NAME_BYTES && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Removes from `unnamed` all blobs to which a file or directory refers.
fn keep_named_in(
    dir: &Dir,
    name: &str,
    unnamed: &mut BTreeMap<String, u64>,
) -> Result<(), StoreError> {
    if !name.ends_with(SPILL) {
        let Some(file) = dir.read(name)? else { return Ok(()) };
        return keep_named(&file, unnamed).map_err(failed("read", dir.path_of(name)));
    }
    let Some(spill) = dir.existing_subdir(name)? else { return Ok(()) };
    for name in spill.names()? {
        keep_named_in(&spill, &name, unnamed)?;
    }
    Ok(())
}

fn keep_named(file: &File, unnamed: &mut BTreeMap<String, u64>) -> std::io::Result<()> {
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    // The hexadecimal digits just read, in an unbroken sequence.
    let mut digits = Vec::with_capacity(2 * NAME_BYTES);
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(());
        }
        for byte in chunk {
            if !byte.is_ascii_hexdigit() {
                digits.clear();
                continue;
            }
            if digits.len() == 2 * NAME_BYTES {
                digits.drain(..=NAME_BYTES);
            }
            digits.push(*byte);
            if let Some(name) = digits.last_chunk::<NAME_BYTES>()
                && let Ok(name) = std::str::from_utf8(name)
            {
                unnamed.remove(name);
            }
        }
        let read = chunk.len();
        reader.consume(read);
    }
}
