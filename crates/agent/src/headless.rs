//! How an agent's program is run once without a terminal, with another model service than its own.

/// What is special to one agent.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessSpec {
    /// The name under which the program is found.
    pub program: &'static str,
    /// The arguments of a run.
    pub arguments: fn(run: &HeadlessRun<'_>) -> Vec<String>,
    /// The arguments with which it only judges a text on its standard input: without settings of the
    /// user or of a project, so that no hook is called, and without tools.
    pub judge: &'static [&'static str],
    /// A key of the right form that no service knows.
    pub key: &'static str,
    /// The variables that lead to the model service at this URL, with that key, and to nothing
    /// else.
    pub service: fn(url: &str) -> Vec<(&'static str, String)>,
    /// The variable that names a directory for temporary files, where the usual one is not obeyed.
    pub temporary_env: &'static str,
}

/// One prompt, and what the program may do with it.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessRun<'a> {
    /// What is asked.
    pub prompt: &'a str,
    /// The words of the command that is the hook, called for every event that verger is registered for.
    pub hook: &'a [String],
    /// The tools that are used without a question.
    pub tools: &'a [&'a str],
}
