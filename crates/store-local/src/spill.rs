//! Spill files hold records that were written without waiting for a segment's lock. The lock's next
//! holder merges them.
//!
//! The name of a spill file has the id of its first record and the offset up to which its writer
//! had read the segment. Before that offset, the segment has neither the record itself nor another
//! report of the same occurrence, which would make the record a duplicate. So only the lines after
//! the offset are searched for both.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use verger_event::stored::{Carried, Damage, Decoded, encode};
use verger_event::{EventId, Occurrence, Record};
use verger_store::{Entry, StoreError, UnsafeDirectory};

use crate::chain::{Chain, Head, Ready, Scanned};
use crate::dir::Dir;
use crate::failure::failed;
use crate::line_reader::{LineReader, LineText};

const WAITING: &str = ".jsonl";
/// The suffix of a spill file whose records are merged, but that also has unreadable lines. Such a
/// file is kept.
const SET_ASIDE: &str = ".damaged";
const TEMPORARY: &str = ".new";
/// The maximum number of attempts to create a spill file. Another attempt is needed if another
/// process removes the empty spill directory just before the file is created.
const MAX_TRIES: usize = 64;

/// The spilled records, which wait to be merged.
#[derive(Default)]
pub(crate) struct Spilled {
    /// The records, the oldest first.
    pub(crate) records: Vec<Ready>,
    /// The lines of spill files that aren't records, as entries for readers of the log.
    pub(crate) unread: Vec<Entry>,
    /// The errors of spill files that could not be read.
    pub(crate) unreadable: Vec<StoreError>,
    /// The total length of the spill files in bytes.
    pub(crate) bytes: u64,
    files: Vec<SpillFile>,
    /// The ids and occurrences of records that were found in the segment.
    met: Met,
}

#[derive(Default)]
struct Met {
    ids: Vec<EventId>,
    occurrences: Vec<Occurrence>,
}

struct SpillFile {
    name: String,
    fate: Fate,
}

/// The treatment of a spill file after its records are merged. Unreadable lines are never
/// destroyed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Remove,
    SetAside,
    /// The file stays, because a newer version of verger wrote it and can read it.
    Leave,
}

impl Spilled {
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Notes a record of the segment, so that a spilled copy of it is left out.
    pub(crate) fn meet(&mut self, offset: u64, record: &Record) {
        if self.records.is_empty() || offset < self.unknown_from() {
            return;
        }
        self.met.ids.push(record.draft.id);
        self.met.occurrences.extend(occurrence(record));
    }

    /// Drops records that are already in the segment. Of several reports of one occurrence, only
    /// the first is kept: two hooks that spill at the same time don't see each other's report.
    pub(crate) fn leave_out_met(&mut self) {
        let Met { ids, occurrences } = &mut self.met;
        self.records.retain(|ready| {
            let occurrence = occurrence(&ready.record);
            let is_known = ids.contains(&ready.record.draft.id)
                || occurrence.is_some_and(|occurrence| occurrences.contains(&occurrence));
            occurrences.extend(occurrence);
            !is_known
        });
    }

    /// The smallest of the offsets up to which the writers of the spill files had read the segment.
    fn unknown_from(&self) -> u64 {
        self.files.iter().map(|file| read_by_writer(&file.name)).min().unwrap_or_default()
    }
}

fn occurrence(record: &Record) -> Option<Occurrence> {
    let draft = &record.draft;
    draft.event.occurrence(draft.origin.circumstance.prompt.as_ref())
}

fn is_missing(error: &StoreError) -> bool {
    matches!(error, StoreError::Io { source, .. } if source.kind() == ErrorKind::NotFound)
}

fn read_by_writer(name: &str) -> u64 {
    let read = name.strip_suffix(WAITING).and_then(|name| name.split_once('-'));
    read.and_then(|(_, read)| read.parse().ok()).unwrap_or_default()
}

