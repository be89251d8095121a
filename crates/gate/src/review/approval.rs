//! An approval, and for how long it opens gated tools.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::policy::{Policy, Scope};
use super::reviewing::ReviewerId;
use super::want::{CallDigest, GatedCall};

/// A reviewer approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The content that was there when the reviewer started.
    pub content: ContentHash,
    /// When it was given.
    pub at: Timestamp,
    /// By whom.
    pub reviewer: ReviewerId,
    /// How often a person spoke since.
    pub prompts_since: u32,
    /// The gated call that it was given for.
    pub call: CallUse,
}

/// The gated call that an approval was given for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallUse {
    /// None: no call had been denied.
    None,
    /// It may be made once.
    Fresh(CallDigest),
    /// It was made.
    Used,
}

/// Why an approval does not open a gated tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Void {
    /// Scope `tool`: it was given for another call, or that call was made.
    OtherCall,
    /// It is too old.
    Expired,
    /// A person spoke since.
    Prompted,
    /// The content changed since the reviewer looked at it.
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

    /// Whether it opens this call of a gated tool, in the order in which the rules count.
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
