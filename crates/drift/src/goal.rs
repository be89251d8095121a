//! What a person asked for.
//!
//! An instruction is read by rules, in English and Japanese: what it is about, where it leads, what it
//! forbids. A later one refines the goal, replaces it, or says nothing new; what it ends is remembered, since
//! work on that is off course from then on.

mod assent;
mod clauses;
mod constraint;
mod ending;
mod forbidding;
mod guides;
mod person;
mod phrases;
mod refined;
mod relation;
mod result;
mod scope;
mod signs;
mod turn;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::bounded::{fit, fit_latest};
use crate::paths::PathPattern;
use crate::tasks::PromptAction;
use crate::words::{all_words, is_placeless, weak_words, words};
pub(crate) use assent::{agreed, answered};
use clauses::Sentence;
pub(crate) use constraint::holds_versions;
pub use constraint::{Allowed, Constraint, Topic};
use ending::{Ended, Over};
pub(crate) use guides::{Guide, guides_in, may_guide};
pub use person::persons_words;
pub use refined::Refined;
pub(crate) use relation::{Progress, Relation, Work};
pub(crate) use result::is_put_in;
pub use scope::{Breadth, Scope, Wishes};
pub(crate) use signs::asks;
pub use turn::Turn;

/// So much of an instruction is looked at: its beginning and its end, where people say what they want.
const MAX_HEAD: usize = 8 * 1024;
const MAX_TAIL: usize = 4 * 1024;
/// So much of an instruction is kept as the text of the goal.
const MAX_TEXT: usize = 500;
/// So many of the instructions that refined it are kept, and so much of each.
const MAX_ADDED: usize = 4;
const MAX_ADDED_TEXT: usize = 160;
/// So many constraints and so many words hold at once.
const MAX_CONSTRAINTS: usize = 48;
const MAX_WORDS: usize = 200;
/// So many bytes of each of them.
const MAX_BYTES: usize = 3 * 1024;

/// What is wanted, where, and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// The instruction that it came from, without what machines added, cut short.
    pub text: String,
    /// What was said since and adds to it, each cut short: the latest last.
    pub added: Vec<String>,
    /// Where the work is expected.
    pub scope: Scope,
    /// What is forbidden.
    pub constraints: Vec<Constraint>,
    /// What was forbidden and is allowed again.
    pub allowed: Vec<Constraint>,
    /// Words that say what it is about, as they are compared.
    pub keywords: BTreeSet<String>,
    /// Words that are in every project and that it names, too.
    pub weak_keywords: BTreeSet<String>,
    /// Words of what was ended: to go on with it is off course.
    pub ended: BTreeSet<String>,
    /// What a program read beside all that.
    pub refined: Refined,
}

/// One instruction as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Instruction {
    text: String,
    scope: Scope,
    constraints: Vec<Constraint>,
    allowed: Vec<Constraint>,
    keywords: BTreeSet<String>,
    weak_keywords: BTreeSet<String>,
    ending: Vec<Ended>,
    /// All that it says, to compare it with the work before it.
    pub(crate) words: BTreeSet<String>,
    signs: signs::Signs,
}

impl Instruction {
    /// Reads a person's words; none where only machines spoke.
    pub(crate) fn read(prompt: &str, root: Option<&str>) -> Option<Self> {
        let words_of_person = persons_words(prompt);
        let text = excerpt(words_of_person.trim());
        if text.is_empty() {
            return None;
        }
        let prose = clauses::prose(&text);
        let sentences = clauses::sentences(&prose);
        let limits = forbidding::limits(&sentences, root);
        let (ending, going_on) = ending::ending(&sentences);
        let signs =
            signs::Signs::of(&prose, &sentences, !ending.is_empty() && !going_on.is_empty());
        let mut about = String::new();
        for one in going_on
            .iter()
            .flat_map(Sentence::clauses)
            .filter(|one| !forbidding::forbids(one, root))
        {
            about.push_str(&one.text);
            about.push('\n');
        }
        // The name of an issue is in no file.
        let about = signs::without_issues(&about);
        let mut keywords = words(&about);
        // What stands in backticks is meant, however common the word is.
        keywords.extend(phrases::quoted(&about).flat_map(all_words));
        keywords.extend(words(&clauses::fenced(&text)).into_iter().take(MAX_WORDS / 4));
        let mut scope = Scope::of(&about, &text, root);
        let mut weak_keywords = weak_words(&about);
        // Code says `typescript` for TypeScript.
        weak_keywords.extend(scope.proper_names().flat_map(|name| words(&name.to_lowercase())));
        let mut keywords: BTreeSet<String> = keywords.into_iter().take(MAX_WORDS).collect();
        scope.leave_out(&limits.forbidden);
        scope.leave_out_shown(&signs::shown(&going_on, root));
        if scope.breadth != Breadth::Broad {
            scope.result = result::result(&prose);
        }
        if signs.follows_a_text && scope.is_a_text_to_follow() {
            let of_place: BTreeSet<String> =
                scope.paths.iter().flat_map(|path| all_words(path.as_str())).collect();
            if keywords.iter().all(|word| of_place.contains(word) || is_placeless(word)) {
                // What is wanted stands there, and not where.
                keywords.clear();
                scope.paths.clear();
            }
        }
        Some(Self {
            scope,
            constraints: limits.forbidden,
            allowed: limits.allowed,
            keywords,
            weak_keywords: weak_keywords.into_iter().take(MAX_WORDS).collect(),
            ending,
            words: crate::words::topic(&text),
            signs,
            text: text.chars().take(MAX_TEXT).collect(),
        })
    }

