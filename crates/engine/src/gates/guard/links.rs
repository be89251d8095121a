//! Finds symbolic links in the paths of files that a command line names. A link's target may be a
//! credential file or outside of the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use verger_event::gathered;
use verger_shell::{Command, Script, Word};

use super::limited::OwnedGround;
use crate::real_path::real_paths;

/// Maximum number of a line's words that are looked up. A line with more words seldom names
/// files.
const MAX_WORDS: usize = 64;
/// Maximum number of directories that a line changes to.
const MAX_BASES: usize = 4;
/// Maximum number of bytes of a path.
const MAX_PATH: usize = 1024;

/// The paths of a link below the working directory, the project or the home, and of its target.
pub(super) type Link = (String, String);

/// The links in the paths of the files that a command line names.
pub(super) fn links(script: &Script, ground: &OwnedGround) -> Vec<Link> {
    let known = [&ground.cwd, &ground.root, &ground.home];
    let known: Vec<&Path> = known.into_iter().flatten().map(Path::new).collect();
    let found = named_files(script, ground).into_iter();
    let found: BTreeSet<_> = gathered(found.filter_map(|path| first_link(&path, &known)));
    found.into_iter().collect()
}

/// Whether the paths of a command line contain a link, or lead outside of the working directory
/// and the project. Files there may be on a disk that doesn't respond.
pub(super) fn may_lead_away(script: &Script, ground: &OwnedGround) -> bool {
    let near = [&ground.cwd, &ground.root];
    let near: Vec<&Path> = near.into_iter().flatten().map(Path::new).collect();
    let home = ground.home.as_deref().map(Path::new);
    named_files(script, ground).into_iter().any(|path| match nearest(&path, &near) {
        Some((start, rest)) => leads_away(start, rest),
        None => home.is_some_and(|home| path.starts_with(home)),
    })
}

