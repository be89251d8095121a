//! Finds out which of verger's hooks the person trusts, for an agent that runs no others.

use std::path::Path;

use serde_json::Value;
use verger_agent::{AgentSpec, TrustedHooks};

use super::places::Places;
use super::registration::{inner_hooks, is_ours, value_if_there};
use super::transaction::read;
use crate::install::json_text::{JsonText, Step, keys};

/// How many of verger's hooks are in the agent's list of trusted hooks. An entry says that the hook
/// was trusted at some time: the agent also compares the hook with a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trusted {
    pub(crate) listed: usize,
    pub(crate) registered: usize,
}

/// Looks for the hooks of these settings files in the list. An unreadable list has no entries.
pub(crate) fn trusted<'p>(
    places: &Places,
    trust: &TrustedHooks,
    files: impl Iterator<Item = &'p Path>,
) -> Trusted {
    let agent = places.agent;
    let hooks: Vec<_> = files.flat_map(|file| hooks_in(agent, trust, file)).collect();
    let list = read(&places.directory.join(trust.file)).ok().flatten().unwrap_or_default();
    let list = String::from_utf8_lossy(&list).parse::<toml::Table>().unwrap_or_default();
    let list = trust.path.iter().try_fold(&list, |table, key| table.get(*key)?.as_table());
    let is_listed = |keys: &&Vec<String>| {
        list.is_some_and(|list| keys.iter().any(|key| list.contains_key(key)))
    };
    Trusted { listed: hooks.iter().filter(is_listed).count(), registered: hooks.len() }
}

/// The keys of each of verger's hooks in a file: by the file's path, and by its path without links.
fn hooks_in(agent: &AgentSpec, trust: &TrustedHooks, file: &Path) -> Vec<Vec<String>> {
    let text = read(file).ok().flatten().and_then(|bytes| JsonText::parse(&bytes).ok());
    let hooks = text.map(|text| value_if_there(&text, &keys(&[agent.install.settings.hooks])));
    let Some(Ok(Some(Value::Object(hooks)))) = hooks else { return vec![] };
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let paths = [file, &real].map(|path| path.to_string_lossy().into_owned());
    let of_event = |(event, groups): (&String, &Value)| {
        let ours = inner_hooks(agent, groups).into_iter();
        let ours = ours.filter(|(_, hook)| is_ours(agent, event, hook));
        let keys_of = |place: Vec<Step>| {
            let numbers = place.iter().filter_map(|step| match step {
                Step::Element(number) => Some(*number),
                Step::Key(_) => None,
            });
            let [group, hook] = numbers.collect::<Vec<_>>()[..] else { return vec![] };
            paths.iter().map(|path| (trust.key)(path, event, group, hook)).collect()
        };
        ours.map(|(place, _)| keys_of(place)).collect::<Vec<Vec<String>>>()
    };
    hooks.iter().flat_map(of_event).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use verger_agent::{CODEX, Guarding, HookScope};
    use verger_engine::Home;

    use super::*;
    use crate::install::registration::{FileKind, Wanted, reconcile};

    #[test]
    fn our_hooks_are_found_in_the_list_of_trusted_hooks() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let home = Home { data: root.join("data"), config: root.join("config") };
        let variable = |name: &str| (name == "HOME").then(|| root.clone().into());
        let places = Places::new(&CODEX, &home, variable, None).unwrap();
        let file = places.user_settings.clone();
        let other = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#;
        let text = JsonText::parse(other.as_bytes()).unwrap();
        let wanted = Wanted::settings_hooks(&CODEX, Guarding::Watching, HookScope::User, &[]);
        let text = reconcile(&CODEX, FileKind::Settings, &text, &wanted, None).unwrap();
        fs::create_dir_all(&places.directory).unwrap();
        fs::write(&file, text.to_bytes()).unwrap();
        let trust = CODEX.install.trusted_hooks.unwrap();
        let found = |list: &str| {
            fs::write(places.directory.join("config.toml"), list).unwrap();
            trusted(&places, &trust, [file.as_path()].into_iter())
        };
        let registered = CODEX.registered_events().count();
        let expected = |listed| Trusted { listed, registered };
        assert_eq!(found(""), expected(0));
        assert_eq!(found("not TOML"), expected(0));
        let entry = |place: &str| {
            format!("[hooks.state.\"{}:{place}\"]\ntrusted_hash = \"x\"\n", file.display())
        };
        // The first group of this event has the hook of somebody else.
        assert_eq!(found(&entry("stop:0:0")), expected(0));
        assert_eq!(found(&entry("stop:1:0")), expected(1));
        assert_eq!(found(&(entry("stop:1:0") + &entry("pre_tool_use:0:0"))), expected(2));
    }
}
