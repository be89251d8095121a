//! The context of one run of `verger`, its permissions, its inputs and its errors.

pub(crate) mod ancestry;
pub(crate) mod authority;
pub(crate) mod command_error;
pub(crate) mod context;
pub(crate) mod deferred_to_hook;
pub(crate) mod point_in_time;
pub(crate) mod supervision;
pub(crate) mod text_input;
