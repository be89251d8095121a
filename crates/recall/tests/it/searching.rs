//! Tests of searches: which documents are found, and in which order.

use verger_recall::{Document, Place, Query, Recall};

use crate::samples::{day, document, found, ids, index, text};

#[test]
fn without_an_index_there_is_none() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Recall::open(dir.path()).unwrap().is_none());
}

#[test]
fn an_empty_index_answers_nothing() {
    let (_dir, recall) = index(&[]);
    assert_eq!(found(&recall, &text("anything")), [""; 0]);
    assert_eq!(recall.documents(), 0);
}

#[test]
fn stems_find_each_other_and_titles_count_more_than_bodies() {
    let (_dir, recall) = index(&[
        document("body", "Something else", "A retry came too late, and failed."),
        document("title", "Retrying a failed push", ""),
        document("neither", "Locks are taken in order", ""),
    ]);
    assert_eq!(found(&recall, &text("retries that fail")), ["title", "body"]);
}

#[test]
fn a_hit_says_what_it_rests_on() {
    let about_git = Document {
        files: vec!["src/git.rs".to_owned()],
        ..document("git", "Pushing needs a lease", "Without one, work of others is lost.")
    };
    let (_dir, recall) = index(&[about_git, document("other", "Other things", "")]);
    let query = Query { files: vec!["src/git.rs"], ..text("pushing zebras") };
    let hits = recall.search(&query, 10, &|_| true).unwrap();
    assert_eq!(ids(&recall, &hits), ["git"]);
    assert_eq!((hits[0].words, hits[0].has_file), (1, true));
    assert!(hits[0].coverage > 0.2 && hits[0].coverage < 0.5, "{hits:?}");
    let stored = recall.stored(&hits[0]).unwrap();
    assert_eq!(stored.payload, b"payload of git");
}

#[test]
fn filters_see_what_the_caller_noted() {
    let with = |id: &str, kind, mark| Document { kind, mark, ..document(id, "Same words", "") };
    let (_dir, recall) = index(&[with("a", 1, 0), with("b", 2, 0), with("c", 1, 9)]);
    let hits = recall.search(&text("words"), 10, &|seen| seen.kind == 1 && seen.mark == 0);
    assert_eq!(ids(&recall, &hits.unwrap()), ["a"]);
}

#[test]
fn documents_age_only_when_the_query_has_a_moment_and_they_stand_alone() {
    let at = |id: &str, number| Document { at: day(number), ..document(id, "Same words", "") };
    let turn = |id: &str, number| Document {
        place: Some(Place { session: id.to_owned(), sequence: 0 }),
        ..at(id, number)
    };
    let score = |documents: [Document; 2], now| {
        let (_dir, recall) = index(&documents);
        let hits = recall.search(&Query { now, ..text("words") }, 2, &|_| true).unwrap();
        (ids(&recall, &hits), hits[0].score > hits[1].score)
    };
    let newer_first = vec!["new".to_owned(), "old".to_owned()];
    assert_eq!(score([at("new", 990), at("old", 10)], None), (newer_first.clone(), false));
    assert_eq!(
        score([at("new", 990), at("old", 10)], Some(day(1000))),
        (newer_first.clone(), true)
    );
    assert_eq!(score([turn("new", 990), turn("old", 10)], Some(day(1000))), (newer_first, false));
}

#[test]
fn only_documents_before_a_moment_can_be_asked_for() {
    let at = |id: &str, number| Document { at: day(number), ..document(id, "Same words", "") };
    let (_dir, recall) = index(&[at("first", 1), at("second", 2), at("third", 3)]);
    let query = Query { before: Some(day(2)), ..text("words") };
    assert_eq!(found(&recall, &query), ["first"]);
}

#[test]
fn a_name_is_looked_for_among_authors_and_not_in_texts() {
    let by = |id: &str, author: &str, body: &str| Document {
        author: author.to_owned(),
        ..document(id, "", body)
    };
    let (_dir, recall) = index(&[
        by("hers", "Ada", "I took the train"),
        by("his", "Bob", "Ada, which train did you take?"),
        by("other", "Bob", "Nothing"),
    ]);
    assert_eq!(found(&recall, &text("When did Ada take it?")), ["hers", "his"]);
    assert_eq!(found(&recall, &text("Ada")), ["hers"]);
    assert_eq!(found(&recall, &text("ada")), ["his"]);
}

#[test]
fn turns_of_a_conversation_lend_each_other_their_words() {
    let turn = |session: &str, sequence, body: &str| Document {
        place: Some(Place { session: session.to_owned(), sequence }),
        ..document(&format!("{session}{sequence}"), "", body)
    };
    let (_dir, recall) = index(&[
        turn("a", 1, "Which database do we use?"),
        turn("b", 1, "It rains"),
        turn("a", 2, "Postgres, since March"),
    ]);
    assert_eq!(found(&recall, &text("database")), ["a1", "a2"]);
}
