//! `cargo xtask man`: generates a manual page for every command.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use verger_xtask::Root;

/// Writes the manual pages into target/man
#[derive(Args)]
pub(crate) struct ManArgs {
    /// Write them there instead
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

pub(crate) fn man(root: &Root, args: &ManArgs) -> Result<(), Failure> {
    let folder = match &args.to {
        Some(folder) => folder.clone(),
        None => root.target_directory()?.join("man"),
    };
    let pages = write_pages(&folder)?;
    println!("{}: {pages} manual pages", folder.display());
    Ok(())
}

/// Writes all manual pages. Removes the old pages first, so that no page stays for a removed
/// command.
pub(crate) fn write_pages(folder: &Path) -> Result<usize, Failure> {
    let failed = |source| Failure::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(failed)?;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "1") {
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    clap_mangen::generate_to(verger_cli::command_line().disable_help_subcommand(true), folder)
        .map_err(failed)?;
    Ok(fs::read_dir(folder).map_err(failed)?.count())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::Command;

    use super::*;

    #[test]
    fn every_command_has_a_page_that_the_reader_of_manuals_accepts() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("verger-gone.1"), "").unwrap();
        write_pages(folder.path()).unwrap();
        let pages: BTreeSet<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut expected = BTreeSet::from(["verger.1".to_owned()]);
        // Hidden commands have no page, because only agents and their programs run them.
        let root = verger_cli::command_line();
        let is_hidden = |path: &str| {
            let first = path.split(' ').next().and_then(|name| root.find_subcommand(name));
            first.is_some_and(clap::Command::is_hide_set)
        };
        for (path, _) in verger_cli::leaves().into_iter().filter(|(path, _)| !is_hidden(path)) {
            let words: Vec<_> = path.split(' ').collect();
            for depth in 1..=words.len() {
                expected.insert(format!("verger-{}.1", words[..depth].join("-")));
            }
        }
        assert_eq!(pages, expected);
        for page in &pages {
            check(&folder.path().join(page));
        }
    }

    fn check(page: &Path) {
        let text = fs::read_to_string(page).unwrap();
        for part in ["\n.TH ", "\n.SH NAME\n", "\n.SH SYNOPSIS\n"] {
            assert!(text.contains(part), "{}: {part:?}", page.display());
        }
        let Ok(read) = Command::new("man").args(["--warnings", "-l"]).arg(page).output() else {
            return;
        };
        let complaints = String::from_utf8_lossy(&read.stderr);
        assert_eq!((&*complaints, read.status.success()), ("", true), "{}", page.display());
    }
}
