//! Which words of a query a text has: what a person can be shown of why it was found.

use std::collections::HashSet;

use crate::runs::runs;
use crate::words::Cutter;

/// The words of the query that the text has in some form, as the query has them, each once.
pub fn common_words<'a>(query: &'a str, text: &str) -> Vec<&'a str> {
    let mut cutter = Cutter::default();
    let mut known: HashSet<Vec<u8>> = HashSet::new();
    cutter.cut(text, &mut |word| known.extend([word.letters.to_owned()]));
    let mut common = vec![];
    runs(query, |run| {
        let mut is_common = false;
        cutter.cut_run(&run, &mut |word| is_common |= known.contains(word.letters));
        if is_common && !common.contains(&run.letters) {
            common.push(run.letters);
        }
    });
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
