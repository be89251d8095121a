//! How the program was started: for which agent and event, and through which registration.

/// The word by which the plugin's hooks are known from those in a file of settings.
pub const PLUGIN_WORD: &str = "plugin";

/// Through what the agent came to start this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registered {
    /// The agent has the plugin, and with it the reviewer.
    ByPlugin,
    /// There are hooks and nothing else.
    BySettings,
}

/// One call, as its command line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Invocation<'a> {
    pub(crate) agent: &'a str,
    pub(crate) event: &'a str,
    pub(crate) registered: Registered,
}

impl<'a> Invocation<'a> {
    /// Nothing when agent and event are not both named. Words that are not known are passed over:
    /// the registration may be newer than the program.
    pub(crate) fn parse(arguments: &[&'a str]) -> Option<Self> {
        let [agent, event, rest @ ..] = arguments else { return None };
        let registered = match rest.first() {
            Some(&PLUGIN_WORD) => Registered::ByPlugin,
            _ => Registered::BySettings,
        };
        (!agent.starts_with('-')).then_some(Self { agent, event, registered })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_word_tells_the_plugin_from_settings() {
        let registered = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            Invocation::parse(&words).map(|Invocation { agent, event, registered }| {
                assert_eq!((agent, event), ("claude", "Stop"));
                registered
            })
        };
        assert_eq!(registered("claude Stop"), Some(Registered::BySettings));
        assert_eq!(registered("claude Stop plugin"), Some(Registered::ByPlugin));
        assert_eq!(registered("claude Stop plugin later"), Some(Registered::ByPlugin));
        assert_eq!(registered("claude Stop later plugin"), Some(Registered::BySettings));
        assert_eq!(registered("claude"), None);
        assert_eq!(registered("--help Stop plugin"), None);
    }
}
