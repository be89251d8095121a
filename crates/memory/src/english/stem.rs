//! English words without their endings: the Snowball algorithm "English" (Porter 2).
//!
//! Written here because the crates that offer it bring eighteen languages or are no longer kept, and
//! whatever the hook links is loaded at every call.

/// Words that the rules would treat wrongly, and what becomes of them.
const EXCEPTIONS: &[(&[u8], &[u8])] = &[
    (b"skis", b"ski"),
    (b"skies", b"sky"),
    (b"dying", b"die"),
    (b"lying", b"lie"),
    (b"tying", b"tie"),
    (b"idly", b"idl"),
    (b"gently", b"gentl"),
    (b"ugly", b"ugli"),
    (b"early", b"earli"),
    (b"only", b"onli"),
    (b"singly", b"singl"),
    (b"sky", b"sky"),
    (b"news", b"news"),
    (b"howe", b"howe"),
    (b"atlas", b"atlas"),
    (b"cosmos", b"cosmos"),
    (b"bias", b"bias"),
    (b"andes", b"andes"),
];

/// Words that are done once their plural is.
const DONE_AFTER_PLURAL: &[&[u8]] =
    &[b"inning", b"outing", b"canning", b"herring", b"earring", b"proceed", b"exceed", b"succeed"];

/// Beginnings behind which the first region starts, whatever follows.
const REGION_PREFIXES: &[&[u8]] = &[b"gener", b"commun", b"arsen"];

const DERIVATIONS: &[(&[u8], &[u8])] = &[
    (b"ization", b"ize"),
    (b"ational", b"ate"),
    (b"fulness", b"ful"),
    (b"ousness", b"ous"),
    (b"iveness", b"ive"),
    (b"tional", b"tion"),
    (b"biliti", b"ble"),
    (b"lessli", b"less"),
    (b"entli", b"ent"),
    (b"ation", b"ate"),
    (b"alism", b"al"),
    (b"aliti", b"al"),
    (b"ousli", b"ous"),
    (b"iviti", b"ive"),
    (b"fulli", b"ful"),
    (b"enci", b"ence"),
    (b"anci", b"ance"),
    (b"abli", b"able"),
    (b"izer", b"ize"),
    (b"ator", b"ate"),
    (b"alli", b"al"),
    (b"bli", b"ble"),
];

const SECOND_DERIVATIONS: &[(&[u8], &[u8])] = &[
    (b"ational", b"ate"),
    (b"tional", b"tion"),
    (b"alize", b"al"),
    (b"icate", b"ic"),
    (b"iciti", b"ic"),
    (b"ical", b"ic"),
    (b"ness", b""),
    (b"ful", b""),
];

const RESIDUES: &[&[u8]] = &[
    b"ement", b"ance", b"ence", b"able", b"ible", b"ment", b"ant", b"ent", b"ism", b"ate", b"iti",
    b"ous", b"ive", b"ize", b"al", b"er", b"ic",
];

