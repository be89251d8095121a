//! Prompts and calls as nobody should send them.

use serde_json::{Value, json};
use verger_drift::Tasks;
use verger_drift::goal::Goal;
use verger_drift::score::{Course, Interval};
use verger_drift::step::{Action, Outcome, Step};

const ROOT: Option<&str> = Some("/home/dev/app");
const MEGABYTE: usize = 1 << 20;
/// What a goal, a step and a course may take when they are stored.
const MAX_GOAL: usize = 24 * 1024;
const MAX_STEP: usize = 48 * 1024;
const MAX_COURSE: usize = 48 * 1024;

fn stored(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).unwrap().len()
}

fn megabyte_of(text: &str) -> String {
    text.repeat(MEGABYTE / text.len() + 1)
}

fn numbered(form: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 0.. {
        if text.len() > MEGABYTE {
            break;
        }
        text += &form(n);
    }
    text
}

fn bad_prompts() -> Vec<(&'static str, String)> {
    let fixed = [
        ("nothing", ""),
        ("blanks", " \n\t\u{3000}\r\n"),
        ("one quote", "`"),
        ("an open fence", "```rust"),
        ("fences", "``````"),
        ("full stops", "。。。...;;;"),
        ("only code", "```rust\nfn main() { println!(\"hi\"); }\n```"),
        ("code without a fence", "fn main() {\n    let x = vec![1, 2];\n}"),
        ("control characters", "fix \u{0}\u{1}\u{7f}\u{1b}[31m src/a.rs\u{0}\r\u{8}"),
        ("marks of direction", "fix \u{202e}sr.a/crs\u{202c} \u{200b}\u{feff}now"),
        ("mixed languages", "パーサを fix して, aber bitte nicht tests/ 触る 고쳐줘 исправь"),
        ("an open tag", "<system-reminder>fix src/a.rs"),
        ("tags in tags", "<system-reminder><system-reminder></system-reminder>fix it"),
        ("emoji", "👍👍🏽👨‍👩‍👧 🚀"),
    ];
    let long = [
        ("clauses", megabyte_of("a, ")),
        ("sentences", megabyte_of("a. ")),
        ("one word", megabyte_of("a")),
        ("kanji", megabyte_of("漢")),
        ("digits", megabyte_of("1.")),
        ("blanks and a word", format!("{}fix", megabyte_of(" "))),
        ("quotes", megabyte_of("`a` ")),
        ("angle brackets", megabyte_of("<")),
        ("open tags", megabyte_of("<system-reminder ")),
        ("closed tags", megabyte_of("<system-reminder>x</system-reminder>")),
        ("code", format!("```\n{}", megabyte_of("fn a() { b(); }\n"))),
        ("both languages", megabyte_of("コードを fix して. ")),
        ("NUL", megabyte_of("\u{0}")),
        ("paths", numbered(|n| format!("src/part{n}/file{n}.rs "))),
        ("long paths", numbered(|n| format!("{}{n}.rs, ", "deep/".repeat(50)))),
        ("symbols", numbered(|n| format!("`load_user_{n}` "))),
        ("prohibitions", numbered(|n| format!("don't touch src/a{n}.rs, "))),
        ("allowances", numbered(|n| format!("only b{n}/c.rs, nothing else, "))),
        ("prohibitions in Japanese", numbered(|n| format!("src/a{n}.rsは変更しないで。"))),
        ("things not to use", numbered(|n| format!("don't use `thing{n}`. "))),
        ("a long thing not to use", format!("don't use {}", megabyte_of("thing "))),
    ];
    let fixed = fixed.into_iter().map(|(name, text)| (name, text.to_owned()));
    fixed.chain(long).collect()
}

#[test]
fn any_prompt_is_read_within_bounds() {
    let mut course = Course::default();
    for (name, prompt) in bad_prompts() {
        let (mut goal, mut tasks) = (Goal::default(), Tasks::default());
        goal.hear("Fix the parser.", ROOT);
        goal.hear(&prompt, ROOT);
        tasks.prompted(&prompt);
        tasks.replied(&prompt, false);
        course.apply_prompt(&prompt, ROOT);
        let sizes = (stored(&goal), stored(&tasks), stored(&course));
        let is_small = sizes.0 < MAX_GOAL && sizes.1 < MAX_GOAL && sizes.2 < MAX_COURSE;
        assert!(is_small, "{name}: {sizes:?}");
    }
}

