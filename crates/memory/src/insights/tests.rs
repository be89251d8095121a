//! Tests of every rule just before its threshold and at it.

use std::collections::BTreeMap;

use verger_event::{EventId, Reference, Timestamp};

use super::*;
use crate::samples::bare;
use crate::stats::{StatsEvent, Tally, in_session};
use crate::words::{Category, Criterion, SkippedBy};
use crate::{Learning, Provenance};

const DAY: u64 = 24 * 60 * 60 * 1000;
const NOW: u64 = 1000 * DAY;

fn id(number: u64) -> LearningId {
    format!("learn-{number:03}").parse().unwrap()
}

/// A learning that was made today and claims no criteria.
fn learning(number: u64) -> Learning {
    Learning { id: id(number), created: Timestamp::from_millis(NOW), ..bare() }
}

fn learnings(count: u64) -> Vec<Learning> {
    (0..count).map(learning).collect()
}

/// The statistics lines of `surfaced` sessions that were given the learning. The first `used` of
/// them used it.
fn given(learning: u64, surfaced: u64, used: u64, at: u64) -> Vec<StatsLine> {
    let line =
        |session: u64, at: u64, event| in_session(&format!("{learning}/{session}"), at, event);
    let learning = || id(learning);
    let surfaced = (0..surfaced)
        .map(|n| line(n, at + n, StatsEvent::Surfaced { learning: learning(), score: None }));
    let how = Reference::Explicit;
    let used = (0..used).map(|n| line(n, at, StatsEvent::Referenced { learning: learning(), how }));
    surfaced.chain(used).collect()
}

/// The statistics lines of reflections with these numbers of accepted and rejected candidates.
fn judged(accepted: u64, rejected: u64) -> Vec<StatsLine> {
    let accepted = (0..accepted).map(id).collect();
    let kept = StatsEvent::Reflection { candidates: 0, accepted, criteria: BTreeMap::new() };
    let turned_away = |n| {
        let event = StatsEvent::Rejected { summary: String::new(), tags: vec![], reasons: vec![] };
        in_session("r", 2 + n, event)
    };
    [in_session("r", 1, kept)].into_iter().chain((0..rejected).map(turned_away)).collect()
}

fn found(learnings: Vec<Learning>, lines: &[StatsLine]) -> Vec<Insight> {
    let with_id =
        |(line, n): (&StatsLine, u128)| StatsLine { id: EventId::new(line.at, n), ..line.clone() };
    let lines: &[_] = &lines.iter().zip(0..).map(with_id).collect::<Vec<_>>();
    let accounts = Account::all(learnings, &Tally::of(lines));
    let now = Timestamp::from_millis(NOW);
    insights(&Facts {
        accounts: &accounts,
        lines,
        overview: &Overview::of(&accounts, lines, now),
        decay: DecayPolicy { days: 90, immunity_hit_rate: 0.8 },
        auto_skip_lines: 5,
        now,
    })
}

/// The texts of the finding and the remedy of one rule, `None` if the rule finds nothing.
fn said(rule: &str, learnings: Vec<Learning>, lines: &[StatsLine]) -> Option<[String; 2]> {
    let insight = found(learnings, lines).into_iter().find(|insight| insight.rule == rule)?;
    Some([insight.says, insight.advice])
}

#[track_caller]
fn check(said: Option<[String; 2]>, expected: Option<&str>) {
    assert_eq!(said.map(|[says, _]| says).as_deref(), expected);
}

#[test]
fn nothing_is_said_of_nothing_and_names_are_unique() {
    assert_eq!(found(vec![], &[]), []);
    assert_eq!(found(learnings(50), &[]), []);
    let mut names: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
    names.dedup();
    assert_eq!(names.len(), 10);
    assert!(RULES.is_sorted_by_key(|rule| rule.priority));
}

#[test]
fn the_documentation_has_every_rule() {
    let documented = include_str!("../../../../docs/learning-statistics.md");
    for rule in RULES {
        let row = format!("| {} | {} |", rule.name, rule.when);
        assert!(documented.contains(&row), "{row}");
    }
}

