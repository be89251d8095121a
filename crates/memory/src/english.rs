//! What is known of English: how words lose their endings, and which of them say nothing.

mod common_words;
mod stem;
mod stop_words;

pub(crate) use common_words::COMMON_WORDS;
pub use stem::stem;
pub use stop_words::is_stop_word;
