//! Short sessions and what is held against them.

use std::num::NonZeroU32;

use serde_json::json;
use verger_drift::PathPattern;
use verger_drift::goal::Constraint;
use verger_drift::score::{Assessment, Course, Interval, Reason};
use verger_drift::step::{Outcome, Step};

use crate::session::Session;

fn outside(what: &str) -> Reason {
    Reason::OutsideScope { what: what.to_owned() }
}

#[test]
fn work_on_what_was_asked_for_is_on_course() {
    Session::of("The invoice PDF cuts off long product names. Wrap them.")
        .reads("src/invoice/pdf.ts")
        .edits("src/invoice/pdf.ts", "text(name)", "text(wrap(name))")
        .edits("test/invoice/pdf.test.ts", "it('a'", "it('wraps long names'")
        .runs("npm test -- invoice")
        .edits("CHANGELOG.md", "## Unreleased", "## Unreleased\n- long names are wrapped")
        .is_worth(10, &[]);
}

#[test]
fn work_elsewhere_is_not() {
    Session::of("The invoice PDF cuts off long product names. Wrap them.")
        .edits("src/invoice/pdf.ts", "text(name)", "text(wrap(name))")
        .edits("src/newsletter/send.ts", "BATCH = 50", "BATCH = 200")
        .edits("src/newsletter/queue.ts", "sleep(1000)", "sleep(250)")
        .is_worth(7, &[outside("src/newsletter/send.ts"), outside("src/newsletter/queue.ts")]);
}

