//! Runs a program that ends with the test that started it. On request, the program has no network
//! except loopback.
//!
//! `enclosure --lifeline SOCKET [--forward PORT SOCKET] -- PROGRAM ARGUMENTS...`
//!
//! - `--lifeline`: a unix socket that the test keeps open. When it closes, the whole process group
//!   is killed. So a killed test leaves no processes behind.
//! - `--forward`: brings up `lo`, and forwards each connection to 127.0.0.1:PORT to a unix socket.
//!   The caller starts this program in an empty network namespace, where the port is free. A
//!   network namespace doesn't hide unix sockets, because they are found by path.
//!
//! The exit code is that of the program; 125 means that the enclosure itself failed. This file can
//! use only the standard library, because the build script passes it directly to the compiler.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the program starts another one and reports on stderr"
)]

use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const ENCLOSURE_FAILED: u8 = 125;
const SIGNAL_BASE: i32 = 128;

fn main() -> ExitCode {
    match Arguments::parse(env::args_os().skip(1)).and_then(run) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("enclosure: {error}");
            ExitCode::from(ENCLOSURE_FAILED)
        }
    }
}

struct Arguments {
    lifeline: PathBuf,
    forward: Option<(u16, PathBuf)>,
    program: OsString,
    rest: Vec<OsString>,
}

impl Arguments {
    fn parse(mut given: impl Iterator<Item = OsString>) -> io::Result<Self> {
        let bad = || io::Error::new(io::ErrorKind::InvalidInput, "bad arguments");
        let (mut lifeline, mut forward) = (None, None);
        loop {
            let name = given.next().ok_or_else(bad)?;
            match name.to_str() {
                Some("--lifeline") => lifeline = given.next().map(PathBuf::from),
                Some("--forward") => {
                    let port = given.next().and_then(|port| port.to_str()?.parse().ok());
                    forward = port.zip(given.next().map(PathBuf::from));
                    if forward.is_none() {
                        return Err(bad());
                    }
                }
                Some("--") => break,
                _ => return Err(bad()),
            }
        }
        let lifeline = lifeline.ok_or_else(bad)?;
        let program = given.next().ok_or_else(bad)?;
        Ok(Self { lifeline, forward, program, rest: given.collect() })
    }
}

fn run(arguments: Arguments) -> io::Result<ExitCode> {
    let lifeline = UnixStream::connect(&arguments.lifeline)?;
    thread::spawn(move || end_with(lifeline));
    if let Some((port, socket)) = arguments.forward {
        bring_up_loopback()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let socket = socket.clone();
                thread::spawn(move || forward(&client, &socket));
            }
        });
    }
    let status = Command::new(&arguments.program).args(&arguments.rest).status()?;
    let code = status.code().or_else(|| status.signal().map(|signal| SIGNAL_BASE + signal));
    Ok(ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(ENCLOSURE_FAILED)))
}

fn end_with(mut lifeline: UnixStream) {
    // No data is ever sent, so the read ends when the test closes its side for any reason.
    let _ended: io::Result<usize> = lifeline.read(&mut [0]);
    let _killed = Command::new("/bin/sh").args(["-c", "kill -KILL 0"]).status();
}

fn bring_up_loopback() -> io::Result<()> {
    let tries: [&[&str]; 4] = [
        &["ip", "link", "set", "lo", "up"],
        &["/usr/sbin/ip", "link", "set", "lo", "up"],
        &["/sbin/ip", "link", "set", "lo", "up"],
        &["ifconfig", "lo", "up"],
    ];
    let is_up = tries.iter().any(|command| {
        Command::new(command[0])
            .args(&command[1..])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    if is_up { Ok(()) } else { Err(io::Error::other("could not bring up the loopback interface")) }
}

fn forward(client: &TcpStream, socket: &PathBuf) {
    // If the connection to the server fails, the client's connection is closed.
    let Ok(server) = UnixStream::connect(socket) else { return };
    thread::scope(|scope| {
        scope.spawn(|| {
            pump(client, &server);
            let _closed = server.shutdown(Shutdown::Write);
        });
        pump(&server, client);
        // The server closes its side after the answer; the client may keep its side open forever.
        let _closed = client.shutdown(Shutdown::Both);
    });
}

/// Copies until either side ends. Doesn't use `io::copy`, because that uses `splice`, which delays
/// small writes on some kernels. A paced reply must keep its pace.
fn pump(mut from: impl Read, mut to: impl Write) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
}
