//! What the demo shows, as data: a new capability adds a scene.

/// One step of the demo.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) title: &'static str,
    /// What the agent does and why it matters, for somebody who has never heard of verger.
    pub(super) story: &'static str,
    pub(super) act: Act,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Act {
    /// The agent's program calls the hook with these payloads, one in a line: those of a paragraph
    /// at the same time, the paragraphs one after the other.
    Calls(&'static str),
    /// The same, and the agent's file is changed.
    Edits(&'static str),
    /// The same, and verger has something to say.
    Answered(&'static str),
    /// The reviewer's command to verger, with the token that it was given.
    Decide,
    /// A session of the agent's real program.
    RealSession,
    /// verger looks at what it has.
    Look(Look),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Is the secret anywhere in verger's files?
    Secret,
    /// Why did verger say what it said when the agent wanted to stop?
    Why,
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
        act: Act::Edits(include_str!("scenes/duplicate.jsonl")),
    },
    Scene {
        title: "A subagent helps",
        story: "What it does is recorded as its own.",
        act: Act::Calls(include_str!("scenes/subagent.jsonl")),
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
        act: Act::Decide,
    },
    Scene {
        title: "Now the agent may stop",
        story: "The work is what was approved, so verger is silent.",
        act: Act::Calls(include_str!("scenes/end.jsonl")),
    },
    EXPLANATION,
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
