//! The tones of text, and whether they are shown as colours.

/// The meaning of a piece of text, shown as colour if the terminal can show it. Headings are strong;
/// ids and times are faint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Strong,
    Faint,
    Good,
    Warn,
    Bad,
}

impl Tone {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Faint => "\x1b[2m",
            Self::Good => "\x1b[32m",
            Self::Warn => "\x1b[33m",
            Self::Bad => "\x1b[31m",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Colours,
    None,
}

/// Whether output has colours. `NO_COLOR` wins over `CLICOLOR_FORCE`, which wins over `TERM=dumb` and
/// over an output that is no terminal.
pub(super) fn is_coloured(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let is_dumb = variable("TERM").as_deref() == Some("dumb");
    let is_forced = variable("CLICOLOR_FORCE").is_some_and(|value| !["", "0"].contains(&&*value));
    !is_set("NO_COLOR") && (is_forced || (is_terminal && !is_dumb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_the_usual_variables() {
        let (none, plain) = (&[][..], ("NO_COLOR", "1"));
        for (is_terminal, variables, expected) in [
            (true, none, true),
            (false, none, false),
            (true, &[plain], false),
            (true, &[("NO_COLOR", "")], true),
            (true, &[("TERM", "dumb")], false),
            (false, &[("CLICOLOR_FORCE", "1")], true),
            (false, &[("CLICOLOR_FORCE", "0")], false),
            (true, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true),
            (false, &[("CLICOLOR_FORCE", "1"), plain], false),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(is_coloured(is_terminal, variable), expected, "{is_terminal} {variables:?}");
        }
    }
}
