//! Explains verger's answer to an event, or why there was none.

use serde_json::{Value, json};
use verger_config::{ListedSetting, Settings};
use verger_event::{Actor, Event, EventId, Grounds, Opinion, PromptOrigin, Record, Verdict};

use crate::config::capability::{Standing, is_switch, standings};
use crate::config::setting_text::{line, setting_json, setting_line};
use crate::drift::story::DriftStory;
use crate::render::output::{Tone, count};
use crate::render::table::Table;
use crate::render::time::local_time;
use crate::review::story::{By, Decided, ReviewStory, Subagent};
use crate::sessions::entry_json::record_json;
use crate::sessions::event_picker::Located;
use crate::sessions::event_summary::{gate_move, summary, verdict_text};
use crate::sessions::verdict_sentence::{VerdictSentence, is_measured};

/// An event, and verger's answers and actions.
pub(crate) struct Explanation {
    /// The event that the user asked about.
    pub(crate) asked: Located,
    /// The event that `asked` refers to, if there is one and it can be read.
    pub(crate) subject: Option<Located>,
    /// The answers and actions about that event, in order.
    pub(crate) answers: Vec<Located>,
    /// The review that the event belongs to.
    pub(crate) review: Option<ReviewStory>,
    /// The score that led to the event, for events about drift.
    pub(crate) drift: Option<DriftStory>,
    /// The current settings in the session's directory.
    pub(crate) settings: Settings,
}

/// The event that a record of verger's own refers to.
pub(crate) fn about(record: &Record) -> Option<EventId> {
    match &record.draft.event {
        Event::VerdictGiven { on, .. }
        | Event::GuardJudged { on, .. }
        | Event::UndoPointTaken { on, .. }
        | Event::UndoPointFailed { on, .. }
        | Event::CallRewritten { on, .. } => Some(*on),
        Event::ContextInjected { on, .. } => *on,
        Event::GateChanged { .. }
        | Event::GateReleased { .. }
        | Event::ReleasesSeen { .. }
        | Event::ReviewDecided { .. }
        | Event::VerificationRecorded { .. }
        | Event::UndoPointRestored { .. }
        | Event::TaskRecorded { .. }
        | Event::HandoffWritten { .. }
        | Event::TicketSeen { .. }
        | Event::LearningSeen { .. }
        | Event::Warned { .. } => record.draft.standing.evidence.first().copied(),
        _ => None,
    }
}

/// Whether the event is an answer to the agent or the person.
pub(crate) fn is_said(event: &Event) -> bool {
    match event {
        Event::VerdictGiven { verdict, notice, .. } => {
            *verdict != Verdict::NoOpinion || notice.is_some()
        }
        Event::ContextInjected { .. } | Event::CallRewritten { .. } => true,
        _ => false,
    }
}

/// Whether a check acted on another event: it answered, judged a call, saved files, or changed the
/// state of its gate.
pub(crate) fn is_act(event: &Event) -> bool {
    match event {
        Event::GuardJudged { .. }
        | Event::UndoPointTaken { .. }
        | Event::UndoPointFailed { .. }
        | Event::GateReleased { .. }
        | Event::ReviewDecided { .. } => true,
        Event::GateChanged { gate, from, to, .. } => !is_measured(gate.as_str()) && from != to,
        event => is_said(event) || is_restore(event),
    }
}

fn is_of_person(event: &Event) -> bool {
    matches!(event, Event::PromptSubmitted { origin: PromptOrigin::Person, .. })
        || is_restore(event)
}

/// Whether the event is a restore by a person. A restore comes after all answers to the call before
/// which the undo point was saved.
pub(crate) fn is_restore(event: &Event) -> bool {
    matches!(event, Event::UndoPointRestored { .. })
}

impl Explanation {
    fn is_silence(&self) -> bool {
        // Records of scores and of parsed prompts exist even if the agent got no message.
        let is_more = |event: &Event| match event {
            Event::GateChanged { gate, .. } => !is_measured(gate.as_str()),
            event => is_said(event),
        };
        !self.answers.iter().any(|answer| is_more(&answer.record.draft.event))
            && !self.asked.record.draft.event.is_of_verger()
    }

    /// Removes texts that are meant for the person only, such as how to open a gate.
    pub(crate) fn for_agent(mut self) -> Self {
        let subject = self.subject.as_mut().into_iter();
        for found in subject.chain(&mut self.answers).chain([&mut self.asked]) {
            if let Event::VerdictGiven { notice, .. } = &mut found.record.draft.event {
                *notice = None;
            }
        }
        self
    }

