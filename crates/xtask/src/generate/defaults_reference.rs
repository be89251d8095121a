//! The page that says what verger does when nobody configured anything.

use verger_cli::{CAPABILITIES, Capability, Switch};
use verger_config::KeyReference;

const INTRODUCTION: &str = "\
# Defaults

<!-- Written by `cargo xtask generate` from crates/cli/src/capability.rs and crates/config/src/keys.rs. -->

What is on after `verger init`, when nothing is configured; `verger status` says what is on in a directory:

| capability | default | what it does |
|---|---|---|
";

const KEYS: &str = "
No gate exists yet, so agents get no answers from verger. Nothing leaves the machine.

## Keys

`verger config show --origin` says which value counts and where it comes from. [config.md](config.md) says what each
key takes.

| key | default | class | environment |
|---|---|---|---|
";

pub(crate) fn render() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.extend(CAPABILITIES.iter().map(|Capability { name, does, switch }| {
        let state = match switch {
            Switch::AlwaysOn => "always on".to_owned(),
            Switch::Setting(key) => format!("{} (`{key}`)", state(key)),
        };
        format!("| {name} | {state} | {does} |\n")
    }));
    page.push_str(KEYS);
    page.extend(verger_config::reference().map(|key| {
        let default = default(&key);
        let KeyReference { path, class, variable, .. } = key;
        format!("| `{path}` | {default} | {class} | `{variable}` |\n")
    }));
    page
}

fn state(switch: &str) -> &'static str {
    let key = verger_config::reference().find(|key| key.path == switch);
    if key.is_some_and(|key| key.default == "true") { "on" } else { "off" }
}

fn default(key: &KeyReference) -> String {
    match &*key.default {
        "" | "[]" | "{}" => "none".to_owned(),
        value => format!("`{value}`"),
    }
}
