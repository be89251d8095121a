//! Finds the programs that a repository's settings make git start, even for a command that only
//! reads.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The maximum size of a settings file that is searched.
const MAX_BYTES: u64 = 64 * 1024;
/// The maximum number of directory levels to search for a repository.
const MAX_LEVELS: usize = 64;

/// Sections in which any setting can start a program or include other settings.
const SECTIONS: &[&str] = &["alias", "gpg", "include", "includeif", "pager"];

/// Settings that name a program: the section and the name. A subsection may be between them.
const SETTINGS: &[(&str, &str)] = &[
    ("core", "alternaterefscommand"),
    ("core", "askpass"),
    ("core", "editor"),
    ("core", "gitproxy"),
    ("core", "hookspath"),
    ("core", "pager"),
    ("core", "sshcommand"),
    ("core", "worktree"),
    ("credential", "helper"),
    ("diff", "command"),
    ("diff", "external"),
    ("diff", "textconv"),
    ("filter", "clean"),
    ("filter", "process"),
    ("filter", "smudge"),
    ("interactive", "difffilter"),
    ("log", "showsignature"),
    ("gc", "recentobjectshook"),
    ("merge", "driver"),
    ("protocol", "allow"),
    ("remote", "uploadpack"),
    ("remote", "vcs"),
    ("uploadpack", "packobjectshook"),
];

/// Hooks that git starts even for commands that only read or fetch.
const HOOKS: &[&str] = &[
    "hooks/post-index-change",
    "hooks/fsmonitor-watchman",
    "hooks/pre-auto-gc",
    "hooks/reference-transaction",
];

/// Describes a setting of the repository around `directory` that makes git start a program, or says
/// why the settings are unknown. `None` if there is no such setting or no repository.
pub fn self_started(directory: &Path) -> Option<String> {
    let Ok(directory) = directory.canonicalize() else {
        return Some("a directory that is not there".to_owned());
    };
    for level in directory.ancestors().take(MAX_LEVELS) {
        let git = level.join(".git");
        if let Ok(metadata) = fs::metadata(&git) {
            let git_dir = if metadata.is_dir() { Some(git) } else { linked(&git) };
            return match git_dir {
                Some(git_dir) => in_git_dir(&git_dir),
                None => Some("a .git that cannot be read".to_owned()),
            };
        }
        // Git treats a directory of this form as a repository, even if it was checked out.
        if level.join("HEAD").is_file() && level.join("objects").is_dir() {
            return Some("a bare repository".to_owned());
        }
    }
    None
}

/// The directory named in the `.git` file of a worktree or a submodule.
fn linked(git: &Path) -> Option<PathBuf> {
    let text = read(git).ok()??;
    let path = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(path))
}

fn in_git_dir(git_dir: &Path) -> Option<String> {
    let common = match read(&git_dir.join("commondir")) {
        Ok(Some(path)) => git_dir.join(path.trim()),
        Ok(None) => git_dir.to_owned(),
        Err(what) => return Some(what),
    };
    if common.join("modules").exists() {
        return Some("submodules with settings of their own".to_owned());
    }
    let is_run = |hook: &&&str| {
        let hook = fs::metadata(common.join(hook));
        hook.is_ok_and(|hook| hook.permissions().mode() & 0o111 != 0)
    };
    if let Some(hook) = HOOKS.iter().find(is_run) {
        return Some(format!("the hook {hook}"));
    }
    for file in [common.join("config"), git_dir.join("config.worktree")] {
        match read(&file) {
            Ok(Some(text)) => {
                if let Some(setting) = starting_setting(&text) {
                    return Some(setting);
                }
            }
            Ok(None) => {}
            Err(what) => return Some(what),
        }
    }
    None
}

/// Reads a file. `None` if there is no such file. The error says why the file can't be read.
fn read(path: &Path) -> Result<Option<String>, String> {
    let unknown = || format!("{}, which cannot be read", path.display());
    let Ok(metadata) = fs::metadata(path) else { return Ok(None) };
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(unknown());
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|_| unknown())?;
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(|_| unknown())?;
    Ok(Some(text))
}

