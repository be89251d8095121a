//! Checks the form of a candidate: finds values that are missing, too short, too long or unknown.

use crate::candidate::{Candidate, Reason};
use crate::learning_id::LearningId;
use crate::words::{Category, Criterion, Scope};

const SUMMARY_CHARS: std::ops::RangeInclusive<usize> = 10..=200;
const DETAIL_CHARS: std::ops::RangeInclusive<usize> = 20..=2000;
const TAGS: std::ops::RangeInclusive<usize> = 1..=10;
const MAX_ITEMS: usize = 50;
const MAX_ITEM_CHARS: usize = 300;

/// A candidate whose form is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sound {
    pub(super) category: Category,
    pub(super) summary: String,
    pub(super) detail: String,
    pub(super) scope: Scope,
    pub(super) criteria: Vec<Criterion>,
    pub(super) tags: Vec<String>,
    pub(super) files: Vec<String>,
    pub(super) symbols: Vec<String>,
    pub(super) supersedes: Vec<LearningId>,
}

/// Checks all fields of the candidate, so that the agent can fix all problems at once. Fields in
/// `unreadable` already have a reason and aren't checked again.
pub(super) fn check(
    candidate: Candidate,
    unreadable: Vec<Reason>,
    remark: &mut dyn FnMut(&str, String),
) -> Result<Sound, Vec<Reason>> {
    let mut faults = Faults(unreadable);
    let category = faults.category(&candidate.category);
    faults.length("summary", &candidate.summary, &SUMMARY_CHARS);
    faults.length("detail", &candidate.detail, &DETAIL_CHARS);
    if is_same_text(&candidate.summary, &candidate.detail) {
        faults.add("detail", "repeats the summary: write how to use the learning".to_owned());
    }
    faults.tags(&candidate.tags);
    let criteria = faults.criteria(&candidate.criteria);
    faults.items("files", &candidate.files);
    faults.items("symbols", &candidate.symbols);
    faults.items("supersedes", &candidate.supersedes);
    let supersedes = faults.ids(&candidate.supersedes);
    match category {
        Some(category) if faults.0.is_empty() => Ok(Sound {
            category,
            scope: scope(candidate.scope.as_deref(), remark),
            summary: candidate.summary,
            detail: candidate.detail,
            criteria,
            tags: candidate.tags,
            files: candidate.files,
            symbols: candidate.symbols,
            supersedes,
        }),
        _ => Err(faults.0),
    }
}

fn scope(word: Option<&str>, remark: &mut dyn FnMut(&str, String)) -> Scope {
    match word.map(str::parse) {
        None => Scope::Project,
        Some(Ok(scope)) => scope,
        Some(Err(unknown)) => {
            remark("scope", format!("{unknown}; project is used instead"));
            Scope::Project
        }
    }
}

fn is_same_text(summary: &str, detail: &str) -> bool {
    let (summary, detail) = (summary.trim(), detail.trim());
    !summary.is_empty() && summary.to_lowercase() == detail.to_lowercase()
}

struct Faults(Vec<Reason>);

impl Faults {
    fn add(&mut self, field: &str, says: String) {
        if !self.0.iter().any(|reason| reason.field == field) {
            self.0.push(Reason { field: field.to_owned(), says });
        }
    }

    fn category(&mut self, word: &str) -> Option<Category> {
        if word.trim().is_empty() {
            self.add("category", format!("is missing: use one of {}", Category::WORDS.join(", ")));
            return None;
        }
        word.parse()
            .map_err(|unknown: crate::words::UnknownWord| self.add("category", unknown.to_string()))
            .ok()
    }

    fn length(&mut self, field: &str, text: &str, chars: &std::ops::RangeInclusive<usize>) {
        let found = text.trim().chars().count();
        let (least, most) = (chars.start(), chars.end());
        if found == 0 {
            self.add(field, format!("is missing: write {least} to {most} characters"));
        } else if !chars.contains(&found) {
            self.add(field, format!("has {found} characters: write {least} to {most}"));
        }
    }

    fn tags(&mut self, tags: &[String]) {
        let (least, most) = (TAGS.start(), TAGS.end());
        if tags.iter().any(|tag| tag.trim().is_empty()) {
            self.add("tags", "has an empty entry: remove it or fill it".to_owned());
        } else if !TAGS.contains(&tags.len()) {
            self.add("tags", format!("has {} entries: give {least} to {most}", tags.len()));
        }
        self.items("tags", tags);
    }

    fn criteria(&mut self, words: &[String]) -> Vec<Criterion> {
        let mut criteria = Vec::new();
        for word in words {
            match word.parse() {
                Ok(criterion) if criteria.contains(&criterion) => (),
                Ok(criterion) => criteria.push(criterion),
                Err(unknown) => {
                    let unknown: crate::words::UnknownWord = unknown;
                    self.add("criteria", unknown.to_string());
                }
            }
        }
        if criteria.is_empty() {
            let words = Criterion::WORDS.join(", ");
            self.add("criteria", format!("has no entry: claim at least one of {words}"));
        }
        criteria
    }

    fn items(&mut self, field: &str, items: &[String]) {
        if items.len() > MAX_ITEMS {
            self.add(field, format!("has {} entries: keep at most {MAX_ITEMS}", items.len()));
        }
        let is_long = |item: &&String| item.chars().nth(MAX_ITEM_CHARS).is_some();
        if let Some(long) = items.iter().find(is_long) {
            let found = long.chars().count();
            self.add(
                field,
                format!("has an entry of {found} characters: the limit is {MAX_ITEM_CHARS}"),
            );
        }
    }

    fn ids(&mut self, words: &[String]) -> Vec<LearningId> {
        let read = |word: &String| {
            word.trim().parse().map_err(|bad: crate::learning_id::BadLearningId| bad.to_string())
        };
        let (mut ids, mut first_bad) = (Vec::new(), None);
        for word in words.iter().map(read) {
            match word {
                Ok(id) => ids.push(id),
                Err(bad) => drop(first_bad.get_or_insert(bad)),
            }
        }
        if let Some(bad) = first_bad {
            self.add("supersedes", bad);
        }
        ids
    }
}
