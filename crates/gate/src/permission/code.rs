//! Judges code in other languages, such as Python, on the command line, and texts that a program
//! runs.

mod calls;
mod carriers;
mod python;
mod texts;
mod writes;

use std::borrow::Cow;

use verger_shell::{Command, Script, Word};

use super::flow;
use super::harm::Call;
use super::judgement::Triage;
use super::paths::{Ground, is_of_class};
use super::program::name;
use super::rule::Ruling;
use super::tables::about;

/// The judgement of a text that a program runs as code or as a command.
pub(super) struct Coded {
    pub(super) triage: Triage,
    pub(super) rule: &'static str,
    pub(super) why: &'static str,
}

const fn deny(rule: &'static str, why: &'static str) -> Coded {
    Coded { triage: Triage::Deny, rule, why }
}

pub(super) fn judged(script: &Script, index: usize, ground: &Ground<'_>) -> Option<Coded> {
    let command = &script.commands[index];
    let found = [
        in_code(command, ground),
        carried(script, index, ground),
        in_settings(command, ground),
        at_startup(script, index, ground),
    ];
    let runs_code = command.code.as_ref().map(|_| Coded {
        triage: Triage::Unknown,
        rule: "runs-code",
        why: "it runs code that is written on the line",
    });
    found
        .into_iter()
        .flatten()
        .chain(runs_code)
        .reduce(|one, other| if other.triage > one.triage { other } else { one })
}

pub(super) use writes::{writes_files, written_texts};

/// A program in another language: its source, and two views of the source. For Python, these have
/// parts replaced by blanks.
struct Code<'a> {
    all: &'a str,
    /// The source with comments and string contents replaced by blanks, at the same length.
    calls: Cow<'a, str>,
    /// The source with comments replaced by blanks.
    texts: Cow<'a, str>,
    language: Language,
    /// Whether the program runs texts as code, so that any text may contain a call.
    evaluates: bool,
}

/// The language of a program, which selects the calls to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    JavaScript,
    Other,
}

impl Language {
    fn of(program: &str) -> Self {
        let is_one_of = |names: &[&str]| names.iter().any(|name| program.starts_with(name));
        if is_one_of(&["python", "pypy", "ipython"]) {
            Self::Python
        } else if is_one_of(&["node", "bun", "deno", "tsx", "ts-node"]) {
            Self::JavaScript
        } else {
            Self::Other
        }
    }
}

impl<'a> Code<'a> {
    /// Treats the words of a command as code, without replacing any part by blanks.
    fn words(words: &'a str, language: Language) -> Self {
        let same = Cow::Borrowed(words);
        Self { all: words, calls: same.clone(), texts: same, language, evaluates: false }
    }

    fn of(command: &'a Command) -> Option<Self> {
        let all = command.code.as_deref()?;
        let language = command.program().map_or(Language::Other, Language::of);
        if language != Language::Python {
            return Some(Self::words(all, language));
        }
        let python::Parts { texts, calls } = python::parts(all);
        let evaluates = calls.is_none();
        let calls = calls.map_or(Cow::Borrowed(all), Cow::Owned);
        Some(Self { all, calls, texts: Cow::Owned(texts), language, evaluates })
    }

    /// The texts of all strings in the program, found by their quotes.
    fn strings(&self) -> Vec<&'a str> {
        let mut found = Vec::new();
        let mut rest = self.all;
        while let Some(start) = rest.find(['\'', '"', '`']) {
            let quote = &rest[start..=start];
            let Some((text, after)) = rest[start + 1..].split_once(quote) else { break };
            found.push(text);
            rest = after;
        }
        found
    }
}

/// Judges the code in another language that the command interprets.
fn in_code(command: &Command, ground: &Ground<'_>) -> Option<Coded> {
    let code = Code::of(command)?;
    // The command's options may name libraries that the code uses.
    let words = command.argv.iter().map(Word::text).collect::<Vec<_>>().join(" ");
    if calls::runs_what_it_fetches(&code)
        || calls::runs_what_it_fetches(&Code::words(&words, Language::Other))
    {
        return Some(deny("code-runs-remote", "its code runs downloaded code"));
    }
    if calls::sends_environment(&code) || calls::opens_remote_shell(&code) {
        let why = "its code sends secrets or gives another machine a shell";
        return Some(deny("code-sends-secrets", why));
    }
    if calls::runs_commands(&code) {
        let texts = verger_shell::texts_in_code(&code.texts);
        if texts.iter().any(|text| is_denied(text, ground)) {
            let why = "its code runs a destructive command";
            return Some(deny("code-runs-destruction", why));
        }
    }
    let (rule, why) = ("code-removes-files", "its code removes files");
    let is_replaceable = match calls::removed(&code)? {
        calls::Removed::Named(path) => is_replaceable(path, ground),
        // A loop may remove any path that is named anywhere in the code.
        calls::Removed::Listed(paths) => paths.iter().all(|path| is_replaceable(path, ground)),
        calls::Removed::Unknown => false,
    };
    let triage = if is_replaceable { Triage::Risky } else { Triage::Deny };
    Some(Coded { triage, rule, why })
}

