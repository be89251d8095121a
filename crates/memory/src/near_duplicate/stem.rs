//! English words without their endings and in one spelling. Rough on purpose: both sides are treated
//! alike.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::forms;

static IRREGULAR: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    forms::IRREGULAR.split(", ").filter_map(|pair| pair.split_once(' ')).collect()
});
static WHOLE: LazyLock<HashSet<&str>> = LazyLock::new(|| forms::WHOLE.split(' ').collect());

/// In front of a verb they leave its forms as they are.
const PREFIXES: &[&str] = &["re", "over", "un", "under", "mis", "out"];

/// The stem of a lower-case word.
pub(super) fn stem(word: &str) -> String {
    if WHOLE.contains(word) {
        return word.to_owned();
    }
    let word = in_one_spelling(&regular(word.strip_suffix("'s").unwrap_or(word)));
    let word = without_plural(&word);
    if word.chars().count() <= 3 {
        return word;
    }
    let word = without_verb_ending(&word);
    let word = match word.strip_suffix("bly") {
        Some(rest) if rest.len() > 2 => format!("{rest}bl"),
        _ => without(&word, "ly", 4),
    };
    let word = without(&word, "ment", 5);
    let word = without(&word, "e", 3);
    match word.strip_suffix('y') {
        Some(rest) if rest.len() >= 3 => format!("{rest}i"),
        _ => word,
    }
}

/// `rewritten` as `rewrite`.
fn regular(word: &str) -> String {
    let prefixes = PREFIXES.iter().filter(|prefix| word.starts_with(**prefix));
    for prefix in prefixes.chain([&""]) {
        if let Some(verb) = IRREGULAR.get(&word[prefix.len()..]) {
            return format!("{prefix}{verb}");
        }
    }
    word.to_owned()
}

/// `serialised` as `serialized`, `colour` as `color`.
fn in_one_spelling(word: &str) -> String {
    let word = word.replace("isation", "ization");
    for ending in ["ise", "ised", "ises", "ising"] {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() + ending.len() > 6) {
            return format!("{rest}iz{}", &ending[2..]);
        }
    }
    if word.len() > 4 && (word.ends_with("our") || word.ends_with("ours")) {
        return word.replace("our", "or");
    }
    word
}

fn without_plural(word: &str) -> String {
    if word.len() < 3 {
        return word.to_owned();
    }
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() > 1) {
        return format!("{rest}y");
    }
    let ends_in_es = ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| word.ends_with(end));
    let is_plural =
        word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let cut = if ends_in_es { 2 } else { usize::from(is_plural) };
    word[..word.len() - cut].to_owned()
}

fn without_verb_ending(word: &str) -> String {
    let stripped = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"));
    let has_vowel = |rest: &&str| rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let Some(rest) = stripped.filter(has_vowel) else { return word.to_owned() };
    let mut ends = rest.chars().rev();
    let last = ends.next();
    let is_doubled = last == ends.next() && !matches!(last, Some('l' | 's' | 'z'));
    match rest.char_indices().next_back() {
        Some((at, _)) if is_doubled && rest.len() > 3 => rest[..at].to_owned(),
        _ => rest.to_owned(),
    }
}

fn without(word: &str, ending: &str, at_least: usize) -> String {
    let rest = word.strip_suffix(ending).filter(|rest| rest.len() >= at_least);
    rest.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        let families: &[&[&str]] = &[
            &["cache", "caches", "cached", "caching"],
            &["format", "formats", "formatted", "formatting"],
            &["query", "queries", "querying"],
            &["deploy", "deployed", "deployment", "deployments"],
            &["batch", "batches"],
            &["class", "classes"],
            &["db", "dbs"],
            &["manual", "manually"],
            &["stable", "stably"],
            &["rewrite", "rewritten", "rewrote"],
            &["serialize", "serialised", "serialising"],
            &["behavior", "behaviour"],
        ];
        for family in families {
            for word in *family {
                assert_eq!(stem(word), stem(family[0]), "{word}");
            }
        }
        for word in ["", "s", "is", "bus", "red", "ring", "é", "日本ing", "https", "locale"] {
            assert!(word.starts_with(&stem(word)), "{word}");
        }
        assert_ne!(stem("https"), stem("http"));
    }
}
