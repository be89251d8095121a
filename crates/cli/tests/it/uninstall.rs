//! `verger uninstall`.

use std::fs;

use crate::household::{Household, done};
use crate::recorded::Recorded;

fn with_a_session(household: &Household) {
    let payload =
        r#"{"session_id":"s1","cwd":"/","hook_event_name":"SessionStart","source":"startup"}"#;
    let program = household.data().join("bin/verger-hook");
    let output = household.environment.run(program, ["claude", "SessionStart"], payload);
    assert_eq!(output.to_string(), "");
}

#[test]
fn a_fresh_home_is_empty_again() {
    let household = Household::new();
    let before = household.files();
    done(household.init(&[]));
    insta::assert_snapshot!(household.verger(&["uninstall", "--dry-run"]), @r#"
    would remove $ENV/home/.local/share/verger/marketplace
    would remove $ENV/home/.local/share/verger/bin
    would remove $ENV/home/.local/share/verger/install.json
    --- $ENV/home/.claude/settings.json
    +++ /dev/null
    @@ -1,28 +0,0 @@
    -{
    -  "extraKnownMarketplaces": {
    -    "verger": {
    -      "source": {
    -        "path": "$ENV/home/.local/share/verger/marketplace",
    -        "source": "directory"
    -      }
    -    }
    -  },
    -  "enabledPlugins": {
    -    "verger@verger": true
    -  },
    -  "permissions": {
    -    "allow": [
    -      "Bash(verger context:*)",
    -      "Bash(verger decide:*)",
    -      "Bash(verger guard explain:*)",
    -      "Bash(verger learn search:*)",
    -      "Bash(verger observe:*)",
    -      "Bash(verger recall:*)",
    -      "Bash(verger ref:*)",
    -      "Bash(verger reflect:*)",
    -      "Bash(verger review run:*)",
    -      "Bash(verger status:*)",
    -      "Bash(verger why:*)"
    -    ]
    -  }
    -}
    --- $ENV/home/.claude/plugins/known_marketplaces.json
    +++ /dev/null
    @@ -1,10 +0,0 @@
    -{
    -  "verger": {
    -    "installLocation": "$ENV/home/.local/share/verger/marketplace",
    -    "lastUpdated": "2026-11-15T18:39:21.000Z",
    -    "source": {
    -      "path": "$ENV/home/.local/share/verger/marketplace",
    -      "source": "directory"
    -    }
    -  }
    -}
    "#);
    insta::assert_snapshot!(household.uninstall(&[]), @r#"
    verger is no longer registered with Claude Code
      removed  $ENV/home/.claude/settings.json
      removed  $ENV/home/.claude/plugins/known_marketplaces.json
      removed  $ENV/home/.local/share/verger/marketplace
      removed  $ENV/home/.local/share/verger/bin
      removed  $ENV/home/.local/share/verger/install.json
    "#);
    assert_eq!(household.files(), before);
    insta::assert_snapshot!(household.uninstall(&[]), @"nothing of verger was registered with Claude Code, Codex, Gemini CLI and Copilot CLI");
    insta::assert_snapshot!(household.verger(&["uninstall", "--dry-run"]), @"nothing of verger is installed");
}

#[test]
fn recorded_data_stays_until_it_is_purged() {
    let household = Household::new();
    done(household.init(&[]));
    with_a_session(&household);
    done(household.verger(&["config", "set", "user.name", "ann", "--yes"]));
    insta::assert_snapshot!(household.uninstall(&[]), @r#"
    verger is no longer registered with Claude Code
      removed  $ENV/home/.claude/settings.json
      removed  $ENV/home/.claude/plugins/known_marketplaces.json
      removed  $ENV/home/.local/share/verger/marketplace
      removed  $ENV/home/.local/share/verger/bin
      removed  $ENV/home/.local/share/verger/install.json
    left: 1 recorded session in $ENV/home/.local/share/verger
          verger uninstall --purge --yes
    left: your settings of verger in $ENV/home/.config/verger
          rm -r $ENV/home/.config/verger
    ------- stderr -------
    verger: 1 session may still run: Claude Code will report a missing hook and continue
    "#);
    assert!(household.verger(&["session", "list"]).stdout.contains("s1"));
    let other = household.environment.write(household.data().join("mine.txt"), "");
    insta::assert_snapshot!(household.verger(&["uninstall", "--purge", "--dry-run"]), @r#"
    would remove $ENV/home/.local/share/verger/log
    would remove $ENV/home/.local/share/verger/index.db
    would remove $ENV/home/.local/share/verger/index.lock
    would remove $ENV/home/.local/share/verger/changed
    would remove $ENV/home/.config/verger/config.toml
    "#);
    insta::assert_snapshot!(household.uninstall(&["--purge"]), @"
    verger was not registered; its own files were removed
      removed  $ENV/home/.local/share/verger/log
      removed  $ENV/home/.local/share/verger/index.db
      removed  $ENV/home/.local/share/verger/index.lock
      removed  $ENV/home/.local/share/verger/changed
      removed  $ENV/home/.config/verger/config.toml
    left: files that are not verger's in $ENV/home/.local/share/verger
          ls -a $ENV/home/.local/share/verger
    ");
    assert_eq!(household.files().last().map(String::as_str), Some("project/README.md"));
    assert!(other.exists());
}

#[test]
fn programs_get_json() {
    let household = Household::new();
    done(household.init(&[]));
    with_a_session(&household);
    insta::assert_snapshot!(household.verger(&["uninstall", "--dry-run", "--json"]), @r#"{"undo_points":[],"would_change":[{"diff":"--- $ENV/home/.claude/settings.json\n+++ /dev/null\n@@ -1,28 +0,0 @@\n-{\n-  \"extraKnownMarketplaces\": {\n-    \"verger\": {\n-      \"source\": {\n-        \"path\": \"$ENV/home/.local/share/verger/marketplace\",\n-        \"source\": \"directory\"\n-      }\n-    }\n-  },\n-  \"enabledPlugins\": {\n-    \"verger@verger\": true\n-  },\n-  \"permissions\": {\n-    \"allow\": [\n-      \"Bash(verger context:*)\",\n-      \"Bash(verger decide:*)\",\n-      \"Bash(verger guard explain:*)\",\n-      \"Bash(verger learn search:*)\",\n-      \"Bash(verger observe:*)\",\n-      \"Bash(verger recall:*)\",\n-      \"Bash(verger ref:*)\",\n-      \"Bash(verger reflect:*)\",\n-      \"Bash(verger review run:*)\",\n-      \"Bash(verger status:*)\",\n-      \"Bash(verger why:*)\"\n-    ]\n-  }\n-}","path":"$ENV/home/.claude/settings.json"},{"diff":"--- $ENV/home/.claude/plugins/known_marketplaces.json\n+++ /dev/null\n@@ -1,10 +0,0 @@\n-{\n-  \"verger\": {\n-    \"installLocation\": \"$ENV/home/.local/share/verger/marketplace\",\n-    \"lastUpdated\": \"2026-11-15T18:39:21.000Z\",\n-    \"source\": {\n-      \"path\": \"$ENV/home/.local/share/verger/marketplace\",\n-      \"source\": \"directory\"\n-    }\n-  }\n-}","path":"$ENV/home/.claude/plugins/known_marketplaces.json"}],"would_remove":["$ENV/home/.local/share/verger/marketplace","$ENV/home/.local/share/verger/bin","$ENV/home/.local/share/verger/install.json"]}"#);
    insta::assert_snapshot!(household.uninstall(&["--json"]), @r#"{"changed":["$ENV/home/.claude/settings.json","$ENV/home/.claude/plugins/known_marketplaces.json"],"left":[{"remove":"verger uninstall --purge --yes","what":"1 recorded session in $ENV/home/.local/share/verger"}],"live_sessions":1,"removed":["$ENV/home/.local/share/verger/marketplace","$ENV/home/.local/share/verger/bin","$ENV/home/.local/share/verger/install.json"],"undo_points_removed":[]}"#);
    insta::assert_snapshot!(household.uninstall(&["--quiet"]), @"nothing of verger was registered with Claude Code, Codex, Gemini CLI and Copilot CLI");
}

#[test]
fn only_the_agents_data_about_the_plugin_is_removed() {
    let household = Household::new();
    done(household.init(&[]));
    let plugins = household.directory().join("plugins");
    let installed =
        r#"{"version":2,"plugins":{"a@b":[{"scope":"user"}],"verger@verger":[{"scope":"user"}]}}"#;
    let list = household.environment.write(plugins.join("installed_plugins.json"), installed);
    let cache = household.environment.write(plugins.join("cache/verger/verger/0.1.0/x"), "");
    let other = household.environment.write(plugins.join("cache/b/a/1/x"), "");
    done(household.uninstall(&[]));
    assert_eq!(
        household.environment.read(&list),
        r#"{"version":2,"plugins":{"a@b":[{"scope":"user"}]}}"#
    );
    assert!(!cache.exists() && other.exists());
    assert!(!plugins.join("cache/verger").exists());
    let only = r#"{"version":2,"plugins":{"verger@verger":[{"scope":"user"}]}}"#;
    fs::write(&list, only).unwrap();
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(&list), r#"{"version":2,"plugins":{}}"#);
}

#[test]
fn hooks_that_others_share_or_wrote_are_told_and_left() {
    let household = Household::new();
    done(household.init(&["--project"]));
    fs::remove_file(household.data().join("install.json")).unwrap();
    let own = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"verger-hook claude Stop | tee -a log"}]}]}}"#;
    household.environment.write(household.settings(), own);
    insta::assert_snapshot!(household.uninstall(&[]), @"
    verger was not registered; its own files were removed
      removed  $ENV/home/.local/share/verger/bin
    left: hooks in $ENV/home/project/.claude/settings.json, which this project shares
          verger uninstall --project
    left: a hook of your own in $ENV/home/.claude/settings.json: verger-hook claude Stop | tee -a log
          remove this hook by hand
    ");
    insta::assert_snapshot!(household.uninstall(&["--project"]), @r#"
    verger is no longer registered with Claude Code
      cleaned  $ENV/home/project/.claude/settings.json
    left: a hook of your own in $ENV/home/.claude/settings.json: verger-hook claude Stop | tee -a log
          remove this hook by hand
    "#);
    assert_eq!(household.environment.read(household.settings()), own);
    assert_eq!(household.environment.read(household.project_settings()), "{}\n");
}

#[test]
fn settings_that_a_project_shares_are_changed_only_on_request() {
    let household = Household::new();
    let before = household.files();
    done(household.init(&["--project"]));
    let written = household.environment.read(household.project_settings());
    insta::assert_snapshot!(household.uninstall(&[]), @"
    verger was not registered; its own files were removed
      removed  $ENV/home/.local/share/verger/bin
    left: hooks in $ENV/home/project/.claude/settings.json, which this project shares
          verger uninstall --project
    ");
    assert_eq!(household.environment.read(household.project_settings()), written);
    // The receipt stays as long as it is needed to restore the file.
    insta::assert_snapshot!(household.uninstall(&["--project"]), @r#"
    verger is no longer registered with Claude Code
      removed  $ENV/home/project/.claude/settings.json
      removed  $ENV/home/.local/share/verger/install.json
    "#);
    assert_eq!(household.files(), before);
}

#[test]
fn a_file_that_broke_after_init_is_named_and_nothing_is_changed() {
    let household = Household::new();
    done(household.init(&[]));
    let broken = household.environment.read(household.settings()) + "// mine\n";
    household.environment.write(household.settings(), &broken);
    let before = household.files();
    insta::assert_snapshot!(household.uninstall(&[]), @"
    nothing of verger was registered with Codex, Gemini CLI and Copilot CLI
    ------- stderr -------
    verger: Claude Code was left out: cannot use $ENV/home/.claude/settings.json: it is not JSON: line 29, column 1: a comment, which JSON does not have; correct the file, then run verger uninstall again
    ------- exit code 1 -------
    ");
    assert_eq!(
        (household.files(), household.environment.read(household.settings())),
        (before, broken)
    );
}

#[test]
fn permissions_that_the_user_wrote_stay() {
    let household = Household::new();
    let own =
        r#"{"permissions":{"allow":["Bash(verger session trace:*)","Bash(verger status:*)"]}}"#;
    household.environment.write(household.settings(), own);
    done(household.init(&[]));
    assert!(
        household.environment.read(household.settings()).contains("Bash(verger session trace:*)")
    );
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(household.settings()), own);
    done(household.init(&[]));
    let edited = household.environment.read(household.settings()).replace('}', "}\n");
    household.environment.write(household.settings(), edited);
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(household.settings()), own.replace('}', "}\n"));
}

#[test]
fn every_directory_of_the_agent_that_init_wrote_into_is_cleaned() {
    let mut household = Household::new();
    let profiles = ["work", "home"].map(|name| household.environment.root().join(name));
    for profile in &profiles {
        household.environment.set("CLAUDE_CONFIG_DIR", profile.to_str().unwrap());
        done(household.init(&[]));
    }
    let [work, _] = &profiles;
    // The agent changes the times in its list, as it does when it runs.
    let known = work.join("plugins/known_marketplaces.json");
    let touched = household.environment.read(&known).replace("2026-", "2027-");
    household.environment.write(&known, touched);
    household
        .environment
        .write(work.join("plugins/installed_plugins.json"), r#"{"plugins":{"verger@verger":[]}}"#);
    household.environment.write(work.join("plugins/cache/verger/x"), "");
    done(household.uninstall(&[]));
    assert!(!known.exists() && !work.join("plugins/cache/verger").exists());
    assert_eq!(
        household.environment.read(work.join("plugins/installed_plugins.json")),
        r#"{"plugins":{}}"#
    );
}

#[test]
fn where_nothing_was_recorded_nothing_is_left() {
    let household = Household::new();
    let before = household.files();
    done(household.init(&[]));
    drop(household.verger(&["doctor"]));
    done(household.verger(&["session", "list"]));
    assert!(household.data().join("index.lock").exists());
    done(household.uninstall(&[]));
    assert_eq!(household.files(), before);
}

#[test]
fn a_log_that_cannot_be_read_does_not_keep_verger_registered() {
    let household = Household::new();
    done(household.init(&[]));
    fs::remove_dir_all(household.data()).unwrap();
    household.environment.write(household.data(), "mine");
    insta::assert_snapshot!(household.uninstall(&[]), @r#"
    verger is no longer registered with Claude Code
      cleaned  $ENV/home/.claude/settings.json
      cleaned  $ENV/home/.claude/plugins/known_marketplaces.json
    left: files that are not verger's in $ENV/home/.local/share/verger
          ls -a $ENV/home/.local/share/verger
    ------- stderr -------
    verger: the log cannot be read: cannot use $ENV/home/.local/share/verger: it is not a directory
    "#);
    assert_eq!(household.environment.read(household.data()), "mine");
}

/// A home whose only undo point is in the project's repository.
fn with_an_undo_point() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.environment.write(recorded.environment.project().join("a.txt"), "mine");
    recorded.answered("1111", "SessionStart", r#""source":"startup""#);
    let call = r#""tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"rm -rf *"}"#;
    recorded.answered("1111", "PreToolUse", call);
    assert_eq!(points(&recorded), 1);
    recorded
}

fn points(recorded: &Recorded) -> usize {
    let listed = recorded.verger(&["undo", "list", "--json"]).stdout;
    listed.matches("\"kept_at\"").count().max(listed.matches("refs/verger/undo/").count())
}

#[test]
fn undo_points_are_listed_and_stay_unless_that_is_said() {
    let recorded = with_an_undo_point();
    let dry = recorded.verger(&["uninstall", "--purge", "--dry-run"]).stdout;
    let last = |output: &str| output.lines().last().map(str::to_owned);
    insta::assert_snapshot!(last(&dry).unwrap(), @"would leave 1 undo point in $ENV/home/project (refs/verger/undo/)");
    let purged = recorded.verger(&["uninstall", "--purge", "--yes"]).success().stdout;
    assert!(purged.contains("left: 1 undo point in "), "{purged}");
    assert!(
        purged.contains("for-each-ref --format='delete %(refname)' refs/verger/undo"),
        "{purged}"
    );
    assert!(!recorded.environment.verger_home().join("data").exists());
    assert_eq!(points(&recorded), 1);

    let recorded = with_an_undo_point();
    let arguments = ["uninstall", "--purge", "--purge-undo-points", "--yes"];
    let purged = recorded.verger(&arguments).success().stdout;
    assert!(purged.contains("  removed  1 undo point in "), "{purged}");
    assert!(!purged.contains("left: "), "{purged}");
    assert_eq!(points(&recorded), 0);
    assert!(!recorded.environment.project().join(".git/verger").exists());
}
