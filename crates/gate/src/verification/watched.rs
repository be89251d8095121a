//! Watched tools: commands that test, build and lint, and tools that the user adds.
//!
//! After a watched tool fails, the gate requests a verification until the same tool succeeds.
//! `verger_shell` parses the command line, so the spelling doesn't matter, and a mention in a
//! string doesn't count.

mod commands;

use verger_event::{ToolCall, tamed};
use verger_shell::{Command, CommandPattern, Inside, Script};

use super::failures::WatchedKind;
use super::plan::command_line;
use crate::ToolPattern;
use crate::line_exit::decides_the_exit;
use commands::COMMANDS;

/// The maximum number of bytes that are kept of a watched tool, as people would type it.
const MAX_WHAT_BYTES: usize = 200;

/// Options with which a command doesn't check anything.
const HARMLESS: &[&str] = &["--help", "-h", "--version", "-V"];

/// Programs that find another program by its name and run it.
const RUNNERS: &[&str] = &["npx", "bunx", "pnpm dlx", "yarn dlx"];

/// A watched tool, and its purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// The watched tool, as people would type it.
    pub what: String,
    /// The purpose of the watched tool.
    pub kind: WatchedKind,
}

/// The watched tool of a failed call. If the command line has several watched commands, the last
/// one counts, because its later success implies that the commands before it succeeded.
pub fn failed_by(
    call: &ToolCall,
    script: Option<&Script>,
    patterns: &[ToolPattern],
) -> Option<Watched> {
    if patterns.iter().any(|pattern| pattern.matches(call, script)) {
        return Some(Watched { what: whole(call), kind: WatchedKind::Users });
    }
    watched_on(script?).last().map(|(_, watched)| watched)
}

/// The watched tools that succeeded according to a successful call, under every name that a failure
/// may have recorded.
pub fn succeeded_by(call: &ToolCall, script: Option<&Script>) -> Vec<String> {
    let on_line = script.into_iter().flat_map(|script| {
        let line = call.shell_line().map_or(LineForm::Hides, LineForm::of);
        watched_on(script).filter_map(move |(at, watched)| {
            let is_shown = match line {
                LineForm::Chain => true,
                LineForm::Sequence => decides_the_exit(script, at),
                LineForm::Hides => false,
            };
            is_shown.then_some(watched.what)
        })
    });
    on_line.chain([whole(call)]).collect()
}

/// Whether the success of one command shows that a failed command works now. The successful command
/// must be the same, or the failed command without some of the words that narrow it.
pub(super) fn shows(succeeded: &str, failed: &str) -> bool {
    let mut words = failed.split(' ');
    succeeded.split(' ').all(|word| words.any(|one| one == word))
}

fn watched_on(script: &Script) -> impl Iterator<Item = (usize, Watched)> {
    script.commands.iter().enumerate().filter_map(|(at, command)| {
        let is_here = !script.runs_elsewhere(at);
        let kind = kind_of(command).filter(|_| is_here)?;
        let argv: Vec<_> = command.argv.iter().map(|word| word.text().to_owned()).collect();
        Some((at, Watched { what: cut(&command_line(&argv)), kind }))
    })
}

fn kind_of(command: &Command) -> Option<WatchedKind> {
    // `Inside::Readings` marks a command whose variants with known variables are also in the list.
    // Code in another language that mentions a command may do anything with it.
    if command.inside == Inside::Readings || command.code.is_some() {
        return None;
    }
    let literal = command.literal_argv()?;
    if literal.iter().any(|word| HARMLESS.contains(word)) {
        return None;
    }
    let fits = |pattern: &str| {
        CommandPattern::parse(pattern).is_ok_and(|pattern| pattern.matches_command(command))
    };
    let is_run = |pattern: &&str| {
        let by_runner = |runner: &&str| fits(&format!("{runner} {pattern}"));
        fits(pattern) || RUNNERS.iter().any(by_runner)
    };
    let known = COMMANDS.iter().find(|(_, patterns)| patterns.iter().any(is_run));
    known.map(|(kind, _)| *kind)
}

