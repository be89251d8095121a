//! Tests files that can't be saved before a call: a person is asked or told, and the agent is
//! never blocked for good.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::disk_faults::own_mounts;
use crate::guarded_calls::{ENFORCE, begun};
use crate::stage::HOOK;
use crate::undo_points::{DESTRUCTIVE, RISKY, git, kept, references, release_call};

/// A session with a fake git that runs `instead` when verger writes an undo point.
pub(crate) fn with_git(configuration: &str, instead: &str) -> Conversation {
    let mut conversation = begun(configuration);
    conversation.write("work.txt", "hours of work\n");
    let bin = conversation.environment.root().join("bin");
    let real = conversation.environment.run("which", ["git"], "").success().stdout;
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *fast-import*) {instead};; esac\nexec {} \"$@\"\n",
        real.trim()
    );
    conversation.environment.write_program(bin.join("git"), script);
    conversation.environment.find_programs_in(&bin);
    conversation
}

pub(crate) const FAILS: &str = "echo 'fatal: No space left on device' >&2; exit 128";

#[test]
fn where_the_guard_observes_the_person_is_told() {
    for configuration in ["", "[guard]\nmode = \"off\"\n"] {
        let conversation = with_git(configuration, FAILS);
        let answer = conversation.bash(Speaker::Main, DESTRUCTIVE);
        assert_eq!(answer.verdict, None);
        insta::allow_duplicates! {
            insta::assert_snapshot!(answer.notice.unwrap(), @r#"verger could not save the files before a call of the agent, so the call cannot be undone: cannot save the working tree: git says "fatal: No space left on device". The call: it throws away changes that are not committed (rule git-reset-hard). `verger why --last` explains it."#);
        }
        insta::allow_duplicates! {
            insta::assert_snapshot!(kept(&conversation).join("\n"), @r#"none: cannot save the working tree: git says "fatal: No space left on device""#);
        }
    }
}

#[test]
fn where_it_enforces_the_call_is_risky() {
    let conversation = with_git(ENFORCE, FAILS);
    insta::assert_snapshot!(conversation.bash(Speaker::Main, RISKY), @r#"ask: verger: a person should look at this before it runs: it writes to a protected file, and it could not be undone: cannot save the working tree: git says "fatal: No space left on device" (rule write-protected)."#);
    insta::assert_snapshot!(kept(&conversation).join("\n"), @r#"none: cannot save the working tree: git says "fatal: No space left on device""#);
}

#[track_caller]
fn in_mode(conversation: &Conversation, mode: &str, line: &str) -> HookAnswer {
    let id = conversation.next_tool_use();
    let input = json!({ "command": line });
    let mode = ("permission_mode", json!(mode));
    conversation.call("PreToolUse-Bash", &[mode, ("tool_use_id", json!(id)), ("tool_input", input)])
}

#[test]
fn a_release_does_not_let_run_what_cannot_be_saved_and_still_holds() {
    let conversation = with_git(ENFORCE, FAILS);
    assert_eq!(in_mode(&conversation, "default", DESTRUCTIVE).word(), "deny");
    release_call(&conversation, DESTRUCTIVE);
    insta::assert_snapshot!(in_mode(&conversation, "default", DESTRUCTIVE), @r#"ask: verger: a person should look at this before it runs: it throws away changes that are not committed, and it could not be undone: cannot save the working tree: git says "fatal: No space left on device" (rule git-reset-hard). Instead: `git stash` keeps the changes; `git restore --staged` only unstages files."#);
    insta::assert_snapshot!(in_mode(&conversation, "bypassPermissions", DESTRUCTIVE), @r#"
    deny: verger: this did not run: it throws away changes that are not committed, and it could not be undone: cannot save the working tree: git says "fatal: No space left on device" (rule git-reset-hard). Instead: `git stash` keeps the changes; `git restore --staged` only unstages files. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, say so: a person can let it run.
    notice: verger did not run a call of the agent that you had released, because the files could not be saved before it: cannot save the working tree: git says "fatal: No space left on device". Your release remains valid. To run it without an undo point: verger config set undo.enabled false
    "#);
    conversation.configure(format!("{ENFORCE}[undo]\nenabled = false\n"));
    assert_eq!(in_mode(&conversation, "bypassPermissions", DESTRUCTIVE).word(), "allow");
}

#[test]
fn a_git_that_hangs_is_not_waited_for() {
    let conversation = with_git("[undo]\ntime_limit_ms = 1000\n", "sleep 60");
    let start = Instant::now();
    let answer = conversation.bash(Speaker::Main, DESTRUCTIVE);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(answer.notice.unwrap().contains("within its time"));
    assert_eq!(references(&conversation), Vec::<String>::new());
}

/// A session in a directory that is not a repository.
pub(crate) fn plain(configuration: &str) -> Conversation {
    let conversation = Conversation::begin(TestEnvironment::new(), &[HOOK]);
    conversation.configure(configuration);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

#[test]
fn without_a_repository_the_files_that_are_named_are_copied() {
    let conversation = plain("[undo]\nmax_file_mib = 1\n");
    for (name, text) in [("notes.txt", "mine\n"), ("data/a.csv", "1\n"), ("other", "not named\n")] {
        conversation.environment.write(name, text);
    }
    conversation.environment.write("data/large", vec![b'x'; 2 * 1024 * 1024]);
    let line = "rm -rf ./data *.txt missing";
    for _ in 0..2 {
        let answer = conversation.bash(Speaker::Main, line);
        assert_eq!(answer.verdict, None);
        insta::allow_duplicates! {
            insta::assert_snapshot!(answer.notice.unwrap(), @"verger saved files before a call of the agent, but not all files that it may destroy: data/large (too large: 2097152 bytes). Those could not be restored. The call: it permanently removes a whole directory (rule remove-tree). `verger undo show` lists the saved files.");
        }
    }
    let left_out = "$ENV/home/project/data/large (too large: 2097152 bytes)";
    assert_eq!(
        kept(&conversation),
        ["new", "earlier"].map(|age| format!("{age} $ENV/home/.verger/data/undo/ID {left_out}"))
    );
    let copies = fs::read_dir(conversation.environment.verger_home().join("data/undo")).unwrap();
    let [copy] = &copies.map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>()[..] else {
        panic!("there is one copy")
    };
    let about: Value = serde_json::from_slice(&fs::read(copy.join("about.json")).unwrap()).unwrap();
    let project = conversation.environment.project().display().to_string();
    let files: Vec<_> =
        about["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(
        files,
        ["data/a.csv", "notes.txt"].map(|name| format!("{project}/{name}")).each_ref()
    );
    assert_eq!(fs::read_to_string(copy.join("1")).unwrap(), "mine\n");
}

#[test]
fn without_a_repository_and_a_file_it_says_that_it_cannot() {
    let conversation = plain("");
    let answer = conversation.bash(Speaker::Main, "rm -rf ~");
    assert_eq!(answer.verdict, None);
    insta::assert_snapshot!(answer.notice.unwrap(), @"verger could not save the files before a call of the agent, so the call cannot be undone: cannot find a working tree of git: there is no usable one here; cannot copy the files that the call names: $ENV/home is too large to be copied. The call: it removes the system, a home directory or a repository with its history (rule remove-root-or-home). `verger why --last` explains it.");
    conversation.configure(ENFORCE);
    insta::assert_snapshot!(conversation.bash(Speaker::Main, RISKY), @"ask: verger: a person should look at this before it runs: it writes to a protected file, and it could not be undone: cannot find a working tree of git: there is no usable one here; cannot copy the files that the call names: none of them exists (rule write-protected).");
}

#[test]
fn on_a_full_disk_the_call_is_risky_and_the_repository_whole() {
    let Some(mounts) = own_mounts() else { return };
    let conversation = begun(ENFORCE);
    conversation.environment.write("work.txt", "hours of work\n".repeat(10_000));
    let payload = json!({
        "session_id": conversation.session(), "cwd": conversation.environment.project(),
        "tool_name": "Bash", "permission_mode": "default", "tool_input": { "command": RISKY },
    });
    let script = format!(
        r#"set -e
        cp -a .git "$TMPDIR/seed"
        mount -t tmpfs -o size=1m,mode=700 none .git
        cp -a "$TMPDIR/seed/." .git/
        cat /dev/zero > .git/filler 2> /dev/null || true
        "{HOOK}" claude PreToolUse
        rm .git/filler
        test -z "$(git for-each-ref refs/verger/)"
        test -z "$(ls .git/verger 2> /dev/null)"
        git fsck --no-progress --no-dangling >&2"#
    );
    let mut command = conversation.environment.command(mounts[0]);
    command.args(&mounts[1..]).args(["sh", "-c", &script]);
    let output = conversation.environment.run_command(command, payload.to_string());
    let output = output.success();
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["permissionDecision"], "ask", "{answer}");
    let reason = told["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("and it could not be undone: cannot "), "{reason}");
    assert!(reason.contains("No space left on device"), "{reason}");
    assert_eq!(output.stderr, "");
}

/// A session whose repository has a file at `path`, where the undo point would be written.
fn with_file_at(configuration: &str, path: &str) -> Conversation {
    let conversation = begun(configuration);
    conversation.write("work.txt", "hours of work\n");
    let full = conversation.environment.project().join(path);
    if full.exists() {
        fs::remove_dir_all(&full).unwrap();
    }
    conversation.environment.write(path, "in the way\n");
    conversation
}

#[test]
fn whatever_is_in_the_way_of_a_point_is_named_and_the_call_goes_by_the_rules() {
    let mut told = vec![];
    for path in [".git/verger", ".git/refs/verger", ".git/objects/pack", ".git/objects"] {
        let observing = with_file_at("", path);
        let answer = observing.bash(Speaker::Main, DESTRUCTIVE);
        assert_eq!((answer.verdict, answer.notice.is_some()), (None, true), "{path}");
        assert_eq!(observing.environment.read("work.txt"), "hours of work\n");
        let enforcing = with_file_at(ENFORCE, path);
        assert_eq!(enforcing.bash(Speaker::Main, RISKY).word(), "ask", "{path}");
        assert_eq!(in_mode(&enforcing, "bypassPermissions", RISKY).word(), "deny", "{path}");
        // Git's own message varies, so it is cut off.
        told.extend(
            kept(&observing).iter().flat_map(|why| why.split(" \"").take(1)).map(str::to_owned),
        );
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    none: cannot make the directory $ENV/home/project/.git/verger: File exists (os error 17)
    none: cannot save the working tree: git says
    none: cannot save the working tree: git says
    none: cannot find a working tree of git: git cannot read this repository; cannot copy the files that the call names: none of them exists
    ");
}

#[test]
fn in_a_repository_that_is_read_only_the_call_is_risky_and_nothing_is_left() {
    let Some(mounts) = own_mounts() else { return };
    let conversation = begun(ENFORCE);
    conversation.write("work.txt", "hours of work\n");
    let payload = json!({
        "session_id": conversation.session(), "cwd": conversation.environment.project(),
        "tool_name": "Bash", "permission_mode": "default", "tool_input": { "command": RISKY },
    });
    let script = format!(
        r#"set -e
        mount --bind .git .git
        mount -o remount,ro,bind .git
        "{HOOK}" claude PreToolUse
        umount .git
        test ! -e .git/verger"#
    );
    let mut command = conversation.environment.command(mounts[0]);
    command.args(&mounts[1..]).args(["sh", "-c", &script]);
    let output = conversation.environment.run_command(command, payload.to_string());
    insta::assert_snapshot!(output.success(), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"verger: a person should look at this before it runs: it writes to a protected file, and it could not be undone: cannot make the directory $ENV/home/project/.git/verger: Read-only file system (os error 30) (rule write-protected)."}}"#);
    insta::assert_snapshot!(kept(&conversation).join("\n"), @"none: cannot make the directory $ENV/home/project/.git/verger: Read-only file system (os error 30)");
}

#[test]
fn two_sessions_in_one_repository_save_at_once() {
    let conversation = begun("");
    conversation.write("work.txt", "hours of work\n");
    let start = |session: &str| {
        let payload = json!({
            "session_id": session, "cwd": conversation.environment.project(),
            "tool_name": "Bash", "permission_mode": "default",
            "tool_input": { "command": DESTRUCTIVE },
        });
        let mut command: Command = conversation.environment.command(HOOK);
        command.args(["claude", "PreToolUse"]);
        (command, payload.to_string())
    };
    let environment = &conversation.environment;
    let outputs: Vec<_> = thread::scope(|scope| {
        let calls: Vec<_> = (0..6)
            .map(|number| {
                let (command, payload) = start(&format!("session-{number}"));
                scope.spawn(move || environment.run_command(command, payload).success().stdout)
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(outputs, vec![""; 6]);
    let references = references(&conversation);
    assert!(!references.is_empty());
    for reference in references {
        let saved = git(&conversation, &["show", &format!("{reference}:work.txt")]);
        assert_eq!(saved, "hours of work\n");
    }
    let taken = kept(&conversation);
    assert_eq!((taken.len(), taken.iter().filter(|line| line.starts_with("none")).count()), (6, 0));
}
