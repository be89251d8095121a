//! `verger demo`: its output, and that it leaves no files behind, even if it is interrupted or
//! fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use verger_testkit::{Filter, Output, TerminalSize, TestEnvironment};

/// A hook program that runs verger itself as `verger hook`.
const HOOK: &str = "#!/bin/sh\nexec \"${0%-hook}\" hook \"$@\"\n";

/// `verger` installed in a directory of its own, with a hook program beside it.
pub(crate) struct Installed {
    pub(crate) environment: TestEnvironment,
    pub(crate) verger: PathBuf,
}

impl Installed {
    pub(crate) fn new() -> Self {
        Self::with_hook(HOOK)
    }

    fn with_hook(script: &str) -> Self {
        let mut environment = TestEnvironment::new();
        environment.add_filter(Filter::Ulids);
        let bin = environment.root().join("bin");
        environment.write_program(bin.join("verger-hook"), script);
        Self::in_environment(environment)
    }

    fn in_environment(environment: TestEnvironment) -> Self {
        let program = fs::read(env!("CARGO_BIN_EXE_verger")).unwrap();
        let path = environment.root().join("bin/verger");
        let verger = environment.write_program(path, program);
        Self { environment, verger }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.environment.command(&self.verger);
        command.args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let output = self.environment.run_command(self.command(arguments), "");
        Output { stdout: settled(&output.stdout), ..output }
    }

    /// Asserts that no files are left in the user's home and in the directory for temporary files.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        let root = self.environment.root();
        let left = [files(&root.join("tmp")), files(&root.join("home"))].concat();
        assert_eq!(left, Vec::<PathBuf>::new());
    }
}

/// The files and empty directories below a directory, except for the empty project.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Replaces everything that differs between runs, and sorts reads by name that ran at the same
/// time. A real client ends the first call while the last call's hook still runs.
pub(crate) fn settled(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(without_numbers).collect();
    let is_read = |line: &&mut String| line.contains("tool.") && line.contains("   Read ");
    let mut reads: Vec<_> = lines.iter_mut().filter(is_read).collect();
    let mut calls: Vec<_> = reads.iter().map(|line| line[6..].to_owned()).collect();
    calls.sort_unstable();
    for (line, call) in reads.iter_mut().zip(calls) {
        line.replace_range(6.., &call);
    }
    lines.join("\n") + "\n"
}

fn is_of_uuid(letter: char) -> bool {
    letter.is_ascii_hexdigit() || letter == '-'
}

fn without_numbers(line: &str) -> String {
    let mut line = line.to_owned();
    for (before, is_number) in [
        ("hook, about ", char::is_numeric as fn(char) -> bool),
        ("at byte ", char::is_numeric),
        ("github-token:", |letter| letter.is_ascii_hexdigit()),
        ("verger-demo-", char::is_alphanumeric),
        ("   id            ", char::is_alphanumeric),
        ("   when         ", |letter| letter.is_numeric() || " :-".contains(letter)),
        (": claude-", is_of_uuid),
        ("requested at ", is_of_uuid),
        ("   session       ", is_of_uuid),
    ] {
        if let Some(at) = line.find(before) {
            let start = at + before.len();
            let length = line[start..].find(|letter| !is_number(letter));
            let end = length.map_or(line.len(), |length| start + length);
            line.replace_range(start..end, "#");
        }
    }
    line
}

/// The maximum number of lines that the demo prints without `--all`.
const MOST_LINES: usize = 60;

