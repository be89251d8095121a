//! Variables that a line sets for its commands.

use verger_shell::Command;

/// Names that only change how much a program says, or where and when it thinks it is.
const HARMLESS: &[&str] = &[
    "RUST_LOG",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_TEST_THREADS",
    "CI",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "PY_COLORS",
    "CARGO_TERM_COLOR",
    "CARGO_TERM_VERBOSE",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_BUILD_JOBS",
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
    "PYTHONHASHSEED",
    "PROPTEST_CASES",
    "LOG_LEVEL",
    "LOGLEVEL",
    "TEST_LOG",
    "GIT_OPTIONAL_LOCKS",
    "RAILS_ENV",
    "RACK_ENV",
    "MIX_ENV",
    "APP_ENV",
    "GOOS",
    "GOARCH",
    "CGO_ENABLED",
    "GO111MODULE",
    "CYPRESS_CI",
    "NEXT_TELEMETRY_DISABLED",
    "DOTNET_CLI_TELEMETRY_OPTOUT",
    "JEST_WORKERS",
    "VITEST_MAX_WORKERS",
    "NEXTEST_RETRIES",
    "TEST_THREADS",
];

/// Names in capitals that lines use for themselves.
const OWN: &[&str] = &[
    "FILE", "FILES", "DIR", "DIRS", "SRC", "N", "I", "COUNT", "NAME", "PATTERN", "BRANCH", "BASE",
    "COMMIT", "COMMITS", "RESULT", "F", "D", "LINE", "SHA", "TOTAL", "VERSION", "HASH", "ROOT",
    "START", "END", "STATUS", "NUM", "PKG", "CRATE", "MODULE", "X", "OUT", "ITEM", "P",
];

/// The first variable that the command sets and that may change more than that.
pub(super) fn unknown_variable(command: &Command) -> Option<&str> {
    let mut assignments = command.assignments.iter();
    let is_read = command.program() == Some("read");
    let unknown = assignments.find(|assignment| {
        let name = assignment.name.as_str();
        let is_own = command.argv.is_empty() && is_own(name);
        let is_harmless = is_harmless(name) && is_harmless_value(name, assignment.value.text());
        // `IFS= read` takes lines as they are.
        let takes_lines = is_read && name == "IFS" && assignment.value.literal() == Some("");
        !(is_harmless || is_own || takes_lines)
    });
    unknown.map(|assignment| assignment.name.as_str())
}

/// Whether a word like `CI=1` sets a harmless variable.
pub(super) fn is_harmless_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, value)| {
        is_harmless(name) && is_harmless_value(name, value) && !value.contains(['$', '`'])
    })
}

/// Tests take what they are told for theirs: a database that others use is not to be.
fn is_harmless_value(name: &str, value: &str) -> bool {
    const STAGES: &[&str] = &["RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV"];
    const HARMLESS: &[&str] = &["test", "testing", "ci", "dev", "development", "local"];
    !STAGES.contains(&name) || HARMLESS.contains(&value)
}

fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || name.starts_with("LC_")
}

/// Names in small letters under which zsh has `PATH` and its like.
const ZSH: &[&str] = &["path", "cdpath", "fpath", "manpath", "mailpath", "module_path", "fignore"];

/// A variable of the line's own. Some in small letters are read by programs that are told so, or by
/// the shell.
pub(super) fn is_own(name: &str) -> bool {
    let is_small = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
    let is_read = ["npm_", "pnpm_", "yarn_", "_"].iter().any(|start| name.starts_with(start))
        || name.ends_with("_proxy")
        || name.ends_with("_functions")
        || ZSH.contains(&name);
    OWN.contains(&name) || (is_small && !is_read)
}
