//! Words for writing an agent's table of events.

use crate::registration::Registration;
use crate::spec::{Capture, Carried, HookEvent, Part, Proof};

pub(crate) const ALLOW: Carried = Carried { part: Part::Allow, proof: Proof::Seen };
pub(crate) const ASK: Carried = Carried { part: Part::Ask, proof: Proof::Seen };
pub(crate) const DENY: Carried = Carried { part: Part::Deny, proof: Proof::Seen };
pub(crate) const CONTEXT: Carried = Carried { part: Part::Context, proof: Proof::Seen };
pub(crate) const NOTICE: Carried = Carried { part: Part::Notice, proof: Proof::Seen };
pub(crate) const REWRITE: Carried = Carried { part: Part::Rewrite, proof: Proof::Seen };
pub(crate) const DOCUMENTED_NOTICE: Carried =
    Carried { part: Part::Notice, proof: Proof::Documented };

pub(crate) const fn captured(
    name: &'static str,
    kinds: &'static [&'static str],
    carries: &'static [Carried],
) -> Undecided {
    Undecided { name, kinds, capture: Capture::Captured, carries }
}

pub(crate) const fn opaque(
    name: &'static str,
    kinds: &'static [&'static str],
    carries: &'static [Carried],
) -> Undecided {
    Undecided { name, kinds, capture: Capture::Opaque, carries }
}

/// An event before it is decided whether verger registers a hook for it.
pub(crate) struct Undecided {
    name: &'static str,
    kinds: &'static [&'static str],
    capture: Capture,
    carries: &'static [Carried],
}

impl Undecided {
    pub(crate) const fn registered(
        self,
        frequency: &'static str,
        reason: &'static str,
    ) -> HookEvent {
        self.with(Registration::Registered { frequency, reason, timeout_seconds: None })
    }

    pub(crate) const fn left(self, reason: &'static str) -> HookEvent {
        self.with(Registration::Left { reason })
    }

    const fn with(self, registration: Registration) -> HookEvent {
        let Self { name, kinds, capture, carries } = self;
        HookEvent { name, kinds, capture, carries, registration }
    }
}
