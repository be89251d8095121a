//! The hook program: one event on standard input, one answer on standard output.
