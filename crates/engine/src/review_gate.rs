//! The review gate at the hook: what of an event concerns it, what it has to know first, and what
//! it says.

use std::borrow::Cow;

use verger_config::Settings;
use verger_event::{
    Actor, Draft, Event, Grounds, StopRequest, SubagentId, Timestamp, ToolCall, Verdict,
};
use verger_gate::review::message::{self, Reviewer};
use verger_gate::review::{
    self, CallDigest, DecideCall, GATE, GatedCall, Given, Hold, Input, Policy, Proof, ReleasedBy,
    ReviewerId, Reviewing, Say, Stage, StopFacts, TokenHash, step,
};
use verger_gate::{Content, Difference, State};
use verger_store_local::Home;

use crate::block_template::block_template;
use crate::clock::new_token;
use crate::gates::Told;
use crate::review_run::EndedRun;
use crate::spoken::{Injected, Spoken, with_settings};

/// What of an event concerns the gate.
#[derive(Debug)]
pub(crate) enum Matter {
    Nothing,
    Prompt,
    Stop,
    ReviewerStart(SubagentId),
    SubagentStop(SubagentId),
    /// A call that fits this pattern.
    GatedTool {
        pattern: String,
    },
    /// A call that runs the command that decides.
    Decide(DecideCall),
}

/// How the gate is set in this session.
#[derive(Debug)]
pub(crate) struct ReviewGate<'a> {
    pub(crate) policy: Policy,
    pub(crate) reviewer: Reviewer<'static>,
    pub(crate) settings: &'a Settings,
    pub(crate) home: &'a Home,
}

