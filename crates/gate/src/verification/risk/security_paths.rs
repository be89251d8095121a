//! Recognizes security-relevant files by their names.

/// Words that make a path security-relevant, in any naming style: `user_auth.rs`, `LoginForm.tsx`,
/// `auth/`.
const WORDS: &[&str] = &[
    "acl",
    "apikey",
    "auth",
    "authentication",
    "authn",
    "authorization",
    "authz",
    "certificate",
    "certificates",
    "cipher",
    "cors",
    "credential",
    "credentials",
    "crypt",
    "crypto",
    "cryptography",
    "csp",
    "csrf",
    "decrypt",
    "encrypt",
    "encryption",
    "iam",
    "jwt",
    "keystore",
    "login",
    "oauth",
    "oauth2",
    "oidc",
    "passwd",
    "password",
    "passwords",
    "permission",
    "permissions",
    "privilege",
    "privileges",
    "rbac",
    "saml",
    "sandbox",
    "sanitize",
    "sanitizer",
    "secret",
    "secrets",
    "security",
    "signin",
    "signup",
    "sso",
    "sudo",
    "sudoers",
    "tls",
    "vault",
    "x509",
];

/// Directories whose files are all security-relevant. Each is a list of path components.
const DIRECTORIES: &[&[&str]] = &[
    &[".github", "workflows"],
    &[".github", "actions"],
    &[".circleci"],
    &[".buildkite"],
    &[".woodpecker"],
    &[".gitlab"],
    &[".husky"],
];

/// Names of security-relevant files, in lower case: CI, deployment, credentials and lock files.
const NAMES: &[&str] = &[
    ".drone.yml",
    ".env",
    ".gitlab-ci.yml",
    ".npmrc",
    ".pypirc",
    ".travis.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "codeowners",
    "composer.lock",
    "containerfile",
    "deno.lock",
    "dockerfile",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "gradle.lockfile",
    "jenkinsfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pdm.lock",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

/// Endings of the names of security-relevant files, in lower case.
const ENDINGS: &[&str] =
    &[".cer", ".crt", ".jks", ".key", ".keystore", ".p12", ".pem", ".pfx", ".tf", ".tfvars"];

/// Beginnings of the names of security-relevant files, in lower case.
const BEGINNINGS: &[&str] = &[".env.", "dockerfile.", "id_ed25519", "id_rsa"];

pub(super) fn is_security_relevant(path: &str) -> bool {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    let Some((name, directories)) = parts.split_last() else { return false };
    let name = name.to_lowercase();
    let is_below = |known: &&&[&str]| directories.windows(known.len()).any(|some| some == **known);
    NAMES.contains(&name.as_str())
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || DIRECTORIES.iter().any(|known| is_below(&known))
        || parts.iter().any(|part| words(part).any(|word| WORDS.contains(&word.as_str())))
}

/// The words of a file's name in lower case. The name is split at capitals, and at characters other
/// than letters and digits.
fn words(name: &str) -> impl Iterator<Item = String> {
    let chars: Vec<_> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let behind = chars.get(at + 1);
        let begins = char.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || behind.is_some_and(|behind| behind.is_lowercase())
            });
        if begins || !char.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| char.is_alphanumeric()) {
            word.extend(char.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_paths_match_by_whole_words_and_names() {
        for path in [
            "src/auth/mod.rs",
            "src/user_auth.rs",
            "web/LoginForm.tsx",
            "web/userAuth.ts",
            "lib/JWTVerifier.java",
            "app/permissions/roles.py",
            "crypto.go",
            "config/secrets.yml",
            ".github/workflows/ci.yml",
            "sub/.github/actions/x/action.yml",
            ".gitlab-ci.yml",
            "Jenkinsfile",
            "Cargo.lock",
            "web/package-lock.json",
            "go.sum",
            "Dockerfile",
            "deploy/Dockerfile.prod",
            ".env",
            ".env.local",
            "infra/main.tf",
            "certs/server.pem",
            "CODEOWNERS",
        ] {
            assert!(is_security_relevant(path), "{path}");
        }
        for path in [
            "",
            "src/main.rs",
            "src/author.rs",
            "src/authors/list.rs",
            "src/tokenizer.rs",
            "docs/secretary.md",
            "src/passage.rs",
            ".github/ISSUE_TEMPLATE/bug.md",
            "package.json",
            "Cargo.toml",
            "block.rs",
            "src/keyboard.rs",
            "environment.rs",
            "my.envelope",
        ] {
            assert!(!is_security_relevant(path), "{path}");
        }
    }

    #[test]
    fn words_are_parted_by_capitals_and_signs() {
        let parted = |name: &str| words(name).collect::<Vec<_>>().join(" ");
        for (name, expected) in [
            ("userAuth.ts", "user auth ts"),
            ("JWTVerifier", "jwt verifier"),
            ("HTTP2Server", "http2 server"),
            ("snake_case-name", "snake case name"),
            ("认证Auth", "认证 auth"),
            ("", ""),
        ] {
            assert_eq!(parted(name), expected, "{name}");
        }
    }
}
