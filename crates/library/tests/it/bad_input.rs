//! Tests of damaged files: the intact entries are read, the damaged lines are reported, and nothing
//! is overwritten.

use std::fs;

use verger_library::{Backend, Markdown};
use verger_memory::text::{Problem, render};
use verger_testkit::TestEnvironment;

use crate::ground::{all, file, ground, learning, whole};

/// The numbers of the learnings in the file that are unchanged.
fn numbers(markdown: &Markdown) -> Vec<u64> {
    let read: Vec<_> = whole(markdown).learnings.into_iter().map(|one| one.learning).collect();
    (0..9).filter(|number| read.contains(&learning(*number, "Text.\nMore."))).collect()
}

fn problems(markdown: &Markdown) -> Vec<(usize, String)> {
    let problems = whole(markdown).problems.into_iter();
    problems.map(|Problem { line, says }| (line, says)).collect()
}

#[test]
fn an_entry_that_was_cut_off_harms_no_other() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    let [first, second, third] = [1, 2, 3].map(|number| learning(number, "Text.\nMore."));
    let before = format!("# Learnings\n\n{}\n", render(&first));
    let entry = render(&second);
    for cut in (0..entry.len()).step_by(3).filter(|cut| entry.is_char_boundary(*cut)) {
        let half = format!("{before}{}", &entry[..cut]);
        environment.write(".verger/learnings.md", &half);
        markdown.append(std::slice::from_ref(&third)).unwrap();
        assert!(environment.read(".verger/learnings.md").starts_with(&half));
        assert_eq!(numbers(&markdown), [1, 3], "cut at {cut}");
    }
    let torn = format!("{before}{}", &entry[..entry.find("category").unwrap()]);
    environment.write(".verger/learnings.md", torn);
    let line = before.lines().count() + 1;
    let says = "the learning has no `category`: restore the line of its fields".to_owned();
    assert_eq!(problems(&markdown), [(line, says)]);
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_line() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    markdown.append(&[1, 2, 3].map(|number| learning(number, "Text.\nMore."))).unwrap();
    let mut bytes = fs::read(file(&environment)).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let second = text.find("Learning number 2").unwrap();
    bytes[second] = 0xff;
    bytes.extend_from_slice(b"\0\0\0\n");
    fs::write(file(&environment), &bytes).unwrap();
    let says = "this line has bytes that are not text".to_owned();
    let line = |at: usize| text[..at].lines().count();
    assert_eq!(
        problems(&markdown),
        [(line(second), says.clone()), (line(text.len()) + 1, says.clone())]
    );
    assert_eq!(numbers(&markdown), [1, 3]);
    assert_eq!(whole(&markdown).learnings.len(), 3, "the second is read as well as it can be");

    // A power cut can leave such a file. Counting the lines anew for each byte would take minutes.
    fs::write(file(&environment), [text.as_bytes(), &vec![0; 4_000_000]].concat()).unwrap();
    assert_eq!(problems(&markdown), [(line(text.len()) + 1, says)]);
    assert_eq!(numbers(&markdown), [1, 2, 3]);

    fs::write(file(&environment), b"\xff\n".repeat(500)).unwrap();
    let named = problems(&markdown);
    assert_eq!(named.len(), 20);
    let last = "this line and 480 more have bytes that are not text".to_owned();
    assert_eq!(named[19], (20, last));
}

#[test]
fn words_that_are_not_known_are_named_and_the_rest_counts() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    markdown.append(&[1, 2, 3].map(|number| learning(number, "Text.\nMore."))).unwrap();
    let text = environment.read(".verger/learnings.md");
    let third = text.find("## Learning number 3").unwrap();
    let text =
        format!("{}{}", text[..third].replacen("scope: project", "scope: all", 1), &text[third..]);
    environment.write(".verger/learnings.md", &text);
    let says =
        "\"all\" is not a known scope; use one of project, team, personal, ephemeral".to_owned();
    assert_eq!(problems(&markdown), [(3, says)]);
    assert_eq!(numbers(&markdown), [2, 3]);
}

#[test]
fn a_file_of_many_megabytes_is_read() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    let detail = "A line of some length, as people write them.\n".repeat(60);
    let learnings: Vec<_> = (0..4000).map(|number| learning(number, &detail)).collect();
    markdown.append(&learnings).unwrap();
    assert!(file(&environment).metadata().unwrap().len() > 12_000_000);
    assert!(all(&markdown) == learnings);
}
