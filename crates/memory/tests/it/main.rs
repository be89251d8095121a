//! The crate against what is outside of it: git, and judgements of people.

mod git_merge;
