//! Recognizes the commands that check a project.

use verger_shell::{Command, Word};

use crate::phrases::is_listed;

/// Programs that always check a project, whatever their arguments are.
const CHECKERS: &str = "\
    actionlint|ava|bats|cmake|ctest|cypress|eslint|flake8|g++|gcc|golangci-lint|javac|jest|mocha|\
    mypy|nox|phpstan|phpunit|pylint|pyright|pytest|rspec|rubocop|rustc|shellcheck|svelte-check|\
    tox|tsc|unittest|vitest|vue-tsc|xcodebuild";
/// Programs that check a project if one of their arguments is a word of [`CHECKS`].
const RUNNERS: &str = "\
    astro|bash|biome|bun|bunx|cargo|dart|deno|docker|dotnet|flutter|go|gradle|gradlew|hk|just|\
    make|mise|mix|mvn|mvnw|next|ninja|node|npm|npx|nx|perl|php|playwright|pnpm|pre-commit|python|\
    rails|rake|ruby|ruff|sbt|sh|swift|task|tsx|turbo|ty|uvx|vite|vp|yarn|zig|zsh";
/// Runners that run the project's checks if they get no arguments.
const ALL_AT_ONCE: &str = "gradle|gradlew|just|make|mvn|ninja|rake";
/// Words in the names of subcommands, tasks, scripts and files that check a project: `test:unit`,
/// `type-check`, `tools/build.py`.
const CHECKS: &str = "\
    analyze|build|check|clippy|compile|credo|e2e|lint|nextest|test|tests|type|typecheck|verify|vet";
/// Words after which the command names other things than checks, such as packages.
const OTHERS: &str = "add|format|fmt|i|init|install|mod|new|remove|uninstall|update";

/// The maximum number of words of a command that are read.
const MAX_WORDS: usize = 16;

/// The name of the check that a command runs: the program and the word that selects the check. A
/// program that is part of the project counts as a check.
pub(super) fn check_name(command: &Command) -> Option<String> {
    let program = command.program()?;
    let words: Vec<&str> = command.argv.iter().map_while(Word::literal).take(MAX_WORDS).collect();
    let path = words.first()?;
    // `python3.12` counts as `python`.
    let program = if program.starts_with("python") { "python" } else { program };
    if is_listed(program, CHECKERS) {
        return Some(program.to_owned());
    }
    if !is_listed(program, RUNNERS) {
        let is_of_project = path.contains('/') && !path.starts_with(['/', '~']);
        return is_of_project.then(|| program.to_owned());
    }
    let is_name = |word: &&str| !word.starts_with(['-', '+']) && !word.contains(['=', ' ']);
    let names: Vec<&str> = words[1..].iter().copied().filter(is_name).collect();
    if names.is_empty() && is_listed(program, ALL_AT_ONCE) {
        return Some(program.to_owned());
    }
    // Options may have values, and `npx` and `run` come before the name of the check. So the first
    // three words are searched.
    let mut first = names.into_iter().take(3).take_while(|word| !is_listed(word, OTHERS));
    let check = first.find(|word| is_check(word))?;
    Some(format!("{program} {check}"))
}

fn is_check(word: &str) -> bool {
    let mut parts = word.split(['/', '.', ':', '-', '_']);
    is_listed(word, CHECKERS) || parts.any(|part| is_listed(part, CHECKS))
}
