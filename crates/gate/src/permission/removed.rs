//! What a line removes with everything in it, by name.
//!
//! Only what its words say counts: a call that does not name a directory as a whole is not one that
//! takes away the repository in it.

use verger_shell::{Command, Script};

use super::directories::Moves;
use super::named::{MAX_NAMED, NamedPath, words};
use super::paths::Ground;

/// The paths and patterns that commands which remove whole directories name, in order and once each.
pub fn removed_paths(script: &Script, ground: &Ground<'_>) -> Vec<NamedPath> {
    let moves = Moves::of(script, ground);
    let mut removed = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        if script.runs_elsewhere(index) || !removes_all(command, script) {
            continue;
        }
        for (text, is_pattern) in words(command) {
            for directory in moves.before(index) {
                let path = Ground { cwd: Some(directory), ..*ground }.absolute(text);
                let path =
                    if is_pattern { NamedPath::Pattern(path) } else { NamedPath::Path(path) };
                if removed.len() < MAX_NAMED && !removed.contains(&path) {
                    removed.push(path);
                }
            }
        }
    }
    removed
}

/// Whether the directories that a command names go with everything in them.
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
    let is_short = word.starts_with('-') && !word.starts_with("--");
    (is_short && word.contains(['r', 'R'])) || (word.len() > 3 && "--recursive".starts_with(word))
}

/// Whether only some of what `find` finds goes: what has a name, or nothing in it.
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
    fn what_is_removed_with_everything_in_it() {
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
    fn what_stays_or_is_a_part_is_not() {
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
