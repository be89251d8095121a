//! Tests of the Markdown backend, with the project's file and the person's own file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use verger_library::{
    Backend, BackendKind, FileError, Ground, Health, Mark, Markdown, Source, SourceState,
};
use verger_memory::{Learning, Scope};
use verger_testkit::TestEnvironment;

use crate::ground::{all, file, ground, learning, whole};

const GOLDEN: &str = include_str!("../golden/learnings.md");

#[test]
fn the_first_learning_makes_the_file_and_lets_git_merge_it() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    let markdown = Markdown::of_project(&ground);
    assert_eq!(markdown.health().unwrap(), Health::New);
    assert!(markdown.read(&[]).is_empty());
    assert!(!environment.project().join(".verger").exists(), "reading makes nothing");

    let learnings = [learning(1, "Text.\n\n---\n## 見出し\n"), learning(2, "```\nopen fence")];
    markdown.append(&learnings[..1]).unwrap();
    markdown.append(&learnings[1..]).unwrap();
    assert_eq!(fs::read_to_string(file(&environment)).unwrap(), GOLDEN);
    assert_eq!(
        environment.read(".verger/.gitattributes"),
        "learnings.md merge=union\nstats.log merge=union\n"
    );
    assert_eq!(all(&markdown), learnings);
    assert_eq!(markdown.health().unwrap(), Health::Ready);
    assert_eq!(markdown.kind(), BackendKind::Markdown);
    assert_eq!(markdown.location(), file(&environment));

    let mut names: Vec<_> = fs::read_dir(environment.project().join(".verger"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, [".gitattributes", "learnings.md"], "the lock is elsewhere");
}

#[test]
fn attributes_of_the_users_are_left_alone() {
    let environment = TestEnvironment::new();
    environment.write(".verger/.gitattributes", "* text=auto\n");
    let markdown = Markdown::of_project(&ground(&environment));
    markdown.append(&[learning(1, "Text.")]).unwrap();
    assert_eq!(environment.read(".verger/.gitattributes"), "* text=auto\n");
    assert_eq!(markdown.health().unwrap(), Health::NoMergeAttribute);
}

#[test]
fn a_last_line_without_its_newline_is_healed() {
    let environment = TestEnvironment::new();
    environment.write(".verger/learnings.md", "# Ours\n\nsome prose");
    let markdown = Markdown::of_project(&ground(&environment));
    let learnings = [learning(1, "Text.")];
    markdown.append(&learnings).unwrap();
    assert!(environment.read(".verger/learnings.md").starts_with("# Ours\n\nsome prose\n\n## "));
    assert_eq!(all(&markdown), learnings);
}

#[test]
fn the_persons_file_is_in_the_data_directory() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    let personal = Markdown::personal(&ground);
    // Creates the data directory, which the log usually creates.
    fs::create_dir_all(&ground.data).unwrap();
    fs::set_permissions(&ground.data, fs::Permissions::from_mode(0o700)).unwrap();
    let of_scope = |scope| Learning { scope, ..learning(1, "Mine.") };
    personal.append(&[of_scope(Scope::Project)]).unwrap();
    assert_eq!(all(&personal), [of_scope(Scope::Personal)], "whatever it says");
    assert_eq!(personal.location(), ground.data.join("personal-learnings.md"));
    assert_eq!(personal.health().unwrap(), Health::Ready);
    assert!(!ground.data.join(".gitattributes").exists());
    assert!(!environment.project().join(".verger").exists());
}

#[test]
fn a_link_out_of_the_project_is_refused() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    let elsewhere = environment.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("learnings.md"), "").unwrap();
    let refused = |markdown: &Markdown| {
        let appended = markdown.append(&[learning(1, "Text.")]).unwrap_err();
        let [Source { state: SourceState::Unreadable(read), .. }] = &markdown.read(&[])[..] else {
            panic!("it was read")
        };
        (environment.normalise(&appended.to_string()), environment.normalise(&read.to_string()))
    };

    symlink(&elsewhere, environment.project().join(".verger")).unwrap();
    let says = "use $ENV/home/project/.verger/learnings.md: a link leads out of $ENV/home/project";
    assert_eq!(refused(&markdown), (says.to_owned(), says.to_owned()));
    assert!(!elsewhere.join(".gitattributes").exists());

    fs::remove_file(environment.project().join(".verger")).unwrap();
    fs::create_dir(environment.project().join(".verger")).unwrap();
    symlink(elsewhere.join("learnings.md"), file(&environment)).unwrap();
    assert_eq!(refused(&markdown), (says.to_owned(), says.to_owned()));

    fs::remove_file(file(&environment)).unwrap();
    symlink(elsewhere.join("new.md"), file(&environment)).unwrap();
    let says = "follow the link $ENV/home/project/.verger/learnings.md";
    assert_eq!(refused(&markdown), (says.to_owned(), says.to_owned()));
    assert!(!elsewhere.join("new.md").exists());
    assert_eq!(fs::read(elsewhere.join("learnings.md")).unwrap(), b"");

    // A link inside of the project is allowed, because the user may set it up.
    fs::remove_file(file(&environment)).unwrap();
    environment.write("docs/learnings.md", "");
    symlink("../docs/learnings.md", file(&environment)).unwrap();
    markdown.append(&[learning(1, "Text.")]).unwrap();
    assert_eq!(all(&markdown), [learning(1, "Text.")]);
}

