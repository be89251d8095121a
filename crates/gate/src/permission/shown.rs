//! Checks commands whose programs can print secrets, such as the environment of a process or
//! container.

use verger_shell::Word;

use super::options::Reading;
use super::scene::Scene;

/// Whether these arguments of `ps` print processes without their environment. The option `e`
/// without a dash prints the environment.
pub(super) fn are_processes(scene: &Scene<'_>) -> bool {
    scene.words().iter().all(|word| {
        word.literal().is_some_and(|text| {
            let is_bare = !text.starts_with('-');
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
            let is_format = text.contains(',') || text.contains('=');
            let shows_all = is_bare && !is_number && !is_format && text.contains('e');
            !text.contains("env") && !shows_all
        })
    })
}

/// Whether none of these words names the secrets of a cluster.
pub(super) fn are_resources(words: &[&Word]) -> bool {
    words.iter().all(|word| {
        word.literal().is_some_and(|text| {
            let text = text.to_ascii_lowercase();
            !text.contains("secret") && !text.contains("sealed")
        })
    })
}

/// Whether the key of a setting names no credential.
pub(super) fn is_plain_key(key: &str) -> bool {
    const SIGNS: &[&str] =
        &["token", "passw", "secret", "credential", "extraheader", "auth", "cookie", "key"];
    let key = key.to_ascii_lowercase();
    key.contains('.') && !SIGNS.iter().any(|sign| key.contains(sign))
}

/// Whether a template prints only those parts of a container's description that don't have its
/// environment.
pub(super) fn is_template(reading: &Reading<'_>) -> bool {
    const PARTS: &[&str] = &[
        ".State",
        ".NetworkSettings",
        ".Image",
        ".Name",
        ".Id",
        ".ID",
        ".Created",
        ".RestartCount",
        ".Mounts",
        ".Platform",
        ".LogPath",
        ".RepoTags",
        ".Size",
        ".Architecture",
        ".Os",
        ".Config.Image",
        ".Config.Labels",
        ".Config.ExposedPorts",
        ".Config.WorkingDir",
        ".HostConfig.RestartPolicy",
        ".HostConfig.PortBindings",
        ".HostConfig.NetworkMode",
    ];
    let is_part = |shown: &str| {
        let shown = shown.trim().trim_start_matches("json ").trim();
        PARTS.iter().any(|part| {
            shown.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let is_harmless = |template: &str| {
        template.split("{{").skip(1).all(|rest| rest.split("}}").next().is_some_and(is_part))
    };
    let mut templates = reading.values(&["f", "format"]).peekable();
    templates.peek().is_some()
        && templates.all(is_harmless)
        && reading.operands.iter().all(|word| word.literal().is_some())
}

/// Whether a `jq` program neither reads the environment nor loads files.
pub(super) fn is_harmless_jq(program: &str) -> bool {
    const WORDS: &[&str] = &[
        "env",
        "ENV",
        "import",
        "include",
        "strenv",
        "envsubst",
        "load",
        "load_str",
        "system",
        "input_filename",
        "getpath",
        "modulemeta",
        "eval",
    ];
    // With these commands of `yq`, the program is the next word.
    if matches!(program, "e" | "ea" | "eval-all") {
        return false;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut before = ' ';
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            before = c;
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let word = &rest[..length];
        if before != '.' && (WORDS.contains(&word) || word.starts_with("load_")) {
            return false;
        }
        before = ' ';
        rest = &rest[length..];
    }
    true
}
