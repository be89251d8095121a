//! Follows the log: returns new records as they are written.
//!
//! The kernel reports every write to a segment. Where it can't, as on a network mount, a follower
//! compares the sizes of all segments once a second.

#[cfg(target_os = "linux")]
mod notification;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;
use verger_event::Record;
use verger_store::{FollowLog, Following, StoreError};

#[cfg(target_os = "linux")]
use self::notification::Notification;
use crate::chain::{Head, Scanned};
use crate::failure::failed;
use crate::probe::Probe;
use crate::store::LocalStore;

/// The interval at which a follower compares sizes if there are no kernel notifications.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The way in which a follower notices new records.
enum Watch {
    #[cfg(target_os = "linux")]
    Notified(Notification),
    Looking,
}

/// The segments that may have grown.
#[derive(Debug, Default, PartialEq, Eq)]
struct Touched {
    stems: BTreeSet<String>,
    /// Whether notifications were lost, so that any segment may have grown.
    all: bool,
}

/// The position in a segment up to which a follower has returned the records.
enum Given {
    /// The length that the segment had when following began. Earlier records are not returned.
    Before(u64),
    To(Box<Head>),
}

/// Follows a log on disk.
pub struct LocalFollowing<'a, P> {
    store: &'a LocalStore<P>,
    watch: Watch,
    given: BTreeMap<String, Given>,
}

impl<P: Probe + Sync> FollowLog for LocalStore<P> {
    type Following<'a>
        = LocalFollowing<'a, P>
    where
        P: 'a;

    fn follow(&self) -> Result<LocalFollowing<'_, P>, StoreError> {
        // The watch begins before the sizes are read, so that no change in between is missed.
        let watch = self.watch();
        let sizes = self.segment_sizes()?.into_iter();
        let given = sizes.map(|(stem, size)| (stem, Given::Before(size))).collect();
        Ok(LocalFollowing { store: self, watch, given })
    }
}

impl<P: Probe> LocalStore<P> {
    /// Whether the kernel notifies followers of new records. If not, followers compare sizes once a
    /// second.
    pub fn tells_followers(&self) -> bool {
        !matches!(self.watch(), Watch::Looking)
    }

    #[cfg(target_os = "linux")]
    fn watch(&self) -> Watch {
        Notification::begin(&self.root).map_or(Watch::Looking, Watch::Notified)
    }

    #[cfg(not(target_os = "linux"))]
    fn watch(&self) -> Watch {
        Watch::Looking
    }
}

impl<P: Probe + Sync> Following for LocalFollowing<'_, P> {
    fn next(&mut self, wait: Duration) -> Result<Vec<Record>, StoreError> {
        let touched = match &mut self.watch {
            #[cfg(target_os = "linux")]
            Watch::Notified(notification) => notification.wait(wait)?,
            Watch::Looking => {
                let root = self.store.root.path_of("");
                sleep(&mut [], wait.min(LOOK_EVERY)).map_err(failed("wait at", root))?;
                Touched { all: true, ..Touched::default() }
            }
        };
        let mut stems = touched.stems;
        if touched.all {
            let is_given = |stem: &String, size| match self.given.get(stem) {
                Some(Given::Before(known)) => *known == size,
                Some(Given::To(head)) => head.offset == size,
                None => false,
            };
            let sizes = self.store.segment_sizes()?.into_iter();
            stems.extend(sizes.filter(|(stem, size)| !is_given(stem, *size)).map(|(stem, _)| stem));
        }
        let mut records = vec![];
        for stem in stems {
            let read = self.read_new(&stem, &mut records);
            self.store.note_unfinished(read);
        }
        Ok(records)
    }
}

impl<P: Probe> LocalFollowing<'_, P> {
    fn read_new(&mut self, stem: &str, into: &mut Vec<Record>) -> Result<(), StoreError> {
        let chain = self.store.session_chain(stem)?;
        let Some(file) = chain.existing()? else {
            self.given.remove(stem);
            return Ok(());
        };
        let (mut head, begin) = match self.given.remove(stem) {
            Some(Given::To(head)) if head.is_in(&file) => (*head, 0),
            Some(Given::Before(begin)) => (Head::default(), begin),
            // The segment is a different one, because the session was removed and began again.
            Some(Given::To(_)) | None => (Head::default(), 0),
        };
        chain.scan(&file, &mut head, |scanned| {
            if let Scanned::Record { before, line } = scanned
                && before.offset >= begin
            {
                into.push(chain.resolve(*line));
            }
            Ok(())
        })?;
        self.given.insert(stem.to_owned(), Given::To(Box::new(head)));
        Ok(())
    }
}

/// Waits up to `wait` until one of `fds` can be read. Returns whether one of them can.
fn sleep(fds: &mut [PollFd<'_>], wait: Duration) -> std::io::Result<bool> {
    let wait = Timespec {
        tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: wait.subsec_nanos().into(),
    };
    match poll(fds, Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use verger_store::conformance::{draft, key, tool};
    use verger_store::{Append as _, Following as _};

    use super::*;
    use verger_store::Options;

    #[test]
    fn without_notifications_sizes_are_compared() {
        let directory = tempfile::tempdir().unwrap();
        let store = LocalStore::open(&directory.path().join("data"), Options::default()).unwrap();
        let mut following = LocalFollowing { watch: Watch::Looking, ..store.follow().unwrap() };
        let key = key("s");
        let drafts = ["a", "b"].map(|id| draft(&key, tool(id, serde_json::json!(null))));
        store.append(&key, drafts.to_vec()).unwrap();
        let given = following.next(Duration::ZERO).unwrap();
        assert_eq!(
            given,
            vec![
                Record { seq: 1, draft: drafts[0].clone() },
                Record { seq: 2, draft: drafts[1].clone() },
            ]
        );
        assert_eq!(following.next(Duration::ZERO).unwrap(), []);
    }
}
