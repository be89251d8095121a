//! Tests of which directories belong to one project.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use verger_worktree::{CreateError, Git, IdBasis, Vcs, create_repository, project_facts};

use crate::{Ground, PATIENCE};

#[test]
fn clones_and_worktrees_share_the_id() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.run("origin", &["commit", "--quiet", "--allow-empty", "--message", "second"]);
    ground.run("", &["clone", "--quiet", "origin", "clone"]);
    ground.run("origin", &["worktree", "add", "--quiet", "../linked", "-b", "other"]);
    ground.run("", &["clone", "--quiet", "origin", "detached"]);
    ground.run("detached", &["checkout", "--quiet", "--detach", "HEAD~1"]);
    ground.make_directory("clone/src/deep");

    let origin = ground.facts("origin");
    assert_eq!(origin.basis, IdBasis::FirstCommit);
    assert_eq!(origin.id.as_str().len(), 32);
    assert_eq!(origin.root, ground.at("origin"));
    assert_eq!(origin.vcs, Vcs::Git { top_level: ground.at("origin") });
    for copy in ["clone", "linked", "detached", "clone/src/deep"] {
        let facts = ground.facts(copy);
        assert_eq!((facts.id, facts.basis), (origin.id.clone(), origin.basis), "{copy}");
        let top_level = ground.at(Path::new(copy).iter().next().unwrap());
        assert_eq!((facts.root, facts.vcs), (top_level.clone(), Vcs::Git { top_level }), "{copy}");
    }
}

#[test]
fn another_repository_is_another_project() {
    let ground = Ground::new();
    ground.repository("one");
    ground.repository("other");
    assert_ne!(ground.facts("one").id, ground.facts("other").id);
}

#[test]
fn a_directory_with_its_own_ground_is_a_project_of_its_own() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.write("origin/part/.verger/config.toml", "");
    ground.make_directory("origin/part/src");
    ground.run("origin", &["add", "part"]);
    ground.run("origin", &["commit", "--quiet", "--message", "part"]);
    ground.run("", &["clone", "--quiet", "origin", "clone"]);

    let part = ground.facts("origin/part/src");
    assert_eq!(part.root, ground.at("origin/part"));
    assert_eq!(part.vcs, Vcs::Git { top_level: ground.at("origin") });
    assert_ne!(part.id, ground.facts("origin").id);
    assert_eq!(part.id, ground.facts("clone/part").id);
}

#[test]
fn ground_above_the_repository_is_not_the_projects() {
    let ground = Ground::new();
    ground.repository("outer/inner");
    ground.make_directory("outer/.verger");
    assert_eq!(ground.facts("outer/inner").root, ground.at("outer/inner"));
}

#[test]
fn of_several_first_commits_the_oldest_counts() {
    let ground = Ground::new();
    ground.repository("origin");
    let before = ground.facts("origin");
    for (date, branch) in [("2005-01-01T00:00:00Z", "newer"), ("2001-01-01T00:00:00Z", "as-old")] {
        ground.run("origin", &["checkout", "--quiet", "--orphan", branch]);
        ground.run_on(date, "origin", &["commit", "--quiet", "--allow-empty", "--message", branch]);
        ground.run("origin", &["checkout", "--quiet", "main"]);
    }
    let join = ["merge", "--quiet", "--allow-unrelated-histories", "--message", "join"];
    ground.run("origin", &[&join[..], &["newer"]].concat());
    assert_eq!(ground.facts("origin"), before);

    ground.run("origin", &[&join[..], &["as-old"]].concat());
    ground.run("", &["clone", "--quiet", "origin", "clone"]);
    ground.run("clone", &["checkout", "--quiet", "-b", "elsewhere"]);
    ground.run("clone", &["repack", "-adq"]);
    assert_eq!(ground.facts("clone").id, ground.facts("origin").id);
    assert_eq!(ground.facts("clone").basis, IdBasis::FirstCommit);
}

