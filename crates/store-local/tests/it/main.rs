//! The log on disk, from outside.

mod conformance;
