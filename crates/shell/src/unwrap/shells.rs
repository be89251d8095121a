//! Finds the texts that a command line passes to shells and to programs that start a shell.

use super::options::{Given, Options, Passed};
use super::output::{is_stdin, read_by, written_to};
use super::{Call, Inner, Runs, argv};
use crate::reader::joined;
use crate::script::{Place, Stdin, Word};

fn text(word: &Word) -> Inner {
    Inner::Text(word.text().to_owned())
}

const SHELL: Options = Options {
    letters: "abcdefhiklmno:O:prstuvxyBCDEGHPTVX",
    names: "rcfile= init-file= command norc noprofile posix login restricted verbose version help \
            noediting debugger no-rcs emulate= no-config private",
};

pub(super) fn shell(call: &Call<'_>) -> Runs {
    let words = call.words;
    let Passed { mut given, mut first, mut is_known } = SHELL.pass(words);
    let ends_options = |at: usize| at > 0 && words[at - 1].text() == "--";
    // `+x` switches off what `-x` switches on.
    while words.get(first).is_some_and(|word| word.text().starts_with('+')) && !ends_options(first)
    {
        let is_named = words[first].text().ends_with(['o', 'O']);
        let from = (first + if is_named { 2 } else { 1 }).min(words.len());
        let more = SHELL.pass(&words[from..]);
        given.extend(more.given);
        first = from + more.first;
        is_known &= more.is_known;
    }
    let operand = words.get(first);
    let has = |letter| given.contains(&Given::Letter(letter, None));
    let is_text =
        has('c') || given.iter().any(|option| matches!(option, Given::Name("command", _)));
    let inner = match operand {
        _ if is_text => operand.map(text).into_iter().collect(),
        Some(_) if !has('s') => sourced(call, operand),
        Some(_) | None => from_stdin(call),
    };
    Runs { inner, is_known }
}

/// The text of a file that a shell reads, if the command line shows the file's content.
pub(super) fn sourced(call: &Call<'_>, file: Option<&Word>) -> Vec<Inner> {
    match file {
        Some(Word::Literal(file)) if is_stdin(file) => from_stdin(call),
        Some(Word::Literal(file)) => {
            written_to(call.commands, file, call.room).map(Inner::Text).into_iter().collect()
        }
        Some(Word::Dynamic(_) | Word::Spread(_)) => vec![Inner::Hidden],
        None => Vec::new(),
    }
}

pub(super) fn from_stdin(call: &Call<'_>) -> Vec<Inner> {
    match (read_by(call.commands, call.command, call.room), &call.command.stdin) {
        (Some(text), _) => vec![Inner::Text(text)],
        (None, Stdin::Pipe(_)) => vec![Inner::Hidden],
        (None, _) => Vec::new(),
    }
}

/// The text that a command's program consists of, if the command line itself wrote it to a file or
/// defined it as an alias.
pub(super) fn made_on_the_line(call: &Call<'_>) -> Vec<Inner> {
    let Some(Word::Literal(path)) = call.command.argv.first() else { return Vec::new() };
    let text = if path.contains('/') {
        written_to(call.commands, path, call.room)
    } else {
        alias(call, path)
    };
    text.map(Inner::Text).into_iter().collect()
}

fn alias(call: &Call<'_>, name: &str) -> Option<String> {
    // An alias may run the program that has the alias's name. That inner command is not the alias
    // again.
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
    let first = Options::NONE.pass(words).first;
    let action = words.get(first).filter(|_| words.len() > first + 1);
    action.map(text).into_iter().collect()
}

/// The command of `watch`, which joins its arguments to one text for a shell.
pub(super) fn watch(words: &[Word]) -> Runs {
    let options = Options {
        letters: "n:q:s:bcCd::eghprtvwx",
        names: "interval= equexit= shotsdir= beep color no-color differences errexit chgexit precise \
                no-rerun no-title no-wrap exec help version",
    };
    let Passed { first, is_known, .. } = options.pass(words);
    let inner = vec![Inner::Text(joined(words.get(first..).unwrap_or_default()))];
    Runs { inner, is_known }
}

pub(super) fn hyperfine(words: &[Word]) -> Runs {
    let inner = words.iter().map(|word| Inner::Text(word.text().to_owned())).collect();
    Runs { inner, is_known: words.iter().all(|word| !word.text().starts_with('-')) }
}

pub(super) fn script(words: &[Word]) -> Runs {
    let options = Options {
        letters: "c:E:I:B:m:o:O:t::T:aefqhV",
        names: "command= echo= log-in= log-out= log-io= logging-format= output-limit= log-timing= \
                append return flush force quiet timing help version",
    };
    let passed = options.pass(words);
    // Some programs expect the command after the file, others expect more options there.
    let after = words.get(passed.first + 1..).unwrap_or_default();
    let more = options.pass(after);
    let given = passed.given.iter().chain(&more.given);
    let texts = given.filter_map(|option| option.value_of("c", &["command"])).map(Inner::Text);
    let inner = texts.chain(argv(after)).collect();
    Runs { inner, is_known: passed.is_known && more.is_known }
}

/// Programs that run the text after `-c` or `--run`, wherever this option is. Without the option,
/// some of them run their operands as a command.
pub(super) fn after_option(call: &Call<'_>) -> Runs {
    let Call { program, words, .. } = *call;
    let (letters, names, operands) = match program {
        "flock" => (
            "c:w:E:eFnosuxhV",
            "command= timeout= wait= conflict-exit-code= exclusive shared unlock nonblock nb close \
             no-fork verbose",
            1,
        ),
        "runuser" | "su" => (
            "c:u:g:G:s:w:flmpPThV",
            "command= session-command= user= group= supp-group= shell= whitelist-environment= fast login \
             preserve-environment pty",
            0,
        ),
        "sg" => ("c:", "", 1),
        "nix-shell" => ("p:I:A:E:", "run= command= pure packages= arg= argstr= attr= expr=", 0),
        _ => ("c:", "command= impure", 0),
    };
    let options = Options { letters, names };
    if program == "nix" {
        let is_command = |word: &Word| matches!(word.text(), "-c" | "--command");
        let at = words.iter().position(is_command).map_or(words.len(), |at| at + 1);
        return Runs { inner: argv(&words[at..]), is_known: false };
    }
    let all = options.pass_all(words);
    let is_text = |option: &Given<'_>| {
        option.value_of("c", &["command", "session-command", "run"]).map(Inner::Text)
    };
    let texts: Vec<Inner> = all.given.iter().filter_map(is_text).collect();
    let inner = match program {
        _ if !texts.is_empty() => texts,
        "flock" | "runuser" => {
            let first = options.pass(words).first;
            argv(words.get(first + operands..).unwrap_or_default())
        }
        "su" => from_stdin(call),
        _ => Vec::new(),
    };
    Runs { inner, is_known: all.is_known || !matches!(program, "su" | "sg" | "nix-shell") }
}