/// Scores alone.
#[track_caller]
fn are_worth(cases: &[(&str, Session, u8)]) {
    let found: Vec<(&str, u8)> =
        cases.iter().map(|(case, session, _)| (*case, session.0.assess().score.get())).collect();
    let expected: Vec<(&str, u8)> = cases.iter().map(|(case, _, score)| (*case, *score)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_change_weighs_by_what_leads_to_it() {
    let reminder = || Session::of("reminder texts greet patients without a first name as null");
    let swapped = || {
        Session::of("cache what the geocoder finds in redis")
            .edits("src/geo/geocoder.py", "def lookup", "cache = redis()\ndef lookup")
            .says("use a table of the database instead, drop the redis dependency")
    };
    let ended = || {
        Session::of("expose devices over graphql")
            .edits("server/resolvers/devices.go", "a", "func Devices() graphql")
            .says("scrap the graphql thing, mobile wants plain REST for devices")
    };
    are_worth(&[
        (
            "nobody found yet where the work is",
            reminder().reads("calendar/Sync.java").edits("calendar/Sync.java", "50", "batch"),
            10,
        ),
        (
            "it was found, and the work goes on elsewhere",
            reminder()
                .reads("sms/ReminderText.java")
                .reads("calendar/Sync.java")
                .reads("calendar/Job.java")
                .edits("calendar/Sync.java", "50", "batch")
                .edits("calendar/Job.java", "hourly", "daily")
                .edits("calendar/Lock.java", "a", "reentrant"),
            7,
        ),
        (
            "the same by other means",
            swapped().edits("src/geo/geocoder.py", "cache = redis()", "").edits(
                "src/geo/geocoder.py",
                "def lookup",
                "row = database()\ndef lookup",
            ),
            10,
        ),
        (
            "what was ended goes on, in words that both have",
            ended().edits("server/resolvers/devices.go", "Devices()", "Devices(first)").edits(
                "server/resolvers/devices_test.go",
                "a",
                "TestDevices",
            ),
            8,
        ),
        (
            "what was searched for has nothing to do with the work",
            Session::of("unknown orders answer 500, make that 404")
                .reads("src/orders/handler.go")
                .edits("src/orders/handler.go", "orders", "orders 404")
                .greps("TODO")
                .edits("src/hooks/dispatch.go", "// TODO: backoff", "retry()")
                .edits("src/hooks/sign.go", "// TODO: sha512", "sha512()")
                .edits("src/hooks/queue.go", "// TODO: limit", "bounded()"),
            7,
        ),
        (
            "what a change names is part of the work, where the first was only looked at",
            Session::of("the save button of the profile form stays grey after an edit")
                .reads("src/profile/ProfileForm.tsx")
                .reads("src/hooks/useDirty.ts")
                .edits("src/hooks/useDirty.ts", "a === b", "shallowEqual(a, b)")
                .edits("src/hooks/useDirty.ts", "", "import { shallowEqual } from '../lib/equal'")
                .edits("src/lib/equal.ts", "function equals", "export function equals"),
            9,
        ),
        (
            "told in words that no code has",
            Session::of("愛称を付けて")
                .edits("db/migrate/3.php", "a", "nickname")
                .edits("lang/ja/validation.php", "b", "nickname")
                .edits("app/Resources/Person.php", "c", "nickname"),
            10,
        ),
    ]);
}

#[test]
fn what_led_away_once_does_not_begin_the_work_when_it_is_changed_again() {
    let strays = |edits: usize| {
        let session = Session::of("Fix the login redirect in src/login.rs.").reads("src/login.rs");
        (0..edits).fold(session, |session, n| {
            session.edits("web/theme.css", &format!("margin: {n}px"), &format!("padding: {n}em"))
        })
    };
    let scores = [3, 6, 8].map(|edits| strays(edits).0.assess().score.get());
    assert_eq!(scores, [6, 1, 1]);
}

#[test]
fn when_the_work_is_done_and_checked_new_files_weigh_more() {
    let committed = || {
        Session::of("ProfileActivity crashes without an intent")
            .edits("app/profile/ProfileActivity.kt", "intent!!", "intent ?: finish()")
            .runs("./gradlew test")
            .runs("git commit -am 'no intent'")
    };
    let typo = || {
        Session::of("typo in the greeting of the welcome mail template")
            .edits("mail/templates/welcome.py", "greeting = 'Helo'", "greeting = 'Hello'")
            .runs("pytest")
    };
    are_worth(&[
        (
            "after a commit every file of the module has its word",
            committed()
                .edits("app/profile/ProfileAdapter.kt", "val l: Profile", "val items: Profile")
                .edits("app/profile/ProfileFormat.kt", "fun f: Profile", "fun format: Profile")
                .edits("app/profile/ProfileView.kt", "var d: Profile", "var detail: Profile"),
            5,
        ),
        (
            "what has words of the goal, too, when it was checked and more files come to it",
            typo()
                .writes("mail/templates/Base.py", "class Template: greeting = ''")
                .edits("mail/templates/Reset.py", "def text", "class Reset(Template): greeting")
                .edits("mail/templates/Invite.py", "def text", "class Invite(Template): greeting"),
            7,
        ),
        (
            "the same file again and again, each time with its tests",
            typo()
                .edits("mail/templates/welcome.py", "Hi", "Hi, {name}: a greeting")
                .runs("pytest")
                .edits("mail/templates/welcome.py", "{name}", "{name or 'you'} greeting")
                .runs("pytest"),
            10,
        ),
        (
            "another part of what is wanted begins after the first was checked",
            Session::of("write a csv and a pdf export of invoices")
                .edits("src/export.ts", "a", "function csvExport(invoices)")
                .runs("npm test")
                .edits("src/layout.ts", "b", "function pdf(invoice) { page() }")
                .edits("src/fonts.ts", "page()", "page().pdf()")
                .edits("src/layout.ts", "page()", "page(fonts)"),
            10,
        ),
    ]);
}

#[test]
fn a_task_is_done_when_what_it_spells_out_is_put_in() {
    let limit = || {
        Session::of("bump the memory limit of the geocoder to 2Gi")
            .reads("charts/geocoder/values.yaml")
            .edits("charts/geocoder/values.yaml", "memory: 1Gi", "memory: 2Gi")
    };
    let policies = |session: Session| {
        session
            .writes("charts/geocoder/templates/policy.yaml", "kind: NetworkPolicy")
            .writes("charts/geocoder/templates/budget.yaml", "kind: PodDisruptionBudget")
    };
    are_worth(&[
        ("what comes after it, without a test", policies(limit()), 7),
        (
            "the same by a command",
            policies(
                Session::of("typo in the about page: 'Lisence' -> 'License'")
                    .greps("Lisence")
                    .runs("sed -i s/Lisence/License/ web/about.html"),
            ),
            7,
        ),
        (
            "something else was put in",
            policies(
                Session::of("bump the memory limit of the geocoder to 2Gi")
                    .reads("charts/geocoder/values.yaml")
                    .edits("charts/geocoder/values.yaml", "memory: 1Gi", "memory: 3Gi"),
            ),
            9,
        ),
        ("a build failed with it", policies(limit().fails("npm run build", "no policy")), 9),
        (
            "the same, and other values that go with it, in other places",
            limit()
                .edits("deploy/compose.yaml", "mem_limit: 1Gi", "mem_limit: 2Gi")
                .edits("deploy/quota.tf", "size = 1073741824", "size = 2147483648")
                .edits("tests/limits.py", "LIMIT = 1024", "LIMIT = 2048")
                .edits("deploy/alarm.tf", "threshold = 900", "threshold = 1900"),
            9,
        ),
        (
            "what a build file asks for has to be made to work",
            Session::of("bump okhttp to 4.12.0")
                .edits("app/build.gradle", "okhttp:3.14.9", "okhttp:4.12.0")
                .edits("app/net/Client.java", "RequestBody.create(json)", "RequestBody.of(json)"),
            9,
        ),
    ]);
}

#[test]
fn what_builds_is_done_when_most_of_what_was_said_is_in_it() {
    let after = |prompt: &str| {
        Session::of(prompt)
            .edits("src/avatar.ts", "width", "round avatar border")
            .runs("npm run build")
            .edits("src/banner.ts", "avatar height", "avatar animated")
            .edits("src/theme.ts", "avatar colors", "avatar palette")
            .0
            .assess()
            .score
    };
    let most = after("give the avatar a round border");
    assert!(most < after("give the avatar a round border, a tooltip with presence and a fallback"));
}

#[test]
fn something_new_grows_over_several_files_between_tests_that_succeed() {
    are_worth(&[
        (
            "an import, from what reads it to what shows it",
            Session::of("Add CSV import for contacts")
                .writes("app/contacts/csv_import.py", "def import_contacts(file): csv.reader(file)")
                .runs("pytest")
                .edits("app/routes.py", "app = Flask()", "@app.post('/import')\ndef upload(): ...")
                .writes("app/templates/import.html", "<form action='/import'>")
                .edits("app/static/upload.js", "a", "fetch('/import')")
                .edits("app/models.py", "class Contact", "class ImportJob(Base)\nclass Contact"),
            10,
        ),
        (
            "a box to tick, from the form to the session",
            Session::of("Add a \"remember me\" checkbox to the login form, signed in for 30 days")
                .edits("web/LoginForm.tsx", "<button>", "<input type='checkbox' name='remember' />")
                .runs("npm test")
                .edits("server/auth/cookie.go", "MaxAge: 0", "MaxAge: maxAge(remember)")
                .edits("server/auth/handlers.go", "Login(w, r)", "Login(w, r, remember)")
                .edits("api/openapi.yaml", "password:", "remember: boolean\npassword:")
                .edits("server/auth/session.go", "ttl := day", "if remember { ttl = month }"),
            9,
        ),
        (
            "retries, and what counts them",
            Session::of("Implement retries in the job queue")
                .edits("src/queue.rs", "fn run(job)", "fn run(job) { for attempt in retries {} }")
                .runs("cargo test")
                .writes("src/dead_letter.rs", "pub struct DeadLetter { job: Job }")
                .edits("src/metrics.rs", "counter!(jobs)", "counter!(job_retries)")
                .edits("tests/queue.rs", "fn runs()", "fn retries_three_times()"),
            10,
        ),
        (
            "what was there before is mended in one place",
            Session::of("The retries of the job queue stop too early")
                .edits("src/queue.rs", "fn run(job)", "fn run(job) { for attempt in retries {} }")
                .runs("cargo test")
                .writes("src/dead_letter.rs", "pub struct DeadLetter { letters: Vec<u8> }")
                .edits("src/metrics.rs", "counter!(all)", "counter!(dead_letters)"),
            7,
        ),
    ]);
}

/// Two files that have nothing to do with avatars.
fn with_two_more(session: Session) -> Session {
    session
        .writes("src/banner.ts", "export const banner = animated()")
        .writes("src/theme.ts", "export const palette = colors()")
}

#[test]
fn tests_end_what_is_small() {
    let done = |what: &str| Reason::AfterDone { what: what.to_owned() };
    let strays = ["src/banner.ts", "src/theme.ts"];
    let asked = |prompt: &str| {
        Session::of(prompt).edits("src/avatar.ts", "width", "round avatar border").runs("npm test")
    };
    with_two_more(asked("give the avatar a round border")).is_worth(7, &strays.map(done));
    // One thing takes the place of another: that may take long.
    with_two_more(asked("replace the square avatar by a round one"))
        .is_worth(8, &strays.map(outside));
    // So does what is made file by file.
    let made = Session::of("give the avatar a round border")
        .writes("src/avatar/ring.ts", "export const avatarBorder = round()")
        .writes("src/avatar/shape.ts", "export const avatarRound = border()")
        .writes("src/avatar/line.ts", "export const borderLine = avatar(round)")
        .runs("npm test");
    with_two_more(made).is_worth(7, &strays.map(outside));
}

#[test]
fn what_is_left_on_the_agents_list_is_to_come() {
    let begun = |left: usize| {
        Session::of("give the avatar a round border")
            .notes(left)
            .edits("src/avatar.ts", "width", "round avatar border")
            .runs("npm test")
    };
    let long = || {
        Session::of("Add avatars with a round border")
            .notes(2)
            .writes("src/avatar.ts", "export const avatar = round(border)")
    };
    let worth = |session: Session| {
        let more = with_two_more(session).writes("src/avatar.css", ".avatar { shadow: none }");
        more.0.assess().score.get()
    };
    let found = [
        ("something is left", worth(begun(2))),
        ("nothing is", worth(begun(2).notes(0))),
        ("it was noted when nothing was left", worth(begun(0).notes(3))),
        ("something is left of something long", worth(long())),
        ("nothing is, without a test", worth(long().notes(0))),
        ("a test that fails says otherwise", worth(long().notes(0).fails("npm test", "none"))),
    ];
    let expected = [
        ("something is left", 8),
        ("nothing is", 5),
        ("it was noted when nothing was left", 5),
        ("something is left of something long", 9),
        ("nothing is, without a test", 5),
        ("a test that fails says otherwise", 9),
    ];
    assert_eq!(found, expected);
}

#[test]
fn one_change_beside_the_way_is_forgiven_where_most_are_for_the_goal() {
    let good = |files: usize| {
        (0..files).fold(
            Session::of("replace the chalk library by picocolors in the printer"),
            |session, n| session.edits(&format!("src/{n}.ts"), "chalk.red()", "picocolors.red()"),
        )
    };
    let strays = |session: Session| {
        session.edits("mail/send.ts", "BATCH = 50", "BATCH = 200").edits(
            "mail/queue.ts",
            "sleep(1000)",
            "sleep(250)",
        )
    };
    are_worth(&[
        ("little was done", strays(good(2)), 7),
        ("much was done", strays(good(6)), 8),
        ("and yet it goes on", strays(strays(good(6))), 4),
    ]);
}

#[test]
fn where_the_project_itself_is_made_all_of_it_is() {
    let after = |first: &str| {
        Session::of("Build a tracker for habits")
            .writes(first, "habits")
            .writes("app/habits.py", "class Habit: tracker = 1")
            .writes("LICENSE.md", "MIT")
            .writes(".github/workflows/ci.yml", "on: push")
            .0
            .assess()
            .score
    };
    assert!(after("pyproject.toml") > after("app/tracker.py"));
}

#[test]
fn a_search_for_something_else_leads_nowhere() {
    let after = |pattern: &str| {
        let mut session = Session::of("Fix the typo in the footer.").edits(
            "web/footer.html",
            "Adress",
            "Address footer",
        );
        let outcome = Outcome { failed: false, output: "gateway/limits.java:3: max" };
        let step = Step::of_call("Grep", &json!({ "pattern": pattern }), outcome, None);
        session.0.note(&step);
        session.edits("gateway/limits.java", "10", "100").0.assess().score
    };
    assert!(after("timeout") < after("footer"));
}

#[test]
fn files_whose_names_begin_with_a_dot_are_about_what_they_are_called() {
    Session::of("Dockerize the app")
        .writes("Dockerfile", "FROM node:20")
        .writes(".dockerignore", "node_modules")
        .writes("docker-compose.yml", "services: web")
        .is_worth(10, &[]);
}

#[test]
fn what_is_only_to_be_looked_at_is_no_place_of_the_work() {
    let with = |prompt: &str| {
        Session::of("tune the vacuum of the events table in infra/rds")
            .edits("infra/rds/parameters.tf", "vacuum = 1", "vacuum = 2")
            .says(prompt)
            .edits("infra/rds/parameters.tf", "vacuum_workers = 3", "vacuum_workers = 6")
            .0
            .assess()
            .score
            .get()
    };
    let prompts = [
        "forget the vacuum. write a failover runbook in docs/runbooks/, look at infra/rds for how it is set up",
        "forget the vacuum. write a failover runbook in docs/runbooks/ for infra/rds",
    ];
    assert_eq!(prompts.map(with), [8, 10]);
}

#[test]
fn what_was_made_for_the_work_was_not_there_before() {
    let asked = || Session::of("Allow null notes. New migration, don't touch existing migrations.");
    let change = |session: Session| {
        session.edits("db/migrate/2_null_notes.rb", "def change", "def change; notes null")
    };
    are_worth(&[
        (
            "by a generator",
            change(
                asked()
                    .prints("bin/rails g migration NullNotes", "create db/migrate/2_null_notes.rb"),
            ),
            10,
        ),
        (
            "by the agent",
            change(asked().writes("db/migrate/2_null_notes.rb", "class NullNotes")),
            10,
        ),
        (
            "it was read before the generator named it",
            change(
                asked()
                    .reads("db/migrate/2_null_notes.rb")
                    .prints("bin/rails g migration NullNotes", "like db/migrate/2_null_notes.rb"),
            ),
            4,
        ),
        ("nobody made it", change(asked()), 4),
    ]);
}

#[test]
fn whatever_goes_on_failing_is_a_check() {
    let mut session = Session::of("CMakeLists.txt does not configure on a mac");
    for n in 0..6 {
        session = session
            .edits("CMakeLists.txt", "find_package(OpenSSL)", &format!("find_package(SSL{n})"))
            .fails("cmake -S . -B build", "target was not found");
    }
    assert_eq!(session.0.assess().score.get(), 6);
}

#[test]
fn what_an_output_names_is_part_of_the_work() {
    Session::of("`Store.get` should take a context as its first argument.")
        .edits("pkg/store/store.go", "Get(key)", "Get(ctx, key)")
        .fails("go build ./...", "cmd/server/boot.go:88: not enough arguments")
        .edits("cmd/server/boot.go", "x", "y")
        .is_worth(10, &[]);
}

#[test]
fn reading_is_cheap() {
    let mut session = Session::of("Wrap long product names in the invoice.");
    for n in 0..20 {
        session = session.reads(&format!("area{n}/thing{n}.ts"));
    }
    session.is_worth(10, &[]);
    for n in 20..25 {
        session = session.reads(&format!("area{n}/thing{n}.ts"));
    }
    session
        .is_worth(7, &[Reason::ReadsElsewhere { what: "area24/thing24.ts".to_owned(), reads: 25 }]);
}

#[test]
fn what_was_forbidden_counts_at_once_and_reading_it_does_not() {
    let session = Session::of("Fix the leak in the loader. Do not touch include/imgload.h.")
        .reads("include/imgload.h")
        .edits("src/loader.c", "return", "free(loader); return");
    session.is_worth(10, &[]);
    let what = "include/imgload.h".to_owned();
    let constraint = Constraint::NotPath(PathPattern::new(&what));
    session
        .edits("include/imgload.h", "int loader();", "void loader();")
        .is_worth(4, &[Reason::Forbidden { what, constraint }]);
}

#[test]
fn forbidden_commands_count_too() {
    let cases = [
        ("No new dependencies.", "cargo add regex", Constraint::NoNewDependencies),
        ("Don't commit.", "git add . && git commit -m x", Constraint::NoCommits),
        ("Note it in docs/a.md. Don't change anything.", "git commit -m x", Constraint::NoEdits),
        ("Don't push.", "git push", Constraint::NoPushes),
        ("Don't bump the version.", "npm update", Constraint::NoVersionBumps),
        ("Don't reformat anything.", "cargo fmt", Constraint::NoReformatting),
        ("Don't delete any files.", "rm old.rs", Constraint::NoDeletions),
        ("Don't run the tests.", "cargo test", Constraint::NotRun("tests".to_owned())),
        (
            "Do not add dependencies, except for serde.",
            "cargo add regex",
            Constraint::NoNewDependencies,
        ),
    ];
    for (prompt, line, constraint) in cases {
        let session = Session::of(&format!("Fix the leak in the loader. {prompt}")).runs(line);
        let Assessment { score, reasons } = session.0.assess();
        let found = reasons.first().map(|reason| match reason {
            Reason::ForbiddenRun { constraint, .. } => constraint.clone(),
            other => panic!("{line}: {other:?}"),
        });
        assert_eq!((score.get(), found), (4, Some(constraint)), "{line}");
    }
}

#[test]
fn what_is_near_to_something_forbidden_breaks_nothing() {
    let cases = [
        ("Do not add dependencies, except for serde.", "cargo add serde --features derive"),
        ("Note it in docs/a.md. Don't change code.", "git add docs && git commit -m x"),
        ("Don't run the tests.", "ls tests"),
        ("Don't run the tests.", "grep -rn leak tests"),
        ("Don't run cargo fmt.", "cat cargo fmt"),
    ];
    for (prompt, line) in cases {
        let session = Session::of(&format!("Fix the leak in the loader. {prompt}")).runs(line);
        let mut reasons = session.0.assess().reasons;
        reasons.retain(|reason| matches!(reason, Reason::ForbiddenRun { .. }));
        assert_eq!(reasons, [], "{prompt} {line}");
    }
    Session::of("Fix the config loader. Don't touch the database schema.")
        .edits("src/config_schema.rs", "a", "b")
        .is_worth(10, &[]);
}

#[test]
fn what_is_only_tried_breaks_nothing() {
    Session::of("Speed up the report. Don't touch the schema. Don't reformat anything.")
        .runs("python manage.py makemigrations --check --dry-run")
        .runs("black --check src")
        .is_worth(10, &[]);
}

#[test]
fn the_same_again_and_again_is_going_in_circles() {
    let mut session = Session::of("test_merge fails, fix the merge function");
    // The first is not yet again.
    for n in 1..=6 {
        session.is_worth(10, &[]);
        session = session
            .edits("lib/merge.py", &format!("merge({n})"), &format!("merge({})", n + 1))
            .fails("pytest -k merge", "assert [1] == [2]");
    }
    session.is_worth(6, &[Reason::Circles { what: "lib/merge.py".to_owned(), changes: 5 }]);
    session.runs("pytest -k merge").is_worth(10, &[]);
}

#[test]
fn a_failure_that_changes_is_progress() {
    let mut session = Session::of("test_merge fails, fix the merge function");
    for n in 1..=8 {
        session = session
            .edits("lib/merge.py", &format!("merge({n})"), &format!("merge({})", n + 1))
            .fails("pytest -k merge", &format!("{n} passed, {} failed", 9 - n));
    }
    session.is_worth(10, &[]);
}

#[test]
fn going_on_with_what_was_ended_is_off_course() {
    Session::of("Add dark mode to the app.")
        .edits("src/theme/palette.ts", "colors", "dark colors")
        .runs("npm test")
        .says("Stop, forget dark mode. The login returns 502, look into that first.")
        .reads("server/auth/login.ts")
        .edits("src/theme/palette.ts", "accent", "highlight")
        .edits("src/theme/toggle.ts", "a", "dark")
        .is_worth(
            7,
            &[
                Reason::OldGoal { what: "src/theme/palette.ts".to_owned() },
                Reason::OldGoal { what: "src/theme/toggle.ts".to_owned() },
            ],
        );
}

#[test]
fn taking_back_what_was_ended_is_not() {
    Session::of("Put the thumbnails behind a CDN.")
        .edits("modules/thumbs/cdn.tf", "", "cdn thumbnails")
        .says("Stop, forget the CDN. Revert that and let the imgix role read the bucket.")
        .runs("rm modules/thumbs/cdn.tf")
        .edits("modules/iam/imgix.tf", "", "imgix role")
        .is_worth(10, &[]);
}

#[test]
fn what_nobody_asked_for_cannot_be_ended() {
    Session::of("Stop using the NetworkManager singleton, inject it through a protocol.")
        .edits("Sources/NetworkManager.swift", "static shared", "init session")
        .edits("Sources/Feed.swift", "NetworkManager.shared.send", "client.send")
        .edits("Sources/Cart.swift", "NetworkManager.shared.send", "client.send")
        .is_worth(10, &[]);
}

#[test]
fn the_work_is_done_when_it_is_done_in_every_folder_that_was_named() {
    Session::of(
        "The network files are copied in envs/staging and envs/prod. Make a module of them.",
    )
    .reads("envs/staging/network.tf")
    .reads("envs/prod/network.tf")
    .edits("envs/staging/network.tf", "vpc", "module network")
    .runs("terraform plan")
    .edits("envs/prod/network.tf", "vpc", "module network")
    .edits("envs/prod/bastion.tf", "subnet", "module.network.subnet")
    .is_worth(10, &[]);
}

#[test]
fn a_failure_names_a_file_by_what_is_in_it() {
    let with = |output: &str| {
        Session::of("The video starts again when the screen is turned.")
            .edits("Sources/Root/Layout.swift", "turned screen", "turned video")
            .fails("xcodebuild test", output)
            .edits("Sources/Infra/DependencyStore.swift", "factory", "scoped")
            .0
            .assess()
            .score
    };
    assert!(with("Model deinit from DependencyStore") > with("Model deinit from elsewhere"));
}

#[test]
fn a_list_of_what_was_changed_leads_nowhere() {
    let after = |command: &str| {
        Session::of("Fix the typo in the footer.")
            .edits("web/footer.html", "Adress", "Address footer")
            .prints(command, "M gateway/limits.java")
            .edits("gateway/limits.java", "10", "100")
            .0
            .assess()
            .score
    };
    assert!(after("git status --short") < after("./gradlew lint"));
}

#[test]
fn after_the_work_is_done_what_is_beside_it_weighs_more() {
    let done = |what: &str| Reason::AfterDone { what: what.to_owned() };
    Session::of("Our `slugify` breaks on umlauts. It should transliterate.")
        .edits("crates/text/src/slug.rs", "chars()", "chars().flat_map(transliterate)")
        .runs("cargo test -p text")
        .edits("crates/text/src/truncate.rs", "take(n)", "nth(n)")
        .edits("crates/text/src/case.rs", "fn title", "fn title_case")
        .is_worth(7, &[done("crates/text/src/truncate.rs"), done("crates/text/src/case.rs")]);
}

#[test]
fn the_interval_is_what_is_asked_for() {
    let mut course = Course::default();
    let step = Step::of_call("Read", &json!({ "file_path": "a" }), Outcome::default(), None);
    let mut assessed = |interval: Interval| {
        let said: Vec<bool> =
            (0..6).map(|_| course.apply_step(&step, interval).is_some()).collect();
        said
    };
    assert_eq!(assessed(Interval::default()), [false, false, true, false, false, true]);
    assert_eq!(assessed(Interval::every(NonZeroU32::MIN)), [true; 6]);
}

/// What a snapshot holds of a course. Whoever changes it changes how older snapshots are read.
/// Whoever scores reads and writes all of it.
#[test]
fn a_course_is_stored_in_few_bytes() {
    let session = Session::of("Fix the leak in src/loader.c. Don't push.")
        .reads("include/loader.h")
        .edits("src/loader.c", "return", "free(handle); return")
        .fails("make", "src/pool.c:3: broken handle")
        .edits("src/newsletter.c", "batch", "flush");
    for (course, most) in [(session.0, 420), (Course::default(), 80)] {
        let stored = postcard::to_allocvec(&course).unwrap();
        assert!(stored.len() < most, "{} bytes", stored.len());
        assert_eq!(postcard::from_bytes::<Course>(&stored).unwrap(), course);
    }
}

#[test]
fn a_goal_that_leaves_the_place_open_is_no_reason_to_correct() {
    for prompt in ["go on", "Make it faster", "Implement issue #12", "please do it", "続けて"] {
        Session::of(prompt)
            .reads("src/invoice/pdf.ts")
            .edits("src/invoice/pdf.ts", "text(name)", "text(wrap(name))")
            .runs("npm test")
            .edits("web/button.css", "color: red", "color: blue")
            .writes("infra/queue.tf", "resource \"queue\" {}")
            .runs("npm install left-pad")
            .edits("server/mail.py", "retries = 1", "retries = 2")
            .is_worth(10, &[]);
    }
}

#[test]
fn what_it_forbids_holds_all_the_same() {
    let not = Constraint::NotPath(PathPattern::new("src/b.rs"));
    Session::of("Make it faster, but don't touch src/b.rs")
        .edits("src/a.rs", "a", "b")
        .edits("src/b.rs", "a", "b")
        .is_worth(4, &[Reason::Forbidden { what: "src/b.rs".to_owned(), constraint: not }]);
}

#[test]
fn an_issue_may_be_in_the_place_of_what_was_done_before() {
    Session::of("The invoice PDF cuts off long product names. Wrap them.")
        .edits("src/invoice/pdf.ts", "text(name)", "text(wrap(name))")
        .says("Implement issue #12")
        .edits("src/invoice/pdf.ts", "page(1)", "page(2)")
        .edits("src/newsletter/send.ts", "BATCH = 50", "BATCH = 200")
        .edits("src/newsletter/queue.ts", "sleep(1000)", "sleep(250)")
        .is_worth(10, &[]);
}
