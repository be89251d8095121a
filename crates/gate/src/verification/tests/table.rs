//! Tests a table of every state of the verification gate with every input.

use insta::assert_snapshot;

use super::super::own_checks::{OpenTask, open_tasks};
use super::super::*;
use super::built::{NOW, states, verified};
use super::play::{content, mode};
use crate::{Content, Difference};

fn said(say: &Say) -> String {
    let why = |hold: &Hold| {
        let what = match &hold.reason {
            HoldReason::Unverified => "unverified".to_owned(),
            HoldReason::ChangedSince => "changed since".to_owned(),
            HoldReason::TooShallow(was) => format!("{was} is too shallow"),
            HoldReason::Started(_) => "started".to_owned(),
            HoldReason::Red => "red".to_owned(),
            HoldReason::Incomplete => "incomplete".to_owned(),
            HoldReason::Unmet => "unmet".to_owned(),
        };
        format!("{what}, {}", hold.ask.depth)
    };
    match say {
        Say::Nothing => "-".to_owned(),
        Say::RefuseStop(hold) => format!("refuse {}: {}", hold.number, why(hold)),
        Say::PassUnverified { by, hold } => format!("pass, {}: {}", by.as_str(), why(hold)),
        Say::PassUnknown => "pass, unknown".to_owned(),
        Say::Taken => "taken".to_owned(),
        Say::NothingToOpen => "nothing to open".to_owned(),
    }
}

