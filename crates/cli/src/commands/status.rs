//! `verger status`: live sessions, their gates, and the items that need a person, on one screen.

mod watch;

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};
use verger_agent::by_name;
use verger_chronicle::Position;
use verger_engine::Home;
use verger_engine::LoadedSettings;
use verger_event::{SessionId, TaskState, Timestamp};
use verger_store_local::{Index, IndexError, LocalStore};

use crate::config::capability::{Standing, standings};
use crate::doctor::recorded::{Depth, Recent, RecentSession};
use crate::doctor::registration::{AgentCheckup, Registered, joined, no_agent};
use crate::doctor::{Check, recorded, surroundings, undo};
use crate::drift::text::{has_no_drift, position_json, position_text, position_tone};
use crate::install::agents_here;
use crate::invocation::ancestry::Reader;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::text::{self as learning_text, learning_json};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::progress::showing_updates;
use crate::render::short_ids::ShortIds;
use crate::render::table::Table;
use crate::render::time::age;
use crate::review::text::{self as review_text, review_json};
use crate::sessions::needs_you::{NeedsYou, mark_seen};
use crate::verify::text::{self as verification_text, verification_json};

/// The maximum number of live sessions to show, so that all output fits on the screen.
const MAX_LIVE: usize = 10;

/// See live sessions, their gates and what needs you.
///
/// Also shows the registered agents and which features are on.
///
/// A gate can let an agent stop although its review, verification or reflection is missing. The
/// session is then listed under "needs you" until you run this with --seen, or until the gate is
/// satisfied. `verger doctor` checks the installation.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Mark the sessions under "needs you" as seen; show nothing else.
    #[arg(long)]
    seen: bool,
    /// Keep the screen up to date until Ctrl-C; with --json, print an object per change.
    #[arg(long, conflicts_with = "seen")]
    watch: bool,
}

pub(crate) fn status(
    ui: &mut Ui,
    context: &Context,
    args: &StatusArgs,
) -> Result<(), CommandError> {
    let home = context.home()?;
    let loaded = context.settings(&home);
    let store = LocalStore::open(&home.data, loaded.store_options())?;
    if args.seen {
        return mark_seen(ui, context, &store, &loaded);
    }
    if args.watch {
        return watch::watch(ui, context, &home, &store);
    }
    let store = showing_updates(ui, store);
    let status = Status::gather(ui, context, &store)?;
    tell_passed_over(ui, &store);
    match ui.output() {
        Output::Json => ui.json(&status.to_json())?,
        Output::Text => status.table(context).print(ui)?,
    }
    Ok(())
}

impl Status {
    fn gather(ui: &Ui, context: &Context, store: &LocalStore) -> Result<Self, CommandError> {
        let home = context.home()?;
        let loaded = context.settings(&home);
        let now = context.clock.now();
        let recent = Recent::find(store, now, Depth::Usual)?.sessions;
        let agents = AgentCheckup::of_all(context, &agents_here(context)?, Some(store))?;
        let all_live = Index::with(store, |index| index.count_live(now))?;
        let mut checks = joined(agents.iter().map(|agent| (agent, agent.checks())).collect());
        checks.extend(agents.is_empty().then(no_agent));
        checks.extend(recorded::checks(&recent, &loaded.settings, now));
        checks.extend(recorded::claims(&recent, now));
        checks.extend(surroundings::settings(&home, &loaded));
        let reader = Reader::of_process(&context.environment);
        let points = undo::points_text(context).unwrap_or_else(|error| {
            ui.warn(&error.to_string());
            None
        });
        let live = recent.iter().filter(|session| session.row.is_live(now));
        let live: Vec<_> = live.map(|session| session.row.stem.clone()).collect();
        let drift = positions(store, &live)?;
        let let_go = NeedsYou::find(store)?;
        Ok(Self {
            home,
            agents,
            recent,
            loaded,
            checks,
            now,
            reader,
            points,
            all_live,
            drift,
            let_go,
        })
    }
}

struct Status {
    home: Home,
    agents: Vec<AgentCheckup>,
    recent: Vec<RecentSession>,
    loaded: LoadedSettings,
    checks: Vec<Check>,
    now: Timestamp,
    /// The person or agent that runs the command.
    reader: Reader,
    /// The undo points of this project, in one line.
    points: Option<String>,
    /// The number of live sessions, including sessions that were not read.
    all_live: usize,
    /// The drift of each live session's agent, by segment name.
    drift: BTreeMap<String, Position>,
    let_go: NeedsYou,
}

