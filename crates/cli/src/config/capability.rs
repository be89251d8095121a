//! The capabilities of verger, and whether each is on. Planned capabilities are not in the table.

use serde_json::{Value, json};
use verger_config::{ListedSetting, Origin, Settings};
use verger_event::GuardMode;
use verger_gate::{delegation, drift, habits, learning, review, verification};

use crate::config::setting_text::{setting_json, setting_line};

/// The maximum number of listed settings. A capability with more settings lists only those that
/// were changed.
const MAX_LISTED: usize = 3;

/// A feature of verger that can be described in one line.
pub struct Capability {
    pub name: &'static str,
    pub does: &'static str,
    pub switch: Switch,
}

/// The switch of a capability.
pub enum Switch {
    AlwaysOn,
    Settings {
        /// The settings that the switch depends on.
        keys: &'static [&'static str],
        /// Whether these settings turn the capability on.
        is_on: fn(&Settings) -> bool,
    },
}

impl Capability {
    /// The settings that turn the capability on and off.
    pub fn switches(&self) -> &'static [&'static str] {
        match self.switch {
            Switch::AlwaysOn => &[],
            Switch::Settings { keys, .. } => keys,
        }
    }

    pub fn is_on(&self, settings: &Settings) -> bool {
        match self.switch {
            Switch::AlwaysOn => true,
            Switch::Settings { is_on, .. } => is_on(settings),
        }
    }
}

pub const CAPABILITIES: &[Capability] = &[
    Capability {
        name: "recording",
        does: "records what agents do in the log",
        switch: Switch::Settings {
            keys: &["record.enabled"],
            is_on: |settings| settings.record.enabled.value,
        },
    },
    Capability {
        name: "redaction",
        does: "removes secrets before anything is written",
        switch: Switch::AlwaysOn,
    },
    Capability {
        name: "review",
        does: "blocks an agent's stop until its work was reviewed",
        switch: Switch::Settings {
            keys: &["review.mode", "review.gated_tools"],
            is_on: |settings| {
                settings.review.mode.value != review::Mode::Never
                    || !settings.review.gated_tools.value.is_empty()
            },
        },
    },
    Capability {
        name: "guard",
        does: "allows, asks about or denies an agent's calls; only records in mode observe",
        switch: Switch::Settings {
            keys: &["guard.mode"],
            is_on: |settings| settings.guard.mode.value != GuardMode::Off,
        },
    },
    Capability {
        name: "undo",
        does: "saves what a call may destroy, so that it can be brought back",
        switch: Switch::Settings {
            keys: &["undo.enabled"],
            is_on: |settings| settings.undo.enabled.value,
        },
    },
    Capability {
        name: "learning",
        does: "asks an agent to write down what a closed ticket taught it",
        switch: Switch::Settings {
            keys: &["learning.mode"],
            is_on: |settings| settings.learning.mode.value == learning::Mode::On,
        },
    },
    Capability {
        name: "verification",
        does: "records claims of \"done\" without a green check; in modes claims and always it blocks the agent's stop",
        switch: Switch::Settings {
            keys: &["verification.mode"],
            is_on: |settings| settings.verification.mode.value != verification::Mode::Off,
        },
    },
    Capability {
        name: "delegation",
        does: "stops a lead agent from doing the work of its subagents",
        switch: Switch::Settings {
            keys: &["delegation.mode"],
            is_on: |settings| settings.delegation.mode.value != delegation::Mode::Off,
        },
    },
    Capability {
        name: "drift",
        does: "records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct",
        switch: Switch::Settings {
            keys: &["drift.mode"],
            is_on: |settings| settings.drift.mode.value != drift::Mode::Off,
        },
    },
    Capability {
        name: "habits",
        does: "stops calls that a project does not want, such as `git add -A`",
        switch: Switch::Settings {
            keys: &[
                "habits.add_all",
                "habits.attribution",
                "habits.staged_secrets",
                "habits.force_push",
                "habits.draft_pr",
                "habits.merge",
                "habits.search_tools",
                "habits.subagent_builds",
            ],
            is_on: has_habits,
        },
    },
];

fn has_habits(settings: &Settings) -> bool {
    let habits = &settings.habits;
    let plain = [
        &habits.add_all,
        &habits.staged_secrets,
        &habits.force_push,
        &habits.merge,
        &habits.search_tools,
        &habits.subagent_builds,
    ];
    let rewritable = [&habits.attribution, &habits.draft_pr];
    plain.iter().any(|setting| setting.value.0 != habits::Mode::Off)
        || rewritable.iter().any(|setting| setting.value != habits::Mode::Off)
}

/// The state of a capability under the given settings.
pub(crate) struct Standing<'a> {
    pub(crate) capability: &'static Capability,
    pub(crate) is_on: bool,
    /// The settings that turn the capability on or off.
    settings: Vec<ListedSetting<'a>>,
}

