//! Snapshots: the state folded from a segment up to an offset, stored in a file. A snapshot is a
//! cache. If it is missing, damaged or of another version, the previous snapshot or the segment
//! itself is used.
//!
//! The snapshot that every turn reads has two files. A new snapshot overwrites the older file, and
//! then the two files exchange their names. Creating and removing files would cost more than all
//! other file operations of a turn.

use std::fs::File;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use rustix::buffer::spare_capacity;
use rustix::io::retry_on_intr;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use verger_event::stored::{is_intact, seal};
use verger_event::{Fold, Form};
use verger_store::StoreError;

use crate::chain::Head;
use crate::dir::Dir;
use crate::failure::failed;
use crate::probe::{Point, Probe};
use crate::snapshot_name::{SnapshotName, SnapshotPlace};

const VERSION: u32 = 2;
/// The maximum size of a snapshot. Folded states are bounded, so verger writes no larger one.
const MAX_SNAPSHOT_BYTES: usize = 4 * 1024 * 1024;
/// The size of the first read of a snapshot. Most snapshots are shorter.
const FIRST_READ_BYTES: usize = 4096;
/// The number of records after the last snapshot at which a new snapshot is written.
const MAX_TAIL_RECORDS: u64 = 16;
/// The limits for the number of bytes after the last snapshot at which a new snapshot is written.
/// Within these limits, it is the length of the last snapshot: reading as many bytes again costs as
/// much as writing a snapshot.
const TAIL_BYTES: RangeInclusive<u64> = 2 * 1024..=24 * 1024;

#[derive(Serialize, Deserialize)]
struct Snapshot<F> {
    v: u32,
    fold: u32,
    head: Head,
    state: F,
}

/// A usable snapshot. The state is boxed, because moving it on the stack several times would touch
/// new memory pages each time.
#[derive(Default)]
pub(crate) struct Loaded<F> {
    pub(crate) base: Base,
    pub(crate) state: Box<F>,
}

/// The snapshot that a state was folded from.
#[derive(Default)]
pub(crate) struct Base {
    pub(crate) head: Head,
    /// The length of the snapshot's file in bytes.
    pub(crate) bytes: u64,
}

impl Base {
    /// Whether the tail between this snapshot and `head` is so long that a new snapshot is due.
    pub(crate) fn is_left_behind(&self, head: &Head) -> bool {
        let records = head.seq.saturating_sub(self.head.seq);
        let bytes = head.offset.saturating_sub(self.head.offset);
        let enough = self.bytes.clamp(*TAIL_BYTES.start(), *TAIL_BYTES.end());
        records >= MAX_TAIL_RECORDS || bytes >= enough
    }
}

/// The newest usable snapshot file, and the value that `tail` returned for it.
pub(crate) struct Newest<F, T> {
    pub(crate) found: Option<(Loaded<F>, T)>,
    /// Whether an intact newer snapshot was found whose last record is not at its position in the
    /// segment.
    pub(crate) is_contradicted: bool,
}

/// Finds the newest usable snapshot file. Errors of the directory are ignored here; the next write
/// of a snapshot reports them.
pub(crate) fn newest<F: Fold, T>(
    place: &SnapshotPlace<'_>,
    name: &SnapshotName,
    tail: impl Fn(&Head) -> Option<T>,
) -> Newest<F, T> {
    let mut is_contradicted = false;
    let found = place.existing().ok().flatten().and_then(|dir| {
        [name.current(), name.previous()].into_iter().find_map(|file| {
            let found = load::<F>(dir, &file)?;
            let tail = tail(&found.base.head);
            is_contradicted |= tail.is_none();
            Some((found, tail?))
        })
    });
    Newest { found, is_contradicted }
}

/// The heads in all readable snapshot files of this name, whichever fold wrote them.
pub(crate) fn heads(root: &Dir, name: &SnapshotName) -> Result<Vec<(PathBuf, Head)>, StoreError> {
    let place = name.place(root);
    let Some(dir) = place.existing()? else { return Ok(vec![]) };
    let head = |file: String| {
        let found = readable::<IgnoredAny>(&content(dir, &file)?)?;
        (found.v == VERSION).then(|| (dir.path_of(&file), found.head))
    };
    Ok([name.current(), name.previous()].into_iter().filter_map(head).collect())
}

/// Loads a snapshot. Returns `None` if the snapshot can't be used.
fn load<F: Fold>(dir: &Dir, name: &str) -> Option<Loaded<F>> {
    let bytes = content(dir, name)?;
    let snapshot: Snapshot<Box<F>> = match F::FORM {
        Form::Readable => readable(&bytes)?,
        Form::Compact => compact(&bytes)?,
    };
    // A state from another version of the fold must not be used, even if it can be parsed.
    let Snapshot { v, fold, head, state } = snapshot;
    let base = Base { head, bytes: bytes.len() as u64 };
    (v == VERSION && fold == F::VERSION).then_some(Loaded { base, state })
}

