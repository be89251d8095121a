//! What counts as asked for beside a prompt: plans, answers, what a program read.

use super::*;

/// A read as the client answers it.
fn reads(story: &mut Story, file: &str, content: &str) {
    let path = format!("/home/dev/app/{file}");
    let response = json!({ "type": "text", "file": { "filePath": path, "content": content } });
    story.call("Read", json!({ "file_path": path }), response);
}

const PLAN: &str = "# Rate limits\n\n1. Add a token bucket to gateway/bucket.go\n2. Answer 429 \
                    with Retry-After in `gateway/middleware/`\n3. Show the quota on the billing page";

/// Works through the plan: named files, a named folder, and what it only speaks of.
fn works_by_plan(story: &mut Story) {
    story.edit("gateway/bucket.go", "", "type Bucket struct { tokens int }");
    story.runs("go test ./...", "Run the tests", "ok");
    story.edit("gateway/middleware/answer.go", "return nil", "return status(429)");
    story.runs("go test ./...", "Run the tests", "ok");
    story.edit("web/pages/Billing.tsx", "<Invoices/>", "<Invoices/><Quota/>");
    story.edit("web/pages/billing.css", ".invoices", ".invoices .quota");
}

#[test]
fn what_a_plan_says_that_is_to_be_followed_was_asked_for() {
    for (prompt, file) in [
        ("Do what docs/plan.md says", "docs/plan.md"),
        ("Implement the steps in TODO.md", "TODO.md"),
        ("Follow PLAN.md", "PLAN.md"),
        ("計画書のとおりに進めてください", "docs/計画書.md"),
    ] {
        let mut story = Story::default();
        story.prompt(prompt);
        reads(&mut story, file, PLAN);
        works_by_plan(&mut story);
        let assessment = story.track.assess();
        assert_eq!((assessment.score.get(), assessment.reasons), (10, vec![]), "{prompt}");
        for place in ["chart", "labels", "legend"] {
            story.edit(&format!("deploy/{place}.tpl"), "replicas: 2", "replicas: 5");
        }
        assert!(story.track.assess().score.get() < 8, "{prompt}: what it does not speak of");
    }
    for (first, then) in [
        ("Read docs/plan.md and tell me what you think of it", "OK, implement it."),
        ("What is missing in docs/limits.md?", "Then do what docs/limits.md says."),
        ("docs/plan.md を読んで感想を教えて", "では実装してください"),
    ] {
        let mut story = Story::default();
        story.prompt(first);
        let file = if first.contains("plan") { "docs/plan.md" } else { "docs/limits.md" };
        reads(&mut story, file, PLAN);
        story.stop("It is complete, as far as I see.");
        story.prompt(then);
        works_by_plan(&mut story);
        let assessment = story.track.assess();
        assert_eq!((assessment.score.get(), assessment.reasons), (10, vec![]), "{then}");
    }
    let mut printed = Story::default();
    printed.prompt("Follow PLAN.md");
    printed.runs("cat PLAN.md", "Read the plan", PLAN);
    works_by_plan(&mut printed);
    assert_eq!(printed.track.assess().score.get(), 10);
}

#[test]
fn what_other_documents_and_sources_say_was_not_asked_for() {
    for (prompt, file) in [
        ("Fix the typo in README.md", "README.md"),
        ("Fix the login redirect in src/login.rs", "docs/plan.md"),
        ("Follow src/login.rs for the style of the redirect", "src/login.rs"),
    ] {
        let mut story = Story::default();
        story.prompt(prompt);
        reads(&mut story, file, PLAN);
        story.edit(prompt.rsplit(' ').next().unwrap(), "teh redirect", "the redirect");
        works_by_plan(&mut story);
        assert!(story.track.assess().score.get() < 8, "{prompt}");
    }
}

#[test]
fn what_a_program_read_counts_for_its_prompt_alone() {
    let login = "Fix the login redirect in src/login.rs. No new dependencies.";
    let logout = "And the logout, please.";
    let reading = Reading {
        goal: Some("Fix the logout in web/".to_owned()),
        paths: vec!["web/".to_owned()],
        task: Some(PromptAction::Subtask),
        ..Reading::default()
    };
    let prompted = |others: u64| {
        let mut story = Story::default();
        story.prompt(login);
        story.reads(&reading, others);
        let noted = story.prompt(logout);
        let Noted::Prompted { prompted, reading, .. } = noted else { panic!("{noted:?}") };
        let goal = story.track.goal();
        let paths: Vec<_> = goal.scope.paths.iter().map(|path| path.as_str().to_owned()).collect();
        let told = (prompted.action, prompted.parent.is_some(), reading.is_some(), paths.join(" "));
        assert_eq!(goal.text, login, "told in the person's words");
        assert_eq!(story.track.handoff(&[]).unwrap().constraints, ["no new dependencies"]);
        (told, goal.refined.text.clone(), story.track.read)
    };
    let told = (PromptAction::Subtask, true, true, "web/ src/login.rs".to_owned());
    assert_eq!(prompted(0), (told, reading.goal.clone(), None));
    let told = (PromptAction::Continue, false, false, "src/login.rs".to_owned());
    assert_eq!(prompted(1), (told, None, None), "it was about another prompt");
}

