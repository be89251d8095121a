//! Tests of command lines that are one plain command, and of others that are not.

use verger_shell::read;

/// The words of a command line that is one plain command. Its input, if any, follows ` < `.
fn alone(line: &str) -> Option<String> {
    let script = read(line);
    let alone = script.alone()?;
    let stdin = alone.stdin.map(|text| format!(" < {text:?}")).unwrap_or_default();
    Some(format!("{}{stdin}", alone.argv.join("|")))
}

#[test]
fn one_plain_command_stands_alone() {
    let cases = [
        ("verger why", "verger why"),
        ("  verger why \n", "verger why"),
        ("verger why # to see", "verger why"),
        ("verger why 2>&1", "verger why"),
        ("verger why >&2", "verger why"),
        ("verger reflect <<'EOF' 2>&1\nx\nEOF", "verger|reflect < \"x\\n\""),
        (
            "/usr/bin/verger decide issues 'a b' --message \"it's \\$5\"",
            "/usr/bin/verger|decide|issues|a b|--message|it's $5",
        ),
        ("verger observe \\\n  'x'", "verger|observe|x"),
        (
            "verger reflect <<'EOF'\n{\"a\": \"$(x) `y`\"}\nEOF\n",
            "verger|reflect < \"{\\\"a\\\": \\\"$(x) `y`\\\"}\\n\"",
        ),
        ("verger reflect <<EOF\nplain \\$5\nEOF", "verger|reflect < \"plain $5\\n\""),
        ("verger reflect - <<'EOF' --session s\nx\nEOF", "verger|reflect|-|--session|s < \"x\\n\""),
        ("verger reflect <<< 'x'", "verger|reflect < \"x\\n\""),
        ("echo '{\"a\":1}' | verger reflect", "verger|reflect < \"{\\\"a\\\":1}\\n\""),
        ("echo -n a b | verger reflect", "verger|reflect < \"a b\""),
        ("echo -e 'a\\tb' | verger reflect", "verger|reflect < \"a\\tb\\n\""),
        ("printf 'a\\n%s %%' 'b' | verger reflect", "verger|reflect < \"a\\nb %\""),
        ("printf '%s\\n' a b |\n  verger reflect", "verger|reflect < \"a\\nb\\n\""),
    ];
    for (line, expected) in cases {
        let expected = expected.replacen("verger why", "verger|why", 1);
        assert_eq!(alone(line).as_deref(), Some(&*expected), "{line}");
    }
}

#[test]
fn anything_more_does_not_stand_alone() {
    let lines = [
        "",
        "# verger why",
        "verger why; ls",
        "verger why;",
        "verger why &",
        "verger why && ls",
        "verger why || ls",
        "verger why\nls",
        "verger why | cat",
        "verger why |& cat",
        "! verger why",
        "(verger why)",
        "{ verger why; }",
        "if verger why; then :; fi",
        "f() { verger why; }",
        "A=b verger why",
        "verger why > f",
        "verger why 2>&-",
        "verger why 2>f",
        "verger why &> f",
        "verger why 2>&1 > f",
        "verger why 2>&1 | cat",
        "verger why < f",
        "verger why <&2",
        "verger why 0>&1",
        "echo a >&2 | verger why",
        "verger why $x",
        "verger why \"$x\"",
        "verger why *",
        "verger why {a,b}",
        "verger why $(ls)",
        "verger why `ls`",
        "verger why <(ls)",
        "$x why",
        "env verger why",
        "sudo verger why",
        "bash -c 'verger why'",
        "time verger why",
        "verger reflect <<EOF\n$x\nEOF",
        "verger reflect <<EOF\n$(ls)\nEOF",
        "verger reflect <<'EOF' | cat\nx\nEOF",
        "verger reflect <<'EOF'; ls\nx\nEOF",
        "verger reflect <<'EOF'\nx\nEOF\nls",
        "verger reflect <<< $x",
        "echo $x | verger reflect",
        "echo \"$(ls)\" | verger reflect",
        "echo a > f | verger reflect",
        "echo a | cat | verger reflect",
        "cat f | verger reflect",
        "cat <<'EOF' | verger reflect\nx\nEOF",
        "printf '%q' x | verger reflect",
        "printf -v x y | verger reflect",
        "echo a | verger reflect | cat",
        "echo a | verger reflect <<< b",
        "verger why 'unclosed",
        "verger why )",
        "[[ a ]]",
        "x=1",
    ];
    for line in lines {
        assert_eq!(alone(line), None, "{line}");
    }
}
