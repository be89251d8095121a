//! Parses a reflection in JSON. Field names that other programs use are accepted as well.

use serde_json::{Map, Value};

use super::{NoReflection, Offered, Reflection, Used};
use crate::candidate::Reason;

type Object = Map<String, Value>;

/// The names of fields in a reflection, each with its accepted aliases.
const NAMES: &[(&str, &[&str])] = &[
    ("candidates", &["learnings"]),
    ("used", &["learnings_used"]),
    ("notes", &["reflection_notes"]),
    ("session", &["session_id"]),
    ("criteria", &["criteria_met"]),
    ("files", &["context_files"]),
];

/// The known fields of a candidate. Other fields cause a remark.
const FIELDS: &[&str] = &[
    "category",
    "summary",
    "detail",
    "scope",
    "criteria",
    "tags",
    "files",
    "symbols",
    "supersedes",
];
const PASSED_OVER: &[&str] = &["confidence", "criteria_met", "context_files", "id"];

pub(super) fn read(text: &str) -> Result<Reflection, NoReflection> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let says = error.to_string();
        let says = says.split(" at line ").next().unwrap_or_default().to_owned();
        NoReflection::NotJson { line: error.line(), column: error.column(), says }
    })?;
    let mut reflection = Reflection::default();
    let candidates = match &value {
        Value::Array(candidates) => candidates,
        Value::Object(object) => {
            read_frame(object, &mut reflection);
            match field(object, "candidates") {
                Some(Value::Array(candidates)) => candidates,
                None if object.contains_key("summary") => std::slice::from_ref(&value),
                _ => return Err(NoReflection::NoCandidates),
            }
        }
        _ => return Err(NoReflection::NoCandidates),
    };
    if candidates.iter().any(|candidate| !candidate.is_object()) {
        return Err(NoReflection::NoCandidates);
    }
    for (index, candidate) in candidates.iter().filter_map(Value::as_object).enumerate() {
        let offered = read_candidate(candidate);
        for unknown in unknown_fields(candidate) {
            let fields = FIELDS.join(", ");
            let number = index + 1;
            reflection.remarks.push(format!(
                "candidate {number}: {unknown:?} is not a field and was ignored; the fields are \
                 {fields}"
            ));
        }
        reflection.offers.push(offered);
    }
    Ok(reflection)
}

fn read_frame(object: &Object, reflection: &mut Reflection) {
    let text = |name| field(object, name).and_then(Value::as_str).map(str::to_owned);
    reflection.session = text("session");
    reflection.notes = text("notes");
    let used = field(object, "used").and_then(Value::as_array).into_iter().flatten();
    for used in used {
        let (id, how) = match used {
            Value::String(id) => (Some(id.as_str()), None),
            other => (
                other.get("id").and_then(Value::as_str),
                other.get("how").and_then(Value::as_str).map(str::to_owned),
            ),
        };
        match id.unwrap_or_default().parse() {
            Ok(id) => reflection.used.push(Used { id, how }),
            Err(bad) => reflection.remarks.push(format!("used: {bad}; it was ignored")),
        }
    }
}

fn read_candidate(object: &Object) -> Offered {
    let mut offered = Offered::default();
    let mut wrong = |field: &str, says: &str| {
        offered.unreadable.push(Reason { field: field.to_owned(), says: says.to_owned() });
    };
    let mut text = |name: &'static str| match field(object, name) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => {
            wrong(name, "is not a text: put it in quotes");
            None
        }
    };
    let (category, summary) = (text("category"), text("summary"));
    let (detail, scope) = (text("detail"), text("scope"));
    let mut list = |name: &'static str| match field(object, name) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(_) => {
            wrong(name, "is not a list of texts: write [\"one\", \"two\"]");
            Vec::new()
        }
    };
    let candidate = crate::candidate::Candidate {
        category: category.unwrap_or_default(),
        summary: summary.unwrap_or_default(),
        detail: detail.unwrap_or_default(),
        scope,
        criteria: list("criteria"),
        tags: list("tags"),
        files: list("files"),
        symbols: list("symbols"),
        supersedes: list("supersedes"),
    };
    Offered { candidate, ..offered }
}

fn field<'a>(object: &'a Object, name: &str) -> Option<&'a Value> {
    let others = NAMES.iter().find(|(known, _)| *known == name).map_or(&[] as &[_], |(_, o)| o);
    object.get(name).or_else(|| others.iter().find_map(|other| object.get(*other)))
}

fn unknown_fields(object: &Object) -> impl Iterator<Item = &String> {
    object
        .keys()
        .filter(|key| !FIELDS.contains(&key.as_str()) && !PASSED_OVER.contains(&key.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;

    #[test]
    fn fields_are_read_under_either_name_and_bad_ones_are_named() {
        let text = r#"{"session_id": "s", "reflection_notes": "n",
            "learnings_used": [{"id": "learn-a", "how": "as told"}, "learn-b", {"id": 1}],
            "candidates": [
              {"category": "Pitfall", "summary": "s", "detail": "d", "scope": null,
               "criteria_met": ["stable-fact"], "tags": "one", "context_files": ["a.rs"],
               "confidence": "high", "summry": "x"},
              {"summary": 7, "tags": [1], "supersedes": ["learn-a"]}]}"#;
        let texts =
            |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let reason =
            |field: &str, says: &str| Reason { field: field.to_owned(), says: says.to_owned() };
        let list = "is not a list of texts: write [\"one\", \"two\"]";
        let used = |id: &str, how: Option<&str>| Used {
            id: id.parse().unwrap(),
            how: how.map(str::to_owned),
        };
        assert_eq!(
            read(text).unwrap(),
            Reflection {
                session: Some("s".to_owned()),
                notes: Some("n".to_owned()),
                used: vec![used("learn-a", Some("as told")), used("learn-b", None)],
                offers: vec![
                    Offered {
                        candidate: Candidate {
                            category: "Pitfall".to_owned(),
                            summary: "s".to_owned(),
                            detail: "d".to_owned(),
                            criteria: texts(&["stable-fact"]),
                            files: texts(&["a.rs"]),
                            ..Candidate::default()
                        },
                        unreadable: vec![reason("tags", list)],
                    },
                    Offered {
                        candidate: Candidate {
                            supersedes: texts(&["learn-a"]),
                            ..Candidate::default()
                        },
                        unreadable: vec![
                            reason("summary", "is not a text: put it in quotes"),
                            reason("tags", list),
                        ],
                    },
                ],
                remarks: vec![
                    "used: \"\" is not the id of a learning, such as learn-01M7G83FEM0000000000000007; it was ignored"
                        .to_owned(),
                    "candidate 1: \"summry\" is not a field and was ignored; the fields are category, \
                     summary, detail, scope, criteria, tags, files, symbols, supersedes"
                        .to_owned(),
                ],
            }
        );
    }

    #[test]
    fn a_single_candidate_and_a_bare_list_are_reflections() {
        for text in [r#"{"summary": "s"}"#, r#"[{"summary": "s"}]"#] {
            assert_eq!(read(text).unwrap().offers.len(), 1, "{text}");
        }
    }
}
