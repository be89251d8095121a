//! Drift with the real client. An agent that breaks a limit gets a correction, and its third break
//! is denied. Goal and limits survive a compaction. Earlier tasks are offered to later sessions.
//! Sessions never mix.

use std::os::unix::process::ExitStatusExt;
use std::thread;

use serde_json::Value;
use verger_testkit::{
    Meeting, Reply, Request, Rule, Script, Upstream, Usage, Version, in_each_version,
    kill_all_with_home,
};

use crate::review_stage::{Played, ReviewStage, bash, collect_texts};

in_each_version! {
    a_run_that_breaks_a_limit_is_told_and_recovers
    a_run_without_limits_is_not_measured
    goal_and_limits_survive_a_compaction
    a_later_session_is_offered_what_an_earlier_one_did
    the_task_of_a_killed_client_is_offered_days_later
    two_sessions_in_one_directory_never_mix
    two_sessions_at_the_same_time_have_each_its_own_limits
    a_third_break_is_denied_until_a_person_speaks
    an_agent_that_is_denied_may_delete_what_it_made
}

const CORRECT: &str = "[drift]\nmode = \"correct\"\n";
const LOGIN: &str = "Fix the login redirect in src/login.rs. Do not add dependencies.";

/// The whole text of the last request to the model.
fn told(played: &Played) -> String {
    told_in(played.main().last().unwrap())
}

fn told_in(request: &Request) -> String {
    let mut texts = vec![];
    collect_texts(&request.body["system"], &mut texts);
    collect_texts(&request.body["messages"], &mut texts);
    texts.join("\n")
}

/// The first lines of the corrections that the agent got, in order.
fn corrections(told: &str) -> Vec<String> {
    let starts = ["verger: you did", "verger: stop", "verger: this did not run"];
    let lines = told.lines().filter_map(|line| {
        let at = starts.iter().find_map(|start| line.find(start))?;
        Some(line[at..].to_owned())
    });
    lines.collect()
}

/// The causes of a session's drift records, in order.
fn causes(stage: &ReviewStage, session: &str) -> Vec<String> {
    let records = stage.log().records("gate.changed");
    let of_session = records.iter().filter(|record| record["session"] == session);
    let of_drift = of_session.filter(|record| record["payload"]["gate"] == "drift");
    of_drift.map(|record| record["payload"]["cause"].as_str().unwrap().to_owned()).collect()
}

fn redirect(stage: &ReviewStage, number: usize) -> Reply {
    stage.write("src/login.rs", &format!("fn redirect(to: &str) -> Login {{ login({number}) }}\n"))
}

fn style(stage: &ReviewStage, name: &str) -> Reply {
    stage.write(&format!("web/{name}.css"), "body { margin: 0; color: teal }\n")
}

const UNTOUCHED: &str = "Fix the typo in README.md. Do not touch web/.";
const TOLD: &str = "verger: you did something that the person forbade.";
const AGAIN: &str = "verger: you did it again after you were told that the person forbade it.";

fn a_run_that_breaks_a_limit_is_told_and_recovers(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let script = Script::new()
        .step(bash("sed -i s/teh/the/ README.md"))
        .step(style(&stage, "theme"))
        .step(bash("ls"))
        .step(bash("rm -r web"))
        .step(bash("sed -i s/adn/and/ README.md"))
        .step(Reply::text("The typo is fixed."));
    let allowed = ["Write", "Bash(rm:*)", "Bash(sed:*)", "Bash(ls:*)"];
    let played = stage.play_allowed(&allowed, UNTOUCHED, script);
    assert_eq!(played.run.answer(), "The typo is fixed.");
    assert_eq!(corrections(&told(&played)), [TOLD]);
    let expected = [
        "score 5: `web/theme.css`: the person said: do not change web/",
        "restored: web/theme.css",
        "score 10",
    ];
    assert_eq!(causes(&stage, &played.session), expected);
    let records = stage.log().records("task.recorded");
    let [task] = &records[..] else { panic!("{records:#?}") };
    assert_eq!(task["payload"]["status"], "complete");
    assert_eq!(task["payload"]["task"]["steps"], 5);
}

fn a_run_without_limits_is_not_measured(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let write = |path: &str, content: &str| stage.write(path, content);
    let script = Script::new()
        .step(write("src/session.rs", "pub fn renew_session(token: Token) { store(token) }\n"))
        .step(write("docs/session.md", "# Sessions\n\n`renew_session` keeps the token.\n"))
        .step(write("web/theme.css", "body { margin: 0 }\n"))
        .step(write("CHANGELOG.md", "- Sessions are renewed.\n"))
        .step(Reply::text("Sessions are renewed now."));
    let played = stage.play("Renew the session before its token expires, with tests.", script);
    assert_eq!(corrections(&told(&played)), Vec::<String>::new());
    assert_eq!(causes(&stage, &played.session), Vec::<String>::new());
}

fn goal_and_limits_survive_a_compaction(version: Version) {
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
                    ## Limits of the person\n- do not add dependencies\n\n\
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
    let offered = offered_with("The redirect in src/login.rs loops since yesterday.").unwrap();
    let (_header, task) = offered.split_once("\n\n").unwrap();
    let id = record["id"].as_str().unwrap();
    let expected = format!(
        "{LOGIN} (unverified, less than a day ago)\nfiles: src/login.rs\n\
         decided: I kept the old name: others use it\nmore: verger tasks show {id}\n"
    );
    assert_eq!(task, expected);
    let told = offered_with("Restyle the pages in web/.").unwrap_err();
    assert!(!told.contains(LOGIN) && !told.contains(id), "{told}");
}

