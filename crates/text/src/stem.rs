//! English words without their endings: the Snowball algorithm "English" (Porter 2).

use rust_stemmers::{Algorithm, Stemmer};

/// Returns the stem of an English word in lower case. A word with anything but `a` to `z` in it is
/// returned unchanged.
///
/// ```
/// assert_eq!(verger_text::stem("retries"), "retri");
/// assert_eq!(verger_text::stem("utf8"), "utf8");
/// ```
pub fn stem(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        Stemmer::create(Algorithm::English).stem(word).into_owned()
    } else {
        word.to_owned()
    }
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
            generally general  community communiti  flying fli  utf8 utf8  naïve naïve";
        let words: Vec<_> = cases.split_whitespace().collect();
        for pair in words.chunks_exact(2) {
            assert_eq!(stem(pair[0]), pair[1]);
        }
    }
}