#[test]
fn local_replacements_do_not_change_the_id() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.run("origin", &["commit", "--quiet", "--allow-empty", "--message", "second"]);
    let before = ground.facts("origin");
    ground.run("origin", &["replace", "--graft", "HEAD"]);
    assert_eq!(ground.facts("origin"), before);
}

#[test]
fn a_submodule_is_a_project_of_its_own() {
    let ground = Ground::new();
    ground.repository("library");
    ground.repository("program");
    ground.run("program", &["submodule", "--quiet", "add", "../library", "library"]);
    let inside = ground.facts("program/library");
    assert_eq!(inside.id, ground.facts("library").id);
    assert_eq!(inside.root, ground.at("program/library"));
    assert_ne!(inside.id, ground.facts("program").id);
}

#[test]
fn any_name_of_a_directory_will_do() {
    let ground = Ground::new();
    ground.repository("origin");
    let expected = ground.facts("origin").id;
    for name in [&b"a\nb"[..], b"a\n", b"\xff\xfe", b" ", b"-C", b"--help", b"$(id)"] {
        let name = OsStr::from_bytes(name);
        let clone = ground.at(name);
        ground.run("", &["clone", "--quiet", "origin", "clone"]);
        // Some file systems accept only names in Unicode, so the rename may fail.
        if std::fs::rename(ground.at("clone"), &clone).is_err() {
            std::fs::remove_dir_all(ground.at("clone")).unwrap();
            continue;
        }
        let facts = ground.facts(&clone);
        assert_eq!((facts.id, facts.root), (expected.clone(), clone), "{name:?}");
    }
}

#[test]
fn a_symbolic_link_to_a_project_is_the_project() {
    let ground = Ground::new();
    ground.repository("origin");
    std::os::unix::fs::symlink(ground.at("origin"), ground.at("link")).unwrap();
    assert_eq!(ground.facts("link"), ground.facts("origin"));
}

#[test]
fn variables_that_steer_git_are_not_passed_on() {
    let ground = Ground::new();
    ground.repository("origin");
    ground.repository("other");
    let mut environment = ground.environment();
    for (name, value) in [
        ("GIT_DIR", ground.at("other/.git")),
        ("GIT_WORK_TREE", ground.at("other")),
        ("GIT_INDEX_FILE", ground.at("other/.git/index")),
        ("GIT_CEILING_DIRECTORIES", ground.at("origin")),
    ] {
        environment.push((name.into(), value.into()));
    }
    let git = Git::new("git", environment, PATIENCE);
    assert_eq!(project_facts(&ground.at("origin"), &git), ground.facts("origin"));
}

#[test]
fn programs_that_a_repository_names_are_not_run() {
    let ground = Ground::new();
    ground.repository("origin");
    let witness = ground.at("witness");
    let command = format!("touch '{}'", witness.display());
    for setting in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "gpg.program",
        "core.editor",
        "credential.helper",
    ] {
        ground.run("origin", &["config", setting, &command]);
    }
    ground.run("origin", &["config", "log.showSignature", "true"]);
    assert_eq!(ground.facts("origin").basis, IdBasis::FirstCommit);
    assert!(!witness.exists());
}

#[test]
fn a_repository_is_made_without_anybodys_identity() {
    let ground = Ground::new();
    ground.write("made/a.txt", "a");
    create_repository(&ground.at("made"), &ground.git()).unwrap();
    assert_eq!(ground.facts("made").basis, IdBasis::FirstCommit);
    let missing = Git::new("no-such-git", ground.environment(), PATIENCE);
    let error = create_repository(&ground.make_directory("other"), &missing).unwrap_err();
    assert_eq!(error.to_string(), "run git");
    let refusing = ground.fake_git("crash", PATIENCE);
    let error = create_repository(&ground.at("other"), &refusing).unwrap_err();
    assert!(matches!(error, CreateError::Refused { .. }), "{error:?}");
}
