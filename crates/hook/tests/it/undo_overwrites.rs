//! Tests that files are saved before an ordinary command removes or overwrites them.

use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::{ENFORCE, begun};
use crate::undo_faults::{FAILS, plain, with_git};
use crate::undo_left_out::told;
use crate::undo_points::{git, kept, references};

const NEW: &str = "new refs/verger/undo/ID";
const EARLIER: &str = "earlier refs/verger/undo/ID";

/// A session in a repository with an untracked file, a changed file and an unchanged file.
fn at_work(configuration: &str) -> Conversation {
    let conversation = begun(configuration);
    conversation.write("src/sum.js", "committed\n");
    conversation.write("same.js", "committed\n");
    git(&conversation, &["add", "--all"]);
    git(&conversation, &["commit", "--quiet", "--message", "sum"]);
    conversation.write("src/sum.js", "changed\n");
    conversation.write("notes.md", "untracked\n");
    conversation.write("more notes.md", "untracked too\n");
    conversation
}

/// The content of a file in the only undo point.
#[track_caller]
fn saved(conversation: &Conversation, path: &str) -> String {
    let [reference] = &references(conversation)[..] else { panic!("there is one point: {path}") };
    git(conversation, &["show", &format!("{reference}:{path}")])
}

#[test]
fn files_are_saved_before_they_are_removed_or_overwritten() {
    for (line, path, content) in [
        ("rm notes.md", "notes.md", "untracked\n"),
        ("rm -f notes.md missing", "notes.md", "untracked\n"),
        ("rm *.md", "more notes.md", "untracked too\n"),
        ("rm src/sum.js", "src/sum.js", "changed\n"),
        ("echo > src/sum.js", "src/sum.js", "changed\n"),
        ("cp same.js src/sum.js", "src/sum.js", "changed\n"),
        ("mv same.js notes.md", "notes.md", "untracked\n"),
        ("mv notes.md /tmp", "notes.md", "untracked\n"),
        ("truncate -s0 src/sum.js", "src/sum.js", "changed\n"),
        ("sed -i s/a/b/ src/sum.js", "src/sum.js", "changed\n"),
        ("cd src && echo x | tee sum.js", "src/sum.js", "changed\n"),
        ("out=notes.md; date > $out", "notes.md", "untracked\n"),
        ("git checkout -- src/sum.js", "src/sum.js", "changed\n"),
        ("git restore src/sum.js", "src/sum.js", "changed\n"),
    ] {
        let conversation = at_work("");
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default(), "{line}");
        assert_eq!(saved(&conversation, path), content, "{line}");
        assert_eq!(kept(&conversation), [NEW], "{line}");
    }
}

#[test]
fn calls_that_lose_nothing_in_the_working_tree_make_no_undo_point() {
    let conversation = at_work("");
    conversation.environment.write(".gitignore", "/target/\n");
    conversation.environment.write("target/built", "built\n");
    for line in [
        "ls -la",
        "cargo test 2>&1 | tail -3",
        "cargo test > /tmp/log 2>/dev/null",
        "echo x > new.md",
        "echo x >> notes.md",
        "cp notes.md copy.md",
        "mv notes.md moved.md",
        "rm missing.md",
        "rm -f target/built && rm -rf target",
        "echo x > target/built",
        "grep -rn x src",
    ] {
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default(), "{line}");
        assert_eq!(kept(&conversation), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn every_mode_and_every_agent_saves_files_once() {
    for configuration in ["[guard]\nmode = \"off\"\n", "", ENFORCE] {
        let conversation = at_work(configuration);
        let subagent = Speaker::Subagent { id: "a1", agent_type: "general-purpose" };
        for speaker in [Speaker::Main, subagent] {
            let answer = conversation.bash(speaker, "rm notes.md");
            assert_eq!(answer, HookAnswer::default(), "{configuration}");
        }
        assert_eq!(kept(&conversation), [NEW, EARLIER], "{configuration}");
    }
    let conversation = at_work("[undo]\nenabled = false\n");
    assert_eq!(conversation.bash(Speaker::Main, "rm notes.md"), HookAnswer::default());
    assert_eq!(kept(&conversation), Vec::<String>::new());
}

#[test]
fn ignored_files_that_no_build_makes_are_reported() {
    let conversation = at_work("");
    conversation.environment.write(".gitignore", "*.sqlite\n/target/\n");
    conversation.environment.write("a.sqlite", "rows\n");
    conversation.environment.write("target/built", "built\n");
    let ignored = "a.sqlite (git ignores it)";
    assert_eq!(told(&conversation, "rm a.sqlite"), ignored);
    assert_eq!(told(&conversation, "rm -f target/built a.sqlite"), ignored);
    let answer = conversation.bash(Speaker::Main, "rm a.sqlite");
    insta::assert_snapshot!(answer.notice.unwrap(), @"verger saved files before a call of the agent, but not all files that it may destroy: a.sqlite (git ignores it). Those could not be restored. The call: it removes or overwrites a.sqlite. `verger undo show` lists the saved files.");
}

/// The guard doesn't hold such a call, because it destroys less than the calls that the guard
/// judges risky.
#[test]
fn a_call_that_cannot_be_saved_runs_and_the_person_is_told() {
    for configuration in ["", ENFORCE] {
        let conversation = with_git(configuration, FAILS);
        let answer = conversation.bash(Speaker::Main, "rm work.txt");
        assert_eq!(answer.verdict, None, "{configuration}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(answer.notice.unwrap(), @r#"verger could not save the files before a call of the agent, so the call cannot be undone: cannot save the working tree: git says "fatal: No space left on device". The call: it removes or overwrites work.txt. `verger why --last` explains it."#);
        }
    }
}

#[test]
fn without_a_repository_the_files_are_copied() {
    let conversation = plain("");
    for name in ["notes.txt", "a.csv", "node_modules/x/index.js"] {
        conversation.environment.write(name, "mine\n");
    }
    for line in
        ["cp a.csv b.csv", "date > \"$out\"", "rm -rf node_modules", "cat a.csv > /dev/null"]
    {
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default(), "{line}");
        assert_eq!(kept(&conversation), Vec::<String>::new(), "{line}");
    }
    for line in ["cat a.csv > notes.txt", "rm *.csv"] {
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default(), "{line}");
    }
    let copy = "new $ENV/home/.verger/data/undo/ID";
    assert_eq!(kept(&conversation), [copy, copy]);
}
