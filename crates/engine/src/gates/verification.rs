//! The verification gate: a stop waits for the project's checks. The gate itself runs no checks.

pub(crate) mod plan;
pub(crate) mod policy;

use std::path::Path;

use verger_agent::AgentSpec;
use verger_config::Settings;
use verger_event::{
    Actor, Event, Grounds, Interruption, StopRequest, Timestamp, ToolCall, Verdict,
};
use verger_gate::Content;
use verger_gate::review::message::Reviewer;
use verger_gate::verification::own_checks::{self, OpenTask, ReviewStands};
use verger_gate::verification::{
    self, Came, CheckKind, Claim, Depth, GATE, Hold, HoldReason, Input, Mode, Policy, ReleasedBy,
    Requirement, Risk, Say, StopFacts, Verification, Watched, claim, failed_by, message, risks,
    step, succeeded_by, wanted_depth,
};

use crate::decision::{Decision, with_settings};
use crate::facts::{Fact, FactSet, WorkExtent};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::gates::no_tools::{only_observes, pass_observed};
use crate::gates::review::reviewer::reviewer;
use crate::gates::tool_patterns::watched_patterns;
use crate::trust::trusted_worktree;
use crate::work_directory;
use crate::{Environment, Home, State};
use policy::verification_policy;

/// The part of an event that the gate handles.
#[derive(Debug)]
pub(crate) enum Trigger {
    /// The main agent wants to stop. Contains its claim, if it makes one.
    Stop(Option<Claim>),
    /// A watched tool failed.
    Failed(Watched),
    /// A tool succeeded, which may clear an earlier failure.
    Succeeded,
}

/// The verification gate with its settings.
pub(crate) struct VerificationGate<'a> {
    policy: Policy,
    reviewer: Reviewer<'static>,
    settings: &'a Settings,
    home: &'a Home,
    environment: &'a Environment,
    spec: &'static AgentSpec,
}

impl<'a> Gate<'a> for VerificationGate<'a> {
    type State = Verification;
    type Trigger = Trigger;

    fn new(setup: Setup<'a>) -> Self {
        Self {
            policy: verification_policy(setup.settings),
            reviewer: reviewer(setup.settings, setup.spec, setup.registered),
            settings: setup.settings,
            home: setup.home,
            environment: setup.environment,
            spec: setup.spec,
        }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<Trigger> {
        if self.policy.mode == Mode::Off {
            return None;
        }
        match (event.event(), &event.observed.actor) {
            (Event::StopRequested(request), Actor::Main { .. }) => {
                Some(Trigger::Stop(request.last_message.as_deref().and_then(claim)))
            }
            (Event::ToolFailed { interruption: Interruption::ByPerson, .. }, _) => None,
            (Event::ToolFailed { call, .. }, _) => {
                let script = call.shell_line().map(verger_shell::read);
                let patterns = watched_patterns(self.settings);
                failed_by(call, script.as_ref(), &patterns).map(Trigger::Failed)
            }
            (Event::ToolSucceeded { .. }, _) => Some(Trigger::Succeeded),
            _ => None,
        }
    }

    fn facts(&self, trigger: &Trigger, before: &Before<'_>) -> Option<FactSet> {
        let state = before.state;
        match (trigger, &before.observed.event) {
            (Trigger::Succeeded, _) if state.verification.failures.last().is_none() => None,
            (Trigger::Stop(claim), Event::StopRequested(request)) => {
                let trigger = state.verification.trigger(claim.as_ref(), &self.policy, before.now);
                let looks =
                    trigger.is_some() && !state.session.waits_for_subagents(request, before.now);
                let requires_commits = self.policy.required.contains(&Requirement::Committed);
                let facts = FactSet::default()
                    .and_if(looks, Fact::Content)
                    .and_if(looks, Fact::Extent)
                    .and_if(looks && requires_commits, Fact::Committed);
                Some(facts)
            }
            _ => Some(FactSet::default()),
        }
    }

    fn facts_at_first_change(&self, before: &Before<'_>) -> FactSet {
        if self.policy.mode != Mode::Off && before.begins_task() {
            FactSet::of([Fact::StartTree, Fact::Baseline])
        } else {
            FactSet::default()
        }
    }

    fn decide(&self, trigger: &Trigger, context: &Context<'_>, decision: &mut Decision) {
        let gate = &context.state.verification;
        match (trigger, &context.draft.event) {
            (Trigger::Stop(claim), Event::StopRequested(request)) => {
                self.stop(claim.as_ref(), request, context, decision);
            }
            (Trigger::Failed(Watched { what, kind }), _) => {
                self.step(gate, &Input::Failed { what, kind: *kind }, context, decision);
            }
            (Trigger::Succeeded, Event::ToolSucceeded { call, .. })
                if gate.failures.last().is_some() =>
            {
                self.succeeded(call, context, decision);
            }
            _ => {}
        }
    }
}

