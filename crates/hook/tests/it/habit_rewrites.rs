//! Tests rewritten calls. Some tests run the rewritten command lines with bash and git.

use serde_json::json;
use verger_event::Event;
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::{conversation, news};
use crate::habits::{begun, git};
use crate::log::Log;

const TRAILER: &str = "Co-Authored-By: Claude Opus 4.8 <noreply@anthropic.com>";
const CREDIT: &str = "🤖 Generated with [Claude Code](https://claude.com/claude-code)";

/// Commit messages with all characters that need quoting.
const MESSAGES: [&str; 6] = [
    "Fix the parser",
    "Fix the \"parser\" and it's $HOME `x` \\n \\",
    "解析を修正する\n\n- 一つ目\n- 二つ目 ©",
    "Subject\n\nBody with a    gap\n\n  indented\n\ttabbed\n\nCloses #5\nReviewed-by: Ada <ada@example.invalid>",
    "Claude in the subject\n\nCo-Authored-By: Claude Monet <claude@example.invalid>",
    "!important: 100% \"done\"; & | > < * ? [x] {a,b} ~ # no comment",
];

/// Ways to pass a message to `git commit` on a command line.
fn spellings(text: &str) -> Vec<String> {
    let single = format!("'{}'", text.replace('\'', "'\"'\"'"));
    let escape = |c: char| if "$`\"\\".contains(c) { format!("\\{c}") } else { c.to_string() };
    let double = format!("\"{}\"", text.chars().map(escape).collect::<String>());
    let ansi =
        text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\t', "\\t");
    vec![
        format!("git commit -q -m {double}"),
        format!("git commit -q -m{double}"),
        format!("git commit --quiet --message={double} --no-verify"),
        format!("git add a.txt && git commit -qm $'{ansi}' && git status --short"),
        format!("git commit -q -m \"$(cat <<'EOF'\n{text}\nEOF\n)\""),
        format!("git commit -q -F - <<'MESSAGE'\n{text}\nMESSAGE\n"),
        format!("git commit -q --file=- <<-'E' || true\n{text}\nE\n"),
        format!("cat <<'EOF' | git commit -q -F -\n{text}\nEOF\n"),
        format!("cat > .git/m <<'EOF'\n{text}\nEOF\ngit commit -q -F .git/m"),
        format!("A=1 env B=2 git -C . commit -q -m {double}; echo done"),
        format!("git commit -q -m {single}"),
    ]
}

fn message(environment: &TestEnvironment) -> String {
    environment.run("git", ["log", "-1", "--format=%B"], "").success().stdout
}

/// Runs a command line with bash. Returns the message of the new commit.
#[track_caller]
fn committed(environment: &TestEnvironment, line: &str) -> String {
    let before = environment.run("git", ["rev-list", "--count", "HEAD"], "").success().stdout;
    environment.write("a.txt", before);
    git(environment, &["add", "a.txt"]);
    let output = environment.run("bash", ["-c", line], "");
    assert!(output.is_success(), "{line}: {output}");
    message(environment)
}

