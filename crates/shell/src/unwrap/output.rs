//! Finds the content of a command's input or of a file, if the command line shows it: a
//! here-document, or the output of `echo`, `printf` or `cat`.

use super::Call;
use crate::parser::simple_escape;
use crate::reader::MAX_TEXT;
use crate::room::Room;
use crate::script::{Command, Mode, Stdin, Word};

/// The maximum number of commands in a pipeline that only pass on their input.
const MAX_PIPES: usize = 8;

/// The text that a command reads as its input, with expansions as written. `None` if the command
/// line does not show it.
pub(crate) fn read_by(commands: &[Command], command: &Command, room: &Room) -> Option<String> {
    let mut command = command;
    for _ in 0..MAX_PIPES {
        match &command.stdin {
            Stdin::Text(text) => {
                room.take(text.text().len())?;
                return Some(text.text().to_owned());
            }
            Stdin::Pipe(Some(from)) => {
                let writer = commands.get(*from)?;
                if !hands_on(writer) {
                    return written_by(writer, room);
                }
                command = writer;
            }
            _ => return None,
        }
    }
    None
}

/// Whether the file name means the program's standard input.
pub(super) fn is_stdin(file: &str) -> bool {
    let is_system = file.starts_with("/dev/") || file.starts_with("/proc/");
    file == "-" || is_system && (file.ends_with("/stdin") || file.ends_with("/fd/0"))
}

/// The text that a command of the command line writes to this file.
pub(super) fn written_to(commands: &[Command], file: &str, room: &Room) -> Option<String> {
    let file = bare(file);
    let is_file = |word: &Word| word.literal().is_some_and(|path| bare(path) == file);
    let writes = |command: &&Command| {
        let mut redirects = command.redirects.iter();
        let is_copy = command.program() == Some("tee") && command.argv[1..].iter().any(is_file);
        let is_output = |mode| matches!(mode, Mode::Write | Mode::Append);
        is_copy || redirects.any(|redirect| is_output(redirect.mode) && is_file(&redirect.target))
    };
    let texts = commands.iter().filter(writes).filter_map(|command| {
        if hands_on(command) { read_by(commands, command, room) } else { written_by(command, room) }
    });
    texts.reduce(|all, text| all + &text)
}

fn bare(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

fn hands_on(command: &Command) -> bool {
    let words = command.argv.get(1..).unwrap_or_default();
    match command.program() {
        Some("cat") => words.iter().all(|word| word.text() == "-"),
        Some("tee") => true,
        _ => false,
    }
}

/// The output of a command that is `echo` or `printf`. `None` for other programs.
pub(crate) fn written_by(command: &Command, room: &Room) -> Option<String> {
    let program = command.program()?;
    if !matches!(program, "echo" | "printf") {
        return None;
    }
    let words: Vec<&str> = command.argv.get(1..)?.iter().map(Word::text).collect();
    room.take(if program == "echo" { length(&words) } else { printed_length(&words) })?;
    if program == "echo" { Some(echo(&words)) } else { printf(&words) }
}

/// Records if the output of a `printf` is too long to be read, even if no command reads this
/// output.
pub(super) fn note_length(call: &Call<'_>) {
    let words: Vec<&str> = call.words.iter().map(Word::text).collect();
    if printed_length(&words) > MAX_TEXT {
        call.room.refuse();
    }
}

fn length(words: &[&str]) -> usize {
    words.iter().map(|word| word.len() + 1).sum()
}

/// The maximum length of the output of `printf`.
fn printed_length(words: &[&str]) -> usize {
    let words = if words.first() == Some(&"--") { &words[1..] } else { words };
    let Some((format, arguments)) = words.split_first() else { return 0 };
    let uses = match arguments_of(format) {
        0 => 1,
        count => arguments.len().div_ceil(count).max(1),
    };
    format.len() * uses + length(arguments)
}

/// The number of arguments that one pass over a `printf` format uses.
fn arguments_of(format: &str) -> usize {
    let mut rest = format.bytes();
    let mut count = 0;
    while let Some(byte) = rest.next() {
        if matches!(byte, b'%' | b'\\') {
            let after = rest.next();
            count += usize::from(byte == b'%' && after != Some(b'%'));
        }
    }
    count
}

fn echo(words: &[&str]) -> String {
    let is_option = |word: &&&str| {
        word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "neE".contains(c))
    };
    let options: String = words.iter().take_while(is_option).copied().collect();
    let count = words.iter().take_while(is_option).count();
    let mut text = words[count..].join(" ");
    if options.contains('e') {
        text = escaped(&text);
    }
    if !options.contains('n') {
        text.push('\n');
    }
    text
}

/// The output of `printf`, if its format has only `%s`, `%b`, `%d` and escapes.
fn printf(words: &[&str]) -> Option<String> {
    let words = if words.first() == Some(&"--") { &words[1..] } else { words };
    let (format, arguments) = words.split_first()?;
    if format.starts_with('-') {
        return None;
    }
    let mut arguments = arguments.iter();
    let mut text = String::new();
    loop {
        let left = arguments.len();
        let mut rest = format.chars();
        while let Some(c) = rest.next() {
            match c {
                '%' => match rest.next()? {
                    '%' => text.push('%'),
                    's' | 'd' | 'i' => text.push_str(arguments.next().unwrap_or(&"")),
                    'b' => text.push_str(&escaped(arguments.next().unwrap_or(&""))),
                    _ => return None,
                },
                '\\' => push_escape(&mut text, rest.next()),
                _ => text.push(c),
            }
        }
        // The format is repeated for the remaining arguments.
        if arguments.len() == 0 || arguments.len() == left {
            return Some(text);
        }
    }
}

fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\\' { push_escape(&mut plain, rest.next()) } else { plain.push(c) }
    }
    plain
}

fn push_escape(text: &mut String, escape: Option<char>) {
    match (escape.and_then(simple_escape), escape) {
        (Some(c), _) => text.push(c),
        (None, Some(c)) => text.extend(['\\', c]),
        (None, None) => text.push('\\'),
    }
}
