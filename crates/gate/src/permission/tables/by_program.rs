//! An index of the built-in rules by program, computed at compile time. With the index, a command
//! is compared with only a few rules.

use super::{ALL, COUNT};

/// The number of lists for rules with whole program names. The hash of a name selects the list.
const HASHES: usize = 512;
/// The number of lists for rules that have the beginning of a name (`name*`). The first letter
/// selects the list.
const LETTERS: usize = 32;
const LISTS: usize = HASHES + LETTERS;

/// The maximum number of program names in one rule.
const MAX_NAMES: usize = 256;

/// The index in [`ENTRIES`] at which each list begins. The last element is the end of the last
/// list.
static STARTS: [u16; LISTS + 1] = starts();

/// The entries of all lists, one list after the other, each in the order of the rules.
static ENTRIES: [Entry; COUNT_OF_ENTRIES] = {
    let (mut entries, mut ends) = ([Entry { place: 0, check: 0 }; COUNT_OF_ENTRIES], starts());
    let mut rule = 0;
    while rule < COUNT {
        let (lists, count) = lists_of(ALL[rule].command.as_bytes());
        let mut at = 0;
        while at < count {
            let Listing { list, check } = lists[at];
            entries[ends[list] as usize] = Entry { place: place(rule), check };
            ends[list] += 1;
            at += 1;
        }
        rule += 1;
    }
    entries
};

const COUNT_OF_ENTRIES: usize = starts()[LISTS] as usize;

#[derive(Clone, Copy)]
struct Entry {
    /// The index of the rule in [`ALL`].
    place: u16,
    /// More bits of the hash of the program's name. They distinguish the names in one list.
    check: u16,
}

/// The place of a program's name in the index: the list, and the additional bits of the hash.
#[derive(Clone, Copy)]
struct Listing {
    list: usize,
    check: u16,
}

const fn starts() -> [u16; LISTS + 1] {
    let mut starts = [0; LISTS + 1];
    let mut rule = 0;
    while rule < COUNT {
        let (lists, count) = lists_of(ALL[rule].command.as_bytes());
        let mut at = 0;
        while at < count {
            starts[lists[at].list + 1] += 1;
            at += 1;
        }
        rule += 1;
    }
    let mut list = 0;
    while list < LISTS {
        starts[list + 1] += starts[list];
        list += 1;
    }
    starts
}

#[expect(clippy::cast_possible_truncation, reason = "the build fails when there are more rules")]
const fn place(rule: usize) -> u16 {
    assert!(rule < u16::MAX as usize);
    rule as u16
}

/// The listings for the alternatives in the first word of a rule's command, without repetition. For
/// a path, the last component is the program's name.
const fn lists_of(command: &[u8]) -> ([Listing; MAX_NAMES], usize) {
    let (mut lists, mut count) = ([Listing { list: 0, check: 0 }; MAX_NAMES], 0);
    let (mut at, mut start) = (0, 0);
    loop {
        let is_end = at == command.len() || command[at] == b' ';
        if is_end || command[at] == b'|' {
            let is_beginning = command[at - 1] == b'*';
            let list =
                if is_beginning { by_letter(command[start]) } else { by_hash(command, start, at) };
            let mut known = 0;
            while known < count && !lists[known].is(list) {
                known += 1;
            }
            lists[known] = list;
            count = if known == count { count + 1 } else { count };
            if is_end {
                return (lists, count);
            }
        }
        if matches!(command[at], b'|' | b'/') {
            start = at + 1;
        }
        at += 1;
    }
}

impl Listing {
    const fn is(self, other: Self) -> bool {
        self.list == other.list && self.check == other.check
    }
}

/// The listing of a program's name by its hash. The hash ignores case.
const fn by_hash(text: &[u8], start: usize, end: usize) -> Listing {
    let (mut hash, mut at) = (17_u32, start);
    while at < end {
        hash = hash.wrapping_mul(31).wrapping_add((text[at] | 32) as u32);
        at += 1;
    }
    Listing { list: (hash ^ (hash >> 9)) as usize % HASHES, check: (hash >> 9 & 0xffff) as u16 }
}

const fn by_letter(letter: u8) -> Listing {
    Listing { list: HASHES + letter as usize % LETTERS, check: 0 }
}

/// The indices of the rules in a list that have the additional bits of this listing.
fn places(Listing { list, check }: Listing) -> impl Iterator<Item = u16> {
    let entries = &ENTRIES[usize::from(STARTS[list])..usize::from(STARTS[list + 1])];
    entries.iter().filter(move |entry| entry.check == check).map(|entry| entry.place)
}

/// The indices of the rules that may apply to the program, in order.
pub(super) fn rules_about(program: &[u8]) -> impl Iterator<Item = u16> + use<> {
    let mut named = places(by_hash(program, 0, program.len())).peekable();
    let begun = program.first().map(|first| places(by_letter(*first)));
    let mut begun = begun.into_iter().flatten().peekable();
    std::iter::from_fn(move || {
        let next = match (named.peek(), begun.peek()) {
            (Some(one), Some(other)) => (*one).min(*other),
            (one, other) => *one.or(other)?,
        };
        named.next_if_eq(&next);
        begun.next_if_eq(&next);
        Some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_every_name() {
        for (place, rule) in ALL.iter().enumerate() {
            let first = rule.command.split(' ').next().unwrap();
            for name in first.split('|') {
                let name = name.rsplit('/').next().unwrap();
                for name in [name.to_owned(), name.to_uppercase(), name.replace('*', "xyz")] {
                    let found: Vec<_> = rules_about(name.as_bytes()).map(usize::from).collect();
                    assert!(found.is_sorted(), "{name}");
                    let is_beginning = first.contains(&format!("{name}*"));
                    assert!(is_beginning || found.contains(&place), "{name} of {}", rule.name);
                }
            }
        }
    }

    #[test]
    fn hardly_any_other_rule_is_looked_at() {
        let others = |name: &str| {
            let found = rules_about(name.as_bytes()).map(|place| ALL[usize::from(place)]);
            found.filter(|rule| !rule.names(name)).count()
        };
        let names = ["git", "ls", "rm", "sed", "cargo", "npm", "grep", "nothing-of-the-kind"];
        assert!(names.iter().all(|name| others(name) < 8), "{:?}", names.map(others));
    }
}
