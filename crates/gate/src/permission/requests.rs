//! Judges the requests that `gh api` sends to a forge.

use verger_shell::Word;

use super::expansions;
use super::options::Reading;
use super::scene::Scene;

/// Whether a `gh api` request only reads. It must have one path. In addition, it must have no
/// fields, an explicit method that reads, or a GraphQL query. Without an explicit method, a field
/// makes it a `POST`.
pub(super) fn only_reads(reading: &Reading<'_>, scene: &Scene<'_>) -> bool {
    // An unquoted variable may expand to several words, including options.
    let may_split = |word: &Word| matches!(word, Word::Spread(text) if text.contains(['$', '`']));
    // The request would send the output of a substituted command, or the value of a variable that
    // the command line doesn't set.
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
    // A path may name another server. A field whose value begins with `@` sends the content of a
    // file.
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
