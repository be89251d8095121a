//! Checks whether the guard's rules of the user and of the project are used and pass their own
//! examples.

use super::Check;
use crate::guard::local::{Assumed, LocalGuard};
use crate::guard::rule_check::wrong_rules;
use crate::guard::rule_text::From;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

const NAME: &str = "guard rules";

/// The maximum number of named problems. `verger guard rules --check` names all.
const MAX_TOLD: usize = 5;

/// Finds problems with the rules from files. The built-in rules are not checked.
pub(crate) fn checks(context: &Context) -> Result<Vec<Check>, CommandError> {
    let local_guard = LocalGuard::here(context, Assumed::Trusted)?;
    let mut rules = local_guard.rules();
    rules.retain(|rule| rule.from != From::BuiltIn);
    let wrong = wrong_rules(&local_guard, &rules);
    let told = wrong.iter().take(MAX_TOLD);
    Ok(told.map(|wrong| Check::problem(NAME, wrong.text(), "verger guard rules --check")).collect())
}
