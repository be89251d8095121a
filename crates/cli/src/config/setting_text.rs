//! A setting as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_config::{ListedSetting, Origin};

/// The value as in a file, or a dash if it is not set.
pub(crate) fn value_text(setting: &ListedSetting<'_>) -> String {
    if setting.value.is_empty() { "-".to_owned() } else { setting.value.clone() }
}

/// Where the value comes from: the layers that add up, lowest first.
pub(crate) fn origin_text(setting: &ListedSetting<'_>) -> String {
    origins(setting).map(ToString::to_string).collect::<Vec<_>>().join(" + ")
}

/// Key, value and origin in one line. A setting without a value is "not set".
pub(crate) fn setting_line(setting: &ListedSetting<'_>) -> String {
    if setting.value.is_empty() {
        return format!("{} is not set", setting.path);
    }
    line(&setting.path, &value_text(setting), &origin_text(setting))
}

pub(crate) fn line(key: &str, value: &str, origin: &str) -> String {
    format!("{key} = {value} ({origin})")
}

pub(crate) fn setting_json(setting: &ListedSetting<'_>) -> Value {
    json!({
        "key": setting.path,
        "value": setting.json,
        "class": setting.class.to_string(),
        "origins": origins(setting).map(origin_json).collect::<Vec<_>>(),
    })
}

fn origins<'a>(setting: &'a ListedSetting<'_>) -> impl Iterator<Item = &'a Origin> {
    setting.joined.iter().chain([setting.origin])
}

fn origin_json(origin: &Origin) -> Value {
    match origin {
        Origin::Default => json!({ "layer": "default" }),
        Origin::User { file, line } => json!({ "layer": "user", "file": **file, "line": line }),
        Origin::Project { file, line } => {
            json!({ "layer": "project", "file": **file, "line": line })
        }
        Origin::Environment { variable } => {
            json!({ "layer": "environment", "variable": variable })
        }
    }
}
