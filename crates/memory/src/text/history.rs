//! Tests that the stored text of a learning never changes by a byte, whatever happens to it on any
//! number of branches.

use proptest::prelude::*;
use verger_event::Timestamp;

use super::{parse, render};
use crate::learning::Learning;
use crate::samples::any_learning;
use crate::status::{Status, StatusChange, StatusMove, status_of};

/// An event in a project with several branches.
#[derive(Debug, Clone)]
enum Happening {
    /// A reflection on the branch with this number. It adds the learning.
    Reflect(usize, Box<Learning>),
    /// A change of a learning's status: the branch, the number of its learning, and the change.
    Move(usize, usize, Done),
    /// A merge: the numbers of the two branches.
    Merge(usize, usize),
}

#[derive(Debug, Clone, Copy)]
enum Done {
    Archive,
    Restore,
    Supersede,
}

/// A branch: the entries of its learnings file, which are only appended, and the statistics lines
/// about its learnings.
#[derive(Debug, Clone, Default)]
struct Branch {
    entries: Vec<String>,
    learnings: Vec<Learning>,
    changes: Vec<StatusChange>,
}

impl Branch {
    fn text(&self) -> String {
        format!("# Learnings\n\n{}", self.entries.join("\n"))
    }

    /// Merges as git merges by lines: the result has all lines of both branches, in any order.
    /// Equal lines occur once or twice.
    fn merge(&mut self, other: &Self) {
        let mut entries = other.entries.clone();
        entries.extend(self.entries.iter().cloned());
        self.entries = entries;
        for learning in &other.learnings {
            if !self.learnings.contains(learning) {
                self.learnings.push(learning.clone());
            }
        }
        self.changes.extend(other.changes.iter().rev().cloned());
    }
}

fn any_happening() -> impl Strategy<Value = Happening> {
    let branch = || 0..3usize;
    let done = prop_oneof![Just(Done::Archive), Just(Done::Restore), Just(Done::Supersede)];
    prop_oneof![
        4 => (branch(), any_learning()).prop_map(|(at, learning)| Happening::Reflect(at, Box::new(learning))),
        3 => (branch(), any::<usize>(), done).prop_map(|(at, which, done)| Happening::Move(at, which, done)),
        1 => (branch(), branch()).prop_map(|(to, from)| Happening::Merge(to, from)),
    ]
}

fn run(happenings: Vec<Happening>) -> [Branch; 3] {
    let mut branches: [Branch; 3] = Default::default();
    for (number, happening) in (1..).zip(happenings) {
        let at = Timestamp::from_millis(number);
        match happening {
            Happening::Reflect(branch, mut learning) => {
                learning.id = format!("learn-{number}").parse().unwrap();
                branches[branch].entries.push(render(&learning));
                branches[branch].learnings.push(*learning);
            }
            Happening::Move(branch, which, done) => {
                let branch = &mut branches[branch];
                let count = branch.learnings.len();
                let Some(learning) = branch.learnings.get(which % count.max(1)) else { continue };
                let moved = match done {
                    Done::Archive => StatusMove::Archived,
                    Done::Restore => StatusMove::Restored,
                    Done::Supersede => StatusMove::Superseded { by: "learn-new".parse().unwrap() },
                };
                branch.changes.push(StatusChange { learning: learning.id.clone(), at, moved });
            }
            Happening::Merge(to, from) => {
                let other = branches[from].clone();
                branches[to].merge(&other);
            }
        }
    }
    branches
}

proptest! {
    #[test]
    fn no_history_changes_a_text(happenings in proptest::collection::vec(any_happening(), 0..24)) {
        for branch in run(happenings) {
            let text = branch.text();
            let document = parse(&text, Timestamp::from_millis(0));
            prop_assert_eq!(document.problems, vec![]);
            let mut read: Vec<_> =
                document.learnings.into_iter().map(|placed| placed.learning).collect();
            let mut expected = branch.learnings.clone();
            read.sort_by(|a, b| a.id.cmp(&b.id));
            expected.sort_by(|a, b| a.id.cmp(&b.id));
            prop_assert_eq!(&read, &expected);
            for learning in &read {
                prop_assert!(text.contains(&render(learning)), "its bytes are still there");
                let of_it = || branch.changes.iter().filter(|change| change.learning == learning.id);
                let doubled = status_of(of_it().chain(of_it()));
                prop_assert_eq!(status_of(of_it()), doubled.clone());
                let is_replaced = of_it().any(|change| matches!(change.moved, StatusMove::Superseded { .. }));
                prop_assert_eq!(matches!(doubled, Status::Superseded { .. }), is_replaced);
            }
        }
    }
}