/// Judges the texts that the command's program passes to a shell, because of an option or a command
/// of its own, such as `!` in `vim`.
fn carried(script: &Script, index: usize, ground: &Ground<'_>) -> Option<Coded> {
    let command = &script.commands[index];
    let program = &*name(command)?;
    let mut texts: Vec<String> = Vec::new();
    for carrier in carriers::carriers(program) {
        let fed = script.fed(index);
        let words = carrier.words(command);
        let all = words.into_iter().chain(fed.as_deref()).chain(command.code.as_deref());
        texts.extend(all.flat_map(|text| texts::candidates(text, carrier.marks)));
    }
    if carriers::starts_words(program) {
        texts.extend(started(command));
    }
    if matches!(program, "eval" | "sh" | "bash" | "zsh" | "dash" | "ksh") {
        // A substitution may contain the command: `sh -c "$(echo '...')"`.
        let dynamic = command
            .argv
            .iter()
            .filter(|word| word.literal().is_none() && word.text().contains("$("));
        texts.extend(dynamic.flat_map(|word| texts::candidates(word.text(), &[])));
    }
    texts
        .iter()
        .any(|text| is_denied(text, ground))
        .then_some(deny("runs-destruction", "one of its arguments is a destructive command"))
}

/// The texts that may be the command that a program starts: all words after the program's own
/// options, with and without quotes, and the words after `--exec`.
fn started(command: &Command) -> [String; 3] {
    let is_option = |word: &&Word| word.text().starts_with(['-', '/']);
    let words = || command.argv.iter().skip(1);
    let joined = |words: Vec<&Word>| {
        words.into_iter().map(|word| quoted(word.text())).collect::<Vec<_>>().join(" ")
    };
    let plain = words().skip_while(is_option).map(Word::text).collect::<Vec<_>>().join(" ");
    let after = words().skip_while(|word| word.text() != "--exec").skip(1);
    let after = after.filter(|word| word.text() != "--");
    [joined(words().skip_while(is_option).collect()), plain, joined(after.collect())]
}

fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"\\".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Judges the variables before a command whose value a program runs as a command, such as `PAGER`.
fn in_settings(command: &Command, ground: &Ground<'_>) -> Option<Coded> {
    command.argv.first()?;
    let values = command
        .assignments
        .iter()
        .map(|assignment| (assignment.name.as_str(), assignment.value.text()));
    let takes_words =
        matches!(command.program(), Some("env" | "make" | "gmake" | "sudo" | "cmake"));
    let words = command.argv.iter().skip(1).filter(|_| takes_words);
    let words = words.filter_map(|word| word.text().split_once('='));
    let found =
        values.chain(words).filter(|(name, _)| carriers::names_command(name)).any(|(_, value)| {
            let mut candidates = texts::candidates(value, &[]);
            candidates.push(format!("{value} $_"));
            candidates.iter().any(|text| is_denied(text, ground))
        });
    found.then_some(deny(
        "runs-destruction",
        "a variable that it sets contains a destructive \
                                              command",
    ))
}

/// Judges a text that a command writes into a startup file of shells.
fn at_startup(script: &Script, index: usize, ground: &Ground<'_>) -> Option<Coded> {
    let command = &script.commands[index];
    let is_startup = |word: &Word| is_of_class("startup", word, ground);
    let is_redirected = command.redirects.iter().any(|redirect| is_startup(&redirect.target));
    let is_copied = matches!(command.program(), Some("tee" | "sponge"))
        && command.argv.iter().skip(1).any(is_startup);
    if !is_redirected && !is_copied {
        return None;
    }
    let told = command.argv.iter().skip(1).map(Word::text).collect::<Vec<_>>().join(" ");
    let is_denied = (is_redirected && is_denied(&told, ground))
        || script.fed(index).is_some_and(|text| is_denied(&text, ground));
    is_denied.then_some(deny(
        "plants-destruction",
        "it writes a destructive command into a file that every new shell runs",
    ))
}

/// Whether the text, as a command line, would be denied by the tables or because of its data flow.
fn is_denied(text: &str, ground: &Ground<'_>) -> bool {
    if text.len() > texts::MAX_TEXT || text.trim().is_empty() {
        return false;
    }
    let script = verger_shell::read(text);
    let denies = |index: usize| {
        let call = Call::of(&script, index, ground)?;
        call.strongest(about(&call.program), &[])
    };
    (0..script.commands.len())
        .filter_map(denies)
        .any(|rule| matches!(rule.ruling, Ruling::Deny | Ruling::Floor))
        || flow::findings(&script, ground, &[]).iter().any(|finding| finding.triage == Triage::Deny)
}

fn is_replaceable(path: &str, ground: &Ground<'_>) -> bool {
    let word = Word::Literal(path.to_owned());
    is_of_class("output", &word, ground) || is_of_class("temporary", &word, ground)
}
