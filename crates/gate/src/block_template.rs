//! Builds the message to a blocked agent, from a built-in template or a template of the user.

use crate::template::{fill, names};

/// The maximum number of characters of a message. Clients may cut longer messages.
pub const MAX_MESSAGE_CHARS: usize = 9_000;

const CUT: &str = "\n[cut by verger]";

/// The template name, in the log and in statistics, of a refusal that only repeats the previous
/// one.
pub const AGAIN: &str = "again";

const FINDINGS_LINE: &str = "{{findings}}\n";

const DEFAULT: (&str, &str) = ("default", include_str!("../templates/block-default.md"));

const BUILT_IN: [(&str, &str); 2] =
    [DEFAULT, ("short", include_str!("../templates/block-short.md"))];

/// A named template of a message to a blocked agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The template's name in settings and statistics.
    pub id: String,
    /// The text of the template. Names in double braces are replaced by values.
    pub text: String,
}

/// The values that replace the names in a template.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The session's id.
    pub session_id: &'a str,
    /// The task of the agent, and the person or agent that gave it.
    pub task: &'a str,
    /// The agent's changes that need a review.
    pub changes: &'a str,
    /// The instructions for getting a review.
    pub reviewer: &'a str,
    /// The reason why the agent is blocked.
    pub why: &'a str,
    /// The findings of the last reviewer. Empty if there are none.
    pub findings: &'a str,
}

impl<'a> Values<'a> {
    fn by_name(&self) -> [(&'static str, &'a str); 6] {
        [
            ("session_id", self.session_id),
            ("task", self.task),
            ("changes", self.changes),
            ("reviewer", self.reviewer),
            ("why", self.why),
            ("findings", self.findings.trim_end()),
        ]
    }
}

impl Template {
    /// The default template, which is also used if the chosen template can't be read.
    pub fn built_in() -> Self {
        Self::new(DEFAULT.0, DEFAULT.1)
    }

    /// All built-in templates.
    pub fn all_built_in() -> impl Iterator<Item = Self> {
        BUILT_IN.into_iter().map(|(id, text)| Self::new(id, text))
    }

    fn new(id: &str, text: &str) -> Self {
        Self { id: id.to_owned(), text: text.to_owned() }
    }

    /// The names in the template that have no value. They stay in the message as they are written.
    pub fn unknown_names(&self) -> impl Iterator<Item = &str> {
        let values =
            Values { session_id: "", task: "", changes: "", reviewer: "", why: "", findings: "" };
        let known = values.by_name().map(|(name, _)| name);
        names(&self.text).filter(move |name| !known.contains(name))
    }

    /// Renders the message. Findings are appended if the template has no name for them. If there
    /// are no findings, the template's line for findings is removed.
    pub fn render(&self, values: &Values<'_>) -> String {
        let template = match values.findings {
            "" => self.text.replace(FINDINGS_LINE, ""),
            _ => self.text.clone(),
        };
        let mut text = fill(&template, &values.by_name());
        if !names(&self.text).any(|name| name == "findings") {
            text = format!("{text}\n{}", values.findings);
        }
        within_limit(text.trim_end())
    }
}

fn within_limit(text: &str) -> String {
    if text.chars().nth(MAX_MESSAGE_CHARS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MAX_MESSAGE_CHARS - CUT.len()).chain(CUT.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::new("mine", text)
    }

    const VALUES: Values<'_> = Values {
        session_id: "s-1",
        task: "a review, wanted by a prompt with #review",
        changes: "3 files",
        reviewer: "run `verger review run --session s-1`.",
        why: "the last review found issues",
        findings: "The reviewer found: {{why}}\nsee {{x}}\n",
    };

    #[test]
    fn no_built_in_template_names_what_it_cannot_fill_or_a_release() {
        for template in Template::all_built_in() {
            assert_eq!(template.unknown_names().collect::<Vec<_>>(), Vec::<&str>::new());
            assert!(!template.text.contains("skip"), "{}", template.id);
            assert!(!template.text.contains("verger release"), "{}", template.id);
        }
    }

    #[test]
    fn values_are_put_in_as_they_are() {
        insta::assert_snapshot!(template("{{session_id}} {{ changes }} {{x}}").render(&VALUES), @r#"
        s-1 3 files {{x}}
        The reviewer found: {{why}}
        see {{x}}
        "#);
        insta::assert_snapshot!(template("{{findings}}. Wanted: {{task}}").render(&VALUES), @r#"
        The reviewer found: {{why}}
        see {{x}}. Wanted: a review, wanted by a prompt with #review
        "#);
        let nothing_found = Values { findings: "", ..VALUES };
        assert_eq!(template("{{why}}!").render(&nothing_found), "the last review found issues!");
    }

    #[test]
    fn unknown_names_are_found() {
        let unknown: Vec<String> =
            template("{{x}} {{task}} {{y}}").unknown_names().map(str::to_owned).collect();
        assert_eq!(unknown, ["x", "y"]);
    }

    #[test]
    fn a_message_is_never_too_long() {
        let nothing_found = Values { findings: "", ..VALUES };
        let long = template(&"é".repeat(MAX_MESSAGE_CHARS + 1)).render(&nothing_found);
        assert_eq!(long.chars().count(), MAX_MESSAGE_CHARS);
        assert!(long.ends_with(CUT));
        let fits = "é".repeat(MAX_MESSAGE_CHARS);
        assert_eq!(template(&fits).render(&nothing_found), fits);
    }
}
