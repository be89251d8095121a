//! What verger does for an agent's session, and whether it is on.
//!
//! Only what exists is in the table.

use serde_json::{Value, json};
use verger_config::{ListedSetting, Settings};

use crate::setting_text::{setting_json, setting_line};

/// Something that verger does.
pub struct Capability {
    pub name: &'static str,
    pub does: &'static str,
    pub switch: Switch,
}

/// What turns a capability on and off.
pub enum Switch {
    AlwaysOn,
    /// A setting that is true or false.
    Setting(&'static str),
}

pub const CAPABILITIES: &[Capability] = &[
    Capability {
        name: "recording",
        does: "keeps what agents do in the log",
        switch: Switch::Setting("record.enabled"),
    },
    Capability {
        name: "redaction",
        does: "takes secrets out before anything is written",
        switch: Switch::AlwaysOn,
    },
];

/// How a capability stands with the settings of a place.
pub(crate) struct Standing<'a> {
    pub(crate) capability: &'static Capability,
    pub(crate) is_on: bool,
    /// The setting that decides it.
    setting: Option<ListedSetting<'a>>,
}

pub(crate) fn standings(settings: &Settings) -> Vec<Standing<'_>> {
    CAPABILITIES.iter().map(|capability| standing(capability, settings)).collect()
}

fn standing<'a>(capability: &'static Capability, settings: &'a Settings) -> Standing<'a> {
    let setting = match capability.switch {
        Switch::AlwaysOn => None,
        Switch::Setting(key) => settings.list().find(|listed| listed.path == key),
    };
    let is_on = setting.as_ref().is_none_or(|setting| setting.value == "true");
    Standing { capability, is_on, setting }
}

impl Standing<'_> {
    /// On or off, and what decides it.
    pub(crate) fn text(&self) -> String {
        let state = if self.is_on { "on" } else { "off" };
        let decided = self.setting.as_ref().map_or_else(|| "always".to_owned(), setting_line);
        format!("{state}, {decided}: {}", self.capability.does)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.capability.name,
            "does": self.capability.does,
            "on": self.is_on,
            "setting": self.setting.as_ref().map(setting_json),
        })
    }
}

/// Whether this setting switches something on or off.
pub(crate) fn is_switch(key: &str) -> bool {
    CAPABILITIES
        .iter()
        .any(|capability| matches!(capability.switch, Switch::Setting(switch) if switch == key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_a_setting_and_everything_is_on_by_default() {
        let settings = Settings::default();
        let shown: Vec<_> = standings(&settings).iter().map(Standing::text).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        on, record.enabled = true (default): keeps what agents do in the log
        on, always: takes secrets out before anything is written
        "#);
    }

    #[test]
    fn what_is_switched_off_says_by_whom() {
        let variable = ("VERGER_RECORD_ENABLED".into(), "false".into());
        let layers = verger_config::Layers { environment: &[variable], ..Default::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        let shown: Vec<_> = standings(&settings).iter().map(Standing::text).collect();
        insta::assert_snapshot!(format!("{}\n{problems:?}", shown.join("\n")), @r#"
        on, record.enabled = true (default): keeps what agents do in the log
        on, always: takes secrets out before anything is written
        [Problem { place: Variable { variable: "VERGER_RECORD_ENABLED" }, kind: Loosening { key: "record.enabled", stricter: "true is stricter" } }]
        "#);
    }
}
