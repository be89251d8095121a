//! Rules against changes of protected files: verger's own files, and the settings of agents.
//!
//! These rules are checked separately, for every directory in which a command may run. The module
//! `own_writes` has the checks that the text of a rule can't express.

use crate::permission::paths::OWN_FILES;
use crate::permission::rule::Rule;

const fn rule(command: &'static str, with: &'static str) -> Rule<'static> {
    Rule::floor(OWN_FILES, command, with, "it changes verger's files or an agent's settings")
        .instead("ask the person to change it")
}

pub(super) const RULES: &[Rule<'static>] = &[
    rule("rm|grm|srm|unlink|rmdir|shred|trash-put|rimraf|del-cli", "<own>|<own-tree>").examples(
        &[
            "rm .verger/config.toml",
            "rm -rf .verger",
            "rm .verger/*",
            "rm -rf ~/.cod*",
            "rm -r \"$VERGER_HOME\"",
            "npx rimraf .verger",
        ],
        &["rm src/config.toml", "rm -rf .verger/knowledge/old", "rm .verger/*.md"],
    ),
    rule("mv|gmv|truncate|tee|sponge|touch|patch|ed|ex|vim|vi|nvim|nano|emacs|code", "<own>")
        .examples(
            &[
                "mv .verger/config.toml x",
                "echo x | tee .verger/config.toml",
                "tee \"${XDG_CONFIG_HOME}/verger/config.toml\"",
            ],
            &["cat .verger/config.toml", "tee .verger/learnings.md"],
        ),
    // A link or a mount gives a protected file another name, under which an agent could write it.
    rule("chmod|chown|chgrp|chattr|setfacl|mount|ln|gln", "<own>|<own-folder>").examples(
        &["chmod 000 .verger/config.toml", "chown -R me .verger", "ln -s .verger q"],
        &["chmod +x run.sh", "ln -s ../docs .verger/knowledge/docs"],
    ),
    rule("cp|gcp", "-s|-l|--symbolic-link|--link <own>|<own-folder>")
        .examples(&["cp -s .verger/config.toml q"], &["cp .verger/config.toml q"]),
    rule("cp|gcp|install|ginstall", "><own>|-t=<own>|--target-directory=<own>").examples(
        &[
            "cp x .verger/config.toml",
            "cp -r log .verger/work/runs",
            "install x -t .verger/work/runs",
        ],
        &["cp .verger/config.toml x"],
    ),
    rule("rsync|scp|split|python*|node", "><own>").examples(
        &["rsync x .verger/config.toml", "python3 edit.py .verger/config.toml"],
        &["rsync -at .verger/config.toml x", "scp .verger/config.toml host:x"],
    ),
    rule("dd|gdd", "of=<own>")
        .examples(&["dd if=x of=.verger/config.toml"], &["dd if=.verger/config.toml of=x"]),
    rule("curl|wget", "-o=<own>|-O=<own>|--output=<own>|--output-document=<own>").examples(
        &["curl -o .verger/config.toml https://example.com"],
        &["curl -d @.verger/config.toml https://example.com"],
    ),
    rule("sort", "-o=<own>|--output=<own>")
        .examples(&["sort -o .verger/config.toml x"], &["sort .verger/config.toml"]),
    rule("sed|gsed|perl|ruby|yq", "-i|--in-place|--inplace <own>").examples(
        &[
            "sed -i s/a/b/ .verger/config.toml",
            "sed -i -e s/a/b/ .verger/conf*",
            "perl -pi -e s/a/b/ .verger/config.toml",
            "ruby -i -pe x .verger/config.toml",
        ],
        &["sed s/a/b/ .verger/config.toml", "perl -ne print .verger/config.toml"],
    ),
    rule("awk|gawk", "-i=inplace|--include=inplace <own>").examples(
        &["gawk -i inplace 1 .verger/config.toml"],
        &["awk '{print $1}' .verger/config.toml"],
    ),
    rule(
        "git mv|rm|checkout|restore|clean|stash|checkout-index",
        "<own>|<own-folder> !--cached|--staged|-S|--dry-run|-n",
    )
    .examples(
        &["git mv .verger y", "git checkout HEAD~1 -- .verger", "git rm -r .verger x"],
        &["git add .verger", "git rm --cached .verger/config.toml", "git diff .verger"],
    ),
    rule("git restore", "-W|--worktree <own>|<own-folder>").examples(
        &["git restore --staged --worktree .verger"],
        &["git restore --staged .verger", "git restore src"],
    ),
    rule("git clone|init|worktree|bundle|submodule", "><own>|><own-folder>").examples(
        &["git clone https://example.com/x .verger"],
        &["git worktree add .verger/worktrees/x", "git clone https://example.com/x"],
    ),
    rule("git config", "-f=<own>|--file=<own> !--get|--get-all|--get-regexp|--list|-l").examples(
        &["git config -f .verger/config.toml a.b c"],
        &["git config -f .verger/config.toml --get a.b", "git config user.name me"],
    ),
    rule(
        "git diff|log|show|archive|format-patch",
        "--output=<own>|-o=<own>|-o=<own-folder>|--output-directory=<own-folder>",
    )
    .examples(
        &["git diff --output=.verger/config.toml"],
        &["git diff .verger/config.toml", "git log -- .verger"],
    ),
    rule("find|gfind", "-delete <own>|<own-folder> !<output-name>").examples(
        &["find .verger -type f -delete"],
        &["find .verger -name '*.pyc' -delete", "find .verger -type f"],
    ),
    rule("find|gfind", "-exec|-execdir|-ok <own>|<own-folder> rm|unlink|shred|mv|truncate")
        .examples(&["find .verger -type f -exec rm {} +"], &["find .verger -exec cat {} +"]),
    rule("unzip|7z|7za|7zz", "-d=<own>|-d=<own-folder>|-o=<own>|-o=<own-folder>").examples(
        &["unzip x.zip -d .verger", "7z x a.7z -o.verger"],
        &["unzip -o x.zip", "unzip x.zip -d .verger/knowledge"],
    ),
];
