//! `verger learn search`.

use std::fs;
use std::path::PathBuf;

use verger_memory::{Category, Learning};

use crate::learned::{
    archived, in_place_of, learned, learning, line, personal, referenced, surfaced, with_an_archive,
};
use crate::recorded::Recorded;

fn several() -> Recorded {
    let seed = Learning {
        files: vec!["scripts/seed.ts".to_owned()],
        ..learning("seed", 3, "The seed script needs the migrations to have run first")
    };
    learned(
        &[
            seed,
            learning("put-away", 200, "The old migrations need make\u{1b}[2J"),
            learning("wrong", 40, "The cache of the parser is shared"),
            in_place_of("wrong", learning("right", 3, "The cache of the parser is per thread")),
            learning("cjk", 9, "検索エンジンは設定ファイルを読む"),
            Learning {
                category: Category::Process,
                ..personal(learning("own", 2, "Run the slow migrations before lunch"))
            },
        ],
        &[
            line(2, "s1", surfaced("seed")),
            line(2, "s1", referenced("seed")),
            line(1, "s3", archived("put-away")),
        ],
    )
}

#[test]
fn matches_are_shown_with_reasons_and_weak_ones_are_marked() {
    let recorded = several();
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "migrating", "the", "seed", "scripts"]), @"
    learn-seed  The seed script needs the migrations to have run first
      Details of this learning: The seed script needs the migrations to have run first.
      pitfall, project, high confidence, 3 days ago, used 1 of 1 time
      has migrating, seed, scripts
    weak matches:
    learn-own  Run the slow migrations before lunch
      Details of this learning: Run the slow migrations before lunch.
      process, personal, high confidence, 2 days ago, never given
      has migrating
    verger ref ID marks one of them as useful
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "parser cache", "--json"]), @r#"{"learnings":[{"at":1794508761000,"category":"pitfall","confidence":"high","criteria":["stable_fact"],"detail":"Details of this learning: The cache of the parser is per thread.","fits":true,"has":{"files":[],"words":["parser","cache"]},"id":"learn-right","scope":"project","scores":{"composite":0.9890719920324091,"recency":0.9890719920324091,"relevance":1.0,"usefulness":0.5},"status":"active","summary":"The cache of the parser is per thread","supersedes":["learn-wrong"],"suspect":null,"tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}],"more":false,"problems":[]}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "parser cache", "--quiet", "--limit", "1"]), @"
    learn-right  The cache of the parser is per thread
      Details of this learning: The cache of the parser is per thread.
      pitfall, project, high confidence, 3 days ago, never given
      has parser, cache
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "lunch breaks of the whole release team in autumn"]), @"
    no good match; the nearest:
    learn-own  Run the slow migrations before lunch
      Details of this learning: Run the slow migrations before lunch.
      process, personal, high confidence, 2 days ago, never given
      has lunch
    verger ref ID marks one of them as useful
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "learn-right", "learn-none", "-n", "1"]), @"
    learn-right  The cache of the parser is per thread
      Details of this learning: The cache of the parser is per thread.
      pitfall, project, high confidence, 3 days ago, never given
      has cache, parser, per, thread, learn
    there are more: --limit 2
    verger ref ID marks one of them as useful
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "seeding", "--file", "scripts/seed.ts"]), @"
    learn-seed  The seed script needs the migrations to have run first
      Details of this learning: The seed script needs the migrations to have run first.
      pitfall, project, high confidence, 3 days ago, used 1 of 1 time
      has seeding; is about scripts/seed.ts
    verger ref ID marks one of them as useful
    ");
}

#[test]
fn filters_say_which_are_searched() {
    let recorded = several();
    let ids = |arguments: &[&str]| {
        let output = recorded
            .verger(&[&["learn", "search", "cache migrations", "--json"], arguments].concat());
        let answer: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let learnings = answer["learnings"].as_array().unwrap();
        let mut ids: Vec<_> = learnings
            .iter()
            .map(|one| {
                format!("{} {}", one["id"].as_str().unwrap(), one["status"].as_str().unwrap())
            })
            .collect();
        ids.sort();
        ids.join(", ")
    };
    insta::assert_snapshot!(ids(&[]), @"learn-own active, learn-right active, learn-seed active");
    insta::assert_snapshot!(ids(&["--archived"]), @"learn-own active, learn-put-away archived, learn-right active, learn-seed active");
    insta::assert_snapshot!(ids(&["--status", "archived"]), @"learn-put-away archived");
    insta::assert_snapshot!(ids(&["--status", "superseded"]), @"learn-wrong superseded");
    insta::assert_snapshot!(ids(&["--status", "all"]), @"learn-own active, learn-put-away archived, learn-right active, learn-seed active, learn-wrong superseded");
    insta::assert_snapshot!(ids(&["--scope", "personal"]), @"learn-own active");
    insta::assert_snapshot!(ids(&["--category", "process"]), @"learn-own active");
    insta::assert_snapshot!(ids(&["--since", "60h"]), @"learn-own active");
    insta::assert_snapshot!(ids(&["--since", "2026-11-13", "--limit", "1"]), @"learn-own active");
}

#[test]
fn one_that_was_replaced_names_its_replacement() {
    let recorded = several();
    let superseded = ["learn", "search", "cache", "--status", "superseded"];
    insta::assert_snapshot!(recorded.verger(&superseded), @"
    learn-wrong  The cache of the parser is shared
      Details of this learning: The cache of the parser is shared.
      pitfall, project, high confidence, 40 days ago, never given, superseded by learn-right
      has cache
    verger ref ID marks one of them as useful
    ");
    let answer = recorded.verger(&[&superseded[..], &["--json"]].concat()).success().stdout;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["learnings"][0]["superseded_by"], "learn-right");
}

