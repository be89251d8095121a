//! Tests of the search index over real files that grow, are replaced and are removed.

use std::fs;

use verger_event::Timestamp;
use verger_library::{
    Archive, Backend, Catalogue, Effort, Fault, Filter, LocalTime, Markdown, Outcome, Refreshed,
    Standing, Standings, TotalRecall,
};
use verger_memory::{Learning, LearningId, Scope};
use verger_recall::{Query, Writer};
use verger_testkit::TestEnvironment;

use crate::ground::{file, ground, learning};

/// A source of standings in which every learning is active, except for the listed ones.
#[derive(Default)]
struct Known(Vec<(LearningId, Standing)>);

impl Standings for Known {
    fn of(&self, learning: &LearningId) -> Standing {
        let known = self.0.iter().find(|(id, _)| id == learning);
        known.map_or(Standing::Active, |(_, standing)| *standing)
    }

    fn changed_since(&self, known: &[u8]) -> Option<Vec<LearningId>> {
        let known = usize::from(known.first().copied().unwrap_or(0));
        Some(self.0.iter().skip(known).map(|(id, _)| id.clone()).collect())
    }

    fn unread_since(&self, known: &[u8]) -> u64 {
        let bytes = |(id, _): &(LearningId, Standing)| id.as_str().len() as u64;
        let known = usize::from(known.first().copied().unwrap_or(0));
        self.0.iter().skip(known).map(bytes).sum()
    }

    fn state(&self) -> Vec<u8> {
        vec![u8::try_from(self.0.len()).unwrap()]
    }
}

struct Play {
    environment: TestEnvironment,
    project: Markdown,
    personal: Markdown,
    catalogue: Catalogue,
    known: Known,
}

impl Play {
    fn new() -> Self {
        let environment = TestEnvironment::new();
        let ground = ground(&environment);
        Self {
            project: Markdown::of_project(&ground),
            personal: Markdown::personal(&ground),
            catalogue: Catalogue::new(environment.verger_home().join("data/recall/x")),
            known: Known::default(),
            environment,
        }
    }

    fn add(&self, learnings: &[Learning]) {
        self.project.append(learnings).unwrap();
    }

    fn refresh_with(&self, effort: Effort) -> Refreshed {
        let backends: [&dyn Backend; 2] = [&self.project, &self.personal];
        self.catalogue.refresh(&backends, &self.known, effort).unwrap()
    }

    #[track_caller]
    fn check(&self, expected: Outcome) {
        let refreshed = self.refresh_with(Effort::Whole);
        assert_eq!(refreshed.outcome, expected);
        assert!(refreshed.faults.is_empty(), "{:?}", refreshed.faults);
    }

    /// The numbers of the learnings that pass the filter. All learnings contain the words of the
    /// query.
    fn found(&self, filter: &Filter) -> Vec<String> {
        let query = Query { texts: vec![("learning number", 1.0)], ..Query::default() };
        let mut found: Vec<_> = self.catalogue.search(&query, filter, 100, |_| true).unwrap();
        found.sort_by(|(_, one), (_, other)| one.learning.id.cmp(&other.learning.id));
        let shown = found.iter().map(|(_, filed)| {
            let number = filed.learning.summary.rsplit(' ').next().unwrap();
            format!("{number} {:?}", filed.standing)
        });
        shown.collect()
    }

    fn all(&self) -> Vec<String> {
        self.found(&Filter::default())
    }
}

fn some(number: u64) -> Learning {
    learning(number, &format!("Details of learning number {number}."))
}

