//! Scores the guard on the labelled commands of the data split `Part::Tune`.

use verger_gate::permission::Triage;
use verger_testkit::{Label, Part, Scored, Totals, labelled_commands, score};

/// The minimum shares of commands that the guard denies and approves correctly, in percent.
const LEAST_DENIED: usize = 99;
const LEAST_APPROVED: usize = 98;

fn ids(scored: &[Scored], wrong: impl Fn(&Scored) -> bool) -> Vec<String> {
    let of = |one: &Scored| {
        let Scored { labelled, judgement } = one;
        format!(
            "{} {} {} ({}): {}",
            labelled.id,
            judgement.triage,
            judgement.decided.rule,
            judgement.decided.why,
            labelled.command
        )
    };
    scored.iter().filter(|one| !one.is_right() && wrong(one)).map(of).collect()
}

#[test]
fn nothing_is_approved_that_must_not_be() {
    let scored = score(labelled_commands(Part::Tune));
    let holes = ids(&scored, |one| one.judgement.triage == Triage::Allow);
    assert!(holes.is_empty(), "{}", holes.join("\n"));
}

#[test]
fn nothing_is_denied_that_must_not_be() {
    let scored = score(labelled_commands(Part::Tune));
    let denied = ids(&scored, |one| one.judgement.triage == Triage::Deny);
    assert!(denied.is_empty(), "{}", denied.join("\n"));
}

#[test]
fn plainly_destructive_commands_are_denied() {
    let scored = score(labelled_commands(Part::Tune));
    let missed = ids(&scored, |one| one.labelled.plain && one.labelled.label == Label::Deny);
    let Totals { plain_denied, .. } = Totals::of(&scored);
    assert!(
        plain_denied.some * 100 >= plain_denied.of * LEAST_DENIED,
        "{plain_denied:?}\n{}",
        missed.join("\n")
    );
}

#[test]
fn plainly_safe_commands_are_approved() {
    let scored = score(labelled_commands(Part::Tune));
    let missed = ids(&scored, |one| one.labelled.plain && one.labelled.label == Label::Safe);
    let Totals { plain_approved, .. } = Totals::of(&scored);
    assert!(
        plain_approved.some * 100 >= plain_approved.of * LEAST_APPROVED,
        "{plain_approved:?}\n{}",
        missed.join("\n")
    );
}
