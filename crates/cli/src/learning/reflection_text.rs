//! The result of a reflection as text for an agent or a person, and as JSON for programs.

use std::io;

use serde_json::{Value, json};
use verger_event::SessionId;
use verger_library::{BackendKind, Placement, Shelved};
use verger_memory::{LearningId, TurnedAway};

use crate::learning::reflection::Reflected;
use crate::render::output::{Ui, count};

pub(crate) fn print(ui: &mut Ui, id: &SessionId, reflected: &Reflected) -> io::Result<()> {
    let Reflected { judgement, used, superseded, misses, .. } = reflected;
    let kept = judgement.learnings.len();
    let all = kept + judgement.rejected.len();
    let offered = count(all, "candidate");
    ui.line(match (kept, all, reflected.not_kept()) {
        (0, 0, _) => format!("reflection rejected, for session {id}: it has no candidates"),
        (0, _, _) => format!("reflection rejected, for session {id}: none of {offered} passes"),
        (_, _, Some(why)) => format!("reflection rejected, for session {id}: {why}"),
        (_, _, None) => format!("accepted {kept} of {offered}, for session {id}"),
    })?;
    for learning in &judgement.learnings {
        let place = reflected.shelved.iter().find(|one| one.learning == learning.id);
        ui.line(format!("  {}, {}: {}", learning.id, place_text(place), learning.summary))?;
    }
    for TurnedAway { candidate, rejected } in &judgement.rejected {
        ui.line(format!("  candidate {candidate} is rejected: {}", rejected.summary))?;
        for reason in &rejected.reasons {
            ui.line(format!("    {} {}", reason.field, reason.says))?;
        }
    }
    for learning in used {
        ui.note(format!("  {learning} was useful"))?;
    }
    for learning in superseded {
        ui.note(format!("  {learning} is superseded"))?;
    }
    for miss in misses {
        ui.note(format!("  {} was rejected earlier: {}", miss.learning, miss.reasons.join("; ")))?;
    }
    for remark in &reflected.remarks {
        ui.note(format!("  {remark}"))?;
    }
    for earlier in reflected.earlier() {
        ui.note(format!(
            "  {}, of an earlier reflection: {}",
            earlier.learning,
            place_text(Some(earlier))
        ))?;
    }
    for trouble in reflected.troubles.iter().chain(&reflected.not_stored()) {
        ui.warn(trouble);
    }
    let next = if reflected.is_taken() {
        "the agent may stop now; verger status shows the state of its gates"
    } else {
        "correct the candidates and reflect again; verger reflect --example shows one that passes"
    };
    ui.note(next)
}

/// The storage of a learning, in words.
pub(crate) fn place_text(shelved: Option<&Shelved>) -> String {
    match shelved.map(|shelved| &shelved.placement) {
        Some(Placement::Kept { backend }) => format!("in {}", place_name(*backend)),
        Some(Placement::KeptElsewhere { backend, failed, because }) => {
            format!(
                "in {} because {} failed: cannot {because}",
                place_name(*backend),
                place_name(*failed)
            )
        }
        Some(Placement::Discarded) => {
            "discarded: its scope is ephemeral, and only a project with a daily log keeps such learnings".to_owned()
        }
        Some(Placement::Failed { .. } | Placement::NoBackend) | None => "not stored yet".to_owned(),
    }
}

/// Whether the learning needs no further step to be stored.
pub(crate) fn is_stored(shelved: &Shelved) -> bool {
    !matches!(shelved.placement, Placement::Failed { .. } | Placement::NoBackend)
}

fn place_name(backend: BackendKind) -> &'static str {
    match backend {
        BackendKind::Markdown => ".verger/learnings.md",
        BackendKind::TotalRecall => "the daily log of Total Recall",
        BackendKind::Personal => "your own file",
        BackendKind::InMemory => "memory",
        BackendKind::Nowhere => "nowhere",
    }
}

pub(crate) fn to_json(id: &SessionId, reflected: &Reflected) -> Value {
    let Reflected { step, judgement, .. } = reflected;
    let learnings = judgement.learnings.iter().map(|learning| {
        let shelved = reflected.shelved.iter().find(|one| one.learning == learning.id);
        let mut value = learning.to_json();
        value["placement"] = placement_json(shelved);
        value
    });
    let rejected = judgement.rejected.iter().map(|one| {
        let mut value = one.rejected.to_json();
        value["candidate"] = one.candidate.into();
        value
    });
    let earlier = reflected.earlier().map(|shelved| {
        json!({ "learning": shelved.learning.as_str(), "placement": placement_json(Some(shelved)) })
    });
    let ids = |ids: &[LearningId]| -> Value { ids.iter().map(LearningId::as_str).collect() };
    let misses = reflected.misses.iter().map(|miss| {
        json!({
            "learning": miss.learning.as_str(),
            "summary": miss.summary,
            "reasons": miss.reasons,
        })
    });
    json!({
        "session": id,
        "taken": reflected.is_taken(),
        "gate": step.after.phase.name(),
        "learnings": learnings.collect::<Vec<_>>(),
        "rejected": rejected.collect::<Vec<_>>(),
        "used": ids(&reflected.used),
        "superseded": ids(&reflected.superseded),
        "earlier": earlier.collect::<Vec<_>>(),
        "misses": misses.collect::<Vec<_>>(),
        "remarks": reflected.remarks,
        "problems": reflected.troubles,
    })
}

/// The storage of a learning, as JSON.
pub(crate) fn placement_json(shelved: Option<&Shelved>) -> Value {
    match shelved.map(|shelved| &shelved.placement) {
        Some(Placement::Kept { backend }) => json!({ "is": "kept", "backend": backend.as_str() }),
        Some(Placement::KeptElsewhere { backend, failed, because }) => json!({
            "is": "kept_elsewhere",
            "backend": backend.as_str(),
            "failed": failed.as_str(),
            "because": because,
        }),
        Some(Placement::Discarded) => json!({ "is": "discarded" }),
        Some(Placement::Failed { backend, because }) => {
            json!({ "is": "failed", "backend": backend.as_str(), "because": because })
        }
        Some(Placement::NoBackend) => json!({ "is": "no_backend" }),
        None => json!({ "is": "waiting" }),
    }
}