    /// Whether it says that this holds no more. Who asks for what they forbade before has changed their mind;
    /// who allows a part of it has not.
    fn lifts(&self, one: &Constraint) -> bool {
        let is_let_work = one.puts_work_off() && self.signs.lets_work;
        (is_let_work && !self.constraints.iter().any(Constraint::puts_work_off))
            || (self.allowed.is_empty() && one.is_asked_for(&self.scope))
            || self.allowed.contains(one)
    }

    /// Whether it says itself what a program took for forbidden, or which places alone may change.
    fn says(&self, one: &Constraint) -> bool {
        let is_only = |one: &Constraint| matches!(one, Constraint::Only(_));
        self.constraints.contains(one) || (is_only(one) && self.constraints.iter().any(is_only))
    }
}

impl Instruction {
    /// Whether it adds to what is wanted: "go on" and "thanks" do not, and no more does a question.
    fn says_something(&self) -> bool {
        let limits = !self.constraints.is_empty() || !self.allowed.is_empty();
        let names = !self.keywords.is_empty()
            || !self.weak_keywords.is_empty()
            || !self.ending.is_empty()
            || !self.scope.paths.is_empty();
        limits || (names && !self.only_asks())
    }
}

impl Goal {
    /// What becomes of the goal with the next instruction, and what kind of turn that is.
    pub fn hear(&mut self, prompt: &str, root: Option<&str>) -> Option<Turn> {
        let instruction = Instruction::read(prompt, root)?;
        let turn = self.turn(&instruction);
        Some(self.take_in(instruction, turn))
    }

    /// The same, where it is known what the prompt does to the tasks.
    pub(crate) fn hear_with(
        &mut self,
        prompt: &str,
        root: Option<&str>,
        action: PromptAction,
    ) -> Option<Turn> {
        let instruction = Instruction::read(prompt, root)?;
        let turn = self.turn(&instruction).agreeing_with(action);
        Some(self.take_in(instruction, turn))
    }

    fn take_in(&mut self, mut instruction: Instruction, turn: Turn) -> Turn {
        // "Stop using singletons" ends nothing where nobody asked for singletons: it is what is wanted.
        let was_wanted = |word: &String| {
            self.keywords.contains(word)
                || self.weak_keywords.contains(word)
                || self.ended.contains(word)
        };
        let mut over = Over::of(std::mem::take(&mut instruction.ending), was_wanted);
        instruction.keywords.append(&mut over.wanted);
        let is_over = |path: &PathPattern| over.places.iter().any(|one| one == path.as_str());
        instruction.scope.paths.retain(|path| !is_over(path));
        if turn.begins() {
            self.replace(instruction, over.ended);
        } else {
            self.refine(instruction, over.ended);
        }
        self.bound();
        turn
    }

    /// Forgets what was said first where too much was said.
    fn bound(&mut self) {
        self.constraints.truncate(MAX_CONSTRAINTS);
        self.constraints.reverse();
        fit_latest(&mut self.constraints, MAX_BYTES, Constraint::size);
        self.constraints.reverse();
        self.allowed.truncate(MAX_CONSTRAINTS);
        fit_latest(&mut self.allowed, MAX_BYTES / 2, Constraint::size);
        fit(&mut self.keywords, MAX_BYTES);
        fit(&mut self.weak_keywords, MAX_BYTES / 2);
        fit(&mut self.ended, MAX_BYTES / 2);
    }

