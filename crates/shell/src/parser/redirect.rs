//! Parses redirects and here-documents.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use crate::parser::Parser;
use crate::parser::level::Expect;
use crate::reader::{Kind, Text};
use crate::script::{Mode, Redirect, Stdin, Why, Word};

/// The maximum number of redirects on a command line. A group's redirect counts once for each of
/// its commands.
const MAX_REDIRECTS: usize = 4000;

/// The role of the word that is being read: a plain word, or the target of a redirect.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    Plain,
    Target { mode: Mode, is_stdin: bool },
    HereString,
    HereDelimiter { strips_tabs: bool, is_stdin: bool },
}

/// The command or commands whose input or output a redirect changes.
#[derive(Debug, Clone)]
pub(super) enum Target {
    Command(usize),
    /// All commands of a group. A redirect of the group's input changes only the commands whose
    /// input is `feed`.
    Group {
        commands: Range<usize>,
        feed: Stdin,
    },
    Nobody,
}

/// A here-document whose text begins on the next line and isn't read yet.
#[derive(Debug)]
pub(super) struct Pending {
    delimiter: String,
    strips_tabs: bool,
    is_stdin: bool,
    is_literal: bool,
    target: Target,
}

impl Parser<'_> {
    /// Reads a redirect's operator, and the number of a descriptor directly before it.
    pub(super) fn redirection(&mut self) {
        let descriptor = self.level.word.take_if(|word| word.bare().is_some_and(is_descriptor));
        if descriptor.as_ref().is_some_and(|word| word.text().starts_with('{')) {
            self.needs_bash();
        }
        self.end_word();
        self.end_redirect();
        let is_zero = descriptor.as_ref().is_some_and(|word| word.text() == "0");
        let is_stdin = descriptor.is_none() || is_zero;
        let target = |mode| Role::Target { mode, is_stdin };
        let operators = [
            ("<<<", Role::HereString),
            ("<<-", Role::HereDelimiter { strips_tabs: true, is_stdin }),
            ("<<", Role::HereDelimiter { strips_tabs: false, is_stdin }),
            ("<>", target(Mode::ReadWrite)),
            ("<&", target(Mode::Duplicate)),
            ("<", target(Mode::Read)),
            ("&>>", target(Mode::Append)),
            ("&>", target(Mode::Write)),
            (">>", target(Mode::Append)),
            (">&", Role::Target { mode: Mode::Duplicate, is_stdin: is_zero }),
            (">|", target(Mode::Write)),
            (">", target(Mode::Write)),
        ];
        let rest = self.rest();
        if let Some((operator, role)) = operators.into_iter().find(|(o, _)| rest.starts_with(o)) {
            self.level.role = role;
            self.at += operator.len();
        }
    }

    pub(super) fn end_word(&mut self) {
        let Some(word) = self.level.word.take() else { return };
        match mem::replace(&mut self.level.role, Role::Plain) {
            Role::Plain => self.plain_word(word),
            Role::Target { mode, is_stdin } => self.redirect(mode, is_stdin, word.finish()),
            Role::HereString => {
                let text = match word.finish() {
                    Word::Literal(text) => Word::Literal(text + "\n"),
                    Word::Dynamic(text) | Word::Spread(text) => Word::Dynamic(text + "\n"),
                };
                let target = self.target();
                self.feed(&target, &Stdin::Text(Arc::new(text)));
            }
            Role::HereDelimiter { strips_tabs, is_stdin } => {
                let target = self.target();
                let is_literal = word.is_quoted;
                let delimiter = word.text().to_owned();
                let pending = Pending { delimiter, strips_tabs, is_stdin, is_literal, target };
                self.level.pending.push(pending);
            }
        }
    }

    /// Ends a redirect. If its target is missing, this is a syntax fault.
    pub(super) fn end_redirect(&mut self) {
        if !matches!(mem::replace(&mut self.level.role, Role::Plain), Role::Plain) {
            self.trouble(Why::Syntax);
        }
    }

    fn redirect(&mut self, mode: Mode, is_stdin: bool, target: Word) {
        let is_descriptor = target.literal().is_some_and(|text| {
            text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit())
        });
        let mode = if mode == Mode::Duplicate && !is_descriptor { Mode::Write } else { mode };
        let whose = self.target();
        if is_stdin && matches!(mode, Mode::Read | Mode::ReadWrite | Mode::Duplicate) {
            self.feed(&whose, &Stdin::File);
        }
        self.attach(&whose, Redirect { mode, target });
    }

    /// Adds the redirect to its command. A group's redirect is added to every command of the group,
    /// because each of them may write to the target.
    fn attach(&mut self, whose: &Target, redirect: Redirect) {
        let whose = match whose {
            Target::Command(index) => *index..index.saturating_add(1),
            Target::Group { commands, .. } => commands.clone(),
            Target::Nobody => return,
        };
        self.found.redirects += whose.len();
        if self.found.redirects > MAX_REDIRECTS {
            return self.stop(Why::TooMany);
        }
        let commands = self.found.commands.get_mut(whose).unwrap_or_default();
        let Some((last, others)) = commands.split_last_mut() else { return };
        for command in others {
            command.redirects.push(redirect.clone());
        }
        last.redirects.push(redirect);
    }

    fn target(&mut self) -> Target {
        match self.level.expect {
            Expect::Start => Target::Command(self.begin()),
            Expect::Arguments(index) => Target::Command(index),
            Expect::Closed(first) => {
                if first >= self.found.commands.len() {
                    // `((...)) > f` runs no command, but writes the file `f`. So a command without
                    // words is added.
                    self.begin();
                    self.level.expect = Expect::Closed(first);
                }
                let commands = first..self.found.commands.len();
                Target::Group { commands, feed: self.level.feed.clone() }
            }
            _ => {
                self.trouble(Why::Syntax);
                Target::Nobody
            }
        }
    }

    fn feed(&mut self, target: &Target, stdin: &Stdin) {
        match target {
            Target::Command(index) => {
                if let Some(command) = self.found.commands.get_mut(*index) {
                    command.stdin = stdin.clone();
                }
            }
            Target::Group { commands, feed } => {
                let commands = self.found.commands.get_mut(commands.clone()).unwrap_or_default();
                for command in commands.iter_mut().filter(|command| command.stdin == *feed) {
                    command.stdin = stdin.clone();
                }
            }
            Target::Nobody => {}
        }
    }

    pub(super) fn read_here_documents(&mut self) {
        for pending in mem::take(&mut self.level.pending) {
            let (body, span) = self.body(&pending);
            let is_written = self.is_line() && pending.is_stdin;
            if let Target::Command(index) = pending.target
                && let Some(command) = self.found.commands.get_mut(index)
            {
                command.body = Some(span).filter(|_| is_written);
            }
            let word = if pending.is_literal { Word::Literal(body) } else { expanded(body) };
            if let Word::Dynamic(text) = &word {
                let (place, depth, dialect, run) =
                    (self.place, self.depth, self.dialect, self.level.run);
                let (source, kind, stdin) = (text.clone(), Kind::Body, self.level.feed.clone());
                let text = Text { source, kind, place, depth, dialect, stdin, run };
                self.found.queue(text);
            }
            self.feed(&pending.target, &Stdin::Text(Arc::new(word)));
        }
    }

    /// Reads the text of a here-document up to the delimiter. If the delimiter is missing, the
    /// here-document ends with the source. Shells only warn about this.
    fn body(&mut self, pending: &Pending) -> (String, Range<usize>) {
        let mut body = String::new();
        let start = self.at;
        let mut end = start;
        // Bash joins escaped lines before it searches for the delimiter. Other shells join them
        // afterwards.
        let mut joined: Option<String> = None;
        while !self.rest().is_empty() {
            let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
            self.at += line.len();
            let text = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
            let bare = text.strip_suffix('\n').unwrap_or(text);
            let is_end = bare == pending.delimiter;
            if !pending.is_literal && ends_in_escape(bare) {
                joined.get_or_insert_default().push_str(&bare[..bare.len() - 1]);
            } else if let Some(before) = joined.take() {
                let is_joined_end = before + bare == pending.delimiter;
                if is_end || is_joined_end {
                    self.trouble(Why::Syntax);
                }
                if is_joined_end {
                    break;
                }
            } else if is_end {
                break;
            }
            end = self.at;
            body.push_str(text);
        }
        (body, start..end)
    }
}

/// Whether the line of a here-document ends with an escape, which joins it with the next line.
fn ends_in_escape(line: &str) -> bool {
    let backslashes = line.len() - line.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

fn is_descriptor(word: &str) -> bool {
    let is_variable = word.starts_with('{') && word.ends_with('}') && word.len() > 2;
    is_variable || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Resolves the escapes in a here-document with an unquoted delimiter. A text with expansions stays
/// as written.
fn expanded(body: String) -> Word {
    let mut text = String::with_capacity(body.len());
    let mut rest = body.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some('\n')) => {
                rest.next();
            }
            ('\\', Some(&escaped @ ('$' | '`' | '\\'))) => {
                rest.next();
                text.push(escaped);
            }
            // An escaped line end may be inside an expansion.
            ('`', _) | ('$', Some('\\')) => return Word::Dynamic(body),
            ('$', Some(&next)) if next.is_ascii_alphanumeric() || "_{([@*#?$!-".contains(next) => {
                return Word::Dynamic(body);
            }
            _ => text.push(c),
        }
    }
    Word::Literal(text)
}
