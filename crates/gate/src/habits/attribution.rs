//! The habit of naming a coding agent as an author in commit messages and pull requests.

mod parts;

use super::about::Habit;
use super::arguments::{Arguments, Given, Options, Reach};
use super::draft::{CREATE, subcommand};
use super::git::{COMMIT, Git};
use super::line::{Call, Line};
use super::look::{Found, Remedy};
use super::rewriting::Edit;
use super::signed::Signatures;
use parts::{Part, Parts};

const MERGE: Options =
    Options::of_git("m|message= F|file= s|strategy= X|strategy-option= into-name= cleanup=");

const PR_EDIT: Options = Options::whole(
    "b|body= F|body-file= t|title= B|base= add-label= remove-label= add-assignee= remove-assignee= \
     add-reviewer= remove-reviewer= add-project= remove-project= m|milestone= R|repo=",
);

/// The maximum number of bytes of removed text in the log.
const MAX_TOLD_BYTES: usize = 200;

/// Whether a message may become empty when its signatures are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Fine,
    Refused,
}

/// The signatures of agents in one command, and the edits that remove them.
struct Signed {
    lines: Vec<String>,
    remedy: Remedy,
}

pub(super) fn find(line: &Line<'_>) -> Option<Found> {
    let mut all: Option<Signed> = None;
    let git = Git::calls(line, &["commit", "merge"]).filter_map(|git| in_message(&git, line));
    let requests = line.calls(&["gh"]).filter_map(|call| in_request(call, line));
    for signed in git.chain(requests) {
        all = Some(match all {
            None => signed,
            Some(mut all) => {
                all.lines.extend(signed.lines);
                Signed { remedy: all.remedy.and(signed.remedy), ..all }
            }
        });
    }
    let Signed { lines, remedy } = all?;
    let mut taken = lines.join(" / ");
    taken.truncate(taken.floor_char_boundary(MAX_TOLD_BYTES));
    let what = format!("removed: {taken}");
    Some(Found { what, remedy, ..Found::new(Habit::Attribution) })
}

fn in_message(git: &Git<'_>, line: &Line<'_>) -> Option<Signed> {
    let arguments = git.arguments(if git.subcommand == "merge" { &MERGE } else { &COMMIT });
    let parts = Parts::new(line, git.call, git.first);
    let mut search = Search::new(line.scene.signatures);
    let messages: Vec<_> = arguments.all("message").collect();
    let texts: Vec<_> = messages.iter().map(|given| parts.value(&arguments, *given)).collect();
    for (at, (given, part)) in messages.iter().zip(&texts).enumerate() {
        let others = texts.iter().enumerate().filter(|(other, _)| *other != at);
        let is_only = !others.map(|(_, part)| part).any(|part| search.leaves_something(part));
        if search.is_all_signed(part) && !is_only {
            search.option(*given, &arguments, &parts);
        } else {
            search.part(part, Emptiness::Refused);
        }
    }
    for given in arguments.all("trailer") {
        let value = given.value.map(|place| arguments.text(place));
        if value.is_some_and(|value| {
            line.scene.signatures.is_signed(&value.replacen('=', ": ", 1))
                || line.scene.signatures.is_signed(value)
        }) {
            search.option(given, &arguments, &parts);
        }
    }
    for file in arguments.values("file") {
        search.file(&parts, file, Emptiness::Refused);
    }
    search.finish()
}

fn in_request(call: Call<'_>, line: &Line<'_>) -> Option<Signed> {
    let created = subcommand(call, "gh pr create|new").map(|after| (after, &CREATE));
    let (after, options) =
        created.or_else(|| subcommand(call, "gh pr edit").map(|after| (after, &PR_EDIT)))?;
    let arguments = options.read(after.words, Reach::All);
    let parts = Parts::new(line, call, call.argv.len() - after.words.len());
    let mut search = Search::new(line.scene.signatures);
    for given in arguments.all("body") {
        search.part(&parts.value(&arguments, given), Emptiness::Fine);
    }
    for file in arguments.values("body-file") {
        search.file(&parts, file, Emptiness::Fine);
    }
    search.finish()
}

/// A search for the signatures of agents in one command, with those found so far.
struct Search<'a> {
    signatures: &'a Signatures<'a>,
    lines: Vec<String>,
    edits: Vec<Edit>,
    is_sure: bool,
}

impl<'a> Search<'a> {
    fn new(signatures: &'a Signatures<'a>) -> Self {
        Self { signatures, lines: vec![], edits: vec![], is_sure: true }
    }

    fn left(&self, text: &str) -> String {
        let mut left = text.to_owned();
        for cut in self.signatures.cuts(text).into_iter().rev() {
            left.replace_range(cut, "");
        }
        left
    }

    fn leaves_something(&self, part: &Part) -> bool {
        !self.left(&part.text).trim().is_empty()
    }

    fn is_all_signed(&self, part: &Part) -> bool {
        !self.signatures.cuts(&part.text).is_empty() && !self.leaves_something(part)
    }

    /// Removes the signatures from a part of the message.
    fn part(&mut self, part: &Part, emptiness: Emptiness) {
        let cuts = self.signatures.cuts(&part.text);
        let signed = part.text.lines().filter(|line| self.signatures.is_signed(line));
        self.lines.extend(signed.map(|line| line.trim().to_owned()));
        self.is_sure &=
            cuts.is_empty() || emptiness == Emptiness::Fine || self.leaves_something(part);
        for cut in cuts {
            match part.place.source_of(cut) {
                Some(range) => self.edits.push(Edit { range, insert: "" }),
                None => self.is_sure = false,
            }
        }
    }

    /// Removes the signatures from the content of a message file.
    fn file(&mut self, parts: &Parts<'_>, file: &str, emptiness: Emptiness) {
        let found = parts.file(file);
        let is_left = found.iter().any(|part| self.leaves_something(part));
        let emptiness = if is_left { Emptiness::Fine } else { emptiness };
        let is_signed = |part: &Part| !self.signatures.cuts(&part.text).is_empty();
        let whole = parts.whole_file(file).filter(|_| !found.iter().any(is_signed));
        for part in found.iter().chain(&whole) {
            self.part(part, emptiness);
        }
    }

    /// Removes an option together with its value.
    fn option(&mut self, given: Given, arguments: &Arguments<'_>, parts: &Parts<'_>) {
        let value = given.value.map(|place| arguments.text(place)).unwrap_or_default();
        self.lines.push(value.trim().to_owned());
        match parts.option(given) {
            Some(range) => self.edits.push(Edit { range, insert: "" }),
            None => self.is_sure = false,
        }
    }

    fn finish(self) -> Option<Signed> {
        let Self { lines, edits, is_sure, .. } = self;
        if lines.is_empty() {
            return None;
        }
        let remedy = if is_sure { Remedy::Edits(edits) } else { Remedy::Unsure };
        Some(Signed { lines, remedy })
    }
}
