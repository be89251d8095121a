//! The scripted answers of a test, and choosing the next one.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use crate::reply::Reply;
use crate::request::{Kind, Request};

/// An answer that may depend on the request.
pub(crate) type Step = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;
type Predicate = Box<dyn Fn(&Request) -> bool + Send>;

/// Answers for the main conversation, and rules for other requests.
///
/// A request is answered by the first rule that matches it. If none does and the request is a
/// turn of the main conversation, the next main answer is used. A request without an answer is a
/// problem.
#[derive(Debug, Default)]
pub struct Script {
    main: Steps,
    rules: Vec<Rule>,
}

impl Script {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer for the main conversation.
    #[must_use]
    pub fn step(mut self, reply: Reply) -> Self {
        self.main.push(fixed(reply));
        self
    }

    /// Adds an answer that is computed from the request.
    #[must_use]
    pub fn step_with(mut self, make: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        self.main.push(Arc::new(make));
        self
    }

    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    pub(crate) fn next_step(&mut self, request: &Request) -> Option<Step> {
        match self.rules.iter_mut().find(|rule| (rule.matches.0)(request)) {
            Some(rule) => rule.steps.take(),
            None if request.kind() == Kind::Main => self.main.take(),
            None => None,
        }
    }

    /// The scripted answers that were never used.
    pub(crate) fn unused(&self) -> Vec<String> {
        let rules = self.rules.iter().map(|rule| (rule.name.as_str(), &rule.steps));
        [("the main conversation", &self.main)]
            .into_iter()
            .chain(rules)
            .filter(|(_, steps)| !steps.left.is_empty())
            .map(|(name, steps)| {
                let (left, all) = (steps.left.len(), steps.taken + steps.left.len());
                format!("{name}: {left} of {all} steps were never asked for")
            })
            .collect()
    }
}

/// Answers for the requests that a predicate selects.
#[derive(Debug)]
pub struct Rule {
    name: String,
    matches: Opaque<Predicate>,
    steps: Steps,
}

impl Rule {
    /// A rule for the requests for which `matches` returns true. The name appears in problems.
    pub fn new(
        name: impl Into<String>,
        matches: impl Fn(&Request) -> bool + Send + 'static,
    ) -> Self {
        let matches: Predicate = Box::new(matches);
        Self { name: name.into(), matches: Opaque(matches), steps: Steps::default() }
    }

    /// A rule for the requests of subagents.
    pub fn subagent() -> Self {
        Self::kind("subagents", Kind::Subagent)
    }

    /// A rule for the requests for a summary when the model's context is full.
    pub fn compaction() -> Self {
        Self::kind("compaction", Kind::Compaction)
    }

    /// A rule for the requests without tools.
    pub fn side_call() -> Self {
        Self::kind("side calls", Kind::SideCall)
    }

    fn kind(name: &str, kind: Kind) -> Self {
        Self::new(name, move |request| request.kind() == kind)
    }

    #[must_use]
    pub fn step(mut self, reply: Reply) -> Self {
        self.steps.push(fixed(reply));
        self
    }

    #[must_use]
    pub fn step_with(mut self, make: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        self.steps.push(Arc::new(make));
        self
    }

    /// Sets the answer to all requests after the scripted ones. A rule may have only this answer.
    #[must_use]
    pub fn otherwise(mut self, reply: Reply) -> Self {
        self.steps.rest = Some(Opaque(fixed(reply)));
        self
    }
}

#[derive(Debug, Default)]
struct Steps {
    left: VecDeque<Opaque<Step>>,
    taken: usize,
    rest: Option<Opaque<Step>>,
}

impl Steps {
    fn push(&mut self, step: Step) {
        self.left.push_back(Opaque(step));
    }

    fn take(&mut self) -> Option<Step> {
        let step = self.left.pop_front().map(|step| step.0);
        self.taken += usize::from(step.is_some());
        step.or_else(|| self.rest.as_ref().map(|step| Arc::clone(&step.0)))
    }
}

fn fixed(reply: Reply) -> Step {
    Arc::new(move |_| reply.clone())
}

/// Wraps a closure, so that types that contain it can implement `Debug`.
struct Opaque<T>(T);

impl<T> Debug for Opaque<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("..")
    }
}
