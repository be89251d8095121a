//! Tests deferred commands: the hook runs the `verger` program beside it, with exactly the
//! arguments of the tool call.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::warnings;
use crate::stage::HOOK;

/// A program that prints its arguments, input, directory and two variables.
const TELLS: &str = "#!/bin/sh\n\
    printf '<%s>' \"$@\"; printf ' fed <%s>' \"$(cat)\"\n\
    printf ' in %s as %s %s' \"$PWD\" \"$CLAUDECODE\" \"$CLAUDE_CODE_SESSION_ID\"\n";

/// A session whose hook program is installed in a directory. `verger` is the program beside it.
#[track_caller]
fn beside(verger: Option<&str>) -> Conversation {
    let environment = TestEnvironment::with_repository();
    let programs = environment.home().join("bin");
    fs::create_dir(&programs).unwrap();
    let hook = programs.join("verger-hook");
    if fs::hard_link(HOOK, &hook).is_err() {
        fs::copy(HOOK, &hook).unwrap();
    }
    if let Some(program) = verger {
        environment.write_program(programs.join("verger"), program);
    }
    let conversation = Conversation::begin(environment, &[hook.to_str().unwrap()]);
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    conversation
}

/// Reports a command line whose output says that its command was deferred. Returns the context
/// that the agent gets.
#[track_caller]
fn left(conversation: &Conversation, line: &str) -> String {
    let id = conversation.next_tool_use();
    assert_eq!(conversation.bash(Speaker::Main, line).word(), "allow");
    let response = json!({ "stdout": "left to verger's hook, for session x\n" });
    let input = json!({ "command": line, "description": "x" });
    let changes = [("tool_input", input), ("tool_use_id", json!(id)), ("tool_response", response)];
    conversation.call("PostToolUse-Bash", &changes).context.unwrap_or_default()
}

#[test]
fn it_is_run_with_the_words_of_the_line_and_for_this_session() {
    let conversation = beside(Some(TELLS));
    let told = left(&conversation, "verger observe 'a  \"b\" $c' --author x");
    assert_snapshot!(conversation.environment.normalise(&told), @r#"
    verger: the hook ran this outside of the sandbox:
    <observe><--session=f0357e9b-fb48-41a1-afb7-88e26c9c25cd><a  "b" $c><--author><x> fed <> in $ENV/home/project as 1 f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    let told = left(&conversation, "verger reflect <<'EOF'\n{ \"$x\": `y` }\nEOF");
    assert_snapshot!(conversation.environment.normalise(&told), @r#"
    verger: the hook ran this outside of the sandbox:
    <reflect><--session=f0357e9b-fb48-41a1-afb7-88e26c9c25cd> fed <{ "$x": `y` }> in $ENV/home/project as 1 f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

#[test]
fn whatever_is_wrong_with_it_is_told_and_harms_nobody() {
    let conversation = beside(None);
    assert_snapshot!(left(&conversation, "verger observe x"), @"verger: not recorded: verger's hook could not run the command (the `verger` program is not beside the hook; `verger init` installs it). Run it where verger's data can be written, or tell the person.");
    let programs = conversation.environment.home().join("bin/verger");
    conversation.environment.write_program(&programs, "#!/nowhere\n");
    assert_snapshot!(left(&conversation, "verger observe x"), @"verger: not recorded: verger's hook could not run the command (start the program: No such file or directory (os error 2)). Run it where verger's data can be written, or tell the person.");
    conversation.environment.write_program(&programs, "#!/bin/sh\nkill -9 $$\n");
    assert_snapshot!(left(&conversation, "verger observe x"), @"verger: the hook ran this outside of the sandbox, and a signal ended it.");
    conversation.environment.write_program(&programs, "#!/bin/sh\nyes\n");
    let told = left(&conversation, "verger observe x");
    assert!(told.len() < 11_000 && told.contains("characters are left out"), "{}", told.len());
    assert_snapshot!(warnings(&conversation).join("\n"), @r#"
    sandbox: cannot run verger observe: the `verger` program is not beside the hook; `verger init` installs it
    sandbox: cannot run verger observe: start the program: No such file or directory (os error 2)
    "#);
}
