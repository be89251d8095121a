//! The verification gate at the hook: what of an event concerns it, what it has to know first, and
//! what it says. It never runs a check.

use verger_config::Settings;
use verger_event::{
    Actor, Event, Grounds, Interruption, StopRequest, Timestamp, ToolCall, Verdict,
};
use verger_gate::review::message::Reviewer;
use verger_gate::verification::own_checks::{self, OpenTask, ReviewStands};
use verger_gate::verification::{
    self, Came, CheckKind, Claim, GATE, Hold, HoldReason, Input, Mode, Policy, Profile, ReleasedBy,
    Requirement, Risk, Say, StopFacts, Verification, Watched, claim, failed_by, message, risks,
    step, succeeded_by, wanted_profile,
};
use verger_gate::{Content, State};

use crate::facts::WorkExtent;
use crate::gates::Told;
use crate::spoken::{Injected, Spoken, with_settings};
use crate::tool_patterns::watched_patterns;

/// What of an event concerns the gate.
#[derive(Debug)]
pub(crate) enum Matter {
    Nothing,
    /// The main agent wants to stop, and says this.
    Stop(Option<Claim>),
    /// A watched tool failed.
    Failed(Watched),
    /// A tool succeeded that may have failed before.
    Succeeded,
}

/// How the gate is set in this session.
#[derive(Debug)]
pub(crate) struct VerificationGate<'a> {
    pub(crate) policy: Policy,
    pub(crate) reviewer: Reviewer<'static>,
    pub(crate) settings: &'a Settings,
}

