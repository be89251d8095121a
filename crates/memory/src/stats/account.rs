//! Accounts: each is a learning with its usage and its status.

use std::collections::BTreeMap;

use super::tally::Tally;
use super::usage::Usage;
use crate::learning::Learning;
use crate::learning_id::LearningId;
use crate::status::Status;

/// An account of a learning: the learning itself, its usage and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The learning that the account is about.
    pub learning: Learning,
    /// The usage of the account's learning.
    pub usage: Usage,
    /// The status of the account's learning.
    pub status: Status,
}

impl Account {
    /// Creates the accounts of these learnings. Usage and status come from the statistics lines in
    /// `tally`; a learning that another one supersedes gets that status too.
    pub fn all(learnings: impl IntoIterator<Item = Learning>, tally: &Tally) -> Vec<Self> {
        let with_tally = |learning: Learning| Self {
            usage: tally.usage(&learning.id),
            status: tally.status(&learning.id),
            learning,
        };
        let mut all: Vec<_> = learnings.into_iter().map(with_tally).collect();
        let replaced: BTreeMap<LearningId, LearningId> = all
            .iter()
            .flat_map(|account| {
                account.learning.supersedes.iter().map(|old| (old, &account.learning.id))
            })
            .filter(|(old, by)| old != by)
            .map(|(old, by)| (old.clone(), by.clone()))
            .collect();
        for account in &mut all {
            if let (Some(by), Status::Active | Status::Archived) =
                (replaced.get(&account.learning.id), &account.status)
            {
                account.status = Status::Superseded { by: by.clone() };
            }
        }
        all
    }

    /// Whether searches find the learning and agents are given it.
    pub fn is_active(&self) -> bool {
        self.status == Status::Active
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::StatsEvent;
    use super::super::samples::in_session;
    use super::*;
    use crate::samples::{bare, full};

    #[test]
    fn a_learning_is_replaced_by_whoever_says_so() {
        let archived =
            |learning| in_session("s", 1, StatsEvent::Archived { learning, reason: String::new() });
        let lines = [archived(bare().id), archived(full().id)];
        let accounts = Account::all([full(), bare()], &Tally::of(&lines));
        let statuses: Vec<_> = accounts.iter().map(|account| account.status.clone()).collect();
        assert_eq!(statuses, [Status::Archived, Status::Superseded { by: full().id }]);
        assert!(
            accounts.iter().all(|account| !account.is_active() && account.usage.archived.is_some())
        );
    }
}
