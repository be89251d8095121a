//! Decides which paths don't count as work: verger's own files, ticket stores, and paths that match
//! the user's globs.

/// Directories of verger and of ticket stores. They are ignored at the top of the repository and of
/// the project.
const OWN: &[&str] = &[".verger", ".beads", ".tissue"];

/// Patterns of ignored paths.
///
/// A pattern without a slash matches a file or directory name at any depth. A pattern with a slash
/// is relative to the project's root. `*` and `?` don't match a slash, `**` does. `[a-z]` and
/// `[!a-z]` match one character. Everything below a matching directory is ignored too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignore {
    patterns: Vec<String>,
}

impl Ignore {
    pub fn new(patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect() }
    }

    /// Whether `path` is ignored. `path` and `project` are relative to the repository. Patterns are
    /// relative to `project`.
    pub(crate) fn covers(&self, project: &[u8], path: &[u8]) -> bool {
        let inside = below(project, path);
        let is_own = |path: &[u8]| {
            OWN.iter().any(|own| path.split(|byte| *byte == b'/').next() == Some(own.as_bytes()))
        };
        is_own(path)
            || inside.is_some_and(is_own)
            || self.patterns.iter().any(|pattern| matches_path(pattern, path, inside))
    }
}

/// The rest of `path` below `directory`. `None` if `path` isn't below it.
fn below<'a>(directory: &[u8], path: &'a [u8]) -> Option<&'a [u8]> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix(b"/")
}

fn matches_path(pattern: &str, path: &[u8], inside: Option<&[u8]>) -> bool {
    let trimmed = pattern.trim_end_matches('/').as_bytes();
    if trimmed.is_empty() {
        return false;
    }
    if !trimmed.contains(&b'/') {
        return path.split(|byte| *byte == b'/').any(|name| matches(trimmed, name));
    }
    let anchored = trimmed.strip_prefix(b"/").unwrap_or(trimmed);
    inside.is_some_and(|inside| ancestors(inside).any(|prefix| matches(anchored, prefix)))
}

/// The path itself and its parent directories, as paths.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    ends.chain([path.len()]).map(|end| &path[..end])
}

/// Whether a glob matches the whole text. After a mismatch, it goes back only to the last star,
/// which is enough.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut in_text) = (0, 0);
    let mut star: Option<Star> = None;
    let mut deep: Option<Star> = None;
    loop {
        let rest = &pattern[at..];
        if let Some((found, length)) = Star::read(rest) {
            at += length;
            let place = Some(Star { behind: at, eaten: in_text, ..found });
            (star, deep) = if found.reach == Reach::Name { (place, deep) } else { (None, place) };
            continue;
        }
        match text.get(in_text) {
            None if rest.is_empty() => return true,
            Some(byte) => {
                if let Some(length) = accept(rest, *byte) {
                    at += length;
                    in_text += 1;
                    continue;
                }
            }
            None => {}
        }
        if let Some(next) = star.and_then(|star| star.one_more(text)) {
            star = Some(next);
            (at, in_text) = (next.behind, next.eaten);
        } else if let Some(next) = deep.and_then(|deep| deep.one_more(text)) {
            (star, deep) = (None, Some(next));
            (at, in_text) = (next.behind, next.eaten);
        } else {
            return false;
        }
    }
}

/// A star in the pattern that can match more: its kind, the pattern position after it, and the text
/// position up to which it matches now.
#[derive(Clone, Copy)]
struct Star {
    reach: Reach,
    behind: usize,
    eaten: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// `*` matches within a name.
    Name,
    /// `**` matches anything.
    Anything,
    /// `**/` matches whole directories, or nothing.
    Directories,
}

impl Star {
    fn read(pattern: &[u8]) -> Option<(Self, usize)> {
        let (reach, length) = match pattern {
            [b'*', b'*', b'/', ..] => (Reach::Directories, 3),
            [b'*', b'*', ..] => (Reach::Anything, 2),
            [b'*', ..] => (Reach::Name, 1),
            _ => return None,
        };
        Some((Self { reach, behind: 0, eaten: 0 }, length))
    }

    /// The same star, after it matches one more byte or directory of the text. `None` if it can't.
    fn one_more(self, text: &[u8]) -> Option<Self> {
        let left = text.get(self.eaten..)?;
        let step = match self.reach {
            Reach::Name => left.first().filter(|byte| **byte != b'/').map(|_| 1)?,
            Reach::Anything => left.first().map(|_| 1)?,
            Reach::Directories => 1 + left.iter().position(|byte| *byte == b'/')?,
        };
        Some(Self { eaten: self.eaten + step, ..self })
    }
}

