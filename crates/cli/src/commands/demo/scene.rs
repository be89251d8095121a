//! The types of a scene. The scenes themselves are in [`scenes`](super::scenes).

use verger_gate::verification::Status;

/// A part of the demo that shows one capability.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) title: &'static str,
    /// Sentences below the title; empty if the steps explain themselves.
    pub(super) story: &'static str,
    pub(super) steps: &'static [Step],
    pub(super) shows: Shows,
}

/// The content of a scene in text output. JSON output has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// The agent's actions and verger's answers.
    Exchange,
    /// The records that the scene added to the log, and verger's answers.
    Records,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Calls(Calls),
    /// The verification of the claimer's work, with its expected status.
    Check(Status),
    /// A verger command.
    Command(Command),
    /// A session of the agent's real program.
    RealSession,
    /// A check that the demo makes itself.
    Look(Look),
}

/// Calls of the hook by the agent's program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calls {
    /// One JSON payload per line. The payloads of a paragraph are sent at the same time, one
    /// paragraph after the other.
    pub(super) payloads: &'static str,
    /// The user's config file during the calls; empty for the defaults.
    pub(super) settings: Settings,
    /// The change that the agent's call makes to the project. A denied call makes none.
    pub(super) effect: Option<Effect>,
    /// The expected answers, in order. Any other answer is reported as not expected.
    pub(super) expected: &'static [AnswerKind],
    /// The part of the calls that text output shows in a scene of [`Shows::Exchange`].
    pub(super) visible: Visible,
    /// The result to show if verger gave no answer, as expected.
    pub(super) result: Option<&'static str>,
}

impl Calls {
    /// Calls that verger doesn't answer.
    pub(super) const fn new(payloads: &'static str) -> Self {
        Self {
            payloads,
            settings: "",
            effect: None,
            expected: &[],
            visible: Visible::Exchange,
            result: None,
        }
    }

    pub(super) const fn under(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    pub(super) const fn with(self, effect: Effect) -> Self {
        Self { effect: Some(effect), ..self }
    }

    pub(super) const fn answered(self, expected: &'static [AnswerKind]) -> Self {
        Self { expected, ..self }
    }

    /// Shows only the answers.
    pub(super) const fn answers_only(self) -> Self {
        Self { visible: Visible::Answers, ..self }
    }

    /// Marks calls that only prepare the scene. Their expected answers are not shown.
    pub(super) const fn setup(self) -> Self {
        Self { visible: Visible::Setup, ..self }
    }

    pub(super) const fn result(self, result: &'static str) -> Self {
        Self { result: Some(result), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    /// Shows the agent's actions and verger's answers.
    Exchange,
    Answers,
    /// Shows only the result and unexpected answers.
    Setup,
}

/// The text of a config file.
pub(super) type Settings = &'static str;

/// A kind of answer of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerKind {
    /// The agent may not stop.
    Refused,
    /// The tool call does not run.
    Denied,
    /// The tool call runs without a question to the person.
    Allowed,
    /// The agent gets text.
    Given,
    /// The person gets a message. It is shown only where the scene expects it.
    Told,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    Write(Edit),
    RemoveFolder(&'static str),
}

/// A file of the project and its new text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

/// A verger command, and the line of its output to show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command {
    /// The command's words. `$TOKEN` is the last token of a reviewer, and `$LEARNING` is the last
    /// learning that a session was given.
    pub(super) words: &'static [&'static str],
    pub(super) input: &'static str,
    pub(super) speaker: Speaker,
    /// The text before the shown line.
    pub(super) head: &'static str,
    /// The beginning of the output line to show. `$LEARNING` stands for a learning's id.
    pub(super) shown: &'static str,
}

/// The label of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Person,
    Agent,
    Reviewer,
    Verger,
    Result,
    /// The line has no label.
    Table,
}

impl Speaker {
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Person => "you",
            Self::Agent => "agent",
            Self::Reviewer => "reviewer",
            Self::Verger => "verger",
            Self::Result => "result",
            Self::Table => "",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Restores the file that the agent destroyed.
    Undo,
    /// Checks that the file that the agent tried to remove still exists.
    StillThere,
    /// Checks that none of verger's files contains the secret.
    Secret,
    /// Explains the last stop.
    Why,
    /// Shows the statistics of learnings.
    Statistics,
    /// Checks that every record is unchanged since it was written.
    Log,
    /// Checks that a changed byte of the log is detected.
    Damage,
}
