//! Which of the tasks on a shelf fit. A task that does not fit costs an agent more than one that it is not
//! told of: a path has to be the same, or at least two rare words.

use std::collections::{BTreeMap, BTreeSet};

use verger_event::gathered;

use super::{ShelvedTask, Sought, Status};
use crate::paths::{PathPattern, bare_name};

/// So many are offered at one moment.
const MAX_OFFERS: usize = 2;
/// A word is rare that one in so many tasks have, or few of them; so is a path.
const RARE_WORD: Rare = Rare { one_in: 10, always: 2 };
const RARE_PATH: Rare = Rare { one_in: 5, always: 5 };
/// So many rare words have to be the same where no path is,
const MIN_WORDS: usize = 2;
/// and one in so many of those of the prompt or of the task, whichever has fewer.
const MIN_SHARE: usize = 4;
/// A path is worth so many words.
const PATH_WEIGHT: f64 = 2.0;
/// What is worth less than this share of the best is not offered beside it.
const BESIDE_BEST: f64 = 0.5;

/// How many tasks may have what is rare.
struct Rare {
    one_in: usize,
    always: usize,
}

/// A task that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The task.
    pub task: ShelvedTask,
    /// The words and paths by which it fits.
    pub common: Vec<String>,
}

pub(super) fn fitting(tasks: &[ShelvedTask], sought: &Sought, except: Option<&str>) -> Vec<Offer> {
    let counts = Counts::of(tasks, sought);
    let mut found: Vec<(f64, usize, Offer)> = vec![];
    for (age, task) in tasks.iter().rev().enumerate() {
        if Some(task.session.as_str()) == except {
            continue;
        }
        if let Some((worth, common)) = counts.fit(task, sought) {
            found.push((worth, age, Offer { task: task.clone(), common }));
        }
    }
    found.sort_by(|(worth, age, _), (other, other_age, _)| {
        other.total_cmp(worth).then(age.cmp(other_age))
    });
    let least = found.first().map_or(0.0, |(best, ..)| best * BESIDE_BEST);
    let good = found.into_iter().take_while(|(worth, ..)| *worth >= least);
    good.take(MAX_OFFERS).map(|(_, _, offer)| offer).collect()
}

/// How many tasks have what is sought.
struct Counts<'a> {
    tasks: usize,
    words: BTreeMap<&'a str, usize>,
    paths: BTreeMap<&'a str, usize>,
}

impl<'a> Counts<'a> {
    fn of(tasks: &[ShelvedTask], sought: &'a Sought) -> Self {
        let mut words: BTreeMap<&str, usize> = gathered(sought.words().map(|word| (word, 0)));
        let paths = sought.named.iter().chain(&sought.touched).map(|path| (path.as_str(), 0));
        let mut paths: BTreeMap<&str, usize> = gathered(paths);
        for task in tasks {
            for word in task.words.split(' ') {
                if let Some(count) = words.get_mut(word) {
                    *count += 1;
                }
            }
            for (path, count) in &mut paths {
                *count += usize::from(has_path(task, path));
            }
        }
        Self { tasks: tasks.len(), words, paths }
    }

    /// What a task is worth, and by what it fits.
    fn fit(&self, task: &ShelvedTask, sought: &Sought) -> Option<(f64, Vec<String>)> {
        let of_task = task.words.split(' ').filter(|word| !word.is_empty());
        let of_task: BTreeSet<&str> = gathered(of_task);
        let mut worth = 0.0;
        let mut common: Vec<String> = vec![];
        for place in &sought.places {
            let shared = place.iter().filter(|word| of_task.contains(word.as_str()));
            let rarest = shared.map(|word| (self.count(word), word)).min();
            if let Some((count, word)) =
                rarest.filter(|(count, _)| self.is_rare(*count, &RARE_WORD))
            {
                worth += self.weight(count);
                common.push(word.clone());
            }
        }
        let rare = common.len();
        let mut has_path = false;
        for path in shared_paths(task, &sought.named) {
            // A file that many tasks changed is no sign without a word.
            let is_telling = self.is_rare(self.path_count(path), &RARE_PATH) || rare > 0;
            has_path |= is_telling;
            worth += PATH_WEIGHT * self.weight(self.path_count(path));
            common.push(path.to_owned());
        }
        for path in shared_paths(task, &sought.touched) {
            if rare > 0 && !common.iter().any(|known| known == path) {
                has_path = true;
                worth += self.weight(self.path_count(path));
                common.push(path.to_owned());
            }
        }
        let fewer = sought.places.len().min(of_task.len());
        let has_words = rare >= MIN_WORDS && rare * MIN_SHARE >= fewer;
        let fits = match task.status {
            Status::Abandoned => has_path,
            Status::Complete | Status::Partial => has_path || has_words,
        };
        fits.then_some((worth, common))
    }

    fn count(&self, word: &str) -> usize {
        self.words.get(word).copied().unwrap_or_default()
    }

    fn path_count(&self, path: &str) -> usize {
        self.paths.get(path).copied().unwrap_or_default()
    }

    fn is_rare(&self, count: usize, Rare { one_in, always }: &Rare) -> bool {
        count <= (*always).max(self.tasks / one_in)
    }

    /// What has fewer tasks says more.
    #[expect(clippy::cast_precision_loss, reason = "there are at most some hundred tasks")]
    fn weight(&self, count: usize) -> f64 {
        ((self.tasks + 1) as f64 / count.max(1) as f64).ln()
    }
}

fn shared_paths<'p>(task: &ShelvedTask, paths: &'p [String]) -> impl Iterator<Item = &'p str> {
    paths.iter().map(String::as_str).filter(|path| has_path(task, path))
}

/// Whether a task changed a file that is the path, or lies in it.
fn has_path(task: &ShelvedTask, path: &str) -> bool {
    let pattern = PathPattern::new(path);
    let last = bare_name(path.trim_end_matches('/'));
    // Sessions may begin in different folders of the project.
    let is_it = |file: &String| {
        pattern.covers(file) || file.contains('/') && PathPattern::new(file).covers(path)
    };
    // Which is the quicker question, and nearly always the answer.
    task.files.iter().filter(|file| file.contains(last)).any(is_it)
}
