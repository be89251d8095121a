//! What a command runs itself: programs that run programs, and shells that run texts.

use crate::code;
use crate::options::{Given, Options};
use crate::output;
use crate::reader::joined;
use crate::script::{Command, Stdin, Word};
use crate::wrappers::{WRAPPERS, Wrapper};

/// Something that a command runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    Argv {
        argv: Vec<Word>,
        stdin: Stdin,
    },
    Text(String),
    /// A text that the line does not show.
    Hidden,
}

#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) runs: Vec<Inner>,
    pub(crate) code: Option<String>,
}

pub(crate) fn unwrap(commands: &[Command], index: usize) -> Outcome {
    let command = &commands[index];
    let Some(program) = command.program() else { return Outcome::default() };
    let words = command.argv.get(1..).unwrap_or_default();
    if let Some(code) = code::given(program, words, || output::read_by(commands, command)) {
        return Outcome { runs: Vec::new(), code: Some(code) };
    }
    let runs = match program {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" | "yash" | "fish" => {
            shell(commands, command, words)
        }
        "eval" => vec![Inner::Text(joined(words))],
        "source" | "." => sourced(commands, command, words),
        "trap" => trap(words),
        "xargs" | "gxargs" => xargs(words),
        "find" | "gfind" => find(words),
        "fd" | "fdfind" => fd(words),
        "parallel" => parallel(words),
        "watch" | "hyperfine" => shell_words(program, words),
        "script" => script(words),
        "su" | "runuser" | "sg" | "flock" | "nix-shell" | "nix" => {
            with_command_option(program, words)
        }
        "command" if is_lookup(words) => Vec::new(),
        _ => WRAPPERS
            .iter()
            .filter(|wrapper| wrapper.program == program)
            .find_map(|wrapper| wrapped(wrapper, words))
            .map(|argv| Inner::Argv { argv, stdin: command.stdin.clone() })
            .into_iter()
            .collect(),
    };
    Outcome { runs, code: None }
}

/// `command -v gh` only tells where it is.
fn is_lookup(words: &[Word]) -> bool {
    let (given, _) = Options::NONE.given(words);
    given.iter().any(|option| matches!(option, Given::Letter('v' | 'V', _)))
}

fn wrapped(wrapper: &Wrapper, words: &[Word]) -> Option<Vec<Word>> {
    let words = match wrapper.after {
        "" => words,
        after => {
            let at = words.iter().position(|word| word.literal() == Some(after))?;
            let before = &words[..at];
            before.iter().all(|word| word.text().starts_with('-')).then_some(&words[at + 1..])?
        }
    };
    let (given, first) = wrapper.options.given(words);
    let split = given.iter().find_map(|option| match option {
        Given::Letter('S', Some(value)) | Given::Name("split-string", Some(value)) => {
            Some(value.word())
        }
        _ => None,
    });
    let mut rest = words.get(first..).unwrap_or_default();
    while let [Word::Literal(text), after @ ..] = rest {
        let takes_assignments = matches!(wrapper.program, "env" | "sudo" | "doas");
        if !(takes_assignments && text.contains('=')) {
            break;
        }
        rest = after;
    }
    let rest = rest.get(wrapper.operands..).unwrap_or_default();
    let split = split.filter(|_| wrapper.program == "env").map(|word| {
        let is_quote = |c| matches!(c, '\'' | '"');
        let words = word.text().split_whitespace().map(|word| word.replace(is_quote, ""));
        words.map(Word::Literal).collect::<Vec<_>>()
    });
    let argv: Vec<Word> = match split {
        // What it splits is a command line of `env` itself.
        Some(split) => std::iter::once(Word::Literal("env".to_owned()))
            .chain(split)
            .chain(rest.iter().cloned())
            .collect(),
        None => rest.to_vec(),
    };
    (!argv.is_empty()).then_some(argv)
}

fn shell(commands: &[Command], command: &Command, words: &[Word]) -> Vec<Inner> {
    let options = Options { letters: "oO", names: &["rcfile", "init-file"] };
    let (mut given, mut first) = options.given(words);
    // `+x` switches off what `-x` switches on.
    while words.get(first).is_some_and(|word| word.text().starts_with('+')) {
        let is_named = words[first].text().ends_with(['o', 'O']);
        let from = (first + if is_named { 2 } else { 1 }).min(words.len());
        let (more, at) = options.given(&words[from..]);
        given.extend(more);
        first = from + at;
    }
    let operand = words.get(first);
    let has = |letter| given.contains(&Given::Letter(letter, None));
    if has('c') || given.iter().any(|option| matches!(option, Given::Name("command", _))) {
        return operand.map(|word| Inner::Text(word.text().to_owned())).into_iter().collect();
    }
    match operand {
        Some(file) if !has('s') => sourced(commands, command, std::slice::from_ref(file)),
        _ => from_stdin(commands, command),
    }
}

/// A file that a shell reads: only some show on the line what is in them.
fn sourced(commands: &[Command], command: &Command, words: &[Word]) -> Vec<Inner> {
    match words.first() {
        Some(Word::Literal(file)) if file == "/dev/stdin" || file == "-" || file == "/dev/fd/0" => {
            from_stdin(commands, command)
        }
        Some(Word::Dynamic(_) | Word::Spread(_)) => vec![Inner::Hidden],
        Some(Word::Literal(_)) | None => Vec::new(),
    }
}