fn the_task_of_a_killed_client_is_offered_days_later(version: Version) {
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
    let print = print.then("The redirect in src/login.rs loops since yesterday.");
    let later = stage.play_print(print, script);
    let [_greeted, asked] = later.main()[..] else { panic!("{:#?}", later.requests) };
    let offered = asked.text_between("<verger-tasks>\n", "</verger-tasks>").unwrap();
    let (_header, task) = offered.split_once("\n\n").unwrap();
    let records = stage.log().records("task.recorded");
    let [record] = &records[..] else { panic!("{records:#?}") };
    let expected = format!(
        "{LOGIN} (partial, 3 days ago)\nfiles: src/login.rs\nmore: verger tasks show {}\n",
        record["id"].as_str().unwrap()
    );
    assert_eq!(task, expected);
    assert_eq!(record["payload"]["trigger"], "session left");
    assert_ne!(record["session"], later.session);
}

fn two_sessions_in_one_directory_never_mix(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let styles = |names: &[&str]| {
        let script =
            names.iter().fold(Script::new(), |script, name| script.step(style(&stage, name)));
        script.step(Reply::text("Not yet."))
    };
    let first = stage.play(UNTOUCHED, Script::new().step(Reply::text("Not yet.")));
    let other = stage.play("Restyle the pages in web/.", styles(&["b", "c", "d", "e"]));
    let print = stage.client.print("Go on.").allowed_tools(["Write"]).resume(&first.session);
    let again = stage.play_print(print, styles(&["f", "g", "h"]));
    assert_eq!(again.session, first.session);
    assert_eq!(corrections(&told(&other)), Vec::<String>::new());
    assert_eq!(corrections(&told(&again)), [TOLD]);
}

fn two_sessions_at_the_same_time_have_each_its_own_limits(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let restyle = "Restyle the pages in web/. Do not touch src/.";
    let styles = ["icons", "print", "grid", "menu"].map(|name| style(&stage, name));
    let redirects = [0, 1, 2, 3].map(|number| redirect(&stage, number));
    let meeting = Meeting::of(2);
    let play = |prompt: &str, work: [Reply; 4]| {
        let replies = work.into_iter().chain([Reply::text("Not yet.")]);
        let add = |script: Script, reply| script.step_with(meeting.then(reply));
        stage.play(prompt, replies.fold(Script::new(), add))
    };
    // Each session keeps its own limit, and does what the other session must not do.
    let [fixed, restyled] = thread::scope(|scope| {
        [("Fix src/login.rs. Do not touch web/.", redirects), (restyle, styles)]
            .map(|(prompt, work)| scope.spawn(move || play(prompt, work)))
            .map(|running| running.join().unwrap())
    });
    for played in [&fixed, &restyled] {
        assert_eq!(corrections(&told(played)), Vec::<String>::new());
        assert_eq!(causes(&stage, &played.session), ["score 10"]);
    }
}

/// An agent that breaks its limit repeatedly. The last of these writes is denied.
fn breaks_it_again_and_again(stage: &ReviewStage) -> Script {
    let names = ["a", "b", "c", "d", "e", "f"];
    names.iter().fold(Script::new(), |script, name| script.step(style(stage, name)))
}

fn denied(played: &Played) -> Vec<bool> {
    played.told_main().iter().map(|told| told.contains("this did not run")).collect()
}

fn an_agent_that_is_denied_may_delete_what_it_made(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let script = breaks_it_again_and_again(&stage)
        .step(bash("rm -r web"))
        .step(bash("sed -i s/teh/the/ README.md"))
        .step(Reply::text("The typo is fixed, and web/ is gone."));
    let played = stage.play_allowed(&["Write", "Bash(rm:*)", "Bash(sed:*)"], UNTOUCHED, script);
    let [no, yes] = [false, true];
    assert_eq!(denied(&played), [no, no, no, no, no, yes, no, no], "{:#?}", played.told_main());
    assert_eq!(corrections(&told(&played))[..2], [TOLD, AGAIN]);
    assert!(!stage.household.environment.project().join("web").exists());
    assert_eq!(causes(&stage, &played.session).last().unwrap(), "score 10");
}

fn a_third_break_is_denied_until_a_person_speaks(version: Version) {
    let stage = ReviewStage::with_settings(version, CORRECT);
    let script = breaks_it_again_and_again(&stage)
        .step(Reply::text("I am denied."))
        .step(style(&stage, "h"))
        .step(Reply::text("The styles are there."));
    let print = stage.client.print(UNTOUCHED).then("You can edit web/ now.");
    let played = stage.play_print(print.allowed_tools(["Write"]), script);
    let [no, yes] = [false, true];
    assert_eq!(denied(&played), [no, no, no, no, no, yes, no, no], "{:#?}", played.told_main());
    let is_there =
        |name: &str| stage.household.environment.project().join(format!("web/{name}.css")).exists();
    assert_eq!(["e", "f", "h"].map(is_there), [yes, no, yes]);
}
