//! A verification of content that is known to be well: nothing is run again, and only what can change
//! while the content stays is looked at.

use std::time::Duration;

use verger_gate::verification::{Status, Verified};

use super::looking::Looking;
use super::result::{About, Made, redacted};
use super::target::{Plan, Target};
use crate::command_error::CommandError;
use crate::context::Context;

/// The last verification of the task in hand, if it says all that a run of this profile could say.
pub(crate) fn sufficient<'t>(
    target: &'t Target,
    looking: &Looking<'_>,
    plan: &Plan,
) -> Option<&'t Verified> {
    let verified = &target.session()?.state.verification.last.as_ref()?.verified;
    let is_same = verified.content == looking.amount.content.hash
        && verified.profile >= plan.profile
        && verified.lasting() == Status::Green
        && verified.plan.as_deref() == Some(target.plan(verified.profile).name.as_str());
    is_same.then_some(verified)
}

/// The same with what can change looked at again, under a name of its own.
pub(crate) fn look_again(
    context: &Context,
    (target, looking): (&Target, &Looking<'_>),
    last: &Verified,
) -> Result<Verified, CommandError> {
    let plan = target.plan(last.profile);
    let mut made = Made::lasting_of(last);
    for planned in plan.checks.iter().filter(|planned| planned.kind.is_live()) {
        made.add(planned, looking.look(target, planned.kind), Duration::ZERO);
    }
    let about = About {
        run: context.clock.next_id().to_string(),
        plan: &plan,
        content: last.content.clone(),
        // Its tests were compared when they ran.
        before: Some(last.failing_tests.clone()),
        changed: vec![],
    };
    let verified = made.verified(context, target, about)?;
    Ok(redacted(looking.store, verified).bounded())
}
