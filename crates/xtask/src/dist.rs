//! `cargo xtask dist`: builds the programs for users as statically linked files, and checks the
//! result.

mod elf;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use crate::phases::Phases;
use crate::process;
use crate::workspace::Root;

/// Builds the programs as users get them, statically linked, into target/dist
#[derive(Args)]
pub struct DistArgs {
    /// Build for this target instead of the host
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

pub struct Program {
    name: &'static str,
    package: &'static str,
    /// The name of the build profile in the root manifest.
    profile: &'static str,
    max_bytes: Option<u64>,
}

/// The hook program, which agents start on every event. Its size costs little time, because a call
/// touches only a few of its pages. The size limit detects an unwanted new dependency, and leaves
/// some room for changes of the compiler.
pub const HOOK: Program = Program {
    name: "verger-hook",
    package: "verger-hook",
    profile: "dist-hook",
    max_bytes: Some(8_000_000),
};

/// The program `verger`, which people run.
pub const VERGER: Program =
    Program { name: "verger", package: "verger-cli", profile: "dist-verger", max_bytes: None };

pub(crate) const PROGRAMS: &[Program] = &[HOOK, VERGER];

/// The arguments to build one program. Each program is built alone. In a common build, a feature
/// that one program needs would be linked into both. With `--target`, the flags don't apply to
/// procedural macros, which can't be linked statically.
pub(crate) fn build_arguments<'a>(program: &Program, target: &'a str) -> Vec<&'a str> {
    let Program { name, package, profile, .. } = program;
    let what = ["--package", package, "--bin", name];
    ["build", "--profile", profile, "--locked", "--target", target]
        .into_iter()
        .chain(what)
        .collect()
}

/// The flag for static linking. A dynamic loader would cost more time than a whole hook call.
pub const STATIC: &str = "-C target-feature=+crt-static";

/// The flags of rustc. The program is linked at a fixed address, because relocation costs a page
/// fault for every page with an address. So the address of the code isn't random, but verger's
/// crates have no unsafe code. Symbols are stripped here, because cargo doesn't strip a package
/// whose optimisation the profile overrides.
const RUSTFLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static -C strip=symbols";

/// The target for which rustc links with lld. Only there, the flags for lld are used.
const LINKED_BY_LLD: &str = "x86_64-unknown-linux-gnu";

/// Additional flags for the linker lld. They merge identical functions and put constants into the
/// code's segment, so that a call maps fewer pages.
const LLD_FLAGS: &str = "-C link-arg=-Wl,--icf=all -C link-arg=-Wl,--no-rosegment";

fn rustflags(target: &str) -> String {
    let more = if target == LINKED_BY_LLD { LLD_FLAGS } else { "" };
    format!("{RUSTFLAGS} {more}")
}

pub(crate) fn dist(root: &Root, args: &DistArgs) -> Result<(), Failure> {
    let target = match &args.target {
        Some(target) => target.clone(),
        None => root.host_target()?,
    };
    let destination = root.target_directory()?.join("dist");
    let mut phases = Phases::start();
    for program in PROGRAMS {
        phases.run(program.name, || build(root, program, &target, &destination));
    }
    phases.finish()
}

/// Builds one program for users and copies it to `destination`.
pub fn build(
    root: &Root,
    program: &Program,
    target: &str,
    destination: &Path,
) -> Result<(), Failure> {
    process::run(root.cargo(build_arguments(program, target)).env("RUSTFLAGS", rustflags(target)))?;
    let built = root.target_directory()?.join(target).join(program.profile).join(program.name);
    let copy = copy(&built, destination)?;
    let bytes = examine(program, &copy)?;
    println!("{}: {bytes} bytes, statically linked", copy.display());
    Ok(())
}

fn copy(built: &Path, destination: &Path) -> Result<PathBuf, Failure> {
    let failed = |source| Failure::Write { path: destination.to_owned(), source };
    fs::create_dir_all(destination).map_err(failed)?;
    let copy = destination.join(built.file_name().unwrap_or_default());
    fs::copy(built, &copy).map_err(failed)?;
    Ok(copy)
}

fn examine(program: &Program, path: &Path) -> Result<u64, Failure> {
    let content =
        fs::read(path).map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    let bytes = content.len() as u64;
    let needs_loader = elf::needs_loader(&content)
        .map_err(|reason| Failure::NotElf { path: path.to_owned(), reason })?;
    if needs_loader {
        return Err(Failure::NotStatic { path: path.to_owned() });
    }
    match program.max_bytes {
        Some(max) if bytes > max => Err(Failure::TooLarge { path: path.to_owned(), bytes, max }),
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_built_alone_for_a_named_target_and_without_features() {
        for program in PROGRAMS {
            let arguments = build_arguments(program, "x86_64-unknown-linux-gnu");
            assert!(arguments.contains(&"--target"));
            assert_eq!(arguments.iter().filter(|argument| **argument == "--package").count(), 1);
            assert!(!arguments.iter().any(|argument| argument.contains("features")));
        }
    }

    #[test]
    fn a_program_that_is_dynamic_too_large_or_no_program_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("verger-hook");
        let limited =
            Program { name: "a", package: "a", profile: "dist-hook", max_bytes: Some(200) };
        let refuse = |content: Vec<u8>| {
            fs::write(&path, content).unwrap();
            examine(&limited, &path)
        };
        assert_eq!(refuse(elf::sample(&[1])).unwrap(), 120);
        assert!(matches!(refuse(elf::sample(&[1, 3])), Err(Failure::NotStatic { .. })));
        assert!(matches!(refuse(elf::sample(&[1, 1, 1])), Err(Failure::TooLarge { .. })));
        assert!(matches!(refuse(b"#!/bin/sh\n".to_vec()), Err(Failure::NotElf { .. })));
    }
}
