//! An undo point as commands show it: either in a repository, or as a copy of files.

use std::path::Path;

use serde_json::{Value, json};
use verger_event::{EventId, Timestamp};
use verger_worktree::undo::{Copy, LeftOut, Point};

use crate::render::output::count;
use crate::render::time::age;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UndoPoint {
    InRepository(Point),
    Copied(Copy),
}

impl UndoPoint {
    pub(crate) fn id(&self) -> EventId {
        match self {
            Self::InRepository(point) => point.id,
            Self::Copied(copy) => copy.id,
        }
    }

    /// The working tree, or the directory in which the agent worked.
    pub(crate) fn root(&self) -> &Path {
        match self {
            Self::InRepository(point) => &point.root,
            Self::Copied(copy) => &copy.root,
        }
    }

    pub(crate) fn session(&self) -> Option<&str> {
        match self {
            Self::InRepository(point) => point.session.as_deref(),
            Self::Copied(copy) => copy.session.as_deref(),
        }
    }

    /// The record of the call before which the point was saved.
    pub(crate) fn on(&self) -> Option<EventId> {
        match self {
            Self::InRepository(point) => point.on,
            Self::Copied(copy) => copy.on,
        }
    }

    pub(crate) fn why(&self) -> &str {
        match self {
            Self::InRepository(point) => &point.why,
            Self::Copied(copy) => &copy.why,
        }
    }

    pub(crate) fn left_out(&self) -> &[LeftOut] {
        match self {
            Self::InRepository(point) => &point.left_out,
            Self::Copied(copy) => &copy.left_out,
        }
    }

    pub(crate) fn more_left_out(&self) -> u64 {
        match self {
            Self::InRepository(point) => point.more_left_out,
            Self::Copied(copy) => copy.more_left_out,
        }
    }

    /// The point in one line, for a list in the directory `here`.
    pub(crate) fn text(&self, here: &Path, now: Timestamp) -> String {
        let mut text = format!("{}: {}", age(self.id().made_at(), now), self.why());
        if !here.starts_with(self.root()) {
            text = format!("{text}; of {}", self.root().display());
        }
        match self {
            Self::Copied(copy) => {
                text = format!("{text}; a copy of {}", count(copy.files.len(), "file"));
            }
            Self::InRepository(Point { branch: Some(branch), .. }) => {
                text = format!("{text}; on {branch}");
            }
            Self::InRepository(_) => {}
        }
        match self.left_out().len() as u64 + self.more_left_out() {
            0 => text,
            left_out => format!("{text}; {} left out", count(left_out, "file")),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let left_out = self.left_out().iter().map(|left| {
            json!({ "path": left.path.to_string_lossy(), "reason": left.reason.to_string() })
        });
        let mut json = json!({
            "point": self.id(),
            "at_ms": self.id().made_at(),
            "root": self.root().to_string_lossy(),
            "why": self.why(),
            "session": self.session(),
            "on": self.on(),
            "left_out": left_out.collect::<Vec<_>>(),
            "more_left_out": self.more_left_out(),
        });
        let more = match self {
            Self::InRepository(point) => json!({
                "kind": "repository",
                "reference": point.reference(),
                "commit": point.commit,
                "head": point.head,
                "branch": point.branch,
            }),
            Self::Copied(copy) => {
                let files = copy.files.iter().map(|file| file.path.to_string_lossy());
                json!({ "kind": "copy", "files": files.collect::<Vec<_>>() })
            }
        };
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
        }
        json
    }
}
