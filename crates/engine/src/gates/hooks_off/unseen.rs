//! Finds sessions that have a transcript of the agent's client but no record of verger.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use verger_event::{SessionId, SessionKey};
use verger_store::ReadLog;
use verger_store_local::name_of_path;

use crate::Home;
use crate::bounded_file::write;
use crate::upkeep::stamp::Stamp;

/// Maximum number of transcripts in a directory that are checked.
const MAX_TRANSCRIPTS: usize = 4096;

/// Maximum number of sessions that are named.
const MAX_NAMED: usize = 5;

/// The length of a session id that the agent's client makes.
const ID_BYTES: usize = 36;

/// Other sessions whose transcripts changed after the last check in this project and that the log
/// doesn't have. The first check only stores the time, because sessions from before verger's
/// installation are not reported.
pub(crate) fn unseen_sessions(
    home: &Home,
    log: &impl ReadLog,
    own: &SessionKey,
    transcript: &Path,
) -> Vec<String> {
    // The client creates this directory with the first transcript. The directory two levels up
    // exists already if it is the client's.
    let is_agents = |folder: &&Path| folder.ancestors().nth(2).is_some_and(Path::is_dir);
    let Some(folder) = transcript.parent().filter(is_agents) else { return vec![] };
    let stamp = stamp(home, folder);
    let since = fs::metadata(&stamp).and_then(|found| found.modified());
    let noted = Stamp::make_place(&home.left_sessions()).and_then(|()| write(&stamp, b"1\n"));
    let (Ok(since), Ok(())) = (since, noted) else { return vec![] };
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let sessions = entries.take(MAX_TRANSCRIPTS).filter_map(|entry| {
        let path = entry.ok()?.path();
        let changed = fs::metadata(&path).and_then(|found| found.modified()).ok()?;
        let id = path.extension().filter(|end| *end == "jsonl").and(path.file_stem()?.to_str())?;
        (is_session(id) && is_later(changed, since)).then(|| id.to_owned())
    });
    let is_unseen = |id: &String| {
        let key = SessionKey { agent: own.agent.clone(), session: SessionId::new(id.as_str()) };
        key != *own && !log.has_session(&key.file_stem())
    };
    let mut unseen: Vec<_> = sessions.filter(is_unseen).collect();
    unseen.sort();
    unseen.truncate(MAX_NAMED);
    unseen
}

fn stamp(home: &Home, folder: &Path) -> PathBuf {
    home.left_sessions().join(format!("transcripts-{}", name_of_path(folder.as_os_str())))
}

/// Whether a transcript belongs to a session. Transcripts of subagents have other names.
fn is_session(id: &str) -> bool {
    id.len() == ID_BYTES && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether a transcript changed at least 10 ms after the last check. The checking session's own
/// transcript may be written at the same moment.
fn is_later(changed: SystemTime, since: SystemTime) -> bool {
    changed.duration_since(since).is_ok_and(|later| later > Duration::from_millis(10))
}

#[cfg(test)]
mod tests {
    use verger_store::MemoryStore;

    use super::*;

    #[test]
    fn a_session_without_records_is_named_once() {
        let root = tempfile::tempdir().unwrap();
        let home = Home { data: root.path().join("data"), config: root.path().join("config") };
        fs::create_dir_all(&home.data).unwrap();
        let folder = root.path().join("agent/projects/p");
        fs::create_dir_all(&folder).unwrap();
        let id = |n: u8| format!("{n:08}-0000-0000-0000-000000000000");
        let transcript = |n| folder.join(format!("{}.jsonl", id(n)));
        let own = SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new(id(9)) };
        let log = MemoryStore::new(|_| None);
        let look = || unseen_sessions(&home, &log, &own, &transcript(9));
        fs::write(transcript(1), "before verger").unwrap();
        assert_eq!(look(), Vec::<String>::new());
        let later = |name: PathBuf| {
            fs::write(&name, "later").unwrap();
            let now = fs::metadata(stamp(&home, &folder)).unwrap().modified().unwrap();
            let file = fs::File::options().write(true).open(&name).unwrap();
            file.set_modified(now + Duration::from_secs(5)).unwrap();
        };
        for n in [2, 9] {
            later(transcript(n));
        }
        later(folder.join("agent-1.jsonl"));
        assert_eq!(look(), [id(2)]);
        assert_eq!(
            unseen_sessions(&home, &log, &own, Path::new("/nowhere/a/b/x.jsonl")),
            Vec::<String>::new()
        );
    }
}
