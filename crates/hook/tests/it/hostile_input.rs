//! Tests input that tries to get a call past an enforcing guard. No call passes, no answer takes
//! long, and no file outside of verger's directory is written.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use verger_testkit::changed;

use crate::scene::Scene;
use crate::stage::HOOK;

const DESTRUCTIVE: &str = "git reset --hard";

/// The time limit of the hook, and extra time for a loaded machine.
const LIMIT: Duration = Duration::from_secs(3);

fn payload(command: &str) -> String {
    changed(
        "PreToolUse-Bash",
        &[("tool_use_id", json!("toolu_new")), ("tool_input", json!({ "command": command }))],
    )
}

/// The payload of a destructive call in which one text is replaced.
fn broken(from: &str, to: &str) -> Vec<u8> {
    let whole = payload(DESTRUCTIVE);
    assert!(whole.contains(from), "{from} in {whole}");
    whole.replacen(from, to, 1).into_bytes()
}

fn bytes_replaced(from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = payload(DESTRUCTIVE).into_bytes();
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    bytes.splice(at..at + from.len(), to.iter().copied());
    bytes
}

/// A scene whose guard enforces, both by registration and by configuration.
fn enforcing() -> Scene {
    let scene = Scene::new();
    let path = scene.environment.verger_home().join("config/config.toml");
    scene.environment.write(path, "[guard]\nmode = \"enforce\"\n");
    scene
}

/// Calls the hook. Returns the answer and the running time. Fails unless the hook prints exactly
/// one complete answer.
#[track_caller]
fn told(scene: &Scene, event: &str, stdin: Vec<u8>) -> (String, Duration) {
    let mut command = scene.environment.command(HOOK);
    command.args(["claude", event, "plugin", "enforce"]);
    let start = Instant::now();
    let output = scene.environment.run_command(command, stdin).success();
    let took = start.elapsed();
    assert_eq!(output.stderr, "");
    scene.check_outside();
    if output.stdout.is_empty() {
        return ("silence".to_owned(), took);
    }
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    let specific = &answer["hookSpecificOutput"];
    assert_eq!(specific["hookEventName"], event);
    let word = specific["permissionDecision"].as_str();
    let word = word.or_else(|| specific["decision"]["behavior"].as_str()).unwrap();
    (word.to_owned(), took)
}

/// One input for every class of hostile input.
fn classes() -> Vec<(&'static str, Vec<u8>)> {
    let deep = |open: &str, close: &str, depth: usize| {
        broken("\"git reset --hard\"", &format!("{}1{}", open.repeat(depth), close.repeat(depth)))
    };
    let padded =
        |bytes: usize| payload(&format!("{DESTRUCTIVE} #{}", "x".repeat(bytes))).into_bytes();
    let line = |text: String| payload(&text).into_bytes();
    vec![
        ("nothing", vec![]),
        ("white space", b" \n\t".to_vec()),
        ("cut in the middle", payload(DESTRUCTIVE).into_bytes()[..200].to_vec()),
        ("without its last byte", {
            let mut whole = payload(DESTRUCTIVE).into_bytes();
            whole.pop();
            whole
        }),
        ("null", b"null".to_vec()),
        ("a list", b"[]".to_vec()),
        ("a text", b"\"rm -rf /\"".to_vec()),
        ("a tool that is a number", broken("\"tool_name\":\"Bash\"", "\"tool_name\":7")),
        ("a tool that is a list", broken("\"tool_name\":\"Bash\"", "\"tool_name\":[\"Bash\"]")),
        ("a command that is a list", broken("\"git reset --hard\"", "[\"git\",\"reset\"]")),
        ("a command that is null", broken("\"git reset --hard\"", "null")),
        ("an input that is a text", broken("{\"command\":\"git reset --hard\"}", "\"git reset\"")),
        ("no input", broken("\"tool_input\"", "\"tool_output\"")),
        ("no command", broken("\"command\"", "\"description\"")),
        ("a key in another case", broken("\"command\"", "\"Command\"")),
        ("a tool's key in another case", broken("\"tool_name\"", "\"Tool_Name\"")),
        ("a byte that is no text", bytes_replaced(b"reset", b"re\xffset")),
        ("an overlong form", bytes_replaced(b"reset", b"re\xc0\xafset")),
        ("UTF-16", payload(DESTRUCTIVE).encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("half a character in the command", broken("--hard\"", "--hard \\ud800\"")),
        ("a byte order mark", format!("\u{feff}{}", payload(DESTRUCTIVE)).into_bytes()),
        (
            "a command twice, harmless first",
            broken("\"command\"", "\"command\":\"ls\",\"command\""),
        ),
        ("a command twice, harmless last", broken("--hard\"", "--hard\",\"command\":\"ls\"")),
        ("a command twice, one escaped", broken("--hard\"", "--hard\",\"comm\\u0061nd\":\"ls\"")),
        ("a tool twice", broken("\"tool_name\"", "\"tool_name\":\"Glob\",\"tool_name\"")),
        ("two documents", format!("{}{}", payload("ls"), payload(DESTRUCTIVE)).into_bytes()),
        ("another event's name", broken("\"PreToolUse\"", "\"Stop\"")),
        ("a line over 64 KiB", padded(70_000)),
        ("a line over 1 MiB", padded(1 << 20)),
        ("a payload over 16 MiB", padded(17 << 20)),
        ("100,000 lists in lists", deep("[", "]", 100_000)),
        ("100,000 objects in objects", deep("{\"a\":", "}", 100_000)),
        ("50,000 parentheses", line(format!("{}{DESTRUCTIVE}", "(".repeat(50_000)))),
        ("a storm of quotes", line(format!(": {}; {DESTRUCTIVE}", "''\"\"".repeat(16_000)))),
        ("a storm of backslashes", line(format!(": {}; {DESTRUCTIVE}", "\\".repeat(60_000)))),
        ("a storm of here-documents", {
            line(format!("{}{DESTRUCTIVE}", "cat <<A\nA\n".repeat(6_000)))
        }),
    ]
}

#[test]
fn no_class_of_hostile_input_is_let_through() {
    let classes = classes();
    assert_eq!(classes.len(), 36);
    let scene = enforcing();
    let mut through = vec![];
    for (name, stdin) in classes {
        let (word, took) = told(&scene, "PreToolUse", stdin);
        if !matches!(word.as_str(), "ask" | "deny") {
            through.push(format!("{name}: {word}"));
        }
        assert!(took < LIMIT, "{name} took {took:?}");
    }
    assert_eq!(through, [""; 0]);
}

#[test]
fn a_dialog_about_what_cannot_be_read_is_answered_with_a_refusal() {
    let scene = enforcing();
    for stdin in [&b""[..], b"{", b"[]", b"\xff"] {
        assert_eq!(told(&scene, "PermissionRequest", stdin.to_vec()).0, "deny");
    }
}

#[test]
fn other_events_are_none_of_the_guards_business() {
    let scene = enforcing();
    for event in ["PostToolUse", "Stop", "SessionStart"] {
        assert_eq!(told(&scene, event, b"not json".to_vec()).0, "silence");
    }
}

#[test]
fn without_a_home_a_call_is_judged_by_what_the_registration_says() {
    let mut scene = Scene::new();
    for name in ["HOME", "VERGER_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        scene.environment.unset(name);
    }
    assert_eq!(told(&scene, "PreToolUse", payload(DESTRUCTIVE).into_bytes()).0, "deny");
    assert_eq!(told(&scene, "PreToolUse", b"{".to_vec()).0, "deny");
    assert_eq!(told(&scene, "PreToolUse", payload("some-program").into_bytes()).0, "silence");
}
