//! Verdicts: verger's decisions about an event, in a form that is independent of the agent.

use serde_json::Value;

/// A decision whether a requested action may happen.
///
/// `Deny` for a stop request means that the agent must continue to work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Verdict {
    /// No opinion: the agent's own rules decide, and nothing is printed.
    #[default]
    NoOpinion,
    /// A rule allows the action without asking a person.
    Allow {
        /// The reason for the verdict.
        reason: String,
    },
    /// A person should be asked.
    Ask {
        /// The reason for the verdict, which the person sees.
        reason: String,
    },
    /// The action must not happen. For a stop request, the agent must continue to work.
    Deny {
        /// The reason for the verdict, and an alternative. The agent sees the text.
        reason: String,
    },
}

impl Verdict {
    /// The stronger of two verdicts. The order is deny, ask, allow, no opinion, with the strongest
    /// first. The reasons of equal verdicts are joined in order, one per line.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Deny { reason: a }, Self::Deny { reason: b }) => {
                Self::Deny { reason: both(a, &b) }
            }
            (deny @ Self::Deny { .. }, _) | (_, deny @ Self::Deny { .. }) => deny,
            (Self::Ask { reason: a }, Self::Ask { reason: b }) => Self::Ask { reason: both(a, &b) },
            (ask @ Self::Ask { .. }, _) | (_, ask @ Self::Ask { .. }) => ask,
            (Self::Allow { reason: a }, Self::Allow { reason: b }) => {
                Self::Allow { reason: both(a, &b) }
            }
            (allow @ Self::Allow { .. }, Self::NoOpinion)
            | (Self::NoOpinion, allow @ Self::Allow { .. }) => allow,
            (Self::NoOpinion, Self::NoOpinion) => Self::NoOpinion,
        }
    }
}

fn both(mut a: String, b: &str) -> String {
    a.push('\n');
    a.push_str(b);
    a
}

/// verger's answer to one hook call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The verdict of all gates and guards together.
    pub verdict: Verdict,
    /// Text that the agent gets with the answer.
    pub context: Option<String>,
    /// Text for the person, never shown to the model.
    pub notice: Option<String>,
    /// A new input for the tool call, which replaces the whole input. It doesn't allow the call,
    /// and it has no effect with [`Verdict::Deny`].
    pub rewritten: Option<Value>,
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, NoOpinion};

    #[test]
    fn the_stronger_opinion_wins_whatever_the_order() {
        let allow = Verdict::Allow { reason: "a".into() };
        let ask = Verdict::Ask { reason: "k".into() };
        let deny = Verdict::Deny { reason: "d".into() };
        let by_strength = [NoOpinion, allow, ask, deny];
        for (i, weak) in by_strength.iter().enumerate() {
            for strong in &by_strength[i + 1..] {
                assert_eq!(weak.clone().join(strong.clone()), *strong);
                assert_eq!(strong.clone().join(weak.clone()), *strong);
            }
        }
    }

    #[test]
    fn equal_opinions_keep_both_reasons_in_order() {
        let deny = |reason: &str| Verdict::Deny { reason: reason.into() };
        assert_eq!(deny("first").join(deny("second")), deny("first\nsecond"));
    }
}
