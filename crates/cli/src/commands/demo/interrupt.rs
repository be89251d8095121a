//! Notices Ctrl-C and other requests to end, so that the demo can clean up after itself.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::demo_error::DemoError;

/// A flag that becomes true when a signal asks the demo to end.
#[derive(Debug, Clone)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to handle these signals. From then on, they don't end the process by themselves.
    pub(super) fn watch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    pub(super) fn check(&self) -> Result<(), DemoError> {
        if self.0.load(Ordering::Relaxed) { Err(DemoError::Interrupted) } else { Ok(()) }
    }
}
