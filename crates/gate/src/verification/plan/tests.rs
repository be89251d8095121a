//! Snapshots of plans in the form that people see.

use super::*;

fn line(check: &PlannedCheck) -> String {
    let way = match &check.way {
        Way::Own => "verger".to_owned(),
        Way::Command { argv, reading, origin } => {
            let origin = match origin {
                Origin::Set { key } => key,
                Origin::Detected { file } => file,
            };
            format!("{} [{origin}, {reading:?}]", command_line(argv))
        }
        Way::Missing { why } => format!("missing: {why}"),
        Way::NotInDepth { needs } => format!("needs {needs}"),
        Way::Skipped { why } => format!("skipped: {why}"),
    };
    format!("{}: {way}", check.name)
}

fn planned(depth: Depth, files: &[(&str, &str)], chosen: &Chosen) -> Vec<String> {
    let text_of = |name: &str| {
        let found = files.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned())
    };
    plan(depth, &Root::look(text_of), chosen).iter().map(line).collect()
}

/// Checks the commands that a verification of the deepest depth runs, for a project with these
/// files.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let own = ["git state", "open tasks", "stub markers", "review"];
    let mut lines = planned(Depth::Deep, files, &Chosen::default());
    lines.retain(|line| !own.iter().any(|own| line == &format!("{own}: verger")));
    lines.retain(|line| !line.contains("no command was found for this check"));
    assert_eq!(lines, expected);
}

const NO_TESTS: &str =
    "tests: missing: no command was found that runs the tests; set verification.tests";

#[test]
fn depth_chooses_only_how_much_of_the_tests_runs() {
    let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let chosen = Chosen {
        quick_tests: Some(argv("cargo test --lib")),
        acceptance: vec![argv("./accept.sh")],
        ..Chosen::default()
    };
    let files = [("Cargo.toml", "")];
    let all_tests = "tests (cargo): cargo test --workspace --no-fail-fast [Cargo.toml, Libtest]";
    for (depth, tests, acceptance) in [
        (
            Depth::Quick,
            "tests: cargo test --lib [verification.quick_tests, Libtest]",
            "acceptance 1: needs deep",
        ),
        (Depth::Standard, all_tests, "acceptance 1: needs deep"),
        (Depth::Deep, all_tests, "acceptance 1: ./accept.sh [verification.acceptance, ExitCode]"),
    ] {
        let expected = [
            "git state: verger",
            "open tasks: verger",
            "stub markers: verger",
            "lint (cargo): cargo clippy --workspace --all-targets [Cargo.toml, ExitCode]",
            "format (cargo): cargo fmt --all --check [Cargo.toml, ExitCode]",
            "types: skipped: no command was found for this check; verification.types sets one",
            tests,
            acceptance,
            "review: verger",
        ];
        assert_eq!(planned(depth, &files, &chosen), expected);
    }
    let plain = |depth| planned(depth, &files, &Chosen::default());
    assert_eq!(plain(Depth::Quick), plain(Depth::Deep));
}

#[test]
fn a_command_of_a_project_that_is_not_trusted_is_a_check_that_did_not_run() {
    let keys = ["lint", "tests", "quick_tests", "acceptance"];
    let untrusted = keys.map(|key| format!("verification.{key}")).to_vec();
    let chosen = Chosen { untrusted, ..Chosen::default() };
    let missing = |key: &str| {
        format!(
            "missing: verification.{key} is set by this project, which is not trusted; only a person can run `verger trust`"
        )
    };
    for (depth, tests) in [(Depth::Quick, "quick_tests"), (Depth::Deep, "tests")] {
        let lines = planned(depth, &[("Cargo.toml", "")], &chosen);
        let expected = [format!("lint: {}", missing("lint")), format!("tests: {}", missing(tests))];
        for line in expected {
            assert!(lines.contains(&line), "{lines:?}");
        }
    }
    let deep = planned(Depth::Deep, &[("Cargo.toml", "")], &chosen);
    assert!(deep.contains(&format!("acceptance: {}", missing("acceptance"))), "{deep:?}");
}

#[test]
fn a_plan_is_another_when_its_checks_or_what_is_required_are() {
    let named = |files: &[&str], depth, required: &[Requirement]| {
        let text_of = |name: &str| files.contains(&name).then(String::new);
        plan_name(&plan(depth, &Root::look(text_of), &Chosen::default()), required)
    };
    let (tests, review) = (Requirement::Tests, Requirement::Review);
    let one = named(&["Cargo.toml"], Depth::Deep, &[tests, review]);
    assert_eq!(named(&["Cargo.toml", "tsconfig.json"], Depth::Deep, &[review, tests]), one);
    for (files, depth, required) in [
        (&["go.mod"][..], Depth::Deep, &[tests, review][..]),
        (&["Cargo.toml"], Depth::Deep, &[tests]),
    ] {
        assert_ne!(named(files, depth, required), one, "{files:?} {depth} {required:?}");
    }
}

