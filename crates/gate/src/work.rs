//! The work of the task in hand: where it starts from, and which files tools touched.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use verger_event::StartTree;

/// How many touched files are remembered: they stand for the work only where git cannot.
const REMEMBERED_FILES: usize = 256;
/// The longest path that is remembered.
const MAX_PATH_BYTES: usize = 1024;

/// The work of the task in hand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// No tool that may change a file was requested yet.
    #[default]
    Untouched,
    /// It starts from a tree of the version control, in that crate's own form.
    Tree(serde_json::Value),
    /// There is no such tree.
    Files {
        /// Why.
        reason: String,
        /// The files that tools touched.
        touched: Touched,
    },
}

/// Files that tools touched, as far as they are remembered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Touched {
    /// Their paths, as the tools were given them.
    pub files: BTreeSet<String>,
    /// How many more there were.
    pub more: u64,
}

impl Work {
    pub(crate) fn start(&mut self, tree: &StartTree) {
        // The first one counts: parallel calls may both have found that there was none.
        if *self != Self::Untouched {
            return;
        }
        *self = match tree {
            StartTree::Tree(tree) => Self::Tree(tree.clone()),
            StartTree::Touched { reason } => {
                Self::Files { reason: reason.clone(), touched: Touched::default() }
            }
        };
    }

    pub(crate) fn touch(&mut self, path: &str) {
        let Self::Files { touched, .. } = self else { return };
        if touched.files.contains(path) {
            return;
        }
        if touched.files.len() < REMEMBERED_FILES && path.len() <= MAX_PATH_BYTES {
            touched.files.insert(path.to_owned());
        } else {
            touched.more = touched.more.saturating_add(1);
        }
    }
}
