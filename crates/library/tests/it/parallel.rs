//! Tests with many writers at the same time.

use verger_library::{Backend, Markdown};
use verger_testkit::TestEnvironment;

use crate::ground::{WRITERS, all, ground, learning, write_at_once};

#[test]
fn learnings_added_at_the_same_time_are_all_stored() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    write_at_once(|writer| {
        let markdown = Markdown::of_project(&ground);
        markdown.append(&[learning(2 * writer, "One.\n\n> Two.")]).unwrap();
        markdown.append(&[learning(2 * writer + 1, "Three.")]).unwrap();
    });
    let mut learnings = all(&Markdown::of_project(&ground));
    learnings.sort_by(|a, b| a.id.cmp(&b.id));
    let expected = (0..2 * WRITERS)
        .map(|number| learning(number, if number % 2 == 0 { "One.\n\n> Two." } else { "Three." }));
    assert_eq!(learnings, expected.collect::<Vec<_>>());
}
