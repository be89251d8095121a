//! `verger learn stats`, and `verger stats` without a subcommand.

use std::collections::BTreeMap;

use verger_memory::stats::StatsEvent;
use verger_memory::{Criterion, SkippedBy};

use crate::learned::{archived, id, learned, learning, line, personal, referenced, surfaced};
use crate::recorded::Recorded;

fn busy() -> Recorded {
    let reflection = StatsEvent::Reflection {
        candidates: 3,
        accepted: vec![id("a"), id("b")],
        criteria: BTreeMap::from([(Criterion::StableFact, 2)]),
    };
    let rejected = StatsEvent::Rejected {
        summary: "The cache of the parser is per thread".to_owned(),
        tags: vec![],
        reasons: vec!["has 5 characters; 10 to 200 would do".to_owned()],
    };
    let skip = StatsEvent::Skip {
        by: SkippedBy::Agent,
        lines: Some(3),
        files: vec![],
        reason: "a typing error".to_owned(),
    };
    let mut lines = vec![
        line(80, "s0", reflection),
        line(80, "s0", rejected),
        line(40, "s1", surfaced("a")),
        line(40, "s1", referenced("a")),
        line(20, "s2", skip),
        line(3, "s9", archived("c")),
    ];
    lines.extend((0..5).map(|day| line(day + 1, &format!("t{day}"), surfaced("b"))));
    let learnings = [
        learning("a", 81, "The importer drops empty lines"),
        learning("b", 89, "Releases are made from main"),
        learning("c", 200, "The old build needs make"),
        learning("d", 10, "The cache of the parser is per thread"),
        personal(learning("own", 12, "Run the slow tests before lunch")),
    ];
    learned(&learnings, &lines)
}

#[test]
fn numbers_stand_beside_those_of_the_days_before() {
    let recorded = busy();
    insta::assert_snapshot!(recorded.verger(&["learn", "stats"]), @"
    learnings: 4 active, 1 archived, 0 superseded
                              all  7 d  before  30 d  before
    given to sessions           6    5       0     5       1
    used                        1    0       0     0       1
      reported by the agent     1    0       0     0       1
    hit rate                 17 %  0 %       -   0 %   100 %
    reflections                 1    0       0     0       0
    candidates kept             2    0       0     0       0
    rejected                    1    0       0     0       0
    pass rate                67 %    -       -     -       -
    skipped                     1    0       0     1       0
    archived                    1    1       0     1       0
    in use           learnings  given  used  hit rate
    pitfall                  4      6     1      17 %
    project                  3      6     1      17 %
    personal                 1      0     0         -
    high confidence          4      6     1      17 %
    rejected 1 x: has 5 characters; 10 to 200 would do
    rejected first, accepted later: The cache of the parser is per thread, now learn-d; the rejection said: has 5 characters; 10 to 200 would do
    decay-warning  1 learning will be archived within 7 days
      do           `verger learn archive --unused --dry-run` shows them; `verger ref ID` keeps one that is still useful
      which        learn-b
    over-surfaced  1 learning is given often, but hardly ever used
      do           archive useless ones: `verger learn archive learn-b`
      which        learn-b
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "stats", "--json"]), @r#"{"all":{"accepted":2,"archived":1,"corrected":0,"dismissed":0,"hit_rate":0.16666666666666666,"pass_rate":0.6666666666666666,"referenced":{"explicit":1,"implicit":0,"reflection":0},"reflections":1,"rejected":1,"restored":0,"skips":{"agent":1},"superseded":0,"surfaced":6},"by_category":{"convention":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"debugging":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"dependency":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"domain":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"pattern":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"pitfall":{"hit_rate":0.16666666666666666,"learnings":4,"referenced":1,"surfaced":6},"process":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0}},"by_confidence":{"high":{"hit_rate":0.16666666666666666,"learnings":4,"referenced":1,"surfaced":6},"low":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"medium":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0}},"by_scope":{"ephemeral":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0},"personal":{"hit_rate":null,"learnings":1,"referenced":0,"surfaced":0},"project":{"hit_rate":0.16666666666666666,"learnings":3,"referenced":1,"surfaced":6},"team":{"hit_rate":null,"learnings":0,"referenced":0,"surfaced":0}},"insights":[{"advice":"`verger learn archive --unused --dry-run` shows them; `verger ref ID` keeps one that is still useful","learnings":["learn-b"],"priority":2,"rule":"decay-warning","says":"1 learning will be archived within 7 days"},{"advice":"archive useless ones: `verger learn archive learn-b`","learnings":["learn-b"],"priority":2,"rule":"over-surfaced","says":"1 learning is given often, but hardly ever used"}],"learnings":{"active":4,"archived":1,"superseded":0},"misses":[{"at_ms":1787855961000,"learned":"The cache of the parser is per thread","learning":"learn-d","reasons":["has 5 characters; 10 to 200 would do"],"summary":"The cache of the parser is per thread"}],"problems":[],"reasons":[{"count":1,"reason":"has 5 characters; 10 to 200 would do"}],"trends":[{"before":{"accepted":0,"archived":0,"corrected":0,"dismissed":0,"hit_rate":null,"pass_rate":null,"referenced":{"explicit":0,"implicit":0,"reflection":0},"reflections":0,"rejected":0,"restored":0,"skips":{},"superseded":0,"surfaced":0},"days":7,"now":{"accepted":0,"archived":1,"corrected":0,"dismissed":0,"hit_rate":0.0,"pass_rate":null,"referenced":{"explicit":0,"implicit":0,"reflection":0},"reflections":0,"rejected":0,"restored":0,"skips":{},"superseded":0,"surfaced":5}},{"before":{"accepted":0,"archived":0,"corrected":0,"dismissed":0,"hit_rate":1.0,"pass_rate":null,"referenced":{"explicit":1,"implicit":0,"reflection":0},"reflections":0,"rejected":0,"restored":0,"skips":{},"superseded":0,"surfaced":1},"days":30,"now":{"accepted":0,"archived":1,"corrected":0,"dismissed":0,"hit_rate":0.0,"pass_rate":null,"referenced":{"explicit":0,"implicit":0,"reflection":0},"reflections":0,"rejected":0,"restored":0,"skips":{"agent":1},"superseded":0,"surfaced":5}}]}"#);
}

