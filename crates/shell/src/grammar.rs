//! Commands, their words and the keywords around them.
//!
//! The grammar is read more widely than a shell does: what matters is which words stand in command
//! position. Brackets and keywords that do not fit together are noted as a fault of syntax.

use std::mem;
use std::sync::Arc;

use crate::here_document::Pending;
use crate::parser::Parser;
use crate::reader::MAX_COMMANDS;
use crate::script::{Assignment, Command, Mode, Redirect, Shape, Stdin, Why, Word};
use crate::word::WordBuilder;

/// The state of reading commands; each substitution has its own.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) expect: Expect,
    groups: Vec<Group>,
    pub(crate) word: Option<WordBuilder>,
    role: Role,
    pub(crate) pending: Vec<Pending>,
    /// What the next command reads, unless it says otherwise.
    feed: Stdin,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            expect: Expect::Start,
            groups: Vec::new(),
            word: None,
            role: Role::Plain,
            pending: Vec::new(),
            feed: Stdin::Inherited,
        }
    }
}

/// What the next word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// A command or a keyword.
    Start,
    /// An argument of the command with this index.
    Arguments(usize),
    /// Nothing: a group that began with this command was closed. Redirects may follow.
    Closed(usize),
    /// A word between `[[` and `]]`.
    Condition(usize),
    CaseWord,
    CaseIn,
    CasePattern,
    ForName,
    ForIn,
    ForWords,
    FunctionName,
}

#[derive(Debug)]
struct Group {
    kind: GroupKind,
    first: usize,
    feed: Stdin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    Parenthesis,
    Brace,
    If,
    Loop,
    Case,
}

/// What the word that is being read is for.
#[derive(Debug, Clone, Copy)]
enum Role {
    Plain,
    Target { mode: Mode, is_stdin: bool },
    HereString,
    HereDelimiter { strips_tabs: bool },
}

/// Whose input or output a redirect changes.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Command(usize),
    Group(std::ops::Range<usize>),
    Nobody,
}

