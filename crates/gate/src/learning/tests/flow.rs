//! Tests of whole sessions, from the first ticket to the last stop.

use serde_json::json;
use verger_event::{
    CompactionTrigger, EndReason, Event, ReviewDecision, StartSource, StartTree, TicketSystem,
};

use super::super::*;
use super::built::{everything, name, policy};
use super::play::Play;
use crate::blocks;
use crate::played::{main_agent, stop_beside, subagent};
use crate::work::Start;

fn is_refused(say: &Say) -> bool {
    matches!(say, Say::RefuseStop(_))
}

#[test]
fn a_ticket_is_closed_and_reflected_on() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.find("bd-1");
    assert_eq!(play.stop(), Say::Nothing, "it is still open");
    let call = play.close("bd-1");
    play.end_call(&call, CallEnd::Succeeded);
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!((hold.number, hold.ask), (1, Ask::Reflect));
    assert_eq!(hold.want.words(), "beads bd-1 was closed");
    assert_eq!(play.reflect(), Say::Taken);
    assert_eq!(play.stop(), Say::Nothing);
    assert_eq!(play.gate().phase.name(), "reflected");
}

#[test]
fn every_ticket_of_a_session_is_asked_for() {
    let mut play = Play::default();
    play.prompt("do them all");
    play.close("bd-1");
    assert!(is_refused(&play.stop()));
    play.reflect();
    assert_eq!(play.stop(), Say::Nothing);
    play.prompt("and the next");
    play.close("bd-2");
    play.close("bd-3");
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!(hold.want.words(), "beads bd-2, beads bd-3 were closed");
    assert_eq!(play.skip(SkippedBy::Agent), Say::Taken);
    assert_eq!(play.stop(), Say::Nothing);
    play.close("bd-3");
    assert_eq!(play.stop(), Say::Nothing, "that one had its answer");
    play.close("bd-4");
    assert!(is_refused(&play.stop()));
}

#[test]
fn a_close_that_failed_is_no_close() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.find("bd-1");
    let call = play.close("bd-1");
    assert_eq!(play.gate().phase.name(), "pending");
    play.end_call(&call, CallEnd::Failed);
    let ticket = super::built::ticket("bd-1");
    assert_eq!(play.gate().phase, Phase::Active { ticket });
    assert_eq!(play.stop(), Say::Nothing);
    let (first, second) = (play.close("bd-1"), play.close("bd-2"));
    play.end_call(&second, CallEnd::Refused);
    play.end_call(&first, CallEnd::Succeeded);
    play.end_call(&first, CallEnd::Failed);
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!(hold.want.tickets(), [name("bd-1")]);
}

#[test]
fn a_line_that_fails_behind_the_close_leaves_it_closed() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    let call = play.run(main_agent(), "bd close bd-1; false");
    play.end_call(&call, CallEnd::Failed);
    play.end_call(&call, CallEnd::Refused);
    assert!(is_refused(&play.stop()), "that the message's calls are done says nothing new");
}

#[test]
fn a_close_that_a_person_refused_is_no_close() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    let call = play.close("bd-1");
    play.person_speaks();
    assert_eq!(play.gate().phase.name(), "active");
    assert_eq!(play.stop(), Say::Nothing);
    let closes = [super::built::close("bd-1", 1)];
    let end = CallEnd::Succeeded;
    play.step(&Input::CallEnded(EndedCall { id: Some(&call), closes: &closes, end }));
    assert!(is_refused(&play.stop()), "it was a subagent's, and went on");
}

#[test]
fn a_close_by_a_subagent_holds_the_main_agent() {
    let mut play = Play::default();
    play.prompt("have it done");
    play.record(subagent("s0"), &Event::SubagentStarted);
    play.close_by_subagent("bd-1");
    assert_eq!(play.stop_with(&stop_beside(&["s0"])), Say::Nothing, "it waits for the subagent");
    let stop = stop_beside(&[]);
    play.record(subagent("s0"), &Event::SubagentStopRequested { stop, transcript: None });
    assert!(is_refused(&play.stop()));
}

