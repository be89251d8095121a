//! Parses the output of `git diff` to find the added lines.

use super::AddedFile;

/// Parses a diff without context into files and the lines added to each. The length of a hunk comes
/// from its header, not from the content of its lines.
pub(super) fn files(answer: &[u8]) -> Vec<AddedFile> {
    let mut files: Vec<AddedFile> = vec![];
    let mut lines = answer.split(|byte| *byte == b'\n');
    let mut current: Option<AddedFile> = None;
    while let Some(line) = lines.next() {
        if line.starts_with(b"diff --git ") {
            files.extend(current.take());
        } else if let Some(path) = line.strip_prefix(b"+++ ") {
            current = Some(AddedFile { path: path_of(path), ..AddedFile::default() });
        } else if let (Some(hunk), Some(file)) = (Hunk::of(line), &mut current) {
            hunk.read(&mut lines, file);
        }
    }
    files.extend(current);
    files.retain(|file| !file.text.is_empty());
    files
}

/// Removes the quoting from a path in the output. Git quotes names with unusual characters.
fn path_of(path: &[u8]) -> String {
    let text = String::from_utf8_lossy(path);
    let text = text.trim_end_matches('\t');
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    inner.strip_prefix("b/").unwrap_or(inner).to_owned()
}

struct Hunk {
    removed: u64,
    first: u64,
    added: u64,
}

impl Hunk {
    /// Parses a hunk header such as `@@ -1,2 +3,4 @@ function`.
    fn of(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.strip_prefix("@@ ")?.split(' ');
        let (_, removed) = range(words.next()?.strip_prefix('-')?)?;
        let (first, added) = range(words.next()?.strip_prefix('+')?)?;
        Some(Self { removed, first, added })
    }

    fn read<'l>(self, lines: &mut impl Iterator<Item = &'l [u8]>, file: &mut AddedFile) {
        if self.added > 0 && !file.text.is_empty() {
            file.text.push('\n');
            file.numbers.push(0);
        }
        let (mut removed, mut number) = (self.removed, self.first);
        let end = self.first + self.added;
        while removed > 0 || number < end {
            let Some(line) = lines.next() else { return };
            match line.split_first() {
                Some((b'-', _)) => removed = removed.saturating_sub(1),
                Some((b'+', text)) => {
                    file.text.push_str(&String::from_utf8_lossy(text));
                    file.text.push('\n');
                    file.numbers.push(number);
                    number += 1;
                }
                // Git's remark `\ No newline at end of file`. It isn't a line of the file.
                Some((b'\\', _)) => {}
                // The line can't be a part of a hunk, so the diff is invalid.
                Some(_) | None => return,
            }
        }
    }
}

/// Parses the range in a hunk header: `3,4`, or `3` for one line.
fn range(text: &str) -> Option<(u64, u64)> {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((first.parse().ok()?, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_lines_are_parsed_whatever_they_contain() {
        let answer =
            b"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-x\n+++ b/evil\n+@@ -1 +1 @@\n\
            @@ -9,0 +11 @@ fn f()\n+z\n\\ No newline at end of file\n\
            diff --git a/b b/b\nBinary files a/b and b/b differ\n\
            diff --git a/c b/c\n--- /dev/null\n+++ \"b/c\\303\"\n@@ -0,0 +1 @@\n+\xff\n\
            diff --git a/d b/d\n--- a/d\n+++ b/d\n@@ -2 +1,0 @@\n-gone\n";
        let file = |path: &str, text: &str, numbers: &[u64]| AddedFile {
            path: path.to_owned(),
            text: text.to_owned(),
            numbers: numbers.to_vec(),
        };
        assert_eq!(
            files(answer),
            [
                file("a", "++ b/evil\n@@ -1 +1 @@\n\nz\n", &[1, 2, 0, 11]),
                file("c\\303", "\u{fffd}\n", &[1]),
            ]
        );
        let [a, _] = &files(answer)[..] else { panic!() };
        assert_eq!([0, 10, 24].map(|at| a.line_at(at)), [1, 2, 11]);
    }

    #[test]
    fn invalid_diffs_have_no_files() {
        for answer in [&b""[..], b"@@ -1 +1 @@\n+x\n", b"+++ b/a\n@@ -x +y @@\n+x\n", b"\xff\n\n"] {
            assert_eq!(files(answer), [], "{answer:?}");
        }
        // The output ends in the middle of a hunk.
        let cut = files(b"+++ b/a\n@@ -0,0 +1,9 @@\n+x\n+y");
        assert_eq!((cut[0].text.as_str(), &cut[0].numbers[..]), ("x\ny\n", &[1, 2][..]));
    }
}
