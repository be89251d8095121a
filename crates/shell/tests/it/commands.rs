//! A table of command lines and the commands found on them.

use verger_shell::{Command, Mode, Place, Stdin, When, Word, read};

/// The commands of a command line, each as one text. Literal words are shown as they are, other
/// words in angle brackets.
fn commands(line: &str) -> Vec<String> {
    let show = |word: &Word| match word {
        Word::Literal(text) => text.clone(),
        Word::Dynamic(text) => format!("<{text}>"),
        Word::Spread(text) => format!("<{text}>*"),
    };
    let script = read(line);
    assert_eq!(script.unread, [], "{line}");
    let argv = |argv: &[Word]| argv.iter().map(show).collect::<Vec<_>>().join("|");
    script.commands.iter().map(|command| argv(&command.argv)).collect()
}

#[test]
fn every_command_is_found_with_its_words() {
    let cases: &[(&str, &[&str])] = &[
        ("ls -l", &["ls|-l"]),
        ("a b; c & d && e || f | g |& h", &["a|b", "c", "d", "e", "f", "g", "h"]),
        ("a 'b c' \"d e\" f\\ g $'h\\ti'", &["a|b c|d e|f g|h\ti"]),
        ("a \"$b\" $c \"${d[@]}\" *.rs", &["a|<$b>|<$c>*|<${d[@]}>*|<*.rs>*"]),
        ("a {x,y}", &["a|<{x,y}>*", "a|x|y"]),
        ("a --b=\"c d\"e'f' \"it's\" 'say \"x\"'", &["a|--b=c def|it's|say \"x\""]),
        ("a \"\\$x \\\\ \\\" \\n\"", &["a|$x \\ \" \\n"]),
        ("a $(b $(c) \"$(d)\")", &["a|<$(b $(c) \"$(d)\")>*", "b|<$(c)>*|<$(d)>", "c", "d"]),
        ("a $((1+2)) \"$(((1)))\"; (( b = (c) )) && d", &["a|<$((1+2))>*|<$(((1)))>", "d"]),
        ("a{}b {} {x}", &["a{}b|{}|{x}"]),
        ("a #b\nc#d", &["a", "c#d"]),
        ("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]),
        ("if (a) then b; fi", &["a", "b"]),
        ("while a; do b; done < c", &["a", "b"]),
        ("for x in a $(b); do c $x; done", &["b", "c|<$x>*", "c|a", "c|<$(b)>*"]),
        ("for x; do a; done; for x do b; done", &["a", "b"]),
        ("case $(a) in b|c) d;; (e) f;& *) g; esac; h", &["a", "d", "f", "g", "h"]),
        ("x=$(case a in a) b;; esac)", &["b", ""]),
        ("f() { a; }; function g { b; }; function h() { c; }; i () ( d )", &["a", "b", "c", "d"]),
        ("[[ a && ( b || c ) < d ]] && e", &["[[|a|b|c|d|]]", "e"]),
        ("[ a = b ]", &["[|a|=|b|]"]),
        ("a <(b) >(c)", &["a|<<(b)>|<>(c)>", "b", "c"]),
        ("a <<EOF b\nc\nEOF\nd", &["a|b", "d"]),
        ("a <<X <<'Y' | b\nx\nX\ny\nY\nc", &["a", "b", "c"]),
        ("a 2>&1 >b <c &>d 3<>e >|f", &["a"]),
        ("A=b C=$(d) e F=g", &["e|F=g", "d"]),
        ("a[1]=x b+=(c d) e", &["e"]),
        ("time -p a; ! b", &["time|-p|a", "b", "a"]),
        (
            "sudo -u me env -i A=b nice -n 5 c d",
            &[
                "sudo|-u|me|env|-i|A=b|nice|-n|5|c|d",
                "env|-i|A=b|nice|-n|5|c|d",
                "nice|-n|5|c|d",
                "c|d",
            ],
        ),
        ("xargs -I% a %b c", &["xargs|-I%|a|%b|c", "a|<$_b>|c"]),
        // The command that xargs runs gets no input.
        (
            "xargs xargs a <<< b",
            &[
                "xargs|xargs|a",
                "xargs|a|<$_>*",
                "xargs|a|<b>",
                "a|<$_>*|<$_>*",
                "a|<b>|<$_>*",
                "a|b|<$_>*",
            ],
        ),
        ("`a \\`b\\``", &["<`a \\`b\\``>*", "a|<`b`>*", "b"]),
        ("echo ${x:-\"a}b\"} ${y%'}'} ${#z} c", &["echo|<${x:-\"a}b\"}>*|<${y%'}'}>*|<${#z}>*|c"]),
        ("x=${ a; }; echo \"${ b; } c\"", &["a", "", "echo|<${ b; } c>", "b"]),
        ("a ä\\ö 'ü'", &["a|äö|ü"]),
    ];
    for (line, expected) in cases {
        assert_eq!(commands(line), *expected, "{line}");
    }
}

#[test]
fn a_program_is_known_by_its_name() {
    let cases = [
        ("/usr/bin/gh x", Some("gh")),
        ("./gh", Some("gh")),
        ("\\gh", Some("gh")),
        ("g\"\"h", Some("gh")),
        ("$HOME/bin/gh", Some("gh")),
        ("\"$(brew --prefix)\"/bin/gh", Some("gh")),
        ("$gh", None),
        ("\"$gh\"", None),
        ("$(which gh)", None),
        ("${x:-/usr/bin/gh}", None),
        ("${x}gh", None),
        ("/usr/bin/g*", None),
    ];
    for (line, program) in cases {
        let script = read(line);
        let last = script.commands.iter().rfind(|command| command.place == Place::Line);
        assert_eq!(last.and_then(|command| command.program()), program, "{line}");
    }
}

#[test]
fn code_in_other_languages_is_kept() {
    let cases = [
        ("python3 -c 'a b' x", Some("a b")),
        ("python3.12 -Bc 'a'", Some("a")),
        ("python -u - <<'E'\na\nE", Some("a\n")),
        ("echo a | python3", Some("a\n")),
        ("python3 x.py -c b", None),
        ("perl -ne 'a' -e 'b' f", Some("a\nb")),
        ("perl -i -pe 's/a/b/' f", Some("s/a/b/")),
        ("ruby -rjson -e 'a'", Some("a")),
        ("node --eval=a", Some("a")),
        ("node -pe 'a'", Some("a")),
        ("node --eval 'a'", Some("a")),
        ("deno eval 'a'", Some("a")),
        ("php -r 'a;'", Some("a;")),
        ("expect -c 'spawn a'", Some("spawn a")),
        ("awk '{print}' f", None),
        ("awk 'BEGIN{system(\"a\")}'", Some("BEGIN{system(\"a\")}")),
        ("echo a > x.py && python3 x.py", Some("a\n")),
        ("ls -c a", None),
    ];
    for (line, code) in cases {
        let script = read(line);
        let found = script.commands.iter().find_map(|command| command.code.as_deref());
        assert_eq!(found, code, "{line}");
    }
}

#[test]
fn a_mention_counts_only_where_it_may_run() {
    let cases = [
        ("echo gh", false),
        ("$x gh", true),
        ("x=gh; $x", true),
        ("$x high", false),
        ("curl x | bash # gh", true),
        ("bash <(echo gh)", true),
        ("gh 'unclosed", true),
        ("ls; echo 'gh' | cat", false),
    ];
    for (line, expected) in cases {
        assert_eq!(read(line).mentions("gh"), expected, "{line}");
    }
}

#[test]
fn redirects_and_assignments_are_kept() {
    let script = read("A=b C=$d e >f 2>>g <h &>i >&2 2>&1 3<>j > \"$k\"");
    let command = &script.commands[0];
    let names: Vec<_> = command.assignments.iter().map(|a| (&*a.name, a.value.text())).collect();
    assert_eq!(names, [("A", "b"), ("C", "$d")]);
    let redirects: Vec<_> = command.redirects.iter().map(|r| (r.mode, r.target.text())).collect();
    assert_eq!(
        redirects,
        [
            (Mode::Write, "f"),
            (Mode::Append, "g"),
            (Mode::Read, "h"),
            (Mode::Write, "i"),
            (Mode::Duplicate, "2"),
            (Mode::Duplicate, "1"),
            (Mode::ReadWrite, "j"),
            (Mode::Write, "$k"),
        ]
    );
}

#[test]
fn standard_input_is_known() {
    let script = read("a | b | { c; d <e; } ; f <<< 'x' ; { g; } <<'X'\n$y\nX\n");
    let stdin: Vec<_> = script.commands.iter().map(|command| command.stdin.clone()).collect();
    let text = |text: &str| Stdin::Text(Word::Literal(text.to_owned()).into());
    assert_eq!(
        stdin,
        [
            Stdin::Inherited,
            Stdin::Pipe(Some(0)),
            Stdin::Pipe(Some(1)),
            Stdin::File,
            text("x\n"),
            text("$y\n"),
        ]
    );
}

#[test]
fn a_command_runs_always_or_perhaps() {
    let cases = [
        ("a && b; c | d & e\nf", "", "a b c d e f"),
        ("a || b; c", "b", "a c"),
        ("a || b | c && d", "b c", "a d"),
        ("a ||\nb", "b", "a"),
        ("a || { b; c; }; d", "b c", "a d"),
        ("a || (b; c) || d; e", "b c d", "a e"),
        ("a || echo $(b) `c`; d", "b c echo", "a d"),
        ("a || sudo b; sudo c", "b sudo", "a c sudo"),
        ("a || sh -c 'b'; sh -c 'c || d; e'", "b d sh", "a c e sh"),
        ("if a; then b; elif c; then d; else e; fi; f", "b c d e", "a f"),
        ("while a; do b; done; c", "b", "a c"),
        ("for i in 1 2; do b; done; c", "", "b c"),
        ("a || for i in 1 2; do b; done; c", "b", "a c"),
        ("case x in a) b;; *) c;; esac; d", "b c", "d"),
        ("f() { b; c; }; d", "b c", "d"),
        ("function f { b; }\nd", "b", "d"),
        ("! a; b", "", "a b"),
    ];
    for (line, perhaps, always) in cases {
        let script = read(line);
        let ones = |when: When| {
            let ran = script.commands.iter().filter(|one| one.run.when == when);
            let mut ran: Vec<_> = ran.filter_map(|one| one.program()).collect();
            ran.sort_unstable();
            ran.join(" ")
        };
        let found = (ones(When::Perhaps), ones(When::Always));
        assert_eq!(found, (perhaps.to_owned(), always.to_owned()), "{line}");
    }
}

#[test]
fn brackets_and_substitutions_have_shells_of_their_own() {
    let cases = [
        ("a; { b; }; (c; (d); e); f", "a0 b0 c1 d2 e1 f0", &[0, 1][..]),
        ("(a); (b)", "a1 b2", &[0, 0]),
        ("a $(b); c", "a0 b1 c0", &[0]),
        ("sh -c 'a; b'; c", "sh0 c0 a1 b1", &[0]),
    ];
    for (line, shells, outer) in cases {
        let script = read(line);
        let told =
            |one: &Command| format!("{}{}", one.program().unwrap_or_default(), one.run.shell);
        assert_eq!(
            script.commands.iter().map(told).collect::<Vec<_>>().join(" "),
            shells,
            "{line}"
        );
        let found: Vec<_> = (1..).map_while(|shell| script.outer_shell(shell)).collect();
        assert_eq!(found, outer, "{line}");
    }
}
