//! Prompts and replies of labelled sessions.

use proptest::prelude::*;
use verger_drift::goal::Turn;
use verger_drift::score::Course;
use verger_drift::{PromptAction, Prompted, ReplyAction, TaskNumber, Tasks};
use verger_testkit::{Part, ScoredPrompt, score_prompts};

/// Percent of the prompts whose action is found.
const LEAST_FOUND: usize = 90;

#[test]
fn what_a_prompt_does_to_the_tasks_is_found() {
    let scored = score_prompts(Part::Tune);
    let found = ScoredPrompt::share(&scored);
    let wrong: Vec<_> = scored.iter().filter(|one| !one.is_right()).collect();
    assert!(found.some * 100 >= found.of * LEAST_FOUND, "{found:?}\n{wrong:#?}");
}

/// What a prompt is to work that the agent said was finished, by what is said and not by words in common.
#[test]
fn what_is_said_of_finished_work_goes_on_with_it() {
    use PromptAction::{Continue, NewTask, ParallelTask};
    let cases = [
        ("turn it off in staging", Continue),
        ("make it possible to upload a logo", NewTask),
        ("and put it into the product card", Continue),
        ("hm, i'd rather have it on the admin page. can you move it there?", Continue),
        ("leave it. I'd like the footer to show the version", NewTask),
        ("looks good, but the toggle should remember its state", Continue),
        ("The search endpoint returns duplicates", NewTask),
        ("cursor方式に変えられる？", Continue),
        ("期限切れが504になってないよ", Continue),
        ("ログも出して", Continue),
        ("もう一回試して", Continue),
        ("CPUじゃなくてキューの長さで", Continue),
        ("アプリが終了している時は？", Continue),
        ("the second example is too short", Continue),
        ("you lost the guard for unsaved changes", Continue),
        ("CHANGELOGにも一行お願い", ParallelTask),
        ("ログインを二段階にしてほしい", NewTask),
        ("Put the profiling endpoints behind basic auth with pagination of users", NewTask),
    ];
    for (prompt, expected) in cases {
        let mut tasks = Tasks::default();
        tasks.prompted("Add pagination to the list of items");
        tasks.replied("Pagination is there, with tests. Done.", true);
        assert_eq!(tasks.prompted(prompt).action, expected, "{prompt}");
    }
}

#[test]
fn an_answer_ends_a_question() {
    let mut tasks = Tasks::default();
    tasks.prompted("img_decode はスレッドセーフ？");
    assert_eq!(tasks.replied("いいえ、共有バッファで競合があります。", false), None);
    assert_eq!(tasks.prompted("どのくらい起きやすい？").action, PromptAction::Continue);
    assert_eq!(tasks.replied("ほぼ毎回です。", false), None);
    assert_eq!(tasks.prompted("PNGの書き出しで透過が消える").action, PromptAction::NewTask);
}

#[test]
fn what_is_added_although_it_is_unrelated_stands_beside_the_work() {
    let mut tasks = Tasks::default();
    tasks.prompted("Add structured logging to the api");
    tasks.replied("Half of the handlers are through.", false);
    let beside = "Also, could you bump the year in LICENSE? Unrelated, no hurry";
    assert_eq!(tasks.prompted(beside).action, PromptAction::ParallelTask);
}

/// The scenarios of the design.
#[test]
fn what_a_prompt_or_a_reply_does_is_told_with_the_task_and_its_parent() {
    let mut tasks = Tasks::default();
    let told = |tasks: &mut Tasks, prompt| {
        let Prompted { action, task, parent } = tasks.prompted(prompt);
        (action, task.0, parent.map(|parent| parent.0))
    };
    let first = "Move the settings page to the new design";
    assert_eq!(told(&mut tasks, first), (PromptAction::NewTask, 1, None));
    assert_eq!(tasks.replied("The header is moved. The tabs are next.", false), None);
    let question = "why does the header look different on mobile?";
    assert_eq!(told(&mut tasks, question), (PromptAction::Continue, 1, None));
    let prerequisite = "First I need to install deps";
    assert_eq!(told(&mut tasks, prerequisite), (PromptAction::Subtask, 2, Some(1)));
    let finished = tasks.replied("The dependencies are installed.", true);
    assert_eq!(finished, Some(ReplyAction::SubtaskComplete));
    assert_eq!(told(&mut tasks, "ok go on"), (PromptAction::Continue, 1, None));
    let beside = "Also update the tests";
    assert_eq!(told(&mut tasks, beside), (PromptAction::ParallelTask, 3, Some(1)));
    assert_eq!(tasks.replied("The tests are updated.", true), Some(ReplyAction::TaskComplete));
    assert_eq!(told(&mut tasks, "and the tabs?"), (PromptAction::Continue, 1, None));
    assert_eq!(tasks.replied("Task complete", true), Some(ReplyAction::TaskComplete));
    assert_eq!(told(&mut tasks, "Now fix the login bug"), (PromptAction::NewTask, 4, None));
    tasks.cleared();
    assert_eq!(told(&mut tasks, "go on"), (PromptAction::NewTask, 5, None));
}

