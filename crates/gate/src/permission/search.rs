//! Recognises searches for credentials in all files, including hidden and ignored files.

use verger_shell::Word;

use super::listing;
use super::options::Reading;
use super::paths::is_below;
use super::scene::Scene;

/// Parts of patterns that are typical of a search for credentials.
const SIGNS: &[&str] =
    &["secret", "passw", "token", "api_key", "apikey", "api-key", "credential", "private", "akia"];

/// Options that limit a search to some files.
const NARROWING: &[&str] = &["include", "g", "glob", "iglob", "t", "type"];

/// Whether a search covers the whole project including hidden files, and its pattern matches
/// credentials or every line of a file.
pub(super) fn may_show_secrets(reading: &Reading<'_>, scene: &Scene<'_>) -> bool {
    let (pattern, places) = match reading.operands.split_first() {
        Some((first, rest)) if !reading.has(&["e", "regexp"]) => (first.text(), rest),
        _ => ("", &*reading.operands),
    };
    let mut patterns = vec![pattern];
    patterns.extend(reading.values(&["e", "regexp"]));
    let is_told = |text: &&str| {
        let text = text.to_ascii_lowercase();
        let is_all = matches!(&*text, "." | ".*" | "^" | "key");
        is_all || text.ends_with("_key") || SIGNS.iter().any(|sign| text.contains(sign))
    };
    let is_empty = reading.operands.first().is_some_and(|first| first.text().is_empty());
    goes_everywhere(reading, places, scene)
        && !reading.has(NARROWING)
        && (is_empty || patterns.iter().any(is_told))
}

fn goes_everywhere(reading: &Reading<'_>, places: &[&Word], scene: &Scene<'_>) -> bool {
    let root = scene.ground.root.or(scene.ground.cwd).unwrap_or(".");
    let is_whole = |word: &&Word| {
        scene.paths(word.text()).is_none_or(|paths| paths.iter().any(|path| is_below(root, path)))
    };
    let is_handed = places.iter().any(|word| listing::is_broad(word, scene));
    let lists_names = reading.has(&["l", "L", "c", "files-with-matches", "count", "q", "quiet"]);
    let is_wide = places.is_empty() || places.iter().any(is_whole);
    let is_recursive = if ["rg", "ripgrep", "ag"].iter().any(|name| scene.command().runs(name)) {
        let unrestricted = reading.given.iter().filter(|given| given.name == "u").count();
        let sees_hidden = reading.has(&["hidden", "."]) || unrestricted > 1;
        let sees_ignored = reading.has(&["no-ignore", "no-ignore-vcs"]) || unrestricted > 0;
        sees_hidden && sees_ignored || reading.has(&["uu", "uuu", "unrestricted"])
    } else {
        reading.has(&["r", "R", "recursive", "dereference-recursive"])
    };
    (is_handed || is_recursive && is_wide) && !lists_names
}
