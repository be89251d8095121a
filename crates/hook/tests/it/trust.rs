//! Tests that a trusted project file counts in full, but only while its content is unchanged.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;
use sha2::{Digest, Sha256};
use verger_event::hex;
use verger_testkit::changed;

use crate::scene::{Scene, key};

const CONFIG: &str = "[user]\nname = \"ann\"\n";
const UNTRUSTED: &str = "warning: config: $ENV/home/project/.verger/config.toml:2:1: \"user.name\" \
    is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it";

fn trust(scene: &Scene, file: &Path, content: &str) {
    let sha256 = hex(&Sha256::digest(content));
    let entry = json!({ "file": file, "sha256": sha256, "trusted_at_ms": 1 });
    write_list(scene, &json!({ "version": 1, "trusted": [entry] }).to_string());
}

fn write_list(scene: &Scene, text: &str) {
    scene.environment.write(scene.environment.verger_home().join("config/trust.json"), text);
}

/// Starts a session. Returns the user's name in its first record, and the warnings.
#[track_caller]
fn start(scene: &mut Scene, session: &str) -> (Option<String>, Vec<String>) {
    scene.settle();
    let cwd = scene.environment.project().display().to_string();
    let fields = [("cwd", json!(cwd)), ("session_id", json!(session))];
    scene.call("SessionStart", changed("SessionStart-startup", &fields));
    let user = scene.log().records(&key(session))[0].draft.origin.user.clone();
    let warnings = scene.news().into_iter().filter(|news| news.starts_with("warning: "));
    (user, warnings.collect())
}

#[test]
fn only_what_was_trusted_counts() {
    let mut scene = Scene::new();
    let file = scene.environment.write(".verger/config.toml", CONFIG);
    assert_eq!(start(&mut scene, "untrusted").1, [UNTRUSTED]);
    trust(&scene, &file, CONFIG);
    let (user, warnings) = start(&mut scene, "trusted");
    assert_eq!((user.as_deref(), warnings.len()), (Some("ann"), 1));
    scene.environment.write(".verger/config.toml", format!("{CONFIG}\n"));
    assert_eq!(start(&mut scene, "changed").1, [UNTRUSTED, UNTRUSTED]);
}

#[test]
fn the_same_file_elsewhere_is_not_trusted() {
    let mut scene = Scene::new();
    let file = scene.environment.write(".verger/config.toml", CONFIG);
    trust(&scene, &file.with_file_name("other.toml"), CONFIG);
    assert_eq!(start(&mut scene, "moved").1, [UNTRUSTED]);
}

#[test]
fn a_list_that_cannot_be_used_trusts_nobody_and_is_told() {
    let mut scene = Scene::new();
    let file = scene.environment.write(".verger/config.toml", CONFIG);
    write_list(&scene, "{\"version\": 1, \"trusted\": [\n");
    let told = "warning: config: $ENV/home/.verger/config/trust.json: ";
    let broken = format!(
        "{told}line 2 is not in the format that verger writes; no project is trusted\n{}",
        UNTRUSTED.strip_prefix("warning: config: ").unwrap()
    );
    assert_eq!(start(&mut scene, "broken").1, [broken.as_str()]);
    trust(&scene, &file, CONFIG);
    let list = scene.environment.verger_home().join("config/trust.json");
    fs::set_permissions(&list, fs::Permissions::from_mode(0o666)).unwrap();
    let (user, warnings) = start(&mut scene, "writable");
    assert_eq!((user.as_deref() == Some("ann"), warnings.len()), (false, 2));
    let shared = "other users may write to it (chmod 600 makes it private); no project is trusted";
    assert!(warnings[1].starts_with(&format!("{told}{shared}")), "{warnings:?}");
}

#[test]
fn a_list_that_nobody_asks_for_is_not_looked_at() {
    let mut scene = Scene::new();
    write_list(&scene, "broken");
    assert_eq!(start(&mut scene, "plain").1, Vec::<String>::new());
}
