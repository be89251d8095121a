//! Compares the positions of words on a command line, and of characters in a word, with a real
//! shell.

use std::cell::Cell;
use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use verger_shell::{Written, read};

use crate::sandbox::Sandbox;

#[test]
fn words_and_here_documents_are_found_where_they_are_written() {
    let line =
        "a=1 p0 'x y' \"$(cat <<'E'\nbody\nE\n)\" >f && p1 <<-E | bash -c 'p2 z' `p3`\n\tb\n\tE\n";
    let script = read(line);
    let found: Vec<_> = script
        .commands
        .iter()
        .enumerate()
        .map(|(index, command)| {
            let words = (0..command.argv.len()).map(|word| script.span(index, word));
            let words: Vec<_> = words.map(|span| span.map(|span| &line[span])).collect();
            (words, script.body(index).map(|span| &line[span]))
        })
        .collect();
    let on_line = |words: &[&'static str]| words.iter().copied().map(Some).collect::<Vec<_>>();
    assert_eq!(
        found,
        [
            (on_line(&["p0", "'x y'", "\"$(cat <<'E'\nbody\nE\n)\""]), None),
            (on_line(&["cat"]), Some("body\n")),
            (on_line(&["p1"]), Some("\tb\n")),
            (on_line(&["bash", "-c", "'p2 z'", "`p3`"]), None),
            (vec![None], None),
            (vec![None, None], None),
        ]
    );
}

#[test]
fn only_what_a_command_reads_from_its_standard_input_is_its_here_document() {
    for (line, expected) in [
        ("p0 <<E\na\nE\n", Some("a\n")),
        ("p0 0<<E\na\nE\n", Some("a\n")),
        ("p0 3<<E\na\nE\n", None),
        ("p0 <<E <<F\na\nE\nb\nF\n", Some("b\n")),
        ("p0 <<E\na", Some("a")),
        ("{ p0; } <<E\na\nE\n", None),
        ("p0 <<< a", None),
    ] {
        let script = read(line);
        assert_eq!(script.body(0).map(|span| &line[span]), expected, "{line}");
    }
}

#[test]
fn a_command_that_another_one_runs_as_the_rest_of_its_words_is_written_there() {
    for (line, index, expected) in [
        ("env A=1 nice p0 'a b'", 2, Some("'a b'")),
        ("sudo -u me p0 a <<E\nx\nE\n", 1, Some("a")),
        ("bash -c 'p0 a'", 1, None),
        ("echo a | xargs p0", 2, None),
        ("x=1; env p0 $x", 2, Some("$x")),
    ] {
        let script = read(line);
        assert_eq!(script.commands[index].program(), Some("p0"), "{line}");
        let word = script.span(index, 1).map(|span| &line[span]);
        assert_eq!(word, expected, "{line}");
    }
    let line = "sudo p0 <<E\nx\nE\n";
    assert_eq!(read(line).body(1).map(|span| &line[span]), Some("x\n"));
}

/// One part of a word: a text in one form of quoting.
fn part() -> impl Strategy<Value = String> {
    let text = prop::collection::vec(
        prop::sample::select(&["a", "b", " ", "\n", "日", "$", "\"", "'", "\\", "`", "-", "é"][..]),
        1..6,
    );
    (text, 0..4_u8).prop_map(|(text, style)| match style {
        0 => format!("'{}'", text.concat().replace('\'', "")),
        1 => {
            let escaped = text.iter().map(|c| match *c {
                "$" | "\"" | "\\" | "`" => format!("\\{c}"),
                c => c.to_owned(),
            });
            format!("\"{}\"", escaped.collect::<String>())
        }
        2 => {
            let escaped = text.iter().map(|c| match *c {
                "\n" => "\\n".to_owned(),
                "'" | "\\" => format!("\\{c}"),
                c => c.to_owned(),
            });
            format!("$'{}'", escaped.collect::<String>())
        }
        _ => {
            let escaped = text.iter().filter(|c| **c != "\n").map(|c| format!("\\{c}"));
            format!("x{}", escaped.collect::<String>())
        }
    })
}

fn argument(sandbox: &Sandbox, word: &str) -> String {
    let mut calls = sandbox.run(&format!("p0 {word}")).calls;
    assert_eq!(calls.len(), 1, "{word}");
    calls.remove(0).remove(1)
}

#[test]
fn removed_parts_are_all_that_bash_misses() {
    let sandbox = Sandbox::new(&["p0"]);
    let parts = prop::collection::vec(part(), 1..4);
    let cut = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::with_cases(150), rng);
    let cuts = Cell::new(0);
    runner
        .run(&(parts, cut), |(parts, (one, other))| {
            let source = parts.concat();
            let written = Written::read(&source).expect("the word has no open part");
            let text = argument(&sandbox, &source);
            prop_assert_eq!(written.text(), &text, "{}", source);
            let places: Vec<_> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (one, other) = (*one.get(&places), *other.get(&places));
            let taken: Range<usize> = one.min(other)..one.max(other);
            if let Some(range) = written.source_of(taken.clone()) {
                cuts.set(cuts.get() + 1);
                let left = format!("{}{}", &source[..range.start], &source[range.end..]);
                let expected = format!("{}{}", &text[..taken.start], &text[taken.end..]);
                prop_assert_eq!(argument(&sandbox, &left), expected, "{} -> {}", source, left);
            }
            Ok(())
        })
        .unwrap();
    assert!(cuts.get() > 30, "{} cuts", cuts.get());
}
