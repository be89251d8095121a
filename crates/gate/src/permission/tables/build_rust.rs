//! Rules that approve builds and tests with cargo.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

/// Options of cargo's own commands. Options that change which code runs (`--config`, `-Z`) are left
/// out.
macro_rules! cargo {
    () => {
        "-p= -F= -j= -q -v -vv -r -k --package= --workspace --all --exclude= --lib --bin= --bins --example= --examples --test= \
         --tests --bench= --benches --all-targets --features= --all-features --no-default-features --release --profile= --target=NAME \
         --target-dir=INSIDE --manifest-path=INSIDE --jobs= --locked --offline --frozen --quiet --verbose --color= \
         --message-format= --keep-going --no-fail-fast --timings --ignore-rust-version --future-incompat-report"
    };
}

const FILES: &str = "**/build.rs **/Cargo.toml **/.cargo/config.toml **/.cargo/config **/rust-toolchain.toml **/rust-toolchain \
    **/.config/nextest.toml **/clippy.toml **/tests/common/** **/tests/support/**";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::build("cargo-build", "cargo build|b|check|c|doc|d|clippy", concat!(cargo!(), " --no-deps --document-private-items --no-run --all-features --cap-lints= -- -D= -W= -A= -F= -Dwarnings --no-deps --warn= --deny= --allow="), Operands::None)
        .defined_in(FILES)
        .examples(
            &["cargo build", "cargo check --workspace --all-targets", "cargo build --release", "cargo clippy --all-targets -- -D warnings", "cargo +nightly build", "cargo doc --no-deps"],
            &["cargo clippy --fix --allow-dirty", "cargo build --config x", "cargo build -Zscript", "cargo build --target-dir /tmp/x", "cargo doc --open", "RUSTC_WRAPPER=./x cargo build", "cd /home/dev/other && cargo build", "cargo build --out-dir x", "cargo build --artifact-dir x"],
        ),
    Rule::build(
        "cargo-test",
        "cargo test|t|bench",
        concat!(cargo!(), " --doc --no-run -- --exact --nocapture --no-capture --test-threads= --ignored --include-ignored --skip= --list -q --quiet --show-output --color= --format= --test --bench --report-time"),
        Operands::AtMost(4),
    )
    .defined_in(FILES)
    .examples(
        &[
            "cargo test",
            "cargo test -p gate --lib parser::tests::nested -- --exact --nocapture",
            "cargo test --workspace --no-fail-fast 2>&1",
            "cargo bench --no-run",
            "RUST_BACKTRACE=1 cargo test parser",
            "cargo -q test",
        ],
        &[
            "cargo test --manifest-path /tmp/x/Cargo.toml",
            "cargo test --config 'build.rustc-wrapper=\"x\"'",
            "cargo test -Zx",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=./x cargo test",
            "cargo test && ./deploy.sh",
            "cd .. && cargo test",
            "cargo test > out.txt",
            "cargo test \u{2013}-release",
        ],
    ),
    Rule::build(
        "cargo-nextest",
        "cargo nextest run|list|r",
        concat!(cargo!(), " -E= --filter-expr= --run-ignored= --retries= --test-threads= --no-capture --nocapture --success-output= --failure-output= --status-level= --final-status-level= --partition= --fail-fast --no-tests= --max-fail= --cargo-profile= --hide-progress-bar --no-run -- --exact --skip= --ignored --include-ignored"),
        Operands::AtMost(8),
    )
    .defined_in(FILES)
    .examples(&["cargo nextest run -p shell --features fixed", "cargo nextest run parser"], &["cargo nextest run --config-file x", "cargo nextest archive --archive-file x", "cargo nextest run --tool-config-file x"]),
    Rule::build("cargo-fmt", "cargo fmt", "-p= --all --check -q -v --quiet --verbose --package= --manifest-path=INSIDE --message-format= -- --check -l --files-with-diff --emit=stdout", Operands::None)
        .defined_in(FILES)
        .examples(&["cargo fmt", "cargo fmt --all -- --check"], &["cargo fmt -- --config-path /tmp/x", "cargo fmt --manifest-path ../x/Cargo.toml"]),
    Rule::build("rustfmt", "rustfmt", "--check -l --edition= -q -v", Operands::Inside).defined_in(FILES).examples(&["rustfmt --check src/main.rs"], &["rustfmt --config-path x a.rs", "rustfmt /tmp/x.rs"]),
    Rule::build("cargo-run-help", "cargo run|r", concat!(cargo!(), " -- --help --version"), Operands::Help)
        .defined_in(FILES)
        .examples(&["cargo run --bin app -- --help"], &["cargo run --release -- import --all data/", "cargo run", "cargo run -- x"]),
    Rule::build("cargo-checks", "cargo deny|audit|machete|udeps|outdated|hack|msrv|semver-checks|miri|llvm-cov|careful|tarpaulin check|test|build|clippy|nextest", concat!(cargo!(), " --text --summary-only --each-feature --feature-powerset --no-dev-deps"), Operands::AtMost(2))
        .defined_in(FILES)
        .examples(&["cargo deny check", "cargo hack check --each-feature"], &["cargo deny fetch", "cargo miri run", "cargo deny --config x check", "cargo miri setup"]),
    Rule::build("cargo-checks-alone", "cargo audit|machete|udeps|outdated|geiger|bloat|llvm-cov|tarpaulin", concat!(cargo!(), " --text --summary-only -n= --crates --depth="), Operands::None)
        .defined_in(FILES)
        .examples(&["cargo audit", "cargo machete"], &["cargo audit fix", "cargo machete --fix", "cargo llvm-cov --html --output-dir x"]),
    Rule::build("cargo-tree", "cargo tree", concat!(cargo!(), " -i= -e= -d --invert= --edges= --depth= --duplicates --no-dedupe --prefix= --prune= -f= --format= --charset="), Operands::AtMost(1)).defined_in(FILES)
        .examples(&["cargo tree -p gate -i serde"], &["cargo tree --config x", "cargo tree -Zx"]),
    Rule::build("cargo-metadata", "cargo metadata|locate-project|pkgid|verify-project|read-manifest", concat!(cargo!(), " --no-deps --format-version= --filter-platform= --message-format="), Operands::AtMost(1)).defined_in(FILES)
        .examples(&["cargo metadata --no-deps --format-version 1"], &["cargo metadata --config x", "cargo metadata --manifest-path /tmp/x/Cargo.toml"]),
    Rule::build("cargo-package", "cargo package", concat!(cargo!(), " -l --list --no-verify --allow-dirty --no-metadata"), Operands::None).defined_in(FILES)
        .examples(&["cargo package --list -p app", "cargo package --allow-dirty"], &["cargo publish", "cargo package --config x", "cargo package --target-dir /tmp/x"]),
    Rule::build("cargo-look-up", "cargo info|search", "-q -v --quiet --verbose --limit=NUMBER --color= --registry=crates-io --offline --locked --frozen", Operands::AtMost(1)).defined_in(FILES)
        .examples(&["cargo info serde", "cargo search serde --limit 5"], &["cargo info --index https://example.com serde", "cargo search --registry x serde", "cargo install serde"]),
    Rule::build("cargo-list", "cargo --list|help", "", Operands::AtMost(1)).defined_in(FILES).examples(&["cargo --list"], &["cargo --list --config x"]),
];
