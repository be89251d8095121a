//! Finds the rules against a command of a command line.

use verger_shell::{Command, Inside, Place, Script, Stdin, Word};

use super::atoms::Seen;
use super::directories::Moves;
use super::paths::{Ground, begins_temporary, is_of_class};
use super::program::{after_subcommands, name};
use super::rule::{Rule, Ruling};

/// A command in the form that is compared with rules.
pub(super) struct Call<'a> {
    /// The program's name in lower case, without its directory.
    pub(super) program: String,
    pub(super) words: Vec<Word>,
    fed: Option<String>,
    pub(super) ground: Ground<'a>,
}

impl<'a> Call<'a> {
    /// The call of the command at `index`. `None` if it has no program, or if the script has
    /// variants of the command with the values of its variables.
    pub(super) fn of(script: &Script, index: usize, ground: &Ground<'a>) -> Option<Self> {
        let command = &script.commands[index];
        if command.inside == Inside::Readings {
            return None;
        }
        let program = name(command)?;
        let fed = fed_by(script, index);
        let is_made_anew = fed.iter().any(|command| finds_output(command));
        let is_kept = |word: &&Word| {
            let is_output = word.text() == "$_" && is_made_anew;
            !is_output && !is_scratch(word.text(), script, ground)
        };
        let words = command.argv[1..].iter().filter(is_kept).cloned().collect();
        Some(Self { program, words, fed: script.fed(index), ground: *ground })
    }

    /// The call of the program that a package runner such as `npx x` starts. Rules about that
    /// program apply to this call.
    pub(super) fn started(&self) -> Option<Self> {
        let after = match (self.program.as_str(), self.words.first().map(Word::text)) {
            (
                "pnpm" | "yarn" | "pipx" | "bun" | "uv" | "npm",
                Some("dlx" | "run" | "x" | "tool" | "exec"),
            ) => 1,
            // Some package runners start a program without a subcommand such as `run`.
            ("npx" | "bunx" | "pnpx" | "uvx", _) | ("pnpm" | "yarn" | "bun", Some(_)) => 0,
            _ => return None,
        };
        let at =
            after + self.words[after..].iter().position(|word| !word.text().starts_with('-'))?;
        let name = self.words[at].text();
        let name = name.strip_prefix('@').unwrap_or(name);
        let name = name.split('@').next()?.rsplit('/').next()?;
        let (program, words) = (name.to_ascii_lowercase(), self.words[at + 1..].to_vec());
        Some(Self { program, words, fed: self.fed.clone(), ground: self.ground })
    }

    /// The strongest rule that matches the call. If several are equally strong, the first counts.
    pub(super) fn strongest<'r>(
        &self,
        rules: impl Iterator<Item = &'r Rule<'r>>,
        lifted: &[String],
    ) -> Option<&'r Rule<'r>> {
        rules
            .filter(|rule| !rule.ruling.approves())
            .filter(|rule| {
                rule.ruling != Ruling::Floor || !lifted.iter().any(|name| name == rule.name)
            })
            .filter(|rule| self.fits(rule))
            .reduce(stronger_of)
    }

    fn strongest_with_started<'r, I>(
        &self,
        rules: &impl Fn(&str) -> I,
        lifted: &[String],
    ) -> Option<&'r Rule<'r>>
    where
        I: Iterator<Item = &'r Rule<'r>>,
    {
        let own = self.strongest(rules(&self.program), lifted);
        let started = self.started();
        let started = started.and_then(|call| call.strongest(rules(&call.program), lifted));
        own.into_iter().chain(started).reduce(stronger_of)
    }

    /// Whether a rule against commands matches this call, in any spelling.
    pub(super) fn fits(&self, rule: &Rule<'_>) -> bool {
        if !rule.names(&self.program) {
            return false;
        }
        let Some(after) = after_subcommands(rule.command, &self.words) else { return false };
        if let [only] = after.words
            && matches!(only.text(), "--help" | "-help" | "--version")
        {
            return false;
        }
        let seen = Seen { words: after.words, fed: self.fed.as_deref() };
        seen.has_all(rule.with, &self.ground)
            && (!after.is_guess || seen.has_an_option(rule.with, &self.ground))
    }
}

