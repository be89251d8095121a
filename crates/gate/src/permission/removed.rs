//! Finds the files that a command line removes as a whole: named directories, and the changes or
//! untracked files of a working tree.
//!
//! Only directories that the command line names count. A tool call that doesn't name a directory
//! doesn't remove the repository in it.

use verger_shell::{Command, Script};

use super::directories::Moves;
use super::named::{MAX_NAMED, NamedPath, words};
use super::paths::Ground;

/// The paths and patterns in commands that remove whole directories, in order and without
/// repetition. They are resolved from every directory in which the command may run.
pub fn removed_paths(script: &Script, ground: &Ground<'_>) -> Vec<NamedPath> {
    let moves = Moves::of(script, ground);
    let mut removed = Vec::new();
    for index in removers(script) {
        for directory in moves.before(index) {
            add(&mut removed, named_in(&script.commands[index], directory, ground));
        }
    }
    removed
}

/// Like [`removed_paths`], but each path is resolved only from the most likely directory of its
/// command. The paths of a `git clean` that removes ignored files are included, because no
/// repository has a copy of these files.
pub fn emptied_paths(script: &Script, ground: &Ground<'_>) -> Vec<NamedPath> {
    let moves = Moves::of(script, ground);
    let directory = |index| moves.before(index).next_back().unwrap_or(".");
    let mut emptied = Vec::new();
    for index in removers(script) {
        add(&mut emptied, named_in(&script.commands[index], directory(index), ground));
    }
    for (index, command) in script.commands.iter().enumerate() {
        if !script.runs_elsewhere(index) {
            let takes_ignored =
                |words: &[&str]| words.iter().any(|word| is_short_with(word, &['x', 'X']));
            add(&mut emptied, cleaned_in(command, directory(index), ground, takes_ignored));
        }
    }
    emptied
}

fn removers(script: &Script) -> impl Iterator<Item = usize> {
    let all = script.commands.iter().enumerate();
    let removers = all
        .filter(|(index, command)| !script.runs_elsewhere(*index) && removes_all(command, script));
    removers.map(|(index, _)| index)
}

fn add(paths: &mut Vec<NamedPath>, more: Vec<NamedPath>) {
    for path in more {
        if paths.len() < MAX_NAMED && !paths.contains(&path) {
            paths.push(path);
        }
    }
}

fn named_in(command: &Command, directory: &str, ground: &Ground<'_>) -> Vec<NamedPath> {
    let ground = Ground { cwd: Some(directory), ..*ground };
    let named = words(command).map(|(text, is_pattern)| {
        let path = ground.absolute(text);
        if is_pattern { NamedPath::Pattern(path) } else { NamedPath::Path(path) }
    });
    named.collect()
}

/// The files and changes of a whole working tree that a command line removes without naming them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// The directories and patterns from which untracked files are removed.
    pub untracked: Vec<NamedPath>,
    /// Whether changes of tracked files are lost.
    pub tracked: bool,
}

/// The files and changes that `git clean`, `git reset --hard` and similar commands remove.
pub fn swept(script: &Script, ground: &Ground<'_>) -> Swept {
    let moves = Moves::of(script, ground);
    let mut swept = Swept::default();
    for (index, command) in script.commands.iter().enumerate() {
        if script.runs_elsewhere(index) || command.program() != Some("git") {
            continue;
        }
        let directory = moves.before(index).next_back().unwrap_or(".");
        let cleaned = cleaned_in(command, directory, ground, |_| true);
        let is_dry = |word: &verger_shell::Word| {
            word.text() == "--dry-run" || is_short_with(word.text(), &['n'])
        };
        if !command.argv.iter().any(is_dry) {
            add(&mut swept.untracked, cleaned);
        }
        swept.tracked |= takes_all_changes(command);
    }
    swept
}

fn takes_all_changes(command: &Command) -> bool {
    let words: Vec<_> = command.argv.iter().skip(1).map(verger_shell::Word::text).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let is_whole = || has(&[".", ":/", "./"]);
    let is_forced = || has(&["-f", "--force", "--discard-changes"]);
    (has(&["reset"]) && has(&["--hard"]))
        || (has(&["checkout"]) && (is_whole() || is_forced()))
        || (has(&["restore"]) && is_whole())
        || (has(&["switch"]) && is_forced())
}

/// The paths in a `git clean`, or its directory if it has no paths. Empty if the command isn't a
/// `git clean`, or if `meant` rejects the words after `clean`.
fn cleaned_in(
    command: &Command,
    directory: &str,
    ground: &Ground<'_>,
    meant: impl Fn(&[&str]) -> bool,
) -> Vec<NamedPath> {
    if command.program() != Some("git") {
        return vec![];
    }
    let words: Vec<_> = command.argv.iter().skip(1).map(verger_shell::Word::text).collect();
    let Some(at) = words.iter().position(|word| *word == "clean") else { return vec![] };
    let (before, words) = (&words[..at], &words[at + 1..]);
    if !meant(words) {
        return vec![];
    }
    let ground = Ground { cwd: Some(directory), ..*ground };
    let elsewhere = before.windows(2).find(|pair| pair[0] == "-C").map(|pair| pair[1]);
    let directory = ground.absolute(elsewhere.unwrap_or("."));
    let ground = Ground { cwd: Some(&directory), ..ground };
    let operands = words.iter().filter(|word| !word.starts_with('-'));
    let named: Vec<_> = operands.map(|path| NamedPath::Path(ground.absolute(path))).collect();
    if named.is_empty() { vec![NamedPath::Path(directory)] } else { named }
}

