//! The part of the parser's state that is about commands: the meaning of the next word, and the
//! open groups.

use crate::parser::Parser;
use crate::parser::redirect::{Pending, Role};
use crate::parser::word::WordBuilder;
use crate::script::{Run, Shape, Stdin, When, Why};

const MAX_GROUPS: usize = 256;

/// The state of one nesting level of commands. Each substitution has its own level.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) expect: Expect,
    pub(super) groups: Vec<Group>,
    pub(super) word: Option<WordBuilder>,
    pub(super) role: Role,
    pub(super) pending: Vec<Pending>,
    /// The default input of the next command, or of the group that was just closed.
    pub(super) feed: Stdin,
    /// The shell of the next command, and whether the command runs.
    pub(super) run: Run,
    /// The default input of all commands on the level.
    base: Stdin,
    /// The shell of the level's commands outside of groups, and whether they run.
    base_run: Run,
}

impl Level {
    /// A new level. Its commands read `feed` by default, and run as `run` says.
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

/// The meaning that the next word has for the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// The first word of a command, or a keyword.
    Start,
    /// An argument of the command with this index.
    Arguments(usize),
    /// No word is expected, because a group was just closed. Redirects may follow. The index is
    /// that of the group's first command.
    Closed(usize),
    /// A word between `[[` and `]]`.
    Condition(usize),
    CaseWord,
    CaseIn,
    CasePattern,
    ForName,
    /// `in`, or the body of the loop. The index is the loop's position in `Found::loops`.
    ForIn(usize),
    ForWords(usize),
    FunctionName,
}

/// An open group, such as the commands between `if` and `fi`, or between brackets.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    first: usize,
    feed: Stdin,
    /// The shell of the group as a whole, and whether the group runs.
    run: Run,
    /// The shell of the group's next commands, and whether they run.
    inside: Run,
    /// Whether the commands after an inner keyword such as `then` or `do` always run.
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

    /// Handles a keyword in the middle of a group, such as `then` or `do`.
    pub(super) fn inside(&mut self, kind: GroupKind) {
        self.check_inside(kind);
        if let Some(group) = self.level.groups.last_mut() {
            group.inside.when = group.body;
        }
        self.end_command();
    }

    /// Marks the group that was just opened as a `for` loop. Its body runs whenever the loop runs.
    pub(super) fn runs_for_words(&mut self) {
        if let Some(group) = self.level.groups.last_mut() {
            group.body = group.run.when;
        }
    }

    /// Marks the following commands as conditional: they may or may not run.
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
