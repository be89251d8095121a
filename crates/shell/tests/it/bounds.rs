//! Tests that any text is read within the limits and without a panic.

use std::fs;

use proptest::prelude::*;
use verger_shell::{CommandPattern, Why, read};

use crate::spellings::{CLOSES, MENTIONS};

const LINE: usize = 64 * 1024;

fn whys(line: &str) -> Vec<Why> {
    read(line).unread.into_iter().map(|unread| unread.why).collect()
}

#[test]
fn a_longer_line_is_not_read() {
    let longest = format!("echo {}", "x".repeat(LINE - 5));
    assert_eq!(whys(&longest), []);
    assert_eq!(whys(&format!("{longest}x")), [Why::TooLong]);
    assert_eq!(whys(&"(".repeat(1_000_000)), [Why::TooLong]);
    assert!(read(&format!("gh issue close 5;{longest}")).mentions("gh"));
}

#[test]
fn shells_in_shells_are_followed_to_a_depth() {
    let nested = |depth| {
        (0..depth).fold("gh issue close 5".to_owned(), |line, _| {
            format!("sh -c '{}'", line.replace('\'', r"'\''"))
        })
    };
    assert_eq!(whys(&nested(8)), []);
    assert_eq!(read(&nested(8)).commands.last().and_then(|command| command.program()), Some("gh"));
    assert_eq!(whys(&nested(9)), [Why::TooDeep]);
    assert!(read(&nested(9)).mentions("gh"));
}

#[test]
fn wrappers_and_brackets_are_followed_to_a_depth() {
    assert_eq!(whys(&format!("{}gh", "env ".repeat(16))), []);
    assert_eq!(whys(&format!("{}gh", "env ".repeat(17))), [Why::TooDeep]);
    let substitutions = |depth| format!("{}gh{}", "$(".repeat(depth), ")".repeat(depth));
    assert_eq!(whys(&substitutions(64)), []);
    assert_eq!(whys(&substitutions(65)), [Why::TooDeep]);
    let subshells = |depth| format!("{}gh{}", "( ".repeat(depth), ")".repeat(depth));
    assert_eq!(whys(&subshells(256)), []);
    assert_eq!(whys(&subshells(257)), [Why::TooDeep]);
}

#[test]
fn commands_are_counted_to_a_number() {
    assert_eq!(whys(&"a;".repeat(1000)), []);
    assert_eq!(whys(&"a;".repeat(1001)), [Why::TooMany]);
    assert_eq!(read(&"env b;".repeat(5000)).commands.len(), 1000);
    for end in ["b", "b(", "b()", "b)", "b<", "b<<X", "b\n", "[[", "{", "b`c`", "$(b)", "b}"] {
        let line = format!("{}{end}", "a;".repeat(1000));
        assert!(read(&line).commands.len() <= 1000, "{end}");
    }
}

/// There is a separate limit for commands that other commands run, and one for unread texts.
#[test]
fn inner_commands_are_bounded() {
    let lines = [
        "xargs -I{} ".repeat(16) + "gh {} " + &"<<A\n".repeat(4000) + &"b\n".repeat(4000) + "A\n",
        "sudo -u a ".repeat(16) + "gh " + &"b ".repeat(20_000),
        "echo ".to_owned() + &"b ".repeat(10_000) + "gh>a;" + &"./a;".repeat(900),
    ];
    for line in lines {
        let script = read(&line);
        let words: usize = script.commands.iter().map(|command| command.argv.len()).sum();
        let unread: usize = script.unread.iter().map(|unread| unread.text.len()).sum();
        assert!(words * 2 + unread <= 10 * LINE, "{words} words, {unread} bytes unread");
        let is_found = script.commands.iter().any(|command| command.program() == Some("gh"));
        assert!(is_found || script.mentions("gh"), "{}", &line[..40]);
    }
}

/// A text that exceeds the remaining room is still searched for mentions of programs, even if other
/// texts exceeded the room too.
#[test]
fn texts_without_room_are_still_mentioned() {
    let written = |file: char, words: usize| {
        format!("echo {}>{file};{}", "b ".repeat(words), format!("./{file};").repeat(40))
    };
    let line = written('a', 10_000) + &written('d', 1000);
    let hidden = format!("{line}bash -c 'gh issue close 5 {}'", "e ".repeat(10_000));
    assert!(hidden.len() <= LINE);
    let script = read(&hidden);
    assert!(script.commands.iter().all(|command| command.program() != Some("gh")), "no such case");
    assert!(script.mentions("gh"));
}

/// An unread part that exceeds the remaining room may run a program with any name.
#[test]
fn parts_without_room_may_run_any_program() {
    let filler = format!("xargs -I% a {}<<< '{}'\n", "b ".repeat(8191), "1\n".repeat(16));
    let line = filler + "sudo $'\\x67h' issue close 5";
    assert_eq!(whys(&line), [Why::NoRoom]);
    let script = read(&line);
    assert!(CommandPattern::parse("gh issue close*").unwrap().matches(&script));
    assert!(script.mentions("anything"));
}

/// A pattern matches an unread part, unless all names in the part are plain. A single name counts
/// as mentioned only if the part contains it.
#[test]
fn parts_behind_a_limit_may_be_any_command() {
    let (many, deep) = ("true;".repeat(1000), "env ".repeat(17));
    let pattern = CommandPattern::parse("gh issue close*").unwrap();
    for (line, is_met) in [
        (format!("{many}sudo $'\\x67h' issue close 5"), true),
        (format!("{many}make"), false),
        (format!("{deep}xargs -I{{}} g{{}} issue close 5"), true),
        (format!("{deep}make"), false),
    ] {
        let script = read(&line);
        assert_eq!((pattern.matches(&script), script.mentions("gh")), (is_met, false), "{line}");
    }
}

