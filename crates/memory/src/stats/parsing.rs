//! Parses the lines of a statistics file into events. A line that can't be read is reported, and
//! the other lines still count.

use serde_json::Value;
use verger_event::{EventId, Reference, SessionId, Timestamp};

use super::given_line;
use super::line::{HOWS, StatsEvent, StatsLine, VERSION};
use crate::fields::{WrongField, list, number, optional_number, optional_text, text, text_list};
use crate::learning_id::LearningId;
use crate::text::Problem;
use crate::words::SkippedBy;

/// The parsed content of a statistics file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The events, in the order of their lines in the file.
    pub lines: Vec<StatsLine>,
    /// The number of lines of a later version or with an unknown event. Such lines stay in the
    /// file.
    pub unknown: usize,
    /// The lines that cannot be read.
    pub problems: Vec<Problem>,
}

/// The maximum number of bad lines that are reported one by one. A file with more is probably no
/// statistics file.
const MAX_NAMED_LINES: usize = 20;

/// Parses the lines of a part of the statistics file. `first_line` is the number of the part's
/// first line in the file.
pub fn parse(text: &str, first_line: usize) -> Log {
    let mut log = Log::default();
    let mut bad = 0;
    for (line, text) in (first_line..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        match read(text) {
            Ok(Some(read)) => log.lines.push(read),
            Ok(None) => log.unknown += 1,
            Err(says) => {
                bad += 1;
                if bad <= MAX_NAMED_LINES {
                    log.problems.push(Problem { line, says });
                }
            }
        }
    }
    if let Some(last) = log.problems.last_mut()
        && bad > MAX_NAMED_LINES
    {
        last.says = format!("this line and {} more cannot be read", bad - MAX_NAMED_LINES);
    }
    log
}

fn read(text: &str) -> Result<Option<StatsLine>, String> {
    given_line::read(text).map_or_else(|| read_json(text), |line| Ok(Some(line)))
}

pub(super) fn read_json(text: &str) -> Result<Option<StatsLine>, String> {
    if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| text.starts_with(mark)) {
        return Err(
            "this is a conflict marker of git: remove it; the lines around it are used".to_owned()
        );
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|_| "this is not JSON: remove the line, or restore it with git".to_owned())?;
    line(&value).map_err(|wrong| format!("{wrong}: remove the line, or restore it with git"))
}

/// Parses a line. Returns `None` if this version doesn't know the event.
fn line(value: &Value) -> Result<Option<StatsLine>, WrongField> {
    if number(value, "v")? > VERSION {
        return Ok(None);
    }
    let Some(event) = event(text(value, "event")?, value)? else { return Ok(None) };
    Ok(Some(StatsLine {
        id: text(value, "id")?.parse::<EventId>().map_err(|_| WrongField("id"))?,
        at: Timestamp::from_millis(number(value, "at")?),
        session: optional_text(value, "session")?.map(SessionId::new),
        tickets: text_list(value, "tickets")?,
        event,
    }))
}

fn event(kind: &str, value: &Value) -> Result<Option<StatsEvent>, WrongField> {
    let learning = || id(value, "learning");
    let reason = || Ok(optional_text(value, "reason")?.unwrap_or_default().to_owned());
    Ok(Some(match kind {
        "surfaced" => {
            StatsEvent::Surfaced { learning: learning()?, score: optional_number(value, "score")? }
        }
        "referenced" => StatsEvent::Referenced { learning: learning()?, how: how(value)? },
        "dismissed" => StatsEvent::Dismissed { learning: learning()? },
        "corrected" => {
            let by = optional_text(value, "by")?.map(|_| id(value, "by")).transpose()?;
            StatsEvent::Corrected { learning: learning()?, by }
        }
        "superseded" => StatsEvent::Superseded { learning: learning()?, by: id(value, "by")? },
        "archived" => StatsEvent::Archived { learning: learning()?, reason: reason()? },
        "restored" => StatsEvent::Restored { learning: learning()?, reason: reason()? },
        "reflection" => reflection(value)?,
        "rejected" => StatsEvent::Rejected {
            summary: text(value, "summary")?.to_owned(),
            tags: text_list(value, "tags")?,
            reasons: text_list(value, "reasons")?,
        },
        "skip" => StatsEvent::Skip {
            by: text(value, "by")?.parse::<SkippedBy>().map_err(|_| WrongField("by"))?,
            lines: optional_number(value, "lines")?,
            files: text_list(value, "files")?,
            reason: reason()?,
        },
        _ => return Ok(None),
    }))
}

fn reflection(value: &Value) -> Result<StatsEvent, WrongField> {
    let criteria = value.get("criteria").and_then(Value::as_object).into_iter().flatten();
    // A criterion of a later version is ignored.
    let criteria = criteria.filter_map(|(word, count)| Some((word.parse().ok()?, count.as_u64()?)));
    Ok(StatsEvent::Reflection {
        candidates: number(value, "candidates")?,
        accepted: list(value, "accepted", |text| text.parse().ok())?,
        criteria: criteria.collect(),
    })
}

fn id(value: &Value, field: &'static str) -> Result<LearningId, WrongField> {
    text(value, field)?.parse().map_err(|_| WrongField(field))
}

fn how(value: &Value) -> Result<Reference, WrongField> {
    let word = text(value, "how")?;
    let known = HOWS.iter().find(|(_, known)| *known == word);
    known.map(|(how, _)| *how).ok_or(WrongField("how"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::line::render;
    use super::super::samples::{all_kinds, any_line};
    use super::*;

    const FIXTURES: &str = include_str!("../../fixtures/stats-v1.jsonl");

    #[test]
    fn the_stored_form_is_what_it_always_was() {
        let known: String = FIXTURES.split_inclusive('\n').take(all_kinds().len()).collect();
        assert_eq!(render(&all_kinds()), known);
        let log = parse(FIXTURES, 1);
        assert_eq!(log, Log { lines: all_kinds(), unknown: 2, problems: vec![] });
    }

    #[test]
    fn unreadable_lines_are_reported_and_the_rest_counts() {
        let good = render(&all_kinds()[..1]);
        let table = [
            ("{\"v\":1,", "this is not JSON: remove the line, or restore it with git"),
            ("7", "`v` is missing or has the wrong type: remove the line, or restore it with git"),
            (
                r#"{"v":1,"event":"dismissed"}"#,
                "`learning` is missing or has the wrong type: remove the line, or restore it with git",
            ),
            (
                r#"{"v":1,"event":"referenced","learning":"learn-a","how":"x"}"#,
                "`how` is missing or has the wrong type: remove the line, or restore it with git",
            ),
            (
                "<<<<<<< HEAD",
                "this is a conflict marker of git: remove it; the lines around it are used",
            ),
        ];
        for (bad, says) in table {
            let log = parse(&format!("{good}\n{bad}\r\n{good}"), 10);
            let expected = Problem { line: 12, says: says.to_owned() };
            assert_eq!((log.lines.len(), log.problems), (2, vec![expected]));
        }
        let log = parse(&"x\n".repeat(25), 1);
        assert_eq!(log.problems.len(), 20);
        assert_eq!(log.problems[19].says, "this line and 5 more cannot be read");
    }

    proptest! {
        #[test]
        fn any_line_is_read_back(line in any_line()) {
            let log = parse(&render(std::slice::from_ref(&line)), 1);
            prop_assert_eq!(log, Log { lines: vec![line], ..Log::default() });
        }
    }
}
