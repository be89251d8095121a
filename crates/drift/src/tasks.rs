//! Tracks the tasks of a session, and decides which task a prompt is about.
//!
//! The rules decide only whether a prompt continues the current task or begins a new one. Only the
//! reader program reports subtasks (work that must be done first) and parallel tasks (other work at
//! the same time). The parent of both is the current task. The parent continues when they are
//! complete.

use serde::{Deserialize, Serialize};

/// The maximum number of tasks that wait for another task. The oldest is dropped first.
const MAX_WAITING: usize = 6;
/// The maximum number of characters of a sentence that only confirms.
const MAX_CONFIRMATION: usize = 60;

/// Words of confirmations such as "thanks", "ok, commit it", "yes, make a PR". A sentence of only
/// these words adds nothing to the work.
const CONFIRMING: &str = "a ahead all alright and approved branch change changes commit continue cool create do done \
    draft excellent go good great in it keep lgtm looks main make merge merged message new nice \
    now ok okay on open perfect please pr proceed pull push pushed request resume right ship \
    sounds sure thank thanks that that's the them then these this to very well with work yea \
    yeah yep yes you";

/// Japanese words of confirmations. Longer words come first, because they are removed from the
/// sentence in this order.
const CONFIRMING_JAPANESE: &str = "ありがとうございます お願いします プルリクエスト ありがとう おねがい お願い ください \
    コミット プッシュ マージ すすめて つづけて いいね いいよ はい うん 了解 進めて 続けて 続き \
    作って 出して した して です それで では じゃあ 全部 を と も で ね よ ー";

/// Beginnings of sentences with which a person changes to other work.
const CHANGES: &str = "a different task|another task|different task|different topic|forget it|forget that|\
    forget this|let's do something else|let's work on something else|never mind|nevermind|\
    new task|new topic|next issue|next milestone|next task|next ticket|next up|on to the next|\
    something else|unrelated|それはやめ|それは忘れて|それはもういい|今度は別|別のタスク|別の作業|\
    別の話|別件|新しいタスク|次のタスク|次のマイルストーン|次の作業|次の実装|次の課題|次のissue|\
    次のroadmap|次に進|話は変わ";

/// The number of a task in its session. Tasks are numbered in the order in which they begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskNumber(pub u32);

/// The effect of a prompt on the tasks of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptAction {
    /// The prompt is about the current task.
    Continue,
    /// The prompt begins a new task.
    NewTask,
    /// The prompt asks for work that must be done before the current task continues. Only the
    /// reader program reports this.
    Subtask,
    /// The prompt asks for other work at the same time as the current task. Only the reader program
    /// reports this.
    ParallelTask,
}

/// The effect of one prompt on the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompted {
    /// The kind of the effect.
    pub action: PromptAction,
    /// The task that is current after the prompt.
    pub task: TaskNumber,
    /// The parent task, if the prompt began a subtask or a parallel task.
    pub parent: Option<TaskNumber>,
}

/// The tasks of a session, with the data that is needed to handle the next prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Tasks {
    begun: u32,
    current: Option<Task>,
    /// The tasks that wait for the current task. The most recent task is last.
    waiting: Vec<Task>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Task {
    number: TaskNumber,
    parent: Option<TaskNumber>,
    is_complete: bool,
}

impl Tasks {
    /// Handles a prompt. `claimed` is the reader program's answer, which overrides the rules. The
    /// first prompt always begins a task.
    pub(crate) fn prompted(&mut self, words: &str, claimed: Option<PromptAction>) -> Prompted {
        let claimed = claimed.filter(|_| self.current.is_some());
        let action = claimed.unwrap_or_else(|| self.action_of(words));
        let task = match (action, self.current.take()) {
            (PromptAction::Continue, Some(task)) => task,
            (PromptAction::Subtask | PromptAction::ParallelTask, Some(parent)) => {
                let number = parent.number;
                if self.waiting.len() >= MAX_WAITING {
                    self.waiting.remove(0);
                }
                self.waiting.push(parent);
                self.begin(Some(number))
            }
            (_, _) => {
                self.waiting.clear();
                self.begin(None)
            }
        };
        let prompted = Prompted { action, task: task.number, parent: task.parent };
        self.current = Some(task);
        prompted
    }

