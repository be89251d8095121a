//! Generates the page that describes verger's behaviour without any configuration.

use verger_cli::CAPABILITIES;
use verger_config::{KeyReference, Settings};

const INTRODUCTION: &str = "\
# Defaults

<!-- Written by `cargo xtask generate` from crates/cli/src/config/capability.rs and crates/config/src/keys.rs. -->

What is on after `verger init`, when nothing is configured; `verger status` says what is on in a directory:

| capability | default | what it does |
|---|---|---|
";

const KEYS: &str = "
Nothing leaves the machine.

## Keys

`verger config show --origin` says which value counts and where it comes from. [config.md](config.md) says what each
key takes.

| key | default | class | environment |
|---|---|---|---|
";

pub(crate) fn render() -> String {
    let mut page = INTRODUCTION.to_owned();
    let settings = Settings::default();
    page.extend(CAPABILITIES.iter().map(|capability| {
        let state = if capability.is_on(&settings) { "on" } else { "off" };
        let state = match capability.switches() {
            [] => "always on".to_owned(),
            switches => format!("{state} (`{}`)", switches.join("`, `")),
        };
        format!("| {} | {state} | {} |\n", capability.name, capability.does)
    }));
    page.push_str(KEYS);
    page.extend(verger_config::reference().map(|key| {
        let default = default(&key);
        let KeyReference { path, class, variable, .. } = key;
        format!("| `{path}` | {default} | {class} | `{variable}` |\n")
    }));
    page
}

fn default(key: &KeyReference) -> String {
    match &*key.default {
        "" | "[]" | "{}" => "none".to_owned(),
        value => format!("`{value}`"),
    }
}
