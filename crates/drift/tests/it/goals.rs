//! What instructions are taken to want.

use verger_drift::PathPattern;
use verger_drift::goal::{Breadth, Goal, Turn};

fn heard(prompts: &[&str]) -> (Goal, Option<Turn>) {
    let mut goal = Goal::default();
    let turns: Vec<Option<Turn>> =
        prompts.iter().map(|prompt| goal.hear(prompt, Some("/home/dev/app"))).collect();
    (goal, turns.last().copied().flatten())
}

#[test]
fn an_instruction_names_where_it_leads() {
    let prompt = "Rename `loadUser` in src/users.ts, crates/db and /home/dev/app/web/*.css everywhere. \
                  See com.acme.geo.Projection and fetch_all().";
    let (goal, turn) = heard(&[prompt]);
    let paths: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
    assert_eq!(paths, ["src/users.ts", "crates/db", "web/*.css", "com/acme/geo/Projection"]);
    assert_eq!(goal.scope.symbols, ["loadUser", "fetch_all"]);
    assert_eq!((goal.scope.breadth, turn), (Breadth::Broad, Some(Turn::First)));
}

#[test]
fn whoever_means_all_that_says_something_means_many_files() {
    let cases = [
        ("min is python 3.10 now, everything that says 3.8 should go", Breadth::Broad),
        ("use the new logo wherever the old one is", Breadth::Broad),
        ("the delivery note is not shown anywhere in the mail", Breadth::Narrow),
    ];
    for (prompt, expected) in cases {
        assert_eq!(heard(&[prompt]).0.scope.breadth, expected, "{prompt}");
    }
}

#[test]
fn how_much_is_wanted_shows_in_what_is_named() {
    let cases = [
        // A part of something, and something as a whole.
        ("add a `timeout` parameter to Client.fetch, default 30s", Breadth::Growing),
        ("Add a dark mode toggle to the settings page", Breadth::Growing),
        ("注文一覧に再送ボタンを追加して", Breadth::Growing),
        ("Add pagination to the orders list", Breadth::Long),
        ("I need a CLI that finds dead links", Breadth::Long),
        ("お気に入り機能を追加して", Breadth::Long),
        // One thing in place of another.
        ("replace moment with date-fns in the web package", Breadth::Long),
        ("Move the service from Express to Fastify", Breadth::Broad),
        ("move the save button to the right", Breadth::Narrow),
        ("translate the UI to German", Breadth::Broad),
        // A cause that nobody knows, and one that is told.
        ("Some users get logged out, find out why", Breadth::Long),
        ("検索が遅すぎます", Breadth::Long),
        ("`parse_duration(\"1h30\")` panics, it should be an Err", Breadth::Narrow),
        // Much is said, and much of what failed.
        (
            "pagination for products: 50 per page, use pagy, up to 200 for the api, link headers, keep the search box working, the html page, too",
            Breadth::Long,
        ),
        ("login fails: a, b, c, d, e, f, g", Breadth::Narrow),
        // All of some places, and all of something else.
        ("use the new logger in every service", Breadth::Broad),
        ("callbacks -> promises in the whole of lib/", Breadth::Broad),
        ("fix the typo in all three error pages", Breadth::Broad),
        ("give every carrier its own small pool", Breadth::Narrow),
        ("the worker loses messages on every rollout", Breadth::Narrow),
        ("revoke all tokens when a user is deactivated", Breadth::Narrow),
    ];
    for (prompt, expected) in cases {
        assert_eq!(heard(&[prompt]).0.scope.breadth, expected, "{prompt}");
    }
}

#[test]
fn what_is_forbidden_is_no_place_of_the_work() {
    let cases: [(&str, &[&str]); 12] = [
        ("Fix src/a.rs, don't touch src/b.rs. Rename it all except in legacy/.", &["src/a.rs"]),
        ("Fix src/login.rs, but do not touch web/theme.css", &["src/login.rs"]),
        ("Fix src/login.rs. Leave src/session/ alone.", &["src/login.rs"]),
        ("src/login.rs を直して。web/theme.css は触らないで", &["src/login.rs"]),
        ("Only change src/login.rs", &["src/login.rs"]),
        ("Explain src/login.rs, do not change anything", &["src/login.rs"]),
        ("Fix src/a.rs. Do NOT, under any circumstances, modify src/b.rs!", &["src/a.rs"]),
        ("src/a.rs を src/b.rs に触れずに直して", &["src/a.rs"]),
        ("Instead of changing src/b.rs, fix src/a.rs", &["src/a.rs"]),
        ("Fix src/a.rs. Skip src/b.rs", &["src/a.rs"]),
        ("Fix src/a.rs. You don't need to touch src/b.rs", &["src/a.rs", "src/b.rs"]),
        ("Fix src/login.rs with no changes to src/b.rs.", &["src/login.rs"]),
    ];
    for (prompt, expected) in cases {
        let (goal, _) = heard(&[prompt]);
        let places: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
        assert_eq!(places, expected, "{prompt}");
    }
}

