//! The output of commands about habits: explanations, traces and counts.

use serde_json::json;

use crate::recorded::Recorded;

const ON: &str = "[habits]\nadd_all = \"deny\"\nattribution = \"rewrite\"\ndraft_pr = \"rewrite\"\nmerge = \"advise\"\n";

const SIGNED: &str = "git commit -m \"Fix\n\nCo-Authored-By: Claude <noreply@anthropic.com>\"";

fn set() -> Recorded {
    let recorded = Recorded::nothing();
    recorded.environment.write(".verger/config.toml", ON);
    recorded
}

/// A session in which an agent tried to run these lines.
fn ran(lines: &[&str]) -> Recorded {
    let mut recorded = set();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    for (number, line) in lines.iter().enumerate() {
        let call = json!({
            "tool_use_id": format!("t{number}"), "tool_name": "Bash", "tool_input": { "command": line },
        });
        let fields = call.to_string();
        let fields = &fields[1..fields.len() - 1];
        assert_ne!(recorded.answered("1111", "PreToolUse", fields), "", "{line}");
    }
    recorded
}

#[test]
fn a_line_is_explained_with_the_habits_that_it_shows() {
    let recorded = set();
    let explain = |line: &str| recorded.verger(&["guard", "explain", line]);
    insta::assert_snapshot!(explain(&format!("git add -A && {SIGNED}")), @"
    unknown: no rule matches this call of `git` (rule no-rule)
    command 1  git add -A
               unknown: no rule matches this call of `git` (rule no-rule)
    command 2  git commit -m 'Fix  Co-Authored-By: Claude <noreply@anthropic.com>'
               unknown: no rule matches this call of `git` (rule no-rule)
    habit      add-all, denied: it stages every change in the working tree; instead: name the files of the change, as in `git add PATH`, and commit without `-a`
    habit      attribution, changed (Claude Code): it names a coding agent as an author; instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why
    habit      attribution, denied (Codex, Gemini CLI, Copilot CLI): it names a coding agent as an author; instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why
    ");
    insta::assert_snapshot!(explain(SIGNED), @r#"
    unknown: no rule matches this call of `git` (rule no-rule)
    command 1  git commit -m 'Fix  Co-Authored-By: Claude <noreply@anthropic.com>'
               unknown: no rule matches this call of `git` (rule no-rule)
    habit      attribution, changed (Claude Code): it names a coding agent as an author; instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why
      runs as  git commit -m "Fix"
    habit      attribution, denied (Codex, Gemini CLI, Copilot CLI): it names a coding agent as an author; instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why
    "#);
    insta::assert_snapshot!(explain("sh -c 'gh pr create'"), @r#"
    unknown: no rule matches this call of `gh` (rule no-rule)
    command 1       sh -c 'gh pr create'
                    allow: it only reads (rule shell)
    command 2 in 1  gh pr create
                    unknown: no rule matches this call of `gh` (rule no-rule)
    habit           draft-pr, denied, because it cannot be changed safely: agents open pull requests as drafts here, and a person marks them as ready; instead: open it with `gh pr create --draft`
    "#);
    let json =
        recorded.verger(&["guard", "explain", "gh pr create --fill", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["habits"].to_string(), @r#"[{"agents":["Claude Code"],"instead":"open it with `gh pr create --draft`","outcome":"changed","rule":"draft-pr","runs_as":"gh pr create --draft --fill","why":"agents open pull requests as drafts here, and a person marks them as ready"},{"agents":["Codex","Gemini CLI","Copilot CLI"],"instead":"open it with `gh pr create --draft`","outcome":"denied","rule":"draft-pr","runs_as":null,"why":"agents open pull requests as drafts here, and a person marks them as ready"}]"#);
    assert!(!explain("git status").to_string().contains("habit"));
}

#[test]
fn denied_changed_and_reported_calls_are_explained() {
    let denied = ran(&["git add -A"]);
    insta::assert_snapshot!(denied.verger(&["why", "--last"]), @r#"
    Denied: `git add -A` stages every change in the working tree (rule add-all).

    event        tool.requested at 1111:2
    id           01M7G83GVR0000000000000068
    when         2026-11-15 18:39:23
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what         Bash git add -A
    answer       deny: verger: this did not run: it stages every change in the working tree (rule add-all). Instead: name the files of the change, as in `git add PATH`, and commit without `-a`. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, tell the person.
    told person  verger denied a call of the agent: it stages every change in the working tree (rule add-all). `verger why --last` explains it and names the setting.
    habits       said so
      rule       add-all
      fact       why = it stages every change in the working tree
      setting    habits.add_all = "deny" ($ENV/home/project/.verger/config.toml:2)
    "#);
    let changed = ran(&[SIGNED, SIGNED]);
    insta::assert_snapshot!(changed.verger(&["why", "--last"]), @r#"
    Changed: the call was changed before it ran (habits: attribution).

    event      tool.requested at 1111:5
    id         01M7G83HV0000000000000009C
    when       2026-11-15 18:39:24
    session    1111 of claude
    directory  $ENV/home/project
    who        the agent
    what       Bash git commit -m "Fix  Co-Authored-By: Claude <noreply@anthropic.com>"
    changed    the call, by habits: attribution
      how      removed: Co-Authored-By: Claude <noreply@anthropic.com>
      ran as   git commit -m "Fix"
      setting  habits.attribution = "rewrite" ($ENV/home/project/.verger/config.toml:3)
    "#);
    insta::assert_snapshot!(changed.verger(&["session", "trace", "1111"]), @r#"
    1  2026-11-15 18:39:22  session.started          startup
    2  2026-11-15 18:39:23  tool.requested           Bash git commit -m "Fix  Co-Authored-By: Claude <noreply@anthropic.com>"
    3  2026-11-15 18:39:23  call.rewritten           by habits (attribution): removed: Co-Authored-By: Claude <noreply@anthropic.com>
    4  2026-11-15 18:39:23  context.injected         verger: it names a coding agent as an author (rule attribution), so the call was changed (removed: C…
    5  2026-11-15 18:39:24  tool.requested           Bash git commit -m "Fix  Co-Authored-By: Claude <noreply@anthropic.com>"
    6  2026-11-15 18:39:24  call.rewritten           by habits (attribution): removed: Co-Authored-By: Claude <noreply@anthropic.com>
    "#);
}

#[test]
fn the_effects_of_habits_are_counted() {
    let recorded = ran(&["git add -A", "git add .", SIGNED, SIGNED, "gh pr merge 5"]);
    insta::assert_snapshot!(recorded.verger(&["guard", "stats"]), @"
    the guard within 30 days; 0 questions for a person
                                    observe
    calls that a person should see        1
    rules that decided most often  verdict  times
    gh-change                        risky      1
    habits       told  changed  denied
    add-all         0        0       2
    attribution     1        2       0
    merge           1        0       0
    verger guard suggest proposes rules for what you keep approving
    ");
    let json = recorded.verger(&["guard", "stats", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let figures = |told: u64, changed: u64, denied: u64| json!({ "told": told, "changed": changed, "denied": denied });
    let expected = json!({
        "add-all": figures(0, 0, 2),
        "attribution": figures(1, 2, 0),
        "merge": figures(1, 0, 0),
    });
    assert_eq!(json["habits"], expected);
    insta::assert_snapshot!(recorded.verger(&["stats", "habits"]), @r#"
    habits within 30 days
    habits       told  changed  denied
    add-all         0        0       2
    attribution     1        2       0
    merge           1        0       0
    "#);
    let json = recorded.verger(&["stats", "habits", "--days", "1", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["days"], &json["habits"]), (&json!(1), &expected));
    let mut later = recorded;
    later.pass_days(10);
    insta::assert_snapshot!(later.verger(&["stats", "habits", "--days", "5"]), @"
    nothing recorded yet: no habit gave advice, changed or denied a call within 5 days
    verger config show habits shows which are on
    ");
}

#[test]
fn a_projects_habits_are_reported() {
    let recorded = set();
    let status = recorded.verger(&["status"]).success().stdout;
    let line = status.lines().find(|line| line.starts_with("habits")).unwrap();
    insta::assert_snapshot!(line, @r#"habits        on, habits.add_all = "deny" (~/project/.verger/config.toml:2), habits.attribution = "rewrite" (~/project/.verger/config.toml:3), habits.draft_pr = "rewrite" (~/project/.verger/config.toml:4), habits.merge = "advise" (~/project/.verger/config.toml:5): stops calls that a project does not want, such as `git add -A`"#);
}