#[test]
fn without_a_word_everything_is_told() {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["stats"]), @"
    nothing recorded yet: no stop was refused and nothing was reviewed within 30 days
    a prompt that begins with #review asks for a review; verger config show review shows when else a review is needed
    nothing recorded yet: no stop was refused for a verification, and none ran, within 30 days
    verger config show verification.mode shows the mode
    nothing recorded yet: no habit gave advice, changed or denied a call within 30 days
    verger config show habits shows which are on
    verger learn stats says how learnings were used
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "--quiet"]), @"
    nothing recorded yet: no stop was refused and nothing was reviewed within 30 days
    nothing recorded yet: no stop was refused for a verification, and none ran, within 30 days
    nothing recorded yet: no habit gave advice, changed or denied a call within 30 days
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "--json"]), @r#"{"habits":{"days":30,"habits":{},"since_ms":1792175962000},"review":{"all":{"attempts":0,"blocks_per_approval":null,"decisions":{"complete":0,"issues":0,"unavailable":0},"first_block_to_approval_ms":{"median":null,"p90":null},"outcomes":{"bad_session_id":0,"no_decision":0,"not_spawned":0,"pending":0,"success":0},"passed_uncompared":0,"released":{"breaker":0,"limit":0,"person":0,"unavailable":0},"success_rate":null},"days":30,"let_go":[],"since_ms":1792175962000,"templates":[]},"verification":{"claims":0,"claims_without_green":0,"days":30,"refused":{"all":0,"always":0,"claim":0,"failure":0},"released":{"breaker":0,"limit":0,"person":0,"untrusted":0},"satisfied":0,"since_ms":1792175962000,"stops":0,"verifications":{"green":0,"incomplete":0,"red":0}}}"#);
}