fn from_stdin(commands: &[Command], command: &Command) -> Vec<Inner> {
    match (output::read_by(commands, command), &command.stdin) {
        (Some(text), _) => vec![Inner::Text(text)],
        (None, Stdin::Pipe(_)) => vec![Inner::Hidden],
        (None, _) => Vec::new(),
    }
}

fn trap(words: &[Word]) -> Vec<Inner> {
    let (_, first) = Options::NONE.given(words);
    let action = words.get(first).filter(|_| words.len() > first + 1);
    action.map(|word| Inner::Text(word.text().to_owned())).into_iter().collect()
}

fn argv(argv: Vec<Word>) -> Vec<Inner> {
    if argv.is_empty() { Vec::new() } else { vec![Inner::Argv { argv, stdin: Stdin::Inherited }] }
}

/// Stands for what is put in when the command runs. A shell that reads it sees an expansion.
const INPUT: &str = "$_";

fn xargs(words: &[Word]) -> Vec<Inner> {
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
    let replaced = given.iter().find_map(|option| match option {
        Given::Letter('I' | 'J', Some(value)) | Given::Name("replace", Some(value)) => {
            Some(value.word())
        }
        Given::Letter('i', _) | Given::Name("replace", None) => {
            Some(Word::Literal("{}".to_owned()))
        }
        _ => None,
    });
    let command = words.get(first..).unwrap_or_default();
    if command.is_empty() {
        return Vec::new();
    }
    argv(match replaced {
        Some(mark) => command.iter().map(|word| put_in(word, mark.text())).collect(),
        None => with_input(command),
    })
}

fn with_input(command: &[Word]) -> Vec<Word> {
    command.iter().cloned().chain([Word::Spread(INPUT.to_owned())]).collect()
}

fn put_in(word: &Word, mark: &str) -> Word {
    if mark.is_empty() || !word.text().contains(mark) {
        return word.clone();
    }
    Word::Dynamic(word.text().replace(mark, INPUT))
}

fn find(words: &[Word]) -> Vec<Inner> {
    let is_action =
        |word: &Word| matches!(word.literal(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
    let mut found = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.iter().position(is_action) {
        rest = &rest[at + 1..];
        let ends = |word: &Word| matches!(word.literal(), Some(";" | "+"));
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        found.extend(argv(rest[..end].iter().map(|word| put_in(word, "{}")).collect()));
        rest = &rest[end..];
    }
    found
}

fn fd(words: &[Word]) -> Vec<Inner> {
    let is_action =
        |word: &Word| matches!(word.literal(), Some("-x" | "-X" | "--exec" | "--exec-batch"));
    let Some(at) = words.iter().position(is_action) else { return Vec::new() };
    argv(with_input(&words[at + 1..]))
}

/// The command is one text for a shell; without a command, each input is.
fn parallel(words: &[Word]) -> Vec<Inner> {
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

/// `watch` joins its words to one text, `hyperfine` takes each as one.
fn shell_words(program: &str, words: &[Word]) -> Vec<Inner> {
    if program == "watch" {
        let options = Options { letters: "nqs", names: &["interval", "equexit", "shotsdir"] };
        let (_, first) = options.given(words);
        return vec![Inner::Text(joined(words.get(first..).unwrap_or_default()))];
    }
    words.iter().map(|word| Inner::Text(word.text().to_owned())).collect()
}

fn script(words: &[Word]) -> Vec<Inner> {
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
    let mut runs = command_options(&given);
    // Elsewhere the command comes after the file.
    runs.extend(argv(words.get(first + 1..).unwrap_or_default().to_vec()));
    // Options may follow the file too.
    let (after, _) = options.given(words.get(first + 1..).unwrap_or_default());
    runs.extend(command_options(&after));
    runs
}

fn command_options(given: &[Given<'_>]) -> Vec<Inner> {
    let texts = given.iter().filter_map(|option| match option {
        Given::Letter('c', Some(value)) | Given::Name("command" | "run", Some(value)) => {
            Some(Inner::Text(value.word().text().to_owned()))
        }
        _ => None,
    });
    texts.collect()
}

/// Programs that take a text after `-c` or `--run`, wherever it stands, or else a command.
fn with_command_option(program: &str, words: &[Word]) -> Vec<Inner> {
    let is_option = |word: &Word| {
        let text = word.text();
        matches!(text, "--command" | "--run" | "--session-command")
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    };
    let texts = words.windows(2).filter(|pair| is_option(&pair[0]));
    let mut runs: Vec<Inner> = match program {
        // The words after it are the command itself.
        "nix" => words
            .iter()
            .position(is_option)
            .map(|at| argv(words[at + 1..].to_vec()))
            .unwrap_or_default(),
        _ => texts.map(|pair| Inner::Text(pair[1].text().to_owned())).collect(),
    };
    let attached = words.iter().filter_map(|word| {
        let text = word.text();
        text.strip_prefix("--command=").or_else(|| text.strip_prefix("--session-command="))
    });
    runs.extend(attached.map(|text| Inner::Text(text.to_owned())));
    let (options, operands) = match program {
        "flock" => (Options { letters: "wEc", names: &["timeout", "conflict-exit-code"] }, 1),
        "runuser" => (Options { letters: "ugGcs", names: &["user", "group"] }, 0),
        _ => return runs,
    };
    let (_, first) = options.given(words);
    if runs.is_empty() {
        runs.extend(argv(words.get(first + operands..).unwrap_or_default().to_vec()));
    }
    runs
}
