//! Fuzzes the shell parser with arbitrary text as a command line.
//!
//! Parsing stays within bounds, its results are consistent, and the same text as a quoted argument
//! of a shell gives the same commands.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger_shell::{CommandPattern, Place, Script, Stdin, Word, read};

const MAX_COMMANDS: usize = 1000;

fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    let script = read(&line);
    check(&script);
    if let Ok(pattern) = CommandPattern::parse("gh issue close*") {
        pattern.matches(&script);
    }
    let quoted = read(&format!("sh -c -- '{}'", line.replace('\'', r"'\''")));
    if script.unread.is_empty() && quoted.unread.is_empty() {
        assert_eq!(words(&quoted).get(1..).unwrap_or_default(), words(&script));
    }
});

fn check(script: &Script) {
    assert!(script.commands.len() <= MAX_COMMANDS);
    for (index, command) in script.commands.iter().enumerate() {
        command.program();
        if let Place::Within(outer) = command.place {
            assert!(outer < index);
        }
        if let Stdin::Pipe(Some(from)) = command.stdin {
            assert!(from < script.commands.len() && from != index);
        }
    }
    if let Some(alone) = script.alone() {
        assert!(script.unread.is_empty());
        let last = script.commands.last().and_then(|command| command.literal_argv());
        assert_eq!(last, Some(alone.argv));
    }
}

fn words(script: &Script) -> Vec<&[Word]> {
    script.commands.iter().map(|command| command.argv.as_slice()).collect()
}
