//! Counts drift in a replay: the limits that were detected in prompts, and the findings.
//!
//! Findings are read from the log's stored JSON, limits from `verger drift --json`. Both parsers
//! accept the field names of all versions of verger, so that two versions can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::replay::labels::{EpisodeLabel, Labels, LimitLabel};
use crate::replay::percentile::share;
use crate::replay::report::one_line;
use crate::replay::run::Seen;

/// The severity of a score, ordered from mild to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Nudge,
    Correct,
    Intervene,
    Halt,
}

impl Level {
    const ALL: [Self; 4] = [Self::Nudge, Self::Correct, Self::Intervene, Self::Halt];

    fn name(self) -> &'static str {
        match self {
            Self::Nudge => "nudge",
            Self::Correct => "correct",
            Self::Intervene => "intervene",
            Self::Halt => "halt",
        }
    }

    /// The severity of a score. `None` if the score is good.
    fn of_score(score: u64) -> Option<Self> {
        match score {
            8.. => None,
            7 => Some(Self::Nudge),
            5 | 6 => Some(Self::Correct),
            3 | 4 => Some(Self::Intervene),
            0..=2 => Some(Self::Halt),
        }
    }
}

/// Consecutive bad scores of a session. A good score or a prompt ends the finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) session: String,
    pub(crate) level: Level,
    /// The number of scores in the finding.
    pub(crate) scores: usize,
    /// The number of the session's prompt before the finding, from 1.
    pub(crate) prompt: usize,
    pub(crate) reasons: Vec<String>,
}

/// A prompt in which new limits were detected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LimitsRead {
    pub(crate) session: String,
    /// The prompt's text with placeholders, as in the session file.
    pub(crate) prompt: String,
    /// The limits that were detected in this prompt.
    pub(crate) new: Vec<String>,
    /// All limits that apply after this prompt.
    pub(crate) all: Vec<String>,
}

/// The drift data of all replayed sessions.
#[derive(Debug, Default)]
pub(crate) struct Drift {
    /// For each value, the number of scores with it.
    pub(crate) scores: BTreeMap<u64, usize>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) limits: Vec<LimitsRead>,
    /// The ids of the replayed sessions.
    sessions: BTreeSet<String>,
    /// The finding of the current session that may get further scores.
    open: Option<Finding>,
    /// The limits that applied after the previous prompt of the current session.
    limits_before: Vec<String>,
    /// The number of prompts of the current session so far.
    prompts: usize,
}

/// Whether a limit of this kind ends with the next prompt. If it applies after a prompt, it was
/// detected in that prompt, even if it also applied before.
fn holds_for_one_prompt(limit: &str) -> bool {
    ["change no files", "change only", "do not run the tests"]
        .iter()
        .any(|start| limit.starts_with(start))
}

impl Drift {
    pub(crate) fn observe(&mut self, seen: &Seen<'_>) {
        for record in seen.records {
            if let Some(score) = score_of(record) {
                self.scored(seen.session, score, record);
            }
        }
        // A score that is recorded with a prompt is about the work before that prompt.
        if seen.event == "UserPromptSubmit" {
            self.close();
            self.prompts += 1;
        }
    }

    fn scored(&mut self, session: &str, score: u64, record: &Value) {
        *self.scores.entry(score).or_default() += 1;
        let Some(level) = Level::of_score(score) else { return self.close() };
        let prompt = self.prompts;
        let open = self.open.get_or_insert_with(|| Finding {
            session: session.to_owned(),
            level,
            scores: 0,
            prompt,
            reasons: Vec::new(),
        });
        open.level = open.level.max(level);
        open.scores += 1;
        for reason in reasons_of(record) {
            if !open.reasons.contains(&reason) {
                open.reasons.push(reason);
            }
        }
    }

    /// Ends the current finding. Called at a prompt, at a good score and at the end of the session.
    pub(crate) fn close(&mut self) {
        self.findings.extend(self.open.take());
    }

    /// Notes the limits after a prompt. `shown` is the output of `verger drift --json`.
    pub(crate) fn limits_after(&mut self, session: &str, prompt: &str, shown: &Value) {
        let all = limits_of(shown);
        let is_new = |one: &&String| !self.limits_before.contains(one) || holds_for_one_prompt(one);
        let new: Vec<_> = all.iter().filter(is_new).cloned().collect();
        self.limits_before.clone_from(&all);
        if !all.is_empty() {
            let (session, prompt) = (session.to_owned(), prompt.to_owned());
            self.limits.push(LimitsRead { session, prompt, new, all });
        }
    }

