//! The gates and guards, one module each. [`crate::registry`] lists them in the order in which they decide.

pub(crate) mod completion_marker;
pub(crate) mod delegation;
pub(crate) mod drift;
pub(crate) mod earlier_releases;
pub(crate) mod earlier_tasks;
pub(crate) mod guard;
pub(crate) mod habits;
pub(crate) mod hooks_off;
pub(crate) mod implicit_use;
pub(crate) mod learning;
pub(crate) mod no_tools;
pub(crate) mod own_commands;
pub(crate) mod own_programs;
pub(crate) mod patience;
pub(crate) mod recall;
pub(crate) mod review;
pub(crate) mod tool_patterns;
#[cfg(test)]
pub(crate) mod toy;
pub(crate) mod verification;
