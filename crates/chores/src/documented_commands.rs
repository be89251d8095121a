//! Finds commands in the documentation that don't exist. Only a test uses this module.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap::error::ErrorKind;

use verger_xtask::{Root, forwarded, process};

use crate::{Arguments, markdown};

/// The words with which a command of this project begins, and the function that returns its parser.
/// The first word after these words selects the parser.
struct Ours {
    begins: &'static str,
    parser: fn(Option<&str>) -> clap::Command,
}

const OURS: &[Ours] = &[
    Ours { begins: "verger", parser: |_| verger_cli::command_line() },
    Ours { begins: "cargo run --release --", parser: |_| verger_cli::command_line() },
    Ours { begins: "cargo xtask", parser: chore_parser },
];

fn chore_parser(chore: Option<&str>) -> clap::Command {
    match chore.and_then(forwarded::named) {
        Some(_) => Arguments::command(),
        None => verger_xtask::command_line(),
    }
}

/// The place of a command in the documentation. In a sentence, a part of a command is enough; in a
/// code block, the command must be complete.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Sentence,
    Block,
}

/// The invalid commands of a page, one line each with path, line and problem.
fn problems(path: &str, text: &str) -> Vec<String> {
    let code = markdown::code(text);
    let lines = code.blocks.iter().flat_map(|block| &block.lines);
    let commands = lines
        .map(|(number, line)| (Place::Block, *number, *line))
        .chain(code.inline.iter().map(|(line, span)| (Place::Sentence, *line, span.as_str())));
    commands
        .filter_map(|(place, number, command)| {
            let problem = problem(command, place)?;
            Some(format!("{path}:{number}: {problem}"))
        })
        .collect()
}

/// Whether the commands on a page must be valid today. A changelog names former commands,
/// references are generated, and reports contain output of programs.
fn is_current(path: &str) -> bool {
    let is_text = Path::new(path).extension().is_some_and(|extension| extension == "md");
    let is_generated =
        ["docs/reference/", "docs/reports/"].iter().any(|folder| path.starts_with(folder));
    is_text && path != "CHANGELOG.md" && !is_generated
}

fn problem(command: &str, place: Place) -> Option<String> {
    let command = command.split(" #").next().unwrap_or_default().trim();
    let ours = OURS
        .iter()
        .find(|ours| command.strip_prefix(ours.begins).is_some_and(|rest| rest.starts_with(' ')))?;
    let words = words(&command[ours.begins.len()..]);
    let parser = (ours.parser)(words.first().copied());
    let given = [ours.begins].into_iter().chain(words);
    let error = parser.try_get_matches_from(given).err()?;
    let is_wrong = match error.kind() {
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument => true,
        ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand => place == Place::Block,
        _ => false,
    };
    let text = error.to_string();
    let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    is_wrong.then(|| format!("`{command}` cannot be run: {why}"))
}

/// The words of a command, up to the first word with special characters, which belongs to the shell
/// or to a sentence. A text in double quotes is one word.
fn words(line: &str) -> Vec<&str> {
    let mut words = vec![];
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let is_plain = !word.contains(['|', '>', '<', '[', '…']) && !word.ends_with('.');
        if !rest.starts_with('"') && !is_plain {
            break;
        }
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

#[test]
fn documented_commands_exist() {
    let root = Root::from_environment().unwrap();
    let paths = process::output(root.command("git").args(["ls-files", "-z"])).unwrap();
    // A file that is deleted but still in the index has no text.
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let current = paths.split('\0').filter(|path| is_current(path));
    let found: Vec<_> = current.flat_map(|path| problems(path, &text(path))).collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_quoted_text_is_one_word_and_shell_syntax_is_none() {
    assert_eq!(
        words(r#" decide issues "a. b" --message - <<'END' x"#),
        ["decide", "issues", "a. b", "--message", "-"]
    );
    assert_eq!(words(r#"x "not closed"#), ["x", "not closed"]);
    assert_eq!(words(" sessions | less"), ["sessions"]);
    assert_eq!(
        words(" config set a.b true, and so on."),
        ["config", "set", "a.b", "true,", "and", "so"]
    );
}

#[test]
fn a_command_that_does_not_exist_is_found_wherever_it_is_told() {
    let pages = [
        (
            "README.md",
            "```sh\nverger frobnicate   # hm\nverger session list\n```\nuse `verger session list --frob`",
        ),
        ("docs/a.md", "`cargo xtask tidy` and `cargo xtask tiny`"),
        (
            "docs/b.md",
            "```\ncargo run --release -- session list\nverger session trace\n```\n`verger session trace`",
        ),
        ("CHANGELOG.md", "`verger frobnicate` is gone"),
        ("docs/c.md", "`verger-hook x`, `verger`, `verger log [verify]`, verger frobnicate"),
    ];
    let current = pages.iter().filter(|(path, _)| is_current(path));
    let found: Vec<_> = current.flat_map(|(path, text)| problems(path, text)).collect();
    assert_eq!(
        found,
        [
            "README.md:2: `verger frobnicate` cannot be run: unrecognized subcommand 'frobnicate'",
            "README.md:5: `verger session list --frob` cannot be run: unexpected argument '--frob' found",
            "docs/a.md:1: `cargo xtask tiny` cannot be run: unrecognized subcommand 'tiny'",
            "docs/b.md:3: `verger session trace` cannot be run: the following required arguments were not provided:",
        ]
    );
}
