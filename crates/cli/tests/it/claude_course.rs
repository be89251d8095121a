//! The course with the real client: an agent that leaves it is told once and goes on, one that has to
//! widen its work is left alone, what was asked for outlives a compaction, what was done is offered to
//! later sessions, and sessions never mix.

use std::os::unix::process::ExitStatusExt;
use std::thread;

use serde_json::Value;
use verger_testkit::{
    Meeting, Reply, Request, Rule, Script, Upstream, Usage, Version, in_each_version,
    kill_all_with_home,
};

use crate::review_stage::{Played, ReviewStage, bash, collect_texts};

in_each_version! {
    a_run_that_drifts_is_told_once_and_recovers
    a_run_that_widens_is_left_alone
    what_was_asked_for_outlives_a_compaction
    a_later_session_is_offered_what_an_earlier_one_did
    what_a_killed_client_was_at_is_offered_days_later
    two_sessions_in_one_directory_never_mix
    two_sessions_at_the_same_time_have_each_its_own_course
    an_agent_that_does_not_go_back_is_held_until_a_person_speaks
    an_agent_that_is_held_may_take_back_what_it_did_and_goes_on
}

const CORRECT: &str = "[drift]\nmode = \"correct\"\n";
const LOGIN: &str = "Fix the login redirect in src/login.rs. Do not add dependencies.";

/// All that the model was told in the last request.
fn told(played: &Played) -> String {
    told_in(played.main().last().unwrap())
}

fn told_in(request: &Request) -> String {
    let mut texts = vec![];
    collect_texts(&request.body["system"], &mut texts);
    collect_texts(&request.body["messages"], &mut texts);
    texts.join("\n")
}

/// What the agent was told of its course, in order, a line each.
fn corrections(told: &str) -> Vec<String> {
    let is_one = |line: &&str| {
        line.contains("verger: ") && line.contains("the person asked for")
            || line.contains("The person asked for: ")
    };
    told.lines()
        .filter(is_one)
        .map(|line| line[line.find("verger: ").unwrap_or(0)..].to_owned())
        .collect()
}

/// What became of the course of a session, in order.
fn course(stage: &ReviewStage, session: &str) -> Vec<String> {
    let records = stage.log().records("gate.changed");
    let of_session = records.iter().filter(|record| record["session"] == session);
    let of_course = of_session.filter(|record| record["payload"]["gate"] == "course");
    of_course.map(|record| record["payload"]["cause"].as_str().unwrap().to_owned()).collect()
}

/// What people are shown of the course of a session: the goal, the scores with their reasons, the corrections.
fn shown(stage: &ReviewStage, played: &Played) -> Vec<String> {
    let arguments = ["drift", "--session", &played.session, "--json"];
    let drift = stage.household.verger(&arguments).success().stdout;
    let drift: Value = serde_json::from_str(&drift).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut lines = vec![text(&drift["goal"])];
    for moment in drift["moments"].as_array().unwrap() {
        let what = &moment["what"];
        match moment["is"].as_str().unwrap() {
            "scored" => {
                let (first, last) = (&what["first_step"], &what["last_step"]);
                lines.push(format!("steps {first} to {last}: {}", what["score"]));
                let reasons = what["reasons"].as_array().unwrap();
                lines.extend(reasons.iter().map(|reason| format!("  {}", text(reason))));
            }
            "corrected" => lines.push(format!("told: {}", text(&what["level"]))),
            _ => {}
        }
    }
    lines
}

fn redirect(stage: &ReviewStage, number: usize) -> Reply {
    stage.write("src/login.rs", &format!("fn redirect(to: &str) -> Login {{ login({number}) }}\n"))
}

fn style(stage: &ReviewStage, name: &str) -> Reply {
    stage.write(&format!("web/{name}.css"), "body { margin: 0; color: teal }\n")
}

