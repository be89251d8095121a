//! Detects the commands that a `Cargo.toml` suggests.

use super::super::check::CheckKind;
use super::super::reading::Reading;
use super::{Found, Root};

const FILE: &str = "Cargo.toml";

/// Detects the commands for a Rust project. Types need no command, because clippy and the tests
/// compile everything. Warnings of lints pass unless the project makes them errors.
pub(super) fn detect(root: &Root) -> Vec<Found> {
    if !root.has(FILE) {
        return vec![];
    }
    // Without `--locked`, cargo would rewrite an outdated lock file.
    let locked = root.has("Cargo.lock").then_some("--locked");
    let with = |words: &[&'static str]| words.iter().copied().chain(locked).collect::<Vec<_>>();
    let (tests, reading) = if root.has(".config/nextest.toml") {
        (&["cargo", "nextest", "run", "--workspace", "--no-fail-fast"][..], Reading::Nextest)
    } else {
        (&["cargo", "test", "--workspace", "--no-fail-fast"][..], Reading::Libtest)
    };
    let lint = with(&["cargo", "clippy", "--workspace", "--all-targets"]);
    let format = ["cargo", "fmt", "--all", "--check"];
    vec![
        Found::checks(CheckKind::Lint, "cargo", FILE, lint, Reading::ExitCode),
        Found::checks(CheckKind::Format, "cargo", FILE, format, Reading::ExitCode),
        Found::checks(CheckKind::Tests, "cargo", FILE, with(tests), reading),
    ]
}