#[test]
fn the_commit_of_a_changed_line_has_the_message_without_the_signature() {
    let conversation = begun("attribution = \"rewrite\"");
    let environment = TestEnvironment::with_repository();
    let mut changed = 0;
    for text in MESSAGES {
        let unsigned = spellings(text);
        for signature in [format!("\n\n{CREDIT}\n\n{TRAILER}"), format!("\n\n{TRAILER}")] {
            let signed = spellings(&format!("{text}{signature}"));
            for (unsigned, signed) in unsigned.iter().zip(signed) {
                let answer = conversation.bash(Speaker::Main, &signed);
                let Some(line) = answer.rewritten_line() else {
                    // Nested quotes may split the signature, so it can't be removed.
                    assert!(signed.contains("'\"'\"'"), "{signed}: {answer}");
                    assert_eq!(answer.word(), "deny", "{signed}");
                    continue;
                };
                assert_eq!(answer.verdict, None, "{signed}");
                assert_eq!(line, unsigned, "the line as it is without");
                changed += 1;
                if signature.contains(CREDIT) {
                    continue;
                }
                // The shell removes leading tabs after `<<-`.
                let text =
                    if line.contains("<<-") { text.replace("\n\t", "\n") } else { text.into() };
                assert_eq!(committed(&environment, line), format!("{text}\n\n"), "{line}");
                assert_eq!(
                    committed(&environment, &signed),
                    format!("{text}{signature}\n\n"),
                    "{signed}"
                );
            }
        }
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn trailers_and_paragraphs_of_their_own_go_as_a_whole() {
    let conversation = begun("attribution = \"rewrite\"");
    let environment = TestEnvironment::with_repository();
    for (line, expected) in [
        (
            format!("git commit -q -m Fix -m 'It was broken' -m '{CREDIT}' -m '{TRAILER}'"),
            "Fix\n\nIt was broken\n\n",
        ),
        (
            format!("git commit -q -m Fix --trailer '{TRAILER}' --trailer 'Reviewed-by: Ada'"),
            "Fix\n\nReviewed-by: Ada\n\n",
        ),
        (format!("git commit -q --trailer='{TRAILER}' \\\n  -m Fix"), "Fix\n\n"),
        (
            format!("git commit -q --cleanup=verbatim -m \"Fix\n\n{TRAILER}\nReviewed-by: Ada\n\""),
            "Fix\n\nReviewed-by: Ada\n\n",
        ),
    ] {
        let answer = conversation.bash(Speaker::Main, &line);
        let rewritten = answer.rewritten_line().unwrap_or_else(|| panic!("{line}: {answer}"));
        assert_eq!(committed(&environment, rewritten), expected, "{rewritten}");
    }
}

#[test]
fn the_agent_is_told_once_and_everything_else_of_the_call_stays() {
    let conversation = begun("attribution = \"rewrite\"\ndraft_pr = \"rewrite\"");
    let line = format!("gh pr create --fill --body 'What\n\n{CREDIT}'");
    let input = json!({ "command": line, "description": "Open it", "timeout": 1000 });
    insta::assert_snapshot!(conversation.tool(Speaker::Main, "Bash", &input), @r#"
    context: verger: it names a coding agent as an author (rule attribution), so the call was changed (removed: 🤖 Generated with [Claude Code](https://claude.com/claude-code)). From now on: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why. You are told this once.

    verger: agents open pull requests as drafts here, and a person marks them as ready (rule draft-pr), so the call was changed (added --draft). From now on: open it with `gh pr create --draft`. You are told this once.
    rewritten: {"command":"gh pr create --draft --fill --body 'What'","description":"Open it","timeout":1000}
    "#);
    insta::assert_snapshot!(conversation.tool(Speaker::Main, "Bash", &input), @r#"rewritten: {"command":"gh pr create --draft --fill --body 'What'","description":"Open it","timeout":1000}"#);
    insta::assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main call.rewritten habits: attribution, draft-pr
    main context.injected tool.requested: habits
    main context.injected tool.requested: habits
    main call.rewritten habits: attribution, draft-pr
    "#);
    let rewritten = Log::of(&conversation.environment).all().into_iter().find_map(|record| {
        match record.draft.event {
            Event::CallRewritten { by, rules, changes, input, grounds, .. } => {
                let settings = grounds.settings().iter();
                let settings: Vec<_> =
                    settings.map(|used| (used.key.clone(), used.value.clone())).collect();
                Some((by, rules, changes, input, settings))
            }
            _ => None,
        }
    });
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let setting = |key: &str| (key.to_owned(), "\"rewrite\"".to_owned());
    assert_eq!(
        rewritten.unwrap(),
        (
            "habits".into(),
            owned(&["attribution", "draft-pr"]),
            owned(&[&format!("removed: {CREDIT}"), "added --draft"]),
            json!({
                "command": "gh pr create --draft --fill --body 'What'",
                "description": "Open it", "timeout": 1000,
            }),
            vec![setting("habits.attribution"), setting("habits.draft_pr")],
        )
    );
}

#[test]
fn calls_that_cannot_be_rewritten_safely_are_denied() {
    let conversation = begun("attribution = \"rewrite\"");
    insta::assert_snapshot!(
        conversation.bash(Speaker::Main, &format!("git commit -m \"$(date)\n\n{TRAILER}\"")),
        @r#"
    deny: verger: this did not run: it names a coding agent as an author (rule attribution), and verger could not change the line safely. Instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why. Write the text out on the line, without variables and substitutions except `"$(cat <<'EOF' ...)"`.
    notice: verger denied a call of the agent: it names a coding agent as an author (rule attribution). `verger why --last` explains it and names the setting.
    "#
    );
    for line in [
        format!("bash -c \"git commit -m 'Fix\n\n{TRAILER}'\""),
        format!("git commit -m '{TRAILER}'"),
        format!("m='Fix\n\n{TRAILER}'; git commit -m \"$m\""),
        format!("git commit -F - <<E\nFix $x\n\n{TRAILER}\nE\n"),
        format!("git commit -F - <<< 'Fix\n\n{TRAILER}'"),
        format!("printf 'Fix\\n\\n{TRAILER}\\n' | git commit -F -"),
        format!("echo `git commit -m 'Fix\n\n{TRAILER}'`"),
        // The line shows two habits, and one of them can't be rewritten.
        format!("git commit -m 'Fix\n\n{TRAILER}' && git commit -m '{CREDIT}'"),
    ] {
        let answer = conversation.bash(Speaker::Main, &line);
        assert_eq!((answer.word(), &answer.rewritten), ("deny", &None), "{line}: {answer}");
    }
}

#[test]
fn denied_calls_are_not_rewritten() {
    let settings =
        "[guard]\nmode = \"enforce\"\n[habits]\nattribution = \"rewrite\"\nadd_all = \"deny\"\n";
    let conversation = conversation();
    conversation.configure(settings);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    let signed = format!("git commit -m 'Fix\n\n{TRAILER}'");
    for line in [format!("git reset --hard && {signed}"), format!("git add -A && {signed}")] {
        let answer = conversation.bash(Speaker::Main, &line);
        assert_eq!(
            (answer.word(), &answer.rewritten, &answer.context),
            ("deny", &None, &None),
            "{line}"
        );
    }
    let records = Log::of(&conversation.environment).all();
    let is_change = |event: &Event| {
        matches!(event, Event::CallRewritten { .. } | Event::ContextInjected { .. })
    };
    assert!(!records.iter().any(|record| is_change(&record.draft.event)));
    let told = conversation.bash(Speaker::Main, &signed);
    assert!(told.context.is_some() && told.rewritten.is_some(), "{told}");
    assert_eq!(told.verdict, None, "and it is no approval");
}

/// If the user's rules approve a command line and also its rewritten form, the rewritten form is
/// approved.
#[test]
fn an_approval_holds_for_the_line_that_runs() {
    let conversation = conversation();
    let rules = "[[rule]]\nname = \"commit\"\nverdict = \"allow\"\ncommand = \"git commit\"\n\
                 options = \"-m=\"\noperands = \"none\"\nmatch = [\"git commit -m x\"]\nnot_match = [\"git commit -a\"]\n\
                 [[rule]]\nname = \"pr\"\nverdict = \"allow\"\ncommand = \"gh pr create\"\n\
                 options = \"--fill\"\noperands = \"none\"\nmatch = [\"gh pr create --fill\"]\nnot_match = [\"gh pr create\"]\n";
    let path = conversation.environment.verger_home().join("config/guard.toml");
    conversation.environment.write(path, rules);
    let settings = "[guard]\nmode = \"enforce\"\n[habits]\nattribution = \"rewrite\"\ndraft_pr = \"rewrite\"\n";
    conversation.configure(settings);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    let word = |line: &str| {
        let answer = conversation.bash(Speaker::Main, line);
        (answer.word().to_owned(), answer.rewritten_line().map(str::to_owned))
    };
    let line = |line: &str| Some(line.to_owned());
    assert_eq!(word("git commit -m Fix"), ("allow".to_owned(), None));
    assert_eq!(
        word(&format!("git commit -m 'Fix\n\n{TRAILER}'")),
        ("allow".to_owned(), line("git commit -m 'Fix'"))
    );
    assert_eq!(
        word("gh pr create --fill"),
        ("silence".to_owned(), line("gh pr create --draft --fill"))
    );
}

#[test]
fn a_second_report_of_the_same_call_says_nothing_else() {
    let conversation = begun("attribution = \"rewrite\"");
    let input = json!({ "command": format!("git commit -m 'Fix\n\n{TRAILER}'") });
    let changes = [("tool_input", input), ("tool_use_id", json!("toolu_same"))];
    assert!(conversation.call("PreToolUse-Bash", &changes).rewritten.is_some());
    assert_eq!(conversation.call("PreToolUse-Bash", &changes), HookAnswer::default());
}

#[test]
fn a_conversation_goes_on_with_other_tools_untouched() {
    let conversation: Conversation = begun("attribution = \"rewrite\"");
    let text = format!("Fix\n\n{TRAILER}");
    let input =
        json!({ "file_path": conversation.environment.project().join("m"), "content": text });
    assert_eq!(conversation.tool(Speaker::Main, "Write", &input), HookAnswer::default());
}
