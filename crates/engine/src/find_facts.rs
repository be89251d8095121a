//! Looks up the facts that gates need, outside of the gates and within limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::Observed;
use verger_drift::{Reading, Track};
use verger_event::{Event, ProjectId, ProjectReleases, VergerPart};
use verger_gate::drift::{NoReading, NoScore, ScoreGiven};
use verger_library::Catalogue;
use verger_shell::Script;
use verger_store::{ReadLog, Sessions, Store, Turn, with_causes};
use verger_worktree::root_without_git;

use crate::State;
use crate::call::{Call, is_recorded, is_told};
use crate::client_process;
use crate::facts::{Fact, FactFinder, FactSet, Facts};
use crate::failure::{Failure, caught};
use crate::gate::{Before, EventView};
use crate::gates::drift::program::{DriftProgram, Said};
use crate::gates::guard::Judged;
use crate::gates::habits::{Shown, look_at_commits};
use crate::gates::learning::tickets::find_tickets;
use crate::gates::own_programs::renamed_program;
use crate::gates::recall::{Occasion, Recaller, Wanted as RecallWanted, occasion};
use crate::gates::review::namesake::find_namesake;
use crate::gates::{earlier_tasks, implicit_use};
use crate::project_library::LearningsPlace;
use crate::registry::{Gates, Triggers};
use crate::undo::Saver;
use crate::upkeep::{Keeper, Log, restore_start_trees};
use verger_gate::OwnCommand;
use verger_gate::learning::SkipIs;

/// An event, and the parameters for looking up its facts.
pub(crate) struct Wanted<'w> {
    pub(crate) gates: &'w Gates<'w>,
    pub(crate) observed: &'w Observed,
    pub(crate) script: Option<&'w Script>,
}

/// A locked session and its facts.
pub(crate) type Loaded<'a, S> = (<S as Sessions>::Turn<'a, State>, Facts);

impl<'a, S: Store> Call<'a, S> {
    /// Asks every gate whether it handles the event. Returns the parsed command line of a
    /// requested call. The guard judged the call before; if a gate makes another line run, the
    /// guard judges that line too.
    pub(crate) fn find_triggers(
        &self,
        gates: &Gates<'_>,
        observed: &Observed,
        script: Option<Script>,
        triggers: &mut Triggers,
    ) -> Option<Script> {
        let requested = match &observed.event {
            Event::ToolRequested(call) => Some(call),
            _ => None,
        };
        // There is no parsed line if the guard was off, panicked or waited for a disk.
        let read = || requested?.shell_line().map(verger_shell::read);
        let script = script.filter(|_| requested.is_some()).or_else(read);
        let skip = gates.learning.skip();
        let own_command = script
            .as_ref()
            .map_or(OwnCommand::None, |script| self.own_command(script, skip, observed));
        let mut guard = triggers.guard.take();
        *triggers = gates.triggers(&EventView {
            observed,
            script: script.as_ref(),
            own_command: &own_command,
            is_approved: guard.as_ref().is_some_and(Judged::is_harmless),
        });
        if let (Some(judged), Some(line)) =
            (&mut guard, triggers.habits.as_ref().and_then(Shown::line))
        {
            judged.also_judge(line, self.home, self.engine.environment);
        }
        triggers.guard = guard;
        script
    }

    /// The verger command that a line runs. Links to verger's programs, and copies of them, count
    /// too.
    fn own_command(&self, script: &Script, skip: SkipIs, observed: &Observed) -> OwnCommand {
        let command = OwnCommand::of(script, skip);
        if let OwnCommand::NotAgents { .. } = command {
            return command;
        }
        let cwd = observed.circumstance.cwd.as_deref();
        let environment = self.engine.environment;
        renamed_program(script, cwd, self.home, environment).unwrap_or(command)
    }

