//! A simple BM25F over documents in memory. Tests compare the index with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::document::Document;
use crate::impact::{AUTHOR, BEFORE, BEHIND, BODY, DATE, FILES, Field, PATH, TAGS, TITLE, TURN};
use crate::query::Query;

/// A term as text: the letter of its space, and its word. The index has a hash instead.
type Name = (char, String);

/// The scores of all documents that have a term of the query, by id. Adjacent words and ages don't
/// count.
pub(crate) fn scores(documents: &[Document], query: &Query<'_>) -> BTreeMap<String, f64> {
    let counts: Vec<_> = documents.iter().map(|one| counts(one, documents)).collect();
    let rarity = |name: &Name| {
        let having = counts.iter().filter(|counts| counts.contains_key(name)).count();
        let (all, having) = (count(documents.len()), count(having));
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    };
    let terms: HashMap<Name, f64> =
        asked(query, &counts).into_iter().map(|name| (name.clone(), rarity(&name))).collect();
    let mut scores = BTreeMap::new();
    for (document, counts) in documents.iter().zip(&counts) {
        let worth = terms.iter().filter_map(|(name, rarity)| {
            let sum = counts.get(name)?;
            Some(rarity * sum / (1.0 + sum))
        });
        let worth: Vec<_> = worth.collect();
        if !worth.is_empty() {
            scores.insert(document.id.clone(), worth.iter().sum());
        }
    }
    scores
}

fn asked(query: &Query<'_>, counts: &[HashMap<Name, f64>]) -> BTreeSet<Name> {
    let is_known = |name: &Name| counts.iter().any(|counts| counts.contains_key(name));
    let mut asked: BTreeSet<Name> =
        query.files.iter().map(|file| ('p', (*file).to_owned())).collect();
    let mut names = BTreeSet::new();
    for (text, _) in &query.texts {
        for word in verger_text::words(text) {
            let name = ('a', word.stem.clone());
            if word.is_capitalised && is_known(&name) {
                names.insert(name);
            }
            asked.insert(('w', word.stem));
        }
    }
    asked.retain(|(space, letters)| *space != 'w' || !names.contains(&('a', letters.clone())));
    asked.extend(names);
    asked
}

fn counts(document: &Document, all: &[Document]) -> HashMap<Name, f64> {
    let mut counts = HashMap::new();
    add(&mut counts, &TITLE, 1.0, words(&document.title));
    add(&mut counts, &TAGS, 1.0, document.tags.iter().flat_map(|tag| words(tag)).collect());
    add(&mut counts, &FILES, 1.0, document.files.iter().flat_map(|file| words(file)).collect());
    add(&mut counts, &DATE, 1.0, words(&document.date));
    let paths = document.files.iter().map(|file| ('p', file.clone()));
    add(&mut counts, &PATH, 1.0, paths.collect());
    for (_, name) in words(&document.author) {
        add(&mut counts, &AUTHOR, 1.0, vec![('a', name)]);
    }
    let Some(place) = &document.place else {
        add(&mut counts, &BODY, 1.0, words(&document.body));
        return counts;
    };
    let in_session =
        |one: &&Document| one.place.as_ref().is_some_and(|other| other.session == place.session);
    let mut session: Vec<_> = all.iter().filter(in_session).collect();
    session.sort_by_key(|one| one.place.as_ref().map(|place| place.sequence));
    let here = session.iter().position(|one| one.id == document.id).unwrap();
    add(&mut counts, &TURN, 1.0, words(&document.body));
    for (other, factor) in session[..here].iter().rev().zip(BEFORE) {
        add(&mut counts, &TURN, f64::from(*factor), words(&other.body));
    }
    for (other, factor) in session[here + 1..].iter().zip(BEHIND) {
        add(&mut counts, &TURN, f64::from(*factor), words(&other.body));
    }
    counts
}

fn add(counts: &mut HashMap<Name, f64>, field: &Field, factor: f64, names: Vec<Name>) {
    let [weight, share, usual] =
        [field.weight, field.length_share, field.usual_length].map(f64::from);
    let norm = 1.0 - share + share * count(names.len()) / usual;
    for name in names {
        *counts.entry(name).or_default() += weight * factor / norm;
    }
}

pub(crate) fn words(text: &str) -> Vec<Name> {
    verger_text::words(text).map(|word| ('w', word.stem)).collect()
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap())
}
