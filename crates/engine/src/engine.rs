//! Handles one observed event: decides, records, answers.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::{AgentSpec, Malformed, Observed};
use verger_config::{DriftMode, GuardMode, ProgramCommand, Settings};
use verger_drift::{Reading, Track};
use verger_event::{
    Access, Actor, Answer, Draft, Event, EventId, Fold, Interruption, Origin, Outcome, ProjectId,
    Record, Scope, Session, SessionId, SessionKey, Standing, TaskState,
};
use verger_exec::detached::{JOB_VARIABLE, job_above};
use verger_gate::drift::{NoReading, NoScore, ScoreGiven};
use verger_gate::{LeftLine, Start};
use verger_library::Catalogue;
use verger_memory::stats::StatsLine;
use verger_shell::Script;
use verger_store::{Store, Turn, with_causes};
use verger_store_local::{Home, LocalStore, NoHome};
use verger_worktree::{
    Git, IdBasis, PathReason, Surroundings, project_facts, root_without_git, user_identity,
};

use crate::clock::seed_of_child;
use crate::drift_program::{self, DriftProgram, Said};
use crate::facts::{FactFinder, Facts, Question};
use crate::failure::{Failed, Failure, guarded, warning_draft};
use crate::gates::{Concern, Gates, Told};
use crate::guard::{self, Guard, Judged};
use crate::guard_rules::load_guard_rules;
use crate::implicit_use;
use crate::left_commands::Runner;
use crate::namesake::find_namesake;
use crate::offering;
use crate::project_library::LearningsPlace;
use crate::recalling::{Occasion, Recaller, Wanted, occasion, told_statistics};
use crate::registered::Registered;
use crate::settings::{LoadedSettings, load_settings_in};
use crate::spoken::Spoken;
use crate::ticket_facts::find_tickets;
use crate::undo::Saver;
use crate::upkeep::{Keeper, Log, look_daily};
use crate::{Clock, Environment, State};

/// For each question to git, asked twice a session at most.
pub const GIT_TIME_LIMIT: Duration = Duration::from_millis(300);

const SESSION_STARTED: &str = "session.started";

/// The application, set up for one agent's registration. Every way in gives it events and takes its answers.
pub struct Engine<'a> {
    /// The agent that reports the events.
    pub spec: &'static AgentSpec,
    /// Through what the agent came to report them.
    pub registered: Registered,
    /// How the guard of permissions is set, where the registration says it.
    pub guard_mode: Option<GuardMode>,
    /// The environment of the process.
    pub environment: &'a Environment,
    /// Time and ids.
    pub clock: &'a Clock,
}

/// One event to decide about.
pub struct Input<'a> {
    /// The event's name in the agent's own words.
    pub event_name: &'a str,
    /// The event.
    pub observed: Observed,
    /// Why the payload could not be read, if it could not. `observed` then has the payload as it came.
    pub malformed: Option<Malformed>,
}

/// Where an event happened and which settings hold there.
struct Located {
    home: Result<Home, NoHome>,
    surroundings: Surroundings,
    /// `None` without a home.
    loaded: Option<LoadedSettings>,
}

