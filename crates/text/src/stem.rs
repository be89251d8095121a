//! Removes the endings of English words. A table covers irregular forms and a rule covers British
//! spelling. All other words go through the Snowball algorithm "English" (Porter 2).

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::irregular::basic_form;

/// Returns the stem of an English word in lower case. A word with characters other than `a` to `z`
/// is returned unchanged.
///
/// ```
/// assert_eq!(verger_text::stem("retries"), verger_text::stem("retry"));
/// assert_eq!(verger_text::stem("went"), "go");
/// assert_eq!(verger_text::stem("utf8"), "utf8");
/// ```
pub fn stem(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        let word = basic_form(word).map_or_else(|| in_one_spelling(word), Cow::Borrowed);
        Stemmer::create(Algorithm::English).stem(&word).into_owned()
    } else {
        word.to_owned()
    }
}

/// Converts British to American spelling: `serialised` to `serialized`, `colour` to `color`.
fn in_one_spelling(word: &str) -> Cow<'_, str> {
    if word.len() < 6 || !(word.contains("is") || word.contains("our")) {
        return Cow::Borrowed(word);
    }
    let word = word.replace("isation", "ization");
    for ending in ["ise", "ised", "ises", "ising"] {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() + ending.len() > 6) {
            return Cow::Owned(format!("{rest}iz{}", &ending[2..]));
        }
    }
    let is_british = word.ends_with("our") || word.ends_with("ours");
    Cow::Owned(if is_british { word.replace("our", "or") } else { word })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_their_endings() {
        let cases = "
            as as  by by  skies sky  dying die  news news  proceeding proceed  caresses caress
            ponies poni  ties tie  gas gas  this this  gaps gap  agreed agre  sized size  hopping hop
            hoping hope  happy happi  say say  relational relat  digitizer digit  operator oper
            sensibility sensibl  electricity electr  allowance allow  replacement replac
            generally general  community communiti  flying fli  added add  went go  children child
            colours color  serialised serial  utf8 utf8  naïve naïve";
        let words: Vec<_> = cases.split_whitespace().collect();
        for pair in words.chunks_exact(2) {
            assert_eq!(stem(pair[0]), pair[1]);
        }
    }
}
