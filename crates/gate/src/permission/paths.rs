//! Decides to which classes a path belongs, by its text.
//!
//! | class | a path of |
//! |---|---|
//! | `root` | the root of the file system, or a directory of the system |
//! | `home` | the home directory, or a directory in it with more than one project |
//! | `git` | a repository's own `.git` |
//! | `project` | the working directory or the whole project |
//! | `outside` | a file outside of the project that isn't temporary |
//! | `outside-tree` | `outside`, but not in a directory deep in the home after a `cd` to it |
//! | `output` | build output, which a build can create again |
//! | `output-name` | the name of build output, also as a pattern |
//! | `temporary` | a directory for temporary files |
//! | `source` | a file in the project that isn't `output` |
//! | `tree` | `source`, and maybe a directory |
//! | `everything` | all files of a directory that isn't `output` or `temporary`: `*`, `src/*` |
//! | `sources` | every file with an extension of source code: `*.py`, `src/*.go` |
//! | `system-file` | a file that the system needs to start, to log users in, or to know its users |
//! | `startup` | a file that every new shell runs, or that allows a user to log in |
//! | `file` | certainly a file, not a branch: the text has an extension, or a slash at its end |
//! | `device` | a disk or another device |
//! | `secret` | credentials |
//! | `git-runs` | files that git runs by itself: hooks, and its settings |
//! | `own` | protected files: verger's own files, and the settings and hooks of agents |
//! | `own-folder` | a directory for protected files: `.verger` |
//! | `own-tree` | `own-folder`, or a directory above it: `~/.config`; no whole home or project |
//! | `hidden` | a word that is known only when the command line runs |
//! | `anywhere` | `hidden`, and its end isn't the name of build output |
//! | `url` | a network address |
//! | `pattern` | a text with a star |

mod own;
mod places;
mod secrets;

use verger_shell::Word;

use own::{holds_own, is_above_own, is_own, is_run_by_git};
use places::{is_device, is_home, is_output, is_output_name, is_system, is_temporary};
use places::{is_startup, is_system_file, is_whole_project};

pub use own::OWN_FILES;
pub(super) use own::may_lead_to_own;
pub(super) use secrets::{is_secret, is_secret_variable};

/// The names of all path classes, which the table in the module's documentation describes.
pub(super) const CLASSES: &[&str] = &[
    "root",
    "home",
    "git",
    "project",
    "outside",
    "outside-tree",
    "output",
    "output-name",
    "temporary",
    "source",
    "tree",
    "everything",
    "sources",
    "system-file",
    "startup",
    "file",
    "device",
    "secret",
    "own",
    "own-folder",
    "own-tree",
    "git-runs",
    "hidden",
    "anywhere",
    "url",
    "pattern",
    "sql",
];

/// The directories from which paths are resolved, and the protected files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ground<'a> {
    /// The working directory, if it is known.
    pub cwd: Option<&'a str>,
    /// The user's home directory, if it is known.
    pub home: Option<&'a str>,
    /// The project's root, if it is known.
    pub root: Option<&'a str>,
    /// The protected files and directories of verger and of agents' settings, as absolute paths.
    pub own: &'a [String],
    /// The symbolic links in the paths of the command line: the absolute path of each link, and its
    /// target.
    pub links: &'a [(String, String)],
}

/// The way in which a tool uses a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The tool only reads the file.
    Read,
    /// The tool creates, changes or removes the file.
    Write,
}

/// The reason why a path is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// The file is verger's own, or a setting or hook of agents. An agent must never write it.
    Own,
    /// Git runs or uses the file by itself. A person must allow a write.
    GitRuns,
    /// The file has credentials. A person must allow a write or a read.
    Secret,
}

impl Protection {
    /// The protection that applies to this access of the path. `None` if the path isn't protected
    /// against it.
    pub fn of(path: &str, access: Access, ground: &Ground<'_>) -> Option<Self> {
        let path = ground.absolute(path);
        if access == Access::Write && is_own(&path, ground) {
            return Some(Self::Own);
        }
        if access == Access::Write && is_run_by_git(&path) {
            return Some(Self::GitRuns);
        }
        is_secret(&path).then_some(Self::Secret)
    }
}

