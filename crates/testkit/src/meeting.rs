//! A barrier at which scripted answers wait for each other.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use verger_upstream::{Reply, Request};

/// How long a client waits for the others.
const PATIENCE: Duration = Duration::from_mins(1);

/// Makes clients work at the same time: no client gets its answer before all clients have asked for
/// one. The barrier can be used repeatedly.
#[derive(Clone, Debug)]
pub struct Meeting {
    clients: usize,
    /// The number of arrivals so far.
    come: Arc<(Mutex<usize>, Condvar)>,
}

impl Meeting {
    /// A barrier for `clients` clients, each with its own upstream.
    pub fn of(clients: usize) -> Self {
        Self { clients, come: Arc::default() }
    }

    /// Returns a step for [`Script::step_with`](verger_upstream::Script::step_with) that waits and
    /// then gives `reply`.
    pub fn then(&self, reply: Reply) -> impl Fn(&Request) -> Reply + Send + Sync + use<> {
        let meeting = self.clone();
        move |_| {
            meeting.wait();
            reply.clone()
        }
    }

    fn wait(&self) {
        let (come, changed) = &*self.come;
        let mut so_far = come.lock().unwrap_or_else(PoisonError::into_inner);
        *so_far += 1;
        let all = so_far.next_multiple_of(self.clients);
        changed.notify_all();
        let (_come, waited) = changed
            .wait_timeout_while(so_far, PATIENCE, |so_far| *so_far < all)
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "the others did not come in {PATIENCE:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn no_client_continues_before_all_have_arrived() {
        const ROUNDS: usize = 100;
        let meeting = Meeting::of(2);
        let come = [const { AtomicUsize::new(0) }; 2];
        let meet = |own: usize| {
            for round in 1..=ROUNDS {
                come[own].store(round, Ordering::SeqCst);
                meeting.wait();
                assert!(come[1 - own].load(Ordering::SeqCst) >= round);
            }
        };
        thread::scope(|scope| [0, 1].map(|own| drop(scope.spawn(move || meet(own)))));
    }
}
