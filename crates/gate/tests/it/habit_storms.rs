//! Tests the time limit for finding habits on any command line, up to the longest. The search must
//! not panic.

use proptest::prelude::*;
use verger_gate::habits::{
    Caller, Habit, Mode, Policy, Remedy, Scene, Signatures, Surroundings, commits, look, rewritten,
};
use verger_gate::permission::Ground;
use verger_testkit::processor_ms;

const LINE: usize = 64 * 1024;

/// The time limit for one command line in milliseconds. A build without optimisation takes many
/// times longer.
const CEILING_MS: u64 = if cfg!(debug_assertions) { 2000 } else { 100 };

const UNITS: &[&str] = &[
    "git push -f;",
    "git push -f origin a:b c +d;git checkout x;",
    "git checkout -b a;git merge b;",
    "cd a;git add .;git commit;",
    "git -C a -C b -C .. add . c d;",
    "git commit -m 'a\n\nCo-Authored-By: aider';",
    "git commit -m \"$(cat <<'E'\na\n\nCo-Authored-By: aider\nE\n)\";",
    "git commit -F - <<'E'\na\n\nCo-Authored-By: aider\nE\n",
    "echo 'Generated with aider' | git commit -F -;",
    "gh pr create -b 'Generated with aider';",
    "grep -r a b;find . -name a;",
    "cargo test;npm test;make;go test ./...;pytest;",
    "env nice sudo git commit -m $x;",
    "x=git;$x add $y;",
    "bash -c 'git add -A';",
    "-m ",
    "\n\nCo-Authored-By: aider",
    "'\"'\"'",
    "$'\\x",
];

struct Nothing;

impl Surroundings for Nothing {
    fn branch(&self, _: &str) -> Option<String> {
        Some("topic".to_owned())
    }

    fn is_top(&self, directory: &str) -> bool {
        directory.ends_with("/app")
    }

    fn is_installed(&self, _: &str) -> bool {
        true
    }
}

fn look_at(line: &str) {
    let script = verger_shell::read(line);
    let ground = Ground {
        cwd: Some("/home/dev/app"),
        home: Some("/home/dev"),
        root: Some("/home/dev/app"),
        ..Ground::default()
    };
    let signatures = Signatures { products: &["aider"], ..Signatures::default() };
    let scene = Scene {
        script: &script,
        ground: &ground,
        caller: Caller::Subagent,
        signatures: &signatures,
        surroundings: &Nothing,
    };
    let policy = Policy { modes: [Mode::Rewrite; Habit::COUNT], ..Policy::default() };
    let mut edits = vec![];
    for found in look(&scene, &policy) {
        if let Remedy::Edits(own) = found.remedy {
            edits.extend(own);
        }
    }
    drop((rewritten(&script, &edits), commits(&scene)));
}

/// The processor time for finding habits, without the time for parsing the command line.
fn cost(line: &str) -> u64 {
    let reading = processor_ms(|| drop(verger_shell::read(line)));
    processor_ms(|| look_at(line)).saturating_sub(2 * reading)
}

#[test]
fn no_storm_is_slow() {
    let around = [("", ""), ("git commit -m \"", "\""), ("git push ", ""), ("bash -c \"", "\"")];
    let around = if cfg!(debug_assertions) { &around[..2] } else { &around[..] };
    let slow: Vec<_> = UNITS
        .iter()
        .flat_map(|unit| around.iter().map(move |(before, after)| (*before, *unit, *after)))
        .map(|(before, unit, after)| {
            let count = (LINE - before.len() - after.len()) / unit.len();
            (before, unit, cost(&format!("{before}{}{after}", unit.repeat(count))))
        })
        .filter(|(_, _, cost)| *cost > CEILING_MS)
        .collect();
    assert_eq!(slow, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 300 }))]

    #[test]
    fn no_mixture_breaks_anything(
        units in prop::collection::vec((prop::sample::select(UNITS), 1..40_usize), 1..12),
        noise in "\\PC{0,200}",
        at in any::<prop::sample::Index>(),
    ) {
        let mut line: String = units.iter().map(|(unit, count)| unit.repeat(*count)).collect();
        let at = line.floor_char_boundary(at.index(line.len() + 1));
        line.insert_str(at, &noise);
        look_at(&line);
    }
}
