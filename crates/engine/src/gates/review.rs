//! The review gate: stops and gated tool calls wait for an independent review of the work.

pub(crate) mod block_template;
pub(crate) mod namesake;
pub(crate) mod policy;
pub(crate) mod reviewer;
pub(crate) mod run;

use std::borrow::Cow;

use verger_agent::Observed;
use verger_event::{
    Actor, Draft, Event, Grounds, StopRequest, SubagentId, Timestamp, ToolCall, Verdict, VergerPart,
};
use verger_gate::block_template::AGAIN;
use verger_gate::review::message::{self, Reviewer};
use verger_gate::review::{
    self, CallDigest, DecideCall, DecideLine, GATE, GatedCall, Given, Hold, Input, Policy, Proof,
    Refusal, ReleasedBy, Review, ReviewerId, Reviewing, Say, Stage, StopFacts, TokenHash, step,
};
use verger_gate::{Content, Difference, OwnCommand};

use crate::State;
use crate::clock::new_token;
use crate::decision::{Decision, Injection, with_settings};
use crate::facts::{Fact, FactSet, Facts};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::gates::no_tools::{only_observes, pass_observed};
use crate::gates::tool_patterns::gated_patterns;
use block_template::block_template;
use policy::review_policy;
use reviewer::reviewer;
use run::{EndedRun, ReviewRun};

/// The part of an event that the gate handles.
#[derive(Debug)]
pub(crate) enum Trigger {
    Prompt,
    Stop,
    ReviewerStart(SubagentId),
    SubagentStop(SubagentId),
    /// The model service failed for a subagent.
    SubagentFailed(SubagentId),
    /// A call that needs an approval, and the pattern that it matches.
    GatedTool {
        pattern: String,
    },
    /// A call that runs `verger decide`.
    Decide(DecideCall),
}

/// The review gate with its settings.
pub(crate) struct ReviewGate<'a> {
    policy: Policy,
    reviewer: Reviewer<'static>,
    setup: Setup<'a>,
}

