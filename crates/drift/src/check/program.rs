//! Which commands check a project.

use verger_shell::{Command, Word};

use crate::phrases::is_listed;

/// Programs that check a project, whatever they are told.
const CHECKERS: &str = "\
    actionlint|ava|bats|cmake|ctest|cypress|eslint|flake8|g++|gcc|golangci-lint|javac|jest|mocha|\
    mypy|nox|phpstan|phpunit|pylint|pyright|pytest|rspec|rubocop|rustc|shellcheck|svelte-check|\
    tox|tsc|unittest|vitest|vue-tsc|xcodebuild";
/// Programs that check a project if they are told a word of [`CHECKS`].
const RUNNERS: &str = "\
    astro|bash|biome|bun|bunx|cargo|dart|deno|docker|dotnet|flutter|go|gradle|gradlew|hk|just|\
    make|mise|mix|mvn|mvnw|next|ninja|node|npm|npx|nx|perl|php|playwright|pnpm|pre-commit|python|\
    rails|rake|ruby|ruff|sbt|sh|swift|task|tsx|turbo|ty|uvx|vite|vp|yarn|zig|zsh";
/// Runners that check everything if they are told nothing.
const ALL_AT_ONCE: &str = "gradle|gradlew|just|make|mvn|ninja|rake";
/// Words of subcommands, tasks, scripts and files that check: `test:unit`, `type-check`, `tools/build.py`.
const CHECKS: &str = "\
    analyze|build|check|clippy|compile|credo|e2e|lint|nextest|test|tests|type|typecheck|verify|vet";
/// Words behind which the name of something else stands, such as that of a package.
const OTHERS: &str = "add|format|fmt|i|init|install|mod|new|remove|uninstall|update";

/// So many words of a command are looked at.
const MAX_WORDS: usize = 16;

/// The name of the check that a command runs: the program and the word that chooses the check. A program of the
/// project is a check of its own.
pub(super) fn check_name(command: &Command) -> Option<String> {
    let program = command.program()?;
    let words: Vec<&str> = command.argv.iter().map_while(Word::literal).take(MAX_WORDS).collect();
    let path = words.first()?;
    // `python3.12`
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
    // Options may have values, and `npx` and `run` stand before the name.
    let mut first = names.into_iter().take(3).take_while(|word| !is_listed(word, OTHERS));
    let check = first.find(|word| is_check(word))?;
    Some(format!("{program} {check}"))
}

fn is_check(word: &str) -> bool {
    let mut parts = word.split(['/', '.', ':', '-', '_']);
    is_listed(word, CHECKERS) || parts.any(|part| is_listed(part, CHECKS))
}
