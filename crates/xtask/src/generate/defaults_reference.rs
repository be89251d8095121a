//! The page that says what verger does when nobody configured anything.

use verger_config::KeyReference;

const INTRODUCTION: &str = "\
# Defaults

<!-- Written by `cargo xtask generate` from crates/config/src/keys.rs and this table's generator. -->

What is on after `verger init`, when nothing is configured:

| capability | default | to change it |
|---|---|---|
";

const KEYS: &str = "
## Keys

`verger config show --origin` says which value counts and where it comes from. [config.md](config.md) says what each
key takes.

| key | default | class | environment |
|---|---|---|---|
";

/// What exists, and the key that governs it.
const CAPABILITIES: &[(&str, Governed)] = &[
    ("recording what agents do", Governed::By { key: "record.enabled", on: "true" }),
    (
        "taking secrets out of what is recorded",
        Governed::Always("on; more names with `redact.key_names`"),
    ),
    (
        "readers of the records other than their owner",
        Governed::By { key: "record.readers", on: "" },
    ),
    (
        "explaining: `verger status`, `why`, `trace`, `debug`",
        Governed::Always("on; agents may run `status` and `why`"),
    ),
    (
        "answers to agents",
        Governed::Always("none: no gate exists yet, and silence means no opinion"),
    ),
    ("what leaves the machine", Governed::Always("nothing")),
];

enum Governed {
    By { key: &'static str, on: &'static str },
    Always(&'static str),
}

pub(crate) fn render() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.extend(CAPABILITIES.iter().map(|(capability, governed)| {
        let (default, change) = match governed {
            Governed::Always(text) => ((*text).to_owned(), "-".to_owned()),
            Governed::By { key, on } => (state(key, on), format!("`{key}`")),
        };
        format!("| {capability} | {default} | {change} |\n")
    }));
    page.push_str(KEYS);
    page.extend(verger_config::reference().map(|key| {
        let default = default(&key);
        let KeyReference { path, class, variable, .. } = key;
        format!("| `{path}` | {default} | {class} | `{variable}` |\n")
    }));
    page
}

fn state(path: &str, on: &str) -> String {
    let key = verger_config::reference().find(|key| key.path == path);
    match key {
        Some(key) if key.default == on => "on".to_owned(),
        Some(key) if key.default == "false" => "off".to_owned(),
        Some(key) => default(&key),
        None => String::new(),
    }
}

fn default(key: &KeyReference) -> String {
    match &*key.default {
        "" | "[]" => "none".to_owned(),
        value => format!("`{value}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_name_keys_that_exist() {
        for (capability, governed) in CAPABILITIES {
            if let Governed::By { key, .. } = governed {
                let is_known = verger_config::reference().any(|known| known.path == *key);
                assert!(is_known, "{capability}: {key}");
            }
        }
    }
}
