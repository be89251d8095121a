//! Variables that a line sets for its commands.

use verger_shell::Command;

/// Names that only change how much a program says, or where and when it thinks it is.
const HARMLESS: &[&str] = &[
    "RUST_LOG",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "CI",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "CARGO_TERM_COLOR",
    "CARGO_INCREMENTAL",
    "TZ",
    "LANG",
    "LANGUAGE",
    "TERM",
    "COLUMNS",
    "LINES",
    "DEBUG",
    "NODE_ENV",
    "VERBOSE",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "INSTA_UPDATE",
    "PROPTEST_CASES",
    "GOFLAGS_NONE",
    "LOG_LEVEL",
    "RUST_TEST_THREADS",
    "JEST_WORKERS",
    "GIT_OPTIONAL_LOCKS",
];

/// The first variable that the command sets and that may change more than that.
pub(super) fn unknown_variable(command: &Command) -> Option<&str> {
    let is_harmless = |name: &str| {
        HARMLESS.contains(&name) || name.starts_with("LC_")
            // A variable of the line's own, in small letters.
            || (command.argv.is_empty() && !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()))
    };
    command
        .assignments
        .iter()
        .map(|assignment| assignment.name.as_str())
        .find(|name| !is_harmless(name))
}
