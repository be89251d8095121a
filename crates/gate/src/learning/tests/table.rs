//! Tests a table of every state of the learning gate with every input.

use insta::assert_snapshot;

use super::super::*;
use super::built::*;
use verger_event::TicketSystem;

fn shown(phase: &Phase) -> String {
    let names = |tickets: &[TicketName]| {
        let ids = tickets.iter().map(|name| name.id.as_deref().unwrap_or("?"));
        ids.collect::<Vec<_>>().join(" ")
    };
    let wanted = |want: &Want| {
        let close = |close: &Close| {
            let id = close.ticket.id.as_deref().unwrap_or("?");
            let mark = if close.stage == Stage::Done { "." } else { "" };
            format!("{id}{mark}")
        };
        let mut parts: Vec<_> = want.closes.iter().map(close).collect();
        parts.extend(want.changed.map(|changed| changed.to_string()));
        parts.extend(want.refusal.as_ref().map(|why| format!("not taken: {why}")));
        parts.join(" ")
    };
    let data = match phase {
        Phase::Idle { after: After::Nothing } => String::new(),
        Phase::Idle { after: After::Released { by, .. } } => by.as_str().to_owned(),
        Phase::Active { ticket } => names(std::slice::from_ref(&ticket.name)),
        Phase::Pending { want } | Phase::Blocked { want } => wanted(want),
        Phase::Reflected { tickets, .. } => names(tickets),
        Phase::Skipped { by, tickets, .. } => format!("{} by {}", names(tickets), by.as_str()),
    };
    format!("{} ({data})", phase.name())
}

fn said(say: &Say) -> String {
    match say {
        Say::Nothing => "-".to_owned(),
        Say::RefuseStop(Hold { number, ask: Ask::Reflect, .. }) => format!("refuse {number}"),
        Say::RefuseStop(Hold { number, ask: Ask::ReflectOrSkip { changed }, .. }) => {
            format!("refuse {number}, or skip: {changed}")
        }
        Say::PassUnreflected { by, .. } => format!("pass: {}", by.as_str()),
        Say::Taken => "taken".to_owned(),
        Say::Refused => "not taken".to_owned(),
        Say::NothingToSkip => "nothing to skip".to_owned(),
        Say::SkipIsPersons => "a person's".to_owned(),
    }
}

