//! Patterns in which `*` stands for any text.

/// A pattern in which `*` stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(String);

impl Glob {
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    pub fn matches(&self, text: &str) -> bool {
        Self::fits(&self.0, text)
    }

    /// Whether the text matches the pattern. Needs no `Glob`, for patterns that are used only once.
    pub fn fits(pattern: &str, text: &str) -> bool {
        let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        let inner = text.strip_prefix(first).and_then(|text| text.strip_suffix(last));
        // The leftmost match of each inner part is enough, because it leaves the most text for the
        // parts after it.
        inner.is_some_and(|inner| {
            let mut left = inner;
            middle.split('*').all(|part| match left.split_once(part) {
                Some((_, after)) => {
                    left = after;
                    true
                }
                None => false,
            })
        })
    }

    /// The text before the first star.
    pub(crate) fn stem(&self) -> &str {
        self.0.split('*').next().unwrap_or_default()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.ends_with('*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let cases = [
            ("close", "close", true),
            ("close", "closed", false),
            ("close*", "close", true),
            ("close*", "closed", true),
            ("close*", "enclose", false),
            ("*", "", true),
            ("a*b", "ab", true),
            ("a*b", "a", false),
            ("a*a", "a", false),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*x*y*", "xy", true),
            ("*x*y*", "yx", false),
            ("ä*", "äh", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(Glob::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }
}
