//! English words without their endings. Rough on purpose: both sides are treated alike.

/// The stem of a lower-case word.
pub(super) fn stem(word: &str) -> String {
    let word = without_plural(word.strip_suffix("'s").unwrap_or(word));
    if word.chars().count() <= 3 {
        return word;
    }
    let word = without_verb_ending(&word);
    let word = without(&word, "ly", 4);
    let word = without(&word, "ment", 4);
    let word = without(&word, "e", 3);
    match word.strip_suffix('y') {
        Some(rest) if rest.len() >= 3 => format!("{rest}i"),
        _ => word,
    }
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
    let Some(rest) =
        stripped.filter(|rest| rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']))
    else {
        return word.to_owned();
    };
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
        ];
        for family in families {
            for word in *family {
                assert_eq!(stem(word), stem(family[0]), "{word}");
            }
        }
        for word in ["", "s", "is", "bus", "red", "ring", "é", "日本ing"] {
            assert!(word.starts_with(&stem(word)), "{word}");
        }
    }
}
