//! The verbs of English limits and their objects.

use super::text::Token;
use super::verb::{Verb, is_branch_name};
use super::{Limit, LimitedAction};
use crate::paths::{self, PathPattern};
use crate::phrases::is_listed;

const VERBS: &[(&str, Verb)] = &[
    ("change|edit|modify|touch|alter|update|write", Verb::Change),
    ("delete|remove|erase", Verb::Delete),
    ("commit", Verb::Commit),
    ("push", Verb::Push),
    ("open|create|raise|submit|file|send", Verb::Open),
    ("make", Verb::Make),
    ("install", Verb::Install),
    ("add", Verb::Add),
    ("stash", Verb::Stash),
    ("run|execute", Verb::Run),
    ("use", Verb::Use),
];
/// Words that may stand behind the object and do not change the limit.
const TRAILING: &str = "\
    yet|for now|right now|now|at all|again|anymore|any more|please|pls|\
    under any circumstances|either|ever|at this point|here|in this session|\
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
const REQUESTS: &str = "pull requests|pull request|merge requests|merge request|prs|pr|mrs|mr";
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
/// Names of branches; others are told by their marks.
const BRANCHES: &str = "main|master|develop|development|dev|trunk|release|staging|prod|production";
/// Words behind the name of a program.
const TOOLS: &str = "cli|command|commands|suite";
/// Commands of git that people name when they say not to use it.
const GIT: &str = "stash|commit|push|reset|rebase|clean|checkout|merge|add|restore|amend";
/// Checks that people name together with the tests.
const CHECKS: &str = "\
    tests|test|formatters|formatter|format|linters|linter|lint|builds|build|network|checks|\
    typecheck|benchmarks|ci";
/// Words that are part of a sentence and of no command.
const PROSE: &str = "\
    a|as|at|by|directly|for|from|in|inside|instead|it|like|of|on|that|the|this|to|via|with|\
    without";
/// The most words of a command without backticks.
const MAX_COMMAND_WORDS: usize = 4;

/// A sentence while it is read from left to right.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) root: Option<&'a str>,
}

/// Words where a branch was expected that name none.
struct NoBranch;

