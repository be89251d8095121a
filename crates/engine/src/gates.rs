//! All gates and guards at the hook: which of them an event concerns, what they have to know before
//! they can speak, and what they say together.

use verger_agent::{AgentSpec, Observed};
use verger_config::Settings;
use verger_event::{Actor, Draft, Event, EventId, Timestamp, ToolCall};
use verger_gate::permission::opinion::Opinion;
use verger_gate::review::{DecideCall, DecideLine, Refusal, TokenHash};
use verger_gate::{LeftLine, OwnCommand, Start, State};
use verger_shell::Script;
use verger_store_local::Home;

use crate::delegation_gate::{self, DelegationGate, delegation_policy};
use crate::drift_gate::{DriftGate, drift_policy};
use crate::facts::{Facts, Question};
use crate::guard::Judged;
use crate::habit_guard::{self, HabitGuard, StagedSecrets, habit_policy, look_at_commits};
use crate::implicit_use;
use crate::learning_gate::{self, LearningGate};
use crate::learning_policy::learning_policy;
use crate::left_commands::left_by;
use crate::offering;
use crate::opinion::OpinionFailure;
use crate::own_commands;
use crate::recalling::{self, occasion};
use crate::review_gate::{Matter, ReviewGate};
use crate::review_policy::review_policy;
use crate::review_rules::reviewer;
use crate::review_run::ReviewRun;
use crate::spoken::Spoken;
use crate::tool_patterns::gated_patterns;
use crate::undo::{SavedBefore, Saver};
use crate::verification_gate::{self, VerificationGate};
use crate::verification_policy::verification_policy;
use crate::{Clock, Environment, Registered};

/// The gates and guards, set as the user wants them.
pub(crate) struct Gates<'a> {
    review: ReviewGate<'a>,
    learning: LearningGate<'a>,
    delegation: DelegationGate<'a>,
    verification: VerificationGate<'a>,
    habits: HabitGuard<'a>,
    pub(crate) drift: DriftGate<'a>,
}

/// What of an event concerns which of them. Found without the session.
pub(crate) struct Concern {
    review: Matter,
    learning: learning_gate::Matter,
    delegation: delegation_gate::Matter,
    verification: verification_gate::Matter,
    habits: habit_guard::Matter,
    own_command: OwnCommand,
    guard: Option<Judged>,
}

/// What they are told beside what concerns them.
pub(crate) struct Told<'a> {
    /// The session before the event.
    pub(crate) before: &'a State,
    /// The session with it.
    pub(crate) state: &'a State,
    pub(crate) draft: &'a Draft,
    pub(crate) facts: &'a Facts,
    pub(crate) clock: &'a Clock,
}

impl Concern {
    /// Whether another gate than drift has something to look at.
    pub(crate) fn has_matter(&self, facts: &Facts) -> bool {
        !self.is_nothing()
            || facts.recalled.is_some()
            || !facts.offers.is_empty()
            || !facts.used.is_empty()
            || facts.opinion.is_some()
    }

    fn is_nothing(&self) -> bool {
        matches!(self.review, Matter::Nothing)
            && matches!(self.learning, learning_gate::Matter::Nothing)
            && matches!(self.delegation, delegation_gate::Matter::Nothing)
            && matches!(self.verification, verification_gate::Matter::Nothing)
            && self.habits.is_nothing()
            && self.own_command == OwnCommand::None
            && !self.guard.as_ref().is_some_and(Judged::is_of_note)
    }

    /// What the program of the user's choice thinks of the call.
    pub(crate) fn opinion(
        &self,
        environment: &Environment,
    ) -> Option<Result<Opinion, OpinionFailure>> {
        self.guard.as_ref().and_then(|guard| guard.opinion(environment))
    }

    /// Saves what a call that a person let run may destroy.
    pub(crate) fn save(&self, saver: &Saver<'_>, observed: &Observed) -> Option<SavedBefore> {
        let guard = self.guard.as_ref()?;
        let Event::ToolRequested(call) = &observed.event else { return None };
        let script = call.shell_line().map(verger_shell::read);
        guard.save(saver, observed, script.as_ref())
    }

    /// The id that the record of the call has to get, if an undo point names it.
    pub(crate) fn reserved_id(&self) -> Option<EventId> {
        self.guard.as_ref().and_then(Judged::reserved_id)
    }

