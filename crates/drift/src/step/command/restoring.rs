//! What a command brings back as it was.

use serde::{Deserialize, Serialize};

use crate::paths::{PathPattern, lies_in};

/// The files that a command brings back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restored {
    /// None.
    #[default]
    Nothing,
    /// These: files, folders or globs.
    Files(Vec<String>),
    /// All that were changed.
    All,
}

impl Restored {
    /// Whether none is.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// Whether this file is.
    pub(crate) fn has(&self, file: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Files(paths) => paths.iter().any(|path| {
                lies_in(file, path) || (path.contains('*') && PathPattern::new(path).covers(file))
            }),
            Self::All => true,
        }
    }
}

/// What the words of a command of git bring back. What is only taken out of the index is still changed.
pub(super) fn restored(words: &[String], within: impl Fn(&str) -> String) -> Restored {
    let [program, subcommand, rest @ ..] = words else { return Restored::Nothing };
    if program.rsplit('/').next() != Some("git") {
        return Restored::Nothing;
    }
    let has = |flags: &[&str]| rest.iter().any(|word| flags.contains(&word.as_str()));
    let is_of_index = has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
    match subcommand.as_str() {
        "reset" if has(&["--hard"]) => Restored::All,
        "checkout" if has(&["-b", "-B", "--orphan"]) => Restored::Nothing,
        "checkout" if has(&["-f", "--force"]) && named(rest).next().is_none() => Restored::All,
        "restore" if is_of_index => Restored::Nothing,
        "checkout" | "restore" => files(named(rest), within),
        "show" => shown(rest, within),
        "stash" => match rest.iter().map(String::as_str).find(|word| !word.starts_with('-')) {
            None => Restored::All,
            Some("push" | "save") if !has(&["--"]) => Restored::All,
            Some("push") => files(behind_dashes(rest), within),
            Some(_) => Restored::Nothing,
        },
        _ => Restored::Nothing,
    }
}

/// The files of a command: what stands behind `--`, or else all that is no option.
fn named(words: &[String]) -> Box<dyn Iterator<Item = &str> + '_> {
    if words.iter().any(|word| word == "--") {
        Box::new(behind_dashes(words))
    } else {
        Box::new(words.iter().map(String::as_str).filter(|word| !word.starts_with(['-', '>'])))
    }
}

fn behind_dashes(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).skip_while(|word| *word != "--").skip(1)
}

/// `git show HEAD:src/a.rs > src/a.rs` writes a file as it was.
fn shown(words: &[String], within: impl Fn(&str) -> String) -> Restored {
    match words {
        [shown, to, file] if to == ">" => match shown.split_once(':') {
            Some((_, path)) if within(path) == within(file) => Restored::Files(vec![within(file)]),
            _ => Restored::Nothing,
        },
        _ => Restored::Nothing,
    }
}

fn files<'a>(named: impl Iterator<Item = &'a str>, within: impl Fn(&str) -> String) -> Restored {
    let paths: Vec<String> = named.map(within).collect();
    if paths.iter().any(|path| path.is_empty() || matches!(path.as_str(), "." | ":/" | "*")) {
        Restored::All
    } else if paths.is_empty() {
        Restored::Nothing
    } else {
        Restored::Files(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::within;

    #[test]
    fn a_command_brings_back_what_it_names() {
        let cases = [
            ("git checkout web/a.css", "web/a.css", true),
            ("git checkout web/a.css", "web/b.css", false),
            ("git checkout -- web", "web/a.css", true),
            ("git checkout HEAD~1 -- web/", "web/a.css", true),
            ("git checkout HEAD~1 -- web/", "webs/a.css", false),
            ("git checkout main", "web/a.css", false),
            ("git checkout -b web", "web/a.css", false),
            ("git checkout .", "web/a.css", true),
            ("git checkout -f", "web/a.css", true),
            ("git restore /home/dev/app/web/a.css", "web/a.css", true),
            ("git restore web/*.css", "web/a.css", true),
            ("git restore --source=HEAD~2 web/a.css", "web/a.css", true),
            ("git restore --staged web/a.css", "web/a.css", false),
            ("git restore --staged --worktree web/a.css", "web/a.css", true),
            ("git stash", "web/a.css", true),
            ("git stash -u", "web/a.css", true),
            ("git stash push -- web", "web/a.css", true),
            ("git stash push -- src", "web/a.css", false),
            ("git stash pop", "web/a.css", false),
            ("git reset --hard", "web/a.css", true),
            ("git reset web/a.css", "web/a.css", false),
            ("git diff web/a.css", "web/a.css", false),
            ("git show HEAD:web/a.css > web/a.css", "web/a.css", true),
            ("git show HEAD:web/a.css > web/b.css", "web/b.css", false),
            ("git show HEAD:web/a.css", "web/a.css", false),
            ("git", "web/a.css", false),
            ("ls web/a.css", "web/a.css", false),
        ];
        for (line, file, expected) in cases {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let restored = restored(&words, |path| within(path, Some("/home/dev/app")));
            assert_eq!(restored.has(file), expected, "{line} {file}");
        }
    }
}
