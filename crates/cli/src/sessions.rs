//! Chooses sessions and events, and explains the records about them.

pub(crate) mod entry_json;
pub(crate) mod entry_text;
pub(crate) mod event_picker;
pub(crate) mod event_summary;
pub(crate) mod explanation;
pub(crate) mod gated;
pub(crate) mod log_check;
pub(crate) mod needs_you;
pub(crate) mod picker;
pub(crate) mod recent;
pub(crate) mod task_search;
pub(crate) mod verdict_sentence;
