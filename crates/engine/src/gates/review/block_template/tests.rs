//! Tests of users' templates, and of the messages for templates that can't be used.

use std::fs;
use std::os::unix::fs::symlink;

use verger_config::{Layers, Source, resolve};
use verger_testkit::TestEnvironment;

use super::*;

struct Scene {
    environment: TestEnvironment,
    home: Home,
}

impl Scene {
    fn new() -> Self {
        let environment = TestEnvironment::new();
        let config = environment.verger_home().join("config");
        fs::create_dir_all(config.join("templates")).unwrap();
        let data = environment.verger_home().join("data");
        Self { environment, home: Home { data, config } }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.home.config.join(format!("templates/block-{id}.md"))
    }

    fn write(&self, id: &str, text: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(id), text).unwrap();
        self.path(id)
    }

    fn chosen(&self, config: &str, attempt: u32) -> ChosenTemplate {
        block_template(&self.home, &review(config), "task", attempt)
    }

    /// The id of the template that is used for a pinned id, and the problem.
    fn pinned(&self, id: &str) -> String {
        let ChosenTemplate { template, problem } =
            self.chosen(&format!("review.template = '{id}'"), 1);
        format!("{}: {}", template.id, self.neutral(&problem.unwrap_or_default()))
    }

    fn neutral(&self, text: &str) -> String {
        text.replace(self.home.config.to_str().unwrap(), "$CONFIG")
    }
}

fn review(config: &str) -> ReviewSettings {
    let user = Some(Source { file: "config.toml", bytes: config.as_bytes() });
    let (settings, problems) = resolve(&Layers { user, ..Layers::default() });
    assert_eq!(problems, vec![]);
    settings.review
}

#[test]
fn a_file_of_the_users_counts_and_may_replace_a_built_in_one() {
    let scene = Scene::new();
    assert_eq!(scene.pinned("default"), "default: ");
    assert_eq!(scene.pinned("short"), "short: ");
    let linked = scene.environment.write("mine.md", "{{session_id}}");
    symlink(linked, scene.path("mine")).unwrap();
    scene.write("short", "mine too");
    for (id, text) in [("mine", "{{session_id}}"), ("short", "mine too")] {
        let template = Template { id: id.into(), text: text.into() };
        let chosen = scene.chosen(&format!("review.template = '{id}'"), 1);
        assert_eq!(chosen, ChosenTemplate { template, problem: None });
    }
}

#[test]
fn unusable_templates_are_reported_and_replaced_by_a_built_in_one() {
    let scene = Scene::new();
    scene.write("large", "x".repeat(MAX_TEMPLATE_BYTES + 1));
    scene.write("binary", b"\xff");
    scene.write("empty", " \n");
    scene.write("unknown", "{{session_id}} {{sesion}} {{x}}");
    fs::create_dir(scene.path("directory")).unwrap();
    let pipe = scene.environment.root().join("pipe");
    assert_eq!(scene.environment.run("mkfifo", [&pipe], "").code, 0);
    symlink(pipe, scene.path("pipe")).unwrap();
    symlink("block-loop.md", scene.path("loop")).unwrap();
    let ids = ["gone", "large", "binary", "empty", "unknown", "directory", "pipe", "loop"];
    let told: Vec<_> = ids.iter().map(|id| format!("{id} -> {}", scene.pinned(id))).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    gone -> default: $CONFIG/templates/block-gone.md: there is no such template; the built-in template is used instead
    large -> default: $CONFIG/templates/block-large.md: it is larger than 16 KiB; the built-in template is used instead
    binary -> default: $CONFIG/templates/block-binary.md: it is not UTF-8; the built-in template is used instead
    empty -> default: $CONFIG/templates/block-empty.md: it is empty; the built-in template is used instead
    unknown -> unknown: $CONFIG/templates/block-unknown.md: {{sesion}} is no known placeholder and stays as it is
    directory -> default: $CONFIG/templates/block-directory.md: it is not a file; the built-in template is used instead
    pipe -> default: $CONFIG/templates/block-pipe.md: it is not a file; the built-in template is used instead
    loop -> default: $CONFIG/templates/block-loop.md: Too many levels of symbolic links (os error 40); the built-in template is used instead
    "#);
}

#[test]
fn templates_are_drawn_among_the_built_in_ones_and_the_users() {
    let scene = Scene::new();
    scene.write("mine", "mine");
    scene.write("off", "off");
    fs::write(scene.home.config.join("templates/README.md"), "no template").unwrap();
    let config = "review.template = 'random'\nreview.template_weights = { off = 0, mine = 2 }\n";
    let drawn = |seed: &str| -> Vec<String> {
        let config = format!("{config}{seed}");
        (1..=8).map(|attempt| scene.chosen(&config, attempt).template.id).collect()
    };
    let (without, with) = (drawn(""), drawn("review.template_seed = 1"));
    insta::assert_snapshot!(format!("{}\n{}", without.join(" "), with.join(" ")), @r#"
    short mine default mine default default mine mine
    default short mine mine short mine default default
    "#);
    assert_eq!(drawn(""), without);

    let none = "review.template = 'random'\nreview.template_weights = { default = 0, short = 0, mine = 0, off = 0 }\n";
    let ChosenTemplate { template, problem } = scene.chosen(none, 1);
    insta::assert_snapshot!(format!("{}: {}", template.id, problem.unwrap()), @"default: review.template_weights gives every template the weight 0; the built-in template is used instead");
}

#[test]
fn a_directory_that_cannot_be_listed_leaves_the_built_in_templates() {
    let scene = Scene::new();
    let folder = scene.home.config.join("templates");
    fs::remove_dir(&folder).unwrap();
    let random = "review.template = 'random'";
    assert_eq!(scene.chosen(random, 1).problem, None);
    fs::write(folder, "no directory").unwrap();
    let ChosenTemplate { template, problem } = scene.chosen(random, 1);
    assert!(Template::all_built_in().any(|built_in| built_in == template));
    insta::assert_snapshot!(scene.neutral(&problem.unwrap()), @"$CONFIG/templates: Not a directory (os error 20); only built-in templates are used");
}

#[test]
fn every_template_that_may_be_drawn_is_checked() {
    let scene = Scene::new();
    scene.write("bad", b"\xff");
    scene.write("off", b"\xff");
    scene.write("fine", "fine");
    let problems =
        |config: &str| scene.neutral(&template_problems(&scene.home, &review(config)).join("\n"));
    assert_eq!(problems(""), "");
    let random = "review.template = 'random'\nreview.template_weights = { off = 0 }";
    insta::assert_snapshot!(problems(random), @"$CONFIG/templates/block-bad.md: it is not UTF-8; the built-in template is used instead");
    insta::assert_snapshot!(problems("review.template = 'off'"), @"$CONFIG/templates/block-off.md: it is not UTF-8; the built-in template is used instead");
}
