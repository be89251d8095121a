//! Where the gate stands.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

use super::approval::Approval;
use super::change::ReleasedBy;
use super::want::{Findings, GatedCall, Trigger, Want};

/// Where the gate stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is wanted.
    Idle {
        /// What came before.
        after: After,
    },
    /// A review is wanted; the agent was not refused a stop since it is, or since issues were found.
    Pending {
        /// What is wanted.
        want: Want,
    },
    /// A review is wanted, and the agent was told so when it wanted to stop.
    Blocked {
        /// What is wanted.
        want: Want,
    },
    /// A reviewer approved.
    Approved {
        /// What was wanted.
        want: Want,
        /// The approval.
        approval: Approval,
    },
}

/// What an idle gate remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// An earlier task was approved: it counts for gated tools in the scope `session`.
    Approved(Approval),
    /// The gate was opened in this task without an approval.
    Released {
        /// By whom or what.
        by: ReleasedBy,
        /// When.
        at: Timestamp,
        /// What the last reviewer had said.
        findings: Option<Findings>,
    },
}

impl Default for Phase {
    fn default() -> Self {
        Self::Idle { after: After::Nothing }
    }
}

impl Phase {
    /// The state's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle { .. } => "idle",
            Self::Pending { .. } => "pending",
            Self::Blocked { .. } => "blocked",
            Self::Approved { .. } => "approved",
        }
    }

    /// What is or was wanted.
    pub fn want(&self) -> Option<&Want> {
        match self {
            Self::Idle { .. } => None,
            Self::Pending { want } | Self::Blocked { want } | Self::Approved { want, .. } => {
                Some(want)
            }
        }
    }

    /// What is wanted and not there yet.
    pub fn open_want(&self) -> Option<&Want> {
        match self {
            Self::Pending { want } | Self::Blocked { want } => Some(want),
            Self::Idle { .. } | Self::Approved { .. } => None,
        }
    }

    /// The last approval, as long as nothing but time, prompts and changes speaks against it.
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

    /// What is wanted after something was asked for that the gate did not let pass.
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

    /// What is wanted after a gated call was denied.
    pub(super) fn want_after_denial(&self, call: &GatedCall, at: Timestamp) -> Want {
        Want { call: Some(call.clone()), ..self.want_after_refusal(Trigger::Tool, at) }
    }
}
