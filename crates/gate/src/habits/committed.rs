//! Finds the files that a commit will contain, if the command line shows them.

use verger_shell::Word;

use super::add_all::is_whole_tree;
use super::arguments::Arguments;
use super::git::{ADD, COMMIT, Git};
use super::line::{Line, Scene};

/// A commit that a command line makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The directory in which the commit is made.
    pub directory: String,
    /// The files of the working tree that the commit includes, in addition to staged files.
    pub taken: Vec<Scope>,
}

/// A set of files in a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The paths in the git command, relative to the commit's directory. Empty for all files.
    pub paths: Vec<String>,
    /// Whether the set includes untracked files.
    pub untracked: bool,
}

/// The commits that a command line makes. A commit in an unknown directory is left out.
pub fn commits(scene: &Scene<'_>) -> Vec<Commit> {
    let line = Line::new(scene);
    let mut commits: Vec<Commit> = vec![];
    for git in Git::calls(&line, &["commit"]) {
        let arguments = git.arguments(&COMMIT);
        let Some(directory) = git.directory(&line).filter(|_| !arguments.has("dry-run")) else {
            continue;
        };
        let staged = Git::calls(&line, &["add", "stage"]).filter(|add| {
            line.is_before(add.call.index, git.call.index)
                && add.directory(&line).as_ref() == Some(&directory)
        });
        let mut taken: Vec<_> =
            staged.filter_map(|add| staged_by(&add, &directory, &line)).collect();
        if arguments.has("all") {
            taken.push(Scope { paths: vec![], untracked: false });
        } else if arguments.operand_count() > 0 {
            let paths = paths(&arguments, &directory, &line);
            taken.push(Scope { paths, untracked: false });
        }
        commits.push(Commit { directory, taken });
    }
    commits
}

fn staged_by(add: &Git<'_>, directory: &str, line: &Line<'_>) -> Option<Scope> {
    let arguments = add.arguments(&ADD);
    if arguments.has_any(&["dry-run", "refresh", "intent-to-add"]) {
        return None;
    }
    let is_named = arguments.operand_count() > 0;
    if !is_named && !arguments.has_any(&["all", "update"]) {
        return None;
    }
    let untracked = !arguments.has("update");
    Some(Scope { paths: paths(&arguments, directory, line), untracked })
}

/// The paths in a git command. Empty if one of them is unknown or means all files.
fn paths(arguments: &Arguments<'_>, directory: &str, line: &Line<'_>) -> Vec<String> {
    let is_open = |word: &Word| {
        let is_hidden = word.literal().is_none() && word.text().contains(['$', '`', '{']);
        is_hidden || is_whole_tree(word, Some(directory), line)
    };
    if arguments.operands().any(is_open) {
        return vec![];
    }
    arguments.operands().map(|word| word.text().to_owned()).collect()
}
