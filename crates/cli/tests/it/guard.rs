//! `verger guard`.

use std::fs;

use serde_json::Value;
use verger_event::{Event, GuardMode, Sent, Triage};
use verger_testkit::TerminalSize;

use crate::recorded::Recorded;

const RULES: &str = r#"# Mine.
[[rule]]
name = "tidy-trees"
verdict = "allow"
command = "rm"
options = "-r -f"
operands = "files"
match = ["rm -rf src"]

[[rule]]
name = "keep-old"
verdict = "deny"
command = "rm"
with = "old"
why = "it is the only copy"
match = ["rm old"]
not_match = ["rm new"]
"#;

fn with_rules(rules: &str) -> Recorded {
    let recorded = Recorded::nothing();
    let file = recorded.environment.verger_home().join("config/guard.toml");
    recorded.environment.write(file, rules);
    recorded
}

#[test]
fn every_command_of_a_line_is_explained() {
    let recorded = Recorded::nothing();
    let explain = |line: &str| recorded.verger(&["guard", "explain", line]);
    insta::assert_snapshot!(explain("ls -la && rm -rf ./src"), @r#"
    deny: it permanently removes a whole directory (rule remove-tree)
    instead    name the files to remove, or ask the person to remove the directory
    command 1  ls -la
               allow: it only reads (rule list-files)
    command 2  rm -rf ./src
               deny: it permanently removes a whole directory (rule remove-tree)
    "#);
    insta::assert_snapshot!(explain("git status"), @"
    allow: it only reads (rule git-status)
    command 1        git status
                     allow: it only reads (rule git-status)
    applies only if  git's settings in $ENV/home/project start no programs
    applies only if  the program's name does not resolve to a program of the worktree
    ");
    insta::assert_snapshot!(explain("X=1 frob \"$X\" $(date) > out"), @r#"
    unknown: no rule matches this call of `frob` (rule no-rule)
    command 1       X=1 frob <$X> <$(date)> > out
                    unknown: no rule matches this call of `frob` (rule no-rule)
    command 2       date
                    allow: it only reads (rule date)
    command 3 in 1  frob 1 <$(date)> > out
                    unknown: no rule matches this call of `frob` (rule no-rule)
    "#);
    insta::assert_snapshot!(explain("echo 'open"), @r#"
    unknown: parts of it are not valid shell syntax (rule unread)
    command 1  echo
               allow: it only reads (rule say)
    the line   unknown: parts of it are not valid shell syntax (rule unread)
    not read   not shell syntax: echo 'open
    "#);
    insta::assert_snapshot!(explain(""), @"unknown: it runs nothing (rule nothing-to-run)");
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "rm -rf \"$D\"", "--json"]), @r#"{"command":"rm -rf \"$D\"","commands":[{"assignments":[],"findings":[{"instead":"name the files to remove, or ask the person to remove the directory","rule":"remove-tree","verdict":"deny","why":"it permanently removes a whole directory"}],"redirects":[],"within":null,"words":[{"literal":true,"text":"rm"},{"literal":true,"text":"-rf"},{"literal":false,"text":"$D"}]}],"conditions":[],"habits":[],"instead":"name the files to remove, or ask the person to remove the directory","line":[],"rule":"remove-tree","unread":[],"verdict":"deny","why":"it permanently removes a whole directory"}"#);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain"]), @r#"
    ------- stderr -------
    error: the following required arguments were not provided:
      <COMMAND>

    Usage: verger guard explain <COMMAND>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}

#[test]
fn lines_of_json_are_judged_one_by_one() {
    let recorded = Recorded::nothing();
    let input = concat!(
        r#"{"id":1,"command":"ls"}"#,
        "\n\n",
        r#"{"id":"b","command":"rm -rf /"}"#,
        "\nno json\n",
        r#"{"id":[2]}"#,
        "\n",
        r#"{"command":"frobnicate"}"#,
    );
    let program = env!("CARGO_BIN_EXE_verger");
    let explain = |arguments: &[&str]| {
        let arguments = [&["guard", "explain", "--stdin"], arguments].concat();
        let output = recorded.environment.run(program, arguments, input);
        assert_eq!(output.code, 1);
        output.stdout
    };
    let lines = explain(&["--jsonl"]);
    assert_eq!(explain(&[]), lines);
    let one: Value = serde_json::from_str(&explain(&["--json"])).unwrap();
    let parsed: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(one["verdicts"].as_array(), Some(&parsed));
    let both = recorded.verger(&["guard", "explain", "--stdin", "--json", "--jsonl"]);
    assert_eq!(both.code, 2, "{both}");
    let answers: Vec<String> = lines
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap();
            format!("{} {} {} {}", answer["id"], answer["verdict"], answer["rule"], answer["error"])
        })
        .collect();
    insta::assert_snapshot!(answers.join("\n"), @r#"
    1 "allow" "list-files" null
    "b" "deny" "remove-root-or-home" null
    null null null "the line is not JSON: expected ident at line 1 column 2"
    [2] null null "there is no \"command\""
    null "unknown" "no-rule" null
    "#);
}

#[test]
fn a_worktree_can_be_assumed_to_be_trusted_and_can_be_trusted() {
    let rules = r#"[[rule]]
name = "frob-build"
verdict = "build"
command = "frob build"
match = ["frob build"]
"#;
    let recorded = with_rules(rules);
    let verdict = |arguments: &[&str]| {
        let arguments = [&["guard", "explain", "--json"], arguments].concat();
        let answer: Value =
            serde_json::from_str(&recorded.verger(&arguments).success().stdout).unwrap();
        format!("{} {}", answer["verdict"], answer["why"])
    };
    insta::assert_snapshot!(verdict(&["frob build"]), @r#""unknown" "this project is not trusted""#);
    insta::assert_snapshot!(verdict(&["frob build", "--trusted"]), @r#""allow" "a rule of the user approves it""#);
    insta::assert_snapshot!(verdict(&["cd / && frob build", "--trusted"]), @r#""unknown" "no rule matches this call of `frob`""#);
    assert_eq!(recorded.verger(&["trust", "--yes"]).code, 0);
    insta::assert_snapshot!(verdict(&["frob build"]), @r#""allow" "a rule of the user approves it""#);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "frob build"]), @"
    allow: a rule of the user approves it (rule frob-build)
    command 1        frob build
                     allow: a rule of the user approves it (rule frob-build)
    applies only if  you trust the worktree of $ENV/home/project (verger trust)
    applies only if  the program's name does not resolve to a program of the worktree
    ");
}

#[test]
fn a_users_rules_count_and_one_with_a_typo_is_named() {
    let recorded = with_rules(&RULES.replace("operands", "operand"));
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "rm old"]), @r#"
    deny: it is the only copy (rule keep-old)
    command 1  rm old
               deny: it is the only copy (rule keep-old)
    ------- stderr -------
    verger: $ENV/home/.verger/config/guard.toml:7:1: rule "tidy-trees" is ignored: unknown key "operand"; did you mean "operands"?
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "rm -rf src", "-q"]), @r#"
    deny: it permanently removes a whole directory (rule remove-tree)
    instead    name the files to remove, or ask the person to remove the directory
    command 1  rm -rf src
               deny: it permanently removes a whole directory (rule remove-tree)
    "#);
    let floor = recorded.verger(&["guard", "explain", "rm -rf ~", "-q"]).success().stdout;
    assert!(floor.starts_with("deny: "), "{floor}");
    insta::assert_snapshot!(recorded.verger(&["guard", "rules", "keep-old"]), @r#"
    from       yours
    name       keep-old
    verdict    deny
    command    rm
    with       old
    why        it is the only copy
    match      rm old
    not_match  rm new
    ------- stderr -------
    verger: $ENV/home/.verger/config/guard.toml:7:1: rule "tidy-trees" is ignored: unknown key "operand"; did you mean "operands"?
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "rules", "keep-old", "--toml", "-q"]), @r#"
    [[rule]]
    name = "keep-old"
    verdict = "deny"
    command = "rm"
    with = "old"
    why = "it is the only copy"
    match = ["rm old"]
    not_match = ["rm new"]
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "rules", "keep-old", "--json"]), @r#"{"problems":["$ENV/home/.verger/config/guard.toml:7:1: rule \"tidy-trees\" is ignored: unknown key \"operand\"; did you mean \"operands\"?"],"rules":[{"command":"rm","floor":false,"from":"yours","match":["rm old"],"name":"keep-old","not_match":["rm new"],"verdict":"deny","why":"it is the only copy","with":"old"}]}"#);
    insta::assert_snapshot!(recorded.verger(&["guard", "rules", "keep-odl", "-q"]), @r#"
    ------- stderr -------
    verger: no rule is called "keep-odl"
    hint: verger guard rules keep-old
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_project_only_tightens() {
    let recorded = Recorded::nothing();
    recorded.environment.write(".verger/guard.toml", RULES);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "rm old", "-q"]), @r#"
    deny: it is the only copy (rule keep-old)
    command 1  rm old
               deny: it is the only copy (rule keep-old)
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "rm -rf src"]), @r#"
    deny: it permanently removes a whole directory (rule remove-tree)
    instead    name the files to remove, or ask the person to remove the directory
    command 1  rm -rf src
               deny: it permanently removes a whole directory (rule remove-tree)
    ------- stderr -------
    verger: $ENV/home/project/.verger/guard.toml:4:1: rule "tidy-trees" is ignored: a project's rules can only be risky or deny; put it into your own guard.toml
    "#);
}

