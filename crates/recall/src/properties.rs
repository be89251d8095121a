//! Property tests of the index with arbitrary documents and queries.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use verger_event::Timestamp;

use crate::change::Change;
use crate::document::{Document, Place};
use crate::query::Query;
use crate::recall::Recall;
use crate::reference;
use crate::writer::Writer;

const WORDS: &[&str] = &[
    "git",
    "push",
    "lock",
    "Ada",
    "ada",
    "retry_limit",
    "the",
    "検索エンジン",
    "May",
    "8",
    "running",
    "src/git.rs",
];
const PATHS: &[&str] = &["src/git.rs", "docs/push.md", "Cargo.toml"];
const AUTHORS: &[&str] = &["", "Ada", "Bob Git"];
const DATES: &[&str] = &["", "8 May, 2023"];

fn text(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..most).prop_map(|words| words.join(" "))
}

fn document() -> impl Strategy<Value = Document> {
    let metadata = (
        prop::sample::select(AUTHORS),
        prop::sample::select(DATES),
        prop::collection::vec(text(2), 0..2),
        prop::collection::vec(prop::sample::select(PATHS), 0..3),
    );
    let place = prop::option::of((0..3u8, 0..9u64));
    (text(6), text(20), metadata, place, 0..300u64).prop_map(
        |(title, body, (author, date, tags, files), place, day)| Document {
            id: String::new(),
            kind: 1,
            mark: 0,
            title,
            body,
            tags,
            files: files.into_iter().map(str::to_owned).collect(),
            author: author.to_owned(),
            date: date.to_owned(),
            at: Timestamp::from_millis(day * 86_400_000),
            place: place
                .map(|(session, sequence)| Place { session: session.to_string(), sequence }),
            payload: vec![7],
        },
    )
}

/// Arbitrary documents, all different. Some have a position in a conversation.
fn documents(most: usize) -> impl Strategy<Value = Vec<Document>> {
    prop::collection::vec(document(), 0..most).prop_map(|mut documents| {
        for (number, document) in (0..).zip(&mut documents) {
            document.id = format!("d{number:04}");
            if let Some(place) = &mut document.place {
                place.sequence = place.sequence * 1000 + number;
            }
        }
        documents
    })
}

#[derive(Debug, Clone)]
struct Asked {
    text: String,
    files: Vec<&'static str>,
    day: Option<u64>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let files = prop::collection::vec(prop::sample::select(PATHS), 0..2);
    (text(12), files, prop::option::of(0..400u64)).prop_map(|(text, files, day)| Asked {
        text,
        files,
        day,
    })
}

impl Asked {
    fn query(&self) -> Query<'_> {
        Query {
            texts: vec![(&self.text, 1.0)],
            files: self.files.clone(),
            now: self.day.map(|day| Timestamp::from_millis(day * 86_400_000)),
            before: None,
        }
    }
}

/// The result of a search. For each document's id, it has the score, the strength and the mark.
fn answer(dir: &Path, query: &Query<'_>) -> BTreeMap<String, (f64, f64, u8)> {
    let recall = Recall::open(dir).unwrap().unwrap();
    let hits = recall.search(query, 1000, &|attributes| attributes.kind == 1).unwrap();
    assert!(hits.is_sorted_by(|one, other| one.score >= other.score));
    let named = |hit: &crate::search::Hit| {
        let stored = recall.stored(hit).unwrap();
        (stored.id, (hit.score, hit.strength, hit.attributes.mark))
    };
    hits.iter().map(named).collect()
}

