//! Words that nearly every project and every instruction contain.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether it says nothing about what a text is about.
pub(super) fn is_silent(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| SILENT.split_whitespace().collect());
    is_in(&WORDS, word)
}

/// Whether it says a little.
pub(super) fn is_weak(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| WEAK.split_whitespace().collect());
    is_in(&WORDS, word)
}

/// Whether it is a word for work on any task, which tells none from another.
pub(super) fn is_of_any_work(word: &str) -> bool {
    matches!(word, "test" | "tests" | "testing" | "code" | "check" | "update")
}

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    SILENT.split_whitespace().chain(WEAK.split_whitespace())
}

fn is_in(words: &HashSet<&str>, word: &str) -> bool {
    words.contains(word) || word.strip_suffix('s').is_some_and(|word| words.contains(word))
}

const SILENT: &str = "
about above actually add adding added after again all already also always and another any anything are away
because been before being below better both but
ahead can cannot carry case continue proceed change changed come comes could create created current currently
dear default did different does doing don done down during
each either else end enough etc even ever every everything example existing explain extra
fail failed failing fails feature few file find fine first fix fixed following for found from
general get gets getting give given gives goes going good got great
had happen has have having hello help her here hey him his home how however
idea implement implementation improve inside instead into its itself
just keep kind know
last later least leave left less let like line little long look looks lot
main make makes making many may maybe mean might more most move much must
name need needed needs never new next nice nobody none nor not nothing now
object off often okay old once one only open other others our out over own
part people per place please plus point possible probably problem project proper properly
put quick quickly quite
rather real really reason remove replace repo repository rest result return right run running
said same say says see seem seems set sets should show shows side simple simply since small some somebody
something soon source still stop sub such support sure system
take takes tell than thank thanks that the their them then there these they thing this those
though three through thus today together too top toward try turn two
under until upon use used using usual value variable very via
want wants was way well were what whatever when where whether which while who whole whom whose why will with within
without word work working works would write writing wrong
yes yet you your yours
actual almost although among anyone anyway apart around ask asked aside asks became become becomes began begin
behind beside besides between beyond bit cause causes certain clear clearly complete completely
correct correctly despite directly easily easy entirely exactly expected extremely far fast fewer final finally
forget forgot fully further guess hand hard hardly hence hope indeed instance involve keeps kept
large largely lately latter likely longer mainly matter means mention merely mind moment mostly
near nearly neither normal normally obvious obviously occasional odd ones otherwise ought
particular past perhaps plain pretty previous previously purpose recent recently regard regardless
remain remains seen several shall short similar sometimes somehow someone somewhere specific start started starts stay stays
step steps stuff suddenly suppose supposed tend think third thought till tiny tried truly twice
unless unlike usually various wait week weeks went won wonder worse worst year years yesterday
monday tuesday wednesday thursday friday saturday sunday month months day days morning ago
second seconds
src lib app application pkg internal cmd bin crate common core shared base dev
class struct enum impl pub self const var func def async await static void int str
bool true false null nil export import require assert expect describe println print std java com org net
tsx jsx txt rst cpp www http https lines both mod init impl fixture
";

const WEAK: &str = "
api backend frontend web server client service user page list index version config setting model module package
table string number text type data error message test spec testing doc docs document log check build call
component controller handler helper util utils view function method property path code issue file html json
time send read write update query request response result route state event option ui field
folder note home
";
