//! A project's learnings: finding, reflecting, statistics and the learning gate.

pub(crate) mod filter;
pub(crate) mod gate_step;
pub(crate) mod ids;
pub(crate) mod known;
pub(crate) mod offers;
pub(crate) mod persons_prompts;
pub(crate) mod project;
pub(crate) mod reflection;
pub(crate) mod reflection_text;
pub(crate) mod search;
pub(crate) mod stats;
pub(crate) mod text;
