//! Recognizes a coding agent's processes among the ancestors of another process.
//!
//! This is no security boundary. An agent's process isn't recognized if it outlives the agent and
//! has an empty environment.

/// The observed properties of a running process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Process {
    /// The short name that the operating system shows.
    pub name: String,
    /// The program and its arguments.
    pub arguments: Vec<String>,
    /// Variables of the process's initial environment.
    pub variables: Vec<(String, String)>,
}

/// The properties by which an agent's processes, and the processes of its tools, are recognized.
struct Marks {
    agent: &'static str,
    /// The name of the program's file and of its process.
    program: &'static str,
    /// The name of the program that runs the agent's commands in a sandbox. It can be the only
    /// visible ancestor of such a command.
    sandbox: Option<&'static str>,
    /// The name of the package, if an interpreter runs the program as a script.
    package: &'static str,
    /// The environment variable that the agent sets for its tools.
    variable: Option<(&'static str, &'static str)>,
}

/// The marks of all agents, including those that verger doesn't support yet.
const MARKS: &[Marks] = &[
    Marks {
        agent: "Claude Code",
        program: "claude",
        sandbox: None,
        package: "@anthropic-ai/claude-code",
        variable: Some(("CLAUDECODE", "1")),
    },
    Marks {
        agent: "Codex",
        program: "codex",
        sandbox: Some("codex-linux-sandbox"),
        package: "@openai/codex",
        // Set for commands in a sandbox without network, which is the default.
        variable: Some(("CODEX_SANDBOX_NETWORK_DISABLED", "1")),
    },
    Marks {
        agent: "Gemini CLI",
        program: "gemini",
        sandbox: None,
        package: "@google/gemini-cli",
        variable: Some(("GEMINI_CLI", "1")),
    },
    Marks {
        agent: "Copilot CLI",
        program: "copilot",
        sandbox: None,
        package: "@github/copilot",
        variable: Some(("COPILOT_CLI", "1")),
    },
];

/// The environment variables that agents set for their tools.
pub fn telling_variables() -> impl Iterator<Item = &'static str> {
    MARKS.iter().filter_map(|marks| marks.variable).map(|(name, _)| name)
}

/// The environment variable that the agent with this program name sets for its tools, if any.
pub fn mark_of(program: &str) -> Option<(&'static str, &'static str)> {
    MARKS.iter().find(|marks| marks.program == program)?.variable
}

/// The product name of the agent that this process belongs to.
pub fn agent_of(process: &Process) -> Option<&'static str> {
    MARKS.iter().find(|marks| marks.fit(process)).map(|marks| marks.agent)
}

/// The product name of the agent whose program this process is. A tool's process has none.
pub fn client_of(process: &Process) -> Option<&'static str> {
    MARKS.iter().find(|marks| marks.are_of_program(process)).map(|marks| marks.agent)
}

impl Marks {
    fn fit(&self, process: &Process) -> bool {
        self.are_of_program(process)
            || self.variable.is_some_and(|(name, value)| {
                process.variables.iter().any(|(known, given)| known == name && given == value)
            })
    }

    fn are_of_program(&self, process: &Process) -> bool {
        process.name == self.program || self.runs(process) || self.is_sandbox(process)
    }

    fn is_sandbox(&self, process: &Process) -> bool {
        let program = process.arguments.first().map(|program| file_name(program));
        self.sandbox.is_some() && program == self.sandbox
    }

    /// Whether the process is the program, or an interpreter that runs the program as a script.
    /// The script is the first argument that is not an option.
    fn runs(&self, process: &Process) -> bool {
        let mut words = process.arguments.iter();
        let Some(program) = words.next() else { return false };
        let is_script = |script: &String| {
            file_name(script) == self.program || script.contains(&format!("/{}/", self.package))
        };
        file_name(program) == self.program
            || is_interpreter(program)
                && words.find(|word| !word.starts_with('-')).is_some_and(is_script)
    }
}

fn is_interpreter(program: &str) -> bool {
    matches!(file_name(program), "node" | "bun" | "deno")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, arguments: &[&str], variables: &[(&str, &str)], expected: Option<&str>) {
        let process = Process {
            name: name.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            variables: variables.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect(),
        };
        assert_eq!(agent_of(&process), expected, "{process:?}");
    }

    #[test]
    fn a_process_is_an_agents_by_its_program_its_script_or_its_environment() {
        check("claude", &[], &[], Some("Claude Code"));
        check("MainThread", &["/home/dev/.local/bin/claude", "-p", "hi"], &[], Some("Claude Code"));
        let script = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js";
        check("node", &["node", "--no-warnings", script], &[], Some("Claude Code"));
        check("node", &["/usr/bin/node", "/usr/local/bin/gemini"], &[], Some("Gemini CLI"));
        check("bash", &["bash", "-c", "x"], &[("CLAUDECODE", "1")], Some("Claude Code"));
        check("sh", &["sh"], &[("COPILOT_CLI", "1")], Some("Copilot CLI"));
        check("codex", &["codex"], &[], Some("Codex"));
        check("sh", &["sh"], &[("CODEX_SANDBOX_NETWORK_DISABLED", "1")], Some("Codex"));
        let sandbox = ["/home/dev/.codex/tmp/x/codex-linux-sandbox", "--command-cwd", "/p"];
        check("codex-linux-san", &sandbox, &[], Some("Codex"));
    }

    #[test]
    fn a_client_is_known_by_its_program_alone() {
        let process = |name: &str| Process {
            name: name.to_owned(),
            arguments: vec![],
            variables: vec![("CLAUDECODE".to_owned(), "1".to_owned())],
        };
        assert_eq!(client_of(&process("claude")), Some("Claude Code"));
        assert_eq!(client_of(&process("bash")), None);
    }

    #[test]
    fn processes_that_only_mention_an_agent_are_no_agents() {
        check("bash", &["bash", "-c", "claude"], &[("CLAUDECODE", "0")], None);
        check("vim", &["vim", "claude"], &[], None);
        check("node", &["node", "server.js", "claude"], &[], None);
        check("grep", &["grep", "codex", "/src/@openai/codex/x"], &[], None);
        check("vim", &["vim", "/lib/@anthropic-ai/claude-code/cli.js"], &[], None);
        check("claude-helper", &["claude-helper"], &[], None);
        check("", &[], &[], None);
    }
}