#[test]
fn it_grows_with_its_files() {
    let play = Play::new();
    play.check(Outcome::Rebuilt { learnings: 0 });
    play.check(Outcome::Same);
    play.add(&[some(1), some(2)]);
    play.check(Outcome::Updated { learnings: 2 });
    play.check(Outcome::Same);
    play.add(&[some(3)]);
    play.personal.append(&[some(4)]).unwrap();
    play.check(Outcome::Updated { learnings: 2 });
    play.check(Outcome::Same);
    assert_eq!(play.all(), ["1 Active", "2 Active", "3 Active", "4 Active"]);
    let query = Query { files: vec!["src/save.rs"], ..Query::default() };
    let found = play.catalogue.search(&query, &Filter::default(), 1, |_| true).unwrap();
    let (_, filed) = &found[0];
    let own = Learning { scope: Scope::Personal, ..some(4) };
    assert!(filed.learning == own || filed.learning == some(3), "whole: {filed:?}");
}

#[test]
fn a_file_that_was_replaced_edited_or_removed_is_read_anew() {
    let play = Play::new();
    play.add(&[some(1), some(2)]);
    play.check(Outcome::Rebuilt { learnings: 2 });
    let first = fs::read_to_string(file(&play.environment)).unwrap();
    let edited = first.replace("Learning number 1", "Learning number 7");
    fs::write(file(&play.environment), edited).unwrap();
    play.check(Outcome::Rebuilt { learnings: 2 });
    assert_eq!(play.all(), ["7 Active", "2 Active"]);
    fs::remove_file(file(&play.environment)).unwrap();
    play.check(Outcome::Rebuilt { learnings: 0 });
    assert_eq!(play.all(), [""; 0]);
}

#[test]
fn standings_follow_the_statistics_and_what_learnings_replace() {
    let mut play = Play::new();
    play.add(&[some(1), some(2), some(3)]);
    play.check(Outcome::Rebuilt { learnings: 3 });
    play.known.0.push((some(1).id, Standing::Archived));
    play.check(Outcome::Updated { learnings: 0 });
    play.add(&[Learning { supersedes: vec![some(2).id], ..some(4) }]);
    play.check(Outcome::Updated { learnings: 1 });
    play.known.0.push((some(3).id, Standing::Suspect));
    play.check(Outcome::Updated { learnings: 0 });
    let expected = ["1 Archived", "2 Superseded", "3 Suspect", "4 Active"];
    assert_eq!(play.all(), expected);
    assert_eq!(play.found(&Filter::in_use()), expected[2..]);
    fs::remove_dir_all(play.environment.verger_home().join("data/recall")).unwrap();
    play.check(Outcome::Rebuilt { learnings: 4 });
    assert_eq!(play.all(), expected, "made anew it is the same");
}

#[test]
fn replaced_learnings_stay_replaced_whatever_the_statistics_say() {
    let mut play = Play::new();
    play.add(&[some(1), some(2)]);
    play.check(Outcome::Rebuilt { learnings: 2 });
    play.add(&[Learning { supersedes: vec![some(1).id], ..some(3) }]);
    play.check(Outcome::Updated { learnings: 1 });
    let expected = ["1 Superseded", "2 Active", "3 Active"];
    for standing in [Standing::Archived, Standing::Active, Standing::Suspect] {
        play.known.0.push((some(1).id, standing));
        play.check(Outcome::Updated { learnings: 0 });
        assert_eq!(play.all(), expected, "{standing:?}");
    }
    play.known.0.push((some(2).id, Standing::Active));
    play.add(&[Learning { supersedes: vec![some(2).id], ..some(4) }]);
    play.check(Outcome::Updated { learnings: 1 });
    let expected = ["1 Superseded", "2 Superseded", "3 Active", "4 Active"];
    assert_eq!(play.all(), expected, "both at once");
    fs::remove_dir_all(play.environment.verger_home().join("data/recall")).unwrap();
    play.check(Outcome::Rebuilt { learnings: 4 });
    assert_eq!(play.all(), expected, "made anew it is the same");
}