fn a_run_that_drifts_is_told_once_and_recovers(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let mut script = Script::new().step(redirect(&stage, 0));
    for name in ["theme", "fonts", "icons", "print", "grid"] {
        script = script.step(style(&stage, name));
    }
    for number in 1..=6 {
        script = script.step(redirect(&stage, number));
    }
    let played = stage.play(LOGIN, script.step(Reply::text("The redirect is fixed.")));
    assert_eq!(played.run.answer(), "The redirect is fixed.");
    let told = told(&played);
    let corrections = corrections(&told);
    let reminder = format!("verger: a reminder. The person asked for: \"{LOGIN}\"");
    assert_eq!(corrections.first(), Some(&reminder), "{told}");
    let mut once = corrections.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), corrections.len(), "each is told once: {corrections:#?}");
    let story = course(&stage, &played.session);
    assert_eq!(
        story.first().unwrap(),
        "score 7: `web/theme.css` has nothing to do with what was asked for"
    );
    assert_eq!(story.last().unwrap(), "score 10", "{story:#?}");
    let records = stage.log().records("task.recorded");
    let [task] = &records[..] else { panic!("{records:#?}") };
    assert_eq!(task["payload"]["status"], "complete");
    assert_eq!(task["payload"]["task"]["steps"], 12);
}

fn a_run_that_widens_is_left_alone(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let write = |path: &str, content: &str| stage.write(path, content);
    let script = Script::new()
        .step(write("src/session.rs", "pub fn renew_session(token: Token) { store(token) }\n"))
        .step(write("src/store.rs", "pub fn store(token: Token) { /* renew_session */ }\n"))
        .step(write("src/lib.rs", "mod session;\nmod store;\npub use session::renew_session;\n"))
        .step(write("tests/session.rs", "#[test]\nfn renew_session_keeps_the_token() {}\n"))
        .step(write("docs/session.md", "# Sessions\n\n`renew_session` keeps the token.\n"))
        .step(write("CHANGELOG.md", "- Sessions are renewed.\n"))
        .step(Reply::text("Sessions are renewed now."));
    let played = stage.play("Renew the session before its token expires, with tests.", script);
    assert_eq!(corrections(&told(&played)), Vec::<String>::new());
    let story = course(&stage, &played.session);
    assert!(!story.is_empty() && story.iter().all(|line| !line.contains(':')), "{story:#?}");
}

fn what_was_asked_for_outlives_a_compaction(version: Version) {
    let stage = ReviewStage::new(version);
    let full = Usage { input_tokens: 180_000, ..Usage::default() };
    let script = Script::new()
        .step(redirect(&stage, 1))
        .step(bash("cat src/login.rs").usage(full))
        .step(Reply::text("The redirect is fixed."))
        .rule(Rule::compaction().step(Reply::text("<summary>Worked on it.</summary>")));
    let print = stage.client.print(LOGIN).allowed_tools(["Write", "Bash(cat:*)"]).small_context();
    let played = stage.play_print(print, script);
    let after = told(&played);
    assert!(after.contains("Worked on it."), "the conversation was compacted: {after}");
    let expected = "## Goal\nFix the login redirect in src/login.rs. Do not add dependencies.\n\n\
                    ## What the person forbade\n- no new dependencies\n\n\
                    ## Progress\n- Wrote src/login.rs\n";
    assert_eq!(after.matches(expected).count(), 1, "{after}");
    assert_eq!(stage.log().records("handoff.written").len(), 1);
}

fn a_later_session_is_offered_what_an_earlier_one_did(version: Version) {
    let stage = ReviewStage::new(version);
    let script = Script::new()
        .step(redirect(&stage, 1))
        .step(Reply::text("Fixed. I kept the old name because others use it."));
    let first = stage.play(LOGIN, script);
    let records = stage.log().records("task.recorded");
    let [record] = &records[..] else { panic!("{records:#?}") };
    assert_eq!(record["session"], first.session);
    let offered_with = |prompt: &str| {
        let played = stage.play(prompt, Script::new().step(Reply::text("I do not know yet.")));
        let [request] = played.main()[..] else { panic!("{:#?}", played.requests) };
        let offered = request.text_between("<verger-tasks>\n", "</verger-tasks>");
        offered.map(str::to_owned).ok_or_else(|| told_in(request))
    };
    let offered = offered_with("The login redirect loops since yesterday, find out why.").unwrap();
    let (_what_it_is, tasks) = offered.split_once("\n\n").unwrap();
    let id = record["id"].as_str().unwrap();
    let expected = format!(
        "{LOGIN}\n  (complete, less than a day ago)\n  files: src/login.rs\n  \
         the person had forbidden: no new dependencies\n  \
         decided: I kept the old name: others use it\n  all of it: verger tasks show {id}\n"
    );
    assert_eq!(tasks, expected);
    let told = offered_with("Restyle the pages in web/.").unwrap_err();
    assert!(!told.contains(LOGIN) && !told.contains(id), "{told}");
}

