//! Finds the files on disk that an ordinary command line removes or overwrites.

use std::path::{Path, PathBuf};

use verger_exec::Deadline;
use verger_gate::permission::{Ground, NamedPath, Overwritten, overwritten};
use verger_shell::Script;
use verger_worktree::undo as points;

use super::{MAX_TOLD, Saver, holder, is_of_repository, on_disk};

/// The existing files of the agent's working tree that a line removes or overwrites.
pub(crate) struct ExistingFiles {
    pub(crate) paths: Vec<PathBuf>,
    /// Operands whose values are known only when the line runs. They may name further files.
    hidden: Vec<String>,
    root: PathBuf,
}

impl ExistingFiles {
    /// The reason for saving them.
    pub(crate) fn why(&self) -> String {
        let relative =
            |path: &PathBuf| path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let names: Vec<_> = self.paths.iter().map(relative).chain(self.hidden.clone()).collect();
        let more = match names.len().saturating_sub(MAX_TOLD) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let names: Vec<_> = names.into_iter().take(MAX_TOLD).collect();
        let may =
            if self.paths.is_empty() { "may remove or overwrite" } else { "removes or overwrites" };
        format!("it {may} {}{more}", names.join(", "))
    }

    /// Those of the named paths that are among these files.
    pub(crate) fn among(&self, named: &[NamedPath]) -> Vec<NamedPath> {
        let found = on_disk(named).into_iter().map(|(path, _)| path);
        found.filter(|path| self.paths.contains(path)).map(|path| as_named(&path)).collect()
    }

    pub(crate) fn named(&self) -> Vec<NamedPath> {
        self.paths.iter().map(|path| as_named(path)).collect()
    }
}

fn as_named(path: &Path) -> NamedPath {
    NamedPath::Path(path.display().to_string())
}

/// The existing files with a named path. A directory counts only if it stands for a pattern that
/// is too large to be matched.
fn files_of(named: &NamedPath) -> Vec<PathBuf> {
    let is_wide = |path: &Path| match named {
        NamedPath::Pattern(pattern) => Path::new(pattern).starts_with(path),
        NamedPath::Path(_) | NamedPath::Directory(_) => false,
    };
    let found = on_disk(std::slice::from_ref(named)).into_iter().map(|(path, _)| path);
    found.filter(|path| !path.is_dir() || path.is_symlink() || is_wide(path)).collect()
}

impl Saver<'_> {
    /// The files of the agent's working tree that a line removes or overwrites. `None` if there are
    /// none. A line without such a command is not looked up on disk.
    ///
    /// Build output counts only in a repository, and only if git doesn't ignore it, because a build
    /// creates it again.
    pub(crate) fn overwritten(
        &self,
        script: &Script,
        cwd: &str,
        home: Option<&str>,
        time: Deadline<'_>,
    ) -> Option<ExistingFiles> {
        if overwritten(script, &Ground { cwd: Some(cwd), home, ..Ground::default() }).is_empty() {
            return None;
        }
        let cwd = Path::new(cwd).canonicalize().ok()?;
        let repository = holder(&cwd);
        let root = repository.clone().unwrap_or_else(|| cwd.clone());
        let (root_text, cwd_text) = (root.to_str()?, cwd.to_str()?);
        let ground =
            Ground { cwd: Some(cwd_text), home, root: Some(root_text), ..Ground::default() };
        let Overwritten { files, trees, hidden } = overwritten(script, &ground);
        let files = files.iter().flat_map(files_of);
        let trees = on_disk(&trees).into_iter().map(|(path, _)| path);
        let is_inside =
            |path: &PathBuf| path.strip_prefix(&root).is_ok_and(|path| !is_of_repository(path));
        let mut paths: Vec<_> = files.chain(trees).filter(is_inside).collect();
        paths.sort();
        paths.dedup();
        let is_made =
            |path: &PathBuf| path.to_str().is_some_and(|path| ground.is_build_output(path));
        let (made, mut paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_made);
        if repository.is_some() {
            paths.extend(self.not_ignored(&root, made, time));
        }
        let hidden = if repository.is_some() { hidden } else { vec![] };
        (!paths.is_empty() || !hidden.is_empty()).then_some(ExistingFiles { paths, hidden, root })
    }

    /// The paths that git doesn't ignore; all of them if git can't tell.
    fn not_ignored(
        &self,
        root: &Path,
        mut paths: Vec<PathBuf>,
        time: Deadline<'_>,
    ) -> Vec<PathBuf> {
        let below = paths.iter().filter_map(|path| path.strip_prefix(root).ok());
        let below: Vec<_> = below.map(Path::to_owned).collect();
        let ignored = points::ignored(root, &below, &self.git(time));
        let ignored = ignored.unwrap_or_default();
        paths.retain(|path| !ignored.iter().any(|ignored| root.join(ignored) == *path));
        paths
    }
}

