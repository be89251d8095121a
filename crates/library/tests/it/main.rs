//! Real files and real programs.

mod tickets;