    /// The effect of a person's words according to the rules. The first prompt, a prompt after the
    /// task was completed, and an explicit change of work each begin a new task. All other prompts
    /// continue the current task. So does a confirmation after completion.
    pub(crate) fn action_of(&self, words: &str) -> PromptAction {
        let begins = match &self.current {
            None => true,
            Some(task) => changes_work(words) || (task.is_complete && !only_confirms(words)),
        };
        if begins { PromptAction::NewTask } else { PromptAction::Continue }
    }

    pub(crate) fn current(&self) -> Option<TaskNumber> {
        self.current.as_ref().map(|task| task.number)
    }

    /// Whether a task is the current task or waits for the current task.
    pub(crate) fn goes_on(&self, number: TaskNumber) -> bool {
        self.waiting.iter().chain(&self.current).any(|task| task.number == number)
    }

    /// Completes the current task. If it has a parent, the parent becomes the current task again.
    pub(crate) fn completed(&mut self) {
        match &mut self.current {
            Some(Task { parent: Some(_), .. }) => self.current = self.waiting.pop(),
            Some(task) => task.is_complete = true,
            None => {}
        }
    }

    /// Handles a cleared session: the next prompt begins a new task.
    pub(crate) fn cleared(&mut self) {
        self.current = None;
        self.waiting.clear();
    }

    fn begin(&mut self, parent: Option<TaskNumber>) -> Task {
        self.begun = self.begun.saturating_add(1);
        Task { number: TaskNumber(self.begun), parent, is_complete: false }
    }
}

impl PromptAction {
    /// The name of the effect in the stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::NewTask => "new_task",
            Self::Subtask => "subtask",
            Self::ParallelTask => "parallel_task",
        }
    }
}

/// Whether a person changes to other work, at the beginning of a prompt or after a confirmation
/// ("Thanks. Next task: ..."). "Never mind, go on" doesn't change the work.
fn changes_work(words: &str) -> bool {
    let sentences = words.split(['.', '!', ',', ':', ';', '\n', '。', '！', '、', '：']);
    let mut sentences = sentences.map(str::trim).filter(|sentence| !sentence.is_empty()).peekable();
    while sentences.next_if(|sentence| confirms(sentence)).is_some() {}
    let Some(first) = sentences.next() else { return false };
    let first = first.to_lowercase().replace('’', "'");
    let changes = CHANGES.split('|').any(|change| {
        let rest = first.strip_prefix(change);
        rest.is_some_and(|rest| !change.is_ascii() || !rest.starts_with(char::is_alphanumeric))
    });
    changes && (sentences.peek().is_none() || !sentences.all(confirms))
}

/// Whether a prompt only confirms, or is a command of the client without arguments, such as
/// `/compact`.
fn only_confirms(words: &str) -> bool {
    let words = words.trim();
    let is_command = words.starts_with('/') && !words.contains(char::is_whitespace);
    is_command || words.is_empty() || confirms(words)
}

