//! Compiles the `enclosure` program for embedding in the library.
//!
//! Cargo builds a dependency's library but not its programs, so a test of another crate could not
//! find `enclosure` if it were only a binary of this package.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a build script reads its environment, runs the compiler and may only fail loudly"
)]

use std::env;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "src/enclosure/main.rs";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    let setting = |name: &str| env::var_os(name).expect("cargo sets this variable");
    let program = Path::new(&setting("OUT_DIR")).join("enclosure");
    let mut compiler = Command::new(setting("RUSTC"));
    compiler
        .args(["--edition=2024", "--crate-name=enclosure", "-Copt-level=s", "-Cstrip=symbols"])
        .arg("--target")
        .arg(setting("TARGET"))
        .arg("-o")
        .arg(program)
        .arg(SOURCE);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        compiler.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let status = compiler.status().expect("the compiler starts");
    assert!(status.success(), "could not compile {SOURCE}");
}
