//! The scenes of the demo, as data.

use verger_gate::verification::Status;

use super::scene::AnswerKind::{Allowed, Denied, Given, Refused, Told};
use super::scene::Effect::{RemoveFolder, Write};
use super::scene::{Calls, Command, Edit, Look, Scene, Settings, Shows, Speaker, Step};

/// The placeholder of each session in the payloads, and the session's id. The log lists sessions in
/// the order of their ids, so the ids follow the order of the demo.
pub(super) const SESSIONS: &[(&str, &str)] = &[
    ("$WORKER", WORKER),
    ("$CLAIMER", CLAIMER),
    ("$LEARNER", LEARNER),
    ("$NEXT", NEXT),
    ("$RECORDED", "f2a81c60-4e9b-4d37-a6f5-08b93c71d5e2"),
    ("$WANDERER", "f9d40b35-6c12-4e8a-9b73-2a5e0c8f4d17"),
];
/// The session whose work is destroyed and then reviewed.
const WORKER: &str = "0d3e0f5a-7c1b-4a52-9e61-3f0c8b1d2a44";
/// The session that says "done" too early.
pub(super) const CLAIMER: &str = "3c9a7e21-5b48-4f0d-8a16-92d7e4c05b13";
/// The session that writes down a learning.
const LEARNER: &str = "5e8b2d91-3f7a-4c06-b1d4-7a90c26e8f35";
/// The session that gets the learning.
const NEXT: &str = "e61f08b4-2d7c-4a93-b5e0-17c84fa9d326";

const ENFORCING: Settings = "[guard]\nmode = \"enforce\"\n";
pub(super) const VERIFYING: Settings = "[verification]\nmode = \"claims\"\ndepth = \"deep\"\n\
                                        tests = { command = [\"sh\", \"./run-tests\"] }\n";
const CORRECTING: Settings = "[drift]\nmode = \"correct\"\n";

/// The committed version of the worker's file.
pub(super) const COMMITTED: Edit =
    Edit { path: "src/total.rs", text: "pub fn total(items: &[u32]) -> u32 {\n    items[0]\n}\n" };
/// The worker's file after the agent's change.
pub(super) const WORK: Edit =
    Edit { text: "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n", ..COMMITTED };

/// The claimer's file, with a mistake.
const RECEIPT: Edit = Edit {
    path: "src/receipt.rs",
    text: "pub fn dearest(items: &[u32]) -> u32 {\n    items[0]\n}\n",
};
/// The claimer's file, without the mistake.
const RIGHT_RECEIPT: Edit = Edit {
    text: "pub fn dearest(items: &[u32]) -> u32 {\n    items.iter().copied().max().unwrap_or(0)\n}\n",
    ..RECEIPT
};

/// The scenes that `verger demo` shows. They need no installed agent, because they use recorded
/// payloads of a real one.
pub(super) const MAIN: &[Scene] = &[
    Scene {
        title: "A destroyed file comes back",
        story: "",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/work.jsonl")).with(Write(WORK)).setup()),
            Step::Calls(Calls::new(include_str!("scenes/reset.jsonl")).with(Write(COMMITTED))),
            Step::Look(Look::Undo),
        ],
        shows: Shows::Exchange,
    },
    Scene {
        title: "A dangerous command stops (with guard.mode = \"enforce\")",
        story: "",
        steps: &[
            Step::Calls(
                Calls::new(include_str!("scenes/remove.jsonl"))
                    .under(ENFORCING)
                    .with(RemoveFolder("src"))
                    .answered(&[Denied, Told]),
            ),
            Step::Look(Look::StillThere),
        ],
        shows: Shows::Exchange,
    },
    Scene {
        title: "A review is required (the prompt began with #review)",
        story: "",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/review-prompt.jsonl")).setup()),
            Step::Calls(Calls::new(include_str!("scenes/stop.jsonl")).answered(&[Refused])),
            Step::Calls(Calls::new(include_str!("scenes/cheat.jsonl")).answered(&[Denied])),
            Step::Calls(
                Calls::new(include_str!("scenes/review.jsonl")).answered(&[Given, Allowed]).setup(),
            ),
            Step::Command(Command {
                words: &[
                    "decide",
                    "complete",
                    "The empty list is handled, and a test shows it",
                    "--session",
                    WORKER,
                    "--token",
                    "$TOKEN",
                ],
                input: "",
                speaker: Speaker::Reviewer,
                head: "approves: ",
                shown: "the agent may stop",
            }),
            Step::Calls(Calls::new(include_str!("scenes/end.jsonl")).setup()),
        ],
        shows: Shows::Exchange,
    },
    Scene {
        title: "A false \"done\" is caught (with verification.mode = \"claims\")",
        story: "",
        steps: &[
            Step::Calls(
                Calls::new(include_str!("scenes/receipt.jsonl")).with(Write(RECEIPT)).setup(),
            ),
            Step::Calls(
                Calls::new(include_str!("scenes/claim.jsonl"))
                    .under(VERIFYING)
                    .answered(&[Refused]),
            ),
            Step::Check(Status::Red),
            Step::Calls(Calls::new(include_str!("scenes/mend.jsonl")).with(Write(RIGHT_RECEIPT))),
            Step::Check(Status::Green),
            Step::Calls(
                Calls::new(include_str!("scenes/verified.jsonl"))
                    .under(VERIFYING)
                    .setup()
                    .result("the agent stops, and verger does not object"),
            ),
        ],
        shows: Shows::Exchange,
    },
    Scene {
        title: "A learning helps the next session",
        story: "",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/close.jsonl")).setup()),
            Step::Calls(Calls::new(include_str!("scenes/closed-stop.jsonl")).answered(&[Refused])),
            Step::Command(Command {
                words: &["reflect", "--session", LEARNER],
                input: include_str!("scenes/reflection.json"),
                speaker: Speaker::Agent,
                head: "writes ",
                shown: "learn-",
            }),
            Step::Calls(
                Calls::new(include_str!("scenes/next.jsonl")).answered(&[Given]).answers_only(),
            ),
            Step::Command(Command {
                words: &["ref", "$LEARNING", "--session", NEXT],
                input: "",
                speaker: Speaker::Result,
                head: "",
                shown: "noted: ",
            }),
        ],
        shows: Shows::Exchange,
    },
];

