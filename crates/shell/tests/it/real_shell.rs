//! Runs the command lines of the tables in a real shell. A stand-in for `gh` records its calls.

use verger_shell::{CommandPattern, read};

use crate::sandbox::Sandbox;
use crate::spellings::{CLOSES, MENTIONS};

#[test]
fn commands_of_a_real_shell_are_found() {
    let sandbox = Sandbox::new(&["gh"]);
    let pattern = CommandPattern::parse("gh issue close*").unwrap();
    let mut ran = 0;
    for line in CLOSES.iter().chain(MENTIONS) {
        let calls = sandbox.run(line).calls;
        let closes = calls.iter().any(|call| call.windows(2).any(|two| two == ["issue", "close"]));
        ran += usize::from(closes);
        assert!(!closes || pattern.matches(&read(line)), "not found: {line}");
        assert!(!closes || !MENTIONS.contains(line), "not only a mention: {line}");
    }
    // The other lines of the table need programs that are not installed, or must not run.
    assert!(ran > 100, "{ran} lines ran it");
}
