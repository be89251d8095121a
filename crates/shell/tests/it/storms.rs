//! Tests that long and repetitive command lines take no longer than others.

use std::fs;

use proptest::prelude::*;
use verger_shell::{CommandPattern, read};

const LINE: usize = 64 * 1024;

/// The time limit for one command line, in milliseconds. An unoptimised build takes many times as
/// long.
const CEILING_MS: u64 = if cfg!(debug_assertions) { 2000 } else { 100 };

/// Texts of which a command line consists by repetition.
const UNITS: &[&str] = &[
    "(",
    "((",
    "((((",
    "$(",
    "$((",
    "$($((",
    "${",
    "${a:-",
    "$[",
    "`",
    "\\`",
    "\"",
    "\"$(",
    "\"$(\"",
    "'",
    "$'",
    "\\",
    "{",
    "{ ",
    "}",
    "{a,",
    "[[ ",
    "[",
    "a|",
    "a&&",
    "a;",
    "a ",
    "a\n",
    "a=(",
    "a[",
    "a[ ",
    "alias a=",
    "alias a=a;a;",
    "./a;",
    "a>b;",
    "<<A ",
    "<<A\n",
    "<<<a ",
    "<(",
    ">",
    "> a ",
    "2>&1 ",
    "if ",
    "if a; then ",
    "while ",
    "do ",
    "for ",
    "case ",
    "case a in ",
    "case a in a) ",
    ";;",
    "esac ",
    "f() ",
    "function ",
    "#",
    "# \n",
    "!",
    "! ",
    "time ",
    "coproc ",
    "env ",
    "env -S ",
    "sudo -u ",
    "xargs ",
    "bash|",
    "bash -c ",
    "bash<<A ",
    "eval ",
    "echo a|",
    "cat|",
    "tee|",
    "find -exec ",
    "parallel ::: ",
    "trap a ",
    "printf %s ",
    "$@",
    "\"$@\"",
    "@(",
    "a=b ",
    "\u{e4}",
    "\r",
    "\0",
    "&",
    "&>",
    "|&",
    ")",
    "$(case a in a) ",
    "bash -c \"$(",
    "sh -c 'sh -c ",
    "{ bash; } <<<",
    "(a) <<< b ",
    "python -c ",
    "awk '|' ",
    "a=b;$a ",
    "a=b;$a;",
    "$a;",
    "a=b;",
    "a=$a;",
    "a=$a$a;",
    "a=(b);\"${a[@]}\";",
    "for a in b c;do $a;done;",
    "for a in b c d e f g h;do for b in b c d e;do $a $b;done;done;",
    "{a,b}",
    "{a,b} ",
    "{{a,b},{c,d}} ",
    "$IFS",
    "${a:-b}",
    "$(echo a) ",
    "`echo a` ",
    "f() { $1; };f a;",
    "set -- a;$1;",
    "export a=b;$a;",
    "read a<<<b;$a;",
    "{ a;b; }>c ",
    "{ a;",
    "(a)>b;",
    "(a)>b ",
    "((1))>b;",
    "a[b]=c ",
    "a[b ",
    "((a))",
    "((",
    "$((1))",
    "\"${a:-'b'}\" ",
    "\"${a:-'",
    "sudo --a ",
    "sudo -",
    "ssh a b;",
    "docker run a b;",
    "git -c alias.a=b c;",
    "git -c alias.a=!b ",
    "tar -I a;",
    "perl -e \"system('a')\";",
    "sed 'e a';",
    "sed 's/a/b/e;",
    "tmux new a;",
    "echo a|xargs b;",
    "xargs -I{} {}",
    "parallel a ::: b c;",
    "bash<<A\n$a\nA\n",
    "sh -c ((;",
    "\u{202e}",
    "\u{430} ",
];

/// The processor time of this thread in milliseconds. `None` on systems that do not report it.
fn thread_ms() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? / 1_000_000)
}

/// Runs every analysis of a command line.
fn judge(line: &str) {
    let script = read(line);
    for pattern in ["gh issue close*", "git push"] {
        CommandPattern::parse(pattern).unwrap().matches(&script);
    }
    script.alone();
    script.odd();
    script.aliases();
    script.values_of("a");
    for command in &script.commands {
        command.code.as_deref().map(verger_shell::texts_in_code);
    }
    assert!(script.commands.len() <= 1000, "{} commands", script.commands.len());
}

fn cost(line: &str) -> u64 {
    let before = thread_ms();
    judge(line);
    match (before, thread_ms()) {
        (Some(before), Some(after)) => after - before,
        _ => 0,
    }
}

/// A command line that repeats a unit, with a text before and a text after.
fn storm((before, unit, after): (&str, &str, &str)) -> String {
    let room = LINE - before.len() - after.len();
    format!("{before}{}{after}", unit.repeat(room / unit.len()))
}

#[test]
fn no_storm_is_slow() {
    // If the name of a program is unknown, the whole command line is searched too.
    let around = [
        ("$x ", ""),
        ("bash -c '", "'"),
        ("a=b;eval \"", "\""),
        ("", ""),
        ("$(", ")"),
        ("((", "))"),
    ];
    // Two of the texts around the units are enough in a debug build, which is slow.
    let around = if cfg!(debug_assertions) { &around[..2] } else { &around };
    assert_none_is_slow(UNITS, around);
}