    pub(crate) fn table(&self) -> Table {
        let mut table = Table::default();
        if is_restore(&self.asked.record.draft.event) {
            self.restore_rows(&mut table);
            return table;
        }
        let subject = self.subject.as_ref().unwrap_or(&self.asked);
        event_rows(&mut table, subject);
        if let (None, Some(lost)) = (&self.subject, about(&self.asked.record)) {
            table.row("about", format!("{lost}, which cannot be read"));
        }
        if !self.answers.contains(&self.asked) {
            answer_rows(&mut table, &self.asked);
        }
        for answer in self.answers.iter().filter(|answer| !self.is_in_review(answer)) {
            answer_rows(&mut table, answer);
        }
        if self.is_silence() {
            self.silence_rows(&mut table);
        }
        if let Some(review) = &self.review {
            review_rows(&mut table, review);
        }
        if let Some(drift) = &self.drift {
            drift.rows(&mut table);
        }
        table
    }

    fn restore_rows(&self, table: &mut Table) {
        event_rows(table, &self.asked);
        answer_rows(table, &self.asked);
        if let Some(call) = &self.subject {
            let what = summary(&call.record.draft.event);
            table.row("  saved before", format!("{}, at {}", what, call.name()));
        }
    }

    /// Whether the displayed review already contains this answer.
    fn is_in_review(&self, answer: &Located) -> bool {
        self.review.is_some() && matches!(answer.record.draft.event, Event::ReviewDecided { .. })
    }

    fn silence_rows(&self, table: &mut Table) {
        table.row("answer", "none");
        for standing in standings(&self.settings) {
            table.row(standing.capability.name, standing.text());
        }
        for setting in self.recording() {
            table.row("setting now", setting_line(&setting));
        }
    }

    /// The settings besides the switch that affect recording.
    fn recording(&self) -> impl Iterator<Item = ListedSetting<'_>> {
        let is_wanted = |path: &str| path.starts_with("record.") && !is_switch(path);
        self.settings.list().filter(move |setting| is_wanted(&setting.path))
    }

    pub(crate) fn to_json(&self) -> Value {
        let located =
            |found: &Located| json!({ "name": found.name(), "record": record_json(&found.record) });
        json!({
            "sentence": VerdictSentence::of(self).text(),
            "asked": located(&self.asked),
            "subject": self.subject.as_ref().map(located),
            "answers": self.answers.iter().map(located).collect::<Vec<_>>(),
            "review": self.review.as_ref().map(ReviewStory::to_json),
            "drift": self.drift.as_ref().map(DriftStory::to_json),
            "silence": self.is_silence().then(|| json!({
                "capabilities":
                    standings(&self.settings).iter().map(Standing::to_json).collect::<Vec<_>>(),
                "settings": self.recording().map(|s| setting_json(&s)).collect::<Vec<_>>(),
            })),
        })
    }
}

fn event_rows(table: &mut Table, event: &Located) {
    let draft = &event.record.draft;
    let origin = &draft.origin;
    table.row("event", format!("{} at {}", draft.event.kind(), event.name()));
    table.toned_row(Tone::Faint, "id", draft.id.to_string());
    table.toned_row(Tone::Faint, "when", local_time(draft.at));
    let version = origin.agent_version.as_deref().unwrap_or_default();
    table.row("session", format!("{} of {} {version}", origin.session, origin.agent).trim_end());
    table.row("directory", origin.circumstance.cwd.as_deref().unwrap_or("-"));
    table.row(
        "who",
        match &origin.actor {
            _ if is_of_person(&draft.event) => "a person".to_owned(),
            _ if draft.event.is_of_verger() => "verger".to_owned(),
            Actor::Main { agent_type: None } => "the agent".to_owned(),
            Actor::Main { agent_type: Some(kind) } => format!("the agent, as {kind}"),
            Actor::Subagent { id, agent_type } => format!("subagent {id} ({agent_type})"),
        },
    );
    table.row("what", summary(&draft.event));
}

