//! A list that keeps only its newest items.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The `CAP` items that were added last, without duplicates.
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
    /// Adds an item as the newest. Removes the oldest if there are more than `CAP`.
    pub fn add(&mut self, item: T) {
        self.items.retain(|known| *known != item);
        if self.items.len() >= CAP {
            self.items.pop_front();
        }
        self.items.push_back(item);
    }

    /// Whether the list has this item.
    pub fn has<Q>(&self, item: &Q) -> bool
    where
        Q: ?Sized + PartialEq,
        T: std::borrow::Borrow<Q>,
    {
        self.items.iter().any(|known| known.borrow() == item)
    }

    /// Iterates from the oldest item to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.iter()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: PartialEq, const CAP: usize> Extend<T> for Recent<T, CAP> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.add(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_and_an_item_that_comes_again_is_new() {
        let mut recent = Recent::<u8, 3>::default();
        recent.extend([1, 2, 3]);
        recent.add(1);
        recent.add(4);
        assert_eq!(recent.iter().copied().collect::<Vec<_>>(), [3, 1, 4]);
        assert!(recent.has(&4) && !recent.has(&2));
    }
}
