//! Texts for agents and people are template files; this fills them.

/// A text for a blocked agent, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its name in settings and statistics.
    pub id: String,
    /// The text, with names in braces.
    pub text: String,
}

impl Template {
    /// The one that is used unless another is chosen.
    pub fn built_in() -> Self {
        let text = include_str!("../templates/block-default.md");
        Self { id: "default".to_owned(), text: text.to_owned() }
    }
}

/// The text with every `{{name}}` replaced by its value, in one pass: what a value holds is never
/// looked at again. A name without a value stays as it is.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template.trim_end();
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let value = after.split_once("}}").and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name.trim())?;
            Some((*value, after))
        });
        let (text, after) = value.unwrap_or(("{{", after));
        filled.push_str(text);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn names_are_replaced_once_and_what_is_not_known_stays() {
        let values = [("a", "{{b}}"), ("b", "two")];
        let cases = [
            ("", ""),
            ("plain\n", "plain"),
            ("{{a}} and {{ b }}.", "{{b}} and two."),
            ("{{c}} {{", "{{c}} {{"),
            ("{{c {{b}}", "{{c two"),
            ("é{{b}}é", "étwoé"),
        ];
        for (template, expected) in cases {
            assert_eq!(fill(template, &values), expected, "{template:?}");
        }
    }
}