impl<'a> Gate<'a> for ReviewGate<'a> {
    type State = Review;
    type Trigger = Trigger;

    fn new(setup: Setup<'a>) -> Self {
        let reviewer = reviewer(setup.settings, setup.spec, setup.registered);
        Self { policy: review_policy(setup.settings), reviewer, setup }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<Trigger> {
        let Observed { actor, event: happened, .. } = event.observed;
        match (happened, actor) {
            (Event::ToolRequested(call), _) => self.call_trigger(call, event),
            (Event::PromptSubmitted { .. }, Actor::Main { .. }) => Some(Trigger::Prompt),
            (Event::StopRequested(_), Actor::Main { .. }) => Some(Trigger::Stop),
            (Event::SubagentStarted, Actor::Subagent { id, agent_type })
                if self.reviewer == (Reviewer::Subagent { agent_type }) =>
            {
                Some(Trigger::ReviewerStart(id.clone()))
            }
            (Event::SubagentStopRequested { .. }, Actor::Subagent { id, .. }) => {
                Some(Trigger::SubagentStop(id.clone()))
            }
            (Event::StopFailed { .. }, Actor::Subagent { id, .. }) => {
                Some(Trigger::SubagentFailed(id.clone()))
            }
            _ => None,
        }
    }

    fn facts(&self, trigger: &Trigger, before: &Before<'_>) -> Option<FactSet> {
        let state = before.state;
        if let Trigger::SubagentFailed(id) = trigger {
            state.review.reviewers.get(&ReviewerId::Subagent(id.clone()))?;
        }
        let is_of_reviewer = matches!(
            trigger,
            Trigger::ReviewerStart(_) | Trigger::SubagentFailed(_) | Trigger::Decide(_)
        );
        let wants_content = match (trigger, &before.observed.event) {
            (Trigger::Stop, Event::StopRequested(request)) => {
                state.review.asks_for_content(&self.policy)
                    && !state.session.waits_for_subagents(request, before.now)
            }
            (Trigger::ReviewerStart(_) | Trigger::GatedTool { .. }, _) => true,
            _ => false,
        };
        // Only these events need a review's result. At other times, the command that runs the
        // review waits for the result and tells the agent.
        let wants_end =
            matches!(trigger, Trigger::Prompt | Trigger::Stop | Trigger::GatedTool { .. })
                && ReviewRun::under_way(&state.review).is_some();
        let facts = FactSet::default()
            .and_if(wants_content, Fact::Content)
            .and_if(wants_end, Fact::ReviewEnd)
            .and_if(is_of_reviewer, Fact::Sender)
            .and_if(matches!(trigger, Trigger::ReviewerStart(_)), Fact::Namesake);
        Some(facts)
    }

    fn facts_at_first_change(&self, before: &Before<'_>) -> FactSet {
        let compares = self.policy.mode != review::Mode::Never
            || !self.setup.settings.review.gated_tools.value.is_empty();
        FactSet::default().and_if(compares && before.begins_task(), Fact::StartTree)
    }

    fn found(&self, facts: &Facts, before: &State, now: Timestamp) -> Vec<Event> {
        match (&facts.review_end, &facts.content) {
            (Some(run), Some(content)) => self.run_ended(run, content, before, now),
            _ => vec![],
        }
    }

    fn decide(&self, trigger: &Trigger, context: &Context<'_>, decision: &mut Decision) {
        let Context { before, state, draft, facts, clock } = *context;
        let now = clock.now();
        match (trigger, &draft.event, &facts.content) {
            (Trigger::Prompt, event @ Event::PromptSubmitted { prompt, .. }, _)
                if before.session.is_persons_prompt(&draft.origin.actor, event) =>
            {
                self.step(&Input::Prompt { text: prompt }, state, now, decision);
            }
            (Trigger::Stop, Event::StopRequested(request), work) => {
                let nothing = Content::nothing();
                let work = work.as_ref().unwrap_or(&nothing);
                self.stop(request, work, context, decision);
            }
            (Trigger::ReviewerStart(_) | Trigger::SubagentFailed(_) | Trigger::Decide(_), _, _)
                if facts.not_client.is_some() =>
            {
                self.not_from_client(trigger, context, decision);
            }
            (Trigger::SubagentFailed(id), Event::StopFailed { error, last_message, .. }, _) => {
                let error = last_message.as_deref().unwrap_or(error);
                let input = Input::ReviewerFailed { reviewer: id, error };
                self.step(&input, state, now, decision);
            }
            (Trigger::ReviewerStart(_), _, Some(work))
                if work.difference == Difference::Unknown =>
            {
                give_no_token("verger could not read the changes of this task", decision);
            }
            (Trigger::ReviewerStart(id), _, Some(work)) => {
                match (&facts.namesake, new_token(clock)) {
                    (None, Some(token)) => {
                        self.brief(id, &token, work, context, decision);
                    }
                    (Some(namesake), _) => give_no_token(&namesake.to_string(), decision),
                    (None, None) => {
                        give_no_token("the system gave no random numbers for a token", decision);
                    }
                }
            }
            (Trigger::SubagentStop(id), _, _) => {
                let said = self.step(&Input::ReviewerStop { reviewer: id }, state, now, decision);
                if said == Say::AskForDecision {
                    let reason = message::ask_for_decision(&session_id(draft));
                    let grounds = Grounds::of_rule("the reviewer has not decided");
                    decision.opinion(GATE, Verdict::Deny { reason }, grounds);
                }
            }
            (Trigger::GatedTool { pattern }, Event::ToolRequested(call), Some(work)) => {
                self.gated_tool(call, pattern, work, context, decision);
            }
            (Trigger::Decide(call), _, _) => self.decide_seen(call, context, decision),
            _ => {}
        }
    }
}

