//! `cargo xtask generate`: writes files in the tree that are generated from code.
//!
//! A new file needs an entry in [`GENERATORS`]; a test then keeps the file current.

mod command_reference;
mod config_reference;
mod coverage_reference;
mod defaults_reference;
mod event_schema;
mod hook_reference;
mod plugin_hooks;

use std::path::Path;
use std::{fs, io};

use clap::Args;

use crate::failure::Failure;
use verger_xtask::Root;

/// Writes the reference files that are made from code
#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// Only say which files are not up to date
    #[arg(long)]
    check: bool,
}

/// A generated file, and the function that returns its whole content.
pub(crate) struct Generator {
    pub(crate) path: &'static str,
    pub(crate) render: fn() -> String,
}

pub(crate) const GENERATORS: &[Generator] = &[
    Generator { path: "docs/reference/event.schema.json", render: event_schema::render },
    Generator { path: "docs/reference/commands.md", render: command_reference::render },
    Generator { path: "docs/reference/defaults.md", render: defaults_reference::render },
    Generator { path: "docs/reference/config.md", render: config_reference::render },
    Generator { path: "docs/reference/hooks.md", render: hook_reference::render },
    Generator { path: "docs/reference/coverage.md", render: coverage_reference::render },
    Generator { path: "docs/reference/messages.md", render: messages },
    Generator { path: "plugin/hooks/hooks.json", render: plugin_hooks::render },
];

/// The page of messages. It is generated from the files of the workspace. If they can't be read,
/// the page contains the error.
fn messages() -> String {
    let page = Root::from_environment().and_then(|root| verger_xtask::messages::page(&root));
    page.unwrap_or_else(|failure| failure.to_string())
}

pub(crate) fn generate(root: &Root, args: &GenerateArgs) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for generator in GENERATORS {
        let path = root.join(generator.path);
        let stored = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(Failure::Read { path, source }),
        };
        if !is_stale(generator, stored.as_deref()) {
            println!("{}: up to date", generator.path);
        } else if args.check {
            stale.push(generator.path);
        } else {
            write(&path, &(generator.render)())?;
            println!("{}: written", generator.path);
        }
    }
    if stale.is_empty() { Ok(()) } else { Err(Failure::Stale { paths: stale }) }
}

pub(crate) fn is_stale(generator: &Generator, stored: Option<&str>) -> bool {
    stored != Some((generator.render)().as_str())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |source| Failure::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_current() {
        let root = Root::from_environment().unwrap();
        let is_old = |generator: &&Generator| {
            let stored = fs::read_to_string(root.join(generator.path)).ok();
            is_stale(generator, stored.as_deref())
        };
        let old: Vec<_> = GENERATORS.iter().filter(is_old).map(|stale| stale.path).collect();
        assert_eq!(old, [""; 0], "run `cargo xtask generate`");
    }

    #[test]
    fn a_file_that_differs_or_is_missing_is_stale() {
        let generator = Generator { path: "docs/a.md", render: || "new\n".to_owned() };
        assert!(is_stale(&generator, Some("old\n")) && is_stale(&generator, None));
        assert!(!is_stale(&generator, Some("new\n")));
    }

    #[test]
    fn every_generated_file_has_its_own_path_inside_the_tree() {
        for (index, generator) in GENERATORS.iter().enumerate() {
            let folder = generator.path.split('/').next();
            assert!(matches!(folder, Some("docs" | "plugin")), "{}", generator.path);
            assert!(GENERATORS[..index].iter().all(|other| other.path != generator.path));
        }
    }
}
