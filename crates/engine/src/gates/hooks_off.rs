//! Keeps agents from turning verger's hooks off. A change of the agent's settings that does so is
//! blocked. When the next session starts, the person is told which sessions ran without hooks.

mod unseen;

use std::path::{Path, PathBuf};

use verger_event::{Event, Grounds, SessionKey, Verdict};
use verger_gate::Stateless;
use verger_store::ReadLog;

use crate::bounded_file::read_bounded;
use crate::decision::Decision;
use crate::facts::{Fact, FactSet, Facts};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::{Environment, Home};

use unseen::unseen_sessions;

const GUARD: &str = "hooks";

/// The part of an event that this gate handles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The settings file that changed.
    Changed(PathBuf),
    /// A session started; this is the path of its transcript.
    Started(PathBuf),
}

pub(crate) struct HooksOff<'a> {
    setup: Setup<'a>,
}

impl<'a> Gate<'a> for HooksOff<'a> {
    type State = Stateless;
    type Trigger = Trigger;

    fn new(setup: Setup<'a>) -> Self {
        Self { setup }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<Trigger> {
        match event.event() {
            Event::ConfigChanged { path: Some(path), .. } => Some(Trigger::Changed(path.into())),
            Event::SessionStarted { transcript: Some(transcript), .. } => {
                Some(Trigger::Started(transcript.into()))
            }
            _ => None,
        }
    }

    fn facts(&self, _trigger: &Trigger, _before: &Before<'_>) -> Option<FactSet> {
        Some(FactSet::of([Fact::HooksOff]))
    }

    fn decide(&self, trigger: &Trigger, context: &Context<'_>, decision: &mut Decision) {
        match trigger {
            Trigger::Changed(path) => {
                let Some(why) = &context.facts.hooks_off else { return };
                let file = path.display();
                let reason = format!(
                    "verger blocked a change that turns its hooks off: {why} in {file}. This \
                     session keeps its settings; the next session reads the file. To remove \
                     verger, a person runs `verger uninstall`."
                );
                let grounds = Grounds::of_rule("a change would turn verger's hooks off")
                    .fact("file", file.to_string())
                    .fact("change", why.as_str());
                decision.opinion(GUARD, Verdict::Deny { reason }, grounds);
            }
            Trigger::Started(_) => {
                let unseen = &context.facts.unseen_sessions;
                if unseen.is_empty() {
                    return;
                }
                let sessions = if unseen.len() == 1 { "session" } else { "sessions" };
                decision.notices.push(format!(
                    "verger: WARNING: hooks were off: {} {sessions} in this project ran without verger since the last \
                     session with it: {}. No gate ran, and nothing was recorded. `verger doctor` \
                     checks the hooks.",
                    unseen.len(),
                    unseen.join(", "),
                ));
                let grounds = Grounds::of_rule("sessions ran without hooks");
                decision.opinion(GUARD, Verdict::NoOpinion, grounds);
            }
        }
    }
}

impl HooksOff<'_> {
    /// Looks up the facts for the trigger.
    pub(crate) fn find(
        &self,
        trigger: &Trigger,
        log: &impl ReadLog,
        key: &SessionKey,
        facts: &mut Facts,
    ) {
        match trigger {
            Trigger::Changed(path) => facts.hooks_off = self.turned_off_by(path),
            Trigger::Started(transcript) => {
                facts.unseen_sessions = unseen_sessions(self.setup.home, log, key, transcript);
            }
        }
    }

    /// The reason why a file of the agent's settings, with its current content, turns verger's
    /// hooks off.
    fn turned_off_by(&self, path: &Path) -> Option<String> {
        let settings = read_bounded(path).ok()?.unwrap_or_default();
        let receipt = read_bounded(&self.setup.home.data.join("install.json"));
        let receipt = receipt.ok().flatten().unwrap_or_default();
        // `verger init` writes a receipt as JSON with the paths of the files that it changed.
        let path = serde_json::to_string(path).ok()?;
        let is_ours = String::from_utf8_lossy(&receipt).contains(&path);
        let install = &self.setup.spec.install;
        install.turns_hooks_off(&settings, is_ours).or_else(|| {
            let variables = install.variables(&settings);
            let name = moving_variable(&variables, self.setup.environment)?;
            Some(format!("`{name}` moves verger's files"))
        })
    }
}

/// The variable that would make the hooks use other verger files than this process uses.
fn moving_variable<'v>(
    variables: &'v [(String, String)],
    environment: &Environment,
) -> Option<&'v str> {
    let now = Home::locate(|name| environment.get(name));
    let moves = |(name, value): &&(String, String)| {
        let given = |asked: &str| {
            if asked == name { Some(value.into()) } else { environment.get(asked) }
        };
        Home::locate(given) != now
    };
    variables.iter().find(moves).map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_moves_vergers_files_is_found() {
        for (around, set, moves) in [
            (&[("HOME", "/h")][..], ("VERGER_HOME", "/v"), true),
            (&[("HOME", "/h")], ("HOME", "/v"), true),
            (&[("HOME", "/h")], ("XDG_DATA_HOME", "/v"), true),
            (&[("HOME", "/h")], ("XDG_CONFIG_HOME", "/v"), true),
            (&[("HOME", "/h")], ("XDG_DATA_HOME", "/h/.local/share"), false),
            (&[("HOME", "/h")], ("VERGER_HOME", "relative"), false),
            (&[("HOME", "/h")], ("PATH", "/v"), false),
            (&[("HOME", "/h"), ("VERGER_HOME", "/v")], ("VERGER_HOME", "/v"), false),
            (&[("HOME", "/h"), ("VERGER_HOME", "/v")], ("HOME", "/w"), false),
            (&[("HOME", "/h"), ("VERGER_HOME", "/v")], ("VERGER_HOME", ""), true),
        ] {
            let pairs = around.iter().map(|(name, value)| (name.into(), value.into()));
            let (environment, (name, value)) = (pairs.collect(), set);
            let variables = [(name.to_owned(), value.to_owned())];
            let expected = moves.then_some(name);
            assert_eq!(moving_variable(&variables, &environment), expected, "{around:?} {set:?}");
        }
    }
}
