//! Rules against reading credentials. Clients run commands that read without asking, so the guard
//! must recognise such reads. Programs that search files have no rule here, because a search
//! pattern may look like the name of a file with credentials.

use crate::permission::message::READ_CREDENTIALS;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[Rule::risky(
    READ_CREDENTIALS,
    "cat|gcat|tac|nl|head|tail|less|more|most|bat|batcat|strings|xxd|od|hexdump|hd|base64|base32|\
     cp|gcp|sort|uniq|cut|paste|fold|fmt|column|rev|diff|cmp|comm|wc|tee|source|.|openssl|gpg|\
     ssh-keygen|dd|ln|gln|tar|zip|view|vim|vi|nano|python*|node|ruby|perl",
    "<secret>|if=<secret>|-in=<secret>",
    "it reads or copies credentials",
)
.instead("ask the person for the information, or look into an example file")
.examples(
    &["cat .env", "head -1 ~/.aws/credentials", "cp ~/.ssh/id_ed25519 key", "source .env"],
    &["cat .env.example", "cat src/env.rs", "echo .env", "ls -la .env"],
)];
