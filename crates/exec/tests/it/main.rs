//! Real programs, run within limits.

mod limits;
mod stop;