#[test]
fn an_instruction_implies_what_comes_with_it() {
    let wishes = |prompt: &str| {
        let wishes = heard(&[prompt]).0.scope.wishes;
        let named = [
            (wishes.tests, "tests"),
            (wishes.documents, "documents"),
            (wishes.dependencies, "dependencies"),
            (wishes.tooling, "tooling"),
            (wishes.commits, "commits"),
            (wishes.cause, "cause"),
            (wishes.answer, "answer"),
        ];
        let held = named.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name);
        held.collect::<Vec<_>>().join(" ")
    };
    let cases = [
        ("write tests for src/parser", "tests"),
        ("ログインのテストを追加して", "tests"),
        ("Document the HTTP API", "documents"),
        ("upgrade tokio", "dependencies tooling"),
        ("the CI is red", "tooling cause"),
        ("why does the upload hang?", "cause answer"),
        ("原因を調べて", "cause answer"),
        ("make the header blue", ""),
        // What is forbidden is not wished for.
        ("make the header blue, but don't touch the tests", ""),
    ];
    for (prompt, expected) in cases {
        assert_eq!(wishes(prompt), expected, "{prompt}");
    }
}

#[test]
fn what_a_person_says_next_goes_on_refines_or_replaces() {
    const FIRST: &str = "Add dark mode to the settings screen.";
    let cases = [
        ("continue", Turn::GoesOn),
        ("go on", Turn::GoesOn),
        ("続けて", Turn::GoesOn),
        ("お願いします", Turn::GoesOn),
        ("also cover the sidebar", Turn::Refines),
        ("use a softer grey instead", Turn::Refines),
        ("debounce it too", Turn::Refines),
        ("あと、フッターもお願い", Turn::Refines),
        ("by the way, sort the keys of the locales alphabetically", Turn::Refines),
        ("Stop, forget dark mode. The login returns 502, look into that.", Turn::Replaces),
        ("Stop there. Invites expire after 1h instead of 7 days, fix that.", Turn::Replaces),
        ("Great. Now something else: the docs site does not build.", Turn::Replaces),
        ("Change of plans: customers cannot log in, see to the cookie.", Turn::Replaces),
        ("Let's put that on ice. The payment webhook answers 500.", Turn::Replaces),
        ("ダークモードは後でいいので、決済のエラーを調べて", Turn::Replaces),
        ("Hold the redesign, the payment webhook is broken.", Turn::Replaces),
        ("ダークモードは保留にして、次は決済のタイムアウトを直して", Turn::Replaces),
        ("ダークモードはいったん置いておいて、決済のずれを先にお願い", Turn::Replaces),
        ("それはもういいです。別件で、CSVの取り込みを直して", Turn::Replaces),
        ("Implement the retry policy for outgoing webhooks", Turn::SeemsNew),
        ("Forget dark mode. Also the login returns 502.", Turn::Replaces),
        ("Drop the dark mode, the login returns 502.", Turn::Replaces),
        ("ダークモードはいったんrevertして、代わりに決済のエラーを先に見てほしい", Turn::Replaces),
        // What "it" is was said before.
        (
            "hmm, thinking about it, i'd rather not have it on the public port. can you move it to the \
             admin port and revert the auth exception? and add /readyz that checks redis",
            Turn::Refines,
        ),
        (
            "can you put it behind a flag that only admins of a tenant can set, and log who does",
            Turn::Refines,
        ),
        ("それ、管理者だけが使えるようにしてください", Turn::Refines),
        ("leave it. I'd like the footer of the invoices to show the version", Turn::SeemsNew),
        (
            "Let's leave it at these two for now. The website has been empty since 3.2, look at that instead?",
            Turn::SeemsNew,
        ),
        ("make it possible to upload logos for tenants in the billing portal", Turn::SeemsNew),
        (
            "the webhook times out after ten minutes, add a retry policy to it with a backoff",
            Turn::SeemsNew,
        ),
    ];
    for (prompt, expected) in cases {
        assert_eq!(heard(&[FIRST, prompt]).1, Some(expected), "{prompt}");
    }
}

