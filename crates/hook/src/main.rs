//! The program that agents start on every event.
fn main() {}
