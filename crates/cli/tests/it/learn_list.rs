//! `verger learn list`.

use verger_memory::{Category, Learning};

use crate::learned::{
    archived, in_place_of, learned, learning, line, personal, referenced, surfaced, with_an_archive,
};
use crate::recorded::Recorded;

fn several() -> Recorded {
    learned(
        &[
            learning("old", 89, "The importer drops empty lines"),
            learning("older", 100, "Releases are made\u{1b}[2J from main"),
            learning("put-away", 200, "The old build needs make"),
            learning("wrong", 40, "The cache of the parser is shared"),
            in_place_of("wrong", learning("right", 3, "The cache of the parser is per thread")),
            Learning {
                category: Category::Process,
                ..personal(learning("own", 2, "Run the slow tests before lunch"))
            },
        ],
        &[
            line(50, "s1", surfaced("older")),
            line(50, "s1", referenced("older")),
            line(20, "s2", surfaced("older")),
            line(10, "s3", archived("put-away")),
        ],
    )
}

#[test]
fn learnings_in_use_are_listed_with_how_they_fare() {
    let recorded = several();
    insta::assert_snapshot!(recorded.verger(&["learn", "list"]), @"
    learn-own    process  personal  2 days ago, never given: Run the slow tests before lunch
    learn-right  pitfall  project   3 days ago, never given: The cache of the parser is per thread
    learn-old    pitfall  project   89 days ago, never given, will be archived after 2026-11-16 unless used: The importer drops empty lines
    learn-older  pitfall  project   100 days ago, used 1 of 2 times: Releases are made [2J from main
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--json", "-n", "1"]), @r#"{"learnings":[{"at":1794595161000,"category":"process","confidence":"high","criteria":["stable_fact"],"decay":{"is":"later","until_ms":1802371161000},"detail":"Details of this learning: Run the slow tests before lunch.","id":"learn-own","place":{"backend":"personal","line":3,"path":"$ENV/home/.verger/data/personal-learnings.md"},"scope":"personal","status":"active","summary":"Run the slow tests before lunch","suspect":null,"tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}],"problems":[],"total":4}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--quiet", "-n", "1"]), @"
    learn-own  process  personal  2 days ago, never given: Run the slow tests before lunch
    3 more: --limit 0 lists all
    ");
}

#[test]
fn filters_choose_among_all_that_are_kept() {
    let recorded = several();
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "archived"]), @"learn-put-away  pitfall  project  200 days ago, never given, archived: The old build needs make");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "superseded"]), @"learn-wrong  pitfall  project  40 days ago, never given, superseded by learn-right: The cache of the parser is shared");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "all", "--scope", "personal"]), @"learn-own  process  personal  2 days ago, never given: Run the slow tests before lunch");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--category", "process"]), @"learn-own  process  personal  2 days ago, never given: Run the slow tests before lunch");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--stale"]), @"learn-old  pitfall  project  89 days ago, never given, will be archived after 2026-11-16 unless used: The importer drops empty lines");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--category", "domain"]), @r#"
    no learning matches
    verger learn list --status all shows all learnings
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--scope", "everybody", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"invalid value 'everybody' for '--scope <SCOPE>' [possible values: project, team, personal, ephemeral]"}
    ------- exit code 2 -------
    "#);
}

#[test]
fn unreadable_files_are_named_and_the_rest_is_listed() {
    let recorded = several();
    let file = recorded.environment.project().join(".verger/learnings.md");
    let good = recorded.environment.read(&file);
    let bad = format!(
        "<<<<<<< ours\n{good}\n=======\n## Wrong word\n- category: pitfal\n- tags: a\n\nText of it, long enough.\n\
         >>>>>>> theirs\n\n## Half\n- category: pit"
    );
    recorded.environment.write(&file, &bad);
    let stats = recorded.environment.read(".verger/stats.log");
    recorded.environment.write(".verger/stats.log", format!("{{\"v\":1,\n{stats}not json\n"));
    insta::assert_snapshot!(recorded.verger(&["learn", "list"]), @r#"
    learn-own    process  personal  2 days ago, never given: Run the slow tests before lunch
    learn-right  pitfall  project   3 days ago, never given: The cache of the parser is per thread
    learn-old    pitfall  project   89 days ago, never given, will be archived after 2026-11-16 unless used: The importer drops empty lines
    learn-older  pitfall  project   100 days ago, used 1 of 2 times: Releases are made [2J from main
    ------- stderr -------
    verger: $ENV/home/project/.verger/learnings.md:1: this is a conflict marker of git: remove it; the learnings around it are used
    verger: $ENV/home/project/.verger/learnings.md:34: this is a conflict marker of git: remove it; the learnings around it are used
    verger: $ENV/home/project/.verger/learnings.md:35: "pitfal" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
    verger: $ENV/home/project/.verger/learnings.md:40: this is a conflict marker of git: remove it; the learnings around it are used
    verger: $ENV/home/project/.verger/learnings.md:42: "pit" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
    verger: $ENV/home/project/.verger/stats.log:1: this is not JSON: remove the line, or restore it with git
    verger: $ENV/home/project/.verger/stats.log:6: this is not JSON: remove the line, or restore it with git
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "archived", "--json"]), @r#"{"learnings":[{"at":1777487961000,"category":"pitfall","confidence":"high","criteria":["stable_fact"],"detail":"Details of this learning: The old build needs make.","id":"learn-put-away","place":{"backend":"markdown","line":16,"path":"$ENV/home/project/.verger/learnings.md"},"scope":"project","status":"archived","summary":"The old build needs make","tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}],"problems":["$ENV/home/project/.verger/learnings.md:1: this is a conflict marker of git: remove it; the learnings around it are used","$ENV/home/project/.verger/learnings.md:34: this is a conflict marker of git: remove it; the learnings around it are used","$ENV/home/project/.verger/learnings.md:35: \"pitfal\" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging","$ENV/home/project/.verger/learnings.md:40: this is a conflict marker of git: remove it; the learnings around it are used","$ENV/home/project/.verger/learnings.md:42: \"pit\" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging","$ENV/home/project/.verger/stats.log:1: this is not JSON: remove the line, or restore it with git","$ENV/home/project/.verger/stats.log:6: this is not JSON: remove the line, or restore it with git"],"total":1}"#);
    assert_eq!(recorded.environment.read(&file), bad);
}

