//! Receives the kernel's notifications of writes below `log/`.

use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use verger_store::StoreError;

use super::{Touched, sleep};
use crate::dir::Dir;
use crate::failure::failed;
use crate::store::{is_bucket, stem_of};

const LOG: &str = "log";
const BUFFER_BYTES: usize = 16 * 1024;

/// The type numbers of file systems whose kernel notifications don't include writes of other
/// machines: NFS, SMB (twice), CIFS, FUSE, 9P, Ceph, AFS.
const REMOTE: [i64; 8] =
    [0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400, 0x5346_414F];

/// Watches `log/` and each of its directories.
pub(super) struct Notification {
    fd: OwnedFd,
    log: PathBuf,
    log_watch: i32,
    /// The names of the watched directories in `log/`, by the number that the kernel gave to the
    /// watch.
    buckets: HashMap<i32, String>,
}

impl Notification {
    /// Begins to watch the log. Returns `None` if the kernel can't watch this directory.
    pub(super) fn begin(root: &Dir) -> Option<Self> {
        let dir = root.subdir(LOG).ok()?;
        if dir.file_system().is_none_or(|kind| REMOTE.contains(&kind)) {
            return None;
        }
        let fd = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let log = root.path_of(LOG);
        let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::ONLYDIR;
        let log_watch = inotify::add_watch(&fd, &log, flags).ok()?;
        let mut notification = Self { fd, log, log_watch, buckets: HashMap::new() };
        for bucket in dir.names().ok()?.into_iter().filter(|name| is_bucket(name)) {
            notification.watch(bucket).ok()?;
        }
        Some(notification)
    }

    fn watch(&mut self, bucket: String) -> Result<(), Errno> {
        let flags = WatchFlags::MODIFY | WatchFlags::CREATE | WatchFlags::ONLYDIR;
        let watch = inotify::add_watch(&self.fd, self.log.join(&bucket), flags)?;
        self.buckets.insert(watch, bucket);
        Ok(())
    }

    /// Waits up to `wait` for writes. Returns the segments that may have grown.
    pub(super) fn wait(&mut self, wait: Duration) -> Result<Touched, StoreError> {
        let mut fds = [PollFd::new(&self.fd, PollFlags::IN)];
        if !sleep(&mut fds, wait).map_err(failed("wait at", &self.log))? {
            return Ok(Touched::default());
        }
        let (mut touched, mut begun) = (Touched::default(), vec![]);
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let mut reader = Reader::new(&self.fd, &mut buffer);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(failed("follow", &self.log)(error)),
            };
            let name = event.file_name().and_then(|name| name.to_str().ok()).unwrap_or_default();
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                touched.all = true;
            } else if event.wd() == self.log_watch {
                begun.extend(is_bucket(name).then(|| name.to_owned()));
            } else if self.buckets.contains_key(&event.wd()) {
                touched.stems.extend(stem_of(name).map(str::to_owned));
            }
        }
        for bucket in begun {
            let path = self.log.join(&bucket);
            self.watch(bucket).map_err(failed("follow", path))?;
            // The directory may have gotten its first segment before the watch began, so all
            // segments count as changed.
            touched.all = true;
        }
        Ok(touched)
    }
}