#[test]
fn a_program_cannot_go_on_with_what_has_not_begun() {
    let mut story = Story::default();
    let reading = Reading { task: Some(PromptAction::Subtask), ..Reading::default() };
    story.reads(&reading, 0);
    let noted = story.prompt("Fix the login redirect in src/login.rs.");
    let Noted::Prompted { prompted, .. } = noted else { panic!("{noted:?}") };
    assert_eq!(
        prompted,
        Prompted { action: PromptAction::NewTask, task: TaskNumber(1), parent: None }
    );
}

#[test]
fn a_program_is_told_what_was_said_and_what_rules_make_of_it() {
    let mut story = Story::default();
    story.prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    let prompt = "<system-reminder>x</system-reminder>Also rename `to_url` in src/url.rs.";
    let request = story.track.reading_request(prompt, None).unwrap();
    assert_eq!(
        serde_json::to_value(&request).unwrap(),
        json!({
            "prompt": "Also rename `to_url` in src/url.rs.",
            "goal": "Fix the login redirect in src/login.rs. No new dependencies.",
            "rules": {
                "goal": "Fix the login redirect in src/login.rs. No new dependencies.",
                "paths": ["src/login.rs", "src/url.rs"],
                "symbols": ["to_url"],
                "constraints": ["no new dependencies"],
                "keywords": ["login", "redire", "renam", "url"],
                "task": "continue",
            },
        })
    );
    let only_machines = "<system-reminder>x</system-reminder>";
    assert_eq!(story.track.reading_request(only_machines, None), None);
    let huge = Track::default().reading_request(&"login ".repeat(200_000), None).unwrap();
    assert!(serde_json::to_string(&huge).unwrap().len() < 16 * 1024);
}

/// What the course is worth after an edit of what was forbidden, or a line that was.
fn worth_after(ask: impl FnOnce(&mut Story), line: Option<&str>) -> u8 {
    let mut story = Story::default();
    story.prompt(
        "Fix the login redirect in src/login.rs. Do not touch src/billing.rs. No new dependencies.",
    );
    story.edit("src/login.rs", "redirect(to)", "redirect(url)");
    ask(&mut story);
    match line {
        Some(line) => story.runs(line, "", ""),
        None => story.edit("src/billing.rs", "pay(login)", "paid(login)"),
    };
    story.track.assess().score.get()
}

#[test]
fn what_a_person_agrees_to_is_wanted() {
    let says = |message: &'static str, answer: &'static str| {
        move |story: &mut Story| {
            story.stop(message);
            story.prompt(answer);
        }
    };
    let cause = "The cause is in src/billing.rs. Shall I change it?";
    let needs = "It needs the url crate. May I add it?";
    let asks = |answer: &'static str| {
        move |story: &mut Story| {
            let answers = json!({ "answers": { "Change src/billing.rs, too?": answer } });
            story.call("AskUserQuestion", json!({}), answers);
        }
    };
    let add = Some("cargo add url");
    assert_eq!(
        [
            worth_after(|_| (), None),
            worth_after(says(cause, "yes please"), None),
            worth_after(says(cause, "no, leave it"), None),
            worth_after(
                says("src/billing.rs が原因です。変更しましょうか？", "はい、お願いします"),
                None
            ),
            worth_after(asks("Yes"), None),
            worth_after(asks("No, keep it"), None),
            worth_after(|_| (), add),
            worth_after(says(needs, "yes"), add),
            worth_after(says(needs, "What for?"), add),
        ],
        [4, 10, 4, 10, 10, 4, 4, 10, 4]
    );
}

#[test]
fn a_plan_that_a_person_accepted_was_asked_for() {
    let elsewhere = |plan: Option<&str>| {
        let mut story = Story::default();
        story.prompt("Fix the login redirect.");
        story.edit("src/login.rs", "redirect(to)", "redirect(url)");
        if let Some(plan) = plan {
            story.call("ExitPlanMode", json!({ "plan": plan }), json!({}));
        }
        for file in ["web/menu.ts", "ops/deploy.yml", "web/icons.ts"] {
            story.edit(file, "margin", "padding");
        }
        story.track.assess().score.get()
    };
    let plan = "1. src/login.rs\n2. web/menu.ts and web/icons.ts\n3. ops/deploy.yml";
    assert_eq!((elsewhere(None), elsewhere(Some(plan))), (7, 10));
}
