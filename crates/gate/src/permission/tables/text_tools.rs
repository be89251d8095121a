//! Rules that approve programs that search, split and summarise text.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

const GREP: &str = "-a -b -c -E -F -G -H -h -i -I -l -L -n -o -P -q -r -R -s -v -w -x -y -z -Z -0 -# \
    -A= -B= -C= -m= -e=TEXT -d= -D= --after-context= --before-context= --context= --max-count= --regexp=TEXT \
    --color[=] --colour[=] --include=GLOB --exclude= --exclude-dir= --binary-files= --label= --count \
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case \
    --invert-match --word-regexp --line-regexp --files-with-matches --files-without-match \
    --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename \
    --line-number --null --null-data --text --recursive --dereference-recursive --line-buffered -*";

const RG: &str = "-# -A= -B= -C= -m= -e=TEXT -g=GLOB -t= -T= -d= -j= -E= -r= -M= \
    -a -b -c -F -H -h -i -I -l -L -n -N -o -P -p -q -s -S -u -uu -uuu -U -v -V -w -x -0 -. \
    --after-context= --before-context= --context= --max-count= --regexp=TEXT --glob=GLOB --iglob=GLOB --type= \
    --type-not= --type-add= --max-depth= --maxdepth= --threads= --encoding= --replace= --max-columns= --sort= \
    --sortr= --color= --colors= --max-filesize= --context-separator= --type-list --files \
    --files-with-matches --files-without-match --count --count-matches --fixed-strings --ignore-case \
    --case-sensitive --smart-case --invert-match --word-regexp --line-regexp --line-number \
    --no-line-number --no-filename --with-filename --no-heading --heading --only-matching --pcre2 \
    --multiline --multiline-dotall --hidden --no-ignore --no-ignore-vcs --follow --json --vimgrep \
    --stats --quiet --trim --null --pretty --column --text --passthru --no-messages --crlf \
    --no-config --version --debug --unrestricted --one-file-system --glob-case-insensitive \
    --no-require-git --no-ignore-parent --no-unicode --auto-hybrid-regex --byte-offset --mmap --no-mmap";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("grep", "grep|egrep|fgrep|zgrep", GREP, Operands::PatternThenFiles).examples(
        &[
            "grep -rn \"useState\" src --include='*.tsx'",
            "grep -v grep",
            "grep -n 'DROP TABLE' migrations/*.sql",
            "grep -e a -e b src/lib.rs",
            "grep -rn -e '--force' src",
            "grep -A1 'name = \"serde\"'",
            "grep foo *",
            "grep -rn foo --include=*.py .",
            "grep -rn password src",
            "grep -rn password . --include='*.py'",
        ],
        &[
            "grep -rn PASSWORD .env",
            "grep -h '' .env*",
            "grep -r . ~/.ssh",
            "grep -f .env a",
            "grep --unknown a b",
            "grep -rn key ~",
            "grep -r . /",
            "grep foo \"$f\"",
            "grep -r '' . --include=.env",
            "grep -rn PASSWORD .",
            "grep -rn PASSWORD /home/dev/app",
            "grep -r . .",
            "grep -r API_KEY",
        ],
    ),
    Rule::allow(
        "ag",
        "ag",
        "-# -A[=] -B[=] -C[=] -c -g -i -l -L -m= -n -Q -s -S -v -w -0 -H -o --after[=] --before[=] --context[=] --count \
         --files-with-matches --files-without-matches --ignore-case --case-sensitive --smart-case --literal \
         --invert-match --word-regexp --max-count= --nocolor --noheading --nogroup --nobreak --column --numbers \
         --ignore= --depth= --stats --vimgrep --filename --nofilename",
        Operands::PatternThenFiles,
    )
    .examples(
        &["ag foo src", "ag -l TODO"],
        &["ag -r --pager=./x foo", "ag -t --pager=./x foo", "ag --pager ./x foo", "ag -z foo", "ag -p x foo", "ag foo .env"],
    ),
    Rule::allow("rg", "rg|ripgrep", RG, Operands::PatternThenFiles).examples(
        &["rg -n \"fn parse_\" src", "rg -l 'TODO|FIXME' --glob '!vendor/**'", "rg --files", "rg foo -g *.rs", "rg -uu foo", "rg -n '日本語' docs"],
        &[
            "rg --pre ./decode foo",
            "rg --pre=./x foo",
            "rg --hostname-bin ./x foo",
            "rg -z secret",
            "rg foo *",
            "rg --unknown x",
            "rg -uu password",
            "rg --hidden --no-ignore token",
            "rg foo -g '.env*'",
            "rg x .env",
        ],
    ),
    Rule::allow(
        "sed",
        "sed|gsed",
        "-n -E -r -s -u -z -e= --quiet --silent --regexp-extended --expression= --separate --unbuffered --posix",
        Operands::SedScript,
    )
    .examples(
        &[
            "sed -n '120,180p' src/parser/lexer.rs",
            "sed 's/^[ ]*//' notes.md",
            "sed -n -e '1p' -e '$p' a",
            "sed -ne '/git reset --hard/p' notes.md",
        ],
        &[
            "sed -i 's/a/b/' a",
            "sed -n 'w x' a",
            "sed 's/a/b/e' a",
            "sed -n '1e rm' a",
            "sed -f x a",
            "sed -n 1p .env",
            "sed --in-place 's/a/b/' a",
            "sed -ni 1p a",
            "sed 1p *",
        ],
    ),
    Rule::allow("awk", "awk|gawk|mawk", "-F= -v= --field-separator=", Operands::AwkProgram).examples(
        &["awk '{print $1}' access.log", "awk -F: '{print $1}'", "awk 'NR>=10 && NR<=40' src/main.rs"],
        &[
            "awk '{print > \"out.txt\"}' data.csv",
            "awk 'BEGIN{system(\"ls\")}'",
            "awk -f x.awk a",
            "awk '{print}' .env",
            "awk '{print | \"sh\"}' a",
            "gawk -i inplace '{print}' a",
        ],
    ),
    Rule::allow(
        "jq",
        "jq|gojq|jaq",
        "-r -c -s -S -e -n -R -j -a -M -C --raw-output --compact-output --slurp --sort-keys --exit-status \
         --null-input --raw-input --join-output --tab --indent= --color-output --monochrome-output -rc -sr -*",
        Operands::JqProgram,
    )
    .examples(
        &["jq '.scripts' package.json", "jq -r '.[] | select(.status == \"open\") | .title' issues.json", "jq .env.a x.json"],
        &[
            "jq -n env",
            "jq -n '$ENV.X'",
            "jq -f x a",
            "jq . ~/.config/gcloud/application_default_credentials.json",
            "jq --slurpfile a .env . b",
            "jq 'import \"x\" as x; .' a",
        ],
    ),
    Rule::allow("yq", "yq", "-r -o= -p= -P -C -M -e -N -j --output-format= --input-format= --prettyPrint -y", Operands::JqProgram)
        .examples(
            &["yq '.services' compose.yml", "yq -r .name a.yml"],
            &["yq -i '.a = 1' a", "yq 'env(X)' a", "yq -n 'load(\".env\")'", "yq 'load_props(\".env\")' a", "yq e 'load(\".env\")' a"],
        ),
    Rule::allow("yq-eval", "yq e|eval|ea|eval-all", "-r -o= -p= -P -C -M -e -N -j --output-format= --input-format= --prettyPrint -y", Operands::JqProgram)
        .examples(&["yq e '.services' compose.yml"], &["yq e -i '.a = 1' a", "yq e 'load_props(\".env\")' a"]),
    Rule::allow("xmllint", "xmllint", "--format --noout --xpath= --html --pretty= --nonet --schema=FILE", Operands::Files)
        .examples(&["xmllint --noout pom.xml"], &["xmllint --output x pom.xml", "xmllint --shell a", "xmllint .env"]),
    // If the project has a file `json.py` or a directory `json`, Python loads it instead of its own
    // module `json`.
    Rule::build("json-tool", "python|python3 -m json.tool", "--sort-keys --no-ensure-ascii --compact --indent= --tab --json-lines", Operands::OneFile)
        .defined_in("**/json.py **/json/**")
        .examples(&["python3 -m json.tool package.json"], &["python3 -m json.tool a b", "python3 -m http.server", "python3 -m json.tool .env"]),
    Rule::allow("dump", "xxd|base64|base32", "-# -l= -s= -c= -g= -b -u -p -ps -w= -a -e --wrap= -d -D --decode", Operands::OneFile)
        .examples(&["xxd assets/logo.png", "base64 -w0 a.png", "base64 -d a"], &["xxd -r dump.hex out.bin", "xxd a b", "xxd a*", "base64 ~/.ssh/id_rsa", "base64 -o x a"]),
    Rule::allow(
        "sums",
        "md5sum|md5|shasum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum|b3sum|cksum|sum|crc32",
        "-# -a -b -c -l -q -r -s -t -w -z --check --tag --zero --binary --text --quiet --status --strict --warn --length= --algorithm=",
        Operands::Files,
    )
    .examples(&["sha256sum target/release/app", "shasum -a 256 a"], &["md5sum .env", "md5sum -t .env", "sha256sum --unknown a"]),
    Rule::allow("bytes", "od|hexdump|hd", "-# -a -b -c -C -d -f -h -i -l -o -s -v -x -w -t= -A= -j= -N= -n= -e= --format= --radix= --address-radix= --read-bytes= --skip-bytes= --width[=] --canonical", Operands::Files)
        .examples(&["od -c a", "od -An -tx1 a", "hexdump -C a", "hexdump -n 64 -C a"], &["od -w .env", "hexdump -C .env", "od --unknown a"]),
    Rule::allow(
        "symbols",
        "strings|nm|objdump|readelf|size|otool",
        "-# -a -A -C -d -D -e -f -g -h -H -l -L -n= -o -p -r -s -S -t -T -u -v -w -W -x -z -j= --bytes= --encoding= --radix= --format= --demangle \
         --defined-only --undefined-only --extern-only --dynamic --all --headers --symbols --disassemble --section=",
        Operands::Files,
    )
    .examples(
        &["strings target/debug/app", "strings -n 8 target/debug/app", "nm -C target/debug/app"],
        &["strings ~/.ssh/id_rsa", "strings -w ~/.ssh/id_rsa", "nm --plugin x a"],
    ),
    Rule::allow("archives", "tar -tf|-tzf|-tvf|-tvzf|-tjf|-tJf|-ztf|-ztvf|-tzvf|tf|tzf|tvf|tvzf|tzvf", "-v -z", Operands::OneFile)
        .examples(
            &["tar -tzf dist/app.tgz", "tar tvf a.tar"],
            &["tar -tf x --to-command=./x", "tar -xf a", "tar -tf *", "tar --list --use-compress=./x -f a.tar", "tar -tf a -I ./x", "tar -tf host:a.tar"],
        ),
    Rule::allow("zips", "unzip -l|-v|-Z1|-lv|-t", "", Operands::OneFile)
        .examples(&["unzip -l dist/app.zip"], &["unzip a.zip", "unzip -l a.zip -d x", "unzip -o a.zip"]),
    Rule::allow("zip-tables", "zipinfo", "-1 -2 -s -m -l -v -h -t", Operands::OneFile)
        .examples(&["zipinfo -1 a.zip"], &["zipinfo .env"]),
    Rule::allow("gzip-list", "gzip|xz|zstd -l|--list|-lv", "-v", Operands::Files)
        .examples(&["gzip -l a.gz"], &["gzip a", "gzip -l -d a"]),
    Rule::allow("count-lines", "tokei|cloc|scc|loc", "-e= -t= -s= -f --files --sort= --type= --exclude= --exclude-dir= --include-lang= --by-file --vcs=git|auto|svn --no-ignore --hidden --format=", Operands::Names)
        .examples(&["tokei crates"], &["tokei -o json", "cloc --out=x .", "scc --output x", "cloc --extract-with=./x .", "cloc --vcs='sh -c x' ."]),
];
