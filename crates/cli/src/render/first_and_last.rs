//! The first and the last pieces of a long output, and the number of pieces left out between them.

use std::collections::VecDeque;

/// The number of pieces that are shown from the beginning.
const FIRST: usize = 10;

/// Takes pieces one by one, and keeps only the ones still to be shown.
pub(crate) struct FirstAndLast<T> {
    first: usize,
    newest: usize,
    last: VecDeque<T>,
    left_out: u64,
}

impl<T> FirstAndLast<T> {
    /// Shows at most `most` pieces: the first 10, and the newest.
    pub(crate) fn of(most: usize) -> Self {
        let first = FIRST.min(most);
        Self { first, newest: most - first, last: VecDeque::new(), left_out: 0 }
    }

    /// Shows all pieces.
    pub(crate) fn of_all() -> Self {
        Self { first: usize::MAX, newest: 0, last: VecDeque::new(), left_out: 0 }
    }

    /// Returns the piece if it can be shown immediately.
    pub(crate) fn push(&mut self, piece: T) -> Option<T> {
        if self.first > 0 {
            self.first -= 1;
            return Some(piece);
        }
        self.last.push_back(piece);
        if self.last.len() > self.newest {
            self.last.pop_front();
            self.left_out += 1;
        }
        None
    }

    /// The number of left-out pieces, and the pieces to show after them.
    pub(crate) fn finish(self) -> (u64, VecDeque<T>) {
        (self.left_out, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(count: u32, mut pieces: FirstAndLast<u32>) -> (Vec<u32>, u64, Vec<u32>) {
        let first = (1..=count).filter_map(|piece| pieces.push(piece)).collect();
        let (left_out, last) = pieces.finish();
        (first, left_out, last.into())
    }

    #[test]
    fn only_what_is_between_the_ends_is_left_out() {
        let first: Vec<u32> = (1..=10).collect();
        assert_eq!(shown(3, FirstAndLast::of(20)), (vec![1, 2, 3], 0, vec![]));
        assert_eq!(shown(20, FirstAndLast::of(20)), (first.clone(), 0, (11..=20).collect()));
        assert_eq!(shown(21, FirstAndLast::of(20)), (first.clone(), 1, (12..=21).collect()));
        assert_eq!(shown(500, FirstAndLast::of(12)), (first, 488, vec![499, 500]));
        assert_eq!(shown(30, FirstAndLast::of_all()), ((1..=30).collect(), 0, vec![]));
        assert_eq!(shown(3, FirstAndLast::of(1)), (vec![1], 2, vec![]));
    }
}
