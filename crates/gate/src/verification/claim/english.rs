//! Classifies an English statement by the form of its first words and a table of phrases.

use super::Says;

/// Verbs for completed actions. Verbs of looking, thinking and starting are left out on purpose.
const DEEDS: &str = "added addressed adjusted aligned amended applied archived built bumped changed cleaned cleared \
    closed committed completed condensed configured consolidated converted copied corrected created cut \
    deleted deployed disabled documented done dropped enabled encoded expanded extended extracted filed \
    finished fixed flattened force-pushed formatted generated handled hardened implemented improved included \
    inlined inserted installed integrated landed linked made marked merged migrated moved narrowed opened \
    patched pinned posted published pushed raised rebased rebuilt reduced refactored regenerated registered \
    released removed renamed reordered reorganized replaced replied resolved restored restructured reverted \
    rewritten rewrote rolled saved scaffolded sent set shipped shortened silenced simplified skipped sorted \
    split squashed stubbed swapped switched synced tightened trimmed tweaked unified uninstalled updated \
    upgraded wired wrapped written wrote";
/// Past forms that are also imperatives. Without "I", they are commands: "Set the variable".
const SAME_AS_BASE: &str = "cut set split";
const BY_THE_AGENT: &str = "i i've we we've";
/// Verbs that report a completed action only together with a word of [`OBJECTS`]. For example,
/// opening a log changes nothing.
const NEEDS_OBJECT: &str = "opened sent";
const OBJECTS: &str = "pr prs pr's pull issue issues mr";
/// Verbs that show that the first word of a statement is an adjective: "Fixed costs are included".
const FINITE: &str = "is are was were has have";
/// Words for the state of finished work.
const STATES: &str = "added addressed applied clean closed committed complete completed created deleted deployed done finished \
    fixed gone green implemented installed live merged moved open opened published pushed ready removed \
    resolved restored shipped synced updated verified written";
/// Words for a state that may have been true before the work. They count only with a word of
/// [`ALL_OF_IT`], such as "now" or "everything".
const WEAK_STATES: &str = "clean green live open ready";
const ALL_OF_IT: &str = "all both everything everything's now pr";
/// Words that may come before the verb: "I've now fixed", "found it and fixed".
const LEADS: &str = "i i've we we've have now yep ok okay great good perfect all both everything successfully just pr and \
    also then found it";
const BE: &str = "is are been it's that's they're everything's";
const ADVERBS: &str = "now all both fully also been successfully";
/// Words that may follow the verb in a sentence fragment: "Handoff written to the file".
const AFTER_FRAGMENT: &str = "to as in on and for with at";
/// Words before the verb that show that the action wasn't done, or not by the agent.
const NOT_A_FRAGMENT: &str = "nothing none be been being is are was were it this that which what should can could will would to not if \
    when until no they you he she split set cut put then yes sorry";
/// Words before the verb that show that the statement isn't about the whole work.
const SUBORDINATE: &str = "nothing none hasn't haven't isn't aren't not that which when where if once only unless until because yes no \
    every tree worktree";
/// Subjects that can be finished although the work isn't finished.
const NOT_THE_WORK: &str = "research review reviews reviewing reading audit analysis investigation run step phase wave \
    status";
const ENDED: &str = "clean complete completed done finished";

// Phrases that show that the agent continues, separated by `|`. A space at the start or end of a
// phrase is a word boundary.
const GOES_ON: &str = " waiting on | waiting for |i'll wait|i'm waiting|still need to|i'm now |i'm running\
    |i'm adding|i'm moving|i'm looking|i'm starting|i'm carrying|i'm continuing|i'm going to\
    |i'll need to|, so i'm | then i'll|next i'll|next i will|i'll move|i'll pick up\
    |i'll do the next|i'll work through|moving on to|continuing with|looking into|working on\
    |let me look";
const WATCHES: &str = "i'll report|will notify|i'll keep";
const FAILED: &str = "couldn't |wasn't able|unfortunately|none of them|no luck|won't go through|isn't available\
    |didn't manage| failed | blocked | paused ";
const MISSING: &str = " not done |n't done| not finished|haven't managed|still missing|there yet|n't been started\
    |not covered|still needs |still fail |still fail.|still fail,|still fails|still failing\
    | is not implemented| are not implemented|n't implemented|not implemented yet|not yet implemented\
    |doesn't help|n't fixed|not fixed|still there|is a stub|stubbed\
    |i skipped|left out|ran out of|now fail|no longer starts|not working| to be written\
    | blocked | paused | left. | left (| to go. ";
/// Phrases that show that a statement is about a part of the work, or about no work.
const PART: &str = " most of | half | except | part | phase | step | so far| the first | everything but \
    | out of the |as far as i|what i could| wip | but | no changes| no edits| running| under way\
    | in progress|good progress|some progress|made progress| by default| already ";
