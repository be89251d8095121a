//! Parses the command line: the agent, the event and the registration.

use verger_agent::{ENFORCE_WORD, PLUGIN_WORD};
use verger_engine::Registered;
use verger_event::GuardMode;

/// A hook call, parsed from its command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Invocation<'a> {
    pub(crate) agent: &'a str,
    pub(crate) event: &'a str,
    pub(crate) registered: Registered,
    /// The guard's mode, if the registration sets it.
    pub(crate) guard: Option<GuardMode>,
}

impl<'a> Invocation<'a> {
    /// Returns `None` unless the arguments name an agent and an event. Unknown further arguments
    /// are ignored, because the registration may be newer than the program.
    pub(crate) fn parse(arguments: &[&'a str]) -> Option<Self> {
        let [agent, event, rest @ ..] = arguments else { return None };
        let registered =
            if rest.contains(&PLUGIN_WORD) { Registered::ByPlugin } else { Registered::BySettings };
        let guard = rest.contains(&ENFORCE_WORD).then_some(GuardMode::Enforce);
        (!agent.starts_with('-')).then_some(Self { agent, event, registered, guard })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_agent_and_event_tell_how_it_was_registered() {
        let told = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            Invocation::parse(&words).map(|Invocation { agent, event, registered, guard }| {
                assert_eq!((agent, event), ("claude", "Stop"));
                (registered, guard)
            })
        };
        let (plugin, settings) = (Registered::ByPlugin, Registered::BySettings);
        let enforce = Some(GuardMode::Enforce);
        for (line, expected) in [
            ("claude Stop", Some((settings, None))),
            ("claude Stop plugin", Some((plugin, None))),
            ("claude Stop plugin later", Some((plugin, None))),
            ("claude Stop later plugin", Some((plugin, None))),
            ("claude Stop enforce", Some((settings, enforce))),
            ("claude Stop plugin enforce", Some((plugin, enforce))),
            ("claude Stop enforce plugin", Some((plugin, enforce))),
            ("claude", None),
            ("--help Stop plugin", None),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }
}