impl Engine<'_> {
    /// Decides about an event, records it, and gives the answer for the agent.
    ///
    /// The guard decides before anything can fail; its answer is part of the failure then.
    pub fn handle(&self, input: Input<'_>) -> Result<Answer, Failed> {
        let Input { event_name, observed, malformed } = input;
        let Located { home, surroundings, loaded } = self.locate(&observed);
        let defaults = LazyCell::new(default_settings);
        let settings = loaded.as_ref().map_or_else(|| &**defaults, |loaded| &*loaded.settings);
        let guard = Guard {
            spec: self.spec,
            event_name,
            environment: self.environment,
            home: home.as_ref().ok(),
            surroundings: &surroundings,
            settings,
            mode: guard::guard_mode(loaded.as_ref(), self.guard_mode),
        };
        let (judged, script) = match &malformed {
            Some(malformed) => (guard.hidden(&malformed.to_string(), &observed), None),
            None => guard.judge(&observed),
        };
        let saver = Saver {
            spec: self.spec,
            environment: self.environment,
            home: home.as_ref().ok(),
            settings,
            clock: self.clock,
        };
        let judged = judged.map(|judged| judged.saved_by(&saver, &observed, script.as_ref()));
        let so_far = judged.as_ref().map(Judged::answer).unwrap_or_default();
        let session = observed.session.clone();
        let failed = |session: Option<&SessionId>, failure| Failed {
            session: session.cloned(),
            failure,
            answer: Some(Box::new(so_far.clone())),
        };
        let home = home.map_err(|error| failed(None, error.into()))?;
        let Some(loaded) = loaded.filter(|loaded| loaded.settings.record.enabled.value) else {
            return Ok(so_far);
        };
        let Self { spec, registered, environment, clock, .. } = *self;
        let call = Call { spec, registered, environment, clock, loaded };
        let warning = malformed.map(|malformed| Event::Warned {
            area: format!("hook {event_name}"),
            message: malformed.to_string(),
        });
        guarded(|| Ok(call.record(&home, observed, warning, (judged, script))?))
            .map_err(|broken| failed(Some(&session), broken.failure))
    }

    fn locate(&self, observed: &Observed) -> Located {
        let home = Home::locate(|name| self.environment.get(name));
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        let surroundings = self.environment.surroundings(cwd);
        let loaded = home.as_ref().ok().map(|home| {
            let loaded = load_settings_in(&surroundings, home, self.environment);
            match job_above(self.environment.all(), &home.data) {
                Some(_) => loaded.inside_run(JOB_VARIABLE),
                None => loaded,
            }
        });
        Located { home, surroundings, loaded }
    }
}

/// The settings without a home. Cold path, not inlined: settings are large.
#[cold]
fn default_settings() -> Box<Settings> {
    Box::default()
}

/// What stays the same during one call.
struct Call<'a> {
    spec: &'static AgentSpec,
    registered: Registered,
    environment: &'a Environment,
    clock: &'a Clock,
    loaded: LoadedSettings,
}

/// What is known about the place and the person, apart from the payload.
#[derive(Default)]
struct Ground {
    project: Option<ProjectId>,
    user: Option<String>,
}

