//! `verger recall-eval`.

use crate::recorded::Recorded;

const DOCUMENTS: &str = r#"{"id":"p1","group":"p","title":"push: retry with a lease","text":"A plain push fails.","files":["src/git.rs"],"ts":100}
{"id":"p2","group":"p","title":"docs: how to push","text":"","ts":200}

{"id":"q1","group":"q","session":"s","seq":1,"speaker":"Ada","date":"8 May, 2023","text":"I pushed.","caption":"a photo"}
"#;

const QUERIES: &str = r#"{"id":"a","group":"p","text":"push without lease"}
{"id":"b","group":"p","text":"push","before":150,"files":["src/git.rs"]}
{"id":"c","group":"q","text":"When did Ada push?"}
{"id":"d","group":"unknown","text":"push"}
{"id":"e","text":"sails and harbours"}
"#;

#[test]
fn documents_are_ranked_within_the_group_of_the_query() {
    let recorded = Recorded::nothing();
    let project = recorded.environment.project();
    recorded.environment.write(project.join("documents.jsonl"), DOCUMENTS);
    recorded.environment.write(project.join("queries.jsonl"), QUERIES);
    let files = ["recall-eval", "documents.jsonl", "queries.jsonl"];
    insta::assert_snapshot!(recorded.verger(&files), @r#"
    {"query":"a","ranked":["p1","p2"]}
    {"query":"b","ranked":["p1"]}
    {"query":"c","ranked":["q1"]}
    {"query":"d","ranked":["q1","p2","p1"]}
    {"query":"e","ranked":[]}
    "#);
    let fit = [&files[..], &["--fit"]].concat();
    insta::assert_snapshot!(recorded.verger(&fit), @r#"
    {"query":"a","ranked":["p1"]}
    {"query":"b","ranked":["p1"]}
    {"query":"c","ranked":["q1"]}
    {"query":"d","ranked":["q1","p2","p1"]}
    {"query":"e","ranked":[]}
    ------- stderr -------
    verger: 4 of 5 queries have a matching learning (80.0 %)
    "#);
    let one = [&files[..], &["--limit", "1", "--json"]].concat();
    insta::assert_snapshot!(recorded.verger(&one), @r#"{"queries":[{"query":"a","ranked":["p1"]},{"query":"b","ranked":["p1"]},{"query":"c","ranked":["q1"]},{"query":"d","ranked":["q1"]},{"query":"e","ranked":[]}]}"#);
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let recorded = Recorded::nothing();
    let project = recorded.environment.project();
    recorded.environment.write(project.join("documents.jsonl"), "{\"id\":\"a\",\"text\":\"\"}\n{");
    insta::assert_snapshot!(recorded.verger(&["recall-eval", "documents.jsonl", "x"]), @r#"
    ------- stderr -------
    verger: documents.jsonl:2: EOF while parsing an object at line 1 column 1
    hint: verger recall-eval --help
    ------- exit code 2 -------
    "#);
}
