//! English words that are frequent in technical prose and say little about a sentence's topic.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::stem::stem;

/// Returns whether a stem is that of a frequent word. Stop words are frequent words.
///
/// ```
/// use verger_text::{is_common_stem, stem};
/// assert!(is_common_stem(&stem("fixing")) && !is_common_stem(&stem("kubernetes")));
/// ```
pub fn is_common_stem(stem: &str) -> bool {
    COMMON_STEMS.contains(stem)
}

static COMMON_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| COMMON_WORDS.split(' ').map(stem).collect());

/// The frequent words in their base form, sorted.
const COMMON_WORDS: &str = "\
    a able about accommodate accomplish achieve acknowledge across act actual actually adapt \
    add additional adjust adopt advisable after afterwards again against aim all allow almost \
    alone along alongside already also alter altogether always am among an and announce \
    another answer any anyway apart appear apply approximately are around as assemble assume \
    at attach automatically avoid await aware back bad be bear because become been before \
    beforehand begin behave being believe belong beside best better between bind bit block \
    both break bring build by call can capture careful carry case catch caught cause cease \
    certain change check choose claim clean clear collect combine come common compete compile \
    complain compose confirm consider consist consistent consistently construct consult \
    consume contain continue contribute convenient convert cope copy correct correctly could \
    cover crash create crucial current currently cut dangerous deal decide declare decline \
    defer define delay delete deliver demand deny depend derive describe deserve destroy \
    detect determine did differ different difficult directly discard distinguish distribute do \
    does done double down draw drop due during e.g each easily easy edit efficient eg else \
    emit empty enable encounter encourage end enforce enhance ensure enter entire equal escape \
    especially essential establish etc evaluate even eventually every exact exactly examine \
    exceed exclude execute exist existing expand expect expected expensive experience explain \
    explicit explicitly expose express extend extra extract fail fall far fast favour fetch \
    few fill finally find fine finish fire fit fix flush follow for forbid force forget \
    forward free freeze frequently from full further gain gather generally generate give go \
    going good grab grow guarantee guard had handle hang happen hard harmful has have having \
    help helpful hence here hide high hit hold honour how however huge i i'm i.e identical \
    identify ie if ignore immediately implement implicitly imply important impossible improve \
    in include independent indicate indirectly inefficient inform inherit initialise inject \
    insert inside inspect install instead into introduce invalid involve is isolate issue it \
    it's its itself join judge jump just keep kill know land large last later launch lead leak \
    learn leave legal let level lift like likely limit listen live load locate lock long \
    longer look lose lot low main maintain make manage mandatory mark match matter may mean \
    meant meanwhile measure mention merely merge might mind minor miss modify monitor more \
    move much must my near nearly necessary need never new next nice normal note notice now \
    obey observe obtain obvious occur odd of off offer often ok okay old omit on once one only \
    onto open opt or original other otherwise ought our ours out over override overwrite own \
    part particular particularly pass pause pay per perform permit persist pick place please \
    plus poor populate possible prefer prepare present preserve prevent proceed process \
    produce prohibit promise propagate proper properly propose protect prove provide pull \
    purely purge push put qualify quick quickly quietly quit quite raise rarely rather reach \
    react ready real realise really reasonable receive recognise recommend recommended recover \
    redirect reduce refer refuse regard register regular reject relate relevant reliable rely \
    remain remember remind remove rename render repair repeat repeatedly replace reply \
    represent require reset resolve respect respond restore restrict result resume retain \
    retry return reuse reveal revise right risky rough roughly run safe same save say search \
    secretly see seem select send separate serve set shall share short should show shut silent \
    silently similar simple simply since single sit skip sleep slow slowly small so solely \
    solve some sometimes soon sort spawn speak special specific specify spend split spread \
    stall stand start state stay stick still stop store strange strict strip strong stuck \
    subtle such suffer sufficient suggest suitable supply support suppose supposed suppress \
    sure survive swallow swap switch take teach tell tend terminate than that that's the their \
    them then there there's therefore these they thing this those though through throw thus \
    tie tiny to together toggle too total touch track transfer transform treat tricky trigger \
    trim true trust try turn twice typical typically ugly unable unclear under understand undo \
    unexpected unfortunately unify unlikely unnecessary unsafe until unusual up update upgrade \
    upon us use useful usual usually valid various vary verify very via visible visit wait \
    wake want warn was waste watch way we we're weak wear weird well were what whatever when \
    whenever where whether which whichever while who who's whole whom whose why wide will win \
    wipe with within wonder work worth would wrap wrapped write wrong yet yield you you're \
    your";
