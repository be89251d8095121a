//! Which program a command names, and where a rule's command ends on the line.

use verger_shell::{Command, Word};

/// Where systems keep their programs. A program elsewhere may be anything that has its name.
const SYSTEM_DIRECTORIES: &[&str] =
    &["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"];

/// Whether the command starts this very program: its bare name, one of the system's, or for a rule
/// with a path, that path.
pub(super) fn is_exactly(command: &Command, program: &str) -> bool {
    let Some(Word::Literal(name)) = command.argv.first() else { return false };
    if program.contains('/') {
        let bare = |path: &str| path.trim_start_matches("./").to_owned();
        return bare(name) == bare(program);
    }
    match name.rsplit_once('/') {
        None => name == program,
        Some((directory, base)) => base == program && SYSTEM_DIRECTORIES.contains(&directory),
    }
}

/// Options that may stand before a program's subcommands.
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
            "-s --silent --filter= -F= -r --recursive -w --workspace-root --if-present -C=DIR --dir=DIR --parallel --stream",
        ),
        ("yarn", "-s --silent --cwd=DIR"),
        ("bun", "--silent --cwd=DIR"),
        ("kubectl", "-n= --namespace= --context= --cluster="),
        ("docker", "--context="),
        ("go", "-C=DIR"),
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

/// Whether a rule's first word, with its alternatives, names the command's program in any spelling.
pub(super) fn names(first: &str, command: &Command) -> bool {
    first.split('|').any(|program| command.runs(program))
}

/// Where the words of a rule's command end, counted after the program: subcommands in their order,
/// options and their values between them. Too much is found rather than too little.
pub(super) fn after_subcommands<'w>(rule: &str, words: &'w [Word]) -> Option<&'w [Word]> {
    let mut at = 0;
    for wanted in rule.split_whitespace().skip(1) {
        loop {
            let text = words.get(at)?.text();
            at += 1;
            if wanted.split('|').any(|word| word == text) {
                break;
            }
            let follows_option = at > 1 && words[at - 2].text().starts_with('-');
            if !text.starts_with(['-', '+']) && !follows_option {
                return None;
            }
        }
    }
    Some(&words[at..])
}
