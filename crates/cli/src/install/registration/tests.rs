//! Tests that removing entries restores the text.

use proptest::prelude::*;
use serde_json::Map;
use verger_agent::{AGENTS, CLAUDE};

use super::*;
use crate::install::found::look;

/// Possible settings: members of others, and verger's containers with entries of others.
fn settings() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zé\"\\\\☕/]{0,8}".prop_map(Value::from),
    ];
    let other = scalar.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            members("[a-c\"\\\\é]{1,3}", inner),
        ]
    });
    let strings =
        |pattern: &'static str| prop::collection::vec(pattern, 0..3).prop_map(|list| json!(list));
    let hook = ("command|bash", "[a-z]( [a-z]){0,3}")
        .prop_map(|(key, command)| json!({ "type": "command", key: command }));
    let hooks = prop::collection::vec(hook, 0..3);
    let group = hooks.clone().prop_map(|hooks| json!({ "hooks": hooks }));
    let groups = prop::collection::vec(group, 0..3).prop_map(Value::from);
    let lists = prop_oneof![groups, hooks.prop_map(Value::from)];
    let maybe = |value: BoxedStrategy<Value>| prop::option::of(value);
    (
        members("[a-f]{1,3}", other.clone()),
        maybe(members("[a-z]{1,4}@[a-z]{1,3}", any::<bool>().prop_map(Value::from)).boxed()),
        maybe(members("[a-z]{1,4}", other).boxed()),
        maybe(
            strings("Bash\\([a-z]{1,5}:\\*\\)").prop_map(|allow| json!({ "allow": allow })).boxed(),
        ),
        maybe(members("Stop|SessionEnd|PreToolUse|AfterAgent|agentStop|Other", lists).boxed()),
    )
        .prop_map(|(others, plugins, marketplaces, permissions, hooks)| {
            let Value::Object(mut settings) = others else { return json!({}) };
            let ours = [
                ("enabledPlugins", plugins),
                ("extraKnownMarketplaces", marketplaces),
                ("permissions", permissions),
                ("hooks", hooks),
            ];
            for (name, value) in ours {
                settings.extend(value.map(|value| (name.to_owned(), value)));
            }
            Value::Object(settings)
        })
}

fn members(
    names: &'static str,
    values: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Value> {
    prop::collection::btree_map(names, values, 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
        .boxed()
}

/// The ways in which programs and people write JSON.
fn written(settings: &Value, layout: u8) -> String {
    let pretty = format!("{settings:#}");
    match layout {
        0 => settings.to_string(),
        1 => pretty,
        2 => pretty.replace("  ", "\t") + "\n",
        3 => pretty.replace('\n', "\r\n"),
        _ => format!("\u{feff}\n{}\n\n", pretty.replace("  ", "    ")),
    }
}

proptest! {
    #[test]
    fn added_entries_can_be_removed_again(
        settings in settings(),
        layout in 0..5_u8,
        agent in 0..AGENTS.len(),
        is_plugin in any::<bool>(),
    ) {
        let agent = &AGENTS[agent];
        let plugin = agent.install.plugin.as_ref().filter(|_| is_plugin);
        let commands = &["why", "status"];
        let wanted = match plugin {
            Some(plugin) => Wanted::plugin(agent, plugin, "/d/marketplace", commands),
            None => Wanted::settings_hooks(agent, Guarding::Watching, HookScope::Project, commands),
        };
        let text = JsonText::parse(written(&settings, layout).as_bytes()).unwrap();
        let change = |text: &JsonText, wanted: &Wanted, base: Option<&JsonText>| {
            reconcile(agent, FileKind::Settings, text, wanted, base).unwrap()
        };
        let with = change(&text, &wanted, None);
        prop_assert_eq!(&change(&with, &wanted, None), &with);
        let without = change(&with, &Wanted::nothing(), Some(&text));
        prop_assert_eq!(
            String::from_utf8(without.to_bytes()).unwrap(),
            String::from_utf8(text.to_bytes()).unwrap()
        );
        let found = look(agent, &with).unwrap();
        let permissions = commands.iter().filter_map(|command| agent.install.permission(command));
        prop_assert_eq!(found.permissions, permissions.collect::<Vec<_>>());
        prop_assert_eq!(found.plugin, plugin.map(|_| true));
        prop_assert_eq!(found.hooks.len(), if plugin.is_some() { 0 } else { wanted.hooks.len() });
        prop_assert_eq!(look(agent, &without).unwrap().hooks.len(), 0);
    }
}

#[test]
fn the_agents_data_about_our_marketplace_stays() {
    let agent = &CLAUDE;
    let known = r#"{"verger":{"source":{"source":"directory","path":"/d"},"installLocation":"/d","lastUpdated":"then","autoUpdate":true}}"#;
    let check = |path: &str, expected: Option<&str>| {
        let text = JsonText::parse(known.as_bytes()).unwrap();
        let wanted = Wanted::known_marketplace(&agent.install.plugin.unwrap(), path, "now", &text);
        let kind = FileKind::KnownMarketplaces;
        let after = reconcile(agent, kind, &text, &wanted, None).unwrap();
        assert_eq!(String::from_utf8(after.to_bytes()).unwrap(), expected.unwrap_or(known));
    };
    check("/d", None);
    check(
        "/e",
        Some(
            r#"{"verger":{"installLocation":"/e","lastUpdated":"now","source":{"path":"/e","source":"directory"}}}"#,
        ),
    );
}
