//! Matches patterns of file names, and decides whether they may match credentials.

/// Names that credentials have.
const SECRETS: &[&str] = &[
    ".env",
    ".env.local",
    "prod.env",
    ".envrc",
    "id_rsa",
    "id_ed25519",
    "credentials",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".pgpass",
    ".dockercfg",
    ".htpasswd",
    "server.pem",
    "server.key",
    "client.p12",
    "kubeconfig",
    "terraform.tfstate",
];

/// Those that a glob of the shell may find with a star in place of their beginning. What begins with a
/// dot it does not find.
const VISIBLE: &[&str] =
    &["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "credentials", "kubeconfig", "server.key"];

/// Whether a pattern of `find` names something, and no credentials.
pub(super) fn is_specific(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let says = name.contains(|c: char| c.is_ascii_alphanumeric());
    // Some search without a look at capitals.
    says && !SECRETS.iter().any(|secret| fits(&name, secret))
}

/// Whether a part of a glob of the shell may find credentials by the end of their name.
pub(super) fn may_find_secret(part: &str) -> bool {
    let says = part.contains(|c: char| c.is_ascii_alphanumeric());
    says && VISIBLE.iter().any(|secret| fits(part, secret))
}

/// Whether the name is what the pattern says: `*`, `?` and brackets.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut to) = (0, 0);
    // Where the last star stands, and how much it stands for.
    let mut star: Option<(usize, usize)> = None;
    while to < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, to));
                at += 1;
            }
            Some(_) if let Some(next) = one(&pattern[at..], name[to]) => {
                at += next;
                to += 1;
            }
            _ => {
                let Some((place, stands_for)) = star else { return false };
                star = Some((place, stands_for + 1));
                (at, to) = (place + 1, stands_for + 1);
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// How much of the pattern stands for this one character.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => {
            let is_not = matches!(rest.first(), Some('!' | '^'));
            let inner = &rest[usize::from(is_not)..];
            // A bracket that comes first belongs to them.
            let end = inner.iter().skip(1).position(|c| *c == ']')? + 1;
            let is_in = has(&inner[..end], c);
            (is_in != is_not).then_some(1 + usize::from(is_not) + end + 1)
        }
        ['\\', escaped, ..] => (*escaped == c).then_some(2),
        [plain, ..] => (*plain == c).then_some(1),
        [] => None,
    }
}

fn has(set: &[char], c: char) -> bool {
    let in_range =
        set.windows(3).any(|three| three[1] == '-' && (three[0]..=three[2]).contains(&c));
    in_range || set.contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_find_reads_them() {
        for (pattern, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rsx", false),
            ("*", "", true),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("?env", ".env", true),
            ("?env", "env", false),
            ("[.]env", ".env", true),
            ("[!a]env", ".env", true),
            ("[!.]env", ".env", false),
            ("*.[ch]", "a.c", true),
            ("*.[a-z]", "a.c", true),
            ("*.[ch]", "a.d", false),
            ("\\.env", ".env", true),
            ("[]]", "]", true),
            ("[", "[", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn what_may_find_credentials_is_not_specific() {
        for pattern in ["*.rs", "Cargo.toml", "*.[ch]", "src/*.ts", "*readme*", "test_*.py"] {
            assert!(is_specific(pattern), "{pattern}");
        }
        for pattern in
            ["*", "*env*", "*nv", "?env", "[.]env", ".*", "*rsa", "*.pem", "c*s", "./*", "*.ENV"]
        {
            assert!(!is_specific(pattern), "{pattern}");
        }
    }
}
