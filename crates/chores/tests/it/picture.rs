//! Tests of `cargo xtask picture`.

use std::process::Command;

#[test]
fn the_picture_of_the_demo_is_current() {
    #[expect(clippy::disallowed_methods, reason = "the test starts the chore")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_verger-chores"));
    let output = command.args(["picture", "--check"]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, failure) = (text(output.stdout), text(output.stderr));
    assert_eq!((printed.as_str(), failure.as_str()), ("docs/demo.svg: up to date\n", ""));
}
