//! Finds programs in other languages, such as Python, on a command line.

use super::options::Options;
use super::output::{read_by, written_to};
use super::{Call, sed};
use crate::reader::joined;
use crate::script::Word;

struct Interpreter {
    program: &'static str,
    /// Option letters after which the code follows, alone (`-c`) or as the last of several letters.
    letters: &'static str,
    /// Long options and subcommands after which the code follows.
    names: &'static [&'static str],
}

const fn interpreter(
    program: &'static str,
    letters: &'static str,
    names: &'static [&'static str],
) -> Interpreter {
    Interpreter { program, letters, names }
}

const INTERPRETERS: &[Interpreter] = &[
    interpreter("python", "c", &[]),
    interpreter("pypy", "c", &[]),
    interpreter("perl", "eE", &[]),
    interpreter("ruby", "e", &[]),
    interpreter("node", "ep", &["--eval", "--print"]),
    interpreter("nodejs", "ep", &["--eval", "--print"]),
    interpreter("bun", "ep", &["--eval", "--print"]),
    interpreter("deno", "", &["eval"]),
    interpreter("php", "rBRE", &["--run"]),
    interpreter("lua", "e", &[]),
    interpreter("luajit", "e", &[]),
    interpreter("expect", "c", &[]),
    interpreter("tclsh", "", &[]),
    interpreter("osascript", "e", &[]),
    interpreter("Rscript", "e", &[]),
    interpreter("R", "e", &[]),
    interpreter("julia", "eE", &["--eval", "--print"]),
    interpreter("elixir", "e", &["--eval"]),
    interpreter("groovy", "e", &[]),
    interpreter("pwsh", "c", &["-Command", "-command"]),
    interpreter("powershell", "c", &["-Command", "-command"]),
];

/// The code that a command passes to an interpreter: in its arguments, or as input that the command
/// line shows.
pub(super) fn given(call: &Call<'_>) -> Option<String> {
    let Call { program, words, commands, command, room } = *call;
    match program {
        "awk" | "gawk" | "mawk" | "nawk" => return awk(words),
        "sed" | "gsed" => return sed::script(words),
        // zellij is a terminal multiplexer: its arguments may be a command.
        "zellij" => return Some(joined(words)),
        "at" | "batch" => return read_by(commands, command, room),
        _ => {}
    }
    // The program's name may end with a version: `python3.12`.
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let interpreter = INTERPRETERS.iter().find(|known| known.program == name)?;
    let mut code: Vec<&str> = Vec::new();
    let mut rest = words.iter().map(Word::text);
    while let Some(text) = rest.next() {
        match interpreter.option(text) {
            Given::CodeFollows => code.extend(rest.next()),
            Given::Code(attached) => code.push(attached),
            Given::Other => {}
            Given::File if code.is_empty() => return written_to(commands, text, room),
            Given::File => break,
        }
    }
    if code.is_empty() { read_by(commands, command, room) } else { Some(code.join("\n")) }
}

enum Given<'a> {
    CodeFollows,
    Code(&'a str),
    Other,
    File,
}

impl Interpreter {
    fn option<'a>(&self, text: &'a str) -> Given<'a> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        if self.names.contains(&name) {
            return if name == text { Given::CodeFollows } else { Given::Code(value) };
        }
        if text == "-" || text.starts_with("--") {
            return Given::Other;
        }
        let Some(letters) = text.strip_prefix('-') else { return Given::File };
        let is_code = |c: char| self.letters.contains(c);
        match letters.split_once(is_code) {
            // Other letters may precede the letter for code. In `-ep`, both letters are such
            // letters, so the code is the next word.
            Some((_, attached)) if attached.chars().all(is_code) => Given::CodeFollows,
            Some((_, attached)) => Given::Code(attached),
            None => Given::Other,
        }
    }
}

/// Those programs in the arguments of `awk` that run commands. Other programs are ignored.
fn awk(words: &[Word]) -> Option<String> {
    let options = Options {
        letters: "F:v:f:e:E:i:l:bcCghIkMnNoOprsStV",
        names: "field-separator= assign= file= source= exec= include= load=",
    };
    let passed = options.pass(words);
    let given = passed.given.iter().filter_map(|option| option.value_of("e", &["source"]));
    let operands = words.get(passed.first..).unwrap_or_default().iter();
    let programs = given.chain(operands.map(|word| word.text().to_owned()));
    let runs = |text: &String| {
        text.contains("system") || text.contains("getline") || text.replace("||", "").contains('|')
    };
    programs.filter(runs).reduce(|all, text| all + "\n" + &text)
}
