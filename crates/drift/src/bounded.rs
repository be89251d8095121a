//! Sets that forget.

use std::collections::{BTreeSet, VecDeque};

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
        let known = self.items.iter().position(|known| *known == item);
        self.put(known, || item);
    }

    /// The same of several that others keep: most are known, and those need no memory of their own.
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

    /// Makes the one at that place the newest, or the new one.
    fn put(&mut self, known: Option<usize>, new: impl FnOnce() -> T) {
        let known = known.and_then(|at| self.items.remove(at));
        if known.is_none() && self.items.len() >= CAP {
            self.items.pop_front();
        }
        self.items.push_back(known.unwrap_or_else(new));
    }

    /// Adds them in their order.
    pub fn add_all(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.add(item);
        }
    }

    /// Keeps those that are such.
    pub fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
        self.items.retain(is_kept);
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

/// A [`Recent`] of words.
pub(crate) type RecentWords<const CAP: usize> = Recent<String, CAP>;

/// Keeps as many as fit into so many bytes, the last ones first to go.
pub(crate) fn fit(words: &mut BTreeSet<String>, bytes: usize) {
    let mut size: usize = words.iter().map(|word| word.len() + 1).sum();
    while size > bytes
        && let Some(word) = words.pop_last()
    {
        size -= word.len() + 1;
    }
}

/// Keeps the latest that fit into so many bytes.
pub(crate) fn fit_latest<T>(items: &mut Vec<T>, bytes: usize, size: impl Fn(&T) -> usize) {
    let mut sum = 0;
    let fitting = items.iter().rev().take_while(|item| {
        sum += size(item);
        sum <= bytes
    });
    let surplus = items.len() - fitting.count();
    items.drain(..surplus);
}

/// Whether it says nothing, and may be left out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_oldest_goes_and_what_comes_again_is_new() {
        let mut recent: Recent<u8, 3> = [1, 2, 3].into_iter().collect();
        recent.add(1);
        recent.add(4);
        assert_eq!(recent.iter().copied().collect::<Vec<_>>(), [3, 1, 4]);
    }

    #[test]
    fn what_is_noted_is_what_would_be_added() {
        let words = ["a", "b", "a", "c", "d", "c", "b"].map(str::to_owned);
        let (mut added, mut noted) = (Recent::<String, 3>::default(), Recent::default());
        added.add_all(words.iter().cloned());
        noted.note_all(&words);
        assert_eq!(added, noted);
        assert_eq!(noted.iter().collect::<Vec<_>>(), ["d", "c", "b"]);
    }

    /// Counts how often it is compared.
    #[derive(Debug)]
    struct Counting<'a>(u32, &'a Cell<usize>);

    impl PartialEq for Counting<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }

    #[test]
    fn adding_costs_no_more_the_longer_it_goes_on() {
        let compared = Cell::new(0);
        let mut recent: Recent<Counting<'_>, 8> = Recent::default();
        for n in 0..10_000 {
            compared.set(0);
            recent.add(Counting(n, &compared));
            assert!(compared.get() <= 8, "{n}: {compared:?}");
        }
    }

    #[test]
    fn the_oldest_go_until_the_rest_fits() {
        let mut items = vec!["aaaa", "bb", "cc"];
        fit_latest(&mut items, 5, |item| item.len());
        assert_eq!(items, ["bb", "cc"]);
        let mut words = BTreeSet::from(["a", "bb", "ccc"].map(str::to_owned));
        fit(&mut words, 5);
        assert_eq!(words, BTreeSet::from(["a", "bb"].map(str::to_owned)));
    }
}
