//! Finds copies, moves and downloads that write protected files.

use verger_shell::Word;

use super::option_text;
use crate::permission::atoms::operands;
use crate::permission::paths::{Ground, is_of_class};

/// Whether the program writes a protected file by moving, copying or downloading.
pub(super) fn puts(program: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    match program {
        "cp" | "gcp" | "mv" | "gmv" | "install" | "ginstall" | "ln" | "gln" | "rsync" | "scp" => {
            copies(program, words, ground)
        }
        "curl" | "wget" => downloads(program, words, ground),
        // `uniq` reads its first operand and writes its second.
        "uniq" => operands(words).nth(1).is_some_and(|word| is_of_class("own", word, ground)),
        _ => false,
    }
}

fn copies(program: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    let takes_target = !matches!(program, "rsync" | "scp");
    let told = option_text(words, 't', "--target-directory").filter(|_| takes_target);
    let Some(to) = told.or_else(|| operands(words).last().map(Word::text)) else { return false };
    let is_folder = is("own-folder", to, ground);
    let is_whole = is_folder && has_flag(words, 'T', "--no-target-directory");
    let moves = matches!(program, "mv" | "gmv");
    let may_be_directory = moves
        || program == "rsync"
        || ['r', 'R', 'a'].iter().any(|letter| has_flag(words, *letter, "--recursive"));
    is_whole
        || operands(words).filter(|word| word.text() != to).any(|word| {
            let source = word.text();
            let is_all = source.ends_with("/.") || source == "." || source.ends_with("..");
            // For `rsync`, a slash at the end of a source directory means the content of this
            // directory.
            let is_content = is_all || (program == "rsync" && source.ends_with('/'));
            let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            let put = format!("{}/{name}", to.trim_end_matches('/'));
            is("own", &put, ground)
                || (moves && is("own-tree", source, ground))
                || (is_folder && may_be_directory && (is_content || may_become(name)))
                || (is_start(to, ground) && is("own-folder", &put, ground))
        })
}

/// Whether a directory with this name may be copied as a directory with protected files, and not
/// into one.
fn may_become(name: &str) -> bool {
    const INSIDE: &[&str] = &[
        "skills",
        "agents",
        "commands",
        "rules",
        "output-styles",
        "knowledge",
        "worktrees",
        "memory",
    ];
    !name.contains(['.', '$', '*']) && !INSIDE.contains(&name)
}

/// Whether verger or agents look for their directories, such as `.verger`, in `path`.
fn is_start(path: &str, ground: &Ground<'_>) -> bool {
    let path = ground.absolute(path);
    let starts = [ground.home, ground.root, ground.cwd].into_iter().flatten();
    starts.into_iter().any(|start| ground.absolute(start) == path)
}

/// Whether the program downloads to a protected file. The file gets the last part of the URL as its
/// name.
fn downloads(program: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    let directory = match program {
        "wget" => option_text(words, 'P', "--directory-prefix"),
        _ => words
            .iter()
            .position(|word| word.text() == "--output-dir")
            .and_then(|at| words.get(at + 1))
            .map(Word::text),
    };
    if program == "curl" && !has_flag(words, 'O', "--remote-name") {
        return false;
    }
    operands(words).filter(|word| word.text().contains("://")).any(|word| {
        let name = word.text().rsplit('/').next().unwrap_or_default();
        let name = name.split(['?', '#']).next().unwrap_or_default();
        is("own", &format!("{}/{name}", directory.unwrap_or(".")), ground)
    })
}

fn is(class: &str, path: &str, ground: &Ground<'_>) -> bool {
    is_of_class(class, &Word::Literal(path.to_owned()), ground)
}

fn has_flag(words: &[Word], letter: char, long: &str) -> bool {
    words.iter().any(|word| {
        let text = word.text();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        text == long || letters.is_some_and(|letters| letters.contains(letter))
    })
}
