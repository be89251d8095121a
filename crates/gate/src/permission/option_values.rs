//! Checks whether the value of an option has the form that a rule requires.

use verger_shell::Word;

use super::scene::Scene;

/// Whether the value of an option is a directory in which the program works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Any,
    /// A directory in which the program works.
    Dir,
}

/// The kind of the value. `None` if the value doesn't have the form `wanted`.
pub(super) fn checked(scene: &Scene<'_>, wanted: &str, value: &str) -> Option<ValueKind> {
    let is_right = match wanted {
        "" | "TEXT" => true,
        "NUMBER" => !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()),
        "NAME" => {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            value.chars().all(is_part) && !value.contains(".json")
        }
        "TARGET" => !super::targets::does_more(value),
        "BUILDS" => value.split(',').all(super::targets::is_target),
        "SCOPE" => !value.contains(".."),
        "GLOB" => {
            let is_secret = super::paths::is_secret(value)
                || super::files::may_be_secret(&Word::Spread(value.to_owned()));
            value.starts_with('!') || !is_secret
        }
        "RANGE" => {
            let file = value.rsplit_once(':').map_or("", |(_, file)| file);
            !super::paths::is_secret(file)
        }
        "ACCEPT" => {
            let lower = value.to_ascii_lowercase();
            lower.starts_with("accept:") || lower.starts_with("x-github-api-version:")
        }
        "JQ" => super::shown::is_harmless_jq(value),
        "SHOWN" => !value.contains("file"),
        "FILE" => scene.is_harmless_file(&Word::Literal(value.to_owned())),
        "OUTPUT" => {
            let first = value.trim_start_matches("./").split('/').next();
            let is_made = matches!(first, Some("bin" | "build" | "dist" | "out" | "target"));
            is_made && scene.is_inside(value)
        }
        "DIR" | "INSIDE" => scene.is_inside(value) && !super::paths::is_secret(value),
        choices => choices.split('|').any(|choice| choice == value),
    };
    let kind = if wanted == "DIR" { ValueKind::Dir } else { ValueKind::Any };
    is_right.then_some(kind)
}
