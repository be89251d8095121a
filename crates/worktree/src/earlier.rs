//! Reads the contents of files in earlier commits.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::git::Git;
use crate::tree_error::TreeError;

/// The maximum size of a file that is read. Larger files are skipped.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The maximum length of the header line that `git cat-file` writes before a file's content.
const MAX_HEAD_BYTES: u64 = 1024;

/// A file in a commit: the commit's id, and a path below the project's root.
pub type Earlier<'a> = (&'a str, &'a str);

/// Reads files in earlier commits. Stops at `max_bytes` in total. Leaves out unknown and too large
/// files. All git commands share one time limit.
pub fn earlier_contents<'a>(
    root: &Path,
    wanted: &[Earlier<'a>],
    git: &Git,
    max_bytes: u64,
) -> Result<HashMap<Earlier<'a>, Vec<u8>>, TreeError> {
    let wanted: Vec<_> = wanted.iter().copied().filter(can_be_asked).collect();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let deadline = git.deadline();
    let ask = |how: &str, lines: String, bytes: u64| {
        let program = git.program(root).args(["cat-file", how]).whole_output(bytes);
        let output = program.input(lines).run(deadline)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr).trim().chars().take(500).collect();
        Err(TreeError::Refused { step: "read earlier files", message })
    };
    let names = wanted.iter().flat_map(|(commit, path)| [commit, ":./", path, "\n"]).collect();
    let answer = ask("--batch-check", names, MAX_HEAD_BYTES * wanted.len() as u64)?;
    let answer = String::from_utf8_lossy(&answer);
    let found: Vec<_> = wanted.into_iter().zip(answer.lines().map(blob)).collect();
    let (mut ids, mut bytes) = (HashSet::new(), 0);
    for (id, size) in found.iter().filter_map(|(_, blob)| *blob) {
        if size <= MAX_FILE_BYTES && bytes + size <= max_bytes && ids.insert(id) {
            bytes += size;
        }
    }
    let lines = ids.iter().flat_map(|id| [id, "\n"]).collect();
    let limit = bytes + MAX_HEAD_BYTES * ids.len() as u64;
    let contents = parse(&ask("--batch", lines, limit)?)
        .ok_or(TreeError::Answer { step: "read earlier files" })?;
    let of = |blob: Option<(&str, u64)>| contents.get(blob?.0).cloned();
    Ok(found.into_iter().filter_map(|(name, blob)| Some((name, of(blob)?))).collect())
}

/// Whether `git cat-file` accepts a request for this file. The commit must be an id, not a revision
/// expression. The path must not have a newline, because each request is one line.
fn can_be_asked((commit, path): &Earlier<'_>) -> bool {
    let is_id = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id && !path.is_empty() && !path.contains('\n')
}

/// Parses a header line `id blob size`. Any other header isn't that of a file.
fn blob(line: &str) -> Option<(&str, u64)> {
    let (id, rest) = line.split_once(' ')?;
    Some((id, rest.strip_prefix("blob ")?.parse().ok()?))
}

/// Parses the output of `git cat-file --batch`: a header line and the content, repeated.
fn parse(mut answer: &[u8]) -> Option<HashMap<String, Vec<u8>>> {
    let mut contents = HashMap::new();
    while !answer.is_empty() {
        let end = answer.iter().position(|byte| *byte == b'\n')?;
        let (id, size) = blob(str::from_utf8(&answer[..end]).ok()?)?;
        let (content, rest) = answer[end + 1..].split_at_checked(usize::try_from(size).ok()?)?;
        contents.insert(id.to_owned(), content.to_owned());
        answer = rest.strip_prefix(b"\n")?;
    }
    Some(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_broken_ones_are_not() {
        let answer = b"ab blob 3\na\nb\ncd blob 0\n\n";
        let expected = [("ab".to_owned(), b"a\nb".to_vec()), ("cd".to_owned(), vec![])];
        assert_eq!(parse(answer), Some(expected.into()));
        for cut in [1, 9, 12, 13, 20, answer.len() - 1] {
            assert_eq!(parse(&answer[..cut]), None, "{cut}");
        }
        assert_eq!(blob("abc:./x missing"), None);
        assert_eq!(blob("ab tree 3"), None);
    }

    #[test]
    fn only_ids_and_single_paths_are_asked_for() {
        for (commit, path, expected) in [
            ("0123abc", "src/a b.rs", true),
            ("HEAD~1", "a", false),
            ("0123", "a", false),
            ("0123abc", "a\nb", false),
            ("0123abc", "", false),
        ] {
            assert_eq!(can_be_asked(&(commit, path)), expected, "{commit} {path}");
        }
    }
}
