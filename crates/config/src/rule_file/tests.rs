use super::*;

fn read(text: &str) -> (Vec<RuleTable>, String) {
    let (tables, problems) = read_rules(Source { file: "guard.toml", bytes: text.as_bytes() });
    let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
    (tables, problems.join("\n"))
}

fn names(tables: &[RuleTable]) -> Vec<&str> {
    tables.iter().map(|table| table.name.as_str()).collect()
}

/// The text of a valid rule with this name and the additional lines `more`.
fn rule(name: &str, more: &str) -> String {
    format!(
        "[[rule]]\nname = \"{name}\"\nverdict = \"deny\"\ncommand = \"x\"\nmatch = [\"x\"]\n{more}\n"
    )
}

#[test]
fn every_key_of_a_rule_is_read() {
    let (tables, problems) = read(
        r#"
# Ours.
[[rule]]
name = "fly-deploy"
verdict = "deny"
command = "fly|flyctl deploy"
with = "--prod"
options = ""
operands = "files"
defined_in = "fly.toml"
why = "it goes live"
instead = "ask"
match = [
    "fly deploy --prod", # comment
    'flyctl deploy --prod',
]
not_match = ["fly status"]
"#,
    );
    assert_eq!(problems, "");
    let texts = RuleKey::ALL.map(|key| tables[0].text(key));
    assert_eq!(
        texts,
        ["deny", "fly|flyctl deploy", "--prod", "", "files", "fly.toml", "it goes live", "ask"]
    );
    assert_eq!((tables[0].name.as_str(), tables[0].line), ("fly-deploy", 3));
    assert_eq!(tables[0].matches, ["fly deploy --prod", "flyctl deploy --prod"]);
    assert_eq!(tables[0].not_matches, ["fly status"]);
    let at = |key| tables[0].problem(&"g".into(), key, ProblemKind::NotARule).position();
    assert_eq!(at(Some(RuleKey::With)), Some((7, 1)));
    assert_eq!(at(None), Some((3, 1)));
}

#[test]
fn a_rule_with_a_mistake_is_left_out_and_named_and_all_others_count() {
    for (text, expected) in [
        (
            rule("b", "comand = \"y\""),
            "guard.toml:12:1: rule \"b\" is ignored: unknown key \"comand\"; did you mean \"command\"?",
        ),
        (
            rule("b", "why = 3"),
            "guard.toml:12:1: rule \"b\" is ignored: bad value for \"why\": expected a text, found an integer",
        ),
        (
            rule("b", "not_match = \"y\""),
            "guard.toml:12:1: rule \"b\" is ignored: bad value for \"not_match\": expected a list of commands, found a string",
        ),
        (
            rule("b", "not_match = [1]"),
            "guard.toml:12:1: rule \"b\" is ignored: bad value for \"not_match\": expected a list of commands, found an integer",
        ),
        (
            rule("b", "command = \"z\""),
            "guard.toml:12:1: rule \"b\" is ignored: \"command\" is set twice; line 10 is used",
        ),
        (
            rule("b", "why = \"open"),
            "guard.toml:12:12: rule \"b\" is ignored: syntax error: invalid basic string, expected `\"`",
        ),
        (
            rule("a", ""),
            "guard.toml:7:1: rule \"a\" is ignored: the rule on line 1 has the same name",
        ),
        (
            rule("B!", ""),
            "guard.toml:8:1: rule \"\" is ignored: bad value for \"name\": expected 1 to 64 lower-case letters, digits and dashes, found another text",
        ),
        (
            "[[rule]]\nname = \"b\"\ncommand = \"x\"\nmatch = [\"x\"]\n".to_owned(),
            "guard.toml:7:1: rule \"b\" is ignored: bad value for \"verdict\": expected allow, build, risky or deny, found nothing",
        ),
        (
            "[[rule]]\nname = \"b\"\nverdict = \"deny\"\ncommand = \"x\"\n".to_owned(),
            "guard.toml:7:1: rule \"b\" is ignored: bad value for \"match\": expected commands that the rule matches, found nothing",
        ),
        (
            "[rule]\nname = \"b\"\n".to_owned(),
            "guard.toml:7:1: this key is outside of a rule; rules are [[rule]] tables",
        ),
        (
            "[[rules]]\nname = \"b\"\n".to_owned(),
            "guard.toml:7:1: this key is outside of a rule; rules are [[rule]] tables",
        ),
        (
            "[[rule]\nname = \"b\"\n".to_owned(),
            "guard.toml:7:8: syntax error: unclosed array table, expected `]`; the keys up to the next section are ignored",
        ),
    ] {
        let whole = [rule("a", ""), text, rule("c", "")].concat();
        let (tables, problems) = read(&whole);
        assert_eq!(names(&tables), ["a", "c"], "{whole}");
        assert_eq!(problems, expected, "{whole}");
    }
}

#[test]
fn a_file_that_is_no_text_or_too_large_has_no_rules() {
    let not_utf8 = [rule("a", "").as_bytes(), b"\xff"].concat();
    let (tables, problems) = read_rules(Source { file: "g", bytes: &not_utf8 });
    assert_eq!(tables, []);
    assert_eq!(problems[0].to_string(), "g:7:1: the file is not UTF-8 from here on and is ignored");
    let (tables, problems) = read(&" ".repeat(MAX_RULE_FILE_BYTES + 1));
    assert_eq!(tables, []);
    assert_eq!(problems, "guard.toml: the file is larger than 4194304 bytes and is ignored");
    assert_eq!(
        read("name = \"a\"\n").1,
        "guard.toml:1:1: this key is outside of a rule; rules are [[rule]] tables"
    );
    assert_eq!(read(""), (vec![], String::new()));
}

#[test]
fn ten_thousand_broken_rules_give_few_problems() {
    let text: String = (0..10_000).map(|n| rule(&format!("r{n}"), "y = 1")).collect();
    let (tables, problems) = read(&text);
    assert_eq!(tables, []);
    assert_eq!(problems.lines().count(), 65);
    assert!(problems.ends_with("9936 more problems are not listed"));
}