fn positions(
    store: &LocalStore,
    stems: &[String],
) -> Result<BTreeMap<String, Position>, CommandError> {
    Ok(Index::with(store, |index| {
        index.refresh_drift(stems, &mut store.begin_refresh())?;
        let mut positions = BTreeMap::new();
        for stem in stems {
            positions.extend(index.position_of(stem)?.map(|position| (stem.clone(), position)));
        }
        Ok::<_, IndexError>(positions)
    })?)
}

impl AgentCheckup {
    fn is_tested(&self) -> Option<bool> {
        let version = self.version()?;
        Some(self.agent.tested_versions.contains(&version))
    }

    pub(super) fn text(&self, now: Timestamp) -> String {
        let how = match &self.registered {
            Registered::ByPlugin => "plugin",
            Registered::BySettings(_) => "hooks in settings",
            Registered::No => "not registered",
        };
        let version = match (self.version(), self.is_tested()) {
            (Some(version), Some(true)) => format!("version {version}, tested"),
            (Some(version), _) => format!("version {version}, not tested with this verger"),
            (None, _) => "version not known".to_owned(),
        };
        let seen = self.last_seen().map_or_else(
            || "never seen".to_owned(),
            |last| format!("last event {}", age(last, now)),
        );
        format!("{}: {how}; {version}; {seen}", self.agent.install.product)
    }

    fn to_json(&self) -> Value {
        let (how, files) = match &self.registered {
            Registered::ByPlugin => ("plugin", vec![]),
            Registered::BySettings(files) => ("settings", files.clone()),
            Registered::No => ("no", vec![]),
        };
        json!({
            "agent": self.agent.name,
            "registered": how,
            "settings": files,
            "version": self.version(),
            "tested": self.is_tested(),
            "last_event_ms": self.last_seen(),
        })
    }
}

impl Status {
    fn live(&self) -> impl Iterator<Item = &RecentSession> {
        self.recent.iter().filter(|session| session.row.is_live(self.now))
    }

    fn to_json(&self) -> Value {
        let needs = self.checks.iter().filter(|check| check.as_problem().is_some());
        json!({
            "version": crate::VERSION,
            "data": self.home.data,
            "config": self.home.config_file(),
            "agents": self.agents.iter().map(AgentCheckup::to_json).collect::<Vec<_>>(),
            "live_sessions": self.live().map(|live| self.session_json(live)).collect::<Vec<_>>(),
            "capabilities":
                standings(&self.loaded.settings).iter().map(Standing::to_json).collect::<Vec<_>>(),
            "undo_points": self.points,
            "let_go": self.let_go.to_json(),
            "needs": needs.map(Check::to_json).collect::<Vec<_>>(),
        })
    }

    /// How the review, the learning and the verification gate of a session are opened. `id` is the
    /// session's id, or a short form of it.
    fn releases(&self, session: &RecentSession, id: &str) -> [Option<String>; 3] {
        let id = SessionId::new(id);
        [
            review_text::release(&session.state.review, &id, self.reader),
            learning_text::release(&session.state.learning, &id, self.reader),
            verification_text::release(&session.state.verification, &id, self.reader),
        ]
    }

    fn session_json(&self, session: &RecentSession) -> Value {
        let state = &session.state.session;
        let [of_review, of_learning, of_verification] =
            self.releases(session, &session.row.session);
        let verification = &session.state.verification;
        json!({
            "agent": session.row.agent,
            "session": session.row.session,
            "project": state.project,
            "cwd": state.cwd,
            "task": state.task,
            "first_ms": state.first_at,
            "last_ms": state.last_at,
            "events": state.events,
            "subagents": state.subagents.keys().collect::<Vec<_>>(),
            "warnings": state.warnings.count,
            "review": review_json(&session.state.review, of_review.as_deref()),
            "learning": learning_json(&session.state.learning, of_learning.as_deref()),
            "verification": verification_json(verification, of_verification.as_deref()),
            "drift": position_json(self.drift.get(&session.row.stem).copied()),
        })
    }

