//! Command lines and the commands found on them.

use verger_shell::{Stdin, Word, read};

/// One text per command: literal words as they are, others in angle brackets.
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
        ("a \"$b\" $c \"${d[@]}\" *.rs {x,y}", &["a|<$b>|<$c>*|<${d[@]}>*|<*.rs>*|<{x,y}>*"]),
        ("a --b=\"c d\"e'f' \"it's\" 'say \"x\"'", &["a|--b=c def|it's|say \"x\""]),
        ("a \"\\$x \\\\ \\\" \\n\"", &["a|$x \\ \" \\n"]),
        ("a $(b $(c) \"$(d)\")", &["a|<$(b $(c) \"$(d)\")>*", "b|<$(c)>*|<$(d)>", "c", "d"]),
        ("a $((1+2)) \"$(((1)))\"; (( b = (c) )) && d", &["a|<$((1+2))>*|<$(((1)))>", "d"]),
        ("a{}b {} {x}", &["a{}b|{}|{x}"]),
        ("a #b\nc#d", &["a", "c#d"]),
        ("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]),
        ("if (a) then b; fi", &["a", "b"]),
        ("while a; do b; done < c", &["a", "b"]),
        ("for x in a $(b); do c $x; done", &["b", "c|<$x>*"]),
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
