//! Tests that removing entries restores the text.

use proptest::prelude::*;
use serde_json::Map;
use verger_agent::CLAUDE;

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
    let hook =
        "[a-z]( [a-z]){0,3}".prop_map(|command| json!({ "type": "command", "command": command }));
    let group = prop::collection::vec(hook, 0..3).prop_map(|hooks| json!({ "hooks": hooks }));
    let groups = prop::collection::vec(group, 0..3).prop_map(Value::from);
    let maybe = |value: BoxedStrategy<Value>| prop::option::of(value);
    (
        members("[a-f]{1,3}", other.clone()),
        maybe(members("[a-z]{1,4}@[a-z]{1,3}", any::<bool>().prop_map(Value::from)).boxed()),
        maybe(members("[a-z]{1,4}", other).boxed()),
        maybe(
            strings("Bash\\([a-z]{1,5}:\\*\\)").prop_map(|allow| json!({ "allow": allow })).boxed(),
        ),
        maybe(members("Stop|SessionEnd|PreToolUse|Other", groups).boxed()),
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
        is_plugin in any::<bool>(),
    ) {
        let agent = &CLAUDE;
        let wanted = if is_plugin {
            Wanted::plugin(agent, &agent.install.plugin.unwrap(), "/d/marketplace", &["why", "status"])
        } else {
            Wanted::settings_hooks(agent, Guarding::Watching, HookScope::Project, &["why", "status"])
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
        prop_assert_eq!(found.permissions, ["Bash(verger why:*)", "Bash(verger status:*)"]);
        prop_assert_eq!(found.plugin, is_plugin.then_some(true));
        prop_assert_eq!(found.hooks.len(), if is_plugin { 0 } else { wanted.hooks.len() });
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
