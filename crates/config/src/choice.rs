//! Values of settings that are one of a few words.

use serde_json::Value as Json;
use toml::de::DeValue;
use verger_event::{BackendKind, GuardMode, TicketSystem, VerificationDepth};
use verger_gate::verification::Requirement;
use verger_gate::{delegation, drift, habits, learning, review, verification};
use verger_memory::BackendSource;
use verger_memory::ranking::Strategy;

use crate::nearest::nearest;
use crate::value::{Found, Given, Value, kind_of};

/// A type of values that are each written as one word.
pub(crate) trait Choice: Copy + PartialEq + 'static {
    /// All values that a user may choose, the least strict first.
    const ALL: &'static [Self];

    /// The word that a user writes to choose the value.
    fn word(self) -> &'static str;

    /// The words of all values.
    fn words() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|choice| choice.word())
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
        let known = Self::ALL.iter().find(|choice| choice.word() == text);
        known.map(|choice| Some(*choice)).ok_or_else(|| Found {
            what: "other text".to_owned(),
            nearest: nearest(text, Self::words()),
        })
    }

    fn expected((): &()) -> String {
        let words: Vec<String> = Self::words().map(|word| format!("{word:?}")).collect();
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

/// Implements [`Choice`] with a word for each variant of an enum.
macro_rules! words {
    ($( $Choice:ty { $( $Variant:ident = $word:literal, )* } )*) => {$(
        impl Choice for $Choice {
            const ALL: &'static [Self] = &[$(Self::$Variant),*];

            fn word(self) -> &'static str {
                match self { $( Self::$Variant => $word, )* }
            }
        }
    )*};
}

words! {
    BackendSource { Config = "config", TotalRecall = "total-recall", Markdown = "markdown", }
    review::Mode { Never = "never", Prompt = "prompt", Always = "always", }
    review::Scope { Session = "session", Prompt = "prompt", Tool = "tool", }
    review::OnUnavailable { Release = "release", Block = "block", }
    delegation::Mode { Off = "off", Warn = "warn", Enforce = "enforce", }
    delegation::Role {
        Musician = "musician",
        SectionLeader = "section_leader",
        Conductor = "conductor",
    }
    drift::Mode { Off = "off", Observe = "observe", Correct = "correct", }
    habits::Mode { Off = "off", Advise = "advise", Rewrite = "rewrite", Deny = "deny", }
    learning::Mode { Off = "off", On = "on", }
    learning::Small { Passes = "always", IsAskedOnce = "agent", Counts = "never", }
    verification::Mode { Off = "off", Observe = "observe", Claims = "claims", Always = "always", }
    Strategy { Conservative = "conservative", Moderate = "moderate", Aggressive = "aggressive", }
}

/// Implements [`Choice`] for enums that already have a word for each variant.
macro_rules! known_words {
    ($($Choice:ty),*) => {$(
        impl Choice for $Choice {
            const ALL: &'static [Self] = &Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )*};
}

known_words!(GuardMode, Requirement, TicketSystem, VerificationDepth);

/// A user chooses only from the backends that a project can have.
impl Choice for BackendKind {
    const ALL: &'static [Self] = &[Self::TotalRecall, Self::Markdown];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// The mode of a habit whose calls verger can't rewrite. It can be every mode except `rewrite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlainHabitMode(pub habits::Mode);

impl PlainHabitMode {
    pub(crate) const OFF: Self = Self(habits::Mode::Off);
}

impl Choice for PlainHabitMode {
    const ALL: &'static [Self] = &[Self::OFF, Self(habits::Mode::Advise), Self(habits::Mode::Deny)];

    fn word(self) -> &'static str {
        self.0.word()
    }
}
