//! Rules that approve tests and checks with Python's tools.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

/// Options of pytest. Options that write, or that load code or other configuration (`-c`, `-p`,
/// `--rootdir`), are left out.
macro_rules! pytest {
    () => {
        "-q -qq -v -vv -vvv -x -s -l -k= -m= -n= -r= -rA -ra -rs -rf -W= --tb= --maxfail= --lf --last-failed --ff --failed-first --nf --sw --stepwise \
         --durations= --durations-min= --collect-only --co --no-header --no-summary --color= --cov[=] --cov-report=term|term-missing|term-missing:skip-covered|html|xml \
         --cov-branch --no-cov --cov-fail-under= --timeout= --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --showlocals \
         --exitfirst --verbose --quiet --capture= --reruns= --dist= --numprocesses= --ignore= --deselect= --doctest-modules --runslow --run-slow \
         --markers --fixtures --setup-show --full-trace --benchmark-skip --benchmark-disable --asyncio-mode= --log-cli-level= --log-level= --random-order \
         --new-first --cache-clear --import-mode= --pyargs --version --help -h"
    };
}

const FILES: &str = "**/conftest.py **/pytest.ini **/pyproject.toml **/setup.cfg **/setup.py **/tox.ini **/noxfile.py **/.coveragerc **/mypy.ini \
    **/ruff.toml **/.ruff.toml **/.flake8 **/.pylintrc **/pyrightconfig.json **/sitecustomize.py **/usercustomize.py **/*.pth \
    **/tests/helpers/** **/tests/utils/** **/.pre-commit-config.yaml";

