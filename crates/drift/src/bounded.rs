//! Sets that forget.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The `CAP` things that were added last, without repetition: what a session of any length may
/// remember.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent<T, const CAP: usize> {
    items: VecDeque<T>,
}

impl<T, const CAP: usize> Default for Recent<T, CAP> {
    fn default() -> Self {
        Self { items: VecDeque::new() }
    }
}

impl<T: PartialEq, const CAP: usize> Recent<T, CAP> {
    /// Adds one, as the newest; the oldest goes when there are too many.
    pub fn add(&mut self, item: T) {
        if let Some(at) = self.items.iter().position(|known| *known == item) {
            self.items.remove(at);
        } else if self.items.len() >= CAP {
            self.items.pop_front();
        }
        self.items.push_back(item);
    }

    /// Adds them in their order.
    pub fn add_all(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.add(item);
        }
    }

    /// Whether it is among them.
    pub fn has<Q>(&self, item: &Q) -> bool
    where
        Q: ?Sized,
        T: std::borrow::Borrow<Q>,
        Q: PartialEq,
    {
        self.items.iter().any(|known| known.borrow() == item)
    }

    /// From the oldest to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: PartialEq, const CAP: usize> FromIterator<T> for Recent<T, CAP> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut recent = Self::default();
        recent.add_all(items);
        recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_and_what_comes_again_is_new() {
        let mut recent: Recent<u8, 3> = [1, 2, 3].into_iter().collect();
        recent.add(1);
        recent.add(4);
        assert_eq!(recent.iter().copied().collect::<Vec<_>>(), [3, 1, 4]);
    }
}