impl Call<'_> {
    fn record(
        &self,
        home: &Home,
        observed: Observed,
        warning: Option<Event>,
        (judged, script): (Option<Judged>, Option<Script>),
    ) -> Result<Answer, Failure> {
        let store = LocalStore::open(&home.data, self.loaded.store_options())?;
        let agent = self.spec.name.parse().map_err(|_| Failure::AgentName(self.spec.name))?;
        let key = SessionKey { agent, session: observed.session.clone() };
        let gates =
            Gates::new(&self.loaded.settings, home, self.spec, (self.registered, self.environment));
        let so_far = judged.as_ref().map(Judged::answer).unwrap_or_default();
        let concern = gates.concern(&observed, (judged, script));
        let left = gates.left(&observed);
        let fresh = self.fresh_ground(&store, &key, &observed)?;
        let mut turn = store.open::<State>(&key)?;
        let mut facts = Facts::default();
        if !is_known(turn.state(), &observed) {
            let questions = gates.questions(&concern, turn.state(), &observed, self.clock.now());
            if !questions.is_empty() {
                // Facts take their time, and nobody may wait for the lock meanwhile.
                let state = turn.state().clone();
                drop(turn);
                let project = fresh.project.as_ref();
                facts = self.gather(
                    (home, &store, &key),
                    (&questions, &concern),
                    (&state, &observed, project),
                );
                turn = store.open::<State>(&key)?;
            }
        }
        if is_known(turn.state(), &observed) {
            turn.commit(vec![])?;
            return Ok(so_far);
        }
        if gates.drift.asks_for_track(turn.state(), &observed) {
            facts.take_track(turn.beside::<Track>(Track::NAME));
        }
        let session = &turn.state().session;
        let ground = Ground {
            project: fresh.project.or_else(|| session.project.clone()),
            user: fresh.user.or_else(|| session.user.clone()),
        };
        let moment = observed.event.kind().to_owned();
        let problems = self.config_problems(session, &observed.event);
        let rule_problems = self.rule_problems(home, &observed);
        let reserved = facts.saved.as_ref().map(|saved| saved.on).or(concern.reserved_id());
        let id = reserved.unwrap_or_else(|| self.clock.next_id());
        let record = Record { seq: 0, draft: self.draft(session, &key, observed, (id, ground)) };
        let draft = &record.draft;
        let origin = draft.origin.clone();
        let leaving = (left != LeftLine::None).then(|| draft.clone());
        let start_tree = facts.start_tree.take().filter(|_| lacks_start(turn.state()));
        let ended = gates.review_ended(turn.state(), &facts, self.clock.now());
        let mut drafts: Vec<_> = ended.into_iter().map(|event| self.own(draft, event)).collect();
        drafts.extend(start_tree.map(|tree| self.own(draft, Event::StartTreeTaken(tree))));
        drafts.extend(self.reading_draft(draft, &mut facts));
        let (mut answer, said) = self
            .heard(&gates, &concern, (turn.state(), &drafts, &record), &facts)
            .into_answer(id, &moment);
        let said: Vec<_> = said.into_iter().map(|event| self.own(draft, event)).collect();
        drafts.push(record.draft);
        let problems = problems.into_iter().chain(rule_problems);
        let warnings = warning.into_iter().chain(facts.warnings).chain(problems);
        drafts.extend(warnings.map(|warning| self.warning(&origin, warning, id)));
        drafts.extend(said);
        let lines = told_statistics(turn.state(), &drafts);
        turn.commit(drafts)?;
        self.follow_up((home, &store, &key), (id, &origin), (&moment, &lines))?;
        if let Some(about) = leaving {
            let texts = [answer.context, self.do_left(&store, &key, &left, &about)?];
            answer.context = texts.into_iter().flatten().reduce(|one, two| one + "\n\n" + &two);
        }
        Ok(answer)
    }

    /// What the gates want to know. Kept out of the way of the calls about which nobody wants to know anything.
    #[inline(never)]
    fn gather(
        &self,
        (home, store, key): (&Home, &LocalStore, &SessionKey),
        (questions, concern): (&[Question], &Concern),
        (state, observed, project): (&State, &Observed, Option<&ProjectId>),
    ) -> Facts {
        let mut facts = self.facts(home, key).gather(questions, state, observed);
        if questions.contains(&Question::Namesake) {
            let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
            facts.namesake = find_namesake(self.spec, self.environment, cwd);
        }
        if questions.contains(&Question::Tickets) {
            self.look_for_tickets(&mut facts, observed);
        }
        let project = project.or(state.session.project.as_ref());
        let log = || project.map(|project| Log { store, project });
        if questions.contains(&Question::Recall) {
            self.look_for_learnings((home, log()), &mut facts, state, observed);
        }
        if questions.contains(&Question::EarlierTasks) {
            self.look_for_earlier_tasks((key, log()), &mut facts, state, observed);
        }
        if questions.contains(&Question::Opinion) {
            facts.opinion = concern.opinion(self.environment);
        }
        if questions.contains(&Question::UndoPoint) {
            facts.saved = concern.save(&self.saver(home), observed);
        }
        if questions.contains(&Question::Staged) {
            let names = &self.loaded.settings.redact.key_names.value;
            let (staged, warnings) = concern.staged(names, self.environment);
            facts.staged = Some(staged);
            facts.warnings.extend(warnings);
        }
        if questions.contains(&Question::Score) {
            facts.score = self.ask_scorer(store, key, observed);
        }
        if questions.contains(&Question::Reading) {
            facts.reading = self.ask_reader(store, key, observed);
        }
        if questions.contains(&Question::Uses) {
            self.look_for_uses(home, &mut facts, state, observed);
        }
        facts
    }

    /// What is done when the records are safe.
    fn follow_up(
        &self,
        (home, store, key): (&Home, &LocalStore, &SessionKey),
        on: (EventId, &Origin),
        (moment, lines): (&str, &[StatsLine]),
    ) -> Result<(), Failure> {
        self.tell_unfinished(store, key, on)?;
        self.count(home, store, key, on, lines)?;
        if moment == SESSION_STARTED && self.loaded.settings.drift.mode.value != DriftMode::Off {
            look_daily(home, (store, key), (self.environment, self.clock));
        }
        Ok(())
    }

    /// Does what an agent's command left to the hook, behind the record of the call: a second report
    /// of the same call is known by then. Gives what the agent is told.
    fn do_left(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        left: &LeftLine,
        about: &Draft,
    ) -> Result<Option<String>, Failure> {
        let (Event::ToolSucceeded { call, .. } | Event::ToolFailed { call, .. }) = &about.event
        else {
            return Ok(None);
        };
        let runner = Runner {
            spec: self.spec,
            environment: self.environment,
            store,
            key,
            cwd: about.origin.circumstance.cwd.as_deref().map(Path::new),
            seed: seed_of_child(self.clock),
        };
        let (answer, events) = runner.speak(left, call).into_answer(about.id, about.event.kind());
        let drafts: Vec<_> = events.into_iter().map(|event| self.own(about, event)).collect();
        store.open::<State>(key)?.commit(drafts)?;
        Ok(answer.context)
    }

    /// What the gates say. A fault in one of them is ours: the event is kept, and the agent goes on.
    fn heard(
        &self,
        gates: &Gates<'_>,
        concern: &Concern,
        (state, before, record): (&State, &[Draft], &Record),
        facts: &Facts,
    ) -> Spoken {
        let is_of_drift = facts.track.is_some() || state.drift.pending().is_some();
        if !is_of_drift && !concern.has_matter(facts) {
            return Spoken::default();
        }
        let spoken = guarded(|| {
            let mut after = state.clone();
            for draft in before {
                after.apply(&Record { seq: 0, draft: draft.clone() });
            }
            after.apply(record);
            let (draft, clock) = (&record.draft, self.clock);
            let told = Told { before: state, state: &after, draft, facts, clock };
            Ok(gates.speak(concern, &told))
        });
        spoken.unwrap_or_else(|failed| {
            let message = failed.failure.to_string();
            let warning = Event::Warned { area: "gates".to_owned(), message };
            let mut spoken = concern.guard_alone();
            spoken.events.push(warning);
            spoken
        })
    }

    fn look_for_tickets(&self, facts: &mut Facts, observed: &Observed) {
        let Some(cwd) = observed.circumstance.cwd.as_deref().map(Path::new) else { return };
        let found = find_tickets(&self.loaded.settings, cwd, self.environment.all());
        let warning = |message: &String| Event::Warned {
            area: "tickets".to_owned(),
            message: message.clone(),
        };
        facts.warnings.extend(found.problem.as_ref().map(warning));
        facts.tickets = Some(found);
    }

    fn look_for_learnings(
        &self,
        (home, log): (&Home, Option<Log<'_>>),
        facts: &mut Facts,
        state: &State,
        observed: &Observed,
    ) {
        let settings = &self.loaded.settings;
        let Some(occasion) = occasion(observed, state, settings) else { return };
        let Some(place) = self.learnings_place(home, observed.circumstance.cwd.as_deref()) else {
            return;
        };
        let found = facts.tickets.as_ref().and_then(|tickets| tickets.ticket.as_ref());
        let asking = Recaller {
            home,
            settings,
            place: &place,
            ticket: found.or_else(|| state.learning.phase.ticket()),
            session: &observed.session.word(),
            now: self.clock.now(),
            max_chars: self.spec.context_limit_chars,
            answer: Wanted::Given,
        };
        let (environment, clock) = (self.environment, self.clock);
        let keeper = Keeper { home, place: &place, settings, environment, clock, log };
        if let Occasion::Start = occasion {
            facts.warnings.extend(
                keeper.at_start().map(|message| Event::Warned {
                    area: "upkeep of learnings".to_owned(),
                    message,
                }),
            );
        }
        let recalled = asking.recall(occasion, state);
        if recalled.is_behind {
            keeper.start();
        }
        facts.warnings.extend(recalled.problem.as_deref().map(recall_warning));
        facts.recalled = Some(recalled);
    }

    /// The scorer program's score, with this event taken into account.
    fn ask_scorer(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        observed: &Observed,
    ) -> Option<Said<ScoreGiven, NoScore>> {
        let settings = &self.loaded.settings.drift;
        let command = settings.scorer.value.as_ref()?;
        let (track, root) = self.track_and_root(store, key, observed)?;
        self.program((command, settings.scorer_seconds.value), &root).score(&track)
    }

    fn program<'b>(
        &'b self,
        (command, seconds): (&'b ProgramCommand, u64),
        root: &'b Path,
    ) -> DriftProgram<'b> {
        let limit = Duration::from_secs(seconds);
        DriftProgram { command, limit, root, environment: self.environment }
    }

    /// What the log keeps of reading a prompt before the prompt itself, which is taken in with it.
    fn reading_draft(&self, prompt: &Draft, facts: &mut Facts) -> Option<Draft> {
        let read = self.own(prompt, drift_program::kept(facts.reading.as_ref()?));
        if let Some(track) = &mut facts.track {
            track.apply(&Record { seq: 0, draft: read.clone() });
        }
        Some(read)
    }

    /// Has a prompt read by the program of the user's choice.
    fn ask_reader(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        observed: &Observed,
    ) -> Option<Said<Reading, NoReading>> {
        let settings = &self.loaded.settings.drift;
        let command = settings.reader.value.as_ref()?;
        let Event::PromptSubmitted { prompt, .. } = &observed.event else { return None };
        let (track, root) = self.track_and_root(store, key, observed)?;
        // It may pass on what it is told.
        let said = store.redacted(prompt);
        let request = track.reading_request(&said, observed.circumstance.cwd.as_deref())?;
        self.program((command, settings.reader_seconds.value), &root).reading(&request)
    }

    /// The track before this event, and the project's root.
    fn track_and_root(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        observed: &Observed,
    ) -> Option<(Track, PathBuf)> {
        let track = store.folded_beside::<Track>(&key.file_stem(), Track::NAME).ok()?;
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new)?.canonicalize().ok()?;
        let user_home = self.environment.get("HOME");
        Some((track, root_without_git(&cwd, user_home.as_deref().map(Path::new))))
    }

    fn look_for_earlier_tasks(
        &self,
        (key, log): (&SessionKey, Option<Log<'_>>),
        facts: &mut Facts,
        state: &State,
        observed: &Observed,
    ) {
        let settings = &self.loaded.settings;
        let (Some(log), Some(occasion)) = (log, occasion(observed, state, settings)) else {
            return;
        };
        let cwd = observed.circumstance.cwd.as_deref();
        // Whatever is wrong with what others recorded, this session goes on.
        let found = guarded(|| {
            Ok(offering::find(&log, key, (occasion, cwd), state).map_err(Failure::from)?)
        });
        match found {
            Ok(offers) => facts.offers = offers,
            Err(failed) => {
                let causes = with_causes(&failed.failure);
                let message =
                    format!("cannot look for earlier tasks: {causes}; verger doctor looks closer");
                // The same trouble meets every prompt.
                if !is_told(&state.session, &message) {
                    facts.warnings.push(Event::Warned { area: "recall".to_owned(), message });
                }
            }
        }
    }

    fn look_for_uses(&self, home: &Home, facts: &mut Facts, state: &State, observed: &Observed) {
        let cwd = observed.circumstance.cwd.as_deref();
        let Some(place) = self.learnings_place(home, cwd) else { return };
        let catalogue = Catalogue::new(home.recall(&place.ground.root));
        match implicit_use::find(&catalogue, &observed.event, state) {
            Ok(used) => facts.used = used,
            Err(error) => {
                let problem = format!("cannot {}", with_causes(&error));
                facts.warnings.push(recall_warning(&problem));
            }
        }
    }

    fn learnings_place(&self, home: &Home, cwd: Option<&str>) -> Option<LearningsPlace> {
        let cwd = Path::new(cwd?).canonicalize().ok()?;
        let user_home = self.environment.get("HOME");
        let root = root_without_git(&cwd, user_home.as_deref().map(Path::new));
        Some(LearningsPlace::new(home, root, &self.loaded.settings, self.clock.now()))
    }

    /// Tells the statistics what a call said of learnings. They are not the agent's matter: what
    /// cannot be counted is a warning.
    fn count(
        &self,
        home: &Home,
        store: &LocalStore,
        key: &SessionKey,
        (on, origin): (EventId, &Origin),
        lines: &[StatsLine],
    ) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let place = self.learnings_place(home, origin.circumstance.cwd.as_deref());
        let counted = place.map_or(Ok(()), |place| place.kept.tell(lines));
        let Err(error) = counted else { return Ok(()) };
        let message = format!("cannot {}", with_causes(&error));
        let warning = Event::Warned { area: "statistics".to_owned(), message };
        store.open::<State>(key)?.commit(vec![self.warning(origin, warning, on)])?;
        Ok(())
    }

    fn facts(&self, home: &Home, key: &SessionKey) -> FactFinder {
        let environment = self.environment.all().iter().cloned();
        FactFinder::new(home, key, &self.loaded.settings, environment)
    }

    fn saver<'s>(&'s self, home: &'s Home) -> Saver<'s> {
        let (settings, clock) = (&self.loaded.settings, self.clock);
        Saver { spec: self.spec, environment: self.environment, home: Some(home), settings, clock }
    }

    /// A record of what verger did about another one.
    fn own(&self, about: &Draft, event: Event) -> Draft {
        Draft {
            id: self.clock.next_id(),
            at: self.clock.now(),
            origin: about.origin.clone(),
            standing: Standing {
                task: about.standing.task,
                evidence: vec![about.id],
                ..Standing::default()
            },
            access: self.access(&event),
            event,
        }
    }

    fn access(&self, event: &Event) -> Access {
        Access {
            scope: Scope::of(event),
            readers: self.loaded.settings.record.readers.value.clone(),
        }
    }

    /// Where a session belongs is asked when it starts, and at its first prompt where its start was
    /// not seen or git had no answer. Nobody holds the lock meanwhile.
    fn fresh_ground(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        observed: &Observed,
    ) -> Result<Ground, Failure> {
        let is_wanted = match observed.event {
            Event::SessionStarted { .. } => true,
            Event::PromptSubmitted { .. } => {
                let turn = store.open::<State>(key)?;
                let session = &turn.state().session;
                session.project.is_none() && session.task == TaskState::None
            }
            _ => false,
        };
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        Ok(match cwd.filter(|cwd| is_wanted && cwd.is_absolute()) {
            Some(cwd) => self.ground(cwd),
            None => Ground::default(),
        })
    }

    /// What failed after the records were safe is told once: the same trouble meets every call.
    fn tell_unfinished(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        (id, origin): (EventId, &Origin),
    ) -> Result<(), Failure> {
        let unfinished = store.take_unfinished();
        if unfinished.is_empty() {
            return Ok(());
        }
        let message =
            unfinished.iter().map(|error| with_causes(error)).collect::<Vec<_>>().join("\n");
        let turn = store.open::<State>(key)?;
        if !is_told(&turn.state().session, &message) {
            let warning = Event::Warned { area: "store".to_owned(), message };
            turn.commit(vec![self.warning(origin, warning, id)])?;
        }
        Ok(())
    }

    fn ground(&self, cwd: &Path) -> Ground {
        let environment = self.environment.all().iter().cloned();
        let git = Git::new("git", environment, GIT_TIME_LIMIT);
        let facts = project_facts(cwd, &git);
        let configured = self.loaded.settings.user.name.value.clone();
        Ground {
            // A history too long for the time limit gives no lasting answer.
            project: (facts.basis != IdBasis::Path(PathReason::TimedOut)).then_some(facts.id),
            user: configured.or_else(|| user_identity(cwd, &git)),
        }
    }

    fn draft(
        &self,
        state: &Session,
        key: &SessionKey,
        observed: Observed,
        (id, ground): (EventId, Ground),
    ) -> Draft {
        let Observed { session, actor, circumstance, event } = observed;
        let settings = &self.loaded.settings.record;
        Draft {
            id,
            at: self.clock.now(),
            standing: Standing {
                task: state.task_for(id, &actor, &event),
                outcome: outcome(&event),
                ..Standing::default()
            },
            access: self.access(&event),
            origin: Origin {
                agent: key.agent.clone(),
                agent_version: (self.spec.version)(&|name| self.environment.text(name))
                    .or_else(|| state.agent_version.clone()),
                session,
                actor,
                user: ground.user,
                role: settings.role.value.clone(),
                project: ground.project,
                circumstance,
            },
            event,
        }
    }

    /// Told when a session starts, and when a person speaks after a file broke: not on every call, so
    /// that a bad line in a file does not fill the log.
    fn config_problems(&self, session: &Session, event: &Event) -> Option<Event> {
        if self.loaded.problems.is_empty() {
            return None;
        }
        let message = self.loaded.problems.join("\n");
        let is_moment = match event {
            Event::SessionStarted { .. } => true,
            Event::PromptSubmitted { .. } => !is_told(session, &message),
            _ => false,
        };
        is_moment.then(|| Event::Warned { area: "config".to_owned(), message })
    }

    /// Told when a session starts.
    fn rule_problems(&self, home: &Home, observed: &Observed) -> Option<Event> {
        let Event::SessionStarted { .. } = observed.event else { return None };
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        let surroundings = self.environment.surroundings(cwd);
        let problems = load_guard_rules(home, &surroundings).problems;
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let message = problems.join("\n");
        (!message.is_empty()).then(|| Event::Warned { area: "guard rules".to_owned(), message })
    }

    fn warning(&self, origin: &Origin, event: Event, about: EventId) -> Draft {
        let origin = Origin { actor: Actor::Main { agent_type: None }, ..origin.clone() };
        warning_draft(self.clock, origin, event, Some(about))
    }
}

