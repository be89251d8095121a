//! Rules that approve builds and tests with tools that have no module of their own, such as make
//! and Go.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

const MAKE: &str = "**/Makefile **/makefile **/GNUmakefile **/*.mk **/*.mak **/configure **/configure.ac **/Makefile.am **/Makefile.in **/scripts/** **/tools/** **/package.json";
const GO: &str = "**/go.mod **/go.work **/.golangci.* **/tools.go **/testdata/helpers/**";
const JVM: &str = "**/pom.xml **/build.gradle* **/settings.gradle* **/gradle.properties **/gradle/** **/buildSrc/** **/.mvn/** **/build.sbt **/project/*.sbt **/project/*.scala";
const RUBY: &str = "**/Rakefile **/Gemfile **/*.gemspec **/.rspec **/spec/spec_helper.rb **/spec/rails_helper.rb **/test/test_helper.rb **/lib/tasks/** **/.rubocop.yml";
const NATIVE: &str = "**/CMakeLists.txt **/*.cmake **/CMakePresets.json **/build.ninja **/meson.build **/BUILD **/BUILD.bazel **/*.bzl **/WORKSPACE* **/MODULE.bazel **/.bazelrc **/conanfile.*";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::build("make", "make|gmake", "-j[=] -k -s -n -B -i -q -w -r -R -l=NUMBER -C=DIR -O[=] --jobs[=] --keep-going --silent --quiet --dry-run --just-print --always-make --no-print-directory --directory=DIR --output-sync[=] --trace", Operands::Targets)
        .defined_in(MAKE)
        .examples(
            &["make", "make test", "make lint", "make -n build", "make -j8 test V=1", "make -j 8 test", "make -C lib test"],
            &["make deploy", "make install", "make -C ../other-app", "make clean", "make -f /tmp/x", "make SHELL=/tmp/x test", "MAKEFLAGS=--eval=x make test", "SHELL=/tmp/x make test", "make --eval=x", "make test ARGS='; rm -rf /'", "(cd /tmp/other && make)", "make -I /tmp x", "make -l deploy", "make -j deploy"],
        ),
    Rule::build("task-runner", "just|task|mage|rake|invoke|inv|doit", "-n -s -v -q --dry-run --silent --quiet --verbose -l --list --summary --trace", Operands::Targets)
        .defined_in("**/justfile **/Justfile **/.justfile **/Taskfile.y*ml **/magefile.go **/Rakefile **/lib/tasks/** **/tasks.py **/dodo.py **/Gemfile")
        .examples(&["just test", "rake test", "task build", "just --list"], &["just deploy", "just -f /tmp/x test", "task -t /tmp/x test", "rake db:drop", "just --shell x test"]),
    Rule::build("ninja", "ninja", "-C=DIR -j= -k= -v -n -l= --quiet", Operands::Targets).defined_in(NATIVE)
        .examples(&["ninja -C build", "ninja test"], &["ninja -C /tmp/x", "ninja -t clean", "ninja -f x", "ninja install"]),
    Rule::build("cmake", "cmake --build", "-j[=] -v --parallel[=] --config= -t=all|test|check --target=all|test|check --verbose --preset= -- -j[=] -k", Operands::OneInside).defined_in(NATIVE)
        .examples(&["cmake --build build -j 8", "cmake --build build --target test"], &["cmake --build build --target install", "cmake --build /tmp/x", "cmake -P x.cmake", "cmake --install build", "cmake -E rm -rf x", "cmake --build build -- -f x", "cmake --build build -- install", "cmake --build build -- SHELL=x", "cmake --build build -- -j install"]),
    Rule::build("cmake-configure", "cmake", "-B=OUTPUT -S=INSIDE -G= -DCMAKE_BUILD_TYPE= -DCMAKE_EXPORT_COMPILE_COMMANDS= -DBUILD_TESTING= --preset=", Operands::None).defined_in(NATIVE)
        .examples(&["cmake -B build", "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug"], &["cmake -B /tmp/x", "cmake -B build -DCMAKE_CXX_COMPILER=./x", "cmake -P x", "cmake -B src", "cmake -C x -B build"]),
    Rule::build("ctest", "ctest", "-j[=] -V -VV -R= -E= -L= -N -Q --output-on-failure --parallel[=] --test-dir=DIR --rerun-failed --stop-on-failure --timeout= --preset= --progress --verbose --quiet --repeat= -C=", Operands::Numbers).defined_in(NATIVE)
        .examples(&["ctest --output-on-failure", "ctest -j 8", "ctest --test-dir build"], &["ctest -S x.cmake", "ctest --build-and-test a b", "ctest --test-dir /tmp"]),
    Rule::build("meson", "meson test|compile", "-C=DIR -v -j= --print-errorlogs --suite= --list", Operands::Targets).defined_in(NATIVE)
        .examples(&["meson test -C build"], &["meson test --wrap=./x", "meson setup x", "meson install"]),
    Rule::build("bazel", "bazel|bazelisk build|test|query|cquery|info", "-k -c= --config= --test_output= --test_filter= --nocache_test_results --keep_going --jobs= --verbose_failures --test_tag_filters= --compilation_mode= --output= --noshow_progress", Operands::AtMost(8)).defined_in(NATIVE)
        .examples(&["bazel test //...", "bazel build //app:all"], &["bazel run //x", "bazel clean --expunge", "bazel test --run_under=./x //...", "bazel --bazelrc=x test //..."]),
    Rule::build(
        "go-build",
        "go build|test|vet|fmt",
        "-v -x -n -a -i -race -msan -asan -cover -short -failfast -json -benchmem -trimpath -count= -run= -skip= -bench= -timeout= -parallel= -cpu= -p= -tags= -mod= \
         -covermode= -coverpkg= -coverprofile=coverage.out|cover.out|c.out|coverage.txt -benchtime= -shuffle= -list= -vet= -buildvcs= -fullpath -test.v -o=OUTPUT",
        Operands::Inside,
    )
    .defined_in(GO)
    .examples(
        &["go build ./...", "go test ./... -run TestParse -count=1", "go test -race -v ./internal/store/...", "go vet ./...", "go fmt ./...", "go build -o bin/app ./cmd/app"],
        &["go build -toolexec ./x ./...", "go test -exec ./run ./...", "go vet -vettool=./x ./...", "go build -o ../x .", "go build -o main.go .", "go generate ./...", "go run .", "go install example.com/tool@latest", "go mod tidy", "go build -ldflags=-extld=x .", "go test /tmp/x", "go test -coverprofile=x ./...", "go test -coverprofile=main.go ./...", "go build -overlay x ."],
    ),
    Rule::build("gofmt", "gofmt|goimports|gofumpt", "-l -d -e -s -w", Operands::Inside).defined_in(GO).examples(&["gofmt -l .", "gofmt -w src"], &["gofmt -w /tmp/x", "gofmt -cpuprofile x ."]),
    Rule::build("golangci", "golangci-lint run|linters", "-v --timeout= --fast --new-from-rev= --out-format=NAME --build-tags= --max-issues-per-linter= --max-same-issues= --no-config --default=NAME --enable= --disable= --enable-only= -E= -D= -h --help", Operands::Inside).defined_in(GO)
        .examples(&["golangci-lint run", "golangci-lint run ./..."], &["golangci-lint run --fix", "golangci-lint run -c /tmp/x", "golangci-lint run --out-format=json:main.go", "golangci-lint cache clean", "golangci-lint custom"]),
    Rule::build("go-lint", "staticcheck|govulncheck|revive|errcheck|gotestsum", "-v --timeout= --fast --new-from-rev= --out-format= --build-tags= -tags= -checks= --format= -f= --max-issues-per-linter= --max-same-issues=", Operands::Inside).defined_in(GO)
        .examples(&["staticcheck ./..."], &["staticcheck /tmp/x", "gotestsum --raw-command ./x", "gotestsum -- -exec ./x"]),
    Rule::allow("go-coverage", "go tool cover", "-func=FILE", Operands::None).examples(&["go tool cover -func=coverage.out"], &["go tool cover -html=x -o y", "go tool pprof x"]),
    Rule::build("bundle-look", "bundle list|show|info|check|outdated", "--name-only --paths --path --parseable --strict", Operands::AtMost(1))
        .defined_in(RUBY)
        .examples(&["bundle list", "bundle info rails"], &["bundle install", "bundle exec ls", "bundle check --gemfile=/tmp/x"]),
    Rule::allow("gem-look", "gem list|environment|which", "-l --local -a --all", Operands::AtMost(1)).examples(&["gem list"], &["gem install x", "gem push x"]),
    Rule::allow("php-look", "php -m|--ini|--modules", "", Operands::None).examples(&["php -m"], &["php -i", "php x.php"]),
    Rule::allow("dotnet-look", "dotnet --info|--list-sdks|--list-runtimes", "", Operands::None).examples(&["dotnet --info"], &["dotnet x.dll", "dotnet run"]),
    Rule::build("dotnet-packages", "dotnet list package|reference", "--outdated --vulnerable --deprecated --include-transitive", Operands::None)
        .defined_in("**/*.csproj **/*.fsproj **/*.sln **/Directory.Build.* **/*.targets **/*.props **/nuget.config")
        .examples(&["dotnet list package"], &["dotnet add package x"]),
    Rule::allow("syntax-of-shell", "bash|sh|dash|zsh -n", "", Operands::Files).examples(&["bash -n scripts/run.sh"], &["bash run.sh", "bash -n .env", "sh -nc x"]),
    Rule::allow("go-look", "go list|doc", "-m -json[=] -f= -mod=readonly|vendor -deps -test -e -u -versions -find -all -src -short -c", Operands::AtMost(6))
        .examples(&["go list ./...", "go list -m all", "go doc fmt"], &["go list -mod=mod ./...", "go list -exec ./x", "go list -toolexec=./x ./..."]),
    Rule::allow("go-env", "go env *", "", Operands::AtMost(4)).examples(&["go env GOPATH"], &["go env -w GOFLAGS=x", "go env", "go env GOPATH -w"]),
    Rule::allow("go-mod-look", "go mod graph|why|verify", "-m -go=", Operands::AtMost(2)).examples(&["go mod why x", "go mod graph"], &["go mod tidy", "go mod download", "go mod edit x"]),
    Rule::build("maven", "mvn|mvnd", "-B -q -e -o -U -V -T= -pl= -am -amd -ntp -fae -ff -DskipTests[=] -DskipITs[=] -Dtest= -Dit.test= -DfailIfNoTests= -Dsurefire.failIfNoSpecifiedTests= -Dstyle.color= -Dmaven.test.skip[=] --batch-mode --quiet --no-transfer-progress --offline --projects= --also-make --fail-at-end --errors", Operands::Targets).defined_in(JVM)
        .examples(&["mvn -B verify -DskipITs", "mvn test", "mvn -q compile"], &["mvn deploy", "mvn install", "mvn clean", "mvn exec:java", "mvn -f /tmp/x test", "mvn -Dexec.executable=x test", "./mvnw -q verify", "mvn -s x test"]),
    Rule::build("gradle", "gradle", "-q -i -s -d -m -x= --info --quiet --stacktrace --offline --no-daemon --daemon --continue --parallel --console= --warning-mode= --tests= --rerun-tasks --build-cache --no-build-cache --configuration-cache --dry-run --max-workers=", Operands::Targets).defined_in(JVM)
        .examples(&["gradle test", "gradle :app:test --tests FooTest", "gradle build -x test"], &["gradle publish", "gradle -I x test", "gradle -b /tmp/x test", "./gradlew test", "gradle clean", "gradle bootRun", "gradle -p /tmp/x test", "gradle -Pa=b test"]),
    Rule::build("sbt", "sbt", "-batch -no-colors", Operands::Targets).defined_in(JVM).examples(&["sbt test", "sbt compile"], &["sbt run", "sbt publish", "sbt -Dx=y test", "sbt 'eval x'"]),
    Rule::build("rspec", "rspec|rubocop|standardrb|minitest|cucumber|reek|brakeman|erblint|sorbet", "-f=d|p|documentation|progress|json|simple|quiet -e= -t= --format=d|p|documentation|progress|json|simple|quiet --example= --tag= --fail-fast[=] --color --no-color --order= --seed= --only-failures --next-failure -P=INSIDE --pattern=INSIDE --backtrace -b --profile[=] --parallel --display-cop-names --only= --except= --lint -L --fail-level= -q --force-exclusion", Operands::Inside).defined_in(RUBY)
        .examples(&["bundle exec rubocop", "bundle exec rspec spec/models", "rspec"], &["rspec -r ./x", "rubocop -a", "rubocop -A", "rubocop --auto-correct", "rspec -o x", "rspec /tmp/x_spec.rb", "rspec --pattern=/tmp/x.rb", "rubocop -P -A", "rubocop -c /tmp/x"]),
    Rule::build("bundle-exec", "bundle exec", "", Operands::Tool).defined_in(RUBY)
        .examples(&["bundle exec rspec", "bundle exec rake test"], &["bundle exec rails console", "bundle exec ls", "bundle install", "bundle exec rake db:drop"]),
    Rule::build("rails-test", "rails test|routes|zeitwerk:check", "-v -n= -f -b -d -w --verbose --fail-fast", Operands::Inside).defined_in(RUBY)
        .examples(&["rails test", "rails test test/models"], &["rails server", "rails db:drop", "rails runner x"]),
    Rule::build("dotnet", "dotnet build|test|format", "-c= -v= -f= -r=NAME --configuration= --verbosity= --framework= --filter= --no-build --no-restore --nologo --verify-no-changes --list-tests --blame --collect= -warnaserror --runtime=", Operands::Inside).defined_in("**/*.csproj **/*.fsproj **/*.sln **/Directory.Build.* **/*.targets **/*.props **/*.runsettings **/nuget.config")
        .examples(&["dotnet test --filter FullyQualifiedName~Auth", "dotnet build -c Release"], &["dotnet run", "dotnet publish", "dotnet test -s x", "dotnet build /p:x=y", "dotnet build @x", "dotnet build -o /tmp/x", "dotnet test -- RunConfiguration.x=y"]),
    Rule::build("swift", "swift build|test", "-c= -v --configuration= --filter= --skip= --parallel --product= --target= --show-bin-path --list-tests --enable-code-coverage -j= -q", Operands::None).defined_in("**/Package.swift **/Plugins/**")
        .examples(&["swift test", "swift build -c release"], &["swift run", "swift build -Xlinker x", "swift build --package-path /tmp/x", "swift package reset"]),
    Rule::build("zig", "zig build|test|fmt", "--check --summary= -Doptimize= --release[=] -freference-trace", Operands::Targets).defined_in("**/build.zig **/build.zig.zon")
        .examples(&["zig build", "zig build test"], &["zig build run", "zig build --build-file /tmp/x", "zig build install", "zig run x.zig"]),
    Rule::build("zig-files", "zig test|fmt|ast-check", "--check", Operands::Inside).defined_in("**/build.zig").examples(&["zig fmt --check src"], &["zig test /tmp/x.zig", "zig test --test-cmd ./x a"]),
    Rule::build("mix", "mix test|compile|format|credo|dialyzer", "--check-formatted --warnings-as-errors --force --trace --cover --only= --exclude= --failed --stale --max-failures= --seed= --strict --slowest=", Operands::Inside).defined_in("**/mix.exs **/config/*.exs **/test/test_helper.exs **/test/support/** **/.formatter.exs **/.credo.exs")
        .examples(&["mix test", "mix format --check-formatted"], &["mix run x", "mix ecto.drop", "mix deps.get", "mix test -r ./x"]),
    Rule::allow("syntax-check", "php|ruby|node -l|-c|--check", "", Operands::OneFile)
        .examples(&["node --check index.js", "php -l index.php", "ruby -c foo.rb"], &["node --check -r ./x a.js", "ruby -c -r ./x a.rb", "php -l -d x=y a.php"]),
    Rule::build("php", "phpunit|phpstan|psalm|phpcs|pest|pint|php-cs-fixer", "--filter= --testsuite= --testdox --stop-on-failure --colors[=] --no-coverage --no-progress --level= -l= --memory-limit= --standard=PSR12 --test --dry-run --diff --group= --error-format= --parallel", Operands::Inside).defined_in("**/composer.json **/phpunit.xml* **/phpstan.neon* **/tests/bootstrap.php **/psalm.xml **/.php-cs-fixer*")
        .examples(&["phpunit", "phpstan analyse src", "phpunit --filter Foo"], &["phpunit --bootstrap /tmp/x", "phpstan analyse -c /tmp/x", "vendor/bin/phpunit", "phpunit -c /tmp/x"]),
    Rule::build("composer-script", "composer test|lint|check|analyse|validate|show|outdated", "--no-interaction -n --no-ansi --strict", Operands::AtMost(1)).defined_in("**/composer.json")
        .examples(&["composer test", "composer validate"], &["composer require vendor/x", "composer install", "composer -d /tmp/x test"]),
    Rule::build("terraform-check", "terraform|tofu validate|fmt", "-check -recursive -diff -json -no-color -list=", Operands::Inside).defined_in("**/*.tf **/.terraformrc **/terraform.rc")
        .examples(&["terraform validate", "terraform fmt -check -recursive"], &["terraform plan", "terraform apply", "terraform -chdir=/tmp/x validate"]),
    Rule::build("helm-check", "helm lint|template", "-f=INSIDE --strict --values=INSIDE", Operands::Inside).defined_in("**/Chart.yaml").examples(&["helm lint chart"], &["helm template --post-renderer ./x c", "helm template -f /tmp/x c", "helm template c -f .env"]),
    Rule::build("flutter", "flutter|dart analyze|test|format", "--fatal-infos --coverage --name= --plain-name= --no-pub --set-exit-if-changed --output=none|show -r=", Operands::Inside).defined_in("**/pubspec.yaml **/analysis_options.yaml **/dart_test.yaml")
        .examples(&["flutter test", "dart analyze"], &["flutter run", "dart run x", "dart fix --apply"]),
    Rule::build("xcode", "xcodebuild build|test", "-scheme= -workspace=INSIDE -project=INSIDE -destination= -configuration= -quiet -only-testing= -sdk=", Operands::None).defined_in("**/*.xcodeproj/** **/*.xcworkspace/** **/*.xcconfig")
        .examples(&["xcodebuild test -scheme App"], &["xcodebuild -scheme App archive", "xcodebuild test -derivedDataPath /tmp/x"]),
    Rule::build("cabal", "cabal|stack build|test|check", "--fast --pedantic --enable-tests -j= -v=", Operands::Targets).defined_in("**/*.cabal **/stack.yaml **/cabal.project* **/Setup.hs **/package.yaml")
        .examples(&["cabal build", "stack test"], &["cabal run", "stack exec x", "cabal install", "stack test --exec x"]),
    Rule::build("shellcheck", "shellcheck", "-s= -S= -e= -i= -f= -x -a --severity= --shell= --exclude= --include= --format= --color[=] --check-sourced --external-sources", Operands::Inside)
        .defined_in("**/.shellcheckrc")
        .examples(&["shellcheck scripts/*.sh", "shellcheck -s bash a.sh"], &["shellcheck --rcfile=/tmp/x a.sh", "shellcheck .env"]),
    Rule::build("shfmt", "shfmt", "-d -l -s -i=NUMBER -ci -bn -sr -kp --diff --list --simplify --indent=NUMBER", Operands::Inside)
        .defined_in("**/.editorconfig")
        .examples(&["shfmt -d .", "shfmt -i 2 -d a.sh"], &["shfmt -w x", "shfmt -s -w a.sh", "shfmt -s .env"]),
    Rule::build(
        "text-checks",
        "hadolint|yamllint|actionlint|vale|typos|tflint|cppcheck|editorconfig-checker|luacheck|selene",
        "-f= -q -s -x --exclude= --format= --dry-run --Werror --enable= --no-color --color --strict --quiet --std= --error-exitcode=",
        Operands::Inside,
    )
    .defined_in("**/.yamllint* **/.vale.ini **/.tflint.hcl **/.luacheckrc **/.hadolint.yaml")
    .examples(&["yamllint .", "actionlint", "hadolint Dockerfile"], &["typos --write-changes", "yamllint -c /tmp/x .", "yamllint -s -c /tmp/x ."]),
    Rule::build("openspec", "openspec list|show|validate|status", "--json --strict --all --specs --changes --type= --change= --no-interactive --no-color", Operands::Inside)
        .defined_in("**/openspec/config.*")
        .examples(&["openspec list --json", "openspec validate add-login --strict"], &["openspec archive add-login", "openspec init", "openspec update"]),
    Rule::build("jsonlint", "jsonlint", "-q --quiet -c --compact", Operands::Inside).examples(&["jsonlint -q package.json"], &["jsonlint -i package.json"]),
];
