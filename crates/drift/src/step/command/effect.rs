//! What a command does to changes that were made before: it brings files back as they were, or keeps them in a commit.

use serde::{Deserialize, Serialize};

use super::substituting;
use crate::paths::{PathPattern, lies_in, name};
use crate::step::{Exchange, New, Tree};

/// What a command does to what was changed before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing that its words say.
    #[default]
    None,
    /// These are as they were at that commit, as far as git knows them.
    Restores(Paths, Source, New),
    /// That commit is the last one.
    Resets(Source, Tree),
    /// These are put aside, and as they were at the last commit.
    Stashes(Paths, New),
    /// What was put aside is back.
    Unstashes,
    /// What was put aside is gone.
    DropsStash,
    /// How these differ from that commit is written to a file.
    Shows(Paths, Source),
    /// What these patches changed is as it was before them.
    Unpatches(Vec<String>),
    /// Those of these are gone that git does not know.
    Cleans(Paths),
    /// In the files that it changes, texts are exchanged for others.
    Exchanges(Vec<Exchange>),
    /// Files lie elsewhere: from where, and where to.
    Moves(Vec<(String, String)>),
    /// These are in the next commit.
    Stages(Paths),
    /// There is a commit.
    Commits(Committed),
    /// What a commit changed is as it was before it.
    Reverts(String),
}

/// Files of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paths {
    /// These: files, folders or globs.
    These(Vec<String>),
    /// All that were changed.
    All,
}

/// Where files are brought back from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The last commit, or what is about to be one.
    Head,
    /// So many before it.
    Back(u8),
    /// Another commit.
    Other,
}

/// What a new commit has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Committed {
    /// What was staged.
    Staged,
    /// That, and what was changed of what git knows.
    Changed,
    /// These.
    Only(Paths),
    /// What was staged, and what the last commit had, which is none any more.
    Amended,
    /// What lay elsewhere: a merge, a rebase.
    Others,
}

impl Effect {
    /// Whether its words say of none.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Whether this file is brought back.
    pub(crate) fn restores(&self, file: &str) -> bool {
        match self {
            Self::Restores(paths, ..) | Self::Stashes(paths, _) => paths.has(file),
            Self::Resets(_, Tree::Follows) => true,
            _ => false,
        }
    }
}

impl Paths {
    /// Whether this file is one of them.
    pub(crate) fn has(&self, file: &str) -> bool {
        match self {
            Self::These(paths) => paths.iter().any(|path| {
                lies_in(file, path) || (path.contains('*') && PathPattern::new(path).covers(file))
            }),
            Self::All => true,
        }
    }

    /// Whether this file is named itself, and not by its folder.
    pub(crate) fn names(&self, file: &str) -> bool {
        matches!(self, Self::These(paths) if paths.iter().any(|path| path == file))
    }

    fn of<'a>(named: impl Iterator<Item = &'a str>, within: impl Fn(&str) -> String) -> Self {
        let paths: Vec<String> = named.map(within).collect();
        if paths.iter().any(|path| path.is_empty() || matches!(path.as_str(), "." | ":/" | "*")) {
            Self::All
        } else {
            Self::These(paths)
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::These(paths) if paths.is_empty())
    }
}

impl Source {
    fn at(commit: Option<&str>) -> Self {
        match commit {
            None => Self::Head,
            Some(commit) => match back(commit) {
                Some(0) => Self::Head,
                Some(back) => Self::Back(back),
                None => Self::Other,
            },
        }
    }
}

/// How many commits before the last one `HEAD~2` and `@^^` are.
fn back(commit: &str) -> Option<u8> {
    let mut rest = commit.strip_prefix("HEAD").or(commit.strip_prefix('@'))?;
    let mut back: u8 = 0;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count = if digits == 0 { 1 } else { rest[..digits].parse().ok()? };
        rest = &rest[digits..];
        match sign {
            '~' => back = back.checked_add(count)?,
            '^' if count <= 1 => back = back.checked_add(count)?,
            _ => return None,
        }
    }
    Some(back)
}

