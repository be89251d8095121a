//! `verger init`.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use verger_cli::{AUTHORITY, Audience, Authority};
use verger_testkit::TerminalSize;

use crate::household::{Household, done, hook_script};

#[test]
fn everything_that_is_done_is_said() {
    let household = Household::new();
    household.environment.write(household.settings(), "{\n\t\"model\": \"opus\"\n}\n");
    insta::assert_snapshot!(household.init(&["--dry-run"]), @r#"
    would write $ENV/home/.local/share/verger/bin/verger-hook
    would write $ENV/home/.local/share/verger/marketplace
    --- /dev/null
    +++ $ENV/home/.claude/plugins/known_marketplaces.json
    @@ -0,0 +1,10 @@
    +{
    +  "verger": {
    +    "installLocation": "$ENV/home/.local/share/verger/marketplace",
    +    "lastUpdated": "2026-11-15T18:39:21.000Z",
    +    "source": {
    +      "path": "$ENV/home/.local/share/verger/marketplace",
    +      "source": "directory"
    +    }
    +  }
    +}
    --- $ENV/home/.claude/settings.json
    +++ $ENV/home/.claude/settings.json
    @@ -1,3 +1,29 @@
     {
    -    "model": "opus"
    +    "model": "opus",
    +    "extraKnownMarketplaces": {
    +        "verger": {
    +            "source": {
    +                "path": "$ENV/home/.local/share/verger/marketplace",
    +                "source": "directory"
    +            }
    +        }
    +    },
    +    "enabledPlugins": {
    +        "verger@verger": true
    +    },
    +    "permissions": {
    +        "allow": [
    +            "Bash(verger context:*)",
    +            "Bash(verger decide:*)",
    +            "Bash(verger guard explain:*)",
    +            "Bash(verger learn search:*)",
    +            "Bash(verger observe:*)",
    +            "Bash(verger recall:*)",
    +            "Bash(verger ref:*)",
    +            "Bash(verger reflect:*)",
    +            "Bash(verger review run:*)",
    +            "Bash(verger status:*)",
    +            "Bash(verger why:*)"
    +        ]
    +    }
     }
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    "#);
    assert!(!household.data().exists());
    insta::assert_snapshot!(household.init(&[]), @"
    verger is registered with Claude Code for all your projects
      created    $ENV/home/.claude/plugins/known_marketplaces.json
      changed    $ENV/home/.claude/settings.json
      installed  $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&[]), @"
    verger is registered with Claude Code for all your projects; nothing was changed
      current    $ENV/home/.local/share/verger/bin/verger-hook
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&["--dry-run"]), @"
    nothing would be changed
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    ");
    insta::assert_snapshot!(household.init(&["--quiet"]), @"verger is registered with Claude Code for all your projects; nothing was changed");
}

