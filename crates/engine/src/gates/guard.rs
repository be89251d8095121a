//! The guard of tool calls. It judges a call before the session is opened, so its answer is given
//! even if recording fails.
//!
//! Two things need the session. The approval of a build is valid only while the files that define
//! the build are unchanged in this task. A person's release is valid for one call. If the session
//! can't be opened, neither is used.

mod conditions;
mod definitions;
mod limited;
mod links;
pub(crate) mod opinion;
pub(crate) mod oracle;
mod own_paths;
mod protected;
pub(crate) mod rules;

use std::path::{Path, PathBuf};

use crate::Home;
use verger_agent::{AgentSpec, GuardClient, Observed, guard_client};
use verger_config::{ProgramCommand, Settings};
use verger_event::{
    Answer, Event, EventId, Grounds, GuardMode, Sent, Subject, Timestamp, ToolCall, ToolUse,
    Triage, Verdict,
};
use verger_gate::asking::{Asked, asked};
use verger_gate::permission::opinion::{OPINION, Opinion};
use verger_gate::permission::{
    Access, Finding, GUARD, Ground, GuardState, Judgement, Swept, message, release,
};
use verger_shell::Script;
use verger_worktree::{Surroundings, root_without_git};

use crate::decision::{Decision, with_settings};
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::settings::LoadedSettings;
use crate::undo::{
    Endangered, SavedBefore, Saver, emptied_by, hidden_in, named_by, removed_by, swept_by,
};
use crate::{Environment, State};
use limited::OwnedGround;
use opinion::{OpinionFailure, OpinionRequest, ask_opinion};

pub use conditions::EdgeFacts;
pub use limited::{Answered, LineGuard, Release};
pub use protected::ProtectedFiles;

/// The guard, set up for one event.
pub(crate) struct Guard<'a> {
    pub(crate) spec: &'static AgentSpec,
    pub(crate) event_name: &'a str,
    pub(crate) environment: &'a Environment,
    pub(crate) home: Option<&'a Home>,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) settings: &'a Settings,
    pub(crate) mode: GuardMode,
}

/// The guard's mode: from the settings, or from the registration if the settings can't be read.
pub fn guard_mode(loaded: Option<&LoadedSettings>, registered: Option<GuardMode>) -> GuardMode {
    let Some(loaded) = loaded else { return registered.unwrap_or(GuardMode::Observe) };
    let setting = &loaded.settings.guard.mode;
    let is_said = setting.origin != verger_config::Origin::Default;
    match registered {
        Some(registered) if !is_said && !loaded.problems.is_empty() => registered,
        Some(_) | None => setting.value,
    }
}

/// The guard's judgement of one call, with the values that its answer needs.
pub(crate) struct Judged {
    judgement: Judgement,
    /// The call, if the rules let a person release it once.
    call: Option<ToolCall>,
    client: Option<&'static GuardClient>,
    event_name: String,
    permission_mode: Option<String>,
    mode: GuardMode,
    cwd: Option<String>,
    /// Whether the call runs outside of the client's own sandbox.
    leaves_sandbox: bool,
    /// The program that gives an opinion on calls for which no rule exists.
    oracle: Option<ProgramCommand>,
    /// Whether the call may change files.
    access: Access,
    /// The result of saving files that the call may destroy. `None` if that was not tried.
    saved: Option<SavedBefore>,
    /// The guard for another command line that may replace this call's, and the project's root.
    line_guard: Option<(LineGuard, Option<PathBuf>)>,
}

/// The guard after the session is opened: it applies a person's release and records the
/// judgement.
pub(crate) struct GuardGate<'a> {
    settings: &'a Settings,
}

impl<'a> Gate<'a> for GuardGate<'a> {
    type State = GuardState;
    type Trigger = Judged;

    fn new(setup: Setup<'a>) -> Self {
        Self { settings: setup.settings }
    }

    /// Always `None`. The engine inserts the judgement, which was made before the session was
    /// opened.
    fn trigger(&self, _event: &EventView<'_>) -> Option<Judged> {
        None
    }

    fn facts(&self, judged: &Judged, before: &Before<'_>) -> Option<FactSet> {
        let Before { state, now, .. } = *before;
        let facts = FactSet::default()
            .and_if(judged.asks_opinion(state, now), Fact::Opinion)
            .and_if(judged.asks_for_point(state, now), Fact::UndoPoint);
        (facts != FactSet::default() || judged.is_of_note()).then_some(facts)
    }

    fn decide(&self, judged: &Judged, context: &Context<'_>, decision: &mut Decision) {
        judged.decide(context, self.settings, decision);
    }
}

