//! Finds writes to protected files: verger's own files and the settings of agents. Agents must not
//! change them, in any directory and under any name.
//!
//! Every mode of the guard denies these writes. So they have a separate search, and no other
//! finding hides its findings. A command line without a possible name of a protected file skips the
//! search.

mod archives;
mod copies;

use verger_shell::{Command, Inside, Mode, Place, Script, Word};

use super::code;
use super::directories::Moves;
use super::harm::Call;
use super::judgement::{Finding, Triage};
use super::paths::{Ground, OWN_FILES, is_of_class, may_lead_to_own};
use super::tables::about;

/// The findings about writes to protected files, in the order of the commands.
pub(super) fn findings(
    script: &Script,
    ground: &Ground<'_>,
    moves: &Moves,
    lifted: &[String],
) -> Vec<Finding> {
    let line = Line { script, ground, moves };
    if !line.concerns_them() {
        return Vec::new();
    }
    let is_lifted = lifted.iter().any(|name| name == OWN_FILES);
    let commands = 0..script.commands.len();
    commands.filter_map(|index| line.finding(index, is_lifted)).collect()
}

struct Line<'a> {
    script: &'a Script,
    ground: &'a Ground<'a>,
    moves: &'a Moves,
}

impl Line<'_> {
    /// Whether a word or a directory of the command line may name a protected file.
    fn concerns_them(&self) -> bool {
        let leads = |text: &str| may_lead_to_own(text, self.ground);
        let of_command = |command: &Command| {
            let targets = command.redirects.iter().map(|redirect| &redirect.target);
            command.argv.iter().skip(1).chain(targets).any(|word| leads(word.text()))
                || code::written_texts(command)
                    .into_iter()
                    .any(|text| leads(text.trim_start_matches(['>', '+', '<', ' '])))
        };
        !self.ground.links.is_empty()
            || self.moves.all().any(leads)
            || self.script.commands.iter().any(of_command)
    }

    fn finding(&self, index: usize, is_lifted: bool) -> Option<Finding> {
        let command = &self.script.commands[index];
        if command.inside == Inside::Readings {
            return None;
        }
        let places = self.places(index);
        // Code that only reads may name a protected file. But an option of Perl or Ruby may still
        // make it write: `perl -i -e`.
        let has_options = matches!(command.program(), Some("perl" | "ruby"));
        let only_reads = !has_options && code::writes_files(command) == Some(false);
        let call = Call::of(self.script, index, self.ground);
        let call = call.filter(|_| !is_lifted && !only_reads);
        let started = call.as_ref().and_then(Call::started);
        let mut calls: Vec<_> = call.into_iter().chain(started).collect();
        let why = places.iter().find_map(|place| {
            let ground = Ground { cwd: Some(place), ..*self.ground };
            if is_redirected(command, &ground) {
                return Some("it writes to verger's files or to an agent's settings");
            }
            if is_in_code(command, &ground) {
                return Some("its code changes verger's files or an agent's settings");
            }
            let is_written = calls.iter_mut().any(|call| {
                call.ground = ground;
                is_written(call)
            });
            is_written.then_some("it changes verger's files or an agent's settings")
        })?;
        Some(Finding {
            triage: Triage::Deny,
            rule: OWN_FILES.to_owned(),
            why: why.to_owned(),
            instead: Some("ask the person to change it".to_owned()),
            command: Some(index),
        })
    }

    /// The directories in which the command at `index` may run. An option of an outer command may
    /// select one of them: `env -C .verger`.
    fn places(&self, index: usize) -> Vec<String> {
        let mut places: Vec<String> = Vec::new();
        for place in self.moves.seen_by(self.script, index).rev() {
            if !places.iter().any(|known| known == place) {
                places.push(place.to_owned());
            }
        }
        let mut at = index;
        loop {
            let command = &self.script.commands[at];
            if let Some(directory) = told_directory(command) {
                let from = Ground { cwd: places.first().map(String::as_str), ..*self.ground };
                places.insert(0, from.absolute(directory));
            }
            match command.place {
                Place::Within(outer) if outer < at && places.len() < MAX_PLACES => at = outer,
                Place::Within(_) | Place::Line => return places,
            }
        }
    }
}

/// The maximum number of directories that are checked for one command.
const MAX_PLACES: usize = 16;

fn is_redirected(command: &Command, ground: &Ground<'_>) -> bool {
    let is_written = |mode| matches!(mode, Mode::Write | Mode::Append | Mode::ReadWrite);
    let mut written = command.redirects.iter().filter(|redirect| is_written(redirect.mode));
    written.any(|redirect| is_of_class("own", &redirect.target, ground))
}

/// Whether code that may write files names a protected file, as one text or in parts: `home /
/// ".verger" / "config.toml"`. It isn't known which of the named files the code writes.
fn is_in_code(command: &Command, ground: &Ground<'_>) -> bool {
    let is_own = |text: &str| is_of_class("own", &literal(text), ground);
    // In Perl, the mode for opening a file is a sign before the file's name.
    let texts: Vec<_> = code::written_texts(command)
        .iter()
        .map(|text| text.trim_start_matches(['>', '+', '<', ' ']).to_owned())
        .filter(|text| text.len() <= MAX_NAME)
        .collect();
    let folders = texts.iter().filter(|text| is_of_class("own-folder", &literal(text), ground));
    let names = || texts.iter().filter(|text| !text.contains('/') && text.contains('.'));
    texts.iter().any(|text| is_own(text))
        || folders
            .take(MAX_FOLDERS)
            .any(|folder| names().take(MAX_NAMES).any(|name| is_own(&format!("{folder}/{name}"))))
}

fn literal(text: &str) -> Word {
    Word::Literal(text.to_owned())
}

/// The maximum length in bytes of a text in code that counts as a file name.
const MAX_NAME: usize = 256;

/// The maximum numbers of directories and of names in code that are combined into paths.
const MAX_FOLDERS: usize = 8;
const MAX_NAMES: usize = 64;

fn is_written(call: &Call<'_>) -> bool {
    let Call { program, words, ground, .. } = call;
    let own = about(program).filter(|rule| rule.name == OWN_FILES);
    call.strongest(own, &[]).is_some()
        || copies::puts(program, words, ground)
        || archives::puts(program, words, ground)
}

/// The working directory that an option of the command selects.
fn told_directory(command: &Command) -> Option<&str> {
    let (short, long) = match command.program()? {
        "env" | "genv" => ('C', "--chdir"),
        "sudo" => ('D', "--chdir"),
        "git" | "make" | "gmake" => ('C', "--directory"),
        _ => return None,
    };
    option_text(command.argv.get(1..)?, short, long)
}

/// The value of an option: `-C a`, `-Ca`, `-xC a`, `--directory a`, `--directory=a`.
pub(super) fn option_text<'w>(words: &'w [Word], letter: char, long: &str) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(at, word)| {
        let text = word.text();
        let attached = match text.strip_prefix(long) {
            Some(rest) if rest.is_empty() => rest,
            Some(rest) => rest.strip_prefix('=')?,
            None => {
                let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
                letters.split_once(letter)?.1
            }
        };
        match attached {
            "" => words.get(at + 1).map(Word::text),
            attached => Some(attached),
        }
    })
}

#[cfg(test)]
mod tests;
