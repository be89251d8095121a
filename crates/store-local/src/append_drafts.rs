//! Appends records to a session without folding its state. A server does this often and from many
//! threads.

use std::collections::BTreeSet;
use std::fs::File;

use verger_event::{Draft, EventId, SessionKey};
use verger_store::{Append, MAX_COMPARED, Receipt, StoreError, prepare};

use crate::chain::{Chain, Head, Ready};
use crate::probe::Probe;
use crate::project::Durable;
use crate::store::LocalStore;
use crate::turn::into_ready;

impl<P: Probe> Append for LocalStore<P> {
    fn append(&self, key: &SessionKey, drafts: Vec<Draft>) -> Result<Receipt, StoreError> {
        let redact = |text: &str| self.redaction.redact(&self.root, text);
        let ready = drafts.into_iter().map(|draft| into_ready(self, prepare(draft, &redact)?));
        let mut ready = ready.collect::<Result<Vec<_>, StoreError>>()?;
        let chain = self.session_chain(&key.file_stem())?;
        let Some(_lock) = self.lock(&chain)? else {
            // The process that merges the spilled records compares them with the records that were
            // appended meanwhile.
            let head = match chain.existing()? {
                Some(file) => leave_out_last(&chain, &file, &mut ready)?,
                None => Head::default(),
            };
            self.mark_changed(&chain.stem);
            chain.spill(&ready, head.offset, |_| Ok(()))?;
            self.mark_changed(&chain.stem);
            return Ok(Receipt::Spilled);
        };
        self.merge(&chain)?;
        let file = chain.opened()?;
        let mut head = leave_out_last(&chain, &file, &mut ready)?;
        if !ready.is_empty() {
            self.mark_changed(&chain.stem);
            chain.append(&file, &mut head, &ready)?;
            self.mark_changed(&chain.stem);
            self.keep_durable(ready);
        }
        Ok(Receipt::Logged { last_seq: head.seq })
    }

    fn is_sealed(&self) -> bool {
        let name = format!("write-test.{}", std::process::id());
        let tried = self.root.create(&name).and_then(|_| self.root.remove(&name));
        tried.is_err_and(|error| error.is_refusal())
    }
}

/// Removes the records from `ready` that are already among the segment's last ones. Returns the
/// head at the segment's end.
fn leave_out_last(
    chain: &Chain<'_>,
    file: &File,
    ready: &mut Vec<Ready>,
) -> Result<Head, StoreError> {
    let (head, ids) = chain.end_with(file, MAX_COMPARED)?;
    let known: BTreeSet<EventId> = ids.into_iter().collect();
    ready.retain(|ready| !known.contains(&ready.record.draft.id));
    Ok(head)
}

impl<P: Probe> LocalStore<P> {
    /// Copies the durable records to their projects' segments. A failure is noted, and a later turn
    /// copies the records again.
    fn keep_durable(&self, records: Vec<Ready>) {
        let mut durable = Durable::default();
        for ready in records {
            durable.take(ready);
        }
        for (project, records) in durable.into_projects() {
            self.note_unfinished(self.keep_in_project(&project, records));
        }
    }
}
