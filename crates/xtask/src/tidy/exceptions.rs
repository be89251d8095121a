//! Exceptions: findings of checks that are accepted, each with a reason.

#[derive(Debug)]
pub(crate) struct Exception {
    pub(crate) check: &'static str,
    pub(crate) path: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "only people and a test read it"))]
    pub(crate) reason: &'static str,
}

pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: "agent-names",
        path: "crates/gate/src/permission/paths/own.rs",
        reason: "the files that no agent may write are known by their names, whichever agent is installed",
    },
    Exception {
        check: "agent-names",
        path: "crates/gate/src/permission/tables/cloud.rs",
        reason: "a program that deploys to a cloud has the name of an agent",
    },
    Exception {
        check: "client-words",
        path: "crates/drift/src/notes.rs",
        reason: "the verb of a line of the trace, `Read src/a.rs`",
    },
    Exception {
        check: "client-words",
        path: "crates/store-local/src/index/drift_rows.rs",
        reason: "the name of a column of the index",
    },
    Exception {
        check: "client-words",
        path: "crates/store-local/src/index/drift_tables.rs",
        reason: "the name of a column of the index",
    },
    Exception {
        check: "home-paths",
        path: "crates/gate/src/permission/paths/places.rs",
        reason: "a list of the directories of any system",
    },
    Exception {
        check: "home-paths",
        path: "crates/redact/corpus/dev/contexts.txt",
        reason: "ordinary lines as machines have them; the corpus does not change after the fact",
    },
    Exception {
        check: "home-paths",
        path: "crates/xtask/src/tidy/home_paths.rs",
        reason: "the check and its tests spell out what they look for",
    },
];