fn answer_rows(table: &mut Table, answer: &Located) {
    match &answer.record.draft.event {
        Event::VerdictGiven { verdict, by, notice, .. } => {
            table.text_rows("answer", &verdict_text(verdict));
            if let Some(notice) = notice {
                table.text_rows("told person", notice);
            }
            for opinion in by {
                opinion_rows(table, opinion, verdict);
            }
        }
        Event::ContextInjected { sources, text, grounds, .. } => {
            table.text_rows("told agent", text);
            if !sources.is_empty() {
                table.row("  from", sources.join(", "));
            }
            ground_rows(table, grounds);
        }
        Event::GateChanged { gate, from, to, cause, .. } => {
            table.row("gate", gate_move(gate.as_str(), from, to));
            table.text_rows("  cause", cause);
        }
        Event::ReviewDecided { decision, summary, message, .. } => {
            decision_rows(table, "decision", decision.as_str(), summary, message.as_deref());
        }
        Event::GateReleased { gate, by, reason } => {
            table.row("gate", format!("{gate} released by {by}"));
            table.text_rows("  cause", reason);
        }
        Event::GuardJudged { triage, rule, why, mode, sent, .. } => {
            table.row("guard", format!("{triage}: {why}"));
            table.row("  rule", rule);
            table.row("  told", format!("{sent}, because guard.mode was {mode}"));
        }
        Event::UndoPointTaken { point, root, left_out, more_left_out, .. } => {
            table.row("undo point", format!("{point} of {root}"));
            for left_out in left_out {
                table.row("  left out", left_out);
            }
            if *more_left_out > 0 {
                table.row("  left out", format!("{more_left_out} more"));
            }
            table.row("  see", format!("verger undo show --point {point}"));
        }
        Event::UndoPointFailed { why, .. } => {
            table.text_rows("undo point", &format!("none: {why}"));
        }
        Event::UndoPointRestored { point, saved, written, removed, failed } => {
            let written = count(*written, "file");
            table.row("restored", format!("{point}: {written} written, {removed} removed"));
            if *failed > 0 {
                table.row("  failed", count(*failed, "file"));
            }
            if saved != point {
                table.row("  leads back", saved.to_string());
            }
        }
        Event::CallRewritten { by, rules, changes, input, grounds, .. } => {
            table.row("changed", format!("the call, by {by}: {}", rules.join(", ")));
            for change in changes {
                table.text_rows("  how", change);
            }
            match input.get("command").and_then(Value::as_str) {
                Some(line) => table.text_rows("  ran as", line),
                None => table.text_rows("  ran as", &input.to_string()),
            }
            ground_rows(table, grounds);
        }
        Event::TaskRecorded { number, status, goal, .. } => {
            table.row("task", format!("{number} is {status}: {goal}"));
            table.row("  see", format!("verger tasks show {}", answer.record.draft.id));
        }
        Event::HandoffWritten { trigger, text } => {
            table.row("handoff", format!("written before {trigger}"));
            table.text_rows("  words", text);
        }
        Event::TicketSeen { .. }
        | Event::LearningSeen { .. }
        | Event::VerificationRecorded { .. } => {
            table.row(answer.record.draft.event.kind(), summary(&answer.record.draft.event));
        }
        Event::Warned { area, message } => {
            table.text_rows("warning", &format!("{area}: {message}"));
        }
        _ => {}
    }
}

/// Adds the rows of a review: the reviewer, the content, the prompts and the decision.
fn review_rows(table: &mut Table, review: &ReviewStory) {
    table.row("reviewer", format!("{}, began {}", review.who(), local_time(review.started)));
    table.row("  content", review.content.as_str());
    match &review.by {
        By::Subagent(Subagent { told, transcript, .. }) => {
            for told in told {
                table.text_rows("  was told", &told.text);
                table.row("  call", told.event.to_string());
            }
            if let Some(path) = transcript {
                table.row("  transcript", path);
            }
        }
        By::Program { program, ran } => {
            let file = program.path.as_deref().unwrap_or("not found");
            let hash = program.sha256.as_deref().unwrap_or("not known");
            table.row("  program", format!("{file}, SHA-256 {hash}"));
            if let Some(ran) = ran {
                table.row("  ended", &*ran.ending);
            }
        }
    }
    match &review.decided {
        None => table.row("  decided", "not yet"),
        Some(Decided { at, decision, .. }) => {
            let outcome = format!("{}, {}", local_time(*at), decision.outcome);
            let message = decision.message.as_deref();
            decision_rows(table, "  decided", &outcome, &decision.summary, message);
            if let Some(opinions) = &decision.opinions {
                table.text_rows("  opinions", opinions);
            }
        }
    }
}

fn opinion_rows(table: &mut Table, opinion: &Opinion, answer: &Verdict) {
    let text = if opinion.verdict == *answer {
        "said so".to_owned()
    } else {
        verdict_text(&opinion.verdict)
    };
    table.text_rows(opinion.by.as_str(), &text);
    ground_rows(table, &opinion.grounds);
}

fn ground_rows(table: &mut Table, grounds: &Grounds) {
    if grounds.is_empty() {
        table.row("  grounds", "not recorded");
    }
    if let Some(rule) = grounds.rule() {
        table.row("  rule", rule);
    }
    for fact in grounds.facts() {
        table.row("  fact", format!("{} = {}", fact.name, fact.value));
    }
    for setting in grounds.settings() {
        table.row("  setting", line(&setting.key, &setting.value, &setting.origin));
    }
}

fn decision_rows(
    table: &mut Table,
    name: &str,
    decision: &str,
    summary: &str,
    message: Option<&str>,
) {
    table.text_rows(name, &format!("{decision}: {summary}"));
    if let Some(message) = message {
        table.text_rows("  message", message);
    }
}
