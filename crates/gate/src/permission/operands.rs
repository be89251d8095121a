//! The operands that an approving rule accepts: all words of a command that are not options.

use std::fmt;

use verger_shell::Word;

use super::options::Reading;
use super::scene::Scene;
use super::{
    awk, conditions, expansions, find_expression, listing, requests, revisions, search, sed, shown,
    targets, wrapped,
};

/// The kind of operands that an approving rule accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// None may stand there.
    None,
    /// None, but a question for help or for the version must be among the options.
    Help,
    /// Words that are printed: what they hold is nothing to hide.
    Words,
    /// Words whose text is known, as many at most.
    AtMost(usize),
    /// Files that are read.
    Files,
    /// One file that is read, at most, and no glob: a second would be written.
    OneFile,
    /// Files that are looked up by name.
    Names,
    /// Names of manual pages: what has a slash would be a file, and shown.
    Pages,
    /// A pattern, unless an option gives it, then files that are read.
    PatternThenFiles,
    /// Revisions of git and files of the project.
    Revisions,
    /// Files and names of the project; nothing outside of it.
    Inside,
    /// One of them at most, beside numbers.
    OneInside,
    /// Names of what a build tool should make: none that ship, start or remove something.
    Targets,
    /// At most one target, and then words that go to it.
    Script,
    /// The format of a date.
    Format,
    /// At most one directory.
    Directory,
    /// Numbers.
    Numbers,
    /// Places where output ends.
    Sinks,
    /// Which processes are shown, but not their environment.
    Processes,
    /// Kinds and names of resources of a cluster, but no secrets.
    Resources,
    /// A template that prints a part of a container's description.
    Template,
    /// The path of a request to a forge that only reads, and its fields.
    Request,
    /// A remote of the repository by its name, and names of its branches and tags.
    Remote,
    /// The key of one setting that is no credential.
    Setting,
    /// A program of `jq`, then files.
    JqProgram,
    /// A command, after as many words of its own; the command is judged by itself.
    Command(usize),
    /// A command that builds or tests the project, by its own rule.
    Tool,
    /// A text for a shell, whose commands are judged by themselves.
    ShellText,
    /// A script of `sed`, then files.
    SedScript,
    /// A program of `awk`, then files.
    AwkProgram,
    /// An expression of `find`.
    FindExpression,
    /// A condition: `[ -f a ]`.
    Condition,
    /// Switches of the shell itself.
    Switches,
    /// Variables that a command may set: `CI=1`.
    Variables,
    /// Names of variables of the line's own.
    OwnVariables,
}

/// The names of those kinds that a rule in a file may use; `at-most-N` is read separately.
const WORDS: [(&str, Operands); 11] = [
    ("none", Operands::None),
    ("words", Operands::Words),
    ("files", Operands::Files),
    ("one-file", Operands::OneFile),
    ("names", Operands::Names),
    ("inside", Operands::Inside),
    ("pattern-then-files", Operands::PatternThenFiles),
    ("revisions", Operands::Revisions),
    ("command", Operands::Command(0)),
    ("sed-script", Operands::SedScript),
    ("awk-program", Operands::AwkProgram),
];

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::AtMost(most) = self {
            return write!(f, "at-most-{most}");
        }
        let word = WORDS.iter().find(|(_, operands)| operands == self);
        f.write_str(word.map_or("built-in", |(word, _)| word))
    }
}