macro_rules! checks {
    () => {
        "-q -v --strict --check --diff --ignore-missing-imports --show-error-codes --pretty --no-color --color --no-error-summary --show-error-context \
         --no-incremental --check-only -c --select= --ignore= --extend-ignore= --extend-select= --max-line-length= --count --statistics \
         --show-source --line-length= --exclude= --output-format=concise|full|text|json|github|grouped|pylint|colorized --no-cache --no-fix --preview --target-version= \
         --python-version= --profile=NAME --disable= --enable= --jobs=NUMBER -j=NUMBER --score= -rn --errors-only -E --quiet --verbose --outputjson --stats --warnings \
         --show-files --show-settings --show-fixes --explicit-package-bases --namespace-packages --disallow-untyped-defs --no-implicit-optional -l=NUMBER --fast --skip-string-normalization -S --severity-level= -r -ll -lll -m=NAME --version --help -h -s"
    };
}

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::build("pytest", "pytest|py.test", pytest!(), Operands::Inside).defined_in(FILES).examples(
        &["pytest -q", "pytest -x --tb=short tests/unit", "pytest -k 'not shutdown and not reboot'", "poetry run pytest tests/unit", "uv run pytest"],
        &["pytest -c /tmp/x.ini", "pytest /tmp/test_x.py", "pytest -p x", "pytest --rootdir=/tmp", "PYTHONPATH=/tmp/x pytest", ".venv/bin/pytest -q", "pytest --basetemp=src", "pytest --junitxml=x", "pytest --snapshot-update", "pytest ../other"],
    ),
    Rule::build("python-pytest", "python|python3 -m pytest", pytest!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["python3 -m pytest tests -k 'auth and not slow' -v"], &["python3 -m pytest -p x", "python3 -c 'x' -m pytest", "python3 -m http.server 8000", "python3 x.py"]),
    Rule::build("python-unittest", "python|python3 -m unittest|doctest|nose2", "-v -q -f -b -k= -s=INSIDE -p= -t=INSIDE --verbose --quiet --failfast --buffer --locals", Operands::Inside)
        .defined_in(FILES)
        .examples(&["python -m unittest discover -s tests"], &["python -m unittest /tmp/x.py", "python -m unittest discover -s /tmp"]),
    Rule::build("python-compile", "python|python3 -m compileall|py_compile|tabnanny", "-q -f -j= -x=", Operands::Inside)
        .defined_in(FILES)
        .examples(&["python -m compileall -q src", "python3 -m py_compile src/a.py"], &["python -m compileall /tmp/x", "python -m pip install x"]),
    Rule::build("python-checks", "mypy|pyright|basedpyright|flake8|pylint|black|isort|bandit|pycodestyle|pydocstyle|vulture|ty|pyflakes|autopep8-none|codespell|djlint", checks!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["mypy src", "mypy --strict src/app", "pyright src", "black --check .", "isort --check-only .", "black src"], &["mypy --config-file /tmp/x src", "pylint --load-plugins=x src", "black /tmp/x", "mypy --python-executable=x src", "codespell -w", "pylint --init-hook='x' src", "bandit -l -o a.py -r src", "isort -j --settings-path=x ."]),
    Rule::build("python-module-checks", "python|python3 -m mypy|pyright|flake8|pylint|black|isort|bandit|pycodestyle|vulture|pyflakes", checks!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["python -m mypy src", "python3 -m black --check ."], &["python -m pylint --init-hook='x' src", "python -m venv x"]),
    Rule::build("ruff", "ruff check|format|rule|linter", checks!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["ruff check src tests --output-format=concise", "ruff format --check .", "ruff format ."], &["ruff check --fix .", "ruff check --config /tmp/x .", "ruff clean", "ruff check -o x ."]),
    Rule::build("python-module-ruff", "python|python3 -m ruff check|format", checks!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["python -m ruff check ."], &["python -m ruff check --fix ."]),
    Rule::build("tox", "tox", concat!("-q -v -e=TARGET -p=NUMBER -l --listenvs --skip-missing-interpreters --parallel[=] -qq --notest -- ", pytest!()), Operands::None)
        .defined_in(FILES)
        .examples(&["tox -q", "tox -e py311", "tox -p 4", "tox -e py -- -x"], &["tox -c /tmp/x", "tox --workdir /tmp/x", "tox -e deploy", "tox exec -- x", "tox -p -c other.ini", "tox -e py -- -p other"]),
    Rule::build("nox", "nox", concat!("-s=TARGET -e=TARGET -k= -t= -l --list -r -R --sessions=TARGET --error-on-missing-interpreters -- ", pytest!()), Operands::None)
        .defined_in(FILES)
        .examples(&["nox", "nox -s tests"], &["nox -f /tmp/x.py", "nox -s deploy", "nox -- -p other"]),
    Rule::build("coverage", "coverage run -m pytest|unittest", pytest!(), Operands::Inside).defined_in(FILES).examples(&["coverage run -m pytest"], &["coverage run x.py", "coverage run -m other", "coverage erase"]),
    Rule::build("coverage-report", "coverage report", "-m --show-missing --skip-covered --include= --omit= --sort=", Operands::Inside).defined_in(FILES).examples(&["coverage report -m"], &["coverage report --rcfile=/tmp/x"]),
    Rule::build("python-runner", "poetry|uv|pipenv|pdm|rye|hatch run", "-q --quiet --frozen --locked --no-sync --offline --active", Operands::Tool)
        .defined_in(FILES)
        .examples(&["poetry run pytest tests/unit", "uv run mypy src", "pipenv run pytest"], &["poetry run python x.py", "uv run --with x pytest", "uv run x.py", "poetry add fastapi", "uv run ls"]),
    Rule::build("pre-commit", "pre-commit run", "-a --all-files -v --verbose --show-diff-on-failure --hook-stage=", Operands::AtMost(1))
        .defined_in(FILES)
        .examples(&["pre-commit run --all-files"], &["pre-commit run -c /tmp/x", "pre-commit install", "pre-commit autoupdate"]),
    Rule::build("django", "python|python3 manage.py test|check", "-v= --verbosity= --keepdb --parallel[=] --failfast -k= --deploy --tag= --noinput", Operands::Inside)
        .defined_in("**/manage.py **/settings.py **/settings/** **/conftest.py **/pyproject.toml")
        .examples(&["python manage.py test"], &["python manage.py migrate", "python manage.py shell", "python manage.py test --settings=x"]),
    Rule::allow("pip-look", "pip|pip3 list|show|freeze|check", "-o -u -v -f --outdated --uptodate --format= --not-required --user --local --files -l --verbose --all", Operands::AtMost(6))
        .examples(&["pip list", "pip show requests", "pip freeze"], &["pip install requests", "pip list --python x", "pip list -i http://x", "pip config list", "pip freeze > requirements.txt"]),
    // If the project has a file `pip.py` or a directory `pip`, Python runs it instead of the
    // installed `pip`.
    Rule::build("pip-module-look", "python|python3 -m pip list|show|freeze|check", "-o -v -f --outdated --format= --not-required --user --local --files", Operands::AtMost(6))
        .defined_in("**/pip.py **/pip/**")
        .examples(&["python -m pip list"], &["python -m pip install x"]),
    Rule::build("uv-look", "uv|poetry tree|show", "--depth= --package= --no-dev --outdated --tree -t -l -o --latest --top-level -T --frozen --locked", Operands::AtMost(2))
        .defined_in(FILES)
        .examples(&["uv tree", "poetry show --tree"], &["uv add httpx", "poetry config --list", "uv tree --python x"]),
    Rule::allow("uv-pip-look", "uv pip list|show|freeze|tree|check", "--format= --outdated --depth=", Operands::AtMost(4)).examples(&["uv pip list"], &["uv pip install x", "uv pip sync x"]),
];