    fn table(&self, context: &Context) -> Table {
        let mut table = Table::default();
        let mut toned = |tone: Tone, name: &str, text: &str| {
            table.toned_row(tone, name, context.with_tilde(text));
        };
        toned(
            Tone::Plain,
            "verger",
            &format!("{}, files in {}", crate::VERSION, self.home.data.display()),
        );
        for agent in &self.agents {
            toned(Tone::Plain, "agent", &agent.text(self.now));
        }
        self.live_rows(&mut toned, &|_| None);
        for standing in standings(&self.loaded.settings) {
            toned(Tone::Plain, standing.capability.name, &standing.text());
        }
        if let Some(points) = &self.points {
            toned(Tone::Plain, "undo points", points);
        }
        self.needs_rows(&mut toned);
        table
    }

    /// The live sessions. `doing` gives the text of a session's last event.
    fn live_rows(
        &self,
        toned: &mut dyn FnMut(Tone, &str, &str),
        doing: &dyn Fn(&str) -> Option<String>,
    ) {
        let live: Vec<_> = self.live().collect();
        let short = ShortIds::of_sessions(live.iter().map(|live| live.row.session.as_str()));
        let is_mixed = live.iter().any(|session| session.row.agent != live[0].row.agent);
        for session in live.iter().take(MAX_LIVE) {
            let id = short.of(&session.row.session);
            let name = match by_name(&session.row.agent).filter(|_| is_mixed) {
                Some(agent) => format!("{id} of {}", agent.install.product),
                None => id.clone(),
            };
            toned(Tone::Plain, "live", &session_text(session, &name, self.now));
            if let Some(doing) = doing(&session.row.session) {
                toned(Tone::Plain, "  doing", &doing);
            }
            let [of_review, of_learning, of_verification] = self.releases(session, &id);
            let verification = &session.state.verification;
            let gates = [
                (
                    "  verification",
                    verification_text::standing(verification, self.now),
                    of_verification,
                ),
                ("  review", review_text::standing(&session.state.review, self.now), of_review),
                (
                    "  learning",
                    learning_text::standing(&session.state.learning, self.now),
                    of_learning,
                ),
            ];
            for (name, standing, release) in gates {
                // The gate blocks the agent, and a person can open it.
                let tone = if release.is_some() { Tone::Warn } else { Tone::Plain };
                for (tone, name, text) in
                    [(tone, name, standing), (Tone::Plain, "  release", release)]
                {
                    if let Some(text) = text {
                        toned(tone, name, &text);
                    }
                }
            }
            let position =
                self.drift.get(&session.row.stem).filter(|position| !has_no_drift(**position));
            if let Some(position) = position {
                toned(position_tone(Some(*position)), "  drift", &position_text(Some(*position)));
                toned(Tone::Plain, "  see", &format!("verger drift --session {id}"));
            }
        }
        match self.all_live.max(live.len()) {
            0 => toned(Tone::Plain, "live", "no session"),
            all if all > MAX_LIVE => {
                toned(
                    Tone::Plain,
                    "live",
                    &format!("{} more: verger session list", all - MAX_LIVE),
                );
            }
            _ => {}
        }
    }

    fn needs_rows(&self, toned: &mut dyn FnMut(Tone, &str, &str)) {
        let let_go = self.let_go.lines(self.now);
        let mut problems = self.checks.iter().filter_map(Check::as_problem).peekable();
        if let_go.is_empty() && problems.peek().is_none() {
            toned(Tone::Good, "needs you", "nothing");
        }
        for (text, help) in &let_go {
            toned(Tone::Warn, "needs you", text);
            toned(Tone::Plain, "  do", help);
        }
        for problem in problems {
            toned(Tone::Warn, "needs you", &problem.text());
            toned(Tone::Plain, "  do", &problem.help);
        }
    }
}

/// A live session in one line. `name` has its id, and its agent if there are several.
fn session_text(session: &RecentSession, name: &str, now: Timestamp) -> String {
    let state = &session.state.session;
    let task = match state.task {
        TaskState::None => "no task yet",
        TaskState::Open(_) => "task open",
        TaskState::Done(_) => "task done",
    };
    let seen = state.last_at.map_or_else(|| "never".to_owned(), |at| age(at, now));
    let mut text =
        format!("{name} in {}: {task}, last event {seen}", state.cwd.as_deref().unwrap_or("-"));
    for (number, noun) in
        [(state.subagents.len() as u64, "subagent"), (state.warnings.count, "warning")]
    {
        if number > 0 {
            text = format!("{text}, {}", count(number, noun));
        }
    }
    text
}