/// One line for each state: the message, and the next state if it differs from the state before.
fn table(input: &Input<'_>, policy: &Policy) -> String {
    let row = |(name, learning): &(&str, Learning)| {
        let step = step(learning, input, policy, NOW);
        let after = step.applied_to(learning, NOW);
        let said = said(&step.say);
        let changed = if after.phase == learning.phase {
            String::new()
        } else {
            format!(" -> {}", shown(&after.phase))
        };
        format!("{name:21} {said}{changed}")
    };
    states().iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_ticket_that_is_found_is_in_hand() {
    let ticket = ticket("b");
    let system = Some(TicketSystem::Beads);
    assert_snapshot!(table(&Input::Found { system, ticket: Some(&ticket) }, &policy()), @r#"
    idle                  - -> active (b)
    idle, breaker         - -> active (b)
    active a              - -> active (b)
    pending a             - -> pending (a)
    pending a b           - -> pending (a b)
    blocked a             - -> blocked (a)
    blocked a, last time  - -> blocked (a)
    reflected a           - -> active (b)
    skipped a, auto       - -> active (b)
    skipped a, agent      - -> active (b)
    "#);
    let known = self::ticket("a");
    assert_snapshot!(table(&Input::Found { system, ticket: Some(&known) }, &policy()), @r#"
    idle                  - -> active (a)
    idle, breaker         - -> active (a)
    active a              -
    pending a             -
    pending a b           -
    blocked a             -
    blocked a, last time  -
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    let nothing = table(&Input::Found { system, ticket: None }, &policy());
    assert!(nothing.lines().all(|line| line.ends_with(" -")), "{nothing}");
}

#[test]
fn a_close_arms_the_gate() {
    let closes = |id: &str| [close(id, 9)];
    assert_snapshot!(table(&Input::CloseSeen { closes: &closes("a") }, &policy()), @r#"
    idle                  - -> pending (a)
    idle, breaker         - -> pending (a)
    active a              - -> pending (a)
    pending a             - -> pending (a)
    pending a b           - -> pending (a b)
    blocked a             - -> blocked (a)
    blocked a, last time  - -> blocked (a)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    assert_snapshot!(table(&Input::CloseSeen { closes: &closes("b") }, &policy()), @r#"
    idle                  - -> pending (b)
    idle, breaker         - -> pending (b)
    active a              - -> pending (b)
    pending a             - -> pending (a b)
    pending a b           - -> pending (a b)
    blocked a             - -> blocked (a b)
    blocked a, last time  - -> blocked (a b)
    reflected a           - -> pending (b)
    skipped a, auto       - -> pending (b)
    skipped a, agent      - -> pending (b)
    "#);
    let unknown = [Close { ticket: TicketName::unknown(TicketSystem::Beads), ..close("", 9) }];
    assert_snapshot!(table(&Input::CloseSeen { closes: &unknown }, &policy()), @r#"
    idle                  - -> pending (?)
    idle, breaker         - -> pending (?)
    active a              - -> pending (a)
    pending a             - -> pending (a)
    pending a b           - -> pending (a b)
    blocked a             - -> blocked (a)
    blocked a, last time  - -> blocked (a)
    reflected a           - -> pending (?)
    skipped a, auto       - -> pending (?)
    skipped a, agent      - -> pending (?)
    "#);
    let off = Policy { mode: Mode::Off, ..policy() };
    let silent = table(&Input::CloseSeen { closes: &closes("b") }, &off);
    assert!(silent.lines().all(|line| line.ends_with(" -")), "{silent}");
}

#[test]
fn a_call_that_ends_tells_of_its_own_close() {
    let first = call(1);
    let ended = |end| Input::CallEnded(EndedCall { id: Some(&first), closes: &[], end });
    assert_snapshot!(table(&ended(CallEnd::Failed), &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             - -> active (a)
    pending a b           - -> pending (b)
    blocked a             - -> active (a)
    blocked a, last time  - -> active (a)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    assert_eq!(
        table(&ended(CallEnd::Failed), &policy()),
        table(&ended(CallEnd::Refused), &policy())
    );
    assert_snapshot!(table(&ended(CallEnd::Succeeded), &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             - -> pending (a.)
    pending a b           - -> pending (a. b)
    blocked a             - -> blocked (a.)
    blocked a, last time  - -> blocked (a.)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    let other = call(7);
    let ended = Input::CallEnded(EndedCall { id: Some(&other), closes: &[], end: CallEnd::Failed });
    let silent = table(&ended, &policy());
    assert!(silent.lines().all(|line| line.ends_with(" -")), "{silent}");
}

#[test]
fn a_close_that_nobody_saw_coming_is_told_by_its_end() {
    let closes = [close("b", 9)];
    let id = closes[0].call.as_ref();
    let ended = |end| Input::CallEnded(EndedCall { id, closes: &closes, end });
    assert_snapshot!(table(&ended(CallEnd::Succeeded), &policy()), @r#"
    idle                  - -> pending (b.)
    idle, breaker         - -> pending (b.)
    active a              - -> pending (b.)
    pending a             - -> pending (a b.)
    pending a b           -
    blocked a             - -> blocked (a b.)
    blocked a, last time  - -> blocked (a b.)
    reflected a           - -> pending (b.)
    skipped a, auto       - -> pending (b.)
    skipped a, agent      - -> pending (b.)
    "#);
    for end in [CallEnd::Failed, CallEnd::Refused] {
        let silent = table(&ended(end), &policy());
        assert!(silent.lines().all(|line| line.ends_with(" -")), "{silent}");
    }
}

#[test]
fn a_person_who_speaks_interrupted_what_was_not_heard_of() {
    assert_snapshot!(table(&Input::Prompted, &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             - -> active (a)
    pending a b           - -> active (a)
    blocked a             -
    blocked a, last time  -
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
}

#[test]
fn a_stop_is_refused_while_a_reflection_is_wanted() {
    assert_snapshot!(table(&stop(Changed::Lines(50)), &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             refuse 1 -> blocked (a)
    pending a b           refuse 1 -> blocked (a b)
    blocked a             refuse 2
    blocked a, last time  pass: breaker -> idle (breaker)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    for unmeasured in [Changed::Files(1), Changed::Unknown] {
        assert_eq!(
            table(&stop(unmeasured), &policy()),
            table(&stop(Changed::Lines(50)), &policy())
        );
    }
    let many = Extent { changed: Changed::Lines(50), files: &[] };
    let limit = StopFacts { extent: many, waits: false, may_refuse: false };
    assert_snapshot!(table(&Input::Stop(limit), &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             pass: limit -> idle (limit)
    pending a b           pass: limit -> idle (limit)
    blocked a             pass: limit -> idle (limit)
    blocked a, last time  pass: breaker -> idle (breaker)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    let waits = StopFacts { extent: many, waits: true, may_refuse: true };
    for (input, policy) in [
        (Input::Stop(waits), policy()),
        (stop(Changed::Lines(50)), Policy { mode: Mode::Off, ..policy() }),
    ] {
        let silent = table(&input, &policy);
        assert!(silent.lines().all(|line| line.ends_with(" -")), "{silent}");
    }
}

#[test]
fn a_small_change_is_as_the_user_wants_it() {
    let small = |small| Policy { small, ..policy() };
    assert_snapshot!(table(&stop(Changed::Lines(4)), &small(Small::IsAskedOnce)), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             refuse 1, or skip: 4 lines -> blocked (a)
    pending a b           refuse 1, or skip: 4 lines -> blocked (a b)
    blocked a             - -> skipped (a by auto)
    blocked a, last time  - -> skipped (a by auto)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    assert_snapshot!(table(&stop(Changed::Nothing), &small(Small::Passes)), @r#"
    idle                  -
    idle, breaker         -
    active a              -
    pending a             - -> skipped (a by auto)
    pending a b           - -> skipped (a b by auto)
    blocked a             - -> skipped (a by auto)
    blocked a, last time  - -> skipped (a by auto)
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
    let counts = table(&stop(Changed::Lines(4)), &small(Small::Counts));
    assert_eq!(counts, table(&stop(Changed::Lines(50)), &policy()));
}

#[test]
fn without_tickets_a_session_is_asked_when_it_changed_enough() {
    let session = Policy { systems: vec![TicketSystem::Session], ..policy() };
    let by_session = |changed, policy: &Policy| {
        let idle = Learning::default();
        let step = step(&idle, &stop(changed), policy, NOW);
        format!("{} -> {}", said(&step.say), shown(&step.applied_to(&idle, NOW).phase))
    };
    for (changed, expected) in [
        (Changed::Nothing, "- -> idle ()"),
        (Changed::Unknown, "- -> idle ()"),
        (Changed::Files(0), "- -> idle ()"),
        (Changed::Lines(4), "- -> idle ()"),
        (Changed::Lines(5), "refuse 1 -> blocked (5 lines)"),
        (Changed::Files(1), "refuse 1 -> blocked (1 file)"),
    ] {
        assert_eq!(by_session(changed, &session), expected, "{changed}");
        assert_eq!(by_session(changed, &policy()), "- -> idle ()", "switched off");
    }
    let counts = Policy { small: Small::Counts, ..session };
    assert_eq!(by_session(Changed::Lines(1), &counts), "refuse 1 -> blocked (1 line)");
    assert_eq!(by_session(Changed::Nothing, &counts), "- -> idle ()");
}

#[test]
fn a_system_that_keeps_tickets_goes_before_the_list_and_the_list_before_the_session() {
    let mut listed = Learning::default();
    listed.todos.take(&Event::TodoCreated {
        id: "1".to_owned(),
        subject: "x".to_owned(),
        description: None,
    });
    let policy = everything();
    let asks = |learning: &Learning, system| {
        let learning = Learning { system, ..learning.clone() };
        (learning.asks_by_todos(&policy), learning.asks_by_session(&policy))
    };
    for (system, expected, when_listed) in [
        (None, (true, true), (true, true)),
        (Some(TicketSystem::Session), (true, true), (true, true)),
        (Some(TicketSystem::Tasks), (true, true), (true, false)),
        (Some(TicketSystem::Beads), (false, false), (false, false)),
        (Some(TicketSystem::Tissue), (false, false), (false, false)),
    ] {
        assert_eq!(asks(&Learning::default(), system), expected, "{system:?}");
        assert_eq!(asks(&listed, system), when_listed, "{system:?}");
    }
}

#[test]
fn a_reflection_is_taken_and_a_bad_one_changes_nothing_but_what_is_said() {
    let taken = Input::Reflection(Reflection::Taken { kept: 2, rejected: 1 });
    assert_snapshot!(table(&taken, &policy()), @r#"
    idle                  taken -> reflected ()
    idle, breaker         taken -> reflected ()
    active a              taken -> reflected (a)
    pending a             taken -> reflected (a)
    pending a b           taken -> reflected (a b)
    blocked a             taken -> reflected (a)
    blocked a, last time  taken -> reflected (a)
    reflected a           taken -> reflected (a)
    skipped a, auto       taken -> reflected (a)
    skipped a, agent      taken -> reflected (a)
    "#);
    let refused = Input::Reflection(Reflection::Refused { why: "no candidates" });
    assert_snapshot!(table(&refused, &policy()), @r#"
    idle                  not taken
    idle, breaker         not taken
    active a              not taken
    pending a             not taken -> pending (a not taken: no candidates)
    pending a b           not taken -> pending (a b not taken: no candidates)
    blocked a             not taken -> blocked (a not taken: no candidates)
    blocked a, last time  not taken -> blocked (a not taken: no candidates)
    reflected a           not taken
    skipped a, auto       not taken
    skipped a, agent      not taken
    "#);
}

#[test]
fn skipping_is_the_agents_unless_the_user_keeps_it() {
    let skip = |by| Input::Skip { by, reason: Some("nothing new"), extent: Extent::UNKNOWN };
    assert_snapshot!(table(&skip(SkippedBy::Agent), &policy()), @r#"
    idle                  nothing to skip
    idle, breaker         nothing to skip
    active a              nothing to skip
    pending a             taken -> skipped (a by agent)
    pending a b           taken -> skipped (a b by agent)
    blocked a             taken -> skipped (a by agent)
    blocked a, last time  taken -> skipped (a by agent)
    reflected a           nothing to skip
    skipped a, auto       nothing to skip
    skipped a, agent      nothing to skip
    "#);
    let kept = Policy { skip: SkipIs::Persons, ..policy() };
    assert_snapshot!(table(&skip(SkippedBy::Agent), &kept), @r#"
    idle                  nothing to skip
    idle, breaker         nothing to skip
    active a              nothing to skip
    pending a             a person's
    pending a b           a person's
    blocked a             a person's
    blocked a, last time  a person's
    reflected a           nothing to skip
    skipped a, auto       nothing to skip
    skipped a, agent      nothing to skip
    "#);
    assert_snapshot!(table(&skip(SkippedBy::Person), &kept), @r#"
    idle                  nothing to skip
    idle, breaker         nothing to skip
    active a              nothing to skip
    pending a             taken -> skipped (a by person)
    pending a b           taken -> skipped (a b by person)
    blocked a             taken -> skipped (a by person)
    blocked a, last time  taken -> skipped (a by person)
    reflected a           nothing to skip
    skipped a, auto       nothing to skip
    skipped a, agent      nothing to skip
    "#);
}

#[test]
fn a_session_that_ends_without_a_close_owes_nothing() {
    assert_snapshot!(table(&Input::SessionEnded, &policy()), @r#"
    idle                  -
    idle, breaker         -
    active a              - -> idle ()
    pending a             -
    pending a b           -
    blocked a             -
    blocked a, last time  -
    reflected a           -
    skipped a, auto       -
    skipped a, agent      -
    "#);
}
