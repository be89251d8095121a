//! The verbs of English limits and their objects.

use super::text::Token;
use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern, is_listed};

/// A verb that a limit can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Change,
    Delete,
    Commit,
    Push,
    Open,
    Make,
    Install,
    Add,
    Stash,
    Run,
    Use,
}

/// Verbs of one family share an object: "commit or push to main", "edit or delete src/a.rs".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Files,
    Git,
    Requests,
    Packages,
    Stash,
    Commands,
}

/// Words that may stand behind the object and do not change the limit.
const TRAILING: &str = "\
    yet|for now|right now|now|at all|again|anymore|any more|please|pls|\
    under any circumstances|directly|either|ever|at this point|here|in this session|\
    in this task|in this turn|in this step|for this task|thanks|though";
/// Objects that are all files.
const EVERYTHING: &str = "\
    anything|any files|any file|files|the codebase|the repo|the repository|the working tree|\
    anything in the repo|anything in the repository|anything in the codebase";
/// Words before the paths that stay allowed.
pub(super) const EXCEPT: &str =
    "outside of|outside|except for|except in|except|but|other than|besides|apart from";
/// In the plural: "no new dependency" is said of a change, not to the agent.
pub(super) const PACKAGES: &str = "dependencies|deps|packages|libraries|crates|gems|node modules";
/// Words before the packages that name where they come from.
pub(super) const ECOSYSTEMS: &str =
    "npm|composer|spm|pip|python|cargo|nuget|runtime|external|third-party";
const DETERMINERS: &str = "any of the|all of the|the|any|all|our|my|your|a|an|this|these|either";
const CONTENTS: &str =
    "anything|everything|things|files|file|code|the contents|the files|folder|directory";
const FOLDER_NOUNS: &str = "folder|directory|dir|folders|directories";
/// Programs that people name without backticks.
const PROGRAMS: &str = "\
    ansible|bun|bundle|cargo|composer|curl|deno|docker|docker-compose|dotnet|eslint|gh|git|\
    glab|go|gradle|helm|jest|just|kubectl|make|mise|mvn|npm|npx|pip|pip3|pnpm|poetry|\
    prettier|pulumi|pytest|python|rm|rsync|ruff|ssh|sudo|terraform|tsc|uv|vitest|wget|\
    wrangler|yarn";
/// Words behind the name of a program.
const TOOLS: &str = "cli|command|commands|suite";
/// Commands of git that people name when they say not to use it.
const GIT: &str = "stash|commit|push|reset|rebase|clean|checkout|merge|add|restore|amend";
/// Checks that people name together with the tests.
const CHECKS: &str = "\
    tests|test|formatters|formatter|format|linters|linter|lint|builds|build|network|checks|\
    typecheck|benchmarks|ci";
/// The most words of a command without backticks.
const MAX_COMMAND_WORDS: usize = 4;

impl Verb {
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "change" | "edit" | "modify" | "touch" | "alter" | "update" | "rewrite"
            | "overwrite" | "write" | "reformat" | "refactor" => Self::Change,
            "delete" | "remove" | "erase" => Self::Delete,
            "commit" => Self::Commit,
            "push" => Self::Push,
            "open" | "create" | "raise" | "submit" | "file" | "send" => Self::Open,
            "make" => Self::Make,
            "install" => Self::Install,
            "add" => Self::Add,
            "stash" => Self::Stash,
            "run" | "execute" => Self::Run,
            "use" => Self::Use,
            _ => return None,
        })
    }

    fn family(self) -> Family {
        match self {
            Self::Change | Self::Delete => Family::Files,
            Self::Commit | Self::Push => Family::Git,
            Self::Open | Self::Make => Family::Requests,
            Self::Install | Self::Add => Family::Packages,
            Self::Stash => Family::Stash,
            Self::Run | Self::Use => Family::Commands,
        }
    }
}

/// A sentence while it is read from left to right.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) root: Option<&'a str>,
}

