//! Tests that the log on disk has the properties of every store.
#![cfg(feature = "follow")]

use verger_store::Options;
use verger_store_local::LocalStore;

fn fresh() -> (LocalStore, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let store = LocalStore::open(&directory.path().join("data"), Options::default()).unwrap();
    (store, directory)
}

verger_store::conformance_tests!(fresh());
