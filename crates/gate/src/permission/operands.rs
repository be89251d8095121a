//! The kinds of operands that approving rules accept. Operands are the words of a command that
//! aren't options.

use std::fmt;

use verger_shell::Word;

use super::options::Reading;
use super::scene::Scene;
use super::{
    awk, conditions, expansions, find_expression, listing, requests, revisions, search, sed, shown,
    targets, wrapped,
};

/// A kind of operands that an approving rule accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// No operands.
    None,
    /// No operands. One of the options must ask for help or the version.
    Help,
    /// Words that the program prints. They must not contain secrets.
    Words,
    /// At most this many words whose text is known.
    AtMost(usize),
    /// Files that the program reads.
    Files,
    /// At most one file that the program reads, and no glob, because the program would write to a
    /// second file.
    OneFile,
    /// Files of which the program reads only the names and attributes.
    Names,
    /// Names of manual pages. A name with a slash would be a file whose content is shown.
    Pages,
    /// A search pattern, unless an option has it, and then files that the program reads.
    PatternThenFiles,
    /// Git revisions and files of the project.
    Revisions,
    /// Files and names in the project.
    Inside,
    /// At most one file or name inside of the project, and any numbers.
    OneInside,
    /// Targets of a build tool. Targets that publish, start or remove something aren't accepted.
    Targets,
    /// At most one target of a build tool, and then arguments for the target.
    Script,
    /// The format in which a date is printed.
    Format,
    /// At most one directory.
    Directory,
    /// Any number of numbers.
    Numbers,
    /// Files that discard or display the output, such as `/dev/null`.
    Sinks,
    /// A selection of processes, without showing their environment.
    Processes,
    /// Kinds and names of a cluster's resources, except secrets.
    Resources,
    /// A template that prints a part of a container's description.
    Template,
    /// The path and the fields of a request to a forge that only reads.
    Request,
    /// The name of a remote repository, and names of its branches and tags.
    Remote,
    /// The key of one setting that isn't a credential.
    Setting,
    /// A `jq` program, then files.
    JqProgram,
    /// This many words, and then a command, which is judged separately.
    Command(usize),
    /// A command that builds or tests the project and that another rule approves.
    Tool,
    /// A text for a shell. Its commands are judged separately.
    ShellText,
    /// A `sed` script, then files.
    SedScript,
    /// An `awk` program, then files.
    AwkProgram,
    /// An expression of `find` that only lists files.
    FindExpression,
    /// A condition of a shell: `[ -f a ]`.
    Condition,
    /// Options of the shell itself, which `set` changes.
    Switches,
    /// Assignments of variables that a command line may set: `CI=1`.
    Variables,
    /// Names of variables that only the command line itself uses.
    OwnVariables,
}

/// The kinds that a rule in a file may use, by name. The name `at-most-N` is parsed separately.
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

    /// The kind of operands with this name.
    pub fn parse(word: &str) -> Option<Self> {
        if let Some(most) = word.strip_prefix("at-most-") {
            return most.parse().ok().map(Self::AtMost);
        }
        WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, operands)| operands)
    }

    /// Whether this kind handles all words of the command itself, including the options.
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

    /// Whether the words of a command, including the options, are accepted by this kind.
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

    /// Whether the operands of a command are accepted by this kind.
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
            // A path with a colon may name a file on another machine.
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

/// Whether the text is the name of a remote, a branch or a tag. A path, an address and a refspec
/// that writes aren't accepted.
fn is_ref(name: &str) -> bool {
    !name.starts_with(['/', '.', '~', '^']) && !name.contains([':', '+', '\\', ' '])
}

fn is_text(word: &Word) -> bool {
    super::files::is_known(word)
}
