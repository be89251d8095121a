//! Collects the files that a command line names. Running the command line may destroy them, so
//! verger first saves them for undo.

use verger_shell::{Command, Inside, Mode, Script, Word};

use super::directories::{Moves, changes_directory};
use super::paths::{Ground, is_hidden};

/// The maximum number of names that are collected from one command line.
pub(super) const MAX_NAMED: usize = 256;

/// An absolute path that a command line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedPath {
    /// A path that is a file or a directory, if it exists.
    Path(String),
    /// A pattern that a shell expands.
    Pattern(String),
    /// A directory that the command line changes to.
    Directory(String),
}

impl NamedPath {
    /// The path or the pattern as text.
    pub fn text(&self) -> &str {
        match self {
            Self::Path(text) | Self::Pattern(text) | Self::Directory(text) => text,
        }
    }
}

/// The paths that the commands of a command line name, in order and without repetition. A word may
/// look like a path without being one, so the caller must check whether the file exists.
pub fn named_paths(script: &Script, ground: &Ground<'_>) -> Vec<NamedPath> {
    let moves = Moves::of(script, ground);
    let mut named = Vec::new();
    let mut add = |path: NamedPath| {
        if named.len() < MAX_NAMED && !named.contains(&path) {
            named.push(path);
        }
    };
    for directory in moves.before(usize::MAX).skip(1) {
        add(NamedPath::Directory(directory.to_owned()));
    }
    for (index, command) in script.commands.iter().enumerate() {
        if script.runs_elsewhere(index) || changes_directory(command) {
            continue;
        }
        for place in moves.before(index) {
            let ground = Ground { cwd: Some(place), ..*ground };
            for directory in repositories(command) {
                add(NamedPath::Directory(ground.absolute(directory)));
            }
        }
        for (text, is_pattern) in words(command) {
            for directory in moves.before(index) {
                let path = Ground { cwd: Some(directory), ..*ground }.absolute(text);
                add(if is_pattern { NamedPath::Pattern(path) } else { NamedPath::Path(path) });
            }
        }
    }
    named
}

/// The directories in the assignments `GIT_DIR=` and `GIT_WORK_TREE=` before the command.
fn repositories(command: &Command) -> impl Iterator<Item = &str> {
    let is_of_git = |name: &str| matches!(name, "GIT_DIR" | "GIT_WORK_TREE");
    let set = command.assignments.iter().filter(move |one| is_of_git(&one.name));
    set.filter(|one| !is_hidden(&one.value)).map(|one| one.value.text())
}

/// Operands of `rm` and similar programs that are known only when the command line runs.
pub fn hidden_operands(script: &Script) -> Vec<String> {
    let takes_away = |command: &&Command| {
        const PROGRAMS: &[&str] = &["rm", "grm", "shred", "unlink", "srm", "rimraf", "truncate"];
        command.inside != Inside::Readings
            && command.program().is_some_and(|program| PROGRAMS.contains(&program))
    };
    let commands = script.commands.iter().filter(takes_away);
    let words = commands.flat_map(|command| command.argv.iter().skip(1));
    let mut hidden: Vec<String> = vec![];
    for word in words.filter(|word| is_hidden(word) || word.has_braces()) {
        if hidden.len() < MAX_NAMED && !hidden.iter().any(|known| known == word.text()) {
            hidden.push(word.text().to_owned());
        }
    }
    hidden
}

/// The words of the command that may name a file. The flag is whether the text is a pattern.
pub(super) fn words(command: &Command) -> impl Iterator<Item = (&str, bool)> {
    let is_written = |mode| matches!(mode, Mode::Write | Mode::Append | Mode::ReadWrite);
    let redirected = command.redirects.iter().filter(move |one| is_written(one.mode));
    let operands = command.argv.iter().skip(1).flat_map(named_by);
    operands.chain(redirected.flat_map(|redirect| named_by(&redirect.target)))
}

/// The texts in a word that may name a file: the word itself, unless it is an option, and the value
/// in `--output=x` or `of=x`. The flag is whether the text is a pattern.
fn named_by(word: &Word) -> impl Iterator<Item = (&str, bool)> {
    let text = word.text();
    let is_option = text.starts_with('-');
    let value = text.split_once('=').map(|(_, value)| value);
    let whole = Some(text).filter(|_| !is_option);
    let is_named = !is_hidden(word);
    let is_pattern = word.literal().is_none() && text.contains(['*', '?', '[']);
    [whole, value]
        .into_iter()
        .flatten()
        .filter(move |text| is_named && !text.is_empty())
        .map(move |text| (text, is_pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let ground = Ground {
            cwd: Some("/p/src"),
            home: Some("/home/dev"),
            root: Some("/p"),
            ..Ground::default()
        };
        let named = named_paths(&verger_shell::read(line), &ground);
        let named: Vec<_> = named
            .iter()
            .map(|named| match named {
                NamedPath::Path(path) => path.clone(),
                NamedPath::Pattern(path) => format!("pattern {path}"),
                NamedPath::Directory(path) => format!("directory {path}"),
            })
            .collect();
        assert_eq!(named, expected, "{line}");
    }

    #[test]
    fn operands_values_and_what_is_written_to_are_named() {
        check(
            "rm -rf a ../b /c ~/d \"$HOME/e\"",
            &["/p/src/a", "/p/b", "/c", "/home/dev/d", "/home/dev/e"],
        );
        check(
            "dd if=/x of=y --status=none",
            &["/p/src/if=/x", "/x", "/p/src/of=y", "/p/src/y", "/p/src/none"],
        );
        check("echo x > a 2>> b < c", &["/p/src/x", "/p/src/a", "/p/src/b"]);
        check("rm *.txt 'a*'", &["pattern /p/src/*.txt", "/p/src/a*"]);
    }

    #[test]
    fn paths_in_inner_commands_and_after_cd_are_named() {
        check("cd /q && rm a", &["directory /q", "/p/src/a", "/q/a"]);
        check("sudo bash -c 'rm -r /c'", &["/p/src/bash", "/p/src/rm -r /c", "/c"]);
    }

    #[test]
    fn repositories_that_variables_name_are_directories() {
        check(
            "GIT_DIR=../o/.git GIT_WORK_TREE=/o git reset",
            &["directory /p/o/.git", "directory /o", "/p/src/reset"],
        );
    }

    #[test]
    fn operands_that_only_running_tells_are_known_as_such() {
        let hidden = |line: &str| hidden_operands(&verger_shell::read(line));
        assert_eq!(hidden("rm -rf g $D/d `cat list` \"$x\""), ["$D/d", "`cat list`", "$x"]);
        assert_eq!(
            hidden("rm -rf g a? [a]1 ~/x \"$HOME/y\" $PWD/z; echo $x"),
            <[&str; 0]>::default()
        );
        assert_eq!(hidden("for f in a b; do rm $f; done"), <[&str; 0]>::default());
    }

    #[test]
    fn hidden_and_remote_paths_are_not_named() {
        check("rm \"$x\" $(cat list)", &["/p/src/list"]);
        check("ssh host rm a", &["/p/src/host", "/p/src/rm", "/p/src/a"]);
    }

    #[test]
    fn a_long_line_names_no_more_than_is_looked_at() {
        let files: Vec<_> = (0..400).map(|number| format!("f{number}")).collect();
        let line = format!("rm {}", files.join(" "));
        let named = named_paths(&verger_shell::read(&line), &Ground::default());
        assert_eq!(named.len(), MAX_NAMED);
    }
}