fn rebuilt(documents: &[Document]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    Writer::wait(dir.path()).unwrap().rebuild(b"", documents).unwrap();
    dir
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_index_ranks_as_the_formula_says(documents in documents(40), asked in asked()) {
        let dir = rebuilt(&documents);
        // Texts of several words are left out, so no words are adjacent. Without a time, ages don't
        // count.
        let words = asked.text.split(' ').filter(|word| reference::words(word).len() < 2);
        let texts = words.map(|word| (word, 1.0)).collect();
        let query = Query { texts, now: None, ..asked.query() };
        let found = answer(dir.path(), &query);
        let expected = reference::scores(&documents, &query);
        prop_assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (id, (score, ..)) in found {
            let bound = 0.01 * (1.0 + expected[&id]);
            prop_assert!((score - expected[&id]).abs() < bound, "{} {}", id, expected[&id]);
        }
    }

    #[test]
    fn an_index_that_grew_equals_one_made_at_once(
        documents in documents(40),
        cuts in prop::collection::vec(0..6usize, 40),
        most in prop::sample::select(&[0u32, 5, 20, u32::MAX][..]),
        asked in asked(),
    ) {
        let grown = tempfile::tempdir().unwrap();
        let writer = Writer::wait(grown.path()).unwrap();
        writer.rebuild(b"", &[]).unwrap();
        // All turns of one conversation must be put into the index together.
        let batch = |number: usize| match &documents[number].place {
            Some(place) => 6 + place.session.parse::<usize>().unwrap(),
            None => cuts[number],
        };
        let mut order: Vec<_> = (0..documents.len()).collect();
        order.sort_by_key(|number| batch(*number));
        for same in order.chunk_by(|one, other| batch(*one) == batch(*other)) {
            let put = |number: &usize| Change::Put(Box::new(documents[*number].clone()));
            let changes: Vec<_> = same.iter().map(put).collect();
            writer.update(b"", &changes, most).unwrap();
        }
        prop_assert_eq!(
            answer(grown.path(), &asked.query()),
            answer(rebuilt(&documents).path(), &asked.query())
        );
    }

    #[test]
    fn changes_lead_where_a_new_index_of_the_result_would(
        documents in documents(24),
        changes in prop::collection::vec((0..24usize, 0..3u8, document()), 0..24),
        size in 1..6usize,
        asked in asked(),
    ) {
        let alone = |mut document: Document, number: usize| {
            document.place = None;
            document.id = format!("d{number:04}");
            document
        };
        let documents: Vec<_> =
            documents.into_iter().enumerate().map(|(number, one)| alone(one, number)).collect();
        let mut result: BTreeMap<_, _> =
            documents.iter().map(|one| (one.id.clone(), one.clone())).collect();
        let dir = rebuilt(&documents);
        let changes: Vec<_> = changes.into_iter().map(|(number, what, new)| {
            let id = format!("d{number:04}");
            match what {
                0 => Change::Put(Box::new(alone(new, number))),
                1 => Change::Mark(id, 9),
                _ => Change::Remove(id),
            }
        }).collect();
        for some in changes.chunks(size) {
            Writer::wait(dir.path()).unwrap().update(b"", some, u32::MAX).unwrap();
        }
        for change in &changes {
            match change {
                Change::Put(new) => drop(result.insert(new.id.clone(), (**new).clone())),
                Change::Mark(id, mark) => {
                    result.entry(id.clone()).and_modify(|old| old.mark = *mark);
                }
                Change::Remove(id) => drop(result.remove(id)),
            }
        }
        let result: Vec<_> = result.into_values().collect();
        prop_assert_eq!(
            answer(dir.path(), &asked.query()),
            answer(rebuilt(&result).path(), &asked.query())
        );
    }
}

#[test]
fn many_documents_rank_as_the_formula_says() {
    let documents: Vec<_> = (0..9000u32)
        .map(|number| Document {
            id: format!("d{number:04}"),
            kind: 1,
            mark: 0,
            title: format!("git {}", if number % 7 == 0 { "push" } else { "pull" }),
            body: if number % 4099 == 0 {
                "lock".to_owned()
            } else {
                "free ".repeat(number as usize % 9)
            },
            tags: vec![],
            files: vec![],
            author: String::new(),
            date: String::new(),
            at: Timestamp::from_millis(0),
            place: None,
            payload: vec![],
        })
        .collect();
    let dir = rebuilt(&documents);
    let recall = Recall::open(dir.path()).unwrap().unwrap();
    let query =
        Query { texts: vec![("lock", 1.0), ("push", 1.0), ("free", 1.0)], ..Query::default() };
    let expected = reference::scores(&documents, &query);
    let hits = recall.search(&query, usize::from(u16::MAX), &|_| true).unwrap();
    assert_eq!(hits.len(), expected.len());
    for hit in &hits {
        let expected = expected[&recall.stored(hit).unwrap().id];
        assert!((hit.score - expected).abs() < 0.01 * (1.0 + expected), "{hit:?} {expected}");
    }
}