fn readable<S: DeserializeOwned>(bytes: &[u8]) -> Option<Snapshot<S>> {
    let line = bytes.strip_suffix(b"\n").filter(|line| is_intact(line))?;
    serde_json::from_str(str::from_utf8(line).ok()?).ok()
}

fn compact<S: DeserializeOwned>(bytes: &[u8]) -> Option<Snapshot<S>> {
    let (body, crc) = bytes.split_last_chunk()?;
    let is_intact = crc32fast::hash(body).to_be_bytes() == *crc;
    is_intact.then(|| postcard::from_bytes(body).ok())?
}

/// Reads a whole file. A read that does not fill the buffer has reached the end, so one read is
/// usually enough.
fn content(dir: &Dir, name: &str) -> Option<Vec<u8>> {
    let file = dir.read(name).ok()??;
    let mut bytes = Vec::with_capacity(FIRST_READ_BYTES);
    loop {
        retry_on_intr(|| rustix::io::read(&file, spare_capacity(&mut bytes))).ok()?;
        if bytes.len() < bytes.capacity() {
            return Some(bytes);
        }
        if bytes.len() >= MAX_SNAPSHOT_BYTES {
            return None;
        }
        bytes.reserve_exact(bytes.len());
    }
}

/// Saves a snapshot. The existing snapshot becomes the previous one. The caller must hold the lock.
/// Overwrites a file that a killed process wrote partly.
pub(crate) fn save<F: Fold>(
    place: &SnapshotPlace<'_>,
    name: &SnapshotName,
    head: &Head,
    state: &F,
    probe: &impl Probe,
) -> Result<(), StoreError> {
    let dir = place.made()?;
    let (name, spare) = (name.current(), name.previous());
    let line = written(dir, &name, head, state)?;
    overwrite(dir, &spare, &line)?;
    probe.reached(Point::SnapshotWritten);
    dir.exchange(&spare, &name)?;
    probe.reached(Point::SnapshotReplaced);
    Ok(())
}

/// Like `save`, but keeps no previous snapshot. Used for folds that few turns read, because
/// exchanging the names is a third of the cost of saving. A reader that finds an incomplete
/// snapshot folds the whole segment.
pub(crate) fn save_over<F: Fold>(
    place: &SnapshotPlace<'_>,
    name: &SnapshotName,
    head: &Head,
    state: &F,
    probe: &impl Probe,
) -> Result<(), StoreError> {
    let dir = place.made()?;
    let name = name.current();
    overwrite(dir, &name, &written(dir, &name, head, state)?)?;
    probe.reached(Point::SnapshotWritten);
    Ok(())
}

fn written<F: Fold>(dir: &Dir, name: &str, head: &Head, state: &F) -> Result<Vec<u8>, StoreError> {
    let snapshot = Snapshot { v: VERSION, fold: F::VERSION, head: head.clone(), state };
    let written = match F::FORM {
        Form::Readable => serde_json::to_vec(&snapshot).map(seal).map_err(io::Error::other),
        Form::Compact => postcard::to_extend(&snapshot, Vec::with_capacity(FIRST_READ_BYTES))
            .map(|mut bytes| {
                let crc = crc32fast::hash(&bytes);
                bytes.extend(crc.to_be_bytes());
                bytes
            })
            .map_err(io::Error::other),
    };
    written.map_err(failed("serialise", dir.path_of(name)))
}

fn overwrite(dir: &Dir, name: &str, line: &[u8]) -> Result<(), StoreError> {
    let file = if let Ok(file) = dir.overwrite(name) {
        file
    } else {
        // Something other than a regular file has the snapshot's name, so it isn't verger's and is
        // removed.
        dir.remove(name)?;
        dir.overwrite(name)?
    };
    replace_content(file, line).map_err(failed("write", dir.path_of(name)))
}

/// Overwrites a file's content, and then truncates the file if it was longer. Emptying the file
/// first would take longer than the rest of the turn, because some file systems then sync the file.
fn replace_content(mut file: File, content: &[u8]) -> io::Result<()> {
    let len = content.len() as u64;
    file.write_all(content)?;
    if file.metadata()?.len() > len { file.set_len(len) } else { Ok(()) }
}

pub(crate) fn remove(root: &Dir, name: &SnapshotName) -> Result<(), StoreError> {
    let place = name.place(root);
    let Some(dir) = place.existing()? else { return Ok(()) };
    dir.remove(&name.current())?;
    dir.remove(&name.previous())
}