impl ReviewGate<'_> {
    fn call_trigger(&self, call: &ToolCall, event: &EventView<'_>) -> Option<Trigger> {
        if let OwnCommand::Decide(said) = event.own_command {
            return Some(Trigger::Decide(decide_call(event.observed, said.clone())));
        }
        let patterns = gated_patterns(self.setup.settings);
        let pattern = patterns.iter().find(|pattern| pattern.matches(call, event.script))?;
        Some(Trigger::GatedTool { pattern: pattern.text().to_owned() })
    }

    /// The events that record the result of a review that verger ran.
    fn run_ended(
        &self,
        EndedRun { id, end, changed_paths }: &EndedRun,
        content: &Content,
        state: &State,
        now: Timestamp,
    ) -> Vec<Event> {
        let given = Given { decision: &end.decision, content, changed_paths };
        let input = Input::RunEnded { job: id, ran: &end.ran, given };
        let step = step(&state.review, &input, &self.policy, now);
        review::events(&state.review, &step, now)
    }

    fn step(
        &self,
        input: &Input<'_>,
        state: &State,
        now: Timestamp,
        decision: &mut Decision,
    ) -> Say {
        let step = step(&state.review, input, &self.policy, now);
        decision.events.extend(review::events(&state.review, &step, now));
        step.say
    }

    fn stop(
        &self,
        request: &StopRequest,
        work: &Content,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let Context { state, draft, clock, .. } = *context;
        let now = clock.now();
        let attempt = state.review.blocks.last().map_or(0, |block| block.number);
        let task = draft.standing.task.map(|task| task.0.to_string()).unwrap_or_default();
        let chosen = block_template(self.setup.home, &self.setup.settings.review, &task, attempt);
        let template = chosen.template;
        let facts = StopFacts {
            content: work,
            waits: state.session.waits_for_subagents(request, now),
            may_refuse: state.stops.may_refuse(),
            template: &template.id,
        };
        let session = &session_id(draft);
        let input = Input::Stop(facts);
        if only_observes(self.setup.spec, &state.session)
            && matches!(step(&state.review, &input, &self.policy, now).say, Say::RefuseStop(_))
        {
            pass_observed(GATE, self.setup.spec, decision);
            return;
        }
        match self.step(&input, state, now, decision) {
            Say::RefuseStop(hold) => {
                let changes = changes_text(work);
                let reason =
                    message::refuse_stop(&template, &hold, self.reviewer, session, &changes);
                let reason =
                    if decision.denies() { message::after_others(&reason) } else { reason };
                let max = self.policy.blocks.max_blocks;
                let grounds = grounds(&hold, work)
                    .fact("refusal", format!("{} of {max}", hold.number))
                    .fact("template", if hold.repeats() { AGAIN } else { &template.id });
                let keys = &["review.mode", "gates.max_blocks", "gates.cooldown_seconds"];
                let grounds = with_settings(grounds, self.setup.settings, keys);
                decision.opinion(GATE, Verdict::Deny { reason }, grounds);
                decision.notices.push(message::notice_held(&hold, max, session));
                if let Some(message) = chosen.problem {
                    decision
                        .events
                        .push(Event::Warned { area: VergerPart::Template.into(), message });
                }
            }
            Say::PassUnapproved { by, findings } => {
                let what = "The agent stopped:";
                let notice = message::notice_passed(what, by, findings.as_ref(), session);
                decision.notices.push(notice);
                let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
                decision.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::PassUnknown => pass_unknown("The agent stopped:", session, decision),
            _ => {}
        }
    }

    fn gated_tool(
        &self,
        call: &ToolCall,
        pattern: &str,
        work: &Content,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let Context { state, draft, clock, .. } = *context;
        let now = clock.now();
        let gated = GatedCall {
            on: draft.id,
            tool: call.tool.clone(),
            pattern: pattern.to_owned(),
            digest: CallDigest::of(call),
        };
        let session = &session_id(draft);
        match self.step(&Input::GatedTool { call: &gated, content: work }, state, now, decision) {
            Say::DenyTool(hold) => {
                let reason = match draft.origin.actor {
                    Actor::Main { .. } => message::deny_tool(&hold, self.reviewer, session),
                    Actor::Subagent { .. } => message::deny_tool_of_subagent(&hold),
                };
                let grounds = grounds(&hold, work).fact("pattern", pattern);
                let keys = &["review.gated_tools", "review.scope", "review.approval_ttl_seconds"];
                let grounds = with_settings(grounds, self.setup.settings, keys);
                decision.opinion(GATE, Verdict::Deny { reason }, grounds);
                decision.notices.push(message::notice_denied(&hold, session));
            }
            Say::PassUnapproved { by, .. } => {
                // A person who released the call knows already.
                if by != ReleasedBy::Person {
                    let what = format!("`{pattern}` was allowed:");
                    decision.notices.push(message::notice_passed(&what, by, None, session));
                }
                let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
                decision.opinion(GATE, Verdict::NoOpinion, grounds.fact("pattern", pattern));
            }
            Say::PassApproved(approval) => {
                let grounds = Grounds::of_rule("approved")
                    .fact("pattern", pattern)
                    .fact("approved by", approval.reviewer.to_string())
                    .fact("approved content", approval.content.as_str())
                    .fact("content", work.hash.as_str());
                let keys = &["review.gated_tools", "review.scope", "review.approval_ttl_seconds"];
                let grounds = with_settings(grounds, self.setup.settings, keys);
                decision.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::PassUnknown => {
                pass_unknown(&format!("`{pattern}` was allowed:"), session, decision);
            }
            _ => {}
        }
    }

    /// A reviewer's event is ignored if the session's client did not send it.
    fn not_from_client(&self, trigger: &Trigger, context: &Context<'_>, decision: &mut Decision) {
        let Some(not_client) = &context.facts.not_client else { return };
        let why = not_client.to_string();
        match trigger {
            Trigger::ReviewerStart(_) => give_no_token(&why, decision),
            Trigger::Decide(call) => {
                let call = DecideCall { by: None, ..call.clone() };
                self.decide_seen(&call, context, decision);
                decision.events.push(gate_warning(why));
            }
            _ => decision.events.push(gate_warning(why)),
        }
    }

    fn brief(
        &self,
        reviewer: &SubagentId,
        token: &str,
        work: &Content,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let Context { state, draft, clock, .. } = *context;
        let now = clock.now();
        let reviewer = ReviewerId::Subagent(reviewer.clone());
        // A reviewer that gets a message starts again. Some clients don't pass on the text that
        // verger returns at that moment, so a new token might not arrive. The old token stays
        // valid.
        let (proof, token) = match state.review.reviewers.get(&reviewer) {
            Some(Reviewing { proof: proof @ Proof::Token(_), stage, .. })
                if *stage != Stage::Decided =>
            {
                (proof.clone(), "YOUR_TOKEN")
            }
            _ => (Proof::Token(TokenHash::of(token)), token),
        };
        let input = Input::ReviewerStarted { reviewer, proof, content: work };
        if self.step(&input, state, now, decision) == Say::BriefReviewer {
            let text = |token| message::brief_reviewer(&session_id(draft), &work.hash, token);
            let grounds =
                Grounds::of_rule("a reviewer started").fact("content", work.hash.as_str());
            let sources = vec!["review gate".to_owned()];
            let injected = Injection::new(sources, text(token), grounds);
            decision.injections.push(Injection { kept: text("[token]"), ..injected });
        }
    }

    fn decide_seen(&self, call: &DecideCall, context: &Context<'_>, decision: &mut Decision) {
        let Context { state, draft, clock, .. } = *context;
        match self.step(&Input::DecideSeen(call.clone()), state, clock.now(), decision) {
            Say::AllowDecision => {
                let reason = "the reviewer decides".to_owned();
                let grounds = Grounds::of_rule("the reviewer has the token for this decision");
                decision.opinion(GATE, Verdict::Allow { reason }, grounds);
            }
            Say::RefuseDecision(why) => {
                let reason = message::refuse_decision(&why, self.reviewer, &session_id(draft));
                let grounds = Grounds::of_rule(why.to_string());
                decision.opinion(GATE, Verdict::Deny { reason }, grounds);
            }
            _ => {}
        }
    }
}

fn grounds(hold: &Hold, content: &Content) -> Grounds {
    Grounds::of_rule(hold.reason.words())
        .fact("wanted by", hold.want.trigger.to_string())
        .fact("content", content.hash.as_str())
        .fact("changed", changes_text(content))
}

fn pass_unknown(what: &str, session: &str, decision: &mut Decision) {
    decision.notices.push(message::notice_unknown(what, session));
    let grounds = Grounds::of_rule("the work could not be compared with what was approved");
    decision.opinion(GATE, Verdict::NoOpinion, grounds);
}

fn give_no_token(why: &str, decision: &mut Decision) {
    let text = message::no_token(why);
    let grounds = Grounds::of_rule("this agent is not known to be the reviewer");
    decision.inject("review gate", text, grounds);
    decision.events.push(gate_warning(why.to_owned()));
}

fn gate_warning(message: String) -> Event {
    Event::Warned { area: VergerPart::ReviewGate.into(), message }
}

fn changes_text(content: &Content) -> String {
    match content.difference {
        Difference::None => "nothing".to_owned(),
        Difference::Files(1) => "1 file".to_owned(),
        Difference::Files(count) => format!("{count} files"),
        Difference::MovedOut => {
            "nothing in this working tree; work was stashed or left on another branch".to_owned()
        }
        Difference::Unknown => "unknown".to_owned(),
    }
}

/// The session's id in the form used in commands.
fn session_id(draft: &Draft) -> Cow<'_, str> {
    draft.origin.session.word()
}

/// The reviewer's decision command in an agent's call.
fn decide_call(observed: &Observed, said: Result<DecideLine, Refusal>) -> DecideCall {
    let by = match &observed.actor {
        Actor::Main { .. } => None,
        Actor::Subagent { id, .. } => Some(id.clone()),
    };
    let said = said.and_then(|DecideLine { session, token, decision }| {
        if session.is_some_and(|session| session != observed.session.as_str()) {
            return Err(Refusal::OtherSession);
        }
        let token = token.ok_or(Refusal::NoToken)?;
        Ok((TokenHash::of(&token), decision))
    });
    DecideCall { by, said }
}
