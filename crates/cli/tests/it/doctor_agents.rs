//! `verger doctor agents`.

use crate::recorded::Recorded;

#[test]
fn every_agent_is_shown_with_what_the_guard_tells_it() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["doctor", "agents"]), @"
    Claude Code (claude)
      tested with  2.1.197, 2.1.326
      events       SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      as a judge   claude --print --setting-sources '' --tools '' --strict-mcp-config
      asks people  in the permission modes default, acceptEdits, plan
      starts in    auto if a person uses it, default if headless
      in auto      if the guard enforces, it answers allow: allow, unknown: silence, risky: deny, deny: deny (not tested in this mode); the client's own classifier decides the calls that the guard leaves open, and verger does not record the calls that the classifier refuses; recording, undo points and gates do not depend on the mode
      other input  used; the client then decides about the call as usual
      told                                allow   unknown    risky   deny
      PreToolUse (asks people)            allow   silence      ask   deny
      PreToolUse (bypass)                 allow   silence     deny   deny
      PermissionRequest (asks people)     allow   silence  silence   deny
      PermissionRequest (bypass)       silence?  silence?    deny?  deny?

    Codex (codex)
      tested with  0.166.0, 0.169.0
      events       SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, Stop, SubagentStart, SubagentStop, PreCompact, PostCompact
      as a judge   codex exec --sandbox read-only --skip-git-repo-check -
      asks people  in no permission mode that was tested
      other input  used only if the hook also approves the call, so such calls are denied
      told                           allow  unknown  risky  deny
      PreToolUse (bypass)         silence?  silence   deny  deny
      PermissionRequest (bypass)     allow  silence   deny  deny

    Gemini CLI (gemini)
      tested with  0.61.0
      events       SessionStart, SessionEnd, BeforeAgent, BeforeTool, AfterTool, AfterAgent, Notification
      as a judge   gemini --prompt 'Judge the text of the standard input.' --extensions none
      asks people  in no permission mode that was tested
      other input  not tested whether it also approves the call, so such calls are denied?
      told                    allow  unknown  risky  deny
      BeforeTool (bypass)  silence?  silence   deny  deny

    Copilot CLI (copilot)
      tested with  1.0.102
      events       sessionStart, sessionEnd, userPromptSubmitted, preToolUse, permissionRequest, postToolUse, postToolUseFailure, agentStop, subagentStart, subagentStop, preCompact, notification
      as a judge   copilot --no-custom-instructions --available-tools none --prompt 'Judge this.'
      asks people  in the permission modes default
      other input  not tested whether it also approves the call, so such calls are denied?
      told                             allow  unknown  risky  deny
      preToolUse (asks people)         allow  silence    ask  deny
      preToolUse (bypass)              allow  silence   deny  deny
      permissionRequest (asks people)  allow  silence  deny?  deny
      permissionRequest (bypass)       allow  silence   deny  deny

    ?  not tested with the real program: verger sends the more careful answer
    ");
    insta::assert_snapshot!(recorded.verger(&["doctor", "agents", "--json"]), @r#"{"agents":[{"asking_modes":["default","acceptEdits","plan"],"events":["SessionStart","SessionEnd","UserPromptSubmit","PreToolUse","PermissionRequest","PostToolUse","PostToolUseFailure","PostToolBatch","Stop","StopFailure","SubagentStart","SubagentStop","PreCompact","PostCompact","TaskCreated","TaskCompleted","Notification","ConfigChange"],"guard":[{"asks_people":true,"event":"PreToolUse","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"ask","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":false,"event":"PreToolUse","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":true,"event":"PermissionRequest","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"silence","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":false,"event":"PermissionRequest","told":{"allow":{"sent":"silence","tested":false},"deny":{"sent":"deny","tested":false},"risky":{"sent":"deny","tested":false},"unknown":{"sent":"silence","tested":false}}}],"judge":["claude","--print","--setting-sources","","--tools","","--strict-mcp-config"],"name":"claude","product":"Claude Code","rewrites":true,"spoken_with":true,"starts_in":"auto","tested_versions":["2.1.197","2.1.326"]},{"asking_modes":[],"events":["SessionStart","SessionEnd","UserPromptSubmit","PreToolUse","PermissionRequest","PostToolUse","Stop","SubagentStart","SubagentStop","PreCompact","PostCompact"],"guard":[{"asks_people":false,"event":"PreToolUse","told":{"allow":{"sent":"silence","tested":false},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":false,"event":"PermissionRequest","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}}],"judge":["codex","exec","--sandbox","read-only","--skip-git-repo-check","-"],"name":"codex","product":"Codex","rewrites":false,"spoken_with":true,"starts_in":null,"tested_versions":["0.166.0","0.169.0"]},{"asking_modes":[],"events":["SessionStart","SessionEnd","BeforeAgent","BeforeTool","AfterTool","AfterAgent","Notification"],"guard":[{"asks_people":false,"event":"BeforeTool","told":{"allow":{"sent":"silence","tested":false},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}}],"judge":["gemini","--prompt","Judge the text of the standard input.","--extensions","none"],"name":"gemini","product":"Gemini CLI","rewrites":false,"spoken_with":true,"starts_in":null,"tested_versions":["0.61.0"]},{"asking_modes":["default"],"events":["sessionStart","sessionEnd","userPromptSubmitted","preToolUse","permissionRequest","postToolUse","postToolUseFailure","agentStop","subagentStart","subagentStop","preCompact","notification"],"guard":[{"asks_people":true,"event":"preToolUse","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"ask","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":false,"event":"preToolUse","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}},{"asks_people":true,"event":"permissionRequest","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":false},"unknown":{"sent":"silence","tested":true}}},{"asks_people":false,"event":"permissionRequest","told":{"allow":{"sent":"allow","tested":true},"deny":{"sent":"deny","tested":true},"risky":{"sent":"deny","tested":true},"unknown":{"sent":"silence","tested":true}}}],"judge":["copilot","--no-custom-instructions","--available-tools","none","--prompt","Judge this."],"name":"copilot","product":"Copilot CLI","rewrites":false,"spoken_with":true,"starts_in":null,"tested_versions":["1.0.102"]}]}"#);
}

#[test]
fn a_repair_and_a_look_at_the_agents_do_not_go_together() {
    let recorded = Recorded::nothing();
    for arguments in [&["doctor", "--fix", "agents"][..], &["doctor", "agents", "--fix"]] {
        assert_eq!(recorded.verger(arguments).code, 2, "{arguments:?}");
    }
}
