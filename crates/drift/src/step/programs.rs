//! Finds the effects of programs other than `git`, by their names and arguments.

use super::Effect;
use super::line::Folder;
use crate::paths::name;
use crate::phrases::is_listed;

/// The effects of a program with these arguments.
pub(super) fn effects(program: &str, words: &[&str], folder: &Folder) -> Vec<Effect> {
    match program {
        "rm" => deleted(words, folder),
        "mv" => moved(words, folder),
        "cp" => copied(words, folder).into_iter().map(Effect::Changed).collect(),
        "touch" | "tee" => changed(plain(words), folder),
        "sed" => changed(edited_in_place(words), folder),
        "gh" => opened_pull_request(words),
        _ if folder.is_in_project() && adds_dependency(program, words) => {
            vec![Effect::AddedDependency]
        }
        _ => vec![],
    }
}

/// The files that `rm` and `git rm` delete.
pub(super) fn deleted(words: &[&str], folder: &Folder) -> Vec<Effect> {
    let named = plain(words).into_iter().filter(|path| *path != "{}");
    named.filter_map(|path| folder.file(path)).map(Effect::Deleted).collect()
}

/// The effects of `mv` and `git mv`. The old and the new path count as changed, not as deleted.
pub(super) fn moved(words: &[&str], folder: &Folder) -> Vec<Effect> {
    let paths = plain(words);
    let Some((_, from)) = paths.split_last() else { return vec![] };
    let gone = from.iter().filter_map(|path| folder.file(path));
    gone.chain(copied(words, folder)).map(Effect::Changed).collect()
}

/// The files that `cp` creates.
fn copied(words: &[&str], folder: &Folder) -> Vec<String> {
    let paths = plain(words);
    let Some((to, from)) = paths.split_last() else { return vec![] };
    let is_folder = from.len() > 1 || to.ends_with('/') || matches!(*to, "." | "..");
    if is_folder {
        let to = to.trim_end_matches('/');
        let copies = from.iter().map(|path| format!("{to}/{}", name(path.trim_end_matches('/'))));
        copies.filter_map(|path| folder.file(&path)).collect()
    } else if from.is_empty() {
        vec![]
    } else {
        folder.file(to).into_iter().collect()
    }
}

fn changed(paths: Vec<&str>, folder: &Folder) -> Vec<Effect> {
    paths.into_iter().filter_map(|path| folder.file(path)).map(Effect::Changed).collect()
}

fn plain<'a>(words: &[&'a str]) -> Vec<&'a str> {
    words.iter().copied().filter(|word| !word.starts_with('-')).collect()
}

/// The words that are neither options nor values of the options in `options`.
fn without_values<'a>(words: &[&'a str], options: &str) -> Vec<&'a str> {
    let mut kept = vec![];
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if is_listed(word, options) {
            words.next();
        } else if !word.starts_with('-') {
            kept.push(word);
        }
    }
    kept
}

/// The files that `sed -i` edits. Empty if `sed` doesn't have this option.
fn edited_in_place<'a>(words: &[&'a str]) -> Vec<&'a str> {
    if !words.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place")) {
        return vec![];
    }
    let has_script = words.iter().any(|word| is_listed(word, SCRIPTS_OF_SED));
    let names = without_values(words, SCRIPTS_OF_SED).into_iter().filter(|name| !name.is_empty());
    names.skip(usize::from(!has_script)).collect()
}

const SCRIPTS_OF_SED: &str = "-e|-f|--expression|--file";

fn opened_pull_request(words: &[&str]) -> Vec<Effect> {
    let ["pr", "create" | "new", rest @ ..] = words else { return vec![] };
    if rest.iter().any(|word| is_listed(word, "--dry-run|--help|-h|--web|-w")) {
        return vec![];
    }
    let next = rest.windows(2).find(|pair| is_listed(pair[0], "--base|-B")).map(|pair| pair[1]);
    let inline = || rest.iter().find_map(|word| word.strip_prefix("--base="));
    vec![Effect::OpenedPullRequest(next.or_else(inline).map(str::to_owned))]
}

/// Options of package managers that have a value.
const VALUED: &str =
    "--filter|-F|--dir|-C|--prefix|--cwd|-w|--workspace|workspace|--registry|--tag";

/// Whether a package manager adds a dependency to the project. Installing the existing dependencies
/// adds none.
fn adds_dependency(program: &str, words: &[&str]) -> bool {
    let has = |options: &str| words.iter().any(|word| is_listed(word, options));
    match (program, &without_values(words, VALUED)[..]) {
        ("npm" | "pnpm" | "bun", ["add" | "install" | "i", _, ..]) => !has("-g|--global"),
        ("yarn" | "cargo" | "poetry" | "uv" | "bundle", ["add", _, ..])
        | ("go", ["get", _, ..])
        | ("composer", ["require", _, ..])
        | ("dotnet", ["add", "package", ..]) => true,
        (
            "pip" | "pip3" | "python" | "python3" | "uv",
            ["install", packages @ ..] | ["pip", "install", packages @ ..],
        ) => {
            !has("-r|--requirement|-e|--editable|--target|-t|--dry-run")
                && packages.iter().any(|package| !package.starts_with(['.', '/']))
        }
        _ => false,
    }
}
