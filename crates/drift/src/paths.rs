//! Recognizes paths in the form in which tools, commands and people write them.

mod pattern;

use crate::phrases::is_listed;
pub use pattern::PathPattern;

/// The maximum number of bytes of a path. A longer text isn't a path.
const MAX_PATH: usize = 300;
/// The maximum number of paths that are taken from one text.
const MAX_PATHS: usize = 64;

/// Extensions of files that people name without a folder, as in `main.rs`.
const ENDINGS: &str = "\
    adoc|astro|bash|c|cc|cfg|cjs|conf|cpp|cs|css|csv|dart|env|erl|ex|exs|fish|go|gradle|\
    graphql|h|hpp|hs|html|ini|ipynb|java|jl|jpg|js|json|json5|jsonc|jsx|kt|kts|less|lock|\
    lua|m|md|mdx|mjs|ml|mm|mod|mts|nix|pdf|php|pl|plist|png|properties|proto|ps1|py|pyi|r|\
    rb|rs|rst|sass|scala|scss|sh|sol|sql|sum|svelte|svg|swift|tf|toml|ts|tsx|txt|vue|xml|\
    yaml|yml|zig|zsh";

/// Files without an extension that have a well-known name, in lower case.
const KNOWN_NAMES: &str = "\
    changelog|dockerfile|gemfile|jenkinsfile|justfile|license|makefile|procfile|rakefile|\
    readme|vagrantfile";

/// Names of products that look like file names.
const PRODUCTS: &str = "\
    alpine.js|chart.js|d3.js|discord.js|express.js|nest.js|next.js|node.js|nuxt.js|p5.js|\
    react.js|solid.js|three.js|vue.js";

/// Makes a path relative to the project's root, and removes `./`.
pub(crate) fn within(path: &str, root: Option<&str>) -> String {
    let path = path.trim();
    let inside = root.and_then(|root| path.strip_prefix(root.trim_end_matches('/')));
    let path = inside
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .map_or(path, |rest| rest.trim_start_matches('/'));
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    path.trim_start_matches("./").chars().take(MAX_PATH).map(plain).collect()
}

/// The folder of a path. Empty for a path without a folder.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path: the file's name.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a path is in the project: it is relative, doesn't lead outside, and isn't the project
/// itself.
pub(crate) fn is_in_project(path: &str) -> bool {
    !matches!(path, "" | "." | "..")
        && !path.starts_with("../")
        && !path.starts_with(['/', '~', '$'])
}

/// The paths that a text names, in order and without duplicates.
pub(crate) fn named_in(text: &str, root: Option<&str>) -> Vec<String> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "/._-@*+[]{}~".contains(c) || c == ':';
    let mut found: Vec<String> = vec![];
    for word in text.split(|c: char| !is_of_path(c)) {
        if let Some(path) = of_word(word.trim_end_matches([':', '.']), root)
            && !found.contains(&path)
        {
            found.push(path);
        }
        if found.len() >= MAX_PATHS {
            break;
        }
    }
    found
}

/// Parses a word of a text as a path. A path has a folder, a known extension, a star or a
/// well-known name. Web addresses, versions, and words joined by a slash aren't paths.
pub(crate) fn of_word(word: &str, root: Option<&str>) -> Option<String> {
    of_code(word, root).filter(|path| {
        let has_other_sign = path.contains(['.', '*']);
        has_other_sign || !PathPattern::new(path).may_be_words()
    })
}

/// Parses a word in backticks as a path. In backticks, a slash always means a folder.
pub(crate) fn of_code(word: &str, root: Option<&str>) -> Option<String> {
    let word = without_line(word.trim_start_matches('@'));
    let is_long = !(2..=MAX_PATH).contains(&word.len());
    let has_other = |c: char| c.is_whitespace() || "()<>|\"'`,;=:\\?!".contains(c);
    if is_long || word.contains("//") || word.contains(has_other) || !word.is_ascii() {
        return None;
    }
    let path = within(word, root);
    let name = name(&path).to_ascii_lowercase();
    let parts = || path.split('/').filter(|part| !part.is_empty());
    let has_name = parts().any(|part| part.contains(|c: char| c.is_ascii_alphabetic()));
    let is_dots = parts().any(|part| part.len() > 2 && part.bytes().all(|b| b == b'.'));
    if !has_name || is_dots || is_listed(&name, PRODUCTS) {
        return None;
    }
    let has_ending = name
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && is_listed(ending, ENDINGS));
    let is_hidden = name.len() > 2 && name.starts_with('.') && !name[1..].contains(['.', '*']);
    let is_known = is_listed(&name, KNOWN_NAMES);
    let is_glob = path.contains('*') && path.contains(['/', '.']);
    // An absolute path with one part and no extension may be a route or a command of the client.
    let is_route = path.starts_with(['/', '~']) && path.matches('/').count() < 2;
    let is_nested = path.contains('/') && !is_route;
    (has_ending || is_hidden || is_known || is_glob || is_nested).then_some(path)
}

/// The path without a position: `src/a.rs:12-20` becomes `src/a.rs`.
fn without_line(word: &str) -> &str {
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b"-:".contains(&b));
    match word.split_once(':') {
        Some((path, rest)) if is_number(rest) => path,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_prose() {
        let cases = [
            ("fix src/a.rs, please.", "src/a.rs"),
            ("in `crates/index` and README.md", "crates/index README.md"),
            ("async/await and/or e.g. 1.5 upload/delete", ""),
            ("src/handlers 以下、utils/string.pyのテスト", "src/handlers utils/string.py"),
            ("addr.c:44:5: warning", "addr.c"),
            ("/home/dev/app/src/a.rs failed", "src/a.rs"),
            ("POST /login and https://a.example/b, then /compact", ""),
            ("the whole of lib/ and *.css", "lib/ *.css"),
            ("the Makefile, .env and @docs/a.md", "Makefile .env docs/a.md"),
            ("Node.js 20.1 ... and v1.2", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(named_in(text, Some("/home/dev/app")).join(" "), expected, "{text}");
        }
    }
}
