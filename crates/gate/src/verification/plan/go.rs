//! Detects the commands that a `go.mod` suggests.

use super::super::check::CheckKind;
use super::super::reading::Reading;
use super::{Found, Root};

const FILE: &str = "go.mod";
const LINTER: [&str; 3] = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];

/// Detects the commands for a Go project. `go vet` checks the types too.
pub(super) fn detect(root: &Root) -> Vec<Found> {
    if !root.has(FILE) {
        return vec![];
    }
    let lint = match root.first(&LINTER) {
        Some(file) => Found::checks(
            CheckKind::Lint,
            "golangci-lint",
            file,
            ["golangci-lint", "run"],
            Reading::ExitCode,
        ),
        None => {
            Found::checks(CheckKind::Lint, "go", FILE, ["go", "vet", "./..."], Reading::ExitCode)
        }
    };
    let tests = ["go", "test", "-json", "./..."];
    vec![
        lint,
        Found::checks(CheckKind::Format, "gofmt", FILE, ["gofmt", "-l", "."], Reading::Silence),
        Found::checks(CheckKind::Tests, "go", FILE, tests, Reading::GoTest),
    ]
}
