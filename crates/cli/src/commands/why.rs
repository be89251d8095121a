//! `verger why`: explains an answer of verger.

use std::path::Path;

use clap::Args;
use serde_json::json;
use verger_engine::Home;
use verger_engine::{Environment, State, load_settings};
use verger_event::{EventId, Record};
use verger_store::SegmentName;
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::drift::story::{DriftStory, is_of_drift};
use crate::invocation::ancestry::Reader;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::render::progress::Meter;
use crate::review::story::ReviewStories;
use crate::sessions::event_picker::{Located, Wanted, at_place, by_id, each_record, in_session};
use crate::sessions::explanation::{Explanation, about, is_act};
use crate::sessions::picker::{Meant, meant};
use crate::sessions::verdict_sentence::VerdictSentence;

/// The number of sessions that are searched for the last act of a check, the latest first.
const MAX_SESSIONS: usize = 50;

/// Explain why verger blocked, asked or stayed silent.
///
/// The first line says in one sentence how verger answered. After it come the event, the verdict or
/// text that verger gave, the gates and guards that decided, and the facts and settings they used, as
/// they were then.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The event: its id, its beginning, its last 8 characters, SESSION:NUMBER or NUMBER.
    #[arg(required_unless_present = "last")]
    event: Option<String>,

    /// The last event that a check acted on, or the last restore; without any, the last event.
    #[arg(long, conflicts_with = "event")]
    last: bool,

    /// The session, for --last and for a number: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn why(ui: &mut Ui, context: &Context, args: &WhyArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let session = args.session.as_deref();
    let asked = match &args.event {
        None => {
            let Some(last) = last(ui, context, &store, &meant(&store, context, session)?)? else {
                return nothing_recorded(ui);
            };
            if let Some(note) = last.note() {
                ui.tell(&note);
            }
            last.located
        }
        Some(text) => match Wanted::parse(text)? {
            Wanted::Id(prefix) => by_id(ui, &store, &prefix)?,
            Wanted::Place { session, seq } => at_place(&store, &session, seq)?,
            Wanted::Seq(seq) => {
                in_session(&store, meant(&store, context, session)?.required()?, seq)?
            }
        },
    };
    let home = context.home()?;
    let explanation = explain(&store, asked, &home, &context.environment)?;
    let explanation = match Reader::of_process(&context.environment) {
        Reader::Person => explanation,
        Reader::Agent => explanation.for_agent(),
    };
    tell_passed_over(ui, &store);
    match ui.output() {
        Output::Text => {
            let sentence = VerdictSentence::of(&explanation);
            ui.wrapped_line(&[(sentence.tone, sentence.word)], sentence.rest())?;
            ui.line("")?;
            explanation.table().print(ui)?;
        }
        Output::Json => ui.json(&explanation.to_json())?,
    }
    Ok(())
}

/// The records about an event, and the settings in its session's directory.
pub(super) fn explain(
    store: &LocalStore,
    asked: Located,
    home: &Home,
    environment: &Environment,
) -> Result<Explanation, CommandError> {
    let subject_id = about(&asked.record).unwrap_or(asked.record.draft.id);
    let (mut subject, mut answers) = (None, vec![]);
    let mut stories = ReviewStories::default();
    let locate = |record| Located { segment: asked.segment.clone(), record };
    each_record(store, &asked.segment, &mut |record: Record| {
        stories.see(&record);
        if is_other(&record, subject_id, &asked) {
            subject = Some(locate(record));
        } else if about(&record) == Some(subject_id) {
            answers.push(locate(record));
        }
    })?;
    let cwd = asked.record.draft.origin.circumstance.cwd.clone();
    let loaded = load_settings(home, cwd.as_deref().map(Path::new), environment);
    let records = || [&asked].into_iter().chain(&subject).chain(&answers).map(|l| &l.record);
    let review = stories.concerning(records());
    // If there are several records of drift, the last one includes the findings of the earlier
    // ones.
    let of_drift = || records().skip(1).filter(|record| is_of_drift(record));
    let drift = match Some(&asked.record).filter(|asked| is_of_drift(asked)).or(of_drift().last()) {
        Some(record) => DriftStory::behind(store, &asked.segment, record)?,
        None => None,
    };
    Ok(Explanation { asked, subject, answers, review, drift, settings: *loaded.settings })
}

