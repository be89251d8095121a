use proptest::prelude::*;

use super::*;

fn run(line: &str, failed: bool, output: &str) -> Option<CheckRun> {
    CheckRun::of_line(&verger_shell::read(line), failed, output)
}

fn names(line: &str) -> Vec<String> {
    run(line, false, "").map_or(vec![], |run| run.names)
}

fn failure(output: &str) -> Option<Failure> {
    Failure::of_output(&output::cleaned(output))
}

#[track_caller]
fn assert_label(output: &str, label: Option<&str>) {
    assert_eq!(failure(output).map(|failure| failure.label).as_deref(), label, "{output}");
}

#[test]
fn a_check_is_named_by_its_first_words() {
    let cases: &[(&str, &[&str])] = &[
        ("cargo test -p shop cart::", &["cargo test"]),
        ("cargo +nightly clippy --all-targets -- -D warnings", &["cargo clippy"]),
        ("cargo nextest run -p shop", &["cargo nextest"]),
        ("cargo run", &[]),
        ("cargo fmt", &[]),
        ("go -C api test ./... -run TestCart", &["go test"]),
        ("go mod tidy", &[]),
        ("npm test -- --watch=false", &["npm test"]),
        ("npm run test:unit", &["npm test:unit"]),
        ("npm run dev", &[]),
        ("npm ci", &[]),
        ("cargo install --path crates/test", &[]),
        ("pnpm --filter web typecheck", &["pnpm typecheck"]),
        ("yarn lint", &["yarn lint"]),
        ("npm install build", &[]),
        ("bun test cart.test.ts", &["bun test"]),
        ("npx --yes tsc --noEmit", &["npx tsc"]),
        ("uvx ty check .", &["uvx check"]),
        ("uv run pytest -q tests/test_cart.py", &["pytest"]),
        ("poetry run mypy src", &["mypy"]),
        ("bundle exec rspec spec/cart_spec.rb", &["rspec"]),
        (".venv/bin/python -m pytest -x", &["python pytest"]),
        ("python3 -m unittest discover", &["python unittest"]),
        ("python3 tools/build.py --all", &["python tools/build.py"]),
        ("python3 -c 'print(1)'", &[]),
        ("./scripts/check --fast", &["check"]),
        ("/usr/bin/check", &[]),
        (".venv/bin/python -c 'print(1)'", &[]),
        ("bash scripts/test.sh", &["bash scripts/test.sh"]),
        ("ruff check . --fix", &["ruff check"]),
        ("ruff format .", &[]),
        ("flake8 src", &["flake8"]),
        ("make -j4 verify PY=python3", &["make verify"]),
        ("make", &["make"]),
        ("just test", &["just test"]),
        ("mise run lint:go", &["mise lint:go"]),
        ("./gradlew --offline test", &["gradlew test"]),
        ("mvn -q verify", &["mvn verify"]),
        ("dotnet test --no-build", &["dotnet test"]),
        ("mix test test/cart_test.exs", &["mix test"]),
        ("deno test -A", &["deno test"]),
        ("swift test --filter Cart", &["swift test"]),
        ("npx playwright test cart", &["npx test"]),
        ("env CI=1 timeout 60 cargo test", &["cargo test"]),
        ("bash -lc 'cd api && go vet ./... && go test ./...'", &["go vet", "go test"]),
        ("cargo test a && cargo test b", &["cargo test"]),
        ("git commit -m 'cargo test'", &[]),
        ("echo cargo test", &[]),
        ("", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(names(line), *expected, "{line}");
    }
}

#[test]
fn the_status_counts_only_where_it_is_the_checks_own() {
    use CheckResult::{Failed, Passed, Unknown};
    const RED: &str = "test cart::adds ... FAILED\ntest result: FAILED. 3 passed; 1 failed";
    const GREEN: &str = "test cart::adds ... ok\ntest result: ok. 4 passed; 0 failed";
    let red = || Failed(failure(RED));
    let cases = [
        ("cargo test", true, RED, red()),
        ("cargo test", false, RED, Passed),
        ("cargo test", true, "Exit code 101", Failed(None)),
        ("cargo test 2>&1 | tail -5", false, RED, red()),
        ("cargo test 2>&1 | tail -5", false, GREEN, Passed),
        (
            "cargo test 2>&1 | tail -1",
            false,
            "test result: FAILED. 3 passed; 1 failed",
            Failed(None),
        ),
        ("cargo test 2>&1 | grep warning", false, "warning: unused", Unknown),
        ("cargo check 2>&1 | head", false, "", Passed),
        (
            "cargo check 2>&1 | head",
            false,
            "error[E0425]: no `a`",
            Failed(failure("error[E0425]: no `a`")),
        ),
        ("cargo test; echo done", false, RED, red()),
        ("cargo test; echo done", false, "done", Passed),
        ("cargo test || true", false, RED, red()),
        ("cargo test > log 2>&1; tail log", false, "...", Unknown),
        ("cargo test > log 2>&1; tail log", false, RED, red()),
        ("cargo test && git status", false, "nothing to commit", Passed),
        (
            "uv run pytest | tail -3",
            false,
            "FAILED a.py::b - x\n1 failed",
            Failed(failure("FAILED a.py::b\n1 failed")),
        ),
        (
            "bash -c 'go test ./... | tail'",
            false,
            "--- FAIL: TestA (0.1s)",
            Failed(failure("--- FAIL: TestA")),
        ),
        // Go prints the positions of skipped tests in the same form as those of errors.
        ("go test -v ./... | tail", false, "a_test.go:3: skipped\nok  \tshop\t0.1s", Passed),
        // A list of files in the same output isn't an error.
        ("go test ./... ; ls", false, "ok  \tshop\t0.1s\na.go", Passed),
    ];
    for (line, failed, output, expected) in cases {
        let found = run(line, failed, output).map(|run| run.result);
        assert_eq!(found, Some(expected), "{line}: {output}");
    }
}

#[test]
fn failing_tests_are_known_by_their_names() {
    let cases = [
        ("test cart::tests::adds ... FAILED", "cart::tests::adds"),
        ("cart::tests::adds --- FAILED", "cart::tests::adds"),
        ("---- cart::tests::adds stdout ----", "cart::tests::adds"),
        ("failures:\n    cart::tests::adds\n\ntest result: FAILED.", "cart::tests::adds"),
        ("        FAIL [   0.010s] shop cart::tests::adds", "shop cart::tests::adds"),
        ("FAILED tests/test_cart.py::test_adds - assert 1 == 2", "tests/test_cart.py::test_adds"),
        ("tests/test_cart.py::test_adds FAILED   [ 50%]", "tests/test_cart.py::test_adds"),
        ("    --- FAIL: TestCart/adds (0.00s)", "TestCart/adds"),
        ("  ● Cart › adds an item", "Cart › adds an item"),
        ("    ✕ adds an item (5 ms)", "adds an item (5 ms)"),
        (" FAIL  src/cart.test.ts > Cart > adds", "src/cart.test.ts > Cart > adds"),
        ("   × Cart > adds 12ms", "Cart > adds"),
        ("not ok 3 - adds an item", "3 - adds an item"),
        ("rspec ./spec/cart_spec.rb:12 # Cart adds an item", "Cart adds an item"),
        ("FAIL: test_adds (cart.CartTest)", "test_adds (cart.CartTest)"),
        ("  Failed Shop.CartTest.Adds [12 ms]", "Shop.CartTest.Adds [12 ms]"),
        ("CartTest > adds() FAILED", "CartTest > adds()"),
        ("adds an item ... FAILED (12ms)", "adds an item"),
        ("(fail) Cart > adds [0.12ms]", "Cart > adds [0.12ms]"),
        ("\x1b[31m✗\x1b[39m adds an item", "adds an item"),
    ];
    for (output, label) in cases {
        assert_label(output, Some(label));
        assert!(failure(output).is_some_and(|failure| failure.tests.is_some()), "{output}");
    }
}

#[test]
fn errors_are_known_where_no_test_is_named() {
    let cases = [
        "error[E0308]: mismatched types",
        "error: linking with `cc` failed",
        "src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
        "src/cart.ts:3:7 - error TS2322: Type 'string' is not assignable to type 'number'.",
        "3:7  error  'total' is not defined  no-undef",
        "cart.py:3: error: Incompatible return value type  [return-value]",
        "cart.py:3:1: F401 `os` imported but unused",
        "F401 [*] `os` imported but unused",
        "./cart.go:3:7: undefined: total",
        "TypeError: total is not a function",
        "java.lang.IllegalStateException: empty cart",
        "[ERROR] CartTest.adds:12 expected 1 but was 2",
        "panic: runtime error: index out of range",
    ];
    for output in cases {
        assert_label(output, Some(output));
        assert!(failure(output).is_some_and(|failure| failure.tests.is_none()), "{output}");
    }
    let labelled = failure("[lint:go] cart.go:3:7: undefined: total").unwrap().label;
    assert_eq!(labelled, "cart.go:3:7: undefined: total");
}

#[test]
fn other_lines_are_no_failure() {
    let cases = [
        "error: could not compile `shop` (lib) due to 3 previous errors",
        "error: test failed, to rerun pass `--lib`",
        "make: *** [test] Error 1",
        "Error: Process completed with exit code 1.",
        "ERROR: Coverage failure: total of 76 is less than fail-under=85",
        "Error:",
        "FAIL",
        "FAIL\tshop/cart\t0.01s",
        "FAIL src/cart.test.ts",
        "FAILED (failures=1)",
        "> Task :app:test FAILED",
        "cart.py:3: DeprecationWarning: use total()",
        "cart.c:3:1: warning: unused variable",
        "cart.go:3:\treturn total",
        "cart.py:3:    return total",
        "test cart::adds ... ok",
        "1) first of a list",
        "total: 3 errors",
        "zsh: command not found: cargo\nerror: nothing ran",
        "--- FAIL: TestGet (0.1s)\n    get_test.go:3: dial tcp: lookup shop.example: no such host",
        "",
    ];
    for output in cases {
        assert_label(output, None);
    }
}

#[test]
fn the_same_failure_is_recognised_in_another_run() {
    let same = [
        (
            "--- FAIL: TestA (0.01s)\n    a_test.go:3: got 1",
            "--- FAIL: TestA (1.20s)\n    a_test.go:9: got 2",
        ),
        ("test b ... FAILED\ntest a ... FAILED", "test a ... FAILED\ntest b ... FAILED"),
        (
            "error[E0308]: mismatched types\n --> src/a.rs:3:1",
            "error[E0308]: mismatched types\n --> src/a.rs:4:9",
        ),
        ("Error: cannot read /tmp/x1/a", "Error: cannot read /tmp/y2/b"),
        ("Error: no commit 1a2b3c4d5e", "Error: no commit 9f8e7d6c5b"),
        ("Error: at 0x7ffe12, after 12ms", "Error: at 0x10ab, after 1.5s"),
        // The second output shows no error for the failing test.
        ("--- FAIL: TestA (0.01s)\n    a_test.go:3: got nil", "--- FAIL: TestA (0.01s)"),
    ];
    for (first, second) in same {
        assert!(
            failure(first).zip(failure(second)).is_some_and(|(a, b)| a.is_same(&b)),
            "{first}\n{second}"
        );
    }
    let different = [
        ("--- FAIL: TestA (0.01s)", "--- FAIL: TestB (0.01s)"),
        (
            "--- FAIL: TestA (0.01s)\n    a_test.go:3: got nil",
            "--- FAIL: TestA (0.01s)\n    a_test.go:9: timed out",
        ),
        ("test a ... FAILED\ntest b ... FAILED", "test a ... FAILED"),
        (
            "thread 'a' panicked at a.rs:1:2:\nno cart\ntest a ... FAILED",
            "thread 'a' panicked at a.rs:1:2:\nno item\ntest a ... FAILED",
        ),
        (
            "error[E0308]: mismatched types\n --> src/a.rs:3:1",
            "error[E0308]: mismatched types\n --> src/b.rs:3:1",
        ),
        // The first output has two errors, the second only one of them.
        ("a.go:1:2: undefined: x\na.go:3:2: undefined: x", "a.go:1:2: undefined: x"),
        ("Error: no item2", "Error: no item3"),
        ("test a ... FAILED", "error[E0308]: mismatched types"),
    ];
    for (first, second) in different {
        assert!(
            failure(first).zip(failure(second)).is_some_and(|(a, b)| !a.is_same(&b)),
            "{first}\n{second}"
        );
    }
}

#[test]
fn only_the_beginning_and_the_end_of_a_long_output_are_read() {
    let filler = "warning: é unused\n".repeat(100_000);
    let output =
        format!("test a ... FAILED\n{filler}test b ... FAILED\n{filler}test c ... FAILED\n");
    assert!(output::cleaned(&output).len() <= 64 * 1024);
    let expected = failure("test a ... FAILED\ntest c ... FAILED");
    assert_eq!(failure(&output), expected);
}

#[test]
fn a_label_is_short() {
    let long = "ä".repeat(5_000);
    let label = failure(&format!("test {long} ... FAILED")).map(|failure| failure.label);
    assert_eq!(label, Some(format!("{}…", "ä".repeat(160))));
}

/// Parts of lines that the parsers search for, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "test ",
        " ... FAILED",
        " FAILED",
        "FAILED ",
        "failures:",
        "    ",
        "--- FAIL: ",
        "● ",
        "✕ ",
        "FAIL [",
        "] ",
        "rspec ./",
        " # ",
        "error[",
        "error: ",
        "a.go:1:2: ",
        "a.ts(1,2): ",
        "--> ",
        "E   ",
        "/tmp/",
        "0x1f",
        "12ms",
        "\x1b[31m",
        "\x1b",
        "\n",
        " ",
        "é",
        "3 passed",
        "left: ",
        "thread '' panicked at ",
    ]);
    let piece = prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_output_is_read(output in pieces(), failed: bool) {
        let first = run("cargo test | tail", failed, &output);
        prop_assert_eq!(&first, &run("cargo test | tail", failed, &output));
        if let Some(CheckRun { result: CheckResult::Failed(Some(failure)), .. }) = first {
            prop_assert!(failure.is_same(&failure));
            prop_assert!(failure.tests.is_some() || failure.errors.is_some());
        }
    }

    #[test]
    fn any_line_is_read(line in any::<String>()) {
        let _run = run(&line, true, "error: x");
    }
}