#[test]
fn other_kinds_of_files_and_unreachable_ones_are_reported() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    fs::create_dir_all(file(&environment)).unwrap();
    let error = markdown.append(&[learning(1, "Text.")]).unwrap_err();
    assert_eq!(
        environment.normalise(&error.to_string()),
        "open $ENV/home/project/.verger/learnings.md"
    );
    fs::remove_dir(file(&environment)).unwrap();
    assert_eq!(environment.run("mkfifo", [file(&environment)], "").code, 0);
    assert!(matches!(
        markdown.append(&[learning(1, "Text.")]),
        Err(FileError::NotAFile { path }) if path == file(&environment)
    ));
    assert!(matches!(
        &markdown.read(&[])[..],
        [Source { state: SourceState::Unreadable(FileError::NotAFile { .. }), .. }]
    ));

    let nowhere = Ground { root: environment.root().join("nowhere"), ..ground(&environment) };
    assert!(matches!(
        Markdown::of_project(&nowhere).append(&[learning(1, "Text.")]),
        Err(FileError::Io { action: "open", .. })
    ));
}

fn read(markdown: &Markdown, mark: Mark) -> SourceState {
    let path = markdown.location();
    markdown.read(&[(path, mark)]).remove(0).state
}

#[test]
fn only_entries_after_the_mark_are_read() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    markdown.append(&[learning(1, "First.")]).unwrap();
    let mark = whole(&markdown).mark;
    assert!(matches!(read(&markdown, mark), SourceState::Same));

    markdown.append(&[learning(2, "Second.")]).unwrap();
    let SourceState::Appended(entries) = read(&markdown, mark) else { panic!("it was replaced") };
    let lines: Vec<_> = entries.learnings.iter().map(|placed| placed.line).collect();
    assert_eq!(entries.learnings[0].learning, learning(2, "Second."));
    let text = fs::read_to_string(file(&environment)).unwrap();
    let heading = text.lines().position(|line| line.starts_with("## Learning number 2")).unwrap();
    assert_eq!(lines, [heading + 1]);
    assert_eq!(entries.mark, whole(&markdown).mark);
    assert!(matches!(read(&markdown, entries.mark), SourceState::Same));
}

#[test]
fn a_file_that_changed_otherwise_is_read_whole() {
    let environment = TestEnvironment::new();
    let markdown = Markdown::of_project(&ground(&environment));
    markdown.append(&[learning(1, "First."), learning(2, "Second.")]).unwrap();
    let long = "Much is to be said about this one. ".repeat(50);
    markdown.append(&(3..12).map(|number| learning(number, &long)).collect::<Vec<_>>()).unwrap();
    let text = fs::read_to_string(file(&environment)).unwrap();
    let mark = whole(&markdown).mark;
    let appended = text.rsplit_once("## ").unwrap().1.replace("number 11", "number 12");
    let replaced = [
        format!("{}\n## {appended}", text.replace("First.", "first.")),
        text.replace("Second.", "second."),
        text.replace("Second.", "The second."),
        text.replace("First.", "The first."),
        text.replace("- category", "more\n- category"),
        format!("{text}\nMore of the second.\n"),
        String::new(),
    ];
    for text in replaced {
        fs::write(file(&environment), &text).unwrap();
        assert!(matches!(read(&markdown, mark), SourceState::Whole(_)), "{text}");
    }
    fs::remove_file(file(&environment)).unwrap();
    assert!(markdown.read(&[(markdown.location(), mark)]).is_empty());
}
