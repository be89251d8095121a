//! Statistics lines for tests.

use std::collections::BTreeMap;

use proptest::prelude::*;
use verger_event::{EventId, Reference, SessionId, Timestamp};

use super::line::{StatsEvent, StatsLine};
use crate::learning_id::LearningId;
use crate::samples::{any_id, any_text};
use crate::words::{Criterion, SkippedBy};

pub(crate) fn moment(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(crate) fn in_session(session: &str, at: u64, event: StatsEvent) -> StatsLine {
    let id = EventId::new(moment(at), at.into());
    let session = Some(SessionId::new(session));
    StatsLine { id, at: moment(at), session, tickets: vec![], event }
}

/// One statistics line of every kind.
pub(super) fn all_kinds() -> Vec<StatsLine> {
    let a = || "learn-01M7G83FEM0000000000000007".parse().unwrap();
    let b = || "learn-abc123".parse().unwrap();
    let how = |how| StatsEvent::Referenced { learning: a(), how };
    let text = str::to_owned;
    let events = [
        StatsEvent::Surfaced { learning: a(), score: Some(831) },
        how(Reference::Explicit),
        how(Reference::Reflection),
        how(Reference::Implicit),
        StatsEvent::Dismissed { learning: a() },
        StatsEvent::Corrected { learning: a(), by: Some(b()) },
        StatsEvent::Corrected { learning: a(), by: None },
        StatsEvent::Superseded { learning: a(), by: b() },
        StatsEvent::Archived { learning: a(), reason: text("not used for 91 days") },
        StatsEvent::Restored { learning: a(), reason: text("a person asked") },
        StatsEvent::Reflection {
            candidates: 3,
            accepted: vec![a(), b()],
            criteria: [(Criterion::StableFact, 1), (Criterion::BehaviorChanging, 3)].into(),
        },
        StatsEvent::Rejected {
            summary: text("鍵は一度だけ"),
            tags: vec![text("retry")],
            reasons: vec![text("summary: is too short")],
        },
        StatsEvent::Skip {
            by: SkippedBy::Agent,
            lines: Some(4),
            files: vec![text("src/save.rs")],
            reason: text("only a comment"),
        },
    ];
    let at = 1_794_767_961_556;
    let lines = (at..).zip(events).map(|(at, event)| StatsLine {
        tickets: vec![text("beads vg-17")],
        ..in_session("f0357e9b-fb48-41a1-afb7-88e26c9c25cd", at, event)
    });
    let outside = StatsEvent::Archived { learning: b(), reason: String::new() };
    let by_a_person = StatsLine { session: None, ..in_session("", at, outside) };
    lines.chain([by_a_person]).collect()
}

fn any_texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(any_text(), 0..3)
}

fn any_event_of(learning: LearningId) -> impl Strategy<Value = StatsEvent> {
    let how = prop_oneof![
        Just(Reference::Explicit),
        Just(Reference::Reflection),
        Just(Reference::Implicit)
    ];
    let of = move || Just(learning.clone());
    prop_oneof![
        (of(), any::<Option<u64>>())
            .prop_map(|(learning, score)| StatsEvent::Surfaced { learning, score }),
        (of(), how).prop_map(|(learning, how)| StatsEvent::Referenced { learning, how }),
        of().prop_map(|learning| StatsEvent::Dismissed { learning }),
        (of(), proptest::option::of(any_id()))
            .prop_map(|(learning, by)| StatsEvent::Corrected { learning, by }),
        (of(), any_id()).prop_map(|(learning, by)| StatsEvent::Superseded { learning, by }),
        (of(), any_text()).prop_map(|(learning, reason)| StatsEvent::Archived { learning, reason }),
        (of(), any_text()).prop_map(|(learning, reason)| StatsEvent::Restored { learning, reason }),
    ]
}

fn any_other_event() -> impl Strategy<Value = StatsEvent> {
    let criterion = proptest::sample::select(Criterion::ALL);
    let criteria = proptest::collection::btree_map(criterion, any::<u64>(), 0..3);
    let accepted = proptest::collection::vec(any_id(), 0..3);
    let reflection = (any::<u64>(), accepted, criteria).prop_map(
        |(candidates, accepted, criteria): (_, _, BTreeMap<_, _>)| StatsEvent::Reflection {
            candidates,
            accepted,
            criteria,
        },
    );
    let rejected = (any_text(), any_texts(), any_texts())
        .prop_map(|(summary, tags, reasons)| StatsEvent::Rejected { summary, tags, reasons });
    let by = proptest::sample::select(SkippedBy::ALL);
    let skip = (by, any::<Option<u64>>(), any_texts(), any_text())
        .prop_map(|(by, lines, files, reason)| StatsEvent::Skip { by, lines, files, reason });
    prop_oneof![reflection, rejected, skip]
}

prop_compose! {
    /// An arbitrary statistics line.
    pub(super) fn any_line()(
        id in any::<(u32, u64)>(),
        at in any::<u64>(),
        session in proptest::option::of(any_text()),
        tickets in any_texts(),
        event in prop_oneof![any_id().prop_flat_map(any_event_of), any_other_event()],
    ) -> StatsLine {
        let id = EventId::new(moment(id.0.into()), id.1.into());
        StatsLine { id, at: moment(at), session: session.map(SessionId::new), tickets, event }
    }
}

prop_compose! {
    /// An arbitrary statistics line about `learn-a`. There are few sessions and times, so that
    /// lines often coincide.
    pub(super) fn any_line_of_one()(
        id in any::<u64>(),
        at in 0u64..5,
        session in proptest::option::of("[ab]"),
        event in any_event_of("learn-a".parse().unwrap()),
    ) -> StatsLine {
        let id = EventId::new(moment(at), id.into());
        let session = session.map(SessionId::new);
        StatsLine { id, at: moment(at), session, tickets: vec![], event }
    }
}