#[track_caller]
fn assert_none_is_slow(units: &[&str], around: &[(&str, &str)]) {
    let storms =
        units.iter().flat_map(|unit| around.iter().map(|(before, after)| (*before, *unit, *after)));
    let slow: Vec<_> = storms
        .map(|storm_of| (storm_of, cost(&storm(storm_of))))
        .filter(|(_, cost)| *cost > CEILING_MS)
        .collect();
    assert_eq!(slow, []);
}

/// Each command line repeats two units, because some lookups run for every command.
#[test]
fn no_pair_of_storms_is_slow() {
    let pairs = [
        ("f() ", 12_000, "$1 a;", 900),
        ("for a in b c;do d;done;", 900, "$a;", 400),
        ("alias a=b;", 900, "c;", 400),
        ("{ ./a;./a;./a;./a;./a;./a;./a;./a;}>b>c;", 80, "./a;", 300),
        ("a=b;", 500, "$a$a$a$a$a$a$a$a;", 400),
        ("time ", 495, "a=$a$a;", 568),
        ("xargs ", 900, "<<A\n", 14_000),
        ("xargs ", 16, "<<A\n", 16_000),
        ("printf %s >a ", 2000, ";./a", 900),
        ("bash -c '\"$@\"' a ", 3500, "\"$@\"", 300),
        ("f() { \"$@$@$@$@$@$@$@$@\"; };", 200, "f f f f f f f f f f f f;", 1500),
    ];
    for (first, firsts, second, seconds) in pairs {
        let line = first.repeat(firsts) + &second.repeat(seconds);
        assert!(line.len() <= LINE, "{first}");
        let cost = cost(&line);
        assert!(cost <= CEILING_MS, "{first} {second}: {cost} ms");
    }
}

/// Code in another language is searched for string literals.
#[test]
fn no_storm_of_code_is_slow() {
    let units =
        ["q", "%", "%q", "qx", "qqq ", "qé", "q(", "%w[", "\\\"", "'", "'a',", "a", "spawn ", ";"];
    let around = [("python3 -c \"", "\""), ("perl -e \"system(x);", "\""), ("ruby <<A\n", "\nA")];
    assert_none_is_slow(&units, &around);
}

/// Values that exceed the remaining room take no time, and neither do many values without any
/// effect.
#[test]
fn no_storm_of_values_is_slow() {
    let names = |count: usize| {
        let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
        (0..count).map(move |n| [n, n / 26, n / 676].map(letter).iter().collect::<String>())
    };
    let all = |count: usize, text: fn(&str) -> String| {
        names(count).map(|name| text(&name)).collect::<String>()
    };
    let lines = [
        format!("f() {{ :; }};f {};{}", "b ".repeat(15_000), "\"$@$@$@\";".repeat(900)),
        format!("a={};{}", "b".repeat(30_000), "\"$a$a$a\";".repeat(900)),
        format!("a={};{}", "b".repeat(30_000), "$a$a$a$a$a$a$a$a$a;".repeat(900)),
        all(4500, |name| format!("{name}= {name}= "))
            + ";a "
            + &all(4500, |name| format!("${name}")),
        all(6000, |name| format!("{name}=;")) + ";a " + &all(6000, |name| format!("${name}")),
        "a ".to_owned() + &all(7000, |name| format!("${{{name}:-}}")),
        format!("for a in {};do b {};done", "'' ".repeat(64), "$a".repeat(30_000)),
        format!("a={};{}", "b".repeat(30_000), "c {$a,$a,$a,$a};".repeat(900)),
        format!("a={};{}", "b".repeat(30_000), "$a$a$a$a$a$a$a$a$a {1..99};".repeat(900)),
    ];
    for (n, line) in lines.into_iter().enumerate() {
        assert!(line.len() <= LINE, "{n}: {}", line.len());
        let cost = cost(&line);
        assert!(cost <= CEILING_MS, "{n}: {cost} ms");
    }
}

/// The cost of recording an unread part does not depend on the number of earlier unread parts.
#[test]
fn no_storm_of_what_is_left_is_slow() {
    let lines = [
        format!(
            "xargs -I% a {}<<< '{}'\nhyperfine {}",
            "b ".repeat(7320),
            "1\n".repeat(16),
            "x ".repeat(24_900)
        ),
        format!("{}hyperfine {}", "a;".repeat(1000), "x ".repeat(31_000)),
        format!("{}hyperfine {}", "bash $a;".repeat(990), "x ".repeat(28_000)),
    ];
    for line in lines {
        assert!(line.len() <= LINE, "{}", line.len());
        let cost = cost(&line);
        assert!(cost <= CEILING_MS / 4, "{}: {cost} ms", &line[..20]);
    }
}

#[test]
fn deep_nesting_is_refused_at_once() {
    for unit in
        ["(", "$(", "{ ", "if a; then ", "\"$(", "${a:-", "((", "a=(", "[[ ", "case a in a) "]
    {
        let line = unit.repeat(50_000);
        assert!(!read(&line).unread.is_empty(), "{unit}");
        assert!(cost(&line) <= CEILING_MS, "{unit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 400 }))]

    /// Command lines up to the maximum length, made of any units and bytes.
    #[test]
    fn no_mixture_is_slow(
        units in prop::collection::vec((prop::sample::select(UNITS), 1..2000_usize), 1..30),
        noise in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        let mut line: String = units.iter().map(|(unit, count)| unit.repeat(*count)).collect();
        line.push_str(&String::from_utf8_lossy(&noise));
        line.truncate(line.floor_char_boundary(LINE));
        let cost = cost(&line);
        prop_assert!(cost <= CEILING_MS, "{cost} ms");
    }
}