impl Guard<'_> {
    /// Judges an event's call. Returns the judgement and the parsed command line.
    pub(crate) fn judge(&self, observed: &Observed) -> (Option<Judged>, Option<Script>) {
        let Some(call) = tool_call(&observed.event) else { return (None, None) };
        let cwd = observed.circumstance.cwd.as_deref();
        let of_file = |path, access| {
            let judgement = self.judge_file(path, access, cwd)?;
            let release =
                if judgement.own_files().is_some() { Release::No } else { Release::Possible };
            Some(Answered { judgement, script: None, release })
        };
        let mut line_guard = None;
        let answered = match call.subject() {
            Subject::Line(line) => {
                let guard = self.line_guard(cwd);
                let answered = self.place().judge(guard.judge(line));
                line_guard = Some((guard, self.surroundings.root().map(Path::to_owned)));
                Some(answered)
            }
            Subject::Written(paths) => {
                paths.into_iter().find_map(|path| of_file(path, Access::Write))
            }
            Subject::Read(path) => of_file(path, Access::Read),
            Subject::Searched { path, names } => {
                path.into_iter().chain(names).find_map(|path| of_file(path, Access::Read))
            }
            Subject::Hidden => {
                let why = "the input of the call does not name the files that it changes";
                let judgement = Judgement::of_hidden(why);
                Some(Answered { judgement, script: None, release: Release::No })
            }
            Subject::Other => None,
        };
        let Some(Answered { judgement, script, release }) = answered else { return (None, None) };
        let call = Some(call.clone()).filter(|_| release == Release::Possible);
        (Some(Judged { line_guard, ..self.judged(judgement, observed, call) }), script)
    }

    /// The judgement of a call whose payload could not be read.
    pub(crate) fn hidden(&self, why: &str, observed: &Observed) -> Option<Judged> {
        let client = guard_client(self.spec.name)?;
        let is_asked = self.mode == GuardMode::Enforce && client.guards(self.event_name);
        is_asked.then(|| self.judged(Judgement::of_hidden(why), observed, None))
    }

    fn judged(&self, judgement: Judgement, observed: &Observed, call: Option<ToolCall>) -> Judged {
        Judged {
            judgement,
            call,
            client: guard_client(self.spec.name),
            event_name: self.event_name.to_owned(),
            permission_mode: observed.circumstance.permission_mode.clone(),
            mode: self.mode,
            cwd: observed.circumstance.cwd.clone(),
            leaves_sandbox: leaves_sandbox(&observed.event),
            oracle: self.settings.guard.opinion.value.clone().filter(|_| {
                matches!(observed.event, Event::PermissionAsked { .. })
                    && self.mode == GuardMode::Enforce
            }),
            access: match tool_call(&observed.event) {
                Some(call) if !call.may_change_files() => Access::Read,
                Some(_) | None => Access::Write,
            },
            saved: None,
            line_guard: None,
        }
    }

    fn line_guard(&self, cwd: Option<&str>) -> LineGuard {
        let lifted = self.settings.guard.allow_dangerous.value.clone();
        LineGuard::new(self.home, cwd, self.environment, self.surroundings, lifted)
    }

    fn place(&self) -> Place<'_> {
        Place { environment: self.environment, home: self.home, root: self.surroundings.root() }
    }

    fn ground(&self, cwd: Option<&str>) -> OwnedGround {
        OwnedGround::of(self.home, cwd, self.environment, self.surroundings)
    }

    fn judge_file(&self, path: &str, access: Access, cwd: Option<&str>) -> Option<Judgement> {
        let ground = self.ground(cwd);
        protected::protection(path, access, &ground).map(Judgement::of_protected)
    }
}

/// The place where a command line would run. The conditions of an approval may depend on it.
#[derive(Clone, Copy)]
struct Place<'a> {
    environment: &'a Environment,
    home: Option<&'a Home>,
    root: Option<&'a Path>,
}

impl Place<'_> {
    /// The judgement, after the conditions of its approval are checked.
    fn judge(&self, answered: Answered) -> Answered {
        let Self { environment, home, root } = *self;
        let facts = EdgeFacts { environment, home, root, script: answered.script.as_ref() };
        Answered { judgement: answered.judgement.under(&facts), ..answered }
    }
}