    /// Opens the session and looks up the facts. Returns `None` if the event is recorded already:
    /// two registrations may report the same event.
    pub(crate) fn load(
        &self,
        wanted: &Wanted<'_>,
        triggers: &mut Triggers,
        project: Option<&ProjectId>,
    ) -> Result<Option<Loaded<'a, S>>, Failure> {
        let Wanted { gates, observed, .. } = *wanted;
        let mut turn = self.store.open::<State>(self.key)?;
        let mut facts = Facts::default();
        let mut set = FactSet::default();
        if !is_recorded(turn.state(), observed) {
            set = self.wanted_facts(gates, triggers, turn.state(), observed);
            if set.takes_time() {
                // The lookup takes time, so the lock is released for other calls of the session.
                let state = turn.state().clone();
                turn.suspend();
                facts = self.find_facts(set, wanted, triggers, &state, project);
                turn = self.store.open::<State>(self.key)?;
                set = self.wanted_facts(gates, triggers, turn.state(), observed);
            }
        }
        if is_recorded(turn.state(), observed) {
            turn.commit(vec![])?;
            return Ok(None);
        }
        if set.contains(Fact::Track) {
            facts.take_track(turn.beside::<Track>(Track::NAME));
        }
        Ok(Some((turn, facts)))
    }

    fn wanted_facts(
        &self,
        gates: &Gates<'_>,
        triggers: &mut Triggers,
        state: &State,
        observed: &Observed,
    ) -> FactSet {
        let before = Before { state, observed, now: self.engine.clock.now() };
        let set = gates.facts(triggers, &before);
        match &observed.event {
            Event::ToolRequested(call) if call.may_change_files() => {
                set.with(gates.facts_at_first_change(&before))
            }
            _ => set,
        }
    }

    /// Cold path, not inlined: most events need no facts that take time.
    #[inline(never)]
    fn find_facts(
        &self,
        set: FactSet,
        wanted: &Wanted<'_>,
        triggers: &Triggers,
        state: &State,
        project: Option<&ProjectId>,
    ) -> Facts {
        let Wanted { observed, script, .. } = *wanted;
        let environment = self.engine.environment;
        restore_start_trees(self.home, self.store, self.key, state);
        let mut facts = self.fact_finder().gather(set, (state, observed), self.tree_time);
        if set.contains(Fact::Namesake) {
            let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
            facts.namesake = find_namesake(self.engine.spec, environment, cwd);
        }
        if set.contains(Fact::Sender) {
            facts.not_client = client_process::check(state.session.client.as_deref());
        }
        if let Some(trigger) = triggers.hooks_off.as_ref().filter(|_| set.contains(Fact::HooksOff))
        {
            wanted.gates.hooks_off.find(trigger, self.store, self.key, &mut facts);
        }
        if set.contains(Fact::Tickets) {
            self.look_for_tickets(&mut facts, observed);
        }
        let project = project.or(state.session.project.as_ref());
        let log = || project.map(|project| Log { store: self.store, project });
        if set.contains(Fact::Recall) {
            self.look_for_learnings(log(), &mut facts, state, observed);
        }
        if set.contains(Fact::EarlierTasks) {
            self.look_for_earlier_tasks(log(), &mut facts, state, observed);
        }
        if set.contains(Fact::Releases)
            && let Some(log) = log()
        {
            look_for_releases(&log, &mut facts);
        }
        let judged = triggers.guard.as_ref();
        if set.contains(Fact::Opinion) {
            facts.opinion = judged.and_then(|judged| judged.opinion(environment));
        }
        if set.contains(Fact::UndoPoint) {
            facts.saved = judged.and_then(|judged| judged.save(&self.saver(), observed, script));
        }
        if set.contains(Fact::Staged) {
            let names = &self.loaded.settings.redact.key_names.value;
            let commits = triggers.habits.as_ref().map(Shown::commits).unwrap_or_default();
            let (staged, warnings) = look_at_commits(commits, names, environment);
            facts.staged = Some(staged);
            facts.warnings.extend(warnings);
        }
        if set.contains(Fact::Score) {
            facts.score = self.ask_scorer(observed);
        }
        if set.contains(Fact::Reading) {
            facts.reading = self.ask_reader(observed);
        }
        if set.contains(Fact::Uses) {
            self.look_for_uses(&mut facts, state, observed);
        }
        facts
    }

    fn look_for_tickets(&self, facts: &mut Facts, observed: &Observed) {
        let Some(cwd) = observed.circumstance.cwd.as_deref().map(Path::new) else { return };
        let found = find_tickets(&self.loaded.settings, cwd, self.engine.environment.all());
        let warning = |message: &String| Event::Warned {
            area: VergerPart::Tickets.into(),
            message: message.clone(),
        };
        facts.warnings.extend(found.problem.as_ref().map(warning));
        facts.tickets = Some(found);
    }

    fn look_for_learnings(
        &self,
        log: Option<Log<'_, S>>,
        facts: &mut Facts,
        state: &State,
        observed: &Observed,
    ) {
        let (home, settings) = (self.home, &self.loaded.settings);
        let Some(occasion) = occasion(observed, state, settings) else { return };
        let Some(place) = self.learnings_place(observed.circumstance.cwd.as_deref()) else {
            return;
        };
        let found = facts.tickets.as_ref().and_then(|tickets| tickets.ticket.as_ref());
        let asking = Recaller {
            home,
            settings,
            place: &place,
            ticket: found.or_else(|| state.learning.phase.ticket()),
            session: &observed.session.word(),
            now: self.engine.clock.now(),
            max_chars: self.engine.spec.context_limit_chars,
            answer: RecallWanted::Given,
        };
        let (environment, clock) = (self.engine.environment, self.engine.clock);
        let keeper = Keeper { home, place: &place, settings, environment, clock, log };
        if let Occasion::Start = occasion {
            facts.warnings.extend(
                keeper
                    .at_start()
                    .map(|message| Event::Warned { area: VergerPart::Upkeep.into(), message }),
            );
        }
        let recalled = asking.recall(occasion, state);
        if recalled.is_behind {
            keeper.start();
        }
        facts.warnings.extend(recalled.problem.as_deref().map(recall_warning));
        facts.recalled = Some(recalled);
    }

    /// Asks the scorer program for the session's score after this event.
    fn ask_scorer(&self, observed: &Observed) -> Option<Said<ScoreGiven, NoScore>> {
        let settings = &self.loaded.settings.drift;
        let command = settings.scorer.value.as_ref()?;
        let environment = self.engine.environment;
        let (track, root) = self.track_and_root(observed)?;
        let limit = Duration::from_secs(settings.scorer_seconds.value);
        DriftProgram { command, limit, root: &root, environment }.score(&track)
    }

    /// Asks the reader program what a prompt means.
    fn ask_reader(&self, observed: &Observed) -> Option<Said<Reading, NoReading>> {
        let settings = &self.loaded.settings.drift;
        let command = settings.reader.value.as_ref()?;
        let environment = self.engine.environment;
        let Event::PromptSubmitted { prompt, .. } = &observed.event else { return None };
        let (track, root) = self.track_and_root(observed)?;
        // The program may send the prompt elsewhere, so secrets are redacted.
        let said = self.store.redacted(prompt);
        let request = track.reading_request(&said, observed.circumstance.cwd.as_deref())?;
        let limit = Duration::from_secs(settings.reader_seconds.value);
        DriftProgram { command, limit, root: &root, environment }.reading(&request)
    }

    /// The session's [`Track`] before this event, and the project's root.
    fn track_and_root(&self, observed: &Observed) -> Option<(Track, PathBuf)> {
        let track = self.store.folded_beside::<Track>(&self.key.file_stem(), Track::NAME).ok()?;
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new)?.canonicalize().ok()?;
        let user_home = self.engine.environment.get("HOME");
        Some((track, root_without_git(&cwd, user_home.as_deref().map(Path::new))))
    }

    fn look_for_earlier_tasks(
        &self,
        log: Option<Log<'_, S>>,
        facts: &mut Facts,
        state: &State,
        observed: &Observed,
    ) {
        let settings = &self.loaded.settings;
        let (Some(log), Some(occasion)) = (log, occasion(observed, state, settings)) else {
            return;
        };
        let cwd = observed.circumstance.cwd.as_deref();
        // An error in another session's records must not fail this session.
        let found = caught(|| earlier_tasks::find(&log, self.key, occasion, cwd, state));
        match found.and_then(|found| Ok(found?)) {
            Ok(offers) => facts.offers = offers,
            Err(failure) => {
                let causes = with_causes(&failure);
                let message =
                    format!("cannot look for earlier tasks: {causes}; `verger doctor` shows more");
                // The error would occur at every prompt, so it is recorded only once.
                if !is_told(&state.session, &message) {
                    facts.warnings.push(Event::Warned { area: VergerPart::Recall.into(), message });
                }
            }
        }
    }

    fn look_for_uses(&self, facts: &mut Facts, state: &State, observed: &Observed) {
        let cwd = observed.circumstance.cwd.as_deref();
        let Some(place) = self.learnings_place(cwd) else { return };
        let catalogue = Catalogue::new(self.home.recall(&place.ground.root));
        match implicit_use::find(&catalogue, &observed.event, state) {
            Ok(used) => facts.used = used,
            Err(error) => {
                let problem = format!("cannot {}", with_causes(&error));
                facts.warnings.push(recall_warning(&problem));
            }
        }
    }

    pub(crate) fn learnings_place(&self, cwd: Option<&str>) -> Option<LearningsPlace> {
        let cwd = Path::new(cwd?).canonicalize().ok()?;
        let user_home = self.engine.environment.get("HOME");
        let root = root_without_git(&cwd, user_home.as_deref().map(Path::new));
        Some(LearningsPlace::new(self.home, root, &self.loaded.settings, self.engine.clock.now()))
    }

    fn fact_finder(&self) -> FactFinder {
        let environment = self.engine.environment.all().iter().cloned();
        FactFinder::new(self.home, self.key, &self.loaded.settings, environment)
    }

    fn saver(&self) -> Saver<'_> {
        let (settings, clock) = (&self.loaded.settings, self.engine.clock);
        Saver { environment: self.engine.environment, home: Some(self.home), settings, clock }
    }
}

/// Looks up the releases that no session has shown. If the project's records can't be read, a
/// warning is recorded and nothing is shown. `verger status` still lists the releases.
fn look_for_releases(log: &Log<'_, impl ReadLog>, facts: &mut Facts) {
    match log.store.project_fold::<ProjectReleases>(log.project, ProjectReleases::NAME) {
        Ok(releases) => facts.releases = releases.unshown(),
        Err(error) => {
            let message = format!("cannot {}; `verger doctor` shows more", with_causes(&error));
            facts.warnings.push(Event::Warned { area: VergerPart::Store.into(), message });
        }
    }
}

fn recall_warning(problem: &str) -> Event {
    let message = format!("{problem}; `verger learn archive --unused` rebuilds the index");
    Event::Warned { area: VergerPart::Recall.into(), message }
}