/// The length of the pattern's first element, if the element matches `byte`.
fn accept(pattern: &[u8], byte: u8) -> Option<usize> {
    let (length, is_accepted) = match pattern {
        [] => return None,
        [b'?', ..] => (1, byte != b'/'),
        [b'[', class @ ..] => accept_class(class, byte).unwrap_or((1, byte == b'[')),
        [b'\\', escaped, ..] => (2, byte == *escaped),
        [literal, ..] => (1, byte == *literal),
    };
    is_accepted.then_some(length)
}

/// Matches a character class. Returns `None` if the class isn't closed.
fn accept_class(class: &[u8], byte: u8) -> Option<(usize, bool)> {
    let is_negated = matches!(class.first(), Some(b'!' | b'^'));
    let members = &class[usize::from(is_negated)..];
    // A `]` directly after the opening bracket is a member of the class.
    let length = 1 + members.get(1..)?.iter().position(|byte| *byte == b']')?;
    let is_accepted = byte != b'/' && has_member(&members[..length], byte) != is_negated;
    Some((1 + usize::from(is_negated) + length + 1, is_accepted))
}

fn has_member(members: &[u8], byte: u8) -> bool {
    match members {
        [from, b'-', to, rest @ ..] => (*from..=*to).contains(&byte) || has_member(rest, byte),
        [member, rest @ ..] => *member == byte || has_member(rest, byte),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, project: &str, covered: &[&str], not_covered: &[&str]) {
        let ignore = Ignore::new([pattern]);
        for (paths, expected) in [(covered, true), (not_covered, false)] {
            for path in paths {
                let found = ignore.covers(project.as_bytes(), path.as_bytes());
                assert_eq!(found, expected, "{pattern:?} in {project:?}: {path:?}");
            }
        }
    }

    #[test]
    fn a_name_matches_at_any_depth() {
        check("*.lock", "", &["a.lock", "x/y/a.lock"], &["a.locks", "lock"]);
        check("build", "", &["build", "build/x", "a/build/b"], &["builder", "rebuild/x"]);
        check("docs/", "", &["docs/a", "x/docs/a"], &["doc"]);
        check("b?ild", "sub", &["build", "sub/bxild/c"], &["bild", "b/ild"]);
    }

    #[test]
    fn a_path_starts_at_the_project() {
        check("docs/*.md", "", &["docs/a.md"], &["docs/x/a.md", "x/docs/a.md", "docs"]);
        check("docs/*.md", "sub", &["sub/docs/a.md"], &["docs/a.md", "subdocs/a.md"]);
        check("/gen", "", &["gen", "gen/deep/x"], &["x/gen"]);
        check("gen/**", "", &["gen/x", "gen/deep/x"], &["gens/x"]);
        check("a/**/b", "", &["a/b", "a/x/b", "a/x/y/b/below"], &["ab", "a/xb", "b"]);
        check("**/test/*.rs", "", &["test/a.rs", "x/y/test/a.rs"], &["test/x/a.rs", "atest/a.rs"]);
    }

    #[test]
    fn classes_and_escapes_are_one_character() {
        check("[a-c]x", "", &["ax", "cx"], &["dx", "abx", "[a-c]x"]);
        check("[!a-c]x", "", &["dx"], &["ax", "/x"]);
        check("[]]x", "", &["]x"], &["x"]);
        check("[ab", "", &["[ab"], &["a", "b"]);
        check(r"\*x", "", &["*x"], &["ax"]);
        check("x[/]y", "", &[], &["x/y"]);
    }

    #[test]
    fn an_empty_pattern_covers_nothing() {
        check("", "", &[], &["a"]);
        check("/", "", &[], &["a"]);
    }

    #[test]
    fn our_files_and_ticket_stores_are_left_out_where_they_belong() {
        check("x", "", &[".verger/a", ".beads/b/c", ".tissue/d"], &["src/.verger/a", ".vergers/a"]);
        check("x", "sub", &["sub/.verger/a", ".beads/b"], &["other/.verger/a"]);
    }

    #[test]
    fn a_hostile_pattern_takes_no_time() {
        let pattern = "*a".repeat(60) + "b";
        check(&pattern, "", &[], &[&"a".repeat(3000)]);
        let pattern = "**/a".repeat(60) + "b";
        check(&pattern, "", &[], &[&"a/".repeat(1500)]);
    }
}