/// Takes the ending off a word of lower-case ASCII letters.
pub fn stem(word: &mut Vec<u8>) {
    if word.len() <= 2 {
        return;
    }
    if let Some((_, stem)) = EXCEPTIONS.iter().find(|(exception, _)| exception == word) {
        word.clear();
        word.extend_from_slice(stem);
        return;
    }
    mark_consonant_y(word);
    let (r1, r2) = regions(word);
    plural(word);
    if !DONE_AFTER_PLURAL.contains(&word.as_slice()) {
        past_and_gerund(word, r1);
        final_y(word);
        derivation(word, r1);
        second_derivation(word, r1, r2);
        residue(word, r2);
        final_e_and_l(word, r1, r2);
    }
    word.make_ascii_lowercase();
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// A y that is a consonant is written as a capital until the end.
fn mark_consonant_y(word: &mut [u8]) {
    for at in 0..word.len() {
        if word[at] == b'y' && (at == 0 || is_vowel(word[at - 1])) {
            word[at] = b'Y';
        }
    }
}

/// Where the two regions begin in which endings may be taken off.
fn regions(word: &[u8]) -> (usize, usize) {
    let behind_consonant = |from: usize| {
        let pair = (from + 1..word.len()).find(|at| is_vowel(word[at - 1]) && !is_vowel(word[*at]));
        pair.map_or(word.len(), |at| at + 1)
    };
    let prefix = REGION_PREFIXES.iter().find(|prefix| word.starts_with(prefix));
    let r1 = prefix.map_or_else(|| behind_consonant(0), |prefix| prefix.len());
    (r1, behind_consonant(r1))
}

fn cut(word: &mut Vec<u8>, ending: &[u8], replacement: &[u8]) {
    word.truncate(word.len() - ending.len());
    word.extend_from_slice(replacement);
}

fn has_vowel(letters: &[u8]) -> bool {
    letters.iter().any(|letter| is_vowel(*letter))
}

fn plural(word: &mut Vec<u8>) {
    if word.ends_with(b"sses") {
        cut(word, b"es", b"");
    } else if word.ends_with(b"ied") || word.ends_with(b"ies") {
        let kept = if word.len() > 4 { 2 } else { 1 };
        word.truncate(word.len() - kept);
    } else if word.ends_with(b"us") || word.ends_with(b"ss") {
    } else if word.ends_with(b"s") && has_vowel(&word[..word.len().saturating_sub(2)]) {
        cut(word, b"s", b"");
    }
}

fn past_and_gerund(word: &mut Vec<u8>, r1: usize) {
    let endings: [&[u8]; 6] = [b"eedly", b"ingly", b"edly", b"eed", b"ing", b"ed"];
    let Some(ending) = endings.into_iter().find(|ending| word.ends_with(ending)) else { return };
    let rest = word.len() - ending.len();
    if ending.starts_with(b"eed") {
        if rest >= r1 {
            cut(word, ending, b"ee");
        }
        return;
    }
    if !has_vowel(&word[..rest]) {
        return;
    }
    word.truncate(rest);
    if word.ends_with(b"at") || word.ends_with(b"bl") || word.ends_with(b"iz") {
        word.push(b'e');
    } else if ends_with_double(word) {
        word.pop();
    } else if r1 >= word.len() && ends_with_short_syllable(word) {
        word.push(b'e');
    }
}

fn ends_with_double(word: &[u8]) -> bool {
    match word {
        [.., before, last] => before == last && b"bdfgmnprt".contains(last),
        _ => false,
    }
}

fn ends_with_short_syllable(word: &[u8]) -> bool {
    match word {
        [first, second] => is_vowel(*first) && !is_vowel(*second),
        [.., before, vowel, last] => {
            !is_vowel(*before)
                && is_vowel(*vowel)
                && !is_vowel(*last)
                && !matches!(last, b'w' | b'x' | b'Y')
        }
        _ => false,
    }
}

fn final_y(word: &mut [u8]) {
    if let [_, .., before, last @ (b'y' | b'Y')] = word
        && !is_vowel(*before)
    {
        *last = b'i';
    }
}

fn derivation(word: &mut Vec<u8>, r1: usize) {
    if let Some((ending, replacement)) = ending_of(word, DERIVATIONS) {
        if word.len() - ending.len() >= r1 {
            cut(word, ending, replacement);
        }
    } else if word.ends_with(b"ogi") {
        if word.len() - 3 >= r1 && word.ends_with(b"logi") {
            word.pop();
        }
    } else if let [.., before, b'l', b'i'] = word.as_slice()
        && b"cdeghkmnrt".contains(before)
        && word.len() - 2 >= r1
    {
        cut(word, b"li", b"");
    }
}

fn second_derivation(word: &mut Vec<u8>, r1: usize, r2: usize) {
    if let Some((ending, replacement)) = ending_of(word, SECOND_DERIVATIONS) {
        if word.len() - ending.len() >= r1 {
            cut(word, ending, replacement);
        }
    } else if word.ends_with(b"ative") && word.len() - 5 >= r2 {
        cut(word, b"ative", b"");
    }
}

fn residue(word: &mut Vec<u8>, r2: usize) {
    if let Some(ending) = RESIDUES.iter().find(|ending| word.ends_with(ending)) {
        if word.len() - ending.len() >= r2 {
            cut(word, ending, b"");
        }
    } else if (word.ends_with(b"sion") || word.ends_with(b"tion")) && word.len() - 3 >= r2 {
        cut(word, b"ion", b"");
    }
}

fn final_e_and_l(word: &mut Vec<u8>, r1: usize, r2: usize) {
    let rest = word.len() - 1;
    if word.ends_with(b"e") {
        if rest >= r2 || (rest >= r1 && !ends_with_short_syllable(&word[..rest])) {
            word.pop();
        }
    } else if word.ends_with(b"ll") && rest >= r2 {
        word.pop();
    }
}

/// The longest ending comes first in each table.
fn ending_of(
    word: &[u8],
    table: &'static [(&'static [u8], &'static [u8])],
) -> Option<(&'static [u8], &'static [u8])> {
    table.iter().find(|(ending, _)| word.ends_with(ending)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One word at least for every rule; the answers are those of the algorithm's own vocabulary.
    #[test]
    fn words_lose_their_endings() {
        let cases = "
            as as  by by  sky sky  skies sky  dying die  news news  inning inning  proceeding proceed
            caresses caress  ponies poni  ties tie  cries cri  gas gas  this this  gaps gap  kiwis kiwi
            bus bus  feed feed  agreed agre  plastered plaster  bled bled  motoring motor  sing sing
            conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  falling fall
            hoping hope  failing fail  filing file  happy happi  cry cri  say say  enjoy enjoy
            relational relat  conditional condit  rational ration  valenci valenc  digitizer digit
            radically radic  differently differ  analogously analog  vietnamization vietnam
            predication predic  operator oper  feudalism feudal  decisiveness decis  hopefulness hope
            formality formal  sensitivity sensit  sensibility sensibl  geology geolog  carelessly careless
            triplicate triplic  formative format  formalize formal  electricity electr  electrical electr
            goodness good  revival reviv  allowance allow  inference infer  airliner airlin
            gyroscopic gyroscop  adjustable adjust  defensible defens  irritant irrit  replacement replac
            adjustment adjust  dependent depend  adoption adopt  communism communism  activate activ
            angularity angular  homologous homolog  effective effect  bowdlerize bowdler
            probate probat  rate rate  cease ceas  controller control  roll roll  generate generat
            generally general  community communiti  arsenal arsenal  youth youth  flying fli";
        let words: Vec<_> = cases.split_whitespace().collect();
        for pair in words.chunks_exact(2) {
            let mut word = pair[0].as_bytes().to_owned();
            stem(&mut word);
            assert_eq!(String::from_utf8(word).unwrap(), pair[1], "{}", pair[0]);
        }
    }
}