impl Operands {
    /// The names of the kinds that a rule in a file may use.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.into_iter().map(|(word, _)| word).chain(["at-most-1"])
    }

    /// The kind with this name.
    pub fn parse(word: &str) -> Option<Self> {
        if let Some(most) = word.strip_prefix("at-most-") {
            return most.parse().ok().map(Self::AtMost);
        }
        WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, operands)| operands)
    }

    /// Whether this kind reads all words itself, options included.
    pub(super) fn reads_itself(self) -> bool {
        matches!(
            self,
            Self::Command(_)
                | Self::Tool
                | Self::FindExpression
                | Self::Condition
                | Self::Switches
                | Self::Words
        )
    }

    /// Whether the words, options included, are operands of this kind.
    pub(super) fn fit_words(self, options: &str, words: &[Word], scene: &Scene<'_>) -> bool {
        match self {
            Self::Command(own) => wrapped::is_command(options, own, words, scene),
            Self::Tool => wrapped::is_tool(options, words, scene),
            Self::FindExpression => find_expression::only_looks(words, scene),
            Self::Condition => conditions::is_harmless(words, scene.command().runs("[[")),
            Self::Switches => conditions::are_switches(words),
            Self::Words => {
                let is_option = |word: &&Word| word.text().starts_with('-');
                let is_known = |word: &Word| options.split(' ').any(|o| o == word.text());
                (options == "*" || words.iter().take_while(is_option).all(is_known))
                    && words.iter().all(|word| {
                        expansions::is_harmless(word, scene.script)
                            || listing::is_listed(word, scene)
                    })
            }
            _ => false,
        }
    }

    /// Whether the operands of a command are of this kind.
    pub(super) fn fit(self, reading: &Reading<'_>, scene: &Scene<'_>) -> bool {
        let words = &*reading.operands;
        let files = |words: &[&Word]| words.iter().all(|word| scene.is_harmless_file(word));
        let after = |names: &'static [&'static str], is_right: &dyn Fn(&str) -> bool| {
            if reading.has(names) {
                return reading.values(names).all(is_right) && files(words);
            }
            words
                .split_first()
                .is_some_and(|(first, rest)| first.literal().is_some_and(is_right) && files(rest))
        };
        match self {
            Self::None => words.is_empty(),
            Self::Help => words.is_empty() && reading.has(&["help", "version"]),
            Self::AtMost(most) => words.len() <= most && words.iter().all(|w| is_text(w)),
            Self::Files => files(words),
            // A path with a colon may be on another machine.
            Self::OneFile => {
                let is_one =
                    |word: &&Word| !matches!(word, Word::Spread(_)) && !word.text().contains(':');
                words.len() <= 1 && files(words) && words.iter().all(is_one)
            }
            Self::Pages => words.iter().all(|w| w.literal().is_some_and(|w| !w.contains('/'))),
            Self::OneInside => {
                let is_number = |w: &&&Word| w.text().bytes().all(|byte| byte.is_ascii_digit());
                let names = words.iter().filter(|word| !is_number(word)).count();
                names <= 1 && Self::Inside.fit(reading, scene)
            }
            Self::Names => words.iter().all(|word| scene.is_harmless_name(word)),
            Self::PatternThenFiles => {
                after(&["e", "regexp", "files", "type-list"], &|_| true)
                    && scene.is_narrow(words)
                    && !search::may_show_secrets(reading, scene)
            }
            Self::Revisions => words.iter().all(|word| revisions::is_revision(word, scene)),
            Self::Inside => words.iter().all(|word| targets::is_inside(word, scene)),
            Self::Targets => {
                words.iter().all(|word| word.literal().is_some_and(targets::is_target))
            }
            Self::Script => targets::is_script(words, scene),
            Self::Format => {
                words.len() <= 1
                    && words.iter().all(|word| word.text().starts_with('+') && is_text(word))
            }
            Self::Sinks => words.iter().all(|word| {
                matches!(
                    word.literal(),
                    Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
                )
            }),
            Self::Processes => shown::are_processes(scene),
            Self::Resources => shown::are_resources(words),
            Self::Directory => words.len() <= 1 && words.iter().all(|w| scene.is_harmless_name(w)),
            Self::Numbers => words.iter().all(|word| {
                word.literal().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
            }),
            Self::Setting => {
                matches!(words, [key] if key.literal().is_some_and(shown::is_plain_key))
            }
            Self::Template => shown::is_template(reading),
            Self::Request => requests::only_reads(reading, scene),
            Self::Remote => words.iter().all(|word| word.literal().is_some_and(is_ref)),
            Self::JqProgram => after(&["nothing"], &shown::is_harmless_jq),
            Self::SedScript => after(&["e", "expression"], &sed::is_harmless),
            Self::AwkProgram => after(&["nothing"], &awk::is_harmless),
            Self::ShellText => {
                matches!(words, [text] if text.literal().is_some()) && wrapped::has_inner(scene)
            }
            Self::Variables => {
                !words.is_empty()
                    && words.iter().all(|word| super::prefix::is_harmless_setting(word.text()))
            }
            Self::OwnVariables => {
                words.iter().all(|word| word.literal().is_some_and(super::prefix::is_own))
            }
            _ => false,
        }
    }
}

/// The name of a remote, a branch or a tag: no path, no address, and nothing to write.
fn is_ref(name: &str) -> bool {
    !name.starts_with(['/', '.', '~', '^']) && !name.contains([':', '+', '\\', ' '])
}

fn is_text(word: &Word) -> bool {
    super::files::is_known(word)
}
