use verger_drift::circle::Circle;
use verger_drift::limit::{Limit, LimitedAction};
use verger_drift::recovery::Phase;
use verger_drift::score::{Assessment, LimitBroken, ReadBy, Reason, Score};
use verger_drift::{HANDOFF, Level};
use verger_event::{Actor, Event, EventId, Grounds, HandoffTrigger, Timestamp};

use super::*;

const CORRECT: Policy = Policy { mode: Mode::Correct, every: 3, max_denials: 3 };

fn broken(times: u8) -> Assessment {
    let reason = Reason::LimitBroken(LimitBroken {
        limit: Limit::NotAction(LimitedAction::Push { branch: None }),
        by: ReadBy::Rules,
        what: "git push".to_owned(),
        paths: vec![],
        times,
    });
    Assessment { score: Some(Score::of_breach(times)), reasons: vec![reason] }
}

fn circle() -> Assessment {
    let circle = Circle { check: "cargo test".to_owned(), failure: "login".to_owned(), times: 3 };
    Assessment { score: Some(Score::CIRCLE), reasons: vec![Reason::Circle(circle)] }
}

fn due(assessment: Assessment) -> Due {
    Due { assessment, goal: "Fix the login. Do not push.".to_owned() }
}

fn worked(assessment: Assessment) -> Input {
    Input::Worked { due: due(assessment), restored: vec![] }
}

fn repeats() -> Input {
    Input::Repeats { what: "Bash git push".to_owned() }
}

/// Applies an input to the state. Returns the decision about the call.
fn take(watch: &mut Watch, input: Input, policy: &Policy) -> Say {
    let Step { changes, say } = step(watch, input, policy);
    *watch = events(watch, &changes).1;
    say
}

/// Delivers the pending correction. Returns its text.
fn told(watch: &mut Watch) -> Option<String> {
    let (correction, finding) = watch.pending()?;
    let text = message::correction(correction, finding);
    watch.take(&Actor::Main { agent_type: None }, &injected(GATE));
    Some(text)
}

fn injected(source: &str) -> Event {
    Event::ContextInjected {
        moment: "tool.succeeded".to_owned(),
        on: Some(EventId::new(Timestamp::from_millis(1), 1)),
        sources: vec![source.to_owned()],
        text: String::new(),
        grounds: Grounds::default(),
        scores: [].into(),
        corrections: vec![],
    }
}

#[test]
fn in_mode_off_nothing_happens_and_in_mode_observe_nothing_is_told() {
    let off = Policy { mode: Mode::Off, ..Policy::default() };
    assert_eq!(step(&Watch::default(), worked(broken(1)), &off), Step::default());
    let mut watch = Watch::default();
    assert_eq!(take(&mut watch, worked(broken(3)), &Policy::default()), Say::Nothing);
    assert_eq!(watch.score(), Some(Score::new(2)));
    assert_eq!(told(&mut watch), None);
    assert_eq!(watch.phase(), &Phase::Normal);
    assert_eq!(take(&mut watch, repeats(), &Policy::default()), Say::Nothing);
}

#[test]
fn a_session_without_limits_and_circles_is_not_recorded() {
    let input = worked(Assessment::default());
    assert_eq!(step(&Watch::default(), input, &CORRECT).changes, []);
}

#[test]
fn the_same_score_is_recorded_once() {
    let mut watch = Watch::default();
    for (assessment, recorded) in [
        (broken(0), 1),
        (broken(0), 0),
        (broken(1), 1),
        (broken(1), 0),
        (broken(2), 1),
        (Assessment::default(), 1),
        (Assessment::default(), 0),
    ] {
        let Step { changes, .. } = step(&watch, worked(assessment.clone()), &CORRECT);
        assert_eq!(changes.len(), recorded, "{assessment:?}");
        watch = events(&watch, &changes).1;
        told(&mut watch);
    }
}