const SUMMARY: &str =
    " summary of what |the full summary|here's what i did|here's what changed|what i changed";

pub(super) fn says(text: &str) -> Says {
    let padded = format!(" {text} ");
    let has = |phrases: &str| phrases.split('|').any(|phrase| padded.contains(phrase));
    let words = words(text);
    if text.ends_with('?') {
        Says::Other
    } else if has(GOES_ON) {
        Says::GoesOn
    } else if has(WATCHES) {
        Says::Watches
    } else if has(MISSING) {
        Says::Missing
    } else if has(FAILED) {
        Says::Failed
    } else if has(PART) || is_fraction(&words) {
        Says::Other
    } else if (did(&words) && !is_adjective(text)) || has(SUMMARY) {
        Says::Did
    } else if is_done(&words) || text == "all green." {
        Says::IsDone
    } else {
        Says::Other
    }
}

/// Whether the words report a completed action: "Fixed the parser", "I've now moved it", "Handoff
/// written to the file".
fn did(words: &[&str]) -> bool {
    let leads = words.iter().take_while(|word| is_in(LEADS, word)).count();
    let is_other = |word: &&str| is_in(NOT_THE_WORK, word);
    if let Some(deed) = words.get(leads).filter(|word| is_in(DEEDS, word)) {
        let by_agent = words[..leads].iter().any(|word| is_in(BY_THE_AGENT, word));
        let is_instruction = is_in(SAME_AS_BASE, deed) && !by_agent;
        let is_object = |word: &&str| is_in(OBJECTS, word) || word.contains('#');
        let lacks_object = is_in(NEEDS_OBJECT, deed) && !words.iter().any(is_object);
        let is_history = matches!(words[leads + 1..], ["in", version, ..] if is_version(version));
        let is_other = words.get(leads + 1).is_some_and(is_other);
        return !(is_instruction || lacks_object || is_history || is_other);
    }
    let subject = words.iter().take(4).take_while(|word| !is_in(NOT_A_FRAGMENT, word));
    let deed = subject.clone().position(|word| is_in(DEEDS, word) || *word == "complete");
    deed.is_some_and(|at| {
        let is_end = words.get(at + 1).is_none_or(|next| is_in(AFTER_FRAGMENT, next));
        is_end && !words[..at].iter().any(is_other)
    })
}

/// Whether the first word is the adjective of a subject: "Fixed costs are included".
fn is_adjective(text: &str) -> bool {
    const MAX_SUBJECT: usize = 3;
    let clause = text.split([',', ':', ';', '—', '–', '(']).next().unwrap_or(text);
    let words = words(clause.split(" - ").next().unwrap_or(clause));
    let ends_subject = |word: &str| is_in(SUBORDINATE, word) || is_in(AFTER_FRAGMENT, word);
    words.split_first().is_some_and(|(first, rest)| {
        let mut subject = rest.iter().take(MAX_SUBJECT).take_while(|word| !ends_subject(word));
        is_in(DEEDS, first) && subject.any(|word| is_in(FINITE, word))
    })
}

/// Whether the word is a version: "v2", "1.4.0".
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number && (number != word || number.contains('.'))
}

/// Whether the words report a finished state: "The parser is fixed", "both are now merged".
fn is_done(words: &[&str]) -> bool {
    const MAX_SUBJECT: usize = 12;
    let Some(be) = words.iter().take(MAX_SUBJECT).position(|word| is_in(BE, word)) else {
        return false;
    };
    let (subject, after) = (&words[..be], &words[be + 1..]);
    let state = after.iter().position(|word| !is_in(ADVERBS, word)).unwrap_or(after.len());
    let is_all = || words.iter().take(be + 1 + state).any(|word| is_in(ALL_OF_IT, word));
    let has = |list| subject.iter().any(|word| is_in(list, word));
    match after[state..] {
        _ if has(SUBORDINATE) => false,
        ["in", next, ..] => next == "place",
        [state, ..] if is_in(ENDED, state) && has(NOT_THE_WORK) => false,
        [state, "now", ..] if is_in(WEAK_STATES, state) => true,
        [state, ..] if is_in(WEAK_STATES, state) => is_all(),
        [state, ..] => is_in(STATES, state),
        [] => false,
    }
}

/// Whether the words have a fraction: "46 of 52", "18 of the 26".
fn is_fraction(words: &[&str]) -> bool {
    let number = |word: &str| word.parse::<u32>().ok();
    words.windows(4).any(|four| {
        let all = match four {
            [_, "of", "the", all] | [_, "of", all, _] => number(all),
            _ => None,
        };
        number(four[0]).zip(all).is_some_and(|(some, all)| some < all)
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "—–/".contains(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\''))
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}
