//! The vocabularies of events: enums whose values are stored as words.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::UnknownWord;
use crate::words::{closed_words, open_words};

closed_words! {
    /// How something went.
    Outcome, "an outcome" {
        /// As intended.
        Succeeded = "succeeded",
        /// Not as intended.
        Failed = "failed",
        /// A person stopped it.
        Interrupted = "interrupted",
    }

    /// How far a record reaches.
    Scope, "a scope" {
        /// Its session.
        Session = "session",
        /// Every session of the project.
        Project = "project",
        /// Every project of the user.
        User = "user",
        /// The team.
        Team = "team",
    }

    /// Whether a request to stop follows one that was refused.
    Continuation, "a continuation" {
        /// No stop was refused before it in this turn.
        First = "first",
        /// The agent went on because a stop was refused.
        AfterRefusal = "after_refusal",
    }

    /// How the guard is set.
    GuardMode, "a guard mode" {
        /// It judges no call, except calls on verger's own files.
        Off = "off",
        /// It records its judgements.
        Observe = "observe",
        /// It answers with its judgements.
        Enforce = "enforce",
    }

    /// The guard's judgement of a call, the weakest first.
    Triage, "a triage" {
        /// It only reads, or builds and tests the project in a worktree that the user trusts.
        Allow = "allow",
        /// No rule knows it: the client's own policy decides.
        Unknown = "unknown",
        /// Parts of it are destructive or hidden: a person should look.
        Risky = "risky",
        /// It destroys, runs code from afar, or gives secrets away.
        Deny = "deny",
    }

    /// The guard's answer to the agent's client.
    Sent, "an answer" {
        /// No answer: the client's own policy decides.
        Silence = "silence",
        /// The call may run.
        Allow = "allow",
        /// A person should be asked.
        Ask = "ask",
        /// The call must not run.
        Deny = "deny",
    }

    /// The cause of a gate's release.
    Releaser, "a releaser" {
        /// A person.
        Person = "person",
        /// The agent.
        Agent = "agent",
        /// The change is small.
        Auto = "auto",
        /// The agent stopped too often without progress.
        Breaker = "breaker",
        /// Too many stops in a row were refused, by any gates.
        Limit = "limit",
        /// The review could not be made.
        Unavailable = "unavailable",
        /// The project is not trusted: an agent without a person to ask cannot run its checks.
        Untrusted = "untrusted",
    }

    /// The way in which a person saw releases of unsatisfied gates.
    SeenBy, "who saw a release" {
        /// The client showed the releases when a session started. `verger status` still lists them.
        Notice = "notice",
        /// A person ran `verger status --seen`. `verger status` no longer lists the releases.
        Person = "person",
    }

    /// A reviewer's decision.
    ReviewDecision, "a decision" {
        /// The work is approved.
        Complete = "complete",
        /// Changes are wanted.
        Issues = "issues",
        /// The review could not be made: a crash, a quota, a time-out.
        Unavailable = "unavailable",
    }

    /// The result of a verification.
    VerificationStatus, "a verification status" {
        /// Every required check ran and passed.
        Green = "green",
        /// A required check failed.
        Red = "red",
        /// A required check did not run or did not end.
        Incomplete = "incomplete",
    }

    /// How deep a verification looks. Every depth runs lint, format, types and tests.
    VerificationDepth, "a depth" {
        /// A smaller set of tests, where `verification.quick_tests` names one.
        Quick = "quick",
        /// All tests.
        Standard = "standard",
        /// All tests and the project's acceptance commands.
        Deep = "deep",
    }

    /// Whether an undo point was made for its call.
    UndoPointAge, "an undo point's age" {
        /// It was made for this call.
        New = "new",
        /// An undo point made earlier has the same content.
        Earlier = "earlier",
    }

    /// The status of a recorded task.
    TaskStatus, "a task status" {
        /// It was finished.
        Complete = "complete",
        /// A part of it was done.
        Partial = "partial",
        /// It was given up.
        Abandoned = "abandoned",
        /// The agent said that it is finished, and no green verification shows it.
        Unverified = "unverified",
    }

    /// The cause of a task's end.
    TaskEnding, "a task ending" {
        /// The agent said that it is finished, and no gate held it.
        Complete = "complete",
        /// Other work began.
        LeftForOther = "other work",
        /// The session ended.
        SessionEnded = "session end",
        /// The session sent no more events.
        SessionLeft = "session left",
        /// The conversation was cleared.
        Cleared = "clear",
        /// The agent said that it is finished, and no green verification shows it.
        Unverified = "unverified",
    }

    /// The reason for which a handoff was written.
    HandoffTrigger, "a handoff trigger" {
        /// The agent is about to compact the conversation.
        Compaction = "the conversation was compacted",
        /// The session ended.
        SessionEnd = "the session ended",
    }

    /// Where a project keeps its tickets, in the order of the search.
    TicketSystem, "a ticket system" {
        /// Files in `.tissue/`, and the program `tissue`.
        Tissue = "tissue",
        /// A database in `.beads/`, and the program `bd`.
        Beads = "beads",
        /// The agent's own list of tasks.
        Tasks = "tasks",
        /// No tickets: the session itself is the piece of work.
        Session = "session",
    }

    /// An observed change of a ticket.
    TicketChange, "a ticket change" {
        /// It is being worked on.
        Found = "found",
        /// A command that closes it was requested.
        CloseRequested = "close_requested",
        /// That command succeeded.
        Closed = "closed",
        /// That command failed.
        CloseFailed = "close_failed",
    }

    /// A part of verger that can fail.
    VergerPart, "a part of verger" {
        /// The settings.
        Config = "config",
        /// The drift gate.
        Drift = "drift",
        /// The records of a session, where a part of them is lost.
        Evidence = "evidence",
        /// The decision of all gates.
        Gates = "gates",
        /// The user's rules for the guard.
        GuardRules = "guard rules",
        /// The habits guard.
        Habits = "habits",
        /// The learning gate.
        LearningGate = "learning gate",
        /// The search for learnings and earlier tasks.
        Recall = "recall",
        /// The review gate.
        ReviewGate = "review gate",
        /// Commands that the agent's sandbox deferred.
        Sandbox = "sandbox",
        /// The statistics of learnings.
        Statistics = "statistics",
        /// The log.
        Store = "store",
        /// The template of a message.
        Template = "template",
        /// The search for tickets.
        Tickets = "tickets",
        /// The undo points.
        UndoPoints = "undo points",
        /// The daily upkeep of learnings.
        Upkeep = "upkeep of learnings",
        /// The verification gate.
        VerificationGate = "verification gate",
    }

    /// A place that keeps learnings.
    BackendKind, "a backend" {
        /// The project's own file.
        Markdown = "markdown",
        /// The daily logs and registers of Total Recall.
        TotalRecall = "total-recall",
        /// A person's file, outside of any project.
        Personal = "personal",
        /// The memory of the running program only.
        InMemory = "in-memory",
        /// No place: the learning was discarded.
        Nowhere = "nowhere",
    }

    /// The fate of a learning.
    Fate, "a fate" {
        /// The agent referred to it.
        Referenced = "referenced",
        /// The session it was shown to ended without a reference to it.
        Dismissed = "dismissed",
        /// A newer learning took its place.
        Corrected = "corrected",
        /// It was moved to the archive.
        Archived = "archived",
        /// It was taken out of the archive.
        Restored = "restored",
    }

    /// How a reference to a learning was noticed.
    Reference, "a reference" {
        /// The agent said so.
        Explicit = "explicit",
        /// A reflection named it.
        Reflection = "reflection",
        /// The agent's text or edit uses it.
        Implicit = "implicit",
    }
}

