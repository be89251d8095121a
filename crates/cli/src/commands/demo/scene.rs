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
    /// One JSON payload per line. The payloads of a paragraph are sent at the same time, the paragraphs in order.
    pub(super) payloads: &'static str,
    /// The person's settings during the calls; empty for the defaults.
    pub(super) settings: Settings,
    /// The agent's change of the project. A denied call has no effect.
    pub(super) effect: Option<Effect>,
    /// The expected answers, in order. Any other answer is shown as a broken promise.
    pub(super) expected: &'static [AnswerKind],
    /// The part of the calls that a scene of [`Shows::Exchange`] has lines for.
    pub(super) visible: Visible,
    /// A result to show if verger stayed silent as expected.
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

    /// Only the answers have lines.
    pub(super) const fn answers_only(self) -> Self {
        Self { visible: Visible::Answers, ..self }
    }

    /// The calls only prepare the scene: expected answers have no lines.
    pub(super) const fn setup(self) -> Self {
        Self { visible: Visible::Setup, ..self }
    }

    pub(super) const fn result(self, result: &'static str) -> Self {
        Self { result: Some(result), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    /// The agent's actions and verger's answers.
    Exchange,
    Answers,
    /// Only the result, and answers that are not expected.
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
    /// The agent is given text.
    Given,
    /// The person is told something. Shown only where it is expected.
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

/// A verger command, and the line of its output that is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command {
    /// `$TOKEN` is the last token of a reviewer, and `$LEARNING` the last learning that a session was given.
    pub(super) words: &'static [&'static str],
    pub(super) input: &'static str,
    pub(super) speaker: Speaker,
    /// Stands before the shown line.
    pub(super) head: &'static str,
    /// The shown line begins with this, or with a learning's id for `$LEARNING`.
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
    /// No label.
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
    /// Restores the destroyed work.
    Undo,
    /// Is the file still there that the agent wanted to remove?
    StillThere,
    /// Is the secret in any of verger's files?
    Secret,
    /// The explanation of the last stop.
    Why,
    /// The statistics of learnings.
    Statistics,
    /// Is every record as it was written?
    Log,
    /// Is a changed byte of the log found?
    Damage,
}
