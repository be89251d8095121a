//! Reads a command line into a script. It parses the text of the command line, and then the
//! commands and texts that the found commands run.

use std::collections::VecDeque;

use crate::dialect::Dialect;
use crate::parser::Parser;
use crate::readings::{Whole, readings};
use crate::room::Room;
use crate::script::{Command, Inside, Loop, Place, Run, Script, Shape, Stdin, Unread, Why, Word};
use crate::unwrap::{Inner, unwrap};
use crate::values::Settings;

/// The maximum length of one text in bytes.
pub(crate) const MAX_TEXT: usize = 64 * 1024;
/// The maximum total length of all texts of one command line. A text in quotes counts once for each
/// level of quotes.
const MAX_TEXTS: usize = 4 * MAX_TEXT;
/// The maximum depth of nested texts: `sh -c "sh -c '...'"`.
const MAX_DEPTH: usize = 8;
/// The maximum depth of nested wrappers: `sudo env timeout 5 nice ...`.
const MAX_WRAPPERS: usize = 16;
pub(crate) const MAX_COMMANDS: usize = 1000;
/// The maximum total length of all unread texts and of all commands that other commands run.
const MAX_INNER: usize = 4 * MAX_TEXT;
/// The maximum total length of all texts that are composed from parts of the command line.
const MAX_BUILT: usize = 4 * MAX_TEXT;
/// The number of bytes that are kept of the beginning of a command that exceeds the limits.
const MAX_BEGINNING: usize = 64;

/// A text that must still be parsed: the command line, or a text that a command runs.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) source: String,
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    pub(crate) depth: usize,
    pub(crate) dialect: Dialect,
    /// The default input of the text's commands.
    pub(crate) stdin: Stdin,
    pub(crate) run: Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Commands,
    /// The text is a here-document, in which only substitutions run.
    Body,
}

#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) commands: Vec<Command>,
    pub(crate) unread: Vec<Unread>,
    /// The reasons why the whole command line counts as unread, without duplicates.
    lines: Vec<Why>,
    texts: VecDeque<Text>,
    /// The remaining total length of texts that may still be queued.
    unqueued: usize,
    pub(crate) functions: Vec<String>,
    pub(crate) evaluated: Vec<String>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) shells: Vec<usize>,
    /// The number of redirects. A group's redirect counts once for each command of the group.
    pub(crate) redirects: usize,
    pub(crate) shape: Shape,
    /// The remaining total length for inner commands and unread texts.
    room: usize,
    /// The remaining total length for texts that are composed from parts of the command line.
    built: Room,
}

impl Found {
    /// Adds a text to the queue of texts that must be parsed.
    pub(crate) fn queue(&mut self, text: Text) {
        let left = self.unqueued.checked_sub(text.source.len());
        match left.filter(|_| text.source.len() <= MAX_TEXT) {
            Some(left) => {
                self.unqueued = left;
                self.texts.push_back(text);
            }
            None => self.leave_line(Why::NoRoom),
        }
    }

    /// Records a text as unread. If the unread texts are too long in total, the whole command line
    /// counts as unread.
    fn leave(&mut self, why: Why, text: String) {
        if self.takes(text.len()) {
            self.unread.push(Unread { why, text });
        } else {
            self.leave_line(Why::NoRoom);
        }
    }

    fn leave_line(&mut self, why: Why) {
        if !self.lines.contains(&why) {
            self.lines.push(why);
        }
    }

    /// Reserves this length for an inner command or an unread text. Returns `false` if the
    /// remaining length is too small.
    fn takes(&mut self, length: usize) -> bool {
        let room = self.room.checked_sub(length);
        self.room = room.unwrap_or(self.room);
        room.is_some()
    }

    /// Registers a new shell that a command of `run` starts. Returns the `Run` of the new shell's
    /// commands.
    pub(crate) fn started_by(&mut self, run: Run) -> Run {
        self.shells.push(run.shell);
        Run { shell: self.shells.len(), ..run }
    }
}

/// Parses a command line.
pub fn read(line: &str) -> Script {
    let whole = Text {
        source: line.to_owned(),
        kind: Kind::Commands,
        place: Place::Line,
        depth: 0,
        dialect: Dialect::Bash,
        stdin: Stdin::Inherited,
        run: Run::default(),
    };
    let mut found = Found {
        commands: Vec::new(),
        unread: Vec::new(),
        lines: Vec::new(),
        texts: VecDeque::new(),
        unqueued: MAX_TEXTS,
        functions: Vec::new(),
        evaluated: Vec::new(),
        loops: Vec::new(),
        shells: Vec::new(),
        redirects: 0,
        shape: Shape::Plain,
        room: MAX_INNER,
        built: Room::new(MAX_BUILT),
    };
    if line.len() > MAX_TEXT {
        found.leave_line(Why::TooLong);
    } else {
        found.queue(whole);
    }
    let mut first = 0;
    let mut whole = Vec::new();
    while !found.texts.is_empty() {
        read_texts(&mut found);
        whole.extend(put_in_values(&mut found, first, line));
        first = found.commands.len();
    }
    mark_whole(&mut found, &whole, line);
    let lines = found.lines.drain(..).map(|why| Unread { why, text: line.to_owned() });
    found.unread.extend(lines);
    Script {
        commands: found.commands,
        unread: found.unread,
        functions: found.functions,
        evaluated: found.evaluated,
        loops: found.loops,
        shells: found.shells,
        line: line.to_owned(),
        shape: found.shape,
    }
}