fn what_a_killed_client_was_at_is_offered_days_later(version: Version) {
    let mut stage = ReviewStage::new(version);
    let home = stage.household.environment.home();
    let killing = move |_: &Request| {
        kill_all_with_home(&home);
        Reply::text("Nobody hears this.")
    };
    let upstream = Upstream::start(Script::new().step(redirect(&stage, 1)).step_with(killing));
    let print = stage.client.print(LOGIN).allowed_tools(["Write"]);
    let print = print.arg("--permission-mode").arg("default");
    let run = print.run(&stage.household.environment, &upstream);
    drop(upstream.finish());
    assert_eq!(run.status.signal(), Some(9), "{run:?}");
    assert_eq!(stage.log().records("session.ended"), Vec::<Value>::new());
    assert_eq!(stage.log().records("task.recorded"), Vec::<Value>::new());
    stage.household.environment.set("VERGER_TEST_LATER_MS", (3 * 86_400_000).to_string());
    let log = stage.log();
    let greeting = move |_: &Request| {
        log.wait_for("task.recorded", 1);
        Reply::text("Hello.")
    };
    let script = Script::new().step_with(greeting).step(Reply::text("I do not know yet."));
    let print = stage.client.print("Say hello to everybody.");
    let print = print.then("The login redirect loops since yesterday, find out why.");
    let later = stage.play_print(print, script);
    let [_greeted, asked] = later.main()[..] else { panic!("{:#?}", later.requests) };
    let offered = asked.text_between("<verger-tasks>\n", "</verger-tasks>").unwrap();
    let (_what_it_is, tasks) = offered.split_once("\n\n").unwrap();
    let records = stage.log().records("task.recorded");
    let [record] = &records[..] else { panic!("{records:#?}") };
    let expected = format!(
        "{LOGIN}\n  (partial, 3 days ago)\n  files: src/login.rs\n  \
         the person had forbidden: no new dependencies\n  all of it: verger tasks show {}\n",
        record["id"].as_str().unwrap()
    );
    assert_eq!(tasks, expected);
    assert_eq!(record["payload"]["trigger"], "session left");
    assert_ne!(record["session"], later.session);
}

fn two_sessions_in_one_directory_never_mix(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let wandering = |script: Script, names: &[&str]| {
        let script = names.iter().fold(script, |script, name| script.step(style(&stage, name)));
        script.step(Reply::text("Not yet."))
    };
    let begin = |file: &str| Script::new().step(stage.write(file, "// what was asked for\n"));
    let billing = "Round the totals in src/billing.rs.";
    let first = stage.play(LOGIN, wandering(begin("src/login.rs"), &["a"]));
    let other = stage.play(billing, wandering(begin("src/billing.rs"), &["b", "c", "d", "e"]));
    let print = stage.client.print("Go on.").allowed_tools(["Write"]).resume(&first.session);
    let again = stage.play_print(print, wandering(Script::new(), &["f", "g", "h", "i"]));
    assert_eq!(again.session, first.session);
    for (played, own, others) in [(&other, billing, LOGIN), (&again, LOGIN, billing)] {
        let told = told(played);
        let corrections = corrections(&told);
        assert!(!corrections.is_empty(), "{told}");
        let is_own = |line: &String| line.contains(&format!("\"{own}\""));
        assert!(corrections.iter().all(is_own), "{corrections:#?}");
        assert!(!told.contains(others), "{told}");
    }
}

