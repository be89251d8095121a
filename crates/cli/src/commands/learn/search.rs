//! `verger learn search`: finds learnings about a topic.

use clap::Args;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use verger_event::Timestamp;
use verger_library::{Standing, Weighed};
use verger_memory::{Learning, LearningId};
use verger_recall::{Query, common_words};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::invocation::point_in_time;
use crate::learning::filter::LearningFilter;
use crate::learning::known::{KnownLearnings, usage_json, usage_text};
use crate::learning::project::ProjectLearnings;
use crate::learning::search::{Archives, Found, Sought, scores_json};
use crate::render::output::{Output, Ui};
use crate::render::short_ids::ShortIds;
use crate::render::time::age;
use crate::render::wrap::fitting;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::choose;

/// Search the learnings of this project and your own.
///
/// The best match comes first. Words match in any form. The learnings are ranked as for sessions:
/// by how well they fit, how new they are, and how often they helped. Weak matches are listed last,
/// under a heading of their own. Archived learnings are searched only with `--archived`. A learning
/// that cannot be read is reported with its line when the index is updated; `verger learn list`
/// always reports it.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Search words: programs, functions, error messages, parts of paths; or a learning's id.
    #[arg(required = true)]
    query: Vec<String>,

    /// A file that the learning is about, relative to the project; can be repeated.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,

    #[command(flatten)]
    filter: LearningFilter,

    /// Also search archived learnings.
    #[arg(long, conflicts_with = "status")]
    archived: bool,

    /// Only those made since then: hours, days or weeks ago (`12h`, `30d`, `2w`), or a date.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// How many.
    #[arg(long, short = 'n', default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,

    /// The session whose project is searched: its id, or the beginning of it.
    #[arg(long)]
    session: Option<String>,
}

pub(super) fn search(
    ui: &mut Ui,
    context: &Context,
    args: &SearchArgs,
) -> Result<(), CommandError> {
    let query = args.query.join(" ");
    if query.trim().is_empty() {
        let hint = "verger learn list shows the learnings that are in use".to_owned();
        return Err(CommandError::Usage { message: "the query is empty".to_owned(), hint });
    }
    let now = context.clock.now();
    let project_learnings = args.project_learnings(ui, context)?;
    let query = spelled_out(&project_learnings, &query);
    let mut found = project_learnings.search(context, &args.sought(&query, now)?)?;
    let limit = usize::from(args.limit);
    let is_more = found.weighed.len() > limit;
    found.weighed.truncate(limit);
    let asked = Asked { query: &query, files: &args.files, now };
    if ui.output() == Output::Json {
        let learnings: Vec<_> = found.weighed.iter().map(|one| asked.json(one, &found)).collect();
        let answer = json!({ "learnings": learnings, "more": is_more, "problems": found.problems });
        return Ok(ui.json(&answer)?);
    }
    found.problems.iter().for_each(|problem| ui.warn(problem));
    if found.weighed.is_empty() {
        ui.line("no learning was found")?;
        let searched = if args.archived { "" } else { "; --archived also searches the archive" };
        return Ok(ui.note(format!("verger learn list shows the learnings in use{searched}"))?);
    }
    asked.print(ui, &found)?;
    if is_more {
        ui.line(format!("there are more: --limit {}", limit * 2))?;
    }
    Ok(ui.note("verger ref ID marks one of them as useful")?)
}

impl SearchArgs {
    fn project_learnings(
        &self,
        ui: &Ui,
        context: &Context,
    ) -> Result<ProjectLearnings, CommandError> {
        let Some(session) = &self.session else { return ProjectLearnings::here(ui, context) };
        let store = context.open_store(ui)?;
        let session = GatedSession::look_up(context, &store, &choose(&store, session)?)?;
        ProjectLearnings::of_session(context, &session)
    }

    fn sought<'a>(&'a self, query: &'a str, now: Timestamp) -> Result<Sought<'a>, CommandError> {
        let since = self.since.as_deref().map(|text| {
            let since = point_in_time::parse(text, now, &TimeZone::system());
            since.map_err(|error| CommandError::Usage {
                message: error.to_string(),
                hint: "verger learn search --help".to_owned(),
            })
        });
        let mut filter = self.filter.of_index();
        filter.created_after = since.transpose()?;
        if self.archived {
            filter.standings.push(Standing::Archived);
        }
        let is_archive_wanted = self.archived || self.filter.wants_archived();
        Ok(Sought {
            query: Query {
                texts: vec![(query, 1.0)],
                files: self.files.iter().map(String::as_str).collect(),
                ..Query::default()
            },
            filter,
            archives: if is_archive_wanted { Archives::Searched } else { Archives::Left },
            // One result more than is shown, to know whether there are more.
            most: usize::from(self.limit) + 1,
        })
    }
}