/// The first setting in the text of a settings file that makes git start a program.
fn starting_setting(text: &str) -> Option<String> {
    let mut section = String::new();
    for line in text.lines() {
        let mut line = line.trim();
        // The line ends in a backslash, so the next line continues it and can't be parsed alone.
        if line.ends_with('\\') {
            return Some("a setting of several lines, which verger does not read".to_owned());
        }
        // A section header and a setting may be on the same line.
        while let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = rest.split_once(']') else {
                return Some("a section header without its closing bracket".to_owned());
            };
            name.split(['"', '.', ' ', '\t']).next().unwrap_or_default().clone_into(&mut section);
            section.make_ascii_lowercase();
            line = after.trim();
        }
        let (name, value) = line.split_once('=').unwrap_or((line, "true"));
        let name = name.trim().to_ascii_lowercase();
        if name.is_empty() || name.starts_with(['#', ';']) {
            continue;
        }
        let is_fsmonitor = section == "core" && name == "fsmonitor" && !is_boolean(value);
        let is_program = SETTINGS.contains(&(section.as_str(), name.as_str()));
        if is_fsmonitor || is_program || SECTIONS.contains(&section.as_str()) {
            return Some(format!("the setting {section}.{name}"));
        }
    }
    None
}

fn is_boolean(value: &str) -> bool {
    let value = value.split(['#', ';']).next().unwrap_or_default().trim().trim_matches('"');
    let value = value.to_ascii_lowercase();
    ["true", "false", "yes", "no", "on", "off", "1", "0", ""].contains(&value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(starting_setting(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_setting_that_starts_a_program_is_found_however_it_is_written() {
        check("[core]\n\tbare = false\n[remote \"o\"]\n\turl = /x\n", None);
        check("[remote \"o\"]\nuploadpack = run\n", Some("the setting remote.uploadpack"));
        check("[protocol \"ext\"]\nallow = always\n", Some("the setting protocol.allow"));
        check("[core]\nfsmonitor = true\n", None);
        check("[core]\nfsmonitor = .git/run.sh\n", Some("the setting core.fsmonitor"));
        check("[CORE]\n FsMonitor=\"run\" ; x\n", Some("the setting core.fsmonitor"));
        check("[core] pager = less\n", Some("the setting core.pager"));
        check("[diff \"x\"]\ntextconv = run\n", Some("the setting diff.textconv"));
        check("[diff.x]\n\tCommand = run\n", Some("the setting diff.command"));
        check("[filter \"a b\"]\nclean = run", Some("the setting filter.clean"));
        check("[includeIf \"gitdir:/x\"]\npath = y", Some("the setting includeif.path"));
        check("[include]\n\tpath = y", Some("the setting include.path"));
        check("[alias]\nst = !run", Some("the setting alias.st"));
        check("[core\npager = x", Some("a section header without its closing bracket"));
        check(
            "[core]\nx = a \\\n[user]\npager = y\n",
            Some("a setting of several lines, which verger does not read"),
        );
        check("# [core]\n; pager = x\n[user]\nname = x # pager = y", None);
    }

    #[test]
    fn settings_of_the_surrounding_repository_count() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("repo/sub")).unwrap();
        fs::create_dir_all(at("repo/.git/hooks")).unwrap();
        fs::write(at("repo/.git/config"), "[core]\nbare = false\n").unwrap();
        assert_eq!(self_started(&at("repo/sub")), None);
        fs::create_dir_all(at("repo/.git/worktrees/w")).unwrap();
        fs::write(at("repo/.git/worktrees/w/commondir"), "../..\n").unwrap();
        fs::create_dir_all(at("w")).unwrap();
        let git = format!("gitdir: {}\n", at("repo/.git/worktrees/w").display());
        fs::write(at("w/.git"), git).unwrap();
        assert_eq!(self_started(&at("w")), None);
        fs::write(at("repo/.git/worktrees/w/config.worktree"), "[core]\npager=x\n").unwrap();
        assert_eq!(self_started(&at("w")).as_deref(), Some("the setting core.pager"));
        let hook = at("repo/.git/hooks/post-index-change");
        fs::write(&hook, "#!/bin/sh\n").unwrap();
        assert_eq!(self_started(&at("repo")), None, "it cannot be run");
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        let expected = Some("the hook hooks/post-index-change");
        assert_eq!(self_started(&at("repo")).as_deref(), expected);
        fs::create_dir_all(at("repo/bare/objects")).unwrap();
        fs::write(at("repo/bare/HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(self_started(&at("repo/bare")).as_deref(), Some("a bare repository"));
        assert_eq!(self_started(&at("none")).as_deref(), Some("a directory that is not there"));
        fs::write(at("w/.git"), "nothing").unwrap();
        assert_eq!(self_started(&at("w")).as_deref(), Some("a .git that cannot be read"));
    }
}