fn two_sessions_at_the_same_time_have_each_its_own_course(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    // What is astray in the one is what the other was asked for.
    let restyle = "Restyle the pages in web/.";
    let [theme, fonts] = ["theme", "fonts"].map(|name| style(&stage, name));
    let [before, after, again, last] = [0, 1, 2, 3].map(|number| redirect(&stage, number));
    let wandering = [before, theme, fonts, after, again, last];
    let restyling = ["icons", "print", "grid", "menu", "forms", "tables"];
    let restyling = restyling.map(|name| style(&stage, name));
    let meeting = Meeting::of(2);
    let play = |prompt: &str, work: [Reply; 6]| {
        let replies = work.into_iter().chain([Reply::text("Not yet.")]);
        let add = |script: Script, reply| script.step_with(meeting.then(reply));
        stage.play(prompt, replies.fold(Script::new(), add))
    };
    let [wandered, restyled] = thread::scope(|scope| {
        [(LOGIN, wandering), (restyle, restyling)]
            .map(|(prompt, work)| scope.spawn(move || play(prompt, work)))
            .map(|running| running.join().unwrap())
    });
    let reminder = format!("verger: a reminder. The person asked for: \"{LOGIN}\"");
    assert_eq!(corrections(&told(&wandered)), [reminder]);
    assert_eq!(corrections(&told(&restyled)), Vec::<String>::new());
    assert!(!told(&wandered).contains(restyle), "{}", told(&wandered));
    assert!(!told(&restyled).contains(LOGIN), "{}", told(&restyled));
    let astray =
        |name: &str| format!("  `web/{name}.css` has nothing to do with what was asked for");
    let expected = [
        LOGIN,
        "steps 1 to 3: 7",
        &astray("theme"),
        &astray("fonts"),
        "told: nudge",
        "steps 4 to 6: 10",
    ];
    assert_eq!(shown(&stage, &wandered), expected);
    assert_eq!(shown(&stage, &restyled), [restyle, "steps 1 to 3: 10", "steps 4 to 6: 10"]);
}

const UNTOUCHED: &str = "Fix the typo in README.md. Do not touch anything in web/.";

/// An agent that does what it was told not to do until it is held, at the last of these.
fn goes_too_far(stage: &ReviewStage) -> Script {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    names.iter().fold(Script::new(), |script, name| script.step(style(stage, name)))
}

fn an_agent_that_is_held_may_take_back_what_it_did_and_goes_on(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let script = goes_too_far(&stage)
        .step(bash("rm -r web"))
        .step(bash("sed -i s/teh/the/ README.md"))
        .step(bash("sed -i s/adn/and/ README.md"))
        .step(Reply::text("The typo is fixed, and web/ is as it was."));
    let played = stage.play_allowed(&["Write", "Bash(rm:*)", "Bash(sed:*)"], UNTOUCHED, script);
    let held: Vec<bool> =
        played.told_main().iter().map(|told| told.contains("this did not run")).collect();
    let [no, yes] = [false, true];
    assert_eq!(held, [no, no, no, no, no, no, yes, no, no, no], "{:#?}", played.told_main());
    assert!(!stage.household.environment.project().join("web").exists());
    let story = course(&stage, &played.session);
    assert_eq!(story.last().unwrap(), "score 10", "{story:#?}");
}

fn an_agent_that_does_not_go_back_is_held_until_a_person_speaks(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let script = goes_too_far(&stage)
        .step(Reply::text("I am held."))
        .step(style(&stage, "h"))
        .step(Reply::text("The styles are there."));
    let print = stage.client.print(UNTOUCHED).then("The styles in web/ are wanted, too.");
    let played = stage.play_print(print.allowed_tools(["Write"]), script);
    let held: Vec<bool> =
        played.told_main().iter().map(|told| told.contains("this did not run")).collect();
    let [no, yes] = [false, true];
    assert_eq!(held, [no, no, no, no, no, no, yes, no, no], "{:#?}", played.told_main());
    let is_there =
        |name: &str| stage.household.environment.project().join(format!("web/{name}.css")).exists();
    assert_eq!(["f", "g", "h"].map(is_there), [yes, no, yes]);
}
