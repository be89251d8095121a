//! `verger demo --real` with the real client, without a network and without an API key.

use std::fs;
use std::path::{Path, PathBuf};

use verger_testkit::{ClaudeCode, Output, Script, Upstream, Version, in_each_version};

use crate::demo::{Installed, settled};

in_each_version! {
    a_real_session_is_shown
    an_interrupted_real_session_leaves_nothing_behind
}

impl Installed {
    /// A single program file that starts the client.
    fn client(&self, version: Version) -> PathBuf {
        let client = ClaudeCode::installed(version);
        let words = client.command().iter().map(|word| format!("'{}' ", word.display()));
        let script = format!("#!/bin/sh\nexec {}\"$@\"\n", words.collect::<String>());
        self.environment.write_program(self.environment.root().join("claude"), script)
    }

    /// Runs a shell script in which `$demo` is the demo with the client. The only upstream that it
    /// reaches is the demo's own.
    fn run_isolated(&self, script: &str, version: Version) -> Output {
        let (client, upstream) = (self.client(version), Upstream::start(Script::new()));
        let (verger, client) = (self.verger.display(), client.display());
        let script = format!("demo='{verger} demo --real --claude {client}'\n{script}");
        let output = self.environment.run_isolated(&upstream, "sh", ["-c", &script]);
        assert_eq!(upstream.finish(), []);
        output
    }
}

fn a_real_session_is_shown(version: Version) {
    let installed = Installed::new();
    let output = installed.run_isolated("$demo", version);
    let stdout = settled(&output.stdout).replace(version.as_str(), "VERSION");
    let session = stdout.split_once("one before it:").unwrap().0.to_owned();
    insta::allow_duplicates! {
        insta::assert_snapshot!(session, @r#"
        A real agent works in a temporary home and project, and the hook program records
        what it does. Nothing of yours is touched.

        1. A real session
           Claude Code works in the project. Its model is a script inside this demo, so
           it needs no key and sends nothing to the network. It lists files, runs tests
           that fail, reads three files at once, prints a file with an access token and
           asks a subagent.
             1  session.started  startup
             2  prompt.submitted Make the tests pass and tell me what was wrong.
             3  start_tree.taken of git
             4  tool.requested   Bash ls
             5  guard.judged     allow by list-files: it only reads; sent: silence
             6  tool.succeeded   Bash ls
             7  tool_batch.ended 1 call
             8  tool.requested   Bash sh ./run-tests
             9  tool.failed      Bash: Exit code 3 1 test failed: total_of_nothing
            10  tool_batch.ended 1 call
            11  tool.requested   Read README.md
            12  tool.requested   Read src/main.rs
            13  tool.requested   Read src/total.rs
            14  tool.succeeded   Read README.md
            15  tool.succeeded   Read src/main.rs
            16  tool.succeeded   Read src/total.rs
            17  tool_batch.ended 3 calls
            18  tool.requested   Bash cat .env
            19  undo_point.taken $ID1 of $ENV/tmp/v…
            20  guard.judged     risky by read-credentials: it reads or copies credenti…
            21  tool.succeeded   Bash cat .env
            22  tool_batch.ended 1 call
            23  tool.requested   Agent Check the change
            24  subagent.started [general-purpose]
            25  tool.requested   [general-purpose] Bash ls src
            26  guard.judged     [general-purpose] allow by list-files: it only reads; …
            27  tool.succeeded   [general-purpose] Bash ls src
            28  tool_batch.ended [general-purpose] 1 call
            29  subagent_stop.requested [general-purpose] It is as it should be.
            30  tool.succeeded   Agent Check the change
            31  tool_batch.ended 1 call
            32  stop.requested   The tests fail. The total of nothing is read from an e…
            33  session.ended    other
            34  handoff.written  before the session ended
           agent    VERSION (Claude Code) answers: The tests fail. The total of nothing
                    is read from an empty list.

        2. Is the secret on the disk?
           The demo searches every file that verger wrote.
           result   12 files searched: the token is in none of them
           result   recorded instead: DEPLOY_TOKEN=[redacted:github-token:#]

        3. Why did verger not object to the last stop?
           verger explains every answer and every silence from the log: verger why EVENT
           event         stop.requested at #:32
           id            #$ID2
           when         #
           session       # of claude VERSION
           directory     the demo's project
           who           the agent
           what          The tests fail. The total of nothing is read from an empty lis…
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

        4. Is the log complete?
           Every record has a number, a checksum and the hash of the
        "#);
    }
    assert_eq!((output.stderr.as_str(), output.code), ("", 0));
    installed.assert_nothing_left();
}

fn an_interrupted_real_session_leaves_nothing_behind(version: Version) {
    let installed = Installed::new();
    // The client starts after the last line of the story is printed.
    let script = "mkfifo told; $demo > told & while read -r line; do \
                  case $line in *subagent.) kill -TERM $!;; esac; done < told; rm told; wait $!";
    let output = installed.run_isolated(script, version);
    insta::allow_duplicates! {
        insta::assert_snapshot!(output, @r#"
        ------- stderr -------
        verger: cannot finish the demo: it was interrupted
        hint: run it again: verger demo
        ------- exit code 3 -------
        "#);
    }
    assert_eq!(processes_with_home_below(installed.environment.root()), Vec::<String>::new());
    installed.assert_nothing_left();
}

/// The command lines of processes whose home is in this directory.
fn processes_with_home_below(directory: &Path) -> Vec<String> {
    let home = format!("HOME={}", directory.display());
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    processes
        .filter(|process| {
            // The variables of other users' processes can't be read.
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|line| line.starts_with(home.as_bytes()))
        })
        .map(|process| fs::read_to_string(process.join("cmdline")).unwrap_or_default())
        .collect()
}
