//! What a prompt ends of what was asked for.

use super::clauses::Sentence;
use super::phrases;
use super::signs::DEEDS;
use crate::words::words;

/// Whether a sentence ends work that was asked for.
pub(super) fn ends_something(lower: &str) -> bool {
    phrases::has(lower, ENDS)
        || STOPS.iter().any(|start| {
            lower
                .strip_prefix(start)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':']))
        })
}

/// The parts that end something, and the others. "Keep the rest as it was, undo that" ends what its first part
/// is about.
pub(super) fn ending(sentences: &[Sentence]) -> (Vec<Sentence>, Vec<Sentence>) {
    let (mut ending, mut going_on) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let mut before: Option<Sentence> = None;
        for clause in sentence.clauses() {
            if !ends_something(&clause.lower) {
                going_on.extend(before.replace(clause));
                continue;
            }
            let points_back = phrases::has(&clause.lower, &["it", "that", "this"])
                && words(&clause.text).len() <= 1;
            match before.take() {
                Some(before) if points_back => ending.push(before),
                before => going_on.extend(before),
            }
            match divided(&clause) {
                Some((end, rest)) => {
                    ending.push(end);
                    before = Some(rest);
                }
                None => ending.push(clause),
            }
        }
        going_on.extend(before);
    }
    (ending, going_on)
}

/// "Revert that and let the role read the bucket" ends something, and then wants something.
fn divided(clause: &Sentence) -> Option<(Sentence, Sentence)> {
    let (end, rest) = clause.text.split_once(" and ")?;
    let (end, rest) = (Sentence::new(end), Sentence::new(rest));
    let wants = phrases::begins(&rest.lower, DEEDS)
        || phrases::begins(&rest.lower, &["just", "let", "instead", "rather"]);
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
    "enough",
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
/// So does a sentence that begins with it.
const STOPS: &[&str] = &["stop", "halt", "pause"];
