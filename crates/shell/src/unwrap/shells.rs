//! Shells, and programs that give a text to a shell.

use super::options::{Given, Options};
use super::output::{read_by, written_to};
use super::{Call, Inner, argv};
use crate::reader::joined;
use crate::script::{Place, Stdin, Word};

fn text(word: &Word) -> Inner {
    Inner::Text(word.text().to_owned())
}

pub(super) fn shell(call: &Call<'_>) -> Vec<Inner> {
    let words = call.words;
    let options = Options { letters: "oO", names: &["rcfile", "init-file"] };
    let (mut given, mut first) = options.given(words);
    let ends_options = |at: usize| at > 0 && words[at - 1].text() == "--";
    // `+x` switches off what `-x` switches on.
    while words.get(first).is_some_and(|word| word.text().starts_with('+')) && !ends_options(first)
    {
        let is_named = words[first].text().ends_with(['o', 'O']);
        let from = (first + if is_named { 2 } else { 1 }).min(words.len());
        let (more, at) = options.given(&words[from..]);
        given.extend(more);
        first = from + at;
    }
    let operand = words.get(first);
    let has = |letter| given.contains(&Given::Letter(letter, None));
    if has('c') || given.iter().any(|option| matches!(option, Given::Name("command", _))) {
        return operand.map(text).into_iter().collect();
    }
    if has('s') || operand.is_none() { from_stdin(call) } else { sourced(call, operand) }
}

/// A file that a shell reads: only some show on the line what is in them.
pub(super) fn sourced(call: &Call<'_>, file: Option<&Word>) -> Vec<Inner> {
    match file {
        Some(Word::Literal(file)) if matches!(&**file, "/dev/stdin" | "/dev/fd/0" | "-") => {
            from_stdin(call)
        }
        Some(Word::Literal(file)) => {
            written_to(call.commands, file).map(Inner::Text).into_iter().collect()
        }
        Some(Word::Dynamic(_) | Word::Spread(_)) => vec![Inner::Hidden],
        None => Vec::new(),
    }
}

pub(super) fn from_stdin(call: &Call<'_>) -> Vec<Inner> {
    match (read_by(call.commands, call.command), &call.command.stdin) {
        (Some(text), _) => vec![Inner::Text(text)],
        (None, Stdin::Pipe(_)) => vec![Inner::Hidden],
        (None, _) => Vec::new(),
    }
}

/// A program that the line itself wrote to a file, or made an alias of.
pub(super) fn made_on_the_line(call: &Call<'_>) -> Vec<Inner> {
    let Some(Word::Literal(path)) = call.command.argv.first() else { return Vec::new() };
    let text = if path.contains('/') { written_to(call.commands, path) } else { alias(call, path) };
    text.map(Inner::Text).into_iter().collect()
}

fn alias(call: &Call<'_>, name: &str) -> Option<String> {
    // An alias may use the program whose name it has.
    if let Place::Within(index) = call.command.place
        && call.commands[index].argv.first().and_then(Word::literal) == Some(name)
    {
        return None;
    }
    let definitions = call.commands.iter().filter_map(|command| match command.argv.split_first() {
        Some((program, words)) if program.literal() == Some("alias") => Some(words),
        _ => None,
    });
    let meaning = definitions
        .flatten()
        .find_map(|word| word.text().strip_prefix(name).and_then(|rest| rest.strip_prefix('=')))?;
    Some(format!("{meaning} {}", joined(call.words)))
}

pub(super) fn trap(words: &[Word]) -> Vec<Inner> {
    let (_, first) = Options::NONE.given(words);
    let action = words.get(first).filter(|_| words.len() > first + 1);
    action.map(text).into_iter().collect()
}

/// It joins its words to one text.
pub(super) fn watch(words: &[Word]) -> Vec<Inner> {
    let options = Options { letters: "nqs", names: &["interval", "equexit", "shotsdir"] };
    let (_, first) = options.given(words);
    vec![Inner::Text(joined(words.get(first..).unwrap_or_default()))]
}

pub(super) fn script(words: &[Word]) -> Vec<Inner> {
    let options = Options {
        letters: "cEIBmoOtT",
        names: &[
            "command",
            "echo",
            "log-in",
            "log-out",
            "log-io",
            "logging-format",
            "output-limit",
            "log-timing",
        ],
    };
    let (given, first) = options.given(words);
    // Some take the command after the file, others more options.
    let after = words.get(first + 1..).unwrap_or_default();
    let (more, _) = options.given(after);
    let texts = given.iter().chain(&more).filter_map(|option| match option {
        Given::Letter('c', Some(value)) | Given::Name("command", Some(value)) => {
            Some(text(&value.word()))
        }
        _ => None,
    });
    texts.chain(argv(after)).collect()
}

/// Programs that take a text after `-c` or `--run`, wherever it stands, or else a command.
pub(super) fn after_option(call: &Call<'_>) -> Vec<Inner> {
    let Call { program, words, .. } = *call;
    let is_option = |word: &Word| {
        let text = word.text();
        matches!(text, "--command" | "--run" | "--session-command")
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    };
    let attached = words.iter().filter_map(|word| {
        let names = ["--command=", "--session-command="];
        names.into_iter().find_map(|name| word.text().strip_prefix(name))
    });
    let attached = attached.map(|text| Inner::Text(text.to_owned()));
    let at = words.iter().position(is_option).map(|at| at + 1);
    let runs: Vec<Inner> = match (program, at) {
        // The words after it are the command itself.
        ("nix", Some(at)) => argv(&words[at..]),
        (_, Some(at)) => words.get(at).map(text).into_iter().chain(attached).collect(),
        (_, None) => attached.collect(),
    };
    if !runs.is_empty() {
        return runs;
    }
    let (options, operands) = match program {
        "flock" => (Options { letters: "wE", names: &["timeout", "conflict-exit-code"] }, 1),
        "runuser" => (Options { letters: "ugGs", names: &["user", "group"] }, 0),
        "su" => return from_stdin(call),
        _ => return Vec::new(),
    };
    let (_, first) = options.given(words);
    argv(words.get(first + operands..).unwrap_or_default())
}
