//! Finds the program that a command runs, and the words after the subcommands that a rule names.

use verger_shell::{Command, Glob, Word};

/// Directories of the system's programs. A file with the same name in another directory may be
/// another program.
const SYSTEM_DIRECTORIES: &[&str] =
    &["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"];

/// The name that rules use for a program whose real name is known only when the command line runs.
pub(super) const HIDDEN: &str = "$";

/// Whether the command starts exactly this program: by its bare name or by a path in a system
/// directory. A rule whose program is a path requires exactly this path.
pub(super) fn is_exactly(name: &Word, program: &str) -> bool {
    let Word::Literal(name) = name else { return false };
    if program.contains('/') {
        let bare = |path: &str| path.trim_start_matches("./").to_owned();
        return bare(name) == bare(program);
    }
    match name.rsplit_once('/') {
        None => name == program,
        Some((directory, base)) => base == program && SYSTEM_DIRECTORIES.contains(&directory),
    }
}

/// Options that may come before a program's subcommands.
pub(super) fn global_options(program: &str) -> &'static str {
    const GLOBAL: &[(&str, &str)] = &[
        (
            "git",
            "--no-pager -P -C=DIR --no-optional-locks --literal-pathspecs --no-replace-objects",
        ),
        (
            "cargo",
            "-q --quiet -v --verbose --color= --offline --locked --frozen +stable +nightly +beta",
        ),
        (
            "npm",
            "-s --silent --prefix=DIR -w= --workspace= -ws --workspaces --if-present --loglevel=",
        ),
        (
            "pnpm",
            "-s --silent --filter=SCOPE -F=SCOPE -r --recursive -w --workspace-root --if-present -C=DIR --dir=DIR --parallel --stream",
        ),
        ("yarn", "-s --silent --cwd=DIR"),
        ("bun", "--silent --cwd=DIR"),
        ("kubectl", "-n= --namespace= --context= --cluster= --request-timeout="),
        ("docker", "--context="),
        ("go", "-C=DIR"),
        ("mise", "-q -v --quiet --verbose --silent -C=DIR --cd=DIR"),
        ("gh", "-R= --repo="),
        ("python", "-B -u -W="),
        ("python3", "-B -u -W="),
        ("terraform", "-chdir=DIR"),
        ("pip", "--disable-pip-version-check --no-color -q"),
        ("poetry", "-q -n --no-interaction --no-ansi"),
        ("systemctl", "--no-pager --user -l --full"),
    ];
    GLOBAL.iter().find(|(name, _)| *name == program).map_or("", |(_, options)| options)
}

/// The program's bare name in lower case, whatever its spelling. [`HIDDEN`] if the name is unknown.
pub(crate) fn name(command: &Command) -> Option<String> {
    command.argv.first()?;
    let Some(program) = command.program() else { return Some(HIDDEN.to_owned()) };
    // In zsh, `=gh` is the path of the program `gh`.
    let program = program.strip_suffix(".exe").unwrap_or(program).trim_start_matches('=');
    Some(program.to_ascii_lowercase())
}

/// Whether the first word of a rule names the program. The word may have alternatives, and a star
/// at the end of a name matches any ending.
pub(super) fn names(first: &str, program: &str) -> bool {
    let program = program.as_bytes();
    first.as_bytes().split(|byte| *byte == b'|').any(|known| match known {
        [start @ .., b'*'] => {
            program.len() >= start.len() && program[..start.len()].eq_ignore_ascii_case(start)
        }
        known => known.eq_ignore_ascii_case(program),
    })
}

/// The words of a command after the subcommands that a rule names.
pub(crate) struct After<'w> {
    pub(crate) words: &'w [Word],
    /// Whether a subcommand was compared with a word that is known only when the command line runs.
    pub(crate) is_guess: bool,
}

/// The words after the subcommands of a rule. `None` if the command has other subcommands. The
/// subcommands must be in order, and may have options and their values between them. `...` matches
/// any words. A word that isn't known counts as a match.
pub(crate) fn after_subcommands<'w>(rule: &str, words: &'w [Word]) -> Option<After<'w>> {
    let mut at = 0;
    let mut is_guess = false;
    let mut skips_any = false;
    let subcommands = rule.split_once(' ').map_or("", |(_, subcommands)| subcommands);
    for wanted in subcommands.split_ascii_whitespace() {
        if wanted == "..." {
            skips_any = true;
            continue;
        }
        loop {
            let word = words.get(at)?;
            let text = word.text();
            at += 1;
            if is_one_of(wanted, text) {
                break;
            }
            let is_directory = at > 1 && words[at - 2].text() == "-C";
            if word.literal().is_none()
                && text.contains(['$', '`'])
                && !text.starts_with('-')
                && !is_directory
            {
                is_guess = true;
                break;
            }
            let follows_option = at > 1 && words[at - 2].text().starts_with('-');
            if !skips_any && !text.starts_with(['-', '+']) && !follows_option {
                return None;
            }
        }
        skips_any = false;
    }
    Some(After { words: &words[at..], is_guess })
}

/// Whether the text is one of the alternatives, which `|` separates. A star matches any text.
fn is_one_of(alternatives: &str, text: &str) -> bool {
    if !alternatives.contains('*') {
        return is_listed(alternatives, b'|', text);
    }
    alternatives.split('|').any(|wanted| Glob::fits(wanted, text))
}

/// Whether the list contains the name.
pub(super) fn is_listed(list: &str, separator: u8, name: &str) -> bool {
    list.as_bytes().split(|byte| *byte == separator).any(|known| known == name.as_bytes())
}