impl Ground<'_> {
    /// The absolute path, without `.` and `..`. The path stays relative if the working directory is
    /// unknown, and begins with `~` if the home is unknown.
    pub(crate) fn absolute(&self, path: &str) -> String {
        let home = self.home.unwrap_or("~");
        let joined = if let Some(rest) = in_home(path) {
            [home, "/", rest].concat()
        } else if let Some(rest) = after(path, &["$PWD", "${PWD}"]) {
            [self.cwd.unwrap_or("."), "/", rest].concat()
        } else if let Some(rest) = after(path, &["$TMPDIR", "${TMPDIR}"]) {
            format!("/tmp/{rest}")
        } else if path.starts_with('/') {
            path.to_owned()
        } else {
            [self.cwd.unwrap_or("."), "/", path].concat()
        };
        self.followed(normal(&joined))
    }

    /// Whether the absolute path is a protected file, or a directory above one.
    pub(super) fn leads_to_own(&self, path: &str) -> bool {
        is_own(path, self) || is_above_own(path, self)
    }

    /// The path after replacing a known symbolic link by its target.
    fn followed(&self, path: String) -> String {
        let link = self.links.iter().find(|(link, _)| is_below(&path, link));
        match link {
            Some((link, real)) => format!("{real}{}", &path[link.len()..]),
            None => path,
        }
    }

    /// Whether the absolute path is build output of the project, judged by its names.
    pub fn is_build_output(&self, path: &str) -> bool {
        self.is_in_project(path) && is_output(path, self)
    }

    pub(super) fn is_in_project(&self, path: &str) -> bool {
        match self.root.or(self.cwd) {
            Some(root) => is_below(path, &normal(root)),
            None => !path.starts_with(['/', '~']) && path != ".." && !path.starts_with("../"),
        }
    }
}

/// The rest of the path after the home directory. `None` if the path doesn't begin with `~` or
/// `$HOME`.
fn in_home(path: &str) -> Option<&str> {
    after(path, &["~", "$HOME", "${HOME}"])
}

/// Whether the path begins with `~bob` or `~-`. Such a directory is known only when the command
/// line runs.
pub(super) fn is_of_somebody(path: &str) -> bool {
    path.starts_with('~') && in_home(path).is_none()
}

fn after<'a>(path: &'a str, starts: &[&str]) -> Option<&'a str> {
    starts.iter().find_map(|start| match path.strip_prefix(start)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    })
}

fn normal(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut short = String::with_capacity(path.len() + 1);
    for part in path.split('/') {
        let last = if part == ".." { short.rsplit('/').next() } else { None };
        match (part, last) {
            ("" | ".", _) => {}
            (_, Some(last)) if !matches!(last, "" | "..") => {
                short.truncate((short.len() - last.len()).saturating_sub(1));
            }
            (_, Some(_)) if is_absolute => {}
            _ => {
                if is_absolute || !short.is_empty() {
                    short.push('/');
                }
                short.push_str(part);
            }
        }
    }
    match (short.is_empty(), is_absolute) {
        (true, true) => "/".to_owned(),
        (true, false) => ".".to_owned(),
        (false, _) => short,
    }
}

pub(super) fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory == "/")
}

/// Whether the word is a path of the class with this name.
pub(super) fn is_of_class(class: &str, word: &Word, ground: &Ground<'_>) -> bool {
    let text = word.text();
    match class {
        "hidden" => return is_hidden(word),
        "anywhere" => {
            return is_hidden(word)
                && !ends_in_output(text)
                && !text.contains("$(mktemp")
                && !begins_temporary(text, ground);
        }
        "device" => return is_device(text),
        "file" => return is_surely_file(text),
        "url" => return is_url(text),
        "pattern" => return text.contains('*'),
        "output-name" => return is_output_name(text),
        _ => {}
    }
    let named = directory_of_all(text);
    let path = ground.absolute(named.unwrap_or(text));
    let is_replaceable = || is_temporary(&path, ground) || is_output(&path, ground);
    match class {
        "root" => is_system(&path, ground),
        "home" => is_home(&path, ground),
        "git" => path.split('/').any(|part| part == ".git"),
        // The command line may have changed to a directory of build output or temporary files. All
        // files in that directory aren't the whole project.
        "project" => {
            let is_made = ground.is_in_project(&path) && is_output(&path, ground);
            is_whole_project(&path, ground) && !is_made && !is_temporary(&path, ground)
        }
        "temporary" => is_temporary(&path, ground),
        "everything" => named.is_some() && !is_hidden(word) && !is_replaceable(),
        "outside" => {
            !is_hidden(word) && !ground.is_in_project(&path) && !is_temporary(&path, ground)
        }
        "outside-tree" => is_of_class("outside", word, ground) && !is_entered(text, ground),
        "output" => ground.is_build_output(&path),
        "tree" => {
            let is_file = word.literal().is_some() && has_ending(text);
            !is_file && is_of_class("source", word, ground)
        }
        "source" => !is_hidden(word) && ground.is_in_project(&path) && !is_replaceable(),
        "sources" => word.literal().is_none() && is_every_source(text) && !is_replaceable(),
        "system-file" => is_system_file(&path),
        "startup" => is_startup(&path),
        "secret" => is_secret(&path) || is_secret(text),
        // The text may be a pattern that matches protected files.
        "own" => {
            is_own(&path, ground) || (named.is_some() && is_own(&ground.absolute(text), ground))
        }
        "own-folder" => holds_own(&path),
        "own-tree" => is_above_own(&path, ground),
        "git-runs" => is_run_by_git(&path),
        _ => false,
    }
}

