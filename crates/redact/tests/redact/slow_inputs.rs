//! Inputs for which a recognizer would take hours if it read to the end of the text each time. So
//! these tests only check that the scan ends.

use verger_redact::find;

const MEGABYTE: usize = 1_000_000;

#[test]
fn a_megabyte_of_anything_is_read_in_one_go() {
    let units = [
        "a",
        "-",
        "sk-",
        "=",
        "\"",
        "'",
        "eyJ",
        "eyJaaaaaaaaaaaaa.",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "a-----BEGIN",
        "a-----BEGIN PRIVATE KEY-----a",
        "Cookie: a=b|",
        "authorization: Bearer a",
        "\"password\": 1234",
        "\\",
        "\\\"",
        "%",
        "token",
        "token=",
        "token:\"",
        "token: ",
        "password=a",
        "password is ",
        "cookie=",
        "Cookie: a=b;",
        "authorization: ",
        "Bearer ",
        " -u a:",
        " -p a",
        " -p",
        "mysql -p",
        "docker -p a",
        " --user ",
        "echo a",
        "echo a|",
        "password BY ",
        "login password ",
        "requirepass ",
        "api key ",
        "token</key>",
        "token\"{",
        "token{ get;",
        "token for a",
        "token ||",
        "token(\"",
        ":5432:",
        "identified by '",
        "a://",
        "a://b:",
        "[redacted:",
        "\u{1b}[",
        "é",
    ];
    for unit in units {
        let text = unit.repeat(MEGABYTE / unit.len());
        let findings = find(&text, &["door".to_owned()]);
        assert!(findings.len() <= text.len(), "{unit}");
    }
}
