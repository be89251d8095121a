//! The files that a lead agent may write itself.
//!
//! Paths are compared component by component: `memory` doesn't match `src/memory_leak.rs`.

use verger_shell::Glob;

/// A pattern for paths. It is a location (`docs`, `~/plans`, `/srv/notes`), or a file name in any
/// directory of the project (`*.md`). A file name has a star and no slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    /// The components of the pattern's path, from the root of the file system.
    parts: Vec<String>,
    is_name: bool,
}

/// The patterns for files that lead agents may write themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The files that any lead agent may write.
    pub allowed: Vec<PathPattern>,
    /// Plans and documents, which a section leader may write.
    pub documents: Vec<PathPattern>,
    /// The files that no lead agent may write. This list overrides the other two.
    pub never: Vec<PathPattern>,
}

/// The target of a tool call, as far as delegation distinguishes targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A file that any lead agent may write.
    Allowed,
    /// A plan or a document, which a section leader may write.
    Document,
    /// Any other file.
    Source,
    /// The call isn't about a file.
    Other,
}

impl PathPattern {
    /// Parses a pattern. A relative location is below the project's `root`, and `~/` is the user's
    /// `home`.
    pub fn new(text: &str, root: &str, home: Option<&str>) -> Self {
        let is_name = text.contains('*') && !text.contains('/');
        let above = match text.strip_prefix("~/") {
            Some(_) => home.unwrap_or("~"),
            None if text.starts_with('/') => "",
            None => root,
        };
        let text = text.strip_prefix("~/").unwrap_or(text);
        Self { parts: parts(above).chain(parts(text)).map(str::to_owned).collect(), is_name }
    }

    /// Whether the pattern matches an absolute path without `..`, or matches a directory above this
    /// path.
    fn covers(&self, path: &str) -> bool {
        let path: Vec<_> = parts(path).collect();
        if let (true, Some((name, root))) = (self.is_name, self.parts.split_last()) {
            return path.len() > root.len()
                && begins(&path, root)
                && path.last().is_some_and(|last| Glob::fits(name, last));
        }
        path.len() >= self.parts.len() && begins(&path, &self.parts)
    }
}

fn begins(path: &[&str], parts: &[String]) -> bool {
    path.iter().zip(parts).all(|(one, pattern)| Glob::fits(pattern, one))
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

impl Places {
    /// The target of a tool call for a file. `paths` has every path to the file, absolute and
    /// without links and `..`. A file without a known path counts as [`Target::Source`].
    pub fn target(&self, paths: &[String]) -> Target {
        let is_all = |lists: &[&[PathPattern]]| {
            let covers = |path: &String| {
                lists.iter().copied().flatten().any(|pattern| pattern.covers(path))
                    && !self.never.iter().any(|pattern| pattern.covers(path))
            };
            !paths.is_empty() && paths.iter().all(covers)
        };
        if is_all(&[&self.allowed]) {
            Target::Allowed
        } else if is_all(&[&self.allowed, &self.documents]) {
            Target::Document
        } else {
            Target::Source
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<PathPattern> {
        texts.iter().map(|text| PathPattern::new(text, "/p", Some("/home/dev"))).collect()
    }

    #[test]
    fn a_file_is_known_by_whole_parts_of_its_path() {
        let places = Places {
            allowed: patterns(&[".tool/", "memory", "~/.tool", "/srv/notes", "a/*/plan.txt"]),
            documents: patterns(&["docs", "*.md", "./plans"]),
            never: patterns(&[".tool/worktrees"]),
        };
        for (path, expected) in [
            ("/p/.tool/agents/a.md", Target::Allowed),
            ("/p/.tool", Target::Allowed),
            ("/p/.toolbox/x", Target::Source),
            ("/p/src/.tool/x", Target::Source),
            ("/p/.tool/worktrees/x/src/main.rs", Target::Source),
            ("/p/.tool/worktrees/x/README.md", Target::Source),
            ("/p/memory/today.txt", Target::Allowed),
            ("/p/src/memory_leak.rs", Target::Source),
            ("/p/src/memory/leak.rs", Target::Source),
            ("/home/dev/.tool/plans/one", Target::Allowed),
            ("/srv/notes/a", Target::Allowed),
            ("/srv/notes2", Target::Source),
            ("/p/a/b/plan.txt", Target::Allowed),
            ("/p/a/b/c/plan.txt", Target::Source),
            ("/p/README.md", Target::Document),
            ("/p/crates/x/notes.md", Target::Document),
            ("/other/README.md", Target::Source),
            ("/p/docs/index.html", Target::Document),
            ("/p/plans/1", Target::Document),
            ("/p/docs.rs", Target::Source),
            ("/p", Target::Source),
        ] {
            assert_eq!(places.target(&[path.to_owned()]), expected, "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_to_two_files_is_as_good_as_the_worse() {
        let places = Places { allowed: patterns(&["notes"]), ..Places::default() };
        let [note, source] = ["/p/notes/a", "/p/src/a"].map(str::to_owned);
        assert_eq!(places.target(&[note.clone(), note.clone()]), Target::Allowed);
        assert_eq!(places.target(&[note, source]), Target::Source);
        assert_eq!(places.target(&[]), Target::Source);
    }
}