/// What is said, one after the other, and what becomes of it.
struct Ending {
    said: [&'static str; 2],
    turn: Turn,
    /// Of these words some are ended, some are what is wanted, and others neither.
    ended: &'static [&'static str],
    wanted: &'static [&'static str],
    neither: &'static [&'static str],
}

const ENDINGS: &[Ending] = &[
    Ending {
        said: [
            "apiのレート制限を入れたい。internal/middleware に追加して、Redisでカウントする感じで。",
            "すみません、レート制限はALBのWAF側でやることになりました。ここまでで止めて大丈夫です。代わりに、\
             /v1/orders のページネーションが遅いのでcursor方式にしてもらえますか。",
        ],
        turn: Turn::Replaces,
        ended: &["rate", "redi"],
        wanted: &["curs", "order"],
        neither: &["waf", "alb"],
    },
    Ending {
        said: [
            "Add rate limits to the api middleware",
            "The rate limits will be done by the proxy of the ops team. Stop here. Instead, give the orders a cursor.",
        ],
        turn: Turn::Replaces,
        ended: &["rate"],
        wanted: &["curs"],
        neither: &["ops"],
    },
    Ending {
        said: [
            "Add a keyboard shortcut to the extension that saves all highlighted tabs to the reading list, and show the count on the badge",
            "one more thing, forget the badge, chrome shows it too small. use a notification instead. also it has to work in firefox, we ship there too",
        ],
        turn: Turn::Refines,
        ended: &["badg"],
        wanted: &["firefo", "tab"],
        neither: &[],
    },
    Ending {
        said: [
            "Add a /readyz endpoint to the gateway",
            "perfect. now drop the compose sleep hack in the integration tests and use readyz there",
        ],
        turn: Turn::Refines,
        ended: &[],
        wanted: &["sleep", "compos", "readyz"],
        neither: &[],
    },
    Ending {
        said: [
            "Add a badge with the count to the toolbar",
            "drop the badge, fix the tooltip of the toolbar",
        ],
        turn: Turn::Replaces,
        ended: &["badg"],
        wanted: &["toolti"],
        neither: &[],
    },
    Ending {
        said: [
            "expose the devices over GraphQL",
            "drop the graphql thing, mobile wants plain REST: an array of orders",
        ],
        turn: Turn::Replaces,
        ended: &["devic", "graphq"],
        wanted: &["mobil"],
        neither: &["drop"],
    },
    Ending {
        said: [
            "Speed up jobs/stock.py with bulk requests",
            "sorry, bulk is not there until next month. revert it and instead look at jobs/price.py",
        ],
        turn: Turn::Replaces,
        ended: &["bulk", "stock"],
        wanted: &["pric"],
        neither: &["month"],
    },
    Ending {
        said: ["Add a retry to the uploader", "cancel the retry when the page is closed"],
        turn: Turn::Refines,
        ended: &[],
        wanted: &["retr", "upload"],
        neither: &[],
    },
    Ending {
        said: ["予約をキャンセルしたら通知メールを送って", "件名に予約番号を入れて"],
        turn: Turn::Refines,
        ended: &[],
        wanted: &["cancel", "reserv"],
        neither: &[],
    },
    // Nothing of it was asked for before.
    Ending {
        said: ["Fix the login", "The list of orders loads all rows. Instead, load 50 at a time."],
        turn: Turn::SeemsNew,
        ended: &["login"],
        wanted: &["order"],
        neither: &[],
    },
];

#[test]
fn what_is_ended_is_as_much_as_was_said() {
    for Ending { said, turn, ended, wanted, neither } in ENDINGS {
        let (goal, found) = heard(said);
        assert_eq!(found, Some(*turn), "{said:?}");
        let is_ended = |word: &&&str| goal.ended.contains(**word);
        let is_wanted = |word: &&&str| goal.keywords.contains(**word);
        let all = || ended.iter().chain(*wanted).chain(*neither);
        assert_eq!(
            all().filter(is_ended).copied().collect::<Vec<_>>(),
            *ended,
            "{said:?} {goal:?}"
        );
        assert_eq!(
            all().filter(is_wanted).copied().collect::<Vec<_>>(),
            *wanted,
            "{said:?} {goal:?}"
        );
    }
}

#[test]
fn a_place_that_is_over_is_no_place_of_the_work() {
    let (goal, _) = heard(&[
        "Speed up jobs/stock.py",
        "Forget jobs/stock.py. Fix the rounding in jobs/price.py.",
    ]);
    let places: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
    assert_eq!(places, ["jobs/price.py"]);
}

