//! Applies edits to a command line. All other bytes of the command line stay the same.

use std::ops::Range;

use verger_shell::{Command, Script, Word, read};

use crate::permission::root_of;

/// An edit of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range of the command line to remove.
    pub range: Range<usize>,
    /// The text to insert in place of the range.
    pub insert: &'static str,
}

/// The command line with these edits. `None` if the edits overlap, or if a parse of the new command
/// line differs in more than the edited words.
pub fn rewritten(script: &Script, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut line = String::with_capacity(script.line().len());
    let mut at = 0;
    for edit in &edits {
        line.push_str(script.line().get(at..edit.range.start)?);
        line.push_str(edit.insert);
        at = edit.range.end;
    }
    line.push_str(script.line().get(at..)?);
    is_same_but(script, &read(&line), &edits).then_some(line)
}

fn is_same_but(before: &Script, after: &Script, edits: &[&Edit]) -> bool {
    let is_edited = |index: usize| is_touched(before, root_of(before, index), edits);
    let commands = before.commands.iter().zip(&after.commands).enumerate();
    before.commands.len() == after.commands.len()
        && before.functions == after.functions
        && before.evaluated.len() == after.evaluated.len()
        && before.unread.iter().map(|u| u.why).eq(after.unread.iter().map(|u| u.why))
        && commands.into_iter().all(|(index, (one, other))| {
            one.assignments == other.assignments
                && one.redirects == other.redirects
                && one.place == other.place
                && one.argv.first() == other.argv.first()
                && if is_edited(index) {
                    keeps_words(before, index, other, edits)
                } else {
                    one.argv == other.argv && one.stdin == other.stdin
                }
        })
}

/// Whether an edit changes the words or the here-document of the command with this index.
fn is_touched(script: &Script, index: usize, edits: &[&Edit]) -> bool {
    let words = (0..script.commands[index].argv.len()).filter_map(|word| script.span(index, word));
    let (mut start, mut end) = (usize::MAX, 0);
    for span in words.chain(script.body(index)) {
        (start, end) = (start.min(span.start), end.max(span.end));
    }
    edits.iter().any(|edit| edit.range.start >= start && edit.range.start <= end)
}

/// Whether the new command still has all words that weren't edited, in the same order.
fn keeps_words(before: &Script, index: usize, after: &Command, edits: &[&Edit]) -> bool {
    let command = &before.commands[index];
    let is_kept = |word: &usize| {
        before.span(index, *word).is_some_and(|span| {
            edits.iter().all(|edit| edit.range.end <= span.start || edit.range.start >= span.end)
        })
    };
    let kept: Vec<&Word> =
        (0..command.argv.len()).filter(is_kept).map(|word| &command.argv[word]).collect();
    let added = edits.iter().filter(|edit| !edit.insert.is_empty()).count();
    let mut words = after.argv.iter();
    // A command whose words have no position on the command line, such as the inner command of
    // `xargs`, isn't compared word by word.
    (before.span(index, 0).is_none() || kept.iter().all(|word| words.any(|other| other == *word)))
        && after.argv.len() <= command.argv.len() + added
}
