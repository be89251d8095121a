//! Splits text into words: the tokeniser, stemmer and stop word list of search, learnings and
//! drift.
//!
//! [`words`] gives the stems of a text's words; [`identifiers`] gives the parts of a text that come
//! from code. Both read English and other scripts with spaces, Japanese, Chinese and Korean. Every
//! function is pure and takes time proportional to the text's length.
#![warn(missing_docs)]

mod common_words;
mod identifiers;
mod irregular;
mod letter_width;
mod runs;
mod stem;
mod stop_words;
mod words;

pub use common_words::is_common_stem;
pub use identifiers::{identifier_parts, identifiers, is_identifier};
pub use letter_width::in_usual_width;
pub use runs::{Run, Runs, Script, runs};
pub use stem::stem;
pub use stop_words::is_stop_word;
pub use words::{Word, words};