/// What the words of a command do. `fed` are those of the command whose output it reads.
pub(super) fn effect(
    words: &[String],
    fed: Option<&[String]>,
    within: impl Fn(&str) -> String,
) -> Effect {
    let [program, rest @ ..] = words else { return Effect::None };
    // What is done to another repository is not done to this one.
    let is_outside = within(".").starts_with(['/', '~', '$']) || within(".").starts_with("..");
    if is_outside && program == "git" {
        return Effect::None;
    }
    match program.rsplit('/').next().unwrap_or_default() {
        "git" => match rest {
            [subcommand, rest @ ..] => Git { rest, within: &within }.effect(subcommand, fed),
            [] => Effect::None,
        },
        "patch" if has(rest, &["-R", "--reverse"]) => unpatched(rest, fed, &within),
        "mv" => moved(rest, &within),
        "sed" | "perl" => match substituting::exchanges(words) {
            exchanges if exchanges.is_empty() => Effect::None,
            exchanges => Effect::Exchanges(exchanges),
        },
        _ => Effect::None,
    }
}

/// A command of git.
struct Git<'a, F> {
    rest: &'a [String],
    within: &'a F,
}

impl<F: Fn(&str) -> String> Git<'_, F> {
    fn effect(&self, subcommand: &str, fed: Option<&[String]>) -> Effect {
        match subcommand {
            "checkout" => self.checked_out(),
            "restore" => self.restored(),
            "reset" => self.reset(),
            "show" => self.shown(),
            "stash" => self.stashed(),
            "clean" => self.cleaned(),
            "apply" if self.has(&["-R", "--reverse"]) => unpatched(self.rest, fed, self.within),
            "diff" if self.has(&[">"]) => {
                let words: Vec<String> =
                    self.rest.iter().take_while(|word| *word != ">").cloned().collect();
                shown(&words, self.within)
                    .map_or(Effect::None, |(paths, source)| Effect::Shows(paths, source))
            }
            "mv" => moved(self.rest, self.within),
            "add" | "stage" if self.has(&["-A", "--all", "-u", "--update"]) => {
                Effect::Stages(self.all_or(self.named()))
            }
            "rm" | "add" | "stage" => Effect::Stages(self.paths(self.named())),
            "commit" if !self.has(&["--dry-run"]) => Effect::Commits(self.committed()),
            "merge" | "rebase" | "cherry-pick" | "am" | "pull" => {
                Effect::Commits(Committed::Others)
            }
            "revert" => match &plain(self.rest).collect::<Vec<_>>()[..] {
                [commit] => Effect::Reverts((*commit).to_owned()),
                _ => Effect::None,
            },
            _ => Effect::None,
        }
    }

    fn checked_out(&self) -> Effect {
        if self.has(&["-b", "-B", "--orphan", "-p", "--patch"]) {
            return Effect::None;
        }
        if self.has(&["-f", "--force"]) && self.named().next().is_none() {
            return Effect::Restores(Paths::All, Source::Head, New::Stay);
        }
        let first = self.rest.iter().map(String::as_str).find(|word| !word.starts_with('-'));
        let commit = match first {
            Some(first) if behind_dashes(self.rest).any(|behind| behind == first) => None,
            Some(first) if self.has(&["--"]) || is_commit(first) => Some(first),
            _ => None,
        };
        self.restores(Source::at(commit), New::Stay)
    }

    /// What is only taken out of the index is still changed.
    fn restored(&self) -> Effect {
        let is_staged = self.has(&["--staged", "-S", "-SW", "-WS"]);
        let is_of_index = is_staged && !self.has(&["--worktree", "-W", "-SW", "-WS"]);
        if is_of_index || self.has(&["-p", "--patch"]) {
            return Effect::None;
        }
        let inline = |word: &String| {
            word.strip_prefix("--source=").or(word.strip_prefix("-s")).map(str::to_owned)
        };
        let inline = self.rest.iter().find_map(inline).filter(|commit| !commit.is_empty());
        let next = |pair: &[String]| {
            matches!(pair[0].as_str(), "--source" | "-s").then(|| pair[1].clone())
        };
        let commit = inline.or_else(|| self.rest.windows(2).find_map(next));
        let new = if is_staged || commit.is_some() { New::Staged } else { New::Stay };
        self.restores(Source::at(commit.as_deref()), new)
    }

    fn restores(&self, source: Source, new: New) -> Effect {
        match self.paths(self.named()) {
            paths if paths.is_empty() => Effect::None,
            paths => Effect::Restores(paths, source, new),
        }
    }

    fn reset(&self) -> Effect {
        let commit = plain(self.rest).next();
        match Source::at(commit) {
            Source::Head if self.has(&["--hard"]) => {
                Effect::Restores(Paths::All, Source::Head, New::Staged)
            }
            source if self.has(&["--hard"]) => Effect::Resets(source, Tree::Follows),
            source @ Source::Back(_) => Effect::Resets(source, Tree::Stays),
            Source::Other if commit.is_some_and(is_commit) => {
                Effect::Resets(Source::Other, Tree::Stays)
            }
            _ => Effect::None,
        }
    }

    /// `git show HEAD:src/a.rs > src/a.rs` writes a file as it was.
    fn shown(&self) -> Effect {
        match self.rest {
            [shown, to, file] if to == ">" => match shown.split_once(':') {
                Some((commit, path)) if (self.within)(path) == (self.within)(file) => {
                    let paths = Paths::These(vec![(self.within)(file)]);
                    let source = Source::at(Some(commit).filter(|it| !it.is_empty()));
                    Effect::Restores(paths, source, New::Stay)
                }
                _ => Effect::None,
            },
            _ => Effect::None,
        }
    }

    fn stashed(&self) -> Effect {
        let mut told = self.rest.iter().map(String::as_str).take_while(|word| *word != "--");
        let paths = match told.find(|word| !word.starts_with('-')) {
            None => self.all_or(behind_dashes(self.rest)),
            Some("push") if self.has(&["--"]) => self.paths(behind_dashes(self.rest)),
            Some("push") => self.all_or(without_message(&self.rest[1..])),
            Some("save") => Paths::All,
            Some("pop" | "apply" | "branch") => return Effect::Unstashes,
            Some("drop" | "clear") => return Effect::DropsStash,
            Some(_) => return Effect::None,
        };
        let is_all = |word: &String| {
            matches!(word.as_str(), "--include-untracked" | "--all")
                || is_short(word, 'u')
                || is_short(word, 'a')
        };
        let new = if self.rest.iter().any(is_all) { New::All } else { New::Staged };
        Effect::Stashes(paths, new)
    }

    fn cleaned(&self) -> Effect {
        let flags = || self.rest.iter().filter(|word| word.starts_with('-'));
        let is_only_shown = flags().any(|flag| flag == "--dry-run" || is_short(flag, 'n'));
        if is_only_shown || !flags().any(|flag| flag == "--force" || is_short(flag, 'f')) {
            return Effect::None;
        }
        Effect::Cleans(self.all_or(self.named()))
    }

    fn committed(&self) -> Committed {
        let is_of_all = |word: &String| word == "--all" || is_short(word, 'a');
        let named: Vec<&str> = if self.has(&["--"]) {
            behind_dashes(self.rest).collect()
        } else {
            without_message(self.rest).collect()
        };
        if self.has(&["--amend"]) {
            Committed::Amended
        } else if self.rest.iter().any(is_of_all) {
            Committed::Changed
        } else if named.is_empty() {
            Committed::Staged
        } else {
            Committed::Only(self.paths(named.into_iter()))
        }
    }

    fn has(&self, flags: &[&str]) -> bool {
        has(self.rest, flags)
    }

    /// The files of it: what stands behind `--`, or else all that is no option.
    fn named(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        if self.has(&["--"]) {
            Box::new(behind_dashes(self.rest))
        } else {
            Box::new(plain(self.rest))
        }
    }

    fn paths<'b>(&self, named: impl Iterator<Item = &'b str>) -> Paths {
        Paths::of(named, self.within)
    }

    /// All, where none is named.
    fn all_or<'b>(&self, named: impl Iterator<Item = &'b str>) -> Paths {
        Some(self.paths(named)).filter(|paths| !paths.is_empty()).unwrap_or(Paths::All)
    }
}

