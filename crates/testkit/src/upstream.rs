//! The scripted model upstream of a test. It fails the test if anything differs from the script.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use verger_upstream::{Finished, Request, Script, Server};

/// How long [`Upstream::wait_for`] waits.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running upstream, on TCP and on a unix socket. Must be ended with [`finish`](Self::finish).
#[must_use = "an upstream has to be finished, or its script is not checked"]
pub struct Upstream {
    /// `None` after `finish`.
    server: Option<Server>,
    directory: TempDir,
}

impl Upstream {
    pub fn start(script: Script) -> Self {
        let directory = tempfile::Builder::new().prefix("upstream-").tempdir().unwrap();
        let mut server = Server::start(script).unwrap();
        server.listen_on(&directory.path().join("socket")).unwrap();
        Self { server: Some(server), directory }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("only `finish` takes the server")
    }

    /// The base URL for clients.
    pub fn url(&self) -> String {
        self.server().url()
    }

    pub fn port(&self) -> u16 {
        self.server().port()
    }

    /// The path of the unix socket of the upstream.
    pub fn socket(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.server().requests()
    }

    /// Waits until the requests so far satisfy a condition. Fails the test after a minute.
    #[track_caller]
    pub fn wait_for(&self, condition: impl Fn(&[Request]) -> bool) {
        let is_satisfied = self.server().wait_for(PATIENCE, condition);
        assert!(is_satisfied, "the expected request did not come in {PATIENCE:?}");
    }

    /// Ends the upstream. Returns all requests, in order.
    ///
    /// Fails the test if there was a request without a scripted step, or a scripted step without a
    /// request.
    #[track_caller]
    pub fn finish(mut self) -> Vec<Request> {
        let server = self.server.take().expect("only `finish` takes the server");
        let Finished { requests, problems } = server.finish();
        if !problems.is_empty() {
            let seen: Vec<String> = requests.iter().map(Request::summary).collect();
            panic!(
                "the upstream was not used as scripted:\n- {}\nrequests:\n- {}",
                problems.join("\n- "),
                seen.join("\n- "),
            );
        }
        requests
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        if self.server.take().is_some() {
            assert!(thread::panicking(), "an upstream was dropped without `finish`");
        }
    }
}
