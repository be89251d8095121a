//! The only crate that runs git. For now: facts about a working tree.
