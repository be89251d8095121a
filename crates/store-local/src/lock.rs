//! Takes the lock of a segment within a time limit.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::sync::mpsc;
use std::time::Duration;

/// The stack size of a waiting thread, which only makes one system call.
const WAITER_STACK_BYTES: usize = 64 * 1024;

/// Locks the file `file`. Returns `None` if the lock isn't free within `wait`.
///
/// If the lock is not free, a thread waits for it in the kernel, because the kernel serves blocked
/// waiters in order. Polling would starve some of them.
pub(crate) fn acquire(file: File, wait: Duration) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::Error(error)) => return Err(error),
        Err(TryLockError::WouldBlock) if wait.is_zero() => return Ok(None),
        Err(TryLockError::WouldBlock) => {}
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    let waiter = std::thread::Builder::new().stack_size(WAITER_STACK_BYTES).spawn(move || {
        let locked = lock(&file).map(|()| file);
        // Sending fails if the time limit has passed. The locked file is then dropped, which
        // releases the lock.
        drop(sender.send(locked));
    });
    // If no thread can be started, the lock counts as busy: the caller spills the record, so that
    // it isn't lost.
    if waiter.is_err() {
        return Ok(None);
    }
    receiver.recv_timeout(wait).map_or(Ok(None), |locked| locked.map(Some))
}

fn lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