impl Parser<'_> {
    /// One step outside of quotes and expansions.
    pub(crate) fn command_step(&mut self, c: char) {
        let in_condition = matches!(self.level.expect, Expect::Condition(_));
        match c {
            ' ' | '\t' => {
                self.end_word();
                self.at += 1;
            }
            '\\' => self.escape(),
            '#' if self.level.word.is_none() => self.skip_comment(),
            '\'' => self.single_quoted(),
            '"' => self.open_double(true),
            '$' => self.dollar(false, true),
            '`' => self.backticks(false),
            '<' | '>' if self.rest()[1..].starts_with('(') => self.open_process(),
            '\n' | '<' | '>' | '&' | '|' | ';' | '(' | ')' if in_condition => {
                self.end_word();
                self.at += 1;
            }
            '\n' => self.newline(),
            '<' | '>' => self.redirection(),
            '&' if self.rest().starts_with("&>") => self.redirection(),
            '&' | '|' | ';' => self.operator(),
            '(' => self.open_parenthesis(),
            ')' => self.close_parenthesis(),
            '}' if self.level.word.is_none() && self.level.expect == Expect::Start => {
                self.close_brace();
            }
            _ => self.bare(c),
        }
    }

    fn bare(&mut self, c: char) {
        self.word().push_bare(c);
        self.at += c.len_utf8();
    }

    /// A closing brace in command position ends `${ ...; }`, or it is a keyword.
    fn close_brace(&mut self) {
        let is_keyword = self.level.groups.iter().any(|group| group.kind == GroupKind::Brace);
        self.at += 1;
        if is_keyword || !self.close_commands('}') {
            self.at -= 1;
            self.bare('}');
        }
    }

    fn escape(&mut self) {
        let escaped = self.rest().chars().nth(1);
        match escaped {
            Some('\n') => {}
            Some(c) => self.word().push_quoted(c.encode_utf8(&mut [0; 4])),
            None => self.word().push_quoted("\\"),
        }
        self.at += 1 + escaped.map_or(0, char::len_utf8);
    }

    fn single_quoted(&mut self) {
        let body = &self.rest()[1..];
        let Some(end) = body.find('\'') else { return self.stop(Why::Syntax) };
        self.word().push_quoted(&body[..end]);
        self.at += end + 2;
    }

    fn newline(&mut self) {
        self.end_word();
        self.at += 1;
        self.end_redirect();
        match self.level.expect {
            // A line may end after `|`: what it feeds comes on the next one.
            Expect::Start | Expect::CaseIn | Expect::CasePattern | Expect::FunctionName => {}
            _ => self.end_command(),
        }
        self.read_here_documents();
    }

    fn operator(&mut self) {
        self.end_word();
        self.end_redirect();
        let rest = self.rest();
        let known = ["&&", "||", "|&", ";;&", ";;", ";&", "&", "|", ";"];
        let operator = known.into_iter().find(|known| rest.starts_with(known)).unwrap_or("&");
        self.at += operator.len();
        if operator != "|" {
            self.found.shape = Shape::Compound;
        }
        match (operator, self.level.expect) {
            ("|", Expect::CasePattern) => {}
            ("|" | "|&", Expect::Arguments(index)) => self.pipe(Some(index)),
            ("|" | "|&", Expect::Closed(_)) => self.pipe(None),
            (";;" | ";&" | ";;&", _) => {
                if self.level.groups.last().is_none_or(|group| group.kind != GroupKind::Case) {
                    self.trouble(Why::Syntax);
                }
                self.end_command();
                self.level.expect = Expect::CasePattern;
            }
            (_, Expect::Arguments(_) | Expect::Closed(_))
            | (";", Expect::ForIn | Expect::ForWords) => self.end_command(),
            _ => {
                self.trouble(Why::Syntax);
                self.end_command();
            }
        }
    }

    fn pipe(&mut self, from: Option<usize>) {
        self.level.expect = Expect::Start;
        self.level.feed = Stdin::Pipe(from);
    }

    /// After a command that is not piped into the next.
    fn end_command(&mut self) {
        self.level.expect = Expect::Start;
        self.level.feed =
            self.level.groups.last().map_or(Stdin::Inherited, |group| group.feed.clone());
    }

    fn open_parenthesis(&mut self) {
        if let Some(word) = &mut self.level.word {
            let is_array = word.text().ends_with('=');
            if is_array || (word.text().ends_with(['?', '*', '@', '+', '!']) && word.text() != "!")
            {
                word.spread();
                return self.open_bracket();
            }
        }
        self.end_word();
        self.end_redirect();
        let is_double = self.rest().starts_with("((") && self.is_arithmetic(self.at);
        let is_empty = self.rest()[1..].trim_start_matches([' ', '\t']).starts_with(')');
        match self.level.expect {
            Expect::CasePattern => self.at += 1,
            Expect::ForName if is_double => {
                self.open_arithmetic();
                self.end_command();
            }
            Expect::Start if is_double => {
                self.found.shape = Shape::Compound;
                self.open_arithmetic();
                self.level.expect = Expect::Closed(self.found.commands.len());
            }
            Expect::Start if is_empty => self.end_of_function_head(),
            Expect::Arguments(index)
                if is_empty && index + 1 == self.found.commands.len() && self.words(index) == 1 =>
            {
                self.found.commands.pop();
                self.end_of_function_head();
            }
            Expect::Start => self.open_subshell(),
            Expect::Arguments(index) if self.is_prefix(index) => self.open_subshell(),
            _ => {
                self.trouble(Why::Syntax);
                self.open_subshell();
            }
        }
    }

    /// `()` after a function's name.
    fn end_of_function_head(&mut self) {
        self.found.shape = Shape::Compound;
        self.at += self.rest().find(')').map_or(1, |end| end + 1);
        self.end_command();
    }

    fn open_subshell(&mut self) {
        self.at += 1;
        self.open(GroupKind::Parenthesis);
    }

    fn close_parenthesis(&mut self) {
        self.end_word();
        self.end_redirect();
        self.at += 1;
        if self.level.expect == Expect::CasePattern {
            self.end_command();
        } else if self.level.groups.iter().any(|group| group.kind == GroupKind::Parenthesis) {
            self.close(GroupKind::Parenthesis);
        } else if !self.close_commands(')') {
            self.trouble(Why::Syntax);
        }
    }

    fn open(&mut self, kind: GroupKind) {
        self.found.shape = Shape::Compound;
        let (first, feed) = (self.found.commands.len(), self.level.feed.clone());
        self.level.groups.push(Group { kind, first, feed });
        self.level.expect = Expect::Start;
    }

    fn close(&mut self, kind: GroupKind) {
        if self.level.groups.last().is_none_or(|group| group.kind != kind) {
            self.trouble(Why::Syntax);
        }
        let Some(open) = self.level.groups.iter().rposition(|group| group.kind == kind) else {
            return self.end_command();
        };
        let first = self.level.groups[open].first;
        self.level.groups.truncate(open);
        self.level.expect = Expect::Closed(first);
    }

    /// A keyword inside of a group of this kind: `then`, `do`.
    fn inside(&mut self, kind: GroupKind) {
        if self.level.groups.last().is_none_or(|group| group.kind != kind) {
            self.trouble(Why::Syntax);
        }
        self.end_command();
    }

    pub(crate) fn end_of_level(&mut self) {
        self.end_word();
        self.end_redirect();
        if !self.level.groups.is_empty() || !self.level.pending.is_empty() {
            self.trouble(Why::Syntax);
        }
    }

    /// A redirect without its target.
    fn end_redirect(&mut self) {
        if !matches!(mem::replace(&mut self.level.role, Role::Plain), Role::Plain) {
            self.trouble(Why::Syntax);
        }
    }

    fn end_word(&mut self) {
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
            Role::HereDelimiter { strips_tabs } => {
                let target = self.target();
                let is_literal = word.is_quoted;
                let delimiter = word.text().to_owned();
                self.level.pending.push(Pending { delimiter, strips_tabs, is_literal, target });
            }
        }
    }

    fn plain_word(&mut self, word: WordBuilder) {
        match self.level.expect {
            Expect::Start => self.first_word(word),
            Expect::Arguments(index) => {
                if self.is_prefix(index) && word.bare().is_some_and(opens_a_group) {
                    self.first_word(word);
                } else {
                    self.add(index, word);
                }
            }
            Expect::Closed(_) => {
                if !word.bare().is_some_and(continues_a_group) {
                    self.trouble(Why::Syntax);
                }
                self.first_word(word);
            }
            Expect::Condition(index) => {
                let is_end = word.bare() == Some("]]");
                self.add(index, word);
                if is_end {
                    self.level.expect = Expect::Closed(self.found.commands.len());
                }
            }
            Expect::CaseWord => self.level.expect = Expect::CaseIn,
            Expect::CaseIn => self.expect_in(word.bare() == Some("in"), Expect::CasePattern),
            Expect::CasePattern => {
                if word.bare() == Some("esac") {
                    self.close(GroupKind::Case);
                }
            }
            Expect::ForName => self.level.expect = Expect::ForIn,
            Expect::ForIn if word.bare() == Some("do") => self.inside(GroupKind::Loop),
            Expect::ForIn => self.expect_in(word.bare() == Some("in"), Expect::ForWords),
            Expect::ForWords => {}
            Expect::FunctionName => self.end_command(),
        }
    }

    fn expect_in(&mut self, is_in: bool, then: Expect) {
        if !is_in {
            self.trouble(Why::Syntax);
        }
        self.level.expect = then;
    }

    /// A word in command position: a keyword, or the beginning of a command.
    fn first_word(&mut self, word: WordBuilder) {
        if !word.bare().is_some_and(|bare| self.keyword(bare)) {
            let index = self.begin();
            self.add(index, word);
        }
    }

    fn keyword(&mut self, word: &str) -> bool {
        match word {
            "if" => self.open(GroupKind::If),
            "then" | "elif" | "else" => self.inside(GroupKind::If),
            "fi" => self.close(GroupKind::If),
            "while" | "until" => self.open(GroupKind::Loop),
            "for" | "select" => {
                self.open(GroupKind::Loop);
                self.level.expect = Expect::ForName;
            }
            "do" => self.inside(GroupKind::Loop),
            "done" => self.close(GroupKind::Loop),
            "case" => {
                self.open(GroupKind::Case);
                self.level.expect = Expect::CaseWord;
            }
            "esac" => self.close(GroupKind::Case),
            "{" => self.open(GroupKind::Brace),
            "}" => self.close(GroupKind::Brace),
            "!" => self.found.shape = Shape::Compound,
            "function" => self.level.expect = Expect::FunctionName,
            "[[" => {
                let index = self.begin();
                self.found.commands[index].argv.push(Word::Literal(word.to_owned()));
                self.level.expect = Expect::Condition(index);
            }
            _ => return false,
        }
        self.found.shape = Shape::Compound;
        true
    }

    /// A new command, which reads what is fed to it here.
    fn begin(&mut self) -> usize {
        let index = self.found.commands.len();
        if index > 0 && !matches!(self.level.feed, Stdin::Pipe(_)) {
            self.found.shape = Shape::Compound;
        }
        let stdin = self.level.feed.clone();
        let command = Command::new(Vec::new(), self.place, self.depth);
        self.found.commands.push(Command { stdin, ..command });
        self.level.expect = Expect::Arguments(index);
        if index + 1 >= MAX_COMMANDS {
            self.stop(Why::TooMany);
        }
        index
    }

    fn add(&mut self, index: usize, word: WordBuilder) {
        let source = self.text.get(word.start..).unwrap_or_default();
        let name = source.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(0);
        let command = &mut self.found.commands[index];
        if command.argv.is_empty() && is_assignment(source, name) {
            let name = source[..name].to_owned();
            let value = match word.finish() {
                Word::Literal(text) => Word::Literal(after_equals(&text)),
                Word::Dynamic(text) | Word::Spread(text) => Word::Dynamic(after_equals(&text)),
            };
            command.assignments.push(Assignment { name, value });
        } else {
            command.argv.push(word.finish());
        }
    }

    fn words(&self, index: usize) -> usize {
        self.found.commands[index].argv.len()
    }

    /// `time` and `coproc` stand before whole groups too.
    fn is_prefix(&self, index: usize) -> bool {
        match self.found.commands[index].argv.as_slice() {
            [first] => matches!(first.literal(), Some("time" | "coproc")),
            [first, second] => match first.literal() {
                Some("time") => second.literal() == Some("-p"),
                other => other == Some("coproc"),
            },
            _ => false,
        }
    }

    fn redirection(&mut self) {
        let descriptor = match &self.level.word {
            Some(word) if word.bare().is_some_and(is_descriptor) => word.bare().map(str::to_owned),
            _ => None,
        };
        if descriptor.is_some() {
            self.level.word = None;
        }
        self.end_word();
        self.end_redirect();
        let is_stdin = descriptor.is_none_or(|descriptor| descriptor == "0");
        let target = |mode| Role::Target { mode, is_stdin };
        let operators = [
            ("<<<", Role::HereString),
            ("<<-", Role::HereDelimiter { strips_tabs: true }),
            ("<<", Role::HereDelimiter { strips_tabs: false }),
            ("<>", target(Mode::ReadWrite)),
            ("<&", target(Mode::Duplicate)),
            ("<", target(Mode::Read)),
            ("&>>", target(Mode::Append)),
            ("&>", target(Mode::Write)),
            (">>", target(Mode::Append)),
            (">&", target(Mode::Duplicate)),
            (">|", target(Mode::Write)),
            (">", target(Mode::Write)),
        ];
        let rest = self.rest();
        if let Some((operator, role)) = operators.into_iter().find(|(o, _)| rest.starts_with(o)) {
            self.level.role = role;
            self.at += operator.len();
        }
    }

    fn redirect(&mut self, mode: Mode, is_stdin: bool, target: Word) {
        let is_number = target.literal().is_some_and(|text| {
            text == "-" || text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit())
        });
        let mode = if mode == Mode::Duplicate && !is_number { Mode::Write } else { mode };
        let whose = self.target();
        if is_stdin && matches!(mode, Mode::Read | Mode::ReadWrite) {
            self.feed(&whose, &Stdin::File);
        }
        if let Target::Command(index) = whose {
            self.found.commands[index].redirects.push(Redirect { mode, target });
        }
    }

    fn target(&mut self) -> Target {
        match self.level.expect {
            Expect::Start => Target::Command(self.begin()),
            Expect::Arguments(index) => Target::Command(index),
            Expect::Closed(first) => Target::Group(first..self.found.commands.len()),
            _ => {
                self.trouble(Why::Syntax);
                Target::Nobody
            }
        }
    }

    pub(crate) fn feed(&mut self, target: &Target, stdin: &Stdin) {
        match target {
            Target::Command(index) => self.found.commands[*index].stdin = stdin.clone(),
            Target::Group(range) => {
                for command in &mut self.found.commands[range.clone()] {
                    if command.stdin == Stdin::Inherited {
                        command.stdin = stdin.clone();
                    }
                }
            }
            Target::Nobody => {}
        }
    }
}

fn opens_a_group(word: &str) -> bool {
    matches!(word, "{" | "if" | "while" | "until" | "for" | "select" | "case" | "[[" | "!")
}

fn continues_a_group(word: &str) -> bool {
    matches!(word, "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "{")
}

fn is_descriptor(word: &str) -> bool {
    let is_variable = word.starts_with('{') && word.ends_with('}') && word.len() > 2;
    is_variable || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `name=`, `name+=` and `name[...]=`, given the length of the name.
fn is_assignment(source: &str, name: usize) -> bool {
    let Some((name, rest)) = source.split_at_checked(name) else { return false };
    let starts = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    let has_subscript = rest.starts_with('[')
        && rest.find(']').is_some_and(|end| rest[end + 1..].starts_with(['=', '+']));
    starts && (rest.starts_with('=') || rest.starts_with("+=") || has_subscript)
}

fn after_equals(text: &str) -> String {
    text.split_once('=').map_or(text, |(_, value)| value).to_owned()
}
