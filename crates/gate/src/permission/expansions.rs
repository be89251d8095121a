//! What a word that is known only when it runs may print.

use verger_shell::{Script, Word};

/// Variables that hold nothing to hide.
const HARMLESS: &[&str] = &[
    "HOME",
    "PATH",
    "PWD",
    "OLDPWD",
    "USER",
    "LOGNAME",
    "SHELL",
    "HOSTNAME",
    "LANG",
    "TERM",
    "EDITOR",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "OSTYPE",
    "HOSTTYPE",
    "MACHTYPE",
    "SHLVL",
    "BASH_VERSION",
    "PIPESTATUS",
    "COLUMNS",
    "LINES",
    "TMPDIR",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "NVM_DIR",
    "NODE_ENV",
    "CI",
    "VISUAL",
    "PAGER",
    "EPOCHSECONDS",
    "FUNCNAME",
    "REPLY",
];

/// Whether the word may be printed: its variables hold nothing to hide, or the line itself sets
/// them. Commands that are substituted are judged by themselves.
pub(super) fn is_harmless(word: &Word, script: &Script) -> bool {
    word.literal().is_some() || are_harmless(word.text(), script)
}

/// Every expansion in the text, at whatever depth.
pub(super) fn are_harmless(text: &str, script: &Script) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let after = &rest[at + 1..];
        let Some(length) = expansion(after, script) else { return false };
        rest = &after[length..];
    }
    true
}

/// How much of the text belongs to the expansion that begins before it; nothing when it is not
/// harmless.
fn expansion(after: &str, script: &Script) -> Option<usize> {
    let name = name_length(after);
    if name > 0 {
        return is_printable(&after[..name], script).then_some(name);
    }
    match after.as_bytes().first() {
        Some(b'{') => parameter(&after[1..], script).map(|length| length + 1),
        Some(b'(') if after.starts_with("((") => arithmetic(after),
        Some(b'[') => None,
        // What stands in a substitution is looked at next.
        Some(b'(' | b'?' | b'#' | b'$' | b'!' | b'-' | b'@' | b'*' | b'0'..=b'9') => Some(1),
        _ => Some(0),
    }
}

/// `NAME}`, `#NAME}`, `NAME%...}`: no indirection, no subscript that is evaluated, no prompt.
fn parameter(inner: &str, script: &Script) -> Option<usize> {
    let start = usize::from(inner.starts_with('#'));
    let name = name_length(&inner[start..]);
    let end = start + name;
    let is_position = name == 0 && inner[start..].starts_with(|c: char| c.is_ascii_digit());
    if name == 0 && !is_position {
        return None;
    }
    let rest = &inner[end..];
    let is_plain = rest.starts_with('}')
        || rest.starts_with("[@]}")
        || rest.starts_with("[*]}")
        || rest.starts_with("[0]}")
        || rest.starts_with(['%', '#', '/', '^', ','])
        || rest.starts_with(":-")
        || rest.starts_with(":+")
        || is_position;
    (is_plain && (is_position || is_printable(&inner[start..end], script))).then_some(end)
}

/// Numbers only: a name in it would be evaluated.
fn arithmetic(text: &str) -> Option<usize> {
    let end = text.find("))")? + 2;
    let is_plain = |c: char| c.is_ascii_digit() || " +-*/%()<>=".contains(c);
    text[..end].chars().all(is_plain).then_some(end)
}

fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

fn is_printable(name: &str, script: &Script) -> bool {
    HARMLESS.contains(&name) || is_set(name, script)
}

/// Whether the line sets the variable, so that it holds what the line's own commands made.
fn is_set(name: &str, script: &Script) -> bool {
    script.commands.iter().any(|command| {
        let assigns = command.argv.is_empty()
            && command.assignments.iter().any(|assignment| assignment.name == name);
        let reads = command.program() == Some("read")
            && command.argv.iter().skip(1).any(|word| word.literal() == Some(name));
        assigns || reads
    }) || script.looped(name).next().is_some()
}