/// One line for each state: the message, and the next phase if it differs from the phase before.
fn table(input: &Input<'_>, policy: &Policy) -> String {
    let row = |(name, gate): &(&str, Verification)| {
        let step = step(gate, input, policy, NOW);
        let after = step.applied_to(gate, NOW);
        let changed = match &after.phase {
            phase if *phase == gate.phase => String::new(),
            phase => format!(" -> {}", phase.name()),
        };
        format!("{name:21} {}{changed}", said(&step.say))
    };
    states().iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The facts that the gate gets about a stop.
struct Stop {
    claim: Option<Claim>,
    content: Content,
    depth: Depth,
    open_tasks: usize,
    waits: bool,
    may_refuse: bool,
}

impl Default for Stop {
    /// A stop with a claim. Its content is that of the states in the table.
    fn default() -> Self {
        Self {
            claim: claim("The parser is fixed."),
            content: content("c1"),
            depth: Depth::Standard,
            open_tasks: 0,
            waits: false,
            may_refuse: true,
        }
    }
}

impl Stop {
    fn table(&self, policy: &Policy) -> String {
        let task = |number: usize| OpenTask { id: number.to_string(), subject: None };
        let open: Vec<_> = (0..self.open_tasks).map(task).collect();
        let live = [(CheckKind::OpenTasks, open_tasks(&open))];
        let facts = StopFacts {
            claim: self.claim.as_ref(),
            content: &self.content,
            depth: self.depth,
            live: &live,
            review_step: "",
            waits: self.waits,
            may_refuse: self.may_refuse,
            untrusted: None,
        };
        table(&Input::Stop(facts), policy)
    }
}

#[track_caller]
fn says_nothing(table: &str) {
    assert!(table.lines().all(|line| line.ends_with(" -")), "{table}");
}

#[test]
fn a_stop_that_claims_completion() {
    assert_snapshot!(Stop::default().table(&mode(Mode::Claims)), @"
    idle                  refuse 1: unverified, standard -> blocked
    idle, test failed     refuse 1: unverified, standard -> blocked
    idle, started         refuse 1: started, standard -> blocked
    idle, green           - -> verified
    idle, red             refuse 1: red, standard -> blocked
    idle, incomplete      refuse 1: incomplete, standard -> blocked
    idle, red by the list - -> verified
    blocked               refuse 2: unverified, standard -> blocked
    blocked, last time    pass, breaker: unverified, standard -> released
    claimed               refuse 1: unverified, standard -> blocked
    verified, green       - -> verified
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_that_claims_nothing() {
    let stop = Stop { claim: None, ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Claims)), @"
    idle                  -
    idle, test failed     refuse 1: unverified, standard -> blocked
    idle, started         -
    idle, green           -
    idle, red             -
    idle, incomplete      -
    idle, red by the list -
    blocked               refuse 2: unverified, standard -> blocked
    blocked, last time    pass, breaker: unverified, standard -> released
    claimed               -
    verified, green       -
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
    assert_snapshot!(stop.table(&mode(Mode::Always)), @"
    idle                  refuse 1: unverified, standard -> blocked
    idle, test failed     refuse 1: unverified, standard -> blocked
    idle, started         refuse 1: started, standard -> blocked
    idle, green           - -> verified
    idle, red             refuse 1: red, standard -> blocked
    idle, incomplete      refuse 1: incomplete, standard -> blocked
    idle, red by the list - -> verified
    blocked               refuse 2: unverified, standard -> blocked
    blocked, last time    pass, breaker: unverified, standard -> released
    claimed               refuse 1: unverified, standard -> blocked
    verified, green       - -> verified
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_with_other_content() {
    let stop = Stop { content: content("c2"), ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Claims)), @"
    idle                  refuse 1: unverified, standard -> blocked
    idle, test failed     refuse 1: unverified, standard -> blocked
    idle, started         refuse 1: unverified, standard -> blocked
    idle, green           refuse 1: changed since, standard -> blocked
    idle, red             refuse 1: changed since, standard -> blocked
    idle, incomplete      refuse 1: changed since, standard -> blocked
    idle, red by the list refuse 1: changed since, standard -> blocked
    blocked               refuse 1: unverified, standard -> blocked
    blocked, last time    refuse 1: unverified, standard -> blocked
    claimed               refuse 1: unverified, standard -> blocked
    verified, green       refuse 1: changed since, standard -> blocked
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_that_has_to_be_looked_at_deeper() {
    let stop = Stop { depth: Depth::Deep, ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Claims)), @"
    idle                  refuse 1: unverified, deep -> blocked
    idle, test failed     refuse 1: unverified, deep -> blocked
    idle, started         refuse 1: unverified, deep -> blocked
    idle, green           refuse 1: standard is too shallow, deep -> blocked
    idle, red             refuse 1: red, deep -> blocked
    idle, incomplete      refuse 1: incomplete, deep -> blocked
    idle, red by the list refuse 1: standard is too shallow, deep -> blocked
    blocked               refuse 2: unverified, deep -> blocked
    blocked, last time    pass, breaker: unverified, deep -> released
    claimed               refuse 1: unverified, deep -> blocked
    verified, green       refuse 1: standard is too shallow, deep -> blocked
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_with_an_open_list() {
    let stop = Stop { open_tasks: 1, ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Claims)), @"
    idle                  refuse 1: unverified, standard -> blocked
    idle, test failed     refuse 1: unverified, standard -> blocked
    idle, started         refuse 1: started, standard -> blocked
    idle, green           refuse 1: unmet, standard -> blocked
    idle, red             refuse 1: red, standard -> blocked
    idle, incomplete      refuse 1: incomplete, standard -> blocked
    idle, red by the list refuse 1: unmet, standard -> blocked
    blocked               refuse 1: unverified, standard -> blocked
    blocked, last time    refuse 1: unverified, standard -> blocked
    claimed               refuse 1: unverified, standard -> blocked
    verified, green       refuse 1: unmet, standard -> blocked
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_when_no_more_may_be_refused() {
    let stop = Stop { may_refuse: false, ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Claims)), @"
    idle                  pass, limit: unverified, standard -> released
    idle, test failed     pass, limit: unverified, standard -> released
    idle, started         pass, limit: started, standard -> released
    idle, green           - -> verified
    idle, red             pass, limit: red, standard -> released
    idle, incomplete      pass, limit: incomplete, standard -> released
    idle, red by the list - -> verified
    blocked               pass, limit: unverified, standard -> released
    blocked, last time    pass, breaker: unverified, standard -> released
    claimed               pass, limit: unverified, standard -> released
    verified, green       - -> verified
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
}

#[test]
fn a_stop_without_a_change_and_one_that_nobody_can_compare() {
    let stop = Stop { content: Content::nothing(), ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Always)), @"
    idle                  -
    idle, test failed     -
    idle, started         -
    idle, green           -
    idle, red             -
    idle, incomplete      -
    idle, red by the list -
    blocked               - -> verified
    blocked, last time    - -> verified
    claimed               - -> verified
    verified, green       -
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
    let stop = Stop { content: Content::unknown(), ..Stop::default() };
    assert_snapshot!(stop.table(&mode(Mode::Always)), @"
    idle                  pass, unknown -> claimed
    idle, test failed     pass, unknown -> claimed
    idle, started         pass, unknown -> claimed
    idle, green           pass, unknown -> claimed
    idle, red             pass, unknown -> claimed
    idle, incomplete      pass, unknown -> claimed
    idle, red by the list pass, unknown -> claimed
    blocked               pass, unknown
    blocked, last time    pass, unknown
    claimed               pass, unknown -> claimed
    verified, green       pass, unknown -> claimed
    released, person      -
    released, breaker     -
    released, limit       -
    released, untrusted   -
    ");
    let moved = Content { difference: Difference::MovedOut, ..content("c1") };
    let stop = Stop { content: moved, ..Stop::default() };
    assert_eq!(stop.table(&mode(Mode::Claims)), Stop::default().table(&mode(Mode::Claims)));
}

#[test]
fn a_stop_that_waits_or_nobody_asks_about() {
    says_nothing(&Stop { waits: true, ..Stop::default() }.table(&mode(Mode::Always)));
    says_nothing(&Stop::default().table(&mode(Mode::Off)));
}

#[test]
fn a_person_opens_what_was_asked_for() {
    let input = Input::Skip { reason: None };
    assert_snapshot!(table(&input, &mode(Mode::Claims)), @"
    idle                  nothing to open
    idle, test failed     nothing to open
    idle, started         nothing to open
    idle, green           nothing to open
    idle, red             nothing to open
    idle, incomplete      nothing to open
    idle, red by the list nothing to open
    blocked               taken -> released
    blocked, last time    taken -> released
    claimed               nothing to open
    verified, green       nothing to open
    released, person      nothing to open
    released, breaker     nothing to open
    released, limit       nothing to open
    released, untrusted   nothing to open
    ");
}

#[test]
fn reports_of_runs_and_tools_do_not_change_the_phase() {
    let content = content("c1").hash;
    let found = verified("c2", Depth::Quick, Status::Green);
    let policy = mode(Mode::Claims);
    let told = |input: &Input<'_>| {
        let words: Vec<_> = states()
            .iter()
            .map(|(name, gate)| {
                let step = step(gate, input, &policy, NOW);
                assert_eq!(step.applied_to(gate, NOW).phase, gate.phase, "{name}");
                said(&step.say)
            })
            .collect();
        words.iter().all(|word| *word == words[0]).then(|| words[0].clone())
    };
    let started = Input::Started { run: "r7", depth: Depth::Quick, content: &content };
    let failed = Input::Failed { what: "cargo test", kind: WatchedKind::Tests };
    for (input, expected) in [
        (started, "taken"),
        (Input::Ended(&found), "taken"),
        (failed, "-"),
        (Input::Succeeded { what: "cargo test" }, "-"),
        (Input::Lost { run: "r7" }, "-"),
    ] {
        assert_eq!(told(&input).as_deref(), Some(expected), "{input:?}");
    }
}
