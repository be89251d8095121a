//! Copies durable records to their project's segment, because they must outlive their session.

use std::fs::File;
use std::time::Duration;

use verger_event::{Event, Fold, ProjectId};
use verger_store::StoreError;

use crate::chain::{Chain, Head, Ready, Scanned};
use crate::failure::failed;
use crate::probe::Probe;
use crate::snapshot;
use crate::snapshot_name::{SnapshotName, SnapshotPlace};
use crate::store::LocalStore;

/// The maximum time to wait for the lock of a project's segment. Every session of every agent
/// writes to its project, and the session's own lock stays held during the wait.
const PROJECT_LOCK_WAIT: Duration = Duration::from_millis(200);

/// Durable records grouped by their project, in order.
#[derive(Default)]
pub(crate) struct Durable {
    projects: Vec<(ProjectId, Vec<Ready>)>,
    /// The number of durable records that no project's segment can store: records without a
    /// project, and lines of an unknown version that may be durable.
    unplaced: u64,
}

impl Durable {
    /// Adds the record to the others if it is durable.
    pub(crate) fn take(&mut self, ready: Ready) {
        let event = &ready.record.draft.event;
        if matches!(event, Event::Unknown { .. }) {
            self.unplaced += 1;
        }
        if !event.is_durable() {
            return;
        }
        let Some(project) = ready.record.draft.origin.project.as_ref() else {
            self.unplaced += 1;
            return;
        };
        match self.projects.iter_mut().find(|(known, _)| known == project) {
            Some((_, records)) => records.push(ready),
            None => self.projects.push((project.clone(), vec![ready])),
        }
    }

    /// The number of records that would be lost if the session were removed.
    pub(crate) fn at_stake(&self) -> u64 {
        self.len().saturating_add(self.unplaced)
    }

    pub(crate) fn len(&self) -> u64 {
        self.projects.iter().map(|(_, records)| records.len() as u64).sum()
    }

    pub(crate) fn into_projects(self) -> Vec<(ProjectId, Vec<Ready>)> {
        self.projects
    }
}

impl<P: Probe> LocalStore<P> {
    /// Saves a snapshot of a project's state, which was folded without the lock. Does nothing if
    /// the lock is not free, because every session of the project needs the lock to write. The next
    /// reader can save the snapshot instead.
    pub(crate) fn save_unless_busy<G: Fold>(
        &self,
        chain: &Chain<'_>,
        file: &File,
        place: &SnapshotPlace<'_>,
        name: &SnapshotName,
        head: &Head,
        state: &G,
    ) -> Result<(), StoreError> {
        let saved = chain.lock(Duration::ZERO).and_then(|lock| match lock {
            // The last lines that were read may have been only partly written and then removed.
            Some(_lock) if head.is_in(file) => {
                snapshot::save(place, name, head, state, &self.probe)
            }
            Some(_) | None => Ok(()),
        });
        // Without permission to write, no snapshot is saved. That is not an error.
        saved.or_else(|error| if error.is_refusal() { Ok(()) } else { Err(error) })
    }

    /// Appends durable records to their project's segment, and syncs them to disk.
    pub(crate) fn keep_in_project(
        &self,
        project: &ProjectId,
        records: Vec<Ready>,
    ) -> Result<(), StoreError> {
        let chain = self.project_chain(&project.file_stem())?;
        let Some(_lock) = chain.lock(PROJECT_LOCK_WAIT)? else {
            return chain.spill(&records, chain.size()?, File::sync_data);
        };
        let file = chain.opened()?;
        let mut head = chain.end(&file)?;
        let mut spilled = chain.unmerged(&file, u64::MAX)?;
        let mut all = std::mem::take(&mut spilled.records);
        all.extend(records);
        chain.append(&file, &mut head, &all)?;
        file.sync_data().map_err(failed("sync", chain.path()))?;
        if spilled.is_empty() { Ok(()) } else { chain.forget(&spilled) }
    }

    /// Merges the spilled records of a session into its segment and copies the durable ones to
    /// their project's segment. The caller must hold the session's lock.
    pub(crate) fn merge(&self, chain: &Chain<'_>) -> Result<(), StoreError> {
        // Returns early, because opening the segment would create an empty one.
        if chain.spilled().is_empty() {
            return Ok(());
        }
        let file = chain.opened()?;
        let spilled = chain.unmerged(&file, u64::MAX)?;
        self.mark_changed(&chain.stem);
        if !spilled.records.is_empty() {
            chain.append(&file, &mut chain.end(&file)?, &spilled.records)?;
        }
        chain.forget(&spilled)?;
        self.mark_changed(&chain.stem);
        let mut durable = Durable::default();
        for ready in spilled.records {
            durable.take(ready);
        }
        for (project, records) in durable.into_projects() {
            self.keep_in_project(&project, records)?;
        }
        Ok(())
    }

    /// The durable records in a session's segment that are missing in its project's segment.
    pub(crate) fn unsettled(&self, chain: &Chain<'_>) -> Result<Durable, StoreError> {
        let mut durable = Durable::default();
        if let Some(file) = chain.existing()? {
            chain.scan(&file, &mut Head::default(), |scanned| {
                match scanned {
                    Scanned::Record { line, .. } => durable.take(chain.ready(*line)),
                    Scanned::Foreign { .. } => durable.unplaced += 1,
                    Scanned::Bad { .. } => {}
                }
                Ok(())
            })?;
        }
        for (project, records) in &mut durable.projects {
            self.leave_out_kept(project, records)?;
        }
        durable.projects.retain(|(_, records)| !records.is_empty());
        Ok(durable)
    }

    fn leave_out_kept(
        &self,
        project: &ProjectId,
        records: &mut Vec<Ready>,
    ) -> Result<(), StoreError> {
        let chain = self.project_chain(&project.file_stem())?;
        // Lists the spill before it opens the segment, so that records merged in between are still
        // read.
        let mut kept: Vec<_> = chain.spilled().records.iter().map(|r| r.record.draft.id).collect();
        if let Some(file) = chain.existing()? {
            chain.scan(&file, &mut Head::default(), |scanned| {
                if let Scanned::Record { line, .. } = scanned {
                    kept.push(line.id());
                }
                Ok(())
            })?;
        }
        kept.sort_unstable();
        records.retain(|ready| kept.binary_search(&ready.record.draft.id).is_err());
        Ok(())
    }
}
