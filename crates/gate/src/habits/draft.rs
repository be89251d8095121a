//! The habit of opening pull requests that aren't drafts.

use super::about::Habit;
use super::arguments::{Options, Reach};
use super::line::{Call, Line};
use super::look::{Found, Remedy};
use super::rewriting::Edit;
use crate::permission::{After, after_subcommands};

pub(super) const CREATE: Options = Options::whole(
    "a|assignee= B|base= b|body= F|body-file= d|draft dry-run e|editor f|fill fill-first \
     fill-verbose H|head= l|label= m|milestone= no-maintainer-edit p|project= recover= r|reviewer= \
     T|template= t|title= w|web R|repo= h|help",
);

pub(super) fn find(line: &Line<'_>) -> Option<Found> {
    let mut remedy: Option<Remedy> = None;
    for call in line.calls(&["gh"]) {
        let found = if let Some(after) = subcommand(call, "gh pr create|new") {
            created(call, &after, line)
        } else if let Some(after) = subcommand(call, "gh pr ready") {
            let stays = after.words.iter().any(|word| matches!(word.text(), "--undo" | "--help"));
            (!stays).then_some(Remedy::None)
        } else {
            None
        };
        remedy = match (remedy, found) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }
    let remedy = remedy?;
    let what = "added --draft".to_owned();
    Some(Found { what, remedy, ..Found::new(Habit::DraftPr) })
}

/// The words after the subcommands of a rule. `None` if the command has other subcommands, or if
/// one of them is known only when the command line runs.
pub(super) fn subcommand<'s>(call: Call<'s>, rule: &str) -> Option<After<'s>> {
    after_subcommands(rule, &call.argv[1..]).filter(|after| !after.is_guess)
}

fn created(call: Call<'_>, after: &After<'_>, line: &Line<'_>) -> Option<Remedy> {
    let arguments = CREATE.read(after.words, Reach::All);
    // With `--web`, a person finishes the pull request in the browser.
    if arguments.has_any(&["web", "dry-run", "help"]) {
        return None;
    }
    let drafts: Vec<_> = arguments.all("draft").collect();
    let is_draft = drafts.last().is_some_and(|given| {
        given.value.is_none_or(|place| {
            matches!(arguments.text(place), "true" | "t" | "1" | "T" | "TRUE" | "True")
        })
    });
    if is_draft {
        return None;
    }
    let subcommand = call.argv.len() - after.words.len() - 1;
    let span = line.script().span(call.index, subcommand).filter(|_| drafts.is_empty());
    Some(span.map_or(Remedy::Unsure, |span| {
        Remedy::Edits(vec![Edit { range: span.end..span.end, insert: " --draft" }])
    }))
}