#[test]
fn three_stops_are_refused_and_the_fourth_passes_until_the_cooldown_is_over() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.close("bd-1");
    for number in 1..=3 {
        let Say::RefuseStop(hold) = play.stop() else { panic!("{number} passes") };
        assert_eq!(hold.number, number);
    }
    let by = ReleasedBy::Breaker;
    assert!(matches!(play.stop(), Say::PassUnreflected { by: found, .. } if found == by));
    assert_eq!(play.stop(), Say::Nothing);
    play.close("bd-1");
    assert!(!is_refused(&play.stop()), "asked for the same, the gate is still tripped");
    play.close("bd-2");
    assert!(is_refused(&play.stop()), "another ticket is another matter");
}

#[test]
fn a_reflection_that_is_not_taken_holds_and_counts_as_an_attempt() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.close("bd-1");
    for number in 1..=3 {
        assert!(is_refused(&play.stop()));
        assert_eq!(play.reflect_badly(&format!("problem {number}")), Say::Refused);
    }
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!((hold.number, hold.want.refusal.as_deref()), (1, Some("problem 3")));
}

#[test]
fn a_small_change_is_asked_for_once() {
    let mut play = Play::default();
    play.changed = Changed::Lines(2);
    play.prompt("do bd-1");
    play.close("bd-1");
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!(hold.ask, Ask::ReflectOrSkip { changed: Changed::Lines(2) });
    assert_eq!(play.stop(), Say::Nothing);
    let by = SkippedBy::Auto;
    assert!(matches!(&play.gate().phase, Phase::Skipped { by: found, .. } if *found == by));
    let reason = "small change: 2 lines".to_owned();
    let files = vec!["src/save.rs".to_owned()];
    let expected = Change::Skipped { by, reason, lines: Some(2), files };
    assert_eq!(play.changes.last(), Some(&expected));
}

#[test]
fn without_tickets_changes_are_counted_from_the_last_answer() {
    let systems = vec![TicketSystem::Session];
    let mut play = Play::new(Policy { systems, ..policy() });
    play.prompt("change it");
    play.take_start_tree("one");
    play.edit_file("a.rs");
    assert!(play.gate().asks_for_changes(&play.policy));
    assert!(is_refused(&play.stop()));
    assert!(is_refused(&play.stop()));
    play.reflect();
    assert_eq!(play.gate().baseline, Baseline::default());
    assert!(!play.gate().asks_for_changes(&play.policy), "nothing changed since");
    play.changed = Changed::Nothing;
    assert_eq!(play.stop(), Say::Nothing);
    play.prompt("and more");
    play.take_start_tree("two");
    play.take_start_tree("three");
    assert_eq!(*play.gate().baseline.start(), Start::Tree(json!({ "id": "two" })));
    play.changed = Changed::Lines(4);
    assert_eq!(play.stop(), Say::Nothing);
    play.prompt("and more");
    play.changed = Changed::Lines(8);
    assert!(is_refused(&play.stop()));
    assert_eq!(play.skip(SkippedBy::Agent), Say::Taken);
}

#[test]
fn without_version_control_touched_files_stand_for_the_change() {
    let mut play = Play::default();
    play.prompt("change it");
    play.edit_file("before.rs");
    let reason = "no repository".to_owned();
    play.record(main_agent(), &Event::StartTreeTaken(StartTree::Touched { reason }));
    for file in ["a.rs", "b.rs", "a.rs"] {
        play.edit_file(file);
    }
    assert_eq!(play.gate().baseline.touched().files.len(), 2);
    play.close("bd-1");
    play.reflect();
    assert_eq!(play.gate().baseline.touched().files.len(), 0);
}

