//! A list that keeps only its newest items.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The `CAP` items that were added last, without repetition.
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
    /// Adds an item as the newest. The oldest goes when there are too many.
    pub fn add(&mut self, item: T) {
        let known = self.items.iter().position(|known| *known == item);
        self.put(known, || item);
    }

    /// Adds items in their order. An item that is known is not copied.
    pub fn note_all<'a, Q>(&mut self, items: impl IntoIterator<Item = &'a Q>)
    where
        Q: ?Sized + PartialEq + ToOwned<Owned = T> + 'a,
        T: std::borrow::Borrow<Q>,
    {
        for item in items {
            let known = self.items.iter().position(|known| known.borrow() == item);
            self.put(known, || item.to_owned());
        }
    }

    /// Makes the item at that index the newest, or adds the new one.
    fn put(&mut self, known: Option<usize>, new: impl FnOnce() -> T) {
        let known = known.and_then(|at| self.items.remove(at));
        if known.is_none() && self.items.len() >= CAP {
            self.items.pop_front();
        }
        self.items.push_back(known.unwrap_or_else(new));
    }

    /// Whether the item is among them.
    pub fn has<Q>(&self, item: &Q) -> bool
    where
        Q: ?Sized + PartialEq,
        T: std::borrow::Borrow<Q>,
    {
        self.items.iter().any(|known| known.borrow() == item)
    }

    /// From the oldest to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.iter()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: PartialEq, const CAP: usize> FromIterator<T> for Recent<T, CAP> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut recent = Self::default();
        items.into_iter().for_each(|item| recent.add(item));
        recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_and_an_item_that_comes_again_is_new() {
        let mut recent: Recent<u8, 3> = [1, 2, 3].into_iter().collect();
        recent.add(1);
        recent.add(4);
        assert_eq!(recent.iter().copied().collect::<Vec<_>>(), [3, 1, 4]);
        assert!(recent.has(&4) && !recent.has(&2));
    }

    #[test]
    fn borrowed_items_are_added_like_owned_ones() {
        let words = ["a", "b", "a", "c", "d", "c", "b"].map(str::to_owned);
        let added: Recent<String, 3> = words.iter().cloned().collect();
        let mut noted = Recent::default();
        noted.note_all(&words);
        assert_eq!(added, noted);
        assert_eq!(noted.iter().collect::<Vec<_>>(), ["d", "c", "b"]);
    }
}
