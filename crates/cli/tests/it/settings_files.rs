//! Tests `init` and `uninstall` with realistic settings files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::household::{Household, done};

/// Text that simulates a user's later edit, inserted where verger should find it.
const FOREIGN: &str = ",\"foreign\":1";

/// Files with white space in their empty containers. Once filled, they look like files without that
/// white space.
const EMPTY_PLACES: &[&str] = &[
    "blank_lines.json",
    "bom_empty_object.json",
    "empty_containers_spaced.json",
    "empty_file.json",
    "empty_object.json",
    "empty_object_no_newline.json",
    "empty_object_spaced.json",
];

/// Files with empty containers where verger writes. Without a receipt, verger can't know that the
/// containers existed before.
const EMPTY_CONTAINERS: &[&str] = &[
    "empty_array_in_one_line_object.json",
    "empty_containers.json",
    "escaped_keys.json",
    "huge_numbers.json",
];

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/settings").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether the file contains entries of verger before the installation.
fn is_touched(name: &str) -> bool {
    name.starts_with("pasted") || name == "partly_installed.json"
}

#[test]
fn settings_are_what_they_were_after_init_and_uninstall() {
    let files = fixtures("");
    assert!(files.len() >= 30, "{}", files.len());
    let household = Household::new();
    for file in files {
        let (name, original) =
            (file.file_name().unwrap().to_str().unwrap(), fs::read(&file).unwrap());
        let settings = household.environment.write(household.settings(), &original);
        done(household.uninstall(&[]));
        let without = fs::read(&settings).unwrap();
        assert_eq!(without == original, !is_touched(name), "{name}");

        fs::write(&settings, &original).unwrap();
        done(household.init(&[]));
        let installed = fs::read(&settings).unwrap();
        assert_ne!(text(&installed), text(&original), "{name}");
        let again = household.init(&["--json"]).success();
        assert!(again.stdout.contains(r#""changed":[]"#), "{name}: {again}");
        assert_eq!(text(&fs::read(&settings).unwrap()), text(&installed), "{name}");
        done(household.uninstall(&[]));
        assert_eq!(text(&fs::read(&settings).unwrap()), text(&without), "{name}");
    }
}

#[test]
fn settings_lose_only_what_is_vergers_when_the_receipt_is_gone() {
    let household = Household::new();
    for file in fixtures("") {
        let (name, original) =
            (file.file_name().unwrap().to_str().unwrap(), fs::read(&file).unwrap());
        if is_touched(name) || EMPTY_PLACES.contains(&name) || EMPTY_CONTAINERS.contains(&name) {
            continue;
        }
        let settings = household.environment.write(household.settings(), &original);
        done(household.init(&[]));
        fs::remove_file(household.data().join("install.json")).unwrap();
        done(household.uninstall(&[]));
        assert_eq!(text(&fs::read(&settings).unwrap()), text(&original), "{name}");
    }
}

#[test]
fn later_edits_by_others_stay() {
    let household = Household::new();
    for file in fixtures("") {
        let (name, original) =
            (file.file_name().unwrap().to_str().unwrap(), fs::read(&file).unwrap());
        let settings = household.environment.write(household.settings(), &original);
        done(household.uninstall(&[]));
        let without = text(&fs::read(&settings).unwrap());
        fs::write(&settings, &original).unwrap();
        done(household.init(&[]));
        let mut edited = text(&fs::read(&settings).unwrap());
        edited.insert_str(edited.rfind('}').unwrap(), FOREIGN);
        fs::write(&settings, &edited).unwrap();
        let again = household.init(&["--json"]).success();
        assert!(again.stdout.contains(r#""changed":[]"#), "{name}: {again}");
        done(household.uninstall(&[]));
        let left = text(&fs::read(&settings).unwrap());
        assert_eq!(left.matches("\"foreign\":1").count(), 1, "{name}");
        if EMPTY_PLACES.contains(&name) {
            let left: Value = serde_json::from_str(left.trim_start_matches('\u{feff}')).unwrap();
            assert_eq!(left["foreign"], 1, "{name}");
        } else {
            assert_eq!(left.replace(FOREIGN, ""), without, "{name}");
        }
        fs::remove_file(&settings).unwrap();
        done(household.uninstall(&[]));
    }
}

#[test]
fn a_file_that_is_not_understood_is_named_and_left_alone() {
    let household = Household::new();
    let mut told = Vec::new();
    for file in fixtures("refused") {
        let original = fs::read(&file).unwrap();
        let settings = household.environment.write(household.settings(), &original);
        let before = household.files();
        let output = household.init(&[]);
        assert_eq!(output.code, 3, "{output}");
        assert_eq!(fs::read(&settings).unwrap(), original);
        assert_eq!(household.files(), before);
        let problem = output.stderr.lines().next().unwrap();
        let (_, problem) = problem.split_once("settings.json: ").unwrap();
        told.push(format!("{}: {problem}", file.file_stem().unwrap().to_str().unwrap()));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    array: line 1: the whole file is an array, but must be an object
    block_comment: it is not JSON: line 2, column 20: a comment, which JSON does not have
    cut_off: it is not JSON: line 4, column 0: EOF while parsing a list
    json5: it is not JSON: line 2, column 3: key must be a string
    line_comment: it is not JSON: line 2, column 3: a comment, which JSON does not have
    marketplaces_is_null: line 3: extraKnownMarketplaces is null, but must be an object
    merge_conflict: it is not JSON: line 2, column 1: key must be a string
    not_utf8: it is not text: byte 7 is not UTF-8
    plugins_is_a_list: line 2: enabledPlugins is an array, but must be an object
    raw_newline_in_string: it is not JSON: line 2, column 19: control character (\u0000-\u001F) found while parsing a string
    trailing_comma: it is not JSON: line 4, column 3: a comma before the end, which JSON does not have
    two_values: it is not JSON: line 2, column 1: trailing characters
    "#);
}

/// The file after `init`, and after `uninstall`.
fn installed(name: &str) -> String {
    let household = Household::new();
    let file = fixtures("").into_iter().find(|path| path.ends_with(name)).unwrap();
    household.environment.write(household.settings(), fs::read(file).unwrap());
    done(household.init(&[]));
    let with = household.environment.read(household.settings());
    done(household.uninstall(&[]));
    let without = household.environment.read(household.settings());
    household.environment.normalise(&format!("{with}--- after uninstall\n{without}"))
}

#[test]
fn hooks_of_earlier_versions_are_replaced_by_the_plugin() {
    insta::assert_snapshot!(installed("pasted_from_readme.json"), @r#"
    {
      "model": "opus",
      "extraKnownMarketplaces": {
        "verger": {
          "source": {
            "path": "$ENV/home/.local/share/verger/marketplace",
            "source": "directory"
          }
        }
      },
      "enabledPlugins": {
        "verger@verger": true
      },
      "permissions": {
        "allow": [
          "Bash(verger context:*)",
          "Bash(verger decide:*)",
          "Bash(verger guard explain:*)",
          "Bash(verger learn search:*)",
          "Bash(verger observe:*)",
          "Bash(verger recall:*)",
          "Bash(verger ref:*)",
          "Bash(verger reflect:*)",
          "Bash(verger review run:*)",
          "Bash(verger status:*)",
          "Bash(verger why:*)"
        ]
      }
    }
    --- after uninstall
    {
      "model": "opus"
    }
    "#);
    insta::assert_snapshot!(installed("pasted_twice_among_others.json"), @r#"
    {
      "hooks": {
        "Stop": [
          {"hooks": [
            {"type": "command", "command": "say done"}
          ]}
        ]
      },
      "extraKnownMarketplaces": {
        "verger": {
          "source": {
            "path": "$ENV/home/.local/share/verger/marketplace",
            "source": "directory"
          }
        }
      },
      "enabledPlugins": {
        "verger@verger": true
      },
      "permissions": {
        "allow": [
          "Bash(verger context:*)",
          "Bash(verger decide:*)",
          "Bash(verger guard explain:*)",
          "Bash(verger learn search:*)",
          "Bash(verger observe:*)",
          "Bash(verger recall:*)",
          "Bash(verger ref:*)",
          "Bash(verger reflect:*)",
          "Bash(verger review run:*)",
          "Bash(verger status:*)",
          "Bash(verger why:*)"
        ]
      }
    }
    --- after uninstall
    {
      "hooks": {
        "Stop": [
          {"hooks": [
            {"type": "command", "command": "say done"}
          ]}
        ]
      }
    }
    "#);
}

#[test]
fn a_half_installation_is_completed() {
    insta::assert_snapshot!(installed("partly_installed.json"), @r#"
    {
      "enabledPlugins": {
        "verger@verger": true,
        "other@acme": true
      },
      "permissions": {
        "allow": [
          "Bash(verger session trace:*)",
          "Bash(ls:*)",
          "Bash(verger context:*)",
          "Bash(verger decide:*)",
          "Bash(verger guard explain:*)",
          "Bash(verger learn search:*)",
          "Bash(verger observe:*)",
          "Bash(verger recall:*)",
          "Bash(verger ref:*)",
          "Bash(verger reflect:*)",
          "Bash(verger review run:*)",
          "Bash(verger status:*)",
          "Bash(verger why:*)"
        ]
      },
      "extraKnownMarketplaces": {
        "verger": {
          "source": {
            "path": "$ENV/home/.local/share/verger/marketplace",
            "source": "directory"
          }
        }
      }
    }
    --- after uninstall
    {
      "enabledPlugins": {
        "other@acme": true
      },
      "permissions": {
        "allow": [
          "Bash(verger session trace:*)",
          "Bash(ls:*)"
        ]
      }
    }
    "#);
}

#[test]
fn project_settings_are_what_they_were_too() {
    let household = Household::new();
    for (flag, settings) in
        [("--local", household.local_settings()), ("--project", household.project_settings())]
    {
        for file in fixtures("") {
            let name = file.file_name().unwrap().to_str().unwrap();
            let original = fs::read(&file).unwrap();
            household.environment.write(&settings, &original);
            let output = household.init(&[flag]);
            if name == "wrong_kind_elsewhere.json" {
                assert_eq!(output.code, 3, "{output}");
                assert_eq!(fs::read(&settings).unwrap(), original);
            } else {
                done(output);
                assert!(household.environment.read(&settings).contains("verger-hook"), "{name}");
            }
            done(household.uninstall(&["--project"]));
            if !is_touched(name) {
                assert_eq!(text(&fs::read(&settings).unwrap()), text(&original), "{flag} {name}");
            }
        }
        fs::remove_file(settings).unwrap();
    }
}
