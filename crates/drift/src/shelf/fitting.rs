//! Finds the tasks on the shelf that fit a prompt. A task fits if it changed a file that the prompt
//! names, or if its prompt or goal has a rare name that the new prompt has too. Other common words
//! don't count.

use super::{ShelvedTask, Sought};

/// The maximum number of tasks that are offered for a prompt.
const MAX_OFFERS: usize = 2;
/// The maximum number of tasks that changed a file. A file that more tasks changed doesn't identify
/// a task.
const MAX_TASKS_OF_FILE: usize = 3;
/// The maximum number of tasks with a name. A name that more tasks have isn't rare.
const MAX_TASKS_OF_NAME: usize = 2;

/// The smallest part of the prompt's files and names that a task must have in common: one sixth. A
/// long pasted text names many unrelated files.
const MIN_SHARE: usize = 6;

/// A task that fits a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The task on the shelf.
    pub task: ShelvedTask,
    /// The files and names that the task and the prompt have in common.
    pub common: Vec<String>,
}

pub(super) fn fitting(tasks: &[ShelvedTask], sought: &Sought, except: Option<&str>) -> Vec<Offer> {
    let is_telling = |count: usize, most: usize| (1..=most).contains(&count);
    let files = sought.files.iter().filter(|file| {
        is_telling(tasks.iter().filter(|task| changed(task, file)).count(), MAX_TASKS_OF_FILE)
    });
    let names = sought.names.iter().filter(|name| {
        is_telling(tasks.iter().filter(|task| task.names.contains(name)).count(), MAX_TASKS_OF_NAME)
    });
    let (files, names): (Vec<&String>, Vec<&String>) = (files.collect(), names.collect());
    let others = tasks.iter().rev().filter(|task| Some(task.session.as_str()) != except);
    let mut offers: Vec<Offer> = others
        .filter_map(|task| {
            let files = files.iter().filter(|file| changed(task, file));
            let names = names.iter().filter(|name| task.names.contains(name));
            let common: Vec<String> = files.chain(names).map(|sign| (*sign).clone()).collect();
            let is_enough = common.len() * MIN_SHARE >= sought.files.len() + sought.names.len();
            (is_enough && !common.is_empty()).then(|| Offer { task: task.clone(), common })
        })
        .collect();
    // The sort is stable: of tasks with equally many common files and names, the newest comes
    // first.
    offers.sort_by_key(|offer| std::cmp::Reverse(offer.common.len()));
    offers.truncate(MAX_OFFERS);
    offers
}

/// Whether a task changed the file. Compares the ends of paths, because people write only the end
/// of a path, and a session may start in a folder of the project. Files in the project's top folder
/// are left out, because many unrelated tasks change them.
fn changed(task: &ShelvedTask, path: &str) -> bool {
    let is_end = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let mut files = task.files.iter().filter(|file| file.contains('/'));
    files.any(|file| is_end(file, path) || is_end(path, file))
}
