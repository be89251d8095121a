//! Judges the requests that `gh api` sends to a forge.

use verger_shell::Word;

use super::expansions;
use super::options::Reading;
use super::scene::Scene;

/// Whether the request only reads. It must have one path and no fields, an explicit method, or a
/// GraphQL query. Without an explicit method, a field makes the request a `POST`.
pub(super) fn only_reads(reading: &Reading<'_>, scene: &Scene<'_>) -> bool {
    // An unquoted variable may expand to several words, including options.
    let may_split = |word: &Word| matches!(word, Word::Spread(text) if text.contains(['$', '`']));
    // The request would send the output of a substituted command, and the value of a variable that
    // the line doesn't set.
    let may_tell = |word: &Word| {
        let text = word.text();
        let substitutes = text.contains('`') || text.replace("$((", "").contains("$(");
        word.literal().is_none() && (substitutes || !expansions::is_harmless(word, scene.script))
    };
    if scene.argv.iter().any(|word| may_split(word) || may_tell(word)) {
        return false;
    }
    let [path] = &*reading.operands else { return false };
    let path = path.text();
    let fields: Vec<&str> = reading.values(FIELDS).collect();
    // A path may name another server. After `@`, the value of a field is a file's content.
    let is_plain = |field: &&str| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        name != "operationName" && !value.starts_with(['@', '$', '`'])
    };
    let is_get = reading.values(&["X", "method"]).next().is_some();
    !path.contains("://")
        && fields.iter().all(is_plain)
        && match path.trim_matches('/') {
            "graphql" => !is_get && is_query(&fields),
            _ => is_get || fields.is_empty(),
        }
}

const FIELDS: &[&str] = &["f", "F", "field", "raw-field"];

/// Whether exactly one field is a GraphQL query, and the query only reads.
fn is_query(fields: &[&str]) -> bool {
    let mut queries = fields.iter().filter_map(|field| field.strip_prefix("query="));
    let is_reading = |query: &str| {
        let query = query.trim_start();
        (query.starts_with('{') || query.starts_with("query"))
            && !query.contains("mutation")
            && !query.contains("subscription")
    };
    matches!((queries.next(), queries.next()), (Some(query), None) if is_reading(query))
}