impl Judged {
    /// Also judges a command line that replaces the agent's. The stricter of the two judgements
    /// is used.
    pub(crate) fn also_judge(&mut self, line: &str, home: &Home, environment: &Environment) {
        let Some((guard, root)) = &self.line_guard else { return };
        let place = Place { environment, home: Some(home), root: root.as_deref() };
        let Answered { judgement, .. } = place.judge(guard.judge(line));
        if judgement.is_stricter_than(&self.judgement) {
            self.judgement = judgement;
        } else {
            self.judgement.conditions.extend(judgement.conditions);
        }
    }

    /// Saves the files that the call may destroy, unless the call is denied.
    pub(crate) fn saved_by(
        mut self,
        saver: &Saver<'_>,
        observed: &Observed,
        script: Option<&Script>,
    ) -> Self {
        if self.sent(&self.judgement) != Sent::Deny {
            self.saved = self.save(saver, observed, script);
        }
        self
    }

    /// Saves the files that the call may destroy. A call that the guard isn't against destroys
    /// only the existing files that it removes or overwrites.
    pub(crate) fn save(
        &self,
        saver: &Saver<'_>,
        observed: &Observed,
        script: Option<&Script>,
    ) -> Option<SavedBefore> {
        if !self.asks_to_save(saver.settings) {
            return None;
        }
        let cwd = self.cwd.as_deref();
        let home = saver.environment.text("HOME");
        let ground = Ground { cwd, home: home.as_deref(), ..Ground::default() };
        let time = saver.deadline();
        let session = observed.session.as_str();
        let endangered = if self.is_against() {
            let call = tool_call(&observed.event);
            let named = call.map(|call| named_by(call, script, &ground));
            let Finding { rule, why, .. } = &self.judgement.decided;
            Endangered {
                cwd,
                session,
                named: named.unwrap_or_default(),
                removed: removed_by(script, &ground),
                emptied: emptied_by(script, &ground),
                swept: swept_by(script, &ground),
                hidden: hidden_in(script),
                why: format!("{why} (rule {rule})"),
            }
        } else {
            let files = saver.overwritten(script?, cwd?, home.as_deref(), time)?;
            Endangered {
                cwd,
                session,
                named: files.named(),
                removed: files.among(&removed_by(script, &ground)),
                emptied: files.among(&emptied_by(script, &ground)),
                swept: Swept::default(),
                hidden: vec![],
                why: files.why(),
            }
        };
        Some(saver.save(&endangered, time))
    }

    /// The id for the call's record. It is reserved early, because an undo point refers to it.
    pub(crate) fn reserved_id(&self) -> Option<EventId> {
        self.saved.as_ref().map(|saved| saved.on)
    }

    /// The answer to use if the session can't be opened.
    pub(crate) fn answer(&self) -> Answer {
        let judgement = self.judgement.clone().under(&definitions::Unseen);
        let failure = self.saved.as_ref().and_then(SavedBefore::failure);
        let judgement = self.after_saving(judgement, failure.as_deref());
        let sent = self.sent(&judgement);
        let left_out = left_out(&judgement, sent, self.saved.as_ref());
        let (verdict, notice) = verdict(&judgement, sent, left_out.as_deref());
        let unsaved = failure.filter(|_| matches!(sent, Sent::Silence | Sent::Allow));
        let why = self.saved.as_ref().map(|saved| saved.why.as_str()).unwrap_or_default();
        let unsaved = unsaved.map(|unsaved| message::unsaved_notice(why, &unsaved));
        let lacking = left_out.filter(|_| sent != Sent::Ask);
        let context = lacking.as_deref().map(message::left_out_context);
        let told = lacking.map(|lacking| message::left_out_notice(why, &lacking));
        Answer { verdict, notice: notice.or(unsaved).or(told), context, ..Answer::default() }
    }

    /// The judgement, made stricter if the guard is against the call and its files could not be
    /// saved.
    fn after_saving(&self, judgement: Judgement, failure: Option<&str>) -> Judgement {
        match failure.filter(|_| self.mode == GuardMode::Enforce && self.is_against()) {
            Some(why) => judgement.unsaved(why),
            None => judgement,
        }
    }

    /// Whether the guard would ask about the call or deny it.
    fn is_against(&self) -> bool {
        self.judgement.triage > Triage::Unknown
    }

    /// Whether the guard has something to answer or to record.
    pub(crate) fn is_of_note(&self) -> bool {
        self.saved.is_some() || self.is_judged_aloud()
    }

    /// Whether the judgement itself is answered or recorded.
    fn is_judged_aloud(&self) -> bool {
        self.judgement.triage != Triage::Unknown
            && (self.mode != GuardMode::Off || self.judgement.own_files().is_some())
    }

