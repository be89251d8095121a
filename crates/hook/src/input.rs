//! Reads standard input within limits of size and time.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;

use crate::json_end::JsonEnd;

/// Maximum size of a payload.
pub(crate) const MAX_BYTES: usize = 16 * 1024 * 1024;
pub(crate) const MAX_SILENCE: Duration = Duration::from_secs(1);
pub(crate) const MAX_TOTAL: Duration = Duration::from_secs(5);
const READ_BYTES: usize = 64 * 1024;

/// The reason why no payload was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InputError {
    /// No data arrived for one second.
    #[error("nothing arrived on standard input for 1 s")]
    Silent,
    /// The payload did not arrive in time.
    #[error("the payload was not complete after 5 s")]
    Slow,
    /// The payload is too large.
    #[error("the payload is larger than 16 MiB")]
    TooLarge,
    /// The read failed.
    #[error("standard input cannot be read")]
    Unreadable(#[source] Errno),
}

/// Reads one JSON value. If the stream ends earlier, returns everything up to its end.
pub(crate) fn read_value() -> Result<Vec<u8>, InputError> {
    let deadline = now() + MAX_TOTAL;
    let mut bytes = Vec::with_capacity(READ_BYTES);
    let mut end = JsonEnd::default();
    loop {
        wait_for_input(deadline)?;
        let read = bytes.len();
        match rustix::io::read(stdin(), rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => return Ok(bytes),
            Ok(_) => {}
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(error) => return Err(InputError::Unreadable(error)),
        }
        if let Some(len) = end.push(&bytes[read..]) {
            // Trailing data in the same read makes the payload malformed.
            if bytes[read + len..].trim_ascii().is_empty() {
                bytes.truncate(read + len);
            }
            return Ok(bytes);
        }
        if bytes.len() >= MAX_BYTES {
            return Err(InputError::TooLarge);
        }
        bytes.reserve(READ_BYTES);
    }
}

fn wait_for_input(deadline: Instant) -> Result<(), InputError> {
    let left = deadline.saturating_duration_since(now());
    let (wait, late) = if left < MAX_SILENCE {
        (left, InputError::Slow)
    } else {
        (MAX_SILENCE, InputError::Silent)
    };
    let timeout = Timespec {
        tv_sec: i64::try_from(wait.as_secs()).unwrap_or_default(),
        tv_nsec: wait.subsec_nanos().into(),
    };
    match poll(&mut [PollFd::new(&stdin(), PollFlags::IN)], Some(&timeout)) {
        Ok(0) => Err(late),
        // If a signal interrupted `poll`, the next read checks for data.
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(InputError::Unreadable(error)),
    }
}

#[expect(clippy::disallowed_methods, reason = "needed for the time limits of reading input")]
fn now() -> Instant {
    Instant::now()
}