fn read_texts(found: &mut Found) {
    while let Some(text) = found.texts.pop_front() {
        if text.depth > MAX_DEPTH {
            found.leave(Why::TooDeep, text.source);
        } else if found.commands.len() >= MAX_COMMANDS {
            found.leave(Why::TooMany, text.source);
        } else {
            let first = found.commands.len();
            Parser::new(&text, found).run();
            unwrap_from(found, first);
        }
    }
}

/// Adds the readings of the commands from `first` on: variants in which variables are replaced by
/// the values that the command line sets.
fn put_in_values(found: &mut Found, first: usize, line: &str) -> Vec<Whole> {
    let readings = readings(found, line, first);
    let from = found.commands.len();
    let room = MAX_COMMANDS.saturating_sub(from);
    let cut = if readings.commands.len() > room { Some(Why::TooMany) } else { readings.cut };
    if let Some(why) = cut {
        found.leave_line(why);
    }
    found.commands.extend(readings.commands.into_iter().take(room));
    unwrap_from(found, from);
    if cut.is_some() { Vec::new() } else { readings.whole }
}

/// Marks the commands whose readings are complete. They aren't complete if another value was found
/// after the readings were made.
fn mark_whole(found: &mut Found, whole: &[Whole], line: &str) {
    if whole.is_empty() {
        return;
    }
    let count = Settings::of(&found.commands, &found.loops, line).count();
    for whole in whole.iter().filter(|whole| whole.settings == count) {
        found.commands[whole.index].inside = Inside::Readings;
    }
}

/// Adds the inner commands of all commands from `first` on. The inner commands of the added
/// commands are added too.
fn unwrap_from(found: &mut Found, first: usize) {
    let mut index = first;
    let mut wrappers = vec![0; found.commands.len() - first];
    while index < found.commands.len() {
        let outcome = unwrap(&found.commands, index, &found.built);
        let depth = found.commands[index].depth;
        let is_short = outcome.code.as_ref().is_some_and(|code| !found.takes(code.len()));
        if is_short || found.built.was_short() {
            found.leave_line(Why::NoRoom);
        }
        found.commands[index].code = outcome.code.filter(|_| !is_short);
        found.commands[index].inside = outcome.inside;
        for inner in outcome.runs {
            let place = Place::Within(index);
            let stdin = found.commands[index].stdin.clone();
            let run = found.commands[index].run;
            let (argv, stdin) = match inner {
                Inner::Argv(argv) => (argv, stdin),
                Inner::Unfed(argv) => (argv, Stdin::File),
                Inner::Text(source) => {
                    found.queue(Text {
                        source,
                        kind: Kind::Commands,
                        place,
                        depth: depth + 1,
                        dialect: Dialect::of(&found.commands, index),
                        stdin,
                        run,
                    });
                    continue;
                }
                Inner::Hidden => {
                    found.leave_line(Why::Hidden);
                    continue;
                }
            };
            let nesting = wrappers[index - first] + 1;
            if nesting > MAX_WRAPPERS || found.commands.len() >= MAX_COMMANDS {
                let why = if nesting > MAX_WRAPPERS { Why::TooDeep } else { Why::TooMany };
                found.leave(why, joined(&argv));
                continue;
            }
            let argv = if found.takes(argv.iter().map(length).sum()) {
                argv
            } else {
                found.leave_line(Why::NoRoom);
                beginning(argv)
            };
            if argv.is_empty() {
                continue;
            }
            wrappers.push(nesting);
            found.commands.push(Command { stdin, run, ..Command::new(argv, place, depth) });
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
            inside: Inside::Nothing,
            run: Run::default(),
            depth,
            is_ambiguous: false,
            spans: Vec::new(),
            body: None,
        }
    }
}

fn length(word: &Word) -> usize {
    word.text().len() + 1
}

/// The first words of a command, up to a total length.
fn beginning(mut argv: Vec<Word>) -> Vec<Word> {
    let mut sum = 0;
    let is_kept = |word: &&Word| {
        sum += length(word);
        sum <= MAX_BEGINNING
    };
    let count = argv.iter().take_while(is_kept).count();
    argv.truncate(count);
    argv
}

pub(crate) fn joined(words: &[Word]) -> String {
    words.iter().map(Word::text).collect::<Vec<_>>().join(" ")
}