#[cfg(test)]
mod tests {
    use verger_config::Settings;
    use verger_testkit::TestEnvironment;

    use super::*;
    use crate::{Clock, Environment};

    /// The reason for saving files before the line runs in `src`; `None` if nothing is saved.
    fn why(project: &TestEnvironment, line: &str) -> Option<String> {
        let environment = Environment::of_process();
        let clock = Clock::of_process(&environment);
        let settings = Box::<Settings>::default();
        let saver =
            Saver { environment: &environment, home: None, settings: &settings, clock: &clock };
        let cwd = project.project().join("src");
        let line = line.replace("PROJECT", project.project().to_str().unwrap());
        let script = verger_shell::read(&line);
        let files = saver.overwritten(&script, cwd.to_str()?, Some("/home/dev"), saver.deadline());
        files.map(|files| files.why())
    }

    fn with_files(project: TestEnvironment) -> TestEnvironment {
        for name in ["notes.md", "src/a.md", "src/b.md", "src/sub/b.md", "src/target/built"] {
            project.write(name, "text\n");
        }
        project
    }

    #[test]
    fn existing_files_of_the_working_tree_are_saved() {
        let project = with_files(TestEnvironment::with_repository());
        for (line, expected) in [
            ("rm a.md", "it removes or overwrites src/a.md"),
            ("rm -f a.md missing", "it removes or overwrites src/a.md"),
            ("rm *.md ../notes.md", "it removes or overwrites notes.md, src/a.md, src/b.md"),
            ("rm -r *", "it removes or overwrites src/a.md, src/b.md, src/sub, and 1 more"),
            ("cd .. && rm notes.md", "it removes or overwrites notes.md"),
            ("rm PROJECT/notes.md", "it removes or overwrites notes.md"),
            ("echo > a.md", "it removes or overwrites src/a.md"),
            ("mv a.md b.md", "it removes or overwrites src/b.md"),
            ("mv a.md sub/b.md", "it removes or overwrites src/sub/b.md"),
            ("cp b.md sub", "it removes or overwrites src/sub/b.md"),
            ("cp *.md sub", "it removes or overwrites src/sub/b.md"),
            ("sed -i d */b.md", "it removes or overwrites src"),
            ("mv sub /var/tmp/sub", "it removes or overwrites src/sub"),
            ("git checkout sub", "it removes or overwrites src/sub"),
            ("date > \"$out\"", "it may remove or overwrite $out"),
            // Git doesn't ignore it here.
            ("rm target/built", "it removes or overwrites src/target/built"),
        ] {
            assert_eq!(why(&project, line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_save_nothing() {
        let project = with_files(TestEnvironment::with_repository());
        project.write(".gitignore", "target\n");
        for line in [
            "ls -la",
            "cat a.md 2>/dev/null",
            "echo x > new.md",
            "echo x > /tmp/a.md",
            "echo x > sub",
            "echo x >> a.md",
            "cp a.md sub",
            "mv a.md c.md",
            "mv missing.md b2.md",
            "rm *.txt",
            "rm -rf target",
            "echo x > target/built",
            "rm ../.git/description",
            "git checkout main",
            "cargo test > /var/tmp/$$.log",
        ] {
            assert_eq!(why(&project, line), None, "{line}");
        }
    }

    #[test]
    fn outside_of_a_repository_named_files_are_saved_and_build_output_is_not() {
        let project = with_files(TestEnvironment::new());
        assert_eq!(
            why(&project, "rm a.md target/built").as_deref(),
            Some("it removes or overwrites a.md")
        );
        for line in ["rm -r target", "date > \"$out\"", "rm ../notes.md"] {
            assert_eq!(why(&project, line), None, "{line}");
        }
    }
}
