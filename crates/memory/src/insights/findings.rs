//! Implements the rules. Each rule returns the text of a finding and of its remedy, or nothing.

use std::collections::{BTreeSet, HashMap};

use super::skips::Skips;
use super::{Facts, Found, Rule};
use crate::decay::{Decay, decay};
use crate::learning_id::LearningId;
use crate::stats::{Account, StatsEvent, Usage};
use crate::words::{Category, Criterion, SkippedBy};

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// The hit rate below which learnings are mostly noise.
const LOW_HIT_RATE: f64 = 0.3;

pub(super) fn rubber_stamping(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let all = count(facts.accounts.len());
    let claims = |criterion: Criterion| {
        count(
            facts.accounts.iter().filter(|one| one.learning.criteria.contains(&criterion)).count(),
        )
    };
    let most = Criterion::ALL.iter().map(|one| (claims(*one), one)).max_by_key(|(n, _)| *n)?;
    let is_found = all >= rule.number && share(most.0, all) > rule.share;
    is_found.then(|| Found {
        says: format!("{} of {all} learnings claim {}", percent(share(most.0, all)), most.1),
        advice: "a criterion that fits every learning does not help: read some with `verger learn \
             list`, and archive useless ones with `verger learn archive ID`"
            .to_owned(),
        learnings: vec![],
    })
}

pub(super) fn decay_warning(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let fades = |account: &&Account| {
        let decay = decay(account.learning.created, &account.usage, &facts.decay, facts.now);
        matches!(decay, Decay::Soon { .. } | Decay::Due { .. })
    };
    let fading = ids(active(facts).filter(fades));
    (count(fading.len()) >= rule.number).then(|| Found {
        says: format!(
            "{} be archived within 7 days",
            several(fading.len(), "learning will", "learnings will")
        ),
        advice: "`verger learn archive --unused --dry-run` shows them; `verger ref ID` keeps one \
                 that is still useful"
            .to_owned(),
        learnings: fading,
    })
}

pub(super) fn stale_top_learning(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let used = active(facts).filter(|account| account.usage.last_referenced.is_some());
    let rate = |account: &&Account| account.usage.smoothed_hit_rate();
    let best = used.max_by(|one, other| rate(one).total_cmp(&rate(other)))?;
    let days = facts.now.millis_since(best.usage.last_referenced?) / DAY_MILLIS;
    let hit_rate = best.usage.hit_rate()?;
    (hit_rate >= rule.share && days >= rule.number).then(|| Found {
        says: format!(
            "the learning that helped most ({} of the time) was not used for {days} days",
            percent(hit_rate)
        ),
        advice: format!(
            "read it, then run `verger ref {id}` if it is still valid, or `verger learn archive \
             {id}` if not",
            id = best.learning.id
        ),
        learnings: vec![best.learning.id.clone()],
    })
}

pub(super) fn low_hit_category(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let often = categories(facts).filter(|(_, usage, _)| u64::from(usage.surfaced) >= rule.number);
    let low = often.filter(|(_, _, hit_rate)| *hit_rate < rule.share);
    let (category, usage, hit_rate) = low.min_by(|one, other| one.2.total_cmp(&other.2))?;
    Some(Found {
        says: format!(
            "learnings about {category} were given {} times and used {} of the time",
            usage.surfaced,
            percent(hit_rate)
        ),
        advice: format!(
            "read them with `verger learn list --category {category}` and archive useless ones, \
             or give fewer: `verger config set recall.strategy conservative`"
        ),
        learnings: vec![],
    })
}

pub(super) fn write_gate_too_strict(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let (judged, pass_rate) = (facts.overview.all.judged(), facts.overview.all.pass_rate()?);
    (judged >= rule.number && pass_rate < rule.share).then(|| Found {
        says: format!("only {} of {judged} candidates were kept", percent(pass_rate)),
        advice: "`verger learn stats` shows why they were rejected, and which were accepted later"
            .to_owned(),
        learnings: vec![],
    })
}

pub(super) fn write_gate_too_loose(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let all = &facts.overview.all;
    let (pass_rate, hit_rate) = (all.pass_rate()?, all.usage.hit_rate()?);
    let is_found = all.judged() >= rule.number && pass_rate > rule.share && hit_rate < LOW_HIT_RATE;
    is_found.then(|| Found {
        says: format!(
            "{} of {} candidates were kept, and learnings are used {} of the time",
            percent(pass_rate),
            all.judged(),
            percent(hit_rate)
        ),
        advice: "tell your agents to keep fewer learnings with more detail; `verger learn list \
                 --stale` lists unused ones"
            .to_owned(),
        learnings: vec![],
    })
}

