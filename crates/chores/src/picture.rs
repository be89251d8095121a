//! `cargo xtask picture`: makes a picture of the output of `verger demo` for README.md.
//!
//! This program runs as `verger` if it has that name, so the picture needs no other build. The demo
//! runs on a terminal of 80 columns, because verger only uses colours on a terminal.

mod svg;
mod terminal_text;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use verger_testkit::{Filter, TerminalSize, TestEnvironment};
use verger_xtask::Root;

use crate::VERGER;
use crate::failure::Failure;
use crate::picture::svg::{Window, drawn};
use crate::picture::terminal_text::lines;

/// Draws the output of `verger demo` as docs/demo.svg
#[derive(Args)]
pub(crate) struct PictureArgs {
    /// Only say whether the picture is up to date
    #[arg(long)]
    check: bool,
}

const PATH: &str = "docs/demo.svg";
const TITLE: &str = "verger demo: the first three of its five scenes";
/// The beginning of the first heading in the demo's output that is not in the picture.
const NEXT_SCENE: &str = "4. ";

pub(crate) fn picture(root: &Root, args: &PictureArgs) -> Result<(), Failure> {
    let path = root.join(PATH);
    let picture = drawn_demo()?;
    if fs::read_to_string(&path).is_ok_and(|stored| stored == picture) {
        println!("{PATH}: up to date");
        return Ok(());
    }
    if args.check {
        return Err(Failure::OldPicture { path: PATH });
    }
    fs::write(&path, picture).map_err(|source| Failure::Write { path, source })?;
    println!("{PATH}: written");
    Ok(())
}

fn drawn_demo() -> Result<String, Failure> {
    let mut environment = TestEnvironment::new();
    environment.add_filter(Filter::Ulids);
    let verger = as_verger(&environment)?;
    let mut command = environment.command(verger);
    command.arg("demo");
    let output = environment.run_on_terminal(command, TerminalSize::USUAL);
    if !output.is_success() {
        return Err(Failure::DemoFailed { output: output.stdout });
    }
    let mut lines = lines(&output.stdout);
    let starts_next = |line: &Vec<terminal_text::Span>| {
        line.first().is_some_and(|span| span.text.starts_with(NEXT_SCENE))
    };
    let Some(end) = lines.iter().position(starts_next) else {
        return Err(Failure::DemoFailed { output: output.stdout });
    };
    lines.truncate(end);
    let window =
        Window { title: TITLE, command: "verger demo", columns: TerminalSize::USUAL.columns };
    Ok(drawn(&window, &lines))
}

/// Copies this program under the name `verger`. Under that name, it behaves like `verger`.
fn as_verger(environment: &TestEnvironment) -> Result<PathBuf, Failure> {
    let myself = std::env::current_exe().map_err(Failure::OwnProgram)?;
    let copy = environment.root().join("bin").join(VERGER);
    let failed = |source| Failure::Write { path: copy.clone(), source };
    fs::create_dir_all(environment.root().join("bin")).map_err(failed)?;
    // A hard link needs no space, but it fails between different file systems.
    fs::hard_link(&myself, &copy)
        .or_else(|_| fs::copy(&myself, &copy).map(drop))
        .map_err(failed)?;
    Ok(copy)
}
