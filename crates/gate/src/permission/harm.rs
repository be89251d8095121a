//! Which rules that warn of commands fit one command of a line.

use verger_shell::{Command, Inside, Place, Script, Stdin, Word};

use super::atoms::Seen;
use super::directories::Moves;
use super::paths::{Ground, is_of_class};
use super::program::{after_subcommands, name};
use super::rule::{Rule, Ruling};

/// A command as rules see it.
pub(super) struct Call<'a> {
    /// In small letters, without its directory.
    pub(super) program: String,
    words: Vec<Word>,
    fed: Option<String>,
    ground: Ground<'a>,
}

impl<'a> Call<'a> {
    /// Nothing when there is no program, or when the command also stands on the line with the values
    /// of its variables.
    pub(super) fn of(script: &Script, index: usize, ground: &Ground<'a>) -> Option<Self> {
        let command = &script.commands[index];
        if command.inside == Inside::Readings {
            return None;
        }
        let program = name(command)?;
        let is_kept = |word: &&Word| !(word.text() == "$_" && is_fed_output(script, index));
        let words = command.argv[1..].iter().filter(is_kept).cloned().collect();
        Some(Self { program, words, fed: script.fed(index), ground: *ground })
    }

    /// What runs programs of packages starts what it is told to, for whoever warns of it.
    pub(super) fn started(&self) -> Option<Self> {
        let after = match (self.program.as_str(), self.words.first().map(Word::text)) {
            ("npx" | "bunx" | "pnpx" | "uvx", _) => 0,
            (
                "pnpm" | "yarn" | "pipx" | "bun" | "uv" | "npm",
                Some("dlx" | "run" | "x" | "tool"),
            ) => 1,
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

    /// The strongest of the rules that fit; of equally strong ones the first.
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

    /// Whether a rule that warns of commands fits this one, in any spelling.
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

/// What fits a command where it stands, or, as something that a person should see, where the line
/// may have it stand.
pub(super) fn strongest_anywhere<'r, I>(
    (script, index): (&Script, usize),
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
    let mut places = moves.before(root(script, index)).rev();
    let here = Ground { cwd: places.next(), ..*ground };
    let mut call = Call::of(script, index, &here)?;
    if let Some(found) = call.strongest_with_started(&rules, lifted) {
        return Some(*found);
    }
    places.find_map(|cwd| {
        call.ground.cwd = Some(cwd);
        let about_places = rules(&call.program).filter(|rule| rule.with.contains('<'));
        let found = call.strongest(about_places, lifted)?;
        Some(Rule { ruling: Ruling::Risky, ..*found })
    })
}

/// The command of the line itself that leads to this one.
fn root(script: &Script, mut index: usize) -> usize {
    while let Place::Within(outer) = script.commands[index].place {
        if outer >= index {
            break;
        }
        index = outer;
    }
    index
}

/// Whether what is put into the command are only files that programs make anew, by their names.
fn is_fed_output(script: &Script, index: usize) -> bool {
    let Place::Within(outer) = script.commands[index].place else { return false };
    let outer = &script.commands[outer];
    let finder = match outer.program() {
        Some("find" | "gfind" | "fd" | "fdfind") => Some(outer),
        Some("xargs" | "gxargs") => match outer.stdin {
            Stdin::Pipe(Some(from)) => script.commands.get(from),
            _ => None,
        },
        _ => None,
    };
    finder.is_some_and(finds_output)
}

fn finds_output(finder: &Command) -> bool {
    let is_finder = matches!(finder.program(), Some("find" | "gfind" | "fd" | "fdfind"));
    is_finder
        && finder
            .argv
            .iter()
            .skip(1)
            .any(|word| is_of_class("output-name", word, &Ground::default()))
}

/// Of equally strong rules the first.
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
