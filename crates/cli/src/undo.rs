//! Lists and removes undo points, and plans restores.

pub(crate) mod leftovers;
pub(crate) mod point;
pub(crate) mod points;