    /// Begins a new session of the replay.
    pub(crate) fn begin(&mut self, session: &str) {
        self.sessions.insert(session.to_owned());
        self.close();
        self.limits_before.clear();
        self.prompts = 0;
    }

    pub(crate) fn add(&mut self, mut other: Self) {
        other.close();
        for (score, count) in other.scores {
            *self.scores.entry(score).or_default() += count;
        }
        self.sessions.extend(other.sessions);
        self.findings.extend(other.findings);
        self.limits.extend(other.limits);
    }

    pub(crate) fn sort(&mut self) {
        self.findings.sort_by(|one, other| one.session.cmp(&other.session));
        self.limits.sort_by(|one, other| one.session.cmp(&other.session));
    }

    fn hit(&self, least: Level) -> BTreeSet<&str> {
        let bad = self.findings.iter().filter(|finding| finding.level >= least);
        bad.map(|finding| finding.session.as_str()).collect()
    }

    /// For each label, the number of labelled findings that this replay found too.
    fn found_again<'a>(
        &self,
        labels: impl Iterator<Item = &'a EpisodeLabel>,
    ) -> BTreeMap<&'a str, String> {
        let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for label in labels {
            let is_again = self.findings.iter().any(|finding| is_same_finding(label, finding));
            let [again, all] = counts.entry(&label.label).or_default();
            *again += usize::from(is_again);
            *all += 1;
        }
        counts.into_iter().map(|(label, [again, all])| (label, share(again, all))).collect()
    }

    /// The labels of limits in the replayed sessions.
    fn labels_of_run<'a>(&'a self, labels: &'a Labels) -> impl Iterator<Item = &'a LimitLabel> {
        labels.limits.iter().filter(|label| self.sessions.contains(&label.session))
    }

    fn limit_score(&self, labels: &Labels) -> LimitScore {
        let labels: Vec<_> = self.labels_of_run(labels).cloned().collect();
        LimitScore::of(&self.limits, &labels)
    }

    pub(crate) fn text(&self, labels: &Labels) -> String {
        let mut text = String::from("drift\n");
        let mut line = |line: String| writeln!(text, "  {line}").unwrap_or_default();
        let read: Vec<_> = self.limits.iter().filter(|one| !one.new.is_empty()).collect();
        let limits: usize = read.iter().map(|one| one.new.len()).sum();
        line(format!("limits read   {limits} out of {} prompts", read.len()));
        let score = self.limit_score(labels);
        if score.right + score.wrong > 0 {
            line(format!(
                "              labelled right and read: {}; labelled wrong and read: {}; prompts without a label: {}",
                share(score.right_read, score.right),
                share(score.wrong_read, score.wrong),
                score.unlabelled,
            ));
        }
        for one in read {
            let label =
                label_of_limits(one, &labels.limits).map_or("no label", |label| &label.label);
            line(format!("  {}  {} [{label}]", one.session, one.new.join("; ")));
        }
        let scores = self.scores.iter().rev().map(|(score, count)| format!("{score}: {count}"));
        line(format!("scores        {}", scores.collect::<Vec<_>>().join(", ")));
        let by_level = Level::ALL.map(|level| {
            let count = self.findings.iter().filter(|finding| finding.level == level).count();
            format!("{} {count}", level.name())
        });
        line(format!(
            "findings      {} (bad scores in a row are one finding, by the worst)",
            by_level.join(", ")
        ));
        for (level, name) in [(Level::Correct, "correct or worse"), (Level::Halt, "halt")] {
            let hit = share(self.hit(level).len(), self.sessions.len());
            line(format!("sessions hit  {hit} by {name}"));
        }
        let labelled =
            labels.episodes.iter().filter(|label| self.sessions.contains(&label.session));
        for (label, again) in self.found_again(labelled) {
            line(format!("              found again of those labelled \"{label}\": {again}"));
        }
        for finding in self.findings.iter().filter(|finding| finding.level >= Level::Correct) {
            let label =
                label_of(finding, &labels.episodes).map_or("no label", |label| &label.label);
            let first = finding.reasons.first().map_or("no reason recorded", String::as_str);
            let first = one_line(first);
            let more = finding.reasons.len().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
            line(format!(
                "  {}  {}, prompt {}: {first}{more} [{label}]",
                finding.session,
                finding.level.name(),
                finding.prompt,
            ));
        }
        text
    }

    pub(crate) fn json(&self, labels: &Labels) -> Value {
        let findings = self.findings.iter().map(|finding| {
            json!({
                "session": finding.session,
                "level": finding.level.name(),
                "scores": finding.scores,
                "prompt": finding.prompt,
                "reasons": finding.reasons,
                "label": label_of(finding, &labels.episodes).map(|label| &label.label),
            })
        });
        let limits = self.limits.iter().map(|one| {
            json!({
                "session": one.session,
                "prompt": one.prompt,
                "new": one.new,
                "all": one.all,
                "label": label_of_limits(one, &labels.limits).map(|label| &label.label),
            })
        });
        let scores: BTreeMap<String, usize> =
            self.scores.iter().map(|(score, count)| (score.to_string(), *count)).collect();
        let score = self.limit_score(labels);
        let missed = self
            .labels_of_run(labels)
            .filter(|label| label.is_right() && !self.limits.iter().any(|one| is_read(label, one)));
        let missed = missed.map(|label| {
            json!({ "session": label.session, "prompt": label.prompt, "constraints": label.constraints })
        });
        json!({
            "scores": scores,
            "findings": findings.collect::<Vec<_>>(),
            "limits": limits.collect::<Vec<_>>(),
            "limits_labelled": {
                "right": score.right, "right_read": score.right_read,
                "wrong": score.wrong, "wrong_read": score.wrong_read,
                "unlabelled": score.unlabelled,
                "right_missed": missed.collect::<Vec<_>>(),
            },
        })
    }
}

