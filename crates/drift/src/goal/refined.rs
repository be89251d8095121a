//! What a program read out of a person's words, on top of what the rules did.
//!
//! A person's own words stay what they are: the goal is told to agents in them, and nothing that they
//! forbid is lifted. What the program adds is kept apart where that matters.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::constraint::Constraint;
use super::{Goal, Instruction, MAX_BYTES, MAX_WORDS, clauses, forbidding};
use crate::bounded::fit_latest;
use crate::paths::{PathPattern, within};
use crate::reading::Reading;
use crate::words::{weak_words, words};

/// So many constraints of a program hold at once.
const MAX_READ: usize = 16;

/// What a program added to a goal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refined {
    /// What is wanted, in its words.
    pub text: Option<String>,
    /// Places of the scope that no person named.
    pub paths: Vec<PathPattern>,
    /// What it takes for forbidden, although no rule found it in the words.
    pub constraints: Vec<Constraint>,
}

impl Refined {
    /// What is left of it when a person says more about the same work.
    pub(super) fn refine(&mut self, instruction: &Instruction) {
        self.constraints.retain(|one| !instruction.lifts(one) && !instruction.says(one));
        self.paths.retain(|path| !instruction.scope.paths.contains(path));
    }

    /// What is left of it when other work begins.
    pub(super) fn replace(self, instruction: &Instruction) -> Self {
        let stays = |one: &Constraint| {
            one.outlives_its_task()
                && !one.is_asked_for(&instruction.scope)
                && !instruction.says(one)
        };
        let constraints = self.constraints.into_iter().filter(stays).collect();
        Self { constraints, ..Self::default() }
    }
}

impl Goal {
    /// Takes in what a program read out of the last prompt. `by_rules` is the goal as that prompt leaves it
    /// by rules alone: whatever is forbidden there stays so.
    pub(crate) fn read(&mut self, reading: &Reading, by_rules: &Self, root: Option<&str>) {
        self.keep_forbidden(by_rules);
        if reading.goal.is_some() {
            self.refined.text.clone_from(&reading.goal);
        }
        self.add_paths(reading, root);
        self.add_words(reading);
        self.add_constraints(&reading.constraints, root);
    }

    /// The program may say that another task is meant; that decides on what is wanted, not on what is not.
    fn keep_forbidden(&mut self, by_rules: &Self) {
        let more = std::mem::replace(&mut self.constraints, by_rules.constraints.clone());
        for one in more {
            if !self.constraints.contains(&one) {
                self.constraints.push(one);
            }
        }
        self.allowed.retain(|one| by_rules.allowed.contains(one));
        if self.constraints.contains(&Constraint::NoEdits) {
            // What may be written down all the same is what the rules say.
            self.scope.wishes.documents &= by_rules.scope.wishes.documents;
            let others = self.scope.paths.iter().filter(|path| {
                !by_rules.scope.paths.contains(path) && !self.refined.paths.contains(path)
            });
            let others: Vec<PathPattern> = others.cloned().collect();
            self.refined.paths.extend(others);
        }
        for one in &by_rules.refined.constraints {
            if !self.refined.constraints.contains(one) {
                self.refined.constraints.push(one.clone());
            }
        }
        self.bound();
    }

    /// Before what the person named: where there are too many, the first ones go.
    fn add_paths(&mut self, reading: &Reading, root: Option<&str>) {
        let mut paths: Vec<PathPattern> = Vec::new();
        for path in reading.paths.iter().filter_map(|path| place(path, root)) {
            if !self.scope.paths.contains(&path) && !paths.contains(&path) {
                paths.push(path);
            }
        }
        self.refined.paths.extend(paths.iter().cloned());
        self.scope.paths.splice(0..0, paths);
        self.scope.bound();
        let Self { refined, scope, .. } = self;
        refined.paths.retain(|path| scope.paths.contains(path));
    }

    fn add_words(&mut self, reading: &Reading) {
        let said =
            [reading.goal.as_deref().unwrap_or_default(), &reading.keywords.join("\n")].join("\n");
        let is_wanted = |word: &String| !self.ended.contains(word);
        add(&mut self.keywords, words(&said).into_iter().filter(is_wanted), MAX_BYTES);
        add(
            &mut self.weak_keywords,
            weak_words(&said).into_iter().filter(is_wanted),
            MAX_BYTES / 2,
        );
    }

    fn add_constraints(&mut self, sentences: &[String], root: Option<&str>) {
        let sentences: Vec<_> =
            sentences.iter().flat_map(|text| clauses::sentences(&clauses::prose(text))).collect();
        let is_only = |one: &Constraint| matches!(one, Constraint::Only(_));
        let has_only = self.constraints.iter().any(is_only);
        for one in forbidding::limits(&sentences, root).forbidden {
            // A second `Only` would narrow what the person let through.
            let is_said = self.constraints.contains(&one) || (has_only && is_only(&one));
            if !is_said && !self.refined.constraints.contains(&one) {
                self.refined.constraints.push(one);
            }
        }
        let surplus = self.refined.constraints.len().saturating_sub(MAX_READ);
        self.refined.constraints.drain(..surplus);
        fit_latest(&mut self.refined.constraints, MAX_BYTES / 2, Constraint::size);
    }
}

/// Adds as many as there is room for beside those that are there.
fn add(words: &mut BTreeSet<String>, more: impl Iterator<Item = String>, bytes: usize) {
    let mut size: usize = words.iter().map(|word| word.len() + 1).sum();
    for word in more {
        let with_it = size + word.len() + 1;
        if with_it <= bytes && words.len() < MAX_WORDS && !words.contains(&word) {
            size = with_it;
            words.insert(word);
        }
    }
}

/// A place within the project. What covers all of it says nothing.
fn place(path: &str, root: Option<&str>) -> Option<PathPattern> {
    let path = within(path, root);
    let is_outside = path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..");
    let is_named = path.contains(char::is_alphanumeric);
    (is_named && !is_outside).then(|| PathPattern::new(&path))
}

#[cfg(test)]
mod tests;
