//! Output for people and programs: streams, tables, wrapped text, times, progress.

pub(crate) mod first_and_last;
pub(crate) mod grid;
pub(crate) mod listing;
pub(crate) mod mask_tokens;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod short_ids;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod wrap;