/// The directory, if the text is a pattern for all files in a directory.
fn directory_of_all(text: &str) -> Option<&str> {
    let whole = text.trim_end_matches(['*', '.', '/', '{', '}', ',']);
    let cut = &text[whole.len()..];
    if !cut.contains('*') {
        return None;
    }
    Some(match whole {
        "" if text.starts_with('/') => "/",
        "" => ".",
        // In `src*`, `src` is only a part of a name, not a directory.
        _ if !cut.starts_with('/') => return None,
        _ => whole,
    })
}

/// Whether the word's text is known only when the command line runs. The text of a glob counts as
/// known.
pub(super) fn is_hidden(word: &Word) -> bool {
    let text = word.text();
    let known = in_home(text)
        .or_else(|| after(text, &["$PWD", "${PWD}", "$TMPDIR", "${TMPDIR}"]))
        .unwrap_or(text);
    word.literal().is_none() && known.contains(['$', '`', '<', '>'])
}

/// Whether the text ends in a directory of build output after a variable: `$ROOT/target`.
fn ends_in_output(text: &str) -> bool {
    let tail = text.rsplit(['}', ')', '"', '$']).next().unwrap_or_default();
    tail.split('/').skip(1).any(is_output_name)
}

/// Whether the text before the first expansion names a temporary file. `/tmp/app-$$` does, whatever
/// its end is. `/tmp/$X` doesn't, because it may mean all temporary files.
pub(super) fn begins_temporary(text: &str, ground: &Ground<'_>) -> bool {
    let start = text.split(['$', '`']).next().unwrap_or_default();
    start.starts_with('/')
        && !start.ends_with('/')
        && !text.contains("..")
        && is_temporary(&ground.absolute(start), ground)
}

/// Whether a relative path names a part of the working directory, and the working directory is
/// outside of the project, the system and the top levels of the home.
fn is_entered(text: &str, ground: &Ground<'_>) -> bool {
    let Some(cwd) = ground.cwd else { return false };
    let is_part = !text.starts_with(['/', '~', '$'])
        && !text.contains("..")
        && directory_of_all(text).is_none()
        && !matches!(text.trim_end_matches('/'), "" | ".");
    is_part && !ground.is_in_project(cwd) && !is_home(cwd, ground) && !is_system(cwd, ground)
}

fn is_surely_file(text: &str) -> bool {
    matches!(text, "." | ".." | "*" | ":/" | ":")
        || (text.len() > 1 && text.ends_with('/'))
        || text.starts_with("./")
        || text.contains('*')
        || has_ending(text)
}

/// Whether the text is a pattern for all source files of a language: `*.py`.
fn is_every_source(text: &str) -> bool {
    const CODE: &[&str] = &[
        "rs", "py", "js", "mjs", "ts", "tsx", "jsx", "go", "java", "kt", "c", "h", "cc", "cpp",
        "hpp", "cs", "rb", "php", "swift", "scala", "ex", "exs", "hs", "vue", "svelte", "dart",
        "zig",
    ];
    let name = text.rsplit('/').next().unwrap_or_default();
    name.strip_prefix("*.").is_some_and(|ending| CODE.contains(&ending))
}

/// Whether the name has an extension that is usual for files of a project.
fn has_ending(text: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "rs", "py", "js", "mjs", "cjs", "ts", "tsx", "jsx", "go", "java", "kt", "c", "h", "cc",
        "cpp", "hpp", "cs", "rb", "php", "swift", "scala", "lua", "pl", "sh", "sql", "md", "txt",
        "json", "toml", "yaml", "yml", "lock", "html", "css", "scss", "vue", "svelte", "xml",
        "cfg", "ini", "conf", "proto", "gradle", "ex", "exs", "ipynb", "csv",
    ];
    let name = text.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn is_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("github:") || text.starts_with("gitlab:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shortened() {
        for (path, expected) in [
            ("", "."),
            ("/", "/"),
            ("//a//b/", "/a/b"),
            ("/a/./b/../c", "/a/c"),
            ("/a/..", "/"),
            ("/../a", "/a"),
            ("a/..", "."),
            ("a/b/../..", "."),
            ("..", ".."),
            ("../..", "../.."),
            ("a/../../b", "../b"),
            ("./a", "a"),
            ("~/a/../b", "~/b"),
        ] {
            assert_eq!(normal(path), expected, "{path}");
        }
    }
}