fn leads_away(start: &Path, rest: &Path) -> bool {
    let mut at = start.to_path_buf();
    for part in rest.components() {
        let Component::Normal(name) = part else { return true };
        at.push(name);
        match fs::symlink_metadata(&at) {
            Ok(found) if found.is_symlink() => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}

/// The files that a command line names, resolved in each directory that it may run in.
fn named_files(script: &Script, ground: &OwnedGround) -> Vec<PathBuf> {
    let Some(cwd) = ground.cwd.as_deref().map(Path::new) else { return Vec::new() };
    let changes = script.commands.iter().filter(|command| command.runs("cd"));
    let changes = changes.flat_map(|command| command.argv.iter().skip(1));
    let mut bases = vec![cwd.to_owned()];
    for word in changes.filter_map(Word::literal).take(MAX_BASES) {
        let next = bases.last().and_then(|base| absolute(word, base, ground));
        bases.extend(next.filter(|next| !bases.contains(next)));
    }
    let words = script.commands.iter().flat_map(words).filter_map(path_of).take(MAX_WORDS);
    let words: BTreeSet<&str> = gathered(words);
    let paths = words.iter().flat_map(|word| bases.iter().map(|base| absolute(word, base, ground)));
    paths.flatten().collect()
}

fn words(command: &Command) -> impl Iterator<Item = &Word> {
    let targets = command.redirects.iter().map(|redirect| &redirect.target);
    command.argv.iter().skip(1).chain(targets)
}

/// The part of a word that may name a file: an option's value, or the part of a glob before its
/// first wildcard.
fn path_of(word: &Word) -> Option<&str> {
    let text = word.text();
    let text = match text.strip_prefix('-') {
        Some(option) => option.split_once('=')?.1,
        None => text,
    };
    let text = match text.find(['*', '?', '[', '{']) {
        Some(glob) => text[..glob].rsplit_once('/')?.0,
        None => text,
    };
    let is_path = !text.is_empty()
        && text.len() <= MAX_PATH
        && !text.contains(|c: char| c.is_whitespace() || "`'\"|;<>\\".contains(c));
    is_path.then_some(text)
}

fn absolute(path: &str, base: &Path, ground: &OwnedGround) -> Option<PathBuf> {
    let in_home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|start| path.strip_prefix(start));
    if let Some(rest) = in_home {
        return Some(Path::new(ground.home.as_deref()?).join(rest));
    }
    (!path.starts_with(['~', '$'])).then(|| base.join(path))
}

/// The nearest of the directories that contain the path, and the path below it.
fn nearest<'a>(path: &'a Path, directories: &[&'a Path]) -> Option<(&'a Path, &'a Path)> {
    let above = directories
        .iter()
        .filter_map(|directory| Some((*directory, path.strip_prefix(directory).ok()?)));
    above.max_by_key(|(directory, _)| directory.as_os_str().len())
}

/// The first component of the path that is a link. Only components below one of the known
/// directories are checked.
fn first_link(path: &Path, known: &[&Path]) -> Option<Link> {
    let (start, rest) = nearest(path, known)?;
    let mut at = start.to_path_buf();
    for part in rest.components() {
        match part {
            Component::CurDir => continue,
            Component::ParentDir => {
                at.pop();
                continue;
            }
            part => at.push(part),
        }
        if fs::symlink_metadata(&at).ok()?.is_symlink() {
            let real = real_paths(&at).into_iter().next()?;
            return Some((at.to_str()?.to_owned(), real.to_str()?.to_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_found_where_a_line_names_them() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path).display().to_string();
        fs::create_dir_all(at("home/.ssh")).unwrap();
        fs::create_dir_all(at("p/src")).unwrap();
        fs::write(at("home/.ssh/id_rsa"), "x").unwrap();
        fs::write(at("p/src/a.rs"), "x").unwrap();
        symlink(at("home/.ssh"), at("p/docs")).unwrap();
        symlink(at("home/.ssh/id_rsa"), at("p/notes.md")).unwrap();
        symlink("a.rs", at("p/src/b.rs")).unwrap();
        symlink(at("home/none"), at("p/new.md")).unwrap();
        let ground = OwnedGround {
            cwd: Some(at("p")),
            home: Some(at("home")),
            root: Some(at("p")),
            own: Vec::new(),
        };
        let docs = (at("p/docs"), at("home/.ssh"));
        let notes = (at("p/notes.md"), at("home/.ssh/id_rsa"));
        for (line, expected) in [
            ("cat src/a.rs", vec![]),
            ("cat notes.md", vec![notes.clone()]),
            ("cat ./src/../notes.md", vec![notes.clone()]),
            ("cat < notes.md", vec![notes.clone()]),
            ("grep --include=x foo docs/config", vec![docs.clone()]),
            ("cat docs/*", vec![docs.clone()]),
            ("cd docs && cat config", vec![docs.clone()]),
            ("cd src; cat b.rs", vec![(at("p/src/b.rs"), at("p/src/a.rs"))]),
            ("f=notes.md; cat $f", vec![notes.clone()]),
            ("echo x > new.md", vec![(at("p/new.md"), at("home/none"))]),
            ("ls --color=auto /usr/bin 'a b' -la", vec![]),
            ("cat ~/.ssh/id_rsa", vec![]),
        ] {
            let script = verger_shell::read(line);
            assert_eq!(links(&script, &ground), expected, "{line}");
            assert!(expected.is_empty() || may_lead_away(&script, &ground), "{line}");
        }
        for (line, expected) in [
            ("cat src/a.rs ./src/none /usr/bin/x", false),
            ("cargo test -- --nocapture", false),
            ("cat ~/.ssh/id_rsa", true),
            ("cat ../home/x", true),
            ("cd ..; cat x", true),
        ] {
            assert_eq!(may_lead_away(&verger_shell::read(line), &ground), expected, "{line}");
        }
        assert_eq!(links(&verger_shell::read("cat notes.md"), &OwnedGround::default()), []);
    }
}
