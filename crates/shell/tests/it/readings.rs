//! Tests of readings: commands with the values that the command line itself sets.

use verger_shell::{Form, Inside, Mode, Place, Word, read};

/// The readings of the commands on a command line, and whether these are all possible readings.
fn readings(line: &str) -> (Vec<String>, bool) {
    let script = read(line);
    let is_reading = |place| match place {
        Place::Within(index) => script.commands[index].inside != Inside::Found,
        Place::Line => false,
    };
    let found = script.commands.iter().filter(|command| is_reading(command.place));
    let argv = |argv: &[Word]| argv.iter().map(Word::text).collect::<Vec<_>>().join("|");
    let whole = script.commands.iter().any(|command| command.inside == Inside::Readings);
    (found.map(|command| argv(&command.argv)).collect(), whole)
}

#[test]
fn values_are_put_in() {
    let cases: &[(&str, &[&str], bool)] = &[
        ("x=rm; $x -rf /", &["rm|-rf|/"], true),
        ("x=rm; \"$x\" -rf /", &["rm|-rf|/"], true),
        ("x='rm -rf /'; $x", &["rm|-rf|/"], true),
        ("x=a y=b; c \"$x/${y}\"", &["c|a/b"], true),
        ("for f in a b; do cat \"$f\"; done", &["cat|a", "cat|b"], true),
        (
            "for f in a b; do for g in c d; do e $f $g; done; done",
            &["e|a|c", "e|b|c", "e|a|d", "e|b|d"],
            true,
        ),
        ("for f in *.rs; do wc -l $f; done", &["wc|-l|*.rs"], true),
        ("x=a; b $x $y", &["b|a|$y"], false),
        ("x=a; x=$(b); c $x", &["c|a", "c|$(b)"], false),
        ("x=a; b '$x'\"$x\"", &["b|aa"], false),
        ("x='a b'; c d$x", &["c|da|b"], false),
        ("IFS=,; x=a,b; c $x", &["c|a,b"], false),
        ("rm${IFS}-rf$IFS/", &["rm|-rf|/"], false),
        ("{rm,-rf,/}", &["rm|-rf|/"], true),
        ("$(echo rm) -rf /", &["rm|-rf|/", "-rf|/"], false),
        ("${x:-rm} -rf /", &["rm|-rf|/", "-rf|/"], false),
        ("x=(rm -rf /); \"${x[@]}\"", &["rm|-rf|/"], false),
        ("f() { rm -rf \"$1\"; }; f /", &["rm|-rf|/"], false),
        ("f() { \"$@\"; }; f rm -rf /", &["rm|-rf|/"], false),
        ("sh -c '$0 $@' rm -rf /", &["rm|-rf|/", "$@"], false),
        ("set -- rm -rf /; $1 $2 $3", &["rm|-rf|/", "$2|$3"], false),
        ("export x=rm; $x a", &["rm|a", "a"], false),
        ("read x <<< rm; $x a", &["rm|a", "a"], false),
        ("cat ${x:-b}; x=a", &["cat|a", "cat|b"], true),
        ("false && x=a; cat $x ${x:-b}", &["cat|a|a", "cat|$x|b"], true),
        ("rm -rf a {x%.*}", &[], false),
        ("rm -rf a {x*", &[], false),
        ("x=a; b $x {c*", &["b|a|{c*"], true),
        ("x=a; b $x {1..900}", &["b|a|{1..900}"], false),
        ("b a{{{{{{{{{{1,2}}}}}}}}}}", &[], false),
    ];
    for (line, expected, whole) in cases {
        let (found, is_whole) = readings(line);
        assert_eq!(
            (found, is_whole),
            (expected.iter().map(|e| (*e).to_owned()).collect(), *whole),
            "{line}"
        );
    }
}

#[test]
fn commands_of_readings_are_found() {
    let lines = [
        "x='rm -rf /'; eval $x",
        "x='rm -rf /'; eval \"$x\"",
        "x='rm -rf /'; bash -c \"$x\"",
        "x='rm -rf /'; echo \"$x\" | sh",
        "x=bash; $x -c 'rm -rf /'",
        "x=rm; sudo $x -rf /",
        "a=r; b=m; $a$b -rf /",
        "x='x=rm; $x -rf /'; eval \"$x\"",
        "for c in 'rm -rf /'; do $c; done",
        "x=/; rm -rf $x",
    ];
    for line in lines {
        let script = read(line);
        let found =
            script.commands.iter().any(|c| c.literal_argv() == Some(vec!["rm", "-rf", "/"]));
        assert!(found, "{line}: {:?}", script.commands);
    }
}

#[test]
fn values_that_show_late_make_other_readings() {
    let lines = ["x=ls; y='x=rm'; eval \"$y\"; $x a", "x=ls; y='-v x'; printf $y rm; $x a"];
    for line in lines {
        let script = read(line);
        let command =
            script.commands.iter().find(|c| c.argv.first().is_some_and(|w| w.text() == "$x"));
        assert_ne!(command.unwrap().inside, Inside::Readings, "{line}");
    }
}

#[test]
fn redirects_of_groups_are_kept() {
    let cases: &[(&str, &[&str])] = &[
        ("{ a; b; } > f", &["a >f", "b >f"]),
        ("( a ) >> f < g", &["a +f <g"]),
        ("for x in y; do a; done > f", &["a >f"]),
        ("if a; then b; fi 2> f", &["a >f", "b >f"]),
        ("while read l; do a; done < f", &["read l <f", "a <f"]),
        ("f() { a; } > g", &["a >g"]),
        ("case x in y) a;; esac > f", &["a >f"]),
        ("[[ a ]] > f", &["[[ a ]]", " >f"]),
        ("(( 1 )) > f; b", &[" >f", "b"]),
        ("{ { a; } > f; b; } > g", &["a >f >g", "b >g"]),
        ("x=f; { a; } > $x", &["", "a >$x", "a >f"]),
    ];
    for (line, expected) in cases {
        let script = read(line);
        assert_eq!(script.unread, [], "{line}");
        let shown: Vec<String> = script
            .commands
            .iter()
            .map(|command| {
                let words: Vec<_> = command.argv.iter().map(Word::text).collect();
                let redirects = command.redirects.iter().map(|redirect| {
                    let sign = match redirect.mode {
                        Mode::Read => "<",
                        Mode::Append => "+",
                        _ => ">",
                    };
                    format!(" {sign}{}", redirect.target.text())
                });
                words.join(" ") + &redirects.collect::<String>()
            })
            .collect();
        assert_eq!(shown, *expected, "{line}");
    }
}

#[test]
fn a_subscript_runs_what_it_substitutes() {
    let lines =
        ["FOO[$(cmd)]=x ls", "FOO[ #$(cmd) ]=x ls", "FOO[`cmd`]=x ls", "time FOO[;$(cmd)]=x ls"];
    for line in lines {
        let script = read(line);
        assert_eq!(script.unread, [], "{line}");
        let runs = |name| script.commands.iter().any(|command| command.runs(name));
        assert!(runs("cmd"), "{line}");
        if !line.starts_with("time") {
            assert!(runs("ls"), "{line}");
            let forms: Vec<_> =
                script.commands.iter().flat_map(|c| &c.assignments).map(|a| a.form).collect();
            assert_eq!(forms, [Form::Element], "{line}");
        }
    }
}