/// Replaces the ids of learnings in a query by their summaries, so that similar learnings are
/// found.
fn spelled_out(project_learnings: &ProjectLearnings, query: &str) -> String {
    let ids: Vec<LearningId> =
        query.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if ids.is_empty() {
        return query.to_owned();
    }
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    let held = ids.iter().filter_map(|id| known_learnings.find(id));
    held.fold(query.to_owned(), |query, held| {
        let learning = &held.account.learning;
        query.replace(learning.id.as_str(), &learning.summary)
    })
}

/// The searched query and files, to explain the results.
struct Asked<'a> {
    query: &'a str,
    files: &'a [String],
    now: Timestamp,
}

impl Asked<'_> {
    fn print(&self, ui: &mut Ui, found: &Found) -> Result<(), CommandError> {
        let mut said_weak = false;
        let ids = found.weighed.iter().map(|one| &one.filed.learning.id);
        let short = ShortIds::of_records(ids);
        for (number, one) in found.weighed.iter().enumerate() {
            if !one.hit.fits() && !said_weak {
                said_weak = true;
                ui.line(match number {
                    0 => "no good match; the nearest:",
                    _ => "weak matches:",
                })?;
            }
            for line in self.lines(one, found, short, ui.columns()) {
                ui.line(line)?;
            }
        }
        Ok(())
    }

    fn lines(
        &self,
        one: &Weighed,
        found: &Found,
        short: ShortIds,
        width: Option<usize>,
    ) -> Vec<String> {
        let learning = &one.filed.learning;
        let facts = [
            learning.category.as_str().to_owned(),
            learning.scope.as_str().to_owned(),
            format!("{} confidence", learning.confidence.as_str()),
            age(learning.created, self.now),
            usage_text(&found.statistics.usage(&learning.id)),
        ];
        let mut facts = facts.join(", ");
        if !one.filed.standing.is_in_use() {
            facts.extend([", ", status(one.filed.standing)]);
        }
        if let Some(by) = found.replaced.get(&learning.id) {
            facts.extend([" by ", by.as_str()]);
        }
        let suspect = suspect(one, found).map(|reason| format!("suspect: {reason}"));
        let head =
            fitting(&format!("{}  ", short.of(learning.id.as_str())), &learning.summary, width);
        let body = learning.detail.lines().map(str::to_owned);
        let below = body.chain([facts]).chain(suspect).chain([self.why(learning)]);
        head.into_iter().chain(below.flat_map(|text| fitting("  ", &text, width))).collect()
    }

    /// The reasons why the learning was found, in words.
    fn why(&self, learning: &Learning) -> String {
        let words = self.words(learning);
        let has = (!words.is_empty()).then(|| format!("has {}", words.join(", ")));
        let files = self.files(learning);
        let names = (!files.is_empty()).then(|| format!("is about {}", files.join(", ")));
        has.into_iter().chain(names).collect::<Vec<_>>().join("; ")
    }

    fn words(&self, learning: &Learning) -> Vec<&str> {
        let Learning { summary, detail, tags, files, symbols, .. } = learning;
        let lists = [tags, files, symbols].map(|list| list.join("\n"));
        let text = [&[summary.clone(), detail.clone()][..], &lists].concat().join("\n");
        common_words(self.query, &text)
    }

    fn files<'l>(&self, learning: &'l Learning) -> Vec<&'l str> {
        let files = learning.files.iter().filter(|file| self.files.contains(file));
        files.map(String::as_str).collect()
    }

    fn json(&self, one: &Weighed, found: &Found) -> Value {
        let learning = &one.filed.learning;
        let mut value = learning.to_json();
        value["status"] = status(one.filed.standing).into();
        if let Some(by) = found.replaced.get(&learning.id) {
            value["superseded_by"] = by.as_str().into();
        }
        value["suspect"] = json!(suspect(one, found));
        value["fits"] = one.hit.fits().into();
        value["has"] = json!({ "words": self.words(learning), "files": self.files(learning) });
        value["scores"] = scores_json(&one.merits);
        value["usage"] = usage_json(&found.statistics.usage(&learning.id));
        value
    }
}

fn suspect<'a>(one: &Weighed, found: &'a Found) -> Option<&'a str> {
    let is_suspect = one.filed.standing == Standing::Suspect;
    found.suspects.reason(&one.filed.learning.id).filter(|_| is_suspect)
}

fn status(standing: Standing) -> &'static str {
    match standing {
        Standing::Active | Standing::Suspect => "active",
        Standing::Archived => "archived",
        Standing::Superseded => "superseded",
    }
}
