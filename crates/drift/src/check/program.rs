//! The table of programs that check a project.

use verger_shell::{Command, Word};

use crate::phrases::is_listed;

/// How the words of a program say which check it runs.
#[derive(Debug, Clone, Copy)]
enum Words {
    /// The program is a check, whatever it is told.
    None,
    /// One of these subcommands, separated by `|`.
    One(&'static str),
    /// The first word is the name of a task, if there is one.
    Task,
    /// A script of a package: `run X`, or one whose name begins with a word of [`SCRIPTS`].
    Script,
    /// The rest of the words is a command of its own.
    Wrapper,
    /// An interpreter of the file that is the first word, or of a module behind `-m`.
    File,
}

/// Programs, separated by `|`, and their words.
const PROGRAMS: &[(&str, Words)] = &[
    (
        "actionlint|ava|bats|cmake|ctest|eslint|flake8|g++|gcc|javac|jest|mocha|mypy|nox|phpstan|phpunit|pylint|\
         pyright|pytest|rspec|rubocop|rustc|shellcheck|svelte-check|tox|tsc|unittest|vitest|vue-tsc|xcodebuild",
        Words::None,
    ),
    ("bun|mise|npm|pnpm|turbo|vp|yarn", Words::Script),
    ("gradle|gradlew|just|make|mvn|mvnw|ninja|rake|task", Words::Task),
    ("bunx|npx|uvx", Words::Wrapper),
    ("bash|node|perl|php|python|ruby|sh|tsx|zsh", Words::File),
    ("cargo", Words::One("build|check|clippy|doc|nextest|run|test")),
    ("go|nx", Words::One("build|lint|run|test|vet")),
    ("cypress|golangci-lint|pre-commit", Words::One("run")),
    (
        "astro|biome|cabal|dart|deno|docker|dotnet|flutter|hk|mix|next|playwright|rails|ruff|sbt|swift|ty|vite|zig",
        Words::One("analyze|build|check|ci|compile|credo|lint|test"),
    ),
];

/// The words with which names of scripts begin that check: `test:unit`, `type-check`.
const SCRIPTS: &str = "build|check|e2e|lint|test|tsc|type|typecheck|verify";

/// So many words of a command are looked at.
const MAX_WORDS: usize = 16;

/// The name of the check that a command runs: the program and the words that choose the check, without options
/// and folders. A program of the project is a check of its own.
pub(super) fn check_name(command: &Command) -> Option<String> {
    let program = command.program()?;
    let words: Vec<&str> = command.argv.iter().map_while(Word::literal).take(MAX_WORDS).collect();
    let path = words.first()?;
    if known(program).is_some() {
        return name_of(program, &words[1..]);
    }
    let is_of_project = path.contains('/') && !path.starts_with(['/', '~']);
    is_of_project.then(|| program.to_owned())
}

/// The program as the table names it, and its words.
fn known(program: &str) -> Option<(&str, Words)> {
    // `python3.12`
    let program = if program.starts_with("python") { "python" } else { program };
    PROGRAMS.iter().find(|(names, _)| is_listed(program, names)).map(|(_, words)| (program, *words))
}

fn name_of(program: &str, words: &[&str]) -> Option<String> {
    let (program, kind) = known(program)?;
    match kind {
        Words::None => Some(program.to_owned()),
        Words::One(known) => {
            let at = position(words, |word| is_listed(word, known))?;
            Some(format!("{program} {}", words[at]))
        }
        Words::Task => {
            Some(first(words).map_or(program.to_owned(), |task| format!("{program} {task}")))
        }
        Words::Script => {
            let is_script = |word: &str| {
                word.split([':', '-']).next().is_some_and(|part| is_listed(part, SCRIPTS))
            };
            let at =
                position(words, |word| matches!(word, "run" | "run-script") || is_script(word))?;
            let script = if is_script(words[at]) { words[at] } else { first(&words[at + 1..])? };
            Some(format!("{program} {script}"))
        }
        Words::Wrapper => {
            let at = words.iter().position(|word| is_task(word))?;
            name_of(words[at], &words[at + 1..])
        }
        Words::File if words.contains(&"--test") => Some(format!("{program} --test")),
        Words::File if words.first() == Some(&"-m") => name_of(words.get(1)?, &words[2..]),
        Words::File => {
            let file = words.first().filter(|word| is_task(word) && word.contains('.'))?;
            Some(format!("{program} {}", file.rsplit('/').next()?))
        }
    }
}

/// Where the first word stands that is such; only options and their values may stand before it.
fn position(words: &[&str], is_it: impl Fn(&str) -> bool) -> Option<usize> {
    let mut may_be_value = false;
    for (at, word) in words.iter().enumerate() {
        let is_option = word.starts_with(['-', '+']);
        if !is_option && is_it(word) {
            return Some(at);
        }
        if !is_option && !may_be_value {
            return None;
        }
        may_be_value = is_option && !word.contains('=');
    }
    None
}

/// The first word that is neither an option nor a variable.
fn first<'a>(words: &[&'a str]) -> Option<&'a str> {
    words.iter().copied().find(|word| is_task(word))
}

fn is_task(word: &str) -> bool {
    !word.starts_with(['-', '+']) && !word.contains('=')
}
