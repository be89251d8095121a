//! Decides whether an expression of `find` only lists files.

use verger_shell::{Place, Word};

use super::scene::Scene;

/// Tests and actions of `find` without a value.
const ALONE: &str = "-print -print0 -ls -prune -quit -true -false -empty -depth -d -mount -xdev -follow \
    -daystart -readable -writable -executable -not -a -and -o -or ! ( ) , -noleaf -nouser \
    -nogroup -L -H -P -E -warn -nowarn -ignore_readdir_race";

/// Tests of `find` with a value.
const WITH_VALUE: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -regextype -type \
    -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -newermt \
    -newerct -newerat -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile \
    -printf -fstype -used";

/// Whether every part of the `find` expression only lists files. Commands in `-exec` are judged
/// separately. Here, each of them must have an end and be among the parsed commands.
pub(super) fn only_looks(words: &[Word], scene: &Scene<'_>) -> bool {
    let mut runs = 0;
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let Some(text) = word.literal() else {
            if !is_start(word, scene) {
                return false;
            }
            continue;
        };
        if is_among(ALONE, text) {
            continue;
        }
        if is_among(WITH_VALUE, text) {
            let Some((value, after)) = rest.split_first() else { return false };
            if value.literal().is_none() && !is_ending(value) {
                return false;
            }
            rest = after;
        } else if matches!(text, "-exec" | "-execdir") {
            let is_end = |word: &Word| matches!(word.literal(), Some(";" | "+"));
            let Some(end) = rest.iter().position(is_end) else { return false };
            rest = &rest[end + 1..];
            runs += 1;
        } else if !is_start(word, scene) {
            return false;
        }
    }
    let is_inner = |place: &Place| *place == Place::Within(scene.index);
    runs == scene.script.commands.iter().filter(|command| is_inner(&command.place)).count()
}

/// Whether the word is an unquoted glob such as `*.py`. Its matches have an extension, so none of
/// them is an action of `find`.
fn is_ending(word: &Word) -> bool {
    let ending = word.text().strip_prefix("*.").unwrap_or_default();
    !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether the word is a starting path of `find`. An argument that `xargs` adds at run time (`$_`)
/// isn't one, because it could be an action.
fn is_start(word: &Word, scene: &Scene<'_>) -> bool {
    if word.text() == "$_" {
        return false;
    }
    let begins = |c: char| c.is_alphanumeric() || "./~_$\"".contains(c);
    word.text().starts_with(begins) && scene.is_harmless_name(word)
}
