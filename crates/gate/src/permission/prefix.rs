//! Judges the variables that a command line sets for its commands.

use verger_shell::{Command, Form};

use super::program::is_listed;

/// Variables that may have any value. They only change how much a program prints, its language and
/// time, its build directory, or the certificates that it trusts.
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
    "GOCACHE",
    "GOPATH",
    "GOMODCACHE",
    "GOTMPDIR",
    "GOLANGCI_LINT_CACHE",
    "UV_CACHE_DIR",
    "PIP_CACHE_DIR",
    "CARGO_TARGET_DIR",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Variables of git that neither start a program nor select other settings or repositories.
const HARMLESS_GIT: &[&str] = &[
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_LFS_SKIP_SMUDGE",
    "GIT_OPTIONAL_LOCKS",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_TERMINAL_PROMPT",
];

/// Whether git reads, starts and prints the same with this variable set.
pub fn is_harmless_git_variable(name: &str) -> bool {
    HARMLESS_GIT.contains(&name)
}

/// Beginnings of the names of variables that select a program, option, setting or code for a
/// program, a shell or the loader. Names with these beginnings are allowed only if they are listed
/// as harmless.
const OF_PROGRAMS: &str = "ANDROID_ ANT_ ASDF_ AWS_ BASH BUNDLE_ BUN_ CABAL_ CARGO_ COMPOSE \
    COREPACK_ DENO_ DOCKER_ DOTNET_ DYLD_ ERL_ GEM_ GHC GH_ GIT_ GRADLE_ \
    HELM_ HEX_ JAVA JDK_ JULIA_ KUBE LD_ LESS LUA MALLOC_ MAVEN_ MISE_ \
    MIX_ MSBUILD NIX_ NODE_ NPM_ NUGET_ NVM_ PERL PHP PIP_ PNPM_ POETRY_ \
    PYENV_ PYTEST_ PYTHON RBENV_ RUBY RUST R_ SBT_ SSH_ SUDO_ TF_ UV_ \
    VERGER_ VIRTUAL_ XDG_ YARN_ ZDOTDIR";

/// Parts of the names of variables that change what a program runs.
const CHANGES_WHAT_RUNS: &str = "ASKPASS BROWSER COMMAND DATABASE EDITOR EXEC FLAGS FUNCTIONS HOME HOOK LOADER OPTIONS \
    OPTS PAGER PATH PLUGIN PRELOAD PROMPT PROXY RUNNER SHELL STARTUP TOOLCHAIN VISUAL \
    WRAPPER";

/// Complete names of variables that change what a program runs or reads.
const NAMED: &str = "AR AS CC CXX CPP ENV FC FIGNORE GLOBIGNORE HISTFILE HOSTALIASES IFS \
    LD LOGNAME MAKE MANOPT MANROFFOPT MORE OLDPWD POSIXLY_CORRECT PS0 PS1 PS2 PS3 \
    PS4 PWD TERMCAP TERMINFO TMPDIR USER";

/// Words in the names of variables that may select other settings, services or output files for one
/// program. A command line may also use such names for its own variables.
const POINTS_ELSEWHERE: &str = "ACCEPT ARGS BIN BLESS CMD COMPILER CONF CONFIG DB DSN ENDPOINT EXE FILE \
    HOST INDEX INIT INTERPRETER JUSTFILE LINKER MAKEFILES NODE OPT OVERWRITE PROFILE PROGRAM PY PYLINTRC \
    PYTHON RC REGEN REGISTRY SCRIPT SERVER SETTINGS SNAPSHOT SNAPSHOTS TEMPLATE UPDATE URI URL";

/// The first variable that the command sets and that may change which code runs.
pub(super) fn unknown_variable(command: &Command) -> Option<&str> {
    let mut assignments = command.assignments.iter();
    let is_read = command.program() == Some("read");
    let unknown = assignments.find(|assignment| {
        let name = assignment.name.as_str();
        let value = assignment.value.text();
        // `IFS= read` only makes `read` keep the blanks at both ends of an input line.
        let takes_lines = is_read && name == "IFS" && assignment.value.literal() == Some("");
        let is_for_line = command.argv.is_empty() && is_own(name);
        let is_element = assignment.form == Form::Element;
        is_element || !(is_for_line || is_harmless(name, value) || takes_lines)
    });
    unknown.map(|assignment| assignment.name.as_str())
}

/// Whether a word such as `CI=1` sets a harmless variable.
pub(super) fn is_harmless_setting(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, value)| is_harmless(name, value) && !value.contains(['$', '`']))
}

/// Whether programs run the same code with this variable as without it.
fn is_harmless(name: &str, value: &str) -> bool {
    // `/dev/null` contains no settings, so git starts no program because of it.
    let is_empty =
        matches!(name, "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM") && value == "/dev/null";
    let is_known = HARMLESS.contains(&name)
        || HARMLESS_GIT.contains(&name)
        || name.strip_prefix("LC_").is_some_and(is_own);
    let points_elsewhere = || {
        name.split('_').any(|word| is_listed(POINTS_ELSEWHERE, b' ', &word.to_ascii_uppercase()))
    };
    is_harmless_value(name, value)
        && (is_known || is_empty || (is_flag(value) && is_own(name) && !points_elsewhere()))
}

