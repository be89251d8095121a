//! Looking things up in a text that has them in their order.
//!
//! A set would have to be built anew in every process, and a hook call is one: building it costs more
//! than all that is ever looked up in it.

/// The entries of `list` from the first that is not before `key`, in bytes. `end` stands between entries.
pub(super) fn from<'a>(list: &'a str, end: u8, key: &str) -> impl Iterator<Item = &'a str> {
    let bytes = list.as_bytes();
    // Both are where an entry begins, or the end of the list.
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let begin =
            bytes[low..middle].iter().rposition(|b| *b == end).map_or(low, |at| low + at + 1);
        let len = bytes[begin..high].iter().position(|b| *b == end).unwrap_or(high - begin);
        if bytes[begin..begin + len] < *key.as_bytes() {
            low = high.min(begin + len + 1);
        } else {
            high = begin;
        }
    }
    list[low..].split(char::from(end)).filter(|entry| !entry.is_empty())
}

#[cfg(test)]
pub(super) fn is_in_order(list: &str, end: char) -> bool {
    let entries: Vec<&str> = list.split(end).collect();
    entries.is_sorted_by(|a, b| a < b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_is_read_from_where_the_key_would_stand() {
        let cases = [
            ("add all any", "all", "all any"),
            ("add all any", "b", ""),
            ("add all any", "", "add all any"),
            ("add all any", "an", "any"),
            ("add", "add", "add"),
            ("", "add", ""),
        ];
        for (list, key, expected) in cases {
            assert_eq!(from(list, b' ', key).collect::<Vec<_>>().join(" "), expected, "{key}");
        }
    }

    proptest! {
        #[test]
        fn it_finds_what_a_search_through_all_finds(
            entries in prop::collection::btree_set("[a-c]{1,4}", 0..20),
            key in "[a-c]{0,4}",
        ) {
            let list = entries.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            let expected: Vec<&str> =
                entries.iter().map(String::as_str).filter(|entry| **entry >= *key).collect();
            prop_assert_eq!(from(&list, b' ', &key).collect::<Vec<_>>(), expected);
        }
    }
}
