//! Compares the commands that real bash runs with those that the parser found: none may be missing.
//!
//! If the parser reports no doubt about a command line, it must name every program that bash ran,
//! with its words, and every file that bash wrote. Command lines with doubts are not checked. A
//! doubt is an unread part, an unknown program name or an unknown option.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use verger_shell::{Command, Inside, Mode, Redirect, Script, Why, Word, read};

use crate::generated;
use crate::sandbox::{Ran, Sandbox, is_valid};
use crate::shell_lines::LINES;
use crate::spellings::{CLOSES, MENTIONS};

/// Names that no installed program has. So a command line that runs a program by searching the
/// `PATH` does no harm.
pub(crate) const STAND_INS: &[&str] = &["p0", "p1", "p2", "p3", "gh"];

/// Command lines whose commands are known only when they run.
const DOUBTED: &[&str] = &[
    "{ echo p0 a; } | bash",
    "(echo 'p0 a') | bash",
    "a=(p0 a b); \"${a[@]}\"; ${a[0]}",
    "sh -c \"p0 \\$'\\\\' ; p1 a #'\"",
    "p0 \"${x#'\"'}\" ; p1 ; p2 '}\"'",
    "p0 $\\\n(p1); p2 <\\\n(p3)",
    "echo Z2g= | base64 -d | bash; # gh",
    ". <(echo gh issue close 5)",
    "bash <(echo 'gh issue close 5')",
    "perl -e 'system(\"gh issue close 5\")'",
    "awk 'BEGIN{system(\"gh issue close 5\")}'",
];

/// Whether the parser is certain about the commands of the command line.
fn is_sure(script: &Script) -> bool {
    let is_known = |command: &Command| match command.inside {
        _ if command.code.is_some() => false,
        Inside::Guessed => false,
        Inside::Readings => true,
        Inside::Nothing | Inside::Found => command.argv.is_empty() || command.program().is_some(),
    };
    script.unread.is_empty() && script.aliases().is_empty() && script.commands.iter().all(is_known)
}

/// Whether a word contains `~`, which the parser does not expand.
fn has_home(word: &str) -> bool {
    word.starts_with('~') || word.contains("=~") || word.contains(":~")
}

fn names_call(script: &Script, call: &[String]) -> bool {
    let fits = |command: &Command| {
        let is_it = command.program() == Some(&call[0]);
        let same = |argv: Vec<&str>| {
            argv.len() == call.len()
                && argv.iter().zip(call).skip(1).all(|(w, c)| w == c || has_home(w))
        };
        is_it && command.literal_argv().is_none_or(same)
    };
    script.commands.iter().any(fits)
}

fn names_file(script: &Script, file: &str) -> bool {
    let is_it = |redirect: &Redirect| {
        let is_output = matches!(redirect.mode, Mode::Write | Mode::Append | Mode::ReadWrite);
        is_output && redirect.target.literal().is_none_or(|target| target.ends_with(file))
    };
    let by_tool = |command: &Command| {
        (command.runs("tee") || command.runs("flock"))
            && command.argv.iter().filter_map(Word::literal).any(|word| word == file)
    };
    script.commands.iter().any(|command| command.redirects.iter().any(is_it) || by_tool(command))
}

/// The programs and files of a run by bash that the parser did not report. Empty if the parser is
/// not certain about the command line.
fn missed(script: &Script, ran: &Ran) -> Vec<String> {
    if is_sure(script) { unnamed(script, ran) } else { Vec::new() }
}

fn unnamed(script: &Script, ran: &Ran) -> Vec<String> {
    let calls =
        ran.calls.iter().filter(|call| !names_call(script, call)).map(|call| call.join("|"));
    let files = ran.files.iter().filter(|file| !names_file(script, file)).cloned();
    calls.chain(files).collect()
}

#[test]
fn the_lines_run_nothing_else() {
    let sandbox = Sandbox::new(STAND_INS);
    let (mut ran, mut others, mut doubted) = (0, Vec::new(), Vec::new());
    for line in LINES.iter().chain(CLOSES).chain(MENTIONS) {
        let done = sandbox.run(line);
        let script = read(line);
        let missed = missed(&script, &done);
        if !missed.is_empty() {
            others.push((*line, missed));
        }
        ran += usize::from(!done.calls.is_empty());
        if !done.calls.is_empty() && !unnamed(&script, &done).is_empty() {
            doubted.push(*line);
        }
    }
    assert_eq!(others, []);
    assert!(ran > 200, "{ran} lines ran something");
    assert_eq!(doubted, DOUBTED);
}