    /// What was asked for first and what was added since, in the person's words and at most so many characters: what is
    /// too long is cut, and of what was added the latest stays.
    pub fn told(&self, max_chars: usize) -> String {
        self.told_from(&self.text, max_chars)
    }

    /// The same on one line.
    pub(crate) fn told_in_a_line(&self, max_chars: usize) -> String {
        let first = self.text.trim().lines().next().unwrap_or_default();
        self.told_from(first, max_chars).replace('\n', " ")
    }

    fn told_from(&self, first: &str, max_chars: usize) -> String {
        let size = |line: &String| line.chars().count() + THEN.len();
        let mut left = max_chars - first.chars().count().min(max_chars / 2);
        let fits = |line: &&String| {
            let rest = left.checked_sub(size(line));
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        let fitting = self.added.iter().rev().take_while(fits).count();
        let added = &self.added[self.added.len() - fitting..];
        let mut told = cut(first, max_chars - added.iter().map(size).sum::<usize>());
        for line in added {
            told.push_str(THEN);
            told.push_str(line);
        }
        told
    }

    /// Whether nothing was asked for yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether it leaves open where the work is: "make it faster", "implement issue 12", "go on". Nothing can be measured by
    /// it but what it forbids.
    pub fn leaves_open_where(&self) -> bool {
        self.scope.paths.is_empty()
            && self.scope.symbols.is_empty()
            && self.keywords.iter().all(|word| is_placeless(word))
    }

    /// Whether it has no word that code could have: all is said in another writing, without a term that is known.
    pub(crate) fn is_told_in_no_words_of_code(&self) -> bool {
        !self.keywords.iter().any(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
    }

    fn turn(&self, instruction: &Instruction) -> Turn {
        if self.is_empty() {
            return Turn::First;
        }
        let words = self.keywords.union(&self.weak_keywords).cloned().collect();
        let work = Work { words: &words, progress: Progress::Open };
        instruction.relation(work).into()
    }

    fn replace(&mut self, mut instruction: Instruction, over: BTreeSet<String>) {
        if instruction.signs.is_about_a_pronoun {
            // Nothing was spoken of that it could mean: what is left says how, and not where.
            instruction.weak_keywords.append(&mut instruction.keywords);
        }
        let mut ended: BTreeSet<String> =
            self.keywords.difference(&instruction.keywords).cloned().collect();
        let refined = std::mem::take(&mut self.refined).replace(&instruction);
        ended.extend(over);
        let kept = self.constraints.drain(..).filter(Constraint::outlives_its_task);
        let mut constraints: Vec<Constraint> = instruction.constraints;
        for one in kept {
            if !constraints.contains(&one) && !one.is_asked_for(&instruction.scope) {
                constraints.push(one);
            }
        }
        *self = Self {
            text: instruction.text,
            added: Vec::new(),
            scope: instruction.scope,
            constraints,
            allowed: instruction.allowed,
            keywords: instruction.keywords,
            weak_keywords: instruction.weak_keywords,
            ended: ended.into_iter().take(MAX_WORDS).collect(),
            refined,
        };
    }

    fn refine(&mut self, instruction: Instruction, over: BTreeSet<String>) {
        self.constraints.retain(|one| !instruction.lifts(one));
        self.refined.refine(&instruction);
        if self.text.is_empty() {
            self.text.clone_from(&instruction.text);
        } else if instruction.says_something() {
            let line = instruction.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = cut(&line, MAX_ADDED_TEXT);
            self.added.retain(|known| *known != line);
            self.added.push(line);
            let surplus = self.added.len().saturating_sub(MAX_ADDED);
            self.added.drain(..surplus);
        }
        self.allowed.extend(instruction.allowed);
        for one in instruction.constraints {
            self.allowed.retain(|allowed| *allowed != one);
            if !self.constraints.contains(&one) {
                self.constraints.insert(0, one);
            }
        }
        self.ended.retain(|word| !instruction.keywords.contains(word));
        self.ended.extend(over);
        self.keywords.retain(|word| !self.ended.contains(word));
        self.keywords.extend(instruction.keywords);
        self.weak_keywords.extend(instruction.weak_keywords);
        self.scope.widen(instruction.scope);
    }
}

/// What was added begins so.
const THEN: &str = "\nthen: ";

/// A text of at most so many characters, with a sign where it was cut.
fn cut(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max_chars.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

pub(crate) fn excerpt(text: &str) -> String {
    if text.len() <= MAX_HEAD + MAX_TAIL {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(MAX_HEAD);
    let tail = text.ceil_char_boundary(text.len() - MAX_TAIL);
    format!("{}\n{}", &text[..head], &text[tail..])
}