fn is_other(record: &Record, subject: EventId, asked: &Located) -> bool {
    record.draft.id == subject && record.draft.id != asked.record.draft.id
}

/// Reports that the log is empty.
fn nothing_recorded(ui: &mut Ui) -> Result<(), CommandError> {
    match ui.output() {
        Output::Text => {
            ui.line("nothing recorded yet")?;
            ui.note(
                "to record your agent's next session: verger init; verger status says whether verger \
                 is registered",
            )?;
        }
        Output::Json => ui.json(&json!({ "asked": null, "sentence": "Nothing recorded yet." }))?,
    }
    Err(CommandError::Found)
}

/// The event that `--last` means.
struct Last {
    located: Located,
    /// The last event of the same session, if it is a later one.
    later: Option<Record>,
}

impl Last {
    /// Names the chosen event, if the session's last event is another one.
    fn note(&self) -> Option<String> {
        let last = self.later.as_ref()?.draft.event.kind();
        Some(format!(
            "no check acted on the last event, {last}; this is the last one that a check acted on"
        ))
    }
}

/// The last act of a check, or the last restore, in the selected sessions. Without one, the last
/// event of the latest session. `None` if nothing is recorded.
fn last(
    ui: &Ui,
    context: &Context,
    store: &LocalStore,
    meant: &Meant,
) -> Result<Option<Last>, CommandError> {
    let rows = meant_rows(context, store, meant)?;
    let (mut acted, mut latest): (Option<Last>, Option<Located>) = (None, None);
    let mut meter = Meter::new(ui, "reading session");
    for (done, row) in rows.iter().take(MAX_SESSIONS).enumerate() {
        meter.update(done, rows.len().min(MAX_SESSIONS));
        let is_over = |acted: &Last| row.last_ms < millis(&acted.located.record);
        if acted.as_ref().is_some_and(is_over) {
            break;
        }
        let locate = |record| Located { segment: row.segment(), record };
        let here = last_in(store, &row.segment())?;
        let later = here.event_after_act;
        let acted_here = here.act.map(|act| Last { located: locate(act), later });
        acted =
            acted.into_iter().chain(acted_here).max_by_key(|acted| acted.located.record.draft.at);
        latest = latest.or_else(|| here.last.map(locate));
    }
    if acted.is_none() && rows.len() > MAX_SESSIONS {
        ui.warn(&format!(
            "no check acted in the latest {MAX_SESSIONS} sessions, and earlier ones were not \
             searched; verger why --last --session SESSION searches one",
        ));
    }
    match acted.or_else(|| latest.map(|located| Last { located, later: None })) {
        Some(last) => Ok(Some(last)),
        None if rows.is_empty() => Ok(None),
        None => Err(CommandError::Usage {
            message: "no record can be read".to_owned(),
            hint: "verger log verify says why".to_owned(),
        }),
    }
}

/// The selected session, or the latest sessions of this project or of all projects. Returns one
/// session more than is searched.
fn meant_rows(
    context: &Context,
    store: &LocalStore,
    meant: &Meant,
) -> Result<Vec<SessionRow>, CommandError> {
    let project = context.project_id();
    Ok(Index::current::<State, _>(store, |index| {
        if let Meant::One(SegmentName::Session(stem) | SegmentName::Project(stem)) = meant {
            return Ok(index.session(stem)?.into_iter().collect());
        }
        let here = match &project {
            Some(project) => index.latest_of_project(project, MAX_SESSIONS + 1)?,
            None => vec![],
        };
        if here.is_empty() { index.latest_sessions(MAX_SESSIONS + 1) } else { Ok(here) }
    })?)
}

fn millis(record: &Record) -> Option<i64> {
    i64::try_from(record.draft.at.as_millis()).ok()
}

/// The last records of a session.
#[derive(Default)]
struct LastRecords {
    /// The last act of a check, or the last restore.
    act: Option<Record>,
    /// The last event of the agent after the act.
    event_after_act: Option<Record>,
    last: Option<Record>,
}

fn last_in(store: &LocalStore, segment: &SegmentName) -> Result<LastRecords, CommandError> {
    let mut found = LastRecords::default();
    each_record(store, segment, &mut |record| {
        if is_act(&record.draft.event) {
            found.act = Some(record.clone());
            found.event_after_act = None;
        } else if !record.draft.event.is_of_verger() {
            found.event_after_act = Some(record.clone());
        }
        found.last = Some(record);
    })?;
    Ok(found)
}
