//! Finds added lines that are marked as unfinished.
//!
//! Only lines that the task added count, because earlier lines aren't part of the task's work.

use super::verified::Issue;

/// An added line that is marked as unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    /// The path of the file, as the diff names it.
    pub path: String,
    /// The number of the added line in the file.
    pub line: u64,
    /// The text of the added line, without its indentation.
    pub text: String,
}

/// Words that mark unfinished code. In a line, the mark must be a whole word.
const WORDS: [&str; 3] = ["TODO", "FIXME", "XXX"];
const CODE: [&str; 5] =
    ["unimplemented!(", "todo!(", "NotImplementedError", "NotImplementedException", "# stub"];

/// Extensions of text files. Such files are skipped, because prose may mention open work.
const TEXTS: [&str; 6] = [".md", ".markdown", ".rst", ".txt", ".adoc", ".org"];

/// The stubs in a git diff with the prefixes `a/` and `b/`. A line for which `was_there(file,
/// line)` returns true is left out, because a diff also shows lines from before the task.
pub fn added_stubs(diff: &str, was_there: impl Fn(&str, &str) -> bool) -> Vec<Stub> {
    let mut stubs = vec![];
    let mut path: Option<&str> = None;
    let (mut line, mut left) = (0, Left::default());
    for text in diff.lines() {
        if left.is_over() {
            if let Some(named) = text.strip_prefix("+++ ") {
                path = named.trim_end_matches('\t').strip_prefix("b/").filter(|path| is_code(path));
            } else if let Some(hunk) = text.strip_prefix("@@ ").and_then(Hunk::parse) {
                (line, left) = (hunk.line, hunk.left);
            }
            continue;
        }
        let (mark, rest) = (text.get(..1).unwrap_or_default(), text.get(1..).unwrap_or_default());
        left.take(mark);
        match (mark, path) {
            ("+", Some(path)) if is_stub(rest) && !was_there(path, rest) => {
                let text = rest.trim().to_owned();
                stubs.push(Stub { path: path.to_owned(), line, text });
            }
            _ => {}
        }
        line += u64::from(mark != "-" && mark != "\\");
    }
    stubs
}

impl From<Stub> for Issue {
    fn from(Stub { path, line, text }: Stub) -> Self {
        let check = super::CheckKind::StubMarkers.words().to_owned();
        Self { check, path: Some(path), line: Some(line), text: format!("unfinished: {text}") }
    }
}

/// The numbers of lines of a hunk that remain to be read, for the old and the new file.
#[derive(Default)]
struct Left {
    old: u64,
    new: u64,
}

impl Left {
    fn is_over(&self) -> bool {
        self.old == 0 && self.new == 0
    }

    fn take(&mut self, mark: &str) {
        if mark != "+" && mark != "\\" {
            self.old = self.old.saturating_sub(1);
        }
        if mark != "-" && mark != "\\" {
            self.new = self.new.saturating_sub(1);
        }
    }
}

struct Hunk {
    line: u64,
    left: Left,
}

impl Hunk {
    /// Parses the ranges of a hunk: `-1,2 +3,4 @@ ...`.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (_, old) = range(words.next()?.strip_prefix('-')?)?;
        let (line, new) = range(words.next()?.strip_prefix('+')?)?;
        Some(Self { line, left: Left { old, new } })
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, length.parse().ok()?))
}

fn is_code(path: &str) -> bool {
    !TEXTS.iter().any(|end| path.ends_with(end))
}

fn is_stub(line: &str) -> bool {
    CODE.iter().any(|code| line.contains(code)) || WORDS.iter().any(|word| stands_alone(line, word))
}

fn stands_alone(line: &str, word: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    line.match_indices(word).any(|(at, _)| {
        let bytes = line.as_bytes();
        !is_part(at.checked_sub(1).and_then(|at| bytes.get(at)))
            && !is_part(bytes.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n\
        +++ b/src/a.rs\n@@ -1,3 +1,4 @@ fn x\n // TODO: was here\n-    todo!()\n+    // TODO(me): more\n\
        +++ // FIXME a line that begins with plus signs\n \\ no\n@@ -9 +10,2 @@\n+    unimplemented!(\"x\")\n\
        -old\n+let TODOS = 1;\n\\ No newline at end of file\ndiff --git a/README.md b/README.md\n\
        --- a/README.md\n+++ b/README.md\n@@ -0,0 +1 @@\n+TODO\ndiff --git a/t.py b/t.py\nnew file \
        mode 100644\n--- /dev/null\n+++ b/t.py\n@@ -0,0 +1,2 @@\n+def f():\n+    pass  # stub\n";

    #[test]
    fn only_added_lines_of_code_count() {
        let stub = |path: &str, line, text: &str| Stub {
            path: path.to_owned(),
            line,
            text: text.to_owned(),
        };
        let expected = [
            stub("src/a.rs", 2, "// TODO(me): more"),
            stub("src/a.rs", 3, "++ // FIXME a line that begins with plus signs"),
            stub("src/a.rs", 10, "unimplemented!(\"x\")"),
            stub("t.py", 2, "pass  # stub"),
        ];
        assert_eq!(added_stubs(DIFF, |_, _| false), expected);
        let begun = |path: &str, line: &str| path == "t.py" && line == "    pass  # stub";
        assert_eq!(added_stubs(DIFF, begun), expected[..3]);
        assert_eq!(added_stubs("", |_, _| false), []);
    }
}
