//! Runs an agent's program once without a terminal, with another model service than its own.

/// The parameters of a headless run of one agent.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessSpec {
    /// The arguments of a run.
    pub arguments: fn(run: &HeadlessRun<'_>) -> Vec<String>,
    /// A key of the right form that is not valid at any service.
    pub key: &'static str,
    /// The environment variables that select the model service at this URL with that key.
    pub service: fn(url: &str) -> Vec<(&'static str, String)>,
    /// The variable for the directory of temporary files. Set if the program ignores the usual
    /// variable.
    pub temporary_env: &'static str,
}

/// The prompt of a run, with its hook and tools.
#[derive(Debug, Clone, Copy)]
pub struct HeadlessRun<'a> {
    /// The prompt.
    pub prompt: &'a str,
    /// The hook's command, as words. It is called for every event that verger registers.
    pub hook: &'a [String],
    /// The tools that may be used without permission.
    pub tools: &'a [&'a str],
}