#[test]
fn rubber_stamping() {
    let claiming = |all: u64, claims: u64| {
        let mut learnings = learnings(all);
        for learning in learnings.iter_mut().take(usize::try_from(claims).unwrap()) {
            learning.criteria = vec![Criterion::BehaviorChanging];
        }
        said("rubber-stamping", learnings, &[])
    };
    check(claiming(9, 9), None);
    check(claiming(10, 9), None);
    check(claiming(10, 10), Some("100 % of 10 learnings claim behavior_changing"));
    check(claiming(11, 10), Some("91 % of 11 learnings claim behavior_changing"));
}

#[test]
fn decay_warning() {
    let of_age = |days: u64| {
        let created = Timestamp::from_millis(NOW - days * DAY);
        said("decay-warning", vec![Learning { created, ..learning(1) }], &[])
    };
    check(of_age(82), None);
    check(of_age(83), Some("1 learning will be archived within 7 days"));
    check(of_age(200), Some("1 learning will be archived within 7 days"));
    let replaced = Learning { created: Timestamp::from_millis(0), ..learning(1) };
    let newer = Learning { supersedes: vec![id(1)], ..learning(2) };
    check(said("decay-warning", vec![replaced, newer], &[]), None);
}

#[test]
fn stale_top_learning() {
    let used = |surfaced, used, days_ago: u64| {
        let lines = given(1, surfaced, used, NOW - days_ago * DAY);
        said("stale-top-learning", learnings(3), &lines)
    };
    check(used(2, 1, 59), None);
    check(used(3, 1, 60), None);
    check(
        used(2, 1, 60),
        Some("the learning that helped most (50 % of the time) was not used for 60 days"),
    );
    let mut lines = given(1, 2, 2, NOW - 90 * DAY);
    lines.extend(given(2, 5, 5, NOW - DAY));
    check(said("stale-top-learning", learnings(3), &lines), None);
}

#[test]
fn low_hit_category() {
    let used =
        |surfaced, used| said("low-hit-category", learnings(3), &given(1, surfaced, used, 1));
    check(used(9, 0), None);
    check(used(10, 3), None);
    check(
        used(10, 2),
        Some("learnings about domain were given 10 times and used 20 % of the time"),
    );
    let pitfall = Learning { category: Category::Pitfall, ..learning(2) };
    let mut lines = given(1, 10, 2, 1);
    lines.extend(given(2, 10, 1, 1));
    let worst = said("low-hit-category", vec![learning(1), pitfall], &lines);
    check(worst, Some("learnings about pitfall were given 10 times and used 10 % of the time"));
}

#[test]
fn write_gate_too_strict() {
    let judged =
        |kept, turned_away| said("write-gate-too-strict", vec![], &judged(kept, turned_away));
    check(judged(0, 9), None);
    check(judged(5, 5), None);
    check(judged(4, 6), Some("only 40 % of 10 candidates were kept"));
}

#[test]
fn write_gate_too_loose() {
    let loose = |kept, turned_away, used| {
        let mut lines = judged(kept, turned_away);
        lines.extend(given(1, 10, used, 1));
        said("write-gate-too-loose", learnings(2), &lines)
    };
    check(loose(9, 0, 0), None);
    check(loose(19, 1, 0), None);
    check(loose(10, 0, 3), None);
    check(
        loose(10, 0, 2),
        Some("100 % of 10 candidates were kept, and learnings are used 20 % of the time"),
    );
    let nothing_given = judged(10, 0);
    check(said("write-gate-too-loose", learnings(2), &nothing_given), None);
}