/// The problems of rules in files, without those of the built-in rules.
fn problems_of_files(recorded: &Recorded) -> String {
    let output = recorded.verger(&["guard", "rules", "--check", "--json"]);
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    let problems = answer["problems"].as_array().unwrap().iter();
    let of_files = problems.filter(|problem| !problem.to_string().contains("(built in)"));
    of_files.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn check_names_what_does_not_do_what_it_says() {
    let recorded = with_rules(RULES);
    let problems = || problems_of_files(&recorded);
    assert_eq!(problems(), "");
    let file = recorded.environment.verger_home().join("config/guard.toml");
    let wrong = RULES.replace("rm new", "rm old").replace("rm -rf src", "rm -rf old");
    recorded.environment.write(&file, wrong);
    let config = recorded.environment.verger_home().join("config/config.toml");
    recorded.environment.write(config, "[guard]\nallow_dangerous = [\"no-such\"]\n");
    insta::assert_snapshot!(problems(), @r#"
    {"code":"failed-example","message":"rule keep-old (yours) fits its counterexample: rm old","rule":"keep-old"}
    {"code":"contradiction","message":"rule tidy-trees approves a command that rule keep-old rejects, and keep-old takes precedence: rm -rf old","rule":"tidy-trees"}
    {"code":"nothing-to-lift","message":"guard.allow_dangerous names \"no-such\", but no floor rule has this name","rule":"no-such"}
    "#);
    let text = recorded.verger(&["guard", "rules", "--check"]);
    assert_eq!(text.code, 1);
    let last: Vec<_> = text.stdout.lines().rev().skip(1).take(3).collect();
    insta::assert_snapshot!(last.join("\n"), @r#"
    guard.allow_dangerous names "no-such", but no floor rule has this name
    rule tidy-trees approves a command that rule keep-old rejects, and keep-old takes precedence: rm -rf old
    rule keep-old (yours) fits its counterexample: rm old
    "#);
    recorded.environment.write(file, b"[[rule]]\n\xff");
    insta::assert_snapshot!(problems(), @r#"
    {"code":"not-utf8","message":"$ENV/home/.verger/config/guard.toml:2:1: the file is not UTF-8 from here on and is ignored","rule":null}
    {"code":"nothing-to-lift","message":"guard.allow_dangerous names \"no-such\", but no floor rule has this name","rule":"no-such"}
    "#);
}

#[test]
fn the_rules_of_the_documentation_do_what_they_say() {
    let page = include_str!("../../../../docs/guard-rules.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let rules: Vec<_> = blocks.filter(|block| block.contains("[[rule]]")).collect();
    let recorded = with_rules(&rules.concat());
    assert_eq!(problems_of_files(&recorded), "");
    let listed = recorded.verger(&["guard", "rules"]).success().stdout;
    let listed: Vec<_> = listed.lines().filter(|line| line.contains("(yours)")).collect();
    insta::assert_snapshot!(listed.join("\n"), @"
    allow  fly-status                     fly|flyctl status  (yours)
    deny   no-deploy                      fly|flyctl deploy  (yours)
    ");
}

#[test]
fn ten_thousand_rules_of_the_user_are_read() {
    let rules: Vec<_> = (0..10_000)
        .map(|n| {
            format!(
                "[[rule]]\nname = \"r{n}\"\nverdict = \"deny\"\ncommand = \"tool{n}\"\nmatch = [\"tool{n}\"]\n"
            )
        })
        .collect();
    let recorded = with_rules(&rules.concat());
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "tool9999", "-q"]), @r#"
    deny: a rule of the user or the project rejects it (rule r9999)
    command 1  tool9999
               deny: a rule of the user or the project rejects it (rule r9999)
    "#);
}

/// A session in which a person approved a command this number of times.
fn approved(line: &str, times: usize) -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.event("1111", "UserPromptSubmit", r#""prompt_id":"p1","prompt":"go""#);
    for n in 0..times {
        let call = format!(
            r#""prompt_id":"p1","tool_name":"Bash","tool_input":{{"command":"{line}","n":{n}}}"#
        );
        recorded.event("1111", "PermissionRequest", &call);
        let done = format!(r#"{call},"tool_use_id":"t{n}","tool_response":{{"stdout":""}}"#);
        recorded.event("1111", "PostToolUse", &done);
    }
    recorded
}

#[test]
fn repeated_approvals_become_a_rule_on_request() {
    let recorded = approved("frob fmt", 3);
    insta::assert_snapshot!(recorded.verger(&["guard", "suggest"]), @r#"
    # approved 3 times
    [[rule]]
    name = "frob-fmt"
    verdict = "allow"
    command = "frob fmt"
    why = "you approved it several times"
    match = ["frob fmt"]
    not_match = ["frob fmt --never-seen", "frob fmt something-else"]

    verger guard suggest --accept frob-fmt adds it to your guard.toml
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "suggest", "--json"]), @r#"{"suggestions":[{"command":"frob fmt","floor":false,"from":"yours","match":["frob fmt"],"name":"frob-fmt","not_match":["frob fmt --never-seen","frob fmt something-else"],"times":3,"verdict":"allow","why":"you approved it several times"}]}"#);
    insta::assert_snapshot!(recorded.verger(&["guard", "suggest", "--accept", "frob-fmt"]), @r#"
    ------- stderr -------
    verger: only a person at a terminal may run `verger guard suggest --accept`
    hint: run it in a terminal
    ------- exit code 4 -------
    "#);
    let file = recorded.environment.verger_home().join("config/guard.toml");
    assert!(!file.exists());
    recorded.environment.write(&file, "# kept\n[[rule]]\nname = \"a\" # odd");
    let accept = ["guard", "suggest", "--accept", "frob-fmt"];
    insta::assert_snapshot!(recorded.at_terminal(&accept, TerminalSize::USUAL), @r#"
    added frob-fmt to $ENV/home/.verger/config/guard.toml
    verger guard rules --check runs its examples
    "#);
    insta::assert_snapshot!(fs::read_to_string(&file).unwrap(), @r#"
    # kept
    [[rule]]
    name = "a" # odd

    [[rule]]
    name = "frob-fmt"
    verdict = "allow"
    command = "frob fmt"
    why = "you approved it several times"
    match = ["frob fmt"]
    not_match = ["frob fmt --never-seen", "frob fmt something-else"]
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "explain", "frob fmt", "-q"]), @"
    allow: you approved it several times (rule frob-fmt)
    command 1        frob fmt
                     allow: you approved it several times (rule frob-fmt)
    applies only if  the program's name does not resolve to a program of the worktree
    ");
    insta::assert_snapshot!(recorded.verger(&["guard", "suggest"]), @"no command that you approved often fits a narrow rule");
    insta::assert_snapshot!(recorded.at_terminal(&accept, TerminalSize::USUAL), @r#"
    verger: no proposal is called "frob-fmt"
    hint: verger guard suggest lists the proposals
    ------- exit code 2 -------
    "#);
}

#[test]
fn twice_is_not_often() {
    let recorded = approved("frob fmt", 2);
    insta::assert_snapshot!(recorded.verger(&["guard", "suggest"]), @"no command that you approved often fits a narrow rule");
}

#[test]
fn one_call_is_let_run_by_a_person() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let once = ["guard", "allow-once", "rm -rf ./src"];
    insta::assert_snapshot!(recorded.verger(&once), @r#"
    ------- stderr -------
    verger: only a person at a terminal may run `verger guard allow-once`
    hint: run it in a terminal
    ------- exit code 4 -------
    "#);
    let by_person = |arguments: &[&str]| recorded.at_terminal(arguments, TerminalSize::USUAL);
    insta::assert_snapshot!(by_person(&once), @r#"
    allowed once, within ten minutes: rm -rf ./src
    guard.mode is not enforce here, so the guard stops no call
    "#);
    insta::assert_snapshot!(recorded.kinds_after(1), @"gate.changed             guard: guarding -> released, a person lets it run once");
    insta::assert_snapshot!(by_person(&["guard", "allow-once", "rm -rf /", "--session", "1111"]), @r#"
    verger: this command cannot be allowed: it removes the system, a home directory or a repository with its history (rule remove-root-or-home)
    hint: you can run the command yourself in a terminal
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(by_person(&["guard", "allow-once", "rm x", "--json"]), @r#"{"call":"rm x","session":"1111","until_ms":1794768562000}"#);
    insta::assert_snapshot!(by_person(&["guard", "allow-once"]), @r#"
    verger: the guard stopped no call in session 1111
    hint: verger guard allow-once "COMMAND"
    ------- exit code 2 -------
    "#);
}

#[test]
fn verdicts_and_answers_of_the_guard_are_counted() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let asked = r#""tool_name":"Bash","tool_input":{"command":"frob"}"#;
    recorded.event("1111", "PermissionRequest", asked);
    let judged = |triage, rule: &str, mode, sent| {
        let (rule, why) = (rule.to_owned(), "it is so".to_owned());
        move |on| Event::GuardJudged { on, triage, rule, why, mode, sent }
    };
    let (observe, enforce) = (GuardMode::Observe, GuardMode::Enforce);
    recorded.own_event("1111", 2, judged(Triage::Allow, "list", observe, Sent::Silence));
    for (triage, rule, mode, sent) in [
        (Triage::Allow, "list", observe, Sent::Silence),
        (Triage::Deny, "remove", observe, Sent::Silence),
        (Triage::Allow, "list", enforce, Sent::Allow),
        (Triage::Risky, "write", enforce, Sent::Ask),
        (Triage::Risky, "write", enforce, Sent::Deny),
        (Triage::Deny, "remove", enforce, Sent::Deny),
    ] {
        recorded.own_event("1111", 1, judged(triage, rule, mode, sent));
    }
    insta::assert_snapshot!(recorded.verger(&["guard", "stats"]), @"
    the guard within 30 days; 1 question for a person
                                                 enforce  observe
    calls that the guard would approve                 1        1
    calls that a person should see                     2        0
    calls that the guard would deny                    1        1
    questions that an approval would have saved        0        1
    approvals given                                    1        0
    left to a person                                   1        0
    denials given                                      2        0
    rules that decided most often  verdict  times
    list                             allow      2
    write                            risky      2
    remove                            deny      2
    verger guard suggest proposes rules for what you keep approving
    ");
    insta::assert_snapshot!(recorded.verger(&["guard", "stats", "--here", "--json"]), @r#"{"days":30,"dialogs":1,"habits":{},"modes":{"enforce":{"allow":1,"deny":1,"dialogs_saved":0,"risky":2,"sent":{"allow":1,"ask":1,"deny":2}},"observe":{"allow":1,"deny":1,"dialogs_saved":1,"risky":0,"sent":{"allow":0,"ask":0,"deny":0}}},"rules":[{"rule":"list","times":2,"verdict":"allow"},{"rule":"write","times":2,"verdict":"risky"},{"rule":"remove","times":2,"verdict":"deny"}],"since_ms":1792175970000}"#);
    insta::assert_snapshot!(recorded.verger(&["guard", "stats", "--session", "1", "--days", "1", "-q"]), @r#"
                                                 enforce  observe
    calls that the guard would approve                 1        1
    calls that a person should see                     2        0
    calls that the guard would deny                    1        1
    questions that an approval would have saved        0        1
    approvals given                                    1        0
    left to a person                                   1        0
    denials given                                      2        0
    rules that decided most often  verdict  times
    list                             allow      2
    write                            risky      2
    remove                            deny      2
    "#);
    insta::assert_snapshot!(recorded.verger(&["guard", "stats", "--session", "2"]), @r#"
    ------- stderr -------
    verger: no session begins with "2"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
    recorded.pass_days(31);
    insta::assert_snapshot!(recorded.verger(&["guard", "stats", "-q"]), @"nothing recorded yet: the guard judged nothing within 30 days");
}

#[test]
fn the_doctor_names_rules_that_do_not_do_what_they_say() {
    let recorded = with_rules(&RULES.replace("rm new", "rm old"));
    let report = recorded.verger(&["doctor", "--quiet"]).stdout;
    let named: Vec<_> = report.lines().filter(|line| line.contains("guard rules")).collect();
    insta::assert_snapshot!(named.join("\n"), @"
    problem  guard rules     rule keep-old (yours) fits its counterexample: rm old
                             verger guard rules --check
    ");
}

#[test]
fn a_guard_that_judged_nothing_says_so() {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["guard", "stats"]), @"
    nothing recorded yet: the guard judged nothing within 30 days
    verger config show guard.mode shows the mode
    ");
    insta::assert_snapshot!(recorded.verger(&["guard", "stats", "--json"]), @r#"{"days":30,"dialogs":0,"habits":{},"modes":{},"rules":[],"since_ms":1792175962000}"#);
}