#[test]
fn bash_and_the_walk_agree_on_what_is_a_line() {
    let has_fault = |line: &str| {
        let mut faults = read(line).unread.into_iter();
        faults.any(|unread| unread.why == Why::Syntax && unread.text == line)
    };
    let lines = || LINES.iter().chain(CLOSES).chain(MENTIONS).copied();
    let valid: Vec<&str> = lines().filter(|line| is_valid(line)).collect();
    assert!(valid.len() > 400, "{} lines", valid.len());
    let faulty: Vec<&str> = valid.into_iter().filter(|line| has_fault(line)).collect();
    assert_eq!(faulty, DOUBTED_SYNTAX);
    let read_all_the_same: Vec<&str> = lines()
        .chain(FAULTY.iter().copied())
        .filter(|line| !is_valid(line) && !has_fault(line))
        .collect();
    assert_eq!(read_all_the_same, READ_ALL_THE_SAME);
}

/// Command lines that bash accepts, and that the parser reports as unread: quotes in quoted
/// expansions, escaped line ends within an operator, and an undocumented loop. Shells read the
/// first two differently.
const DOUBTED_SYNTAX: &[&str] = &[
    "p0 \"${x:-$(p1)}\" \"${x:-'$(p2)'}\"",
    "p0 \"${x#'}'}\"; p1",
    "for x in a; { p0; }",
    "p0 \"${x#'\"'}\" ; p1 ; p2 '}\"'",
    "p0 \"$\\\n(p1)\"; p2 \"a $\\\n\\\n(p3) b\"",
    "p0 $\\\n(p1); p2 <\\\n(p3)",
    "p0 <<E\na\nE\\\n\np1 <<E\n\nE",
    "p0 <<EOF\na\nE\\\nOF\np1\nEOF",
    "p0 <<-EOF\n\ta\n\tE\\\nOF\np1\nEOF",
    "p0 <<EOF\na\\\nEOF\np1\nEOF\np2",
    "x=a; xy=b; p0 $x\\\ny; p1 \"$x\\\ny\"; p2 $x\\\n/c",
    "p0 $\"a $\\\n(p1)\"",
    "p0 a |\\\n| p1; p0 &\\\n& p2",
    "echo \"${x:-'$(gh issue close 5)'}\"",
];

/// Command lines that bash rejects and the parser accepts: zsh syntax and incomplete lines. The
/// parser still finds every command of them.
const READ_ALL_THE_SAME: &[&str] = &[
    "echo =(gh issue close 5)",
    "- gh issue close 5",
    "if p0; fi",
    "for x in a; p0; done",
    "while p0; done",
    "p0 &&",
    "p0 |",
    "[[ a",
    "()",
    "( )",
    "{ }",
    "function",
];

/// Command lines that every shell rejects as invalid syntax.
const FAULTY: &[&str] = &[
    "p0 'a",
    "p0 \"a",
    "p0 `a",
    "p0 $(a",
    "p0 ${a",
    "p0 $((1",
    "(p0",
    "p0)",
    "{ p0;",
    "p0; }",
    "if p0; then p1",
    "if p0; fi",
    "then p0",
    "for x in a; p0; done",
    "while p0; done",
    "case a in a) p0",
    "p0 &&",
    "p0 |",
    "| p0",
    "&& p0",
    "p0 ;; p1",
    "; p0",
    "p0 >",
    "p0 > ; p1",
    "p0 <",
    "a=(b",
    "[[ a",
    "[[ a && ]]",
    "(( 1",
    "f() {",
    "p0 ( a )",
    "p0 a(b)",
    "fi",
    "done",
    "esac",
    "()",
    "( )",
    "{ }",
    "for",
    "case",
    "function",
];

#[test]
fn generated_lines_run_nothing_else() {
    let sandbox = Sandbox::new(STAND_INS);
    let cases = option_env!("VERGER_SHELL_CASES").and_then(|n| n.parse().ok()).unwrap_or(400);
    let seed = option_env!("VERGER_SHELL_SEED").and_then(|n| n.parse().ok()).unwrap_or(7_u8);
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 300, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&generated::line(), |line| {
        let done = sandbox.run(&line);
        prop_assert_eq!(missed(&read(&line), &done), Vec::<String>::new(), "{}", line);
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
}
