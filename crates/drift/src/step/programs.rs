//! The effects of programs other than `git`, by their names and words.

use super::Effect;
use super::line::Folder;
use crate::paths::name;
use crate::phrases::is_listed;

/// The effects of a program with these words.
pub(super) fn effects(program: &str, words: &[&str], folder: &Folder) -> Vec<Effect> {
    match program {
        "rm" | "unlink" => deleted(words, folder),
        "mv" => moved(words, folder),
        "cp" => copied(words, folder).into_iter().map(Effect::Changed).collect(),
        "touch" | "tee" => changed(plain(words), folder),
        "truncate" => changed(without_values(words, &["-s", "--size", "-r"]), folder),
        "sed" | "perl" => changed(edited_in_place(words), folder),
        "gh" | "glab" => opened_pull_request(words),
        _ if folder.is_in_project() && adds_dependency(program, words) => {
            vec![Effect::AddedDependency]
        }
        _ => vec![],
    }
}

/// The files that `rm` and `git rm` name.
pub(super) fn deleted(words: &[&str], folder: &Folder) -> Vec<Effect> {
    let named = plain(words).into_iter().filter(|path| *path != "{}");
    named.filter_map(|path| folder.file(path)).map(Effect::Deleted).collect()
}

/// `mv` and `git mv` change both paths: a moved file is not deleted.
pub(super) fn moved(words: &[&str], folder: &Folder) -> Vec<Effect> {
    let paths = plain(words);
    let Some((_, from)) = paths.split_last() else { return vec![] };
    let gone = from.iter().filter_map(|path| folder.file(path));
    gone.chain(copied(words, folder)).map(Effect::Changed).collect()
}

/// The files that `cp` makes.
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

/// The words that are neither options nor the values of these options.
fn without_values<'a>(words: &[&'a str], options: &[&str]) -> Vec<&'a str> {
    let mut kept = vec![];
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if options.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            kept.push(word);
        }
    }
    kept
}

/// The files of `sed -i` and `perl -pi -e`; none without the option.
fn edited_in_place<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_flags = |word: &str| word.starts_with('-') && !word.starts_with("--");
    let has_i = |word: &str| word.split(['e', 'f']).next().is_some_and(|it| it.contains('i'));
    let is_in_place =
        |word: &&str| word.starts_with("--in-place") || (is_flags(word) && has_i(word));
    if !words.iter().any(is_in_place) {
        return vec![];
    }
    let is_script = |word: &&&str| {
        is_listed(word, "--expression|--file") || (is_flags(word) && word.ends_with(['e', 'f']))
    };
    let scripts: Vec<&str> = words.iter().filter(is_script).copied().collect();
    let files = without_values(words, &scripts).into_iter().filter(|file| !file.is_empty());
    files.skip(usize::from(scripts.is_empty())).collect()
}

fn opened_pull_request(words: &[&str]) -> Vec<Effect> {
    let ["pr" | "mr", "create" | "new", rest @ ..] = words else { return vec![] };
    if rest.iter().any(|word| matches!(*word, "--dry-run" | "--help" | "-h" | "--web" | "-w")) {
        return vec![];
    }
    let names = ["--base", "-B", "--target-branch", "-b"];
    // `-b` is the body of `gh pr create`.
    let names = if words[0] == "pr" { &names[..2] } else { &names[2..] };
    let next = rest.windows(2).find(|pair| names.contains(&pair[0])).map(|pair| pair[1]);
    let inline = || rest.iter().find_map(|word| word.strip_prefix(names[0])?.strip_prefix('='));
    vec![Effect::OpenedPullRequest(next.or_else(inline).map(str::to_owned))]
}

/// Whether a package manager adds something to the project. Installing what the project already names adds nothing.
fn adds_dependency(program: &str, words: &[&str]) -> bool {
    let places = [
        "--filter",
        "-F",
        "--dir",
        "-C",
        "--prefix",
        "--cwd",
        "-w",
        "--workspace",
        "workspace",
        "--loglevel",
        "--cache",
        "--registry",
        "--tag",
    ];
    let is_global = words.iter().any(|word| matches!(*word, "-g" | "--global"));
    match (program, &without_values(words, &places)[..]) {
        ("npm" | "pnpm" | "bun", ["add" | "install" | "i", _, ..]) | ("yarn", ["add", _, ..]) => {
            !is_global
        }
        ("cargo" | "poetry" | "uv" | "bundle", ["add", _, ..])
        | ("go", ["get", _, ..])
        | ("gem", ["install", _, ..])
        | ("composer", ["require", _, ..])
        | ("dotnet", ["add", "package", ..] | ["add", _, "package", ..]) => true,
        ("pip" | "pip3", ["install", packages @ ..])
        | ("uv", ["pip", "install", packages @ ..]) => {
            let is_listed = words.iter().any(|word| {
                is_listed(word, "-r|--requirement|-e|--editable|--target|-t|--dry-run")
            });
            !is_listed && packages.iter().any(|package| !package.starts_with(['.', '/']))
        }
        ("python" | "python3", ["pip", rest @ ..]) if words.first() == Some(&"-m") => {
            adds_dependency("pip", rest)
        }
        _ => false,
    }
}
