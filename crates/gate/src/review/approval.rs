//! A reviewer's approval of the work, and the conditions under which it opens gated tools.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::policy::{Policy, Scope};
use super::reviewing::ReviewerId;
use super::want::{CallDigest, GatedCall};

/// A reviewer's approval of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The content at the time when the reviewer started.
    pub content: ContentHash,
    /// The time of the approval.
    pub at: Timestamp,
    /// The reviewer that approved.
    pub reviewer: ReviewerId,
    /// The number of a person's prompts since the approval.
    pub prompts_since: u32,
    /// The gated call that the approval is for, if there is one.
    pub call: CallUse,
}

/// The gated call that an approval is for, and whether it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallUse {
    /// The approval is for no call, because no gated call had been denied.
    None,
    /// The call that the approval is for wasn't made yet. It may be made once.
    Fresh(CallDigest),
    /// The call that the approval is for was made.
    Used,
}

/// The reason why an approval doesn't open a gated tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Void {
    /// In the scope `tool`, the approval is for another call, or its call was already made.
    OtherCall,
    /// The approval is older than the maximum age.
    Expired,
    /// A person sent a prompt since the approval.
    Prompted,
    /// The content changed since the reviewer started.
    Changed,
}

impl Approval {
    pub(crate) fn new(
        content: ContentHash,
        reviewer: &ReviewerId,
        call: Option<&GatedCall>,
        at: Timestamp,
    ) -> Self {
        let call = call.map_or(CallUse::None, |call| CallUse::Fresh(call.digest.clone()));
        Self { content, at, reviewer: reviewer.clone(), prompts_since: 0, call }
    }

    /// Whether the approval allows this call of a gated tool. If not, returns the first reason.
    pub fn opens(
        &self,
        call: &GatedCall,
        content: &ContentHash,
        policy: &Policy,
        now: Timestamp,
    ) -> Result<(), Void> {
        if policy.scope == Scope::Tool && self.call != CallUse::Fresh(call.digest.clone()) {
            return Err(Void::OtherCall);
        }
        if policy.approval_ttl_millis.is_some_and(|ttl| now.millis_since(self.at) >= ttl) {
            return Err(Void::Expired);
        }
        if policy.scope == Scope::Prompt && self.prompts_since > 0 {
            return Err(Void::Prompted);
        }
        if policy.scope != Scope::Session && self.content != *content {
            return Err(Void::Changed);
        }
        Ok(())
    }
}
