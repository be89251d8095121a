//! Tests of finding a project's configuration file.

use std::os::unix::fs::symlink;
use std::path::Path;

use verger_worktree::Surroundings;

use crate::Ground;

/// Asserts the result of the search from `cwd`: the file's path relative to the test's directory,
/// or the error.
#[track_caller]
fn check(ground: &Ground, cwd: &str, expected: Result<Option<&str>, &str>) {
    let base = ground.at("");
    let inside = |text: String| text.replace(&base.display().to_string(), "");
    let found = Surroundings::of(Some(&ground.at(cwd)), Some(&ground.at("home")))
        .project_config()
        .map(|path| path.map(|path| inside(path.display().to_string())))
        .map_err(|refused| inside(refused.to_string()));
    assert_eq!(found.as_ref().map(Option::as_deref).map_err(String::as_str), expected, "{cwd}");
}

#[test]
fn the_nearest_ground_decides() {
    let ground = Ground::new();
    ground.write("home/project/.verger/config.toml", "");
    ground.make_directory("home/project/src/deep");
    ground.make_directory("home/project/part/.verger");
    ground.make_directory("home/project/part/src");
    ground.write("home/project/odd/.verger", "a file");
    let config = Some("home/project/.verger/config.toml");
    for (cwd, expected) in [
        ("home/project", config),
        ("home/project/src/deep", config),
        ("home/project/odd", config),
        ("home/project/part/src", None),
        ("home", None),
        ("no/such/directory", None),
    ] {
        check(&ground, cwd, Ok(expected));
    }
}

#[test]
fn the_walk_ends_at_a_repository_and_at_home() {
    let ground = Ground::new();
    ground.write(".verger/config.toml", "");
    ground.write("home/.verger/config.toml", "");
    ground.make_directory("home/plain");
    ground.make_directory("home/repository/.git");
    ground.make_directory("home/repository/src");
    ground.write("home/linked/.git", "gitdir: elsewhere\n");
    ground.make_directory("beside-home");
    ground.write("own/.verger/config.toml", "");
    ground.make_directory("own/.git");
    for (cwd, expected) in [
        ("home/plain", Some("home/.verger/config.toml")),
        ("home/repository/src", None),
        ("home/linked", None),
        ("beside-home", None),
        ("own", Some("own/.verger/config.toml")),
    ] {
        check(&ground, cwd, Ok(expected));
    }
    let home = ground.at("home");
    std::fs::remove_dir_all(home.join(".verger")).unwrap();
    check(&ground, "home/plain", Ok(None));
}

#[test]
fn the_walk_is_bounded() {
    let ground = Ground::new();
    ground.write("home/.verger/config.toml", "");
    let reachable = Path::new("home").join("d/".repeat(63));
    ground.make_directory(&reachable);
    ground.make_directory(reachable.join("d"));
    check(&ground, reachable.to_str().unwrap(), Ok(Some("home/.verger/config.toml")));
    check(&ground, reachable.join("d").to_str().unwrap(), Ok(None));
}

#[test]
fn a_symbolic_link_is_refused_and_told() {
    let ground = Ground::new();
    ground.write("home/real/config.toml", "");
    ground.make_directory("home/one");
    symlink(ground.at("home/real"), ground.at("home/one/.verger")).unwrap();
    ground.make_directory("home/two/.verger");
    symlink(ground.at("home/real/config.toml"), ground.at("home/two/.verger/config.toml")).unwrap();
    ground.make_directory("home/three/.verger/config.toml");
    for (cwd, refused) in [
        ("home/one", "home/one/.verger is a symbolic link and is not followed"),
        ("home/two", "home/two/.verger/config.toml is a symbolic link and is not followed"),
        ("home/three", "home/three/.verger/config.toml is not a file"),
    ] {
        check(&ground, cwd, Err(refused));
    }
}