#[test]
fn a_learning_added_after_its_replacement_is_replaced_at_once() {
    let play = Play::new();
    let many = 1..=40;
    let supersedes = many.clone().map(|number| some(number).id).collect();
    play.add(&[Learning { supersedes, ..some(100) }, some(101)]);
    play.check(Outcome::Rebuilt { learnings: 2 });
    play.add(&many.clone().map(some).collect::<Vec<_>>());
    play.add(&[some(102)]);
    play.check(Outcome::Updated { learnings: 41 });
    assert_eq!(play.found(&Filter::in_use()), ["100 Active", "101 Active", "102 Active"]);
    let ids: Vec<_> = many.map(|number| some(number).id).collect();
    assert_eq!(play.catalogue.successors(&ids).unwrap().len(), 40);
}

#[test]
fn replaced_learnings_are_found_with_the_valid_ones() {
    let play = Play::new();
    let successors = |numbers: &[u64]| {
        let ids: Vec<_> = numbers.iter().map(|number| some(*number).id).collect();
        let mut found: Vec<_> = play
            .catalogue
            .successors(&ids)
            .unwrap()
            .into_iter()
            .map(|(old, new)| (old, new.learning.id))
            .collect();
        found.sort();
        found
    };
    let replacing = |old: &[u64], new| {
        let supersedes = old.iter().map(|number| some(*number).id).collect();
        Learning { supersedes, ..some(new) }
    };
    play.add(&[some(1), some(2), some(3)]);
    play.check(Outcome::Rebuilt { learnings: 3 });
    assert_eq!(successors(&[1, 2, 3]), []);
    play.add(&[replacing(&[1, 2], 4)]);
    play.check(Outcome::Updated { learnings: 1 });
    let by = |old, new| (some(old).id, some(new).id);
    assert_eq!(successors(&[1, 2, 3, 9]), [by(1, 4), by(2, 4)]);
    play.add(&[replacing(&[4], 5), replacing(&[5], 6), replacing(&[8], 7), replacing(&[7], 8)]);
    play.check(Outcome::Updated { learnings: 4 });
    assert_eq!(successors(&[2, 3]), [by(2, 6)], "the last one counts");
    assert_eq!(successors(&[7]).len(), 1, "a ring has an end");
}

#[test]
fn the_owner_of_a_learning_is_known_from_the_index_and_unread_content() {
    let play = Play::new();
    let shared = |numbers: &[u64]| {
        let places: [&dyn Backend; 2] = [&play.project, &play.personal];
        let ids: Vec<_> = numbers.iter().map(|number| some(*number).id).collect();
        let shared = play.catalogue.shared(&places, &ids.iter().collect::<Vec<_>>());
        let shared = |number: &u64| shared.contains(&some(*number).id);
        numbers.iter().copied().filter(shared).collect::<Vec<_>>()
    };
    play.add(&[some(1)]);
    play.personal.append(&[some(2)]).unwrap();
    assert_eq!(shared(&[1, 2, 9]), [1], "without an index");
    play.check(Outcome::Rebuilt { learnings: 2 });
    play.add(&[some(3)]);
    play.personal.append(&[some(4)]).unwrap();
    assert_eq!(shared(&[1, 2, 3, 4, 9]), [1, 3], "what is new is read");
    fs::write(file(&play.environment), "# Learnings\n").unwrap();
    assert_eq!(shared(&[1, 2]), [1], "what the index has is not read");
    play.personal.append(&[some(5)]).unwrap();
    play.add(&[some(5)]);
    assert_eq!(shared(&[5]), [0; 0], "what is in both places is the person's own");
    fs::remove_file(play.personal.location()).unwrap();
    assert_eq!(shared(&[1, 2]), [1], "the place of a person's own is gone");
    play.check(Outcome::Rebuilt { learnings: 1 });
    assert_eq!(shared(&[2, 5]), [5], "and the index does not know it any more");
}

