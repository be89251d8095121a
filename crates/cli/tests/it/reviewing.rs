//! A conversation whose reviewer decides with the real `verger decide`.

use std::path::Path;

use verger_testkit::{Conversation, HookAnswer, Output, Speaker, TestEnvironment};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");
const REVIEWER: &str = "verger:reviewer";

/// A started session, in a repository with one commit.
#[track_caller]
pub(crate) fn conversation() -> Conversation {
    conversation_in(TestEnvironment::with_repository())
}

/// A started session in this environment.
#[track_caller]
pub(crate) fn conversation_in(mut environment: TestEnvironment) -> Conversation {
    environment.find_programs_in(Path::new(VERGER).parent().unwrap());
    Conversation::begin(environment, &[VERGER, "hook"])
}

/// The reviewer with this id as a speaker.
pub(crate) fn reviewer(id: &str) -> Speaker<'_> {
    Speaker::Subagent { id, agent_type: REVIEWER }
}

/// A command line that decides, with `words` and the token from the reviewer's instructions.
pub(crate) fn decision(conversation: &Conversation, words: &str, token: &str) -> String {
    format!("verger decide {words} --session {} --token {token}", conversation.session())
}

/// Runs a line like the agent's shell.
#[track_caller]
pub(crate) fn shell(conversation: &Conversation, line: &str) -> Output {
    let mut command = conversation.environment.command("bash");
    command.args(["-c", line]).envs(conversation.next_moment());
    conversation.environment.run_command(command, "")
}

/// Lets a started reviewer run this line, which the hook sees. Returns the program's output.
#[track_caller]
pub(crate) fn decide(conversation: &Conversation, id: &str, line: &str) -> Output {
    let seen = conversation.bash(reviewer(id), line);
    assert_eq!(seen.word(), "allow", "{seen}");
    shell(conversation, line)
}

/// A complete review: a new reviewer starts, decides with these words, and ends.
#[track_caller]
pub(crate) fn review(conversation: &Conversation, id: &str, words: &str) {
    let token = conversation.start_reviewer(id);
    let output = decide(conversation, id, &decision(conversation, words, &token));
    assert!(output.stdout.starts_with("decision recorded: "), "{output}");
    assert_eq!(conversation.stop_subagent(id, REVIEWER), HookAnswer::default());
}

/// The trace of a session, without times, sequence numbers and session.
#[track_caller]
pub(crate) fn trace(conversation: &Conversation) -> String {
    let output =
        conversation.environment.run(VERGER, ["session", "trace", conversation.session()], "");
    let lines: Vec<_> = output.success().stdout.lines().map(|line| line[28..].to_owned()).collect();
    lines.join("\n")
}

/// The records of these kinds.
pub(crate) fn records(conversation: &Conversation, kinds: &[&str]) -> Vec<String> {
    let trace = trace(conversation);
    let is_wanted = |line: &&str| kinds.iter().any(|kind| line.starts_with(kind));
    trace
        .lines()
        .filter(is_wanted)
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Runs `verger` as a person.
#[track_caller]
pub(crate) fn verger(conversation: &Conversation, arguments: &[&str]) -> Output {
    let mut command = conversation.environment.command(VERGER);
    command.args(arguments).envs(conversation.next_moment());
    conversation.environment.run_command(command, "")
}
