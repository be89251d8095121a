//! The fold of a segment up to an offset, kept to save time. A cache: it may be missing, damaged or
//! of another version, and then the one before it or the segment itself serves.

use std::io::{Read, Write};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use verger_event::Fold;
use verger_event::stored::{is_intact, seal};
use verger_store::StoreError;

use crate::chain::Head;
use crate::dir::Dir;
use crate::failure::failed;
use crate::probe::{Point, Probe};

const VERSION: u32 = 1;
/// Folds are bounded; what is larger is not ours.
const MAX_SNAPSHOT_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct Snapshot<F> {
    v: u32,
    fold: u32,
    head: Head,
    state: F,
}

/// The two generations, newest first, each only if it can be used.
pub(crate) fn candidates<F: Fold>(dir: &Dir, stem: &str) -> impl Iterator<Item = (Head, F)> {
    [current(stem), previous(stem)].into_iter().filter_map(|name| load(dir, &name))
}

/// How far each generation says the segment went, whichever fold wrote it.
pub(crate) fn heads(dir: &Dir, stem: &str) -> Vec<(String, Head)> {
    let head = |name: String| parse::<IgnoredAny>(dir, &name).map(|found| (name, found.head));
    [current(stem), previous(stem)].into_iter().filter_map(head).collect()
}

fn current(stem: &str) -> String {
    format!("{stem}.json")
}

fn previous(stem: &str) -> String {
    format!("{stem}.json.1")
}

/// Only the holder of the lock writes one, so what a killed one left behind is overwritten.
fn temporary(stem: &str) -> String {
    format!("{stem}.json.new")
}

/// Whatever is wrong with a snapshot, there is something to fall back to.
fn load<F: Fold>(dir: &Dir, name: &str) -> Option<(Head, F)> {
    // The state of another version may not even parse, and must not be used when it does.
    let snapshot: Snapshot<F> = parse(dir, name)?;
    (snapshot.fold == F::VERSION).then_some((snapshot.head, snapshot.state))
}

fn parse<S: DeserializeOwned>(dir: &Dir, name: &str) -> Option<Snapshot<S>> {
    let file = dir.read(name).ok()??;
    let mut bytes = Vec::with_capacity(4096);
    file.take(MAX_SNAPSHOT_BYTES).read_to_end(&mut bytes).ok()?;
    let line = bytes.strip_suffix(b"\n")?;
    if !is_intact(line) {
        return None;
    }
    serde_json::from_slice(line).ok().filter(|snapshot: &Snapshot<S>| snapshot.v == VERSION)
}

/// Replaces the snapshot by rename; the old one becomes the previous generation.
pub(crate) fn save<F: Fold>(
    dir: &Dir,
    stem: &str,
    (head, state): (&Head, &F),
    probe: &impl Probe,
) -> Result<(), StoreError> {
    let name = current(stem);
    let temporary = temporary(stem);
    let snapshot = Snapshot { v: VERSION, fold: F::VERSION, head: head.clone(), state };
    let line = serde_json::to_vec(&snapshot)
        .map(seal)
        .map_err(|error| failed("serialise", dir.path_of(&name))(std::io::Error::other(error)))?;
    let mut file = dir.create(&temporary)?;
    file.write_all(&line).map_err(failed("write", dir.path_of(&temporary)))?;
    // Out of the way first: some file systems write a file to disk at once when it replaces another,
    // which takes longer than the rest of the turn, for a cache.
    dir.remove(&previous(stem))?;
    match dir.rename(&name, &previous(stem)) {
        Err(StoreError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
        other => other?,
    }
    probe.reached(Point::SnapshotMoved);
    dir.rename(&temporary, &name)?;
    probe.reached(Point::SnapshotReplaced);
    Ok(())
}

pub(crate) fn remove(dir: &Dir, stem: &str) -> Result<(), StoreError> {
    dir.remove(&current(stem))?;
    dir.remove(&previous(stem))?;
    dir.remove(&temporary(stem))
}
