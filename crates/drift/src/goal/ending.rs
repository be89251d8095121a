//! What a prompt ends of what was asked for.

use std::collections::BTreeSet;

use super::clauses::Sentence;
use super::phrases;
use super::signs::DEEDS;
use crate::paths::named_in;
use crate::words::words;

/// Whether a sentence ends work that was asked for.
pub(super) fn ends_something(lower: &str) -> bool {
    // "Not good enough" wants more of it.
    let is_meant = |end: &&str| match *end {
        "good enough" => !phrases::has(lower, &["not", "isn't", "aren't", "wasn't", "never"]),
        end => !(AS_WORK.contains(&end) && is_of_a_case(lower)),
    };
    ENDS.iter().any(|end| phrases::has(lower, &[end]) && is_meant(end))
        || STOPS.iter().any(|start| {
            lower
                .strip_prefix(start)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':']))
        })
}

/// Whether it says when something is to go, as one does of what a program does: "cancel the upload when the page is closed".
fn is_of_a_case(lower: &str) -> bool {
    phrases::has(lower, &["when", "whenever", "after", "if", "once"])
        && !phrases::has(lower, &["after all"])
}

/// Something that a prompt ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    /// What it is about.
    words: BTreeSet<String>,
    /// Those of them that say that it is over: a dropdown has nothing to do with what is dropped.
    by: BTreeSet<String>,
    /// Where that is.
    places: Vec<String>,
    said: Said,
}

/// How it is said that something is over.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    /// In words that end work, whatever it is called: "forget the badge".
    Outright,
    /// In words that may as well ask for work on this: "drop the sleep in the tests".
    AsWork(BTreeSet<String>),
    /// By something else that is wanted instead.
    BeforeAnother,
}

impl Ended {
    fn of(clause: &Sentence) -> Self {
        let said = match thing(&clause.lower) {
            Some(thing) => Said::AsWork(words(thing)),
            None => Said::Outright,
        };
        let by =
            phrases::find(&clause.lower, ENDS).map(|(at, len)| words(&clause.lower[at..at + len]));
        Self { said, by: by.unwrap_or_default(), ..Self::before_another(clause) }
    }

    fn before_another(clause: &Sentence) -> Self {
        let places = named_in(&clause.text, None);
        Self { words: words(&clause.text), by: BTreeSet::new(), places, said: Said::BeforeAnother }
    }

    /// Whether work that is about such words is over.
    pub(super) fn ends(&self, is_wanted: impl Fn(&String) -> bool) -> bool {
        match &self.said {
            Said::Outright => true,
            Said::AsWork(thing) => {
                thing.iter().filter(|word| is_wanted(word)).count() * 2 >= thing.len()
            }
            Said::BeforeAnother => false,
        }
    }

    fn may_be_work(&self) -> bool {
        matches!(self.said, Said::AsWork(_))
    }

    /// How many of its words such work has.
    pub(super) fn shared(&self, work: &BTreeSet<String>) -> usize {
        self.words.intersection(work).count()
    }
}

/// What the parts of a prompt that end something come to, for a goal that wants such words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Over {
    /// Words of what is over.
    pub(super) ended: BTreeSet<String>,
    /// Words of what is wanted after all: nobody asked for it before, so that nothing of it can end.
    pub(super) wanted: BTreeSet<String>,
    /// Places that are spoken of only because they are over.
    pub(super) places: Vec<String>,
}