/// Whether a sentence has only confirming words, or only the number or letter of an offered option.
fn confirms(sentence: &str) -> bool {
    if sentence.chars().count() > MAX_CONFIRMATION || sentence.contains(['?', '？']) {
        return false;
    }
    let mut rest = sentence.to_lowercase().replace('’', "'");
    for phrase in CONFIRMING_JAPANESE.split(' ') {
        rest = rest.replace(phrase, " ");
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '\'';
    let mut words = rest.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    words.all(|word| word.len() == 1 || CONFIRMING.split(' ').any(|known| known == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> TaskNumber {
        TaskNumber(number)
    }

    /// The effects of `prompts` on a session whose first prompt was already sent. `is_complete` is
    /// whether the first task is complete.
    fn actions(prompts: &[&str], is_complete: bool) -> Vec<PromptAction> {
        let mut tasks = Tasks::default();
        tasks.prompted("Fix the login redirect", None);
        if is_complete {
            tasks.completed();
        }
        prompts.iter().map(|prompt| tasks.action_of(prompt)).collect()
    }

    #[track_caller]
    fn check(prompts: &[&str], is_complete: bool, expected: PromptAction) {
        let actions = actions(prompts, is_complete);
        let found: Vec<_> = prompts.iter().zip(actions).collect();
        let expected: Vec<_> = prompts.iter().map(|prompt| (prompt, expected)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_prompt_in_the_middle_of_a_task_continues_it() {
        let prompts = [
            "continue",
            "2",
            "Yes, do that",
            "Now add a test for the expired token",
            "Why does it redirect twice?",
            "address the review comments",
            "We also need something else: a changelog line",
            "do not forget it",
            "Never mind, go on",
            "There is another task that runs at night, does it break?",
            "Don't switch to the next task yet",
            "unrelatedly named files are fine",
            "次のエラーが出ました",
            "保存ボタンはやめて、自動保存にして",
            "続けて",
        ];
        check(&prompts, false, PromptAction::Continue);
    }

    #[test]
    fn a_person_can_say_that_other_work_comes() {
        let prompts = [
            "New task: translate the mails",
            "Thanks! Next task: the invoice export.",
            "ok, something else. The build is slow",
            "forget that, look at the failing nightly job instead",
            "Never mind.",
            "nevermind the redirect, we need the export today",
            "Unrelated: why is CI red?",
            "次のタスク：請求書の出力",
            "ありがとう。別件だけど、ビルドが遅い",
            "それはやめて、検索を直して",
            "次の課題に取りかかって",
        ];
        for is_complete in [false, true] {
            check(&prompts, is_complete, PromptAction::NewTask);
        }
    }

    #[test]
    fn after_completion_only_confirmations_continue() {
        let continuing = [
            "thanks",
            "Ok, commit it",
            "commit and push",
            "make a PR",
            "Looks good, merge it!",
            "yes please",
            "B",
            "/compact",
            "",
            "コミットして",
            "はい、お願いします。",
            "ありがとう！プッシュして",
            "PRを作ってください",
        ];
        check(&continuing, true, PromptAction::Continue);
        let new = [
            "Now translate the mails",
            "commit it and fix the footer",
            "Is it right?",
            "/review src/login.rs",
            "検索も直して",
            "コミットしてから検索を直して",
        ];
        check(&new, true, PromptAction::NewTask);
    }

    #[test]
    fn the_reader_program_names_subtasks_and_the_parent_goes_on_after_them() {
        let mut tasks = Tasks::default();
        let first = tasks.prompted("Fix the login", Some(PromptAction::Subtask));
        assert_eq!(
            first,
            Prompted { action: PromptAction::NewTask, task: number(1), parent: None }
        );
        let parent = Some(number(1));
        let second = tasks.prompted("First bump serde", Some(PromptAction::Subtask));
        assert_eq!(second, Prompted { action: PromptAction::Subtask, task: number(2), parent });
        let third = tasks.prompted("And write mails", Some(PromptAction::ParallelTask));
        let parent = Some(number(2));
        assert_eq!(third, Prompted { action: PromptAction::ParallelTask, task: number(3), parent });
        assert!((1..=3).all(|task| tasks.goes_on(number(task))));
        tasks.completed();
        assert_eq!(tasks.current(), Some(number(2)));
        tasks.completed();
        assert_eq!(tasks.current(), Some(number(1)));
        assert_eq!(tasks.action_of("now the footer"), PromptAction::Continue);
        tasks.completed();
        let next = tasks.prompted("now the footer", None);
        assert_eq!(next, Prompted { action: PromptAction::NewTask, task: number(4), parent: None });
        assert!(!tasks.goes_on(number(1)));
    }

    #[test]
    fn after_clearing_the_next_prompt_begins_a_task() {
        let mut tasks = Tasks::default();
        tasks.completed();
        tasks.prompted("Fix the login", None);
        tasks.prompted("First bump serde", Some(PromptAction::Subtask));
        tasks.cleared();
        assert_eq!((tasks.current(), tasks.goes_on(number(1))), (None, false));
        assert_eq!(tasks.prompted("continue", None).task, number(3));
    }

    #[test]
    fn tasks_that_wait_are_bounded() {
        let mut tasks = Tasks::default();
        for _ in 0..20 {
            tasks.prompted("one more thing first", Some(PromptAction::Subtask));
        }
        let going_on: Vec<u32> = (1..=20).filter(|task| tasks.goes_on(number(*task))).collect();
        assert_eq!(going_on, [14, 15, 16, 17, 18, 19, 20]);
        for _ in 0..20 {
            tasks.completed();
        }
        assert_eq!(tasks.current(), None);
    }
}
