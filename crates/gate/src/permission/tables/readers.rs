//! Programs that only read files.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

const GREP: &str = "-a -b -c -E -F -G -H -h -i -I -l -L -n -o -P -q -r -R -s -v -w -x -y -z -Z -0 -# \
    -A= -B= -C= -m= -e= -d= -D= --after-context= --before-context= --context= --max-count= --regexp= \
    --color[=] --colour[=] --include=GLOB --exclude= --exclude-dir= --binary-files= --label= --count \
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case \
    --invert-match --word-regexp --line-regexp --files-with-matches --files-without-match \
    --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename \
    --line-number --null --null-data --text --recursive --dereference-recursive --line-buffered -*";

const RG: &str = "-# -A= -B= -C= -m= -e= -g=GLOB -t= -T= -d= -j= -E= -r= -M= \
    -a -b -c -F -H -h -i -I -l -L -n -N -o -P -p -q -s -S -u -uu -uuu -U -v -V -w -x -0 -. \
    --after-context= --before-context= --context= --max-count= --regexp= --glob=GLOB --iglob=GLOB --type= \
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
    Rule::allow(
        "list-files",
        "ls|exa|eza|lsd",
        "-# -a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U \
         -v -x -X -Z -1 -T -e -O -@ -I= -w= --all --almost-all --directory --human-readable --recursive \
         --reverse --size --sort= --time= --time-style= --color[=] --classify[=] --full-time --inode \
         --no-group --group-directories-first --hide= --ignore= --format= --indicator-style= \
         --numeric-uid-gid --si --dereference --literal --quote-name --width= --zero --tree --level= \
         --git --icons[=] --long --header --oneline --version -*",
        Operands::Names,
    )
    .examples(
        &["ls -la src", "/usr/bin/ls", "ls -la .env", "ls *.rs", "ls ~/.cargo/registry/src/*/serde-1*"],
        &["./ls", "ls ~/.ssh", "/some/dir/ls -la", "ls $DIR", "ls --unknown", "ls > out.txt"],
    ),
    Rule::allow(
        "show-files",
        "cat|head|tail|nl|tac|rev|fold|expand|unexpand|fmt",
        "-# -A -b -e -E -n -s -t -T -u -v -q -z -c= -l -L -m -w -f -F -r -a -d= -h= -i= -N= \
         -n= --lines= --bytes= --chars --words --max-line-length --number --number-nonblank --show-all \
         --show-ends --show-tabs --show-nonprinting --squeeze-blank --quiet --silent --verbose \
         --follow[=] --retry --pid= --zero-terminated --body-numbering= --width= -w= --lines --bytes \
         --tabs= --spaces --version -*",
        Operands::Files,
    )
    .examples(
        &["cat src/main.rs", "head -20 README.md", "tail -n +5 a", "head -c 100 a", "nl -ba a"],
        &[
            "cat .env",
            "cat ~/.ssh/id_rsa",
            "cat /proc/self/environ",
            "cat /dev/zero",
            "cd ~/.aws && cat credentials",
            "head -c 10 id_rsa",
            "cat \"$f\"",
            "cat .e*",
            "cat {.env,a}",
        ],
    ),
    Rule::allow(
        "count-words",
        "wc",
        "-c -l -L -m -w --bytes --chars --lines --max-line-length --words --version -*",
        Operands::Files,
    )
    .examples(
        &["wc -l *.rs", "echo a | wc -c", "git ls-files | xargs wc -l"],
        &["wc --files0-from=list", "wc -c .env"],
    ),
    Rule::allow("show-packed", "zcat|gzcat|bzcat|xzcat|zstdcat", "-q -v", Operands::Files)
        .examples(&["zcat a.gz | head"], &["zcat -fc .env", "zcat .env"]),
    Rule::allow(
        "show-colours",
        "bat|batcat",
        "-p -pp -n -A -r= -l= -H= --plain --number --show-all --line-range= --language= --highlight-line= \
         --style= --color= --theme= --paging=never --decorations= --wrap= --tabs= --file-name= --diff",
        Operands::Files,
    )
    .examples(
        &["bat --plain --paging=never src/lib.rs"],
        &["bat --pager=./x a", "bat .env", "bat --paging=always a", "bat cache --build"],
    ),
    Rule::allow(
        "cut-columns",
        "cut|paste|comm|join",
        "-b= -c= -d= -f= -s -t -C -1 -2 -3 -12 -13 -23 -i -z -n -x -e -l= -o= -N= -R= -j= -a= -v= \
         --bytes= --characters= --delimiter= --fields= --only-delimited --output-delimiter= --complement \
         --delimiters= --serial --squeeze-repeats --delete --truncate-set --table --separator= \
         --table-columns= --zero-terminated --check-order --nocheck-order --output-separator= -*",
        Operands::Files,
    )
    .examples(
        &["cut -d, -f1,3 data/users.csv", "paste -sd,", "comm -12 a b"],
        &["cut -f1 .env", "cut --unknown a"],
    ),
    Rule::allow("translate", "tr", "-c -C -d -s -t -ds -cd --delete --squeeze-repeats --complement", Operands::AtMost(2))
        .examples(&["tr 'a-z' 'A-Z' < names.txt", "tr -d '\\r'"], &["tr a b < .env", "tr a \"$b\""]),
    Rule::allow(
        "columns",
        "column",
        "-t -x -e -n -s= -c= -o= -N= -R= -H= -l= --table --separator= --columns= --output-separator= --table-columns=",
        Operands::Files,
    )
    .examples(&["column -t -s, data/users.csv"], &["column .env"]),
    Rule::allow(
        "sort-lines",
        "sort",
        "-# -b -c -C -d -f -g -h -i -M -m -n -r -R -s -u -V -z -k= -t= -S= --key= --field-separator= \
         --unique --reverse --numeric-sort --human-numeric-sort --general-numeric-sort --version-sort \
         --stable --ignore-case --dictionary-order --month-sort --check[=] --zero-terminated --sort= \
         --parallel= --random-sort --version",
        Operands::Files,
    )
    .examples(
        &["sort -rn a.txt", "sort -t: -k2,2n a", "sort -u src/*.txt"],
        &[
            "sort -o a a",
            "sort -ro a a",
            "sort --output=b.txt a.txt",
            "sort --out=a a",
            "sort --compress-program=./x a",
            "sort -T /tmp a",
            "sort *",
            "sort --files0-from=x",
        ],
    ),
    Rule::allow(
        "unique-lines",
        "uniq",
        "-c -d -D -i -u -z -f= -s= -w= --count --repeated --ignore-case --unique --skip-fields= --skip-chars=",
        Operands::OneFile,
    )
    .examples(&["uniq -c a.txt", "sort a | uniq"], &["uniq a b", "uniq *.txt", "uniq .env"]),
    Rule::allow(
        "compare-files",
        "diff|cmp|colordiff",
        "-# -a -b -B -c -d -e -E -i -n -N -p -q -r -s -t -T -u -w -y -Z -U= -C= -W= -I= -x= -F= \
         --brief --report-identical-files --unified[=] --context[=] --side-by-side --ignore-case \
         --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-matching-lines= \
         --recursive --new-file --exclude= --color[=] --minimal --stat --strip-trailing-cr --width= \
         --suppress-common-lines --label= --print-bytes --silent --quiet --text --no-dereference",
        Operands::Files,
    )
    .examples(
        &["diff -u src/a.rs src/b.rs", "cmp a.bin b.bin", "diff <(git show HEAD:src/lib.rs) src/lib.rs"],
        &["diff .env .env.production", "diff --to-file=.env a", "diff -l a b", "diff <(cat .env) a"],
    ),
    Rule::allow(
        "tell-kind",
        "stat|du|df|realpath|readlink|lsattr|getfacl|namei",
        "-# -a -b -B= -c= -d= -e -f -h -H -i -k -l -L -m -n -P -q -s -S -t= -T -v -x -z -0 -I -M -N \
         --format= --printf= --terse --file-system --dereference --brief --mime --mime-type --mime-encoding \
         --summarize --human-readable --max-depth= --apparent-size --bytes --total --all --exclude= \
         --threshold= --time[=] --one-file-system --canonicalize --canonicalize-existing \
         --canonicalize-missing --no-newline --relative-to= --relative-base= --block-size= --inodes \
         --local --print-type --output[=] --type= --si --version",
        Operands::Names,
    )
    .examples(
        &["stat -c %s a", "du -sh target node_modules", "df -h .", "readlink -f src"],
        &["du --files0-from=x", "stat $X"],
    ),
    Rule::allow("tell-type", "file", "-b -i -I -k -L -h -s -0 --brief --mime --mime-type --mime-encoding --dereference", Operands::Names)
        .examples(&["file target/debug/app"], &["file -C -m magic", "file -f .env", "file -m x a"]),
    Rule::allow("sizes-of-all", "du|stat", "-s -h -sh -c -d= -l -la -a -m --max-depth= -*", Operands::Names)
        .examples(&["du -sh *", "stat *"], &["du -sh ~/.ssh/*"]),
    Rule::allow(
        "tree",
        "tree",
        "-L= -I= -P= -a -d -f -h -s -D -C -n -i -p -u -g -F -r -t -J -X -x -l -v -U --dirsfirst --gitignore \
         --noreport --du --si --prune --filelimit= --sort= --charset= --matchdirs --ignore-case",
        Operands::Names,
    )
    .examples(&["tree -L 2 -I 'node_modules|target'"], &["tree -o out.txt", "tree -R -H x", "tree *"]),
    Rule::allow("find-files", "find", "", Operands::FindExpression).examples(
        &[
            "find . -name '*.rs' -not -path './target/*'",
            "find src -type f -name '*.ts' -newer package.json",
            "find . \\( -name a -o -name b \\) -print0",
            "find . -name '*.rs' -exec grep -l unsafe {} +",
            "find . -name '*.rs' -exec wc -l {} \\;",
            "find . -name *.py",
            "find / -name '*.conf'",
        ],
        &[
            "find . -delete",
            "find . -name '*.pyc' -delete",
            "find . -fprint out.txt -name '*.rs'",
            "find . -fls x",
            "find . -fprintf x %p",
            "find . -ok rm {} \\;",
            "find . -exec rm {} +",
            "find . -name '*.sh' -exec {} \\;",
            "find . -name .env -exec cat {} +",
            "find . -type f -exec cat {} +",
            "find ~ -name config -exec cat {} +",
            "find . -unknown",
            "find -files0-from x",
            "find * -name a",
            "find . -name *",
            "ls | xargs find",
        ],
    ),
    Rule::allow(
        "fd",
        "fd|fdfind",
        "-# -e= -t= -E= -d= -H -I -u -uu -s -i -g -F -a -l -L -p -0 -1 -j= -S= -c= --extension= --type= \
         --exclude= --max-depth= --min-depth= --hidden --no-ignore --glob --full-path --absolute-path \
         --ignore-case --case-sensitive --follow --print0 --max-results= --color= --changed-within= \
         --changed-before= --size= --unrestricted --fixed-strings --list-details --base-directory=INSIDE",
        Operands::Names,
    )
    .examples(&["fd -e rs parser crates"], &["fd -x rm", "fd -e rs -X ./x", "fd --exec rm"]),
    Rule::allow("grep", "grep|egrep|fgrep|zgrep", GREP, Operands::PatternThenFiles).examples(
        &[
            "grep -rn \"useState\" src --include='*.tsx'",
            "grep -v grep",
            "grep -n 'DROP TABLE' migrations/*.sql",
            "grep -e a -e b src/lib.rs",
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
            "grep -r . .",
            "grep -r API_KEY",
        ],
    ),
    Rule::allow("rg", "rg|ag|ripgrep", RG, Operands::PatternThenFiles).examples(
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
        .examples(&["yq '.services' compose.yml", "yq -r .name a.yml"], &["yq -i '.a = 1' a", "yq 'env(X)' a", "yq -n 'load(\".env\")'"]),
    Rule::allow("xmllint", "xmllint", "--format --noout --xpath= --html --pretty= --nonet --schema=FILE", Operands::Files)
        .examples(&["xmllint --noout pom.xml"], &["xmllint --output x pom.xml", "xmllint --shell a", "xmllint .env"]),
    Rule::allow("json-tool", "python|python3 -m json.tool", "--sort-keys --no-ensure-ascii --compact --indent= --tab --json-lines", Operands::OneFile)
        .examples(&["python3 -m json.tool package.json"], &["python3 -m json.tool a b", "python3 -m http.server", "python3 -m json.tool .env"]),
    Rule::allow("dump", "xxd|base64|base32", "-# -l= -s= -c= -g= -b -u -p -ps -w= -a -e --wrap= -d -D --decode", Operands::OneFile)
        .examples(&["xxd assets/logo.png", "base64 -w0 a.png", "base64 -d a"], &["xxd -r dump.hex out.bin", "xxd a b", "base64 ~/.ssh/id_rsa", "base64 -o x a"]),
    Rule::allow(
        "sums",
        "md5sum|md5|shasum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum|b3sum|cksum|sum|crc32|od|hexdump|hd|strings|nm|objdump|readelf|size|otool",
        "-# -a -b -c -C -d -g -h -H -l -L -n= -N= -s -S -t= -A= -j= -w= -v -x -e= -o -z --check --tag --zero --binary --text \
         --bytes= --encoding= --radix= --format= --demangle --defined-only --undefined-only --extern-only --dynamic \
         --all --headers --symbols --disassemble --section= --length= -D -W -r -T -f",
        Operands::Files,
    )
    .examples(
        &["sha256sum target/release/app", "strings target/debug/app", "od -c a", "hexdump -C a"],
        &["md5sum .env", "strings ~/.ssh/id_rsa", "sha256sum --unknown a"],
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
    Rule::allow("count-lines", "tokei|cloc|scc|loc", "-e= -t= -s= -f --files --sort= --type= --exclude= --exclude-dir= --include-lang= --by-file --vcs= --no-ignore --hidden --format=", Operands::Names)
        .examples(&["tokei crates"], &["tokei -o json", "cloc --out=x .", "scc --output x", "cloc --extract-with=./x ."]),
];
