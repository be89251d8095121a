//! Programs that put what they read or find into a command.

use super::options::{Given, Options};
use super::{Inner, argv};
use crate::reader::joined;
use crate::script::Word;

/// Stands for what is put in when the command runs. A shell that reads it sees an expansion.
const INPUT: &str = "$_";

pub(super) fn xargs(words: &[Word]) -> Vec<Inner> {
    let options = Options {
        letters: "aEdILnPsJRS",
        names: &[
            "arg-file",
            "delimiter",
            "max-lines",
            "max-args",
            "max-procs",
            "max-chars",
            "process-slot-var",
        ],
    };
    let (given, first) = options.given(words);
    let mark = given.iter().find_map(|option| match option {
        Given::Letter('I' | 'J', Some(value)) | Given::Name("replace", Some(value)) => {
            Some(value.word().text().to_owned())
        }
        Given::Letter('i', _) | Given::Name("replace", None) => Some("{}".to_owned()),
        _ => None,
    });
    let command = words.get(first..).unwrap_or_default();
    match mark {
        _ if command.is_empty() => Vec::new(),
        Some(mark) => argv(&put_in(command, &mark)),
        None => argv(&with_input(command)),
    }
}

fn with_input(command: &[Word]) -> Vec<Word> {
    command.iter().cloned().chain([Word::Spread(INPUT.to_owned())]).collect()
}

fn put_in(command: &[Word], mark: &str) -> Vec<Word> {
    let has_mark = |word: &Word| !mark.is_empty() && word.text().contains(mark);
    let put_in = |word: &Word| {
        if has_mark(word) { Word::Dynamic(word.text().replace(mark, INPUT)) } else { word.clone() }
    };
    command.iter().map(put_in).collect()
}

pub(super) fn find(words: &[Word]) -> Vec<Inner> {
    let is_action =
        |word: &Word| matches!(word.literal(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
    let is_end = |word: &Word| matches!(word.literal(), Some(";" | "+"));
    let mut found = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.iter().position(is_action) {
        rest = &rest[at + 1..];
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        found.extend(argv(&put_in(&rest[..end], "{}")));
        rest = &rest[end..];
    }
    found
}

pub(super) fn fd(words: &[Word]) -> Vec<Inner> {
    let is_action =
        |word: &Word| matches!(word.literal(), Some("-x" | "-X" | "--exec" | "--exec-batch"));
    let Some(at) = words.iter().position(is_action) else { return Vec::new() };
    argv(&with_input(&words[at + 1..]))
}

/// The command is one text for a shell; without a command, each input is.
pub(super) fn parallel(words: &[Word]) -> Vec<Inner> {
    let options = Options {
        letters: "aCdEIjLnNPsS",
        names: &[
            "arg-file",
            "arg-sep",
            "colsep",
            "delay",
            "delimiter",
            "jobs",
            "joblog",
            "load",
            "max-args",
            "max-lines",
            "max-procs",
            "memfree",
            "nice",
            "results",
            "retries",
            "sshlogin",
            "tagstring",
            "timeout",
            "tmpdir",
            "workdir",
        ],
    };
    let (_, first) = options.given(words);
    let words = words.get(first..).unwrap_or_default();
    let is_source = |word: &Word| matches!(word.literal(), Some(":::" | ":::+" | "::::" | "::::+"));
    let end = words.iter().position(is_source).unwrap_or(words.len());
    if end > 0 {
        return vec![Inner::Text(format!("{} {INPUT}", joined(&words[..end])))];
    }
    let inputs = words.iter().filter(|word| !is_source(word));
    inputs.map(|word| Inner::Text(word.text().to_owned())).collect()
}