#[test]
fn nothing_stale_is_said() {
    let recorded = learned(&[learning("new", 1, "The importer drops empty lines")], &[]);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--stale"]), @r#"
    no learning is suspect or due to be archived
    verger learn list shows all learnings in use
    "#);
}

#[test]
fn nothing_kept_is_said_and_is_no_error() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["learn", "list"]), @r#"
    no learning is kept here yet
    verger doctor tickets shows when agents are asked for a learning
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--json"]), @r#"{"learnings":[],"problems":[],"total":0}"#);
    assert!(!recorded.environment.project().join(".verger").exists());
}

#[test]
fn learnings_in_an_archive_of_others_are_archived() {
    let recorded = with_an_archive();
    insta::assert_snapshot!(recorded.verger(&["learn", "list"]), @"learn-empty  pitfall  project  32 h ago, never given: The importer drops empty lines");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "archived"]), @"learn-long  pitfall  project  317 days ago, never given, archived: The importer drops long lines");
}

#[test]
fn learnings_that_the_code_contradicts_are_stale() {
    let gone = Learning {
        files: vec!["scripts/gone.ts".to_owned()],
        ..learning("gone", 3, "The seed script needs the migrations to have run first")
    };
    let mut recorded =
        learned(&[gone, learning("soon", 88, "The importer drops empty lines")], &[]);
    assert_eq!(recorded.verger(&["learn", "archive", "--unused", "--yes"]).code, 0);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--stale"]), @"
    learn-gone  pitfall  project  3 days ago, never given, suspect (scripts/gone.ts is gone): The seed script needs the migrations to have run first
    learn-soon  pitfall  project  88 days ago, never given, will be archived after 2026-11-17 unless used: The importer drops empty lines
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--stale", "--json", "-n", "1"]), @r#"{"learnings":[{"at":1794508761000,"category":"pitfall","confidence":"high","criteria":["stable_fact"],"decay":{"is":"later","until_ms":1802284761000},"detail":"Details of this learning: The seed script needs the migrations to have run first.","files":["scripts/gone.ts"],"id":"learn-gone","place":{"backend":"markdown","line":3,"path":"$ENV/home/project/.verger/learnings.md"},"scope":"project","status":"active","summary":"The seed script needs the migrations to have run first","suspect":"scripts/gone.ts is gone","tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}],"problems":[],"total":2}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "seed script migrations"]), @"
    learn-gone  The seed script needs the migrations to have run first
      Details of this learning: The seed script needs the migrations to have run first.
      pitfall, project, high confidence, 3 days ago, never given
      suspect: scripts/gone.ts is gone
      has seed, script, migrations
    verger ref ID marks one of them as useful
    ");
    recorded.environment.write("scripts/gone.ts", "x\n");
    assert_eq!(recorded.verger(&["learn", "archive", "--unused", "--yes"]).code, 0);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--stale", "--quiet"]), @"learn-soon  pitfall  project  88 days ago, never given, will be archived after 2026-11-17 unless used: The importer drops empty lines");
}

#[test]
fn one_learning_is_shown_whole() {
    let recorded = several();
    insta::assert_snapshot!(recorded.verger(&["learn", "show", "learn-older"]), @"
    learning      learn-older
    summary       Releases are made [2J from main
    detail        Details of this learning: Releases are made [2J from main.
    category      pitfall
    scope         project
    confidence    high
    kept because  stable_fact
    tags          sample
    made          2026-08-07 18:39:21, 100 days ago
    use           used 1 of 2 times
    kept in       ~/project/.verger/learnings.md:9
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "show", "learn-wrong", "--json"]), @r#"{"at":1791311961000,"category":"pitfall","confidence":"high","criteria":["stable_fact"],"detail":"Details of this learning: The cache of the parser is shared.","id":"learn-wrong","place":{"backend":"markdown","line":21,"path":"$ENV/home/project/.verger/learnings.md"},"scope":"project","status":"superseded","summary":"The cache of the parser is shared","superseded_by":"learn-right","tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "show", "learn-none"]), @"
    ------- stderr -------
    verger: no learning learn-none is kept here
    hint: verger learn list --status all shows all learnings
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "show", "no id"]), @r#"
    ------- stderr -------
    verger: "no id" is not the id of a learning, such as learn-01M7G83FEM0000000000000007
    hint: verger learn list shows the learnings that are kept
    ------- exit code 2 -------
    "#);
}
