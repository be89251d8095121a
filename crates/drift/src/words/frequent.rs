//! Words that nearly every project and every instruction contain.

use super::sorted;
use super::{MAX_STEM, Stem};

/// Whether it says nothing about what a text is about.
pub(super) fn is_silent(word: &str) -> bool {
    const BEGINS: Begins = begins(SILENT);
    is_in((SILENT, &BEGINS), word)
}

/// Whether it says a little.
pub(super) fn is_weak(word: &str) -> bool {
    const BEGINS: Begins = begins(WEAK);
    is_in((WEAK, &BEGINS), word)
}

/// Whether it is a word for work on any task, which tells none from another.
pub(super) fn is_of_any_work(word: &str) -> bool {
    matches!(word, "test" | "tests" | "testing" | "code" | "check" | "update")
}

/// Whether it is the stem of a word that says how something should be, or which piece of work is meant, but not where.
pub(super) fn is_placeless(stem: &str) -> bool {
    has_stem(PLACELESS, stem)
}

/// Whether it is the stem of one of them, or its beginning.
pub(super) fn is_stem(stem: &str) -> bool {
    [SILENT, WEAK].into_iter().any(|words| has_stem(words, stem))
}

/// Where the words of a list stand that begin with `a`, with `b` and so on, and where it ends.
type Begins = [usize; 27];

const fn begins(words: &str) -> Begins {
    let words = words.as_bytes();
    let mut begins = [words.len(); 27];
    let mut at = words.len();
    while at > 0 {
        at -= 1;
        if at == 0 || words[at - 1] == b' ' {
            // Letters that no word begins with stand where the next one does.
            let mut letter = 0;
            while letter <= (words[at] - b'a') as usize {
                begins[letter] = at;
                letter += 1;
            }
        }
    }
    begins
}

fn is_in((words, begins): (&str, &Begins), word: &str) -> bool {
    // Half of a search would find the first letter, and it is done for every word of an output.
    let Some(letter @ b'a'..=b'z') = word.bytes().next() else { return false };
    let letter = usize::from(letter - b'a');
    let words = &words[begins[letter]..begins[letter + 1]];
    let has = |word: &str| sorted::from(words, b' ', word).next() == Some(word);
    has(word) || word.strip_suffix('s').is_some_and(has)
}

fn has_stem(words: &str, stem: &str) -> bool {
    // A stem begins as its word does, but for its last letter: `story` is that of `stories`.
    let mut rest = stem.chars();
    rest.next_back();
    let beginning = rest.as_str();
    sorted::from(words, b' ', beginning).take_while(|word| word.starts_with(beginning)).any(
        |word| {
            word.chars().take(MAX_STEM).eq(stem.chars())
                || Stem::of(word).is_some_and(|of_word| of_word == stem)
        },
    )
}

/// In their order.
pub(super) const SILENT: &str = "\
about above actual actually add added adding after again ago ahead all almost already also although \
always among and another any anyone anything anyway apart app application are around aside ask asked asks \
assert async await away base became because become becomes been before began begin behind being below \
beside besides better between beyond bin bit bool both but can cannot carry case cause causes certain \
change changed class clear clearly cmd com come comes common complete completely const continue core \
correct correctly could cpp crate create created current currently day days dear def default describe \
despite dev did different directly does doing don done down during each easily easy either else end \
enough entirely enum etc even ever every everything exactly example existing expect expected explain \
extra extremely fail failed failing fails false far fast feature few fewer file final finally find \
fine first fix fixed fixture following for forget forgot found friday from fully func further general get \
gets getting give given gives goes going good got great guess had hand happen hard hardly has have having \
hello help hence her here hey him his home hope how however http https idea impl implement implementation \
improve indeed init inside instance instead int internal into involve its itself java jsx just \
keep keeps kept kind know large largely last lately later latter least leave left less let lib like \
likely line lines little long longer look looks lot main mainly make makes making many matter may maybe \
mean means mention merely might mind mod moment monday month months more morning most mostly move much \
must name near nearly need needed needs neither net never new next nice nil nobody none nor normal \
normally not nothing now null object obvious obviously occasional odd off often okay old once one ones \
only open org other others otherwise ought our out over own part particular past people per perhaps pkg \
place plain please plus point possible pretty previous previously print println probably problem proceed \
project proper properly pub purpose put quick quickly quite rather real really reason recent recently \
regard regardless remain remains remove replace repo repository require rest result return right rst run \
running said same saturday say says second seconds see seem seems seen self set sets several shall shared \
short should show shows side similar simple simply since small some somebody somehow someone something \
sometimes somewhere soon source specific src start started starts static stay stays std step steps still \
stop str struct stuff sub such suddenly sunday support suppose supposed sure system take takes tell tend \
than thank thanks that the their them then there these they thing think third this those though thought \
three through thursday thus till tiny today together too top toward tried true truly try tsx tuesday turn \
twice two txt under unless unlike until upon use used using usual usually value var variable various very \
via void wait want wants was way wednesday week weeks well went were what whatever when where whether \
which while who whole whom whose why will with within without won wonder word work working works worse \
worst would write writing wrong www year years yes yesterday yet you your yours";

/// In their order.
pub(super) const WEAK: &str = "\
api backend build call check client code component config controller data doc docs document error event \
export field file folder frontend function handler helper home html import index issue json list log message method \
model module note number option package page path property query read request response result route send \
server service setting spec state string table test testing text time type ui update user util utils \
version view web write";

/// In their order.
pub(super) const PLACELESS: &str = "\
alone asap backlog beautiful broke broken bug bugs careful carefully cheaper clean cleaner cleanup code \
codebase commit completion crash described discuss discussed dont earlier edit efficiency efficient \
elegant execute faster finish finished flaw follow go goal green improvement improving instruction issue \
item kick kindly lint linter maintainable mentioned milestone mistake mistakes modern nicer optimise \
optimization optimize outstanding pass passing perf performance phase plan polish prettier production \
prompt push quality quicker read readability readable ready refactor refactoring reliability reliable \
reliably remaining requirement resume robust robustness shorten shorter simpler simplify slow slower \
smaller speed stable story talk talked task ticket tidy todo touch typo urgently warning";
