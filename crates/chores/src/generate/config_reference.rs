//! Generates the page that lists every configuration key.

use std::fmt::Write as _;

use verger_config::KeyReference;

const INTRODUCTION: &str = "\
# Configuration keys

<!-- Written by `cargo xtask generate` from crates/config/src/keys.rs. -->

A value is taken from the first of these that gives one: the environment, the project's
`.verger/config.toml`, the user's `config.toml`, the default.

Keys that are *free* may be set anywhere. A *tighten-only* key can be made stricter by a project file or the
environment, never looser. A key that *needs trust* counts in the user's file, and in a project's file that the user
trusted with `verger trust` and that did not change or move since; never in the environment. A *user only* key counts in
the user's file alone.

A table is written on one line, such as `reviewer = { command = [\"program\", \"argument\"] }`, or with dots. In a variable a
list is separated by commas, and so are the entries of a table: `VERGER_REVIEW_TEMPLATE_WEIGHTS=default=3,short=1`.
";

pub(crate) fn render() -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut section = String::new();
    for key in verger_config::reference() {
        let (of, _) = key.path.split_once('.').unwrap_or((&key.path, ""));
        if of != section {
            of.clone_into(&mut section);
            page.push_str("\n## ");
            page.push_str(&section);
            page.push_str(
                "\n\n| key | value | default | class | environment |\n|---|---|---|---|---|\n",
            );
        }
        // Writing to a String cannot fail.
        writeln!(page, "{}", row(&key)).unwrap_or_default();
    }
    page
}

fn row(key: &KeyReference) -> String {
    let default = if key.default.is_empty() { "none".to_owned() } else { code(&key.default) };
    let class = match key.stricter {
        Some(stricter) => format!("{}: {stricter}", key.class),
        None => key.class.to_string(),
    };
    let cells = [
        format!("{}<br>{}", code(&key.path), key.doc),
        key.expected.clone(),
        default,
        class,
        code(&key.variable),
    ];
    format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use verger_config::Class;

    use super::*;

    #[test]
    fn a_row_shows_all_that_is_known_of_a_key() {
        let key = KeyReference {
            path: "store.mode".to_owned(),
            expected: "\"a\" | \"b\"".to_owned(),
            default: String::new(),
            class: Class::TightenOnly,
            stricter: Some("b is stricter"),
            doc: "How to keep it.",
            variable: "VERGER_STORE_MODE".to_owned(),
        };
        assert_eq!(
            row(&key),
            "| `store.mode`<br>How to keep it. | \"a\" \\| \"b\" | none | tighten-only: b is stricter \
             | `VERGER_STORE_MODE` |"
        );
    }

    #[test]
    fn every_key_has_a_row() {
        let page = render();
        for key in verger_config::reference() {
            assert!(page.contains(&format!("\n| `{}`<br>", key.path)), "{}", key.path);
        }
    }
}
