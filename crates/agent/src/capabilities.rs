//! What verger can do with each agent: whether the agent's program enforces a policy of verger.
//!
//! Most of it follows from the agent's tables: from its events, from the answers that they support
//! and from the answers of the guard. Only the [`BlindSpot`]s of a program are written down.

use std::fmt;

use crate::guard_table::{Rewrites, guard_client};
use crate::registration::Registration;
use crate::spec::{AgentSpec, HookEvent, Part, Proof};

/// A policy of verger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The log has what the agent does.
    Recording,
    /// The guard judges calls before they run.
    CommandGuard,
    /// The guard answers when the program is about to ask a person.
    PermissionRequests,
    /// Files are saved before a call that may destroy them.
    UndoPoints,
    /// A stop waits for a review.
    ReviewStop,
    /// Chosen tools wait for a review.
    ReviewTools,
    /// A stop waits for a reflection.
    Learning,
    /// A stop waits for the project's checks.
    Verification,
    /// The agent gets learnings when its session starts.
    RecallAtStart,
    /// The agent gets learnings with a prompt.
    RecallOnPrompts,
    /// The agent is corrected when it breaks a limit or goes in circles.
    Drift,
    /// Unwanted calls are denied or rewritten.
    Habits,
    /// A lead agent doesn't do the work of its subagents.
    Delegation,
    /// The person sees verger's notices in the program.
    Notices,
    /// A change that turns verger's hooks off is blocked.
    HooksOff,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 15] = [
        Self::Recording,
        Self::CommandGuard,
        Self::PermissionRequests,
        Self::UndoPoints,
        Self::ReviewStop,
        Self::ReviewTools,
        Self::Learning,
        Self::Verification,
        Self::RecallAtStart,
        Self::RecallOnPrompts,
        Self::Drift,
        Self::Habits,
        Self::Delegation,
        Self::Notices,
        Self::HooksOff,
    ];

    /// The policies that refuse an agent's stop.
    pub const STOP_GATES: [Self; 3] = [Self::ReviewStop, Self::Learning, Self::Verification];

    /// The policy's name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::CommandGuard => "guard of commands",
            Self::PermissionRequests => "permission requests",
            Self::UndoPoints => "undo points",
            Self::ReviewStop => "review gate (stop)",
            Self::ReviewTools => "review gate (tools)",
            Self::Learning => "learning gate",
            Self::Verification => "verification",
            Self::RecallAtStart => "recall at the start",
            Self::RecallOnPrompts => "recall on prompts",
            Self::Drift => "drift",
            Self::Habits => "habits",
            Self::Delegation => "delegation (roles)",
            Self::Notices => "notices for you",
            Self::HooksOff => "hooks stay on",
        }
    }

    /// The kinds of event at which the policy acts. One of them is enough.
    fn moments(self) -> &'static [&'static str] {
        match self {
            Self::Recording
            | Self::CommandGuard
            | Self::UndoPoints
            | Self::ReviewTools
            | Self::Habits
            | Self::Delegation => &["tool.requested"],
            Self::PermissionRequests => &["permission.asked"],
            Self::ReviewStop | Self::Learning | Self::Verification => &["stop.requested"],
            Self::RecallAtStart => &["session.started"],
            Self::RecallOnPrompts => &["prompt.submitted"],
            Self::Drift => &["tool.requested", "tool.succeeded", "tool.failed", "tool.ended"],
            Self::Notices => &["session.started", "prompt.submitted", "stop.requested"],
            Self::HooksOff => &["config.changed"],
        }
    }

    /// The part of the answer by which the policy acts. `None` if it only needs the event.
    fn part(self) -> Option<Part> {
        match self {
            Self::Recording | Self::UndoPoints => None,
            Self::CommandGuard
            | Self::PermissionRequests
            | Self::ReviewStop
            | Self::ReviewTools
            | Self::Learning
            | Self::Verification
            | Self::Habits
            | Self::Delegation
            | Self::HooksOff => Some(Part::Deny),
            Self::RecallAtStart | Self::RecallOnPrompts | Self::Drift => Some(Part::Context),
            Self::Notices => Some(Part::Notice),
        }
    }
}

/// How far verger can carry a policy out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coverage {
    /// verger sees no event for it, or the program ignores every answer.
    Impossible,
    /// verger records what it sees, but the program doesn't obey.
    Observed,
    /// verger carries the policy out, and the program obeys.
    Enforced,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Enforced => "enforced",
            Self::Observed => "observed",
            Self::Impossible => "impossible",
        })
    }
}

/// A case in which a policy is covered less than otherwise, and that doesn't follow from the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlindSpot {
    /// The policy.
    pub policy: Policy,
    /// The coverage in this case.
    pub coverage: Coverage,
    /// The tested versions in which the case was seen. Empty: all of them.
    pub versions: &'static [&'static str],
    /// A setting of verger, and the value with which the case is all that there is.
    pub setting: Option<(&'static str, &'static str)>,
    /// The case, as a sentence for people.
    pub reason: &'static str,
}

