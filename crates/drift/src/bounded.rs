//! Sets that forget, and forms that are small.

use std::collections::{BTreeSet, VecDeque};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::mark::mark_of_text;

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

/// The marks of the `CAP` texts that were noted last, in one string: it is read as it was written, however many there
/// are, and few calls look for more than some of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct RecentMarks<const CAP: usize>(String);

/// The digits of one mark.
const MARK: usize = 8;

impl<'de, const CAP: usize> Deserialize<'de> for RecentMarks<CAP> {
    /// Nothing but whole marks: the oldest is cut off by its length.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let marks = String::deserialize(deserializer)?;
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if marks.len().is_multiple_of(MARK) && marks.bytes().all(is_digit) {
            Ok(Self(marks))
        } else {
            Err(D::Error::custom("these are no marks"))
        }
    }
}

impl<const CAP: usize> RecentMarks<CAP> {
    /// Notes a text, and says whether it is new.
    pub(crate) fn note(&mut self, text: &str) -> bool {
        let bytes = mark_of_text(text).to_le_bytes();
        let digit = |n: usize| b"0123456789abcdef"[usize::from(bytes[n / 2] >> (4 * (n % 2)) & 15)];
        // 32 bits of it: among so few texts, none is likely to be taken for another.
        let mark: [u8; MARK] = std::array::from_fn(digit);
        let (known, _) = self.0.as_bytes().as_chunks();
        if known.contains(&mark) {
            return false;
        }
        if known.len() >= CAP {
            self.0.drain(..mark.len());
        }
        self.0.extend(mark.map(char::from));
        true
    }
}

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

/// Words in one string: they hold no spaces, and one string is read faster than many.
pub(crate) mod joined {
    use super::{BTreeSet, Deserialize, Deserializer, Recent, Serializer};

    /// What holds words.
    pub(crate) trait Words {
        fn each(&self) -> impl Iterator<Item = &String>;
        /// From words as they were written: in their order, and none of them twice.
        fn from_written(words: impl Iterator<Item = String>) -> Self;
    }

    impl Words for BTreeSet<String> {
        fn each(&self) -> impl Iterator<Item = &String> {
            self.iter()
        }

        fn from_written(words: impl Iterator<Item = String>) -> Self {
            words.collect()
        }
    }

    impl<const CAP: usize> Words for Recent<String, CAP> {
        fn each(&self) -> impl Iterator<Item = &String> {
            self.iter()
        }

        fn from_written(words: impl Iterator<Item = String>) -> Self {
            Self { items: words.take(CAP).collect() }
        }
    }

    pub(crate) fn serialize<S: Serializer>(
        words: &impl Words,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let words: Vec<&str> = words.each().map(String::as_str).collect();
        serializer.serialize_str(&words.join(" "))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, W: Words>(
        deserializer: D,
    ) -> Result<W, D::Error> {
        let joined = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let words = joined.split(' ').filter(|word| !word.is_empty());
        Ok(W::from_written(words.map(str::to_owned)))
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

    #[test]
    fn a_text_is_new_until_it_was_noted_and_again_when_it_was_forgotten() {
        let mut marks = RecentMarks::<3>::default();
        let mut note = |text: &str| marks.note(text);
        assert_eq!(["a", "b", "a", "c"].map(&mut note), [true, true, false, true]);
        assert_eq!(["d", "b", "c", "d", "a"].map(&mut note), [true, false, false, false, true]);
        let mut marks = RecentMarks::<64>::default();
        let ids = (0..10_000).map(|n| format!("toolu_01{n:022}"));
        assert!(ids.into_iter().all(|id| marks.note(&id)));
        assert_eq!(serde_json::to_string(&marks).unwrap().len(), 64 * 8 + 2);
    }

    #[test]
    fn only_marks_are_read_back() {
        let read = |text: &str| serde_json::from_value::<RecentMarks<2>>(text.into());
        for text in ["", "0123abcd", "0123abcdffff0000"] {
            let mut marks = read(text).unwrap();
            assert_eq!(serde_json::to_value(&marks).unwrap(), text);
            assert!(["a", "b", "c"].map(|text| marks.note(text)).iter().all(|new| *new));
        }
        for text in
            ["0", "0123abcd0", "0123ABCD", "0123abcg", "01234éé", "ééééabcd", "0123abcd        "]
        {
            assert!(read(text).is_err(), "{text}");
        }
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