/// The strongest rule that matches the command in its most likely directory. If a rule matches only
/// in another possible directory, its ruling becomes `Risky`.
pub(super) fn strongest_anywhere<'r, I>(
    script: &Script,
    index: usize,
    moves: &Moves,
    ground: &Ground<'_>,
    rules: impl Fn(&str) -> I,
    lifted: &[String],
) -> Option<Rule<'r>>
where
    I: Iterator<Item = &'r Rule<'r>>,
{
    if moves.is_empty() {
        let call = Call::of(script, index, ground)?;
        return call.strongest_with_started(&rules, lifted).copied();
    }
    let mut places = moves.seen_by(script, index).rev();
    let here = Ground { cwd: places.next(), ..*ground };
    let mut call = Call::of(script, index, &here)?;
    if let Some(found) = call.strongest_with_started(&rules, lifted) {
        return Some(*found);
    }
    // The most likely directory was already checked. After `cd .`, it appears again and is skipped.
    places.filter(|cwd| Some(*cwd) != here.cwd).find_map(|cwd| {
        call.ground.cwd = Some(cwd);
        let about_places = rules(&call.program).filter(|rule| rule.with.contains('<'));
        let found = call.strongest(about_places, lifted)?;
        Some(Rule { ruling: Ruling::Risky, ..*found })
    })
}

/// The index of the command on the command line itself that runs the command at `index`, directly
/// or through other commands.
pub(crate) fn root(script: &Script, mut index: usize) -> usize {
    while let Place::Within(outer) = script.commands[index].place {
        if outer >= index {
            break;
        }
        index = outer;
    }
    index
}

/// The commands whose output `xargs` or `find` adds to the command at `index`, the nearest first.
fn fed_by(script: &Script, index: usize) -> Vec<&Command> {
    let Place::Within(outer) = script.commands[index].place else { return Vec::new() };
    let mut at = &script.commands[outer];
    match at.program() {
        Some("find" | "gfind" | "fd" | "fdfind") => return vec![at],
        Some("xargs" | "gxargs") => {}
        _ => return Vec::new(),
    }
    let mut found = Vec::new();
    while let Stdin::Pipe(Some(from)) = at.stdin
        && found.len() < MAX_PIPES
    {
        at = &script.commands[from];
        found.push(at);
    }
    found
}

/// The maximum number of commands in a pipeline that are followed.
const MAX_PIPES: usize = 4;

/// Whether the command lists only files that programs can create again, according to their names.
fn finds_output(finder: &Command) -> bool {
    let is_name = |word: &Word| is_of_class("output-name", word, &Ground::default());
    let words = finder.argv.get(1..).unwrap_or_default();
    match finder.program() {
        Some("find" | "gfind" | "fd" | "fdfind") => words.iter().any(is_name),
        Some("ls") => {
            words.iter().any(is_name)
                && words.iter().all(|word| word.text().starts_with('-') || is_name(word))
        }
        Some("grep" | "egrep") => {
            let is_inverted = words.iter().any(|word| word.text() == "-v");
            let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            let patterns = words.iter().filter(|word| !word.text().starts_with('-'));
            let mut parts = patterns.flat_map(|word| word.text().split(|c| !is_part(c)));
            let is_output = |part: &str| {
                let name = if part.starts_with('.') { format!("*{part}") } else { part.to_owned() };
                part.is_empty() || is_name(&Word::Literal(name))
            };
            !is_inverted && parts.all(is_output)
        }
        _ => false,
    }
}

/// Whether the word is a temporary directory that the command line creates: `$tmp` after
/// `tmp=$(mktemp -d)` or `tmp=/tmp/app-$$`.
fn is_scratch(text: &str, script: &Script, ground: &Ground<'_>) -> bool {
    if text.starts_with("$(mktemp") && text.ends_with(')') {
        return true;
    }
    let Some(name) = text.strip_prefix('$') else { return false };
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    let assignments = script.commands.iter().flat_map(|command| &command.assignments);
    let mut values = assignments.filter(|assignment| assignment.name == name).peekable();
    values.peek().is_some()
        && values.all(|assignment| {
            let value = assignment.value.text();
            value.starts_with("$(mktemp") || begins_temporary(value, ground)
        })
        && script.looped(name).next().is_none()
}

/// The stronger of two rules. If both are equally strong, the first.
pub(super) fn stronger<'r>(one: Option<Rule<'r>>, other: Option<Rule<'r>>) -> Option<Rule<'r>> {
    match (one, other) {
        (Some(one), Some(other)) if strength(other.ruling) > strength(one.ruling) => Some(other),
        (one, other) => one.or(other),
    }
}

fn stronger_of<'r>(one: &'r Rule<'r>, other: &'r Rule<'r>) -> &'r Rule<'r> {
    if strength(other.ruling) > strength(one.ruling) { other } else { one }
}

fn strength(ruling: Ruling) -> u8 {
    match ruling {
        Ruling::Allow | Ruling::Build => 0,
        Ruling::Risky => 1,
        Ruling::Deny => 2,
        Ruling::Floor => 3,
    }
}
