//! Who may run which of verger's own commands: one table.
//!
//! The command line obeys it before it runs anything, and the hook when it sees an agent about to run
//! one. What lifts a hold or changes verger's own ground is a person's.

/// For whom a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Agents run it as part of their work: `init` gives them leave.
    Agent,
    /// The same where the user trusts the worktree: it runs the project's own code. Elsewhere the agent's
    /// client decides.
    AgentTrusted,
    /// Changes nothing but caches.
    Anyone,
    /// An agent's client runs it.
    Client,
    /// Lets an agent pass what held it: a person, at a terminal.
    Release,
    /// Changes verger's own ground: a person; without a terminal, with `--yes`.
    Ground,
}

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authority {
    /// As it is typed, such as `config set`.
    pub command: &'static str,
    /// The flag that makes the difference, such as `fix`, or an option and its value, such as
    /// `gate=learning`.
    pub flag: Option<&'static str>,
    /// Whose it is.
    pub audience: Audience,
}

/// A command whose audience no flag changes.
pub const fn of(command: &'static str, audience: Audience) -> Authority {
    Authority { command, flag: None, audience }
}

/// What makes a skip the agent's own. The user may keep this one too.
pub const SKIP_LEARNING: &str = "gate=learning";

/// Every command. Of the lines that fit, the first counts.
pub const AUTHORITY: &[Authority] = &[
    of("completions", Audience::Anyone),
    of("config show", Audience::Anyone),
    of("config set", Audience::Ground),
    of("config unset", Audience::Ground),
    of("context", Audience::Agent),
    of("decide", Audience::Agent),
    of("demo", Audience::Anyone),
    Authority { command: "doctor", flag: Some("fix"), audience: Audience::Ground },
    of("doctor", Audience::Anyone),
    of("doctor agents", Audience::Anyone),
    of("doctor learnings", Audience::Anyone),
    of("doctor tickets", Audience::Anyone),
    of("drift", Audience::Anyone),
    of("guard allow-once", Audience::Release),
    of("guard explain", Audience::Agent),
    of("guard rules", Audience::Anyone),
    of("guard stats", Audience::Anyone),
    Authority { command: "guard suggest", flag: Some("accept"), audience: Audience::Release },
    of("guard suggest", Audience::Anyone),
    of("hook", Audience::Client),
    Authority { command: "init", flag: Some("dry_run"), audience: Audience::Anyone },
    of("init", Audience::Ground),
    Authority { command: "learn archive", flag: Some("dry_run"), audience: Audience::Anyone },
    of("learn archive", Audience::Ground),
    of("learn list", Audience::Anyone),
    of("learn restore", Audience::Ground),
    of("learn search", Audience::Agent),
    of("learn show", Audience::Anyone),
    of("learn stats", Audience::Anyone),
    Authority { command: "log clean", flag: Some("dry_run"), audience: Audience::Anyone },
    of("log clean", Audience::Ground),
    of("log rebuild", Audience::Anyone),
    of("log show", Audience::Anyone),
    of("log verify", Audience::Anyone),
    of("observe", Audience::Agent),
    of("recall", Audience::Agent),
    of("recall-eval", Audience::Anyone),
    of("ref", Audience::Agent),
    of("reflect", Audience::Agent),
    of("release", Audience::Release),
    of("review run", Audience::Agent),
    of("session handoff", Audience::Anyone),
    of("session list", Audience::Anyone),
    of("session show", Audience::Anyone),
    of("session trace", Audience::Anyone),
    Authority { command: "skip", flag: Some(SKIP_LEARNING), audience: Audience::Agent },
    of("skip", Audience::Release),
    of("stats", Audience::Anyone),
    of("stats habits", Audience::Anyone),
    of("stats review", Audience::Anyone),
    of("stats verification", Audience::Anyone),
    Authority { command: "status", flag: Some("seen"), audience: Audience::Release },
    of("status", Audience::Agent),
    of("tasks", Audience::Anyone),
    of("tasks search", Audience::Anyone),
    of("tasks show", Audience::Anyone),
    Authority { command: "trust", flag: Some("list"), audience: Audience::Anyone },
    of("trust", Audience::Ground),
    of("undo list", Audience::Anyone),
    of("undo restore", Audience::Release),
    of("undo show", Audience::Anyone),
    Authority { command: "uninstall", flag: Some("dry_run"), audience: Audience::Anyone },
    of("uninstall", Audience::Ground),
    Authority { command: "verify", flag: Some("plan"), audience: Audience::Agent },
    of("verify", Audience::AgentTrusted),
    of("why", Audience::Agent),
];

/// Whose a command is. One that nobody put into the table is a person's.
pub fn audience_of(
    table: &[Authority],
    command: &str,
    has_flag: impl Fn(&str) -> bool,
) -> Audience {
    let fits = |line: &&Authority| line.command == command && line.flag.is_none_or(&has_flag);
    table.iter().find(fits).map_or(Audience::Ground, |line| line.audience)
}
