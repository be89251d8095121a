//! What an agent must not lose when its memory is cut: the goal, what was decided, where it stands.

/// The parts of a handoff, each a few lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handoff {
    /// What was asked for, in the person's words.
    pub goal: String,
    /// What the person forbade.
    pub constraints: Vec<String>,
    /// What was done.
    pub progress: Vec<String>,
    /// What was decided, with the reasons that were seen.
    pub decisions: Vec<String>,
    /// The files that were changed.
    pub files: Vec<String>,
    /// Where it stands.
    pub state: Vec<String>,
    /// What comes next.
    pub next: String,
}