/// A case that was seen in all tested versions.
pub(crate) const fn blind(policy: Policy, coverage: Coverage, reason: &'static str) -> BlindSpot {
    BlindSpot { policy, coverage, versions: &[], setting: None, reason }
}

/// How far verger carries a policy out with one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyCoverage {
    /// The policy.
    pub policy: Policy,
    /// The coverage in general.
    pub coverage: Coverage,
    /// The evidence of the program's part in it.
    pub proof: Proof,
    /// The reason for the coverage, as a sentence for people.
    pub reason: String,
    /// The cases with less coverage.
    pub exceptions: Vec<Exception>,
}

/// A case in which a policy is covered less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The coverage in this case.
    pub coverage: Coverage,
    /// The tested versions in which the case was seen. Empty: all of them.
    pub versions: &'static [&'static str],
    /// A setting of verger, and the value with which the case is all that there is.
    pub setting: Option<(&'static str, &'static str)>,
    /// The case, as a sentence for people.
    pub reason: String,
}

impl Exception {
    fn new(coverage: Coverage, reason: impl Into<String>) -> Self {
        Self { coverage, versions: &[], setting: None, reason: reason.into() }
    }

    /// The versions in which the case was seen, for people. `None` for all tested versions.
    pub fn versions_text(&self) -> Option<String> {
        (!self.versions.is_empty()).then(|| self.versions.join(", "))
    }
}

/// The version of a program with which the tables were tested, and the day of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestedVersion {
    /// The version.
    pub version: &'static str,
    /// The day, as year, month and day.
    pub date: &'static str,
}

/// The day on which each version was tested, by the agent's name.
const TESTED: &[(&str, &[TestedVersion])] = &[
    (
        "claude",
        &[
            tested("2.1.197", "2026-11-15"),
            tested("2.1.325", "2026-11-16"),
            tested("2.1.326", "2026-11-18"),
        ],
    ),
    ("codex", &[tested("0.166.0", "2026-11-15"), tested("0.169.0", "2026-11-18")]),
    ("gemini", &[tested("0.61.0", "2026-11-18")]),
    ("copilot", &[tested("1.0.102", "2026-11-18")]),
];

const fn tested(version: &'static str, date: &'static str) -> TestedVersion {
    TestedVersion { version, date }
}