impl VerificationGate<'_> {
    fn step(
        &self,
        gate: &Verification,
        input: &Input<'_>,
        context: &Context<'_>,
        decision: &mut Decision,
    ) -> (Say, Verification) {
        let now = context.clock.now();
        let step = step(gate, input, &self.policy, now);
        decision.events.extend(verification::events(gate, &step, now));
        let after = step.applied_to(gate, now);
        (step.say, after)
    }

    fn succeeded(&self, call: &ToolCall, context: &Context<'_>, decision: &mut Decision) {
        let script = call.shell_line().map(verger_shell::read);
        let mut gate = context.state.verification.clone();
        for what in succeeded_by(call, script.as_ref()) {
            (_, gate) = self.step(&gate, &Input::Succeeded { what: &what }, context, decision);
        }
    }

    fn stop(
        &self,
        claim: Option<&Claim>,
        request: &StopRequest,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let Context { state, draft, facts, clock, .. } = *context;
        let nothing = Content::nothing();
        let work = facts.content.as_ref().unwrap_or(&nothing);
        let none = WorkExtent::default();
        let extent = facts.extent.as_ref().unwrap_or(&none);
        let risks = risks(&state.verification, extent.extent());
        let session = &draft.origin.session.word();
        let untrusted = self.untrusted(claim, state, clock.now());
        let stop = StopFacts {
            claim,
            content: work,
            depth: wanted_depth(self.policy.depth, &risks),
            live: &self.live(state, work, facts.committed.as_ref()),
            review_step: &self.review_step(session),
            waits: state.session.waits_for_subagents(request, clock.now()),
            may_refuse: state.stops.may_refuse(),
            untrusted: untrusted.as_deref(),
        };
        let input = Input::Stop(stop);
        if only_observes(self.spec, &state.session) && self.would_refuse(&input, context) {
            pass_observed(GATE, self.spec, decision);
            // As in mode `observe`: an unverified claim is recorded.
            let policy = Policy { mode: Mode::Observe, ..self.policy.clone() };
            let now = clock.now();
            let step = step(&state.verification, &input, &policy, now);
            decision.events.extend(verification::events(&state.verification, &step, now));
            decision.is_unverified =
                step.applied_to(&state.verification, now).phase.is_unverified();
            return;
        }
        let (say, after) = self.step(&state.verification, &input, context, decision);
        decision.is_unverified = after.phase.is_unverified();
        match say {
            Say::RefuseStop(hold) => {
                let reason = message::refuse_stop(&hold, session);
                let grounds = self.grounds(&hold, &risks, state, work);
                decision.opinion(GATE, Verdict::Deny { reason }, grounds);
                let max = self.policy.blocks.max_blocks;
                decision.notices.push(message::notice_held(&hold, max, session));
            }
            Say::PassUnverified { by, hold } => pass(by, &hold, session, decision),
            Say::PassUnknown => {
                decision.notices.push(message::notice_unknown(session));
                let grounds = Grounds::of_rule("the work could not be compared with its start");
                decision.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::Nothing | Say::Taken | Say::NothingToOpen => {}
        }
    }

    fn would_refuse(&self, stop: &Input<'_>, context: &Context<'_>) -> bool {
        let gate = &context.state.verification;
        matches!(step(gate, stop, &self.policy, context.clock.now()).say, Say::RefuseStop(_))
    }

    /// The project's directory, if the gate would refuse the stop and the person doesn't trust
    /// the project.
    fn untrusted(&self, claim: Option<&Claim>, state: &State, now: Timestamp) -> Option<String> {
        if self.policy.mode < Mode::Claims {
            return None;
        }
        state.verification.trigger(claim, &self.policy, now)?;
        let directory = work_directory(&state.work, state.session.cwd.as_deref());
        let user_home = self.environment.get("HOME");
        let is_trusted = trusted_worktree(self.home, &directory, user_home.as_ref().map(Path::new));
        (!is_trusted).then(|| directory.display().to_string())
    }

    fn review_step(&self, session: &str) -> String {
        let step = self.reviewer.next_step(session);
        format!("Get the review: {step}")
    }

    /// The results of checks that can change while the content stays the same.
    fn live(
        &self,
        state: &State,
        content: &Content,
        committed: Option<&Came>,
    ) -> Vec<(CheckKind, Came)> {
        let todos = &state.learning.todos;
        let open = |id: &str| OpenTask {
            id: id.to_owned(),
            subject: todos.subject(id).map(str::to_owned),
        };
        let open: Vec<_> = todos.open_ids().map(open).collect();
        let is_required = self.policy.required.contains(&Requirement::Review);
        let review = ReviewStands::of(&state.review, content, is_required);
        let mut live = vec![
            (CheckKind::OpenTasks, own_checks::open_tasks(&open)),
            (CheckKind::Review, own_checks::review(review)),
        ];
        live.extend(committed.map(|came| (CheckKind::GitState, came.clone())));
        live
    }

    fn grounds(&self, hold: &Hold, risks: &[Risk], state: &State, content: &Content) -> Grounds {
        let max = self.policy.blocks.max_blocks;
        let mut grounds = Grounds::of_rule(hold.reason.words())
            .fact("asked because", hold.ask.trigger.to_string())
            .fact("depth", depth_text(hold.ask.depth, risks))
            .fact("content", content.hash.as_str())
            .fact("refusal", format!("{} of {max}", hold.number));
        if let Some(ended) = &state.verification.last {
            let verified = &ended.verified;
            let (status, depth) = (verified.status.as_str(), verified.depth);
            let last = format!("{status}, {depth}, of content {}", verified.content.short());
            grounds = grounds.fact("last verification", last);
        }
        if let HoldReason::Started(started) = &hold.reason {
            grounds = grounds.fact("under way", &*started.run);
        }
        let mut keys = vec![
            "verification.mode",
            "verification.depth",
            "gates.max_blocks",
            "gates.cooldown_seconds",
        ];
        match hold.reason {
            HoldReason::Red | HoldReason::Incomplete | HoldReason::Unmet => {
                keys.push("verification.require");
            }
            HoldReason::Unverified
            | HoldReason::ChangedSince
            | HoldReason::TooShallow(_)
            | HoldReason::Started(_) => {}
        }
        with_settings(grounds, self.settings, &keys)
    }
}

fn depth_text(depth: Depth, risks: &[Risk]) -> String {
    if risks.is_empty() {
        return depth.to_string();
    }
    let risks: Vec<_> = risks.iter().map(ToString::to_string).collect();
    format!("{depth}, because {}", risks.join("; "))
}

fn pass(by: ReleasedBy, hold: &Hold, session: &str, decision: &mut Decision) {
    decision.notices.push(message::notice_passed(hold, by, session));
    let grounds = Grounds::of_rule(format!("released by {}", by.as_str()))
        .fact("asked because", hold.ask.trigger.to_string());
    decision.opinion(GATE, Verdict::NoOpinion, grounds);
}