#[test]
fn configured_commands_replace_detected_commands() {
    let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let chosen = Chosen {
        lint: Some(argv("just lint")),
        tests: Some(argv("cargo test -p core")),
        acceptance: vec![argv("./accept.sh it's"), argv("true")],
        ..Chosen::default()
    };
    let lines = planned(Depth::Deep, &[("Cargo.toml", ""), ("Cargo.lock", "")], &chosen);
    let expected = [
        "git state: verger",
        "open tasks: verger",
        "stub markers: verger",
        "lint: just lint [verification.lint, ExitCode]",
        "format (cargo): cargo fmt --all --check [Cargo.toml, ExitCode]",
        "types: skipped: no command was found for this check; verification.types sets one",
        "tests: cargo test -p core [verification.tests, Libtest]",
        "acceptance 1: ./accept.sh 'it'\\''s' [verification.acceptance, ExitCode]",
        "acceptance 2: true [verification.acceptance, ExitCode]",
        "review: verger",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_project_of_cargo_keeps_its_lock_file_and_its_runner() {
    check(
        &[("Cargo.toml", ""), ("Cargo.lock", ""), (".config/nextest.toml", "")],
        &[
            "lint (cargo): cargo clippy --workspace --all-targets --locked [Cargo.toml, ExitCode]",
            "format (cargo): cargo fmt --all --check [Cargo.toml, ExitCode]",
            "tests (cargo): cargo nextest run --workspace --no-fail-fast --locked [Cargo.toml, Nextest]",
        ],
    );
}

#[test]
fn scripts_of_a_package_are_run_by_its_own_manager() {
    let package = r#"{"scripts": {"lint": "eslint .", "format:check": "prettier -c .",
        "typecheck": "tsc --noEmit", "test": "jest"}}"#;
    for (lock, manager, jest) in [
        ("package-lock.json", "npm", "-- --json"),
        ("pnpm-lock.yaml", "pnpm", "--json"),
        ("yarn.lock", "yarn", "--json"),
        ("bun.lock", "bun", "--json"),
    ] {
        let [lint, format, types] =
            [("lint", "lint"), ("format", "format:check"), ("types", "typecheck")].map(
                |(kind, script)| {
                    format!("{kind} ({manager}): {manager} run {script} [package.json, ExitCode]")
                },
            );
        let tests = format!("tests ({manager}): {manager} run test {jest} [package.json, Jest]");
        check(&[("package.json", package), (lock, "")], &[&lint, &format, &types, &tests]);
    }
}

#[test]
fn a_script_that_changes_files_is_not_run() {
    let package = r#"{"scripts": {"lint": "eslint --fix .", "test": "vitest run && echo done"}}"#;
    check(
        &[("package.json", package)],
        &[
            "lint (npm): missing: `npm run lint` changes files; set verification.lint to a command that \
             only checks",
            "tests (npm): npm run test [package.json, ExitCode]",
        ],
    );
}

#[test]
fn tools_of_a_package_without_scripts_are_run_as_they_are_there() {
    let package = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"},
        "devDependencies": {"prettier": "3", "typescript": "5"}}"#;
    check(
        &[("package.json", package), ("tsconfig.json", "")],
        &[
            "format (prettier): npx --no-install prettier --check . [package.json, ExitCode]",
            "types (tsc): npx --no-install tsc --noEmit [package.json, ExitCode]",
            NO_TESTS,
        ],
    );
    check(&[("package.json", "{ broken")], &[NO_TESTS]);
}

#[test]
fn tools_of_python_are_those_that_are_configured() {
    let project =
        "[project]\nname = \"x\"\n[tool.ruff.lint]\n[tool.mypy]\n[tool.pytest.ini_options]\n";
    check(
        &[("pyproject.toml", project), ("uv.lock", "")],
        &[
            "lint (ruff): uv run --locked ruff check --no-fix . [pyproject.toml, ExitCode]",
            "format (ruff): uv run --locked ruff format --check . [pyproject.toml, ExitCode]",
            "types (mypy): uv run --locked mypy . [pyproject.toml, ExitCode]",
            "tests (pytest): uv run --locked pytest -q -rfE --color=no -p no:cacheprovider \
             [pyproject.toml, Pytest]",
        ],
    );
    check(
        &[
            ("pyproject.toml", "[tool.black]\n[tool.rufflike]\n"),
            (".flake8", ""),
            ("tox.ini", "[testenv]\n"),
        ],
        &[
            "lint (flake8): python3 -m flake8 . [.flake8, ExitCode]",
            "format (black): python3 -m black --check . [pyproject.toml, ExitCode]",
            "tests (tox): tox [tox.ini, ExitCode]",
        ],
    );
    let tests = "tests (pytest): python3 -m pytest -q -rfE --color=no -p no:cacheprovider";
    for (file, text) in
        [("setup.cfg", "[tool:pytest]\n"), ("tox.ini", "[pytest]\n"), ("conftest.py", "")]
    {
        check(&[(file, text)], &[&format!("{tests} [{file}, Pytest]")]);
    }
}

#[test]
fn a_module_of_go_is_vetted_or_linted() {
    let rest = [
        "format (gofmt): gofmt -l . [go.mod, Silence]",
        "tests (go): go test -json ./... [go.mod, GoTest]",
    ];
    let vet = "lint (go): go vet ./... [go.mod, ExitCode]";
    check(&[("go.mod", "")], &[vet, rest[0], rest[1]]);
    let lint = "lint (golangci-lint): golangci-lint run [.golangci.yml, ExitCode]";
    check(&[("go.mod", ""), (".golangci.yml", "")], &[lint, rest[0], rest[1]]);
}

#[test]
fn targets_of_make_stand_in_where_nothing_else_is_found() {
    let file = "CC := cc\ntest = no\n# lint:\n.PHONY: types\n\tlint: no\nfmt-check lint: x\n\tdo\n\
                check: all\n";
    check(
        &[("Makefile", file)],
        &[
            "lint (make): make lint [Makefile, ExitCode]",
            "format (make): make fmt-check [Makefile, ExitCode]",
            "tests (make): make check [Makefile, ExitCode]",
        ],
    );
    check(
        &[("go.mod", ""), ("Makefile", "typecheck:\ntest:\n")],
        &[
            "lint (go): go vet ./... [go.mod, ExitCode]",
            "format (gofmt): gofmt -l . [go.mod, Silence]",
            "types (make): make typecheck [Makefile, ExitCode]",
            "tests (go): go test -json ./... [go.mod, GoTest]",
        ],
    );
}
