//! What holds for every session.

use proptest::prelude::*;
use serde_json::{Value, json};
use verger_drift::score::{Assessment, Course, Interval, Reason};
use verger_drift::step::{Outcome, Step};

/// A course is a snapshot's part: it has to stay small.
const MAX_BYTES: usize = 24 * 1024;

/// So much may speak against a course at once.
const MAX_REASONS: usize = 16;

#[derive(Debug, Clone)]
pub(crate) enum Happening {
    Prompt(String),
    Call { tool: &'static str, input: Value, failed: bool, output: String },
}

pub(crate) fn prompts() -> impl Strategy<Value = String> {
    let said = prop::sample::select(vec![
        "continue",
        "Fix src/a.rs. Don't touch the tests.",
        "Stop, forget that. Only docs/ may change.",
        "次は検索を直して。ライブラリは追加しないで",
        "you may change src/b.rs",
        "Plan only, no edits.",
        "<system-reminder>x</system-reminder>",
        "Refactor everything in lib/ 全部",
    ]);
    prop_oneof![said.prop_map(str::to_owned), ".{0,80}", "[a-z`./ ,.()<>'は。、]{0,120}"]
}

pub(crate) fn calls() -> impl Strategy<Value = Happening> {
    let path = prop_oneof!["(src|tests|docs)/[ab]\\.(rs|md)", ".{0,40}"];
    let line = prop_oneof![
        "(cargo test|git commit -m x|npm i y|rm src/a.rs|sed -i s/a/b/ src/b.rs)",
        ".{0,60}"
    ];
    let tools = vec!["Edit", "Write", "Read", "Bash", "Grep", "Glob", "Task", "Unknown"];
    (prop::sample::select(tools), path, line, ".{0,40}", ".{0,40}", any::<bool>(), ".{0,60}").prop_map(
        |(tool, path, line, old, new, failed, output)| Happening::Call {
            tool,
            input: json!({ "file_path": path, "command": line, "pattern": old, "old_string": old, "new_string": new }),
            failed,
            output,
        },
    )
}

/// As a snapshot has it.
fn stored(course: &Course) -> Vec<u8> {
    postcard::to_allocvec(course).unwrap()
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let one = prop_oneof![1 => prompts().prop_map(Happening::Prompt), 5 => calls()];
    prop::collection::vec(one, 0..60)
}

fn replay(happenings: &[Happening]) -> (Course, Vec<Assessment>) {
    let mut course = Course::default();
    let mut said = Vec::new();
    for happening in happenings {
        match happening {
            Happening::Prompt(prompt) => {
                said.extend(
                    course.apply_prompt(prompt, Some("/home/dev/app")).map(|(_, said)| said),
                );
            }
            Happening::Call { tool, input, failed, output } => {
                let outcome = Outcome { failed: *failed, output };
                let step = Step::of_call(tool, input, outcome, Some("/home/dev/app"));
                said.extend(course.apply_step(&step, Interval::default()));
            }
        }
    }
    said.push(course.assess());
    (course, said)
}

proptest! {
    // Whole sessions: fewer of them say as much.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn scores_are_scores_and_what_is_corrected_has_a_reason(happenings in happenings()) {
        let (course, said) = replay(&happenings);
        prop_assert!(stored(&course).len() < MAX_BYTES);
        for one in said {
            prop_assert!(one.reasons.len() <= MAX_REASONS, "{one:?}");
            for reason in &one.reasons {
                let counted = match reason {
                    Reason::Circles { changes, .. } => *changes,
                    Reason::ReadsElsewhere { reads, .. } => *reads,
                    _ => 0,
                };
                // One line for a shell may change several files.
                prop_assert!(counted as usize <= 24 * happenings.len(), "{reason:?}");
            }
            prop_assert!((1..=10).contains(&one.score.get()));
            prop_assert!(!one.score.asks_for_correction() || !one.reasons.is_empty(), "{one:?}");
        }
    }

    #[test]
    fn the_same_happenings_are_worth_the_same(happenings in happenings()) {
        prop_assert_eq!(replay(&happenings), replay(&happenings));
    }

    /// A fold may be stored anywhere and go on from there.
    #[test]
    fn a_stored_course_goes_on_as_if_nothing_had_been(happenings in happenings(), cut in 0usize..60) {
        let cut = cut.min(happenings.len());
        let (mut course, _) = replay(&happenings[..cut]);
        let mut again: Course = postcard::from_bytes(&stored(&course)).unwrap();
        prop_assert_eq!(&again, &course);
        for happening in &happenings[cut..] {
            if let Happening::Prompt(prompt) = happening {
                prop_assert_eq!(again.apply_prompt(prompt, None), course.apply_prompt(prompt, None));
            }
        }
        prop_assert_eq!(again, course);
    }

    /// A person's new instruction ends what was held against the work before it.
    #[test]
    fn a_new_instruction_starts_afresh(happenings in happenings()) {
        let (mut course, _) = replay(&happenings);
        course.apply_prompt("Stop, forget that. Implement the retry policy for webhooks.", None);
        prop_assert_eq!(course.assess().score.get(), 10);
    }
}

/// A session that goes on and on, everything in it new: in one language and then the other, with paths of any length.
fn long_session(steps: usize, mut each: impl FnMut(usize, &Course)) {
    let mut course = Course::default();
    for n in 0..steps {
        if n % 50 == 0 {
            let prompt = if n % 100 == 0 {
                format!(
                    "Also add feature{n} to module{n}/file{n}.rs, don't touch keep{n}/x{n}.rs or use `sym{n}`"
                )
            } else {
                format!(
                    "あと、module{n}/画面{n}.tsのダークモード{n}もお願い。keep{n}/y{n}.rsは変更しないで"
                )
            };
            course.apply_prompt(&prompt, None);
        }
        let deep = "folder/".repeat(n % 40);
        let input = json!({
            "file_path": format!("src/{deep}part{n}/file{n}.rs"),
            "old_string": format!("old name{n} thing{n} 決済画面{n}"),
            "new_string": format!("new title{n} object{n} \u{1}{}", "検索".repeat(n % 30)),
            "command": format!("cargo test part{n} > out{n}.txt"),
            "pattern": format!("search{n}"),
        });
        let output = format!("error in src/{deep}other{n}.rs: broken{n} words{n}");
        let tool = ["Edit", "Bash", "Read", "Grep", "Write"][n % 5];
        let outcome = Outcome { failed: n % 2 == 0, output: &output };
        course.apply_step(&Step::of_call(tool, &input, outcome, None), Interval::default());
        each(n, &course);
    }
}

/// Whoever reads the snapshot pays for every byte of it, at every call of the hook.
#[test]
fn a_session_of_ten_thousand_steps_stays_small() {
    let (mut early, mut late) = (0, 0);
    long_session(10_000, |n, course| {
        if n % 125 == 124 {
            let largest = if n < 1_000 { &mut early } else { &mut late };
            let bytes = stored(course);
            *largest = (*largest).max(bytes.len());
            assert_eq!(&postcard::from_bytes::<Course>(&bytes).unwrap(), course);
        }
    });
    assert!(late < MAX_BYTES, "{early} bytes, then {late}");
    assert!(late < early + early / 2, "{early} bytes, then {late}");
}