#[test]
fn what_machines_say_is_no_instruction() {
    let (goal, turn) = heard(&[
        "<system-reminder>The user opened src/other.rs.</system-reminder>\nFix src/a.rs",
        "<task-notification>agent finished src/b.rs</task-notification>",
    ]);
    let paths: Vec<&str> = goal.scope.paths.iter().map(PathPattern::as_str).collect();
    assert_eq!((goal.text.as_str(), paths, turn), ("Fix src/a.rs", vec!["src/a.rs"], None));
}

#[test]
fn what_was_ended_is_remembered_until_it_is_asked_for_again() {
    let first = "Add dark mode to the settings screen";
    let (goal, _) = heard(&[first, "Forget dark mode. Fix the login."]);
    assert!(goal.ended.contains("dark") && !goal.keywords.contains("dark"), "{goal:?}");
    let (goal, _) = heard(&[first, "Forget dark mode. Fix the login.", "also do dark mode again"]);
    assert!(!goal.ended.contains("dark") && goal.keywords.contains("dark"), "{goal:?}");
}

#[test]
fn some_instructions_leave_open_where_the_work_is() {
    let open = [
        "go on",
        "continue",
        "resume",
        "hi",
        "fix it",
        "please do it",
        "Make it faster",
        "make it work on Windows",
        "Implement issue #12",
        "Fix #123",
        "do PROJ-123",
        "Implement https://github.com/acme/app/issues/45",
        "Implement TODO.md",
        "follow the plan in docs/plan.md",
        "fix the bug",
        "improve performance",
        "clean up the code",
        "make the code more readable",
        "run the tests and fix what fails",
        "Finish the task",
        "please continue with the next step",
        "do the thing we discussed yesterday",
        "fix it, but don't touch src/b.rs",
        "続けて",
        "お願いします",
        "これを直して",
        "もっと速くして",
        "バグを直して",
        "次のタスクをお願いします",
        "issue 12 を実装して",
        "docs/plan.md の通りに実装して",
    ];
    let told = [
        "Fix the login redirect",
        "Add dark mode to the settings screen",
        "Fix src/a.rs",
        "make `load` faster",
        "Implement #12: the export of invoices",
        "Write docs/plan.md",
        "ログインのバグを直して",
        "src/a.rs を直して",
        "Make it possible to log in with a passkey",
        "The login page is blank. Fix it.",
    ];
    let is_open = |prompt: &&str| heard(&[prompt]).0.leaves_open_where();
    let wrong: Vec<&str> = open.into_iter().filter(|prompt| !is_open(prompt)).collect();
    assert_eq!(wrong, Vec::<&str>::new());
    let wrong: Vec<&str> = told.into_iter().filter(is_open).collect();
    assert_eq!(wrong, Vec::<&str>::new());
    // What is said later says it.
    assert!(!heard(&["fix it", "I mean the login redirect"]).0.leaves_open_where());
}

#[test]
fn an_issue_is_other_work_and_an_item_of_a_list_is_not() {
    const FIRST: &str = "Add dark mode to the settings screen.";
    let cases = [
        ("Implement issue #12", Turn::SeemsNew),
        ("fix PROJ-123 now", Turn::SeemsNew),
        ("fix #2", Turn::GoesOn),
        ("do step 2", Turn::GoesOn),
    ];
    for (prompt, expected) in cases {
        assert_eq!(heard(&[FIRST, prompt]).1, Some(expected), "{prompt}");
    }
}

#[test]
fn the_goal_tells_what_was_added_since() {
    let told = |prompts: &[&str], max_chars| heard(prompts).0.told(max_chars);
    let first = "Add dark mode to the settings screen.";
    let said = [first, "go on", "also cover the sidebar", "thanks", "ok, and don't push"];
    let whole = format!("{first}\nthen: also cover the sidebar\nthen: ok, and don't push");
    assert_eq!(told(&said, 500), whole);
    assert_eq!(told(&said, 70), "Add dark mode to the settings screen.\nthen: ok, and don't push");
    assert_eq!(told(&said, 50), "Add dark mode to the set…\nthen: ok, and don't push");
    let next = "Great. Now something else: the docs site does not build.";
    assert_eq!(told(&[first, "also cover the sidebar", next], 500), next);
    let many: Vec<String> = (0..9).map(|n| format!("also cover the sidebar{n}")).collect();
    let prompts: Vec<&str> = [first].into_iter().chain(many.iter().map(String::as_str)).collect();
    let latest: Vec<String> = many[5..].to_vec();
    assert_eq!(heard(&prompts).0.added, latest);
}