/// `git diff src/a.rs | git apply -R`. Which files another patch has, its name does not say.
fn unpatched(words: &[String], fed: Option<&[String]>, within: &impl Fn(&str) -> String) -> Effect {
    let Some([git, diff, rest @ ..]) = fed else {
        return match plain(words).filter(|word| *word != "<").map(within).collect::<Vec<_>>() {
            patches if patches.is_empty() => Effect::None,
            patches => Effect::Unpatches(patches),
        };
    };
    if git != "git" || diff != "diff" {
        return Effect::None;
    }
    match shown(rest, within) {
        Some((paths, source)) => Effect::Restores(paths, source, New::Stay),
        None => Effect::None,
    }
}

/// What `git diff` compares with which commit.
fn shown(words: &[String], within: &impl Fn(&str) -> String) -> Option<(Paths, Source)> {
    let before: Vec<&str> = plain(words).filter(|word| is_commit(word)).collect();
    let named = plain(words).filter(|word| !before.contains(word));
    let source = match &before[..] {
        [] => Source::Head,
        [commit] => Source::at(Some(commit)),
        _ => return None,
    };
    let paths = Paths::of(named, within);
    Some((if paths.is_empty() { Paths::All } else { paths }, source))
}

fn moved(words: &[String], within: &impl Fn(&str) -> String) -> Effect {
    let paths: Vec<&str> = plain(words).collect();
    let Some((to, from)) = paths.split_last() else { return Effect::None };
    let is_folder = from.len() > 1 || to.ends_with('/') || matches!(*to, "." | "..");
    let moves = from.iter().map(|path| {
        let to = if is_folder {
            within(&format!("{}/{}", to.trim_end_matches('/'), name(path)))
        } else {
            within(to)
        };
        (within(path), to)
    });
    match moves.collect::<Vec<_>>() {
        moves if moves.is_empty() => Effect::None,
        moves => Effect::Moves(moves),
    }
}

