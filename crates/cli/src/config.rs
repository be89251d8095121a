//! Settings as commands show and change them, and the files that contain them.

pub(crate) mod capability;
pub(crate) mod setting_text;
pub(crate) mod trust_file;
pub(crate) mod user_file;
