//! The verger program: one file per command.
fn main() {}