impl Reader<'_> {
    /// The next word in small letters; empty at the end and before anything else.
    pub(super) fn lower(&self) -> &str {
        self.tokens.get(self.at).map_or("", Token::lower)
    }

    /// Passes over the words of this phrase, if they come next.
    pub(super) fn eat(&mut self, phrase: &str) -> bool {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let mut rest = rest.iter().map(Token::lower);
        let count = phrase.split(' ').count();
        let is_next = phrase.split(' ').all(|word| rest.next() == Some(word));
        self.at += if is_next { count } else { 0 };
        is_next
    }

    pub(super) fn eat_any(&mut self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.eat(phrase))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.tokens.get(self.at).is_none_or(Token::is_mark)
    }

    /// Passes over trailing words; whether the clause is over then.
    pub(super) fn ends(&mut self) -> bool {
        while self.eat_any(TRAILING) {}
        self.is_at_end() || matches!(self.lower(), "and" | "or" | "nor" | "but" | "so" | "then")
    }

    /// The limits of the verbs and objects behind a negation.
    pub(super) fn forbidden(&mut self) -> Option<Vec<Limit>> {
        let mut limits = vec![];
        loop {
            let start = self.at;
            let Some(found) = self.family() else {
                self.at = start;
                break;
            };
            limits.extend(found);
            let end = self.at;
            if !self.joins_verb() {
                self.at = end;
                break;
            }
        }
        (!limits.is_empty()).then_some(limits)
    }

    /// Passes over `or`, `nor` or a comma of a list that ends with `or`, if a verb comes behind it.
    fn joins_verb(&mut self) -> bool {
        let is_comma = self.tokens.get(self.at) == Some(&Token::Mark(','));
        self.at += usize::from(is_comma);
        let is_or = self.eat_any("or|nor");
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let has_or = || rest.iter().any(|token| matches!(token.lower(), "or" | "nor"));
        (is_or || (is_comma && has_or())) && Verb::of(self.lower()).is_some()
    }

    /// Verbs of one family and their object.
    fn family(&mut self) -> Option<Vec<Limit>> {
        let mut verbs = vec![self.verb()?];
        let family = verbs[0].family();
        loop {
            let end = self.at;
            let joins = self.joins_verb() || self.eat("and");
            let Some(verb) = self.verb().filter(|verb| joins && verb.family() == family) else {
                self.at = end;
                break;
            };
            verbs.push(verb);
        }
        match family {
            Family::Files => self.files(&verbs),
            Family::Git => self.git(&verbs),
            Family::Requests => self.requests(&verbs),
            Family::Packages => self.packages(&verbs),
            Family::Stash => {
                self.eat_any("it|anything|changes|any changes|my changes|the changes");
                self.ends().then(|| vec![Limit::NotAction(LimitedAction::Stash)])
            }
            Family::Commands => self.commands(verbs.contains(&Verb::Use)),
        }
    }

    fn verb(&mut self) -> Option<Verb> {
        let verb = Verb::of(self.lower())?;
        self.at += 1;
        Some(verb)
    }

    fn files(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        let changes = verbs.contains(&Verb::Change);
        let verb = self.tokens.get(self.at.checked_sub(1)?).map_or("", Token::lower);
        let takes_none = verbs == [Verb::Change] && matches!(verb, "edit" | "modify");
        self.eat("to");
        if takes_none && self.clone().ends() {
            self.ends();
            return Some(vec![Limit::NoChanges]);
        }
        let start = self.at;
        if self.eat_any(EVERYTHING) {
            if self.eat_any(EXCEPT) {
                let paths = self.paths()?;
                return (changes && self.ends()).then(|| vec![Limit::OnlyPaths(paths)]);
            }
            if self.ends() {
                let delete = Limit::NotAction(LimitedAction::Delete { path: None });
                return Some(vec![if changes { Limit::NoChanges } else { delete }]);
            }
            self.at = start;
        }
        let paths = self.paths()?;
        let delete = |path| Limit::NotAction(LimitedAction::Delete { path: Some(path) });
        let limit = |path| if changes { Limit::NotPath(path) } else { delete(path) };
        self.ends().then(|| paths.into_iter().map(limit).collect())
    }

    /// A list of paths. An item that is no path ends it, unless `and` stands before it: then nothing is read.
    pub(super) fn paths(&mut self) -> Option<Vec<PathPattern>> {
        let mut paths = vec![self.path()?];
        loop {
            let end = self.at;
            let is_comma = self.tokens.get(self.at) == Some(&Token::Mark(','));
            self.at += usize::from(is_comma);
            let is_and = self.eat_any("and|&");
            let is_joined = self.eat_any("or|nor") || is_and || is_comma;
            let is_new = matches!(self.lower(), "do" | "don't" | "dont" | "never");
            match is_joined.then(|| self.path()).flatten() {
                // "only touch a/, b/ is frozen": the second path begins a clause.
                Some(_) if is_comma && !is_and && !self.clone().ends() => {
                    self.at = end;
                    return Some(paths);
                }
                Some(path) => paths.push(path),
                None if is_and && !is_comma && !is_new => return None,
                None => {
                    self.at = end;
                    return Some(paths);
                }
            }
        }
    }

    fn path(&mut self) -> Option<PathPattern> {
        while self.eat_any(DETERMINERS) {}
        let mut is_place = false;
        if self.eat_any(CONTENTS) {
            is_place = self.eat_any("in|inside|under|within|below|of");
            while self.eat_any(DETERMINERS) {}
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        let is_folder = self.eat_any(FOLDER_NOUNS);
        let path = match token {
            // A place in a file is less than the file.
            Token::Word { text, .. } | Token::Code(text) if text.contains(':') => None,
            Token::Word { text, .. } if !is_place => paths::of_word(text, self.root),
            Token::Word { text, .. } | Token::Code(text) => paths::of_code(text, self.root),
            Token::Quote | Token::Mark(_) => None,
        };
        let named = |text: &str| {
            let is_name = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
            (is_folder && is_name && !is_listed(text, CONTENTS)).then(|| format!("{text}/"))
        };
        let path = path.or_else(|| match token {
            Token::Word { text, .. } | Token::Code(text) => named(text),
            Token::Quote | Token::Mark(_) => None,
        });
        let is_ending = |path: &String| path.starts_with('.') && !path.contains('/');
        if self.eat_any("files|file|itself") && path.as_ref().is_some_and(is_ending) {
            return path.map(|path| PathPattern::new(&format!("*{path}")));
        }
        path.map(|path| PathPattern::new(&path))
    }

    /// Commit and push: what is committed does not matter, to which branch does.
    fn git(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        while self.eat_any("any|the|your|my|these") {}
        self.eat_any("it|this|that|anything|changes|files|code");
        self.eat("directly");
        let branch = if self.eat_any("to|on|onto|into") { self.branch()? } else { None };
        let limit = |verb: &Verb| {
            let branch = branch.clone();
            Limit::NotAction(match verb {
                Verb::Push => LimitedAction::Push { branch },
                _ => LimitedAction::Commit { branch },
            })
        };
        self.ends().then(|| verbs.iter().map(limit).collect())
    }

    /// The branch that comes next; none for words that mean every branch.
    #[expect(
        clippy::option_option,
        reason = "no branch, no branch in particular, and a branch are three things"
    )]
    fn branch(&mut self) -> Option<Option<String>> {
        self.eat("the");
        if self.eat_any("remote|git|github|gitlab|upstream") {
            return Some(None);
        }
        if self.eat("origin") && self.clone().ends() {
            return Some(None);
        }
        let name = match self.tokens.get(self.at)? {
            Token::Word { text, .. } | Token::Code(text) => text.trim_start_matches("origin/"),
            Token::Quote | Token::Mark(_) => return None,
        };
        self.at += 1;
        self.eat("branch");
        let is_name = |c: char| c.is_ascii_alphanumeric() || "/_.-".contains(c);
        let is_branch =
            !name.is_empty() && name.chars().all(is_name) && !is_listed(name, DETERMINERS);
        is_branch.then(|| Some(name.to_owned()))
    }

    /// Opening pull requests, and what else is made: commits and changes.
    fn requests(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        while self.eat_any("a|an|any|the|new|another|more|git|file") {}
        if self.eat_any("commits|commit") {
            return self.git(&[Verb::Commit]);
        }
        if verbs == [Verb::Make] && self.eat_any("changes|edits|modifications") {
            if self.ends() {
                return Some(vec![Limit::NoChanges]);
            }
            return (self.eat_any("to|in")).then(|| self.files(&[Verb::Change])).flatten();
        }
        let nouns = "pull requests|pull request|merge requests|merge request|prs|pr|mrs|mr";
        if !self.eat_any(nouns) {
            return None;
        }
        let base = if self.eat_any("against|to|into|on") { self.branch()? } else { None };
        self.ends().then(|| vec![Limit::NotAction(LimitedAction::OpenPullRequest { base })])
    }

    fn packages(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        while self.eat_any("any|new|a|an|extra|additional|more|other") {}
        self.eat_any(ECOSYSTEMS);
        let is_named = self.eat_any(PACKAGES)
            || self.eat_any("dependency|package|library")
            || (verbs == [Verb::Install] && self.eat("anything"));
        (is_named && self.ends()).then(|| vec![Limit::NotAction(LimitedAction::AddDependency)])
    }

    /// The items of a list that are tests or commands. Items that are not understood are left out.
    fn commands(&mut self, is_use: bool) -> Option<Vec<Limit>> {
        let mut limits = vec![];
        loop {
            let start = self.at;
            limits.extend(self.command(is_use));
            if self.at == start {
                return None;
            }
            let end = self.at;
            let is_comma = self.tokens.get(self.at) == Some(&Token::Mark(','));
            self.at += usize::from(is_comma);
            let is_joined = self.eat_any("or|and|nor") || is_comma;
            let is_new =
                matches!(self.lower(), "do" | "don't" | "dont" | "never" | "just" | "only");
            if !is_joined || is_new || Verb::of(self.lower()).is_some_and(|verb| verb != Verb::Make)
            {
                self.at = end;
                break;
            }
        }
        (!limits.is_empty()).then_some(limits)
    }

    /// One item, up to the next comma or conjunction.
    fn command(&mut self, is_use: bool) -> Option<Limit> {
        let is_end = |token: &Token| {
            token.is_mark() || matches!(token.lower(), "or" | "and" | "nor" | "but")
        };
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let mut item = Reader { tokens: &rest[..length], at: 0, root: self.root };
        self.at += length;
        while item.eat_any("the|any|all|your") {}
        let is_over = |mut item: Reader<'_>| item.ends() && item.at == item.tokens.len();
        let first = item.at;
        while !is_over(item.clone()) {
            item.at += 1;
        }
        let words = &item.tokens[first..item.at];
        let tool = words.split_last().filter(|(last, _)| is_listed(last.lower(), TOOLS));
        let is_cli = tool.is_some_and(|(last, _)| last.lower() == "cli");
        let words = tool.map_or(words, |(_, words)| words);
        let is_plain = |word: &Token| !word.lower().is_empty() && !is_listed(word.lower(), PROSE);
        let run = |text: &str| Some(Limit::NotAction(LimitedAction::Run(text.to_owned())));
        match words {
            [word] if !is_use && is_tests(word.lower()) => {
                Some(Limit::NotAction(LimitedAction::RunTests))
            }
            [Token::Code(text)] if !is_use || begins_with_program(text) => run(text),
            [Token::Word { text, .. }] if is_cli || is_listed(text, PROGRAMS) => run(text),
            [git, does] if is_use && git.lower() == "git" && is_listed(does.lower(), GIT) => {
                run(&format!("git {}", does.lower()))
            }
            [Token::Word { text, .. }, rest @ ..]
                if !is_use
                    && is_listed(text, PROGRAMS)
                    && rest.len() < MAX_COMMAND_WORDS
                    && rest.iter().all(is_plain) =>
            {
                let words: Vec<&str> = words.iter().map(Token::lower).collect();
                run(&words.join(" "))
            }
            _ => None,
        }
    }
}

/// Whether a word such as `tests` or `tests/linters` names the tests.
fn is_tests(word: &str) -> bool {
    let mut parts = word.split('/');
    parts.clone().any(|part| is_listed(part, "tests|test"))
        && parts.all(|part| is_listed(part, CHECKS))
}

/// Whether a command begins with a usual program.
pub(super) fn begins_with_program(text: &str) -> bool {
    text.split(' ').next().is_some_and(|word| is_listed(word, PROGRAMS))
}

/// Words that are part of a sentence and of no command.
const PROSE: &str = "\
    a|as|at|by|directly|for|from|in|inside|instead|it|like|of|on|that|the|this|to|via|with|\
    without";
