//! Rules that approve programs that only read files.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

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
        "cat|tac|rev|fold|expand|unexpand|fmt",
        "-# -A -b -c -e -E -n -s -t -T -u -v -z -i -l -w -r -a --number --number-nonblank --show-all \
         --show-ends --show-tabs --show-nonprinting --squeeze-blank --zero-terminated --width= \
         --tabs= --spaces --all --first-only --initial --version -*",
        Operands::Files,
    )
    .examples(
        &["cat src/main.rs", "cat -n a", "fold -w 80 a", "expand -i a"],
        &[
            "cat .env",
            "cat ~/.ssh/id_rsa",
            "cat /proc/self/environ",
            "cat /dev/zero",
            "cd ~/.aws && cat credentials",
            "expand -i .env",
            "fmt -c .env",
            "cat \"$f\"",
            "cat .e*",
            "cat {.env,a}",
            "cat /etc/*",
        ],
    ),
    Rule::allow(
        "show-ends",
        "head|tail",
        "-# -n -c= -q -v -z -f -F -r -s --lines= --bytes= --quiet --silent --verbose --follow[=] --retry \
         --pid= --zero-terminated --version -*",
        Operands::Files,
    )
    .examples(
        &["head -20 README.md", "tail -n +5 a", "head -c 100 a", "tail -f a.log"],
        &["head -c 10 id_rsa", "tail -f .env", "head --unknown a"],
    ),
    Rule::allow(
        "number-lines",
        "nl",
        "-b[=] -d= -f[=] -h= -i= -l[=] -n[=] -p -s[=] -v[=] -w[=] --body-numbering= --number-width= --starting-line-number= \
         --line-increment= --number-format= --number-separator=",
        Operands::Files,
    )
    .examples(&["nl -ba a", "nl -b a -w 3 a"], &["nl .env", "nl --unknown a"]),
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
        "-b= -c= -d= -f= -s -t -C -1 -2 -3 -12 -13 -23 -i -z -n -x -e -o= -j= -a= -v= \
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
    .examples(&["uniq -c a.txt", "sort a | uniq"], &["uniq a b", "uniq *.txt", "uniq a*", "uniq .env"]),
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
        "stat|realpath|readlink|lsattr|getfacl|namei",
        "-# -a -b -c= -d -e -f -h -H -i -k -l -L -m -n -P -q -s -S -t -T -v -x -z -0 -I -M -N \
         --format= --printf= --terse --file-system --dereference --canonicalize --canonicalize-existing \
         --canonicalize-missing --no-newline --relative-to= --relative-base= --version",
        Operands::Names,
    )
    .examples(&["stat -c %s a", "readlink -f src"], &["stat $X", "stat --unknown a"]),
    Rule::allow(
        "tell-sizes",
        "du|df",
        "-# -a -b -B= -c -d= -h -H -i -k -l -L -m -n -P -s -S -t= -T -x -0 \
         --summarize --human-readable --max-depth= --apparent-size --bytes --total --all --exclude= \
         --threshold= --time[=] --one-file-system --block-size= --inodes \
         --local --print-type --output[=] --type= --si --version",
        Operands::Names,
    )
    .examples(
        &["du -sh target node_modules", "df -h .", "du -hc src"],
        &["du --files0-from=x", "du -c --files0-from=.env", "du -X x ."],
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
            "find . -path ./target -prune -o -name '*.toml' -exec head -1 {} +",
            "find . \\( -name '*.c' -o -name '*.h' \\) -exec head {} +",
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
            "find . -name '*env*' -exec cat {} +",
            "find . -type f ! -name '*.md' -exec cat {} +",
            "find . ! \\( -name '*.md' \\) -exec cat {} +",
            "find . -name a -o -type f -exec cat {} +",
            "find . -type f -exec cat {} + -prune -o -name a",
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
];