/// A shortened text that identifies the call: its command line, or its tool and input. This is the
/// name of a tool that the user watches.
fn whole(call: &ToolCall) -> String {
    cut(&call.identity())
}

fn cut(text: &str) -> String {
    let text = tamed(&text[..text.floor_char_boundary(MAX_WHAT_BYTES)]);
    text[..text.floor_char_boundary(MAX_WHAT_BYTES)].to_owned()
}

/// The meaning of the success of a command line for its commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineForm {
    /// Each command runs only if the previous one succeeded, so all commands succeeded.
    Chain,
    /// The commands run one after the other, so only the last one surely succeeded.
    Sequence,
    /// The success has no meaning for them, because the command line inverts the exit status or
    /// doesn't wait for a command.
    Hides,
}

impl LineForm {
    fn of(line: &str) -> Self {
        let plain = line.replace("2>&1", " ").replace(">&2", " ").replace("&>", " ");
        let rest = plain.replace("&&", " ");
        if rest.contains(['&', '!']) || rest.contains("||") {
            Self::Hides
        } else if rest.trim().contains([';', '|', '\n', '`', '(', '{']) {
            Self::Sequence
        } else {
            Self::Chain
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bash(line: &str) -> (ToolCall, Script) {
        (ToolCall::shell(line), verger_shell::read(line))
    }

    fn failed(line: &str) -> Option<(String, WatchedKind)> {
        let (call, script) = bash(line);
        failed_by(&call, Some(&script), &[]).map(|watched| (watched.what, watched.kind))
    }

    #[test]
    fn every_kind_of_command_is_known_in_any_spelling() {
        use WatchedKind::{Build, Lint, Tests};
        for (line, what, kind) in [
            ("cargo test", "cargo test", Tests),
            ("cd x && RUST_LOG=1 cargo test -p a 2>&1 | tail -5", "cargo test -p a", Tests),
            ("cargo nextest run", "cargo nextest run", Tests),
            ("cargo +nightly check", "cargo +nightly check", Build),
            ("cargo build --release", "cargo build --release", Build),
            ("cargo clippy -- -D warnings", "cargo clippy -- -D warnings", Lint),
            ("cargo fmt --all --check", "cargo fmt --all --check", Lint),
            ("npm test", "npm test", Tests),
            ("npm run test:unit -- --run", "npm run test:unit -- --run", Tests),
            ("pnpm build", "pnpm build", Build),
            ("yarn lint", "yarn lint", Lint),
            ("npx tsc --noEmit", "npx tsc --noEmit", Build),
            ("pnpm exec jest src/a.test.ts", "jest src/a.test.ts", Tests),
            ("uv run pytest -q", "pytest -q", Tests),
            ("python3 -m pytest tests", "python3 -m pytest tests", Tests),
            ("ruff check .", "ruff check .", Lint),
            ("mypy src", "mypy src", Build),
            ("go test ./...", "go test ./...", Tests),
            ("go vet ./...", "go vet ./...", Lint),
            ("make", "make", Build),
            ("make -j4 test", "make -j4 test", Tests),
            ("./gradlew test", "./gradlew test", Tests),
            ("mvn -q verify", "mvn -q verify", Tests),
            ("bundle exec rspec", "rspec", Tests),
            ("dotnet build", "dotnet build", Build),
            ("timeout 60 bash -lc 'cargo test'", "cargo test", Tests),
            ("cargo fmt --check && cargo test", "cargo test", Tests),
        ] {
            assert_eq!(failed(line), Some((what.to_owned(), kind)), "{line}");
        }
    }

    #[test]
    fn other_commands_are_not_watched() {
        for line in [
            "",
            "ls",
            "git commit -m 'cargo test passes'",
            "echo cargo test",
            "grep -rn 'npm test' .",
            "cargo test --help",
            "cargo fmt",
            "cargo run",
            "npm install",
            "npm run dev",
            "ssh host cargo test",
            "verger verify --session s",
            "verger verify --session s --depth deep",
            "cargo \"$verb\"",
            "python3 -c 'import subprocess; subprocess.run([\"cargo\", \"test\"])'",
            "make install",
        ] {
            assert_eq!(failed(line), None, "{line}");
        }
    }

    #[test]
    fn the_user_watches_whole_calls() {
        let command = ToolPattern::command("e2e", "npm run e2e*").unwrap();
        let patterns = [command, ToolPattern::tool("mcp__ci__*").unwrap()];
        let (call, script) = bash("npm run e2e:login -- --headed");
        let watched = failed_by(&call, Some(&script), &patterns).unwrap();
        let expected = ("npm run e2e:login -- --headed", WatchedKind::Users);
        assert_eq!((watched.what.as_str(), watched.kind), expected);
        assert_eq!(succeeded_by(&call, Some(&script)), ["npm run e2e:login -- --headed"]);
        let call = ToolCall::mcp("ci", "run", json!({ "job": "deploy" }));
        let watched = failed_by(&call, None, &patterns).unwrap();
        assert_eq!(watched.what, r#"mcp__ci__run {"job":"deploy"}"#);
        assert_eq!(succeeded_by(&call, None), [watched.what]);
        let other = ToolCall { tool: "mcp__db__run".into(), ..call };
        assert_eq!(failed_by(&other, None, &patterns), None);
    }

    #[test]
    fn success_of_a_line_shows_what_its_end_depends_on() {
        for (line, shown) in [
            ("cargo test", &["cargo test"][..]),
            ("cargo test 2>&1", &["cargo test"]),
            ("cd x && cargo fmt --check && cargo test", &["cargo fmt --check", "cargo test"]),
            ("cargo test && git commit -m x", &["cargo test"]),
            ("cargo clippy; cargo test", &["cargo test"]),
            ("cargo test; cargo clippy", &["cargo clippy"]),
            ("cargo test | tail -3", &[]),
            ("cargo test || true", &[]),
            ("! cargo test", &[]),
            ("cargo test &", &[]),
            ("cargo test; echo $?", &[]),
        ] {
            let (call, script) = bash(line);
            let mut expected: Vec<_> = shown.iter().map(|one| (*one).to_owned()).collect();
            expected.push(line.to_owned());
            assert_eq!(succeeded_by(&call, Some(&script)), expected, "{line}");
        }
    }

    #[test]
    fn the_same_with_fewer_words_is_more() {
        for (succeeded, failed, expected) in [
            ("cargo test", "cargo test", true),
            ("cargo test", "cargo test -p a save::twice", true),
            ("cargo test -p a", "cargo test -p a save::twice", true),
            ("cargo test -p a", "cargo test", false),
            ("cargo test -p b", "cargo test -p a", false),
            ("cargo build", "cargo test", false),
            ("test", "cargo test", true),
        ] {
            assert_eq!(shows(succeeded, failed), expected, "{succeeded} {failed}");
        }
    }

    #[test]
    fn every_pattern_can_be_read() {
        for (_, patterns) in COMMANDS {
            for pattern in *patterns {
                assert!(CommandPattern::parse(pattern).is_ok(), "{pattern}");
            }
        }
    }

    #[test]
    fn the_stored_text_of_a_call_is_short_and_on_one_line() {
        let (call, script) = bash(&format!("cargo test {}\nls", "é".repeat(300)));
        let what = failed_by(&call, Some(&script), &[]).unwrap().what;
        assert!(what.len() <= MAX_WHAT_BYTES && what.starts_with("cargo test 'é"), "{what}");
        assert!(!whole(&call).contains('\n'));
    }
}