#[test]
fn the_agents_own_list_is_done_when_its_last_item_is() {
    let mut play = Play::new(everything());
    play.prompt("make a plan");
    play.changed = Changed::Nothing;
    play.create_todo("1");
    assert_eq!(play.gate().phase.name(), "active");
    play.create_todo("2");
    play.complete_todo("1");
    assert_eq!(play.gate().phase.name(), "active");
    play.complete_todo("2");
    assert_eq!(play.gate().phase.name(), "pending");
    assert!(is_refused(&play.stop()));
    let mut off = Play::default();
    off.create_todo("1");
    off.complete_todo("1");
    assert_eq!(off.gate().phase.name(), "idle");
}

#[test]
fn a_session_that_ends_goes_on_where_it_was() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.find("bd-1");
    let end = |play: &mut Play| {
        play.record(
            main_agent(),
            &Event::SessionEnded { reason: EndReason::Other("other".into()) },
        );
        play.step(&Input::SessionEnded);
        let (source, model, transcript) = (StartSource::Resume, None, None);
        play.record(
            main_agent(),
            &Event::SessionStarted { source, model, transcript, client: None },
        );
    };
    end(&mut play);
    assert_eq!(play.gate().phase, Phase::default());
    play.find("bd-1");
    play.close("bd-1");
    end(&mut play);
    assert!(play.gate().phase.open_want().is_some());
    assert!(is_refused(&play.stop()));
}

#[test]
fn a_compaction_changes_nothing() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    play.close("bd-1");
    assert!(is_refused(&play.stop()));
    let before = play.gate().clone();
    let trigger = CompactionTrigger::Auto;
    play.record(main_agent(), &Event::CompactionStarted { trigger, instructions: None });
    let (source, model, transcript) = (StartSource::Compact, None, None);
    play.record(main_agent(), &Event::SessionStarted { source, model, transcript, client: None });
    assert_eq!(*play.gate(), before);
}

#[test]
fn a_new_task_is_asked_as_patiently_as_the_first() {
    let mut play = Play::new(Policy {
        blocks: blocks::Policy { max_blocks: 1, ..blocks::Policy::default() },
        ..policy()
    });
    for _ in 0..3 {
        play.prompt("do it");
        play.close("bd-1");
        assert!(is_refused(&play.stop()));
        assert!(matches!(play.stop(), Say::PassUnreflected { .. }));
    }
}

#[test]
fn notes_and_findings_are_offered_until_a_reflection() {
    let mut play = Play::default();
    play.prompt("do bd-1");
    let note = |text: &str| Event::ObservationRecorded { text: text.into(), author: None };
    play.record(subagent("s0"), &note("auth middleware\norder \u{202e}matters"));
    let mut stop = stop_beside(&[]);
    stop.last_message = Some("I found an N+1 query.".to_owned());
    play.record(subagent("s0"), &Event::SubagentStopRequested { stop, transcript: None });
    play.record(
        main_agent(),
        &Event::ReviewDecided {
            decision: ReviewDecision::Issues,
            summary: "one bug".to_owned(),
            message: Some("the empty file".to_owned()),
            content_hash: None,
            reviewer: None,
            opinions: None,
        },
    );
    let shown = |play: &Play| -> Vec<String> {
        let offers = play.gate().offers.iter();
        offers.map(|o| format!("{:?} {:?} {}", o.kind, o.by.as_deref(), o.text)).collect()
    };
    assert_eq!(
        shown(&play),
        [
            "Note Some(\"general\") auth middleware order \u{fffd}matters",
            "Report Some(\"general\") I found an N+1 query.",
            "Finding None one bug: the empty file",
        ]
    );
    play.close("bd-1");
    play.reflect();
    assert_eq!(shown(&play), Vec::<String>::new());
    for number in 0..20 {
        play.record(main_agent(), &note(&format!("note {number}")));
    }
    assert_eq!((shown(&play).len(), play.gate().offers.left_out), (16, 4));
}
