//! Finds paths that another command lists for a git command: `find . | xargs git add`.

use verger_shell::{Place, Stdin, Word};

use super::add_all::is_whole_tree;
use super::git::{DIFF, Git, LS_FILES, STATUS};
use super::line::{Call, Line};
use crate::permission::bare_name;

/// The parser's placeholder for the arguments that `xargs` or `find -exec` adds at run time.
const INPUT: &str = "$_";
/// Programs that print the lines of their input, perhaps changed.
const PASSING_ON: [&str; 7] = ["awk", "cut", "sed", "sort", "tr", "uniq", "cat"];
/// The maximum number of such programs in a pipeline that are followed.
const MAX_PASSING_ON: usize = 4;

/// Whether the argument is one that a program such as `xargs` adds at run time.
pub(super) fn is_given(word: &Word) -> bool {
    word.text() == INPUT
}

/// Whether `xargs` or `find` adds all files of the working tree to the command with this index.
pub(super) fn is_given_all(index: usize, line: &Line<'_>) -> bool {
    let commands = &line.script().commands;
    let Place::Within(giver) = commands[index].place else { return false };
    match bare_name(&commands[giver]).as_deref() {
        Some("find" | "gfind") => lists_all(giver, line),
        Some("xargs" | "gxargs") => {
            let mut reader = giver;
            for _ in 0..=MAX_PASSING_ON {
                let Stdin::Pipe(Some(writer)) = commands[reader].stdin else { return false };
                let name = bare_name(&commands[writer]);
                if !name.is_some_and(|name| PASSING_ON.contains(&name.as_str())) {
                    return lists_all(writer, line);
                }
                reader = writer;
            }
            false
        }
        _ => false,
    }
}

fn lists_all(index: usize, line: &Line<'_>) -> bool {
    let argv = &line.script().commands[index].argv[..];
    let Some((program, words)) = argv.split_first() else { return false };
    let directory = line.directory(index);
    let is_whole = |word: &Word| is_whole_tree(word, Some(&directory), line);
    let is_here_whole = || is_whole(&Word::Literal(".".to_owned()));
    match program.text() {
        "find" | "gfind" => {
            let first = words.iter().position(|word| word.text().starts_with(['-', '(', '!']));
            let (starts, tests) = words.split_at(first.unwrap_or(words.len()));
            let is_whole =
                if starts.is_empty() { is_here_whole() } else { starts.iter().any(is_whole) };
            is_whole && !narrows(tests)
        }
        "ls" => words.iter().all(|word| word.text().starts_with('-')) && is_here_whole(),
        "git" => Git::of(Call { index, argv }).is_some_and(|git| git_lists_all(&git, line)),
        _ => false,
    }
}

/// Whether the tests of a `find` command select only some files. A test that only excludes the
/// directory `.git` doesn't count.
fn narrows(tests: &[Word]) -> bool {
    let mut words = tests.iter().map(Word::text);
    while let Some(word) = words.next() {
        match word {
            "-print" | "-print0" => {}
            "-type" | "-maxdepth" | "-mindepth" => drop(words.next()),
            "-not" | "!" => {
                let is_own =
                    words.next().is_some_and(|test| matches!(test, "-path" | "-wholename"))
                        && words.next().is_some_and(|path| path.contains(".git/"));
                if !is_own {
                    return true;
                }
            }
            "-exec" | "-execdir" => return false,
            _ => return true,
        }
    }
    false
}

fn git_lists_all(git: &Git<'_>, line: &Line<'_>) -> bool {
    let arguments = match git.subcommand {
        "ls-files" => git.arguments(&LS_FILES),
        "status" => git.arguments(&STATUS),
        "diff" => git.arguments(&DIFF),
        _ => return false,
    };
    let here = Word::Literal(".".to_owned());
    let is_top = is_whole_tree(&here, git.directory(line).as_deref(), line);
    arguments.operand_count() == 0
        && !arguments.has_any(&["cached", "staged", "diff-filter", "ignored"])
        && is_top
}
