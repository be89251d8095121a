//! Macros that declare vocabularies: enums whose values are stored as words.

/// The error for a word that is not in the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{noun} is {}, not {word:?}", listed(.known))]
pub struct UnknownWord {
    word: String,
    noun: &'static str,
    known: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) fn new(word: &str, noun: &'static str, known: &'static [&'static str]) -> Self {
        Self { word: word.to_owned(), noun, known }
    }
}

fn listed(known: &[&str]) -> String {
    match known {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => known.concat(),
    }
}

/// Declares enums whose words only verger writes. A record with an unknown word becomes an unknown
/// event.
macro_rules! closed_words {
    ($(
        $(#[$doc:meta])*
        $name:ident, $noun:literal { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$word_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            const WORDS: &[&str] = &[$($word),*];
            /// All values, in the order of their declaration.
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$variant),*];

            /// The word in records, settings and answers.
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let known = Self::ALL.into_iter().find(|known| known.as_str() == word);
                known.ok_or_else(|| $crate::UnknownWord::new(word, $noun, Self::WORDS))
            }
        }
    )*};
}

/// Declares enums whose words clients send. An unknown word is stored unchanged.
macro_rules! open_words {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
        pub enum $name {
            $($(#[$word_doc])* $variant,)*
            /// Another word.
            Other(String),
        }

        impl $name {
            /// The client's word.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $($word => Self::$variant,)*
                    _ => Self::Other(word),
                }
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> Self {
                match word {
                    $name::Other(word) => word,
                    known => known.as_str().to_owned(),
                }
            }
        }
    )*};
}

pub(crate) use {closed_words, open_words};

#[cfg(test)]
mod tests {
    use crate::{CompactionTrigger, VerificationDepth};

    #[test]
    fn an_unknown_word_is_refused_with_the_known_ones() {
        let bad = "thorough".parse::<VerificationDepth>().map_err(|bad| bad.to_string());
        assert_eq!(bad, Err("a depth is quick, standard or deep, not \"thorough\"".to_owned()));
        for depth in VerificationDepth::ALL {
            assert_eq!(depth.as_str().parse(), Ok(depth));
        }
    }

    #[test]
    fn an_unknown_word_of_a_client_is_kept() {
        for word in ["manual", "auto", "moon"] {
            assert_eq!(String::from(CompactionTrigger::from(word.to_owned())), word);
        }
    }
}
