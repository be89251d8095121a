//! `cargo xtask layout`: which functions the usual hook calls run, so that the linker puts them together.
//!
//! The kernel brings a program into memory in blocks of 64 KiB, one page fault each. Where what a call
//! runs is scattered over the program, it touches nearly every block, and every crate that is linked
//! makes it dearer. Together, what a call costs depends on what it does.
//!
//! Needs valgrind, and lld as the linker. A function that the layout does not name, or names in vain,
//! costs a page fault and nothing else: `cargo xtask bench` says when it is time to write it again.

mod link_map;
mod trace;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::json;

use crate::bench::calls::Place;
use crate::dist;
use crate::failure::Failure;
use crate::workspace::Root;

/// Looks which functions hook calls run and writes crates/hook/layout.ld
#[derive(Args)]
pub(crate) struct LayoutArgs {}

/// More than the records after which a snapshot is written.
const ROUNDS: usize = 18;

/// What calls run on a real machine only: valgrind's processor cannot hash, and it hides the code that
/// the kernel lends to programs.
const UNTRACED: &[&str] = &[
    "*(.text._RNvNtNtCs*_4sha26sha2567x86_sha8compress*)",
    "*libc.a:dl-object.o(.text)",
    "*libc.a:strcmp-avx2.o(.text.avx)",
];

const SESSION: &str = "f0357e9b-fb48-41a1-afb7-000000000001";

pub(crate) fn layout(root: &Root, _: &LayoutArgs) -> Result<(), Failure> {
    let folder = root.target_directory()?.join("layout");
    fs::create_dir_all(&folder)
        .map_err(|source| Failure::Write { path: folder.clone(), source })?;
    let map = folder.join("map");
    let argument = format!("-Wl,-Map,{}", map.display());
    let program = dist::link(root, &dist::HOOK, &root.host_target()?, Some(argument))?;
    let map = read(&map)?;
    let sections = link_map::sections(&map);
    let addresses = run_calls(&program, &folder)?;
    let patterns: BTreeSet<_> = sections
        .iter()
        .filter(|section| addresses.range(section.addresses.clone()).next().is_some())
        .filter_map(link_map::Section::pattern)
        .chain(UNTRACED.iter().map(|pattern| (*pattern).to_owned()))
        .collect();
    let path = root.join(dist::HOOK_LAYOUT);
    fs::write(&path, script(&patterns))
        .map_err(|source| Failure::Write { path: path.clone(), source })?;
    println!("{}: {} functions", path.display(), patterns.len());
    Ok(())
}

/// The addresses of all instructions that tool calls without an opinion run.
fn run_calls(program: &Path, folder: &Path) -> Result<BTreeSet<u64>, Failure> {
    let mut place = Place::new(folder)?;
    let trace = place.path().join("trace");
    let mut addresses = BTreeSet::new();
    for round in 0..ROUNDS {
        let id = format!("toolu_layout_{round}");
        let input = json!({ "command": "cargo test && git status", "description": "Test" });
        let before = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": id });
        let mut after = before.clone();
        after["tool_response"] = json!({ "stdout": "ok\n", "stderr": "", "interrupted": false });
        for (event, own) in [("PreToolUse", before), ("PostToolUse", after)] {
            eprintln!("   tracing {event}, {} of {ROUNDS}", round + 1);
            let payload = place.event(SESSION, &own)?;
            run_traced(program, event, (&place.home(), &payload), &trace)?;
            addresses.extend(trace::addresses(&read(&trace)?));
        }
    }
    Ok(addresses)
}

fn run_traced(
    program: &Path,
    event: &str,
    (home, payload): (&Path, &Path),
    trace: &Path,
) -> Result<(), Failure> {
    let stdin =
        File::open(payload).map_err(|source| Failure::Read { path: payload.to_owned(), source })?;
    let command = "valgrind".to_owned();
    let status = Command::new(&command)
        .args(["--tool=callgrind", "--dump-instr=yes"])
        .arg(format!("--callgrind-out-file={}", trace.display()))
        .arg(program)
        .args(["claude", event])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("VERGER_HOME", home)
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|source| Failure::Start { command: command.clone(), source })?;
    if status.success() { Ok(()) } else { Err(Failure::Exited { command, status }) }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|source| Failure::Read { path: path.to_owned(), source })
}

fn script(patterns: &BTreeSet<String>) -> String {
    let lines: Vec<_> = patterns.iter().map(|pattern| format!("    {pattern}\n")).collect();
    let lines = lines.concat();
    format!(
        "/* Written by `cargo xtask layout`: what the usual hook calls run. */\n\
         SECTIONS {{\n  .text.usual : {{\n{lines}  }}\n}}\nINSERT BEFORE .text;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_adds_one_section_to_the_usual_ones() {
        let patterns = ["*(.text._RNvCs*_1a1b*)", "*libc.a:malloc.o(.text)"];
        let expected = "/* Written by `cargo xtask layout`: what the usual hook calls run. */\n\
            SECTIONS {\n  .text.usual : {\n    *(.text._RNvCs*_1a1b*)\n    \
            *libc.a:malloc.o(.text)\n  }\n}\nINSERT BEFORE .text;\n";
        assert_eq!(script(&patterns.map(str::to_owned).into()), expected);
    }
}
