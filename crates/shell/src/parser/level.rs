//! The parser's state for commands: the meaning of the next word, and the open groups.

use crate::parser::Parser;
use crate::parser::redirect::{Pending, Role};
use crate::parser::word::WordBuilder;
use crate::script::{Run, Shape, Stdin, When, Why};

const MAX_GROUPS: usize = 256;

/// The state of one nesting level. Each substitution has its own.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) expect: Expect,
    pub(super) groups: Vec<Group>,
    pub(super) word: Option<WordBuilder>,
    pub(super) role: Role,
    pub(super) pending: Vec<Pending>,
    /// The default input of the next command, or of the group that was just closed.
    pub(super) feed: Stdin,
    /// How the next command runs.
    pub(super) run: Run,
    /// The input of the level itself.
    base: Stdin,
    /// How the level itself runs.
    base_run: Run,
}

impl Level {
    /// A level with this input, which its commands read by default.
    pub(super) fn reading(feed: Stdin, run: Run) -> Self {
        Self {
            expect: Expect::Start,
            groups: Vec::new(),
            word: None,
            role: Role::Plain,
            pending: Vec::new(),
            base: feed.clone(),
            feed,
            run,
            base_run: run,
        }
    }
}

/// The meaning of the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
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
    /// `in`, or the body, of a loop. The index is the loop's position in `Found::loops`.
    ForIn(usize),
    ForWords(usize),
    FunctionName,
}

/// An open group, such as the part between `if` and `fi`, or between brackets.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    first: usize,
    feed: Stdin,
    /// How the group runs as a whole.
    run: Run,
    /// How the group's next commands run.
    inside: Run,
    /// Whether commands after an inner keyword (`then`, `do`) always run.
    body: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    Parenthesis,
    Brace,
    If,
    Loop,
    Case,
}

impl Parser<'_> {
    pub(super) fn open(&mut self, kind: GroupKind) {
        if self.level.groups.len() >= MAX_GROUPS {
            return self.stop(Why::TooDeep);
        }
        self.found.shape = Shape::Compound;
        let (first, feed) = (self.found.commands.len(), self.level.feed.clone());
        let run = self.level.run;
        let (inside, body) = match kind {
            GroupKind::Parenthesis => (self.found.started_by(run), run.when),
            GroupKind::Brace => (run, run.when),
            GroupKind::If | GroupKind::Loop => (run, When::Perhaps),
            GroupKind::Case => (Run { when: When::Perhaps, ..run }, When::Perhaps),
        };
        self.level.groups.push(Group { kind, first, feed, run, inside, body });
        self.level.expect = Expect::Start;
        self.level.run = inside;
    }

    pub(super) fn close(&mut self, kind: GroupKind) {
        self.check_inside(kind);
        let Some(open) = self.level.groups.iter().rposition(|group| group.kind == kind) else {
            return self.end_command();
        };
        if let Some(group) = self.level.groups.drain(open..).next() {
            self.level.expect = Expect::Closed(group.first);
            self.level.feed = group.feed;
            self.level.run = group.run;
        }
    }

    pub(super) fn has_open(&self, kind: GroupKind) -> bool {
        self.level.groups.iter().any(|group| group.kind == kind)
    }

    /// Reads a keyword in the middle of a group: `then`, `do`.
    pub(super) fn inside(&mut self, kind: GroupKind) {
        self.check_inside(kind);
        if let Some(group) = self.level.groups.last_mut() {
            group.inside.when = group.body;
        }
        self.end_command();
    }

    /// Marks the group that was just opened as one that runs once for each word of the loop.
    pub(super) fn runs_for_words(&mut self) {
        if let Some(group) = self.level.groups.last_mut() {
            group.body = group.run.when;
        }
    }

    /// Marks the following commands as conditional: they may not run.
    pub(super) fn perhaps(&mut self) {
        self.level.run.when = When::Perhaps;
    }

    pub(super) fn check_inside(&mut self, kind: GroupKind) {
        if self.level.groups.last().is_none_or(|group| group.kind != kind) {
            self.trouble(Why::Syntax);
        }
    }

    pub(super) fn pipe(&mut self, from: Option<usize>) {
        self.level.expect = Expect::Start;
        self.level.feed = Stdin::Pipe(from);
    }

    /// Ends a command whose output is not piped into the next command.
    pub(super) fn end_command(&mut self) {
        self.level.expect = Expect::Start;
        let group = self.level.groups.last().map(|group| &group.feed);
        self.level.feed = group.unwrap_or(&self.level.base).clone();
        let group = self.level.groups.last().map(|group| group.inside);
        self.level.run = group.unwrap_or(self.level.base_run);
    }

    pub(super) fn end_level(&mut self) {
        self.end_word();
        self.end_redirect();
        if !self.level.groups.is_empty() || !self.level.pending.is_empty() {
            self.trouble(Why::Syntax);
        }
    }
}