/// Whether a word has short options, and one of them is in `letters`.
fn is_short_with(word: &str, letters: &[char]) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letters)
}

/// Whether the command removes directories in its arguments with their whole content.
fn removes_all(command: &Command, script: &Script) -> bool {
    let words = || command.argv.iter().skip(1).map(verger_shell::Word::text);
    match command.program() {
        Some("rm" | "grm") => words().any(is_recursive),
        Some("rimraf" | "trash" | "srm" | "rmtree") => true,
        Some("rsync") => words().any(|word| word.starts_with("--del")),
        Some("find" | "gfind" | "fd" | "fdfind") => {
            let words: Vec<_> = words().collect();
            let removes = words.contains(&"-delete") || script.commands.iter().any(is_remover);
            removes && !is_narrowed(&words)
        }
        _ => false,
    }
}

fn is_remover(command: &Command) -> bool {
    matches!(command.program(), Some("rm" | "grm" | "unlink" | "shred" | "srm" | "rimraf"))
}

fn is_recursive(word: &str) -> bool {
    is_short_with(word, &['r', 'R']) || (word.len() > 3 && "--recursive".starts_with(word))
}

/// Whether `find` removes only some of the files that it finds: files with certain names, or empty
/// files.
fn is_narrowed(words: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-regex",
        "-iregex",
        "-lname",
        "-samefile",
        "-inum",
    ];
    let is_of_some = |at: usize| {
        let value = words.get(at + 1).copied().unwrap_or_default();
        let is_negated = at > 0 && matches!(words[at - 1], "!" | "-not");
        if is_negated { value.contains(".git") } else { !matches!(value, "*" | ".*") }
    };
    let has = |first: &str, second: &str| words.windows(2).any(|pair| pair == [first, second]);
    words.iter().enumerate().any(|(at, word)| NAMES.contains(word) && is_of_some(at))
        || words.contains(&"-empty")
        || (has("-maxdepth", "1") && has("-type", "f"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let ground = Ground {
            cwd: Some("/p"),
            home: Some("/home/dev"),
            root: Some("/p"),
            ..Ground::default()
        };
        let removed = removed_paths(&verger_shell::read(line), &ground);
        assert_eq!(removed.iter().map(NamedPath::text).collect::<Vec<_>>(), expected, "{line}");
    }

    #[test]
    fn removed_paths_are_the_whole_directories() {
        check("rm -rf .git src", &["/p/.git", "/p/src"]);
        check("sudo rm --recursive .", &["/p"]);
        check("rm -rf * .git", &["/p/*", "/p/.git"]);
        check("rm -rf \"$PWD\" ~/q", &["/p", "/home/dev/q"]);
        check("cd /q && rm -r .", &["/p", "/q"]);
        check("find . -delete", &["/p"]);
        check("find . -type f -exec rm {} +", &["/p", "/p/f", "/p/rm", "/p/{}", "/p/+"]);
        check("find . -not -name keep -delete", &["/p", "/p/keep"]);
        check("find . -print0 | xargs -0 rm", &["/p"]);
    }

    #[test]
    fn emptied_paths_include_ignored_files_of_git_clean() {
        let ground = Ground { cwd: Some("/p"), root: Some("/p"), ..Ground::default() };
        for (line, expected) in [
            ("rm -rf src", &["/p/src"][..]),
            ("cd data && rm -rf *", &["/p/data/*"]),
            ("rm -rf src; git clean -fdx", &["/p/src", "/p"]),
            ("git clean -f -X src docs", &["/p/src", "/p/docs"]),
            ("git -C ../q clean -xdf", &["/q"]),
            ("cd src && git clean -fdx", &["/p/src"]),
            ("sudo git clean -fdx -- src", &["/p/src"]),
            ("git clean -fd", &[]),
            ("git clean --force", &[]),
            ("git log -x clean", &[]),
            ("ssh host git clean -fdx", &[]),
        ] {
            let emptied = emptied_paths(&verger_shell::read(line), &ground);
            assert_eq!(emptied.iter().map(NamedPath::text).collect::<Vec<_>>(), expected, "{line}");
        }
    }

    #[test]
    fn parts_of_directories_are_not_removed_paths() {
        for line in [
            "rm .git",
            "git clean -fdx .",
            "git checkout .",
            "ls . && rm -f a",
            "find . -name '*.pyc' -delete",
            "find . -type d -empty -delete",
            "find . ! -path './.git/*' -delete",
            "find . -maxdepth 1 -type f -delete",
            "find . -name x",
            "ssh host rm -rf .",
        ] {
            check(line, &[]);
        }
    }
}