pub(super) fn skip_miss(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let skips = Skips::of(facts.lines);
    let missed = facts.accounts.iter().map(|account| (account, skips.missing(&account.learning)));
    let missed: Vec<_> = missed.filter(|(_, by)| !by.is_empty()).collect();
    let was_small = missed.iter().any(|(_, by)| by.contains(&SkippedBy::Auto));
    let advice = match facts.auto_skip_lines.checked_sub(2) {
        Some(fewer) if fewer > 0 && was_small => {
            let key = "learning.auto_skip_lines";
            format!("ask for reflections on smaller changes too: `verger config set {key} {fewer}`")
        }
        _ => {
            "let only people skip: `verger config set learning.auto_skip_decider never`".to_owned()
        }
    };
    (count(missed.len()) >= rule.number).then(|| Found {
        says: format!(
            "{} from work whose reflection had been skipped",
            several(missed.len(), "learning came", "learnings came")
        ),
        advice,
        learnings: ids(missed.iter().map(|(account, _)| *account)),
    })
}

pub(super) fn over_surfaced(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let is_over = |usage: &Usage| {
        u64::from(usage.surfaced) >= rule.number
            && usage.hit_rate().is_some_and(|hit_rate| hit_rate <= rule.share)
    };
    let learnings = ids(active(facts).filter(|account| is_over(&account.usage)));
    let first = learnings.first()?.clone();
    Some(Found {
        says: format!(
            "{} given often, but hardly ever used",
            several(learnings.len(), "learning is", "learnings are")
        ),
        advice: format!("archive useless ones: `verger learn archive {first}`"),
        learnings,
    })
}

pub(super) fn high_cross_pollination(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let origins: HashMap<&LearningId, &str> = facts
        .accounts
        .iter()
        .filter_map(|account| {
            Some((&account.learning.id, account.learning.provenance.ticket.as_deref()?))
        })
        .collect();
    let uses: BTreeSet<(&LearningId, &str)> = facts
        .lines
        .iter()
        .filter_map(|line| match &line.event {
            StatsEvent::Referenced { learning, .. } => {
                Some((line, learning, *origins.get(learning)?))
            }
            _ => None,
        })
        .flat_map(|(line, learning, origin)| {
            let others = line.tickets.iter().filter(move |ticket| *ticket != origin);
            others.map(move |ticket| (learning, ticket.as_str()))
        })
        .collect();
    let learnings: BTreeSet<_> = uses.iter().map(|(learning, _)| *learning).collect();
    (count(uses.len()) >= rule.number).then(|| Found {
        says: format!(
            "{} of one ticket helped {} times in another",
            several(learnings.len(), "learning", "learnings"),
            uses.len()
        ),
        advice: "no action is needed; `verger learn search WORDS` searches learnings".to_owned(),
        learnings: learnings.into_iter().cloned().collect(),
    })
}

pub(super) fn high_value_rare(rule: &Rule, facts: &Facts<'_>) -> Option<Found> {
    let rare = categories(facts)
        .filter(|(_, usage, _)| (1..=rule.number).contains(&u64::from(usage.surfaced)));
    let valued = rare.filter(|(_, _, hit_rate)| *hit_rate > rule.share);
    let (category, usage, hit_rate) = valued.max_by(|one, other| one.2.total_cmp(&other.2))?;
    Some(Found {
        says: format!(
            "learnings about {category} were given only {} and used {} of the time",
            several(usage.surfaced as usize, "time", "times"),
            percent(hit_rate)
        ),
        advice: "give more of them: `verger config set recall.strategy aggressive`".to_owned(),
        learnings: vec![],
    })
}

fn active<'a>(facts: &Facts<'a>) -> impl Iterator<Item = &'a Account> {
    facts.accounts.iter().filter(|account| account.is_active())
}

fn categories(facts: &Facts<'_>) -> impl Iterator<Item = (Category, Usage, f64)> {
    facts
        .overview
        .by_category
        .iter()
        .filter_map(|(category, group)| Some((*category, group.usage, group.usage.hit_rate()?)))
}

fn ids<'a>(accounts: impl Iterator<Item = &'a Account>) -> Vec<LearningId> {
    accounts.map(|account| account.learning.id.clone()).collect()
}

fn count(number: usize) -> u64 {
    number as u64
}

#[expect(clippy::cast_precision_loss, reason = "the number of learnings is small")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn several(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
