//! Tests finding subagents that may have the reviewer's name, in the files that the agent's
//! program reads.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use verger_agent::by_name;
use verger_engine::{Environment, Namesake, find_namesake};
use verger_testkit::TestEnvironment;

const AGENT: &str = "---\nname: verger:reviewer\ndescription: x\n---\nAll is well.\n";
const OTHER: &str = "---\nname: reviewer\ndescription: x\n---\n";

struct Scene {
    environment: TestEnvironment,
    variables: Vec<(OsString, OsString)>,
}

impl Scene {
    fn new() -> Self {
        let environment = TestEnvironment::new();
        let variables = vec![("HOME".into(), environment.home().into())];
        Self { environment, variables }
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.push((name.into(), value.into()));
    }

    /// Searches from a directory inside the project.
    fn look(&self) -> Option<Namesake> {
        let variables: Environment = self.variables.iter().cloned().collect();
        let cwd = self.environment.project().join("a/b");
        find_namesake(by_name("claude").unwrap(), &variables, Some(&cwd))
    }

    #[track_caller]
    fn check_file(&self, path: impl AsRef<Path>) {
        let path: PathBuf = self.environment.write(path, AGENT);
        assert_eq!(self.look(), Some(Namesake::Agent(path.clone())));
        self.environment.write(path, OTHER);
        assert_eq!(self.look(), None);
    }
}

#[test]
fn an_agent_of_the_same_name_is_found_wherever_the_program_looks() {
    let mut scene = Scene::new();
    assert_eq!(scene.look(), None);
    scene.check_file(".claude/agents/x.md");
    scene.check_file(".claude/agents/deep/er/x.MD");
    scene.check_file("a/.claude/agents/x.md");
    scene.check_file("a/b/.claude/agents/x.md");
    scene.check_file(scene.environment.home().join(".claude/agents/x.md"));
    let own = scene.environment.root().join("own");
    scene.set("CLAUDE_CONFIG_DIR", own.clone());
    scene.check_file(own.join("agents/x.md"));
    let started = scene.environment.root().join("elsewhere/project");
    scene.set("CLAUDE_PROJECT_DIR", started.clone());
    scene.check_file(started.join(".claude/agents/x.md"));
    scene.environment.write(".claude/agents/x.txt", AGENT);
    scene.environment.write("agents/x.md", AGENT);
    assert_eq!(scene.look(), None);
}

#[test]
fn a_plugin_of_the_same_name_is_found_in_the_settings_that_turn_it_on() {
    let scene = Scene::new();
    let (user, project, local) = (
        scene.environment.home().join(".claude/settings.json"),
        scene.environment.project().join(".claude/settings.json"),
        scene.environment.project().join(".claude/settings.local.json"),
    );
    for path in [user, project, local] {
        let plugins = |plugins: &str| {
            scene.environment.write(&path, format!(r#"{{"enabledPlugins": {plugins}}}"#));
            scene.look()
        };
        assert_eq!(plugins(r#"{"verger@verger": true, "other@x": true}"#), None);
        assert_eq!(plugins(r#"{"verger@x": false}"#), None);
        assert_eq!(plugins("[1]"), None);
        let name = "verger@x".to_owned();
        let found = Namesake::Plugin { name, settings: path.clone() };
        assert_eq!(plugins(r#"{"verger@x": true}"#), Some(found));
        scene.environment.write(&path, "{ not JSON");
        assert_eq!(scene.look(), None);
    }
}

#[test]
fn too_many_files_count_as_a_namesake() {
    let scene = Scene::new();
    let folder = scene.environment.project().join(".claude/agents");
    for number in 0..1_001 {
        scene.environment.write(folder.join(format!("{number}.txt")), "");
    }
    assert_eq!(scene.look(), Some(Namesake::TooMany(folder.clone())));
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("again")).unwrap();
    assert!(matches!(scene.look(), Some(Namesake::TooMany(_))));
}
