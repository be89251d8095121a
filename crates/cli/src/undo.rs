//! Undo points: listing them, planning a restore, removing them.

pub(crate) mod leftovers;
pub(crate) mod point;
pub(crate) mod points;