    /// Whether rules allow the call, because it only reads, builds or tests.
    pub(crate) fn is_harmless(&self) -> bool {
        self.judgement.triage == Triage::Allow
    }

    /// Whether to ask the opinion program. This needs the session's state.
    pub(crate) fn asks_opinion(&self, state: &State, now: Timestamp) -> bool {
        self.oracle.is_some()
            && self.judgement.is_open_to_opinion()
            && state.guard.opinion.may_ask(now)
    }

    /// Asks the opinion program.
    pub(crate) fn opinion(
        &self,
        environment: &Environment,
    ) -> Option<Result<Opinion, OpinionFailure>> {
        let line = self.call.as_ref()?.shell_line()?;
        let cwd = self.cwd.as_deref().map(Path::new);
        let user_home = environment.get("HOME").map(PathBuf::from);
        let root = cwd
            .and_then(|cwd| cwd.canonicalize().ok())
            .map(|cwd| root_without_git(&cwd, user_home.as_deref()));
        let why = &self.judgement.decided.why;
        let request = OpinionRequest { line, cwd, root: root.as_deref(), why };
        Some(ask_opinion(self.oracle.as_ref()?, request, environment))
    }

    /// The judgement, changed by the program's opinion. The opinion is recorded.
    fn with_opinion(&self, context: &Context<'_>, decision: &mut Decision) -> Judgement {
        let judgement = self.judgement.clone();
        match &context.facts.opinion {
            None => judgement,
            Some(Ok(opinion)) => {
                decision.events.push(asked(OPINION, Asked::Answered, &opinion.reason));
                judgement.with_opinion(opinion)
            }
            Some(Err(failure)) => {
                decision.events.push(asked(OPINION, Asked::Failed, &failure.to_string()));
                judgement
            }
        }
    }

    fn decide(&self, context: &Context<'_>, settings: &Settings, decision: &mut Decision) {
        if !self.is_of_note() && context.facts.opinion.is_none() {
            return;
        }
        let saved = self.saved.as_ref().or(context.facts.saved.as_ref());
        decision.events.extend(saved.into_iter().flat_map(SavedBefore::events));
        let failure = saved.and_then(SavedBefore::failure);
        let definitions =
            definitions::Definitions { state: context.before, cwd: self.cwd.as_deref() };
        let mut judgement = self.with_opinion(context, decision).under(&definitions);
        // A person may release the call while this hook call runs. Then its files were not saved,
        // so the release is used for the next attempt.
        let is_covered = saved.is_some() || !self.asks_to_save(settings);
        let released = self.released(&judgement, context.before, context.clock.now());
        let released = released.filter(|_| is_covered);
        let used = released.filter(|_| failure.is_none());
        if let Some(call) = used {
            decision.events.push(release::used(call));
            judgement.triage = Triage::Allow;
        }
        let judgement = self.after_saving(judgement, failure.as_deref());
        let sent = self.sent(&judgement);
        let left_out = left_out(&judgement, sent, saved);
        let (verdict, notice) = verdict(&judgement, sent, left_out.as_deref());
        let why = saved.map(|saved| saved.why.as_str()).unwrap_or_default();
        let unsaved = failure.and_then(|unsaved| match sent {
            Sent::Silence | Sent::Allow => Some(message::unsaved_notice(why, &unsaved)),
            Sent::Deny if released.is_some() => Some(message::unsaved_release_notice(&unsaved)),
            Sent::Deny | Sent::Ask => None,
        });
        let lacking = left_out.filter(|_| sent != Sent::Ask);
        if let Some(lacking) = &lacking {
            let grounds = Grounds::of_rule(&judgement.decided.rule);
            decision.inject(GUARD, message::left_out_context(lacking), grounds);
        }
        let told = lacking.map(|lacking| message::left_out_notice(why, &lacking));
        decision.notices.extend(unsaved.or(told).or(notice));
        let is_judged = self.is_judged_aloud() || context.facts.opinion.is_some();
        if !is_judged || judgement.triage == Triage::Unknown {
            return;
        }
        let Finding { rule, why, .. } = &judgement.decided;
        decision.events.push(Event::GuardJudged {
            on: context.draft.id,
            triage: judgement.triage,
            rule: rule.clone(),
            why: why.clone(),
            mode: self.mode,
            sent,
        });
        if sent == Sent::Silence {
            return;
        }
        let mut grounds =
            Grounds::of_rule(rule).fact("judged", judgement.triage.to_string()).fact("why", why);
        if used.is_some() {
            grounds = grounds.fact("released", "a person let it run once");
        }
        decision.opinion(GUARD, verdict, with_settings(grounds, settings, &["guard.mode"]));
    }

