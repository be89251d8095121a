//! Rules against commands that remove files.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "remove-root-or-home",
        "rm|grm|srm|rimraf|trash-empty",
        "-r|-R|--recursive <root>|<home>|<git>",
        "it removes the system, a home directory or a repository with its history",
    )
    .instead("name the files of the project to remove")
    .examples(
        &[
            "rm -rf /",
            "rm -rf ~",
            "rm --recurs --forc /etc",
            "rm -r $HOME",
            "rm -fr .git",
            "sudo rm -rf /*",
            "rm -rf ~/src",
        ],
        &["rm -rf target/debug", "rm notes.txt", "echo rm -rf /", "rm -rf ~/.cache/pip"],
    ),
    Rule::deny(
        "remove-tree",
        "rm|grm|srm",
        "-r|-R|--recursive <project>|<outside-tree>|<tree>|<anywhere>|<everything>",
        "it permanently removes a whole directory",
    )
    .instead("name the files to remove, or ask the person to remove the directory")
    .examples(
        &[
            "rm -rf ./src",
            "rm -r ../other",
            "rm -rf *",
            "rm -rf \"$DIR\"",
            "ls | xargs rm -rf",
            "rm -rf target/../src",
            "rm -rf src/*.rs",
            "rm -rf /tmp/*",
            "tmp=$1; rm -rf \"$tmp\"",
            "rm -rf \"/tmp/$NAME\"",
            "rm -rf src/bin",
        ],
        &[
            "rm -rf node_modules",
            "rm -rf /tmp/scratch",
            "rm a.txt",
            "find . -name __pycache__ -exec rm -rf {} +",
            "rm -rf \"$ROOT/target\"",
            "rm -rf node_modules package-lock.json",
            "rm -rf vendor",
            "rm -rf \"$(mktemp -d)\"",
            "rm -rf /tmp/*.log",
            "tmp=$(mktemp -d); ls; rm -rf \"$tmp\"",
            "d=$(mktemp -d) && trap 'rm -rf \"$d\"' EXIT && ls",
            "find . | grep -E '(__pycache__|\\.pyc$)' | xargs rm -rf",
            "rm -rf bin obj",
            "rm -rf .gocache .pnpm-store .wrangler",
            "d=/tmp/check-$$; mkdir $d; rm -rf \"$d\"",
        ],
    ),
    Rule::risky(
        "remove-programs",
        "rm|grm|srm",
        "-r|-R|--recursive bin|bin/|*/bin|*/bin/",
        "it removes a directory that may contain handwritten programs",
    )
    .examples(&["rm -rf bin obj", "rm -r app/bin/"], &["rm -rf obj", "rm bin/tool"]),
    Rule::deny(
        "remove-everything",
        "rm|grm|unlink|shred",
        "<everything>|<project>",
        "it removes all files of a directory",
    )
    .instead("name the files to remove")
    .examples(
        &["rm -f *", "rm ~/notes/*", "rm src/*"],
        &["rm a.txt", "rm target/*", "rm /tmp/scratch/*", "rm *.log"],
    ),
    Rule::deny(
        "remove-sources",
        "rm|grm|unlink|shred|truncate",
        "<sources>",
        "it removes or empties all source files of a kind",
    )
    .instead("name the files to remove")
    .examples(
        &["rm -f *.py", "rm src/*.go", "rm -f **/*.ts", "truncate -s 0 *.rs"],
        &["rm a.py", "rm *.log", "rm test_*.py", "rm dist/*.js", "rm -f *.json"],
    ),
    Rule::deny(
        "empty-trash",
        "trash-empty|rmtrash",
        "!--dry-run|-n",
        "it permanently removes the files in the trash",
    )
    .examples(&["trash-empty"], &["trash-list"]),
    Rule::deny(
        "remove-system-file",
        "rm|grm|unlink|truncate|mv|gmv",
        "<system-file>",
        "it removes a file that the system needs",
    )
    .instead("ask the person to do it")
    .examples(
        &["rm /etc/passwd", "unlink /etc/fstab", "rm -f /usr/bin/python3"],
        &["rm README.md"],
    ),
    Rule::deny(
        "cmake-remove",
        "cmake -E rm|remove|remove_directory",
        "<root>|<home>|<git>|<project>|<outside>|<source>|<everything>",
        "it removes files permanently",
    )
    .instead("name the files to remove")
    .examples(
        &["cmake -E rm -rf src", "cmake -E remove_directory src"],
        &["cmake -E rm -rf build"],
    ),
    Rule::deny(
        "remove-credentials",
        "rm|grm|unlink",
        "<secret> <outside>",
        "it removes credentials that can't be created again",
    )
    .instead("ask the person to do it")
    .examples(&["rm ~/.ssh/id_rsa", "rm -f ~/.aws/credentials"], &["rm .env.example"]),
    Rule::floor(
        "rimraf-root-or-home",
        "rimraf|del-cli|trash-cli",
        "<root>|<home>|<git>",
        "it removes the system, a home directory or a repository with its history",
    )
    .instead("name the files of the project to remove")
    .examples(&["npx rimraf /", "rimraf ~", "npx rimraf .git"], &["npx rimraf dist"]),
    Rule::risky(
        "remove-elsewhere",
        "rm|grm|unlink",
        "<outside>|<home>|<git>|<secret>|<anywhere>",
        "it removes a file outside of the project, or a file whose path is not known",
    )
    .examples(
        &["rm ~/notes.txt", "rm .git/index.lock", "rm \"$FILE\""],
        &["rm a.txt", "rm /tmp/x"],
    ),
    Rule::deny(
        "rimraf",
        "rimraf|del|del-cli|trash-cli|shx",
        "<root>|<home>|<git>|<project>|<outside>|<source>|<everything> !/*",
        "it permanently removes a whole directory",
    )
    .instead("name the files to remove")
    .examples(&["npx rimraf src", "npx rimraf ."], &["npx rimraf dist"]),
    Rule::deny(
        "shred",
        "shred|wipe|scrub|sfill|sswap|sdelete",
        "!<temporary>",
        "it overwrites files so that they can't be restored",
    )
    .instead("remove a tracked file with `git rm`")
    .examples(
        &["shred -u src/main.rs", "shred -n 3 -z ~/.ssh/id_ed25519"],
        &["shred /tmp/key", "shred --help"],
    ),
    Rule::deny(
        "find-delete",
        "find|gfind",
        "-delete !<output-name>|<output>|<temporary>|-empty|/tmp|/tmp/|/var/tmp",
        "it removes every file that it finds",
    )
    .instead("list the files first, then name the ones to remove")
    .examples(
        &["find / -delete", "find ~ -name '*.md' -delete", "find . -type f -delete"],
        &[
            "find . -name '*.pyc' -delete",
            "find target -delete",
            "find . -type d -empty -delete",
            "find /tmp -name 'test-*' -mtime +1 -delete",
            "find . -name '*.rs'",
        ],
    ),
    Rule::risky(
        "find-delete-output",
        "find|gfind",
        "-delete|-exec=rm|-execdir=rm",
        "it removes every file that it finds",
    )
    .examples(&["find . -name '*.pyc' -delete"], &["find . -name '*.pyc'"]),
    Rule::deny(
        "mirror-deletes",
        "rsync|grsync",
        "--delete|--delete-before|--delete-during|--delete-delay|--delete-after|\
         --delete-excluded|--del|--remove-source-files !--dry-run|-n",
        "it deletes files that the source doesn't have",
    )
    .instead("leave out the deleting option, or try it with --dry-run first")
    .examples(
        &[
            "rsync -a --delete /tmp/empty/ ./",
            "rsync -av --delete-before empty/ src/",
            "rsync -a --delet empty/ src/",
        ],
        &["rsync -a src/ /tmp/copy/", "rsync -an --delete a/ b/"],
    ),
    Rule::deny(
        "find-remove",
        "find|gfind",
        "-exec=rm|-execdir=rm|-ok=rm|-okdir=rm|-exec=/bin/rm|-exec=/usr/bin/rm|-exec=unlink|\
         -exec=shred|-exec=truncate !<output-name>|<output>|<temporary>",
        "it removes every file that it finds",
    )
    .instead("list the files first, then name the ones to remove")
    .examples(
        &["find src -name '*.rs' -exec rm {} +", "find . -mtime +1 -execdir rm -f {} \\;"],
        &["find . -name '*.o' -exec rm {} +", "find . -exec wc -l {} +"],
    ),
    Rule::deny(
        "fd-remove",
        "fd|fdfind",
        "-x=rm|-X=rm|--exec=rm|--exec-batch=rm|-x=shred|-X=shred !<output-name>",
        "it removes every file that it finds",
    )
    .instead("list the files first, then name the ones to remove")
    .examples(&["fd -e rs -x rm", "fd . -X rm -rf"], &["fd -e rs", "fd node_modules -X rm -rf"]),
    Rule::deny(
        "remove-what-comes-in",
        "rm|grm|unlink|shred",
        "$_",
        "it removes files that another command lists",
    )
    .instead("list the files first, then name the ones to remove")
    .examples(
        &["find . -type f -print0 | xargs -0 rm", "ls | xargs rm -f"],
        &["find . -name '*.o' | xargs rm", "ls *.log | xargs rm", "rm a.txt"],
    ),
    Rule::deny(
        "remove-repository-files",
        "rm|grm|unlink|mv",
        "<git> !*.lock",
        "it removes a part of the repository itself",
    )
    .examples(
        &["rm -f .git/index .git/HEAD", "mv .git x"],
        &["rm .git/index.lock", "rm .gitignore"],
    ),
];
