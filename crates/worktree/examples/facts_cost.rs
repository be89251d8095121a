//! Measures how long it takes to find the facts about a directory: `facts_cost [DIRECTORY]`.

use std::path::Path;
use std::time::{Duration, Instant};

use verger_worktree::{Git, Surroundings, project_facts, user_identity};

const ROUNDS: u32 = 100;

#[expect(clippy::disallowed_methods, reason = "a program's main reads the environment")]
#[expect(clippy::print_stdout, reason = "the program prints its results")]
fn main() {
    let directory = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let directory = Path::new(&directory);
    let git = Git::new("git", std::env::vars_os(), Duration::from_mins(1));
    println!("{:?}", project_facts(directory, &git));
    let home = std::env::var_os("HOME");
    let home = home.as_ref().map(Path::new);
    println!("project: {:?}", measure(|| drop(project_facts(directory, &git))));
    println!("identity: {:?}", measure(|| drop(user_identity(directory, &git))));
    println!(
        "config: {:?}",
        measure(|| drop(Surroundings::of(Some(directory), home).project_config()))
    );
}

#[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
fn measure(question: impl Fn()) -> Duration {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        question();
    }
    start.elapsed() / ROUNDS
}