impl<'a> Reader<'a> {
    /// The tokens that are not read yet.
    pub(super) fn rest(&self) -> &'a [Token] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    /// The next word in small letters; empty at the end and before anything else.
    pub(super) fn lower(&self) -> &'a str {
        self.rest().first().map_or("", Token::lower)
    }

    /// The verb that comes next.
    pub(super) fn verb(&self) -> Option<Verb> {
        let is_next = |(words, _): &&(&str, Verb)| is_listed(self.lower(), words);
        VERBS.iter().find(is_next).map(|(_, verb)| *verb)
    }

    /// Passes over the words of this phrase, if they come next.
    pub(super) fn eat(&mut self, phrase: &str) -> bool {
        let mut rest = self.rest().iter().map(Token::lower);
        let is_next = phrase.split(' ').all(|word| rest.next() == Some(word));
        self.at += if is_next { phrase.split(' ').count() } else { 0 };
        is_next
    }

    pub(super) fn eat_any(&mut self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.eat(phrase))
    }

    pub(super) fn eat_all(&mut self, phrases: &str) {
        while self.eat_any(phrases) {}
    }

    pub(super) fn eat_comma(&mut self) -> bool {
        let is_comma = self.rest().first() == Some(&Token::Mark(','));
        self.at += usize::from(is_comma);
        is_comma
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().first().is_none_or(Token::is_mark)
    }

    /// Passes over trailing words; whether the clause is over then.
    pub(super) fn ends(&mut self) -> bool {
        self.eat_all(TRAILING);
        self.is_at_end() || is_listed(self.lower(), "and|or|nor|but|so|then")
    }

    /// The limits of the verbs and objects behind a negation.
    pub(super) fn forbidden(&mut self) -> Option<Vec<Limit>> {
        let mut limits = vec![];
        let mut end = self.at;
        while let Some(found) = self.family() {
            limits.extend(found);
            end = self.at;
            if !self.joins_verb() {
                break;
            }
        }
        self.at = end;
        (!limits.is_empty()).then_some(limits)
    }

    /// Passes over `or`, `nor` or a comma of a list that ends with `or`, if a verb comes behind it.
    fn joins_verb(&mut self) -> bool {
        let is_comma = self.eat_comma();
        let is_or = self.eat_any("or|nor");
        let has_or = || self.rest().iter().any(|token| is_listed(token.lower(), "or|nor"));
        (is_or || (is_comma && has_or())) && self.verb().is_some()
    }

    /// Verbs of one family and their object.
    fn family(&mut self) -> Option<Vec<Limit>> {
        let mut verbs = vec![self.verb()?];
        let family = verbs[0].family();
        self.at += 1;
        loop {
            let end = self.at;
            let is_joined = self.joins_verb() || self.eat("and");
            let next = self.verb().filter(|verb| is_joined && verb.family() == family);
            let Some(verb) = next else {
                self.at = end;
                break;
            };
            self.at += 1;
            verbs.push(verb);
        }
        match family {
            Verb::Change => self.files(&verbs),
            Verb::Commit => self.git(&verbs),
            Verb::Open => self.requests(&verbs),
            Verb::Add => self.packages(&verbs),
            Verb::Run => self.commands(verbs.contains(&Verb::Use)),
            _ => {
                self.eat_any("it|anything|changes|any changes|my changes|the changes");
                self.ends().then(|| vec![Verb::Stash.on_anything()])
            }
        }
    }

    fn files(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        let verb = if verbs.contains(&Verb::Change) { Verb::Change } else { Verb::Delete };
        let last = self.tokens.get(self.at.checked_sub(1)?).map_or("", Token::lower);
        self.eat("to");
        let is_list = self.rest().first() == Some(&Token::Mark(':'));
        if verbs == [Verb::Change]
            && is_listed(last, "edit|modify")
            && !is_list
            && self.clone().ends()
        {
            self.ends();
            return Some(vec![Limit::NoChanges]);
        }
        let start = self.at;
        if self.eat_any(EVERYTHING) {
            if self.eat_any(EXCEPT) {
                let paths = self.paths()?;
                let is_only = verb == Verb::Change && self.ends();
                return is_only.then(|| vec![Limit::OnlyPaths(paths)]);
            }
            if self.ends() {
                return Some(vec![verb.on_anything()]);
            }
            self.at = start;
        }
        let paths = self.paths()?;
        self.ends().then(|| paths.into_iter().map(|path| verb.on_path(path)).collect())
    }

    /// A list of paths. An item that is no path ends it, unless `and` stands before it: then nothing is read.
    pub(super) fn paths(&mut self) -> Option<Vec<PathPattern>> {
        let mut paths = vec![self.path()?];
        loop {
            let end = self.at;
            let is_comma = self.eat_comma();
            let is_and = self.eat_any("and|&");
            let is_joined = self.eat_any("or|nor") || is_and || is_comma;
            let is_new = is_listed(self.lower(), "do|don't|dont|never");
            match is_joined.then(|| self.path()).flatten() {
                // "only touch a/, b/ is frozen": the second path begins a clause.
                Some(path) if !is_comma || is_and || self.clone().ends() => paths.push(path),
                None if is_and && !is_comma && !is_new => return None,
                _ => {
                    self.at = end;
                    return Some(paths);
                }
            }
        }
    }

    fn path(&mut self) -> Option<PathPattern> {
        self.eat_all(DETERMINERS);
        let is_place = self.eat_any(CONTENTS) && self.eat_any("in|inside|under|within|below|of");
        self.eat_all(DETERMINERS);
        let token = self.rest().first()?;
        self.at += 1;
        let is_folder = self.eat_any(FOLDER_NOUNS);
        // `src/a.rs:20` is less than the file.
        let text = token.text().filter(|text| !text.contains(':'))?;
        let is_code = is_place || matches!(token, Token::Code(_));
        let read = if is_code { paths::of_code } else { paths::of_word };
        let is_name = || text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
        let is_named_folder = || is_folder && is_name() && !is_listed(text, CONTENTS);
        let named_folder = || is_named_folder().then(|| format!("{text}/"));
        let path = read(text, self.root).or_else(named_folder)?;
        let is_ending = path.starts_with('.') && !path.contains('/');
        let is_glob = self.eat_any("files|file|itself") && is_ending;
        Some(PathPattern::new(&if is_glob { format!("*{path}") } else { path }))
    }

    /// Commit and push: what is committed does not matter, to which branch does.
    fn git(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        self.eat_all("any|the|your|my|these");
        self.eat_any("it|this|that|anything|changes|files|code");
        self.eat("directly");
        let branch = self.branch("to|on|onto|into").ok()?;
        let limits = verbs.iter().map(|verb| verb.on_branch(branch.clone())).collect();
        self.ends().then_some(limits)
    }

    /// The branch behind one of these prepositions; none for words that mean every branch.
    fn branch(&mut self, prepositions: &str) -> Result<Option<String>, NoBranch> {
        if !self.eat_any(prepositions) {
            return Ok(None);
        }
        self.eat("the");
        if self.eat_any("remote|git|github|gitlab|upstream")
            || (self.eat("origin") && self.clone().ends())
        {
            return Ok(None);
        }
        let name = self.rest().first().and_then(Token::text).ok_or(NoBranch)?;
        let name = name.trim_start_matches("origin/");
        self.at += 1;
        self.eat("branch");
        let is_usual = is_listed(name, BRANCHES) || name.contains(['/', '-', '.']);
        let is_branch = is_branch_name(name) && is_usual;
        if is_branch { Ok(Some(name.to_owned())) } else { Err(NoBranch) }
    }

    /// Opening pull requests, and what else is made: commits and changes.
    fn requests(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        self.eat_all("a|an|any|the|new|another|more|git|file");
        if self.eat_any("commits|commit") {
            return self.git(&[Verb::Commit]);
        }
        if verbs == [Verb::Make] && self.eat_any("changes|edits|modifications") {
            if self.ends() {
                return Some(vec![Limit::NoChanges]);
            }
            return self.eat_any("to|in").then(|| self.files(&[Verb::Change])).flatten();
        }
        if !self.eat_any(REQUESTS) {
            return None;
        }
        let base = self.branch("against|to|into|on").ok()?;
        self.ends().then(|| vec![Limit::NotAction(LimitedAction::OpenPullRequest { base })])
    }

    fn packages(&mut self, verbs: &[Verb]) -> Option<Vec<Limit>> {
        self.eat_all("any|new|a|an|extra|additional|more|other");
        self.eat_any(ECOSYSTEMS);
        let is_named = self.eat_any(PACKAGES)
            || self.eat_any("dependency|package|library")
            || (verbs == [Verb::Install] && self.eat("anything"));
        (is_named && self.ends()).then(|| vec![Verb::Add.on_anything()])
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
            let is_comma = self.eat_comma();
            let is_joined = self.eat_any("or|and|nor") || is_comma;
            let is_new = is_listed(self.lower(), "do|don't|dont|never|just|only");
            if !is_joined || is_new || self.verb().is_some_and(|verb| verb != Verb::Make) {
                self.at = end;
                break;
            }
        }
        (!limits.is_empty()).then_some(limits)
    }

    /// One item, up to the next comma or conjunction.
    fn command(&mut self, is_use: bool) -> Option<Limit> {
        let is_end = |token: &Token| token.is_mark() || is_listed(token.lower(), "or|and|nor|but");
        let rest = self.rest();
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at += length;
        let words = without_trailing(Reader { tokens: &rest[..length], at: 0, root: None });
        let tool = words.split_last().filter(|(last, _)| is_listed(last.lower(), TOOLS));
        let is_cli = tool.is_some_and(|(last, _)| last.lower() == "cli");
        let words = tool.map_or(words, |(_, words)| words);
        let is_plain = |word: &Token| !word.lower().is_empty() && !is_listed(word.lower(), PROSE);
        let is_command = match words {
            [word] if !is_use && is_tests(word.lower()) => return Some(Verb::Run.on_anything()),
            [Token::Code(text)] => !is_use || begins_with_program(text),
            [Token::Word { text, .. }] => is_cli || is_listed(text, PROGRAMS),
            [git, does] if is_use => git.lower() == "git" && is_listed(does.lower(), GIT),
            [Token::Word { text, .. }, rest @ ..] if !is_use => {
                is_listed(text, PROGRAMS)
                    && rest.len() < MAX_COMMAND_WORDS
                    && rest.iter().all(is_plain)
            }
            _ => false,
        };
        let words: Vec<&str> = words.iter().filter_map(Token::text).collect();
        is_command.then(|| Limit::NotAction(LimitedAction::Run(words.join(" "))))
    }
}

/// The words of an item without determiners before it and trailing words behind it.
fn without_trailing(mut item: Reader<'_>) -> &[Token] {
    item.eat_all("the|any|all|your");
    let first = item.at;
    let is_over = |mut item: Reader<'_>| item.ends() && item.at == item.tokens.len();
    while !is_over(item.clone()) {
        item.at += 1;
    }
    &item.tokens[first..item.at]
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