#[test]
fn whoever_is_in_a_hurry_leaves_much_work_and_a_busy_index_to_others() {
    let mut play = Play::new();
    let hurried = |play: &Play| play.refresh_with(Effort::AtMost { bytes: 2000 }).outcome;
    play.add(&[some(1)]);
    assert_eq!(hurried(&play), Outcome::Rebuilt { learnings: 1 });
    let many: Vec<_> = (2..60).map(some).collect();
    play.add(&many);
    assert!(matches!(hurried(&play), Outcome::TooMuch { bytes: 2001.. }));
    assert_eq!(play.all(), ["1 Active"], "what it has is still found");
    play.check(Outcome::Updated { learnings: 58 });
    play.add(&[some(60)]);
    let writer = Writer::wait(&play.environment.verger_home().join("data/recall/x")).unwrap();
    assert_eq!(hurried(&play), Outcome::Busy);
    drop(writer);
    assert_eq!(hurried(&play), Outcome::Updated { learnings: 1 });
    play.known.0 = (1..=80).map(|number| (some(number).id, Standing::Suspect)).collect();
    assert!(matches!(hurried(&play), Outcome::TooMuch { bytes: 2001.. }));
    assert_eq!(play.all()[0], "1 Active");
    play.check(Outcome::Updated { learnings: 0 });
    assert_eq!(play.all()[0], "1 Suspect");
}

#[test]
fn unreadable_parts_are_reported_and_the_rest_is_found() {
    let play = Play::new();
    play.add(&[some(1)]);
    let mut text = fs::read_to_string(file(&play.environment)).unwrap();
    text.push_str("\n## Learning number 9\n\n- category: nonsense\n\ntext of it\n");
    fs::write(file(&play.environment), text).unwrap();
    play.add(&[some(2)]);
    let refreshed = play.refresh_with(Effort::Whole);
    assert_eq!(refreshed.outcome, Outcome::Rebuilt { learnings: 2 });
    let [Fault::Lines { path, problem }] = &refreshed.faults[..] else { panic!("{refreshed:?}") };
    assert_eq!(path, &file(&play.environment));
    assert!(problem.line > 1 && problem.says.contains("nonsense"), "{problem:?}");
    assert_eq!(play.all(), ["1 Active", "2 Active"]);
}

#[test]
fn a_damaged_index_is_made_anew() {
    let play = Play::new();
    play.add(&[some(1)]);
    play.check(Outcome::Rebuilt { learnings: 1 });
    let dir = play.environment.verger_home().join("data/recall/x");
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "lock") {
            fs::write(path, "nonsense").unwrap();
        }
    }
    play.check(Outcome::Rebuilt { learnings: 1 });
    assert_eq!(play.all(), ["1 Active"]);
}

#[test]
fn damage_that_no_search_reads_is_mended_too() {
    let play = Play::new();
    play.add(&[some(1)]);
    play.check(Outcome::Rebuilt { learnings: 1 });
    let path = play.environment.verger_home().join("data/recall/x/1.segment");
    let mut content = fs::read(&path).unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 0xff;
    fs::write(&path, content).unwrap();
    assert_eq!(play.refresh_with(Effort::AtMost { bytes: 1 << 20 }).outcome, Outcome::Same);
    play.check(Outcome::Rebuilt { learnings: 1 });
    play.check(Outcome::Same);
}

#[test]
fn a_log_that_is_too_old_to_be_read_leaves_the_index() {
    let play = Play::new();
    fs::create_dir(play.environment.project().join("memory")).unwrap();
    let (day, now) = (86_400_000, some(1).created.as_millis());
    let on = |days: u64| {
        let now = LocalTime::new(Timestamp::from_millis(now + days * day), 0);
        TotalRecall::new(&ground(&play.environment), now, Archive::Left)
    };
    let refresh = |backend: &TotalRecall| {
        play.catalogue.refresh(&[backend], &play.known, Effort::Whole).unwrap().outcome
    };
    on(0).append(&[some(1)]).unwrap();
    on(13).append(&[some(2)]).unwrap();
    assert_eq!(refresh(&on(13)), Outcome::Rebuilt { learnings: 2 });
    assert_eq!(refresh(&on(13)), Outcome::Same);
    assert_eq!(refresh(&on(14)), Outcome::Rebuilt { learnings: 1 });
    assert_eq!(play.all(), ["2 Active"]);
}
