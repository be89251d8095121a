//! Tests of command patterns with many spellings of a command, and with lines that only look like
//! it.

use verger_shell::{CommandPattern, PatternError, read};

use crate::spellings::{CLOSES, MENTIONS};

fn matches(pattern: &str, line: &str) -> bool {
    CommandPattern::parse(pattern).unwrap().matches(&read(line))
}

#[track_caller]
fn check(pattern: &str, lines: &[&str], expected: bool) {
    let wrong: Vec<_> = lines.iter().filter(|line| matches(pattern, line) != expected).collect();
    assert_eq!(wrong, Vec::<&&str>::new(), "`{pattern}` should be {expected}");
}

#[test]
fn a_gated_command_is_found_in_every_spelling() {
    check("gh issue close*", CLOSES, true);
}

#[test]
fn a_mention_is_not_a_command() {
    check("gh issue close*", MENTIONS, false);
}

#[test]
fn ticket_tools_are_matched_the_same_way() {
    check(
        "bd close*",
        &[
            "bd close bd-1",
            "bd close bd-1 --reason 'done'",
            "bd --db x.db close bd-1",
            "bd --json close bd-1",
            "cd x && bd close bd-1",
            "bash -lc 'bd close bd-1'",
            "for i in a b; do bd close $i; done",
            "bd \"$verb\" bd-1",
            "BD_ACTOR=me bd close bd-1",
        ],
        true,
    );
    check(
        "bd close*",
        &[
            "bd list",
            "bd show close",
            "bd update bd-1 --status closed",
            "bd create 'bd close is broken'",
            "bd comment bd-1 'bd close bd-1'",
            "abd close x",
            "echo bd close bd-1",
            "git commit -m 'bd close bd-1'",
        ],
        false,
    );
}

#[test]
fn a_pattern_says_what_may_follow() {
    let cases = [
        ("git push", "git push", true),
        ("git push", "git push --force", true),
        ("git push", "git push origin main", false),
        ("git push *", "git push", true),
        ("git push *", "git push origin main", true),
        ("git push --force*", "git push --force-with-lease", true),
        ("git push --force*", "git push origin --force", false),
        ("git push --force*", "git push", false),
        ("git push*", "git -C x -c a=b push", true),
        ("git push*", "git -C push status", false),
        ("cargo publish*", "cargo +nightly publish -p x", true),
        ("gh * close*", "gh pr close 5", true),
        ("gh * close*", "gh pr view 5", false),
        ("terraform", "terraform", true),
        ("terraform", "terraform apply", false),
        ("terraform *", "terraform apply", true),
    ];
    for (pattern, line, expected) in cases {
        assert_eq!(matches(pattern, line), expected, "{pattern} / {line}");
    }
}

#[test]
fn a_pattern_that_is_none_is_refused() {
    let cases = [
        ("", PatternError::Empty),
        ("   ", PatternError::Empty),
        ("* issue", PatternError::Program("*".to_owned())),
        ("gh* issue", PatternError::Program("gh*".to_owned())),
        ("/usr/bin/gh issue", PatternError::Program("/usr/bin/gh".to_owned())),
        ("-x y", PatternError::Program("-x".to_owned())),
        ("gh issue close; ls", PatternError::Character(';')),
        ("gh 'issue'", PatternError::Character('\'')),
        ("a\nb", PatternError::Character('\n')),
    ];
    for (pattern, error) in cases {
        assert_eq!(CommandPattern::parse(pattern), Err(error), "{pattern:?}");
    }
}
