//! The closed vocabularies of a learning, and the spelling of their words.
//!
//! Agents and people write the words by hand, so case doesn't matter and `-` counts as `_`.

/// A word that isn't in a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a known {vocabulary}; use one of {}", known.join(", "))]
pub struct UnknownWord {
    /// The word that isn't in the vocabulary.
    pub word: String,
    /// The name of the vocabulary, such as `category`.
    pub vocabulary: &'static str,
    /// The words that the vocabulary has.
    pub known: &'static [&'static str],
}

macro_rules! vocabulary {
    ($(
        $(#[$doc:meta])*
        $name:ident, $vocabulary:literal { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$word_doc])* $variant,)*
        }

        impl $name {
            /// All values of the vocabulary, in the order in which people see them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            /// The words of [`Self::ALL`], in the same order.
            pub const WORDS: &[&str] = &[$($word,)*];

            /// The word that stands for the value.
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match position(Self::WORDS, text) {
                    Some(at) => Ok(Self::ALL[at]),
                    None => Err(UnknownWord {
                        word: text.to_owned(),
                        vocabulary: $vocabulary,
                        known: Self::WORDS,
                    }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

vocabulary! {
    /// The subject area of a learning.
    Category, "category" {
        /// A reusable pattern in code, or an approach to its architecture.
        Pattern = "pattern",
        /// A mistake that was made or nearly made, and its fix.
        Pitfall = "pitfall",
        /// A convention of the project.
        Convention = "convention",
        /// A fact about a library, an API or another system.
        Dependency = "dependency",
        /// A better way to work.
        Process = "process",
        /// A requirement from the field in which the program is used.
        Domain = "domain",
        /// A way to find the cause of a fault.
        Debugging = "debugging",
    }

    /// The audience of a learning. It decides where the learning is stored.
    Scope, "scope" {
        /// Everybody who works on the project.
        Project = "project",
        /// The team, in the project and in others.
        Team = "team",
        /// One person, in any project.
        Personal = "personal",
        /// Anyone who works on the project in the next days.
        Ephemeral = "ephemeral",
    }

    /// The confidence that a learning is what it claims to be.
    Confidence, "confidence" {
        /// The text supports all criteria that the learning claims.
        High = "high",
        /// The text supports some of the criteria that the learning claims.
        Medium = "medium",
        /// The text supports none of the criteria that the learning claims. They may still be true.
        Low = "low",
    }

    /// A reason to keep a learning.
    Criterion, "criterion" {
        /// The learning would change how an agent or person works next time.
        BehaviorChanging = "behavior_changing",
        /// The learning says why one thing was chosen over another.
        DecisionRationale = "decision_rationale",
        /// The learning will matter in later sessions.
        StableFact = "stable_fact",
        /// A person asked to remember the learning.
        ExplicitRequest = "explicit_request",
    }

    /// The agent, person or rule that decided that there is nothing to reflect on.
    SkippedBy, "decider" {
        /// The rule for changes that are too small for a reflection.
        Auto = "auto",
        /// The agent that did the work.
        Agent = "agent",
        /// A person skipped the reflection.
        Person = "person",
    }
}

fn position(words: &[&str], text: &str) -> Option<usize> {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
    words.iter().position(|word| word.bytes().eq(text.trim().bytes().map(plain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_in_any_spelling() {
        for criterion in Criterion::ALL {
            let word = criterion.as_str();
            let spellings = [
                word.to_owned(),
                word.to_uppercase(),
                word.replace('_', "-"),
                format!(" {word}\n"),
            ];
            for spelling in spellings {
                assert_eq!(spelling.parse(), Ok(*criterion), "{spelling:?}");
            }
        }
        assert_eq!(Category::ALL.len(), 7);
        for category in Category::ALL {
            assert_eq!(category.as_str().parse(), Ok(*category));
        }
    }

    #[test]
    fn an_unknown_word_is_told_with_the_known_ones() {
        let unknown = "stable fact".parse::<Confidence>().unwrap_err();
        assert_eq!(
            unknown.to_string(),
            r#""stable fact" is not a known confidence; use one of high, medium, low"#
        );
        for word in ["", "high_", "höch", "mediumm"] {
            assert_eq!(word.parse::<Confidence>().unwrap_err().word, word);
        }
    }
}