/// Whether the value is a switch, a number or a log level. Such a value is neither a file nor a
/// program, so a variable with an unknown name may have it.
fn is_flag(value: &str) -> bool {
    const WORDS: &str = "true false yes no on off always never auto test ci debug info warn error trace \
        production development dev";
    let is_number = value.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        && !value.starts_with('.');
    is_number || is_listed(WORDS, b' ', &value.to_ascii_lowercase())
}

/// Whether a variable doesn't select an environment with shared data. Tests may delete data, so
/// they must not run against a shared database.
fn is_harmless_value(name: &str, value: &str) -> bool {
    const HARMLESS: &[&str] = &["test", "testing", "ci", "dev", "development", "local"];
    !name.ends_with("_ENV") || name == "NODE_ENV" || HARMLESS.contains(&value)
}

/// Names in lower case that zsh connects with `PATH` and similar variables.
const ZSH: &[&str] = &["path", "cdpath", "fpath", "manpath", "mailpath", "module_path", "fignore"];

/// Whether a command line may use the name for its own variable, because no program, shell or
/// loader is known to read a variable with this name.
pub(super) fn is_own(name: &str) -> bool {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name
        && if name.contains(|c: char| c.is_ascii_uppercase()) {
            !is_read(name)
        } else {
            is_small(name)
        }
}

/// Whether a name in lower case is free for a command line's own variable. Few programs read such
/// variables.
fn is_small(name: &str) -> bool {
    let is_read = ["npm_", "pnpm_", "yarn_"].iter().any(|start| name.starts_with(start))
        || name.ends_with("_proxy")
        || name.ends_with("_functions")
        || ZSH.contains(&name);
    !is_read
}

/// Whether programs are known to read a variable with this name. The name has upper-case letters.
fn is_read(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    // Variables of Go, such as `GOFLAGS` and `GOPROXY`, have no separator after `GO`.
    let is_of_go = name.starts_with("GO") && name.len() > 2 && !name.contains('_');
    is_of_go
        || is_listed(NAMED, b' ', &name)
        || OF_PROGRAMS.split_ascii_whitespace().any(|start| name.starts_with(start))
        || CHANGES_WHAT_RUNS.split_ascii_whitespace().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_changes_what_runs_is_told_from_others() {
        for setting in [
            "CI=1",
            "NODE_ENV=test",
            "FOO=",
            "FOO=17",
            "FOO=True",
            "APP_LOG=debug",
            "RUST_LOG=app=debug,sea=warn",
            "CARGO_TARGET_DIR=/tmp/target",
            "GIT_SSL_CAINFO=/etc/ssl/ca.pem",
            "GOCACHE=/tmp/go",
            "E2E_SLOW=1",
            "LC_ALL=C",
            "RAILS_ENV=test",
            "SSL_CERT_FILE=/etc/ssl/ca.pem",
            "GIT_CONFIG_GLOBAL=/dev/null",
        ] {
            assert!(is_harmless_setting(setting), "{setting}");
        }
        for setting in [
            "PATH=x",
            "LD_PRELOAD=x",
            "DYLD_INSERT_LIBRARIES=x",
            "BASH_ENV=x",
            "ENV=x",
            "IFS=x",
            "PS4=x",
            "HOME=x",
            "GIT_SSH_COMMAND=x",
            "GIT_PAGER=cat",
            "GIT_CONFIG_GLOBAL=x",
            "GIT_DIR=x",
            "GIT_TRACE=x",
            "NODE_OPTIONS=x",
            "PYTHONSTARTUP=x",
            "PYTHONPATH=x",
            "EDITOR=x",
            "VISUAL=x",
            "MANPAGER=x",
            "LESSOPEN=x",
            "RUSTC_WRAPPER=x",
            "CC=x",
            "MAKEFLAGS=x",
            "GOFLAGS=x",
            "GOPROXY=x",
            "JAVA_TOOL_OPTIONS=x",
            "HTTPS_PROXY=x",
            "https_proxy=x",
            "npm_config_script_shell=x",
            "DOCKER_HOST=x",
            "KUBECONFIG=x",
            "GH_HOST=x",
            "DATABASE_URL=x",
            "PG_HOST=x",
            "RAILS_ENV=production",
            "UPDATE_SNAPSHOTS=1",
            "TEST_CMD=x",
            "XDG_CONFIG_HOME=x",
            "A[0]=x",
            "=x",
            "PY=x",
            "cdpath=x",
            "VERGER_HOME=x",
            "FOO=x",
            "FOO=../x",
            "FOO=..",
            "MAKEFILES=test",
            "MAKEFILES=/tmp/x",
            "GO=/tmp/x",
            "PROTOC=/tmp/x",
            "JUST_JUSTFILE=x",
            "PYLINTRC=x",
            "RUFF_OUTPUT_FILE=test",
            "DEVELOPER_DIR=/tmp/x",
            "TARGET_CC=/tmp/x",
            "SCRATCH=/tmp/x",
            "FOO=$x",
            "FOO=`x`",
        ] {
            assert!(!is_harmless_setting(setting), "{setting}");
        }
        for name in ["V6", "URL", "OUT_DIR", "BASE", "file_path", "n"] {
            assert!(is_own(name), "{name}");
        }
        for name in
            ["PATH", "IFS", "GIT_DIR", "path", "http_proxy", "DATABASE_URL", "PS4", "a[0]", ""]
        {
            assert!(!is_own(name), "{name}");
        }
    }
}
