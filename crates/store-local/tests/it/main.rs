//! Tests of the log on disk through the crate's public interface.
#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

mod access;
mod beside;
mod blob;
mod cleaning;
mod conformance;
mod damage;
mod death;
mod drift_tables;
mod follow;
mod index;
mod processes;
mod project;
mod project_fold;
mod random_walk;
mod sandbox;
mod snapshot;
mod snapshotted;
mod spill;
