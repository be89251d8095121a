//! Reads the records that a hook call added to the log, as stored JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Follows the log of one home. Every session has its own segment file.
pub(crate) struct LogTail {
    folder: PathBuf,
    segments: BTreeMap<String, Segment>,
    owned: BTreeSet<PathBuf>,
}

struct Segment {
    path: PathBuf,
    read: u64,
}

impl LogTail {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, segments: BTreeMap::new(), owned: BTreeSet::new() }
    }

    /// The records that the session got since the last call of this function.
    pub(crate) fn new_records(&mut self, session: &str) -> io::Result<Vec<Value>> {
        if !self.segments.contains_key(session) {
            // The segment's name may be a hash of the session's id, so the session's segment is the
            // one that no other session owns.
            let Some(path) =
                segments_below(&self.folder)?.into_iter().find(|path| !self.owned.contains(path))
            else {
                return Ok(Vec::new());
            };
            self.owned.insert(path.clone());
            self.segments.insert(session.to_owned(), Segment { path, read: 0 });
        }
        let Some(segment) = self.segments.get_mut(session) else { return Ok(Vec::new()) };
        let mut file = File::open(&segment.path)?;
        file.seek(SeekFrom::Start(segment.read))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        segment.read += whole as u64;
        Ok(text[..whole].lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

fn segments_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(segments_below(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use serde_json::json;

    use super::*;

    #[test]
    fn only_whole_new_lines_are_records() {
        let folder = tempfile::tempdir().unwrap();
        let mut tail = LogTail::new(folder.path().join("log"));
        assert_eq!(tail.new_records("a").unwrap(), Vec::<Value>::new());
        fs::create_dir_all(folder.path().join("log/0a")).unwrap();
        let mut segment = File::create(folder.path().join("log/0a/one.jsonl")).unwrap();
        segment.write_all(b"{\"seq\":1}\n{\"se").unwrap();
        assert_eq!(tail.new_records("a").unwrap(), [json!({ "seq": 1 })]);
        segment.write_all(b"q\":2}\n").unwrap();
        assert_eq!(tail.new_records("a").unwrap(), [json!({ "seq": 2 })]);
        fs::write(folder.path().join("log/0a/two.jsonl"), "{\"seq\":7}\n").unwrap();
        assert_eq!(tail.new_records("b").unwrap(), [json!({ "seq": 7 })]);
        assert_eq!(tail.new_records("a").unwrap(), Vec::<Value>::new());
    }
}
