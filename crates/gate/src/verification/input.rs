//! What can happen to the gate.

use super::failures::WatchedKind;
use super::profile::Profile;
use super::verified::Verified;
use verger_event::ContentHash;

/// Something that the gate may have to do with. The event itself is in the state already.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// A verification begins.
    Started {
        /// The run's id.
        run: &'a str,
        /// How deep it looks.
        profile: Profile,
        /// The content that it looks at.
        content: &'a ContentHash,
    },
    /// A verification ended with this.
    Ended(&'a Verified),
    /// A verification will not come to an end.
    Lost {
        /// The run's id.
        run: &'a str,
    },
    /// A watched tool failed.
    Failed {
        /// What, as people would type it.
        what: &'a str,
        /// What it is for.
        kind: WatchedKind,
    },
    /// A tool succeeded.
    Succeeded {
        /// What, as people would type it.
        what: &'a str,
    },
    /// A person opens the gate.
    Skip {
        /// Why, as far as the person said it.
        reason: Option<&'a str>,
    },
}
