//! `verger ref`: records that a learning was useful.

use clap::Args;
use serde_json::json;
use verger_event::{Event, Fate, Reference};
use verger_library::TellError;
use verger_memory::LearningId;
use verger_memory::stats::{StatsEvent, StatsLine, lines_of};
use verger_store::with_causes;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::invocation::deferred_to_hook;
use crate::invocation::text_input::TextInput;
use crate::learning::ids::{learning_ids, not_kept};
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::sessions::gated::{GatedSession, Keeping};
use crate::sessions::picker::{Meant, meant};

/// The maximum length of a note.
const MAX_HOW_CHARS: usize = 2000;

/// Mark learnings as useful.
///
/// Useful learnings are given to sessions before others, and are not archived. Agents run this when
/// a learning that they were given helped; a person can run it outside of any session. Exit code 1
/// means that one of the learnings does not exist; the others are marked.
#[derive(Debug, Args)]
pub(crate) struct RefArgs {
    /// The ids, or their last 8 characters: `verger learn list`.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// How they helped; kept as a note for the session's reflection.
    #[arg(long, value_name = "TEXT")]
    how: Option<String>,

    /// The session: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(crate) fn refer(ui: &mut Ui, context: &Context, args: &RefArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let how = TextInput { what: "the text of --how", max_chars: MAX_HOW_CHARS };
    let how = args.how.as_deref().map(|text| how.checked(text)).transpose()?;
    let session = match meant(&store, context, args.session.as_deref())? {
        Meant::None => None,
        session => Some(GatedSession::look_up_for_agent(context, &store, &session.required()?)?),
    };
    let project_learnings = match &session {
        Some(session) => ProjectLearnings::of_session(context, session)?,
        None => ProjectLearnings::here(ui, context)?,
    };
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    known_learnings.warn(ui);
    let ids = learning_ids(&args.ids, known_learnings.ids())?;
    let is_known = |id: &LearningId| known_learnings.find(id).is_some();
    let (known, unknown): (Vec<_>, Vec<_>) = ids.into_iter().partition(is_known);
    let lines: Vec<_> = match &session {
        Some(session) => {
            let ((), drafts) = session
                .record_drafts(context, &store, &[], |_| (events(&known, how.as_deref()), ()))?;
            let tickets = session.tickets();
            drafts.iter().flat_map(|draft| lines_of(draft, &tickets)).collect()
        }
        None => known.iter().map(|id| line(context, id)).collect(),
    };
    let left = session.as_ref().filter(|session| session.keeping() == Keeping::LeftToHook);
    if let Some(session) = left.filter(|_| unknown.is_empty()) {
        return deferred_to_hook::say(ui, &session.key.session);
    }
    if left.is_some() {
        deferred_to_hook::add(ui);
        return report(ui, session.as_ref(), &[], &unknown);
    }
    match (project_learnings.project.tell(&lines), &session) {
        (Ok(()), _) => {}
        (Err(TellError::Never(error)), None) => return Err(error.into()),
        (Err(error), _) => ui.warn(&format!("cannot {}", with_causes(&error))),
    }
    tell_passed_over(ui, &store);
    report(ui, session.as_ref(), &known, &unknown)
}

fn events(known: &[LearningId], how: Option<&str>) -> Vec<Event> {
    let seen = known.iter().map(|id| Event::LearningSeen {
        learning: id.to_string(),
        fate: Fate::Referenced,
        how: Some(Reference::Explicit),
    });
    let names: Vec<_> = known.iter().map(LearningId::as_str).collect();
    let note = how.filter(|_| !known.is_empty()).map(|how| Event::ObservationRecorded {
        text: format!("{} helped: {how}", names.join(", ")),
        author: None,
    });
    seen.chain(note).collect()
}

/// The line of statistics for a person's reference outside of a session.
fn line(context: &Context, id: &LearningId) -> StatsLine {
    StatsLine {
        id: context.clock.next_id(),
        at: context.clock.now(),
        session: None,
        tickets: vec![],
        event: StatsEvent::Referenced { learning: id.clone(), how: Reference::Explicit },
    }
}

fn report(
    ui: &mut Ui,
    session: Option<&GatedSession>,
    known: &[LearningId],
    unknown: &[LearningId],
) -> Result<(), CommandError> {
    let names = |ids: &[LearningId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    if ui.output() == Output::Json {
        ui.json(&json!({
            "session": session.map(|session| &session.key.session),
            "referenced": names(known),
            "unknown": names(unknown),
        }))?;
    } else {
        for id in known {
            ui.line(format!("noted: {id} was useful"))?;
        }
        for id in unknown {
            ui.line(not_kept(id))?;
        }
    }
    if unknown.is_empty() { Ok(()) } else { Err(CommandError::Found) }
}
