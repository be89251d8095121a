use verger_testkit::DriftScript;

use super::*;

fn timeline(script: &mut DriftScript) -> Vec<String> {
    let mut timeline = Timeline::default();
    for (seq, draft) in (1..).zip(script.take()) {
        timeline.take(&Record { seq, draft });
    }
    timeline.moments().iter().map(|moment| short(&moment.what)).collect()
}

fn short(kind: &MomentKind) -> String {
    match kind {
        MomentKind::Scored { scored, followed } => {
            format!("score {:?}, then {followed:?}", scored.score)
        }
        MomentKind::Corrected { level, followed, .. } => {
            format!("told {level:?}, then {followed:?}")
        }
        other => format!("{other:?}"),
    }
}

fn drift(script: &mut DriftScript) {
    script
        .prompt("Fix the login redirect in src/login.rs. Do not touch web/.")
        .read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

#[test]
fn a_correction_is_followed_by_the_way_back() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0).corrected();
    drift(&mut script);
    script.edit("src/login.rs", "redirect(a)", "redirect(b)");
    script.edit("src/login.rs", "redirect(c)", "redirect(d)");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score Some(5), then Some(ScoredAgain { score: Some(3) })
    told Some(Correct), then Some(ScoredAgain { score: Some(3) })
    score Some(3), then Some(ScoredAgain { score: Some(2) })
    told Some(Intervene), then Some(ScoredAgain { score: Some(2) })
    score Some(2), then Some(ScoredAgain { score: Some(2) })
    told Some(Halt), then Some(ScoredAgain { score: Some(2) })
    score Some(2), then None
    ");
}

#[test]
fn a_correction_that_does_not_help_is_followed_by_more_of_the_same() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0).corrected();
    drift(&mut script);
    script.edit("web/theme/menu.css", "red", "blue");
    script.prompt("Well then, make the theme blue everywhere in web/theme");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score Some(5), then Some(ScoredAgain { score: Some(3) })
    told Some(Correct), then Some(ScoredAgain { score: Some(3) })
    score Some(3), then Some(ScoredAgain { score: Some(2) })
    told Some(Intervene), then Some(ScoredAgain { score: Some(2) })
    score Some(2), then Some(ScoredAgain { score: Some(2) })
    told Some(Halt), then Some(ScoredAgain { score: Some(2) })
    score Some(2), then Some(ScoredAgain { score: Some(2) })
    score Some(2), then Some(PersonSpoke)
    Prompted { action: Continue, task: 1 }
    ");
}

#[test]
fn observed_scores_are_followed_by_the_next_score_or_the_person() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0);
    drift(&mut script);
    for file in ["menu", "table", "tree"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.prompt("what are you doing?");
    insta::assert_snapshot!(timeline(&mut script).join("\n"), @"
    Prompted { action: NewTask, task: 1 }
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(ScoredAgain { score: Some(5) })
    score Some(5), then Some(PersonSpoke)
    Prompted { action: Continue, task: 1 }
    ");
}