impl AgentSpec {
    /// The tested versions, with the days of the tests.
    pub fn tested(&self) -> impl Iterator<Item = &'static TestedVersion> {
        let known = TESTED.iter().find(|(agent, _)| *agent == self.name);
        let known = known.map(|(_, versions)| *versions).unwrap_or_default();
        known.iter().filter(|tested| self.tested_versions.contains(&tested.version))
    }

    /// Whether the program reports its subagents, and which of them makes a call.
    pub fn shows_subagents(&self) -> bool {
        self.registered_of(&["subagent.started"]).next().is_some()
    }

    /// The coverage of all policies, in the order of [`Policy::ALL`].
    pub fn coverage(&self) -> Vec<PolicyCoverage> {
        Policy::ALL.into_iter().map(|policy| self.coverage_of(policy)).collect()
    }

    /// The coverage of one policy.
    pub fn coverage_of(&self, policy: Policy) -> PolicyCoverage {
        let (coverage, proof, reason) = self.in_general(policy);
        let mut exceptions = vec![];
        if coverage != Coverage::Impossible {
            exceptions.extend(self.derived_exceptions(policy));
            let own = self.blind_spots.iter().filter(|spot| spot.policy == policy);
            exceptions.extend(own.map(|spot| Exception {
                coverage: spot.coverage,
                versions: spot.versions,
                setting: spot.setting,
                reason: spot.reason.to_owned(),
            }));
        }
        PolicyCoverage { policy, coverage, proof, reason, exceptions }
    }

    fn registered_of<'a>(
        &'a self,
        kinds: &'a [&str],
    ) -> impl Iterator<Item = &'static HookEvent> + 'a {
        let is_one = |event: &&HookEvent| event.kinds.iter().any(|kind| kinds.contains(kind));
        let is_registered =
            |event: &&HookEvent| matches!(event.registration, Registration::Registered { .. });
        self.events.iter().filter(is_registered).filter(is_one)
    }

    /// The coverage of a policy without its exceptions, the evidence, and the reason.
    fn in_general(&self, policy: Policy) -> (Coverage, Proof, String) {
        let moments = policy.moments();
        let events: Vec<_> = self.registered_of(moments).collect();
        let names = |events: &[&HookEvent]| {
            let names: Vec<_> = events.iter().map(|event| format!("`{}`", event.name)).collect();
            names.join(", ")
        };
        if events.is_empty() {
            let reason = absence(policy, self.install.product);
            return (Coverage::Impossible, Proof::Seen, reason);
        }
        if policy == Policy::Delegation && !self.shows_subagents() {
            let reason = "no event tells a subagent's calls from the main agent's, so verger \
                doesn't count calls here";
            return (Coverage::Impossible, Proof::Seen, reason.to_owned());
        }
        let Some(part) = policy.part() else {
            let events = match policy {
                Policy::Recording => self.registered_events().map(|(event, _)| event).collect(),
                _ => events,
            };
            let reason = match policy {
                Policy::Recording => format!("the program calls verger on {} events", events.len()),
                _ => format!("{} comes before each call, and the program waits", names(&events)),
            };
            return (Coverage::Enforced, Proof::Seen, reason);
        };
        let proofs = events.iter().filter_map(|event| Some((*event, event.proof(part)?)));
        let carrying: Vec<_> = proofs.collect();
        let is_seen = carrying.iter().any(|(_, proof)| *proof == Proof::Seen);
        let proof = if is_seen { Proof::Seen } else { Proof::Documented };
        let by: Vec<_> = carrying.iter().map(|(event, _)| *event).collect();
        match (part, by.is_empty()) {
            (Part::Deny, false) => {
                let reason = format!("the program obeys a denial on {}", names(&by));
                (Coverage::Enforced, proof, reason)
            }
            (Part::Deny, true) => {
                let reason = format!("the program ignores a denial on {}", names(&events));
                (Coverage::Observed, Proof::Seen, reason)
            }
            (Part::Context, false) => {
                let reason = format!("text reaches the agent on {}", names(&by));
                (Coverage::Enforced, proof, reason)
            }
            (Part::Notice, false) => {
                let reason = format!("the program shows text to a person on {}", names(&by));
                (Coverage::Enforced, proof, reason)
            }
            (Part::Notice, true) => {
                let reason = "the program shows no text of a hook to a person; `verger status` \
                    has the notices, and `notify.command` sends them";
                (Coverage::Impossible, Proof::Seen, reason.to_owned())
            }
            (_, _) => {
                let reason = format!("no text reaches the agent on {}", names(&events));
                (Coverage::Impossible, Proof::Seen, reason)
            }
        }
    }

    /// The exceptions that follow from the agent's tables.
    fn derived_exceptions(&self, policy: Policy) -> Vec<Exception> {
        let client = guard_client(self.name);
        let mut exceptions = vec![];
        let mut add = |coverage, reason: String| {
            exceptions.push(Exception::new(coverage, reason));
        };
        match policy {
            Policy::Recording => {
                if let Some(consent) = self.install.consent.or(self.install.project_consent) {
                    add(Coverage::Impossible, consent.to_owned());
                }
                if !self.shows_subagents() {
                    let reason = "a subagent's start and end are not reported, and its calls look \
                        like the main agent's";
                    add(Coverage::Impossible, reason.to_owned());
                }
            }
            Policy::CommandGuard => {
                if client.is_some_and(|client| client.asking_modes.is_empty()) {
                    let reason = "verger can't have a person asked about a risky call, so it \
                        denies such a call";
                    add(Coverage::Enforced, reason.to_owned());
                }
                match self.install.fail_closed {
                    None => {
                        let reason = SLOW_HOOK;
                        add(Coverage::Impossible, reason.to_owned());
                    }
                    Some(closed) if !closed.ignored_by.is_empty() => {
                        let reason = SLOW_HOOK;
                        let mut exception = Exception::new(Coverage::Impossible, reason);
                        exception.versions = closed.ignored_by;
                        exceptions.push(exception);
                    }
                    Some(_) => {}
                }
            }
            Policy::ReviewStop | Policy::ReviewTools if self.reviewer.is_none() => {
                let reason = "verger brings no reviewer for this program: set `review.reviewer`, \
                    or nothing can approve the work";
                add(Coverage::Enforced, reason.to_owned());
            }
            Policy::Habits => {
                if client.is_some_and(|client| client.rewrites != Rewrites::Alone) {
                    let reason = "a call that verger would rewrite is denied instead";
                    add(Coverage::Enforced, reason.to_owned());
                }
                if !self.carries("tool.requested", Part::Context) {
                    let reason = "advice before a call doesn't reach the agent";
                    add(Coverage::Observed, reason.to_owned());
                }
            }
            _ => {}
        }
        if Policy::STOP_GATES.contains(&policy) && self.gates_need_a_tool_call {
            let reason = "until the session has made a tool call, a stop passes with a notice: \
                without a person, the program may offer the model no tools, and then no command \
                of verger can satisfy a gate";
            exceptions.push(Exception::new(Coverage::Observed, reason));
        }
        exceptions
    }
}

/// An exception of programs whose registered hooks can't fail closed.
const SLOW_HOOK: &str = "a call runs if the hook doesn't answer within the program's time limit";

/// The reason why a policy whose events the program doesn't report can't be carried out.
fn absence(policy: Policy, product: &str) -> String {
    match policy {
        Policy::PermissionRequests => {
            format!("{product} calls no hook that can answer before it asks a person")
        }
        Policy::HooksOff => format!(
            "{product} calls no hook when its settings change, so verger learns of it too late"
        ),
        _ => format!("{product} calls no hook for it"),
    }
}

#[cfg(test)]
mod tests;
