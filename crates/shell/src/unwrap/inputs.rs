//! Finds the commands of programs that add their input, or files that they find, to a command's
//! arguments, as `xargs` and `find` do.

use super::options::{Given, Options, Passed};
use super::output::{is_stdin, read_by};
use super::{Call, Inner, Runs, argv};
use crate::reader::joined;
use crate::room::Room;
use crate::script::Word;

/// The placeholder for an argument that is added at run time. To the parser it is an expansion with
/// an unknown value.
const INPUT: &str = "$_";
/// The maximum number of inputs that are inserted. Further inputs are unknown.
const MAX_INPUTS: usize = 512;

pub(super) fn xargs(call: &Call<'_>) -> Runs {
    let options = Options {
        letters: "a:E:d:I:L:n:P:s:J:R:S:e::i::l::0oprtx",
        names: "arg-file= delimiter= max-lines max-args= max-procs= max-chars= process-slot-var= \
                replace eof null interactive no-run-if-empty verbose exit open-tty show-limits",
    };
    let Passed { given, first, is_known } = options.pass(call.words);
    let mark = given.iter().find_map(|option| match option {
        Given::Letter('i', None) | Given::Name("replace", None) => Some("{}".to_owned()),
        _ => option.value_of("IJi", &["replace"]),
    });
    let command = call.words.get(first..).unwrap_or_default();
    if command.is_empty() {
        return Runs { inner: Vec::new(), is_known };
    }
    // xargs reads its standard input itself, so the command that it runs gets none. With
    // `--arg-file`, the command inherits the input of xargs.
    let files = given.iter().filter_map(|option| option.value_of("a", &["arg-file"]));
    let files: Vec<String> = files.collect();
    let inner_of = if files.is_empty() { Inner::Unfed } else { Inner::Argv };
    let own = match &mark {
        Some(mark) => put_in(command, mark, INPUT, call.room),
        None => Some(with_input(command)),
    };
    let mut inner: Vec<Inner> = own.map(inner_of).into_iter().collect();
    // The input that the command line itself gives to xargs. A file with an unknown name may also
    // be standard input.
    let may_be_fed =
        |file: &String| is_stdin(file) || file.contains(['$', '`', '{', '*', '?', '[']);
    let is_fed = files.is_empty() || files.iter().any(may_be_fed);
    let fed = read_by(call.commands, call.command, call.room).filter(|_| is_fed);
    if let Some(input) = fed {
        let input = input.replace(['\'', '"'], "");
        if let Some(mark) = &mark {
            let lines = bounded(input.lines(), call.room);
            let commands = lines.filter_map(|line| put_in(command, mark, line, call.room));
            inner.extend(commands.map(Inner::Unfed));
        } else {
            let words = input.split_whitespace().map(|word| Word::Dynamic(word.to_owned()));
            inner.push(Inner::Unfed(command.iter().cloned().chain(words).collect()));
        }
    }
    Runs { inner, is_known }
}

/// The first [`MAX_INPUTS`] inputs, within the remaining room.
fn bounded<'a>(
    inputs: impl Iterator<Item = &'a str>,
    room: &Room,
) -> impl Iterator<Item = &'a str> {
    inputs.enumerate().map_while(|(number, input)| {
        if number == MAX_INPUTS {
            room.refuse();
        }
        (number < MAX_INPUTS).then_some(input)
    })
}

fn with_input(command: &[Word]) -> Vec<Word> {
    command.iter().cloned().chain([Word::Spread(INPUT.to_owned())]).collect()
}

/// The command with `input` in place of every `mark`. `None` if the remaining room is too small.
fn put_in(command: &[Word], mark: &str, input: &str, room: &Room) -> Option<Vec<Word>> {
    let has_mark = |word: &Word| !mark.is_empty() && word.text().contains(mark);
    let put_in = |word: &Word| {
        if !has_mark(word) {
            return Some(word.clone());
        }
        replaced(word.text(), mark, input, room).map(Word::Dynamic)
    };
    command.iter().map(put_in).collect()
}

fn replaced(text: &str, mark: &str, input: &str, room: &Room) -> Option<String> {
    room.take(text.len() + text.matches(mark).count().saturating_mul(input.len()))?;
    Some(text.replace(mark, input))
}

pub(super) fn find(call: &Call<'_>) -> Vec<Inner> {
    let is_action =
        |word: &Word| matches!(word.literal(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
    let is_end = |word: &Word| matches!(word.literal(), Some(";" | "+"));
    let mut found = Vec::new();
    let mut rest = call.words;
    while let Some(at) = rest.iter().position(is_action) {
        rest = &rest[at + 1..];
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        let command = put_in(&rest[..end], "{}", INPUT, call.room);
        found.extend(command.iter().flat_map(|command| argv(command)));
        rest = &rest[end..];
    }
    found
}

pub(super) fn fd(words: &[Word]) -> Vec<Inner> {
    let is_action = |word: &Word| match word.text() {
        "--exec" | "--exec-batch" => true,
        text => text.starts_with('-') && !text.starts_with("--") && text.ends_with(['x', 'X']),
    };
    let Some(at) = words.iter().position(is_action) else { return Vec::new() };
    argv(&with_input(&words[at + 1..]))
}

/// GNU parallel passes its arguments to a shell as one text. Without arguments, every line of its
/// input is such a text.
pub(super) fn parallel(call: &Call<'_>) -> Runs {
    let options = Options {
        letters: "a:C:d:E:I:j:L:n:N:P:s:S:0kmquvtX",
        names: "arg-file= arg-sep= colsep= delay= delimiter= jobs= joblog= load= max-args= max-lines= \
                max-procs= memfree= nice= results= retries= sshlogin= tagstring= timeout= tmpdir= \
                workdir= halt= env= keep-order bar eta progress tag dry-run dryrun verbose will-cite \
                no-notice line-buffer lb ungroup group null quote no-run-if-empty",
    };
    let Passed { first, is_known, .. } = options.pass(call.words);
    let words = call.words.get(first..).unwrap_or_default();
    let is_source = |word: &Word| matches!(word.literal(), Some(":::" | ":::+" | "::::" | "::::+"));
    let end = words.iter().position(is_source).unwrap_or(words.len());
    let inputs = words[end..].iter().filter(|word| !is_source(word)).map(Word::text);
    let command = joined(&words[..end]);
    let text = |input: &str| match command.contains("{}") {
        _ if end == 0 => Some(input.to_owned()),
        true => replaced(&command, "{}", input, call.room),
        false => Some(format!("{command} {input}")),
    };
    let own = (end > 0).then(|| Inner::Text(format!("{command} {INPUT}")));
    let texts = bounded(inputs, call.room).filter_map(text).map(Inner::Text);
    let inner = own.into_iter().chain(texts).collect();
    Runs { inner, is_known }
}