fn recall_warning(problem: &str) -> Event {
    let message = format!("{problem}; verger maintain builds the index anew");
    Event::Warned { area: "recall".to_owned(), message }
}

/// Whether it is what the session was last warned of.
fn is_told(session: &Session, message: &str) -> bool {
    session.warnings.last.as_ref().is_some_and(|last| message.starts_with(&last.message))
}

/// Whether a start tree is still of use: parallel calls may both have found that there was none.
fn lacks_start(state: &State) -> bool {
    let starts = [&state.work.start, state.learning.baseline.start()];
    starts.contains(&&Start::NotTaken)
}

/// Whether the session has it already: two registrations report the same event twice.
fn is_known(state: &State, observed: &Observed) -> bool {
    let occurrence = observed.event.occurrence(observed.circumstance.prompt.as_ref());
    occurrence.is_some_and(|occurrence| state.session.has_seen(occurrence))
}

fn outcome(event: &Event) -> Option<Outcome> {
    match event {
        Event::ToolSucceeded { .. } => Some(Outcome::Succeeded),
        Event::ToolFailed { interruption: Interruption::ByPerson, .. } => {
            Some(Outcome::Interrupted)
        }
        Event::ToolFailed { .. } | Event::StopFailed { .. } => Some(Outcome::Failed),
        _ => None,
    }
}