impl VerificationGate<'_> {
    fn is_on(&self) -> bool {
        self.policy.mode != Mode::Off
    }

    /// What of an event that is no request for a tool concerns the gate.
    pub(crate) fn matter(&self, actor: &Actor, event: &Event) -> Matter {
        if !self.is_on() {
            return Matter::Nothing;
        }
        match (event, actor) {
            (Event::StopRequested(request), Actor::Main { .. }) => {
                Matter::Stop(request.last_message.as_deref().and_then(claim))
            }
            (Event::ToolFailed { interruption: Interruption::ByPerson, .. }, _) => Matter::Nothing,
            (Event::ToolFailed { call, .. }, _) => self.failed(call),
            (Event::ToolSucceeded { .. }, _) => Matter::Succeeded,
            _ => Matter::Nothing,
        }
    }

    fn failed(&self, call: &ToolCall) -> Matter {
        let script = call.shell_line().map(verger_shell::read);
        let watched = failed_by(call, script.as_ref(), &watched_patterns(self.settings));
        watched.map_or(Matter::Nothing, Matter::Failed)
    }

    /// Whether where a task starts from, and which lines of it had been begun before, may matter
    /// later.
    pub(crate) fn asks_for_start_tree(&self) -> bool {
        self.is_on()
    }

    /// Whether the work has to be looked at. `state` is that before the event.
    pub(crate) fn asks_for_content(
        &self,
        matter: &Matter,
        (state, event): (&State, &Event),
        now: Timestamp,
    ) -> bool {
        match (matter, event) {
            (Matter::Stop(claim), Event::StopRequested(request)) => {
                state.verification.trigger(claim.as_ref(), &self.policy, now).is_some()
                    && !state.session.waits_for_subagents(request, now)
            }
            _ => false,
        }
    }

    /// Whether it has to be known if the work is committed, where it is looked at.
    pub(crate) fn requires_commits(&self) -> bool {
        self.policy.required.contains(&Requirement::Committed)
    }

    /// Tells an agent how to say that its work is done, where a session that starts is given some context
    /// anyway. A session without context learns it when a stop is refused.
    pub(crate) fn tell_marker(&self, event: &Event, spoken: &mut Spoken) {
        let is_start = matches!(event, Event::SessionStarted { .. });
        if !is_start || !self.is_on() || spoken.injected.is_empty() {
            return;
        }
        let (text, sources) = (message::tell_marker(), vec![GATE.to_owned()]);
        let grounds = Grounds::of_rule("work is verified before the agent stops");
        let grounds = with_settings(grounds, self.settings, &["verification.mode"]);
        let kept = text.clone();
        spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
    }

    /// Steps the gate.
    pub(crate) fn speak(&self, matter: &Matter, told: &Told<'_>, spoken: &mut Spoken) {
        let gate = &told.state.verification;
        match (matter, &told.draft.event) {
            (Matter::Stop(claim), Event::StopRequested(request)) => {
                self.stop(claim.as_ref(), request, told, spoken);
            }
            (Matter::Failed(Watched { what, kind }), _) => {
                self.step(gate, &Input::Failed { what, kind: *kind }, told, spoken);
            }
            (Matter::Succeeded, Event::ToolSucceeded { call, .. })
                if gate.failures.last().is_some() =>
            {
                self.succeeded(call, told, spoken);
            }
            _ => {}
        }
    }

    fn step(
        &self,
        gate: &Verification,
        input: &Input<'_>,
        told: &Told<'_>,
        spoken: &mut Spoken,
    ) -> (Say, Verification) {
        let now = told.clock.now();
        let step = step(gate, input, &self.policy, now);
        spoken.events.extend(verification::events(gate, &step, now));
        let after = step.applied_to(gate, now);
        (step.say, after)
    }

    fn succeeded(&self, call: &ToolCall, told: &Told<'_>, spoken: &mut Spoken) {
        let script = call.shell_line().map(verger_shell::read);
        let mut gate = told.state.verification.clone();
        for what in succeeded_by(call, script.as_ref()) {
            (_, gate) = self.step(&gate, &Input::Succeeded { what: &what }, told, spoken);
        }
    }

    fn stop(
        &self,
        claim: Option<&Claim>,
        request: &StopRequest,
        told: &Told<'_>,
        spoken: &mut Spoken,
    ) {
        let Told { state, draft, facts, clock, .. } = *told;
        let nothing = Content::nothing();
        let content = facts.content.as_ref().unwrap_or(&nothing);
        let none = WorkExtent::default();
        let extent = facts.extent.as_ref().unwrap_or(&none);
        let risks = risks(&state.verification, extent.extent());
        let session = &draft.origin.session.word();
        let stop = StopFacts {
            claim,
            content,
            profile: wanted_profile(self.policy.profile, &risks),
            live: &self.live(state, content, facts.committed.as_ref()),
            review_step: &self.review_step(session),
            waits: state.session.waits_for_subagents(request, clock.now()),
            may_refuse: state.stops.may_refuse(),
        };
        match self.step(&state.verification, &Input::Stop(stop), told, spoken).0 {
            Say::RefuseStop(hold) => {
                let reason = message::refuse_stop(&hold, session);
                let grounds = self.grounds(&hold, &risks, (state, content));
                spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
                let max = self.policy.blocks.max_blocks;
                spoken.notices.push(message::notice_held(&hold, max, session));
            }
            Say::PassUnverified { by, hold } => pass(by, &hold, session, spoken),
            Say::PassUnknown => {
                spoken.notices.push(message::notice_unknown(session));
                let grounds = Grounds::of_rule("the work could not be compared with its start");
                spoken.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::Nothing | Say::Taken | Say::NothingToOpen => {}
        }
    }

    fn review_step(&self, session: &str) -> String {
        let step = self.reviewer.next_step(session);
        format!("Get the review: {step}")
    }

    /// What can change while the content stays.
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

    fn grounds(
        &self,
        hold: &Hold,
        risks: &[Risk],
        (state, content): (&State, &Content),
    ) -> Grounds {
        let max = self.policy.blocks.max_blocks;
        let mut grounds = Grounds::of_rule(hold.reason.words())
            .fact("asked because", hold.ask.trigger.to_string())
            .fact("profile", profile_text(hold.ask.profile, risks))
            .fact("content", content.hash.as_str())
            .fact("refusal", format!("{} of {max}", hold.number));
        if let Some(ended) = &state.verification.last {
            let verified = &ended.verified;
            let (status, profile) = (verified.status.as_str(), verified.profile);
            let last = format!("{status}, {profile}, of content {}", verified.content.short());
            grounds = grounds.fact("last verification", last);
        }
        if let HoldReason::Started(started) = &hold.reason {
            grounds = grounds.fact("under way", &*started.run);
        }
        let mut keys = vec![
            "verification.mode",
            "verification.profile",
            "gates.max_blocks",
            "gates.cooldown_seconds",
        ];
        match hold.reason {
            HoldReason::Red | HoldReason::Unfinished | HoldReason::Unmet => {
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

fn profile_text(profile: Profile, risks: &[Risk]) -> String {
    if risks.is_empty() {
        return profile.to_string();
    }
    let risks: Vec<_> = risks.iter().map(ToString::to_string).collect();
    format!("{profile}, because {}", risks.join("; "))
}

fn pass(by: ReleasedBy, hold: &Hold, session: &str, spoken: &mut Spoken) {
    spoken.notices.push(message::notice_passed(hold, by, session));
    let grounds = Grounds::of_rule(format!("released by {}", by.as_str()))
        .fact("asked because", hold.ask.trigger.to_string());
    spoken.opinion(GATE, Verdict::NoOpinion, grounds);
}