impl Chain<'_> {
    fn spill_name(&self) -> String {
        format!("{}.spill", self.stem)
    }

    pub(crate) fn spill_path(&self) -> PathBuf {
        self.dir.path_of(&self.spill_name())
    }

    /// Writes the records to a spill file, which the next holder of the lock merges. The caller has
    /// read the segment up to `read`. `settle` is called with the file before the file gets its
    /// final name.
    pub(crate) fn spill(
        &self,
        records: &[Ready],
        read: u64,
        settle: impl Fn(&File) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let Some(first) = records.first() else { return Ok(()) };
        let mut lines = Vec::new();
        for Ready { record, body } in records {
            lines.extend(encode(&record.draft, 0, None, body)?);
        }
        let id = first.record.draft.id;
        let (name, temporary) = (format!("{id}-{read}{WAITING}"), format!("{id}{TEMPORARY}"));
        self.clear_the_way_for_spill(&id.to_string());
        let write = || {
            let (dir, mut file) = self.spill_file(&temporary)?;
            file.write_all(&lines)
                .and_then(|()| settle(&file))
                .map_err(failed("write", dir.path_of(&temporary)))
                .and_then(|()| dir.rename(&temporary, &name))
                .inspect_err(|_| drop(dir.remove(&temporary)))
        };
        // A process that removed the session may have removed the new file as a leftover, so it is
        // written once more.
        write().or_else(|error| if is_missing(&error) { write() } else { Err(error) })
    }

    /// Renames a file that is in place of the spill directory. A link stays and is refused, because
    /// it may be intentional. Errors are ignored here and reported when the directory is used.
    fn clear_the_way_for_spill(&self, id: &str) {
        let name = self.spill_name();
        if let Err(StoreError::Unsafe { problem: UnsafeDirectory::NotADirectory, .. }) =
            self.dir.existing_subdir(&name)
        {
            drop(self.dir.rename(&name, &format!("{name}.{id}{SET_ASIDE}")));
        }
    }

    /// Creates a file in the spill directory. A merging process removes the directory when it is
    /// empty, so this function creates it again if needed.
    fn spill_file(&self, name: &str) -> Result<(Dir, File), StoreError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let made = self.dir.subdir(&self.spill_name()).and_then(|dir| {
                let file = dir.create_new(name)?;
                Ok((dir, file))
            });
            match made {
                Err(error) if is_missing(&error) && tries < MAX_TRIES => {}
                other => return other,
            }
        }
    }

    /// The spilled records. Some may already be in the segment, if a process was killed after it
    /// merged them and before it removed the file.
    pub(crate) fn spilled(&self) -> Spilled {
        self.spilled_in(&[WAITING])
    }

    /// Like [`Self::spilled`], but includes the files that were set aside because of unreadable
    /// lines.
    pub(crate) fn spilled_and_set_aside(&self) -> Spilled {
        self.spilled_in(&[WAITING, SET_ASIDE])
    }

    /// Reads the spill files with these suffixes. Files that cannot be read stay in place and
    /// `verify` reports them; the segment stays usable.
    fn spilled_in(&self, endings: &[&str]) -> Spilled {
        let mut spilled = Spilled::default();
        let names = self.dir.existing_subdir(&self.spill_name()).and_then(|dir| match dir {
            Some(dir) => Ok(Some((dir.names()?, dir))),
            None => Ok(None),
        });
        match names {
            Ok(Some((names, dir))) => {
                for name in names {
                    if endings.iter().any(|ending| name.ends_with(ending))
                        && let Err(error) = self.read_spill(&dir, name, &mut spilled)
                    {
                        spilled.unreadable.push(error);
                    }
                }
            }
            Ok(None) => {}
            Err(error) => spilled.unreadable.push(error),
        }
        spilled
    }

    fn read_spill(&self, dir: &Dir, name: String, into: &mut Spilled) -> Result<(), StoreError> {
        let Some(file) = dir.read(&name)? else { return Ok(()) };
        let bytes = file.metadata().map_err(failed("look at", dir.path_of(&name)))?.len();
        let is_waiting = name.ends_with(WAITING);
        let mut fate = Fate::Remove;
        let (mut records, mut unread) = (vec![], vec![]);
        let (mut lines, mut carried) = (LineReader::new(&file, 0), Carried::default());
        while let Some(line) = lines.next().map_err(failed("read", dir.path_of(&name)))? {
            let decoded = match line.text {
                LineText::Ended(text) | LineText::Unended(text) => carried.decode(text),
                LineText::TooLong => Err(Damage::Checksum),
            };
            match decoded {
                Ok(Decoded::Line(stored)) if is_waiting => records.push(self.ready(*stored)),
                Ok(Decoded::Line(_)) => {}
                Ok(Decoded::Foreign { version, .. }) => {
                    fate = fate.max(Fate::Leave);
                    unread.push(Entry::Foreign { version });
                }
                Err(damage) => {
                    fate = fate.max(Fate::SetAside);
                    unread.push(Entry::Bad { offset: line.offset, damage });
                }
            }
        }
        into.records.append(&mut records);
        into.unread.append(&mut unread);
        if is_waiting {
            into.bytes += bytes;
            into.files.push(SpillFile { name, fate });
        }
        Ok(())
    }

    /// The spilled records that are not in the first `end` bytes of the segment.
    pub(crate) fn unmerged(&self, file: &File, end: u64) -> Result<Spilled, StoreError> {
        self.leave_out_merged(self.spilled(), file, end)
    }

    pub(crate) fn leave_out_merged(
        &self,
        mut spilled: Spilled,
        file: &File,
        end: u64,
    ) -> Result<Spilled, StoreError> {
        if spilled.records.is_empty() {
            return Ok(spilled);
        }
        let size = file.metadata().map_err(failed("look at", self.path()))?.len();
        // If the segment is shorter than the offset in the file's name, it was created again, so
        // all of it is searched.
        let from = Some(spilled.unknown_from()).filter(|from| *from <= size).unwrap_or_default();
        self.scan(file, &mut Head::at(from), |scanned| {
            if let Scanned::Record { before, line } = scanned
                && before.offset < end
            {
                let offset = before.offset;
                spilled.meet(offset, &self.resolve(*line));
            }
            Ok(())
        })?;
        spilled.leave_out_met();
        Ok(spilled)
    }

    /// Removes spill files after the merge, or sets them aside.
    pub(crate) fn forget(&self, spilled: &Spilled) -> Result<(), StoreError> {
        if spilled.is_empty() {
            return Ok(());
        }
        let name = self.spill_name();
        let Some(dir) = self.dir.existing_subdir(&name)? else { return Ok(()) };
        for SpillFile { name, fate } in &spilled.files {
            match fate {
                Fate::Remove => dir.remove(name)?,
                Fate::SetAside => dir.rename(name, &format!("{name}{SET_ASIDE}"))?,
                Fate::Leave => {}
            }
        }
        self.dir.remove_empty_dir(&name)
    }

    pub(crate) fn has_spill(&self) -> Result<bool, StoreError> {
        Ok(self.dir.existing_subdir(&self.spill_name())?.is_some())
    }

    /// Removes partly written spill files of killed processes. Must be called before the segment is
    /// removed.
    pub(crate) fn remove_spill_leftovers(&self) -> Result<(), StoreError> {
        let name = self.spill_name();
        // Anything other than a directory is left alone.
        let Ok(Some(dir)) = self.dir.existing_subdir(&name) else { return Ok(()) };
        for leftover in dir.names()?.iter().filter(|name| name.ends_with(TEMPORARY)) {
            dir.remove(leftover)?;
        }
        self.dir.remove_empty_dir(&name)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use verger_event::Event;
    use verger_event::stored::{Body, payload_json};
    use verger_store::conformance::{draft, key};

    use super::*;

    #[test]
    fn a_spill_file_that_is_removed_while_it_is_written_is_written_again() {
        let directory = tempfile::tempdir().unwrap();
        let root = Dir::root(&directory.path().join("data")).unwrap();
        let chain = Chain::of_session(&root, root.subdir("log").unwrap(), "s".to_owned());
        let draft =
            draft(&key("s"), Event::ObservationRecorded { text: "kept".to_owned(), author: None });
        let body = Body::Inline(payload_json(&draft.event).unwrap().into());
        let records = [Ready { record: Record { seq: 0, draft }, body }];
        let tries = Cell::new(0);
        let remove_once = |_: &File| {
            tries.set(tries.get() + 1);
            if tries.get() == 1 {
                chain.remove_spill_leftovers().unwrap();
            }
            Ok(())
        };
        chain.spill(&records, 0, remove_once).unwrap();
        assert_eq!((tries.get(), chain.spilled().records.len()), (2, 1));
    }
}