#[test]
fn five_scenes_are_shown_on_one_page() {
    let installed = Installed::new();
    let output = installed.run(&["demo"]).success();
    assert!(output.stdout.lines().count() <= MOST_LINES);
    assert!(output.stdout.lines().all(|line| line.chars().count() <= 80));
    insta::assert_snapshot!(output, @r#"
    A scripted agent works in a temporary project. The answers are those of the real
    hook. Nothing of yours is touched.

    1. A destroyed file comes back
       agent    $ git reset --hard
       verger   saves the files first: it throws away changes that are not committed
                (rule git-reset-hard)
       you      $ verger undo restore
       result   1 file written: src/total.rs is back with the agent's work

    2. A dangerous command stops (with guard.mode = "enforce")
       agent    $ ls src && rm -rf ./src
       verger   denied: this did not run: it permanently removes a whole directory
                (rule remove-tree). …
       verger   tells you: … `verger why --last` explains it; to let it run once:
                verger guard allow-once
       result   src/total.rs is still there

    3. A review is required (the prompt began with #review)
       agent    stops: "Fixed. The total of no items is 0."
       verger   refused: do not stop yet: this work was not reviewed yet. …
       agent    $ verger decide complete 'Everything is fine' --session 0d3e0f5a-7c…
       verger   denied: verger rejected this decision: only the reviewer can decide,
                and this agent is not the reviewer. …
       reviewer approves: the agent may stop as long as the work stays as it is

    4. A false "done" is caught (with verification.mode = "claims")
       agent    stops: "Done. The receipt is printed as you wanted it."
       verger   refused: do not stop yet: this work was not verified yet. …
       verger   runs the checks: red, 1 test failed: receipt_of_nothing (tests)
       agent    edits src/receipt.rs
       verger   runs the checks: green, 3 checks passed, no issue
       result   the agent stops, and verger does not object

    5. A learning helps the next session
       agent    stops: "bd-7 is done."
       verger   refused: do not stop yet: beads bd-7 was closed, and you have not
                written down what you learned from this work. …
       agent    writes learn-…, in .verger/learnings.md: Orders may have no items
       verger   gives the agent: [learn-…] Orders may have no items
       result   noted: learn-… was useful

    32 calls of the hook, about # ms each.
    Everything that the demo made is removed.

    Next:
      verger init         connects verger to your agent; --dry-run shows the changes
      verger status       shows what verger does in a project, and what needs you
      verger demo --all   shows more scenes: records, secrets, limits, the log
      verger demo --real  uses your own Claude Code with a scripted model, needs no
                          key
      docs/               in verger's repository has a page for each topic
    "#);
    installed.assert_nothing_left();
}

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot of all other scenes")]
fn all_shows_the_other_scenes_after_the_five() {
    let installed = Installed::new();
    let output = installed.run(&["demo", "--all"]).success();
    let (_, others) = output.stdout.split_once("\n6. ").unwrap();
    insta::assert_snapshot!(others, @r#"
    A session is recorded
       Your agent's program calls the hook when something happens. verger records
       the call and stays silent, because it has no objection.
         1  session.started  startup
         2  backend.found    markdown .verger/learnings.md
         3  prompt.submitted Make the tests pass and tell me what was wrong.
         4  start_tree.taken of git
         5  tool.requested   Bash ls
         6  guard.judged     allow by list-files: it only reads; sent: silence
         7  tool.succeeded   Bash ls
         8  tool.requested   Bash ./run-tests
         9  tool.failed      Bash: Exit code 3 1 test failed: total_of_nothing

    7. Three files are read at once
       Agents work in parallel, so hooks run in parallel too. No record is lost.
        10  tool.requested   Read README.md
        11  tool.requested   Read src/main.rs
        12  tool.requested   Read src/total.rs
        13  tool.succeeded   Read README.md
        14  tool.succeeded   Read src/main.rs
        15  tool.succeeded   Read src/total.rs
        16  tool_batch.ended 3 calls

    8. A secret is printed
       The agent prints a file with an access token. verger takes the token out
       before it writes anything.
        17  tool.requested   Bash cat .env
        18  undo_point.taken $ID1 of $ENV/tmp/v…
        19  guard.judged     risky by read-credentials: it reads or copies credenti…
        20  tool.succeeded   Bash cat .env
       result   69 files searched: the token is in none of them
       result   recorded instead: DEPLOY_TOKEN=[redacted:github-token:#]

    9. The same event is reported twice
       This happens if verger is installed in two places. verger drops the second
       report.
        21  tool.requested   Edit src/total.rs
        22  tool.succeeded   Edit src/total.rs
       result   3 calls of the hook, 2 records

    10. A subagent helps
       The records name the subagent.
        23  tool.requested   Agent Check the change
        24  subagent.started [general-purpose]
        25  tool.requested   [general-purpose] Bash ./run-tests
        26  tool.succeeded   [general-purpose] Bash ./run-tests
        27  subagent_stop.requested [general-purpose] All tests pass.
        28  tool.succeeded   Agent Check the change

    11. A command that only reads needs no question (with guard.mode = "enforce")
       Judge any command yourself: verger guard explain
        29  tool.requested   Bash grep -rn total src
        30  guard.judged     allow by grep: it only reads; sent: allow
        31  verdict.given    allow: verger: it only reads (rule grep)
        32  tool.succeeded   Bash grep -rn total src
       verger   allowed: it only reads (rule grep)

    12. The agent breaks a limit (with drift.mode = "correct")
       Your prompt says: Do not touch site/. verger reads the limit from your words
       and tells the agent when it breaks it. It also offers earlier work on the
       same files. To see both: verger drift, verger tasks
         1  session.started  startup
         2  backend.found    markdown .verger/learnings.md
         3  prompt.submitted Show the tax on the receipt, in src/receipt.rs. Do not…
         4  context.injected <verger-tasks> An earlier task in this project has thi…
         5  start_tree.taken of git
         6  tool.requested   Edit src/receipt.rs
         7  tool.succeeded   Edit src/receipt.rs
         8  tool_batch.ended 1 call
         9  tool.requested   Edit site/theme.css
        10  tool.succeeded   Edit site/theme.css
        11  tool_batch.ended 1 call
        12  tool.requested   Edit site/fonts.css
        13  tool.succeeded   Edit site/fonts.css
        14  tool_batch.ended 1 call
        15  gate.changed     drift: normal -> drifted, score 5: `site/fonts.css`: t…
        16  context.injected verger: you did something that the person forbade. - `…
       verger   gives the agent: Print a receipt with the dearest item on top. …
       verger   gives the agent: you did something that the person forbade. …

    13. The conversation is compacted
       A summary could lose your goal and your limits. verger gives them back to the
       agent.
        17  compaction.started auto
        18  handoff.written  before the conversation was compacted
        19  session.started  compact
        20  context.injected verger: notes of this session from before the conversa…
       verger   gives the agent: notes of this session from before the conversation
                was compacted. …

    14. How often are learnings used?
       The statistics of all sessions: verger learn stats
       learnings: 1 active, 0 archived, 0 superseded
                                  all    7 d  before   30 d  before
       given to sessions            1      1       0      1       0
       used                         1      1       0      1       0
         reported by the agent      1      1       0      1       0
       hit rate                 100 %  100 %       -  100 %       -

    15. Why did verger not object to the last stop?
       verger explains every answer and every silence from the log: verger why EVENT
       event         stop.requested at #:16
       id            #$ID2
       when         #
       session       # of claude
       directory     the demo's project
       who           the agent
       what          bd-7 is done.
       answer        none
       recording     on, record.enabled = true (default): records what agents do in…
       redaction     on, always: removes secrets before anything is written
       review        on, review.mode = "prompt" (default), review.gated_tools = [] …
       guard         on, guard.mode = "observe" (default): allows, asks about or de…
       undo          on, undo.enabled = true (default): saves what a call may destr…
       learning      on, learning.mode = "on" (default): asks an agent to write dow…
       verification  on, verification.mode = "observe" (default): records claims of…
       delegation    off, delegation.mode = "off" (default): stops a lead agent fro…
       drift         on, drift.mode = "observe" (default): records when an agent br…
       habits        off, habits.* (default): stops calls that a project does not w…
       setting now   record.role = - (default)
       setting now   record.readers = [] (default)

    16. Is the log complete?
       Every record has a number, a checksum and the hash of the one before it:
       verger log verify
       result   7 segments, 137 records, 0 faults

    17. One byte of the log is changed
       The same check finds the place. The other records can still be read.
       verger   claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: bad line at byte #:
                the checksum does not match
       verger   claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: found record 11 where
                record 10 belongs
       verger   claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: record 11 does not
                follow the one before it: something was changed or removed
       result   7 segments, 136 records, 3 faults

    71 calls of the hook, about # ms each.
    Everything that the demo made is removed.

    Next:
      verger init         connects verger to your agent; --dry-run shows the changes
      verger status       shows what verger does in a project, and what needs you
      verger demo --all   shows more scenes: records, secrets, limits, the log
      verger demo --real  uses your own Claude Code with a scripted model, needs no
                          key
      docs/               in verger's repository has a page for each topic
    "#);
    installed.assert_nothing_left();
}

#[test]
fn programs_are_given_one_object_with_the_scenes() {
    let installed = Installed::new();
    let output = installed.run(&["demo", "--json", "--all"]).success();
    let told: Value = serde_json::from_str(&output.stdout).unwrap();
    let scenes = told["scenes"].as_array().unwrap();
    let titles: Vec<_> = scenes.iter().map(|scene| scene["title"].as_str().unwrap()).collect();
    insta::assert_snapshot!(titles.join("\n"), @r#"
    A destroyed file comes back
    A dangerous command stops (with guard.mode = "enforce")
    A review is required (the prompt began with #review)
    A false "done" is caught (with verification.mode = "claims")
    A learning helps the next session
    A session is recorded
    Three files are read at once
    A secret is printed
    The same event is reported twice
    A subagent helps
    A command that only reads needs no question (with guard.mode = "enforce")
    The agent breaks a limit (with drift.mode = "correct")
    The conversation is compacted
    How often are learnings used?
    Why did verger not object to the last stop?
    Is the log complete?
    One byte of the log is changed
    "#);
    assert_eq!(told["kept"], Value::Null);
    insta::assert_snapshot!(serde_json::to_string_pretty(&scenes[1]).unwrap(), @r#"
    {
      "recorded": [
        {
          "kind": "tool.requested",
          "number": "10",
          "subagent": null,
          "summary": "Bash ls src && rm -rf ./src"
        },
        {
          "kind": "guard.judged",
          "number": "11",
          "subagent": null,
          "summary": "deny by remove-tree: it permanently removes a whole directory; sent: deny"
        },
        {
          "kind": "verdict.given",
          "number": "12",
          "subagent": null,
          "summary": "deny: verger: this did not run: it permanently removes a whole directory (rule remove-tree). Instead…"
        }
      ],
      "seen": [
        {
          "finding": "detail",
          "speaker": "agent",
          "text": "$ ls src && rm -rf ./src"
        },
        {
          "finding": "promised",
          "speaker": "verger",
          "text": "denied: this did not run: it permanently removes a whole directory (rule remove-tree). …"
        },
        {
          "finding": "promised",
          "speaker": "verger",
          "text": "tells you: … `verger why --last` explains it; to let it run once: verger guard allow-once"
        },
        {
          "finding": "promised",
          "speaker": "result",
          "text": "src/total.rs is still there"
        }
      ],
      "story": "",
      "title": "A dangerous command stops (with guard.mode = \"enforce\")"
    }
    "#);
    installed.assert_nothing_left();
}

#[test]
fn quiet_leaves_the_stories_out() {
    let installed = Installed::new();
    let output = installed.run(&["demo", "--quiet"]).success();
    let (beginning, _) = output.stdout.split_once("3. ").unwrap();
    insta::assert_snapshot!(beginning, @r#"
    1. A destroyed file comes back
       agent    $ git reset --hard
       verger   saves the files first: it throws away changes that are not committed
                (rule git-reset-hard)
       you      $ verger undo restore
       result   1 file written: src/total.rs is back with the agent's work
    2. A dangerous command stops (with guard.mode = "enforce")
       agent    $ ls src && rm -rf ./src
       verger   denied: this did not run: it permanently removes a whole directory
                (rule remove-tree). …
       verger   tells you: … `verger why --last` explains it; to let it run once:
                verger guard allow-once
       result   src/total.rs is still there
    "#);
    assert!(!output.stdout.contains("verger init"));
}

#[test]
fn a_narrow_terminal_is_enough() {
    let installed = Installed::new();
    let command = installed.command(&["demo"]);
    let output = installed.environment.run_on_terminal(command, TerminalSize::NARROW).success();
    let codes = ["[0m", "[1m", "[2m", "[31m", "[32m"].map(|code| format!("\u{1b}{code}"));
    let plain = codes.iter().fold(output.stdout.clone(), |text, code| text.replace(code, ""));
    assert_eq!(plain.find('\u{1b}'), None);
    let long: Vec<_> = plain.lines().filter(|line| line.chars().count() > 40).collect();
    assert_eq!(long, Vec::<&str>::new());
    let scene = output.stdout.split("\n\n").nth(2).unwrap();
    insta::assert_snapshot!(scene.replace('\u{1b}', "ESC"), @r#"
    ESC[1m2. A dangerous command stops (withESC[0m
    ESC[1mguard.mode = "enforce")ESC[0m
    ESC[2m   agent    ESC[0m$ ls src && rm -rf ./src
    ESC[2m   verger   ESC[0mESC[31mdenied: this did not run: itESC[0m
    ESC[2m            ESC[0mESC[31mpermanently removes a wholeESC[0m
    ESC[2m            ESC[0mESC[31mdirectory (ruleESC[0m
    ESC[2m            ESC[0mESC[31mremove-tree). …ESC[0m
    ESC[2m   verger   ESC[0mtells you: … `verger why
    ESC[2m            ESC[0m--last` explains it; to let
    ESC[2m            ESC[0mit run once: verger guard
    ESC[2m            ESC[0mallow-once
    ESC[2m   result   ESC[0mESC[32msrc/total.rs is still thereESC[0m
    "#);
    let mut colourless = installed.command(&["demo"]);
    colourless.env("NO_COLOR", "1");
    let output = installed.environment.run_on_terminal(colourless, TerminalSize::NARROW);
    assert_eq!(output.success().stdout.find('\u{1b}'), None);
}

#[test]
fn an_interrupted_demo_leaves_nothing_behind() {
    let installed = Installed::with_hook(
        "#!/bin/sh\necho called >&2 > \"$HOME/../../../called\"\nexec sleep 600\n",
    );
    let called = installed.environment.root().join("called");
    let made = installed.environment.run("mkfifo", [&called], "");
    assert_eq!(made.success().stdout, "");
    let command = installed.command(&["demo"]);
    let terminal = installed.environment.start_on_terminal(command, TerminalSize::USUAL);
    assert_eq!(fs::read_to_string(called).unwrap(), "called\n");
    terminal.send("\u{3}");
    let output = terminal.finish();
    let end = output.stdout.split("comes back\u{1b}[0m\n").last().unwrap();
    insta::assert_snapshot!(end, @"
    ^Cverger: cannot finish the demo: it was interrupted
    hint: run it again: verger demo
    ");
    assert_eq!(output.code, 3);
    installed.assert_nothing_left();
}

#[test]
fn a_hook_that_does_not_work_is_told_and_nothing_is_left_behind() {
    let installed = Installed::with_hook("#!/bin/sh\necho oops >&2\nexit 1\n");
    insta::assert_snapshot!(installed.run(&["demo", "--quiet"]), @r#"
    1. A destroyed file comes back
    ------- stderr -------
    verger: cannot run verger-hook for SessionStart: it ended with exit status: 1 and said "oops\n"
    hint: verger demo --keep leaves the files to look at; please report it
    ------- exit code 3 -------
    "#);
    installed.assert_nothing_left();
    let silent = Installed::with_hook("#!/bin/sh\nexec cat > /dev/null\n");
    insta::assert_snapshot!(silent.run(&["demo", "--quiet"]), @r#"
    1. A destroyed file comes back
    ------- stderr -------
    verger: cannot show what was recorded: the hook program ran and recorded nothing
    hint: TMPDIR names the directory to use; is it writable, and is there room?
    ------- exit code 3 -------
    "#);
    silent.assert_nothing_left();
}

#[test]
fn a_client_that_is_not_there_is_told_and_nothing_is_left_behind() {
    let installed = Installed::new();
    let missing = installed.run(&["demo", "--real", "--claude", "/no/such/claude"]);
    insta::assert_snapshot!(missing, @r#"
    ------- stderr -------
    verger: cannot run /no/such/claude: start the program: No such file or directory (os error 2)
    hint: --claude PATH names Claude Code; verger demo without --real needs none
    ------- exit code 3 -------
    "#);
    let other = installed.environment.root().join("other");
    let other = installed.environment.write_program(other, "#!/bin/sh\necho who?\nexit 7\n");
    let other = installed.run(&["demo", "--real", "--claude", other.to_str().unwrap()]);
    insta::assert_snapshot!(other, @r#"
    ------- stderr -------
    verger: cannot run $ENV/other: it ended with exit status: 7 and said "who?"
    hint: verger demo --keep leaves the files to look at; please report it
    ------- exit code 3 -------
    "#);
    installed.assert_nothing_left();
}

#[test]
fn kept_files_can_be_inspected() {
    let installed = Installed::new();
    let output =
        installed.environment.run_command(installed.command(&["demo", "--keep", "--json"]), "");
    let output = output.success();
    let told: Value = serde_json::from_str(&output.stdout).unwrap();
    let home = told["kept"].as_str().unwrap();
    let home = home.replace("$ENV", &installed.environment.root().display().to_string());
    let mut verify = installed.command(&["log", "verify"]);
    verify.env_remove("VERGER_HOME").env("HOME", format!("{home}/home"));
    let output = installed.environment.run_command(verify, "");
    insta::assert_snapshot!(output, @"5 segments, 84 records, 0 faults");
}

#[test]
fn a_reader_that_goes_away_leaves_nothing_behind() {
    let installed = Installed::new();
    let mut command = installed.environment.command("sh");
    command.args(["-c", "\"$0\" demo | head -n 1"]).arg(&installed.verger);
    insta::assert_snapshot!(installed.environment.run_command(command, ""), @"A scripted agent works in a temporary project. The answers are those of the real");
    installed.assert_nothing_left();
}

#[test]
fn without_a_hook_program_and_in_a_checkout_verger_is_the_hook_itself() {
    let mut alone = TestEnvironment::new();
    alone.add_filter(Filter::Ulids);
    let alone = Installed::in_environment(alone);
    let expected = Installed::new().run(&["demo"]).success().stdout;
    assert_eq!(alone.run(&["demo"]).success().stdout, expected);
    alone.assert_nothing_left();

    let old = Installed::with_hook("#!/bin/sh\necho an earlier build >&2\nexit 1\n");
    let mut command = old.command(&["demo"]);
    command.env("CARGO", "/no/such/cargo").env("CARGO_MANIFEST_DIR", "/src/crates/cli");
    let output = old.environment.run_command(command, "").success();
    assert_eq!(settled(&output.stdout), expected);
    old.assert_nothing_left();
}