    /// The guard's part of the decision if a gate panicked.
    pub(crate) fn decide_alone(&self, decision: &mut Decision) {
        decision.events.extend(self.saved.iter().flat_map(SavedBefore::events));
        let Answer { verdict, notice, context, .. } = self.answer();
        decision.notices.extend(notice);
        if let Some(context) = context {
            decision.inject(GUARD, context, Grounds::of_rule(&self.judgement.decided.rule));
        }
        if verdict != Verdict::NoOpinion {
            let grounds = Grounds::of_rule(&self.judgement.decided.rule);
            decision.opinion(GUARD, verdict, grounds);
        }
    }

    /// Whether files are saved before the call runs. A read-only tool needs no undo point.
    fn asks_to_save(&self, settings: &Settings) -> bool {
        settings.undo.enabled.value && self.access == Access::Write
    }

    /// The call, if the guard would not let it run and a person released it.
    fn released(&self, judgement: &Judgement, state: &State, now: Timestamp) -> Option<&ToolCall> {
        let call = self.call.as_ref()?;
        let is_against = judgement.triage > Triage::Unknown && self.mode == GuardMode::Enforce;
        (is_against && state.guard.releases.hold(call, now)).then_some(call)
    }

    /// Whether the call runs because of a person's release and has no undo point yet.
    pub(crate) fn asks_for_point(&self, state: &State, now: Timestamp) -> bool {
        self.saved.is_none() && self.released(&self.judgement, state, now).is_some()
    }

    /// The answer for the client. Changes of verger's own files are denied in every mode.
    fn sent(&self, judgement: &Judgement) -> Sent {
        if judgement.own_files().is_some() {
            return Sent::Deny;
        }
        match (self.mode, self.client) {
            (GuardMode::Enforce, Some(client)) => {
                let mode = self.permission_mode.as_deref();
                match client.sent(&self.event_name, mode, judgement.triage) {
                    Sent::Allow if self.leaves_sandbox => Sent::Silence,
                    sent => sent,
                }
            }
            (GuardMode::Enforce | GuardMode::Observe | GuardMode::Off, _) => Sent::Silence,
        }
    }
}

/// Whether a call runs outside of the client's own sandbox.
fn leaves_sandbox(event: &Event) -> bool {
    tool_call(event)
        .is_some_and(|call| matches!(&call.action, ToolUse::Shell(shell) if shell.leaves_sandbox))
}

/// The tool call of an event.
fn tool_call(event: &Event) -> Option<&ToolCall> {
    match event {
        Event::ToolRequested(call) | Event::PermissionAsked { call, .. } => Some(call),
        _ => None,
    }
}

/// The paths that a call may destroy and that its undo point doesn't contain.
fn left_out(judgement: &Judgement, sent: Sent, saved: Option<&SavedBefore>) -> Option<String> {
    let may_destroy = sent != Sent::Deny && !judgement.reads_credentials();
    saved.filter(|_| may_destroy)?.lacking()
}

fn verdict(judgement: &Judgement, sent: Sent, left_out: Option<&str>) -> (Verdict, Option<String>) {
    let found = judgement.own_files().unwrap_or(&judgement.decided);
    match sent {
        Sent::Silence => (Verdict::NoOpinion, None),
        Sent::Allow => {
            let Finding { rule, why, .. } = found;
            (Verdict::Allow { reason: format!("verger: {why} (rule {rule})") }, None)
        }
        Sent::Ask => {
            let left_out = left_out.map(message::left_out_reason).unwrap_or_default();
            (Verdict::Ask { reason: message::ask(found) + &left_out }, None)
        }
        Sent::Deny => {
            let notice = Some(message::denied_notice(found));
            (Verdict::Deny { reason: message::deny(found) }, notice)
        }
    }
}

/// The answer to use if the agent's session is unknown.
pub fn answer_unseen(
    spec: &AgentSpec,
    event_name: &str,
    mode: GuardMode,
    why: &str,
) -> Option<Answer> {
    let client = guard_client(spec.name).filter(|_| mode == GuardMode::Enforce)?;
    let judged = Judged {
        judgement: Judgement::of_hidden(why),
        call: None,
        client: Some(client),
        event_name: event_name.to_owned(),
        permission_mode: None,
        mode,
        cwd: None,
        leaves_sandbox: false,
        oracle: None,
        access: Access::Write,
        saved: None,
        line_guard: None,
    };
    client.guards(event_name).then(|| judged.answer())
}
