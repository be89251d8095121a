//! How far an agent is on course, as a fold over prompts and steps.
//!
//! A [`Course`] holds what is needed to judge the next step and nothing more: its size and the cost of
//! a step do not grow with the session. Every change of a file is set against the goal and against the work that was
//! already done for it, and what has nothing to do with either weighs; looking around hardly does. The sum
//! over the last changes is the score, together with what weighs by itself: what was forbidden, and going in circles.

mod assessment;
mod balance;
mod circles;
mod detours;
mod files;
mod list;
mod plan;
mod ran;
mod ties;
mod touched;
mod violation;
mod weight;
mod work;

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

pub use assessment::{Assessment, Reason, Score};
pub(crate) use files::Files;
pub(crate) use violation::violations;
use work::{Before, Work};

use crate::goal::{Goal, Turn, guides_in};
use crate::mark::mark_of_text;
use crate::reading::Reading;
use crate::recovery::Alignment;
use crate::step::{Outcome, Step};
use crate::tasks::PromptAction;

/// What is known of a session's course.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    goal: Goal,
    work: Work,
    before: Before,
    calls: u32,
}

/// How often a course is assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval(NonZeroU32);

impl Interval {
    /// Every so many tool calls.
    pub fn every(calls: NonZeroU32) -> Self {
        Self(calls)
    }
}

impl Default for Interval {
    fn default() -> Self {
        Self(NonZeroU32::MIN.saturating_add(2))
    }
}

impl Course {
    /// What is wanted now.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// A person spoke: what was done until then is assessed, and then measured by something else. Nothing
    /// where only a machine did.
    pub fn apply_prompt(&mut self, prompt: &str, root: Option<&str>) -> Option<(Turn, Assessment)> {
        let assessment = self.assess();
        let wanted = self.goal.keywords.clone();
        let turn = self.goal.hear(prompt, root)?;
        self.turned(turn, &wanted);
        self.work.plan.follow(guides_in(prompt, root));
        Some((turn, assessment))
    }

    /// The same, where [`Tasks::prompted`](crate::Tasks::prompted) said what the prompt does: it knows what the
    /// agent replied. One that begins another task replaces the goal, and no other does.
    pub fn apply_task_prompt(
        &mut self,
        prompt: &str,
        root: Option<&str>,
        action: PromptAction,
    ) -> Option<(Turn, Assessment)> {
        let assessment = self.assess();
        let wanted = self.goal.keywords.clone();
        let turn = self.goal.hear_with(prompt, root, action)?;
        self.turned(turn, &wanted);
        self.work.plan.follow(guides_in(prompt, root));
        Some((turn, assessment))
    }

    /// Takes in what a program read out of the last prompt, beside the goal as rules alone leave it.
    pub(crate) fn read(&mut self, reading: &Reading, by_rules: &Goal, root: Option<&str>) {
        self.goal.read(reading, by_rules, root);
    }

    fn turned(&mut self, turn: Turn, wanted: &BTreeSet<String>) {
        if turn.begins() {
            let work = std::mem::take(&mut self.work);
            let shared = wanted.intersection(&self.goal.keywords);
            self.before = Before::of(&work, turn, shared.cloned());
        } else {
            self.work.go_on();
        }
        self.calls = 0;
    }

    /// The agent did something: assessed when it is time for that.
    pub fn apply_step(&mut self, step: &Step, interval: Interval) -> Option<Assessment> {
        self.note(step);
        self.calls = self.calls.wrapping_add(1);
        self.calls.is_multiple_of(interval.0.get()).then(|| self.assess())
    }

    /// The document that a step shows, if the person said to follow it or may still say so.
    pub(crate) fn shows_plan(&self, step: &Step, root: Option<&str>) -> Option<String> {
        self.work.plan.shown_by(step, &self.goal, root)
    }

    /// The agent read what such a document says.
    pub(crate) fn read_plan(&mut self, document: &str, text: &str, root: Option<&str>) {
        self.work.plan.read(document, text, root);
    }

    /// A person agreed to what the agent proposed.
    pub(crate) fn agree(&mut self, proposal: &str, root: Option<&str>) {
        self.goal.agree(proposal, root);
    }

    /// A person accepted a plan of the agent's.
    pub(crate) fn accept_plan(&mut self, plan: &str, root: Option<&str>) {
        self.work.plan.accept(plan, root);
    }

    /// The agent did something, which is assessed later.
    pub fn note(&mut self, step: &Step) -> Alignment {
        self.work.note(step, &self.goal, &self.before).bearing
    }

    /// The same, and the files of which it took back all that was changed. `original` is what a file was before the step, where the
    /// client tells of it: few steps need it.
    pub(crate) fn note_undone<'a>(
        &mut self,
        step: &Step,
        original: impl FnOnce() -> Option<&'a str>,
    ) -> (Alignment, Vec<String>) {
        let led = self.work.note(step, &self.goal, &self.before);
        if let Some(file) = led.strayed
            && let Some(original) = original()
        {
            self.work.was(&file, mark_of_text(original));
        }
        (led.bearing, led.undone)
    }

    /// Whether a person forbade to run this line.
    pub(crate) fn forbids_command(&self, line: &str) -> bool {
        let input = serde_json::json!({ "command": line });
        let ran = Step::of_call("Bash", &input, Outcome::default(), None);
        let step = Step { files: vec![], ..ran };
        !violations(&self.goal, &step, &Files::default(), |_: &str| false).is_empty()
    }

    /// How far the agent is on course now.
    pub fn assess(&self) -> Assessment {
        self.work.assess()
    }
}
