//! What agents and people are told of the course.

use verger_drift::recovery::Correction;
use verger_drift::shelf::{Offer, ShelvedTask};
use verger_drift::{Handoff, Level};
use verger_event::{EventId, Timestamp, tamed_within};

use super::change::{Finding, Matter};
use crate::template::fill;

/// So long a handoff may be; what is given beside it has its own budget.
pub const MAX_HANDOFF_CHARS: usize = 4_000;

/// The words for what is the matter, one text for each occasion.
struct Texts {
    nudge: &'static str,
    correct: &'static str,
    intervene: &'static str,
    halt: &'static str,
    deny: &'static str,
    notice_denied: &'static str,
    notice_passed: &'static str,
}

const LEAVING: Texts = Texts {
    nudge: include_str!("../../templates/course/nudge.md"),
    correct: include_str!("../../templates/course/correct.md"),
    intervene: include_str!("../../templates/course/intervene.md"),
    halt: include_str!("../../templates/course/halt.md"),
    deny: include_str!("../../templates/course/deny.md"),
    notice_denied: include_str!("../../templates/course/notice-denied.md"),
    notice_passed: include_str!("../../templates/course/notice-passed.md"),
};

const CIRCLES: Texts = Texts {
    nudge: include_str!("../../templates/course/circles/nudge.md"),
    correct: include_str!("../../templates/course/circles/correct.md"),
    intervene: include_str!("../../templates/course/circles/intervene.md"),
    halt: include_str!("../../templates/course/circles/halt.md"),
    deny: include_str!("../../templates/course/circles/deny.md"),
    notice_denied: include_str!("../../templates/course/circles/notice-denied.md"),
    notice_passed: include_str!("../../templates/course/circles/notice-passed.md"),
};

fn texts(finding: &Finding) -> &'static Texts {
    match finding.matter {
        Matter::Leaving => &LEAVING,
        Matter::Circles => &CIRCLES,
    }
}

/// What the agent is told of what was found.
pub fn correction(correction: &Correction, finding: &Finding) -> String {
    let texts = texts(finding);
    let template = match correction.level {
        Level::Nudge => texts.nudge,
        Level::Correct => texts.correct,
        Level::Intervene => texts.intervene,
        Level::Halt => texts.halt,
    };
    filled(template, finding)
}

/// Why a change of an agent that did not go back does not run.
pub fn deny(finding: &Finding) -> String {
    filled(texts(finding).deny, finding)
}

/// What the person alone is told of that.
pub fn notice_denied(finding: &Finding) -> String {
    filled(texts(finding).notice_denied, finding)
}

/// What the person alone is told when it runs all the same.
pub fn notice_passed(finding: &Finding) -> String {
    filled(texts(finding).notice_passed, finding)
}

fn filled(template: &str, finding: &Finding) -> String {
    let values = [
        ("goal", &*finding.goal),
        ("reasons", &*listed(&finding.reasons)),
        ("back", &*finding.back),
    ];
    fill(template, &values)
}

/// The text of a handoff of at most `max_chars`; what is the longest is cut first. `before` is what cuts
/// the agent's memory.
pub fn handoff(handoff: &Handoff, before: &str, max_chars: usize) -> String {
    let mut handoff = handoff.clone();
    loop {
        let text = handoff_text(&handoff, before);
        let lists =
            [&mut handoff.progress, &mut handoff.decisions, &mut handoff.files, &mut handoff.state];
        let longest =
            lists.into_iter().max_by_key(|list| list.iter().map(String::len).sum::<usize>());
        match longest {
            Some(longest) if text.chars().count() > max_chars && !longest.is_empty() => {
                longest.remove(0);
            }
            _ => return text.chars().take(max_chars).collect(),
        }
    }
}

fn handoff_text(handoff: &Handoff, before: &str) -> String {
    let Handoff { goal, constraints, progress, decisions, files, state, next } = handoff;
    let values = [
        ("before", before),
        ("goal", goal),
        ("constraints", &listed(constraints)),
        ("progress", &listed(progress)),
        ("decisions", &listed(decisions)),
        ("files", &listed(files)),
        ("state", &listed(state)),
        ("next", next),
    ];
    fill(include_str!("../../templates/course/handoff.md"), &values)
}

/// The mark that tasks which are offered stand between.
const TASKS: &str = "verger-tasks";
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// Who is offered tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader<'a> {
    /// When.
    pub now: Timestamp,
    /// Whose session it is, where that is known.
    pub user: Option<&'a str>,
}

/// What an agent is told of tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The text.
    pub text: String,
    /// The records of the tasks that are in it.
    pub records: Vec<EventId>,
}

/// The text with as many of the tasks as there is room for, in their order; nothing where there is room for
/// none. `fits` says whether there is room for a text. A task that does not fit whole is told in short.
pub fn offer(
    offers: &[Offer],
    reader: &Reader<'_>,
    fits: impl Fn(&str) -> bool,
) -> Option<Offered> {
    let mut entries = vec![];
    let mut offered = None;
    let mut records = vec![];
    for Offer { task, .. } in offers {
        let forms = [entry(task, reader, &details(task)), entry(task, reader, &[])];
        for form in forms {
            entries.push(form);
            let text = offer_text(&entries);
            if fits(&text) {
                records.push(task.record);
                offered = Some(text);
                break;
            }
            entries.pop();
        }
    }
    offered.map(|text| Offered { text, records })
}

fn offer_text(entries: &[String]) -> String {
    let template = include_str!("../../templates/course/offer.md");
    fill(template, &[("tasks", &entries.join("\n"))])
}

/// A task, behind an empty line.
fn entry(task: &ShelvedTask, reader: &Reader<'_>, details: &[String]) -> String {
    let mut facts = vec![task.status.as_str().to_owned(), ago(task.at, reader.now)];
    let other = task.user.as_deref().filter(|user| reader.user != Some(*user));
    facts.extend(other.map(|user| format!("by {}", plain(user))));
    facts.extend(task.commit.as_deref().map(|commit| format!("commit {}", plain(commit))));
    let mut lines = vec![String::new(), plain(&task.goal), format!("  ({})", facts.join(", "))];
    lines.extend(details.iter().map(|detail| format!("  {detail}")));
    lines.push(format!("  all of it: verger tasks show {}", task.record));
    lines.join("\n")
}

fn details(task: &ShelvedTask) -> Vec<String> {
    let of_some = |name: &str, items: &[String]| {
        (!items.is_empty()).then(|| format!("{name}: {}", plain(&items.join(", "))))
    };
    let mut lines: Vec<String> = of_some("files", &task.files).into_iter().collect();
    lines.extend(of_some("the person had forbidden", &task.constraints));
    let decided = task.decisions.iter();
    lines.extend(decided.map(|decision| format!("decided: {}", plain(&decision.to_string()))));
    lines
}

fn plain(text: &str) -> String {
    tamed_within(TASKS, text)
}

fn ago(then: Timestamp, now: Timestamp) -> String {
    match now.millis_since(then) / DAY_MILLIS {
        0 => "less than a day ago".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}

fn listed(items: &[String]) -> String {
    if items.is_empty() {
        return "- nothing".to_owned();
    }
    let items: Vec<_> = items.iter().map(|item| format!("- {item}")).collect();
    items.join("\n")
}
