//! Finds the words that a query and a text have in common, to show why the text was found.

use std::collections::HashSet;

use verger_text::{runs, words};

/// The words of the query that also occur in the text, in any form. Returns them as spelled in the
/// query, without duplicates.
pub fn common_words<'a>(query: &'a str, text: &str) -> Vec<&'a str> {
    let known: HashSet<String> = words(text).map(|word| word.stem).collect();
    let mut common = vec![];
    for run in runs(query) {
        let is_common = run.words().iter().any(|word| known.contains(&word.stem));
        if is_common && !common.contains(&run.letters) {
            common.push(run.letters);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_common_in_any_form_and_told_as_they_were_asked() {
        let text = "Retries of `gitPush` fail: 検索エンジン in src/push.rs";
        for (query, expected) in [
            ("the retry was failing of push", "retry failing push"),
            ("git git GIT", "git GIT"),
            ("検索する", "検索"),
            ("of the", ""),
            ("sails", ""),
            ("", ""),
        ] {
            assert_eq!(common_words(query, text).join(" "), expected, "{query}");
        }
    }
}
