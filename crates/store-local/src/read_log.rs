//! Reads the log on disk, without locks.

use std::borrow::Cow;
use std::sync::PoisonError;

use verger_event::{Fold, ProjectId, SessionKey};
use verger_store::{Entry, ReadLog, SegmentName, StoreError};

use crate::chain::{Head, Scanned};
use crate::probe::Probe;
use crate::snapshot_name::SnapshotName;
use crate::store::{Folded, LocalStore, bucket, bytes_of, fold, is_bucket, stems};
use crate::turn::fold_unlocked;

impl<P: Probe> ReadLog for LocalStore<P> {
    fn segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        let mut segments = vec![];
        if let Some(log) = self.root.existing_subdir("log")? {
            for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
                let stems = self.or_note(stems(&log, &bucket));
                segments.extend(stems.into_iter().map(SegmentName::Session));
            }
        }
        let projects = self.or_note(stems(&self.root, "projects"));
        segments.extend(projects.into_iter().map(SegmentName::Project));
        segments.sort();
        Ok(segments)
    }

    fn has_session(&self, stem: &str) -> bool {
        let path = format!("log/{}/{stem}", bucket(stem));
        let has = |ending: &str| self.root.has(&format!("{path}{ending}"));
        !stem.contains('/') && (has(".jsonl") || has(".spill"))
    }

    fn has_other_sessions(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(log) = self.root.existing_subdir("log")? else { return Ok(false) };
        let own = key.file_stem();
        for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
            if stems(&log, &bucket)?.iter().any(|stem| *stem != own) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The key of the session, from its first readable record. If a secret was redacted from that
    /// record's key, the key no longer matches the segment, so the key in the file's name is used.
    fn key_of(&self, stem: &str) -> Result<Option<SessionKey>, StoreError> {
        let mut named = None;
        let chain = self.session_chain(stem)?;
        if let Some(file) = chain.existing()? {
            chain.first_record(&file, |line| named = Some(line.into_record(None)))?;
        }
        if named.is_none() {
            named = chain.spilled().records.into_iter().next().map(|ready| ready.record);
        }
        let key = named.map(|record| record.draft.origin.session_key());
        Ok(key.filter(|key| key.file_stem() == stem).or_else(|| SessionKey::of_file_stem(stem)))
    }

    fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError> {
        bytes_of(&self.session_chain(stem)?)
    }

    fn project_bytes(&self, project: &ProjectId) -> Result<u64, StoreError> {
        self.project_chain(&project.file_stem())?.size()
    }

    fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        let chain = self.chain(segment)?;
        // Lists the spill before it opens the segment, so that records merged in between are still
        // read.
        let mut spilled = chain.spilled_and_set_aside();
        if let Some(file) = chain.existing()? {
            chain.scan(&file, &mut Head::default(), |scanned| {
                each(match scanned {
                    Scanned::Record { before, line } => {
                        let record = chain.resolve(*line);
                        spilled.meet(before.offset, &record);
                        Entry::Record(Box::new(record))
                    }
                    Scanned::Foreign { version } => Entry::Foreign { version },
                    Scanned::Bad { offset, damage } => Entry::Bad { offset, damage },
                });
                Ok(())
            })?;
        }
        spilled.leave_out_met();
        for ready in spilled.records {
            each(Entry::Spilled(Box::new(ready.record)));
        }
        spilled.unread.into_iter().for_each(each);
        Ok(())
    }

    fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        self.folded_from(&self.session_chain(stem)?, &SnapshotName::of_session(stem))
    }

    fn folded_beside<G: Fold>(&self, stem: &str, name: &'static str) -> Result<G, StoreError> {
        self.folded_from(&self.session_chain(stem)?, &SnapshotName::beside_session::<G>(stem, name))
    }

    fn project_fold<G: Fold>(
        &self,
        project: &ProjectId,
        name: &'static str,
    ) -> Result<G, StoreError> {
        let chain = self.project_chain(&project.file_stem())?;
        let snapshot = SnapshotName::beside_project::<G>(&chain.stem, name);
        let (_, state) = fold_unlocked(&chain, |file| {
            let place = snapshot.place(&self.root);
            let Folded { base, head, state, .. } = fold::<G>(&chain, file, &place, &snapshot)?;
            if base.is_left_behind(&head) {
                let saved = self.save_unless_busy(&chain, file, &place, &snapshot, &head, &*state);
                self.note_unfinished(saved);
            }
            Ok((head, state))
        })?;
        Ok(*state)
    }

    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redaction.redact(&self.root, text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn take_unfinished(&self) -> Vec<StoreError> {
        std::mem::take(&mut *self.unfinished.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