#[test]
fn files_are_written_in_the_agents_directory_and_in_ours() {
    let household = Household::new();
    household.environment.write(household.settings(), "{}\n");
    done(household.init(&[]));
    insta::assert_snapshot!(household.files().join("\n"), @r#"
    .claude/
    .claude/plugins/
    .claude/plugins/known_marketplaces.json
    .claude/settings.json
    .local/
    .local/share/
    .local/share/verger/
    .local/share/verger/backups/
    .local/share/verger/backups/1794767961000-settings.json
    .local/share/verger/bin/
    .local/share/verger/bin/verger-hook
    .local/share/verger/install.json
    .local/share/verger/marketplace/
    .local/share/verger/marketplace/.claude-plugin/
    .local/share/verger/marketplace/.claude-plugin/marketplace.json
    .local/share/verger/marketplace/plugin/
    .local/share/verger/marketplace/plugin/.claude-plugin/
    .local/share/verger/marketplace/plugin/.claude-plugin/plugin.json
    .local/share/verger/marketplace/plugin/README.md
    .local/share/verger/marketplace/plugin/agents/
    .local/share/verger/marketplace/plugin/agents/reviewer.md
    .local/share/verger/marketplace/plugin/hooks/
    .local/share/verger/marketplace/plugin/hooks/hooks.json
    .local/share/verger/marketplace/plugin/hooks/launch
    .local/share/verger/marketplace/plugin/skills/
    .local/share/verger/marketplace/plugin/skills/maintain/
    .local/share/verger/marketplace/plugin/skills/maintain/SKILL.md
    .local/share/verger/marketplace/plugin/skills/observe/
    .local/share/verger/marketplace/plugin/skills/observe/SKILL.md
    .local/share/verger/marketplace/plugin/skills/reflect/
    .local/share/verger/marketplace/plugin/skills/reflect/SKILL.md
    .local/share/verger/marketplace/plugin/skills/review/
    .local/share/verger/marketplace/plugin/skills/review/SKILL.md
    .local/share/verger/marketplace/plugin/skills/search/
    .local/share/verger/marketplace/plugin/skills/search/SKILL.md
    .local/share/verger/marketplace/plugin/skills/skip/
    .local/share/verger/marketplace/plugin/skills/skip/SKILL.md
    .local/share/verger/marketplace/plugin/skills/status/
    .local/share/verger/marketplace/plugin/skills/status/SKILL.md
    .local/share/verger/marketplace/plugin/skills/verify/
    .local/share/verger/marketplace/plugin/skills/verify/SKILL.md
    project/
    project/README.md
    "#);
}

#[test]
fn programs_get_json() {
    let household = Household::new();
    insta::assert_snapshot!(household.init(&["--dry-run", "--json"]), @r#"{"adds":[{"agent":"claude","parts":[{"context_tokens":0,"names":["SessionStart","SessionEnd","UserPromptSubmit","PreToolUse","PermissionRequest","PostToolUse","PostToolUseFailure","PostToolBatch","Stop","StopFailure","SubagentStart","SubagentStop","PreCompact","PostCompact","TaskCreated","TaskCompleted","Notification","ConfigChange"],"part":"hooks"},{"context_tokens":0,"names":["Bash(verger context:*)","Bash(verger decide:*)","Bash(verger guard explain:*)","Bash(verger learn search:*)","Bash(verger observe:*)","Bash(verger recall:*)","Bash(verger ref:*)","Bash(verger reflect:*)","Bash(verger review run:*)","Bash(verger status:*)","Bash(verger why:*)"],"part":"permissions"},{"context_tokens":299,"names":["verger:observe","verger:reflect","verger:review","verger:search","verger:skip","verger:verify"],"part":"skills"},{"context_tokens":0,"names":["/verger:maintain","/verger:status"],"part":"commands"},{"context_tokens":70,"names":["verger:reviewer"],"part":"subagent"}]}],"covered":[],"would_change":[{"diff":"--- /dev/null\n+++ $ENV/home/.claude/plugins/known_marketplaces.json\n@@ -0,0 +1,10 @@\n+{\n+  \"verger\": {\n+    \"installLocation\": \"$ENV/home/.local/share/verger/marketplace\",\n+    \"lastUpdated\": \"2026-11-15T18:39:21.000Z\",\n+    \"source\": {\n+      \"path\": \"$ENV/home/.local/share/verger/marketplace\",\n+      \"source\": \"directory\"\n+    }\n+  }\n+}","path":"$ENV/home/.claude/plugins/known_marketplaces.json"},{"diff":"--- /dev/null\n+++ $ENV/home/.claude/settings.json\n@@ -0,0 +1,28 @@\n+{\n+  \"extraKnownMarketplaces\": {\n+    \"verger\": {\n+      \"source\": {\n+        \"path\": \"$ENV/home/.local/share/verger/marketplace\",\n+        \"source\": \"directory\"\n+      }\n+    }\n+  },\n+  \"enabledPlugins\": {\n+    \"verger@verger\": true\n+  },\n+  \"permissions\": {\n+    \"allow\": [\n+      \"Bash(verger context:*)\",\n+      \"Bash(verger decide:*)\",\n+      \"Bash(verger guard explain:*)\",\n+      \"Bash(verger learn search:*)\",\n+      \"Bash(verger observe:*)\",\n+      \"Bash(verger recall:*)\",\n+      \"Bash(verger ref:*)\",\n+      \"Bash(verger reflect:*)\",\n+      \"Bash(verger review run:*)\",\n+      \"Bash(verger status:*)\",\n+      \"Bash(verger why:*)\"\n+    ]\n+  }\n+}","path":"$ENV/home/.claude/settings.json"}],"would_write":["$ENV/home/.local/share/verger/bin/verger-hook","$ENV/home/.local/share/verger/marketplace"]}"#);
    insta::assert_snapshot!(household.init(&["--json"]), @r#"{"adds":[{"agent":"claude","parts":[{"context_tokens":0,"names":["SessionStart","SessionEnd","UserPromptSubmit","PreToolUse","PermissionRequest","PostToolUse","PostToolUseFailure","PostToolBatch","Stop","StopFailure","SubagentStart","SubagentStop","PreCompact","PostCompact","TaskCreated","TaskCompleted","Notification","ConfigChange"],"part":"hooks"},{"context_tokens":0,"names":["Bash(verger context:*)","Bash(verger decide:*)","Bash(verger guard explain:*)","Bash(verger learn search:*)","Bash(verger observe:*)","Bash(verger recall:*)","Bash(verger ref:*)","Bash(verger reflect:*)","Bash(verger review run:*)","Bash(verger status:*)","Bash(verger why:*)"],"part":"permissions"},{"context_tokens":299,"names":["verger:observe","verger:reflect","verger:review","verger:search","verger:skip","verger:verify"],"part":"skills"},{"context_tokens":0,"names":["/verger:maintain","/verger:status"],"part":"commands"},{"context_tokens":70,"names":["verger:reviewer"],"part":"subagent"}]}],"agents":["claude"],"changed":[{"created":true,"path":"$ENV/home/.claude/plugins/known_marketplaces.json"},{"created":true,"path":"$ENV/home/.claude/settings.json"}],"consent":[],"covered":[],"level":"user","program":{"copied":true,"path":"$ENV/home/.local/share/verger/bin/verger-hook","version":"0.1.0"},"trusted":[]}"#);
    insta::assert_snapshot!(household.init(&["--local", "--json"]), @r#"{"changed":[],"covered":[{"agent":"claude","by":"plugin"}]}"#);
}

#[test]
fn hooks_of_one_project_have_no_path_of_one_user() {
    let household = Household::new();
    insta::assert_snapshot!(household.init(&["--local"]), @"
    verger is registered with Claude Code for you in this project
      created    $ENV/home/project/.claude/settings.local.json
      installed  $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
    Keep the new file out of git: it is only for you.
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    let local = household.environment.read(household.local_settings());
    assert!(!local.contains(household.environment.root().to_str().unwrap()), "{local}");
    assert!(household.local_settings().exists());
    insta::assert_snapshot!(household.init(&["--project"]), @"
    verger is registered with Claude Code for everybody in this project who has verger
      created    $ENV/home/project/.claude/settings.json
      removed    $ENV/home/project/.claude/settings.local.json
      current    $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    assert!(!household.local_settings().exists());
    insta::assert_snapshot!(household.init(&["--local"]), @"
    this project's shared settings have verger's hooks; nothing was changed
    To have them for yourself only: verger uninstall --project, then run this command again.
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&[]), @"
    verger is registered with Claude Code for all your projects
      created    $ENV/home/.claude/plugins/known_marketplaces.json
      created    $ENV/home/.claude/settings.json
      current    $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&["--local"]), @"
    verger's plugin is on for all your projects, this one included; nothing was changed
    To have verger in this project only: verger uninstall, then run this command again.
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&["--local", "--project"]), @r#"
    ------- stderr -------
    error: the argument '--local' cannot be used with '--project'

    Usage: verger init --yes --hook <PATH> --local

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}

#[test]
fn the_hooks_of_one_project_say_nothing_where_verger_is_missing() {
    let household = Household::new();
    done(household.init(&["--local"]));
    let settings: serde_json::Value =
        serde_json::from_str(&household.environment.read(household.local_settings())).unwrap();
    let command = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    let payload = r#"{"session_id":"s1","cwd":"/","hook_event_name":"Stop"}"#;
    let run = || household.environment.run("sh", ["-c", command], payload);
    assert!(run().to_string().contains("nothing of this session was recorded before this stop"));
    assert!(household.verger(&["session", "list"]).stdout.contains("s1"));
    done(household.uninstall(&["--purge"]));
    assert_eq!(run().to_string(), "");
    assert!(!household.data().exists());
}

#[test]
fn a_linked_file_stays_a_link() {
    let household = Household::new();
    let dotfiles = household.environment.root().join("home/dotfiles/claude.json");
    household.environment.write(&dotfiles, "{\"model\": \"opus\"}");
    fs::set_permissions(&dotfiles, Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(household.directory()).unwrap();
    symlink("../dotfiles/claude.json", household.settings()).unwrap();
    done(household.init(&[]));
    assert!(household.settings().is_symlink());
    assert!(household.environment.read(&dotfiles).contains("verger@verger"));
    assert_eq!(fs::metadata(&dotfiles).unwrap().permissions().mode() & 0o777, 0o640);
    done(household.uninstall(&[]));
    assert!(household.settings().is_symlink());
    assert_eq!(household.environment.read(&dotfiles), "{\"model\": \"opus\"}");
    fs::remove_file(&dotfiles).unwrap();
    insta::assert_snapshot!(household.init(&[]), @r#"
    ------- stderr -------
    verger: cannot change $ENV/home/.claude/settings.json: it is a link to a file that is not there
    hint: ls -ld $ENV/home/.claude/settings.json
    ------- exit code 3 -------
    "#);
}

#[test]
fn a_read_only_file_prevents_all_changes() {
    let household = Household::new();
    let settings = household.environment.write(household.settings(), "{}");
    fs::set_permissions(&settings, Permissions::from_mode(0o444)).unwrap();
    let before = household.files();
    insta::assert_snapshot!(household.init(&[]), @"
    ------- stderr -------
    verger: cannot change $ENV/home/.claude/settings.json: it is read-only
    hint: nothing was changed; chmod u+w $ENV/home/.claude/settings.json, then run the command again
    ------- exit code 3 -------
    ");
    assert_eq!((household.files(), household.environment.read(&settings).as_str()), (before, "{}"));
    fs::set_permissions(&settings, Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(household.directory(), Permissions::from_mode(0o555)).unwrap();
    let before = household.files();
    insta::assert_snapshot!(household.init(&["--json"]), @r#"
    ------- stderr -------
    {"error":"failed","hint":"nothing was changed; chmod u+w $ENV/home/.claude, then run the command again","message":"cannot change $ENV/home/.claude: it is read-only"}
    ------- exit code 3 -------
    "#);
    assert_eq!(household.files(), before);
    fs::set_permissions(household.directory(), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_hook_program_must_be_there_and_of_the_same_version() {
    let household = Household::new();
    insta::assert_snapshot!(household.verger(&["init", "--yes", "--hook", "missing"]), @r#"
    ------- stderr -------
    verger: cannot run missing --version: start the program: No such file or directory (os error 2)
    hint: verger init --hook PATH uses another program
    ------- exit code 3 -------
    "#);
    household.environment.write_program(household.hook_program(), hook_script("0.0.9"));
    insta::assert_snapshot!(household.init(&[]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/built/verger-hook: it has version 0.0.9 and verger has 0.1.0
    hint: install verger and verger-hook of one version
    ------- exit code 3 -------
    "#);
    household.environment.write_program(household.hook_program(), "#!/bin/sh\necho other 1\n");
    insta::assert_snapshot!(household.init(&[]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/built/verger-hook: it is not verger-hook
    hint: verger init --hook PATH names its path
    ------- exit code 3 -------
    "#);
    assert!(!household.directory().exists());
}

#[test]
fn the_hook_program_beside_verger_is_taken() {
    let household = Household::new();
    let verger = household.hook_program().with_file_name("verger");
    fs::copy(env!("CARGO_BIN_EXE_verger"), &verger).unwrap();
    let programs = |output: &str| {
        let of_program = |line: &&str| line.contains("verger/bin/");
        let path = |line: &str| line.rsplit(' ').next().map(str::to_owned);
        output.lines().filter(of_program).filter_map(path).collect::<Vec<_>>()
    };
    let dry = household.environment.run(&verger, ["init", "--dry-run"], "").success().stdout;
    let output = household.environment.run(&verger, ["init", "--yes"], "").success().stdout;
    assert_eq!((programs(&dry).len(), programs(&dry)), (2, programs(&output)));
    assert_eq!(
        household.environment.read(household.data().join("bin/verger-hook")),
        hook_script("0.1.0")
    );
    let copy = household.data().join("bin/verger");
    assert!(fs::read(&copy).unwrap() == fs::read(&verger).unwrap(), "verger came with it");
    fs::remove_file(copy).unwrap();
    insta::assert_snapshot!(household.environment.run(&verger, ["init", "--dry-run"], ""), @"
    would write $ENV/home/.local/share/verger/bin/verger
    would write $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    ");
    fs::remove_file(household.hook_program()).unwrap();
    insta::assert_snapshot!(household.environment.run(&verger, ["init", "--yes"], ""), @r#"
    ------- stderr -------
    verger: cannot find verger-hook beside $ENV/built/verger
    hint: put both programs into one directory (in a checkout: cargo xtask dist)
    ------- exit code 3 -------
    "#);
}

#[test]
fn hooks_never_fail_while_the_program_is_replaced() {
    let household = Household::new();
    done(household.init(&[]));
    let installed = household.data().join("bin/verger-hook");
    let calls = "n=0; while [ ! -e done ]; do \"$1\" --version >>out 2>&1 || echo failed; n=$((n+1)); done; echo $n";
    let replace = |verger: &str| {
        format!(
            "i=0; while [ $i -lt 50 ]; do printf '#!/bin/sh\\n# %s\\necho verger-hook 0.1.0\\n' $i >next; \
             chmod +x next; '{verger}' init --yes --quiet --hook ./next >/dev/null || exit 1; i=$((i+1)); done; touch done"
        )
    };
    let script = format!("( {} ) & {}; wait", replace(env!("CARGO_BIN_EXE_verger")), calls);
    let output = household.environment.run(
        "sh",
        ["-c", script.as_str(), "sh", installed.to_str().unwrap()],
        "",
    );
    let calls: u32 = output.success().stdout.trim().parse().unwrap();
    assert!(calls > 50, "{calls}");
    let answers = household.environment.read("out");
    assert!(answers.lines().all(|line| line == "verger-hook 0.1.0"), "{answers}");
    assert_eq!(household.environment.read(&installed), "#!/bin/sh\n# 49\necho verger-hook 0.1.0\n");
}

#[test]
fn obstacles_of_hooks_are_reported() {
    let household = Household::new();
    household.environment.write(household.settings(), "{\"disableAllHooks\": true}\n");
    done(household.init(&["--project"]));
    insta::assert_snapshot!(household.init(&["--quiet", "--json"]), @r#"{"adds":[{"agent":"claude","parts":[{"context_tokens":0,"names":["SessionStart","SessionEnd","UserPromptSubmit","PreToolUse","PermissionRequest","PostToolUse","PostToolUseFailure","PostToolBatch","Stop","StopFailure","SubagentStart","SubagentStop","PreCompact","PostCompact","TaskCreated","TaskCompleted","Notification","ConfigChange"],"part":"hooks"},{"context_tokens":0,"names":["Bash(verger context:*)","Bash(verger decide:*)","Bash(verger guard explain:*)","Bash(verger learn search:*)","Bash(verger observe:*)","Bash(verger recall:*)","Bash(verger ref:*)","Bash(verger reflect:*)","Bash(verger review run:*)","Bash(verger status:*)","Bash(verger why:*)"],"part":"permissions"},{"context_tokens":299,"names":["verger:observe","verger:reflect","verger:review","verger:search","verger:skip","verger:verify"],"part":"skills"},{"context_tokens":0,"names":["/verger:maintain","/verger:status"],"part":"commands"},{"context_tokens":70,"names":["verger:reviewer"],"part":"subagent"}]}],"agents":["claude"],"changed":[{"created":true,"path":"$ENV/home/.claude/plugins/known_marketplaces.json"},{"created":false,"path":"$ENV/home/.claude/settings.json"}],"consent":[],"covered":[],"level":"user","program":{"copied":false,"path":"$ENV/home/.local/share/verger/bin/verger-hook","version":"0.1.0"},"trusted":[]}"#);
    fs::remove_dir_all(household.data()).unwrap();
    insta::assert_snapshot!(household.init(&[]), @"
    verger is registered with Claude Code for all your projects
      installed  $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ------- stderr -------
    verger: nothing will be recorded: $ENV/home/.claude/settings.json switches all hooks off (disableAllHooks)
    ");
}

#[test]
fn a_project_without_verger_is_none_of_our_business() {
    let household = Household::new();
    let broken = household.environment.write(household.local_settings(), "{ // mine\n}");
    done(household.init(&[]));
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(broken), "{ // mine\n}");
}

#[test]
fn the_launcher_takes_the_program_beside_it_before_any_other() {
    let mut household = Household::new();
    done(household.init(&[]));
    let environment = &household.environment;
    let root = environment.root().to_owned();
    let data = household.data();
    let launch = data.join("marketplace/plugin/hooks/launch");
    let elsewhere =
        environment.write_program(root.join("elsewhere/hooks/launch"), environment.read(&launch));
    let places = [
        root.join("set/data/bin/verger-hook"),
        root.join("xdg/verger/bin/verger-hook"),
        data.join("bin/verger-hook"),
        root.join("path/verger-hook"),
    ];
    for place in &places {
        environment.write_program(place, "#!/bin/sh\necho \"${0%/verger-hook} $*\"\n");
    }
    let called = |household: &Household, launch: &std::path::Path| {
        household.environment.run(launch, ["claude", "Stop"], "").success().stdout
    };
    household.environment.set("VERGER_HOME", root.join("set"));
    household.environment.set("XDG_DATA_HOME", root.join("xdg"));
    household.environment.find_programs_in(&root.join("path"));
    let beside =
        "$ENV/home/.local/share/verger/marketplace/plugin/hooks/../../../bin claude Stop\n";
    assert_eq!(called(&household, &launch), beside);
    assert_eq!(called(&household, &elsewhere), "$ENV/set/data/bin claude Stop\n");
    household.environment.unset("VERGER_HOME");
    assert_eq!(called(&household, &elsewhere), "$ENV/xdg/verger/bin claude Stop\n");
    household.environment.unset("XDG_DATA_HOME");
    assert_eq!(called(&household, &elsewhere), "$ENV/home/.local/share/verger/bin claude Stop\n");
    fs::remove_file(&places[2]).unwrap();
    assert_eq!(called(&household, &elsewhere), "$ENV/path claude Stop\n");
    fs::remove_file(&places[3]).unwrap();
    assert_eq!(called(&household, &elsewhere), "");
}

#[test]
fn hooks_of_one_project_are_not_written_where_they_would_stand_back() {
    let household = Household::new();
    done(household.init(&[]));
    let settings = household.environment.read(household.settings());
    household.environment.write(household.settings(), settings.replace("true", "false"));
    insta::assert_snapshot!(household.init(&["--local"]), @r#"
    ------- stderr -------
    verger: verger's plugin is installed and switched off
    hint: to switch it on: verger init; to use hooks of one project only: verger uninstall, then run this command again
    ------- exit code 2 -------
    "#);
    // Simulates a user who restores old settings by hand.
    fs::remove_file(household.settings()).unwrap();
    done(household.init(&["--local"]));
    assert!(!household.data().join("marketplace").exists());
}

#[test]
fn settings_that_are_no_file_are_named_and_not_waited_for() {
    let household = Household::new();
    fs::create_dir(household.directory()).unwrap();
    done(household.environment.run("mkfifo", [household.settings()], ""));
    insta::assert_snapshot!(household.init(&[]), @r#"
    ------- stderr -------
    verger: cannot read $ENV/home/.claude/settings.json: it is not a file
    hint: ls -ld $ENV/home/.claude/settings.json
    ------- exit code 3 -------
    "#);
    insta::assert_snapshot!(household.uninstall(&[]), @"
    nothing of verger was registered with Codex, Gemini CLI and Copilot CLI
    ------- stderr -------
    verger: Claude Code was left out: cannot read $ENV/home/.claude/settings.json: it is not a file; correct the file, then run verger uninstall again
    ------- exit code 1 -------
    ");
    assert!(!household.data().exists());
    fs::remove_file(household.settings()).unwrap();
    fs::create_dir(household.settings()).unwrap();
    insta::assert_snapshot!(household.init(&[]), @r#"
    ------- stderr -------
    verger: cannot read $ENV/home/.claude/settings.json: it is not a file
    hint: ls -ld $ENV/home/.claude/settings.json
    ------- exit code 3 -------
    "#);
}

#[test]
fn several_at_once_do_what_one_does() {
    let household = Household::new();
    let before = household.files();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| household.init(&[]))).collect();
        for one in all {
            done(one.join().unwrap());
        }
    });
    done(household.uninstall(&[]));
    assert_eq!(household.files(), before);
}

#[test]
fn an_older_plugin_gets_what_it_lacks_and_goes_whole() {
    let household = Household::new();
    let before = household.files();
    done(household.init(&[]));
    let (settings, files) = (fs::read(household.settings()).unwrap(), household.files());
    let plugin = household.data().join("marketplace/plugin");
    for folder in ["agents", "skills"] {
        fs::remove_dir_all(plugin.join(folder)).unwrap();
    }
    let hooks = plugin.join("hooks/hooks.json");
    let current = household.environment.read(&hooks);
    fs::write(&hooks, current.replace(",\n              \"plugin\"", "")).unwrap();
    assert_ne!(household.environment.read(&hooks), current);

    done(household.init(&[]));
    assert_eq!(household.files(), files);
    assert_eq!(household.environment.read(&hooks), current);
    assert_eq!(fs::read(household.settings()).unwrap(), settings);
    done(household.uninstall(&["--purge"]));
    assert_eq!(household.files(), before);
}

#[test]
fn agents_get_leave_for_their_own_commands_and_for_no_others() {
    let household = Household::new();
    let own = r#"{"permissions":{"allow":["Bash(make:*)"]}}"#;
    household.environment.write(household.settings(), own);
    done(household.init(&[]));
    let is_agents = |line: &&Authority| line.audience == Audience::Agent && line.flag.is_none();
    let commands = AUTHORITY.iter().filter(is_agents).map(|line| line.command);
    let entries = commands.map(|command| format!("Bash(verger {command}:*)"));
    let expected: Vec<_> = ["Bash(make:*)".to_owned()].into_iter().chain(entries).collect();
    for command in ["context", "decide"] {
        assert!(expected.contains(&format!("Bash(verger {command}:*)")), "{command}");
    }
    let settings = household.environment.read(household.settings());
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings["permissions"]["allow"], serde_json::json!(expected));
    assert!(!expected.iter().any(|entry| entry.contains("skip") || entry.contains("init")));
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(household.settings()), own);
}

#[test]
fn surprising_situations_are_reported() {
    let mut household = Household::new();
    done(household.init(&[]));
    let off = household.environment.read(household.settings()).replace("true", "false");
    household.environment.write(household.settings(), off);
    household.environment.set("PATH", "/usr/bin:/bin");
    insta::assert_snapshot!(household.init(&[]), @"
    verger is registered with Claude Code for all your projects
      changed    $ENV/home/.claude/settings.json
      current    $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    Next: start Claude Code (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ------- stderr -------
    verger: the plugin was switched off; it is on again
    verger: verger is not on the PATH: agents cannot run it (verger doctor)
    ");
}

#[test]
fn from_a_checkout_the_hook_program_is_built_first() {
    let mut household = Household::new();
    let root = household.environment.root().to_owned();
    let built = root.join("target/debug");
    fs::create_dir_all(&built).unwrap();
    let verger = built.join("verger");
    fs::copy(env!("CARGO_BIN_EXE_verger"), &verger).unwrap();
    let cargo = format!(
        "#!/bin/sh\necho \"$@\" > '{}'\ncp '{}' '{}'\n",
        root.join("asked").display(),
        household.hook_program().display(),
        built.display()
    );
    let cargo = household.environment.write_program(root.join("cargo"), cargo);
    household.environment.set("CARGO", cargo);
    household.environment.set("CARGO_MANIFEST_DIR", root.join("src/crates/cli"));
    let output = household.environment.run(verger, ["init", "--yes"], "").success();
    assert!(output.stdout.starts_with("Building the hook program first.\n"), "{output}");
    assert!(household.data().join("bin/verger-hook").exists());
    assert!(household.environment.read(root.join("asked")).contains("--package verger-hook"));
}

#[test]
fn a_part_is_left_out_until_init_runs_without_the_option() {
    let household = Household::new();
    let marketplace = household.environment.home().join(".local/share/verger/marketplace");
    let there = || {
        let has_permissions =
            household.environment.read(household.settings()).contains("Bash(verger");
        let plugin = marketplace.join("plugin");
        let has = |path: &str| plugin.join(path).exists();
        let skills = [has("skills/observe"), has("skills/status"), has("agents/reviewer.md")];
        (has_permissions, skills)
    };
    let everything = (true, [true, true, true]);
    done(household.init(&[]));
    assert_eq!(there(), everything);
    done(household.init(&["--without", "permissions,skills", "--without", "subagent"]));
    assert_eq!(there(), (false, [false, true, false]));
    // `doctor` does not report left-out parts as missing.
    let doctor = household.verger(&["doctor"]);
    assert!(!doctor.to_string().contains("skills/observe"), "{doctor}");
    done(household.init(&["--without", "commands"]));
    assert_eq!(there(), (true, [true, false, true]));
    done(household.init(&[]));
    assert_eq!(there(), everything);
    insta::assert_snapshot!(household.init(&["--without", "hooks"]), @"
    ------- stderr -------
    error: invalid value 'hooks' for '--without <PART>'
      [possible values: permissions, skills, commands, subagent]

    For more information, try '--help'.
    ------- exit code 2 -------
    ");
}

#[test]
fn where_no_ticket_system_is_found_a_person_is_asked_whether_agents_reflect() {
    const FOUND: &str = "No ticket system was found here";
    let household = Household::new();
    let config = household.environment.home().join(".config/verger/config.toml");
    let ask = |answer: Option<&str>| {
        let mut command = household.environment.command(env!("CARGO_BIN_EXE_verger"));
        command.arg("init").arg("--hook").arg(household.hook_program());
        let mut terminal = household.environment.start_on_terminal(command, TerminalSize::USUAL);
        if let Some(answer) = answer {
            terminal.wait_for("[y/N]");
            terminal.send(answer);
        }
        terminal.finish().success().stdout
    };
    assert!(
        ask(Some("\r"))
            .contains("not set; to set it later: verger config set tickets.session true")
    );
    assert!(!config.exists());
    let scripted = household.init(&[]).success().stdout;
    assert!(scripted.contains("verger config set tickets.session true"), "{scripted}");
    assert!(!config.exists());
    assert!(ask(Some("y\r")).contains(FOUND));
    assert_eq!(fs::read_to_string(&config).unwrap(), "[tickets]\nsession = true\n");
    assert!(!ask(None).contains(FOUND), "it was decided");
    fs::remove_file(&config).unwrap();
    fs::create_dir(household.environment.project().join(".beads")).unwrap();
    assert!(!ask(None).contains(FOUND), "there are tickets");
}