#[test]
fn skip_miss() {
    let skipped = |by, at, ticket: &str, file: &str| {
        let files = vec![file.to_owned()];
        let event = StatsEvent::Skip { by, lines: Some(4), files, reason: String::new() };
        vec![StatsLine { tickets: vec![ticket.to_owned()], ..in_session("s", at, event) }]
    };
    let learned = Learning {
        files: vec!["src/a.rs".to_owned()],
        provenance: Provenance { ticket: Some("beads a-1".to_owned()), ..Provenance::default() },
        ..learning(1)
    };
    let missed = |lines: &[StatsLine]| said("skip-miss", vec![learned.clone()], lines);
    let says = "1 learning came from work whose reflection had been skipped";
    let (auto, agent) = (SkippedBy::Auto, SkippedBy::Agent);
    check(missed(&skipped(auto, NOW - DAY, "beads a-2", "src/b.rs")), None);
    check(missed(&skipped(auto, NOW, "beads a-1", "src/a.rs")), None);
    check(missed(&skipped(auto, NOW - 31 * DAY, "beads a-2", "src/a.rs")), None);
    check(missed(&skipped(auto, NOW - 30 * DAY, "beads a-2", "src/a.rs")), Some(says));
    check(missed(&skipped(auto, NOW - 90 * DAY, "beads a-1", "src/b.rs")), Some(says));
    let advice = |by| missed(&skipped(by, NOW - DAY, "beads a-1", "src/b.rs")).unwrap()[1].clone();
    assert!(advice(auto).ends_with("`verger config set learning.auto_skip_lines 3`"));
    assert!(advice(agent).ends_with("`verger config set learning.auto_skip_decider never`"));
}

#[test]
fn over_surfaced() {
    let used = |surfaced, used| said("over-surfaced", learnings(3), &given(1, surfaced, used, 1));
    check(used(4, 0), None);
    check(used(9, 1), None);
    check(used(5, 0), Some("1 learning is given often, but hardly ever used"));
    check(used(10, 1), Some("1 learning is given often, but hardly ever used"));
}

#[test]
fn high_cross_pollination() {
    let of_ticket = |ticket: &str| Learning {
        provenance: Provenance { ticket: Some(ticket.to_owned()), ..Provenance::default() },
        ..learning(1)
    };
    let used_in = |tickets: &[&str]| {
        let lines: Vec<_> = tickets
            .iter()
            .zip(1..)
            .map(|(ticket, at)| {
                let event = StatsEvent::Referenced { learning: id(1), how: Reference::Implicit };
                let line = in_session(&format!("s{at}"), at, event);
                StatsLine { tickets: vec![(*ticket).to_owned()], ..line }
            })
            .collect();
        said("high-cross-pollination", vec![of_ticket("beads a")], &lines)
    };
    check(used_in(&["beads b", "beads c", "beads a"]), None);
    check(used_in(&["beads b", "beads c", "beads c"]), None);
    check(
        used_in(&["beads b", "beads c", "beads d"]),
        Some("1 learning of one ticket helped 3 times in another"),
    );
}

#[test]
fn high_value_rare() {
    let used = |surfaced, used| said("high-value-rare", learnings(3), &given(1, surfaced, used, 1));
    check(used(0, 0), None);
    check(used(5, 5), None);
    check(used(3, 2), None);
    check(
        used(4, 3),
        Some("learnings about domain were given only 4 times and used 75 % of the time"),
    );
    check(
        used(1, 1),
        Some("learnings about domain were given only 1 time and used 100 % of the time"),
    );
}

#[test]
fn the_most_important_insight_comes_first_and_each_names_a_command() {
    let mut learnings = learnings(10);
    for one in &mut learnings {
        one.criteria = vec![Criterion::StableFact];
    }
    let mut lines = given(1, 5, 0, 1);
    lines.extend(given(2, 5, 1, 1));
    let insights = found(learnings, &lines);
    let told: Vec<_> = insights.iter().map(|insight| (insight.priority, insight.rule)).collect();
    assert_eq!(told, [(1, "rubber-stamping"), (2, "low-hit-category"), (2, "over-surfaced")]);
    assert_eq!(insights[2].learnings, [id(1)]);
    assert!(insights.iter().all(|insight| insight.advice.contains("`verger ")));
}
