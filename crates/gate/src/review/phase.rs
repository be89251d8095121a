//! The phases of the review gate.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

use super::approval::Approval;
use super::change::ReleasedBy;
use super::want::{Findings, GatedCall, Trigger, Want};

/// The phase of the review gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// No review is wanted.
    Idle {
        /// The previous result, if it still matters.
        after: After,
    },
    /// A review is wanted. Since it became wanted, or since a reviewer found issues, no stop was
    /// refused.
    Pending {
        /// The review that the gate wants.
        want: Want,
    },
    /// A review is wanted, and a stop was refused for it.
    Blocked {
        /// The review that the gate wants.
        want: Want,
    },
    /// A reviewer approved the work.
    Approved {
        /// The review that led to the approval.
        want: Want,
        /// The reviewer's approval.
        approval: Approval,
    },
}

/// The previous result that still matters in the phase `Idle`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// No previous result matters.
    #[default]
    Nothing,
    /// The approval of an earlier task. It opens gated tools in the scope `session`.
    Approved(Approval),
    /// The gate was opened in this task without an approval.
    Released {
        /// The person or rule that opened the gate.
        by: ReleasedBy,
        /// The time at which the gate was opened.
        at: Timestamp,
        /// The findings of the last reviewer.
        findings: Option<Findings>,
    },
}

impl Default for Phase {
    fn default() -> Self {
        Self::Idle { after: After::Nothing }
    }
}

impl Phase {
    /// The name of the phase in the log and in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle { .. } => "idle",
            Self::Pending { .. } => "pending",
            Self::Blocked { .. } => "blocked",
            Self::Approved { .. } => "approved",
        }
    }

    /// The review that is wanted, or that led to the approval.
    pub fn want(&self) -> Option<&Want> {
        match self {
            Self::Idle { .. } => None,
            Self::Pending { want } | Self::Blocked { want } | Self::Approved { want, .. } => {
                Some(want)
            }
        }
    }

    /// The review that is wanted and still missing, if there is one.
    pub fn open_want(&self) -> Option<&Want> {
        match self {
            Self::Pending { want } | Self::Blocked { want } => Some(want),
            Self::Idle { .. } | Self::Approved { .. } => None,
        }
    }

    /// The last approval. Time, prompts and changes of the content can still make it invalid.
    pub fn approval(&self) -> Option<&Approval> {
        match self {
            Self::Approved { approval, .. } | Self::Idle { after: After::Approved(approval) } => {
                Some(approval)
            }
            Self::Pending { want } | Self::Blocked { want } => want.lapsed.as_ref(),
            Self::Idle { .. } => None,
        }
    }

    pub(super) fn approval_mut(&mut self) -> Option<&mut Approval> {
        match self {
            Self::Approved { approval, .. } | Self::Idle { after: After::Approved(approval) } => {
                Some(approval)
            }
            Self::Pending { want } | Self::Blocked { want } => want.lapsed.as_mut(),
            Self::Idle { .. } => None,
        }
    }

    /// The review that is wanted after a refused stop, a denied call, or a decision that isn't an
    /// approval. If no review was wanted before, `otherwise` becomes its trigger.
    pub(super) fn want_after_refusal(&self, otherwise: Trigger, at: Timestamp) -> Want {
        match self {
            Self::Idle { .. } => Want::new(otherwise, at),
            Self::Pending { want } | Self::Blocked { want } => want.clone(),
            Self::Approved { want, approval } => {
                let trigger = match &want.trigger {
                    Trigger::Reviewer => otherwise,
                    trigger => trigger.clone(),
                };
                let lapsed = Some(approval.clone());
                Want { trigger, since: at, lapsed, ..want.clone() }
            }
        }
    }

    /// The review that is wanted after a call of a gated tool was denied.
    pub(super) fn want_after_denial(&self, call: &GatedCall, at: Timestamp) -> Want {
        Want { call: Some(call.clone()), ..self.want_after_refusal(Trigger::Tool, at) }
    }
}
