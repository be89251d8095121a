//! Finds the effects of `git` commands.

use super::Effect;
use super::line::Folder;
use super::programs::{deleted, moved};
use crate::phrases::is_listed;

/// A commit in the output of `git commit`: `[main 1a2b3c4] Subject`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PrintedCommit {
    pub(super) branch: Option<String>,
    pub(super) hash: String,
}

/// The last commit that an output of `git` names.
pub(super) fn commit(output: &str) -> Option<PrintedCommit> {
    output.lines().rev().find_map(|line| {
        let (inside, _) = line.trim_start().strip_prefix('[')?.split_once(']')?;
        let (place, hash) = inside.rsplit_once(' ')?;
        let is_hash = (7..=40).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let branch = place.trim_end_matches("(root-commit)").trim_end();
        let is_branch = !branch.contains(' ');
        let branch = Some(branch.to_owned()).filter(|_| is_branch);
        is_hash.then(|| PrintedCommit { branch, hash: hash.to_owned() })
    })
}

/// The effects of a `git` command with these arguments.
pub(super) fn effects(words: &[&str], output: &str, folder: &Folder) -> Vec<Effect> {
    let mut folder = folder.clone();
    let mut words = words;
    loop {
        words = match words {
            ["-C", other, rest @ ..] => {
                folder = folder.enter(other);
                rest
            }
            ["-c", _, rest @ ..] => rest,
            [option, rest @ ..] if option.starts_with('-') => rest,
            _ => break,
        };
    }
    let [subcommand, rest @ ..] = words else { return vec![] };
    if !folder.is_in_project() {
        return vec![];
    }
    let has = |flags: &str| rest.iter().any(|word| is_listed(word, flags));
    match *subcommand {
        "commit" if !has("--dry-run|-h|--help") && !is_refused(output) => {
            vec![Effect::Committed(commit(output).and_then(|commit| commit.branch))]
        }
        "push" if !has("--dry-run|-n|-h|--help") && !is_refused(output) => {
            vec![Effect::Pushed(pushed_branches(rest, output))]
        }
        "stash" => {
            let first = rest.iter().find(|word| !word.starts_with('-'));
            let puts_away = first.is_none_or(|word| matches!(*word, "push" | "save"));
            if puts_away { vec![Effect::Stashed] } else { vec![] }
        }
        "rm" if !has("--cached|-n|--dry-run") => deleted(rest, &folder),
        "mv" if !has("-n|--dry-run") => moved(rest, &folder),
        "clean" if !rest.iter().any(|word| word.starts_with('-') && word.contains('n')) => {
            let named = deleted(rest, &folder);
            if named.is_empty() { vec![Effect::Deleted(".".to_owned())] } else { named }
        }
        _ => vec![],
    }
}

/// The words after `--`, or, without `--`, all words that aren't options.
fn named<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    match rest.iter().position(|word| *word == "--") {
        Some(at) => rest[at + 1..].to_vec(),
        None => rest.iter().copied().filter(|word| !word.starts_with('-')).collect(),
    }
}

/// Whether the output says that nothing was committed or pushed. The exit status of the command
/// line isn't enough, because it may be that of another command in a pipe.
fn is_refused(output: &str) -> bool {
    let refuses = ["fatal:", "error:", "! [", "nothing to commit", "no changes added to commit"];
    output.lines().any(|line| refuses.iter().any(|begin| line.trim_start().starts_with(begin)))
}

/// The branches that a push goes to: those in `git push origin a b:c`, or else those in output
/// lines such as `1a2b3c4..5d6e7f8  a -> a`.
fn pushed_branches(rest: &[&str], output: &str) -> Vec<String> {
    let short = |name: &str| name.trim_start_matches("refs/heads/").to_owned();
    let named: Vec<String> = named(rest)
        .into_iter()
        .skip(1)
        .map(|word| short(word.rsplit(':').next().unwrap_or(word).trim_start_matches('+')))
        .filter(|branch| !matches!(branch.as_str(), "" | "HEAD"))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let printed = |line: &str| Some(short(line.split_once(" -> ")?.1.split_whitespace().next()?));
    output.lines().filter_map(printed).collect()
}
