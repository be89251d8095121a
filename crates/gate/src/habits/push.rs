//! Finds the branches of the remote repository that a push changes.

use verger_shell::Word;

use super::about::Habit;
use super::arguments::Options;
use super::branches;
use super::git::Git;
use super::line::Line;
use super::look::Found;
use super::policy::Policy;

const PUSH: Options = Options::of_git(
    "branches|all mirror d|delete n|dry-run porcelain q|quiet v|verbose f|force \
     force-with-lease[=] no-force-with-lease force-if-includes u|set-upstream tags follow-tags \
     receive-pack= exec= repo= prune progress no-progress verify no-verify signed[=] atomic \
     o|push-option= thin no-thin recurse-submodules= no-recurse-submodules 4|ipv4 6|ipv6",
);

/// Shell expressions for the name of the current branch.
const CURRENT: &[&str] = &[
    "$(git branch --show-current)",
    "$(git rev-parse --abbrev-ref HEAD)",
    "$(git symbolic-ref --short HEAD)",
];

/// A change that a push makes to a branch of the remote repository.
pub(super) struct Pushed {
    /// The branch that is pushed, if its name differs from that of the target.
    pub(super) source: Option<String>,
    pub(super) target: Target,
    pub(super) change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Branch(String),
    /// All branches of the remote repository.
    Every,
    /// A branch whose name is known only when the command line runs.
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Forward,
    Replaced,
    Deleted,
}

pub(super) fn find(line: &Line<'_>, policy: &Policy) -> Option<Found> {
    let mut all = Git::calls(line, &["push"]).flat_map(|git| pushed(&git, line));
    let (change, words) = all.find_map(|pushed| {
        let Pushed { target, change, .. } = pushed;
        let words = target.protected(policy).filter(|_| change != Change::Forward)?;
        Some((change, words))
    })?;
    let verb = if change == Change::Deleted { "deletes" } else { "overwrites" };
    Some(Found { why: format!("it {verb} {words}"), ..Found::new(Habit::ForcePush) })
}

impl Target {
    /// The target in words, if it is or may be a protected branch.
    pub(super) fn protected(&self, policy: &Policy) -> Option<String> {
        match self {
            Self::Branch(name) if policy.protects(name) => {
                Some(format!("the branch {name}, which is protected"))
            }
            Self::Branch(_) => None,
            Self::Every => Some("every branch, and some are protected".to_owned()),
            Self::Hidden => {
                Some("a branch whose name is not on the command line; write its name".to_owned())
            }
        }
    }
}

/// The branches that a call of `git push` changes.
pub(super) fn pushed(git: &Git<'_>, line: &Line<'_>) -> Vec<Pushed> {
    let arguments = git.arguments(&PUSH);
    if arguments.has("dry-run") {
        return vec![];
    }
    let change = if arguments.has("delete") {
        Change::Deleted
    } else if arguments.has_any(&["force", "force-with-lease", "mirror"]) {
        Change::Replaced
    } else {
        Change::Forward
    };
    let every = |change| Pushed { source: None, target: Target::Every, change };
    if arguments.has_any(&["mirror", "all"]) {
        return vec![every(change)];
    }
    let current = || branches::current(git, line);
    // The first operand is the name of the remote. The refspecs come after it.
    let specs: Vec<_> = arguments.operands().skip(1).collect();
    if specs.is_empty() {
        let target = current().filter(|_| !arguments.has("tags")).map(Target::Branch);
        let whole = |target| Pushed { source: None, target, change };
        return target.map(whole).into_iter().collect();
    }
    let is_tag = |at: usize| specs.get(at.wrapping_sub(1)).is_some_and(|word| word.text() == "tag");
    let named = specs.iter().enumerate().filter(|(at, word)| word.text() != "tag" && !is_tag(*at));
    named.filter_map(|(_, word)| refspec(word, change, &current)).collect()
}

fn refspec(word: &Word, change: Change, current: &dyn Fn() -> Option<String>) -> Option<Pushed> {
    let text = word.text();
    let (change, text) = match text.strip_prefix('+') {
        Some(rest) if change == Change::Forward => (Change::Replaced, rest),
        Some(rest) => (change, rest),
        None => (change, text),
    };
    let branch = |name: &str| -> Option<Target> {
        if CURRENT.contains(&name) || matches!(name, "HEAD" | "@") {
            return current().map(Target::Branch);
        }
        let bare = branches::bare(name);
        match bare {
            _ if name.contains(['$', '`']) && word.literal().is_none() => Some(Target::Hidden),
            _ if bare.starts_with("refs/") => None,
            _ if bare.contains('*') => Some(Target::Every),
            _ => Some(Target::Branch(bare.to_owned())),
        }
    };
    let (source, target, change) = match text.split_once(':') {
        Some(("", "")) => (None, Some(Target::Every), change),
        Some(("", target)) => (None, branch(target), Change::Deleted),
        Some((source, target)) => {
            let source = match branch(source) {
                Some(Target::Branch(name)) => name,
                _ => source.to_owned(),
            };
            (Some(source), branch(target), change)
        }
        None => (None, branch(text), change),
    };
    target.map(|target| Pushed { source, target, change })
}