impl Over {
    pub(super) fn of(parts: Vec<Ended>, is_wanted: impl Fn(&String) -> bool) -> Self {
        let is_known = |one: &Ended| one.words.iter().any(&is_wanted);
        // "Stop here" says itself of nothing what it ends.
        let is_said = parts.iter().any(|one| one.said == Said::Outright);
        let outright = is_said && parts.iter().any(|one| !one.may_be_work() && is_known(one));
        let is_over = |one: &Ended| match one.said {
            Said::Outright => outright,
            Said::AsWork(_) => one.ends(&is_wanted),
            Said::BeforeAnother => false,
        };
        let any = parts.iter().any(is_over);
        let mut over = Self::default();
        for part in parts {
            if is_over(&part) {
                over.ended.extend(part.words.difference(&part.by).cloned());
                over.places.extend(part.places);
            } else if any && part.said == Said::BeforeAnother {
                over.ended.extend(part.words.into_iter().filter(&is_wanted));
                over.places.extend(part.places);
            } else {
                over.wanted.extend(part.words);
            }
        }
        over
    }
}

/// What is to go where the words may ask for work: "the docker-compose sleep" of "drop the docker-compose sleep in the tests".
fn thing(lower: &str) -> Option<&str> {
    const ENDS_THING: &[&str] = &[
        " in ",
        " from ",
        " on ",
        " for ",
        " because ",
        " since ",
        " with ",
        " so ",
        " and ",
        " at ",
        " when ",
        " that ",
        " which ",
        " until ",
        " as ",
    ];
    let as_work = phrases::find(lower, AS_WORK).or_else(|| {
        STOPS.iter().find(|stop| phrases::begins(lower, &[stop])).map(|stop| (0, stop.len()))
    });
    let (at, len) = as_work?;
    let is_outright = |end: &&&str| !AS_WORK.contains(*end) && phrases::has(lower, &[end]);
    if ENDS.iter().any(|end| is_outright(&end)) {
        return None;
    }
    let thing = &lower[at + len..];
    let end = ENDS_THING.iter().filter_map(|end| thing.find(end)).min();
    let thing = &thing[..end.unwrap_or(thing.len())];
    let last = thing.split_whitespace().next_back();
    (!last.is_some_and(|last| UNNAMED.contains(&last))).then_some(thing)
}

/// The parts that end something, and the others. "Keep the rest as it was, undo that" ends what its first part
/// is about, and what stands before an "instead" speaks of what was ended by it.
pub(super) fn ending(sentences: &[Sentence]) -> (Vec<Ended>, Vec<Sentence>) {
    let (mut ending, mut going_on) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let mut before: Option<Sentence> = None;
        let mut clauses = sentence.clauses().into_iter().peekable();
        while let Some(clause) = clauses.next() {
            let is_instead = wants_another(&clause.lower, clauses.peek().is_some());
            if is_instead && (!ending.is_empty() || phrases::begins(&clause.lower, RATHER)) {
                going_on.extend(before.take());
                let is_wish = |one: &mut Sentence| !phrases::begins(&one.lower, DEEDS);
                let spoken_of = going_on.extract_if(.., is_wish);
                ending.extend(spoken_of.map(|one| Ended::before_another(&one)));
            }
            if !ends_something(&clause.lower) {
                going_on.extend(before.replace(clause));
                continue;
            }
            let points_back = phrases::has(&clause.lower, &["it", "that", "this"])
                && words(&clause.text).len() <= 1;
            match before.take() {
                Some(before) if points_back => ending.push(Ended::of(&before)),
                before => going_on.extend(before),
            }
            match divided(&clause) {
                Some((end, rest)) => {
                    ending.push(Ended::of(&end));
                    before = Some(rest);
                }
                None => ending.push(Ended::of(&clause)),
            }
        }
        going_on.extend(before);
    }
    for one in &mut ending {
        one.places.retain(|place| !going_on.iter().any(|on| on.text.contains(place.as_str())));
    }
    (ending, going_on)
}

/// Whether a part of a sentence says what is wanted instead of what was spoken of. `goes_on` says whether another part follows.
fn wants_another(lower: &str, goes_on: bool) -> bool {
    let rest =
        ["instead", "代わりに", "かわりに"].iter().find_map(|instead| lower.strip_prefix(instead));
    let rest = rest.map(str::trim_start);
    phrases::begins(lower, RATHER)
        || rest.is_some_and(|rest| !phrases::begins(rest, &["of"]) && (goes_on || !rest.is_empty()))
}

