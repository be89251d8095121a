//! Decides whether a command may read a file without asking.

use verger_shell::{Glob, Word};

use super::listing;
use super::name_pattern::may_find_secret;
use super::paths::is_secret;
use super::scene::Scene;

/// Files of the kernel with facts about the whole machine, and harmless devices.
const KERNEL: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/version",
    "/proc/loadavg",
    "/proc/uptime",
    "/proc/filesystems",
    "/dev/null",
    "/dev/stdin",
];

/// Whether the word names only files without credentials. The decision is made from the word's
/// text.
pub(super) fn is_harmless(word: &Word, scene: &Scene<'_>) -> bool {
    if is_process(word) {
        return super::expansions::are_harmless(word.text(), scene.script);
    }
    if listing::is_listed(word, scene) {
        return true;
    }
    is_known(word)
        && !word.text().is_empty()
        && !may_be_secret(word)
        && scene.paths(word.text()).is_some_and(|paths| {
            let is_fine = |path: &String| {
                !is_secret(path)
                    && !is_history(path)
                    && !is_special(path)
                    && !may_hold_secrets(path, scene)
            };
            paths.iter().all(is_fine)
        })
}

/// Whether a command may list the files that the word names.
pub(super) fn is_harmless_name(word: &Word, scene: &Scene<'_>) -> bool {
    let in_secret = |path: &String| is_secret(&format!("{path}/x"));
    listing::is_listed(word, scene)
        || (is_known(word)
            && scene
                .paths(word.text())
                .is_some_and(|paths| !paths.iter().any(|p| in_secret(p) || is_special(p))))
}

/// Whether the word is `<(...)`. The commands in it are judged separately.
fn is_process(word: &Word) -> bool {
    matches!(word, Word::Dynamic(text) if text.starts_with("<(") && text.ends_with(')'))
}

/// Expansions whose single value is a directory. So they expand neither to an option nor to a file
/// with credentials.
pub(super) const PLACES: &[&str] = &[
    "$HOME",
    "${HOME}",
    "$PWD",
    "${PWD}",
    "$(pwd)",
    "$(git rev-parse --show-toplevel)",
    "$(go env GOMODCACHE)",
    "$(go env GOPATH)",
    "$(go env GOROOT)",
    "$(brew --prefix)",
];

/// Whether the word's text is known before the command line runs. The text of a glob counts as
/// known.
pub(super) fn is_known(word: &Word) -> bool {
    match word {
        Word::Literal(_) => true,
        Word::Dynamic(text) | Word::Spread(text) => {
            let after = PLACES.iter().find_map(|place| text.strip_prefix(place));
            let rest = match after {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
                _ => text,
            };
            !rest.contains(['$', '`', '(', '<', '>'])
        }
    }
}

/// Whether the file is a command history, or has the name `credentials`.
fn is_history(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with("_history") || name.ends_with(".history") || name == "credentials"
}

/// Whether a file in a directory of keys is public: a public key or the list of known hosts.
fn is_public(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.contains("/.ssh/") && (name.strip_suffix(".pub").is_some() || name == "known_hosts")
}

/// Whether the path is a device or a kernel file about processes. Reading such a file may never
/// end, or may show the environment of a process.
fn is_special(path: &str) -> bool {
    (path.starts_with("/dev/") || path.starts_with("/proc/") || path == "/dev" || path == "/proc")
        && !KERNEL.contains(&path)
}

/// Parts of paths to files that may have credentials. They don't count in the paths of source
/// files.
const SIGNS: &[&str] = &[
    "secret",
    "credential",
    "keyring",
    "keychain",
    "private",
    "password",
    "token",
    "tfstate",
    "tfvars",
    "apikey",
    "api_key",
    "wp-config",
    "kubeconfig",
    "dockercfg",
    "database.yml",
];

const SOURCE: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "py", "go", "java", "kt", "rb",
    "ex", "exs", "c", "h", "cc", "cpp", "hpp", "cs", "swift", "scala", "hs", "ml", "zig", "css",
    "scss", "html", "md", "rst", "snap", "sql", "graphql", "proto", "lua", "dart", "d", "map",
    "lock",
];

/// Common files in a home directory that have no credentials.
const DOTFILES: &[&str] = &[
    ".gitconfig",
    ".gitignore",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".zprofile",
    ".vimrc",
    ".tmux.conf",
    ".tool-versions",
    ".cargo",
    ".rustup",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".cache",
    ".bash_aliases",
    ".inputrc",
    ".editorconfig",
];

/// Whether the path is typical for a file with credentials.
fn may_hold_secrets(path: &str, scene: &Scene<'_>) -> bool {
    let lower = path.to_ascii_lowercase();
    // On macOS, the directories `/tmp` and `/var` are in `/private`.
    let lower = lower.strip_prefix("/private/").unwrap_or(&lower);
    let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
    let has_sign = SIGNS.iter().any(|sign| lower.contains(sign)) && !SOURCE.contains(&ending);
    let home = scene.ground.absolute("~");
    let in_home = path.strip_prefix(&home).and_then(|rest| rest.strip_prefix('/')).unwrap_or("");
    let first = in_home.split('/').next().unwrap_or_default();
    let is_hidden = first.starts_with('.') && !DOTFILES.contains(&first) && !is_public(path);
    has_sign || is_hidden || lower.ends_with(".git/config")
}

/// Names of files with credentials that a glob may match.
const SECRET_NAMES: &[&str] = &[
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    "credentials",
    "credentials.json",
    "secrets.yml",
    "secrets.json",
    "secret.key",
    "server.key",
    "server.pem",
    "key.pem",
    "kubeconfig",
];

/// Whether a word with a glob or braces may name files with credentials. Quoted globs count too,
/// because the quoted text may be the value of a loop's variable.
pub(super) fn may_be_secret(word: &Word) -> bool {
    let text = word.text();
    // The glob `/etc/*` matches the system's password files.
    if text.contains("{.") || text.contains(",.") || matches!(text, "/etc/*" | "/etc/**") {
        return true;
    }
    text.split('/').any(|part| {
        let Some(first) = part.find(['*', '?', '[', '{']) else { return false };
        let is_hidden = part.starts_with('.');
        let pattern = &part[..first];
        let name = Glob::new(&format!("{pattern}*"));
        is_hidden
            || (first > 0 && SECRET_NAMES.iter().any(|secret| name.matches(secret)))
            || may_find_secret(part)
    })
}
