//! Keys whose value is one word of a few.

use serde_json::Value as Json;
use toml::de::DeValue;

use crate::nearest::nearest;
use crate::value::{Found, Given, Value, kind_of};

/// A choice between words. The table is in the order of the enum, the loosest choice first.
pub(crate) trait Choice: Copy + Ord + 'static {
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, choice)| *choice == self).map_or("", |(word, _)| word)
    }
}

impl<T: Choice> Value for T {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let text = match given {
            Given::Toml(DeValue::String(text)) => text.as_ref(),
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => text,
        };
        let known = Self::WORDS.iter().find(|(word, _)| *word == text);
        known.map(|(_, choice)| Some(*choice)).ok_or_else(|| Found {
            what: "other text".to_owned(),
            nearest: nearest(text, Self::WORDS.iter().map(|(word, _)| *word)),
        })
    }

    fn expected((): &()) -> String {
        let words: Vec<String> = Self::WORDS.iter().map(|(word, _)| format!("{word:?}")).collect();
        match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    fn to_json(&self) -> Json {
        self.word().into()
    }
}

/// An enum with the word of each variant.
macro_rules! choices {
    ($(
        $(#[doc = $doc:literal])*
        $Choice:ident { $( $(#[doc = $variant_doc:literal])* $Variant:ident = $word:literal, )* }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Choice { $( $(#[doc = $variant_doc])* $Variant, )* }

        impl Choice for $Choice {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$Variant)),*];
        }

        impl std::fmt::Display for $Choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    )*};
}

choices! {
    /// Which tasks need a review.
    ReviewMode {
        Never = "never",
        /// Those whose prompt begins with a trigger.
        Prompt = "prompt",
        Always = "always",
    }
    /// How long an approval counts for gated tools.
    ReviewScope {
        Session = "session",
        /// Until a person's next prompt or a change.
        Prompt = "prompt",
        /// For one call.
        Tool = "tool",
    }
    /// What becomes of the gate when no reviewer could decide.
    OnUnavailable {
        Release = "release",
        Block = "block",
    }
    /// What the guard does with its judgement of an agent's call.
    GuardMode {
        Off = "off",
        /// Records it.
        Observe = "observe",
        /// Answers with it.
        Enforce = "enforce",
    }
    /// What becomes of work that an agent should delegate.
    DelegationMode {
        Off = "off",
        /// The agent is reminded.
        Warn = "warn",
        /// It is stopped.
        Enforce = "enforce",
    }
    /// The reaction to a broken limit or a circle.
    DriftMode {
        Off = "off",
        /// It is scored, and the record says so.
        Observe = "observe",
        /// It is told, and held when it does not go back.
        Correct = "correct",
    }
    /// What a main agent is there for.
    AgentRole {
        /// It works.
        Musician = "musician",
        /// It leads musicians, and writes plans and documents.
        SectionLeader = "section_leader",
        /// It plans, and delegates the work.
        Conductor = "conductor",
    }
    /// What becomes of a call that shows a habit.
    HabitMode {
        Off = "off",
        /// The agent is told once.
        Advise = "advise",
        /// The call is denied.
        Deny = "deny",
    }
    /// The same, for a habit without which a call can go on.
    RewritableHabitMode {
        Off = "off",
        /// The agent is told once.
        Advise = "advise",
        /// The call is changed.
        Rewrite = "rewrite",
        /// The call is denied.
        Deny = "deny",
    }
    /// Whether a closed ticket asks for a reflection.
    LearningMode {
        Off = "off",
        On = "on",
    }
    /// Who decides that a small change needs no reflection.
    SkipDecider {
        /// It never needs one.
        Always = "always",
        /// The agent, which is asked once.
        Agent = "agent",
        /// Nobody: it always needs one.
        Never = "never",
    }
    /// What tells that a piece of work is done.
    TicketSystem {
        Tissue = "tissue",
        Beads = "beads",
        /// The agent's own to-do list.
        Tasks = "tasks",
        /// No system: the session itself.
        Session = "session",
    }
    /// How the place that keeps learnings is found.
    BackendSource {
        /// `backends.choice` names it.
        Config = "config",
        TotalRecall = "total-recall",
        Markdown = "markdown",
    }
    /// A place that keeps learnings.
    BackendChoice {
        TotalRecall = "total-recall",
        Markdown = "markdown",
    }
    /// When work has to be verified before an agent stops.
    VerificationMode {
        Off = "off",
        /// When it is said to be done, or after a failure that nothing resolved.
        Claims = "claims",
        /// Whenever a task changed something.
        Always = "always",
    }
    /// How deep a verification looks.
    VerificationProfile {
        Quick = "quick",
        Standard = "standard",
        Deep = "deep",
    }
    /// What must be well before work counts as done.
    VerificationRequirement {
        Acceptance = "acceptance",
        Tests = "tests",
        /// No test fails that did not fail in the last green verification.
        NoRegressions = "no_regressions",
        OpenTasks = "open_tasks",
        Committed = "committed",
        Review = "review",
    }
    /// How much has to speak for a learning before it is shown.
    RecallStrategy {
        Conservative = "conservative",
        Moderate = "moderate",
        Aggressive = "aggressive",
    }
}
