//! Tests unreadable and wrong configuration files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use verger_testkit::changed;

use crate::scene::Scene;

fn user_file(scene: &Scene) -> PathBuf {
    scene.environment.verger_home().join("config/config.toml")
}

/// Starts a session with the current configuration. Returns the new records.
#[track_caller]
fn start(scene: &Scene) -> Vec<String> {
    let cwd = scene.environment.project().display().to_string();
    let start = changed("SessionStart-startup", &[("cwd", json!(cwd)), ("session_id", json!("s"))]);
    scene.call_within(Duration::from_millis(600), &["claude", "SessionStart"], start);
    scene.news()
}

#[test]
fn a_broken_file_is_warned_about_and_the_rest_of_it_counts() {
    let scene = Scene::new();
    let file = user_file(&scene);
    scene.environment.write(&file, "[record]\nrole = \"reviewer\"\nenabeld = false\n[[[\n");
    let news = start(&scene);
    assert_eq!(news[0], "session.started");
    assert!(news[1].starts_with("warning: config: "), "{news:?}");
    assert_eq!(news.len(), 2);
    let record = &scene.log().records(&crate::scene::key("s"))[0];
    assert_eq!(record.draft.origin.role.as_deref(), Some("reviewer"));
}

#[test]
fn bytes_that_are_no_text_are_warned_about() {
    let scene = Scene::new();
    scene.environment.write(user_file(&scene), b"\xff\xfe[record]\nenabled = false\n");
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
    assert_eq!(news[0], "session.started");
}

#[test]
fn a_huge_file_is_warned_about_and_not_read() {
    let scene = Scene::new();
    let huge = format!("[record]\nenabled = false\n{}", "# nothing\n".repeat(10_000_000));
    scene.environment.write(user_file(&scene), huge);
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
    assert_eq!(news[0], "session.started");
}

#[test]
fn a_directory_in_place_of_the_file_is_warned_about() {
    let scene = Scene::new();
    fs::create_dir_all(user_file(&scene)).unwrap();
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
    assert!(news[1].starts_with("warning: config: $ENV/home/.verger/config/config.toml: "));
}

#[test]
fn a_pipe_in_place_of_the_file_holds_nobody_up() {
    let scene = Scene::new();
    fs::create_dir_all(user_file(&scene).parent().unwrap()).unwrap();
    let made = scene.environment.run("mkfifo", [user_file(&scene)], "");
    assert_eq!(made.success().to_string(), "");
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
    assert!(news[1].starts_with("warning: config: $ENV/home/.verger/config/config.toml: "));
}

#[test]
fn a_device_in_place_of_the_file_holds_nobody_up() {
    let scene = Scene::new();
    fs::create_dir_all(user_file(&scene).parent().unwrap()).unwrap();
    symlink("/dev/zero", user_file(&scene)).unwrap();
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
}

#[test]
fn a_pipe_in_place_of_the_projects_file_holds_nobody_up() {
    let mut scene = Scene::new();
    let file = scene.environment.project().join(".verger/config.toml");
    fs::create_dir(file.parent().unwrap()).unwrap();
    let made = scene.environment.run("mkfifo", [&file], "");
    assert_eq!(made.success().to_string(), "");
    scene.settle();
    let news = start(&scene);
    assert_eq!(news.len(), 2, "{news:?}");
    assert!(news[1].starts_with("warning: config: "), "{news:?}");
}

#[test]
fn where_recording_is_off_nothing_is_recorded() {
    let scene = Scene::new();
    scene.environment.write(user_file(&scene), "[record]\nenabled = false\n");
    assert_eq!(start(&scene), Vec::<String>::new());
}

#[test]
fn a_project_cannot_switch_recording_off_by_itself() {
    let mut scene = Scene::new();
    scene.environment.write(".verger/config.toml", "[record]\nenabled = false\n");
    scene.settle();
    let news = start(&scene);
    assert_eq!(news.first().map(String::as_str), Some("session.started"), "{news:?}");
}
