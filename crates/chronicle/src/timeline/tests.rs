use verger_testkit::CourseScript;

use super::*;

fn timeline(script: &mut CourseScript) -> Vec<String> {
    let mut timeline = Timeline::default();
    for (seq, draft) in (1..).zip(script.take()) {
        timeline.take(&Record { seq, draft });
    }
    timeline.moments().iter().map(|moment| short(&moment.what)).collect()
}

fn short(told: &Told) -> String {
    match told {
        Told::Scored { scored, followed } => format!("score {}, then {followed:?}", scored.score),
        Told::Corrected { level, followed, .. } => format!("told {level:?}, then {followed:?}"),
        other => format!("{other:?}"),
    }
}

fn drift(script: &mut CourseScript) {
    script.prompt("Fix the login redirect in src/login.rs").read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

#[test]
fn a_correction_is_followed_by_the_way_back() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0).corrected();
    drift(&mut script);
    script.edit("src/login.rs", "redirect(a)", "redirect(b)");
    script.edit("src/login.rs", "redirect(c)", "redirect(d)");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score 9, then None
    score 4, then Some(WentBack)
    told Some(Intervene), then Some(WentBack)
    ");
}

#[test]
fn a_correction_that_does_not_help_is_followed_by_more_of_the_same() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0).corrected();
    drift(&mut script);
    script.edit("web/theme/menu.css", "red", "blue");
    script.prompt("Well then, make the theme blue everywhere in web/theme");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score 9, then None
    score 4, then Some(WentOn)
    told Some(Intervene), then Some(WentOn)
    told Some(Halt), then Some(PersonSpoke)
    Prompted { action: NewTask, task: 2 }
    score 3, then None
    ");
}

#[test]
fn what_was_only_observed_is_followed_by_the_next_score_or_the_person() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    drift(&mut script);
    for file in ["menu", "table", "tree"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.prompt("what are you doing?");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score 9, then None
    score 4, then Some(ScoredAgain { score: 1 })
    score 1, then Some(PersonSpoke)
    Prompted { action: Continue, task: 1 }
    ");
}
