//! The template of the text that a blocked agent gets: a file of the user's, or a built-in
//! template.
//!
//! The user's templates are `templates/block-<id>.md` beside `config.toml`. If a template can't
//! be used, the built-in template replaces it and the person is told.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use crate::Home;
use verger_config::{ReviewSettings, TemplateChoice, TemplateId};
use verger_event::gathered;
use verger_gate::block_template::Template;
use verger_gate::template_choice::{Draw, choose};

use crate::bounded_file::read_beyond;

/// Maximum number of bytes of a template.
pub const MAX_TEMPLATE_BYTES: usize = 16 * 1024;

/// Maximum number of directory entries that are checked.
const MAX_ENTRIES: usize = 1024;

const INSTEAD: &str = "the built-in template is used instead";

/// The template to use, with the problem if another one should have been used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTemplate {
    /// The template.
    pub template: Template,
    /// The problem, its location and the replacement, in one line.
    pub problem: Option<String>,
}

/// The template for the next block, chosen by the settings and the task's number.
pub fn block_template(
    home: &Home,
    review: &ReviewSettings,
    task: &str,
    attempt: u32,
) -> ChosenTemplate {
    let folder = Folder::of(home);
    match &review.template.value {
        TemplateChoice::Pinned(id) => folder.read(id),
        TemplateChoice::Random => {
            let Listed { ids, problem } = folder.list();
            let candidates: Vec<_> = ids.iter().map(|id| (id, weight(id, review))).collect();
            let seed = review.template_seed.value.unwrap_or_default();
            let drawn = choose(&candidates, Draw { seed, task, attempt });
            let chosen = drawn.map_or_else(
                || {
                    ChosenTemplate::instead(
                        "review.template_weights gives every template the weight 0",
                    )
                },
                |id| folder.read(id),
            );
            ChosenTemplate { problem: chosen.problem.or(problem), ..chosen }
        }
    }
}

/// The problems of all templates that the settings may choose.
pub fn template_problems(home: &Home, review: &ReviewSettings) -> Vec<String> {
    let folder = Folder::of(home);
    match &review.template.value {
        TemplateChoice::Pinned(id) => folder.read(id).problem.into_iter().collect(),
        TemplateChoice::Random => {
            let Listed { ids, problem } = folder.list();
            let drawn = ids.iter().filter(|id| weight(id, review) > 0);
            problem.into_iter().chain(drawn.filter_map(|id| folder.read(id).problem)).collect()
        }
    }
}

fn weight(id: &TemplateId, review: &ReviewSettings) -> u64 {
    review.template_weights.value.0.get(id).copied().unwrap_or(1)
}

impl ChosenTemplate {
    fn instead(problem: &str) -> Self {
        Self { template: Template::built_in(), problem: Some(format!("{problem}; {INSTEAD}")) }
    }
}

/// The directory of the user's templates.
struct Folder(PathBuf);

/// The ids of the user's templates. `problem` is set if the directory could not be listed.
struct Listed {
    ids: BTreeSet<TemplateId>,
    problem: Option<String>,
}

impl Folder {
    fn of(home: &Home) -> Self {
        Self(home.config.join("templates"))
    }

    fn list(&self) -> Listed {
        let built_in =
            Template::all_built_in().filter_map(|built_in| TemplateId::parse(&built_in.id));
        let mut listed = Listed { ids: gathered(built_in), problem: None };
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return listed,
            Err(error) => {
                let problem =
                    format!("{}: {error}; only built-in templates are used", self.0.display());
                return Listed { problem: Some(problem), ..listed };
            }
        };
        let names = entries.take(MAX_ENTRIES).flatten().map(|entry| entry.file_name());
        listed.ids.extend(names.filter_map(|name| {
            TemplateId::parse(name.to_str()?.strip_prefix("block-")?.strip_suffix(".md")?)
        }));
        listed
    }

    fn read(&self, id: &TemplateId) -> ChosenTemplate {
        let path = self.0.join(format!("block-{}.md", id.as_str()));
        let instead =
            |problem: &str| ChosenTemplate::instead(&format!("{}: {problem}", path.display()));
        let text = match read_beyond(MAX_TEMPLATE_BYTES, &path) {
            Ok(Some(bytes)) if bytes.len() > MAX_TEMPLATE_BYTES => {
                return instead(&format!("it is larger than {} KiB", MAX_TEMPLATE_BYTES >> 10));
            }
            Ok(Some(bytes)) => String::from_utf8(bytes),
            Ok(None) => {
                let built_in = Template::all_built_in().find(|built_in| built_in.id == id.as_str());
                return match built_in {
                    Some(template) => ChosenTemplate { template, problem: None },
                    None => instead("there is no such template"),
                };
            }
            Err(error) => return instead(&error.to_string()),
        };
        match text {
            Err(_) => instead("it is not UTF-8"),
            Ok(text) if text.trim().is_empty() => instead("it is empty"),
            Ok(text) => {
                let template = Template { id: id.as_str().to_owned(), text };
                let problem = template.unknown_names().next().map(|name| {
                    format!(
                        "{}: {{{{{name}}}}} is no known placeholder and stays as it is",
                        path.display()
                    )
                });
                ChosenTemplate { template, problem }
            }
        }
    }
}

#[cfg(test)]
mod tests;
