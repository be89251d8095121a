//! Makes payloads neutral, as if one developer had captured all of them: neutral paths, counted
//! ids, no secrets, and readable formatting.

use std::path::Path;

const HOME: &str = "/home/dev";
/// The key for the hashes that replace secrets. It is public, because fixtures are public. A fixed
/// key always gives the same text.
const KEY: [u8; 32] = [0; 32];

/// The ids seen so far in a session's payloads. An id is replaced by the same number in all of
/// them.
#[derive(Debug, Default)]
pub(super) struct Neutral {
    ids: Vec<String>,
}

impl Neutral {
    /// Makes the text of a payload neutral. `root` is the root directory of the environment in
    /// which the client ran.
    pub(super) fn text(&mut self, payload: &str, root: &Path) -> String {
        let root = root.display().to_string();
        let home = format!("{root}/home");
        let text = payload
            .replace(&home, HOME)
            .replace(&dashed(&home), &dashed(HOME))
            .replace(&format!("{root}/tmp"), "/tmp")
            .replace(&root, HOME);
        let text = self.count_ids(&text);
        laid_out(&verger_redact::redact(&text, &[], &KEY))
    }

    /// Replaces the ids in a text by counted ids. Session and prompt ids are UUIDs; subagent ids
    /// are `a` and sixteen digits.
    fn count_ids(&mut self, text: &str) -> String {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let mut counted = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            let (before, from_word) = rest.split_at(start);
            let end = from_word.find(|letter| !is_part(letter)).unwrap_or(from_word.len());
            let (word, after) = from_word.split_at(end);
            counted.push_str(before);
            // In the name of a subagent's transcript file, `agent-` precedes the id.
            let (kind, id) = word.strip_prefix("agent-").map_or(("", word), |id| ("agent-", id));
            counted.push_str(kind);
            match id_form(id) {
                Some(form) => counted.push_str(&form.with_number(self.number_of(id))),
                None => counted.push_str(id),
            }
            rest = after;
        }
        counted.push_str(rest);
        counted
    }

    fn number_of(&mut self, id: &str) -> usize {
        if let Some(known) = self.ids.iter().position(|known| known == id) {
            return known + 1;
        }
        self.ids.push(id.to_owned());
        self.ids.len()
    }
}

enum IdForm {
    Uuid,
    Agent,
}

impl IdForm {
    fn with_number(&self, number: usize) -> String {
        match self {
            Self::Uuid => format!("00000000-0000-4000-8000-{number:012}"),
            Self::Agent => format!("a{number:016}"),
        }
    }
}

fn id_form(word: &str) -> Option<IdForm> {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths: Vec<_> = word.split('-').map(str::len).collect();
    match (&lengths[..], word.strip_prefix('a')) {
        ([8, 4, 4, 4, 12], _) if is_hex(&word.replace('-', "")) => Some(IdForm::Uuid),
        ([17], Some(digits)) if is_hex(digits) => Some(IdForm::Agent),
        _ => None,
    }
}

/// Converts a path to the name that the client gives to the project's folder.
fn dashed(path: &str) -> String {
    path.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Formats JSON with one field per line. Doesn't parse the JSON, so that the fields keep the order
/// in which the client sent them.
fn laid_out(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut letters = json.trim().chars().peekable();
    let new_line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                out.push(letter);
                let mut is_escaped = false;
                for inner in letters.by_ref() {
                    out.push(inner);
                    if inner == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = inner == '\\' && !is_escaped;
                }
            }
            '{' | '[' => {
                out.push(letter);
                while letters.next_if(|next| next.is_whitespace()).is_some() {}
                if let Some(end) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ if letter.is_whitespace() => {}
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_ids_are_those_of_nobody() {
        let root = Path::new("/tmp/verger-x1");
        let payload = r#"{"b":"/tmp/verger-x1/home/project","a":"/tmp/verger-x1/home/.claude/projects/-tmp-verger-x1-home-project/f0357e9b-fb48-41a1-afb7-88e26c9c25cd/subagents/agent-aec61884cbc1b9421.jsonl","s":"f0357e9b-fb48-41a1-afb7-88e26c9c25cd","t":"/tmp/verger-x1/tmp/f"}"#;
        let expected = r#"{
  "b": "/home/dev/project",
  "a": "/home/dev/.claude/projects/-home-dev-project/00000000-0000-4000-8000-000000000001/subagents/agent-a0000000000000002.jsonl",
  "s": "00000000-0000-4000-8000-000000000001",
  "t": "/tmp/f"
}"#;
        assert_eq!(Neutral::default().text(payload, root), expected);
    }

    #[test]
    fn the_layout_is_that_of_the_committed_fixtures() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent/fixtures/claude/2.1.197");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert_eq!(laid_out(&text), text, "{}", path.display());
                count += 1;
            }
        }
        assert!(count > 50, "{count}");
    }

    #[test]
    fn a_secret_does_not_get_into_a_fixture() {
        let token = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let text = Neutral::default().text(&format!(r#"{{"a":"{token}"}}"#), Path::new("/r"));
        assert_eq!(text, "{\n  \"a\": \"[redacted:github-token:9c13a4c5]\"\n}");
    }
}