/// The peak memory of this process in MB; `None` on systems that do not report it.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(most.trim().trim_end_matches(" kB").parse::<u64>().ok()? / 1024)
}

/// A text that would be too long is not composed at all.
#[test]
fn composed_texts_are_bounded() {
    let long = "b".repeat(30_000);
    let lines = [
        format!("xargs -I% a {} <<< {long}", "%".repeat(30_000)),
        format!("printf '{}%s' {} | sh", "b".repeat(20_000), "b ".repeat(10_000)),
        format!("printf '{}%s' {}", "b".repeat(20_000), "b ".repeat(10_000)),
        format!("parallel '{}' ::: {long}", "{}".repeat(15_000)),
        format!("{{ {} }} <<< {long}\n{}", "tee a;".repeat(100), "./a;".repeat(100)),
        format!("{{ {} }} <<< {long}\n{}", "tee a;".repeat(100), "python3 a;".repeat(100)),
        format!("{{ {} }} <<< {long}", "python3 -;".repeat(900)),
        format!("{{ {} }} <<< {long}", "bash;".repeat(900)),
        format!("alias a={long}\n{}", "a;".repeat(900)),
    ];
    for line in lines {
        assert!(line.len() <= LINE);
        let whys: Vec<Why> = whys(&line);
        assert!(whys.contains(&Why::NoRoom), "{}: {whys:?}", &line[..40]);
        if let Some(most) = most_memory() {
            assert!(most < 64, "{}: {most} MB", &line[..40]);
        }
    }
}

/// Long files and long texts that people write on one line are parsed.
#[test]
fn long_lines_of_people_are_read() {
    let script = "echo a\n".repeat(3000);
    for line in [
        format!("cat > a.sh <<'E'\n{script}E\nbash a.sh && bash a.sh b && ./a.sh c"),
        format!("printf '%s\\n' {}| xargs -I{{}} wc {{}}", "src/some/file.rs ".repeat(400)),
        format!("parallel gzip {{}} ::: {}", "src/some/file.rs ".repeat(400)),
        format!("python3 - <<'E'\n{}E", "print(1)\n".repeat(6000)),
        format!("xargs -I% cp % %.bak <<< '{}'", "src/some/file.rs\n".repeat(400)),
    ] {
        let whys: Vec<Why> = whys(&line);
        assert!(!whys.contains(&Why::NoRoom), "{}", &line[..40]);
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let units = prop::sample::select(vec![
        "gh ",
        "issue ",
        "close ",
        "$(",
        ")",
        "`",
        "'",
        "\"",
        "\\",
        "{ ",
        "}",
        "; ",
        "\n",
        "|",
        "&&",
        "<<EOF\n",
        "EOF\n",
        "<<< ",
        "if ",
        "then ",
        "fi ",
        "case ",
        "in ",
        "esac ",
        ";;",
        "do ",
        "done ",
        "[[ ",
        "]] ",
        "((",
        "))",
        "${x:-",
        "$x",
        "$'",
        "bash -c ",
        "eval ",
        "xargs -I{} ",
        "env A=b ",
        "echo ",
        "#",
        "*",
        "=(",
        "f() ",
        "time ",
        "coproc ",
        ">",
        "<(",
        "ä",
        "-",
        "1",
        " ",
    ]);
    prop::collection::vec(units, 0..40).prop_map(|units| units.concat())
}

/// A command line from the tables with a piece removed, doubled or moved.
fn mutated() -> impl Strategy<Value = String> {
    let lines = prop::sample::select([CLOSES, MENTIONS].concat());
    (lines, any::<(prop::sample::Index, prop::sample::Index)>(), "[\"'`$(){};|&<>\\\\ \n]?")
        .prop_map(|(line, (from, to), put)| {
            let chars: Vec<char> = line.chars().collect();
            let (from, to) = (from.index(chars.len() + 1), to.index(chars.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            let kept = chars[..from].iter().copied().chain(put.chars());
            kept.chain(chars[to..].iter().copied()).collect()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read(line in prop_oneof![any::<String>(), pieces(), mutated()]) {
        let script = read(&line);
        for pattern in ["gh issue close*", "bd close*", "git push"] {
            CommandPattern::parse(pattern).unwrap().matches(&script);
        }
        if let Some(alone) = script.alone() {
            prop_assert!(script.commands.len() <= 2);
            prop_assert!(!alone.argv.is_empty());
        }
        for command in &script.commands {
            command.program();
        }
    }

    /// If every word of a command is quoted, the parser finds the same command.
    #[test]
    fn a_quoted_command_is_the_same_command(words in prop::collection::vec("\\PC{0,8}", 1..5)) {
        let quoted = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
        let line = words.iter().map(quoted).collect::<Vec<_>>().join(" ");
        let script = read(&line);
        prop_assert_eq!(script.commands[0].literal_argv(), Some(words.iter().map(String::as_str).collect()));
    }

    #[test]
    fn a_pattern_is_read_or_refused(pattern in prop_oneof![any::<String>(), pieces()]) {
        if let Ok(pattern) = CommandPattern::parse(&pattern) {
            pattern.matches(&read("gh issue close 5"));
        }
    }
}
