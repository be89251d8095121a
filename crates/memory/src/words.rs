//! The closed vocabularies of a learning, and their spelling.
//!
//! Agents and people write these words by hand, so case doesn't matter and `-` counts as `_`.

/// A word that isn't in a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a known {vocabulary}; use one of {}", known.join(", "))]
pub struct UnknownWord {
    /// The word.
    pub word: String,
    /// The name of the vocabulary.
    pub vocabulary: &'static str,
    /// The words of the vocabulary.
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
            /// All values, in the order in which people see them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            /// The words of [`Self::ALL`], in the same order.
            pub const WORDS: &[&str] = &[$($word,)*];

            /// The word for the value.
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
        /// A convention of this project.
        Convention = "convention",
        /// A fact about a library, an API or another system.
        Dependency = "dependency",
        /// A better way to work.
        Process = "process",
        /// A requirement of the program's subject.
        Domain = "domain",
        /// A way to find out what is wrong.
        Debugging = "debugging",
    }

    /// The audience of a learning, which decides where it is stored.
    Scope, "scope" {
        /// Everybody who works on this project.
        Project = "project",
        /// The team, in this project and others.
        Team = "team",
        /// One person, outside of the project.
        Personal = "personal",
        /// The next days.
        Ephemeral = "ephemeral",
    }

    /// The confidence that a learning is what it claims to be.
    Confidence, "confidence" {
        /// The text supports all of its claims.
        High = "high",
        /// The text supports some of its claims.
        Medium = "medium",
        /// The text supports none of its claims, which may still be true.
        Low = "low",
    }

    /// The reasons to keep a learning.
    Criterion, "criterion" {
        /// The learning would change behavior next time.
        BehaviorChanging = "behavior_changing",
        /// The learning says why one thing was chosen over another.
        DecisionRationale = "decision_rationale",
        /// The learning will matter in later sessions.
        StableFact = "stable_fact",
        /// A person asked to remember it.
        ExplicitRequest = "explicit_request",
    }

    /// The agent, person or rule that decided that there is nothing to reflect on.
    SkippedBy, "decider" {
        /// The rule for small changes.
        Auto = "auto",
        /// The agent.
        Agent = "agent",
        /// A person.
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
