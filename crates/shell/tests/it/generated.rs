//! Generates command lines from the shell's grammar. They run stand-in programs only.

use proptest::prelude::*;

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn plain() -> BoxedStrategy<String> {
    prop::sample::select(vec![
        "a", "-b", "--c=d", "x/y", "1", "#", "a#b", "]", "=", "a=b", "~", "@", "%", "!",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

/// Texts that lead to a wrong result if the parser handles quotes wrongly.
fn awkward() -> BoxedStrategy<String> {
    prop::sample::select(vec![
        "a b", "it's", ")", "(", "))", "((", "}", "{", "]", "[", "\"", "'", "`", "$", "$(", "${",
        "#", " #", ";", "; p3 w", "&& p3 w", "| p3 w", "\n", "\np3 w\n", "\\", "\\\\", "<<E", "E",
        "EOF", "*", "?", "$x", "$(p3 w)", "esac", "done", "fi", "", "!", "&", ">", "> f",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

fn double_quoted(text: &str) -> String {
    let escaped =
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace('`', "\\`");
    format!("\"{escaped}\"")
}

fn escaped(text: &str) -> String {
    if text.contains('\n') {
        return quoted(text);
    }
    if text.is_empty() { "''".to_owned() } else { text.chars().flat_map(|c| ['\\', c]).collect() }
}

fn ansi(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '\'' => "\\'".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            c if c.is_ascii_punctuation() => format!("\\x{:02x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("$'{escaped}'")
}

fn word(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let quote =
        prop::sample::select(vec![quoted as fn(&str) -> String, double_quoted, escaped, ansi]);
    let text = (awkward(), quote).prop_map(|(text, quote)| quote(&text));
    let expansion = prop::sample::select(vec![
        "$x",
        "\"$x\"",
        "${x}",
        "${x:-a}",
        "\"${x:-a b}\"",
        "\"${x:-'a}\"",
        "${x:-'}'}",
        "\"${x#'}'}\"",
        "${#x}",
        "\"${x%\"}\"}\"",
        "${x/a/\"}\"}",
        "$((1 + 2))",
        "$(( (1) ))",
        "$((1<2))",
        "\"$(( 1 ))\"",
        "{a,b}",
        "a{1..3}",
        "{a*",
        "{x%.*}",
        "$\\\nx",
        "$x\\\ny",
        "\"$x\\\n1\"",
        "\\\n",
        "\"$@\"",
        "$?",
        "$$",
        "$[1+2]",
        "\"${x:-\"a b\"}\"",
        "${x:+\\}}",
        "\"${x:-\\}}\"",
        "\"$'a'\"",
        "$\"a\"",
    ])
    .prop_map(str::to_owned);
    let substitution = inner.prop_flat_map(|command| {
        prop::sample::select(vec![
            format!("$({command})"),
            format!("\"$({command})\""),
            format!("\"a ${{x:-$({command})}}\""),
            format!("${{x:-\"$({command})\"}}"),
            format!("$((1 + $({command})))"),
            format!("<({command})"),
            format!("$( {command} # )\n)"),
            format!("\"$\\\n({command})\""),
            format!("$\\\n({command})"),
        ])
    });
    let part = prop_oneof![4 => plain(), 3 => text, 2 => expansion, 1 => substitution];
    prop::collection::vec(part, 1..3).prop_map(|parts| parts.concat()).boxed()
}

fn simple(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let program =
        prop::sample::select(vec!["p0", "p1", "p2", "p\"3\"", "\\p0", "'p1'", "p2", "$'p0'"]);
    let prefix = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        "a=b ",
        "a='b c' ",
        "a[1]=b ",
        "a=$(p3 s) ",
        "! ",
        "time ",
        "2>&1 ",
        "<f ",
        "env ",
        "env a=b ",
        "timeout 5 ",
        "nice -n 1 ",
        "command ",
        "exec ",
        "nohup ",
        "xargs ",
        "a[ #]=b ",
        "a[$(p3 u)]=b ",
        "x=p1; ",
        "time -p ",
        "stdbuf -oL ",
        "setsid -w ",
        "bash -c '\"$@\"' _ ",
        "eval ",
        "env -S ",
        "builtin eval ",
    ]);
    let suffix = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        " > f",
        " 2>/dev/null",
        " >> g",
        " < /dev/null",
        " 2>&1",
        " &> h",
        " <<< a",
        " >&2",
        " >| k",
        " # p3 c",
        " \\\n z",
        " 3<>m",
        " {v}>n",
    ]);
    (prefix, program, prop::collection::vec(word(inner), 0..4), suffix)
        .prop_map(|(prefix, program, words, suffix)| {
            format!("{prefix}{program} {}{suffix}", words.join(" "))
        })
        .boxed()
}

/// Templates of commands around another command. `@` stands for the other command.
const AROUND: &[&str] = &[
    "( @ )",
    "(@)",
    "{ @\n}",
    "{ @\n} > f",
    "( @\n) 2> f",
    "if @\nthen @\nfi",
    "if p0; then @\nelse @\nfi",
    "while ! @\ndo @\nbreak\ndone",
    "until p0; do @\ndone",
    "for x in a 'b c' p1; do @\ndone",
    "for x in a; do @\ndone > f",
    "for ((i=0; i<2; i++)); do @\ndone",
    "case a in a) @\n;; *) @\n;; esac",
    "case a in (b|a) @\n;& c) @\nesac",
    "f() { @\n}; f a b",
    "function g { @\n}; g",
    "f() ( @\n); f",
    "[[ a == a ]] && @",
    "(( 1 )) && @",
    "@\n@",
    "@ && @",
    "@ || @",
    "@ | @",
    "@ & @",
    "@; @",
    "! @",
    "time { @\n}",
    "coproc { @\n}",
    "x=$(@\n)",
    "echo \"$(@\n)\"",
    "echo `p3 b`; @",
    "a=( $(@\n) b #c\n)",
    "p0 <<E\na $(@\n)\nE\n@",
    "p0 <<'E'\n$(p3 h)\nE\n@",
    "bash <<'E'\n@\nE\n",
    "sh <<-E\n\tp3 i\n\tE\n@",
    "cat <<E | bash\np3 j\nE\n@",
    "trap '' EXIT; @",
    "{ @\n} | p0",
    "p0 <(@\n)",
    "p0 > >(@\n)",
    "if (( 0 )); then @\nfi; @",
    "[[ -n a && ( b || c ) ]]; @",
    "x='p1 q'; $x; @",
    "select y in a; do @\nbreak\ndone",
    "p0 \"$( (@\n) )\"",
    "((@\n) | p0)",
    "$( (@\n))",
    "p0 $((1)) $( (@\n) )",
    "[[ a =~ (a|b) ]] && @",
    "[[ a =~ ^a ]]; @",
];

/// Templates of commands that run a quoted text. `@` stands for the text.
const QUOTED: &[&str] = &[
    "eval @",
    "bash -c @",
    "sh -c @",
    "trap @ EXIT",
    "bash <<< @",
    "env bash -c @",
    "timeout 5 sh -ec @",
    "echo @ | bash",
    "printf '%s\\n' @ | sh",
    "x=@; eval \"$x\"",
    "bash -c \"bash -c \"@",
    "echo a | xargs -I{} bash -c @",
    "f() { eval \"$1\"; }; f @",
    "source /dev/stdin <<< @",
    "bash -c 'eval \"$1\"' _ @",
    "echo @ > s.sh; sh s.sh",
];

fn fill(shape: &str, commands: &[String]) -> String {
    let mut line = String::new();
    for (at, piece) in shape.split('@').enumerate() {
        if at > 0 {
            line.push_str(&commands[(at - 1) % commands.len()]);
        }
        line.push_str(piece);
    }
    line
}

/// Generates a whole command line.
pub(crate) fn line() -> BoxedStrategy<String> {
    let leaf = simple(Just("p3 l".to_owned()).boxed());
    leaf.prop_recursive(4, 12, 2, |inner| {
        let commands = prop::collection::vec(inner.clone(), 1..3);
        let around = (prop::sample::select(AROUND), commands)
            .prop_map(|(shape, commands)| fill(shape, &commands));
        let in_quotes = (prop::sample::select(QUOTED), inner.clone())
            .prop_map(|(shape, command)| fill(shape, &[quoted(&command)]));
        prop_oneof![3 => around, 1 => in_quotes, 2 => simple(inner)]
    })
    .boxed()
}
