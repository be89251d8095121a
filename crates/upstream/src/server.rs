//! The server. It has one thread per connection; each thread waits on a socket or a condition
//! variable.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::encoding::Api;
use crate::http::{self, Socket, Unreadable};
use crate::reply::{Content, Reply};
use crate::request::{Kind, Request};
use crate::script::Script;

/// A running server. Dropping it stops it.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    sockets: Vec<PathBuf>,
    acceptors: Vec<JoinHandle<()>>,
}

/// The requests and problems of a stopped server.
#[derive(Debug)]
pub struct Finished {
    /// Every request, in order.
    pub requests: Vec<Request>,
    /// The requests without a scripted answer, and the scripted answers that were never used.
    pub problems: Vec<String>,
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

impl Server {
    /// Starts a server on a free port of 127.0.0.1.
    pub fn start(script: Script) -> io::Result<Self> {
        let state = State { script, ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let mut server = Self { shared, address, sockets: vec![], acceptors: vec![] };
        server.accept_from(move || listener.accept().map(|(stream, _)| Socket::Tcp(stream)));
        Ok(server)
    }

    /// Lets the server listen on a unix socket too.
    pub fn listen_on(&mut self, socket: &Path) -> io::Result<()> {
        let listener = UnixListener::bind(socket)?;
        self.sockets.push(socket.to_owned());
        self.accept_from(move || listener.accept().map(|(stream, _)| Socket::Unix(stream)));
        Ok(())
    }

    fn accept_from(&mut self, next: impl Fn() -> io::Result<Socket> + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        self.acceptors.push(thread::spawn(move || accept(&shared, next)));
    }

    /// The base URL for clients.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock().requests.clone()
    }

    /// Waits until the requests so far satisfy a condition. Returns `false` if they don't within
    /// `patience`.
    pub fn wait_for(&self, patience: Duration, condition: impl Fn(&[Request]) -> bool) -> bool {
        let state = self.shared.lock();
        let (_state, waited) = self
            .shared
            .changed
            .wait_timeout_while(state, patience, |state| !condition(&state.requests))
            .unwrap_or_else(PoisonError::into_inner);
        !waited.timed_out()
    }

    /// Stops the server.
    pub fn finish(mut self) -> Finished {
        self.stop();
        let mut state = self.shared.lock();
        let mut problems = std::mem::take(&mut state.problems);
        problems.extend(state.script.unused());
        Finished { requests: std::mem::take(&mut state.requests), problems }
    }

    fn stop(&mut self) {
        self.shared.lock().is_stopping = true;
        self.shared.changed.notify_all();
        // The server connects to itself to wake each thread that is waiting for a connection.
        drop(TcpStream::connect(self.address));
        for socket in &self.sockets {
            drop(UnixStream::connect(socket));
        }
        // Joining can't fail: panics in scripted answers are caught, and the threads don't panic
        // otherwise.
        for acceptor in self.acceptors.drain(..) {
            drop(acceptor.join());
        }
        let connections = std::mem::take(&mut self.shared.lock().connections);
        for (socket, worker) in connections.into_values() {
            socket.close();
            drop(worker.join());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
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
        // An error here means that the client closed the connection. The test checks the client
        // instead.
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

    /// Waits for `duration`, or until the server stops.
    fn pause(&self, duration: Duration) {
        if !duration.is_zero() {
            let state = self.lock();
            drop(self.changed.wait_timeout_while(state, duration, |state| !state.is_stopping));
        }
    }

    /// Records the request and chooses its answer.
    fn reply_to(&self, request: &Request) -> Reply {
        let step = {
            let mut state = self.lock();
            state.requests.push(request.clone());
            self.changed.notify_all();
            if request.kind() == Kind::Probe {
                return probed(request);
            }
            state.script.next_step(request)
        };
        let Some(step) = step else {
            let api = Api::of_path(&request.path);
            if let Some(text) = api.and_then(|api| api.unscripted(request)) {
                return Reply::text(text);
            }
            return self.refuse(format!("unscripted: {}", request.summary()));
        };
        // The closure runs without the lock: if it panics, the test must fail instead of hang.
        panic::catch_unwind(AssertUnwindSafe(|| step(request))).unwrap_or_else(|_| {
            self.refuse(format!("the step panicked for: {}", request.summary()))
        })
    }

    /// Records a problem and answers with a status that clients don't retry. For a 400, Claude
    /// Code 2.1.325 repeats the request five times, each time with fewer features.
    fn refuse(&self, problem: String) -> Reply {
        self.lock().problems.push(problem);
        Reply::error(403, "permission_error", "this request was not scripted")
    }

    /// Sends a reply. Returns whether the connection can be reused.
    fn send(&self, mut socket: &Socket, request: &Request, reply: Reply) -> io::Result<bool> {
        self.pause(reply.delay);
        // An error at any other path has Anthropic's form.
        let api = Api::of_path(&request.path).unwrap_or(Api::Anthropic);
        match reply.content {
            Content::Nothing => Ok(false),
            Content::Status { status, body } => {
                http::write_whole(socket, status, &reply.headers, &body)?;
                Ok(true)
            }
            Content::Error { status, kind, message } => {
                let body = api.error(status, &kind, &message);
                http::write_whole(socket, status, &reply.headers, &body)?;
                Ok(true)
            }
            Content::Message(message) if api.streams(request) => {
                http::write_stream_head(socket, &reply.headers)?;
                let events = api.events(&message, request);
                let sent = reply.cut_after.unwrap_or(events.len());
                for (index, event) in events.iter().take(sent).enumerate() {
                    if index > 0 {
                        self.pause(reply.pace);
                    }
                    socket.write_all(event.as_bytes())?;
                }
                Ok(false)
            }
            Content::Message(message) => {
                http::write_whole(socket, 200, &reply.headers, &api.whole(&message, request))?;
                Ok(true)
            }
        }
    }
}

/// The answer to a request before the first message. Clients that may not talk over a WebSocket do
/// so over HTTP at once after a 426, and only then.
fn probed(request: &Request) -> Reply {
    const UPGRADE_REQUIRED: u16 = 426;
    if request.is_upgrade() {
        let (kind, message) = ("invalid_request_error", "there are no WebSockets here");
        return Reply::error(UPGRADE_REQUIRED, kind, message);
    }
    Reply::status(200, Value::Null)
}
