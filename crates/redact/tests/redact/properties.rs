//! Property tests with arbitrary texts and documents, with and without secrets in them.

use proptest::prelude::*;
use serde_json::{Map, Value};
use verger_redact::{find, redact};

use crate::corpus::KEY;

fn clean(text: &str) -> String {
    redact(text, &[], &KEY).into_owned()
}

/// A secret, and the same secret in a context that identifies it.
fn planted() -> impl Strategy<Value = (String, String)> {
    let github = "ghp_[A-Za-z0-9]{20}[0-9]{4}".prop_map(|secret| (secret.clone(), secret));
    let password = "[a-z]{3}[0-9][A-Z]{3}[0-9][a-z]{3}[!.~]?[0-9]";
    let in_url = password.prop_map(|secret| {
        let text = format!("git clone https://bot:{secret}@git.example.test/x");
        (secret, text)
    });
    let assigned = password.prop_map(|secret| {
        let text = format!("x; export DB_PASSWORD=\"{secret}\"\n");
        (secret, text)
    });
    let header = "[a-f]{4}[0-9]{4}[a-f]{4}[0-9]{12}".prop_map(|secret| {
        let text = format!("curl -H 'Authorization: Bearer {secret}'");
        (secret, text)
    });
    let block = "MIIE[A-Za-z]{40}[0-9][A-Za-z]{4}".prop_map(|secret| {
        let text = format!("-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----\n");
        (secret, text)
    });
    let reviewer = ("[a-z_]{0,4}", "vrt_[a-z2-7]{32}", "[a-z_]{0,4}")
        .prop_map(|(before, secret, after)| (secret.clone(), format!("{before}{secret}{after}")));
    prop_oneof![github, in_url, assigned, header, block, reviewer]
}

/// Text with the words and signs that recognizers search for.
fn baited() -> impl Strategy<Value = String> {
    let bait = prop::sample::select(vec![
        "password",
        "token",
        "API_KEY",
        "Authorization",
        "Cookie",
        "Set-Cookie",
        "Bearer",
        "Basic",
        "=",
        ":",
        ": ",
        " = ",
        "=>",
        ",",
        "\"",
        "'",
        "\\",
        "\\\"",
        "\\n",
        "\n",
        "%3D",
        "%22",
        "&",
        "\\u0022",
        "://",
        "@",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "-",
        "--",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "eyJhbGciOiJIUzI1NiJ9",
        ".",
        "ghp_",
        "sk-",
        "Xk7pQ2mz91kd",
        "MIIEpAIBAAKCAQEA7x9",
        "hunter22",
        "user",
        "value",
        "is ",
        "é",
        "→",
        "[redacted:jwt:01ab23cd]",
        "[redacted:",
        "$",
        "0",
        "12345678",
        "1e9",
        "null",
        "\u{1b}[31m",
        ";",
        " ",
        " -u ",
        " -b ",
        "echo ",
        "sshpass",
        "mysql",
        " -p",
        " -p ",
        "curl",
        "--user ",
        "| chpasswd",
        "| docker login --password-stdin",
        "IDENTIFIED BY ",
        ":5432:a:b:",
        "requirepass ",
        "login a ",
        "</key>",
        "<string>",
        "<string name=\"",
        "**",
        "||",
        "??=",
        "{ get; set; }",
        "{ default = ",
        "<<<",
        "-Value ",
        "for a is ",
        "API key",
        "Some(",
        "(",
        ")",
        "string = ",
        "violet-pickle-wagon",
        "fzrYBaxtgmzDLmoD",
        "hf_",
        "hvs.",
        "sk_live_",
        "grep-12-",
        "Cookie: a=b|c",
        "{\"password\":",
    ]);
    prop::collection::vec(bait, 0..24).prop_map(|parts| parts.concat())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), baited(), planted().prop_map(|(_, text)| text)]
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let key = prop_oneof![
        "[a-z]{1,6}",
        prop::sample::select(vec!["password", "token", "cookie", "authorization", "name", "value"])
            .prop_map(str::to_owned),
        text(),
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner.clone()), 0..6)
                .prop_map(|fields| Value::from(Map::from_iter(fields))),
            inner.prop_map(|document| Value::from(document.to_string())),
        ]
    })
}

/// The structure of a document: every scalar is replaced by the name of its type, and the keys are
/// numbered.
fn shape(document: &Value) -> Value {
    match document {
        Value::Null => "null".into(),
        Value::Bool(_) => "boolean".into(),
        // A number that is a password becomes a string.
        Value::Number(_) | Value::String(_) => "number or string".into(),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(fields) => Value::from(vec![Value::from("object"), {
            let mut shapes: Vec<String> = fields.values().map(|v| shape(v).to_string()).collect();
            shapes.sort();
            shapes.into()
        }]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn a_document_keeps_its_shape(document in document()) {
        let text = document.to_string();
        let redacted = clean(&text);
        let parsed: Value = serde_json::from_str(&redacted)
            .map_err(|error| TestCaseError::fail(format!("{error}: {text} became {redacted}")))?;
        prop_assert_eq!(shape(&parsed), shape(&document), "{} became {}", text, redacted);
    }

    #[test]
    fn redacting_twice_changes_nothing_more(text in text()) {
        let once = clean(&text);
        prop_assert_eq!(clean(&once), once);
    }

    #[test]
    fn redacting_a_document_twice_changes_nothing_more(document in document()) {
        let once = clean(&document.to_string());
        prop_assert_eq!(clean(&once), once);
    }

    #[test]
    fn findings_are_in_order_and_on_character_boundaries(text in text()) {
        let mut end = 0;
        for finding in find(&text, &["user".to_owned()]) {
            prop_assert!(finding.range.start >= end && finding.range.start < finding.range.end);
            prop_assert!(text.get(finding.range.clone()).is_some());
            end = finding.range.end;
        }
    }

    #[test]
    fn a_planted_secret_is_gone(
        before in "[a-z ]{0,12}\n", (secret, planted) in planted(), after in "\n[a-z ]{0,12}",
    ) {
        let plain = format!("{before}{planted}{after}");
        let document = Value::from(vec![Value::from(plain.clone())]).to_string();
        let nested = Value::from(vec![Value::from(document.clone())]).to_string();
        for text in [plain, document, nested] {
            let redacted = clean(&text);
            prop_assert!(!redacted.contains(&secret), "{} became {}", text, redacted);
        }
    }
}