/// Of a long prompt its beginning and its end are read: the same is understood whatever stands between.
#[test]
fn the_middle_of_a_long_prompt_is_not_read() {
    let begin = format!("Fix src/parser.rs. {}", "It is slow. ".repeat(1_000));
    let end = format!("{} Don't touch docs/.", "So it is. ".repeat(1_000));
    let heard = |middle: &str| {
        let mut goal = Goal::default();
        goal.hear(&format!("{begin}{middle}{end}"), ROOT);
        goal
    };
    let plain = heard(&megabyte_of("x"));
    assert!(!plain.scope.paths.is_empty() && !plain.constraints.is_empty(), "{plain:?}");
    for middle in ["", "Rewrite lib/. No commits. ", &megabyte_of("src/other.rs, ")] {
        assert_eq!(heard(middle), plain);
    }
}

fn bad_inputs() -> Vec<Value> {
    let long_path = format!("/home/dev/app/{}", "deep/".repeat(20_000));
    vec![
        json!(null),
        json!(true),
        json!(7),
        json!("src/a.rs"),
        json!([]),
        json!(["src/a.rs", { "file_path": "src/b.rs" }]),
        json!({}),
        json!({ "file_path": null, "command": [], "pattern": {}, "edits": "x" }),
        json!({ "file_path": ["src/a.rs"], "command": 1, "content": { "a": 1 } }),
        json!({ "file_path": "", "path": "   ", "command": "" }),
        json!({ "file_path": ".", "path": "/", "command": "'" }),
        json!({ "file_path": "..//..///.//", "command": "\\" }),
        json!({ "file_path": long_path, "path": long_path, "command": long_path }),
        json!({ "file_path": "src/\u{0}\u{1b}[31m\n\t.rs", "command": "rm \u{0}\u{7f} > \u{1}" }),
        json!({ "file_path": "\u{1}".repeat(100_000), "command": "\u{1}".repeat(100_000) }),
        json!({ "file_path": "パス/画面.ts", "command": "echo 'あ > い" }),
        json!({ "file_path": "src/a.rs", "edits": [1, null, { "old_string": 3 }, []] }),
        json!({ "file_path": "src/a.rs", "edits": vec![json!({ "new_string": "a b" }); 10_000] }),
        json!({ "file_path": "a", "content": megabyte_of("漢字 "), "old_string": megabyte_of("x") }),
        json!({ "command": megabyte_of("a;") }),
        json!({ "command": megabyte_of("a > b ") }),
        json!({ "command": megabyte_of("\"") }),
        json!({ "command": megabyte_of("rm \u{1}\u{2}.rs ") }),
        json!({ "pattern": megabyte_of("(a|"), "path": "src" }),
    ]
}

#[test]
fn any_call_is_a_small_step_and_any_course_takes_it() {
    let tools = ["Edit", "Write", "Read", "Bash", "Grep", "Glob", "Task", "", "mcp__\u{0}"];
    let outputs = [String::new(), megabyte_of("src/a.rs: error\u{0} あ")];
    let mut course = Course::default();
    course.apply_prompt("Fix src/a.rs. No new files, only src/ may change.", ROOT);
    for input in bad_inputs() {
        for tool in tools {
            for output in &outputs {
                let outcome = Outcome { failed: !output.is_empty(), output };
                let step = Step::of_call(tool, &input, outcome, ROOT);
                let told: String = input.to_string().chars().take(80).collect();
                assert!(stored(&step) < MAX_STEP, "{tool} {told}: {}", stored(&step));
                course.apply_step(&step, Interval::default());
                let score = course.assess().score.get();
                assert!((1..=10).contains(&score), "{tool} {told}: {score}");
            }
        }
        assert!(stored(&course) < MAX_COURSE, "{}", stored(&course));
    }
}

#[test]
fn a_call_without_a_path_is_about_no_file() {
    for input in bad_inputs().iter().take(10) {
        let step = Step::of_call("Edit", input, Outcome::default(), ROOT);
        let found = (step.action, step.files, step.folders, step.changed);
        assert_eq!(found, (Action::Edit, vec![], vec![], [].into()), "{input}");
    }
}