    /// What the look at the commits of a call came to, and what could not be seen.
    pub(crate) fn staged(
        &self,
        secret_names: &[String],
        environment: &Environment,
    ) -> (StagedSecrets, Vec<Event>) {
        look_at_commits(self.habits.commits(), secret_names, environment)
    }

    /// What is said when the gates broke: the guard was asked before them.
    pub(crate) fn guard_alone(&self) -> Spoken {
        let mut spoken = Spoken::default();
        if let Some(guard) = &self.guard {
            guard.speak_alone(&mut spoken);
        }
        spoken
    }
}

impl<'a> Gates<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        home: &'a Home,
        spec: &'static AgentSpec,
        (registered, environment): (Registered, &'a Environment),
    ) -> Self {
        let reviewer = reviewer(settings, spec, registered);
        let review = ReviewGate { home, policy: review_policy(settings), reviewer, settings };
        let learning = LearningGate { policy: learning_policy(settings), settings };
        let policy = delegation_policy(settings);
        let delegation = DelegationGate { policy, settings, spec, environment };
        let verification =
            VerificationGate { policy: verification_policy(settings), reviewer, settings };
        let habits = HabitGuard { policy: habit_policy(settings), settings, spec, environment };
        let drift = DriftGate { policy: drift_policy(settings), settings, spec };
        Self { review, learning, delegation, verification, habits, drift }
    }

    /// With what the guard thinks of it, and the line that it runs as that was read for the guard.
    pub(crate) fn concern(
        &self,
        observed: &Observed,
        (guard, script): (Option<Judged>, Option<Script>),
    ) -> Concern {
        match &observed.event {
            Event::ToolRequested(call) => self.call_concern(call, observed, (guard, script)),
            event => Concern {
                review: self.review.matter(&observed.actor, event),
                learning: self.learning.matter(&observed.actor, event),
                delegation: delegation_gate::Matter::Nothing,
                verification: self.verification.matter(&observed.actor, event),
                habits: habit_guard::Matter::default(),
                own_command: OwnCommand::None,
                guard,
            },
        }
    }

    fn call_concern(
        &self,
        call: &ToolCall,
        observed: &Observed,
        (mut guard, script): (Option<Judged>, Option<Script>),
    ) -> Concern {
        let patterns = gated_patterns(self.review.settings);
        // Nothing was read where no guard was asked, where it broke, and where it waited for a disk.
        let script = script.or_else(|| call.shell_line().map(verger_shell::read));
        let skip = self.learning.policy.skip;
        let own_command =
            script.as_ref().map_or(OwnCommand::None, |script| OwnCommand::of(script, skip));
        let learning = self.learning.call_matter(call, script.as_ref());
        let review = match &own_command {
            OwnCommand::Decide(said) => Matter::Decide(decide_call(observed, said.clone())),
            _ => match patterns.iter().find(|pattern| pattern.matches(call, script.as_ref())) {
                Some(pattern) => Matter::GatedTool { pattern: pattern.text().to_owned() },
                None => Matter::Nothing,
            },
        };
        let habits = self.habits.call_matter(call, observed, script.as_ref());
        if let (Some(guard), Some(line)) = (&mut guard, habits.line()) {
            guard.also_judge(line, self.review.home, self.habits.environment);
        }
        let is_agents = matches!(
            own_command,
            OwnCommand::Agents { .. } | OwnCommand::AgentsTrusted { .. } | OwnCommand::Decide(_)
        );
        let is_harmless = is_agents || guard.as_ref().is_some_and(Judged::is_harmless);
        let delegation = self.delegation.call_matter(call, observed, is_harmless);
        let verification = verification_gate::Matter::Nothing;
        Concern { review, learning, delegation, verification, habits, own_command, guard }
    }

    /// What a call that ended left to the hook.
    pub(crate) fn left(&self, observed: &Observed) -> LeftLine {
        left_by(observed, self.learning.policy.skip)
    }

    /// What has to be looked up, given the session before the event.
    pub(crate) fn questions(
        &self,
        concern: &Concern,
        state: &State,
        observed: &Observed,
        now: Timestamp,
    ) -> Vec<Question> {
        let may_change =
            matches!(&observed.event, Event::ToolRequested(call) if call.may_change_files());
        let begins_task = may_change
            && state.work.start == Start::NotTaken
            && state.session.current_task().is_some();
        let wants_baseline = may_change && self.learning.asks_for_baseline(state)
            || begins_task && self.verification.asks_for_start_tree();
        let wants_start_tree = begins_task && self.review.asks_for_start_tree();
        let before = (state, &observed.event);
        let is_verified = self.verification.asks_for_content(&concern.verification, before, now);
        let wants_content =
            is_verified || self.review.asks_for_content(&concern.review, before, now);
        let wants_changes = self.learning.asks_for_changes(&concern.learning, before, now);
        let is_wanted = |question: &Question| match question {
            Question::StartTree => wants_start_tree || wants_baseline,
            Question::Baseline => wants_baseline,
            Question::Content => wants_content,
            Question::Extent => is_verified,
            Question::Committed => is_verified && self.verification.requires_commits(),
            Question::Namesake => matches!(concern.review, Matter::ReviewerStart(_)),
            // Where it decides something. Otherwise it is left to the command that is run to wait for
            // it, and that tells the agent.
            Question::ReviewEnd => {
                matches!(concern.review, Matter::Prompt | Matter::Stop | Matter::GatedTool { .. })
                    && ReviewRun::under_way(&state.review).is_some()
            }
            Question::Tickets => self.learning.asks_for_tickets(&concern.learning, state, observed),
            Question::Changes => wants_changes,
            Question::Recall => occasion(observed, state, self.review.settings).is_some(),
            Question::EarlierTasks => offering::is_asked(observed, state, self.review.settings),
            Question::Uses => implicit_use::is_asked(observed, state),
            Question::Staged => !concern.habits.commits().is_empty(),
            Question::Score => self.drift.asks_for_score(state, observed, now),
            Question::Reading => self.drift.asks_for_reading(state, observed, now),
            Question::ChangedPaths => self.drift.asks_for_changed_paths(state, observed),
            Question::Opinion => {
                concern.guard.as_ref().is_some_and(|guard| guard.asks_opinion(state, now))
            }
            Question::UndoPoint => {
                concern.guard.as_ref().is_some_and(|guard| guard.asks_for_point(state, now))
            }
        };
        Question::ALL.into_iter().filter(is_wanted).collect()
    }

    /// What the log keeps of a review that ended behind everybody's back, before anything else.
    pub(crate) fn review_ended(&self, state: &State, facts: &Facts, now: Timestamp) -> Vec<Event> {
        match (&facts.review_end, &facts.content) {
            (Some(run), Some(content)) => self.review.run_ended(run, content, state, now),
            _ => vec![],
        }
    }

    pub(crate) fn speak(&self, concern: &Concern, told: &Told<'_>) -> Spoken {
        let mut spoken = Spoken::default();
        if concern.has_matter(told.facts) {
            self.speak_before_drift(concern, told, &mut spoken);
        }
        // What somebody else holds back has not ended, and is not told twice.
        self.drift.speak(told, &mut spoken);
        self.verification.tell_marker(&told.draft.event, &mut spoken);
        spoken
    }

    /// Not inlined: many calls concern drift alone.
    #[inline(never)]
    fn speak_before_drift(&self, concern: &Concern, told: &Told<'_>, spoken: &mut Spoken) {
        if let Some(guard) = &concern.guard {
            guard.speak(told, self.review.settings, spoken);
        }
        let places = (self.review.home, self.delegation.environment);
        own_commands::speak(&concern.own_command, told, places, spoken);
        // Before the review: what is fixed for a verification has to be reviewed again.
        self.verification.speak(&concern.verification, told, spoken);
        self.review.speak(&concern.review, told, spoken);
        implicit_use::speak(told, spoken);
        self.learning.speak(&concern.learning, told, spoken);
        self.habits.speak(&concern.habits, told, spoken);
        // Last of those that may be against a call: what does not happen does not count.
        self.delegation.speak(&concern.delegation, told, spoken);
        recalling::speak(told, spoken);
        // Behind the learnings: it gets what they leave.
        offering::speak(told, (self.drift.settings, self.drift.spec), spoken);
    }
}

/// The command that decides, as it was seen from whoever wants to run it.
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
