//! Files that are not the agent's: verger's, and the settings of agents.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "write-own-files",
        "rm|grm|unlink|shred|mv|gmv|truncate|tee|sponge|touch|chmod|chown|chattr|rimraf|patch|\
         ed|ex|vim|vi|nvim|nano|emacs|code|setfacl",
        "<own>",
        "it changes verger's files or an agent's settings",
    )
    .instead("ask the person to change it")
    .examples(
        &[
            "rm .verger/config.toml",
            "echo x | tee .verger/config.toml",
            "mv .verger/config.toml x",
            "chmod 000 .verger/config.toml",
        ],
        &["rm src/config.toml", "cat .verger/config.toml"],
    ),
    Rule::floor(
        "write-own-files",
        "cp|gcp|ln|gln|install|rsync|scp|dd|gdd|curl|wget|sed|gsed|perl|sort|git|jq|yq|python*|\
         node|awk|gawk|uniq|split",
        "><own>|of=<own>|-o=<own>|-O=<own>|--output=<own>|--output-document=<own>|-t=<own>|\
         --target-directory=<own>|-f=<own>|--file=<own> !show|log|diff|blame|add|ls-files|grep|\
         -n|cat-file|check-ignore|status|-r|-e|.",
        "it changes verger's files or an agent's settings",
    )
    .instead("ask the person to change it")
    .examples(
        &[
            "cp x .verger/config.toml",
            "dd if=x of=.verger/config.toml",
            "sed -i s/a/b/ .verger/config.toml",
            "curl -o .verger/config.toml https://example.com",
        ],
        &["cp .verger/config.toml x", "git diff .verger/config.toml", "jq . .verger/config.toml"],
    ),
];