/// A record that was stored without a scope has the scope of its session.
impl Default for Scope {
    fn default() -> Self {
        Self::Session
    }
}

impl VerificationDepth {
    /// The next deeper depth. For the deepest depth, returns that depth.
    #[must_use]
    pub fn deeper(self) -> Self {
        match self {
            Self::Quick => Self::Standard,
            Self::Standard | Self::Deep => Self::Deep,
        }
    }
}

impl TaskEnding {
    /// The status of a task that ended in this way.
    pub fn status(self) -> TaskStatus {
        match self {
            Self::Complete => TaskStatus::Complete,
            Self::SessionEnded | Self::SessionLeft => TaskStatus::Partial,
            Self::LeftForOther | Self::Cleared => TaskStatus::Abandoned,
            Self::Unverified => TaskStatus::Unverified,
        }
    }
}

open_words! {
    /// The cause of a session's start.
    StartSource {
        /// A new session.
        Startup = "startup",
        /// An old one, continued. Some clients also send it for a fork.
        Resume = "resume",
        /// A copy of an old one, with a new session id.
        Fork = "fork",
        /// The conversation was cleared; the session id is new.
        Clear = "clear",
        /// The conversation was compacted; the session id stays.
        Compact = "compact",
    }

    /// Why a session ended. Headless runs send `other`.
    EndReason {
        /// The conversation was cleared; another session follows.
        Clear = "clear",
        /// The person logged out.
        Logout = "logout",
        /// The person left the prompt.
        PromptInputExit = "prompt_input_exit",
    }

    /// The trigger of the agent's set-up.
    SetupTrigger {
        /// The start of a new project.
        Init = "init",
        /// A request for maintenance.
        Maintenance = "maintenance",
    }

    /// The trigger of a summary.
    CompactionTrigger {
        /// The person.
        Manual = "manual",
        /// The agent's program.
        Auto = "auto",
    }

    /// The kind of a background task.
    BackgroundKind {
        /// A shell command.
        Shell = "shell",
        /// A subagent.
        Subagent = "subagent",
    }

    /// The status of a background task.
    BackgroundStatus {
        /// It runs.
        Running = "running",
        /// It ended without an error.
        Completed = "completed",
        /// It ended with an error.
        Failed = "failed",
        /// It was stopped.
        Killed = "killed",
    }

    /// The status of an item on the agent's own to-do list.
    TodoStatus {
        /// Not begun.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in_progress",
        /// Done.
        Completed = "completed",
        /// Taken off the list.
        Deleted = "deleted",
    }
}

/// The subject of a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
pub enum WarningArea {
    /// A part of verger.
    Part(VergerPart),
    /// A call of the hook for this event of the client.
    Hook(String),
}

impl fmt::Display for WarningArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => part.fmt(f),
            Self::Hook(event) => write!(f, "hook {event}"),
        }
    }
}

impl From<VergerPart> for WarningArea {
    fn from(part: VergerPart) -> Self {
        Self::Part(part)
    }
}

impl TryFrom<String> for WarningArea {
    type Error = UnknownWord;

    fn try_from(area: String) -> Result<Self, UnknownWord> {
        match area.strip_prefix("hook ") {
            Some(event) => Ok(Self::Hook(event.to_owned())),
            None => area.parse().map(Self::Part),
        }
    }
}

impl From<WarningArea> for String {
    fn from(area: WarningArea) -> Self {
        area.to_string()
    }
}
