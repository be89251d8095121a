//! Parses patches in the format of `apply_patch`, which name their files.

use serde_json::Map;
use verger_event::{FileChange, FileEdit, TextEdit};

/// The files in a patch, each with its removed and added lines.
pub(crate) fn patched_files(patch: &str) -> Vec<FileEdit> {
    let mut files: Vec<FileEdit> = vec![];
    let mut hunk = Hunk::default();
    for line in patch.lines() {
        if let Some((change, path)) = named_file(line) {
            hunk.end(&mut files);
            if change == FileChange::Added
                && line.starts_with(MOVE)
                && let Some(moved) = files.last_mut()
            {
                moved.change = FileChange::Moved;
            }
            files.push(FileEdit { path: path.to_owned(), change, edits: vec![] });
        } else if line.starts_with("@@") || line.starts_with("*** ") {
            hunk.end(&mut files);
        } else {
            hunk.take(line);
        }
    }
    hunk.end(&mut files);
    files
}

/// The change that a unified diff of one file makes, and its removed and added lines.
pub(crate) fn diffed_texts(diff: &str) -> (FileChange, Vec<TextEdit>) {
    let mut change = FileChange::Modified;
    let mut file = FileEdit { path: String::new(), change, edits: vec![] };
    let mut hunk: Option<Hunk<'_>> = None;
    for line in diff.lines() {
        if line.starts_with("@@") {
            hunk.get_or_insert_default().end(std::slice::from_mut(&mut file));
        } else if let Some(hunk) = &mut hunk {
            hunk.take(line);
        } else if line.starts_with("new file mode") || line.starts_with("create file mode") {
            change = FileChange::Added;
        } else if line.starts_with("deleted file mode") {
            change = FileChange::Deleted;
        }
    }
    hunk.unwrap_or_default().end(std::slice::from_mut(&mut file));
    (change, file.edits)
}

const MOVE: &str = "*** Move to: ";

fn named_file(line: &str) -> Option<(FileChange, &str)> {
    let file = |prefix: &str, change| Some((change, line.strip_prefix(prefix)?));
    file("*** Update File: ", FileChange::Modified)
        .or_else(|| file("*** Add File: ", FileChange::Added))
        .or_else(|| file("*** Delete File: ", FileChange::Deleted))
        .or_else(|| file(MOVE, FileChange::Added))
}

#[derive(Default)]
struct Hunk<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Hunk<'a> {
    /// Keeps the line if it is a removed or an added one.
    fn take(&mut self, line: &'a str) {
        if let Some(line) = line.strip_prefix('+') {
            self.new.push(line);
        } else if let Some(line) = line.strip_prefix('-') {
            self.old.push(line);
        }
    }

    /// Moves the lines to the last file, and starts a new hunk.
    fn end(&mut self, files: &mut [FileEdit]) {
        let text = |lines: &[&str]| (!lines.is_empty()).then(|| lines.join("\n"));
        let edit = TextEdit { old: text(&self.old), new: text(&self.new), rest: Map::new() };
        *self = Self::default();
        if let Some(file) = files.last_mut().filter(|_| edit != TextEdit::default()) {
            file.edits.push(edit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_and_their_lines() {
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@ fn a\n x\n-y\n+z\n@@\n+w\n*** Update File: b.rs\n\
                     *** Move to: c.rs\n-q\n*** Add File: d.rs\n+1\n+2\n*** Delete File: e.rs\n*** End Patch\n";
        let edit = |old: Option<&str>, new: Option<&str>| TextEdit {
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
            rest: Map::new(),
        };
        let file = |path: &str, change, edits| FileEdit { path: path.to_owned(), change, edits };
        let expected = [
            file(
                "a.rs",
                FileChange::Modified,
                vec![edit(Some("y"), Some("z")), edit(None, Some("w"))],
            ),
            file("b.rs", FileChange::Moved, vec![]),
            file("c.rs", FileChange::Added, vec![edit(Some("q"), None)]),
            file("d.rs", FileChange::Added, vec![edit(None, Some("1\n2"))]),
            file("e.rs", FileChange::Deleted, vec![]),
        ];
        assert_eq!(patched_files(patch), expected);
        assert_eq!(patched_files("ls"), []);
    }

    #[test]
    fn a_diff_has_the_lines_of_one_file() {
        let edit = |old: Option<&str>, new: Option<&str>| TextEdit {
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
            rest: Map::new(),
        };
        let created = "\ndiff --git a/a.txt b/a.txt\ncreate file mode 100644\nindex 0000000..0000000\n\
                       --- a/dev/null\n+++ b/a.txt\n@@ -1,0 +1,1 @@\n+x\n";
        assert_eq!(diffed_texts(created), (FileChange::Added, vec![edit(None, Some("x"))]));
        let changed = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9 +9 @@\n--- d\n+++ e\n";
        let edits = vec![edit(Some("b"), Some("c")), edit(Some("-- d"), Some("++ e"))];
        assert_eq!(diffed_texts(changed), (FileChange::Modified, edits));
        let deleted = "deleted file mode 100644\n";
        assert_eq!(diffed_texts(deleted), (FileChange::Deleted, vec![]));
    }
}
