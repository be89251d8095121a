//! Reads the files with recorded sessions: JSON lines, compressed with gzip.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::replay::ReplayError;

/// A recorded session. Its payloads have the placeholders `@P@` and `@H@`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) started: String,
    pub(crate) events: Vec<SessionEvent>,
}

/// One recorded hook call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionEvent {
    pub(crate) name: String,
    /// The payload as JSON text, as it was recorded.
    pub(crate) payload: String,
}

/// A file with recorded sessions to replay.
#[derive(Debug)]
pub(crate) struct SessionFile {
    pub(crate) path: PathBuf,
    /// The file's name without its endings.
    pub(crate) name: String,
    /// The number of events in the file that will be replayed.
    pub(crate) events: usize,
    limit: Option<usize>,
}

#[derive(Deserialize)]
struct Line {
    meta: Option<Meta>,
    event: Option<String>,
    payload: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Meta {
    session: String,
    #[serde(default)]
    started: String,
}

const ENDING: &str = ".jsonl.gz";

impl SessionFile {
    /// The session files of a directory whose names contain `only`.
    pub(crate) fn all_in(
        folder: &Path,
        only: Option<&str>,
        limit: Option<usize>,
    ) -> Result<Vec<Self>, ReplayError> {
        let unreadable = |source| ReplayError::Read { path: folder.to_owned(), source };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some(name) = name.strip_suffix(ENDING) else { continue };
            if only.is_some_and(|only| !name.contains(only)) {
                continue;
            }
            let name = name.to_owned();
            let mut file = Self { path, name, events: 0, limit };
            file.events = file.sessions()?.iter().map(|session| session.events.len()).sum();
            files.push(file);
        }
        if files.is_empty() {
            return Err(ReplayError::NoSessions { path: folder.to_owned() });
        }
        Ok(files)
    }

    /// The file's sessions ordered by their start, at most as many as the limit.
    pub(crate) fn sessions(&self) -> Result<Vec<Session>, ReplayError> {
        let unreadable = |source| ReplayError::Read { path: self.path.clone(), source };
        let file = File::open(&self.path).map_err(unreadable)?;
        let mut sessions = parse(&self.path, BufReader::new(MultiGzDecoder::new(file)))?;
        sessions.sort_by(|one, other| one.started.cmp(&other.started));
        sessions.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(sessions)
    }
}

fn parse(path: &Path, lines: impl BufRead) -> Result<Vec<Session>, ReplayError> {
    let mut sessions: Vec<Session> = Vec::new();
    for (index, line) in lines.lines().enumerate() {
        let line = line.map_err(|source| ReplayError::Read { path: path.to_owned(), source })?;
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&line).map_err(|source| ReplayError::NotALine {
            path: path.to_owned(),
            line: index + 1,
            source,
        })?;
        if let Some(Meta { session, started }) = line.meta {
            sessions.push(Session { id: session, started, events: Vec::new() });
        }
        if let (Some(name), Some(payload)) = (line.event, line.payload) {
            let Some(session) = sessions.last_mut() else {
                return Err(ReplayError::NoMeta { path: path.to_owned(), line: index + 1 });
            };
            session.events.push(SessionEvent { name, payload: payload.get().to_owned() });
        }
    }
    Ok(sessions)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn sessions_are_read_in_the_order_in_which_they_started() {
        let folder = tempfile::tempdir().unwrap();
        let text = concat!(
            r#"{"meta": {"repo": "a/b", "session": "late", "started": "2026-02-02T00:00:00Z"}}"#,
            "\n",
            r#"{"event": "Stop", "payload": {"cwd": "@P@"}}"#,
            "\n",
            r#"{"meta": {"repo": "a/b", "session": "early", "started": "2026-01-01T00:00:00Z"}}"#,
            "\n",
            r#"{"event": "SessionStart", "payload": {"cwd":"@P@/sub"}}"#,
            "\n\n",
        );
        for name in ["a+b.jsonl.gz", "c+d.jsonl.gz", "claims.jsonl"] {
            let file = File::create(folder.path().join(name)).unwrap();
            let mut gzip = GzEncoder::new(file, Compression::fast());
            gzip.write_all(text.as_bytes()).unwrap();
            gzip.finish().unwrap();
        }
        let files = SessionFile::all_in(folder.path(), Some("a+"), None).unwrap();
        let [file] = &files[..] else { panic!("{files:?}") };
        assert_eq!((file.name.as_str(), file.events), ("a+b", 2));
        let event = |name: &str, payload: &str| SessionEvent {
            name: name.to_owned(),
            payload: payload.to_owned(),
        };
        let early = Session {
            id: "early".to_owned(),
            started: "2026-01-01T00:00:00Z".to_owned(),
            events: vec![event("SessionStart", r#"{"cwd":"@P@/sub"}"#)],
        };
        let late = Session {
            id: "late".to_owned(),
            started: "2026-02-02T00:00:00Z".to_owned(),
            events: vec![event("Stop", r#"{"cwd": "@P@"}"#)],
        };
        assert_eq!(file.sessions().unwrap(), [early.clone(), late]);
        let limited = SessionFile::all_in(folder.path(), Some("c+"), Some(1)).unwrap();
        assert_eq!(limited[0].sessions().unwrap(), [early]);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let path = Path::new("x.jsonl.gz");
        let failure =
            parse(path, "{\"event\": \"Stop\", \"payload\": {}}\n".as_bytes()).unwrap_err();
        assert_eq!(failure.to_string(), "x.jsonl.gz:1 has an event before the first session");
        let failure = parse(path, "\n{\n".as_bytes()).unwrap_err();
        assert_eq!(failure.to_string(), "x.jsonl.gz:2 is not a line of a session file");
    }
}
