//! A trusted project with a build and with files that could be destroyed, for tests of the
//! permission guard with the real client.

use verger_testkit::{Print, Reply, Script, Version};

use crate::household::done;
use crate::review_stage::{Played, ReviewStage, bash};

pub(crate) const ENFORCE: &str = "guard.mode = \"enforce\"\n";

/// Arguments with which the client asks for no permission for these tools.
pub(crate) const ALLOWED: [&str; 2] = ["--allowedTools", "Bash,Read,Write,Edit"];

/// A line that runs unless a rule denies it.
pub(crate) const RISKY: &str = "git tag -d kept";

const NOT_COMMITTED: &str = "pub fn kept() { /* not committed */ }\n";

pub(crate) struct GuardStage {
    pub(crate) stage: ReviewStage,
}

impl GuardStage {
    /// A stage with these settings of the user.
    #[track_caller]
    pub(crate) fn new(version: Version, settings: &str) -> Self {
        let stage = ReviewStage::with_settings(version, settings);
        let environment = &stage.household.environment;
        environment.write("Makefile", "check:\n\t@echo checked\n");
        environment.write("src/lib.rs", "pub fn kept() {}\n");
        for words in [
            &["add", "Makefile", "src"][..],
            &["commit", "--quiet", "--no-gpg-sign", "--message=Build"],
            &["tag", "kept"],
        ] {
            done(environment.run("git", words, ""));
        }
        environment.write("src/lib.rs", NOT_COMMITTED);
        done(stage.household.verger(&["trust", "--yes"]));
        Self { stage }
    }

    /// Runs a session in which the agent takes these turns.
    #[track_caller]
    pub(crate) fn play(
        &self,
        turns: impl IntoIterator<Item = Reply>,
        arguments: &[&str],
    ) -> Played {
        let script = turns.into_iter().fold(Script::new(), Script::step).step(Reply::text("Done."));
        let print = self.stage.client.print("go");
        let print = arguments.iter().fold(print, Print::arg);
        let played = self.stage.play_print(print, script);
        assert_eq!(played.run.answer(), "Done.");
        played
    }

    /// Runs a session in which the agent runs these lines. Returns the message to the agent about
    /// each line.
    #[track_caller]
    pub(crate) fn run(&self, lines: &[&str], arguments: &[&str]) -> Vec<String> {
        self.play(lines.iter().copied().map(bash), arguments).told_main()
    }

    /// Asserts that nothing was destroyed.
    #[track_caller]
    pub(crate) fn assert_all_is_there(&self) {
        let environment = &self.stage.household.environment;
        assert_eq!(environment.read("src/lib.rs"), NOT_COMMITTED);
        assert_eq!(environment.run("git", ["tag"], "").success().stdout, "kept\n");
    }
}
