//! A table of verger's commands: which of them agents may run, and which are only for people.
//!
//! The command line checks the table before it runs a command. The hook checks it before an agent
//! runs a command. Only a person may release a gate or change verger's own setup.

/// The audience of a command: the people or programs that may run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Agents run the command as part of their work; `verger init` adds it to the client's allowed
    /// commands.
    Agent,
    /// Like [`Audience::Agent`], but only in a worktree that the user trusts, because the command
    /// runs the project's own code. Elsewhere the agent's client decides.
    AgentTrusted,
    /// Agents and people: the command changes nothing but caches.
    Anyone,
    /// The agent's client runs the command, for example as a hook.
    Client,
    /// The command releases an agent that a gate holds: only a person at a terminal may run it.
    Release,
    /// The command changes verger's own setup: only a person may run it. Without a terminal, it
    /// needs `--yes`.
    Ground,
}

/// One row of the table of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authority {
    /// The command as it is typed, such as `config set`.
    pub command: &'static str,
    /// The flag with which the row applies, such as `fix`, or the option and its value, such as
    /// `gate=learning`. `None` if the row applies with any flags.
    pub flag: Option<&'static str>,
    /// The audience of the command.
    pub audience: Audience,
}

/// A row that applies to the command with any flags.
pub const fn of(command: &'static str, audience: Audience) -> Authority {
    Authority { command, flag: None, audience }
}

/// The option and value with which an agent runs `verger skip` to skip its own reflection. A
/// setting can limit this to people.
pub const SKIP_LEARNING: &str = "gate=learning";

/// The table of all commands. The first row that matches a command counts.
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

/// The audience of a command. A command that is missing from the table is for people only.
pub fn audience_of(
    table: &[Authority],
    command: &str,
    has_flag: impl Fn(&str) -> bool,
) -> Audience {
    let fits = |line: &&Authority| line.command == command && line.flag.is_none_or(&has_flag);
    table.iter().find(fits).map_or(Audience::Ground, |line| line.audience)
}
