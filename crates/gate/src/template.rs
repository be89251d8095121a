//! Replaces the names in a template by values. Templates are the files with messages to agents and
//! people.

/// The maximum number of bytes of a name in double braces.
const MAX_NAME_BYTES: usize = 32;

/// The template with every `{{name}}` replaced by its value. There is one pass, so braces inside a
/// value stay. A name without a value stays as it is.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    for piece in pieces(template.trim_end()) {
        filled.push_str(match piece {
            Piece::Text(text) => text,
            Piece::Name { name, written } => {
                values.iter().find(|(known, _)| *known == name).map_or(written, |(_, value)| value)
            }
        });
    }
    filled
}

/// The names in a template, with repetitions.
pub fn names(template: &str) -> impl Iterator<Item = &str> {
    pieces(template).filter_map(|piece| match piece {
        Piece::Name { name, .. } => Some(name),
        Piece::Text(_) => None,
    })
}

enum Piece<'a> {
    Text(&'a str),
    Name { name: &'a str, written: &'a str },
}

fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let piece = match name_at_start(rest) {
            Some((name, length)) => Piece::Name { name, written: &rest[..length] },
            None => Piece::Text(&rest[..next_braces(rest)]),
        };
        rest = match &piece {
            Piece::Text(text) | Piece::Name { written: text, .. } => &rest[text.len()..],
        };
        Some(piece)
    })
}

/// The offset of the next `{{` after the first character, or the length of the text.
fn next_braces(text: &str) -> usize {
    let mut places = text.char_indices().skip(1).map(|(at, _)| at);
    places.find(|at| text[*at..].starts_with("{{")).unwrap_or(text.len())
}

/// The name in double braces at the start of the text, and its length including the braces.
fn name_at_start(text: &str) -> Option<(&str, usize)> {
    let (inside, _) = text.strip_prefix("{{")?.split_once("}}")?;
    let name = inside.trim_matches(' ');
    let is_name = (1..=MAX_NAME_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    is_name.then_some((name, inside.len() + "{{}}".len()))
}

#[cfg(test)]
mod tests {
    use super::{fill, names};

    #[test]
    fn names_are_replaced_once_and_what_is_not_known_stays() {
        let values = [("a", "{{b}}"), ("b", "two")];
        let cases = [
            ("", ""),
            ("plain\n", "plain"),
            ("{{a}} and {{ b }}.", "{{b}} and two."),
            ("{{c}} {{", "{{c}} {{"),
            ("{{c {{b}}", "{{c two"),
            ("{{{b}} {{{{b}}}}", "{two {{two}}"),
            ("é{{b}}é", "étwoé"),
            ("{é}{{}}{{ }}", "{é}{{}}{{ }}"),
        ];
        for (template, expected) in cases {
            assert_eq!(fill(template, &values), expected, "{template:?}");
        }
    }

    #[test]
    fn the_names_of_a_template_are_listed() {
        let listed: Vec<_> = names("{{a}} {{ b-c }} {{d e}} {{{f}} {{g} }} {{a}}").collect();
        assert_eq!(listed, ["a", "b-c", "f", "a"]);
    }
}
