//! The scenes of the demo, as data. A new capability adds a scene.

use verger_gate::verification::Status;

/// The sessions of the demo: one is reviewed, one learns something, one is given that learning, one
/// says too early that it is done, and one breaks a limit. The log sorts sessions by name, so these
/// names are in the order of the demo.
pub(super) const SESSION: &str = "0d3e0f5a-7c1b-4a52-9e61-3f0c8b1d2a44";
pub(super) const LEARNER: &str = "3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13";
pub(super) const NEXT: &str = "e61f08b4-2d7c-4a93-b5e0-17c84fa9d326";
pub(super) const CLAIMER: &str = "f2a81c60-4e9b-4d37-a6f5-08b93c71d5e2";
pub(super) const WANDERER: &str = "f9d40b35-6c12-4e8a-9b73-2a5e0c8f4d17";

/// One step of the demo.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) title: &'static str,
    /// The agent's action and why it matters, for a reader who has never heard of verger.
    pub(super) story: &'static str,
    pub(super) act: Act,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Act {
    /// The agent's program calls the hook with these payloads, one in a line: those of a paragraph
    /// at the same time, the paragraphs one after the other.
    Calls(&'static str),
    /// Calls as above. Then a file of the project is changed.
    Edits(&'static str, Edit),
    /// Calls as above that verger answers.
    Answered(&'static str),
    /// Calls as above, with these settings of the person.
    Under(Settings, &'static str),
    /// A verification of the session that says that it is done. It ends with this status.
    Checked(Status),
    /// A command to verger.
    Command(Command),
    /// A session of the agent's real program.
    RealSession,
    /// A look at verger's own files.
    Look(Look),
}

/// The settings of a person, as they are written.
pub(super) type Settings = &'static str;

/// The guard of permissions enforces its rules.
const ENFORCING: Settings = "[guard]\nmode = \"enforce\"\n";
/// Claims that work is done are checked by the project's tests.
pub(super) const VERIFYING: Settings = "[verification]\nmode = \"claims\"\ndepth = \"deep\"\n\
                                        tests = { command = [\"sh\", \"./run-tests\"] }\n";

/// An agent that breaks a limit is told.
const CORRECTING: Settings = "[drift]\nmode = \"correct\"\n";

/// A change that a call makes to a file of the project.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

/// The file that the agent works on: as committed, and as the agent changes it.
pub(super) const COMMITTED: Edit =
    Edit { path: "src/total.rs", text: "pub fn total(items: &[u32]) -> u32 {\n    items[0]\n}\n" };
pub(super) const WORK: Edit =
    Edit { text: "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n", ..COMMITTED };

/// The file that another agent writes: first with an error, then without.
const RECEIPT: Edit = Edit {
    path: "src/receipt.rs",
    text: "pub fn dearest(items: &[u32]) -> u32 {\n    items[0]\n}\n",
};
const RIGHT_RECEIPT: Edit = Edit {
    text: "pub fn dearest(items: &[u32]) -> u32 {\n    items.iter().copied().max().unwrap_or(0)\n}\n",
    ..RECEIPT
};

/// A command line. `$TOKEN` in it is the token last given to a reviewer, and `$LEARNING` the
/// learning last given to a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command {
    pub(super) words: &'static [&'static str],
    pub(super) input: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Is the secret anywhere in verger's files?
    Secret,
    /// Does the work come back that was thrown away?
    Undo,
    /// Why did verger say what it said when the agent wanted to stop?
    Why,
    /// How do learnings fare?
    Statistics,
    /// Is every record what was written?
    Log,
    /// Is it noticed when one byte of the log is another?
    Damage,
}

/// A session that needs no agent: the payloads are those that a real one sends.
pub(super) const SCRIPTED: &[Scene] = &[
    Scene {
        title: "A session starts",
        story: "Your agent's program calls verger-hook whenever something happens. The call is \
                recorded, and verger stays silent: it has nothing to object.",
        act: Act::Calls(include_str!("scenes/start.jsonl")),
    },
    Scene {
        title: "You ask for something",
        story: "What follows belongs to this prompt.",
        act: Act::Calls(include_str!("scenes/prompt.jsonl")),
    },
    Scene {
        title: "The agent runs a command",
        story: "Once before it runs, when verger could refuse it, and once after.",
        act: Act::Calls(include_str!("scenes/call.jsonl")),
    },
    Scene {
        title: "A command fails",
        story: "That it failed is on record, whatever the agent says later.",
        act: Act::Calls(include_str!("scenes/failure.jsonl")),
    },
    Scene {
        title: "Three files are read at once",
        story: "Agents work in parallel, and so do the hooks. Nothing is lost and every record has \
                its number.",
        act: Act::Calls(include_str!("scenes/at-once.jsonl")),
    },
    Scene {
        title: "A secret comes by",
        story: "The agent prints a file with an access token in it. verger takes the token out \
                before anything is written.",
        act: Act::Calls(include_str!("scenes/secret.jsonl")),
    },
    SECRET_SEARCH,
    Scene {
        title: "The same thing is reported twice",
        story: "As when verger is installed in two places. The second report is dropped.",
        act: Act::Edits(include_str!("scenes/duplicate.jsonl"), WORK),
    },
    Scene {
        title: "A subagent helps",
        story: "What it does is recorded as its own.",
        act: Act::Calls(include_str!("scenes/subagent.jsonl")),
    },
    Scene {
        title: "It wants to start over",
        story: "Where you let the guard enforce its rules, what only reads passes without a \
                question, and what destroys your work stops, wherever it stands on the line: verger \
                guard explain",
        act: Act::Under(ENFORCING, include_str!("scenes/guard.jsonl")),
    },
    Scene {
        title: "It starts over all the same",
        story: "While the guard only observes, as it does until you decide otherwise, the call runs. \
                What it destroys is saved a moment before.",
        act: Act::Edits(include_str!("scenes/reset.jsonl"), COMMITTED),
    },
    Scene {
        title: "You bring the work back",
        story: "Nobody committed it, and it is not lost. What is there now is saved first, so that \
                this can be undone too: verger undo restore",
        act: Act::Look(Look::Undo),
    },
    Scene {
        title: "The agent says it is done",
        story: "Your prompt began with #review, so nobody is done without one. The agent is told \
                what to do, and you how to let it go all the same.",
        act: Act::Answered(include_str!("scenes/stop.jsonl")),
    },
    Scene {
        title: "It approves its own work",
        story: "Only the reviewer can decide.",
        act: Act::Answered(include_str!("scenes/cheat.jsonl")),
    },
    Scene {
        title: "A reviewer looks at the work",
        story: "It is given a token that works once and only from itself. When it wants to decide, \
                verger sees that it is the one.",
        act: Act::Answered(include_str!("scenes/review.jsonl")),
    },
    Scene {
        title: "The reviewer decides",
        story: "It approves exactly the files that were there when it started.",
        act: Act::Command(Command {
            words: &[
                "decide",
                "complete",
                "The empty list is handled, and a test shows it",
                "--session",
                SESSION,
                "--token",
                "$TOKEN",
            ],
            input: "",
        }),
    },
    Scene {
        title: "Now the agent may stop",
        story: "The work is what was approved, so verger is silent.",
        act: Act::Calls(include_str!("scenes/end.jsonl")),
    },
    EXPLANATION,
    Scene {
        title: "Another session closes a ticket",
        story: "What the agent found out on the way would be lost with the session. It is asked to \
                write that down before it stops.",
        act: Act::Answered(include_str!("scenes/close.jsonl")),
    },
    Scene {
        title: "It writes down what it learned",
        story: "What is worth keeping goes to a file in the project, for everybody: verger reflect",
        act: Act::Command(Command {
            words: &["reflect", "--session", LEARNER],
            input: include_str!("scenes/reflection.json"),
        }),
    },
    Scene {
        title: "The next session is given it",
        story: "With the prompt that it fits. What does not fit is not given, and nothing is given \
                twice.",
        act: Act::Answered(include_str!("scenes/next.jsonl")),
    },
    Scene {
        title: "It helps",
        story: "The agent says so. What nobody uses is put away after a while: verger learn archive --unused",
        act: Act::Command(Command { words: &["ref", "$LEARNING", "--session", NEXT], input: "" }),
    },
    Scene {
        title: "How do learnings fare?",
        story: "How many were given to sessions, how many were used: verger stats",
        act: Act::Look(Look::Statistics),
    },
    Scene {
        title: "One more session writes some code",
        story: "From here on you have verification on, and the project's tests are what counts.",
        act: Act::Edits(include_str!("scenes/receipt.jsonl"), RECEIPT),
    },
    Scene {
        title: "It says that it is done",
        story: "Saying so is not enough. It is told the command that checks its work.",
        act: Act::Under(VERIFYING, include_str!("scenes/claim.jsonl")),
    },
    Scene {
        title: "The tests say otherwise",
        story: "They are run outside of the agent, and what they say is on record: verger verify",
        act: Act::Checked(Status::Red),
    },
    Scene {
        title: "It mends that",
        story: "Work that changes has to be checked again.",
        act: Act::Edits(include_str!("scenes/mend.jsonl"), RIGHT_RECEIPT),
    },
    Scene {
        title: "Now the tests agree",
        story: "That counts for exactly these files.",
        act: Act::Checked(Status::Green),
    },
    Scene {
        title: "And the agent may stop",
        story: "Its work was checked as it is, so verger is silent.",
        act: Act::Under(VERIFYING, include_str!("scenes/verified.jsonl")),
    },
    Scene {
        title: "The last session begins",
        story: "You type a limit: Do not touch site/. verger reads such sentences from your own words. \
                Earlier work on the same files is offered to the agent: verger tasks",
        act: Act::Answered(include_str!("scenes/tax.jsonl")),
    },
    Scene {
        title: "Then the agent breaks your limit",
        story: "It edits files below site/. With drift.mode set to correct, verger tells the agent after \
                at most three batches of tool calls. What happened: verger drift",
        act: Act::Under(CORRECTING, include_str!("scenes/wander.jsonl")),
    },
    Scene {
        title: "Its memory is cut",
        story: "When the conversation is compacted, your goal and your limits could be lost in a summary. \
                verger gives them back to the agent.",
        act: Act::Answered(include_str!("scenes/compact.jsonl")),
    },
    LOG_CHECK,
    DAMAGE_CHECK,
];

/// The same with the agent's real program; only the model is scripted.
pub(super) const REAL: &[Scene] = &[
    Scene {
        title: "A real session",
        story: "Claude Code works in the project. Its model is a script inside this demo, so that \
                no key is needed and nothing leaves the machine. It lists files, runs tests that \
                fail, reads three files at once, prints a file with an access token and asks a \
                subagent.",
        act: Act::RealSession,
    },
    SECRET_SEARCH,
    EXPLANATION,
    LOG_CHECK,
    DAMAGE_CHECK,
];

const SECRET_SEARCH: Scene = Scene {
    title: "Is the secret on the disk?",
    story: "Every file that verger wrote is searched for it.",
    act: Act::Look(Look::Secret),
};

const EXPLANATION: Scene = Scene {
    title: "Why was verger silent?",
    story: "The log explains every answer, and every silence: verger why EVENT",
    act: Act::Look(Look::Why),
};

const LOG_CHECK: Scene = Scene {
    title: "Is the log whole?",
    story: "Every record has a number, a checksum and the hash of the one before it: verger log \
            verify",
    act: Act::Look(Look::Log),
};

const DAMAGE_CHECK: Scene = Scene {
    title: "Somebody changes one byte of it",
    story: "The same check finds the place, and the other records are still read.",
    act: Act::Look(Look::Damage),
};
