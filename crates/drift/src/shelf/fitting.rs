//! Which tasks on the shelf fit a prompt: those that changed a file that the prompt names, or that share a rare name
//! with it. Other words in common are no sign.

use super::{ShelvedTask, Sought};

/// The most tasks that fit a prompt.
const MAX_OFFERS: usize = 2;
/// A file that more tasks changed says nothing about which of them is meant.
const MAX_TASKS_OF_FILE: usize = 3;
/// A name that more tasks have is not rare.
const MAX_TASKS_OF_NAME: usize = 2;

/// The least share of the prompt's files and names, as one in so many: a long pasted text names much beside the point.
const MIN_SHARE: usize = 6;

/// A task that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The task.
    pub task: ShelvedTask,
    /// The files and names that it shares with the prompt.
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
    // Stable: of those that share equally much, the newest comes first.
    offers.sort_by_key(|offer| std::cmp::Reverse(offer.common.len()));
    offers.truncate(MAX_OFFERS);
    offers
}

/// Whether a task changed the file. People name the end of a path, and sessions may begin in a folder of the project.
/// Files in the project's own folder are left out: tasks of every kind change them.
fn changed(task: &ShelvedTask, path: &str) -> bool {
    let is_end = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let mut files = task.files.iter().filter(|file| file.contains('/'));
    files.any(|file| is_end(file, path) || is_end(path, file))
}
