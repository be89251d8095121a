//! `verger undo`.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;
use verger_testkit::{Output, TerminalSize, TestEnvironment};

use crate::recorded::Recorded;

/// A session whose agent is about to destroy uncommitted work.
fn endangered() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.environment.write("README.md", "# Project\n\nHours of work.\n");
    recorded.environment.write("staged.txt", "staged\n");
    git(&recorded, &["add", "staged.txt"]);
    recorded.environment.write("src/new.rs", "fn new() {}\n");
    recorded.environment.write(".env", "TOKEN=x\n");
    call(&mut recorded, "git reset --hard");
    recorded
}

fn call(recorded: &mut Recorded, line: &str) {
    let fields = format!(r#""tool_name":"Bash","tool_input":{{"command":"{line}"}}"#);
    recorded.event("1111", "PreToolUse", &fields);
}

fn git(recorded: &Recorded, arguments: &[&str]) -> String {
    recorded.environment.run("git", arguments, "").success().stdout
}

/// Destroys the work like the agent's call.
fn destroy(recorded: &Recorded) {
    git(recorded, &["reset", "--quiet", "--hard"]);
    git(recorded, &["clean", "--quiet", "-fd", "--exclude=.env"]);
    assert_eq!(git(recorded, &["status", "--short"]), "?? .env\n");
}

fn by_person(recorded: &mut Recorded, arguments: &[&str]) -> Output {
    recorded.tick();
    recorded.at_terminal(&[&["undo"], arguments].concat(), TerminalSize::USUAL)
}

fn run(recorded: &mut Recorded, arguments: &[&str]) -> Output {
    recorded.tick();
    recorded.verger(&[&["undo"], arguments].concat())
}

#[test]
fn saved_files_are_listed_shown_and_restored() {
    let mut recorded = endangered();
    destroy(&recorded);
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @"
    00000069  1 s ago: it throws away changes that are not committed (rule git-reset-hard); on main; 1 file left out
    verger undo show shows what restoring one would change
    ");
    insta::assert_snapshot!(run(&mut recorded, &["show"]), @r"
    point          01M7G83GVR0000000000000069
    when           2026-11-15 18:39:23
    why            it throws away changes that are not committed (rule git-reset-hard)
    before         Bash git reset --hard
    of             ~/project
    checked out    main, c9f3b6633596b56e35ff6828b42c185d57406400
    kept as        refs/verger/undo/01M7G83GVR0000000000000069
    left out       .env (may hold credentials)
    would write    README.md
                   src/new.rs
                   staged.txt
    would restage  staged.txt
    verger undo restore --point 01M7G83GVR0000000000000069 brings it back
    ");
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @"
    written   README.md
              src/new.rs
              staged.txt
    restaged  staged.txt
    brought back 01M7G83GVR0000000000000069: 3 files written
    1 file was not saved: .env (may hold credentials)
    to go back: verger undo restore --point 01M7G83KSG00000000000000FM --exact
    ");
    assert_eq!(
        git(&recorded, &["status", "--short"]),
        " M README.md\nA  staged.txt\n?? .env\n?? src/\n"
    );
    assert_eq!(recorded.environment.read("README.md"), "# Project\n\nHours of work.\n");
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @"
    000000FM  1 s ago: before an undo point was brought back; on main; 1 file left out
    00000069  4 s ago: it throws away changes that are not committed (rule git-reset-hard); on main; 1 file left out
    verger undo show shows what restoring one would change
    ");
    insta::assert_snapshot!(recorded.kinds_after(1), @r"
    tool.requested           Bash git reset --hard
    undo_point.taken         01M7G83GVR0000000000000069 of $ENV/home/project
    guard.judged             deny by git-reset-hard: it throws away changes that are not committed; sent: silence
    undo_point.restored      01M7G83GVR0000000000000069
    ");
}

#[test]
fn files_that_ordinary_commands_destroyed_are_brought_back() {
    for (line, path) in [
        ("rm notes.md", "notes.md"),
        ("rm *.md", "notes.md"),
        ("echo > src/sum.js", "src/sum.js"),
        ("mv other.js src/sum.js", "src/sum.js"),
        ("cp other.js notes.md", "notes.md"),
        ("sed -i d src/sum.js", "src/sum.js"),
    ] {
        let mut recorded = Recorded::nothing();
        recorded.event("1111", "SessionStart", r#""source":"startup""#);
        recorded.environment.write("src/sum.js", "committed\n");
        git(&recorded, &["add", "src"]);
        git(&recorded, &["commit", "--quiet", "--message", "sum"]);
        for (path, text) in [("src/sum.js", "mine\n"), ("notes.md", "mine\n"), ("other.js", "x\n")]
        {
            recorded.environment.write(path, text);
        }
        call(&mut recorded, line);
        recorded.environment.run("sh", ["-c", line], "").success().stdout.clear();
        let file = recorded.environment.project().join(path);
        assert_ne!(fs::read_to_string(&file).unwrap_or_default(), "mine\n", "{line}");
        let restored = by_person(&mut recorded, &["restore"]);
        assert_eq!(restored.code, 0, "{line}: {}", restored.stderr);
        assert_eq!(recorded.environment.read(path), "mine\n", "{line}");
    }
}

#[test]
fn an_ignored_file_that_a_call_destroyed_is_named() {
    let mut recorded = endangered();
    recorded.environment.write(".git/info/exclude", "*.db\n");
    recorded.environment.write("src/app.db", "rows\n");
    let fields = r#""tool_name":"Bash","tool_input":{"command":"rm -rf src"}"#;
    assert!(
        recorded.answered("1111", "PreToolUse", fields).contains("src/app.db (git ignores it)")
    );
    recorded.environment.write("README.md", "# Another\n");
    fs::remove_dir_all(recorded.environment.project().join("src")).unwrap();
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @"
    written  README.md
             src/new.rs
    brought back 01M7G83GVR0000000000000069: 2 files written
    2 files were not saved: .env (may hold credentials), src/app.db (git ignores it)
    to go back: verger undo restore --point 01M7G83JT800000000000000CG --exact
    ");
}

#[test]
fn a_restore_can_be_undone() {
    let mut recorded = endangered();
    let point = id(&mut recorded, 0);
    destroy(&recorded);
    recorded.environment.write("README.md", "# Another\n");
    assert_eq!(by_person(&mut recorded, &["restore", "src"]).code, 0);
    assert_eq!(by_person(&mut recorded, &["restore"]).code, 0);
    let back = id(&mut recorded, 1);
    assert_ne!(back, point);
    let restored = by_person(&mut recorded, &["restore", "--exact", "--quiet", "--point", &back]);
    assert_eq!(restored.code, 0, "{restored}");
    assert_eq!(recorded.environment.read("README.md"), "# Another\n");
    assert_eq!(git(&recorded, &["status", "--short"]), " M README.md\n?? .env\n");
}

/// The id of a listed point.
fn id(recorded: &mut Recorded, number: usize) -> String {
    let listed = run(recorded, &["list", "--json"]).success().stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    listed["points"][number]["point"].as_str().unwrap().to_owned()
}

#[test]
fn a_branch_that_was_moved_is_told_of() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.environment.write("a.txt", "a\n");
    git(&recorded, &["add", "a.txt"]);
    git(&recorded, &["commit", "--quiet", "--no-gpg-sign", "--message=More"]);
    call(&mut recorded, "git reset --hard HEAD~1");
    git(&recorded, &["reset", "--quiet", "--hard", "HEAD~1"]);
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @"
    written   a.txt
    restaged  a.txt
    brought back 01M7G83GVR0000000000000069: 1 file written
    main was at 98147c98c144288497ef9f2d29ffd8cf03872798; git reset --soft 98147c98c144288497ef9f2d29ffd8cf03872798 moves HEAD back to it
    to go back: verger undo restore --point 01M7G83HV0000000000000009C --exact
    ");
    assert_eq!(git(&recorded, &["status", "--short"]), "A  a.txt\n");
}

#[test]
fn a_part_comes_back_and_what_is_staged_stays() {
    let mut recorded = endangered();
    destroy(&recorded);
    recorded.environment.write("other.txt", "made since\n");
    git(&recorded, &["add", "other.txt"]);
    insta::assert_snapshot!(by_person(&mut recorded, &["restore", "src", "./README.md"]), @r"
    written  README.md
             src/new.rs
    brought back 01M7G83GVR0000000000000069: 2 files written
    to go back: verger undo restore --point 01M7G83HV0000000000000009C --exact
    ");
    assert_eq!(
        git(&recorded, &["status", "--short"]),
        " M README.md\nA  other.txt\n?? .env\n?? src/\n"
    );
    insta::assert_snapshot!(by_person(&mut recorded, &["restore", "../elsewhere"]), @r"
    verger: ../elsewhere is not in $ENV/home/project
    hint: give paths inside this working tree
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(by_person(&mut recorded, &["restore", "--json", "staged.txt"]), @r#"{"failed":[],"index":"kept","not_saved":[],"plan":{"keep":[],"remove":[],"stage":[],"write":["staged.txt"]},"point":"01M7G83GVR0000000000000069","removed":0,"saved":"01M7G83KSG00000000000000FM","written":1}"#);
}

#[test]
fn staged_changes_are_reported_if_no_file_differs() {
    let mut recorded = endangered();
    git(&recorded, &["reset", "--quiet", "staged.txt"]);
    let shown = run(&mut recorded, &["show"]).success().stdout;
    let told: Vec<_> = shown.lines().filter(|line| line.starts_with("would")).collect();
    assert_eq!(told, ["would restage  staged.txt"]);
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @"
    restaged  staged.txt
    brought back 01M7G83GVR0000000000000069: only staged changes differed
    1 file was not saved: .env (may hold credentials)
    to go back: verger undo restore --point 01M7G83JT800000000000000CG --exact
    ");
    assert_eq!(git(&recorded, &["diff", "--cached", "--name-only"]), "staged.txt\n");
    let back = id(&mut recorded, 0);
    assert_eq!(by_person(&mut recorded, &["restore", "--exact", "--point", &back]).code, 0);
    assert_eq!(git(&recorded, &["diff", "--cached", "--name-only"]), "");
}

#[test]
fn a_restore_that_changes_nothing_leaves_nothing_and_takes_no_point_away() {
    let mut recorded = Recorded::nothing();
    let configuration = recorded.environment.verger_home().join("config.toml");
    recorded.environment.write(configuration, "[undo]\nkeep_points = 1\n");
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.environment.write("README.md", "# Work\n");
    call(&mut recorded, "git reset --hard");
    let point = id(&mut recorded, 0);
    git(&recorded, &["reset", "--quiet", "--hard"]);
    recorded.environment.write("src/lib.rs", "fn lib() {}\n");
    let references = git(&recorded, &["for-each-ref"]);
    for number in 0..3 {
        recorded.environment.write("new", format!("{number}\n"));
        insta::allow_duplicates! {
            insta::assert_snapshot!(by_person(&mut recorded, &["restore", "src"]), @r"
            stays  src/lib.rs (made since)
            nothing to restore: no file of 01M7G83GVR0000000000000069 differs (files that git ignores are not part of it)
            ");
        }
        assert_eq!(git(&recorded, &["for-each-ref"]), references);
    }
    // A restore that changes something may be repeated.
    for number in 0..3 {
        recorded.environment.write("README.md", format!("{number}\n"));
        let restored = by_person(&mut recorded, &["restore", "--point", &point]);
        assert_eq!(restored.code, 0, "{restored}");
        assert_eq!(recorded.environment.read("README.md"), "# Work\n");
    }
}

#[test]
fn a_path_that_is_nowhere_is_an_error() {
    let mut recorded = endangered();
    destroy(&recorded);
    let references = git(&recorded, &["for-each-ref"]);
    insta::assert_snapshot!(by_person(&mut recorded, &["restore", "src", "nosuch"]), @r"
    verger: nosuch exists neither here nor in undo point 01M7G83GVR0000000000000069
    hint: verger undo show --point 01M7G83GVR0000000000000069 shows what restoring it would change
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(run(&mut recorded, &["show", "zzz"]), @r"
    ------- stderr -------
    verger: zzz exists neither here nor in undo point 01M7G83GVR0000000000000069
    hint: verger undo show --point 01M7G83GVR0000000000000069 shows what restoring it would change
    ------- exit code 2 -------
    ");
    assert_eq!(git(&recorded, &["for-each-ref"]), references);
    assert_eq!(git(&recorded, &["status", "--short"]), "?? .env\n");
    // A left-out file, an existing file and the whole directory are valid paths.
    for path in [".env", "README.md", "."] {
        assert_eq!(run(&mut recorded, &["show", path]).code, 0, "{path}");
    }
}

#[test]
fn looking_leaves_nothing_behind() {
    let mut recorded = endangered();
    destroy(&recorded);
    let references = git(&recorded, &["for-each-ref"]);
    for arguments in [&["list"][..], &["show"], &["show", "--exact", "--json"]] {
        assert_eq!(run(&mut recorded, arguments).code, 0);
    }
    assert_eq!(git(&recorded, &["for-each-ref"]), references);
    assert_eq!(git(&recorded, &["status", "--short"]), "?? .env\n");
}

#[test]
fn unwritable_files_are_named_and_the_rest_is_restored() {
    let mut recorded = endangered();
    destroy(&recorded);
    recorded.environment.write(".git/info/exclude", "src\n");
    symlink(recorded.environment.home(), recorded.environment.project().join("src")).unwrap();
    recorded.environment.write(".git/index.lock", "");
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @r#"
    verger: staged changes were not restored: cannot restore the index: git says "fatal: Unable to create '$ENV/home/project/.git/index.lock': File exists.\n\nAnother git process seems to be running in this repository, e.g.\nan editor opened by 'git commit'. Please make sure all processes\nare terminated then try again. If it still fails, a git process\nmay have crashed in this repository earlier:\nremove the file manually to continue."
    written  README.md
             staged.txt
    failed   src/new.rs: cannot write ~/project/src/new.rs: not a directory
    brought back 01M7G83GVR0000000000000069: 2 files written
    1 file was not saved: .env (may hold credentials)
    to go back: verger undo restore --point 01M7G83HV0000000000000009C --exact
    ------- exit code 1 -------
    "#);
    assert_eq!(recorded.environment.read("README.md"), "# Project\n\nHours of work.\n");
    assert!(!recorded.environment.home().join("new.rs").exists());
}

#[test]
fn which_point_is_meant_must_be_clear() {
    let mut recorded = endangered();
    recorded.environment.write("README.md", "# More\n");
    call(&mut recorded, "git reset --hard");
    insta::assert_snapshot!(run(&mut recorded, &["show", "--point", "01m7"]), @r#"
    ------- stderr -------
    verger: ambiguous id "01m7": 2 match
    hint: matching ids: 01M7G83HV0000000000000009D, 01M7G83GVR0000000000000069
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&mut recorded, &["show", "--point", "x"]), @r#"
    ------- stderr -------
    verger: no undo point has the id "x"
    hint: verger undo list
    ------- exit code 2 -------
    "#);
    let mut nothing = Recorded::nothing();
    insta::assert_snapshot!(run(&mut nothing, &["list"]), @"there are no undo points here");
    insta::assert_snapshot!(run(&mut nothing, &["show"]), @r"
    ------- stderr -------
    verger: there is no undo point of this directory
    hint: verger undo list shows those of other directories
    ------- exit code 2 -------
    ");
}

#[test]
fn bringing_back_is_a_persons() {
    let mut recorded = endangered();
    destroy(&recorded);
    let output = run_without_terminal(&mut recorded);
    assert_eq!(output.code, 4, "{output}");
    assert_eq!(git(&recorded, &["status", "--short"]), "?? .env\n");
    let fields = r#""tool_name":"Bash","tool_input":{"command":"verger undo restore"}"#;
    let answer = recorded.answered("1111", "PreToolUse", fields);
    assert!(answer.contains(r#""permissionDecision":"deny""#), "{answer}");
}

#[test]
fn a_failure_to_save_is_reported_in_the_list() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.environment.write(".git/verger", "in the way\n");
    let fields = r#""tool_name":"Bash","tool_input":{"command":"git reset --hard"}"#;
    let answer = recorded.answered("1111", "PreToolUse", fields);
    assert!(answer.contains("could not save the files"), "{answer}");
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @r"
    there are no undo points here
    ------- stderr -------
    verger: before the last call that may destroy work, 1 s ago, nothing could be saved: cannot make the directory ~/project/.git/verger: File exists (os error 17)
    ");
    let output = run(&mut recorded, &["list", "--json"]);
    assert_eq!(output.stdout, "{\"points\":[]}\n", "{output}");
    assert!(output.stderr.starts_with(r#"{"warning":"before the last call"#), "{output}");
    fs::remove_file(recorded.environment.project().join(".git/verger")).unwrap();
    call(&mut recorded, "git reset --hard");
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @"
    000000FN  1 s ago: it throws away changes that are not committed (rule git-reset-hard); on main
    verger undo show shows what restoring one would change
    ");
}

#[test]
fn a_repository_that_git_cannot_read_is_not_taken_for_none() {
    let mut recorded = endangered();
    let objects = recorded.environment.project().join(".git/objects");
    fs::rename(&objects, objects.with_extension("away")).unwrap();
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @r"
    there are no undo points here
    ------- stderr -------
    verger: cannot find a working tree of git: git cannot read this repository
    ");
    let doctor = recorded.verger(&["doctor"]).stdout;
    let told: Vec<_> = doctor.lines().filter(|line| line.contains("undo points")).collect();
    insta::assert_snapshot!(told.join("\n"), @"problem  undo points     cannot find a working tree of git: git cannot read this repository");
}

fn run_without_terminal(recorded: &mut Recorded) -> Output {
    recorded.tick();
    let verger = env!("CARGO_BIN_EXE_verger");
    recorded.environment.run("setsid", ["--wait", verger, "undo", "restore"], "")
}

#[test]
fn files_of_no_repository_come_back_from_their_copy() {
    let mut recorded = Recorded::nothing();
    recorded.environment = TestEnvironment::new();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.environment.write("data/a.csv", "1,2\n");
    recorded.environment.write("notes.txt", "mine\n");
    call(&mut recorded, "rm -rf ./data notes.txt");
    fs::remove_dir_all(recorded.environment.project().join("data")).unwrap();
    recorded.environment.write("notes.txt", "written anew\n");
    insta::assert_snapshot!(run(&mut recorded, &["list"]), @"
    0000006A  1 s ago: it permanently removes a whole directory (rule remove-tree); a copy of 2 files
    verger undo show shows what restoring one would change
    ");
    insta::assert_snapshot!(run(&mut recorded, &["show"]), @"
    point        01M7G83GVR000000000000006A
    when         2026-11-15 18:39:23
    why          it permanently removes a whole directory (rule remove-tree)
    before       Bash rm -rf ./data notes.txt
    of           ~/project
    copied       ~/project/data/a.csv
                 ~/project/notes.txt
    would write  ~/project/data/a.csv
                 ~/project/notes.txt
    verger undo restore --point 01M7G83GVR000000000000006A brings it back
    ");
    insta::assert_snapshot!(by_person(&mut recorded, &["restore"]), @r"
    written  ~/project/data/a.csv
             ~/project/notes.txt
    brought back 01M7G83GVR000000000000006A: 2 files written
    to go back: verger undo restore --point 01M7G83KSG00000000000000FM
    ");
    assert_eq!(recorded.environment.read("data/a.csv"), "1,2\n");
    assert_eq!(recorded.environment.read("notes.txt"), "mine\n");
    let back = id(&mut recorded, 0);
    assert_eq!(by_person(&mut recorded, &["restore", "--point", &back]).code, 0);
    assert_eq!(recorded.environment.read("notes.txt"), "written anew\n");
}

#[test]
fn a_repository_that_was_removed_comes_back_from_its_copy() {
    let mut recorded = endangered();
    let head = git(&recorded, &["rev-parse", "HEAD"]);
    call(&mut recorded, "rm -rf .");
    let project = recorded.environment.project();
    fs::remove_dir_all(&project).unwrap();
    fs::create_dir(&project).unwrap();
    let restored = by_person(&mut recorded, &["restore"]);
    assert_eq!(restored.code, 0, "{restored}");
    assert_eq!(git(&recorded, &["rev-parse", "HEAD"]), head);
    assert_eq!(git(&recorded, &["status", "--short"]), " M README.md\nA  staged.txt\n?? src/\n");
    assert_eq!(recorded.environment.read("src/new.rs"), "fn new() {}\n");
    // An existing repository is not replaced by an older one.
    git(&recorded, &["commit", "--quiet", "--no-gpg-sign", "--message=More"]);
    let head = git(&recorded, &["rev-parse", "HEAD"]);
    recorded.environment.write("README.md", "# Lost\n");
    let restored = by_person(&mut recorded, &["restore"]);
    assert_eq!(restored.code, 0, "{restored}");
    assert_eq!(git(&recorded, &["rev-parse", "HEAD"]), head);
    assert_eq!(recorded.environment.read("README.md"), "# Project\n\nHours of work.\n");
}

#[test]
fn why_tells_of_a_restore_once_there_was_one() {
    let mut recorded = endangered();
    // The denial is verger's latest answer.
    let config = recorded.environment.verger_home().join("config/config.toml");
    recorded.environment.write(config, "guard.mode = \"enforce\"\n");
    let fields = r#""tool_name":"Bash","tool_input":{"command":"git reset --hard"}"#;
    assert_ne!(recorded.answered("1111", "PreToolUse", fields), "");
    let said = recorded.verger(&["why", "--last"]).success().stdout;
    assert!(said.contains("tool.requested at 1111:5"), "{said}");
    destroy(&recorded);
    assert_eq!(by_person(&mut recorded, &["restore"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["why", "--last"]), @"
    Restored: 3 files written and 0 removed, from undo point 01M7G83GVR0000000000000069.

    event           undo_point.restored at 1111:8
    id              01M7G83JT800000000000000CH
    when            2026-11-15 18:39:25
    session         1111 of claude
    directory       $ENV/home/project
    who             a person
    what            01M7G83GVR0000000000000069
    restored        01M7G83GVR0000000000000069: 3 files written, 0 removed
      leads back    01M7G83JT800000000000000CG
      saved before  Bash git reset --hard, at 1111:2
    ");
    // The explanation of the call before which the point was saved also shows the restore.
    let call = recorded.verger(&["why", "1111:2"]).success().stdout;
    let told = "restored      01M7G83GVR0000000000000069: 3 files written, 0 removed";
    assert!(call.contains(told), "{call}");
    let json = recorded.verger(&["why", "--last", "--json"]).success().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["asked"]["record"]["kind"], "undo_point.restored");
}

#[test]
fn why_status_and_doctor_tell_of_points() {
    let mut recorded = endangered();
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:2"]), @r#"
    Not blocked: the guard would deny it (rule git-reset-hard), but guard.mode was observe.

    event         tool.requested at 1111:2
    id            01M7G83GVR0000000000000068
    when          2026-11-15 18:39:23
    session       1111 of claude
    directory     $ENV/home/project
    who           the agent
    what          Bash git reset --hard
    undo point    01M7G83GVR0000000000000069 of $ENV/home/project
      left out    .env (may hold credentials)
      see         verger undo show --point 01M7G83GVR0000000000000069
    guard         deny: it throws away changes that are not committed
      rule        git-reset-hard
      told        silence, because guard.mode was observe
    answer        none
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    setting now   record.role = - (default)
    setting now   record.readers = [] (default)
    "#);
    let status = recorded.verger(&["status"]).success().stdout;
    let told: Vec<_> = status.lines().filter(|line| line.starts_with("undo")).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    undo points   1 here, the newest 1 s ago: verger undo list
    "#);
    let doctor = recorded.verger(&["doctor"]).stdout;
    let told: Vec<_> = doctor.lines().filter(|line| line.contains("undo points")).collect();
    insta::assert_snapshot!(told.join("\n"), @"fine     undo points     1 point of this repository");
}
