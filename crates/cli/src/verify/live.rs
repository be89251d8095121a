//! Reuses a green verification of the same content. Only checks that can change without the content
//! are repeated.

use std::time::Duration;

use verger_gate::verification::{Outcome, Verified};

use super::looking::Looking;
use super::result::{About, Made, redacted};
use super::target::{Plan, Target};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use verger_store::Store;

/// An earlier verification of the current work that covers everything that this depth checks.
pub(crate) fn sufficient<'t>(
    target: &'t Target,
    looking: &Looking<'_, impl Store>,
    plan: &Plan,
) -> Option<&'t Outcome> {
    let known = &target.session()?.state.verification.outcomes;
    let green = known.green(&looking.amount.content.hash)?;
    let is_same = green.depth >= plan.depth
        && green.plan.as_deref() == Some(target.plan(green.depth).name.as_str());
    is_same.then_some(green)
}

/// The same verification with a new id. Checks that can change without the content are repeated.
pub(crate) fn look_again(
    context: &Context,
    target: &Target,
    looking: &Looking<'_, impl Store>,
    last: &Verified,
) -> Result<Verified, CommandError> {
    let plan = target.plan(last.depth);
    let mut made = Made::lasting_of(last);
    for planned in plan.checks.iter().filter(|planned| planned.kind.is_live()) {
        made.add(planned, looking.look(target, planned.kind), Duration::ZERO);
    }
    let about = About {
        run: context.clock.next_id().to_string(),
        plan: &plan,
        content: last.content.clone(),
        // The tests were already compared when they ran.
        before: Some(last.test_run()),
        changed: vec![],
    };
    let no_regressions = last.no_regressions.clone();
    let verified = Verified { no_regressions, ..made.verified(context, target, about)? };
    Ok(redacted(looking.store, verified).bounded())
}
