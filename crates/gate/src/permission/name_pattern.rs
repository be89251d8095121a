//! Matches patterns of file names, and decides whether a pattern may match files with credentials.

/// Usual names of files with credentials.
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

/// The names of [`SECRETS`] that a shell glob with a star at its beginning may match. Such a star
/// doesn't match a name that begins with a dot.
const VISIBLE: &[&str] =
    &["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "credentials", "kubeconfig", "server.key"];

/// Whether a name pattern of `find` restricts the names and can't match files with credentials.
pub(super) fn is_specific(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let says = name.contains(|c: char| c.is_ascii_alphanumeric());
    // Some tests of `find` ignore case, so the pattern is compared in lower case.
    says && !SECRETS.iter().any(|secret| fits(&name, secret))
}

/// Whether a component of a shell glob may match files with credentials.
pub(super) fn may_find_secret(part: &str) -> bool {
    let says = part.contains(|c: char| c.is_ascii_alphanumeric());
    says && VISIBLE.iter().any(|secret| fits(part, secret))
}

/// Whether the name matches the pattern, which may contain `*`, `?` and sets in brackets.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut to) = (0, 0);
    // The position of the last star in the pattern, and the position in `name` up to which it
    // matches.
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

/// The length of the pattern's first element, if this element matches the character `c`. `None` if
/// it doesn't match.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => {
            let is_not = matches!(rest.first(), Some('!' | '^'));
            let inner = &rest[usize::from(is_not)..];
            // A `]` at the beginning of a set is a member of the set.
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
    fn a_pattern_that_may_match_credentials_is_not_specific() {
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
