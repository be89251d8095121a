//! Parses the JSON answers of the ticket programs, in the formats of their various versions.
//!
//! A list is an array, or an object with the array in `items` or `data`. Go prints an empty list as
//! `null`. A ticket is an object: alone, in an array, or in `issue` or `data`. Tissue uses
//! milliseconds and names the text `body`; beads uses dates and names it `description`.

use serde_json::Value;

/// A ticket with its texts. They are shortened to a length that is useful for a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub id: String,
    pub title: String,
    /// The description of the ticket. Empty if it has none.
    pub description: String,
}

const MAX_ID_BYTES: usize = 200;
const MAX_TITLE_BYTES: usize = 500;
const MAX_DESCRIPTION_BYTES: usize = 4000;

/// The tickets in one answer of a program, each with the time of its last change.
#[derive(Debug, PartialEq)]
pub(super) struct Listed(Vec<(Changed, Ticket)>);

/// The time of a ticket's last change. Dates can be compared as text, because one program writes
/// all of them in the same format.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
enum Changed {
    Unknown,
    Millis(f64),
    Date(String),
}

impl Listed {
    /// The ticket that was changed last. If there are several, the first one in the list.
    pub(super) fn latest(self) -> Option<Ticket> {
        let later = |a: (Changed, Ticket), b: (Changed, Ticket)| if b.0 > a.0 { b } else { a };
        self.0.into_iter().reduce(later).map(|(_, ticket)| ticket)
    }

    /// The only ticket in the list. If there isn't exactly one, returns the number of tickets as
    /// the error.
    pub(super) fn only(mut self) -> Result<Ticket, usize> {
        match self.0.pop() {
            Some((_, ticket)) if self.0.is_empty() => Ok(ticket),
            last => Err(self.0.len() + usize::from(last.is_some())),
        }
    }
}

/// Parses an answer of a program as a list of tickets. `None` if it isn't one.
pub(super) fn listed(answer: &[u8]) -> Option<Listed> {
    let answer = serde_json::from_slice(answer).ok()?;
    let rows = rows(&answer)?;
    let tickets: Vec<_> = rows.iter().copied().filter_map(ticket).collect();
    // Unreadable rows are skipped. If all rows are unreadable, the answer isn't a list of tickets.
    (tickets.is_empty() == rows.is_empty()).then_some(Listed(tickets))
}

fn rows(answer: &Value) -> Option<Vec<&Value>> {
    match answer {
        Value::Null => Some(vec![]),
        Value::Array(rows) => Some(rows.iter().collect()),
        Value::Object(fields) if fields.contains_key("id") => Some(vec![answer]),
        Value::Object(fields) => {
            ["items", "data", "issue"].iter().find_map(|name| fields.get(*name)).and_then(rows)
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn ticket(row: &Value) -> Option<(Changed, Ticket)> {
    let text = |name: &str| row.get(name).and_then(Value::as_str);
    let cut = |text: &str, bytes| text[..text.floor_char_boundary(bytes)].to_owned();
    let changed = match row.get("updated_at") {
        Some(Value::Number(millis)) => millis.as_f64().map_or(Changed::Unknown, Changed::Millis),
        Some(Value::String(date)) => Changed::Date(date.clone()),
        _ => Changed::Unknown,
    };
    let ticket = Ticket {
        id: cut(text("id").filter(|id| !id.is_empty())?, MAX_ID_BYTES),
        title: cut(text("title")?, MAX_TITLE_BYTES),
        description: cut(
            text("description").or_else(|| text("body")).unwrap_or_default(),
            MAX_DESCRIPTION_BYTES,
        ),
    };
    Some((changed, ticket))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(id: &str) -> Ticket {
        Ticket { id: id.to_owned(), title: format!("Title of {id}"), description: String::new() }
    }

    fn row(id: &str) -> Value {
        json!({ "id": id, "title": format!("Title of {id}"), "status": "open" })
    }

    #[track_caller]
    fn check(answer: &Value, expected: Option<&[&str]>) {
        let listed = listed(answer.to_string().as_bytes());
        let tickets: Option<Vec<_>> =
            listed.map(|listed| listed.0.into_iter().map(|(_, ticket)| ticket).collect());
        let expected = expected.map(|ids| ids.iter().copied().map(named).collect());
        assert_eq!(tickets, expected, "{answer}");
    }

    #[test]
    fn every_documented_shape_is_read() {
        check(&json!([row("a"), row("b")]), Some(&["a", "b"]));
        check(&json!({ "schema_version": 1, "items": [row("a")] }), Some(&["a"]));
        check(&json!({ "schema_version": 1, "data": [row("a")] }), Some(&["a"]));
        check(&json!({ "schema_version": 1, "data": row("a") }), Some(&["a"]));
        check(&row("a"), Some(&["a"]));
        check(&json!({ "issue": row("a"), "comments": [], "deps": [] }), Some(&["a"]));
        for empty in [json!([]), json!(null), json!({ "data": null })] {
            check(&empty, Some(&[]));
        }
    }

    #[test]
    fn an_answer_without_a_ticket_is_no_list() {
        for other in [json!("a"), json!(7), json!({ "error": "x" }), json!([1]), json!([{}])] {
            check(&other, None);
        }
        check(&json!([{ "id": "" , "title": "x" }, row("a")]), Some(&["a"]));
        assert_eq!(listed(b"[{\"id\":"), None);
        assert_eq!(listed(b""), None);
        assert_eq!(listed(&[b'['; 10_000]), None);
    }

    #[test]
    fn the_description_has_two_names_and_texts_are_cut_between_characters() {
        let long = "ä".repeat(3000);
        let rows = json!([
            { "id": "a", "title": "t", "body": "from tissue", "updated_at": 7 },
            { "id": "b", "title": long, "description": long, "body": "not this" },
        ]);
        let listed = listed(rows.to_string().as_bytes()).unwrap();
        let cut = |bytes: usize| "ä".repeat(bytes / 2);
        let ticket = |id: &str, title: &str, description: &str| Ticket {
            id: id.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
        };
        assert_eq!(
            listed,
            Listed(vec![
                (Changed::Millis(7.0), ticket("a", "t", "from tissue")),
                (Changed::Unknown, ticket("b", &cut(500), &cut(4000))),
            ])
        );
    }

    #[test]
    fn the_ticket_changed_last_is_the_active_one() {
        let with = |dates: &[Value]| {
            let dated = dates.iter().zip('a'..).map(|(date, id)| {
                json!({ "id": id, "title": format!("Title of {id}"), "updated_at": date })
            });
            listed(Value::Array(dated.collect()).to_string().as_bytes()).unwrap()
        };
        assert_eq!(with(&[json!(1), json!(30), json!(4)]).latest(), Some(named("b")));
        let dates = [json!("2026-01-02T00:00:00Z"), json!("2026-01-03T00:00:00Z")];
        assert_eq!(with(&dates).latest(), Some(named("b")));
        assert_eq!(with(&[json!(null), json!(null)]).latest(), Some(named("a")));
        assert_eq!(with(&[]).latest(), None);
        assert_eq!(with(&[json!(1)]).only(), Ok(named("a")));
        assert_eq!(with(&[]).only(), Err(0));
        assert_eq!(with(&[json!(1), json!(2)]).only(), Err(2));
    }
}
