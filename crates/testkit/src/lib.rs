//! Test environment, scripted model upstream and the real coding agents.