/// A comparison of the detected limits with the labels.
#[derive(Debug, Default, PartialEq, Eq)]
struct LimitScore {
    right: usize,
    right_read: usize,
    wrong: usize,
    wrong_read: usize,
    /// The number of prompts with a detected limit but without a label.
    unlabelled: usize,
}

impl LimitScore {
    fn of(limits: &[LimitsRead], labels: &[LimitLabel]) -> Self {
        let mut score = Self::default();
        for label in labels {
            let is_read = usize::from(limits.iter().any(|one| is_read(label, one)));
            if label.is_right() {
                score.right += 1;
                score.right_read += is_read;
            } else if label.is_wrong() {
                score.wrong += 1;
                score.wrong_read += is_read;
            }
        }
        let unlabelled = limits
            .iter()
            .filter(|one| !one.new.is_empty() && label_of_limits(one, labels).is_none());
        score.unlabelled = unlabelled.count();
        score
    }
}

/// Whether the replay confirms a label: a limit was detected in the labelled prompt, or one of the
/// labelled limits applies after it.
fn is_read(label: &LimitLabel, limits: &LimitsRead) -> bool {
    is_same_prompt(label, limits)
        && (!limits.new.is_empty() || limits.all.iter().any(|one| label.constraints.contains(one)))
}

/// Whether a label is about this prompt. Compares only the beginnings, because a label may have a
/// longer or differently masked text.
fn is_same_prompt(label: &LimitLabel, limits: &LimitsRead) -> bool {
    let beginning = |text: &str| text.trim().chars().take(50).collect::<String>();
    label.session == limits.session && beginning(&label.prompt) == beginning(&limits.prompt)
}

fn label_of_limits<'a>(limits: &LimitsRead, labels: &'a [LimitLabel]) -> Option<&'a LimitLabel> {
    let mut same = labels.iter().filter(|label| is_same_prompt(label, limits));
    let exact = same.clone().find(|label| label.prompt.trim() == limits.prompt.trim());
    exact.or_else(|| same.next())
}

/// The first label of the finding's session that has one of its reasons.
fn label_of<'a>(finding: &Finding, labels: &'a [EpisodeLabel]) -> Option<&'a EpisodeLabel> {
    labels.iter().find(|label| is_same_finding(label, finding))
}

fn is_same_finding(label: &EpisodeLabel, finding: &Finding) -> bool {
    label.session == finding.session
        && finding.level >= Level::Correct
        && finding.reasons.iter().any(|reason| label.reasons.contains(reason))
}

/// The drift score in a log record. `None` if the record has no drift score.
fn score_of(record: &Value) -> Option<u64> {
    let payload = record.get("payload")?;
    let is_drift = match record.get("kind")?.as_str()? {
        "gate.changed" => matches!(payload.get("gate")?.as_str()?, "drift"),
        kind => kind.starts_with("drift."),
    };
    let score =
        ["/change/score", "/score"].iter().find_map(|place| payload.pointer(place)?.as_u64());
    score.filter(|_| is_drift)
}

