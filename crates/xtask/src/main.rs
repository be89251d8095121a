//! Project chores: test, tidy, bench, soak, schemas.
fn main() {}