#[test]
fn nothing_found_is_said_and_is_no_error() {
    let nothing = Recorded::nothing();
    insta::assert_snapshot!(nothing.verger(&["learn", "search", "cache"]), @r#"
    no learning was found
    verger learn list shows the learnings in use; --archived also searches the archive
    "#);
    insta::assert_snapshot!(nothing.verger(&["learn", "search", "cache", "--json"]), @r#"{"learnings":[],"more":false,"problems":[]}"#);
    assert!(!nothing.environment.project().join(".verger").exists());
    let recorded = several();
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "of the", "--archived", "--quiet"]), @"no learning was found");
    insta::assert_snapshot!(recorded.verger(&["learn", "search", " "]), @r#"
    ------- stderr -------
    verger: the query is empty
    hint: verger learn list shows the learnings that are in use
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "search"]), @r#"
    ------- stderr -------
    error: the following required arguments were not provided:
      <QUERY>...

    Usage: verger learn search <QUERY>...

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "x", "--since", "tomorrow", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger learn search --help","message":"\"tomorrow\" is no time in the past: expected hours, days or weeks ago (12h, 30d, 2w), or a date (2026-01-31)"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "x", "--session", "9"]), @r#"
    ------- stderr -------
    verger: no session begins with "9"
    hint: nothing was recorded yet; register the hook with your agent first
    ------- exit code 2 -------
    "#);
}

#[test]
fn queries_of_any_length_and_script_are_answered() {
    let recorded = several();
    let first = |query: &str| {
        recorded.verger(&["learn", "search", query]).stdout.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(first("検索エンジンの設定"), @"learn-cjk  検索エンジンは設定ファイルを読む");
    let long = format!("parser cache thread {}", "word ".repeat(20_000));
    insta::assert_snapshot!(first(&long), @"learn-right  The cache of the parser is per thread");
}

#[test]
fn unreadable_files_are_named_and_the_rest_is_found() {
    let recorded = several();
    let file = recorded.environment.project().join(".verger/learnings.md");
    let text = format!("{}\n## Half\n- category: pit", recorded.environment.read(&file));
    recorded.environment.write(&file, &text);
    insta::assert_snapshot!(recorded.verger(&["learn", "search", "parser cache", "-n", "1"]), @r#"
    learn-right  The cache of the parser is per thread
      Details of this learning: The cache of the parser is per thread.
      pitfall, project, high confidence, 3 days ago, never given
      has parser, cache
    verger ref ID marks one of them as useful
    ------- stderr -------
    verger: $ENV/home/project/.verger/learnings.md:33: "pit" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
    "#);
    assert_eq!(recorded.environment.read(&file), text);
}

fn index_files(recorded: &Recorded) -> Vec<PathBuf> {
    let recall = recorded.environment.verger_home().join("data/recall");
    let project = fs::read_dir(recall).unwrap().next().unwrap().unwrap().path();
    let files = fs::read_dir(project).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.is_file()).collect()
}

#[test]
fn an_index_that_cannot_be_read_is_made_anew() {
    let recorded = several();
    let whole = recorded.verger(&["learn", "search", "parser cache"]).success().stdout;
    for file in index_files(&recorded) {
        fs::write(&file, "damaged").unwrap();
        let again = recorded.verger(&["learn", "search", "parser cache"]);
        assert_eq!(
            (again.stdout, again.stderr.as_str()),
            (whole.clone(), ""),
            "{}",
            file.display()
        );
    }
    for file in index_files(&recorded) {
        fs::remove_file(file).unwrap();
    }
    assert_eq!(recorded.verger(&["learn", "search", "parser cache"]).stdout, whole);
}

#[test]
fn an_index_that_cannot_be_written_is_searched_as_it_is() {
    let recorded = several();
    let whole = recorded.verger(&["learn", "search", "parser cache"]).success().stdout;
    let lock = index_files(&recorded).into_iter().find(|path| path.ends_with("lock")).unwrap();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let again = recorded.verger(&["learn", "search", "parser cache"]);
    assert_eq!((again.stdout, again.code), (whole, 0));
    let project = lock.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let told = again.stderr.replace(project, "PROJECT");
    insta::assert_snapshot!(told, @"verger: the index was not updated: cannot open $ENV/home/.verger/data/recall/PROJECT/lock: Is a directory (os error 21)");
}

#[test]
fn archives_of_others_are_searched_when_asked_for() {
    let recorded = with_an_archive();
    let facts = |arguments: &[&str]| {
        let output = recorded
            .verger(&[&["learn", "search", "importer lines"], arguments].concat())
            .success();
        let facts = output.stdout.lines().filter(|line| line.contains("confidence"));
        facts.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(facts(&[]), @"  pitfall, project, high confidence, 32 h ago, never given");
    insta::assert_snapshot!(facts(&["--archived"]), @"
    pitfall, project, high confidence, 32 h ago, never given
    pitfall, project, high confidence, 317 days ago, never given, archived
    ");
    insta::assert_snapshot!(facts(&["--status", "archived"]), @"  pitfall, project, high confidence, 317 days ago, never given, archived");
}

#[test]
fn an_agent_searches_the_project_of_its_session() {
    let mut recorded = several();
    let start = r#""source":"startup""#;
    recorded.event("1111", "SessionStart", start);
    let here = recorded.verger(&["learn", "search", "parser cache"]).stdout;
    let elsewhere = recorded.environment.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let command = format!(
        "cd {} && exec {} learn search 'parser cache' --session 11",
        elsewhere.display(),
        env!("CARGO_BIN_EXE_verger")
    );
    let there = recorded.environment.run("sh", ["-c", &command], "");
    assert_eq!((there.stdout, there.code), (here, 0));
}
