//! The drift of a session, as text and as JSON.

pub(crate) mod story;
pub(crate) mod text;
