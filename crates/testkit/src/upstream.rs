//! A model upstream that answers as scripted and fails the test on anything else.
//!
//! It speaks the Anthropic Messages API over TCP on 127.0.0.1 and over a unix socket, with one
//! thread per connection. Everything waits on sockets or on a condition; there are no sleeps.

mod encoding;
mod http;
mod reply;
mod request;
mod script;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use http::{Socket, Unreadable};
use reply::Content;
pub use reply::{Block, Reply, Usage};
pub use request::{Kind, Request};
pub use script::{Rule, Script};

/// How long [`Upstream::wait_for`] waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running upstream. It has to be ended with [`finish`](Self::finish).
#[must_use = "an upstream has to be finished, or its script is not checked"]
pub struct Upstream {
    shared: Arc<Shared>,
    address: SocketAddr,
    directory: TempDir,
    acceptors: Vec<JoinHandle<()>>,
    is_finished: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    script: Script,
    requests: Vec<Request>,
    problems: Vec<String>,
    is_stopping: bool,
    connections: BTreeMap<u64, (Arc<Socket>, JoinHandle<()>)>,
    next_connection: u64,
}

impl Upstream {
    pub fn start(script: Script) -> Self {
        let state = State { script, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = tcp.local_addr().unwrap();
        let directory = tempfile::Builder::new().prefix("upstream-").tempdir().unwrap();
        let unix = UnixListener::bind(directory.path().join("socket")).unwrap();
        let (for_tcp, for_unix) = (Arc::clone(&shared), Arc::clone(&shared));
        let acceptors = vec![
            thread::spawn(move || {
                accept(&for_tcp, || tcp.accept().map(|(stream, _)| Socket::Tcp(stream)));
            }),
            thread::spawn(move || {
                accept(&for_unix, || unix.accept().map(|(stream, _)| Socket::Unix(stream)));
            }),
        ];
        Self { shared, address, directory, acceptors, is_finished: false }
    }

    /// The base URL for clients.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The unix socket on which the same upstream can be reached.
    pub fn socket(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock().requests.clone()
    }

    /// Waits until the requests so far satisfy a condition; fails the test after 20 seconds.
    #[track_caller]
    pub fn wait_for(&self, condition: impl Fn(&[Request]) -> bool) {
        let state = self.shared.lock();
        let (_state, waited) = self
            .shared
            .changed
            .wait_timeout_while(state, PATIENCE, |state| !condition(&state.requests))
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "the expected request did not come in {PATIENCE:?}");
    }

    /// Ends the upstream and returns every request it got, in order.
    ///
    /// Fails the test if a request came for which nothing was scripted, or if a scripted step was
    /// never asked for.
    #[track_caller]
    pub fn finish(mut self) -> Vec<Request> {
        self.stop();
        self.is_finished = true;
        let mut state = self.shared.lock();
        let mut problems = std::mem::take(&mut state.problems);
        problems.extend(state.script.unused());
        let requests = std::mem::take(&mut state.requests);
        drop(state);
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

    fn stop(&mut self) {
        self.shared.lock().is_stopping = true;
        self.shared.changed.notify_all();
        // A connection to itself is what wakes a thread that waits for one.
        drop(TcpStream::connect(self.address));
        drop(UnixStream::connect(self.socket()));
        for acceptor in self.acceptors.drain(..) {
            acceptor.join().expect("accepting connections does not panic");
        }
        let connections = std::mem::take(&mut self.shared.lock().connections);
        for (socket, worker) in connections.into_values() {
            socket.close();
            worker.join().expect("serving a connection does not panic");
        }
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        self.stop();
        assert!(thread::panicking(), "an upstream was dropped without `finish`");
    }
}

fn accept(shared: &Arc<Shared>, next: impl Fn() -> io::Result<Socket>) {
    loop {
        let accepted = next();
        let mut state = shared.lock();
        if state.is_stopping {
            return;
        }
        let Ok(socket) = accepted.and_then(|socket| socket.prepare().map(|()| socket)) else {
            continue;
        };
        let socket = Arc::new(socket);
        let id = state.next_connection;
        state.next_connection += 1;
        let worker = {
            let (shared, socket) = (Arc::clone(shared), Arc::clone(&socket));
            thread::spawn(move || serve(&shared, &socket))
        };
        state.connections.insert(id, (socket, worker));
    }
}

fn serve(shared: &Shared, socket: &Socket) {
    let mut pending = Vec::new();
    loop {
        let request = match http::read_request(socket, &mut pending) {
            Ok(request) => request,
            Err(Unreadable::Closed) => break,
            Err(Unreadable::Malformed(reason)) => {
                shared.lock().problems.push(format!("not a request: {reason}"));
                break;
            }
        };
        let reply = shared.reply_to(&request);
        let is_last = request.header("connection").is_some_and(|value| value == "close");
        // A client that went away is seen by the test in what the client did.
        if !shared.send(socket, &request, reply).unwrap_or(false) || is_last {
            break;
        }
    }
    socket.close();
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, but not longer than the upstream lives.
    fn pause(&self, duration: Duration) {
        if !duration.is_zero() {
            let state = self.lock();
            drop(self.changed.wait_timeout_while(state, duration, |state| !state.is_stopping));
        }
    }

    /// Records the request and finds its answer.
    fn reply_to(&self, request: &Request) -> Reply {
        let step = {
            let mut state = self.lock();
            state.requests.push(request.clone());
            self.changed.notify_all();
            if request.kind() == Kind::Probe {
                return Reply::status(200, Value::Null);
            }
            state.script.next_step(request)
        };
        let Some(step) = step else {
            return self.refuse(format!("unscripted: {}", request.summary()));
        };
        // Outside the lock: a step that panics must fail the test, not hang it.
        panic::catch_unwind(AssertUnwindSafe(|| step(request))).unwrap_or_else(|_| {
            self.refuse(format!("the step panicked for: {}", request.summary()))
        })
    }

    /// Records a failure and answers with a status that no client tries again. A 400 would be:
    /// Claude Code 2.1.325 repeats the request five times, each time with fewer features.
    fn refuse(&self, problem: String) -> Reply {
        self.lock().problems.push(problem);
        Reply::error(403, "permission_error", "this request was not scripted")
    }

    /// Sends a reply; says whether the connection can be used again.
    fn send(&self, mut socket: &Socket, request: &Request, reply: Reply) -> io::Result<bool> {
        self.pause(reply.delay);
        match reply.content {
            Content::Nothing => Ok(false),
            Content::Status { status, body } => {
                http::write_whole(socket, status, &reply.headers, &body)?;
                Ok(true)
            }
            Content::Message(message) if request.body["stream"] == json!(true) => {
                http::write_stream_head(socket, &reply.headers)?;
                let events = encoding::events(&message, &request.body["model"]);
                let sent = reply.cut_after.unwrap_or(events.len());
                for (index, event) in events.iter().take(sent).enumerate() {
                    if index > 0 {
                        self.pause(reply.pace);
                    }
                    socket.write_all(encoding::server_sent(event).as_bytes())?;
                }
                Ok(false)
            }
            Content::Message(message) => {
                let body = encoding::whole(&message, &request.body["model"]);
                http::write_whole(socket, 200, &reply.headers, &body)?;
                Ok(true)
            }
        }
    }
}
