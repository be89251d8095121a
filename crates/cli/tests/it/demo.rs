//! `verger demo`: its output, and that it leaves no files behind however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use verger_testkit::{Filter, Output, TerminalSize, TestEnvironment};

/// The hook program is verger itself, which is the same program under another name.
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

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.environment.run_command(self.command(arguments), "");
        Output { stdout: settled(&output.stdout), ..output }
    }

    /// Everything in the user's home and in the directory for temporary files.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        let root = self.environment.root();
        let left = [files(&root.join("tmp")), files(&root.join("home"))].concat();
        assert_eq!(left, Vec::<PathBuf>::new());
    }
}

/// The files and empty directories below a directory, but for the empty project.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Replaces everything that changes from run to run, and sorts files that were read at the same
/// time by name. A real client ends the first call while the hook of the last one still runs.
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
        (", began ", |letter| letter.is_numeric() || " :-…".contains(letter)),
        ("   decided    ", |letter| letter.is_numeric() || " :-".contains(letter)),
        ("learn-", char::is_alphanumeric),
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

#[test]
#[expect(clippy::too_many_lines, reason = "one snapshot of all that a newcomer sees")]
fn a_newcomer_is_shown_what_happened_and_what_was_recorded() {
    let installed = Installed::new();
    insta::assert_snapshot!(installed.run(&["demo"]), @r#"
    A scripted agent works in a throw-away project, and the real hook program
    records what it does. Nothing of yours is touched.

    1. A session starts
       Your agent's program calls verger-hook whenever something happens. The call
       is recorded, and verger stays silent: it has nothing to object.
         1  session.started  startup

    2. You ask for something
       What follows belongs to this prompt.
         2  prompt.submitted #review Make the tests pass and tell me what was wrong.
         3  gate.changed     review: idle -> pending, review wanted by a prompt wit…

    3. The agent runs a command
       Once before it runs, when verger could refuse it, and once after.
         4  start_tree.taken of git
         5  tool.requested   Bash ls
         6  guard.judged     allow by list-files: it only reads; sent: silence
         7  tool.succeeded   Bash ls

    4. A command fails
       That it failed is on record, whatever the agent says later.
         8  tool.requested   Bash ./run-tests
         9  tool.failed      Bash: Exit code 3 1 test failed: total_of_nothing

    5. Three files are read at once
       Agents work in parallel, and so do the hooks. Nothing is lost and every
       record has its number.
        10  tool.requested   Read README.md
        11  tool.requested   Read src/main.rs
        12  tool.requested   Read src/total.rs
        13  tool.succeeded   Read README.md
        14  tool.succeeded   Read src/main.rs
        15  tool.succeeded   Read src/total.rs
        16  tool_batch.ended 3 calls

    6. A secret comes by
       The agent prints a file with an access token in it. verger takes the token
       out before anything is written.
        17  tool.requested   Bash cat .env
        18  undo_point.taken $ID1 of $ENV/tmp/v…
        19  guard.judged     risky by read-credentials: it reads or copies credenti…
        20  tool.succeeded   Bash cat .env

    7. Is the secret on the disk?
       Every file that verger wrote is searched for it.
       11 files searched: the token is in none
       in its place: DEPLOY_TOKEN=[redacted:github-token:#]

    8. The same thing is reported twice
       As when verger is installed in two places. The second report is dropped.
        21  tool.requested   Edit src/total.rs
        22  tool.succeeded   Edit src/total.rs
       3 calls of the hook, 2 records

    9. A subagent helps
       What it does is recorded as its own.
        23  tool.requested   Agent Check the change
        24  subagent.started [general-purpose]
        25  tool.requested   [general-purpose] Bash ./run-tests
        26  tool.succeeded   [general-purpose] Bash ./run-tests
        27  subagent_stop.requested [general-purpose] All tests pass.
        28  tool.succeeded   Agent Check the change

    10. It wants to start over
       Where you let the guard enforce its rules, what only reads passes without a
       question, and what destroys your work stops, wherever it stands on the line:
       verger guard explain
        29  tool.requested   Bash grep -rn total src
        30  guard.judged     allow by grep: it only reads; sent: allow
        31  verdict.given    allow: verger: it only reads (rule grep)
        32  tool.succeeded   Bash grep -rn total src
        33  tool.requested   Bash ls src && rm -rf ./src
        34  guard.judged     deny by remove-tree: it permanently removes a whole di…
        35  verdict.given    deny: verger: this did not run: it permanently removes…
       the call is allowed: it only reads (rule grep)
       the call is denied: this did not run: it permanently removes a whole
       directory (rule remove-tree). Instead: name the files to remove, or ask the
       person to remove the directory. Do not try another spelling of the same
       thing; this is recorded. If exactly this call is needed, say so: a person can
       let it run.
       you are told: verger denied a call of the agent: it permanently removes a
       whole directory (rule remove-tree). `verger why --last` explains it; to let
       it run once: verger guard allow-once

    11. It starts over all the same
       While the guard only observes, as it does until you decide otherwise, the
       call runs. What it destroys is saved a moment before.
        36  tool.requested   Bash git reset --hard
        37  undo_point.taken $ID2 of $ENV/tmp/v…
        38  guard.judged     deny by git-reset-hard: it throws away changes that ar…
        39  tool.succeeded   Bash git reset --hard

    12. You bring the work back
       Nobody committed it, and it is not lost. What is there now is saved first, so
       that this can be undone too: verger undo restore
       saved because it throws away changes that are not committed (rule
       git-reset-hard)
       1 file written: src/total.rs is back as the agent had made it

    13. The agent says it is done
       Your prompt began with #review, so nobody is done without one. The agent is
       told what to do, and you how to let it go all the same.
        40  stop.requested   Fixed the code. The total of nothing was read from an …
        41  gate.changed     verification: idle -> claimed, without a green verific…
        42  gate.changed     review: pending -> blocked, stop refused, number 1
        43  verdict.given    deny: verger: do not stop yet: this work was not revie…
       the agent is refused: do not stop yet: this work was not reviewed yet. An
       independent review has to approve this work first.
       you are told: the agent wanted to stop; a review is needed first (wanted by a
       prompt with #review; refusal 1 of 3). To let it stop without one, run in your
       own terminal: verger release review --session
       0d3e0f5a-7c1b-4a52-9e61-3f0c8b1d2a44

    14. It approves its own work
       Only the reviewer can decide.
        44  tool.requested   Bash verger decide complete 'Everything is fine' --ses…
        45  gate.changed     review: stays blocked, decision refused: only the revi…
        46  verdict.given    deny: verger rejected this decision: only the reviewer…
       the call is denied: verger rejected this decision: only the reviewer can
       decide, and this agent is not the reviewer.

    15. A reviewer looks at the work
       It is given a token that works once and only from itself. When it wants to
       decide, verger sees that it is the one.
        47  subagent.started [verger:reviewer]
        48  gate.changed     [verger:reviewer] review: stays blocked, reviewer star…
        49  context.injected [verger:reviewer] verger: you review session 0d3e0f5a-…
        50  tool.requested   [verger:reviewer] Bash verger decide complete 'The emp…
        51  gate.changed     [verger:reviewer] review: stays blocked, reviewer asks…
        52  verdict.given    [verger:reviewer] allow: the reviewer decides
       the subagent is told: you review session
       0d3e0f5a-7c1b-4a52-9e61-3f0c8b1d2a44. The work you look at is fixed by its
       content hash b1dcdde31b97.
       the call is allowed: the reviewer decides

    16. The reviewer decides
       It approves exactly the files that were there when it started.
        53  gate.changed     review: blocked -> approved, reviewer decided complete
        54  review.decided   complete: The empty list is handled, and a test shows …
       taken: complete, for session 0d3e0f5a-7c1b-4a52-9e61-3f0c8b1d2a44
       the agent may stop as long as the work stays as it is

    17. Now the agent may stop
       The work is what was approved, so verger is silent.
        55  stop.requested   Fixed the code. The total of nothing was read from an …
        56  task.recorded    task 1 is unverified: #review Make the tests pass and …
        57  session.ended    prompt_input_exit

    18. Why was verger silent?
       The log explains every answer, and every silence: verger why EVENT
       event         stop.requested at #:55
       id            #$ID3
       when         #
       session       # of claude
       directory     the demo's project
       who           the agent
       what          Fixed the code. The total of nothing was read from an empty li…
       task          1 is unverified: #review Make the tests pass and tell me what …
         see         verger tasks show $ID4
       answer        none: nothing that is on has an opinion on stop.requested
       recording     on, record.enabled = true (default): keeps what agents do in t…
       redaction     on, always: removes secrets before anything is written
       review        on, review.mode = "prompt" (default), review.gated_tools = [] …
       guard         on, guard.mode = "observe" (default): judges which calls of an…
       undo          on, undo.enabled = true (default): saves what a call may destr…
       learning      on, learning.mode = "on" (default): asks an agent to write dow…
       verification  on, verification.mode = "observe" (default): records claims of…
       delegation    off, delegation.mode = "off" (default): keeps an agent that le…
       drift         on, drift.mode = "observe" (default): records when an agent br…
       habits        off, habits.* (default): keeps agents from what a project does…
       setting now   record.role = - (default)
       setting now   record.readers = [] (default)
       reviewer      subagent a91d04c7be25f6038 (verger:reviewer), began #
         content     b1dcdde31b97c37cf7376e4854e6c7ad9dbcd70920fb6141f33badf6e4f2cf…
         decided    #, complete: The empty list is handled, and …

    19. Another session closes a ticket
       What the agent found out on the way would be lost with the session. It is
       asked to write that down before it stops.
         1  session.started  startup
         2  prompt.submitted Do bd-7: totals of orders without items
         3  start_tree.taken of git
         4  tool.requested   Bash bd close bd-7 --reason done
         5  gate.changed     learning: idle -> pending, closing beads bd-7
         6  ticket.seen      beads bd-7 about to be closed
         7  tool.succeeded   Bash bd close bd-7 --reason done
         8  gate.changed     learning: stays pending, closed beads bd-7
         9  ticket.seen      beads bd-7 closed
        10  stop.requested   bd-7 is done.
        11  gate.changed     learning: pending -> blocked, stop refused, number 1
        12  verdict.given    deny: verger: do not stop yet: beads bd-7 was closed, …
       the agent is refused: do not stop yet: beads bd-7 was closed, and you have
       not written down what you learned from this work.
       you are told: the agent wanted to stop; it must first write down what it
       learned (beads bd-7 was closed; refusal 1 of 3). To let it stop without that,
       run in your own terminal: verger release learning --session
       3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13

    20. It writes down what it learned
       What is worth keeping goes to a file in the project, for everybody: verger
       reflect
        13  reflection.recorded 1 learning
        14  gate.changed     learning: blocked -> reflected, reflection recorded: 1…
        15  learning.stored  learn-#$ID5 in markdown
       took 1 of 1 candidate, for session 3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13
       learn-#$ID5, in .verger/learnings.md: Orders without
       items are valid: never read the first item
       the agent may stop now; verger status shows how its gates stand

    21. The next session is given it
       With the prompt that it fits. What does not fit is not given, and nothing is
       given twice.
        16  stop.requested   bd-7 is done.
        17  session.ended    prompt_input_exit
        18  handoff.written  before the session ended
         1  session.started  startup
         2  backend.found    markdown .verger/learnings.md
         3  prompt.submitted Show the average price of an order's items next to the…
         4  context.injected <verger-learnings> Written down in earlier sessions on…
       the agent is given: [learn-#$ID5] Orders without items
       are valid: never read the first item

    22. It helps
       The agent says so. What nobody uses is put away after a while: verger learn
       archive --unused
         5  learning.seen    learn-#$ID5 used
       noted: learn-#$ID5 was of use

    23. How do learnings fare?
       How many were given to sessions, how many were used: verger stats
       learnings: 1 active, 0 archived, 0 superseded
                               all    7 d  before   30 d  before
       given to sessions         1      1       0      1       0
       used                      1      1       0      1       0
         the agent said so       1      1       0      1       0
         its reflection did      0      0       0      0       0
         its work shows it       0      0       0      0       0
       hit rate              100 %  100 %       -  100 %       -

    24. One more session writes some code
       From here on you have verification on, and the project's tests are what
       counts.
         1  session.started  startup
         2  backend.found    markdown .verger/learnings.md
         3  prompt.submitted Print a receipt with the dearest item on top.
         4  start_tree.taken of git
         5  tool.requested   Write src/receipt.rs
         6  tool.succeeded   Write src/receipt.rs

    25. It says that it is done
       Saying so is not enough. It is told the command that checks its work.
         7  stop.requested   Done. The receipt is printed as you wanted it.
         8  gate.changed     verification: idle -> blocked, stop refused, number 1
         9  verdict.given    deny: verger: do not stop yet: this work was not verif…
       the agent is refused: do not stop yet: this work was not verified yet. You
       are asked because you said "done".
       you are told: the agent wanted to stop; this work was not verified yet (the
       agent said "done"; refusal 1 of 3). To let it stop without that, run in your
       own terminal: verger release verify --session
       f2a81c60-4e9b-4d37-a6f5-08b93c71d5e2

    26. The tests say otherwise
       They are run outside of the agent, and what they say is on record: verger
       verify
        10  gate.changed     verification: stays blocked, deep verification is red
        11  verification.recorded deep is red: 2 checks passed, 1 issue
       red: deep verification, 2 checks passed, 1 issue
       1 test failed: receipt_of_nothing (tests)
       Make the tests pass; `sh ./run-tests` shows all of it.
       Then run `verger verify --session f2a81c60-4e9b-4d37-a6f5-08b93c71d5e2
       --depth deep`.

    27. It mends that
       Work that changes has to be checked again.
        12  tool.requested   Edit src/receipt.rs
        13  tool.succeeded   Edit src/receipt.rs

    28. Now the tests agree
       That counts for exactly these files.
        14  gate.changed     verification: stays blocked, deep verification is green
        15  verification.recorded deep is green: 3 checks passed, no issue
       green: deep verification, 3 checks passed, no issue

    29. And the agent may stop
       Its work was checked as it is, so verger is silent.
        16  stop.requested   Done, and verified.
        17  gate.changed     verification: blocked -> verified, nothing to verify
        18  task.recorded    task 1 is complete: Print a receipt with the dearest i…
        19  session.ended    prompt_input_exit

    30. The last session begins
       You type a limit: Do not touch site/. verger reads such sentences from your
       own words. Earlier work on the same files is offered to the agent: verger
       tasks
         1  session.started  startup
         2  backend.found    markdown .verger/learnings.md
         3  prompt.submitted Show the tax on the receipt, in src/receipt.rs. Do not…
         4  context.injected <verger-tasks> An earlier task in this project has thi…
         5  start_tree.taken of git
         6  tool.requested   Edit src/receipt.rs
         7  tool.succeeded   Edit src/receipt.rs
         8  tool_batch.ended 1 call
       the agent is given: Print a receipt with the dearest item on top. (complete,
       less than a day ago)

    31. Then the agent breaks your limit
       It edits files below site/. With drift.mode set to correct, verger tells the
       agent after at most three batches of tool calls. What happened: verger drift
         9  tool.requested   Edit site/theme.css
        10  tool.succeeded   Edit site/theme.css
        11  tool_batch.ended 1 call
        12  tool.requested   Edit site/fonts.css
        13  tool.succeeded   Edit site/fonts.css
        14  tool_batch.ended 1 call
        15  gate.changed     drift: normal -> drifted, score 5: `site/fonts.css`: t…
        16  context.injected verger: you did something that the person forbade. - `…
       the agent is given: you did something that the person forbade.

    32. Its memory is cut
       When the conversation is compacted, your goal and your limits could be lost
       in a summary. verger gives them back to the agent.
        17  compaction.started auto
        18  handoff.written  before the conversation was compacted
        19  session.started  compact
        20  context.injected verger: notes of this session from before the conversa…
       the agent is given: notes of this session from before the conversation was
       compacted. They are a record, not an instruction: the person's words come
       first.

    33. Is the log whole?
       Every record has a number, a checksum and the hash of the one before it:
       verger log verify
       6 segments, 131 records, 0 faults

    34. Somebody changes one byte of it
       The same check finds the place, and the other records are still read.
       claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: bad line at byte #: the
       checksum does not match
       claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: record 14 stands where 13 should
       claude-3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13: record 14 does not follow the
       one before it: something was changed or removed
       6 segments, 130 records, 3 faults

    66 calls of the hook, about # ms each.
    Everything that the demo made is removed.
    For your own sessions: verger init
    "#);
    installed.assert_nothing_left();
}

#[test]
fn programs_are_told_scene_by_scene() {
    let installed = Installed::new();
    let output = installed.run(&["demo", "--json"]).success();
    let told: Value = serde_json::from_str(&output.stdout).unwrap();
    let scenes = told["scenes"].as_array().unwrap();
    let (first, last) = (&scenes[3], &scenes[scenes.len() - 2]);
    let titles: Vec<_> = scenes.iter().map(|scene| &scene["title"]).collect();
    assert_eq!(titles.len(), 34, "{titles:?}");
    insta::assert_snapshot!(format!("{first}\n{last}\n{}", told["kept"]), @r#"
    {"recorded":[{"kind":"tool.requested","number":"8","subagent":null,"summary":"Bash ./run-tests"},{"kind":"tool.failed","number":"9","subagent":null,"summary":"Bash: Exit code 3 1 test failed: total_of_nothing"}],"seen":[],"story":"That it failed is on record, whatever the agent says later.","title":"A command fails"}
    {"recorded":[],"seen":[{"finding":"promised","text":"6 segments, 131 records, 0 faults"}],"story":"Every record has a number, a checksum and the hash of the one before it: verger log verify","title":"Is the log whole?"}
    null
    "#);
    installed.assert_nothing_left();
}

#[test]
fn quiet_leaves_the_stories_out() {
    let installed = Installed::new();
    let output = installed.run(&["demo", "--quiet"]).success();
    let beginning: Vec<_> = output.stdout.lines().take(4).collect();
    insta::assert_snapshot!(beginning.join("\n"), @r#"
    1. A session starts
         1  session.started  startup
    2. You ask for something
         2  prompt.submitted #review Make the tests pass and tell me what was wrong.
    "#);
}

#[test]
fn a_narrow_terminal_is_enough() {
    let installed = Installed::new();
    let command = installed.command(&["demo"]);
    let output = installed.environment.run_on_terminal(command, TerminalSize::NARROW).success();
    let plain = output.stdout.replace("\u{1b}[1m", "").replace("\u{1b}[32m", "");
    let plain = plain.replace("\u{1b}[0m", "");
    let long: Vec<_> = plain.lines().filter(|line| line.chars().count() > 40).collect();
    assert_eq!(long, Vec::<&str>::new());
    assert!(output.stdout.contains("\u{1b}[1m1. A session starts\u{1b}[0m\n"));
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
    let end = output.stdout.split("nothing to object.\n").last().unwrap();
    insta::assert_snapshot!(end, @r#"
    ^Cverger: cannot finish the demo: it was interrupted
    hint: verger demo shows it from the beginning
    "#);
    assert_eq!(output.code, 3);
    installed.assert_nothing_left();
}

#[test]
fn a_hook_that_does_not_work_is_told_and_nothing_is_left_behind() {
    let installed = Installed::with_hook("#!/bin/sh\necho oops >&2\nexit 1\n");
    insta::assert_snapshot!(installed.run(&["demo", "--quiet"]), @r#"
    1. A session starts
    ------- stderr -------
    verger: cannot run verger-hook for SessionStart: it ended with exit status: 1 and said "oops\n"
    hint: verger demo --keep leaves the files to look at; please report it
    ------- exit code 3 -------
    "#);
    installed.assert_nothing_left();
    let silent = Installed::with_hook("#!/bin/sh\nexec cat > /dev/null\n");
    insta::assert_snapshot!(silent.run(&["demo", "--quiet"]), @r#"
    1. A session starts
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
fn what_is_kept_can_be_looked_at() {
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
    insta::assert_snapshot!(output, @"6 segments, 131 records, 0 faults");
}

#[test]
fn a_reader_that_goes_away_leaves_nothing_behind() {
    let installed = Installed::new();
    let mut command = installed.environment.command("sh");
    command.args(["-c", "\"$0\" demo | head -n 1"]).arg(&installed.verger);
    insta::assert_snapshot!(installed.environment.run_command(command, ""), @"A scripted agent works in a throw-away project, and the real hook program");
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