#[test]
fn each_break_is_told_more_strongly_and_the_third_is_denied_three_times() {
    let mut watch = Watch::default();
    let mut texts = vec![];
    for times in 1..=3 {
        take(&mut watch, worked(broken(times)), &CORRECT);
        texts.extend(told(&mut watch));
        assert_eq!(told(&mut watch), None, "once");
    }
    insta::assert_snapshot!(texts.join("\n---\n"), @"
    verger: you did something that the person forbade.
    - `git push`: the person said: do not push
    Next: do not run `git push` again, and tell the person that it ran. If you think that the person has changed their mind, ask before you go on.
    ---
    verger: you did it again after you were told that the person forbade it.
    - `git push`: the person said: do not push
    Do this first, before anything else: do not run `git push` again, and tell the person that it ran. If you need it, ask the person.
    ---
    verger: stop. You did this three times although the person forbade it.
    - `git push`: the person said: do not push
    It is denied from now on. Tell the person what you did, and ask how to go on.
    ");
    assert!(matches!(watch.phase(), Phase::Forced { .. }));
    let says: Vec<Say> = (0..5).map(|_| take(&mut watch, repeats(), &CORRECT)).collect();
    assert_eq!(says, [Say::Deny, Say::Deny, Say::Deny, Say::Release, Say::Nothing]);
    watch.prompted();
    assert_eq!(watch.finding(), None);
}

#[test]
fn a_circle_is_told_once_and_denies_nothing() {
    let mut watch = Watch::default();
    take(&mut watch, worked(circle()), &CORRECT);
    insta::assert_snapshot!(told(&mut watch).unwrap(), @r"
    verger: the same check keeps failing in the same way, although you changed files in between.
    - `cargo test` failed 3 times in the same way, with edits in between: login
    Before the next edit: look at the failure itself, say what you learned from it, then try another way or ask the person.
    ");
    let finding = watch.finding().unwrap().key.clone();
    assert_eq!(watch.phase(), &Phase::Drifted { finding, level: Level::Correct });
    assert_eq!(take(&mut watch, repeats(), &CORRECT), Say::Nothing);
    take(&mut watch, worked(Assessment::default()), &CORRECT);
    assert_eq!(watch.phase(), &Phase::Normal, "the failure changed or passed");
}

#[test]
fn restored_paths_are_recorded_before_the_score() {
    let mut watch = Watch::default();
    take(&mut watch, worked(broken(1)), &CORRECT);
    let restored = vec!["src/a.rs".to_owned()];
    let input = Input::Worked { due: due(broken(0)), restored: restored.clone() };
    let expected = [
        Change::Restored { restored },
        Change::Scored { score: Some(Score::KEPT), finding: None, is_told: true },
    ];
    assert_eq!(step(&watch, input, &CORRECT).changes, expected);
}

#[test]
fn a_finding_that_was_observed_at_a_stop_is_told_when_the_work_goes_on() {
    let mut watch = Watch::default();
    take(&mut watch, Input::Ended(due(broken(1))), &CORRECT);
    assert_eq!(told(&mut watch), None);
    take(&mut watch, worked(broken(1)), &CORRECT);
    assert!(told(&mut watch).is_some());
}

#[test]
fn a_session_is_due_every_few_units_and_with_each_while_something_is_found() {
    let main = Actor::Main { agent_type: None };
    let mut watch = Watch::default();
    let batch = Event::ToolBatchEnded { calls: vec![] };
    let mut due_at = vec![];
    for n in 1..=6 {
        assert!(watch.is_unit(&main, &batch));
        if watch.is_due(&CORRECT) {
            due_at.push(n);
        }
        watch.take(&main, &batch);
    }
    assert_eq!(due_at, [3, 6]);
    take(&mut watch, worked(broken(1)), &CORRECT);
    assert!(watch.is_due(&CORRECT));
}

#[test]
fn handoffs_and_offers_are_remembered_until_they_are_given() {
    let main = Actor::Main { agent_type: None };
    let mut watch = Watch::default();
    let written =
        Event::HandoffWritten { trigger: HandoffTrigger::Compaction, text: "notes".to_owned() };
    watch.take(&main, &written);
    assert!(watch.holds_handoff());
    watch.take(&main, &injected(HANDOFF));
    assert!(!watch.holds_handoff());
    watch.take(&main, &injected(&Watch::source_of_offer("01A")));
    assert!(watch.was_offered("01A") && !watch.was_offered("01B"));
}