pub(crate) fn standings(settings: &Settings) -> Vec<Standing<'_>> {
    CAPABILITIES.iter().map(|capability| standing(capability, settings)).collect()
}

fn standing<'a>(capability: &'static Capability, settings: &'a Settings) -> Standing<'a> {
    let is_switch = |listed: &ListedSetting<'_>| {
        capability.switches().iter().any(|switch| *switch == listed.path)
    };
    Standing {
        capability,
        is_on: capability.is_on(settings),
        settings: settings.list().filter(is_switch).collect(),
    }
}

impl Standing<'_> {
    /// Whether a setting turned the capability off. A capability that is off by default does not
    /// count.
    pub(crate) fn is_turned_off(&self) -> bool {
        !self.is_on && self.settings.iter().any(|setting| *setting.origin != Origin::Default)
    }

    /// Whether the capability is on or off, with the settings that decide about it.
    pub(crate) fn text(&self) -> String {
        let state = if self.is_on { "on" } else { "off" };
        format!("{state}, {}: {}", self.decided(), self.capability.does)
    }

    /// The settings that decide about the capability. If there are many, only those that were
    /// changed.
    fn decided(&self) -> String {
        let lines = |settings: &mut dyn Iterator<Item = &ListedSetting<'_>>| {
            settings.map(setting_line).collect::<Vec<_>>().join(", ")
        };
        match &self.settings[..] {
            [] => "always".to_owned(),
            settings if settings.len() <= MAX_LISTED => lines(&mut settings.iter()),
            [first, ..] => {
                let changed = |setting: &&ListedSetting<'_>| *setting.origin != Origin::Default;
                match lines(&mut self.settings.iter().filter(changed)).as_str() {
                    "" => format!("{}.* (default)", section(&first.path)),
                    changed => changed.to_owned(),
                }
            }
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.capability.name,
            "does": self.capability.does,
            "on": self.is_on,
            "settings": self.settings.iter().map(setting_json).collect::<Vec<_>>(),
        })
    }
}

fn section(path: &str) -> &str {
    path.split_once('.').map_or(path, |(section, _)| section)
}

/// Whether this setting turns a capability on or off.
pub(crate) fn is_switch(key: &str) -> bool {
    CAPABILITIES.iter().any(|capability| capability.switches().contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_a_setting_and_says_how_it_is_by_default() {
        let settings = Settings::default();
        let shown: Vec<_> = standings(&settings).iter().map(Standing::text).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        on, record.enabled = true (default): records what agents do in the log
        on, always: removes secrets before anything is written
        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
        on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
        on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
        on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
        on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
        off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
        on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
        "#);
    }

    /// Also tests capabilities that are added later.
    #[test]
    fn inside_of_a_run_of_our_own_nothing_holds_or_teaches_an_agent() {
        let settings = Settings::default().inside_run("VERGER_JOB");
        let on = standings(&settings).into_iter().filter(|standing| standing.is_on);
        let on: Vec<_> = on.map(|standing| standing.capability.name).collect();
        assert_eq!(on, ["recording", "redaction", "guard", "undo"]);
        assert!(!settings.recall.enabled.value);
    }

    #[test]
    fn of_many_settings_those_are_told_that_somebody_changed() {
        let variables = [
            ("VERGER_HABITS_ADD_ALL".into(), "deny".into()),
            ("VERGER_HABITS_MERGE".into(), "advise".into()),
        ];
        let layers = verger_config::Layers { environment: &variables, ..Default::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        assert_eq!(problems, []);
        let standing = standings(&settings).pop().map(|standing| standing.text());
        insta::assert_snapshot!(standing.unwrap(), @r#"on, habits.add_all = "deny" (VERGER_HABITS_ADD_ALL), habits.merge = "advise" (VERGER_HABITS_MERGE): stops calls that a project does not want, such as `git add -A`"#);
    }

    #[test]
    fn a_switched_off_capability_names_its_setting() {
        let variable = ("VERGER_RECORD_ENABLED".into(), "false".into());
        let layers = verger_config::Layers { environment: &[variable], ..Default::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        let shown: Vec<_> = standings(&settings).iter().map(Standing::text).collect();
        insta::assert_snapshot!(format!("{}\n{problems:?}", shown.join("\n")), @r#"
        on, record.enabled = true (default): records what agents do in the log
        on, always: removes secrets before anything is written
        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
        on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
        on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
        on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
        on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
        off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
        on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
        [Problem { place: Variable { variable: "VERGER_RECORD_ENABLED" }, kind: Loosening { key: "record.enabled", stricter: "true is stricter" } }]
        "#);
    }
}