impl ReviewGate<'_> {
    /// What of an event that is no tool call concerns the gate.
    pub(crate) fn matter(&self, actor: &Actor, event: &Event) -> Matter {
        match (event, actor) {
            (Event::PromptSubmitted { .. }, Actor::Main { .. }) => Matter::Prompt,
            (Event::StopRequested(_), Actor::Main { .. }) => Matter::Stop,
            (Event::SubagentStarted, Actor::Subagent { id, agent_type })
                if self.reviewer == (Reviewer::Subagent { agent_type }) =>
            {
                Matter::ReviewerStart(id.clone())
            }
            (Event::SubagentStopRequested { .. }, Actor::Subagent { id, .. }) => {
                Matter::SubagentStop(id.clone())
            }
            _ => Matter::Nothing,
        }
    }

    /// Whether where a task starts from may matter later.
    pub(crate) fn asks_for_start_tree(&self) -> bool {
        self.policy.mode != review::Mode::Never
            || !self.settings.review.gated_tools.value.is_empty()
    }

    /// Whether the content of the work has to be known. `state` is that before the event.
    pub(crate) fn asks_for_content(
        &self,
        matter: &Matter,
        (state, event): (&State, &Event),
        now: Timestamp,
    ) -> bool {
        match (matter, event) {
            (Matter::Stop, Event::StopRequested(request)) => {
                state.review.asks_for_content(&self.policy)
                    && !state.session.waits_for_subagents(request, now)
            }
            (Matter::ReviewerStart(_) | Matter::GatedTool { .. }, _) => true,
            _ => false,
        }
    }

    /// What follows from the end of a review that verger ran.
    pub(crate) fn run_ended(
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

    /// Steps the gate.
    pub(crate) fn speak(&self, matter: &Matter, told: &Told<'_>, spoken: &mut Spoken) {
        let Told { before, state, draft, facts, clock } = *told;
        let now = clock.now();
        match (matter, &draft.event, &facts.content) {
            (Matter::Prompt, event @ Event::PromptSubmitted { prompt, .. }, _)
                if before.session.is_persons_prompt(&draft.origin.actor, event) =>
            {
                self.step(&Input::Prompt { text: prompt }, state, now, spoken);
            }
            (Matter::Stop, Event::StopRequested(request), content) => {
                let nothing = Content::nothing();
                let content = content.as_ref().unwrap_or(&nothing);
                self.stop(request, (state, draft), content, now, spoken);
            }
            (Matter::ReviewerStart(_), _, Some(content))
                if content.difference == Difference::Unknown =>
            {
                give_no_token("verger could not look at the work", spoken);
            }
            (Matter::ReviewerStart(id), _, Some(content)) => {
                match (&facts.namesake, new_token(clock)) {
                    (None, Some(token)) => {
                        self.brief(id, &token, (state, draft), content, now, spoken);
                    }
                    (Some(namesake), _) => give_no_token(&namesake.to_string(), spoken),
                    (None, None) => give_no_token("there is no randomness for a token", spoken),
                }
            }
            (Matter::SubagentStop(id), _, _) => {
                let said = self.step(&Input::ReviewerStop { reviewer: id }, state, now, spoken);
                if said == Say::AskForDecision {
                    let reason = message::ask_for_decision(&session_id(draft));
                    let grounds = Grounds::of_rule("the reviewer has not decided");
                    spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
                }
            }
            (Matter::GatedTool { pattern }, Event::ToolRequested(call), Some(content)) => {
                self.gated_tool((call, pattern), (state, draft), content, now, spoken);
            }
            (Matter::Decide(call), _, _) => self.decide(call, (state, draft), now, spoken),
            _ => {}
        }
    }

    fn step(&self, input: &Input<'_>, state: &State, now: Timestamp, spoken: &mut Spoken) -> Say {
        let step = step(&state.review, input, &self.policy, now);
        spoken.events.extend(review::events(&state.review, &step, now));
        step.say
    }

    fn stop(
        &self,
        request: &StopRequest,
        (state, draft): (&State, &Draft),
        content: &Content,
        now: Timestamp,
        spoken: &mut Spoken,
    ) {
        let attempt = state.review.blocks.last().map_or(0, |block| block.number);
        let task = draft.standing.task.map(|task| task.0.to_string()).unwrap_or_default();
        let chosen = block_template(self.home, &self.settings.review, (&task, attempt));
        let template = chosen.template;
        let facts = StopFacts {
            content,
            waits: state.session.waits_for_subagents(request, now),
            may_refuse: state.stops.may_refuse(),
            template: &template.id,
        };
        let session = &session_id(draft);
        match self.step(&Input::Stop(facts), state, now, spoken) {
            Say::RefuseStop(hold) => {
                let changes = changes_text(content);
                let reason =
                    message::refuse_stop(&template, &hold, self.reviewer, session, &changes);
                let reason = if spoken.denies() { message::after_others(&reason) } else { reason };
                let max = self.policy.blocks.max_blocks;
                let grounds = grounds(&hold, content)
                    .fact("refusal", format!("{} of {max}", hold.number))
                    .fact("template", &*template.id);
                let keys = &["review.mode", "gates.max_blocks", "gates.cooldown_seconds"];
                let grounds = with_settings(grounds, self.settings, keys);
                spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
                spoken.notices.push(message::notice_held(&hold, max, session));
                if let Some(message) = chosen.problem {
                    spoken.events.push(Event::Warned { area: "template".to_owned(), message });
                }
            }
            Say::PassUnapproved { by, findings } => {
                let what = "The agent stopped:";
                let notice = message::notice_passed(what, by, findings.as_ref(), session);
                spoken.notices.push(notice);
                let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
                spoken.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::PassUnknown => pass_unknown("The agent stopped:", session, spoken),
            _ => {}
        }
    }

    fn gated_tool(
        &self,
        (call, pattern): (&ToolCall, &str),
        (state, draft): (&State, &Draft),
        content: &Content,
        now: Timestamp,
        spoken: &mut Spoken,
    ) {
        let gated = GatedCall {
            on: draft.id,
            tool: call.tool.clone(),
            pattern: pattern.to_owned(),
            digest: CallDigest::of(call),
        };
        let session = &session_id(draft);
        match self.step(&Input::GatedTool { call: &gated, content }, state, now, spoken) {
            Say::DenyTool(hold) => {
                let reason = match draft.origin.actor {
                    Actor::Main { .. } => message::deny_tool(&hold, self.reviewer, session),
                    Actor::Subagent { .. } => message::deny_tool_of_subagent(&hold),
                };
                let grounds = grounds(&hold, content).fact("pattern", pattern);
                let keys = &["review.gated_tools", "review.scope", "review.approval_ttl_seconds"];
                let grounds = with_settings(grounds, self.settings, keys);
                spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
                spoken.notices.push(message::notice_denied(&hold, session));
            }
            Say::PassUnapproved { by, .. } if by != ReleasedBy::Person => {
                let what = format!("`{pattern}` was let through:");
                spoken.notices.push(message::notice_passed(&what, by, None, session));
                let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
                spoken.opinion(GATE, Verdict::NoOpinion, grounds);
            }
            Say::PassUnknown => {
                pass_unknown(&format!("`{pattern}` was let through:"), session, spoken);
            }
            _ => {}
        }
    }

    fn brief(
        &self,
        reviewer: &SubagentId,
        token: &str,
        (state, draft): (&State, &Draft),
        content: &Content,
        now: Timestamp,
        spoken: &mut Spoken,
    ) {
        let reviewer = ReviewerId::Subagent(reviewer.clone());
        // A message makes it start again, and not every client passes on what is said then: the
        // token that it has stays good.
        let (proof, token) = match state.review.reviewers.get(&reviewer) {
            Some(Reviewing { proof: proof @ Proof::Token(_), stage, .. })
                if *stage != Stage::Decided =>
            {
                (proof.clone(), "YOUR_TOKEN")
            }
            _ => (Proof::Token(TokenHash::of(token)), token),
        };
        let input = Input::ReviewerStarted { reviewer, proof, content };
        if self.step(&input, state, now, spoken) == Say::BriefReviewer {
            let text = |token| message::brief_reviewer(&session_id(draft), &content.hash, token);
            spoken.injected.push(Injected {
                text: text(token),
                kept: text("[token]"),
                sources: vec!["review gate".to_owned()],
                grounds: Grounds::of_rule("a reviewer started")
                    .fact("content", content.hash.as_str()),
                ..Injected::default()
            });
        }
    }

    fn decide(
        &self,
        call: &DecideCall,
        (state, draft): (&State, &Draft),
        now: Timestamp,
        spoken: &mut Spoken,
    ) {
        match self.step(&Input::DecideSeen(call.clone()), state, now, spoken) {
            Say::AllowDecision => {
                let reason = "the reviewer decides".to_owned();
                let grounds = Grounds::of_rule("the token is this reviewer's");
                spoken.opinion(GATE, Verdict::Allow { reason }, grounds);
            }
            Say::RefuseDecision(why) => {
                let reason = message::refuse_decision(&why, self.reviewer, &session_id(draft));
                let grounds = Grounds::of_rule(why.to_string());
                spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
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

fn pass_unknown(what: &str, session: &str, spoken: &mut Spoken) {
    spoken.notices.push(message::notice_unknown(what, session));
    let grounds = Grounds::of_rule("the work could not be compared with what was approved");
    spoken.opinion(GATE, Verdict::NoOpinion, grounds);
}

fn give_no_token(why: &str, spoken: &mut Spoken) {
    let text = message::no_token(why);
    let (kept, sources) = (text.clone(), vec!["review gate".to_owned()]);
    let grounds = Grounds::of_rule("not known to be the reviewer");
    spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
    let warning = Event::Warned { area: "review gate".to_owned(), message: why.to_owned() };
    spoken.events.push(warning);
}

fn changes_text(content: &Content) -> String {
    match content.difference {
        Difference::None => "nothing".to_owned(),
        Difference::Files(1) => "1 file".to_owned(),
        Difference::Files(count) => format!("{count} files"),
        Difference::MovedOut => "nothing here; work was stashed or left on a branch".to_owned(),
        Difference::Unknown => "unknown".to_owned(),
    }
}

/// As it stands in commands.
fn session_id(draft: &Draft) -> Cow<'_, str> {
    draft.origin.session.word()
}
