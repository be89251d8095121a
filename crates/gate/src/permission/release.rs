//! Releases: a person lets one denied call run. A release is a change in the session's log. It is
//! valid for the first matching call within ten minutes.

use serde::{Deserialize, Serialize};
use verger_event::{Event, Timestamp, ToolCall};

use super::judge::Rules;
use super::judgement::{Judgement, Triage};
use super::rule::Ruling;
use super::{GUARD, built_in};
use crate::review::CallDigest;

/// The time for which a release is valid, in milliseconds.
pub const RELEASE_MS: u64 = 10 * 60 * 1000;

/// The maximum number of releases in the state. A person doesn't give more in ten minutes.
const MAX_RELEASES: usize = 32;

/// The releases of a session that no call has used yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Releases(Vec<Release>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Release {
    call: CallDigest,
    until: Timestamp,
}

/// A change of the releases, as the log stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// A person released a call.
    Released {
        /// The digest of the released call.
        call: CallDigest,
        /// The time until which the release is valid.
        until: Timestamp,
    },
    /// The released call ran, so the release is no longer valid.
    Used {
        /// The digest of the released call.
        call: CallDigest,
    },
}

impl Releases {
    pub(crate) fn apply(&mut self, change: &Change, at: Timestamp) {
        self.0.retain(|release| release.until > at);
        match change {
            Change::Released { call, until } => {
                if self.0.len() < MAX_RELEASES {
                    self.0.push(Release { call: call.clone(), until: *until });
                }
            }
            Change::Used { call } => {
                if let Some(at) = self.0.iter().position(|release| release.call == *call) {
                    self.0.remove(at);
                }
            }
        }
    }

    /// Whether a person released this call, and the release is still valid.
    pub fn hold(&self, call: &ToolCall, now: Timestamp) -> bool {
        let call = CallDigest::of(call);
        self.0.iter().any(|release| release.call == call && release.until > now)
    }
}

/// The log event for the release of a call by a person.
pub fn released(call: &ToolCall, now: Timestamp) -> Event {
    let until = Timestamp::from_millis(now.as_millis().saturating_add(RELEASE_MS));
    let change = Change::Released { call: CallDigest::of(call), until };
    changed(&change, "guarding", "released", "a person lets it run once")
}

/// The log event for a released call that ran.
pub fn used(call: &ToolCall) -> Event {
    let change = Change::Used { call: CallDigest::of(call) };
    changed(&change, "released", "guarding", "it ran")
}

fn changed(change: &Change, from: &str, to: &str, cause: &str) -> Event {
    Event::GateChanged {
        gate: GUARD.into(),
        from: from.to_owned(),
        to: to.to_owned(),
        cause: cause.to_owned(),
        // Serializing texts and numbers can't fail.
        change: serde_json::to_value(change).ok(),
    }
}

impl Judgement {
    /// Whether a person may release the denied call. This is so if all denials come from rules with
    /// the ruling `Deny`. Rules with the ruling `Floor` can't be overridden.
    pub fn may_be_released(&self, rules: &Rules<'_>) -> bool {
        let all =
            || built_in().chain(rules.user.iter().copied()).chain(rules.project.iter().copied());
        let may_be =
            |rule: &str| all().any(|known| known.name == rule && known.ruling == Ruling::Deny);
        let mut denials = self.findings.iter().filter(|finding| finding.triage == Triage::Deny);
        denials.all(|finding| may_be(&finding.rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::{Finding, Rule};

    fn call(line: &str) -> ToolCall {
        ToolCall::shell(line)
    }

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    fn apply(releases: &mut Releases, event: Event, now: u64) {
        let Event::GateChanged { change: Some(change), .. } = event else { panic!("{event:?}") };
        releases.apply(&serde_json::from_value(change).unwrap(), at(now));
    }

    #[test]
    fn a_release_is_for_one_call_and_ten_minutes() {
        let mut releases = Releases::default();
        apply(&mut releases, released(&call("rm -r a"), at(1)), 1);
        assert!(releases.hold(&call("rm -r a"), at(RELEASE_MS)));
        assert!(!releases.hold(&call("rm -r a"), at(RELEASE_MS + 1)));
        assert!(!releases.hold(&call("rm -r b"), at(2)));
        apply(&mut releases, used(&call("rm -r b")), 3);
        assert!(releases.hold(&call("rm -r a"), at(4)));
        apply(&mut releases, used(&call("rm -r a")), 5);
        assert!(!releases.hold(&call("rm -r a"), at(6)));
        for _ in 0..40 {
            apply(&mut releases, released(&call("x"), at(7)), 7);
        }
        assert_eq!(releases.0.len(), MAX_RELEASES);
        apply(&mut releases, used(&call("y")), 8 + RELEASE_MS);
        assert_eq!(releases, Releases::default(), "those that nobody used are forgotten");
    }

    #[test]
    fn only_what_a_rule_denies_can_be_released() {
        let deny = Rule::deny("mine", "x", "", "it is so");
        let floor = Rule::floor("deep", "x", "", "it is so");
        let user = [deny, floor];
        let rules = Rules { user: &user, ..Rules::default() };
        let finding = |triage, rule: &str| Finding {
            triage,
            rule: rule.to_owned(),
            why: String::new(),
            instead: None,
            command: None,
        };
        let may_be =
            |findings: Vec<Finding>| Judgement::of(findings, vec![]).may_be_released(&rules);
        assert!(may_be(vec![finding(Triage::Risky, "any")]));
        assert!(may_be(vec![finding(Triage::Deny, "mine"), finding(Triage::Risky, "any")]));
        assert!(!may_be(vec![finding(Triage::Deny, "mine"), finding(Triage::Deny, "deep")]));
        assert!(!may_be(vec![finding(Triage::Deny, "write-own-files")]));
    }
}