fn reasons_of(record: &Value) -> Vec<String> {
    const PLACES: [&str; 5] = [
        "/payload/change/finding/reasons",
        "/payload/change/reasons",
        "/payload/finding/reasons",
        "/payload/reasons",
        "/payload/cause",
    ];
    let found = PLACES.iter().find_map(|place| record.pointer(place));
    found.map(texts_of).unwrap_or_default()
}

/// Reads the limits that apply from the output of `verger drift --json`.
fn limits_of(shown: &Value) -> Vec<String> {
    const PLACES: [&str; 4] = ["/task/limits", "/task/constraints", "/limits", "/constraints"];
    let found = PLACES.iter().find_map(|place| shown.pointer(place));
    found.map(texts_of).unwrap_or_default()
}

/// Reads the texts from a JSON value: a text itself, or a list of texts or of objects with a text.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(fields) => {
            let text =
                ["text", "limit", "says", "reason"].iter().find_map(|name| fields.get(*name));
            text.map_or_else(|| vec![value.to_string()], texts_of)
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(score: u64, reason: &str) -> Value {
        json!({
            "kind": "gate.changed",
            "payload": { "gate": "drift", "change": {
                "is": "scored", "score": score, "finding": { "reasons": [reason] },
            } },
        })
    }

    fn seen<'a>(event: &'a str, records: &'a [Value]) -> Seen<'a> {
        Seen { session: "s1", event, payload: &Value::Null, answer: None, records }
    }

    fn finding(level: Level, scores: usize, prompt: usize, reasons: &[&str]) -> Finding {
        let reasons = reasons.iter().map(|&reason| reason.to_owned()).collect();
        Finding { session: "s1".to_owned(), level, scores, prompt, reasons }
    }

    #[test]
    fn bad_scores_in_a_row_are_one_finding_by_the_worst() {
        let mut drift = Drift::default();
        drift.begin("s1");
        drift.observe(&seen("UserPromptSubmit", &[]));
        drift.observe(&seen("PostToolBatch", &[scored(6, "pushed")]));
        drift.observe(&seen("PostToolBatch", &[scored(3, "pushed again"), scored(4, "pushed")]));
        drift.observe(&seen("PostToolBatch", &[scored(10, "")]));
        drift.observe(&seen("PostToolBatch", &[scored(7, "read much")]));
        drift.observe(&seen("UserPromptSubmit", &[]));
        drift.observe(&seen("PostToolBatch", &[scored(1, "pushed")]));
        drift.close();
        let expected = [
            finding(Level::Intervene, 3, 1, &["pushed", "pushed again"]),
            finding(Level::Nudge, 1, 1, &["read much"]),
            finding(Level::Halt, 1, 2, &["pushed"]),
        ];
        assert_eq!(drift.findings, expected);
        assert_eq!(drift.hit(Level::Correct), BTreeSet::from(["s1"]));
    }

    #[test]
    fn limits_are_counted_where_they_are_new_and_compared_with_labels() {
        let mut drift = Drift::default();
        drift.begin("s1");
        let shown = |limits: &[&str]| json!({ "task": { "constraints": limits } });
        drift.limits_after("s1", "fix it, do not push", &shown(&["do not push"]));
        drift.limits_after("s1", "go on", &shown(&["do not push"]));
        drift.limits_after("s1", "other work", &shown(&[]));
        let read = |prompt: &str, new: &[&str], all: &[&str]| LimitsRead {
            session: "s1".to_owned(),
            prompt: prompt.to_owned(),
            new: new.iter().map(|&one| one.to_owned()).collect(),
            all: all.iter().map(|&one| one.to_owned()).collect(),
        };
        let expected = [
            read("fix it, do not push", &["do not push"], &["do not push"]),
            read("go on", &[], &["do not push"]),
        ];
        assert_eq!(drift.limits, expected);
        let label = |prompt: &str, label: &str| LimitLabel {
            session: "s1".to_owned(),
            prompt: prompt.to_owned(),
            constraints: vec!["do not commit".to_owned()],
            label: label.to_owned(),
        };
        let labels = [label("fix it, do not push", "right or nearly"), label("go on", "wrong")];
        let score = LimitScore { right: 1, right_read: 1, wrong: 1, wrong_read: 0, unlabelled: 0 };
        let labels = Labels { limits: labels.into(), ..Labels::default() };
        assert_eq!(drift.limit_score(&labels), score);
        assert_eq!(Drift::default().limit_score(&labels), LimitScore::default());
    }
}
