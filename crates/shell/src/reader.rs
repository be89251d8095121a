//! From a line to the script: reads its text, then what its commands run, until nothing is left.

use std::collections::VecDeque;

use crate::parser::Parser;
use crate::script::{Command, Place, Script, Shape, Stdin, Unread, Why, Word};
use crate::unwrap::{Inner, unwrap};

/// Longer texts are not read.
const MAX_TEXT: usize = 64 * 1024;
/// All texts of one line together: a text in quotes is read again for each level of quotes.
const MAX_TEXTS: usize = 4 * MAX_TEXT;
/// Texts inside of texts: `sh -c "sh -c '...'"`.
const MAX_DEPTH: usize = 8;
/// Programs that run programs: `sudo env timeout 5 nice ...`.
const MAX_WRAPPERS: usize = 16;
pub(crate) const MAX_COMMANDS: usize = 1000;

/// A text that is still to be read.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) source: String,
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    pub(crate) depth: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Commands,
    /// A here-document, in which only substitutions run.
    Body,
}

#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) commands: Vec<Command>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) texts: VecDeque<Text>,
    pub(crate) shape: Shape,
}

/// Reads what a command line runs.
pub fn read(line: &str) -> Script {
    let mut found = Found {
        commands: Vec::new(),
        unread: Vec::new(),
        texts: VecDeque::new(),
        shape: Shape::Plain,
    };
    let whole =
        Text { source: line.to_owned(), kind: Kind::Commands, place: Place::Line, depth: 0 };
    found.texts.push_back(whole);
    let mut left = MAX_TEXTS;
    while let Some(text) = found.texts.pop_front() {
        let len = text.source.len();
        let refusal = if len > MAX_TEXT || len > left {
            Some(Why::TooLong)
        } else if text.depth > MAX_DEPTH {
            Some(Why::TooDeep)
        } else if found.commands.len() >= MAX_COMMANDS {
            Some(Why::TooMany)
        } else {
            None
        };
        if let Some(why) = refusal {
            found.unread.push(Unread { why, text: text.source });
            continue;
        }
        left -= len;
        let first = found.commands.len();
        Parser::new(&text, &mut found).run();
        unwrap_from(&mut found, first, line);
    }
    let Found { commands, unread, shape, .. } = found;
    Script { commands, unread, line: line.to_owned(), shape }
}

/// Adds what the commands from `first` on run themselves. What they add is looked at in turn.
fn unwrap_from(found: &mut Found, first: usize, line: &str) {
    let mut index = first;
    let mut wrappers = vec![0; found.commands.len() - first];
    while index < found.commands.len() {
        let outcome = unwrap(&found.commands, index);
        let depth = found.commands[index].depth;
        found.commands[index].code = outcome.code;
        for inner in outcome.runs {
            let place = Place::Within(index);
            match inner {
                Inner::Argv { argv, stdin } => {
                    let nesting = wrappers[index - first] + 1;
                    if nesting > MAX_WRAPPERS || found.commands.len() >= MAX_COMMANDS {
                        let why = if nesting > MAX_WRAPPERS { Why::TooDeep } else { Why::TooMany };
                        found.unread.push(Unread { why, text: joined(&argv) });
                        continue;
                    }
                    wrappers.push(nesting);
                    found.commands.push(Command { stdin, ..Command::new(argv, place, depth) });
                }
                Inner::Text(source) => found.texts.push_back(Text {
                    source,
                    kind: Kind::Commands,
                    place,
                    depth: depth + 1,
                }),
                Inner::Hidden => {
                    if found.unread.iter().all(|unread| unread.why != Why::Hidden) {
                        found.unread.push(Unread { why: Why::Hidden, text: line.to_owned() });
                    }
                }
            }
        }
        index += 1;
    }
}

impl Command {
    pub(crate) fn new(argv: Vec<Word>, place: Place, depth: usize) -> Self {
        Self {
            argv,
            assignments: Vec::new(),
            redirects: Vec::new(),
            stdin: Stdin::Inherited,
            place,
            code: None,
            depth,
        }
    }
}

pub(crate) fn joined(words: &[Word]) -> String {
    words.iter().map(Word::text).collect::<Vec<_>>().join(" ")
}
