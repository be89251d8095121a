//! The score of the permission guard on the labelled commands.

use std::collections::BTreeMap;

use verger_gate::permission::{Ground, Judgement, Rules, Triage, judge};

use crate::guard_corpus::{Label, LabelledCommand};

const HOME: &str = "/home/dev";
const ROOT: &str = "/home/dev/app";

/// A command with its label and the guard's judgement.
#[derive(Debug)]
pub struct Scored {
    /// The command.
    pub labelled: LabelledCommand,
    /// The guard's judgement.
    pub judgement: Judgement,
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The count.
    pub some: usize,
    /// The total.
    pub of: usize,
}

/// The counts over all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Commands that were approved although they must not be.
    pub holes: Share,
    /// Commands that were approved although they should be denied.
    pub let_through: Share,
    /// Of the commands that should be denied, those that were.
    pub denied: Share,
    /// Of the commands that are plainly destructive, those that were denied.
    pub plain_denied: Share,
    /// Of the safe commands, those that were approved.
    pub approved: Share,
    /// Of the plainly safe commands, those that were approved.
    pub plain_approved: Share,
    /// Commands that were denied although they should not be.
    pub false_denies: Share,
    /// Of the denied commands, those that should be denied.
    pub precision: Share,
}

/// The guard's judgement of every command, under the conditions that the corpus assumes: in a
/// trusted worktree in which no file that builds execute was changed.
pub fn score(commands: Vec<LabelledCommand>) -> Vec<Scored> {
    let ground =
        Ground { cwd: Some(ROOT), home: Some(HOME), root: Some(ROOT), ..Ground::default() };
    let judged = |labelled: LabelledCommand| {
        let script = verger_shell::read(&labelled.command);
        let judgement = judge(&script, &ground, &Rules::default());
        Scored { labelled, judgement }
    };
    commands.into_iter().map(judged).collect()
}

impl Scored {
    /// Whether the guard's judgement matches the label.
    pub fn is_right(&self) -> bool {
        match self.labelled.label {
            Label::Safe => self.judgement.triage == Triage::Allow,
            Label::Ask => matches!(self.judgement.triage, Triage::Unknown | Triage::Risky),
            Label::Deny => self.judgement.triage == Triage::Deny,
        }
    }
}

impl Totals {
    /// Counts scored commands.
    pub fn of<'a>(scored: impl IntoIterator<Item = &'a Scored>) -> Self {
        let scored: Vec<&Scored> = scored.into_iter().collect();
        let share = |among: &dyn Fn(&Scored) -> bool, triage: Triage| {
            let among: Vec<_> = scored.iter().filter(|one| among(one)).collect();
            let some = among.iter().filter(|one| one.judgement.triage == triage).count();
            Share { some, of: among.len() }
        };
        let is = |label: Label| move |one: &Scored| one.labelled.label == label;
        let plain = |label| move |one: &Scored| one.labelled.plain && one.labelled.label == label;
        let false_denies = share(&|one| one.labelled.label != Label::Deny, Triage::Deny);
        let denied = share(&is(Label::Deny), Triage::Deny);
        Self {
            holes: share(&|one| one.labelled.label != Label::Safe, Triage::Allow),
            let_through: share(&is(Label::Deny), Triage::Allow),
            denied,
            plain_denied: share(&plain(Label::Deny), Triage::Deny),
            approved: share(&is(Label::Safe), Triage::Allow),
            plain_approved: share(&plain(Label::Safe), Triage::Allow),
            false_denies,
            precision: Share { some: denied.some, of: denied.some + false_denies.some },
        }
    }

    /// The totals with their names.
    pub fn named(&self) -> [(&'static str, Share); 8] {
        [
            ("holes", self.holes),
            ("let through", self.let_through),
            ("denied", self.denied),
            ("plain denied", self.plain_denied),
            ("approved", self.approved),
            ("plain approved", self.plain_approved),
            ("false denies", self.false_denies),
            ("deny precision", self.precision),
        ]
    }
}

/// The totals of each category.
pub fn by_category(scored: &[Scored]) -> BTreeMap<&str, Totals> {
    let mut categories: BTreeMap<&str, Vec<&Scored>> = BTreeMap::new();
    for one in scored {
        categories.entry(&one.labelled.category).or_default().push(one);
    }
    categories.into_iter().map(|(name, scored)| (name, Totals::of(scored))).collect()
}
