//! The part of HTTP/1.1 that the clients need: requests with a length, over TCP or a unix
//! socket.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::Value;

use crate::request::Request;

const MAX_HEAD: usize = 64 * 1024;
const MAX_BODY: usize = 64 * 1024 * 1024;
const MAX_HEADERS: usize = 128;
/// A connection without any data for this long is closed, also between two requests.
const READ_LIMIT: Duration = Duration::from_mins(1);

pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    pub(crate) fn prepare(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => {
                // Each event of a stream has to arrive as soon as it is sent.
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(READ_LIMIT))?;
                stream.set_write_timeout(Some(READ_LIMIT))
            }
            Self::Unix(stream) => {
                stream.set_read_timeout(Some(READ_LIMIT))?;
                stream.set_write_timeout(Some(READ_LIMIT))
            }
        }
    }

    pub(crate) fn close(&self) {
        // The client may have closed it already.
        drop(match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        });
    }
}

impl Read for &Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => (&*stream).read(buffer),
            Socket::Unix(stream) => (&*stream).read(buffer),
        }
    }
}

impl Write for &Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => (&*stream).write(bytes),
            Socket::Unix(stream) => (&*stream).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The reason why no request could be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// The client closed the connection, or sent nothing for too long.
    Closed,
    Malformed(String),
}

impl From<io::Error> for Unreadable {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

/// Reads one request; `pending` keeps what was received beyond it.
pub(crate) fn read_request(
    mut socket: impl Read,
    pending: &mut Vec<u8>,
) -> Result<Request, Unreadable> {
    let (mut request, length) = loop {
        if let Some((request, head, length)) = parse_head(pending)? {
            pending.drain(..head);
            break (request, length);
        }
        if pending.len() > MAX_HEAD {
            return Err(Unreadable::Malformed("the head of the request is too long".to_owned()));
        }
        read_more(&mut socket, pending)?;
    };
    while pending.len() < length {
        read_more(&mut socket, pending)?;
    }
    let body: Vec<u8> = pending.drain(..length).collect();
    request.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(request)
}

fn read_more(socket: &mut impl Read, pending: &mut Vec<u8>) -> Result<(), Unreadable> {
    let mut buffer = vec![0; 64 * 1024];
    match socket.read(&mut buffer)? {
        0 => Err(Unreadable::Closed),
        length => {
            pending.extend_from_slice(&buffer[..length]);
            Ok(())
        }
    }
}

/// The request without its body, the length of its head and the length of its body.
fn parse_head(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Unreadable> {
    let malformed = |reason: &str| Unreadable::Malformed(reason.to_owned());
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(bytes).map_err(|error| Unreadable::Malformed(error.to_string()))?;
    let httparse::Status::Complete(head) = status else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: parsed.path.unwrap_or_default().to_owned(),
        headers: parsed.headers.iter().map(|h| (h.name.to_owned(), text(h.value))).collect(),
        body: Value::Null,
    };
    if request.header("transfer-encoding").is_some() {
        return Err(malformed("a body without a length is not understood"));
    }
    let length = match request.header("content-length") {
        None => 0,
        Some(length) => length.parse().map_err(|_| malformed("the length is not a number"))?,
    };
    if length > MAX_BODY {
        return Err(malformed("the body is too long"));
    }
    Ok(Some((request, head, length)))
}

/// Writes a whole answer; the connection stays open for the next request.
pub(crate) fn write_whole(
    mut socket: impl Write,
    status: u16,
    headers: &[(String, String)],
    body: &Value,
) -> io::Result<()> {
    // Only the answer to HEAD has no body.
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut text = head(status, "application/json", headers);
    text.extend_from_slice(format!("content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
    socket.write_all(&text)
}

/// Writes the head of a stream, which ends with the connection.
pub(crate) fn write_stream_head(
    mut socket: impl Write,
    headers: &[(String, String)],
) -> io::Result<()> {
    let mut text = head(200, "text/event-stream", headers);
    text.extend_from_slice(b"connection: close\r\n\r\n");
    socket.write_all(&text)
}

fn head(status: u16, content_type: &str, headers: &[(String, String)]) -> Vec<u8> {
    // Clients ignore the reason phrase.
    let mut text = format!("HTTP/1.1 {status} -\r\ncontent-type: {content_type}\r\n");
    for (name, value) in headers {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.into_bytes()
}