/// What comes behind is more important.
const RATHER: &[&str] = &["それより"];

/// "Revert that and let the role read the bucket" ends something, and then wants something.
fn divided(clause: &Sentence) -> Option<(Sentence, Sentence)> {
    const WANTS: &[&str] =
        &["just", "let", "instead", "rather", "use", "take", "try", "put", "keep", "run"];
    let (end, rest) = clause.text.split_once(" and ")?;
    let (end, rest) = (Sentence::new(end), Sentence::new(rest));
    let wants = phrases::begins(&rest.lower, DEEDS) || phrases::begins(&rest.lower, WANTS);
    (ends_something(&end.lower) && !ends_something(&rest.lower) && wants).then_some((end, rest))
}

/// It ends what was asked for.
const ENDS: &[&str] = &[
    "forget",
    "scrap",
    "ditch",
    "shelve",
    "bin the",
    "bin that",
    "is out",
    "never mind",
    "nevermind",
    "scratch that",
    "on hold",
    "hold off",
    "put aside",
    "on ice",
    "drop it",
    "hold that thought",
    "come back to this",
    "come back to that",
    "back burner",
    "set that aside",
    "set this aside",
    "park",
    "cancel",
    "drop the",
    "drop that",
    "that's enough",
    "that is enough",
    "this is enough",
    "it's enough",
    "it is enough",
    "enough for now",
    "good enough",
    "leave it there",
    "leave it at that",
    "leave that",
    "for later",
    "for next sprint",
    "for the next sprint",
    "for next week",
    "for another day",
    "for another time",
    "postpone",
    "postponed",
    "abandon",
    "undo it",
    "undo that",
    "revert that",
    "revert it",
    "roll that back",
    "no longer needed",
    "not needed anymore",
    "don't need that",
    "skip the rest",
    "can wait",
    "off the table",
    "call it done",
    "we're done with",
    "done with that",
    "that's it for",
    "hold the",
    "pause the",
    "pause that",
    "stop working",
    "stop the",
    "stop that",
    "stop with",
    "stop here",
    "もういい",
    "もう十分",
    "十分です",
    "やめて",
    "やめます",
    "中止",
    "保留",
    "後回し",
    "後でいい",
    "あとでいい",
    "後にして",
    "あとにして",
    "見送り",
    "打ち切",
    "置いておい",
    "置いとい",
    "置いて、",
    "あと回し",
    "忘れて",
    "戻して",
    "revertして",
    "revert して",
    "リバートして",
    "元に戻",
    "不要になり",
    "不要です",
    "取り消",
    "キャンセル",
    "ストップ",
    "そこまで",
    "終わりに",
    "いったん止",
    "一旦止",
    "中断",
    "また今度",
    "また後で",
    "止めて",
    "なしで、",
    "なかったことに",
];
/// Some of it may be asked for as work.
const AS_WORK: &[&str] = &["drop the", "drop that", "cancel", "stop the", "pause the"];
/// What one did, by no name of its own: "the graphql thing".
const UNNAMED: &[&str] = &["thing", "stuff", "idea", "plan", "attempt", "work", "task", "approach"];
/// So does a sentence that begins with it.
const STOPS: &[&str] = &["stop", "halt", "pause", "enough"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_enough_yet_is_not_over() {
        let cases = [
            ("that's enough tests", true),
            ("ok good enough", true),
            ("enough of the css", true),
            ("it's good enough for now", true),
            ("the header is not dark enough", false),
            ("that's not good enough", false),
            ("the query is still not fast enough", false),
            ("csv is enough", false),
            ("make sure there is enough contrast in the upload progress", false),
        ];
        for (said, expected) in cases {
            assert_eq!(ends_something(said), expected, "{said}");
        }
    }
}