#[test]
fn bad_lines_are_named_and_the_others_count() {
    let recorded = busy();
    let log = recorded.environment.read(".verger/stats.log");
    recorded.environment.write(".verger/stats.log", format!("<<<<<<< ours\n{log}"));
    let output = recorded.verger(&["learn", "stats"]);
    let without = |text: &str| text.lines().take(4).collect::<Vec<_>>().join("\n");
    assert_eq!(without(&output.stdout), without(&busy().verger(&["learn", "stats"]).stdout));
    insta::assert_snapshot!(output.stderr, @"verger: $ENV/home/project/.verger/stats.log:1: this is a conflict marker of git: remove it; the lines around it are used");
}

#[test]
fn insights_say_what_to_do() {
    let recorded = busy();
    let output = recorded.verger(&["learn", "stats"]).success().stdout;
    let advice = output.find("decay-warning").map(|at| &output[at..]).unwrap();
    insta::assert_snapshot!(advice, @"
    decay-warning  1 learning will be archived within 7 days
      do           `verger learn archive --unused --dry-run` shows them; `verger ref ID` keeps one that is still useful
      which        learn-b
    over-surfaced  1 learning is given often, but hardly ever used
      do           archive useless ones: `verger learn archive learn-b`
      which        learn-b
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "stats", "--rules"]), @"
    rubber-stamping         at least 10 learnings, and more than 90 % claim the same criterion
    decay-warning           at least 1 learning will be archived within 7 days
    stale-top-learning      the learning with the best hit rate, 50 % or more, was not used for 60 days
    low-hit-category        learnings of a category were given at least 10 times and used less than 30 % of the time
    write-gate-too-strict   at least 10 candidates, and less than 50 % were kept
    write-gate-too-loose    at least 10 candidates, more than 95 % were kept, and learnings are used less than 30 % of the time
    skip-miss               at least 1 learning came from a ticket whose reflection had been skipped, or, within 30 days, from files of such a ticket
    over-surfaced           a learning was given at least 5 times and used at most 10 % of the time
    high-cross-pollination  learnings of one ticket were used at least 3 times in another
    high-value-rare         learnings of a category were given at most 4 times and used more than 70 % of the time
    ");
    insta::assert_snapshot!(recorded.verger(&["learn", "stats", "--rules", "--json"]), @r#"{"rules":[{"priority":1,"rule":"rubber-stamping","when":"at least 10 learnings, and more than 90 % claim the same criterion"},{"priority":2,"rule":"decay-warning","when":"at least 1 learning will be archived within 7 days"},{"priority":2,"rule":"stale-top-learning","when":"the learning with the best hit rate, 50 % or more, was not used for 60 days"},{"priority":2,"rule":"low-hit-category","when":"learnings of a category were given at least 10 times and used less than 30 % of the time"},{"priority":2,"rule":"write-gate-too-strict","when":"at least 10 candidates, and less than 50 % were kept"},{"priority":2,"rule":"write-gate-too-loose","when":"at least 10 candidates, more than 95 % were kept, and learnings are used less than 30 % of the time"},{"priority":2,"rule":"skip-miss","when":"at least 1 learning came from a ticket whose reflection had been skipped, or, within 30 days, from files of such a ticket"},{"priority":2,"rule":"over-surfaced","when":"a learning was given at least 5 times and used at most 10 % of the time"},{"priority":3,"rule":"high-cross-pollination","when":"learnings of one ticket were used at least 3 times in another"},{"priority":3,"rule":"high-value-rare","when":"learnings of a category were given at most 4 times and used more than 70 % of the time"}]}"#);
    let nothing = Recorded::nothing();
    let json = recorded.verger(&["learn", "stats", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(nothing.verger(&["learn", "stats"]), @"
    nothing recorded yet: nothing was learned in this project
    verger reflect --example shows how an agent writes down what it learned
    ");
    insta::assert_snapshot!(json["insights"], @r#"[{"advice":"`verger learn archive --unused --dry-run` shows them; `verger ref ID` keeps one that is still useful","learnings":["learn-b"],"priority":2,"rule":"decay-warning","says":"1 learning will be archived within 7 days"},{"advice":"archive useless ones: `verger learn archive learn-b`","learnings":["learn-b"],"priority":2,"rule":"over-surfaced","says":"1 learning is given often, but hardly ever used"}]"#);
}