/// The scenes that `verger demo --all` shows after the main ones.
pub(super) const MORE: &[Scene] = &[
    Scene {
        title: "A session is recorded",
        story: "Your agent's program calls the hook when something happens. verger records the call and stays \
                silent, because it has no objection.",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/start.jsonl"))),
            Step::Calls(Calls::new(include_str!("scenes/prompt.jsonl"))),
            Step::Calls(Calls::new(include_str!("scenes/call.jsonl"))),
            Step::Calls(Calls::new(include_str!("scenes/failure.jsonl"))),
        ],
        shows: Shows::Records,
    },
    Scene {
        title: "Three files are read at once",
        story: "Agents work in parallel, so hooks run in parallel too. No record is lost.",
        steps: &[Step::Calls(Calls::new(include_str!("scenes/at-once.jsonl")))],
        shows: Shows::Records,
    },
    Scene {
        title: "A secret is printed",
        story: "The agent prints a file with an access token. verger takes the token out before it writes \
                anything.",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/secret.jsonl"))),
            Step::Look(Look::Secret),
        ],
        shows: Shows::Records,
    },
    Scene {
        title: "The same event is reported twice",
        story: "This happens if verger is installed in two places. verger drops the second report.",
        steps: &[Step::Calls(Calls::new(include_str!("scenes/duplicate.jsonl")))],
        shows: Shows::Records,
    },
    Scene {
        title: "A subagent helps",
        story: "The records name the subagent.",
        steps: &[Step::Calls(Calls::new(include_str!("scenes/subagent.jsonl")))],
        shows: Shows::Records,
    },
    Scene {
        title: "A command that only reads needs no question (with guard.mode = \"enforce\")",
        story: "Judge any command yourself: verger guard explain",
        steps: &[Step::Calls(
            Calls::new(include_str!("scenes/read.jsonl")).under(ENFORCING).answered(&[Allowed]),
        )],
        shows: Shows::Records,
    },
    Scene {
        title: "The agent breaks a limit (with drift.mode = \"correct\")",
        story: "Your prompt says: Do not touch site/. verger reads the limit from your words and tells the agent \
                when it breaks it. It also offers earlier work on the same files. To see both: verger drift, \
                verger tasks",
        steps: &[
            Step::Calls(Calls::new(include_str!("scenes/tax.jsonl")).answered(&[Given])),
            Step::Calls(
                Calls::new(include_str!("scenes/wander.jsonl"))
                    .under(CORRECTING)
                    .answered(&[Given]),
            ),
        ],
        shows: Shows::Records,
    },
    Scene {
        title: "The conversation is compacted",
        story: "A summary could lose your goal and your limits. verger gives them back to the agent.",
        steps: &[Step::Calls(Calls::new(include_str!("scenes/compact.jsonl")).answered(&[Given]))],
        shows: Shows::Records,
    },
    Scene {
        title: "How often are learnings used?",
        story: "The statistics of all sessions: verger learn stats",
        steps: &[Step::Look(Look::Statistics)],
        shows: Shows::Records,
    },
    EXPLANATION,
    LOG_CHECK,
    DAMAGE_CHECK,
];

/// The scenes of the agent's real program. Only its model is scripted.
pub(super) const REAL: &[Scene] = &[
    Scene {
        title: "A real session",
        story: "Claude Code works in the project. Its model is a script inside this demo, so it needs no key and \
                sends nothing to the network. It lists files, runs tests that fail, reads three files at once, \
                prints a file with an access token and asks a subagent.",
        steps: &[Step::RealSession],
        shows: Shows::Records,
    },
    Scene {
        title: "Is the secret on the disk?",
        story: "The demo searches every file that verger wrote.",
        steps: &[Step::Look(Look::Secret)],
        shows: Shows::Records,
    },
    EXPLANATION,
    LOG_CHECK,
    DAMAGE_CHECK,
];

const EXPLANATION: Scene = Scene {
    title: "Why did verger not object to the last stop?",
    story: "verger explains every answer and every silence from the log: verger why EVENT",
    steps: &[Step::Look(Look::Why)],
    shows: Shows::Records,
};

const LOG_CHECK: Scene = Scene {
    title: "Is the log complete?",
    story: "Every record has a number, a checksum and the hash of the one before it: verger log verify",
    steps: &[Step::Look(Look::Log)],
    shows: Shows::Records,
};

const DAMAGE_CHECK: Scene = Scene {
    title: "One byte of the log is changed",
    story: "The same check finds the place. The other records can still be read.",
    steps: &[Step::Look(Look::Damage)],
    shows: Shows::Records,
};