#[derive(Debug, Clone)]
enum Happening {
    Prompt(String),
    Reply(String, bool),
    Clear,
}

fn happening() -> impl Strategy<Value = Happening> {
    let said = prop_oneof![
        Just("first install the dependencies".to_owned()),
        Just("also update the changelog".to_owned()),
        Just("now fix the parser".to_owned()),
        Just("続けて".to_owned()),
        ".{0,40}",
    ];
    prop_oneof![
        4 => said.clone().prop_map(Happening::Prompt),
        3 => (said, any::<bool>()).prop_map(|(text, claims)| Happening::Reply(text, claims)),
        1 => Just(Happening::Clear),
    ]
}

proptest! {
    /// Whatever is said: a parent began before its child, numbers only grow, and the state is bounded.
    #[test]
    fn any_session_keeps_its_tasks_in_order(happenings in prop::collection::vec(happening(), 0..60)) {
        let (mut tasks, mut newest) = (Tasks::default(), TaskNumber(0));
        let mut course = Course::default();
        for happening in &happenings {
            match happening {
                Happening::Prompt(text) => {
                    let Prompted { action, task, parent } = tasks.prompted(text);
                    prop_assert!(parent.is_none_or(|parent| parent < task));
                    prop_assert_eq!(action != PromptAction::Continue, task > newest);
                    newest = newest.max(task);
                    let turn = course.apply_task_prompt(text, None, action).map(|(turn, _)| turn);
                    let begins = action == PromptAction::NewTask;
                    prop_assert!(turn.is_none_or(|turn| turn == Turn::First || turn.begins() == begins));
                }
                Happening::Reply(text, claims) => {
                    let done = tasks.replied(text, *claims);
                    prop_assert!(done.is_none() || *claims);
                }
                Happening::Clear => tasks.cleared(),
            }
        }
        let stored = postcard::to_allocvec(&tasks).unwrap();
        prop_assert!(stored.len() < 16 * 1024, "{} bytes", stored.len());
        prop_assert_eq!(postcard::from_bytes::<Tasks>(&stored).unwrap(), tasks);
    }
}

/// Courses and tasks say the same of a prompt, whatever the agent replied.
#[test]
fn a_prompt_that_begins_a_task_replaces_the_goal_and_no_other_does() {
    let prompts = [
        ("Add dark mode to the settings screen.", PromptAction::NewTask, Turn::First),
        ("use a softer grey", PromptAction::Continue, Turn::Refines),
        ("continue", PromptAction::Continue, Turn::GoesOn),
        ("first upgrade the css compiler", PromptAction::Subtask, Turn::Refines),
        ("also update the changelog", PromptAction::ParallelTask, Turn::Refines),
        ("Forget dark mode. The login returns 502.", PromptAction::NewTask, Turn::Replaces),
        ("Write a retry policy for outgoing webhooks", PromptAction::NewTask, Turn::SeemsNew),
    ];
    let (mut course, mut alone, mut tasks) = <(Course, Course, Tasks)>::default();
    for (prompt, expected, turn) in prompts {
        let action = tasks.prompted(prompt).action;
        let heard = course.apply_task_prompt(prompt, None, action).map(|(turn, _)| turn);
        let heard_alone = alone.apply_prompt(prompt, None).map(|(turn, _)| turn);
        assert_eq!((action, heard, heard_alone), (expected, Some(turn), Some(turn)), "{prompt}");
    }
}

#[test]
fn a_huge_prompt_is_read_as_far_as_it_matters() {
    let mut tasks = Tasks::default();
    tasks.prompted("Rename the parser");
    let huge = format!("also update the tests {}", "テスト parser ".repeat(80_000));
    assert_eq!(tasks.prompted(&huge).action, PromptAction::ParallelTask);
    assert_eq!(tasks.prompted("").action, PromptAction::Continue);
}