fn has(words: &[String], flags: &[&str]) -> bool {
    words.iter().any(|word| flags.contains(&word.as_str()))
}

/// Whether a word such as `-am` has this option; what stands behind an `m` is a message.
fn is_short(word: &str, option: char) -> bool {
    let flags = word.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
    flags.is_some_and(|flags| flags.chars().take_while(|flag| *flag != 'm').any(|it| it == option))
}

/// The words that are no options.
fn plain(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).filter(|word| !word.starts_with(['-', '>']))
}

fn behind_dashes(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).skip_while(|word| *word != "--").skip(1)
}

/// The words that are no options, but for what is said of a commit or a stash.
fn without_message(words: &[String]) -> impl Iterator<Item = &str> {
    let says = |word: &str| {
        matches!(word, "--message" | "--file" | "-F" | "--author" | "--date" | "-C" | "-c")
            || (word.starts_with('-') && !word.starts_with("--") && word.ends_with('m'))
    };
    let mut is_said = false;
    words.iter().map(String::as_str).filter(move |word| {
        let is_of_message = std::mem::replace(&mut is_said, says(word));
        !is_of_message && !word.starts_with(['-', '>', '<'])
    })
}

/// Whether a word names a commit and no file, as far as it shows.
fn is_commit(word: &str) -> bool {
    let is_hash = (7..=40).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit());
    is_hash || word == "@" || word.starts_with("HEAD") || word.contains(['~', '^'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::within;

    fn of(line: &str) -> Effect {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (fed, words) = match words.iter().position(|word| word == "|") {
            Some(at) => (Some(&words[..at]), &words[at + 1..]),
            None => (None, &words[..]),
        };
        effect(words, fed, |path| within(path, Some("/home/dev/app")))
    }

    #[test]
    fn a_command_brings_back_what_it_names() {
        let cases = [
            ("git checkout web/a.css", "web/a.css", true),
            ("git checkout web/a.css", "web/b.css", false),
            ("git checkout -- web", "web/a.css", true),
            ("git checkout HEAD~1 -- web/", "web/a.css", true),
            ("git checkout HEAD~1 -- web/", "webs/a.css", false),
            ("git checkout main", "web/a.css", false),
            ("git checkout -b web", "web/a.css", false),
            ("git checkout .", "web/a.css", true),
            ("git checkout -f", "web/a.css", true),
            ("git checkout -p web/a.css", "web/a.css", false),
            ("git restore /home/dev/app/web/a.css", "web/a.css", true),
            ("git restore web/*.css", "web/a.css", true),
            ("git restore --source=HEAD~2 web/a.css", "web/a.css", true),
            ("git restore -s HEAD~2 -- web/a.css", "web/a.css", true),
            ("git restore --source HEAD -SW web/a.css", "web/a.css", true),
            ("git restore --staged web/a.css", "web/a.css", false),
            ("git restore --staged --worktree web/a.css", "web/a.css", true),
            ("git stash", "web/a.css", true),
            ("git stash -u", "web/a.css", true),
            ("git stash push -- web", "web/a.css", true),
            ("git stash push -- src", "web/a.css", false),
            ("git stash push -m wip", "web/a.css", true),
            ("git stash push -m wip src", "web/a.css", false),
            ("git stash -- web", "web/a.css", true),
            ("git stash pop", "web/a.css", false),
            ("git reset --hard", "web/a.css", true),
            ("git reset web/a.css", "web/a.css", false),
            ("git diff web/a.css", "web/a.css", false),
            ("git diff web/a.css | git apply -R", "web/a.css", true),
            ("git diff web/b.css | git apply -R", "web/a.css", false),
            ("git diff | patch -R -p1", "web/a.css", true),
            ("git diff web/a.css | git apply", "web/a.css", false),
            ("git apply -R web.patch", "web/a.css", false),
            ("git show HEAD:web/a.css > web/a.css", "web/a.css", true),
            ("git show HEAD:web/a.css > web/b.css", "web/b.css", false),
            ("git show HEAD:web/a.css", "web/a.css", false),
            ("git", "web/a.css", false),
            ("ls web/a.css", "web/a.css", false),
        ];
        for (line, file, expected) in cases {
            assert_eq!(of(line).restores(file), expected, "{line} {file}");
        }
    }

    #[test]
    fn a_command_says_what_becomes_of_changes() {
        let these = |paths: &[&str]| Paths::These(paths.iter().map(ToString::to_string).collect());
        let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let cases = [
            (
                "git checkout main -- a.c",
                Effect::Restores(these(&["a.c"]), Source::Other, New::Stay),
            ),
            (
                "git checkout HEAD -- a.c",
                Effect::Restores(these(&["a.c"]), Source::Head, New::Stay),
            ),
            ("git restore -s HEAD~1 .", Effect::Restores(Paths::All, Source::Back(1), New::Staged)),
            ("git reset --hard HEAD~1", Effect::Resets(Source::Back(1), Tree::Follows)),
            ("git reset --hard", Effect::Restores(Paths::All, Source::Head, New::Staged)),
            ("git reset -q", Effect::None),
            ("git checkout @~0 -- a.c", Effect::Restores(these(&["a.c"]), Source::Head, New::Stay)),
            ("git reset --hard HEAD^~2", Effect::Resets(Source::Back(3), Tree::Follows)),
            ("git reset --hard HEAD@{1}", Effect::Resets(Source::Other, Tree::Follows)),
            ("git stash -u", Effect::Stashes(Paths::All, New::All)),
            ("git stash pop", Effect::Unstashes),
            ("git reset --soft HEAD~1", Effect::Resets(Source::Back(1), Tree::Stays)),
            ("git reset a.c", Effect::None),
            ("git clean -fd include", Effect::Cleans(these(&["include"]))),
            ("git clean -nfd", Effect::None),
            ("git add -A", Effect::Stages(Paths::All)),
            ("git add a.c", Effect::Stages(these(&["a.c"]))),
            ("git commit -m x", Effect::Commits(Committed::Staged)),
            ("git commit -am x", Effect::Commits(Committed::Changed)),
            ("git commit -m x a.c", Effect::Commits(Committed::Only(these(&["a.c"])))),
            ("git commit --amend --no-edit", Effect::Commits(Committed::Amended)),
            ("git rebase main", Effect::Commits(Committed::Others)),
            ("git revert --no-edit HEAD", Effect::Reverts("HEAD".to_owned())),
            ("git revert HEAD~3..HEAD abc", Effect::None),
            ("mv a.c b.c", Effect::Moves(vec![pair("a.c", "b.c")])),
            ("git mv a.c old/", Effect::Moves(vec![pair("a.c", "old/a.c")])),
            (
                "mv -f src/a.c src/b.c old",
                Effect::Moves(vec![pair("src/a.c", "old/a.c"), pair("src/b.c", "old/b.c")]),
            ),
            ("mv a.c", Effect::None),
        ];
        for (line, expected) in cases {
            assert_eq!(of(line), expected, "{line}");
        }
    }
}
